package io.warpcodec.device.serve;

import java.util.concurrent.TimeUnit;

/**
 * How long a service has patience with a client.
 *
 * @param helloNanos from its connection to its hello
 * @param stuckNanos in which it takes nothing of what waits for it
 * @param idleNanos in which it uses its memory for nothing, before it loses that where memory is short
 * @param tickMillis how often the service looks at these
 */
public record NodeLimits(long helloNanos, long stuckNanos, long idleNanos, long tickMillis) {
    /** The usual ones. A client of ours gives its memory back long before it counts as idle. */
    public static final NodeLimits USUAL = new NodeLimits(
            TimeUnit.SECONDS.toNanos(5), TimeUnit.SECONDS.toNanos(10), TimeUnit.SECONDS.toNanos(60), 1000);
}
