package io.warpcodec.benchmarks.cluster;

import io.warpcodec.metrics.Metrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;

/** What our codecs have counted in a process: chunks by engine, and each reason for which the CPU worked. */
final class CodecCounters {
    static final String GPU = "gpu.chunks";
    static final String CPU = "cpu.chunks";
    private static final String FALLBACK = "fallback.";

    private CodecCounters() {}

    /** Of this process, by short names. */
    static SortedMap<String, Long> ofThisProcess() {
        SortedMap<String, Long> counts = new TreeMap<>();
        counts.put(GPU, Metrics.sum("", GPU));
        counts.put(CPU, Metrics.sum("", CPU));
        Metrics.snapshot().forEach((name, count) -> {
            if (name.startsWith(FALLBACK) && count > 0) {
                counts.put(name, count);
            }
        });
        return counts;
    }

    /** The sum of what two processes, or sets of processes, have counted. */
    static SortedMap<String, Long> sum(Map<String, Long> some, Map<String, Long> others) {
        SortedMap<String, Long> sum = new TreeMap<>(some);
        others.forEach((name, count) -> sum.merge(name, count, Long::sum));
        return sum;
    }

    /** What has been counted since. */
    static SortedMap<String, Long> difference(Map<String, Long> now, Map<String, Long> before) {
        SortedMap<String, Long> more = new TreeMap<>();
        now.forEach((name, count) -> more.put(name, count - before.getOrDefault(name, 0L)));
        more.values().removeIf(count -> count == 0);
        return more;
    }

    /** As three columns: chunks by GPUs, chunks by CPUs, reasons. */
    static String columns(Map<String, Long> counts) {
        List<String> columns = new ArrayList<>();
        columns.add(Long.toString(counts.getOrDefault(GPU, 0L)));
        columns.add(Long.toString(counts.getOrDefault(CPU, 0L)));
        StringJoiner reasons = new StringJoiner(" ");
        counts.forEach((name, count) -> {
            if (name.startsWith(FALLBACK)) {
                reasons.add(name.substring(FALLBACK.length()) + "=" + count);
            }
        });
        columns.add(reasons.toString());
        return String.join(",", columns);
    }
}
