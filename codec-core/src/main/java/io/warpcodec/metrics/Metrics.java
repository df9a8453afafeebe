package io.warpcodec.metrics;

import io.warpcodec.Format;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What this JVM's codecs did, as named counters that only grow. Thread-safe. Names are words joined by dots:
 *
 * <ul>
 *   <li>{@code decode.gzip.cpu.chunks}, {@code .bytesIn}, {@code .bytesOut}, {@code .nanos}: work done by an engine;
 *   <li>{@code decode.gzip.streams}: streams that delivered or took a first byte;
 *   <li>{@code fallback.decode.gzip.REASON}: batches that a preferred engine did not take, or chunks it did not finish.
 * </ul>
 */
public final class Metrics {
    private static final ConcurrentHashMap<String, LongAdder> COUNTERS = new ConcurrentHashMap<>();

    private Metrics() {}

    /** The counter of this name, made at first use. Keep it where the same counter is used often. */
    public static LongAdder counter(String name) {
        return COUNTERS.computeIfAbsent(name, absent -> new LongAdder());
    }

    /** Counts a piece of work that did not run where it was preferred. */
    public static void countFallback(String direction, Format format, FallbackReason reason) {
        counter("fallback." + direction + "." + format.word() + "." + reason.word())
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
