package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.GpuTest;

/** The kernels, on the GPU of this machine. */
@GpuTest
class ZstdDecoderGpuTest extends ZstdDecoderContract {
    @Override
    Device openDevice() throws DeviceException {
        assertThat(DeviceDriver.devices()).isNotEmpty();
        return DeviceDriver.open(0);
    }

    @Override
    int damagedFrames() {
        return Integer.getInteger("warpcodec.test.zstd.damaged", 20_000);
    }
}
