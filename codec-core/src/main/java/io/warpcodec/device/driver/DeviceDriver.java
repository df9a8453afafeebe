package io.warpcodec.device.driver;

import io.warpcodec.device.driver.DriverStatus.State;
import java.util.List;

/**
 * The door to the NVIDIA driver. The first call of any method loads the binding and asks the driver, once per JVM;
 * the answer then stays.
 *
 * <p>Thread-safe.
 */
public final class DeviceDriver {
    private DeviceDriver() {}

    /** Asked once, on first use. Nothing of jcuda is named here, so this class loads without it. */
    private static final class Answer {
        static final DriverStatus STATUS = ask();
        static final List<DeviceInfo> DEVICES = STATUS.ready() ? list() : List.of();

        private static DriverStatus ask() {
            try {
                return JCudaLibrary.load().orElseGet(() -> CudaCalls.initialise(KernelImages.requiredDriverVersion()));
            } catch (RuntimeException | LinkageError failed) {
                return DriverStatus.of(State.FAILED, "the driver could not be asked: " + failed);
            }
        }

        private static List<DeviceInfo> list() {
            return CudaCalls.devices();
        }
    }

    /** Whether devices can be opened, and if not, why. Never throws. */
    public static DriverStatus status() {
        return Answer.STATUS;
    }

    /** The devices that the driver shows to this process; empty unless the status is READY. Never throws. */
    public static List<DeviceInfo> devices() {
        return Answer.DEVICES;
    }

    /**
     * Opens a device: keeps its primary context, which is shared with other users of this process, until the device
     * is closed.
     *
     * @param ordinal position in {@link #devices()}
     * @throws DeviceException if the driver is not ready, has no such device, or refuses the context
     */
    public static Device open(int ordinal) throws DeviceException {
        if (!status().ready()) {
            throw new DeviceException(status().reason());
        }
        if (ordinal < 0 || ordinal >= devices().size()) {
            throw new DeviceException(
                    "no device " + ordinal + "; there are " + devices().size());
        }
        return Device.open(CudaDriver.INSTANCE, devices().get(ordinal));
    }
}
