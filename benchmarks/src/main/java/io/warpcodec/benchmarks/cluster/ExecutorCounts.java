package io.warpcodec.benchmarks.cluster;

import java.io.Serializable;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;

/**
 * What our codecs have counted in one executor since it began.
 *
 * @param executor its id
 * @param counts see {@link CodecCounters}
 */
record ExecutorCounts(String executor, Map<String, Long> counts) implements Serializable {
    private static final long TASK_MILLIS = 100;

    /** The sum of all executors, each of which has so many cores. */
    static Map<String, Long> sum(JavaSparkContext context, int tasks) {
        Map<String, Map<String, Long>> byExecutor = new TreeMap<>();
        Function<Integer, ExecutorCounts> ask = task -> {
            // so that every core of every executor has one
            Thread.sleep(TASK_MILLIS);
            return new ExecutorCounts(SparkEnv.get().executorId(), new TreeMap<>(CodecCounters.ofThisProcess()));
        };
        context.parallelize(IntStream.range(0, tasks).boxed().toList(), tasks)
                .map(ask)
                .collect()
                .forEach(answer -> byExecutor.put(answer.executor(), answer.counts()));
        return byExecutor.values().stream().reduce(Collections.emptyMap(), CodecCounters::sum, CodecCounters::sum);
    }
}
