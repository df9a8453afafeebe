package io.warpcodec.engine.gpu.choice;

import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.lease.WaveJob;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** A lease whose work is done at a time of its pool's clock. */
final class ToldLease implements DeviceLease {
    private final ToldPool pool;
    private final long begunNanos;
    private final long tookNanos;
    private FallbackReason failure;
    boolean closed;

    /** Work that takes so long from now on. */
    ToldLease(ToldPool pool, long tookNanos) {
        this.pool = pool;
        this.begunNanos = pool.nowNanos;
        this.tookNanos = tookNanos;
    }

    /** Work that fails at once. */
    static ToldLease failed(ToldPool pool, FallbackReason why) {
        ToldLease lease = new ToldLease(pool, 0);
        lease.failure = why;
        return lease;
    }

    @Override
    public boolean await(long nanos) {
        long leftNanos = begunNanos + tookNanos - pool.nowNanos;
        pool.nowNanos += Math.max(0, Math.min(leftNanos, nanos));
        return isOver() && failure == null;
    }

    @Override
    public boolean isOver() {
        return pool.nowNanos - begunNanos >= tookNanos;
    }

    @Override
    public long elapsedNanos() {
        return tookNanos;
    }

    @Override
    public FallbackReason failure() {
        return failure;
    }

    @Override
    public boolean fill(Consumer<ByteBuffer> filler) {
        return true;
    }

    @Override
    public void submit(WaveJob work) {}

    @Override
    public boolean read(Consumer<ByteBuffer> reader) {
        return true;
    }

    @Override
    public void close() {
        closed = true;
    }
}
