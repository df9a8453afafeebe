package io.warpcodec.device.serve;

import io.warpcodec.metrics.FallbackReason;

/** Whose work it is: a client, as the queue sees it. */
interface WorkOwner {
    /** The user of the client; users are equal by number. */
    Object user();

    /**
     * Learns that work is over. On any thread.
     *
     * @param why null if it was done
     */
    void over(ClientWork work, FallbackReason why);
}
