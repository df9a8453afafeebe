package io.warpcodec.engine.gpu.deflate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.ChunkedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Gzip files whose members devices make, and zlib streams whose pieces they make: the JDK, our CPU engine and the
 * command line tools read them.
 */
abstract class DeflateWriterContract {
    private static final CodecOptions OPTIONS = CodecOptions.DEFAULTS.withMode(Mode.GPU);

    private static byte[] write(Format format, byte[] raw, CodecOptions options) throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (ChunkedOutputStream out = new ChunkedOutputStream(sink, format, options)) {
            out.write(raw);
        }
        return sink.toByteArray();
    }

    private static void requireReadable(String what, Format format, byte[] file, byte[] raw) throws IOException {
        ByteArrayInputStream bytes = new ByteArrayInputStream(file);
        try (InputStream in = format == Format.GZIP ? new GZIPInputStream(bytes) : new InflaterInputStream(bytes)) {
            requireEqual(what, in.readAllBytes(), raw);
        }
        try (ChunkedInputStream in =
                new ChunkedInputStream(new ByteArrayInputStream(file), format, OPTIONS.withMode(Mode.CPU))) {
            requireEqual(what, in.readAllBytes(), raw);
        }
    }

    private static void requireEqual(String what, byte[] found, byte[] expected) {
        assertThat(Arrays.equals(found, expected)).as(what).isTrue();
    }

    private static long encodedChunks(Format format) {
        return Metrics.counter("encode." + format.word() + ".gpu.chunks").sum();
    }

    @ParameterizedTest
    @CsvSource({"GZIP,1", "GZIP,2", "GZIP,6", "GZIP,8", "GZIP,9", "ZLIB,1", "ZLIB,6", "ZLIB,8", "ZLIB,9"})
    void everySizeIsWrittenAndDevicesDoIt(Format format, int level) throws IOException {
        for (int size : new int[] {1, 2, 13, 100, 65_535, 65_536, 65_537, 262_144, 300_000, 3_000_000}) {
            byte[] raw = GpuStreams.text(size, size);
            long before = encodedChunks(format);
            byte[] file = write(format, raw, OPTIONS.withLevel(level).withChunkBytes(256 << 10));
            assertThat(encodedChunks(format)).as("chunks of %d bytes", size).isGreaterThan(before);
            requireReadable(format + ", level " + level + ", " + size + " bytes", format, file, raw);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Format.class,
            names = {"GZIP", "ZLIB"})
    void noiseAndMixturesAreWritten(Format format) throws IOException {
        byte[] noise = new byte[1_000_000];
        new Random(9).nextBytes(noise);
        byte[] file = write(format, noise, OPTIONS);
        requireReadable("noise", format, file, noise);
        assertThat(file.length).isLessThan(noise.length + 1000);
        for (int seed = 0; seed < 5; seed++) {
            byte[] raw = GpuStreams.mixture(3_000_000, seed);
            for (int chunkBytes : new int[] {1 << 20, 100_003, 4096}) {
                byte[] written = write(format, raw, OPTIONS.withChunkBytes(chunkBytes));
                requireReadable("mixture " + seed + ", " + chunkBytes, format, written, raw);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {20_480, 24_000, 1 << 18})
    void chunksOfAZlibStreamReachIntoTheOnesBefore(int chunkBytes) throws IOException {
        byte[] noise = new byte[20_000];
        new Random(10).nextBytes(noise);
        byte[] raw = new byte[700_000];
        for (int at = 0; at < raw.length; at += noise.length) {
            System.arraycopy(noise, 0, raw, at, noise.length);
        }
        byte[] file = write(Format.ZLIB, raw, OPTIONS.withChunkBytes(chunkBytes));
        requireReadable("repeated noise", Format.ZLIB, file, raw);
        assertThat(file.length).isLessThan(2 * noise.length);
    }

    @ParameterizedTest
    @EnumSource(
            value = Format.class,
            names = {"GZIP", "ZLIB"})
    void whatDevicesWroteHoldsWhenItIsVerified(Format format) throws IOException {
        byte[] raw = GpuStreams.mixture(1_500_000, 4);
        String verify = "verify." + format.word() + ".";
        long chunks = Metrics.counter(verify + "chunks").sum();
        long mismatches = Metrics.counter(verify + "mismatches").sum();
        byte[] file = write(format, raw, OPTIONS.withChunkBytes(100_000).withVerifyWrites(1));
        requireReadable("verified", format, file, raw);
        assertThat(Metrics.counter(verify + "chunks").sum() - chunks).isEqualTo(15);
        assertThat(Metrics.counter(verify + "mismatches").sum()).isEqualTo(mismatches);
    }

    @ParameterizedTest
    @EnumSource(
            value = Format.class,
            names = {"GZIP", "ZLIB"})
    void levelZeroIsTheCpus(Format format) throws IOException {
        byte[] raw = GpuStreams.text(500_000, 3);
        String fallback = "fallback.encode." + format.word() + ".level";
        long before = Metrics.counter(fallback).sum();
        long chunks = encodedChunks(format);
        byte[] file = write(format, raw, OPTIONS.withLevel(0));
        requireEqual(
                "level 0", file, write(format, raw, OPTIONS.withMode(Mode.CPU).withLevel(0)));
        assertThat(Metrics.counter(fallback).sum()).isGreaterThan(before);
        assertThat(encodedChunks(format)).isEqualTo(chunks);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip -dc", "pigz -dc", "igzip -dc", "libdeflate-gunzip -c"})
    void toolsReadIt(String tool, @TempDir Path folder) throws Exception {
        List<String> command = List.of(tool.split(" "));
        assumeTrue(isInstalled(command.get(0)), tool);
        byte[] raw = GpuStreams.mixture(2_500_000, 17);
        Path file = Files.write(folder.resolve("written.gz"), write(Format.GZIP, raw, OPTIONS));
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
