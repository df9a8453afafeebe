package io.warpcodec.engine.gpu.choice;

import java.util.concurrent.TimeUnit;

/**
 * How long one thread may still wait for devices: as long as its work allows ({@link io.warpcodec.engine.WaitBounds}),
 * and {@link #EXTRA_NANOS}. These are one stock for all waits of the thread, which comes back by waits that are
 * shorter than allowed, and by a fiftieth of the time that passes. Not thread-safe.
 */
final class WaitAllowance {
    /** Work that takes the CPU next to nothing gets these; 4 ms of the 20 are left for the thread to wake up. */
    static final long EXTRA_NANOS = TimeUnit.MILLISECONDS.toNanos(16);

    private static final long REFILL_SHARE = 50;

    // a thread keeps this array, of no class of ours, so that it does not keep our class loader
    private static final int USED_NANOS = 0;
    private static final int REFILLED_NANOS = 1;

    private final double[] state;

    /** @param state what {@link #fresh} has made for this thread */
    WaitAllowance(double[] state) {
        this.state = state;
    }

    /** The state of a thread that has not waited. */
    static double[] fresh() {
        return new double[2];
    }

    /**
     * How long a wait may last.
     *
     * @param allowedNanos for the work itself
     * @param now of a clock, in nanoseconds
     */
    long boundNanos(double allowedNanos, long now) {
        use((state[REFILLED_NANOS] - now) / REFILL_SHARE);
        state[REFILLED_NANOS] = now;
        return (long) (allowedNanos + EXTRA_NANOS - state[USED_NANOS]);
    }

    /** A wait has lasted so long, for work that allows so much. */
    void waited(double allowedNanos, long nanos) {
        use(nanos - allowedNanos);
    }

    private void use(double nanos) {
        state[USED_NANOS] = Math.max(0, Math.min(EXTRA_NANOS, state[USED_NANOS] + nanos));
    }
}
