package io.warpcodec.device.pool;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceException.Failure;
import io.warpcodec.device.driver.DeviceHealth;
import io.warpcodec.device.driver.DeviceInfo;
import io.warpcodec.device.driver.Driver;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.device.lease.LeaseTerms;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One device of the pool and the thread that issues its waves. Thread-safe. */
final class DeviceWorker {
    // The thread alone calls the driver, and only calls that do not wait; while waves are under way it polls their
    // streams (WaveIssuer). No thread holds a lock during a driver call. The device may be given up, by the thread or
    // by a thread that found it silent. Then nothing is freed and no further call is made. The thread may then be
    // inside a call that never returns, and no task waits for it.

    private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(10);
    /**
     * Few: where more threads run than there are cores, a thread that has spun for its share waits for its next one.
     */
    private static final int SPINS_BEFORE_PARKING = 20;

    private static final Logger LOG = LoggerFactory.getLogger(DeviceWorker.class);

    private final Driver driver;
    private final DeviceInfo info;
    private final PoolLimits limits;
    private final long pinnedMaxBytes;
    private final WavePrograms loader;
    private final Function<String, LongAdder> counters;
    private final DeviceHealth health = new DeviceHealth();
    private final Thread thread;

    private volatile DeviceResources resources;
    /** Turns of the thread's loop so far: it answers as long as this grows. */
    private volatile long turns;

    private final LongSupplier clock;
    private final SilenceWatch watch;
    private final Runnable whenMemoryComesBack;

    /** Written by a thread that holds this monitor. */
    private volatile Phase phase = Phase.NEW;

    /** Written before the phase that says that there is one, and read behind it. */
    private FallbackReason unavailableReason;

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
            LongSupplier clock,
            Runnable whenMemoryComesBack) {
        this.whenMemoryComesBack = whenMemoryComesBack;
        this.driver = driver;
        this.info = info;
        this.limits = limits;
        this.pinnedMaxBytes = pinnedMaxBytes;
        this.loader = loader;
        this.counters = counters;
        this.clock = clock;
        watch = new SilenceWatch(clock, () -> turns);
        thread = new Thread(this::run, "warpcodec device " + info.ordinal());
        thread.setDaemon(true);
    }

    // ---- for the pool and for tasks: each batch comes through here, so the monitor is taken only where the phase asks
    // for it

    /** Starts the thread, if it was not. */
    void start() {
        if (phase != Phase.NEW) {
            return;
        }
        synchronized (this) {
            if (phase == Phase.NEW) {
                phase = Phase.STARTING;
                thread.start();
            }
        }
    }

    /** Waits until the device runs or it is known that it does not. */
    void awaitStart(long deadlineNanos) throws InterruptedException {
        if (phase != Phase.STARTING) {
            return;
        }
        synchronized (this) {
            while (phase == Phase.STARTING) {
                long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
                if (leftMillis <= 0) {
                    return;
                }
                wait(leftMillis);
            }
        }
    }

    /** Why this device takes nothing, for good; null while it does, or might. */
    FallbackReason unavailableReason() {
        return switch (phase) {
            case NEW, STARTING, RUNNING -> null;
            case UNAVAILABLE -> unavailableReason;
            case LOST -> FallbackReason.DEVICE_LOST;
            case CLOSING, CLOSED -> FallbackReason.POOL_CLOSED;
        };
    }

    /** The device's leases while it runs, else null. */
    private LeaseBook running() {
        return phase == Phase.RUNNING ? resources.leases() : null;
    }

    boolean isRunning() {
        return running() != null;
    }

    /** Most output bytes of a lease of any program; 0 while it does not run. */
    int mostLeaseBytes() {
        LeaseBook leases = running();
        return leases == null ? 0 : leases.mostLeaseBytes();
    }

    /** Most output bytes of one lease of a program; 0 while it does not run. */
    int mostOutputBytes(String program) {
        LeaseBook leases = running();
        return leases == null ? 0 : leases.mostOutputBytes(program);
    }

    /** Most entries of a job; 0 while it does not run. */
    int mostEntries() {
        LeaseBook leases = running();
        return leases == null ? 0 : leases.maxWaveEntries();
    }

    /** Output bytes that are queued or in waves. */
    long outstandingBytes() {
        DeviceResources opened = resources;
        return opened == null ? 0 : opened.leases().outstandingBytes();
    }

    /** Output bytes that are queued or in waves, or will be when tasks have filled what they were lent. */
    long loadBytes() {
        DeviceResources opened = resources;
        return opened == null ? 0 : opened.leases().loadBytes();
    }

    /** Page-locked bytes that are lent now. */
    long lentBytes() {
        DeviceResources opened = resources;
        return opened == null ? 0 : opened.leases().lentBytes();
    }

    /** Page-locked bytes, lent or not. */
    long pinnedBytes() {
        DeviceResources opened = resources;
        return opened == null ? 0 : opened.leases().pinnedBytes();
    }

    /** Results that were taken back unread so far. */
    long revokedCount() {
        DeviceResources opened = resources;
        return opened == null ? 0 : opened.leases().revokedCount();
    }

    /** Admits a task, or null when no memory is free for it now. */
    OwnLease tryLease(String program, int inputBytes, int outputBytes, int entryCount) {
        LeaseBook leases = running();
        return leases == null || !resources.programs().containsKey(program)
                ? null
                : leases.tryLease(this, program, inputBytes, outputBytes, entryCount);
    }

    /** Why this device, which runs, would never admit such a lease; null if it may at another time, or does not run. */
    FallbackReason lastingRefusal(String program, int inputBytes, int outputBytes, int entryCount) {
        LeaseBook leases = running();
        if (leases == null) {
            return null;
        }
        if (!resources.programs().containsKey(program)) {
            return FallbackReason.NO_KERNELS;
        }
        return leases.admits(program, inputBytes, outputBytes, entryCount) ? null : FallbackReason.OVER_MEMORY;
    }

    /** A lease of memory that this device has {@linkplain #lock page-locked}; null while it does not run. */
    OwnLease leaseOf(PinnedBuffer memory, LeaseTerms terms, Runnable giveBack, Consumer<OwnLease> whenOver) {
        return running() == null ? null : OwnLease.foreign(this, terms, memory, giveBack, whenOver);
    }

    /**
     * Page-locks memory for all devices; null while this one does not run.
     *
     * @throws DeviceException if the driver refuses
     */
    PinnedBuffer lock(ByteBuffer memory) throws DeviceException {
        return running() == null ? null : resources.lock(memory);
    }

    /** Unlocks such memory, whichever device locked it; whether that is done. */
    boolean unlock(PinnedBuffer locked) {
        return running() != null && resources.unlock(locked);
    }

    /** The book that this worker's leases are in. */
    LeaseBook leases() {
        return resources.leases();
    }

    /** Time as waiting tasks see it, in nanoseconds. */
    LongSupplier clock() {
        return clock;
    }

    /** Work was queued. */
    void wake() {
        LockSupport.unpark(thread);
    }

    /**
     * Looks whether the device's thread answers while it has work, and gives the device up if it has not for as long
     * as the watchdog allows: it is inside a driver call that does not return. Called by every thread that waits for
     * this device, and by a service now and then.
     */
    void checkAlive() {
        DeviceResources opened = resources;
        if (opened == null || health.death() != null) {
            return;
        }
        if (watch.silentNanos(opened.leases().outstandingBytes() > 0) > limits.watchdogNanos()) {
            giveUp("a driver call has not returned for " + limits.watchdogText());
        }
    }

    // ---- the device's thread

    private void run() {
        try {
            if (!open()) {
                return;
            }
            WaveIssuer issuer = new WaveIssuer(resources, limits, health, this::giveUp, counters, clock);
            int idleTurns = 0;
            while (health.death() == null) {
                turns++;
                boolean progress = issuer.turn();
                idleTurns = progress ? 0 : idleTurns + 1;
                if (!progress && !issuer.isBusy()) {
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
        if (!resources.leases().hasQueued() && isRunning()) {
            LockSupport.park(this);
        }
    }

    private boolean open() {
        FallbackReason why;
        String reason;
        try {
            DeviceResources opened = DeviceResources.open(Device.open(driver, info), limits, pinnedMaxBytes, loader);
            opened.leases().whenMemoryComesBack(whenMemoryComesBack);
            synchronized (this) {
                resources = opened;
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
            unavailableReason = why;
            phase = Phase.UNAVAILABLE;
            notifyAll();
        }
        return false;
    }

    /**
     * Gives the device up for this process. Every task that waits for it is told; nothing is freed. Any thread may
     * call.
     */
    private void giveUp(String reason) {
        if (!health.giveUp(reason)) {
            return;
        }
        counters.apply("pool.devices-lost").increment();
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
        DeviceResources opened = resources;
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
            if (resources != null) {
                resources.leases().stopAdmitting(FallbackReason.POOL_CLOSED);
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

    /**
     * With no wave under way: frees everything if the pool closes. If memory is lent it is left to the process's end.
     */
    private boolean closeIfAsked() {
        synchronized (this) {
            if (phase != Phase.CLOSING || resources.leases().hasQueued()) {
                return false;
            }
            phase = Phase.CLOSED;
        }
        if (resources.leases().lentBytes() == 0) {
            resources.free();
        }
        return true;
    }
}
