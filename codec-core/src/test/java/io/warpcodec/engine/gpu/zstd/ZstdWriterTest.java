package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Mode;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
