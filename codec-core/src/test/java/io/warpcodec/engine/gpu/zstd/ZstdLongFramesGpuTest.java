package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Engines;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.engine.Drained;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.RealGpu;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On the devices of this machine. */
@GpuTest
class ZstdLongFramesGpuTest extends ZstdLongFramesContract {
    @BeforeAll
    static void open() {
        GpuStreams.startedDevices();
    }

    @Override
    int damages() {
        return Integer.getInteger("warpcodec.test.damages", 400);
    }

    @Override
    void requireNothingLent() {
        Drained.await(
                "page-locked bytes", () -> RealGpu.lentBytes(Engines.selector().accelerator()));
    }

    /** With the windows that levels have, and segments as long as a device has memory for. */
    @ParameterizedTest
    @ValueSource(ints = {-5, 1, 3, 6, 12, 16})
    void longFramesOfUsualLevels(int level) {
        byte[] raw = mixed(60_000_000);
        byte[] file = new Writing(level, 0, true, level % 2 == 0).frame(raw);
        assertThat(requireReadRight("level " + level, file, raw, 1 << 20)).isGreaterThan(raw.length * 9L / 10);
        requireNothingLent();
    }

    /** A window of 8 MiB, which the strongest levels have. */
    @ParameterizedTest
    @ValueSource(ints = {9_000_000, 50_000_000})
    void framesWithTheLongestWindow(int bytes) {
        byte[] raw = mixed(bytes);
        byte[] file = new Writing(19, 23, true, true).frame(raw);
        assertThat(requireReadRight("level 19", file, raw, 1 << 20)).isGreaterThan(raw.length * 9L / 10);
        requireNothingLent();
    }
}
