package io.warpcodec.compat.hive;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Format;
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
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Hive text tables of our codecs. Spark SQL runs the statements of docs/user/hive.md with Hive's own classes for
 * tables: its metastore, which is an embedded Derby database here, its text serde, {@code TextInputFormat} and
 * {@code HiveIgnoreKeyTextOutputFormat}.
 */
class HiveTableTest {
    private static final int ROWS = 20_000;
    private static final int CHUNK_BYTES = 32 << 10;
    private static final int SPLIT_BYTES = 256 << 10;
    private static final long SEED = 14;

    @TempDir
    private static Path scratch;

    private static SparkSession session;
    private static List<String> lines;

    /** The codec that a user names, by the format that it writes. */
    enum TableCodec {
        GZIP(GpuGzipCodec.class),
        ZLIB(GpuDeflateCodec.class),
        BZIP2(GpuBZip2Codec.class),
        LZ4(GpuLz4Codec.class),
        SNAPPY(GpuSnappyCodec.class),
        ZSTD(GpuZstdCodec.class);

        private final Class<? extends CompressionCodec> type;

        TableCodec(Class<? extends CompressionCodec> type) {
            this.type = type;
        }

        private Format format() {
            return Format.valueOf(name());
        }
    }

    @BeforeAll
    static void start() {
        String codecs = Arrays.stream(TableCodec.values())
                .map(codec -> codec.type.getName())
                .collect(Collectors.joining(","));
        System.setProperty(
                "derby.stream.error.file", scratch.resolve("derby.log").toString());
        session = SparkSession.builder()
                .master("local[2]")
                .appName("hive tables")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.local.dir", scratch.toString())
                .config("spark.sql.warehouse.dir", scratch.resolve("warehouse").toString())
                .config("spark.sql.shuffle.partitions", "2")
                .config(
                        "spark.hadoop.javax.jdo.option.ConnectionURL",
                        "jdbc:derby:" + scratch.resolve("metastore") + ";create=true")
                .config(
                        "spark.hadoop.hive.exec.scratchdir",
                        scratch.resolve("hive").toString())
                .config("spark.hadoop.fs.local.block.size", Integer.toString(SPLIT_BYTES))
                .config("spark.hadoop.io.compression.codecs", codecs)
                .config("spark.hadoop.io.compression.codec.gpu.chunk.size", Integer.toString(CHUNK_BYTES))
                .enableHiveSupport()
                .getOrCreate();
        Random random = new Random(SEED);
        lines = IntStream.range(0, ROWS)
                .mapToObj(i -> "%06d\t".formatted(i) + "abcdefgh".repeat(random.nextInt(6)) + random.nextInt())
                .toList();
    }

    @AfterAll
    static void stop() {
        session.stop();
    }

    @ParameterizedTest
    @EnumSource
    void rowsInsertedWithOurCodecAreReadFromTheTable(TableCodec codec) throws IOException {
        String table = "logs_" + codec.name().toLowerCase(Locale.ROOT);
        createPlainTable("staging_" + table);
        session.sql("SET hive.exec.compress.output=true");
        session.sql("SET mapreduce.output.fileoutputformat.compress.codec=" + codec.type.getName());
        create(table, null);
        String word = codec.format().word();
        long encoded = Metrics.sum("encode." + word + ".", ".bytesIn");
        session.sql("INSERT OVERWRITE TABLE " + table + " SELECT * FROM staging_" + table);
        session.sql("INSERT INTO " + table + " SELECT id + " + ROWS + ", text FROM staging_" + table);
        assertThat(Metrics.sum("encode." + word + ".", ".bytesIn") - encoded).isGreaterThanOrEqualTo(2 * rawBytes());
        List<Path> files = dataFiles(scratch.resolve("warehouse").resolve(table));
        assertThat(files)
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(file ->
                        assertThat(file.toString()).endsWith(codec.format().suffix()));

        long decoded = Metrics.sum("decode." + word + ".", ".bytesOut");
        assertThat(rows(table + " WHERE id < " + ROWS)).isEqualTo(lines);
        assertThat(Metrics.sum("decode." + word + ".", ".bytesOut") - decoded).isGreaterThanOrEqualTo(2 * rawBytes());
        assertThat(session.sql("SELECT count(*), count(DISTINCT id), sum(id) FROM " + table)
                        .head()
                        .mkString(","))
                .isEqualTo("%d,%d,%d".formatted(2 * ROWS, 2 * ROWS, (long) ROWS * (2 * ROWS - 1)));
    }

    /** An ordinary file of one gzip stream: with the index beside it every task of the scan has rows. */
    @Test
    void aTableOverAnOrdinaryGzipFileIsSplitByTheIndexBesideIt() throws IOException {
        Path folder = Files.createDirectory(scratch.resolve("ordinary"));
        Path file = folder.resolve("lines.gz");
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            for (int i = 0; i < 10; i++) {
                out.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.US_ASCII));
            }
        }
        create("ordinary", folder);
        assertThat(tasksWithRows("ordinary")).isEqualTo(1);
        Files.write(
                folder.resolve(GzipIndex.nameFor("lines.gz")),
                GzipIndexer.index(() -> Files.newInputStream(file), 64 << 10));
        long used = Metrics.counter("decode.gzip.sidecar.used").sum();
        assertThat(tasksWithRows("ordinary")).isGreaterThan(3);
        assertThat(Metrics.counter("decode.gzip.sidecar.used").sum() - used).isPositive();
        assertThat(rows("ordinary"))
                .isEqualTo(lines.stream()
                        .flatMap(line -> Stream.generate(() -> line).limit(10))
                        .toList());
    }

    private static void createPlainTable(String table) throws IOException {
        Path folder = Files.createDirectory(scratch.resolve(table));
        Files.write(folder.resolve("lines.txt"), lines);
        create(table, folder);
    }

    private static void create(String table, Path folder) {
        session.sql("CREATE TABLE " + table
                + " (id BIGINT, text STRING) ROW FORMAT DELIMITED FIELDS TERMINATED BY '\\t' STORED AS TEXTFILE"
                + (folder == null ? "" : " LOCATION '" + folder.toUri() + "'"));
    }

    private static List<String> rows(String from) {
        return session.sql("SELECT id, text FROM " + from).collectAsList().stream()
                .map(row -> "%06d\t%s".formatted(row.getLong(0), row.getString(1)))
                .sorted()
                .toList();
    }

    private static long tasksWithRows(String table) {
        return session.sql("SELECT DISTINCT spark_partition_id() FROM " + table).count();
    }

    private static long rawBytes() {
        return lines.stream().mapToLong(line -> line.length() - 5).sum();
    }

    private static List<Path> dataFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("part-"))
                    .toList();
        }
    }
}
