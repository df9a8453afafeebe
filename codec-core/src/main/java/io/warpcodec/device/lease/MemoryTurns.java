package io.warpcodec.device.lease;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Threads that wait for page-locked memory to come back; when some does, one of them is told. Thread-safe.
 *
 * <p>Only a thread that can do nothing else waits here: its chunk is in turn. While one does, work that is only read
 * ahead should take no memory.
 */
public final class MemoryTurns {
    /**
     * After so long a waiting thread tries again in any case: what came back for another one may have been too much
     * or too little.
     */
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final LongSupplier clock;
    private final AtomicInteger waiting = new AtomicInteger();
    private long returns;

    /** @param clock that waits are measured by, in nanoseconds */
    public MemoryTurns(LongSupplier clock) {
        this.clock = clock;
    }

    /** Whether a thread waits. */
    public boolean isAwaited() {
        return waiting.get() > 0;
    }

    /** Memory has come back. */
    public void cameBack() {
        if (isAwaited()) {
            synchronized (this) {
                returns++;
                notify();
            }
        }
    }

    /**
     * Makes an attempt, and again whenever memory has come back, until one succeeds.
     *
     * @param nanos how long at most; attempts not counted
     * @return whether one did
     * @throws InterruptedException if interrupted while it waited
     */
    public boolean attempt(BooleanSupplier attempt, long nanos) throws InterruptedException {
        if (attempt.getAsBoolean()) {
            return true;
        }
        long end = clock.getAsLong() + nanos;
        waiting.incrementAndGet();
        try {
            while (true) {
                long seen = returns();
                if (attempt.getAsBoolean()) {
                    return true;
                }
                long left = end - clock.getAsLong();
                if (left <= 0) {
                    return false;
                }
                await(seen, Math.min(left, RETRY_NANOS));
            }
        } finally {
            waiting.decrementAndGet();
        }
    }

    private synchronized long returns() {
        return returns;
    }

    private synchronized void await(long seen, long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; returns == seen && left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }
}
