package io.warpcodec.demo;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.SparkSession;

/**
 * The Spark jobs of the demo, in this process on two threads: write the text in a format, and compute the answer from
 * a format.
 */
final class LineitemSpark implements AutoCloseable {

    private static final int THREADS = 2;

    private final SparkSession session;

    /**
     * Starts Spark.
     *
     * @param hadoop settings for every file that is read or written
     * @param scratch folder for shuffle files and the like
     * @param shuffleCodec class of the codec for shuffle and broadcast; null for Spark's default
     * @param mode {@code auto}, {@code gpu} or {@code cpu}
     */
    LineitemSpark(Configuration hadoop, Path scratch, String shuffleCodec, String mode) {
        SparkSession.Builder builder = SparkSession.builder()
                .master("local[" + THREADS + "]")
                .appName("warpcodec demo")
                .config("spark.ui.enabled", false)
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.local.dir", scratch.resolve("spark").toString())
                .config("spark.sql.warehouse.dir", scratch.resolve("warehouse").toString())
                .config("spark.sql.files.openCostInBytes", 0)
                .config("spark.sql.adaptive.enabled", false)
                .config("spark.io.compression.gpu.mode", mode);
        if (shuffleCodec != null) {
            builder.config("spark.io.compression.codec", shuffleCodec);
        }
        for (Map.Entry<String, String> setting : hadoop) {
            if (setting.getKey().startsWith("io.compression.")
                    || setting.getKey().equals("fs.defaultFS")
                    || setting.getKey().startsWith("dfs.")) {
                builder.config("spark.hadoop." + setting.getKey(), setting.getValue());
            }
        }
        session = builder.getOrCreate();
        session.sparkContext().setLogLevel("ERROR");
    }

    /** What a job found, and in how many partitions it read its input. */
    record Result(String answer, int partitions) {}

    /**
     * Writes the lines of {@code input} as {@code fileCount} text files of {@code codec}, with more settings for the
     * codec.
     */
    void write(String input, String output, String codec, Map<String, String> settings, int fileCount) {
        session.read()
                .textFile(input)
                .coalesce(fileCount)
                .write()
                .options(settings)
                .option("compression", codec)
                .text(output);
    }

    /**
     * Computes the answer from {@code input}, cut into splits of {@code splitBytes}; all lines cross the shuffle first.
     */
    Result summarise(String input, long splitBytes) {
        session.conf().set("spark.sql.files.maxPartitionBytes", splitBytes);
        Dataset<String> lines = session.read().textFile(input);
        int partitions = lines.rdd().getNumPartitions();
        LineitemSummary answer = lines.repartition(THREADS)
                .javaRDD()
                .aggregate(
                        new LineitemSummary(),
                        (sum, line) -> {
                            byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
                            sum.addRow(bytes, 0, bytes.length);
                            return sum;
                        },
                        LineitemSummary::add);
        return new Result(answer.toString(), partitions);
    }

    @Override
    public void close() {
        session.stop();
        SparkSession.clearDefaultSession();
        SparkSession.clearActiveSession();
    }
}
