package io.warpcodec.device.lease;

import io.warpcodec.metrics.FallbackReason;
import java.util.function.BooleanSupplier;

/**
 * Devices that work for this process: memory that they read and write, and a queue. What finds no free memory is
 * refused; a task that can do nothing else may {@linkplain #attempt wait} for memory to come back. Opening takes
 * nothing; devices start, in the background, when {@link #start} is first called. Thread-safe.
 */
public interface DevicePool extends AutoCloseable {
    /** Share of lent memory above which a pool is {@linkplain #isCrowded crowded}. */
    double CROWDED = 0.5;

    /**
     * What the pool's clock shows, in nanoseconds, as {@link System#nanoTime}: by which a stream that waits for free
     * memory here judges how long it has.
     */
    long nanoTime();

    /** Lets the devices start, which takes up to some seconds, and does not wait for it. */
    void start();

    /**
     * Starts the devices and waits until each runs or has turned out not to.
     *
     * @throws InterruptedException if interrupted; they go on starting
     */
    void awaitStart(long timeoutNanos) throws InterruptedException;

    /**
     * Starts the devices and waits until one runs, or none will; not at all for less than a millisecond.
     *
     * @throws InterruptedException if interrupted; they go on starting
     */
    void awaitFirst(long timeoutNanos) throws InterruptedException;

    /** Why no device takes work; null while one does, or has not started yet. */
    FallbackReason unavailableReason();

    /** Whether a device takes work now. */
    boolean isRunning();

    /**
     * Admits a task. Never waits.
     *
     * @param program name of the kind of work
     * @param inputBytes memory for input, at least 1
     * @param outputBytes memory for output, at least 1
     * @param entryCount most entries of the job
     * @return null if there is no free memory for it now
     */
    DeviceLease tryLease(String program, int inputBytes, int outputBytes, int entryCount);

    /**
     * Why {@link #tryLease} gave nothing for these sizes: {@link FallbackReason#POOL_FULL} if a device may at another
     * time, or is starting; else what all devices lack for it.
     */
    FallbackReason refusalReason(String program, int inputBytes, int outputBytes, int entryCount);

    /** Whether a running device would admit such a lease if all of its memory were free. */
    boolean mayLease(String program, int inputBytes, int outputBytes, int entryCount);

    /** The most input bytes, and output bytes, that a lease of any program may have now; 0 if no device runs. */
    int mostLeaseBytes();

    /**
     * The most output bytes that one lease of a program may have now; more than {@link #mostLeaseBytes} if it takes
     * long ones. 0 if no device runs it.
     */
    int mostOutputBytes(String program);

    /** The most input bytes that one lease of a program may have now; 0 if no device runs. */
    default int mostInputBytes(String program) {
        return mostInputBytes(mostLeaseBytes(), mostOutputBytes(program));
    }

    /**
     * The most input bytes of a lease: a quarter more of a long one, which is alone in its wave.
     *
     * @param leaseBytes {@link #mostLeaseBytes}
     * @param outputBytes {@link #mostOutputBytes}
     */
    static int mostInputBytes(int leaseBytes, int outputBytes) {
        return outputBytes > leaseBytes ? leaseBytes + leaseBytes / 4 : leaseBytes;
    }

    /** Bytes of memory that are lent to tasks. */
    long lentBytes();

    /** Share of the memory that is lent now, 0 to 1. */
    double lentShare();

    /** Whether more than half of the memory is lent, so that a stream should take no more than it needs now. */
    default boolean isCrowded() {
        return lentShare() > CROWDED;
    }

    /** Whether a task waits in {@link #attempt}: what is only read ahead should leave the memory to it. */
    boolean isAwaited();

    /**
     * Makes an attempt to get a lease, and again whenever memory has come back, until one succeeds. For a task that
     * can do nothing else meanwhile.
     *
     * @param attempt asks {@link #tryLease}, and tells whether the task needs to wait no longer
     * @param nanos how long it waits at most
     * @return what the last attempt told
     * @throws InterruptedException if interrupted while it waited
     */
    boolean attempt(BooleanSupplier attempt, long nanos) throws InterruptedException;

    /** Takes no more work. Idempotent. */
    @Override
    void close();
}
