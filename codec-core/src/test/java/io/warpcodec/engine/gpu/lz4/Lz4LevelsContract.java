package io.warpcodec.engine.gpu.lz4;

import static org.assertj.core.api.Assertions.assertThat;

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
import net.jpountz.lz4.LZ4BlockInputStream;
import net.jpountz.lz4.LZ4FrameInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of LZ4 whose blocks devices make, at their levels in all framings: lz4-java and our CPU engine read them. */
abstract class Lz4LevelsContract {
    static CodecOptions options(GpuStreams kind, int level, int chunkBytes) {
        return kind.options.withMode(Mode.GPU).withLevel(level).withChunkBytes(chunkBytes);
    }

    private static void requireReadable(String what, GpuStreams kind, byte[] file, byte[] raw) throws IOException {
        requireEqual(what, new ChunkedInputStream(in(file), Format.LZ4, kind.options.withMode(Mode.CPU)), raw);
        requireEqual(what, new ChunkedInputStream(in(file), Format.LZ4, kind.options.withMode(Mode.GPU)), raw);
        if (kind == GpuStreams.LZ4_FRAME) {
            requireEqual(what + ", lz4-java", new LZ4FrameInputStream(in(file)), raw);
        } else if (kind == GpuStreams.LZ4_BLOCK) {
            requireEqual(what + ", lz4-java", new LZ4BlockInputStream(in(file)), raw);
        }
    }

    private static ByteArrayInputStream in(byte[] file) {
        return new ByteArrayInputStream(file);
    }

    private static void requireEqual(String what, InputStream opened, byte[] raw) throws IOException {
        try (InputStream in = opened) {
            assertThat(Arrays.equals(in.readAllBytes(), raw)).as(what).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "LZ4_FRAME, 1",
        "LZ4_FRAME, 9",
        "LZ4_FRAME, 12",
        "LZ4_HADOOP, 2",
        "LZ4_HADOOP, 9",
        "LZ4_HADOOP, 12",
        "LZ4_BLOCK, 1",
        "LZ4_BLOCK, 9",
        "LZ4_BLOCK, 12"
    })
    void everySizeIsWrittenAndDevicesDoIt(GpuStreams kind, int level) throws IOException {
        for (int size : new int[] {1, 2, 12, 13, 255, 65_535, 65_536, 65_537, 262_144, 300_000, 3_000_000}) {
            byte[] raw = GpuStreams.text(size, size);
            long before = kind.deviceEncodedChunks();
            byte[] file = kind.write(raw, options(kind, level, 256 << 10));
            assertThat(kind.deviceEncodedChunks() - before)
                    .as("chunks of %d bytes", size)
                    .isEqualTo((size + (256 << 10) - 1) / (256 << 10));
            requireReadable(kind + ", level " + level + ", " + size + " bytes", kind, file, raw);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = GpuStreams.class,
            names = {"LZ4_FRAME", "LZ4_HADOOP", "LZ4_BLOCK"})
    void noiseAndMixturesAreWritten(GpuStreams kind) throws IOException {
        byte[] noise = new byte[1_000_000];
        new Random(TestSeed.value()).nextBytes(noise);
        byte[] file = kind.write(noise, options(kind, 9, 256 << 10));
        requireReadable("noise", kind, file, noise);
        assertThat(file.length).isLessThan(noise.length + noise.length / 200);
        for (int chunkBytes : new int[] {1 << 20, 100_003, 4096}) {
            byte[] raw = GpuStreams.mixture(3_000_000, TestSeed.value() + chunkBytes);
            String what = kind + ", seed " + TestSeed.value() + ", " + chunkBytes;
            requireReadable(what, kind, kind.write(raw, options(kind, 9, chunkBytes)), raw);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 6, 8})
    void levelsBetweenAreTheCpusAndThatIsCounted(int level) throws IOException {
        for (GpuStreams kind : new GpuStreams[] {GpuStreams.LZ4_FRAME, GpuStreams.LZ4_HADOOP, GpuStreams.LZ4_BLOCK}) {
            byte[] raw = GpuStreams.text(300_000, level);
            long before = kind.encodeFallbacks("level");
            long chunks = kind.deviceEncodedChunks();
            CodecOptions writing = options(kind, level, 64 << 10);
            assertThat(kind.write(raw, writing)).isEqualTo(kind.write(raw, writing.withMode(Mode.CPU)));
            assertThat(kind.encodeFallbacks("level")).isGreaterThan(before);
            assertThat(kind.deviceEncodedChunks()).isEqualTo(chunks);
        }
    }

    @Test
    void whatDevicesWroteHoldsWhenItIsVerified() throws IOException {
        GpuStreams kind = GpuStreams.LZ4_FRAME;
        byte[] raw = GpuStreams.mixture(1_500_000, TestSeed.value());
        long chunks = Metrics.counter("verify.lz4.chunks").sum();
        long mismatches = Metrics.counter("verify.lz4.mismatches").sum();
        byte[] file = kind.write(raw, options(kind, 12, 100_000).withVerifyWrites(1));
        requireReadable("verified", kind, file, raw);
        assertThat(Metrics.counter("verify.lz4.chunks").sum() - chunks).isEqualTo(15);
        assertThat(Metrics.counter("verify.lz4.mismatches").sum()).isEqualTo(mismatches);
    }
}
