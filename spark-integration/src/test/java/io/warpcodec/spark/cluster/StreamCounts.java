package io.warpcodec.spark.cluster;

import io.warpcodec.metrics.Metrics;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * How many streams of one application went through our codecs, counted where they went: in the executors, asked by a
 * job, and in the driver.
 *
 * @param executors how many executors answered
 * @param inExecutors streams in executors, which live as long as the application
 * @param inDriver streams in the driver
 */
record StreamCounts(int executors, Streams inExecutors, Streams inDriver) {
    private static final int ASKED_TASKS = 16;

    /** Streams written and read. */
    record Streams(long encoded, long decoded) implements Serializable {
        /** All of this process so far. */
        static Streams here() {
            return new Streams(Metrics.sum("encode.", ".streams"), Metrics.sum("decode.", ".streams"));
        }

        private long sum() {
            return encoded + decoded;
        }

        private Streams plus(Streams other) {
            return new Streams(encoded + other.encoded, decoded + other.decoded);
        }

        private Streams minus(Streams other) {
            return new Streams(encoded - other.encoded, decoded - other.decoded);
        }
    }

    /** @param driverBefore the driver's streams when the application began: it outlives its applications */
    static StreamCounts collect(JavaSparkContext spark, Streams driverBefore) {
        List<Integer> tasks = IntStream.range(0, ASKED_TASKS).boxed().toList();
        Map<String, Streams> byExecutor = new TreeMap<>();
        for (Tuple2<String, Streams> answer : spark.parallelize(tasks, ASKED_TASKS)
                .map(task -> new Tuple2<>(SparkEnv.get().executorId(), Streams.here()))
                .collect()) {
            byExecutor.merge(answer._1, answer._2, (a, b) -> a.sum() > b.sum() ? a : b);
        }
        return new StreamCounts(
                byExecutor.size(),
                byExecutor.values().stream().reduce(new Streams(0, 0), Streams::plus),
                Streams.here().minus(driverBefore));
    }

    /** The counts as members of a JSON object. */
    String json() {
        return "\"executors\":" + executors + ",\"encoded\":" + inExecutors.encoded + ",\"decoded\":"
                + inExecutors.decoded + ",\"driverEncoded\":" + inDriver.encoded + ",\"driverDecoded\":"
                + inDriver.decoded;
    }
}
