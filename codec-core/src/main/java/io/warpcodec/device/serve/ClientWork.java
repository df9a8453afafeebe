package io.warpcodec.device.serve;

import io.warpcodec.device.lease.WaveJob;
import io.warpcodec.device.pool.OwnLease;
import java.util.concurrent.atomic.AtomicBoolean;

/** A piece of work of a client, from its order until it is over. What changes is guarded by the queue. */
final class ClientWork {
    final WorkOwner client;
    final long id;
    final String program;
    final Segment segment;
    final int at;
    final int inputBytes;
    final int outputBytes;
    final WaveJob job;
    /** Bytes of the heap that its order counts as. */
    final int orderBytes;

    private final long receivedNanos = System.nanoTime();

    /** Whether the pool has it, as the queue counts. */
    final AtomicBoolean outstanding = new AtomicBoolean();

    /** Whether the pool has told that it is over. */
    volatile boolean told;

    /** Null until it is its turn. */
    OwnLease lease;

    ClientWork(
            WorkOwner client,
            long id,
            String program,
            Segment segment,
            int at,
            int inputBytes,
            int outputBytes,
            WaveJob job,
            int orderBytes) {
        this.client = client;
        this.id = id;
        this.program = program;
        this.segment = segment;
        this.at = at;
        this.inputBytes = inputBytes;
        this.outputBytes = outputBytes;
        this.job = job;
        this.orderBytes = orderBytes;
    }

    /** How long it waited until a wave took it; until now if none did. Of use once it is over. */
    long waitNanos() {
        long issued = lease == null ? 0 : lease.issuedNanos();
        return (issued == 0 ? System.nanoTime() : issued) - receivedNanos;
    }
}
