package io.warpcodec.engine.gpu.lz4;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Engines;
import io.warpcodec.Mode;
import io.warpcodec.TestSeed;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.FallbackReason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import net.jpountz.lz4.LZ4FrameInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On scripted devices, whose kernels write what lz4-java's fast mode and its level 9 do. */
class Lz4LevelsTest extends Lz4LevelsContract {
    private static final GpuStreams KIND = GpuStreams.LZ4_FRAME;

    private ScriptedGpu gpu;

    @BeforeEach
    void install() {
        install(ScriptedGpu.smallLimits());
    }

    private void install(PoolLimits limits) {
        gpu = new ScriptedGpu(new CpuEngine(), 2, limits).started();
        Engines.installAccelerator(gpu.engine());
    }

    @AfterEach
    void uninstall() {
        Engines.installAccelerator(null);
        gpu.awaitNothingLent();
        gpu.close();
    }

    private static byte[] write(byte[] raw, Mode mode, int level) throws IOException {
        return KIND.write(raw, KIND.options.withMode(mode).withLevel(level).withChunkBytes(64 << 10));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "9, 9", "10, 9", "11, 9", "12, 9"})
    void devicesHaveTwoLevels(int level, int levelOfLz4Java) throws IOException {
        byte[] raw = GpuStreams.text(300_000, 1);
        long chunks = KIND.deviceEncodedChunks();
        assertThat(write(raw, Mode.GPU, level)).isEqualTo(write(raw, Mode.CPU, levelOfLz4Java));
        assertThat(KIND.deviceEncodedChunks() - chunks).isEqualTo(5);
    }

    /** What a core takes is for text; zeros take a hundredth of it, so no chunk waits for more than half a second. */
    @ParameterizedTest
    @ValueSource(ints = {9, 10, 11, 12})
    void aChunkWaitsHalfASecondAtMostUntilACoresRateIsSeen(int level) {
        CodecOptions best = CodecOptions.DEFAULTS.withLevel(level).withChunkBytes(CodecOptions.MAX_CHUNK_BYTES);
        double cpuNanos = Lz4GpuFormat.INSTANCE.cpuNanosPerMebibyte(Direction.ENCODE, best);
        assertThat(2.5 * cpuNanos).as("2.5 times what the CPU takes").isBetween(1e6, 5e8);
        assertThat(Lz4GpuFormat.INSTANCE.isDearForCpu(Direction.ENCODE, best)).isTrue();
        assertThat(Lz4GpuFormat.INSTANCE.isDearForCpu(Direction.DECODE, best)).isFalse();
        assertThat(Lz4GpuFormat.INSTANCE.isDearForCpu(Direction.ENCODE, best.withLevel(1)))
                .isFalse();
    }

    /** Whichever call of a best level's wave fails, lz4-java makes its blocks, and each chunk is counted. */
    @ParameterizedTest
    @CsvSource({
        "UPLOAD, 1",
        "UPLOAD, 2",
        "LAUNCH, 1",
        "LAUNCH, 2",
        "LAUNCH, 40",
        "LAUNCH, 80",
        "DOWNLOAD, 1",
        "DOWNLOAD, 2",
        "WORK, 1",
        "WORK, 2",
        "IS_DONE, 1"
    })
    void anyCallOfABestWaveMayFail(ScriptedDriver.Call call, int n) throws IOException {
        byte[] raw = GpuStreams.text(600_000, TestSeed.value());
        CodecOptions best = KIND.options.withMode(Mode.GPU).withLevel(12).withChunkBytes(256 << 10);
        long before = KIND.encodeFallbacks(FallbackReason.DRIVER_ERROR.word());
        gpu.driver().failNth(call, n, ScriptedDriver.INVALID_VALUE);
        byte[] file = KIND.write(raw, best);
        assertThat(KIND.encodeFallbacks(FallbackReason.DRIVER_ERROR.word()) - before)
                .isBetween(1L, 3L);
        try (InputStream in = new LZ4FrameInputStream(new ByteArrayInputStream(file))) {
            assertThat(in.readAllBytes()).isEqualTo(raw);
        }
        long chunks = KIND.deviceEncodedChunks();
        KIND.write(raw, best);
        assertThat(KIND.deviceEncodedChunks() - chunks).as("the device goes on").isEqualTo(3);
    }

    /** A mebibyte of small blocks has no room in so small a device: lz4-java makes it, and that is counted. */
    @Test
    void whatHasNoRoomIsTheCpus() throws IOException {
        uninstall();
        install(new PoolLimits(16 << 20, 8 << 20, 1 << 20, 0, TimeUnit.SECONDS.toNanos(20)));
        byte[] raw = GpuStreams.text(2 << 20, 3);
        long before = KIND.encodeFallbacks(FallbackReason.OVER_MEMORY.word());
        CodecOptions best = KIND.options.withMode(Mode.GPU).withLevel(12).withChunkBytes(CodecOptions.MAX_CHUNK_BYTES);
        byte[] file = KIND.write(raw, best);
        assertThat(KIND.encodeFallbacks(FallbackReason.OVER_MEMORY.word()) - before)
                .isEqualTo(2);
        assertThat(file).isEqualTo(KIND.write(raw, best.withMode(Mode.CPU)));
    }
}
