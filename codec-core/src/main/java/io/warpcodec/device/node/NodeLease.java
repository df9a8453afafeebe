package io.warpcodec.device.node;

import io.warpcodec.device.lease.BookedLease;
import io.warpcodec.device.lease.LeaseTerms;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongSupplier;

/** A lease of the node's devices: memory that this process and the service map, and a place in the service's queue. */
final class NodeLease extends BookedLease<NodeLease> {
    private final NodeLeases leases;
    private final int program;
    private final NodeMemory.Region region;

    /** Number of the work; guarded by the monitor of the leases. */
    private long id;
    /** Guarded by the same monitor. */
    private long abandonedNanos;

    /** @param program its number, as the service counts */
    NodeLease(NodeLeases leases, int program, NodeMemory.Region region, LeaseTerms terms, LongSupplier clock) {
        super(leases, terms, clock);
        this.leases = leases;
        this.program = program;
        this.region = region;
    }

    @Override
    protected NodeLease self() {
        return this;
    }

    NodeMemory.Region region() {
        return region;
    }

    @Override
    protected ByteBuffer part(int at, int bytes) {
        return region.memory().slice(at, bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * {@inheritDoc} Memory that the service has cut under this process, which it took for dead, is the end of the
     * connection.
     */
    @Override
    protected boolean touch(Runnable work) {
        try {
            return super.touch(work);
        } catch (InternalError cut) {
            leases.lose("its memory is gone");
            finish(FallbackReason.NODE_LOST);
            return false;
        }
    }

    /** The work gets its number. */
    void sent(long number) {
        id = number;
    }

    long id() {
        return id;
    }

    /** Its task leaves while the service has the work, at this time of the client's clock. */
    void abandonAt(long nowNanos) {
        abandonedNanos = isAbandoned() ? abandonedNanos : nowNanos;
        abandon();
    }

    /** Whether its task has left so long ago. */
    boolean isAbandonedFor(long nanos, long nowNanos) {
        return isAbandoned() && nowNanos - abandonedNanos > nanos;
    }

    /** The message that asks for the work. */
    ByteBuffer order() {
        ByteBuffer message = NodeProtocol.begin(NodeProtocol.WORK, Long.BYTES + 5 * Integer.BYTES + job().orderBytes());
        message.putLong(id).putInt(program);
        message.putInt(region.segment())
                .putInt(region.offset())
                .putInt(terms().inputBytes())
                .putInt(terms().outputBytes());
        job().putOrder(message);
        return message.flip();
    }

    /** The service has done the work. */
    void take(ByteBuffer answer) {
        job().takeAnswer(answer);
        done();
    }
}
