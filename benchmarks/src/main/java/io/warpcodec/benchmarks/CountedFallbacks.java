package io.warpcodec.benchmarks;

import io.warpcodec.metrics.Metrics;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/** What the CPU was given, and why, since this was made: so that a figure says who did the work. */
public final class CountedFallbacks {
    private static final String PREFIX = "fallback.";

    private final Map<String, Long> before = Metrics.snapshot();

    /** Each reason with its count, in one line; empty if there was none. */
    @Override
    public String toString() {
        StringJoiner line = new StringJoiner(", ");
        new TreeMap<>(Metrics.snapshot()).forEach((name, count) -> {
            long more = count - before.getOrDefault(name, 0L);
            if (name.startsWith(PREFIX) && more > 0) {
                line.add(name.substring(PREFIX.length()) + " " + more);
            }
        });
        return line.toString();
    }
}
