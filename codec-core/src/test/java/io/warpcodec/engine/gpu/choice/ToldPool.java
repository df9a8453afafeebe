package io.warpcodec.engine.gpu.choice;

import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.metrics.FallbackReason;
import java.util.function.BooleanSupplier;

/** A pool without devices: a clock that the test moves, and waits for memory that last as long as they may. */
final class ToldPool implements DevicePool {
    long nowNanos = 1_000_000_000L;

    @Override
    public long nanoTime() {
        return nowNanos;
    }

    @Override
    public boolean attempt(BooleanSupplier attempt, long nanos) {
        if (attempt.getAsBoolean()) {
            return true;
        }
        nowNanos += nanos;
        return attempt.getAsBoolean();
    }

    @Override
    public void start() {}

    @Override
    public void awaitStart(long timeoutNanos) {}

    @Override
    public void awaitFirst(long timeoutNanos) {}

    @Override
    public FallbackReason unavailableReason() {
        return null;
    }

    @Override
    public boolean isRunning() {
        return true;
    }

    @Override
    public DeviceLease tryLease(String program, int inputBytes, int outputBytes, int entryCount) {
        return null;
    }

    @Override
    public FallbackReason refusalReason(String program, int inputBytes, int outputBytes, int entryCount) {
        return FallbackReason.POOL_FULL;
    }

    @Override
    public boolean mayLease(String program, int inputBytes, int outputBytes, int entryCount) {
        return true;
    }

    @Override
    public int mostLeaseBytes() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int mostOutputBytes(String program) {
        return Integer.MAX_VALUE;
    }

    @Override
    public long lentBytes() {
        return 0;
    }

    @Override
    public double lentShare() {
        return 0;
    }

    @Override
    public boolean isAwaited() {
        return false;
    }

    @Override
    public void close() {}
}
