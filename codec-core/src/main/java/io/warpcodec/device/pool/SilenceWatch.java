package io.warpcodec.device.pool;

import java.util.function.LongSupplier;

/**
 * How long a waiting task has seen the device's thread do nothing. It counts the task's own waits, not the difference of two clock readings: after a pause of the whole
 * process the task may run before the device's thread does, which has missed nothing then. Not thread-safe.
 */
final class SilenceWatch {
    private final ObservedTime observed;
    private final LongSupplier turns;
    private long seenTurns;
    private long silentNanos;

    /** @param turns of the device's thread so far */
    SilenceWatch(LongSupplier clock, LongSupplier turns) {
        this.observed = new ObservedTime(clock);
        this.turns = turns;
        this.seenTurns = turns.getAsLong();
    }

    /** How long the thread has been silent by now, after one more wait of the task, in nanoseconds. */
    long silentNanos() {
        long stepNanos = observed.step();
        long now = turns.getAsLong();
        silentNanos = now == seenTurns ? silentNanos + stepNanos : 0;
        seenTurns = now;
        return silentNanos;
    }
}
