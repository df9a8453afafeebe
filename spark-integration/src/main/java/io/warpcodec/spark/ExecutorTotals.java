package io.warpcodec.spark;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the executors of an application have counted, as they told the driver. A message is made of the JDK's classes
 * alone, because Spark reads it with a class loader that may not have ours. Thread-safe.
 */
final class ExecutorTotals {
    private static final String EXECUTOR = "io.warpcodec.executor";
    private static final String COUNTERS = "io.warpcodec.counters";

    /** Counts of each executor. An executor that has gone keeps its counts: they are of the application. */
    private final Map<String, Map<String, Long>> executors = new HashMap<>();

    /**
     * Sums over all executors, kept as messages come: there may be thousands of executors, and a gauge for each name.
     */
    private final Map<String, Long> sums = new ConcurrentHashMap<>();

    /** A message that says what an executor has counted since it began. */
    static HashMap<String, Object> message(String executor, Map<String, Long> counters) {
        HashMap<String, Object> message = new HashMap<>();
        message.put(EXECUTOR, executor);
        message.put(COUNTERS, new HashMap<>(counters));
        return message;
    }

    /** Takes a message. Messages may overtake each other: counters only grow, so that larger counts are newer. */
    synchronized void take(Object message) {
        Map<?, ?> told = (Map<?, ?>) message;
        Map<String, Long> known = executors.computeIfAbsent((String) told.get(EXECUTOR), absent -> new HashMap<>());
        ((Map<?, ?>) told.get(COUNTERS)).forEach((name, count) -> raise(known, (String) name, (Long) count));
    }

    private void raise(Map<String, Long> known, String name, long count) {
        long more = count - known.getOrDefault(name, 0L);
        if (more > 0) {
            known.put(name, count);
            sums.merge(name, more, Long::sum);
        }
    }

    /** The sums over all executors, by counter; they go on growing. */
    Map<String, Long> sums() {
        return Collections.unmodifiableMap(sums);
    }
}
