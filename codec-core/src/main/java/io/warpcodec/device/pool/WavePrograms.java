package io.warpcodec.device.pool;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.kernel.KernelUnavailableException;
import java.util.Map;

/** Loads everything that a pool's devices are to do. Thread-safe. */
public interface WavePrograms {
    /**
     * The programs for one device, by the name that leases ask for. What cannot be used on it is left out.
     *
     * @throws KernelUnavailableException if none can be used
     * @throws DeviceException if the device fails; nothing is held then
     */
    Map<String, WaveProgram> load(Device device) throws KernelUnavailableException, DeviceException;
}
