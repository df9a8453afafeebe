package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.luben.zstd.ZstdInputStream;
import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.TestSeed;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.StreamRig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import net.jpountz.lz4.LZ4FrameInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Foreign readers of whole files that devices write at the strong levels, with the chunks that these have. */
abstract class StrongFilesContract {
    /** Two frames of 8 MiB and a short one. */
    static final int RAW_BYTES = (16 << 20) + 300_001;

    /** Readies devices for this format's chunks. */
    abstract void ready(Format format);

    private byte[] write(Format format, int level, byte[] raw) throws IOException {
        ready(format);
        CodecOptions strong = CodecOptions.DEFAULTS.withMode(Mode.GPU).withLevel(level);
        long before = encodedChunks(format);
        byte[] file = new StreamRig(format, strong).write(raw);
        int chunkBytes = strong.chunkBytes(format);
        int chunks = (raw.length + chunkBytes - 1) / chunkBytes;
        assertThat(encodedChunks(format) - before)
                .as("chunks of devices, all but noise")
                .isBetween(chunks - chunks / 4L, (long) chunks);
        return file;
    }

    static long encodedChunks(Format format) {
        return Metrics.counter("encode." + format.word() + ".gpu.chunks").sum();
    }

    static void requireReadable(String reader, InputStream opened, byte[] raw) throws IOException {
        try (InputStream in = opened) {
            assertThat(Arrays.equals(in.readAllBytes(), raw))
                    .as("read by %s, seed %d", reader, TestSeed.value())
                    .isTrue();
        }
    }

    static ByteArrayInputStream in(byte[] file) {
        return new ByteArrayInputStream(file);
    }

    @ParameterizedTest
    @CsvSource({"zstd -dc, ZSTD, 19", "gzip -dc, GZIP, 9", "pigz -dc, GZIP, 9", "igzip -dc, GZIP, 9", "lz4 -dc, LZ4, 12"
    })
    void toolsReadIt(String tool, Format format, int level, @TempDir Path folder) throws Exception {
        String[] words = tool.split(" ");
        assumeTrue(isInstalled(words[0]), words[0]);
        byte[] raw = GpuStreams.mixture(RAW_BYTES, TestSeed.value());
        Path file = Files.write(folder.resolve("strong" + format.suffix()), write(format, level, raw));
        Process process = new ProcessBuilder(words[0], words[1], file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        requireReadable(tool, process.getInputStream(), raw);
        assertThat(process.waitFor()).isZero();
    }

    private static boolean isInstalled(String tool) {
        return Arrays.stream(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
    }

    /** A long run of zeros at the end, behind which a reader must not stop. */
    private static List<byte[]> samples() {
        byte[] text = GpuStreams.text(RAW_BYTES, TestSeed.value());
        return List.of(Arrays.copyOf(text, RAW_BYTES + 100_000), GpuStreams.mixture(RAW_BYTES, TestSeed.value() + 1));
    }

    @Test
    void librariesReadZstd() throws IOException {
        for (byte[] raw : samples()) {
            byte[] file = write(Format.ZSTD, 19, raw);
            requireReadable("zstd-jni", new ZstdInputStream(in(file)), raw);
            requireReadable("aircompressor", new io.airlift.compress.zstd.ZstdInputStream(in(file)), raw);
            requireReadable("our CPU engine", in(onCpu(Format.ZSTD).read(file)), raw);
        }
    }

    @Test
    void librariesReadDeflate() throws IOException {
        for (byte[] raw : samples()) {
            byte[] gzip = write(Format.GZIP, 9, raw);
            requireReadable("the JDK", new GZIPInputStream(in(gzip)), raw);
            requireReadable("Commons Compress", new GzipCompressorInputStream(in(gzip), true), raw);
            requireReadable("our CPU engine", in(onCpu(Format.GZIP).read(gzip)), raw);
            requireReadable("the JDK", new InflaterInputStream(in(write(Format.ZLIB, 9, raw))), raw);
        }
    }

    @Test
    void librariesReadLz4() throws IOException {
        for (byte[] raw : samples()) {
            byte[] file = write(Format.LZ4, 12, raw);
            requireReadable("lz4-java", new LZ4FrameInputStream(in(file)), raw);
            requireReadable("Commons Compress", new FramedLZ4CompressorInputStream(in(file), true), raw);
            requireReadable("our CPU engine", in(onCpu(Format.LZ4).read(file)), raw);
        }
    }

    static StreamRig onCpu(Format format) {
        return new StreamRig(format, CodecOptions.DEFAULTS.withMode(Mode.CPU));
    }
}
