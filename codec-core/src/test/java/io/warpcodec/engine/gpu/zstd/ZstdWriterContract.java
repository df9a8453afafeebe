package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.TestSeed;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files whose frames devices make, checksums too: libzstd, aircompressor, our CPU engine and devices read them. */
abstract class ZstdWriterContract {
    private static final GpuStreams KIND = GpuStreams.ZSTD;

    private static CodecOptions options(int level, int chunkBytes) {
        return KIND.options.withMode(Mode.GPU).withLevel(level).withChunkBytes(chunkBytes);
    }

    private static InputStream ours(byte[] file, Mode mode) {
        return new ChunkedInputStream(new ByteArrayInputStream(file), Format.ZSTD, KIND.options.withMode(mode));
    }

    private static void requireReadable(String what, byte[] file, byte[] raw) throws IOException {
        InputStream[] readers = {
            new ZstdInputStream(new ByteArrayInputStream(file)),
            new io.airlift.compress.zstd.ZstdInputStream(new ByteArrayInputStream(file)),
            ours(file, Mode.CPU),
            ours(file, Mode.GPU)
        };
        for (InputStream in : readers) {
            try (in) {
                assertThat(Arrays.equals(in.readAllBytes(), raw))
                        .as("%s, read by %s", what, in.getClass())
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 10, 22})
    void everySizeIsWrittenAndDevicesDoIt(int level) throws IOException {
        for (int size : new int[] {1, 2, 13, 255, 256, 65_535, 65_536, 65_537, 262_144, 300_000, 3_000_000}) {
            byte[] raw = GpuStreams.text(size, size);
            long before = KIND.deviceEncodedChunks();
            byte[] file = KIND.write(raw, options(level, 256 << 10));
            assertThat(KIND.deviceEncodedChunks() - before)
                    .as("chunks of %d bytes", size)
                    .isEqualTo((size + (256 << 10) - 1) / (256 << 10));
            requireReadable("level " + level + ", " + size + " bytes", file, raw);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-5, 1, 3, 4, 19})
    void noiseAndMixturesAreWritten(int level) throws IOException {
        byte[] noise = new byte[1_000_000];
        new Random(TestSeed.value()).nextBytes(noise);
        byte[] file = KIND.write(noise, options(level, 256 << 10));
        requireReadable("noise", file, noise);
        int headers = 4 * (9 + 4) + (noise.length / (64 << 10) + 1) * 3;
        assertThat(file.length).isLessThanOrEqualTo(noise.length + headers);
        for (int chunkBytes : new int[] {1 << 20, 100_003, 4096}) {
            byte[] raw = GpuStreams.mixture(3_000_000, TestSeed.value() + chunkBytes);
            String what = "seed " + TestSeed.value() + ", " + chunkBytes;
            requireReadable(what, KIND.write(raw, options(level, chunkBytes)), raw);
        }
    }

    /** Bytes of the devices' waves, which is a chunk that they can be asked for, or the strong levels' default. */
    abstract int waveBytes();

    /** At a strong level frames are as long as waves; of noise they are longer. */
    @Test
    void framesAsLongAsWavesAreWritten() throws IOException {
        byte[] raw = GpuStreams.text(waveBytes() * 5 / 2, TestSeed.value());
        byte[] noise = new byte[waveBytes()];
        new Random(TestSeed.value()).nextBytes(noise);
        System.arraycopy(noise, 0, raw, waveBytes(), noise.length);
        CodecOptions strong = KIND.options.withMode(Mode.GPU).withLevel(19);
        if (strong.chunkBytes(Format.ZSTD) != waveBytes()) {
            strong = strong.withChunkBytes(waveBytes());
        }
        long before = KIND.deviceEncodedChunks();
        byte[] file = KIND.write(raw, strong);
        assertThat(KIND.deviceEncodedChunks() - before).isEqualTo(3);
        requireReadable("frames as long as waves, seed " + TestSeed.value(), file, raw);
    }

    @Test
    void whatDevicesWroteHoldsWhenItIsVerified() throws IOException {
        byte[] raw = GpuStreams.mixture(1_500_000, TestSeed.value());
        long chunks = Metrics.counter("verify.zstd.chunks").sum();
        long mismatches = Metrics.counter("verify.zstd.mismatches").sum();
        byte[] file = KIND.write(raw, options(3, 100_000).withVerifyWrites(1));
        requireReadable("verified", file, raw);
        assertThat(Metrics.counter("verify.zstd.chunks").sum() - chunks).isEqualTo(15);
        assertThat(Metrics.counter("verify.zstd.mismatches").sum()).isEqualTo(mismatches);
    }
}
