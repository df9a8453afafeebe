package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.ChunkedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gzip files whose members devices make: the JDK, our CPU engine and the command line tools read them. */
abstract class GzipWriterContract {
    private static final CodecOptions OPTIONS = CodecOptions.DEFAULTS.withMode(Mode.GPU);

    private static byte[] write(byte[] raw, CodecOptions options) throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (ChunkedOutputStream out = new ChunkedOutputStream(sink, Format.GZIP, options)) {
            out.write(raw);
        }
        return sink.toByteArray();
    }

    private static void requireReadable(String what, byte[] file, byte[] raw) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(file))) {
            requireEqual(what, in.readAllBytes(), raw);
        }
        try (ChunkedInputStream in =
                new ChunkedInputStream(new ByteArrayInputStream(file), Format.GZIP, OPTIONS.withMode(Mode.CPU))) {
            requireEqual(what, in.readAllBytes(), raw);
        }
    }

    private static void requireEqual(String what, byte[] found, byte[] expected) {
        assertThat(Arrays.equals(found, expected)).as(what).isTrue();
    }

    private static long encodedChunks() {
        return Metrics.counter("encode.gzip.gpu.chunks").sum();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 6, 9})
    void everySizeIsWrittenAndDevicesDoIt(int level) throws IOException {
        for (int size : new int[] {1, 2, 13, 100, 65_535, 65_536, 65_537, 262_144, 300_000, 3_000_000}) {
            byte[] raw = GpuStreams.text(size, size);
            long before = encodedChunks();
            byte[] file = write(raw, OPTIONS.withLevel(level).withChunkBytes(256 << 10));
            assertThat(encodedChunks()).as("chunks of %d bytes", size).isGreaterThan(before);
            requireReadable("level " + level + ", " + size + " bytes", file, raw);
        }
    }

    @Test
    void noiseAndMixturesAreWritten() throws IOException {
        byte[] noise = new byte[1_000_000];
        new Random(9).nextBytes(noise);
        byte[] file = write(noise, OPTIONS);
        requireReadable("noise", file, noise);
        assertThat(file.length).isLessThan(noise.length + 1000);
        for (int seed = 0; seed < 5; seed++) {
            byte[] raw = GpuStreams.mixture(3_000_000, seed);
            requireReadable("mixture " + seed, write(raw, OPTIONS.withChunkBytes(1 << 20)), raw);
        }
    }

    @Test
    void levelZeroIsTheCpus() throws IOException {
        byte[] raw = GpuStreams.text(500_000, 3);
        long before = Metrics.counter("fallback.encode.gzip.level").sum();
        long chunks = encodedChunks();
        byte[] file = write(raw, OPTIONS.withLevel(0));
        requireEqual("level 0", file, write(raw, OPTIONS.withMode(Mode.CPU).withLevel(0)));
        assertThat(Metrics.counter("fallback.encode.gzip.level").sum()).isGreaterThan(before);
        assertThat(encodedChunks()).isEqualTo(chunks);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip -dc", "pigz -dc", "igzip -dc", "libdeflate-gunzip -c"})
    void toolsReadIt(String tool, @TempDir Path folder) throws Exception {
        List<String> command = List.of(tool.split(" "));
        assumeTrue(isInstalled(command.get(0)), tool);
        byte[] raw = GpuStreams.mixture(2_500_000, 17);
        Path file = Files.write(folder.resolve("written.gz"), write(raw, OPTIONS));
        Process process = new ProcessBuilder(command.get(0), command.get(1), file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        byte[] read = process.getInputStream().readAllBytes();
        assertThat(process.waitFor()).isZero();
        requireEqual(tool, read, raw);
    }

    private static boolean isInstalled(String tool) {
        return Arrays.stream(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
    }
}
