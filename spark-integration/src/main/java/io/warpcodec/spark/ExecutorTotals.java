package io.warpcodec.spark;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the executors of an application have counted, as they told the driver. A message is made of the JDK's classes
 * alone, because Spark reads it with a class loader that may not have ours. Thread-safe.
 */
final class ExecutorTotals {
    private static final String EXECUTOR = "io.warpcodec.executor";
    private static final String COUNTERS = "io.warpcodec.counters";

    /** An executor that has gone keeps its counts: they are of the application. */
    private final Map<String, Map<String, Long>> executors = new ConcurrentHashMap<>();

    /** A message that says what an executor has counted since it began. */
    static HashMap<String, Object> message(String executor, Map<String, Long> counters) {
        HashMap<String, Object> message = new HashMap<>();
        message.put(EXECUTOR, executor);
        message.put(COUNTERS, new HashMap<>(counters));
        return message;
    }

    /** Takes a message. Messages may overtake each other: counters only grow, so that larger counts are newer. */
    void take(Object message) {
        Map<?, ?> told = (Map<?, ?>) message;
        Map<String, Long> known =
                executors.computeIfAbsent((String) told.get(EXECUTOR), absent -> new ConcurrentHashMap<>());
        ((Map<?, ?>) told.get(COUNTERS)).forEach((name, count) -> known.merge((String) name, (Long) count, Math::max));
    }

    /** The sums over all executors, by counter. */
    Map<String, Long> sums() {
        Map<String, Long> sums = new TreeMap<>();
        executors.values().forEach(counters -> counters.forEach((name, count) -> sums.merge(name, count, Long::sum)));
        return sums;
    }
}
