package io.warpcodec.device.serve.share;

import java.util.concurrent.TimeUnit;

/**
 * What a client may say that is of no use to it, such as asking for memory that it may not have. Clients of ours never
 * use it up. Not thread-safe.
 */
public final class Credit {
    private static final long MOST = 2048;
    private static final long A_SECOND = 256;

    private long left = MOST;
    private long lookedNanos;

    /** @param nowNanos by {@link System#nanoTime}, here and below */
    public Credit(long nowNanos) {
        lookedNanos = nowNanos;
    }

    /** Something was said that costs so much. */
    public void spend(int cost) {
        left -= cost;
    }

    /** How long the client is not listened to from now on, in nanoseconds; 0 if it is. */
    public long debtNanos(long nowNanos) {
        long more = (nowNanos - lookedNanos) * A_SECOND / TimeUnit.SECONDS.toNanos(1);
        if (more > 0) {
            lookedNanos = nowNanos;
            left = Math.min(MOST, left + more);
        }
        return left >= 0 ? 0 : -left * TimeUnit.SECONDS.toNanos(1) / A_SECOND;
    }
}
