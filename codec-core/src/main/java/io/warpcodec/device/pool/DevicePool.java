package io.warpcodec.device.pool;

import io.warpcodec.device.driver.CudaDriver;
import io.warpcodec.device.driver.DeviceInfo;
import io.warpcodec.device.driver.Driver;
import io.warpcodec.metrics.FallbackReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * The devices that this process works on: one thread each, memory taken once, work of many tasks merged into waves. What finds no free memory is refused; a task that
 * can do nothing else may {@linkplain #attempt wait} for memory to come back.
 *
 * <p>Opening takes nothing; devices start, in the background, when {@link #start} is first called. Closing waits for the waves under way, at most {@link #CLOSE_NANOS}, and
 * makes no call on a device that was given up. A JVM that exits closes nothing and waits for nothing: its threads for devices are daemons, and the driver takes back what a
 * process held, after it has stopped what still touched it. Thread-safe.
 */
public final class DevicePool implements AutoCloseable {
    /** Longest that closing takes. */
    static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(4);

    private static final long MILLISECOND_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** System property that names the owner of this JVM's pool, which class loaders do not share otherwise. */
    static final String OWNER_PROPERTY = "warpcodec.pool.owner";

    private final List<DeviceWorker> workers = new ArrayList<>();
    private final MemoryTurns turns = new MemoryTurns();
    private final String owner;
    private final LongSupplier clock;

    private DevicePool(
            Driver driver,
            List<DeviceInfo> devices,
            PoolLimits limits,
            WavePrograms programs,
            Function<String, LongAdder> counters,
            String owner,
            LongSupplier clock) {
        this.owner = owner;
        this.clock = clock;
        for (DeviceInfo device : devices) {
            long pinnedMaxBytes = limits.pinnedMaxBytes() / devices.size();
            workers.add(new DeviceWorker(
                    driver, device, limits, pinnedMaxBytes, programs, counters, clock, turns::cameBack));
        }
    }

    /**
     * The pool of this JVM over these devices.
     *
     * @param programs what the devices are to do
     * @param counters gives the counter of a name: {@code pool.waves}, {@code pool.leases}, {@code pool.wave-splits},
     *     {@code pool.devices-lost}
     * @return empty if another copy of these classes, under another class loader, has this JVM's pool
     */
    public static Optional<DevicePool> open(
            List<DeviceInfo> devices, PoolLimits limits, WavePrograms programs, Function<String, LongAdder> counters) {
        String owner = DevicePool.class.getClassLoader() + ", pool " + System.identityHashCode(devices);
        if (System.getProperties().putIfAbsent(OWNER_PROPERTY, owner) != null) {
            return Optional.empty();
        }
        return Optional.of(
                new DevicePool(CudaDriver.INSTANCE, devices, limits, programs, counters, owner, System::nanoTime));
    }

    /** A pool on another driver, beside this JVM's; its watchdog and waiting streams look at this clock, in nanoseconds. */
    static DevicePool open(
            Driver driver,
            List<DeviceInfo> devices,
            PoolLimits limits,
            WavePrograms programs,
            Function<String, LongAdder> counters,
            LongSupplier clock) {
        return new DevicePool(driver, devices, limits, programs, counters, null, clock);
    }

    /** What the pool's clock shows, in nanoseconds, as {@link System#nanoTime}: by which a stream that waits for free memory here judges how long it has. */
    public long nanoTime() {
        return clock.getAsLong();
    }

    /** Lets the devices start, which takes up to some seconds, and does not wait for it. */
    public void start() {
        workers.forEach(DeviceWorker::start);
    }

    /**
     * Starts the devices and waits until each runs or has turned out not to.
     *
     * @throws InterruptedException if interrupted; they go on starting
     */
    public void awaitStart(long timeoutNanos) throws InterruptedException {
        start();
        long deadlineNanos = System.nanoTime() + timeoutNanos;
        for (DeviceWorker worker : workers) {
            worker.awaitStart(deadlineNanos);
        }
    }

    /**
     * Starts the devices and waits until one runs, or none will; not at all for less than a millisecond.
     *
     * @throws InterruptedException if interrupted; they go on starting
     */
    public void awaitFirst(long timeoutNanos) throws InterruptedException {
        start();
        long begin = System.nanoTime();
        while (!isRunning()
                && unavailableReason() == null
                && timeoutNanos - (System.nanoTime() - begin) >= MILLISECOND_NANOS) {
            Thread.sleep(1);
        }
    }

    /** Why no device will take work any more; null while one does, or has not started yet. */
    public FallbackReason unavailableReason() {
        FallbackReason reason = FallbackReason.NO_DEVICE;
        for (DeviceWorker worker : workers) {
            reason = worker.unavailableReason();
            if (reason == null) {
                return null;
            }
        }
        return reason;
    }

    /** Whether a device takes work now. */
    public boolean isRunning() {
        for (DeviceWorker worker : workers) {
            if (worker.isRunning()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Admits a task to the device that has the least to do. Never waits.
     *
     * @param program name of the kind of work
     * @param inputBytes page-locked memory for input, at least 1
     * @param outputBytes page-locked memory for output, at least 1
     * @param entryCount most entries of the job
     * @return null if no device has free memory for it now
     */
    public DeviceLease tryLease(String program, int inputBytes, int outputBytes, int entryCount) {
        if (inputBytes < 1 || outputBytes < 1 || entryCount < 0) {
            throw new IllegalArgumentException(
                    inputBytes + " bytes in, " + outputBytes + " bytes out, " + entryCount + " units");
        }
        DeviceWorker first = leastLoaded();
        DeviceLease lease = first == null ? null : first.tryLease(program, inputBytes, outputBytes, entryCount);
        for (DeviceWorker worker : workers) {
            if (lease == null && worker != first) {
                lease = worker.tryLease(program, inputBytes, outputBytes, entryCount);
            }
        }
        return lease;
    }

    /**
     * Why {@link #tryLease} gave nothing for these sizes: {@link FallbackReason#POOL_FULL} if a device may at another time, or is starting; else what all
     * devices lack for it.
     */
    public FallbackReason refusalReason(String program, int inputBytes, int outputBytes, int entryCount) {
        FallbackReason reason = unavailableReason();
        if (reason != null) {
            return reason;
        }
        for (DeviceWorker worker : workers) {
            if (worker.unavailableReason() == null) {
                reason = worker.lastingRefusal(program, inputBytes, outputBytes, entryCount);
                if (reason == null) {
                    return FallbackReason.POOL_FULL;
                }
            }
        }
        return reason == null ? FallbackReason.POOL_FULL : reason;
    }

    /** Whether a running device would admit such a lease if all of its memory were free. */
    public boolean mayLease(String program, int inputBytes, int outputBytes, int entryCount) {
        return workers.stream()
                .anyMatch(worker -> worker.isRunning()
                        && worker.lastingRefusal(program, inputBytes, outputBytes, entryCount) == null);
    }

    /** The most input bytes, and output bytes, that one lease may have now: what a wave of the largest running device holds; 0 if none runs. */
    public int mostLeaseBytes() {
        int most = 0;
        for (DeviceWorker worker : workers) {
            most = Math.max(most, worker.mostLeaseBytes());
        }
        return most;
    }

    /** The most output bytes that one lease of a program may have now; more than {@link #mostLeaseBytes} if it takes long ones. 0 if no device runs it. */
    public int mostOutputBytes(String program) {
        int most = 0;
        for (DeviceWorker worker : workers) {
            most = Math.max(most, worker.mostOutputBytes(program));
        }
        return most;
    }

    private DeviceWorker leastLoaded() {
        DeviceWorker least = null;
        long leastBytes = Long.MAX_VALUE;
        for (DeviceWorker worker : workers) {
            long bytes = worker.isRunning() ? worker.outstandingBytes() : Long.MAX_VALUE;
            if (bytes < leastBytes) {
                least = worker;
                leastBytes = bytes;
            }
        }
        return least;
    }

    /** Output bytes queued or under way on the device that has the least to do, which is where the next task goes; 0 if none runs. */
    public long backlogBytes() {
        DeviceWorker least = leastLoaded();
        return least == null ? 0 : least.outstandingBytes();
    }

    /** Output bytes queued or under way, on all devices. */
    public long outstandingBytes() {
        return sum(DeviceWorker::outstandingBytes);
    }

    /** Results that were not fetched in time and whose memory was lent again, so far. */
    public long revokedCount() {
        return sum(DeviceWorker::revokedCount);
    }

    /** Page-locked bytes lent to tasks, on all devices. */
    public long lentBytes() {
        return sum(DeviceWorker::lentBytes);
    }

    /** Whether more than half of the page-locked memory is lent, so that a stream should take no more than it needs now. */
    public boolean isCrowded() {
        return lentBytes() > pinnedBytes() / 2;
    }

    /** Whether at most a quarter of it is, so that a stream may take more than it needs to work well beside others. */
    public boolean isQuiet() {
        return lentBytes() <= pinnedBytes() / 4;
    }

    /** Whether more than three quarters of it are, so that a stream should not take what it needs next. */
    public boolean isNearlyFull() {
        return lentBytes() > pinnedBytes() / 4 * 3;
    }

    private long pinnedBytes() {
        return sum(DeviceWorker::pinnedBytes);
    }

    /** A loop, as streams ask this for each batch. */
    private long sum(ToLongFunction<DeviceWorker> ofWorker) {
        long sum = 0;
        for (DeviceWorker worker : workers) {
            sum += ofWorker.applyAsLong(worker);
        }
        return sum;
    }

    /** Whether a task waits in {@link #attempt}: what is only read ahead should leave the memory to it. */
    public boolean isAwaited() {
        return turns.isAwaited();
    }

    /**
     * Makes an attempt to get a lease, and again whenever memory has come back, until one succeeds. For a task that can do nothing else meanwhile.
     *
     * @param attempt asks {@link #tryLease}, and tells whether the task needs to wait no longer
     * @param nanos how long it waits at most
     * @return what the last attempt told
     * @throws InterruptedException if interrupted while it waited
     */
    public boolean attempt(BooleanSupplier attempt, long nanos) throws InterruptedException {
        return turns.attempt(attempt, nanos);
    }

    /** Takes no more work, waits for what is under way, and frees what no device may still touch. Idempotent. */
    @Override
    public void close() {
        long deadlineNanos = System.nanoTime() + CLOSE_NANOS;
        workers.forEach(DeviceWorker::startClosing);
        try {
            for (DeviceWorker worker : workers) {
                worker.awaitEnd(deadlineNanos);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (owner != null) {
            System.getProperties().remove(OWNER_PROPERTY, owner);
        }
    }
}
