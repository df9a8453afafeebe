package io.warpcodec.device.serve.share;

import io.warpcodec.device.node.Denial;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Segments of memory by user. No segment is ever taken from a client that lives, so what is lent is decided here alone:
 *
 * <ul>
 *   <li>The first segment of a client may be any of them, and half of the reserve.
 *   <li>A further one may be of the first half; while clients begin, of the first eighth. So tasks that begin together
 *       all get one.
 *   <li>While another user that has fewer waits for a first one, a user gets no more.
 *   <li>The rest of the reserve is for users that have few: such a user may have as many as are left behind it.
 * </ul>
 *
 * Thread-safe.
 */
public final class MemoryShares {
    /** A denied user waits for so long: its clients ask every second. */
    static final long WAITS_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Clients begin until none has got a first segment for so long. */
    static final long BEGIN_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final int MOST_WAITING = 256;
    private static final int FURTHER_SHARE = 2;
    private static final int FURTHER_SHARE_AT_BEGIN = 8;

    private final int mostOfClient;
    private final int most;
    private final int mostOfFirst;
    private final int all;
    private final Map<Object, Integer> lentTo = new HashMap<>();
    private final Map<Object, Long> waitsSince = new HashMap<>();
    private int lent;
    private Long firstNanos;

    /**
     * @param mostOfClient segments of one client
     * @param most segments of all
     * @param reserve segments beyond these
     */
    public MemoryShares(int mostOfClient, int most, int reserve) {
        this.mostOfClient = mostOfClient;
        this.most = most;
        mostOfFirst = most + reserve / 2;
        all = most + reserve;
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
        Denial denial = ofClient == 0 ? ofFirst(user, own) : ofFurther(user, own, nowNanos);
        if (denial == null) {
            firstNanos = ofClient == 0 ? Long.valueOf(nowNanos) : firstNanos;
            waitsSince.remove(user);
            lentTo.put(user, own + 1);
            lent++;
        } else if (ofClient == 0 && (waitsSince.size() < MOST_WAITING || waitsSince.containsKey(user))) {
            waitsSince.put(user, nowNanos);
        }
        return denial;
    }

    private Denial ofFirst(Object user, int own) {
        if (own < all - Math.max(lent, mostOfFirst)) {
            return null;
        }
        return lent >= mostOfFirst ? Denial.MEMORY_FULL : poorerWaits(user, own);
    }

    private Denial ofFurther(Object user, int own, long nowNanos) {
        boolean begin = firstNanos != null && nowNanos - firstNanos < BEGIN_NANOS;
        int share = begin ? FURTHER_SHARE_AT_BEGIN : FURTHER_SHARE;
        return lent >= most / share ? Denial.USER_FULL : poorerWaits(user, own);
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
