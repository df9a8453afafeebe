package io.warpcodec.spark.cluster;

import io.warpcodec.metrics.Metrics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * How many streams went through our codecs, counted where they went: in the executors, asked by a job, and in the driver.
 *
 * @param executors how many executors answered
 * @param encoded streams written in executors
 * @param decoded streams read in executors
 * @param driverEncoded streams written in the driver
 * @param driverDecoded streams read in the driver
 */
record StreamCounts(int executors, long encoded, long decoded, long driverEncoded, long driverDecoded) {
    private static final int ASKED_TASKS = 16;

    static StreamCounts collect(JavaSparkContext spark) {
        List<Integer> tasks = IntStream.range(0, ASKED_TASKS).boxed().toList();
        Map<String, long[]> byExecutor = new TreeMap<>();
        for (Tuple2<String, long[]> answer :
                spark.parallelize(tasks, ASKED_TASKS).map(task -> here()).collect()) {
            byExecutor.merge(answer._1, answer._2, (a, b) -> a[0] + a[1] > b[0] + b[1] ? a : b);
        }
        long encoded = byExecutor.values().stream().mapToLong(c -> c[0]).sum();
        long decoded = byExecutor.values().stream().mapToLong(c -> c[1]).sum();
        return new StreamCounts(
                byExecutor.size(),
                encoded,
                decoded,
                Metrics.sum("encode.", ".streams"),
                Metrics.sum("decode.", ".streams"));
    }

    private static Tuple2<String, long[]> here() {
        return new Tuple2<>(
                SparkEnv.get().executorId(),
                new long[] {Metrics.sum("encode.", ".streams"), Metrics.sum("decode.", ".streams")});
    }

    /** The counts as members of a JSON object. */
    String json() {
        return "\"executors\":" + executors + ",\"encoded\":" + encoded + ",\"decoded\":" + decoded
                + ",\"driverEncoded\":" + driverEncoded + ",\"driverDecoded\":" + driverDecoded;
    }
}
