package io.warpcodec.device.pool;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceException.Failure;
import io.warpcodec.device.driver.DeviceHealth;
import io.warpcodec.device.driver.DeviceInfo;
import io.warpcodec.device.driver.Driver;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.metrics.FallbackReason;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One device of the pool and the thread that issues its waves. Thread-safe. */
final class DeviceWorker {
    // The thread alone calls the driver, and only calls that do not wait; while waves are under way it polls their
    // streams. No thread holds a lock during a driver call. When the device is given up, by the thread or by a task
    // that
    // found it silent, nothing is freed and no further call is made; the thread may then be inside a call that never
    // returns, and no task waits for it.

    private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(10);
    private static final int SPINS_BEFORE_PARKING = 200;
    /** So many failed waves in a row, none of them fatal, mean that something is wrong with the device all the same. */
    static final int MOST_FAILED_WAVES = 16;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Logger LOG = LoggerFactory.getLogger(DeviceWorker.class);

    private final Driver driver;
    private final DeviceInfo info;
    private final PoolLimits limits;
    private final long pinnedMaxBytes;
    private final WavePrograms loader;
    private final Function<String, LongAdder> counters;
    private final DeviceHealth health = new DeviceHealth();
    private final Thread thread;

    private volatile DeviceResources room;
    /** Turns of the thread's loop so far: it answers as long as this grows. */
    private volatile long turns;

    private final LongSupplier clock;
    // of the device's thread alone
    private final ObservedTime observed;
    private int failedWavesInARow;
    private long chargedNanos;

    // guarded by this
    private Phase phase = Phase.NEW;
    private FallbackReason unavailability;

    /** Where a worker stands. */
    private enum Phase {
        NEW,
        STARTING,
        RUNNING,
        /** Cannot be used, for a reason that was found at the start. */
        UNAVAILABLE,
        LOST,
        CLOSING,
        CLOSED
    }

    DeviceWorker(
            Driver driver,
            DeviceInfo info,
            PoolLimits limits,
            long pinnedMaxBytes,
            WavePrograms loader,
            Function<String, LongAdder> counters,
            LongSupplier clock) {
        this.driver = driver;
        this.info = info;
        this.limits = limits;
        this.pinnedMaxBytes = pinnedMaxBytes;
        this.loader = loader;
        this.counters = counters;
        this.clock = clock;
        observed = new ObservedTime(clock);
        thread = new Thread(this::run, "warpcodec device " + info.ordinal());
        thread.setDaemon(true);
    }

    DeviceInfo info() {
        return info;
    }

    // ---- for the pool and for tasks

    /** Starts the thread, if it was not. */
    synchronized void start() {
        if (phase == Phase.NEW) {
            phase = Phase.STARTING;
            thread.start();
        }
    }

    /** Waits until the device runs or it is known that it does not. */
    synchronized void awaitStart(long deadlineNanos) throws InterruptedException {
        while (phase == Phase.STARTING) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
            if (leftMillis <= 0) {
                return;
            }
            wait(leftMillis);
        }
    }

    /** Why this device takes nothing, for good; null while it does, or might. */
    synchronized FallbackReason unavailability() {
        return switch (phase) {
            case NEW, STARTING, RUNNING -> null;
            case UNAVAILABLE -> unavailability;
            case LOST -> FallbackReason.DEVICE_LOST;
            case CLOSING, CLOSED -> FallbackReason.POOL_CLOSED;
        };
    }

    /** The device's leases while it runs, else null. */
    private synchronized LeaseBook running() {
        return phase == Phase.RUNNING ? room.leases() : null;
    }

    boolean isRunning() {
        return running() != null;
    }

    /** The largest lease that a wave can hold; 0 while it does not run. */
    int mostLeaseBytes() {
        LeaseBook leases = running();
        return leases == null ? 0 : leases.maxWaveBytes();
    }

    /** Output bytes that are queued or in waves. */
    long outstandingBytes() {
        DeviceResources opened = room;
        return opened == null ? 0 : opened.leases().outstandingBytes();
    }

    /** Page-locked bytes that are lent now. */
    long lentBytes() {
        DeviceResources opened = room;
        return opened == null ? 0 : opened.leases().lentBytes();
    }

    /** Page-locked bytes, lent or not. */
    long pinnedBytes() {
        DeviceResources opened = room;
        return opened == null ? 0 : opened.leases().pinnedBytes();
    }

    /** Results that were taken back unread so far. */
    long revokedCount() {
        DeviceResources opened = room;
        return opened == null ? 0 : opened.leases().revokedCount();
    }

    /** Admits a task, or null when there is no room for it now. */
    DeviceLease tryLease(String program, int inputBytes, int outputBytes, int unitCount) {
        LeaseBook leases = running();
        return leases == null || !room.programs().containsKey(program)
                ? null
                : leases.tryLease(this, program, inputBytes, outputBytes, unitCount);
    }

    /** The book that this worker's leases are in. */
    LeaseBook leases() {
        return room.leases();
    }

    void enqueue(DeviceLease lease) {
        leases().enqueue(lease);
        LockSupport.unpark(thread);
    }

    /** A watch over the device's thread, for one wait of a task whose lease is queued or in a wave: so the thread must not sleep. */
    SilenceWatch watch() {
        return new SilenceWatch(clock, () -> turns);
    }

    /** Gives the device up if a task has seen its thread stop answering: it is inside a driver call that does not return. */
    void checkAlive(SilenceWatch watch) {
        if (watch.silentNanos() > limits.watchdogNanos()) {
            giveUp("a driver call has not returned for " + seconds(limits.watchdogNanos()));
        }
    }

    // ---- the device's thread

    private void run() {
        try {
            if (!open()) {
                return;
            }
            chargedNanos = usedNanos();
            int idleTurns = 0;
            while (health.death() == null) {
                turns++;
                observed.step();
                boolean progress = false;
                boolean busy = false;
                for (WaveSlot slot : room.slots()) {
                    progress |= turn(slot);
                    busy |= slot.run() != null;
                }
                idleTurns = progress ? 0 : idleTurns + 1;
                if (!busy && !progress) {
                    if (closeIfAsked()) {
                        return;
                    }
                    awaitWork();
                } else if (idleTurns > SPINS_BEFORE_PARKING) {
                    LockSupport.parkNanos(POLL_NANOS);
                } else {
                    Thread.onSpinWait();
                }
            }
        } catch (Throwable defect) {
            giveUp("its thread failed: " + defect);
            LOG.debug("device thread", defect);
        }
    }

    private void awaitWork() {
        if (!room.leases().hasQueued() && isRunning()) {
            LockSupport.park(this);
        }
    }

    private boolean open() {
        FallbackReason why;
        String reason;
        try {
            DeviceResources opened = DeviceResources.open(Device.open(driver, info), limits, pinnedMaxBytes, loader);
            synchronized (this) {
                room = opened;
                phase = phase == Phase.CLOSING ? phase : Phase.RUNNING;
                notifyAll();
            }
            return true;
        } catch (KernelUnavailableException unavailable) {
            why = FallbackReason.NO_KERNELS;
            reason = unavailable.getMessage();
        } catch (DeviceException failed) {
            why = failed.failure() == Failure.OUT_OF_MEMORY
                    ? FallbackReason.OUT_OF_MEMORY
                    : FallbackReason.DEVICE_FAILED;
            reason = failed.getMessage();
        }
        LOG.info("GPU {} ({}) is not used: {}", info.ordinal(), info.name(), reason);
        synchronized (this) {
            phase = Phase.UNAVAILABLE;
            unavailability = why;
            notifyAll();
        }
        return false;
    }

    /** Moves a slot's wave on, or gives it one; whether anything came of it. */
    private boolean turn(WaveSlot slot) {
        boolean progress = slot.run() != null && poll(slot);
        if (slot.run() == null && health.death() == null) {
            progress |= issueNext(slot);
        }
        return progress;
    }

    private boolean issueNext(WaveSlot slot) {
        List<DeviceLease> leases = room.leases().takeForWave(limits.lingerNanos());
        if (leases.isEmpty()) {
            return false;
        }
        List<Wave.Share> shares = new ArrayList<>(leases.size());
        long inputAt = 0;
        long outputAt = 0;
        for (DeviceLease lease : leases) {
            shares.add(new Wave.Share(lease, inputAt, outputAt));
            inputAt += WaveSlot.aligned(lease.inputBytes());
            outputAt += WaveSlot.aligned(lease.outputBytes());
        }
        WaveProgram program = room.programs().get(leases.get(0).program());
        WaveRun run = new WaveRun(leases, program, new Wave(slot, shares), observed.nanos());
        slot.begin(run);
        count("waves");
        try {
            for (Wave.Share share : shares) {
                DeviceLease lease = share.lease();
                slot.stream().upload(lease.inputPart(), slot.input().slice(share.inputOffset(), lease.inputBytes()));
            }
            advance(slot, run);
        } catch (DeviceException failed) {
            failed(run, failed);
        }
        return true;
    }

    private void advance(WaveSlot slot, WaveRun run) throws DeviceException {
        if (!run.program.advance(run.wave, run.nextStep++)) {
            slot.end();
            failedWavesInARow = 0;
            charge(run);
            room.leases().complete(run);
            counters.apply("pool.leases").add(run.leases.size());
        }
    }

    /** Tells the tasks of a wave what they cost this thread, polling included. */
    private void charge(WaveRun run) {
        long used = usedNanos();
        double nanosPerByte = (double) (used - chargedNanos) / Math.max(1, run.outputBytes());
        chargedNanos = used;
        run.leases.forEach(lease -> lease.poolNanos = (long) (nanosPerByte * lease.outputBytes()));
    }

    /** Processor time of this thread so far; 0 where the JVM does not tell. */
    private static long usedNanos() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? Math.max(0, THREADS.getCurrentThreadCpuTime()) : 0;
    }

    private boolean poll(WaveSlot slot) {
        WaveRun run = slot.run();
        try {
            if (!slot.stream().isDone()) {
                if (observed.nanos() - run.startNanos > limits.watchdogNanos()) {
                    giveUp("a wave of " + run.outputBytes() + " bytes did not end within "
                            + seconds(limits.watchdogNanos()));
                }
                return false;
            }
        } catch (DeviceException failed) {
            if (run.failure != null) {
                // asked once more after a failure, the driver still has no good answer
                giveUp(failed.getMessage());
            } else {
                failed(run, failed);
            }
            return true;
        }
        if (run.failure != null) {
            slot.end();
            recover(run);
            return true;
        }
        try {
            advance(slot, run);
        } catch (DeviceException failed) {
            failed(run, failed);
        }
        return true;
    }

    private void failed(WaveRun run, DeviceException failure) {
        if (failure.failure() == Failure.DEVICE_LOST) {
            giveUp(failure.getMessage());
        } else {
            run.failure = failure;
        }
    }

    /** After a failure that the device survives: once more in smaller waves if memory was short, else the tasks do it. */
    private void recover(WaveRun run) {
        failedWavesInARow++;
        LOG.debug("wave failed: {}", run.failure.getMessage());
        boolean memory = run.failure.failure() == Failure.OUT_OF_MEMORY;
        if (failedWavesInARow >= MOST_FAILED_WAVES && !memory) {
            giveUp(failedWavesInARow + " waves failed in a row, the last with " + run.failure.getMessage());
        } else if (memory && run.leases.size() > 1) {
            room.leases().requeueForSmallerWaves(run);
            count("wave-splits");
        } else {
            room.leases().fail(run, memory ? FallbackReason.OUT_OF_MEMORY : FallbackReason.DRIVER_ERROR);
        }
    }

    /** Gives the device up for this process. Everybody who waits for it is told; nothing is freed. Any thread may call. */
    private void giveUp(String reason) {
        if (!health.giveUp(reason)) {
            return;
        }
        synchronized (this) {
            phase = Phase.LOST;
            notifyAll();
        }
        LOG.error(
                "GPU {} ({}, {}) is given up until this process ends; its work goes on on the CPU: {}. The kernel log may"
                        + " have an Xid line that says more",
                info.ordinal(),
                info.name(),
                info.busId(),
                reason);
        count("devices-lost");
        DeviceResources opened = room;
        if (opened != null) {
            opened.abandon(reason);
            opened.leases().lose();
        }
        LockSupport.unpark(thread);
    }

    // ---- the end

    /** Takes no more work and asks the thread to end when what it has is done. */
    void startClosing() {
        synchronized (this) {
            if (phase == Phase.NEW) {
                phase = Phase.CLOSED;
            } else if (phase == Phase.STARTING || phase == Phase.RUNNING) {
                phase = Phase.CLOSING;
            }
            if (room != null) {
                room.leases().stopAdmitting(FallbackReason.POOL_CLOSED);
            }
            notifyAll();
        }
        LockSupport.unpark(thread);
    }

    /** Waits for the thread to end, unless the device is lost: then it may be inside a call that never returns. */
    void awaitEnd(long deadlineNanos) throws InterruptedException {
        if (thread != Thread.currentThread() && health.death() == null) {
            long millis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
            thread.join(Math.max(1, millis));
        }
    }

    /** With no wave under way: frees everything if the pool closes. If memory is lent it is left to the process's end. */
    private boolean closeIfAsked() {
        synchronized (this) {
            if (phase != Phase.CLOSING || room.leases().hasQueued()) {
                return false;
            }
            phase = Phase.CLOSED;
        }
        if (room.leases().lentBytes() == 0) {
            room.free();
        }
        return true;
    }

    private void count(String what) {
        counters.apply("pool." + what).increment();
    }

    private static String seconds(long nanos) {
        long millis = nanos / 1_000_000;
        return millis / 1e3 + " s";
    }
}
