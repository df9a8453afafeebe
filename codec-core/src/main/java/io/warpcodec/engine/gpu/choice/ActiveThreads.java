package io.warpcodec.engine.gpu.choice;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many threads have had work for an engine in the last tenth of a second. Threads that wait for a processor count:
 * they are why the others get less of one. Two threads that share a slot count once. Thread-safe.
 */
final class ActiveThreads {
    static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A slot is newer than this. */
    private static final long REFRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final int SLOTS = 1024;
    private static final long NEVER = 0;

    /**
     * Time until which each thread has work, of the pool's clock: in the future while a wait or a piece of work goes
     * on.
     */
    private final AtomicLongArray seenNanos = new AtomicLongArray(SLOTS);

    /**
     * The calling thread has work, or waits for results of it.
     *
     * @param until of the pool's clock, in nanoseconds, here and below
     */
    void seen(long until) {
        int slot = (int) Thread.currentThread().getId() & SLOTS - 1;
        long before = seenNanos.getOpaque(slot);
        if (before == NEVER || Math.abs(until - before) >= REFRESH_NANOS) {
            seenNanos.setOpaque(slot, until == NEVER ? 1 : until);
        }
    }

    /** Threads of the last tenth of a second; reads all slots. */
    int count(long now) {
        int active = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            long seen = seenNanos.getOpaque(slot);
            active += seen != NEVER && now - seen < WINDOW_NANOS ? 1 : 0;
        }
        return active;
    }
}
