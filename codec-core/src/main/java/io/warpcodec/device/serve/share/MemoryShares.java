package io.warpcodec.device.serve.share;

import io.warpcodec.device.node.Denial;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Segments of memory by user. No segment is ever taken from a client that lives, so what is lent is decided here alone:
 *
 * <ul>
 *   <li>The first segment of a client may be any of them, a further one only of the first half: tasks that begin together all get one.
 *   <li>While another user that has fewer waits for a first one, a user gets no more.
 *   <li>Behind all these lie some for users that have few: such a user may have as many of them as are left behind it.
 * </ul>
 *
 * Thread-safe.
 */
public final class MemoryShares {
    /** A denied user waits for so long: its clients ask every second. */
    static final long WAITS_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final int MOST_WAITING = 256;

    private final int mostOfClient;
    private final int most;
    private final int reserve;
    private final Map<Object, Integer> lentTo = new HashMap<>();
    private final Map<Object, Long> waitsSince = new HashMap<>();
    private int lent;

    /**
     * @param mostOfClient segments of one client
     * @param most segments of all, but for the reserve
     * @param reserve segments for users that have few
     */
    public MemoryShares(int mostOfClient, int most, int reserve) {
        this.mostOfClient = mostOfClient;
        this.most = most;
        this.reserve = reserve;
    }

    /**
     * Takes a segment for a client; it counts for its user until {@link #give}.
     *
     * @param ofClient segments that the client has, or is about to get
     * @param nowNanos by {@link System#nanoTime}
     * @return null if there is one, else why not
     */
    public synchronized Denial tryTake(Object user, int ofClient, long nowNanos) {
        if (ofClient >= mostOfClient) {
            return Denial.CLIENT_FULL;
        }
        waitsSince.values().removeIf(since -> nowNanos - since > WAITS_NANOS);
        int own = lentTo.getOrDefault(user, 0);
        Denial denial = ofClient == 0 ? ofFirst(user, own) : ofFurther(user, own);
        if (denial == null) {
            waitsSince.remove(user);
            lentTo.put(user, own + 1);
            lent++;
        } else if (ofClient == 0 && (waitsSince.size() < MOST_WAITING || waitsSince.containsKey(user))) {
            waitsSince.put(user, nowNanos);
        }
        return denial;
    }

    private Denial ofFirst(Object user, int own) {
        if (own < most + reserve - Math.max(lent, most)) {
            return null;
        }
        return lent >= most ? Denial.MEMORY_FULL : poorerWaits(user, own);
    }

    private Denial ofFurther(Object user, int own) {
        return lent >= most / 2 ? Denial.USER_FULL : poorerWaits(user, own);
    }

    private Denial poorerWaits(Object user, int own) {
        boolean waits = waitsSince.keySet().stream()
                .anyMatch(other -> !other.equals(user) && lentTo.getOrDefault(other, 0) < own);
        return waits ? Denial.USER_FULL : null;
    }

    /** A segment of a user is closed. */
    public synchronized void give(Object user) {
        lent--;
        lentTo.computeIfPresent(user, (same, own) -> own == 1 ? null : own - 1);
    }
}
