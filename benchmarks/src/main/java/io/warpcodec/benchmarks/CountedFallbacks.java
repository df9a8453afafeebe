package io.warpcodec.benchmarks;

import io.warpcodec.metrics.Metrics;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * What was counted since this was made: what the CPU was given and why, so that a figure says which engine did the
 * work, and what the pool of GPUs did.
 */
public final class CountedFallbacks {
    private final Map<String, Long> before = Metrics.snapshot();

    /** Each reason with its count, in one line; empty if there was none. */
    @Override
    public String toString() {
        return since("fallback.");
    }

    /** Each of the pool's counters that rose, in one line: waves, leases and the rest. */
    public String ofPool() {
        return since("pool.");
    }

    private String since(String prefix) {
        StringJoiner line = new StringJoiner(", ");
        new TreeMap<>(Metrics.snapshot()).forEach((name, count) -> {
            long more = count - before.getOrDefault(name, 0L);
            if (name.startsWith(prefix) && more > 0) {
                line.add(name.substring(prefix.length()) + " " + more);
            }
        });
        return line.toString();
    }
}
