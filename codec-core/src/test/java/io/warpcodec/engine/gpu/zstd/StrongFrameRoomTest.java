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
    @CsvSource({"60, 1, false", "64, 1, true", "760, 8, false", "780, 8, true"})
    void frameHasRoom(int memoryMebi, int frameMebi, boolean hasRoom) throws IOException {
        PoolLimits limits =
                new PoolLimits((long) memoryMebi << 20, 200 << 20, 8 << 20, 0, TimeUnit.SECONDS.toNanos(20));
        int frameBytes = frameMebi << 20;
        byte[] raw = new byte[frameBytes];
        Arrays.fill(raw, frameBytes / 2, frameBytes, (byte) 'w');
        CodecOptions strong = CodecOptions.DEFAULTS.withMode(Mode.GPU).withLevel(19);
        if (frameMebi < 8) {
            strong = strong.withChunkBytes(frameBytes);
        }
        try (ScriptedGpu gpu = new ScriptedGpu(new CpuEngine(), 1, limits).started()) {
            Engines.installAccelerator(gpu.engine());
            long chunks = GpuStreams.ZSTD.deviceEncodedChunks();
            long refusals = GpuStreams.ZSTD.encodeFallbacks(FallbackReason.OVER_MEMORY.word());
            byte[] file = GpuStreams.ZSTD.write(raw, strong);
            assertThat(Zstd.decompress(file, frameBytes)).isEqualTo(raw);
            assertThat(GpuStreams.ZSTD.deviceEncodedChunks() - chunks)
                    .as("frames of %d bytes with %d MiB", frameBytes, memoryMebi)
                    .isEqualTo(hasRoom ? 1 : 0);
            assertThat(GpuStreams.ZSTD.encodeFallbacks(FallbackReason.OVER_MEMORY.word()) - refusals)
                    .isEqualTo(hasRoom ? 0 : 1);
            gpu.awaitNothingLent();
        }
    }
}
