package io.warpcodec.device;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code doctor} prints about the GPU side.
 *
 * @param driver whether the driver can be used, and why not
 * @param devices what it shows; empty where it cannot be used
 * @param kernelToolkit version of the CUDA toolkit that compiled the kernels, such as {@code 13.0}; empty where there are none
 * @param kernelTargets what they were compiled for, for people; why there are none, if there are none
 * @param kernels each module on each device; on no device where there is none
 * @param nativeFolder in which folder the private folder for native libraries is made
 */
public record DeviceReport(
        DriverStatus driver,
        List<DeviceInfo> devices,
        String kernelToolkit,
        String kernelTargets,
        List<KernelStatus> kernels,
        String nativeFolder) {

    /** Copies the lists. */
    public DeviceReport {
        devices = List.copyOf(devices);
        kernels = List.copyOf(kernels);
    }

    /**
     * Asks the driver and tries to load every module on every device. Never throws; takes as long as the driver needs to start.
     *
     * @param contracts the modules
     */
    public static DeviceReport collect(List<KernelContract> contracts) {
        DriverStatus driver = DeviceDriver.status();
        List<DeviceInfo> devices = DeviceDriver.devices();
        List<KernelStatus> kernels = new ArrayList<>();
        if (devices.isEmpty()) {
            contracts.forEach(contract -> kernels.add(withoutDevice(contract.word())));
        }
        for (DeviceInfo info : devices) {
            try (Device device = DeviceDriver.open(info.ordinal())) {
                contracts.forEach(contract -> kernels.add(KernelModule.probe(device, contract)));
            } catch (DeviceException failed) {
                contracts.forEach(contract -> kernels.add(new KernelStatus(
                        contract.word(), info.ordinal(), KernelStatus.State.FAILED, failed.getMessage())));
            }
        }
        return new DeviceReport(
                driver,
                devices,
                KernelImages.toolkit(),
                KernelImages.absence().orElseGet(() -> KernelImages.targets().toString()),
                kernels,
                JCudaLibrary.parentFolder().toString());
    }

    private static KernelStatus withoutDevice(String word) {
        KernelStatus.State state;
        String reason;
        try {
            boolean present = KernelImages.read(word).isPresent();
            state = present ? KernelStatus.State.PRESENT : KernelStatus.State.MISSING;
            reason = present
                    ? "in the kernels jar; no device to load it on"
                    : KernelImages.absence().orElse("the kernels jar has no fatbin of that name");
        } catch (IOException unreadable) {
            state = KernelStatus.State.FAILED;
            reason = "the fatbin cannot be read: " + unreadable;
        }
        return new KernelStatus(word, -1, state, reason);
    }
}
