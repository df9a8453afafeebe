package io.warpcodec.benchmarks.job;

import io.warpcodec.CodecOptions;
import io.warpcodec.Mode;
import io.warpcodec.benchmarks.HadoopStreamCodec;
import io.warpcodec.benchmarks.LibraryStreamCodec;
import io.warpcodec.benchmarks.StreamCodec;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.hadoop.GpuGzipCodec;
import io.warpcodec.stream.gzipindex.GzipIndexer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.io.compress.Lz4Codec;
import org.apache.hadoop.io.compress.SnappyCodec;

/**
 * The file that {@link TaskProcesses} has its tasks read, by the word that names it:
 *
 * <ul>
 *   <li>{@code gzip}: one member by the JDK's zlib
 *   <li>{@code ours}: a {@code .gz} that GpuGzipCodec has written
 *   <li>{@code indexed}: as {@code gzip}, with an index beside it; every task reads a split of the file
 *   <li>{@code lz4}: frames by lz4-java
 *   <li>{@code lz4-hadoop}, {@code snappy}: by Hadoop's codecs
 * </ul>
 */
record TaskFile(String format, Path path) {
    private static final long POINT_BYTES = 4 << 20;

    /** In a folder, under the name that Hadoop's codecs go by. */
    static TaskFile in(Path folder, String format) {
        String suffix = switch (format) {
            case "gzip", "ours", "indexed" -> ".gz";
            case "lz4", "lz4-hadoop" -> ".lz4";
            case "snappy" -> ".snappy";
            default -> throw new IllegalArgumentException("no file of " + format);
        };
        return new TaskFile(format, folder.resolve("task" + suffix));
    }

    private StreamCodec writer() {
        return switch (format) {
            case "ours" -> new HadoopStreamCodec(GpuGzipCodec.class);
            case "lz4" -> LibraryStreamCodec.LZ4_FRAME;
            case "lz4-hadoop" -> new HadoopStreamCodec(Lz4Codec.class);
            case "snappy" -> new HadoopStreamCodec(SnappyCodec.class);
            default -> LibraryStreamCodec.JDK_GZIP;
        };
    }

    /** Whether every task reads its part of the file. */
    boolean isSplit() {
        return format.equals("indexed");
    }

    /** Whether a variant reads it: Hadoop's codec reads no splits of a {@code .gz}. */
    boolean isFor(String variant) {
        return !isSplit() || !variant.equals("stock");
    }

    /** Writes it, and its index; returns the raw bytes. */
    long write(long leastBytes) throws IOException {
        long rawBytes;
        try (OutputStream out = new BufferedOutputStream(writer().compress(Files.newOutputStream(path)), 64 << 10)) {
            rawBytes = writeRows(out, leastBytes);
        }
        if (isSplit()) {
            byte[] index = GzipIndexer.index(
                    () -> Files.newInputStream(path),
                    POINT_BYTES,
                    CodecOptions.DEFAULTS.withMode(Mode.CPU),
                    Runtime.getRuntime().availableProcessors());
            Files.write(sideCar(), index);
        }
        return rawBytes;
    }

    void delete() throws IOException {
        Files.deleteIfExists(path);
        Files.deleteIfExists(sideCar());
    }

    private Path sideCar() {
        return path.resolveSibling(GzipIndex.nameFor(path.getFileName().toString()));
    }

    /** Rows of numbers, dates and words; DEFLATE makes a third of them. */
    private static long writeRows(OutputStream out, long leastBytes) throws IOException {
        Random random = new Random(1);
        String[] words =
                "carefully final deposits sleep quickly furiously regular ideas haggle express packages above the even pinto beans"
                        .split(" ");
        long written = 0;
        for (long row = 0; written < leastBytes; row++) {
            StringBuilder line = new StringBuilder(160);
            line.append(row / 4).append('|').append(random.nextInt(200_000)).append('|');
            line.append(random.nextInt(10_000)).append('|').append(row % 4).append('|');
            line.append(random.nextInt(50))
                    .append('|')
                    .append(random.nextInt(10_000_000) / 100.0)
                    .append('|');
            line.append("0.0").append(random.nextInt(9)).append("|N|O|199").append(random.nextInt(9));
            line.append('-').append(10 + random.nextInt(3)).append('-').append(10 + random.nextInt(20));
            line.append("|DELIVER IN PERSON|TRUCK|");
            for (int word = 0; word < 5; word++) {
                line.append(words[random.nextInt(words.length)]).append(' ');
            }
            byte[] bytes = line.append('\n').toString().getBytes(StandardCharsets.US_ASCII);
            out.write(bytes);
            written += bytes.length;
        }
        return written;
    }
}
