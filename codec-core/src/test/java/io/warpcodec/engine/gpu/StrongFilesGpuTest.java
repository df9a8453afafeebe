package io.warpcodec.engine.gpu;

import io.warpcodec.Format;
import io.warpcodec.device.driver.GpuTest;
import org.junit.jupiter.api.BeforeAll;

/** On the devices of this machine. */
@GpuTest
class StrongFilesGpuTest extends StrongFilesContract {
    @BeforeAll
    static void open() {
        GpuStreams.startedDevices();
    }

    @Override
    void ready(Format format) {}
}
