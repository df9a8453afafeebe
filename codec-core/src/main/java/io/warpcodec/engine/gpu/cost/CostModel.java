package io.warpcodec.engine.gpu.cost;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.Mode;
import io.warpcodec.engine.CostReport;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Who does a request in mode {@code auto}: a device or the CPU, by what such work cost so far in this JVM. Thread-safe. */
public final class CostModel {
    /** 0.35 GB/s. */
    private static final double ZLIB_NANOS_PER_MEBIBYTE = 3e6;

    /**
     * So many threads do chunks themselves when another one may take its work back: one core is left to the device's thread. Where that has to wait for a core, devices seem slow; then more
     * work would be taken back, until all of it was the CPU's.
     */
    private static final int MOST_HELPERS = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);

    private final boolean deviceAlways;
    private final AtomicInteger helpers = new AtomicInteger();
    private final Map<Route, RouteCosts> routes = new ConcurrentHashMap<>();

    /** Work whose costs are alike. */
    private record Route(Format format, Direction direction, Framing framing, boolean inRuns) {
        @Override
        public String toString() {
            String suffix =
                    framing == Framing.STANDARD ? "" : " " + framing.name().toLowerCase(Locale.ROOT);
            return direction.word() + " " + format.word() + suffix + (inRuns ? " runs" : "");
        }
    }

    private CostModel(boolean deviceAlways) {
        this.deviceAlways = deviceAlways;
    }

    /** A model that knows nothing yet. */
    public static CostModel learning() {
        return new CostModel(false);
    }

    /** One that learns, and gives everything to devices. */
    public static CostModel deviceAlways() {
        return new CostModel(true);
    }

    /**
     * What is known of such work.
     *
     * @param cpuNanosPerMebibyte what the CPU is known to need, so that nothing has to be tried on it; 0 where that has to be seen
     */
    public RouteCosts of(Format format, Direction direction, CodecOptions options, double cpuNanosPerMebibyte) {
        return of(
                new Route(format, direction, options.framing(), false),
                () -> cpuNanosPerMebibyte > 0 ? RouteCosts.ofKnownCpu(cpuNanosPerMebibyte) : new RouteCosts());
    }

    /** The same, of runs of blocks that sessions decode. */
    public RouteCosts ofRuns(Format format, CodecOptions options) {
        return of(new Route(format, Direction.DECODE, options.framing(), true), RouteCosts::new);
    }

    /** The same, of segments of DEFLATE streams. */
    public RouteCosts ofSegments(Format format, CodecOptions options) {
        return of(
                new Route(format, Direction.DECODE, options.framing(), true),
                () -> RouteCosts.ofKnownCpu(ZLIB_NANOS_PER_MEBIBYTE));
    }

    private RouteCosts of(Route route, Supplier<RouteCosts> unknown) {
        RouteCosts known = routes.get(route);
        // computeIfAbsent may lock, and all streams ask for each batch
        return known != null ? known : routes.computeIfAbsent(route, none -> unknown.get());
    }

    /** Whether a device is to do this request; always so unless the mode leaves it open. */
    public boolean deviceIsCheaper(RouteCosts costs, CodecOptions options, long rawBytes, long backlogBytes) {
        return deviceIsCheaper(costs, options, rawBytes, 0, backlogBytes);
    }

    /** The same, of a request of a batch of so many raw bytes. */
    public boolean deviceIsCheaper(
            RouteCosts costs, CodecOptions options, long rawBytes, long batchBytes, long backlogBytes) {
        return !mayChoose(options)
                || costs.deviceIsCheaper(rawBytes, batchBytes, backlogBytes, options.cpuWeight(), System.nanoTime());
    }

    /**
     * Whether a thread that has come to a request which no wave has taken yet should do it on the CPU instead of waiting; never unless the mode leaves it open, nor while as many
     * threads as there are other cores do.
     *
     * @param backlogBytes raw bytes that the device had to do before when the request was queued
     * @param queuedNanos how long ago that was
     */
    public boolean cpuIsSooner(
            RouteCosts costs, CodecOptions options, long rawBytes, long backlogBytes, long queuedNanos) {
        return mayChoose(options)
                && helpers.get() < MOST_HELPERS
                && costs.sooner(rawBytes, backlogBytes, queuedNanos, options.cpuWeight());
    }

    /** This thread begins to do a chunk itself. */
    public void cpuBegins() {
        helpers.incrementAndGet();
    }

    /** It has done it. */
    public void cpuEnds() {
        helpers.decrementAndGet();
    }

    private boolean mayChoose(CodecOptions options) {
        return options.mode() == Mode.AUTO && !deviceAlways;
    }

    /** What is known of all work that was seen, by name. */
    public List<CostReport> report(double cpuWeight) {
        return routes.entrySet().stream()
                .map(entry -> entry.getValue().report(entry.getKey().toString(), cpuWeight))
                .sorted(Comparator.comparing(CostReport::work))
                .toList();
    }
}
