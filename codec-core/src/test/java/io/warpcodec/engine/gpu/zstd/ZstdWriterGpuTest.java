package io.warpcodec.engine.gpu.zstd;

import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.engine.gpu.GpuStreams;
import org.junit.jupiter.api.BeforeAll;

/** On the devices of this machine. */
@GpuTest
class ZstdWriterGpuTest extends ZstdWriterContract {
    @BeforeAll
    static void open() {
        GpuStreams.startedDevices();
    }

    @Override
    int waveBytes() {
        return 8 << 20;
    }
}
