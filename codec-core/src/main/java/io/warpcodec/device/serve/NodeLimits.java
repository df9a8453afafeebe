package io.warpcodec.device.serve;

import java.util.concurrent.TimeUnit;

/**
 * How long a service has patience with a client.
 *
 * @param helloNanos from its connection to its hello, and from a segment to its first work there: then the segment has
 * no name any more
 * @param stuckNanos in which it takes nothing of what waits for it
 * @param tickMillis how often the service looks at these
 */
public record NodeLimits(long helloNanos, long stuckNanos, long tickMillis) {
    /** The usual ones. */
    public static final NodeLimits USUAL =
            new NodeLimits(TimeUnit.SECONDS.toNanos(5), TimeUnit.SECONDS.toNanos(10), 1000);
}
