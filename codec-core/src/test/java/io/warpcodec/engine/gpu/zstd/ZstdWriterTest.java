package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStream;
import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Mode;
import io.warpcodec.TestSeed;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** On scripted devices. */
class ZstdWriterTest extends ZstdWriterContract {
    private ScriptedGpu gpu;

    @BeforeEach
    void install() {
        install(ScriptedGpu.smallLimits());
    }

    private void install(PoolLimits limits) {
        gpu = new ScriptedGpu(new CpuEngine(), 2, limits).started();
        Engines.installAccelerator(gpu.engine());
    }

    @Override
    int waveBytes() {
        return 1 << 20;
    }

    @Override
    @Test
    void framesAsLongAsWavesAreWritten() throws IOException {
        uninstall();
        install(new PoolLimits(200 << 20, 24 << 20, waveBytes(), 0, TimeUnit.SECONDS.toNanos(20)));
        super.framesAsLongAsWavesAreWritten();
    }

    /** All calls with {@code -Dwarpcodec.test.sizes=all}, else every third. */
    static Stream<Arguments> calls() {
        List<Arguments> all = List.of(
                Arguments.of(ScriptedDriver.Call.UPLOAD, 1),
                Arguments.of(ScriptedDriver.Call.UPLOAD, 2),
                Arguments.of(ScriptedDriver.Call.LAUNCH, 1),
                Arguments.of(ScriptedDriver.Call.LAUNCH, 2),
                Arguments.of(ScriptedDriver.Call.LAUNCH, 60),
                Arguments.of(ScriptedDriver.Call.LAUNCH, 100),
                Arguments.of(ScriptedDriver.Call.LAUNCH, 121),
                Arguments.of(ScriptedDriver.Call.LAUNCH, 124),
                Arguments.of(ScriptedDriver.Call.DOWNLOAD, 1),
                Arguments.of(ScriptedDriver.Call.DOWNLOAD, 2),
                Arguments.of(ScriptedDriver.Call.WORK, 1),
                Arguments.of(ScriptedDriver.Call.WORK, 2),
                Arguments.of(ScriptedDriver.Call.IS_DONE, 1));
        int step = System.getProperty("warpcodec.test.sizes", "").equals("all") ? 1 : 3;
        return IntStream.range(0, all.size()).filter(row -> row % step == 0).mapToObj(all::get);
    }

    /** Whichever call of a strong level's wave fails, libzstd makes its frames, and each is counted. */
    @ParameterizedTest
    @MethodSource("calls")
    void anyCallOfAStrongWaveMayFail(ScriptedDriver.Call call, int n) throws IOException {
        byte[] raw = GpuStreams.text(600_000, TestSeed.value());
        CodecOptions strong =
                CodecOptions.DEFAULTS.withMode(Mode.GPU).withLevel(12).withChunkBytes(256 << 10);
        String fallback = "fallback.encode.zstd." + FallbackReason.DRIVER_ERROR.word();
        long before = Metrics.counter(fallback).sum();
        gpu.driver().failNth(call, n, ScriptedDriver.INVALID_VALUE);
        byte[] file = GpuStreams.ZSTD.write(raw, strong);
        assertThat(Metrics.counter(fallback).sum() - before).isBetween(1L, 3L);
        try (InputStream in = new ZstdInputStream(new ByteArrayInputStream(file))) {
            assertThat(in.readAllBytes()).isEqualTo(raw);
        }
        long chunks = GpuStreams.ZSTD.deviceEncodedChunks();
        GpuStreams.ZSTD.write(raw, strong);
        assertThat(GpuStreams.ZSTD.deviceEncodedChunks() - chunks)
                .as("the device goes on")
                .isEqualTo(3);
    }

    /** Frames of 8 MiB have no room in so small a device: libzstd makes them, and each is counted. */
    @Test
    void whatHasNoRoomIsTheCpus() throws IOException {
        byte[] raw = GpuStreams.text(10_000_000, 3);
        String fallback = "fallback.encode.zstd." + FallbackReason.OVER_MEMORY.word();
        long before = Metrics.counter(fallback).sum();
        byte[] file = GpuStreams.ZSTD.write(
                raw, CodecOptions.DEFAULTS.withMode(Mode.GPU).withLevel(10));
        assertThat(Metrics.counter(fallback).sum() - before).isEqualTo(2);
        assertThat(Zstd.decompress(Arrays.copyOf(file, (int) Zstd.findFrameCompressedSize(file)), 8 << 20))
                .isEqualTo(Arrays.copyOf(raw, 8 << 20));
    }

    @AfterEach
    void uninstall() {
        Engines.installAccelerator(null);
        gpu.awaitNothingLent();
        gpu.close();
    }
}
