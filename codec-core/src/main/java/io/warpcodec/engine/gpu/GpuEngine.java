package io.warpcodec.engine.gpu;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.NodeSettings;
import io.warpcodec.PoolSettings;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.driver.DeviceInfo;
import io.warpcodec.device.driver.DriverStatus;
import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.device.node.NodeAddress;
import io.warpcodec.device.node.NodePool;
import io.warpcodec.device.pool.OwnPool;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.ChoiceReport;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.EngineUnavailableException;
import io.warpcodec.engine.LendingEngine;
import io.warpcodec.engine.choice.StartTurns;
import io.warpcodec.engine.gpu.block.DecodePlanner;
import io.warpcodec.engine.gpu.block.EncodeLayout;
import io.warpcodec.engine.gpu.choice.DeviceChoice;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import io.warpcodec.engine.gpu.deflate.GpuSegmentDecoder;
import io.warpcodec.engine.gpu.request.GpuDecodeBatch;
import io.warpcodec.engine.gpu.request.GpuEncodeBatch;
import io.warpcodec.engine.gpu.request.GpuFormat;
import io.warpcodec.engine.gpu.request.RecentLengths;
import io.warpcodec.engine.gpu.request.SessionDevices;
import io.warpcodec.engine.gzip.GzipSeeking;
import io.warpcodec.engine.gzip.HelpedGzipSeeking;
import io.warpcodec.engine.gzip.SeekPointVisitor;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.format.gzip.GzipSeekPoint;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.metrics.WorkMeter;
import java.io.IOException;
import java.io.InputStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The engine on this JVM's pool of devices. It decodes and encodes batches of LZ4, Snappy, gzip members, bzip2 blocks
 * and zstd frames, and encodes zlib streams. Whatever else it is asked, and whatever its devices do not finish, the CPU
 * engine does, on the thread that asks. Thread-safe.
 */
public final class GpuEngine implements Engine, GzipSeeking {
    // Compressed bytes stay on the heap until a batch is submitted. Then the submitting thread copies the blocks,
    // without their containers, to the device's page-locked memory. That copy is an eighth to a half of the copy that
    // brings the output back. In return a stream that is not read holds no such memory, and every upload is one
    // transfer. So this engine lends no memory for input.

    /** A device starts within this time, or none counts as there for a stream that insists on them. */
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(60);

    /**
     * A process waits so long for a node's service before it goes on on the CPU until that answers. An answer takes
     * milliseconds.
     */
    private static final long NODE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long DEFAULT_MEMORY_BYTES = 2L << 30;
    private static final int DEFAULT_MEMORY_DIVISOR = 8;

    /**
     * Page-locked memory for each device, by default: its twelve waves of 8 MiB with their input, some 128 MiB, and as
     * much again for what is filled and read meanwhile.
     */
    private static final long DEFAULT_PINNED_BYTES = 256L << 20;

    /** The most for all devices by default: what is left for each of eight still holds the waves under way. */
    private static final long MOST_DEFAULT_PINNED_BYTES = 4 * DEFAULT_PINNED_BYTES;

    private static final int DEFAULT_WAVE_BYTES = 8 << 20;
    private static final long DEFAULT_LINGER_NANOS = 0;
    private static final long WATCHDOG_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final LendingEngine cpu;
    private final DevicePool pool;
    private final DeviceChoices choices;

    private final Map<Format, WorkMeter> decodeMeters = new EnumMap<>(Format.class);
    private final Map<Format, WorkMeter> encodeMeters = new EnumMap<>(Format.class);
    private final Map<Format, RecentLengths> recentLengths = new EnumMap<>(Format.class);

    /**
     * @param cpu does what devices do not
     * @param choices decide in mode {@code auto}
     */
    GpuEngine(LendingEngine cpu, DevicePool pool, DeviceChoices choices) {
        this.cpu = cpu;
        this.pool = pool;
        this.choices = choices;
        for (Format format : Format.values()) {
            decodeMeters.put(format, new WorkMeter(Direction.DECODE, format, "gpu"));
            encodeMeters.put(format, new WorkMeter(Direction.ENCODE, format, "gpu"));
            recentLengths.put(format, new RecentLengths());
        }
    }

    /**
     * The engine of this JVM. Asks the driver, and starts no device.
     *
     * @param cpu does what devices do not
     * @throws EngineUnavailableException if there is no usable device, or another class loader of this JVM has them
     */
    public static GpuEngine open(LendingEngine cpu) throws EngineUnavailableException {
        return open(cpu, DeviceChoices.learning());
    }

    /**
     * The engine on the devices of the node's service. Where that does not answer at once the engine is like one
     * whose devices are starting.
     *
     * @param cpu does what devices do not
     * @throws EngineUnavailableException if there is no service, it refuses this process, or is not trusted
     */
    public static GpuEngine openNode(LendingEngine cpu) throws EngineUnavailableException {
        return openNode(cpu, DeviceChoices.learning());
    }

    static GpuEngine openNode(LendingEngine cpu, DeviceChoices choices) throws EngineUnavailableException {
        NodeSettings node = PoolSettings.current().node();
        NodePool pool = new NodePool(new NodeAddress(node.folder(), node.users()));
        try {
            pool.awaitFirst(NODE_NANOS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (pool.whyGone() != null) {
            pool.close();
            throw new EngineUnavailableException(
                    FallbackReason.NODE_LOST, "the node service at " + node.folder() + ": " + pool.whyGone());
        }
        return new GpuEngine(cpu, pool, choices);
    }

    /** How processes take turns in starting devices. Makes no call to the driver. */
    public static StartTurns startTurns() {
        return MachineStarts.ofThisUser();
    }

    static GpuEngine open(LendingEngine cpu, DeviceChoices choices) throws EngineUnavailableException {
        PoolSettings settings = PoolSettings.current();
        List<DeviceInfo> devices = devices(settings);
        DevicePool pool = OwnPool.open(devices, limits(settings, devices.size()), new GpuPrograms(), Metrics::counter)
                .orElseThrow(() -> new EngineUnavailableException(
                        FallbackReason.POOL_ELSEWHERE, "another class loader of this JVM has the devices"));
        return new GpuEngine(cpu, pool, choices);
    }

    /** The devices that this process may use, at least one. Asks the driver, and starts none. */
    static List<DeviceInfo> devices(PoolSettings settings) throws EngineUnavailableException {
        DriverStatus driver = DeviceDriver.status();
        if (!driver.ready()) {
            throw new EngineUnavailableException(driver.state().fallback(), driver.reason());
        }
        List<DeviceInfo> devices = DeviceDriver.devices().stream()
                .filter(device -> settings.devices().isEmpty()
                        || settings.devices().stream().anyMatch(device::hasAddress))
                .toList();
        if (devices.isEmpty()) {
            throw new EngineUnavailableException(
                    FallbackReason.NO_ASSIGNED_DEVICE,
                    "none of the devices " + settings.devices() + " is among the "
                            + DeviceDriver.devices().size() + " that the driver shows");
        }
        return devices;
    }

    /** Where the work goes. */
    DevicePool pool() {
        return pool;
    }

    /** What a pool of so many devices may take, by the settings or else by default. */
    static PoolLimits limits(PoolSettings settings, int deviceCount) {
        return new PoolLimits(
                orElse(settings.memoryMaxBytes(), DEFAULT_MEMORY_BYTES),
                settings.memoryMaxBytes() == PoolSettings.UNSET ? DEFAULT_MEMORY_DIVISOR : 1,
                orElse(
                        settings.pinnedMaxBytes(),
                        Math.min(MOST_DEFAULT_PINNED_BYTES, deviceCount * DEFAULT_PINNED_BYTES)),
                (int) orElse(settings.waveBytes(), DEFAULT_WAVE_BYTES),
                orElse(settings.lingerNanos(), DEFAULT_LINGER_NANOS),
                WATCHDOG_NANOS);
    }

    private static long orElse(long setting, long otherwise) {
        return setting == PoolSettings.UNSET ? otherwise : setting;
    }

    @Override
    public String name() {
        return "gpu";
    }

    @Override
    public boolean supports(Format format, Direction direction) {
        return GpuFormats.of(format) != null;
    }

    @Override
    public boolean isAsynchronous() {
        return true;
    }

    @Override
    public boolean isCrowded() {
        return pool.isCrowded();
    }

    @Override
    public int batchesInFlight(Format format) {
        GpuFormat known = GpuFormats.of(format);
        return known == null ? Engine.super.batchesInFlight(format) : known.batchesInFlight(pool.isCrowded());
    }

    @Override
    public FallbackReason unavailableReason(boolean insist) {
        pool.start();
        if (insist) {
            try {
                // one is enough: the others join when they run, and one whose start hangs never does
                pool.awaitFirst(START_NANOS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return FallbackReason.INTERRUPTED;
            }
        }
        FallbackReason unavailableReason = pool.unavailableReason();
        return unavailableReason == null && !pool.isRunning() ? FallbackReason.POOL_STARTING : unavailableReason;
    }

    /** Waits for the first of several devices. */
    @Override
    public boolean awaitStart(long timeoutNanos) throws InterruptedException {
        pool.awaitFirst(timeoutNanos);
        return pool.isRunning();
    }

    @Override
    public Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks) {
        RecentLengths lengths = recentLengths.get(format);
        DecodePlanner planner = GpuFormats.planner(format, options, lengths.likely(pool.mostLeaseBytes() / 2));
        if (planner == null) {
            return cpu.decode(format, options, chunks);
        }
        unavailableReason(options.mode() == Mode.GPU);
        DeviceChoice choice = choice(format, Direction.DECODE, options);
        return new GpuDecodeBatch(
                        cpu,
                        pool,
                        GpuFormats.of(format),
                        options,
                        chunks,
                        decodeMeters.get(format),
                        lengths,
                        planner,
                        choice)
                .submit(choices, choice, 0);
    }

    @Override
    public Batch<EncodedChunk> encode(Format format, CodecOptions options, List<Chunk> chunks) {
        return encode(format, options, chunks, 0);
    }

    @Override
    public Batch<EncodedChunk> encode(Format format, CodecOptions options, List<Chunk> chunks, double waitedTimes) {
        EncodeLayout layout = GpuFormats.layout(format, options);
        if (layout == null) {
            Metrics.countFallback(Direction.ENCODE, format, FallbackReason.LEVEL);
            return cpu.encode(format, options, chunks);
        }
        unavailableReason(options.mode() == Mode.GPU);
        DeviceChoice choice = choice(format, Direction.ENCODE, options);
        return new GpuEncodeBatch(
                        cpu, pool, GpuFormats.of(format), options, chunks, encodeMeters.get(format), layout, choice)
                .submit(choices, choice, waitedTimes);
    }

    private DeviceChoice choice(Format format, Direction direction, CodecOptions options) {
        GpuFormat known = GpuFormats.of(format);
        return choices.of(
                format,
                direction,
                options,
                known.cpuNanosPerMebibyte(direction, options),
                known.isDearForCpu(direction, options));
    }

    /**
     * A unit that cannot be cut is the CPU's, counted as {@code session}, but for what its session has devices decode.
     */
    @Override
    public DecodeSession openSession(Format format, CodecOptions options, long offset) {
        SessionDevices devices = new SessionDevices(cpu, pool, choices, decodeMeters.get(format));
        GpuFormat known = GpuFormats.of(format);
        return known == null
                ? devices.openWithoutHelp(format, options, offset)
                : known.openSession(devices, options, offset);
    }

    @Override
    public DecodeSession resumeSession(CodecOptions options, GzipSeekPoint point, byte[] window) {
        return cpu instanceof HelpedGzipSeeking gzip
                ? gzip.resumeSession(point, window, segments(Format.GZIP, options, false))
                : null;
    }

    @Override
    public GzipSeekPoint scanForSeekPoints(CodecOptions options, InputStream gzip, SeekPointVisitor visitor)
            throws IOException {
        if (!(cpu instanceof HelpedGzipSeeking seeking)) {
            return null;
        }
        try (GpuSegmentDecoder segments = segments(Format.GZIP, options, true)) {
            return seeking.scanForSeekPoints(gzip, visitor, segments);
        }
    }

    private GpuSegmentDecoder segments(Format format, CodecOptions options, boolean scanning) {
        return new GpuSegmentDecoder(pool, choices, format, options, decodeMeters.get(format), scanning);
    }

    @Override
    public List<ChoiceReport> choices(double cpuWeight) {
        return choices.report(cpuWeight, pool.nanoTime());
    }
}
