package io.warpcodec.device.serve.share;

import java.util.HashMap;
import java.util.Map;

/**
 * Connections by user. A user may have fewer than twice as many as are left: two thirds of all while no other user
 * comes. Thread-safe.
 */
public final class ConnectionShares {
    private static final int OWN_TO_LEFT = 2;

    private final int most;
    private final Map<Object, Integer> countOf = new HashMap<>();
    private int count;

    /** @param most connections of all users */
    public ConnectionShares(int most) {
        this.most = most;
    }

    /** Whether a user may have one connection more, which counts until {@link #leave}. */
    public synchronized boolean tryEnter(Object user) {
        if (countOf.getOrDefault(user, 0) >= OWN_TO_LEFT * (most - count)) {
            return false;
        }
        count++;
        countOf.merge(user, 1, Integer::sum);
        return true;
    }

    /** A connection that has entered has ended. */
    public synchronized void leave(Object user) {
        count--;
        countOf.computeIfPresent(user, (same, own) -> own == 1 ? null : own - 1);
    }
}
