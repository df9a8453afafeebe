package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.TestSeed;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.forge.ZstdBlockForge;
import io.warpcodec.forge.ZstdForge;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Offsets in a long frame that lead beyond its window, and not before its begin. libzstd reads them in one call. In
 * pieces it keeps the window and two blocks, and has other bytes behind them.
 */
class ZstdFarOffsetsTest {
    private static final PoolLimits LIMITS =
            new PoolLimits(400 << 20, 100 << 20, 8 << 20, 0, TimeUnit.MINUTES.toNanos(5));

    private static final int WINDOW_LOG = 17;
    private static final int WINDOW_BYTES = 1 << WINDOW_LOG;
    private static final int RAW_BLOCK_BYTES = 100_000;
    /** Where the match comes: half of the noise is in front of it, the other half behind. */
    private static final int NOISE_BYTES = 20 * RAW_BLOCK_BYTES;

    private static final int FIRST_LITERALS = 4;
    private static final int MATCH_BYTES = 5;

    private ScriptedGpu gpu;

    @BeforeEach
    void install() {
        gpu = new ScriptedGpu(new CpuEngine(), 1, LIMITS).started();
        Engines.installAccelerator(gpu.engine());
    }

    @AfterEach
    void uninstall() {
        gpu.awaitNothingLent();
        gpu.close();
    }

    private static byte[] checksum(byte[] raw) {
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            byte[] frame = context.setLevel(1).setChecksum(true).compress(raw);
            return Arrays.copyOfRange(frame, frame.length - 4, frame.length);
        }
    }

    private static byte[] content(byte[] noise, int distance) {
        byte[] match = ZstdBlockForge.CONTENT.clone();
        int at = NOISE_BYTES / 2 + FIRST_LITERALS;
        System.arraycopy(noise, at - distance, match, FIRST_LITERALS, MATCH_BYTES);
        byte[] raw = new byte[noise.length + match.length];
        System.arraycopy(noise, 0, raw, 0, NOISE_BYTES / 2);
        System.arraycopy(match, 0, raw, NOISE_BYTES / 2, match.length);
        System.arraycopy(noise, NOISE_BYTES / 2, raw, NOISE_BYTES / 2 + match.length, NOISE_BYTES / 2);
        return raw;
    }

    private static byte[] frame(byte[] noise, int distance, byte[] raw) {
        ZstdForge frame = new ZstdForge().magic().u8(4).u8(WINDOW_LOG - 10 << 3);
        for (int at = 0; at < NOISE_BYTES; at += RAW_BLOCK_BYTES) {
            if (at == NOISE_BYTES / 2) {
                frame.put(new ZstdBlockForge()
                        .sequences(ZstdBlockForge.sequenceFrom(distance))
                        .block(false));
            }
            frame.rawBlock(Arrays.copyOfRange(noise, at, at + RAW_BLOCK_BYTES), at + RAW_BLOCK_BYTES == NOISE_BYTES);
        }
        return frame.put(checksum(raw)).toArray();
    }

    /** The bytes, or null where the file is refused. */
    private static byte[] readOrRefused(byte[] file, Mode mode) {
        CodecOptions options = CodecOptions.DEFAULTS.withMode(mode);
        try (InputStream in = new ChunkedInputStream(new ByteArrayInputStream(file), Format.ZSTD, options)) {
            return in.readAllBytes();
        } catch (IOException refused) {
            return null;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {WINDOW_BYTES, WINDOW_BYTES + 1, 2 * WINDOW_BYTES, 4 * WINDOW_BYTES, NOISE_BYTES / 2})
    void anOffsetBeyondTheWindowIsReadRightOrRefused(int distance) {
        byte[] noise = new byte[NOISE_BYTES];
        new Random(TestSeed.value()).nextBytes(noise);
        byte[] raw = content(noise, distance);
        byte[] file = frame(noise, distance, raw);
        assertThat(Arrays.equals(Zstd.decompress(file, raw.length), raw))
                .as("libzstd in one call")
                .isTrue();
        for (Mode mode : new Mode[] {Mode.CPU, Mode.GPU}) {
            byte[] mine = readOrRefused(file, mode);
            assertThat(mine == null ? distance > WINDOW_BYTES : Arrays.equals(mine, raw))
                    .as("%s", mode)
                    .isTrue();
        }
    }
}
