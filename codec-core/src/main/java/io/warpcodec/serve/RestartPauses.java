package io.warpcodec.serve;

/**
 * The pause before a process that has ended is started again: twice as long each time, a minute at most. A life of a
 * minute resets it. Beside a process that cannot be killed it is a minute. Not thread-safe.
 */
final class RestartPauses {
    /** Longest pause, and the life that ends a row of pauses. */
    static final long MOST_MILLIS = 60_000;

    private final long firstMillis;
    private long nextMillis;

    RestartPauses(long firstMillis) {
        this.firstMillis = firstMillis;
        nextMillis = firstMillis;
    }

    /**
     * The pause behind a process.
     *
     * @param livedMillis how long that lived
     * @param stuck whether a process cannot be killed
     */
    long after(long livedMillis, boolean stuck) {
        long pause = livedMillis > MOST_MILLIS ? firstMillis : nextMillis;
        pause = stuck ? MOST_MILLIS : pause;
        nextMillis = Math.min(MOST_MILLIS, 2 * pause);
        return pause;
    }
}
