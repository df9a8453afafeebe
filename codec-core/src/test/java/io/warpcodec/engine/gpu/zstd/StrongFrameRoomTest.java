package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.StreamRig;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Frames of the strong level have room with the {@code memory.max} that docs/user/performance.md names. */
class StrongFrameRoomTest {
    @AfterEach
    void noDevice() {
        Engines.installAccelerator(null);
    }

    @ParameterizedTest
    @CsvSource({"64, 1, false", "80, 1, true", "760, 8, false", "780, 8, true"})
    void frameHasRoom(int memoryMebi, int frameMebi, boolean hasRoom) throws IOException {
        PoolLimits limits =
                new PoolLimits((long) memoryMebi << 20, 200 << 20, 8 << 20, 100_000, TimeUnit.SECONDS.toNanos(20));
        int frameBytes = frameMebi << 20;
        byte[] raw = new byte[frameBytes];
        Arrays.fill(raw, frameBytes / 2, frameBytes, (byte) 'w');
        CodecOptions strong = CodecOptions.DEFAULTS.withMode(Mode.GPU).withLevel(19);
        if (frameMebi < 8) {
            strong = strong.withChunkBytes(frameBytes);
        }
        try (ScriptedGpu gpu = new ScriptedGpu(new CpuEngine(), 1, limits).started()) {
            Engines.installAccelerator(gpu.engine());
            long chunks = count("encode.zstd.gpu.chunks");
            long refusals = count("fallback.encode.zstd." + FallbackReason.OVER_MEMORY.word());
            byte[] file = new StreamRig(Format.ZSTD, strong).write(raw);
            assertThat(new StreamRig(Format.ZSTD, CodecOptions.DEFAULTS.withMode(Mode.CPU)).read(file))
                    .isEqualTo(raw);
            assertThat(count("encode.zstd.gpu.chunks") - chunks)
                    .as("frames of %d bytes with %d MiB", frameBytes, memoryMebi)
                    .isEqualTo(hasRoom ? 1 : 0);
            assertThat(count("fallback.encode.zstd." + FallbackReason.OVER_MEMORY.word()) - refusals)
                    .isEqualTo(hasRoom ? 0 : 1);
            gpu.awaitNothingLent();
        }
    }

    private static long count(String counter) {
        return Metrics.counter(counter).sum();
    }
}
