package io.warpcodec.engine.gpu.block;

import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.gpu.GpuStreams;
import org.junit.jupiter.api.BeforeAll;

/** The GPU engine of this machine. */
@GpuTest
class MutatedChunksGpuTest extends MutatedChunksContract {
    private static Engine gpu;

    @BeforeAll
    static void open() {
        gpu = GpuStreams.startedDevices();
    }

    @Override
    Engine gpu() {
        return gpu;
    }
}
