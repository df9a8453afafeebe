package io.warpcodec.device.lease;

import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A lease that a {@link LeaseKeeper} keeps: the states and waits that leases of this process's devices and of the
 * node's service have in common. Memory holds the input, then the output at the next multiple of
 * {@link FreeRanges#GRAIN_BYTES}.
 *
 * <ol>
 *   <li>A thread touches the memory only inside {@link #fill} and {@link #read} ({@link MemoryAccess}).
 *   <li>A device touches it only while the lease is {@link LeaseState#ISSUED}.
 *   <li>The memory is lent again when neither can: exactly one thread then calls {@link LeaseKeeper#giveBack}.
 * </ol>
 *
 * @param <L> this type
 */
public abstract class BookedLease<L extends BookedLease<L>> implements DeviceLease {
    /** Looks at the clock during one wait. A pause of the process counts as two of these at most. */
    private static final int LOOKS = 8;

    private static final long LEAST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MOST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LeaseKeeper<L> keeper;
    private final LeaseTerms terms;
    private final LongSupplier clock;
    private final CountDownLatch over = new CountDownLatch(1);
    private final MemoryAccess access = new MemoryAccess();

    private volatile long lastUseNanos;
    private volatile FallbackReason failure;
    private WaveJob job;
    private long submittedNanos;
    private ByteBuffer outputView;

    // guarded by the keeper's monitor

    private LeaseState state = LeaseState.FILLING;
    private boolean abandoned;
    private long elapsedNanos;

    /**
     * @param keeper of this lease
     * @param clock that waits are measured by, in nanoseconds
     */
    protected BookedLease(LeaseKeeper<L> keeper, LeaseTerms terms, LongSupplier clock) {
        this.keeper = keeper;
        this.terms = terms;
        this.clock = clock;
    }

    /** This lease, as its keeper knows it. */
    protected abstract L self();

    /** A new little-endian view of a part of the memory. */
    protected abstract ByteBuffer part(int at, int bytes);

    /** Called by a waiting thread now and then, so that it notices a device that does not answer. */
    protected void checkAlive() {}

    /** What the lease was asked for. */
    public final LeaseTerms terms() {
        return terms;
    }

    /** Work that was submitted; null before. */
    public final WaveJob job() {
        return job;
    }

    /** When a thread or the keeper last used it, by {@link System#nanoTime}. */
    public final long lastUseNanos() {
        return lastUseNanos;
    }

    /** Notes a use. */
    public final void used() {
        lastUseNanos = System.nanoTime();
    }

    // ---- memory

    @Override
    public boolean fill(Consumer<ByteBuffer> filler) {
        return use(() -> filler.accept(part(0, terms.inputBytes())));
    }

    @Override
    public boolean read(Consumer<ByteBuffer> reader) {
        boolean read = use(() -> {
            if (outputView == null) {
                outputView = part(terms.outputAt(), terms.outputBytes())
                        .asReadOnlyBuffer()
                        .order(ByteOrder.LITTLE_ENDIAN);
            }
            reader.accept(outputView);
        });
        if (!read && failure == null) {
            failure = FallbackReason.CANCELLED;
        }
        return read;
    }

    private boolean use(Runnable work) {
        if (!access.tryBegin()) {
            return false;
        }
        try {
            return touch(work);
        } finally {
            used();
            if (access.end()) {
                keeper.giveBack(self());
            }
        }
    }

    /** Runs what fills or reads the memory; whether the memory was there. */
    protected boolean touch(Runnable work) {
        work.run();
        return true;
    }

    /** Lets no thread touch the memory any more; whether none does now. */
    public final boolean tryEndAccess() {
        return access.tryClose();
    }

    /**
     * Lets no thread touch the memory any more. Returns whether the caller has to give it back; else the thread that
     * touches it does.
     */
    public final boolean endAccess() {
        return access.close();
    }

    // ---- work

    @Override
    public void submit(WaveJob work) {
        if (work.entryCount() > terms.entryCount()) {
            throw new IllegalArgumentException(
                    work.entryCount() + " entries; " + terms.entryCount() + " were asked for");
        }
        job = work;
        submittedNanos = clock.getAsLong();
        used();
        keeper.enqueue(self());
    }

    @Override
    public boolean await(long nanos) throws InterruptedException {
        long lookNanos = Math.max(LEAST_LOOK_NANOS, Math.min(MOST_LOOK_NANOS, nanos / LOOKS));
        long waitedNanos = 0;
        long seenNanos = clock.getAsLong();
        while (!over.await(Math.min(lookNanos, nanos - waitedNanos), TimeUnit.NANOSECONDS)) {
            checkAlive();
            long now = clock.getAsLong();
            waitedNanos += Math.min(now - seenNanos, 2 * lookNanos);
            seenNanos = now;
            if (waitedNanos >= nanos) {
                break;
            }
        }
        return isOver() && failure == null;
    }

    @Override
    public boolean isOver() {
        return over.getCount() == 0;
    }

    @Override
    public FallbackReason failure() {
        return failure;
    }

    /** Ends every {@link #await}; the work is done if there is no reason why not. */
    public void finish(FallbackReason why) {
        failure = why;
        over.countDown();
    }

    @Override
    public long elapsedNanos() {
        return elapsedNanos;
    }

    @Override
    public void close() {
        keeper.close(self());
    }

    // ---- for the keeper, under its monitor

    public final LeaseState state() {
        return state;
    }

    public final void state(LeaseState now) {
        state = now;
    }

    /** Whether it was closed while it was {@link LeaseState#ISSUED}. */
    public final boolean isAbandoned() {
        return abandoned;
    }

    /** Closes a lease that a device has: its task leaves, its memory stays the device's. */
    public final void abandon() {
        abandoned = true;
        finish(FallbackReason.CANCELLED);
    }

    /** The lease ends. Returns whether the caller has to give its memory back. */
    public final boolean end() {
        state = LeaseState.CLOSED;
        return endAccess();
    }

    /** Results are there. */
    public final void done() {
        state = LeaseState.DONE;
        elapsedNanos = clock.getAsLong() - submittedNanos;
        used();
    }
}
