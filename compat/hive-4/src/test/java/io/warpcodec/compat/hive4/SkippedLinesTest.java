package io.warpcodec.compat.hive4;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.FetchOperator;
import org.apache.hadoop.hive.ql.exec.Utilities;
import org.apache.hadoop.hive.ql.io.CombineHiveInputFormat;
import org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat;
import org.apache.hadoop.hive.ql.io.HiveInputFormat;
import org.apache.hadoop.hive.ql.plan.FetchWork;
import org.apache.hadoop.hive.ql.plan.MapWork;
import org.apache.hadoop.hive.ql.plan.PartitionDesc;
import org.apache.hadoop.hive.ql.plan.TableDesc;
import org.apache.hadoop.hive.serde2.objectinspector.InspectableObject;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.StructField;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.TextInputFormat;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tables with {@code skip.header.line.count} and {@code skip.footer.line.count}. Hive's FetchOperator, which a plain
 * SELECT uses, skips the lines in each split of a file; a codec that does not split makes one of each file. Hive
 * keeps an input format with the codecs of the job that came first: so each list of codecs has a class of its own.
 */
class SkippedLinesTest {
    private static final String OURS = "io.warpcodec.hadoop.";
    private static final String UNSPLIT = OURS + "unsplit.";
    private static final List<String> LINES = IntStream.range(
                    0, Integer.getInteger("warpcodec.test.hive.lines", 12_000))
            .mapToObj(line -> "%06d,%x,%x".formatted(line, line * 0x9e3779b97f4aL, line * 31L * 0xc2b2ae3dL))
            .toList();
    private static final int[][] SKIPPED = {{0, 0}, {1, 0}, {3, 0}, {0, 2}, {3, 2}};
    private static final Map<String, String> CODECS = Map.of(
            ".gz", "GpuGzipCodec",
            ".bz2", "GpuBZip2Codec",
            ".lz4", "GpuLz4Codec",
            ".zst", "GpuZstdCodec",
            ".snappy", "GpuSnappyCodec",
            ".deflate", "GpuDeflateCodec");

    @TempDir
    private static Path folder;

    /** The format of tables that our splitting codecs read. */
    public static final class Splitting extends TextInputFormat {}

    /** The format of tables that the codecs without splits read. */
    public static final class Unsplit extends TextInputFormat {}

    /** The format of tables that Hadoop's own codecs read. */
    public static final class Stock extends TextInputFormat {}

    /** What reads a table's lines. */
    private interface Reading {
        List<String> lines(JobConf job, TableDesc table, String path) throws Exception;
    }

    private enum Reader {
        FETCH(SkippedLinesTest::fetch),
        HIVE((job, table, path) -> map(new HiveInputFormat<>(), job, table, path)),
        /** The default of the engine mr. */
        COMBINE((job, table, path) -> {
            job.set("hive.execution.engine", "mr");
            return map(new CombineHiveInputFormat<>(), job, table, path);
        });

        private final Reading reading;

        Reader(Reading reading) {
            this.reading = reading;
        }
    }

    private static boolean splits(String suffix) {
        return !suffix.equals(".snappy") && !suffix.equals(".deflate");
    }

    private static String codecs(Class<? extends TextInputFormat> kind) {
        if (kind == Stock.class) {
            return "org.apache.hadoop.io.compress.GzipCodec,org.apache.hadoop.io.compress.DefaultCodec";
        }
        String all = "";
        for (Map.Entry<String, String> codec : CODECS.entrySet()) {
            all += "," + (kind == Unsplit.class && splits(codec.getKey()) ? UNSPLIT : OURS) + codec.getValue();
        }
        return all.substring(1);
    }

    private static JobConf job(Class<? extends TextInputFormat> kind, long splitBytes) {
        JobConf job = new JobConf(new HiveConf());
        job.set("io.compression.codecs", codecs(kind));
        job.set("io.compression.codec.gpu.mode", "cpu");
        job.set("io.compression.codec.gpu.chunk.size", "8k");
        job.set("bzip2.compress.blocksize", "1");
        job.setLong("fs.local.block.size", splitBytes);
        job.setLong("mapreduce.input.fileinputformat.split.maxsize", splitBytes);
        job.setLong("mapreduce.input.fileinputformat.split.minsize", 1);
        // CombineFileInputFormat asks the configuration that the file system was made with
        job.setBoolean("fs.file.impl.disable.cache", true);
        job.set("hive.execution.engine", "tez");
        return job;
    }

    private static TableDesc table(Class<? extends TextInputFormat> kind, int header, int footer) {
        Properties properties = new Properties();
        properties.setProperty("serialization.lib", "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe");
        properties.setProperty("columns", "line");
        properties.setProperty("columns.types", "string");
        properties.setProperty("field.delim", "\u0001");
        properties.setProperty("serialization.format", "\u0001");
        properties.setProperty("name", "default.t");
        if (header > 0) {
            properties.setProperty("skip.header.line.count", "" + header);
        }
        if (footer > 0) {
            properties.setProperty("skip.footer.line.count", "" + footer);
        }
        return new TableDesc(kind, HiveIgnoreKeyTextOutputFormat.class, properties);
    }

    /** A table's folder with one file of all lines. */
    private static String file(String suffix) throws IOException {
        Path table = folder.resolve(suffix.substring(1));
        if (Files.notExists(table)) {
            Files.createDirectory(table);
            try {
                CompressionCodec codec = (CompressionCodec) Class.forName(OURS + CODECS.get(suffix))
                        .getDeclaredConstructor()
                        .newInstance();
                ((Configurable) codec).setConf(job(Splitting.class, 1 << 20));
                try (OutputStream out = codec.createOutputStream(Files.newOutputStream(table.resolve("f" + suffix)))) {
                    out.write((String.join("\n", LINES) + "\n").getBytes(StandardCharsets.US_ASCII));
                }
            } catch (ReflectiveOperationException impossible) {
                throw new AssertionError(impossible);
            }
        }
        return "file:" + table;
    }

    private static List<String> fetch(JobConf job, TableDesc table, String path) throws Exception {
        FetchOperator operator = new FetchOperator(new FetchWork(new org.apache.hadoop.fs.Path(path), table), job);
        List<String> lines = new ArrayList<>();
        for (InspectableObject row = operator.getNextRow(); row != null; row = operator.getNextRow()) {
            StructObjectInspector inspector = (StructObjectInspector) row.oi;
            StructField column = inspector.getAllStructFieldRefs().get(0);
            Object value = inspector.getStructFieldData(row.o, column);
            lines.add(((PrimitiveObjectInspector) column.getFieldObjectInspector())
                    .getPrimitiveJavaObject(value)
                    .toString());
        }
        operator.clearFetchContext();
        return lines;
    }

    private static List<String> map(HiveInputFormat<?, ?> format, JobConf job, TableDesc table, String path)
            throws Exception {
        FileInputFormat.setInputPaths(job, new org.apache.hadoop.fs.Path(path));
        setWork(job, table, path);
        format.configure(job);
        List<String> lines = new ArrayList<>();
        for (InputSplit split : format.getSplits(job, 50)) {
            setWork(job, table, path);
            lines.addAll(lines(format.getRecordReader(split, job, Reporter.NULL)));
        }
        return lines;
    }

    private static <K, V> List<String> lines(RecordReader<K, V> reader) throws IOException {
        List<String> lines = new ArrayList<>();
        K key = reader.createKey();
        V value = reader.createValue();
        while (reader.next(key, value)) {
            lines.add(value.toString());
        }
        reader.close();
        return lines;
    }

    private static void setWork(JobConf job, TableDesc table, String path) {
        MapWork work = new MapWork();
        org.apache.hadoop.fs.Path input = new org.apache.hadoop.fs.Path(path);
        work.addPathToPartitionInfo(input, new PartitionDesc(table, null));
        work.addPathToAlias(input, "t");
        Utilities.setMapWork(
                job, work, new org.apache.hadoop.fs.Path("file:" + folder.resolve("plan-" + UUID.randomUUID())), true);
    }

    private static List<String> rest(int[] skipped) {
        return LINES.subList(skipped[0], LINES.size() - skipped[1]);
    }

    private static void requireAllRows(
            Reader reader, String suffix, Class<? extends TextInputFormat> kind, long splitBytes, long leastBytes)
            throws Exception {
        for (int[] skipped : SKIPPED) {
            JobConf job = job(kind, splitBytes);
            job.setLong("mapreduce.input.fileinputformat.split.minsize", leastBytes);
            List<String> rows = reader.reading.lines(job, table(kind, skipped[0], skipped[1]), file(suffix));
            assertThat(rows.equals(stock(reader, skipped)))
                    .as("%d rows, header %d, footer %d, splits of %d", rows.size(), skipped[0], skipped[1], splitBytes)
                    .isTrue();
        }
    }

    /** What this reader makes of the same lines in a {@code .gz} with Hadoop's codec, which never splits it. */
    private static List<String> stock(Reader reader, int[] skipped) throws Exception {
        return reader.reading.lines(job(Stock.class, 20_000), table(Stock.class, skipped[0], skipped[1]), file(".gz"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Reader.class,
            names = {"FETCH", "HIVE"})
    void stockLosesNoRow(Reader reader) throws Exception {
        for (int[] skipped : SKIPPED) {
            assertThat(stock(reader, skipped)).isEqualTo(rest(skipped));
        }
    }

    static Stream<Arguments> readersAndSuffixes() {
        return Stream.of(Reader.values())
                .flatMap(reader -> CODECS.keySet().stream().map(suffix -> Arguments.of(reader, suffix)));
    }

    @ParameterizedTest
    @MethodSource("readersAndSuffixes")
    void codecsWithoutSplitsLoseNoRow(Reader reader, String suffix) throws Exception {
        for (long splitBytes : new long[] {1000, 20_000, 77_777, 1 << 20}) {
            requireAllRows(reader, suffix, Unsplit.class, splitBytes, 1);
        }
    }

    @ParameterizedTest
    @MethodSource("readersAndSuffixes")
    void splittingCodecsLoseNoRowWhereSplitsAreAsLargeAsFiles(Reader reader, String suffix) throws Exception {
        requireAllRows(reader, suffix, Splitting.class, 20_000, Long.MAX_VALUE);
    }

    /** What docs/user/hive.md warns of; when Hive does it rightly, the warning can go. */
    @ParameterizedTest
    @MethodSource("readersAndSuffixes")
    void onlyTheFetchOperatorSkipsLinesInEverySplit(Reader reader, String suffix) throws Exception {
        JobConf job = job(Splitting.class, 20_000);
        int rows = reader.reading
                .lines(job, table(Splitting.class, 1, 0), file(suffix))
                .size();
        int stockRows = stock(reader, new int[] {1, 0}).size();
        if (reader == Reader.FETCH && splits(suffix)) {
            assertThat(rows).isLessThan(stockRows);
        } else {
            assertThat(rows).isEqualTo(stockRows);
        }
        assertThat(reader.reading.lines(job(Splitting.class, 20_000), table(Splitting.class, 0, 0), file(suffix)))
                .isEqualTo(LINES);
    }
}
