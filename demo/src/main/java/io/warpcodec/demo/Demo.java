package io.warpcodec.demo;

import io.warpcodec.Format;
import io.warpcodec.metrics.Metrics;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;

/** The script of {@code warpcodec demo}, for one call. */
final class Demo {

    private static final Path TEXT = new Path("/text");

    /** Files per splittable format: as many as the threads that write them. */
    private static final int FILE_COUNT = 2;

    /** Splits a job gets, about. Each is a container, which costs more processor time than the text in it. */
    private static final int SPLIT_TARGET = 4;

    private final long sizeBytes;
    private final Set<Format> formats;
    private final String mode;
    private final Consumer<String> progress;
    private final DemoTable table;

    private MiniCluster cluster;
    private LineitemFiles files;
    private java.nio.file.Path scratch;
    private String expected;
    private long plainBytes;

    /**
     * Prepares a run.
     *
     * @param sizeBytes about how much text to generate
     * @param formats which rows to make
     * @param mode {@code auto}, {@code gpu} or {@code cpu}
     * @param out where the table goes, line by line
     * @param progress told what is going on, in a few words
     */
    Demo(long sizeBytes, Set<Format> formats, String mode, Consumer<String> out, Consumer<String> progress) {
        this.sizeBytes = sizeBytes;
        this.formats = formats;
        this.mode = mode;
        this.progress = progress;
        this.table = new DemoTable(out);
    }

    /** Runs everything; true when every job gave the same answer as the same job on plain text. */
    boolean run() throws Exception {
        try (ScratchFolder folder = new ScratchFolder("warpcodec-demo-")) {
            scratch = folder.path();
            progress.accept("starting HDFS and YARN");
            try (MiniCluster started = new MiniCluster(scratch, codecSettings())) {
                cluster = started;
                files = new LineitemFiles(cluster.fileSystem());
                boolean same = runPlain();
                for (DemoFormat format : DemoFormat.values()) {
                    if (formats.contains(Format.ofFileName(format.suffix()))) {
                        same &= format.splittable() ? runJobs(format) : runPass(format);
                    }
                }
                return same;
            }
        }
    }

    private Configuration codecSettings() {
        Configuration conf = new Configuration();
        conf.set(
                "io.compression.codecs",
                Stream.of(DemoFormat.values()).map(DemoFormat::codec).collect(Collectors.joining(",")));
        conf.set("io.compression.codec.gpu.mode", mode);
        return conf;
    }

    /**
     * Generates the text and fixes the answer: a job on plain text that disagrees with the generator's own count is a
     * failure too.
     */
    private boolean runPlain() throws Exception {
        progress.accept("generating lineitem");
        Timed<LineitemSummary> generated = timed(() -> files.generate(TEXT, sizeBytes, FILE_COUNT));
        expected = generated.value().toString();
        plainBytes = files.sizeBytes(TEXT);
        progress.accept("plain text: MapReduce");
        LineitemMapReduce.Result mapReduce =
                LineitemMapReduce.run(jobSettings(plainBytes), TEXT, new Path("/answer/text"), null);
        progress.accept("plain text: Spark");
        LineitemSpark.Result spark;
        try (LineitemSpark session = spark(null)) {
            spark = session.summarise(TEXT.toString(), splitBytes(plainBytes));
        }
        Timed<LineitemSummary> read = timed(() -> files.read(TEXT, null, cluster.settings()));
        boolean same = mapReduce.answer().equals(expected)
                && spark.answer().equals(expected)
                && read.value().toString().equals(expected);
        table.header();
        table.row(new DemoTable.Row(
                "(text)",
                "-",
                plainBytes,
                1,
                mapReduce.splits(),
                generated.value().rows(),
                generated.seconds(),
                read.seconds(),
                null,
                same));
        return same;
    }

    private boolean runJobs(DemoFormat format) throws Exception {
        String suffix = format.suffix();
        Path data = new Path("/data" + suffix);
        double writeSeconds;
        long bytes;
        LineitemSpark.Result spark;
        try (LineitemSpark session = spark(format.shuffleCodec())) {
            writeSeconds = write(session, format, data, Map.of(), FILE_COUNT);
            bytes = files.sizeBytes(data);
            if (!format.stockSettings().isEmpty()) {
                write(session, format, stockData(format), format.stockSettings(), FILE_COUNT);
            }
            progress.accept(suffix + ": Spark reads");
            spark = session.summarise(data.toString(), splitBytes(bytes));
        }
        progress.accept(suffix + ": MapReduce reads");
        LineitemMapReduce.Result mapReduce =
                LineitemMapReduce.run(jobSettings(bytes), data, new Path("/answer" + suffix), format);
        boolean same = spark.answer().equals(expected) && mapReduce.answer().equals(expected);
        return finishRow(format, data, mapReduce.splits(), writeSeconds, same);
    }

    private boolean runPass(DemoFormat format) throws Exception {
        Path data = new Path("/data" + format.suffix());
        double writeSeconds;
        try (LineitemSpark session = spark(null)) {
            writeSeconds = write(session, format, data, Map.of(), 1);
        }
        return finishRow(format, data, 1, writeSeconds, true);
    }

    private double write(
            LineitemSpark session, DemoFormat format, Path data, Map<String, String> settings, int fileCount)
            throws Exception {
        progress.accept(format.suffix() + ": Spark writes");
        return timed(() -> {
                    session.write(TEXT.toString(), data.toString(), format.codec(), settings, fileCount);
                    return null;
                })
                .seconds();
    }

    /**
     * Reads the files once without a job, with our class and with the stock one, prints the row and deletes the files.
     */
    private boolean finishRow(DemoFormat format, Path data, int splits, double writeSeconds, boolean jobsAgree)
            throws Exception {
        progress.accept(format.suffix() + ": one pass");
        long bytes = files.sizeBytes(data);
        Timed<LineitemSummary> ours = timed(() -> files.read(data, format.codec(), cluster.settings()));
        boolean same = jobsAgree && ours.value().toString().equals(expected);
        Double stockSeconds = null;
        if (format.stockCodec() != null) {
            progress.accept(format.suffix() + ": stock codec");
            Timed<LineitemSummary> stock =
                    timed(() -> files.read(stockData(format), format.stockCodec(), cluster.settings()));
            stockSeconds = stock.seconds();
            same &= stock.value().toString().equals(expected);
        }
        table.row(new DemoTable.Row(
                format.suffix(),
                enginesOf(format),
                bytes,
                (double) plainBytes / bytes,
                splits,
                ours.value().rows(),
                writeSeconds,
                ours.seconds(),
                stockSeconds,
                same));
        cluster.fileSystem().delete(data, true);
        cluster.fileSystem().delete(stockData(format), true);
        return same;
    }

    /** Where the stock codec finds the rows in a framing that it can read. */
    private static Path stockData(DemoFormat format) {
        return new Path((format.stockSettings().isEmpty() ? "/data" : "/stock") + format.suffix());
    }

    private LineitemSpark spark(String shuffleCodec) {
        return new LineitemSpark(cluster.settings(), scratch, shuffleCodec, mode);
    }

    private Configuration jobSettings(long inputBytes) {
        Configuration conf = cluster.settings();
        conf.setLong(FileInputFormat.SPLIT_MAXSIZE, splitBytes(inputBytes));
        return conf;
    }

    private static long splitBytes(long inputBytes) {
        return Math.max(1, inputBytes / SPLIT_TARGET);
    }

    /** Which engines have decoded chunks of a format in this process, joined by a plus sign. */
    private static String enginesOf(DemoFormat format) {
        String prefix = "decode." + Format.ofFileName(format.suffix()).word() + ".";
        return Stream.of("gpu", "cpu")
                .filter(engine -> Metrics.sum(prefix + engine + ".", "chunks") > 0)
                .collect(Collectors.joining("+"));
    }

    private record Timed<T>(T value, double seconds) {}

    private static <T> Timed<T> timed(Callable<T> work) throws Exception {
        long start = System.nanoTime();
        T value = work.call();
        return new Timed<>(value, (System.nanoTime() - start) / 1e9);
    }
}
