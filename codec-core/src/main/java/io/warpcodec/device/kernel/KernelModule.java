package io.warpcodec.device.kernel;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceInfo;
import io.warpcodec.device.driver.Driver;
import io.warpcodec.device.driver.KernelImages;
import io.warpcodec.device.kernel.KernelStatus.State;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A fatbin, loaded on a device and checked against its contract.
 *
 * <p>Thread-safe. Must not be closed while a stream may still run its kernels.
 */
public final class KernelModule implements AutoCloseable {
    private final Device device;
    private final KernelContract contract;
    private final Driver.Module module;
    private boolean closed;

    private KernelModule(Device device, KernelContract contract, Driver.Module module) {
        this.device = device;
        this.contract = contract;
        this.module = module;
    }

    /**
     * Loads the module of a contract.
     *
     * @throws KernelUnavailableException if it is not on the class path, holds no code for this device, or does not
     *     keep the contract
     * @throws DeviceException if the device fails
     */
    public static KernelModule load(Device device, KernelContract contract)
            throws KernelUnavailableException, DeviceException {
        byte[] image = image(device, contract);
        Driver.Module module;
        try {
            module = device.ask(driver -> driver.loadModule(image));
        } catch (DeviceException refused) {
            switch (refused.failure()) {
                case NO_CODE_FOR_DEVICE:
                    throw unavailable(
                            device,
                            contract,
                            State.NO_CODE_FOR_DEVICE,
                            "no code for compute capability " + device.info().computeCapability() + "; the jar has "
                                    + KernelImages.targets());
                case INVALID_IMAGE:
                    throw unavailable(device, contract, State.FAILED, refused.getMessage());
                default:
                    throw refused;
            }
        }
        KernelModule loaded = new KernelModule(device, contract, module);
        try {
            loaded.verify();
        } catch (KernelUnavailableException | DeviceException | RuntimeException failed) {
            loaded.close();
            throw failed;
        }
        return loaded;
    }

    /** Looks up what one module has. */
    @FunctionalInterface
    public interface Binding<T> {
        /**
         * Looks it up.
         *
         * @throws KernelUnavailableException if the device cannot run what it finds
         * @throws DeviceException if an entry is missing, or the device fails
         */
        T bind(KernelModule module) throws KernelUnavailableException, DeviceException;
    }

    /**
     * Loads the module of a contract and binds its entries. The module is unloaded if that fails.
     *
     * @throws KernelUnavailableException as {@link #load(Device, KernelContract)}, or if the binding says so
     * @throws DeviceException if the device fails
     */
    public static <T> T load(Device device, KernelContract contract, Binding<T> binding)
            throws KernelUnavailableException, DeviceException {
        KernelModule loaded = load(device, contract);
        try {
            return binding.bind(loaded);
        } catch (KernelUnavailableException | DeviceException | RuntimeException failed) {
            loaded.close();
            throw failed;
        }
    }

    /** Tries to load the module of a contract, for a report. */
    public static KernelStatus probe(Device device, KernelContract contract) {
        try (KernelModule loaded = load(device, contract)) {
            return status(
                    device,
                    contract,
                    State.LOADED,
                    "loaded on device " + loaded.device.info().ordinal() + ": " + codeOn(loaded.device.info()));
        } catch (KernelUnavailableException unavailable) {
            return unavailable.status();
        } catch (DeviceException failed) {
            return status(device, contract, State.FAILED, failed.getMessage());
        }
    }

    private static String codeOn(DeviceInfo info) {
        return KernelImages.targets().fit(info).toString();
    }

    /**
     * An entry point.
     *
     * @param entry its unmangled name
     * @throws DeviceException if the module has no such entry
     */
    public KernelFunction function(String entry) throws DeviceException {
        return new KernelFunction(device, device.ask(driver -> driver.function(module, entry)), 0);
    }

    /**
     * An entry point whose ctas get dynamic shared memory at every launch.
     *
     * @param entry its unmangled name
     * @throws KernelUnavailableException if the device has not so much shared memory
     * @throws DeviceException if the module has no such entry, or the device fails
     */
    public KernelFunction function(String entry, int sharedBytes) throws KernelUnavailableException, DeviceException {
        Driver.Function function = device.ask(driver -> driver.function(module, entry));
        try {
            device.tell(driver -> driver.allowSharedBytes(function, sharedBytes));
        } catch (DeviceException refused) {
            if (refused.failure() == DeviceException.Failure.OTHER) {
                String reason = entry + " takes " + sharedBytes + " bytes of shared memory: " + refused.getMessage();
                throw unavailable(device, contract, State.FAILED, reason);
            }
            throw refused;
        }
        return new KernelFunction(device, function, sharedBytes);
    }

    /** Unloads the module. A second call does nothing; failures are logged. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            device.giveBack(driver -> driver.unloadModule(module));
        }
    }

    private void verify() throws KernelUnavailableException, DeviceException {
        Map<String, Integer> expected = new TreeMap<>(contract.constants());
        expected.put(contract.word() + "_abi", contract.abi());
        for (Map.Entry<String, Integer> constant : expected.entrySet()) {
            Optional<Integer> found = device.ask(driver -> driver.global(module, constant.getKey()));
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

    private static byte[] image(Device device, KernelContract contract) throws KernelUnavailableException {
        try {
            Optional<byte[]> image = device.image(contract.word());
            if (image.isPresent()) {
                return image.get();
            }
        } catch (IOException unreadable) {
            throw unavailable(device, contract, State.FAILED, "the fatbin cannot be read: " + unreadable);
        }
        String reason = KernelImages.unavailableReason().orElse("the kernels jar has no fatbin of that name");
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
