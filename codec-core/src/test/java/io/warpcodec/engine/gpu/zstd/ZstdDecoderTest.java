package io.warpcodec.engine.gpu.zstd;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.pool.ScriptedDriver;
import java.util.List;

/** The launcher, the plans and the records, over Java kernels that read a record as the real ones do. */
class ZstdDecoderTest extends ZstdDecoderContract {
    @Override
    Device openDevice() throws DeviceException {
        ScriptedDriver driver = new ScriptedDriver(1, 512L << 20, HostZstd.all(), List.of(ZstdKernels.CONTRACT));
        return Device.open(driver, driver.devices().get(0));
    }

    @Override
    int damagedFrames() {
        return 1000;
    }
}
