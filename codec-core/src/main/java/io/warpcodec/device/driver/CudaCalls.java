package io.warpcodec.device.driver;

import io.warpcodec.device.driver.DriverStatus.State;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUresult;
import jcuda.driver.CUuuid;
import jcuda.driver.JCudaDriver;

/**
 * Driver calls that need no context, and the meaning of their result codes. Loaded only once the binding works.
 * Thread-safe.
 */
final class CudaCalls {
    private static final int NAME_BYTES = 256;

    private CudaCalls() {}

    /** Starts the driver. Asks for its version first: an old driver lacks functions that the binding would call. */
    static DriverStatus initialise(int requiredVersion) {
        int[] version = new int[1];
        int result = JCudaDriver.cuDriverGetVersion(version);
        if (result != CUresult.CUDA_SUCCESS) {
            return DriverStatus.of(State.FAILED, "cuDriverGetVersion: " + describe(result));
        }
        if (version[0] < requiredVersion) {
            String reason = "the driver supports CUDA " + DriverStatus.versionText(version[0]) + "; the kernels need "
                    + DriverStatus.versionText(requiredVersion);
            return new DriverStatus(State.OLD_DRIVER, reason, version[0]);
        }
        result = JCudaDriver.cuInit(0);
        if (result == CUresult.CUDA_ERROR_NO_DEVICE) {
            return new DriverStatus(State.NO_DEVICE, "the driver sees no device", version[0]);
        }
        if (result != CUresult.CUDA_SUCCESS) {
            return new DriverStatus(State.FAILED, "cuInit: " + describe(result), version[0]);
        }
        int[] count = new int[1];
        result = JCudaDriver.cuDeviceGetCount(count);
        if (result != CUresult.CUDA_SUCCESS) {
            return new DriverStatus(State.FAILED, "cuDeviceGetCount: " + describe(result), version[0]);
        }
        if (count[0] == 0) {
            return new DriverStatus(State.NO_DEVICE, "the driver sees no device", version[0]);
        }
        String reason = "CUDA " + DriverStatus.versionText(version[0]) + ", " + count[0] + " device"
                + (count[0] == 1 ? "" : "s");
        return new DriverStatus(State.READY, reason, version[0]);
    }

    /** The devices, up to the first that does not answer; ordinals stay those of the driver. */
    static List<DeviceInfo> devices() {
        List<DeviceInfo> devices = new ArrayList<>();
        try {
            int[] count = new int[1];
            check("cuDeviceGetCount", JCudaDriver.cuDeviceGetCount(count));
            for (int ordinal = 0; ordinal < count[0]; ordinal++) {
                devices.add(describeDevice(ordinal));
            }
        } catch (DeviceException unanswered) {
            return List.copyOf(devices);
        }
        return List.copyOf(devices);
    }

    private static DeviceInfo describeDevice(int ordinal) throws DeviceException {
        CUdevice device = new CUdevice();
        check("cuDeviceGet", JCudaDriver.cuDeviceGet(device, ordinal));
        byte[] name = new byte[NAME_BYTES];
        check("cuDeviceGetName", JCudaDriver.cuDeviceGetName(name, name.length, device));
        int nameLength = 0;
        while (nameLength < name.length && name[nameLength] != 0) {
            nameLength++;
        }
        long[] memoryBytes = new long[1];
        check("cuDeviceTotalMem", JCudaDriver.cuDeviceTotalMem(memoryBytes, device));
        String[] busId = new String[1];
        check("cuDeviceGetPCIBusId", JCudaDriver.cuDeviceGetPCIBusId(busId, 64, device));
        CUuuid uuid = new CUuuid();
        check("cuDeviceGetUuid", JCudaDriver.cuDeviceGetUuid(uuid, device));
        return new DeviceInfo(
                ordinal,
                new String(name, 0, nameLength, StandardCharsets.US_ASCII),
                attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
                memoryBytes[0],
                attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
                busId[0] == null ? "" : busId[0].trim(),
                uuidText(uuid.bytes));
    }

    /** As nvidia-smi writes it: {@code GPU-8-4-4-4-12}. */
    private static String uuidText(byte[] bytes) {
        String digits = HexFormat.of().formatHex(bytes);
        return "GPU-" + digits.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5");
    }

    private static int attribute(CUdevice device, int attribute) throws DeviceException {
        int[] value = new int[1];
        check("cuDeviceGetAttribute", JCudaDriver.cuDeviceGetAttribute(value, attribute, device));
        return value[0];
    }

    /** Throws unless the call succeeded. */
    static void check(String call, int result) throws DeviceException {
        if (result != CUresult.CUDA_SUCCESS) {
            throw new DeviceException(result, call + ": " + describe(result));
        }
    }

    /** The driver's name for a result code. */
    static String describe(int result) {
        return CUresult.stringFor(result) + " (" + result + ")";
    }
}
