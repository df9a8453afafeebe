package io.warpcodec.serve;

/**
 * How long nothing is started behind a process that has ended: twice as long each time, up to a minute, and as at first
 * behind one that lived for a minute. While a process cannot be killed it is always a minute. Not thread-safe.
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
