package io.warpcodec.device.lease;

import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * A task's admission to a device: memory for input and output that the device reads and writes, and a place in its
 * queue. Its life: {@link #fill}, {@link #submit}, {@link #await}, {@link #read}, {@link #close}. The memory is lent
 * again only when neither the device nor a thread that fills or reads can touch it any more.
 *
 * <p>One thread at a time uses it. Any thread may close it at any point, and does not wait: a fill or a read that is
 * going on gives the memory back when it ends, and a thread in {@link #await} leaves.
 */
public interface DeviceLease extends AutoCloseable {
    /** For {@link #await}: no bound but that of a device's watchdog, or of a connection. */
    long WITHOUT_BOUND = Long.MAX_VALUE;

    /**
     * Fills the input, before {@link #submit}.
     *
     * @param filler gets a new little-endian view; it must not be kept, but by the job that is submitted, until that
     *     is over
     * @return false if the lease is closed; then nothing was filled
     */
    boolean fill(Consumer<ByteBuffer> filler);

    /**
     * Queues the work. Does not wait.
     *
     * @param work what the program is to do; of as many entries as were asked for at most
     */
    void submit(WaveJob work);

    /**
     * Waits until the work is done or has failed, so long at most by the pool's clock. Of a pause of the whole
     * process little counts. A thread that waits in vain closes the lease and has the work done elsewhere: the bound
     * is its own, whatever device, driver or service do.
     *
     * @return whether the work is done; if not, {@link #failure} says why, or is null when the time was over
     * @throws InterruptedException if the waiting thread was interrupted; the work goes on
     */
    boolean await(long nanos) throws InterruptedException;

    /** Whether {@link #await} would return at once. */
    boolean isOver();

    /** Nanoseconds from {@link #submit} until the results were there; valid once the work is done. */
    long elapsedNanos();

    /** Why the work was not done; null if it was, or may still be. */
    FallbackReason failure();

    /** Whether the work was done, but the results were not read for so long that their memory was lent to others. */
    default boolean wasRevoked() {
        return failure() == FallbackReason.RESULTS_REVOKED;
    }

    /**
     * Looks at the output once {@link #await} has said that the work is done.
     *
     * @param reader gets a little-endian view of the whole output, to be read by index; it must not be kept
     * @return false if the results were given up for others that needed the memory, or the lease is closed; then
     *     {@link #failure} says so
     */
    boolean read(Consumer<ByteBuffer> reader);

    /** Gives the memory back as soon as neither the device nor a thread can touch it. Idempotent; never waits. */
    @Override
    void close();
}
