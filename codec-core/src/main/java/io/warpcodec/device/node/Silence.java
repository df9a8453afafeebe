package io.warpcodec.device.node;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Measures how long a service that should say something is silent: in turns of a second, so that a pause of this process, however long, is one of them. Not thread-safe.
 */
final class Silence {
    private static final int MOST_TURNS = 10;

    private final long turnNanos;
    private long beganNanos;
    private int turns;

    /** @param nowNanos by {@link System#nanoTime}, here and below */
    Silence(long turnNanos, long nowNanos) {
        this.turnNanos = turnNanos;
        beganNanos = nowNanos;
    }

    /** It said something, or has nothing to say. */
    void end(long nowNanos) {
        beganNanos = nowNanos;
        turns = 0;
    }

    /**
     * It has said nothing since the last call.
     *
     * @return whether a turn is over, so that it is to be asked
     * @throws IOException if it has been silent for too many turns
     */
    boolean lasts(long nowNanos) throws IOException {
        // messages that could be sent, or waiting threads, may wake the caller at any time
        if (nowNanos - beganNanos < turnNanos) {
            return false;
        }
        beganNanos = nowNanos;
        if (++turns > MOST_TURNS) {
            throw new IOException(
                    "the service has been silent for " + TimeUnit.NANOSECONDS.toSeconds(MOST_TURNS * turnNanos) + " s");
        }
        return true;
    }
}
