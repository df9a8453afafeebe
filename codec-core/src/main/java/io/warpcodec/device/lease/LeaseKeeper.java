package io.warpcodec.device.lease;

/**
 * The other side of a lease: queues its work, and gets its memory back. Thread-safe; no method waits.
 *
 * @param <L> leases that it keeps
 */
public interface LeaseKeeper<L extends BookedLease<L>> {
    /** Queues the work of a lease that was filled. A lease that cannot be queued is over at once. */
    void enqueue(L lease);

    /** Closes a lease. A device that has its work goes on with it. */
    void close(L lease);

    /** Takes back the memory of a closed lease, which no thread touches any more. */
    void giveBack(L lease);
}
