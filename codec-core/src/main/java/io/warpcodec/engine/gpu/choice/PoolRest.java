package io.warpcodec.engine.gpu.choice;

import io.warpcodec.device.lease.DeviceLease;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a pool of devices gets work in mode {@code auto}. Threads that waited in vain three times running, all
 * threads taken together, let it rest: a second, twice as long each time, at most a minute. After a rest one piece of
 * work is tried beside the CPU's own, and no thread waits for it: done in time it ends the rest, else another one
 * begins.
 *
 * <p>A pool that does more than the CPU would is not slow but asked for much: what its threads lose by waiting they
 * would lose by sharing processors. It does not rest. Thread-safe.
 */
final class PoolRest {
    static final int LOSSES = 3;
    static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);
    static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(60);

    /**
     * Where threads want more than half of the processors, waits that begin within so long after the pool's first
     * work, or after a rest, are no losses: the threads of devices and compilers have to share processors with them
     * then.
     */
    static final long SETTLING_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The pool's rate is of the work of one to two of these. */
    private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final Logger LOG = LoggerFactory.getLogger(PoolRest.class);

    /** What work is to do. */
    enum Verdict {
        /** Go to a device. */
        WORKS,
        /** Stay with the CPU. */
        RESTS,
        /** Go to a device, and be done by the CPU as well: {@link #tried}. */
        TRY
    }

    /** Work that is tried beside the CPU's. */
    private record Trial(DeviceLease lease, long beginNanos, long boundNanos) {}

    private volatile boolean resting;
    /** Whether the pool has ever been asked. */
    private volatile boolean begun;

    /** Losses running; waits that were not in vain set it back without the monitor, since all threads have them. */
    private volatile int losses;

    private final LongAdder wonBytes = new LongAdder();
    private volatile long windowNanos;

    // guarded by this monitor

    private long lostNanos;
    private long restNanos;
    private long restEndNanos;
    private long workingSinceNanos;
    private Trial trial;
    private boolean trying;

    /** Bytes won when this window began, and when the one before began. */
    private long windowBeginBytes;

    private long lastBeginBytes;

    /**
     * What work that comes now is to do.
     *
     * @param now of the pool's clock, in nanoseconds, here and below
     */
    Verdict ask(long now) {
        if (!begun) {
            begin(now);
        }
        return resting ? askResting(now) : Verdict.WORKS;
    }

    private synchronized void begin(long now) {
        if (!begun) {
            workingSinceNanos = now;
            begun = true;
        }
    }

    /** Whether it rests; a wait for work that it has is of no use then. */
    boolean isResting() {
        return resting;
    }

    private synchronized Verdict askResting(long now) {
        if (!resting) {
            return Verdict.WORKS;
        }
        if (trial != null) {
            judge(now);
        }
        if (!resting) {
            return Verdict.WORKS;
        }
        if (trying || now - restEndNanos < 0) {
            return Verdict.RESTS;
        }
        trying = true;
        return Verdict.TRY;
    }

    /**
     * Work that was to be tried has been submitted.
     *
     * @param lease of it; null if no device had memory
     * @param boundNanos within which a device has to do it
     */
    synchronized void tried(DeviceLease lease, long boundNanos, long now) {
        trying = lease != null;
        trial = lease == null ? null : new Trial(lease, now, boundNanos);
    }

    private void judge(long now) {
        DeviceLease lease = trial.lease;
        boolean done = lease.isOver() && (lease.failure() == null || lease.wasRevoked());
        if (done && lease.elapsedNanos() <= trial.boundNanos) {
            endTrial();
            resting = false;
            losses = 0;
            workingSinceNanos = now;
        } else if (lease.isOver() || now - trial.beginNanos > trial.boundNanos) {
            endTrial();
            rest(now);
        }
    }

    private void endTrial() {
        trial.lease.close();
        trial = null;
        trying = false;
    }

    /** Begins a rest: twice as long as the one before, unless the pool has worked for longer than that since. */
    private void rest(long now) {
        boolean again = resting || restNanos > 0 && now - workingSinceNanos < restNanos;
        restNanos = again ? Math.min(MOST_NANOS, 2 * restNanos) : FIRST_NANOS;
        restEndNanos = now + restNanos;
        resting = true;
    }

    /** Devices did work of so many raw bytes before the thread lost patience. */
    void won(long rawBytes, long now) {
        if (now - windowNanos >= WINDOW_NANOS) {
            roll(now);
        }
        wonBytes.add(rawBytes);
        if (losses > 0) {
            losses = 0;
        }
    }

    /**
     * A thread has waited in vain. Waits at one time are one loss: a wait counts that began when the loss before it
     * was known.
     *
     * @param beginNanos when its wait began
     * @param crowded whether threads want more than half of the processors
     * @param cpuBytesPerNano what the CPU would do at least for the threads that have work
     */
    synchronized void lost(long beginNanos, boolean crowded, double cpuBytesPerNano, long now) {
        roll(now);
        boolean settling = crowded && beginNanos - workingSinceNanos < SETTLING_NANOS;
        if (settling || losses > 0 && beginNanos - lostNanos < 0) {
            return;
        }
        int running = losses + 1;
        losses = running;
        lostNanos = now;
        double nanos = WINDOW_NANOS + now - windowNanos;
        if (!resting && running >= LOSSES && (wonBytes.sum() - lastBeginBytes) / nanos < cpuBytesPerNano) {
            rest(now);
            LOG.debug(
                    "Devices were slower than the CPU, which would do {} GB/s, and rest for {} s",
                    cpuBytesPerNano,
                    TimeUnit.NANOSECONDS.toSeconds(restNanos));
        }
    }

    private synchronized void roll(long now) {
        if (now - windowNanos >= WINDOW_NANOS) {
            long bytes = wonBytes.sum();
            lastBeginBytes = now - windowNanos < 2 * WINDOW_NANOS ? windowBeginBytes : bytes;
            windowBeginBytes = bytes;
            windowNanos = now;
        }
    }
}
