package io.warpcodec.device;

import io.warpcodec.device.KernelStatus.State;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/**
 * A fatbin, loaded on a device and checked against its contract.
 *
 * <p>Thread-safe. Must not be closed while a stream may still run its kernels.
 */
public final class KernelModule implements AutoCloseable {
    private final Device device;
    private final CUmodule module;
    private boolean closed;

    private KernelModule(Device device, CUmodule module) {
        this.device = device;
        this.module = module;
    }

    /**
     * Loads the module of a contract.
     *
     * @throws KernelUnavailableException if it is not on the class path, holds no code for this device, or does not keep the contract
     * @throws DeviceException if the device fails
     */
    public static KernelModule load(Device device, KernelContract contract)
            throws KernelUnavailableException, DeviceException {
        byte[] image = image(device, contract);
        device.makeCurrent();
        CUmodule module = new CUmodule();
        int result = JCudaDriver.cuModuleLoadData(module, image);
        switch (result) {
            case CUresult.CUDA_SUCCESS:
                break;
            case CUresult.CUDA_ERROR_NO_BINARY_FOR_GPU:
            case CUresult.CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
                throw unavailable(
                        device,
                        contract,
                        State.NO_CODE_FOR_DEVICE,
                        "no code for compute capability " + device.info().computeCapability() + "; the jar has "
                                + KernelImages.targets());
            case CUresult.CUDA_ERROR_INVALID_IMAGE:
                throw unavailable(device, contract, State.FAILED, "cuModuleLoadData: " + CudaCalls.describe(result));
            default:
                CudaCalls.check("cuModuleLoadData", result);
        }
        KernelModule loaded = new KernelModule(device, module);
        try {
            loaded.verify(contract);
        } catch (KernelUnavailableException | DeviceException | RuntimeException failed) {
            loaded.close();
            throw failed;
        }
        return loaded;
    }

    /** Tries to load the module of a contract, for a report. */
    static KernelStatus probe(Device device, KernelContract contract) {
        try (KernelModule loaded = load(device, contract)) {
            return status(
                    device,
                    contract,
                    State.LOADED,
                    "loaded on device " + loaded.device.info().ordinal());
        } catch (KernelUnavailableException unavailable) {
            return unavailable.status();
        } catch (DeviceException failed) {
            return status(device, contract, State.FAILED, failed.getMessage());
        }
    }

    /**
     * An entry point.
     *
     * @param entry its unmangled name
     * @throws DeviceException if the module has no such entry
     */
    public KernelFunction function(String entry) throws DeviceException {
        device.makeCurrent();
        CUfunction function = new CUfunction();
        int result = JCudaDriver.cuModuleGetFunction(function, module, entry);
        CudaCalls.check("cuModuleGetFunction(" + entry + ")", result);
        return new KernelFunction(device, entry, function);
    }

    /** Unloads the module. A second call does nothing; failures are logged. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            try {
                device.makeCurrent();
                Device.logUnlessSuccess("cuModuleUnload", JCudaDriver.cuModuleUnload(module));
            } catch (DeviceException lost) {
                Device.logFailure(lost);
            }
        }
    }

    private void verify(KernelContract contract) throws KernelUnavailableException, DeviceException {
        Map<String, Integer> expected = new TreeMap<>(contract.constants());
        expected.put(contract.word() + "_abi", contract.abi());
        for (Map.Entry<String, Integer> constant : expected.entrySet()) {
            Optional<Integer> found = readGlobal(constant.getKey());
            if (!found.equals(Optional.of(constant.getValue()))) {
                throw unavailable(
                        device,
                        contract,
                        State.MISMATCH,
                        constant.getKey() + " is "
                                + found.map(Integer::toUnsignedString).orElse("absent") + " in the kernels jar and "
                                + Integer.toUnsignedString(constant.getValue())
                                + " in the Java code: the jars are of different versions");
            }
        }
    }

    /** The value of a 32-bit global, or empty if the module has none of that name and size. */
    private Optional<Integer> readGlobal(String name) throws DeviceException {
        CUdeviceptr address = new CUdeviceptr();
        long[] bytes = new long[1];
        int result = JCudaDriver.cuModuleGetGlobal(address, bytes, module, name);
        if (result == CUresult.CUDA_ERROR_NOT_FOUND || result == CUresult.CUDA_SUCCESS && bytes[0] != Integer.BYTES) {
            return Optional.empty();
        }
        CudaCalls.check("cuModuleGetGlobal(" + name + ")", result);
        int[] value = new int[1];
        CudaCalls.check("cuMemcpyDtoH", JCudaDriver.cuMemcpyDtoH(Pointer.to(value), address, Integer.BYTES));
        return Optional.of(value[0]);
    }

    private static byte[] image(Device device, KernelContract contract) throws KernelUnavailableException {
        try {
            Optional<byte[]> image = KernelImages.read(contract.word());
            if (image.isPresent()) {
                return image.get();
            }
        } catch (IOException unreadable) {
            throw unavailable(device, contract, State.FAILED, "the fatbin cannot be read: " + unreadable);
        }
        String reason = KernelImages.absence().orElse("the kernels jar has no fatbin of that name");
        throw unavailable(device, contract, State.MISSING, reason);
    }

    private static KernelUnavailableException unavailable(
            Device device, KernelContract contract, State state, String reason) {
        return new KernelUnavailableException(status(device, contract, state, reason));
    }

    private static KernelStatus status(Device device, KernelContract contract, State state, String reason) {
        return new KernelStatus(contract.word(), device.info().ordinal(), state, reason);
    }
}
