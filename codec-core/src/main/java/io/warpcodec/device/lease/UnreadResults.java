package io.warpcodec.device.lease;

import io.warpcodec.metrics.FallbackReason;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Leases whose results are there, oldest first. Results that lie unread are taken back when other work needs their
 * memory. Guarded by the keeper's monitor.
 *
 * @param <L> leases
 */
public final class UnreadResults<L extends BookedLease<L>> {
    /** Results that no task has read for so long are given up when another lease needs the memory. */
    public static final long STALE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Set<L> leases = new LinkedHashSet<>();

    /** Adds a lease that is done. */
    public void add(L lease) {
        leases.add(lease);
    }

    /** Removes a lease that is closed. */
    public void remove(L lease) {
        leases.remove(lease);
    }

    /**
     * Takes results back that no task has read for so long, until about so many bytes are free.
     *
     * @return how many leases were revoked
     */
    public int revoke(long bytes, long staleNanos, LeaseKeeper<L> keeper) {
        long now = System.nanoTime();
        long revokedBytes = 0;
        int count = 0;
        for (Iterator<L> oldestFirst = leases.iterator(); oldestFirst.hasNext() && revokedBytes < bytes; ) {
            L lease = oldestFirst.next();
            if (now - lease.lastUseNanos() > staleNanos && lease.tryEndAccess()) {
                oldestFirst.remove();
                lease.state(LeaseState.REVOKED);
                lease.finish(FallbackReason.RESULTS_REVOKED);
                keeper.giveBack(lease);
                revokedBytes += lease.terms().regionBytes();
                count++;
            }
        }
        return count;
    }
}
