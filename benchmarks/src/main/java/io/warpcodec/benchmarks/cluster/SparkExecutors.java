package io.warpcodec.benchmarks.cluster;

import io.warpcodec.Settings;
import io.warpcodec.benchmarks.job.TextCodecs;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** A Spark application of this process whose executors are processes of their own. */
final class SparkExecutors implements AutoCloseable {
    private static final String HADOOP = "spark.hadoop.";

    private final SparkSession session;
    private final int cores;

    private SparkExecutors(SparkSession session, int cores) {
        this.session = session;
        this.cores = cores;
    }

    /**
     * Starts executors and waits until each has worked.
     *
     * @param hostsOption an option for every Java process
     */
    static SparkExecutors start(
            JobOptions options, Contender contender, TextCodecs codecs, String nodeFolder, String hostsOption) {
        int executors = options.number("executors");
        int cores = options.number("cores");
        String memory = options.text("memory-mb");
        SparkSession.Builder builder = SparkSession.builder()
                .appName(contender.word())
                .master("local-cluster[" + executors + "," + cores + "," + memory + "]")
                .config("spark.executor.memory", memory + "m")
                .config("spark.executor.extraClassPath", System.getProperty("java.class.path"))
                .config("spark.executor.extraJavaOptions", hostsOption + " " + options.text("java"))
                // as our pages say of executors that have GPUs
                .config("spark.executorEnv.CUDA_DEVICE_MAX_CONNECTIONS", "32")
                .config("spark.ui.enabled", false)
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.sql.shuffle.partitions", 1)
                // a task for each file
                .config("spark.sql.files.minPartitionNum", options.number("files"))
                .config("spark.sql.files.maxPartitionBytes", Long.MAX_VALUE / 2);
        settings(contender, codecs, nodeFolder).forEach(builder::config);
        SparkSession session = builder.getOrCreate();
        session.sparkContext().setLogLevel("ERROR");
        SparkExecutors started = new SparkExecutors(session, executors * cores);
        while (started.processes().size() < executors || started.countsOfSome() < executors) {
            started.counts();
        }
        return started;
    }

    /** What a contender sets: ours as our pages say. */
    static Map<String, String> settings(Contender contender, TextCodecs codecs, String nodeFolder) {
        Map<String, String> settings = new TreeMap<>();
        contender.hadoopSettings(codecs, nodeFolder).forEach((key, value) -> settings.put(HADOOP + key, value));
        settings.putAll(contender.settings(Settings.SPARK_PREFIX, nodeFolder));
        settings.put("spark.io.compression.codec", "lz4");
        if (contender.isOurs()) {
            settings.put("spark.io.compression.codec", "io.warpcodec.spark.GpuLz4CompressionCodec");
            settings.put("spark.plugins", "io.warpcodec.spark.WarpcodecPlugin");
        }
        return settings;
    }

    SparkSession session() {
        return session;
    }

    private List<ProcessHandle> processes() {
        return ProcessorTime.below(ProcessHandle.current(), "CoarseGrainedExecutorBackend");
    }

    private int countsOfSome() {
        return session.sparkContext().getExecutorMemoryStatus().size() - 1;
    }

    /** What our codecs have counted in all executors. */
    Map<String, Long> counts() {
        return ExecutorCounts.sum(new JavaSparkContext(session.sparkContext()), cores);
    }

    /** Processor seconds so far of all executors. */
    double seconds() throws IOException {
        double seconds = 0;
        for (ProcessHandle executor : processes()) {
            seconds += ProcessorTime.of(executor.pid());
        }
        return seconds;
    }

    @Override
    public void close() {
        session.stop();
        SparkSession.clearDefaultSession();
        SparkSession.clearActiveSession();
    }
}
