package io.warpcodec.spark;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.warpcodec.Format;
import io.warpcodec.metrics.Metrics;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The counters of some processes as gauges of Spark's. Streams, chunks, bytes and times are there from the start and
 * read 0. Any other counter, such as a reason of fallbacks, comes with its first count. Thread-safe.
 */
final class WarpcodecMetrics {
    /** What the names of reasons begin with. */
    static final String FALLBACK = "fallback.";

    private static final List<String> DIRECTIONS = List.of("decode", "encode");
    private static final List<String> ENGINES = List.of("cpu", "gpu");
    private static final List<String> WORK = List.of("chunks", "bytesIn", "bytesOut", "nanos");

    private final MetricRegistry registry;
    private final String prefix;
    private final Supplier<Map<String, Long>> counters;
    private final Set<String> registered = new HashSet<>();

    /**
     * Registers what is there from the start, and {@code fallbacks} for the sum over all reasons.
     *
     * @param prefix of all names in the registry
     * @param counters gives all counters by name, from any thread
     */
    WarpcodecMetrics(MetricRegistry registry, String prefix, Supplier<Map<String, Long>> counters) {
        this.registry = registry;
        this.prefix = prefix;
        this.counters = counters;
        names().forEach(this::register);
        registry.register(prefix + "fallbacks", (Gauge<Long>) this::fallbacks);
    }

    /** The counters of this process. */
    static WarpcodecMetrics ofThisProcess(MetricRegistry registry) {
        return new WarpcodecMetrics(registry, "", Metrics::snapshot);
    }

    /** Registers the counters that have come since. */
    synchronized void refresh() {
        counters.get().keySet().forEach(this::register);
    }

    private void register(String name) {
        if (registered.add(name)) {
            registry.register(prefix + name, (Gauge<Long>) () -> counters.get().getOrDefault(name, 0L));
        }
    }

    private long fallbacks() {
        return counters.get().entrySet().stream()
                .filter(counter -> counter.getKey().startsWith(FALLBACK))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>();
        for (String direction : DIRECTIONS) {
            for (Format format : Format.values()) {
                String work = direction + "." + format.word() + ".";
                names.add(work + "streams");
                ENGINES.forEach(engine -> WORK.forEach(what -> names.add(work + engine + "." + what)));
            }
        }
        return names;
    }
}
