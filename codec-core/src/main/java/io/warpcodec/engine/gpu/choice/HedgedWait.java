package io.warpcodec.engine.gpu.choice;

import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.engine.WaitBounds;
import io.warpcodec.metrics.FallbackReason;
import java.util.function.BooleanSupplier;

/**
 * A thread's wait for devices, for one piece of work: for memory first, then for the results. Both together are bounded
 * by what the CPU takes: in mode {@code auto} by {@link WaitAllowance}, in mode {@code gpu} by ten times and a second.
 * Then the CPU does the work, though a wave has it. So no device, driver, service or backlog costs a stream more.
 * Not thread-safe.
 */
public final class HedgedWait {
    private final DeviceChoices choices;
    private final DevicePool pool;
    private final long rawBytes;
    private final double cpuNanos;
    private final long fixedBoundNanos;
    private double allowedNanos;
    private long waitedNanos;

    /**
     * @param rawBytes of the work
     * @param cpuNanos what the CPU takes for it
     * @param fixedBoundNanos the bound; 0 in mode {@code auto}
     */
    HedgedWait(DeviceChoices choices, DevicePool pool, long rawBytes, double cpuNanos, long fixedBoundNanos) {
        this.choices = choices;
        this.pool = pool;
        this.rawBytes = rawBytes;
        this.cpuNanos = cpuNanos;
        this.fixedBoundNanos = fixedBoundNanos;
        this.allowedNanos = WaitBounds.TIMES * cpuNanos;
    }

    /**
     * Leaves less to this wait: the work has waited for devices to start.
     *
     * @param waitedTimes how long, in times of what the CPU takes for it at least
     */
    public HedgedWait afterStart(double waitedTimes) {
        allowedNanos = Math.max(0, Math.min(WaitBounds.TIMES, WaitBounds.ALL_TIMES - waitedTimes)) * cpuNanos;
        return this;
    }

    /** Counts another wait for this work: for its memory, or for a device that refused it. */
    public void follow(HedgedWait earlier) {
        waitedNanos += earlier.waitedNanos;
    }

    private boolean isFixed() {
        return fixedBoundNanos > 0;
    }

    private long leftNanos(long now) {
        if (isFixed()) {
            return Math.max(0, fixedBoundNanos - waitedNanos);
        }
        return choices.rest().isResting()
                ? 0
                : Math.max(0, choices.allowance().boundNanos(allowedNanos, now) - waitedNanos);
    }

    /**
     * Waits for memory of the pool, as {@link DevicePool#attempt}.
     *
     * @return what the last attempt told
     */
    public boolean attempt(BooleanSupplier attempt) throws InterruptedException {
        long start = pool.nanoTime();
        long boundNanos = leftNanos(start);
        choices.demand().works(start + boundNanos);
        boolean got = pool.attempt(attempt, boundNanos);
        long end = pool.nanoTime();
        choices.demand().works(end);
        waited(end - start);
        if (!got) {
            lost(start);
        }
        return got;
    }

    /**
     * Waits for a lease, and closes it if that takes too long.
     *
     * @return null when the work is done, else why not
     */
    public FallbackReason await(DeviceLease lease) throws InterruptedException {
        long start = pool.nanoTime();
        long boundNanos = leftNanos(start);
        choices.demand().works(start + boundNanos);
        boolean done = lease.await(choices.waitsWithoutBound() ? DeviceLease.WITHOUT_BOUND : boundNanos);
        long end = pool.nanoTime();
        waited(end - start);
        if (done) {
            choices.demand().works(end);
            settle();
            choices.rest().won(rawBytes, end);
            return null;
        }
        choices.demand().works(end + (long) cpuNanos);
        if (lease.isOver()) {
            settle();
            return lease.failure();
        }
        lease.close();
        return lost(start);
    }

    private void waited(long nanos) {
        long left = Math.max(0, (long) cpuNanos - waitedNanos);
        choices.demand().waited(Math.min(nanos, left));
        waitedNanos += nanos;
    }

    private void settle() {
        if (!isFixed()) {
            choices.allowance().waited(allowedNanos, waitedNanos);
        }
    }

    private FallbackReason lost(long beginNanos) {
        if (isFixed()) {
            return FallbackReason.DEVICE_SLOW;
        }
        settle();
        if (choices.rest().isResting()) {
            return FallbackReason.POOL_RESTS;
        }
        long now = pool.nanoTime();
        double cpuBytesPerNano = choices.processorsAtWork(now) * rawBytes / Math.max(1, cpuNanos);
        choices.rest().lost(beginNanos, choices.isCrowded(now), cpuBytesPerNano, now);
        return FallbackReason.DEVICE_SLOW;
    }
}
