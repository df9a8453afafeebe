package io.warpcodec.benchmarks.job;

import com.sun.management.OperatingSystemMXBean;
import io.warpcodec.Engines;
import io.warpcodec.benchmarks.CountedFallbacks;
import io.warpcodec.benchmarks.HadoopStreamCodec;
import io.warpcodec.benchmarks.ResultFile;
import io.warpcodec.benchmarks.StreamCodec;
import io.warpcodec.benchmarks.TpchText;
import io.warpcodec.metrics.Metrics;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * A Spark SQL aggregation over a folder of {@code .gz} or {@code .bz2} text, on all cores of this machine. It finds
 * lines, characters and summed quantity by return flag. The query runs for each contender in turns; the answers must
 * agree. A contender names who wrote the files, who reads them, and our mode: {@code stock:stock},
 * {@code ours:stock}, {@code ours:ours:gpu}. The text is TPC-H lineitem; every file holds the same, written once and
 * copied, by stock as one ordinary stream. Prints wall seconds, processor seconds of the process, tasks' input, and
 * who decoded.
 *
 * <pre>
 * usage: TextAggregation [--format gzip|bzip2] [--folder PATH] [--files N] [--size MB] [--repeat N] [--write-mode gpu] [--rounds R] [--contenders A:B[:MODE],...]
 *                        [--cores N] [--out PATH] [--commit ID]
 * </pre>
 *
 * A file's raw text is {@code size} MB, {@code repeat} times.
 */
public final class TextAggregation {
    private static final String HEADER =
            "files,reader,mode,round,wall_s,cpu_s,raw_gb_s,partitions,gpu_chunks,cpu_chunks,answer";
    private static final String MODE = "io.compression.codec.gpu.mode";
    private static final String FOLDER_OF_OURS = "ours";
    private static final int TASKS_A_CORE = 4;
    /** The fifth and the ninth field of a line, without splitting all of it. */
    private static final String QUANTITY = "substring_index(substring_index(value, '|', 5), '|', -1)";

    private static final String FLAG = "substring_index(substring_index(value, '|', 9), '|', -1)";

    private final Map<String, String> options = new TreeMap<>(Map.of(
            "format", "gzip",
            "folder", "text-aggregation",
            "files", "64",
            "size", "64",
            "repeat", "1",
            "write-mode", "auto",
            "rounds", "2",
            "contenders", "stock:stock,ours:stock,ours:ours:cpu,ours:ours:auto,ours:ours:gpu",
            "cores", Integer.toString(Runtime.getRuntime().availableProcessors()),
            "out", "text-aggregation.csv"));
    private long rawBytes;

    private TextAggregation() {}

    public static void main(String[] arguments) throws Exception {
        Engines.expectLongLife();
        TextAggregation benchmark = new TextAggregation();
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            benchmark.options.put(arguments[i].substring(2), arguments[i + 1]);
        }
        benchmark.run();
    }

    private void run() throws Exception {
        ResultFile results = new ResultFile(options, HEADER);
        byte[] text = lines(number("size") * 1_000_000);
        rawBytes = (long) text.length * number("repeat") * number("files");
        results.note("# raw bytes: " + rawBytes);
        results.note("# stock, compressed bytes: " + write("stock", new HadoopStreamCodec(pair().stock()), text));
        results.note("# ours, compressed bytes: "
                + write(FOLDER_OF_OURS, new HadoopStreamCodec(pair().ours(), MODE, options.get("write-mode")), text));
        CountedFallbacks fallbacks = new CountedFallbacks();
        String answer = null;
        for (int round = 0; round <= number("rounds"); round++) {
            for (String contender : options.get("contenders").split(",")) {
                String line = run(contender.split(":"), round);
                String found = line.substring(line.lastIndexOf(',') + 1);
                if (answer != null && !answer.equals(found)) {
                    throw new IllegalStateException(contender + " answers " + found + ", not " + answer);
                }
                answer = found;
                if (round > 0) { // the first round warms up
                    results.note(line);
                } else {
                    System.out.println(line);
                }
            }
        }
        results.note(fallbacks);
    }

    private TextCodecs pair() {
        return TextCodecs.of(options.get("format"));
    }

    private int number(String option) {
        return Integer.parseInt(options.get(option));
    }

    /** Whole lines of the text, so that it can be repeated. */
    private static byte[] lines(int leastBytes) {
        byte[] text = TpchText.lineitem(leastBytes);
        int limit = text.length;
        while (text[limit - 1] != '\n') {
            limit--;
        }
        return Arrays.copyOf(text, limit);
    }

    /** Writes the files of a folder; their size together. */
    private long write(String folder, StreamCodec codec, byte[] text) throws IOException {
        Path place = Path.of(options.get("folder"), folder);
        Files.createDirectories(place);
        Path first = place.resolve("part-00000" + pair().suffix());
        try (OutputStream file = codec.compress(new BufferedOutputStream(Files.newOutputStream(first), 1 << 20))) {
            for (int turn = 0; turn < number("repeat"); turn++) {
                file.write(text);
            }
        }
        for (int file = 1; file < number("files"); file++) {
            Path copy = place.resolve(String.format(Locale.ROOT, "part-%05d%s", file, pair().suffix()));
            Files.deleteIfExists(copy);
            Files.copy(first, copy);
        }
        return Files.size(first) * number("files");
    }

    private String run(String[] contender, int round) {
        boolean ours = contender[1].equals("ours");
        String mode = contender.length > 2 ? contender[2] : "-";
        SparkSession.Builder builder = SparkSession.builder()
                .master("local[" + options.get("cores") + "]")
                .config("spark.ui.enabled", false)
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.sql.shuffle.partitions", 1)
                .config("spark.sql.files.minPartitionNum", (long) TASKS_A_CORE * number("cores"))
                .config("spark.hadoop.io.compression.codecs", (ours ? pair().ours() : pair().stock()).getName());
        if (ours) {
            builder.config("spark.hadoop." + MODE, mode);
        }
        SparkSession session = builder.getOrCreate();
        session.sparkContext().setLogLevel("ERROR");
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long gpu = Metrics.sum("decode.", "gpu.chunks");
        long cpu = Metrics.sum("decode.", "cpu.chunks");
        try {
            long processor = system.getProcessCpuTime();
            long start = System.nanoTime();
            var lines = session.read()
                    .text(Path.of(options.get("folder"), contender[0]).toString());
            List<String> rows = new ArrayList<>();
            for (Row row : lines.selectExpr(
                            FLAG + " as flag",
                            "length(value) as characters",
                            "cast(" + QUANTITY + " as bigint) as quantity")
                    .groupBy("flag")
                    .agg(functions.count("*"), functions.sum("quantity"), functions.sum("characters"))
                    .orderBy("flag")
                    .collectAsList()) {
                rows.add(row.mkString("/"));
            }
            double wall = (System.nanoTime() - start) / 1e9;
            double processorSeconds = (system.getProcessCpuTime() - processor) / 1e9;
            return String.format(
                    Locale.ROOT,
                    "%s,%s,%s,%d,%.2f,%.1f,%.2f,%d,%d,%d,%s",
                    contender[0],
                    contender[1],
                    mode,
                    round,
                    wall,
                    processorSeconds,
                    rawBytes / wall / 1e9,
                    lines.rdd().getNumPartitions(),
                    Metrics.sum("decode.", "gpu.chunks") - gpu,
                    Metrics.sum("decode.", "cpu.chunks") - cpu,
                    String.join(" ", rows));
        } finally {
            session.stop();
            SparkSession.clearDefaultSession();
            SparkSession.clearActiveSession();
        }
    }
}
