package io.warpcodec.metrics;

import io.warpcodec.Direction;
import io.warpcodec.Format;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What this JVM's codecs did, as named counters that only grow: {@link CounterFamily} lists them, and
 * {@link FallbackReason} the reasons that end some names. Thread-safe.
 */
public final class Metrics {
    private static final ConcurrentHashMap<String, LongAdder> COUNTERS = new ConcurrentHashMap<>();

    private Metrics() {}

    /** The counter of this name, made at first use. Keep it where the same counter is used often. */
    public static LongAdder counter(String name) {
        return COUNTERS.computeIfAbsent(name, absent -> new LongAdder());
    }

    /** Counts a stream that delivers or takes its first byte. */
    public static void countStream(Direction direction, Format format) {
        counter(direction.word() + "." + format.word() + ".streams").increment();
        MetricsBean.offer();
    }

    /** Counts a piece of work that did not run where it was preferred. */
    public static void countFallback(Direction direction, Format format, FallbackReason reason) {
        counter("fallback." + direction.word() + "." + format.word() + "." + reason.word())
                .increment();
    }

    /** All counters now, sorted by name. */
    public static Map<String, Long> snapshot() {
        Map<String, Long> values = new TreeMap<>();
        COUNTERS.forEach((name, value) -> values.put(name, value.sum()));
        return values;
    }

    /** Sum of the counters whose name starts and ends so. */
    public static long sum(String prefix, String suffix) {
        long sum = 0;
        for (Map.Entry<String, LongAdder> entry : COUNTERS.entrySet()) {
            if (entry.getKey().startsWith(prefix) && entry.getKey().endsWith(suffix)) {
                sum += entry.getValue().sum();
            }
        }
        return sum;
    }
}
