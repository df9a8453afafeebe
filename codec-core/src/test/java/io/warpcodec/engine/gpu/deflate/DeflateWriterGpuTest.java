package io.warpcodec.engine.gpu.deflate;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Engines;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.engine.Engine;
import org.junit.jupiter.api.BeforeAll;

/** On the devices of this machine. */
@GpuTest
class DeflateWriterGpuTest extends DeflateWriterContract {
    @BeforeAll
    static void open() {
        Engine gpu = Engines.selector().accelerator();
        assertThat(gpu)
                .as("why not: %s", Engines.selector().unavailableReason())
                .isNotNull();
        assertThat(gpu.unavailableReason(true)).isNull();
    }
}
