package io.warpcodec.engine.gpu.lz4;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Mode;
import io.warpcodec.TestSeed;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.engine.gpu.GpuStreams;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On the devices of this machine. */
@GpuTest
class Lz4LevelsGpuTest extends Lz4LevelsContract {
    @BeforeAll
    static void open() {
        GpuStreams.startedDevices();
    }

    /** Blocks of files are as small as those that the CPU writes at the same level, within half a percent. */
    @ParameterizedTest
    @EnumSource(
            value = GpuStreams.class,
            names = {"LZ4_FRAME", "LZ4_HADOOP", "LZ4_BLOCK"})
    void theHighestLevelIsAsSmallAsTheCpus(GpuStreams kind) throws IOException {
        byte[] raw = GpuStreams.mixture(3_000_000, TestSeed.value());
        CodecOptions best = options(kind, 12, 256 << 10);
        int cpu = kind.write(raw, best.withMode(Mode.CPU)).length;
        assertThat(kind.write(raw, best).length).as("seed %d", TestSeed.value()).isLessThanOrEqualTo(cpu + cpu / 200);
    }
}
