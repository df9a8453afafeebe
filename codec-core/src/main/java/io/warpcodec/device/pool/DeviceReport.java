package io.warpcodec.device.pool;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceInfo;
import io.warpcodec.device.driver.DriverStatus;
import io.warpcodec.device.driver.JCudaLibrary;
import io.warpcodec.device.driver.KernelImages;
import io.warpcodec.device.driver.KernelTargets;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelModule;
import io.warpcodec.device.kernel.KernelStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code doctor} tells about the GPU side.
 *
 * @param driver whether the driver can be used, and why not
 * @param devices what it shows; empty where it cannot be used
 * @param build what the kernels jar says about itself
 * @param kernels each module on each device; on no device where there is none
 * @param nativeFolder in which folder the private folder for native libraries is made
 */
public record DeviceReport(
        DriverStatus driver, List<DeviceInfo> devices, Build build, List<KernelStatus> kernels, String nativeFolder) {

    /**
     * How the kernels were built.
     *
     * @param toolkit version of the CUDA toolkit that compiled them, such as {@code 13.0}; empty where there are none
     * @param targets what they were compiled for
     * @param unavailableReason why there are none at all; empty where there are some
     */
    public record Build(String toolkit, KernelTargets targets, String unavailableReason) {}

    /** Opens one of the devices. */
    @FunctionalInterface
    interface Opener {
        Device open(DeviceInfo device) throws DeviceException;
    }

    /** Copies the lists. */
    public DeviceReport {
        devices = List.copyOf(devices);
        kernels = List.copyOf(kernels);
    }

    /**
     * Asks the driver and tries to load every module on every device. Never throws; takes as long as the driver needs
     * to start.
     *
     * @param contracts the modules
     */
    public static DeviceReport collect(List<KernelContract> contracts) {
        Build build = new Build(
                KernelImages.toolkit(),
                KernelImages.targets(),
                KernelImages.unavailableReason().orElse(""));
        return collect(
                DeviceDriver.status(),
                DeviceDriver.devices(),
                device -> DeviceDriver.open(device.ordinal()),
                build,
                contracts);
    }

    static DeviceReport collect(
            DriverStatus driver, List<DeviceInfo> devices, Opener opener, Build build, List<KernelContract> contracts) {
        List<KernelStatus> kernels = new ArrayList<>();
        if (devices.isEmpty()) {
            contracts.forEach(contract -> kernels.add(withoutDevice(contract.word())));
        }
        for (DeviceInfo info : devices) {
            try (Device device = opener.open(info)) {
                contracts.forEach(contract -> kernels.add(KernelModule.probe(device, contract)));
            } catch (DeviceException failed) {
                contracts.forEach(contract -> kernels.add(new KernelStatus(
                        contract.word(), info.ordinal(), KernelStatus.State.FAILED, failed.getMessage())));
            }
        }
        return new DeviceReport(
                driver, devices, build, kernels, JCudaLibrary.parentFolder().toString());
    }

    /** The first module that does not work on this device; null if all do. */
    public KernelStatus defect(DeviceInfo device) {
        return kernels.stream()
                .filter(kernel -> kernel.ordinal() == device.ordinal() && kernel.state() != KernelStatus.State.LOADED)
                .findFirst()
                .orElse(null);
    }

    private static KernelStatus withoutDevice(String word) {
        KernelStatus.State state;
        String reason;
        try {
            boolean present = KernelImages.read(word).isPresent();
            state = present ? KernelStatus.State.PRESENT : KernelStatus.State.MISSING;
            reason = present
                    ? "in the kernels jar; no device to load it on"
                    : KernelImages.unavailableReason().orElse("the kernels jar has no fatbin of that name");
        } catch (IOException unreadable) {
            state = KernelStatus.State.FAILED;
            reason = "the fatbin cannot be read: " + unreadable;
        }
        return new KernelStatus(word, -1, state, reason);
    }
}
