package io.warpcodec.engine.gpu.lz4;

import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.engine.gpu.GpuStreams;
import org.junit.jupiter.api.BeforeAll;

/** On the devices of this machine. */
@GpuTest
class Lz4LevelsGpuTest extends Lz4LevelsContract {
    @BeforeAll
    static void open() {
        GpuStreams.startedDevices();
    }
}
