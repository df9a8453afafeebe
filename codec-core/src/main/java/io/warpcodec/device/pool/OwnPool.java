package io.warpcodec.device.pool;

import io.warpcodec.device.driver.CudaDriver;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceInfo;
import io.warpcodec.device.driver.Driver;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.device.lease.LeaseTerms;
import io.warpcodec.device.lease.MemoryTurns;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * The devices that this process works on: one thread each, memory taken once, work of many tasks merged into waves.
 * What finds no free memory is refused; a task that can do nothing else may {@linkplain #attempt wait} for memory to
 * come back.
 *
 * <p>Opening takes nothing; devices start, in the background, when {@link #start} is first called. Closing waits for
 * the waves under way, at most {@link #CLOSE_NANOS}, and makes no call on a device that was given up. A JVM that
 * exits closes nothing and waits for nothing: its threads for devices are daemons, and the driver takes back what a
 * process held, after it has stopped what still touched it. Thread-safe.
 */
public final class OwnPool implements DevicePool {
    /** Longest that closing takes. */
    static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(4);

    private static final long MILLISECOND_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** System property that names the owner of this JVM's pool, which class loaders do not share otherwise. */
    static final String OWNER_PROPERTY = "warpcodec.pool.owner";

    private final List<DeviceWorker> workers = new ArrayList<>();
    private final MemoryTurns turns;
    private final String owner;
    private final LongSupplier clock;

    private OwnPool(
            Driver driver,
            List<DeviceInfo> devices,
            PoolLimits limits,
            WavePrograms programs,
            Function<String, LongAdder> counters,
            String owner,
            LongSupplier clock) {
        this.owner = owner;
        this.clock = clock;
        turns = new MemoryTurns(clock);
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
    public static Optional<OwnPool> open(
            List<DeviceInfo> devices, PoolLimits limits, WavePrograms programs, Function<String, LongAdder> counters) {
        String owner = OwnPool.class.getClassLoader() + ", pool " + System.identityHashCode(devices);
        if (System.getProperties().putIfAbsent(OWNER_PROPERTY, owner) != null) {
            return Optional.empty();
        }
        return Optional.of(
                new OwnPool(CudaDriver.INSTANCE, devices, limits, programs, counters, owner, System::nanoTime));
    }

    /**
     * A pool on another driver, beside this JVM's; its watchdog and waiting streams look at this clock, in nanoseconds.
     */
    static OwnPool open(
            Driver driver,
            List<DeviceInfo> devices,
            PoolLimits limits,
            WavePrograms programs,
            Function<String, LongAdder> counters,
            LongSupplier clock) {
        return new OwnPool(driver, devices, limits, programs, counters, null, clock);
    }

    @Override
    public long nanoTime() {
        return clock.getAsLong();
    }

    @Override
    public void start() {
        workers.forEach(DeviceWorker::start);
    }

    @Override
    public void awaitStart(long timeoutNanos) throws InterruptedException {
        start();
        long deadlineNanos = System.nanoTime() + timeoutNanos;
        for (DeviceWorker worker : workers) {
            worker.awaitStart(deadlineNanos);
        }
    }

    @Override
    public void awaitFirst(long timeoutNanos) throws InterruptedException {
        start();
        long begin = System.nanoTime();
        while (!isRunning()
                && unavailableReason() == null
                && timeoutNanos - (System.nanoTime() - begin) >= MILLISECOND_NANOS) {
            Thread.sleep(1);
        }
    }

    @Override
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

    @Override
    public boolean isRunning() {
        for (DeviceWorker worker : workers) {
            if (worker.isRunning()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public OwnLease tryLease(String program, int inputBytes, int outputBytes, int entryCount) {
        return leaseOfLeastLoaded(worker -> worker.tryLease(program, inputBytes, outputBytes, entryCount));
    }

    @Override
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

    @Override
    public boolean mayLease(String program, int inputBytes, int outputBytes, int entryCount) {
        return workers.stream()
                .anyMatch(worker -> worker.isRunning()
                        && worker.lastingRefusal(program, inputBytes, outputBytes, entryCount) == null);
    }

    @Override
    public int mostLeaseBytes() {
        int most = 0;
        for (DeviceWorker worker : workers) {
            most = Math.max(most, worker.mostLeaseBytes());
        }
        return most;
    }

    @Override
    public int mostOutputBytes(String program) {
        int most = 0;
        for (DeviceWorker worker : workers) {
            most = Math.max(most, worker.mostOutputBytes(program));
        }
        return most;
    }

    /**
     * Page-locks memory that was there before, for all devices, by a call on the first that is not lost; null if none
     * runs. Takes milliseconds.
     *
     * @param memory direct
     * @throws DeviceException if the driver refuses
     */
    public PinnedBuffer lock(ByteBuffer memory) throws DeviceException {
        DeviceException loss = null;
        for (DeviceWorker worker : workers) {
            try {
                PinnedBuffer locked = worker.lock(memory);
                if (locked != null) {
                    return locked;
                }
            } catch (DeviceException failed) {
                if (failed.failure() != DeviceException.Failure.DEVICE_LOST) {
                    throw failed;
                }
                loss = failed;
            }
        }
        if (loss != null) {
            throw loss;
        }
        return null;
    }

    /**
     * Unlocks such memory, which no device touches any more, by a call on any device that runs: its own may be lost.
     * Takes milliseconds. Returns whether it is unlocked; else it stays locked until the process ends.
     */
    public boolean unlock(PinnedBuffer locked) {
        for (DeviceWorker worker : workers) {
            if (worker.unlock(locked)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Admits work whose memory is {@linkplain #lock locked} already, to the device that has the least to do of those
     * that do such work. Never waits.
     *
     * @param memory input, then output at the next multiple of 256 bytes
     * @param giveBack told once no device touches the memory any more; never if the device is lost
     * @param whenOver told that the work is done or has failed, unless the lease was closed before
     * @return null if no running device does such work
     */
    public OwnLease lease(
            PinnedBuffer memory,
            String program,
            int inputBytes,
            int outputBytes,
            int entryCount,
            Runnable giveBack,
            Consumer<OwnLease> whenOver) {
        LeaseTerms terms = new LeaseTerms(program, inputBytes, outputBytes, entryCount);
        return leaseOfLeastLoaded(worker -> worker.lastingRefusal(program, inputBytes, outputBytes, entryCount) == null
                ? worker.leaseOf(memory, terms, giveBack, whenOver)
                : null);
    }

    /** Most entries of a job that every running device takes; 0 if none runs. */
    public int mostEntries() {
        int most = Integer.MAX_VALUE;
        for (DeviceWorker worker : workers) {
            most = worker.isRunning() ? Math.min(most, worker.mostEntries()) : most;
        }
        return most == Integer.MAX_VALUE ? 0 : most;
    }

    /**
     * Gives up devices that do not answer though they have work, for an owner that awaits no lease. To be called by
     * one thread, ten times a second.
     */
    public void checkAlive() {
        workers.forEach(DeviceWorker::checkAlive);
    }

    /** How many devices take work now. */
    public int runningCount() {
        int count = 0;
        for (DeviceWorker worker : workers) {
            count += worker.isRunning() ? 1 : 0;
        }
        return count;
    }

    /**
     * The lease of the first device that gives one: running devices are asked in the order of what they have to do,
     * least first. A device that never gives such a lease is often idle, and those behind it stay in that order.
     */
    private OwnLease leaseOfLeastLoaded(Function<DeviceWorker, OwnLease> attempt) {
        long[] loads = new long[workers.size()];
        for (int index = 0; index < loads.length; index++) {
            DeviceWorker worker = workers.get(index);
            loads[index] = worker.isRunning() ? worker.loadBytes() : Long.MAX_VALUE;
        }
        while (true) {
            int least = 0;
            for (int index = 1; index < loads.length; index++) {
                least = loads[index] < loads[least] ? index : least;
            }
            if (loads.length == 0 || loads[least] == Long.MAX_VALUE) {
                return null;
            }
            OwnLease lease = attempt.apply(workers.get(least));
            if (lease != null) {
                return lease;
            }
            loads[least] = Long.MAX_VALUE;
        }
    }

    /** Output bytes queued or under way, on all devices. */
    public long outstandingBytes() {
        return sum(DeviceWorker::outstandingBytes);
    }

    /** Results that were not fetched in time and whose memory was lent again, so far. */
    public long revokedCount() {
        return sum(DeviceWorker::revokedCount);
    }

    @Override
    public long lentBytes() {
        return sum(DeviceWorker::lentBytes);
    }

    @Override
    public double lentShare() {
        return (double) lentBytes() / Math.max(1, pinnedBytes());
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

    @Override
    public boolean isAwaited() {
        return turns.isAwaited();
    }

    @Override
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
