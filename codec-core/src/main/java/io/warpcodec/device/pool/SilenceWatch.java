package io.warpcodec.device.pool;

import java.util.function.LongSupplier;

/**
 * How long the threads that wait for a device have seen its thread do nothing. Steps of their looks are counted, each
 * bounded ({@link ObservedTime}): after a pause of the whole process a waiting thread may run before the device's
 * thread does, which has missed nothing then. Thread-safe.
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

    /**
     * Looks once more.
     *
     * @param hasWork whether the device's thread has something to do; else it may sleep
     * @return how long the thread has been silent, in nanoseconds
     */
    synchronized long silentNanos(boolean hasWork) {
        long stepNanos = observed.step();
        long now = turns.getAsLong();
        silentNanos = hasWork && now == seenTurns ? silentNanos + stepNanos : 0;
        seenTurns = now;
        return silentNanos;
    }
}
