package io.warpcodec.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.hadoop.GpuBZip2Codec;
import io.warpcodec.hadoop.GpuDeflateCodec;
import io.warpcodec.hadoop.GpuGzipCodec;
import io.warpcodec.hadoop.GpuLz4Codec;
import io.warpcodec.hadoop.GpuSnappyCodec;
import io.warpcodec.hadoop.GpuZstdCodec;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.gzipindex.GzipIndexer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Lz4Codec;
import org.apache.hadoop.io.compress.SplittableCompressionCodec;
import org.apache.hadoop.util.VersionInfo;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Files of our Hadoop codecs, written by {@code df.write} and read by {@code spark.read}, cut into splits of many
 * sizes.
 */
class HadoopFilesTest {
    private static final int LINES = 4000;
    private static final int CHUNK_BYTES = 4 << 10;
    private static final int[] SPLIT_BYTES = {6007, 1 << 27};

    @TempDir
    private static Path scratch;

    private static SparkSession session;
    private static List<String> lines;

    /** A suffix and the codec that a user names for it. */
    enum FileCodec {
        GZ(GpuGzipCodec.class),
        BZ2(GpuBZip2Codec.class),
        LZ4(GpuLz4Codec.class),
        ZST(GpuZstdCodec.class),
        DEFLATE(GpuDeflateCodec.class),
        SNAPPY(GpuSnappyCodec.class);

        private final Class<? extends CompressionCodec> type;

        FileCodec(Class<? extends CompressionCodec> type) {
            this.type = type;
        }

        private String suffix() {
            return "." + name().toLowerCase(Locale.ROOT);
        }

        private boolean splits() {
            return SplittableCompressionCodec.class.isAssignableFrom(type);
        }
    }

    @BeforeAll
    static void start() {
        String codecs = Arrays.stream(FileCodec.values())
                .map(codec -> codec.type.getName())
                .collect(Collectors.joining(","));
        session = SparkSession.builder()
                .config(LocalSpark.conf(scratch)
                        .set("spark.hadoop.io.compression.codecs", codecs)
                        .set("spark.hadoop.io.compression.codec.gpu.chunk.size", Integer.toString(CHUNK_BYTES))
                        .set("spark.sql.files.openCostInBytes", "0")
                        .set("spark.sql.files.minPartitionNum", "1"))
                .getOrCreate();
        Random random = new Random(3);
        lines = IntStream.range(0, LINES)
                .mapToObj(i -> "%06d,".formatted(i) + "abcdefgh".repeat(random.nextInt(6)) + random.nextInt())
                .toList();
    }

    @AfterAll
    static void stop() {
        session.stop();
    }

    /** Another team's Spark, without our codec: it must not see an empty table. */
    @Test
    void lz4FramesOfOursFailInSparkWithoutOurCodec() {
        String folder = scratch.resolve("frames").toString();
        session.createDataset(lines, Encoders.STRING())
                .write()
                .option("compression", GpuLz4Codec.class.getName())
                .text(folder);
        assertThat(session.read().text(folder).count()).isEqualTo(LINES);
        for (String format : List.of("text", "csv", "json")) {
            assertThatThrownBy(() -> session.read()
                            .format(format)
                            .option("io.compression.codecs", Lz4Codec.class.getName())
                            .load(folder)
                            .count())
                    .as(format)
                    .isInstanceOf(Exception.class)
                    .hasStackTraceContaining("ArrayIndexOutOfBoundsException");
        }
    }

    @ParameterizedTest
    @EnumSource
    void textLinesEndedByLineFeedComeBackOnceAtEverySplitSize(FileCodec codec) throws IOException {
        assertTextComesBack(codec, "\n", null);
    }

    @ParameterizedTest
    @EnumSource
    void textLinesEndedByCarriageReturnComeBackOnceAtEverySplitSize(FileCodec codec) throws IOException {
        assertTextComesBack(codec, "\r", null);
    }

    @ParameterizedTest
    @EnumSource
    void textLinesEndedByBothComeBackOnceAtEverySplitSize(FileCodec codec) throws IOException {
        assertTextComesBack(codec, "\r\n", null);
    }

    @ParameterizedTest
    @EnumSource
    void textLinesEndedByACustomDelimiterComeBackOnceAtEverySplitSize(FileCodec codec) throws IOException {
        assertTextComesBack(codec, "||", "||");
    }

    @ParameterizedTest
    @EnumSource
    void csvAndJsonComeBackAtEverySplitSize(FileCodec codec) throws IOException {
        Dataset<Row> rows = session.createDataset(lines, Encoders.STRING())
                .selectExpr("substring(value, 1, 6) AS id", "substring(value, 8) AS text")
                .coalesce(1);
        Path csv = scratch.resolve("csv" + codec.suffix());
        rows.write().option("compression", codec.type.getName()).csv(csv.toString());
        assertOneFile(csv, ".csv" + codec.suffix());
        Path json = scratch.resolve("json" + codec.suffix());
        rows.write().option("compression", codec.type.getName()).json(json.toString());
        assertOneFile(json, ".json" + codec.suffix());
        for (int splitBytes : SPLIT_BYTES) {
            splitAt(splitBytes);
            assertThat(joined(session.read().csv(csv.toString()).toDF("id", "text")))
                    .isEqualTo(lines);
            assertThat(joined(session.read().schema("id STRING, text STRING").json(json.toString())))
                    .isEqualTo(lines);
        }
    }

    /**
     * An ordinary file of one gzip stream: without its index one partition has all lines, with it all of them have
     * some.
     */
    @Test
    void anOrdinaryGzipFileIsSplitByTheIndexBesideIt() throws IOException {
        Path folder = Files.createDirectory(scratch.resolve("ordinary"));
        Path file = folder.resolve("lines.gz");
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file), 512, true)) {
            for (String line : lines) {
                out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
                if (line.charAt(5) == '0') {
                    out.flush();
                }
            }
        }
        splitAt(SPLIT_BYTES[0]);
        long used = Metrics.counter("decode.gzip.sidecar.used").sum();
        assertThat(partitionsWithLines(folder)).isEqualTo(1);
        Files.write(
                folder.resolve(GzipIndex.nameFor("lines.gz")),
                GzipIndexer.index(() -> Files.newInputStream(file), 1000));
        int partitions = (int) ((Files.size(file) + SPLIT_BYTES[0] - 1) / SPLIT_BYTES[0]);
        assertThat(partitions).isGreaterThan(3);
        assertThat(partitionsWithLines(folder)).isEqualTo(partitions);
        assertThat(Metrics.counter("decode.gzip.sidecar.used").sum() - used).isPositive();
        List<String> got =
                session.read().text(folder.toString()).as(Encoders.STRING()).collectAsList();
        assertLines(got, "\n", SPLIT_BYTES[0]);
    }

    private static long partitionsWithLines(Path folder) {
        return session.read()
                .text(folder.toString())
                .selectExpr("spark_partition_id() AS partition")
                .distinct()
                .count();
    }

    private static void assertTextComesBack(FileCodec codec, String written, String read) throws IOException {
        Path folder = scratch.resolve("text-" + Math.abs(written.hashCode()) + codec.suffix());
        session.createDataset(lines, Encoders.STRING())
                .coalesce(1)
                .write()
                .option("compression", codec.type.getName())
                .option("lineSep", written)
                .text(folder.toString());
        assertOneFile(folder, ".txt" + codec.suffix());
        for (int splitBytes : SPLIT_BYTES) {
            splitAt(splitBytes);
            Dataset<Row> rows = read == null
                    ? session.read().text(folder.toString())
                    : session.read().option("lineSep", read).text(folder.toString());
            List<String> got = rows.as(Encoders.STRING()).collectAsList();
            assertLines(got, written, splitBytes);
            if (splitBytes < 1 << 27) {
                assertThat(rows.javaRDD().getNumPartitions() > 1)
                        .as("partitions at %d bytes", splitBytes)
                        .isEqualTo(codec.splits());
            }
        }
    }

    /**
     * Each line once. Hadoop before 3.3.6 repeats records at the seams of any splittable codec, also its own, unless
     * they end in a line feed (HADOOP-18321, HADOOP-18400); Spark 3.5 brings 3.3.4, and there no line may be lost.
     */
    private static void assertLines(List<String> got, String ending, int splitBytes) {
        boolean hostRepeats = VersionInfo.getVersion().equals("3.3.4") && !ending.endsWith("\n");
        Stream<String> once = hostRepeats ? got.stream().distinct() : got.stream();
        assertThat(once.sorted().toList()).as("splits of %d bytes", splitBytes).isEqualTo(lines);
    }

    private static void splitAt(int bytes) {
        session.sql("SET spark.sql.files.maxPartitionBytes=" + bytes);
    }

    private static List<String> joined(Dataset<Row> rows) {
        return rows.collectAsList().stream()
                .map(row -> row.getString(0) + "," + row.getString(1))
                .sorted()
                .toList();
    }

    private static void assertOneFile(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("part-")))
                    .singleElement()
                    .satisfies(file -> assertThat(file.toString()).endsWith(ending));
        }
    }
}
