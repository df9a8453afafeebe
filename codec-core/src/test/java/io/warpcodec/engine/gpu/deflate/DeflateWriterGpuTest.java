package io.warpcodec.engine.gpu.deflate;

import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.engine.gpu.GpuStreams;
import org.junit.jupiter.api.BeforeAll;

/** On the devices of this machine. */
@GpuTest
class DeflateWriterGpuTest extends DeflateWriterContract {
    @BeforeAll
    static void open() {
        GpuStreams.startedDevices();
    }
}
