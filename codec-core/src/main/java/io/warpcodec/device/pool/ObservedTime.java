package io.warpcodec.device.pool;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Time as one thread sees it pass: the clock's, but no more than {@link #MOST_STEP_NANOS} from one look to the next.
 * A process that was stopped, or whose machine was, sees no more of the pause than that. Not thread-safe.
 */
final class ObservedTime {
    /**
     * Twice what a waiting task sleeps between two looks ({@link OwnLease}); the device's thread looks far more often.
     */
    static final long MOST_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final LongSupplier clock;
    private long lookedNanos;
    private long nanos;

    /** @param clock in nanoseconds, as {@link System#nanoTime} */
    ObservedTime(LongSupplier clock) {
        this.clock = clock;
        lookedNanos = clock.getAsLong();
    }

    /** Looks at the clock. Returns what has passed since the look before, in nanoseconds. */
    long step() {
        long now = clock.getAsLong();
        long stepNanos = Math.min(now - lookedNanos, MOST_STEP_NANOS);
        lookedNanos = now;
        nanos += stepNanos;
        return stepNanos;
    }

    /** What has passed in all steps. */
    long nanos() {
        return nanos;
    }
}
