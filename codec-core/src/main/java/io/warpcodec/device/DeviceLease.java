package io.warpcodec.device;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A task's admission to a device: page-locked memory for input and output, and a place in a wave. Its life: fill {@link #input}, {@link
 * #submit}, {@link #await}, {@link #read}, {@link #close}; close is allowed at any point, and the memory is lent again only when the device
 * cannot touch it any more.
 *
 * <p>One thread at a time uses it; the device's thread does the rest.
 */
public final class DeviceLease implements AutoCloseable {
    /** The word for results that were taken back. */
    static final String REVOKED = "results-revoked";

    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Where a lease stands; changed under the monitor of the book only. */
    enum State {
        FILLING,
        QUEUED,
        /** In a wave: the device may touch the memory. */
        ISSUED,
        /** The results are there. */
        DONE,
        /** Not done; the device is fine and does not touch the memory. */
        FAILED,
        /** Not done, or done and taken back; the memory is lent to others. */
        REVOKED,
        /** The device is lost: the memory stays out of use for ever. */
        LOST,
        CLOSED
    }

    private final DeviceWorker worker;
    private final String program;
    private final PinnedPool.Region region;
    private final int inputBytes;
    private final int outputBytes;
    private final int unitCount;
    private final CountDownLatch over = new CountDownLatch(1);

    /** Whether somebody reads the results, or they were taken back; by compare-and-set, since readers come for every chunk. */
    static final int IDLE = 0;

    static final int READING = 1;
    static final int TAKEN = 2;
    final AtomicInteger access = new AtomicInteger();

    /** When somebody last had to do with it. */
    volatile long lastUseNanos;

    private WaveJob job;
    private ByteBuffer outputView;
    private volatile String failure;

    /** The rest is guarded by the monitor of the book. */
    State state = State.FILLING;

    boolean abandoned;
    long queuedNanos;
    long elapsedNanos;
    long poolNanos;

    DeviceLease(
            DeviceWorker worker,
            String program,
            PinnedPool.Region region,
            int inputBytes,
            int outputBytes,
            int unitCount) {
        this.worker = worker;
        this.program = program;
        this.region = region;
        this.inputBytes = inputBytes;
        this.outputBytes = outputBytes;
        this.unitCount = unitCount;
    }

    /** Bytes of page-locked memory that a lease needs. */
    static int regionBytes(int inputBytes, int outputBytes) {
        return FreeRanges.roundedUp(inputBytes) + outputBytes;
    }

    /** The input to fill before {@link #submit}: a new little-endian view. */
    public ByteBuffer input() {
        return inputPart().view();
    }

    PinnedBuffer inputPart() {
        return region.memory().slice(0, inputBytes);
    }

    PinnedBuffer outputPart(int bytes) {
        return region.memory().slice(FreeRanges.roundedUp(inputBytes), bytes);
    }

    PinnedPool.Region region() {
        return region;
    }

    String program() {
        return program;
    }

    int inputBytes() {
        return inputBytes;
    }

    int outputBytes() {
        return outputBytes;
    }

    WaveJob job() {
        return job;
    }

    /**
     * Queues the work. Does not wait.
     *
     * @param work what the program is to do; of as many units as were asked for
     */
    public void submit(WaveJob work) {
        if (work.unitCount() > unitCount) {
            throw new IllegalArgumentException(work.unitCount() + " units; " + unitCount + " were asked for");
        }
        job = work;
        worker.enqueue(this);
    }

    /**
     * Waits until the work is done or has failed. Never longer than the pool's watchdog allows, a pause of the whole process not counted.
     *
     * @return whether it is done; if not, {@link #failure} says why
     * @throws InterruptedException if the waiting thread was interrupted; the work goes on
     */
    public boolean await() throws InterruptedException {
        SilenceWatch watch = worker.watch();
        while (!over.await(CHECK_NANOS, TimeUnit.NANOSECONDS)) {
            worker.checkAlive(watch);
        }
        return failure == null;
    }

    /** Whether {@link #await} would return at once. */
    public boolean isOver() {
        return over.getCount() == 0;
    }

    /** Nanoseconds from {@link #submit} until the results were there; valid once {@link #await} has said so. */
    public long elapsedNanos() {
        return elapsedNanos;
    }

    /**
     * Processor time that the device's thread spent on this work, in nanoseconds: its share, by output bytes, of what the thread spent since the wave before
     * had ended. Valid with {@link #elapsedNanos}.
     */
    public long poolNanos() {
        return poolNanos;
    }

    /** Why the work was not done, as one word for a counter; null if it was, or may still be. */
    public String failure() {
        return failure;
    }

    /** Whether the work was done, but nobody came for the results for so long that they made room for others. */
    public boolean wasRevoked() {
        return REVOKED.equals(failure);
    }

    /**
     * Looks at the output once {@link #await} has said that the work is done.
     *
     * @param reader gets a little-endian view of the whole output, to be read by index; it must not be kept
     * @return false if the results were given up for others that needed the memory; then {@link #failure} says so
     */
    public boolean read(Consumer<ByteBuffer> reader) {
        if (!access.compareAndSet(IDLE, READING)) {
            failure = REVOKED;
            return false;
        }
        try {
            if (outputView == null) {
                outputView = outputPart(outputBytes).view().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
            }
            reader.accept(outputView);
            return true;
        } finally {
            lastUseNanos = System.nanoTime();
            access.set(IDLE);
        }
    }

    /** Ends the wait of whoever waits, with why it failed or null. */
    void finish(String why) {
        failure = why;
        over.countDown();
    }

    /** Gives the memory back as soon as the device cannot touch it. Idempotent. */
    @Override
    public void close() {
        worker.leases().close(this);
    }
}
