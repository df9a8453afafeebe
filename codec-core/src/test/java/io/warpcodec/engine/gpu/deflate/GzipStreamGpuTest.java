package io.warpcodec.engine.gpu.deflate;

import io.warpcodec.Engines;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.engine.Drained;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.RealGpu;
import org.junit.jupiter.api.BeforeAll;

/** On the devices of this machine. */
@GpuTest
class GzipStreamGpuTest extends GzipStreamContract {
    @BeforeAll
    static void open() {
        GpuStreams.startedDevices();
    }

    @Override
    int damages() {
        return Integer.getInteger("warpcodec.test.damages", 400);
    }

    @Override
    int scale() {
        return 8;
    }

    @Override
    void requireNothingLent() {
        Drained.await(
                "page-locked bytes", () -> RealGpu.lentBytes(Engines.selector().accelerator()));
    }
}
