package io.warpcodec.spark;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.warpcodec.Format;
import io.warpcodec.metrics.Metrics;
import java.util.ArrayList;
import java.util.List;

/**
 * The counters of {@link Metrics} as gauges, under the same names. Spark publishes the names that exist when the plugin
 * starts, when most counters do not exist yet; so the names are listed here, and a counter that does not exist reads 0.
 */
final class WarpcodecMetrics {
    private static final List<String> DIRECTIONS = List.of("decode", "encode");
    private static final List<String> ENGINES = List.of("cpu", "gpu");
    private static final List<String> WORK = List.of("chunks", "bytesIn", "bytesOut", "nanos");

    private WarpcodecMetrics() {}

    /** Adds one gauge for each counter, and {@code fallbacks} for the sum over all reasons. */
    static void register(MetricRegistry registry) {
        for (String name : names()) {
            registry.register(name, (Gauge<Long>) () -> Metrics.snapshot().getOrDefault(name, 0L));
        }
        registry.register("fallbacks", (Gauge<Long>) () -> Metrics.sum("fallback.", ""));
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>();
        for (String direction : DIRECTIONS) {
            for (Format format : Format.values()) {
                String prefix = direction + "." + format.word() + ".";
                names.add(prefix + "streams");
                for (String engine : ENGINES) {
                    for (String work : WORK) {
                        names.add(prefix + engine + "." + work);
                    }
                }
            }
        }
        return names;
    }
}
