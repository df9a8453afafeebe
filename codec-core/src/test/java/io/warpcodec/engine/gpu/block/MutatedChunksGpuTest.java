package io.warpcodec.engine.gpu.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Engines;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.engine.Engine;
import org.junit.jupiter.api.BeforeAll;

/** The GPU engine of this machine. */
@GpuTest
class MutatedChunksGpuTest extends MutatedChunksContract {
    private static Engine gpu;

    @BeforeAll
    static void open() {
        gpu = Engines.selector().accelerator();
        assertThat(gpu)
                .as("why not: %s", Engines.selector().unavailableReason())
                .isNotNull();
        assertThat(gpu.unavailableReason(true)).isNull();
    }

    @Override
    Engine gpu() {
        return gpu;
    }
}
