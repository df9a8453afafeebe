package io.warpcodec.benchmarks.job;

import com.sun.management.OperatingSystemMXBean;
import io.warpcodec.Engines;
import io.warpcodec.benchmarks.ResultFile;
import io.warpcodec.metrics.Metrics;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A Spark SQL job whose time is its shuffle, on all cores of this machine. Rows of text-like columns are
 * repartitioned by a hash, sorted within partitions and summed. The job runs with each codec of
 * {@code spark.io.compression.codec} in turns; the answers must agree. Prints wall seconds, processor seconds of the
 * process, and the shuffle's bytes.
 *
 * <pre>usage: ShuffleJob [--rows N] [--partitions P] [--rounds R] [--codecs NAME[:MODE],...] [--cores N] [--out PATH] [--commit ID]</pre>
 */
public final class ShuffleJob {
    private static final String HEADER = "codec,mode,round,wall_s,cpu_s,shuffle_bytes,gpu_chunks,cpu_chunks,answer";
    private static final String OURS = "io.warpcodec.spark.Gpu";

    private ShuffleJob() {}

    public static void main(String[] arguments) throws Exception {
        Engines.expectLongLife();
        Map<String, String> options = new TreeMap<>(Map.of(
                "rows", "30000000",
                "partitions", "64",
                "rounds", "2",
                "codecs",
                        "lz4,zstd,snappy," + OURS + "Lz4CompressionCodec:auto," + OURS + "Lz4CompressionCodec:gpu,"
                                + OURS + "Lz4CompressionCodec:cpu," + OURS + "ZstdCompressionCodec:auto,"
                                + OURS + "SnappyCompressionCodec:auto," + OURS + "SnappyCompressionCodec:gpu",
                "cores", Integer.toString(Runtime.getRuntime().availableProcessors()),
                "out", "spark-shuffle.csv"));
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            options.put(arguments[i].substring(2), arguments[i + 1]);
        }
        ResultFile results = new ResultFile(options, HEADER);
        String answer = null;
        for (int round = 0; round <= Integer.parseInt(options.get("rounds")); round++) {
            for (String codec : options.get("codecs").split(",")) {
                String line;
                try {
                    line = run(codec, round, options);
                } catch (Exception failed) { // a mode that this machine, or this format, has not
                    String why = failed.getMessage() == null ? failed.toString() : failed.getMessage();
                    results.note("# not measured: " + codec + ", round " + round + ": "
                            + why.lines().findFirst().orElse(""));
                    continue;
                }
                String found = line.substring(line.lastIndexOf(',') + 1);
                if (answer != null && !answer.equals(found)) {
                    throw new IllegalStateException(codec + " answers " + found + ", not " + answer);
                }
                answer = found;
                if (round > 0) { // the first round warms up
                    results.note(line);
                } else {
                    System.out.println(line);
                }
            }
        }
    }

    private static String run(String codecAndMode, int round, Map<String, String> options) {
        String codec = codecAndMode.split(":")[0];
        String mode = codecAndMode.contains(":") ? codecAndMode.split(":")[1] : "-";
        SparkSession.Builder builder = SparkSession.builder()
                .master("local[" + options.get("cores") + "]")
                .config("spark.ui.enabled", false)
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.sql.adaptive.enabled", false)
                .config("spark.sql.shuffle.partitions", 64)
                .config("spark.io.compression.codec", codec);
        if (!mode.equals("-")) {
            builder.config("spark.io.compression.gpu.mode", mode);
        }
        SparkSession session = builder.getOrCreate();
        session.sparkContext().setLogLevel("ERROR");
        ShuffleBytes shuffle = new ShuffleBytes();
        session.sparkContext().addSparkListener(shuffle);
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long gpu = Metrics.sum("", "gpu.chunks");
        long cpu = Metrics.sum("", "cpu.chunks");
        long processor = system.getProcessCpuTime();
        long start = System.nanoTime();
        double wall;
        double processorSeconds;
        Row answer;
        try {
            Dataset<Row> rows = session.range(0, Long.parseLong(options.get("rows")), 1, 64)
                    .selectExpr(
                            "id",
                            "concat('customer#', lpad(cast(id % 150000 as string), 9, '0'), ' ', "
                                    + "date_add(date'1992-01-01', cast(id % 2526 as int)), ' ', "
                                    + "repeat(cast(id % 7 as string), 12)) as text",
                            "cast(id * 2654435761 % 100000 as double) / 100 as price");
            answer = rows.repartition(Integer.parseInt(options.get("partitions")), rows.col("id"))
                    .sortWithinPartitions("price", "id")
                    .selectExpr("sum(length(text))", "sum(cast(price * 100 as bigint))", "sum(crc32(text))")
                    .first();
            wall = (System.nanoTime() - start) / 1e9;
            processorSeconds = (system.getProcessCpuTime() - processor) / 1e9;
        } finally {
            session.stop(); // also delivers what the listener has not heard yet
            SparkSession.clearDefaultSession();
            SparkSession.clearActiveSession();
        }
        return String.format(
                Locale.ROOT,
                "%s,%s,%d,%.2f,%.1f,%d,%d,%d,%s",
                codec.substring(codec.lastIndexOf('.') + 1),
                mode,
                round,
                wall,
                processorSeconds,
                shuffle.written,
                Metrics.sum("", "gpu.chunks") - gpu,
                Metrics.sum("", "cpu.chunks") - cpu,
                answer.toString().replace(',', ' '));
    }

    /** Compressed bytes that the shuffle wrote. The listener bus calls from one thread. */
    private static final class ShuffleBytes extends SparkListener {
        private volatile long written;

        @Override
        public void onTaskEnd(SparkListenerTaskEnd task) {
            written += task.taskMetrics().shuffleWriteMetrics().bytesWritten();
        }
    }
}
