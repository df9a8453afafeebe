package io.warpcodec.engine.gpu.choice;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.Mode;
import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.device.lease.ProcessorTime;
import io.warpcodec.engine.ChoiceReport;
import io.warpcodec.engine.WaitBounds;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The choice of mode {@code auto} in this JVM: who does a piece of work, and how long a thread waits for devices.
 * Thread-safe.
 */
public final class DeviceChoices {
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    /** In mode {@code gpu} a thread waits so many times what the CPU takes, and so long in any case. */
    private static final double INSISTS = 10;

    private static final long INSISTS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final boolean deviceAlways;
    private final PoolRest rest = new PoolRest();
    private final ProcessorDemand demand;
    private final ThreadLocal<double[]> allowances = ThreadLocal.withInitial(WaitAllowance::fresh);
    private final Map<Route, DeviceChoice> routes = new ConcurrentHashMap<>();

    /**
     * Work that is done alike.
     *
     * @param level of what is encoded: a core takes a hundred times as long for one as for another
     */
    private record Route(Format format, Direction direction, Framing framing, int level, boolean inRuns) {
        static Route of(Format format, Direction direction, CodecOptions options, boolean inRuns) {
            int level = direction == Direction.ENCODE ? options.level(format) : format.defaultLevel();
            return new Route(format, direction, options.framing(), level, inRuns);
        }

        @Override
        public String toString() {
            String suffix =
                    framing == Framing.STANDARD ? "" : " " + framing.name().toLowerCase(Locale.ROOT);
            String levelSuffix = level == format.defaultLevel() ? "" : " level " + level;
            return direction.word() + " " + format.word() + suffix + levelSuffix + (inRuns ? " runs" : "");
        }
    }

    /** @param demand of the process */
    DeviceChoices(boolean deviceAlways, ProcessorDemand demand) {
        this.deviceAlways = deviceAlways;
        this.demand = demand;
        // classes are loaded on the thread that starts devices, not on the first stream's
        ProcessorTime.nanos();
    }

    private DeviceChoices(boolean deviceAlways) {
        this(deviceAlways, ProcessorDemand.ofProcess(PROCESSORS));
    }

    /** Choices that have measured nothing yet. */
    public static DeviceChoices learning() {
        return new DeviceChoices(false);
    }

    /** Choices that measure, give everything to devices, and wait without a bound for what they do. */
    public static DeviceChoices deviceAlways() {
        return new DeviceChoices(true);
    }

    /**
     * The choice for such work.
     *
     * @param cpuNanosPerMebibyte what the CPU takes until that is seen
     * @param cpuIsDear whether the CPU's rate is not worth a piece of work that devices could do
     */
    public DeviceChoice of(
            Format format, Direction direction, CodecOptions options, double cpuNanosPerMebibyte, boolean cpuIsDear) {
        return of(Route.of(format, direction, options, false), cpuNanosPerMebibyte, cpuIsDear);
    }

    /** As {@link #of}, but for runs of blocks, or segments of a stream, that sessions decode. */
    public DeviceChoice ofSessions(Format format, CodecOptions options, double cpuNanosPerMebibyte, boolean cpuIsDear) {
        return of(Route.of(format, Direction.DECODE, options, true), cpuNanosPerMebibyte, cpuIsDear);
    }

    private DeviceChoice of(Route route, double cpuNanosPerMebibyte, boolean cpuIsDear) {
        DeviceChoice known = routes.get(route);
        // computeIfAbsent may lock, and all streams ask for each batch
        return known != null
                ? known
                : routes.computeIfAbsent(
                        route, none -> new DeviceChoice(route.toString(), cpuNanosPerMebibyte, cpuIsDear));
    }

    /** Which engine is to do a piece of work. */
    public enum Verdict {
        DEVICE,
        /** It takes less long. */
        CPU,
        /** Devices rest. */
        CPU_WHILE_DEVICES_REST,
        /** It does the work, and a device does it as well, so that it is seen how fast that is: {@link #tried}. */
        CPU_BESIDE_DEVICE
    }

    /**
     * Chooses; always a device unless the mode leaves it open.
     *
     * @param rawBytes of the work
     * @param batchBytes of the batch that it belongs to
     * @param pool of the devices
     */
    public Verdict choose(DeviceChoice choice, CodecOptions options, long rawBytes, long batchBytes, DevicePool pool) {
        if (!mayChoose(options)) {
            return Verdict.DEVICE;
        }
        long now = pool.nanoTime();
        if (!choice.isForDevice(rawBytes, batchBytes, options.cpuWeight(), now)) {
            return Verdict.CPU;
        }
        demand.works(now);
        return switch (rest.ask(now)) {
            case WORKS -> Verdict.DEVICE;
            case RESTS -> Verdict.CPU_WHILE_DEVICES_REST;
            case TRY -> Verdict.CPU_BESIDE_DEVICE;
        };
    }

    /**
     * Work that the CPU does was submitted to a device as well.
     *
     * @param lease of it, which is closed here; null if there was no memory
     */
    public void tried(DeviceChoice choice, long rawBytes, DevicePool pool, DeviceLease lease) {
        double cpuNanos = cpuNanos(choice, rawBytes, pool);
        rest.tried(lease, (long) Math.max(WaitAllowance.EXTRA_NANOS, WaitBounds.TIMES * cpuNanos), pool.nanoTime());
    }

    /** What the calling thread would take for the work itself, with its share of the processors. */
    private double cpuNanos(DeviceChoice choice, long rawBytes, DevicePool pool) {
        return choice.cpuNanos(rawBytes) * Math.max(1, demand.count(pool.nanoTime()) / PROCESSORS);
    }

    /** A wait for devices, for so many raw bytes. */
    public HedgedWait hedge(DeviceChoice choice, CodecOptions options, long rawBytes, DevicePool pool) {
        double cpuNanos = cpuNanos(choice, rawBytes, pool);
        return new HedgedWait(
                this, pool, rawBytes, cpuNanos, mayChoose(options) ? 0 : INSISTS_NANOS + (long) (INSISTS * cpuNanos));
    }

    // ---- for waits

    ProcessorDemand demand() {
        return demand;
    }

    boolean waitsWithoutBound() {
        return deviceAlways;
    }

    PoolRest rest() {
        return rest;
    }

    /** The calling thread's. */
    WaitAllowance allowance() {
        return new WaitAllowance(allowances.get());
    }

    /** Processors that would work if all threads that have work did it themselves. */
    double processorsAtWork(long now) {
        return Math.min(PROCESSORS, demand.count(now));
    }

    /** Whether threads want more than half of the processors. */
    boolean isCrowded(long now) {
        return 2 * demand.count(now) > PROCESSORS;
    }

    private boolean mayChoose(CodecOptions options) {
        return options.mode() == Mode.AUTO && !deviceAlways;
    }

    /**
     * The choices for all work that was seen, by name.
     *
     * @param now of the pool's clock
     */
    public List<ChoiceReport> report(double cpuWeight, long now) {
        return routes.values().stream()
                .map(choice -> choice.report(cpuWeight, now))
                .sorted(Comparator.comparing(ChoiceReport::work))
                .toList();
    }
}
