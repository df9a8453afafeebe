package io.warpcodec.device.pool;

import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A task's admission to a device: page-locked memory for input and output, and a place in a wave. Its life: {@link #fill}, {@link
 * #submit}, {@link #await}, {@link #read}, {@link #close}. The memory is lent again only when neither the device nor a thread that fills or reads can
 * touch it any more.
 *
 * <p>One thread at a time uses it; the device's thread does the rest. Any thread may close it at any point, and does not wait: a fill or a read that is going on
 * gives the memory back when it ends, and a thread in {@link #await} leaves.
 */
public final class DeviceLease implements AutoCloseable {
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
    private final int entryCount;
    private final CountDownLatch over = new CountDownLatch(1);

    /** Whether a thread may touch the memory; by compare-and-set, since readers come for every chunk. */
    private enum Access {
        /** No thread does; one may begin. */
        IDLE,
        /** One fills or reads. */
        IN_USE,
        /** One does, and gives the memory back when it ends. */
        CLOSING,
        /** None does or begins: the lease is closed, or its results were taken back. */
        OVER
    }

    private final AtomicReference<Access> access = new AtomicReference<>(Access.IDLE);

    /** When a thread last filled or read it, by {@link System#nanoTime}. */
    volatile long lastUseNanos;

    private WaveJob job;
    private ByteBuffer outputView;
    private volatile FallbackReason failure;

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
            int entryCount) {
        this.worker = worker;
        this.program = program;
        this.region = region;
        this.inputBytes = inputBytes;
        this.outputBytes = outputBytes;
        this.entryCount = entryCount;
    }

    /** Bytes of page-locked memory that a lease needs. */
    static int regionBytes(int inputBytes, int outputBytes) {
        return FreeRanges.roundedUp(inputBytes) + outputBytes;
    }

    /**
     * Fills the input, before {@link #submit}.
     *
     * @param filler gets a new little-endian view; it must not be kept
     * @return false if the lease is closed; then nothing was filled
     */
    public boolean fill(Consumer<ByteBuffer> filler) {
        return use(() -> filler.accept(inputPart().view()));
    }

    private boolean use(Runnable work) {
        if (!access.compareAndSet(Access.IDLE, Access.IN_USE)) {
            return false;
        }
        try {
            work.run();
        } finally {
            lastUseNanos = System.nanoTime();
            if (!access.compareAndSet(Access.IN_USE, Access.IDLE)) {
                access.set(Access.OVER);
                worker.leases().giveBack(this);
            }
        }
        return true;
    }

    /** Lets no thread touch the memory any more, if none does now. */
    boolean tryEndAccess() {
        return access.compareAndSet(Access.IDLE, Access.OVER);
    }

    /** Lets no thread touch the memory any more. Returns whether none does; else the one that does gives it back. */
    boolean endAccess() {
        while (!tryEndAccess()) {
            if (access.compareAndSet(Access.IN_USE, Access.CLOSING) || access.get() == Access.OVER) {
                return false;
            }
        }
        return true;
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
     * @param work what the program is to do; of as many entries as were asked for at most
     */
    public void submit(WaveJob work) {
        if (work.entryCount() > entryCount) {
            throw new IllegalArgumentException(work.entryCount() + " units; " + entryCount + " were asked for");
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

    /**
     * Takes the work back if no wave has it yet: the memory is given back, and the work will not be done.
     *
     * @return whether it was taken back
     */
    public boolean withdraw() {
        return worker.leases().withdraw(this);
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

    /** Why the work was not done; null if it was, or may still be. */
    public FallbackReason failure() {
        return failure;
    }

    /** Whether the work was done, but the results were not read for so long that their memory was lent to others. */
    public boolean wasRevoked() {
        return failure == FallbackReason.RESULTS_REVOKED;
    }

    /**
     * Looks at the output once {@link #await} has said that the work is done.
     *
     * @param reader gets a little-endian view of the whole output, to be read by index; it must not be kept
     * @return false if the results were given up for others that needed the memory, or the lease is closed; then {@link #failure} says so
     */
    public boolean read(Consumer<ByteBuffer> reader) {
        boolean read = use(() -> {
            if (outputView == null) {
                outputView = outputPart(outputBytes).view().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
            }
            reader.accept(outputView);
        });
        if (!read && failure == null) {
            failure = FallbackReason.CANCELLED;
        }
        return read;
    }

    /** Ends every {@link #await}, with the reason why the work failed. */
    void finish(FallbackReason why) {
        failure = why;
        over.countDown();
    }

    /** Ends every {@link #await}: the work is done. */
    void done() {
        over.countDown();
    }

    /** Gives the memory back as soon as neither the device nor a thread can touch it. Idempotent; never waits. */
    @Override
    public void close() {
        worker.leases().close(this);
    }
}
