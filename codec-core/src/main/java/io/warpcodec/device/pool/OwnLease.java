package io.warpcodec.device.pool;

import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.lease.FreeRanges;
import io.warpcodec.device.lease.MemoryAccess;
import io.warpcodec.device.lease.WaveJob;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A lease of this process's devices: page-locked memory for input and output, and a place in a wave. One thread at a time uses it; the device's thread does the rest. */
public final class OwnLease implements DeviceLease {
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

    /**
     * What a lease is about.
     *
     * @param program name of the kind of work
     * @param entryCount most entries of its job
     */
    record Terms(String program, int inputBytes, int outputBytes, int entryCount) {
        /** Bytes of page-locked memory that it needs. */
        int regionBytes() {
            return FreeRanges.roundedUp(inputBytes) + outputBytes;
        }
    }

    private final DeviceWorker worker;
    private final Terms terms;
    private final PinnedBuffer memory;
    private final Runnable giveBack;
    private final Consumer<OwnLease> whenOver;
    private final CountDownLatch over = new CountDownLatch(1);
    private final MemoryAccess access = new MemoryAccess();

    /** When a thread last filled or read it, by {@link System#nanoTime}. */
    volatile long lastUseNanos;

    private WaveJob job;
    private ByteBuffer outputView;
    private volatile FallbackReason failure;

    /** The rest is guarded by the monitor of the book. */
    State state = State.FILLING;

    boolean abandoned;
    long queuedNanos;
    long issuedNanos;
    long elapsedNanos;
    long poolNanos;

    private OwnLease(
            DeviceWorker worker, Terms terms, PinnedBuffer memory, Runnable giveBack, Consumer<OwnLease> whenOver) {
        this.worker = worker;
        this.terms = terms;
        this.memory = memory;
        this.giveBack = giveBack;
        this.whenOver = whenOver;
    }

    /**
     * A lease of the pool's own memory.
     *
     * @param memory input, then output at the next multiple of {@link FreeRanges#GRAIN_BYTES}
     * @param giveBack gives it back
     */
    static OwnLease own(DeviceWorker worker, Terms terms, PinnedBuffer memory, Runnable giveBack) {
        return new OwnLease(worker, terms, memory, giveBack, null);
    }

    /**
     * A lease of memory that another process sees.
     *
     * @param whenOver learns that the work is done or has failed, unless the lease was closed before; on a thread that holds no lock of the pool
     */
    static OwnLease foreign(
            DeviceWorker worker, Terms terms, PinnedBuffer memory, Runnable giveBack, Consumer<OwnLease> whenOver) {
        return new OwnLease(worker, terms, memory, giveBack, whenOver);
    }

    /** Whether another process sees its memory, so that nothing may come there but what its own work has made. */
    boolean isForeign() {
        return whenOver != null;
    }

    @Override
    public boolean fill(Consumer<ByteBuffer> filler) {
        return use(() -> filler.accept(inputPart().view()));
    }

    private boolean use(Runnable work) {
        if (!access.tryBegin()) {
            return false;
        }
        try {
            work.run();
        } finally {
            lastUseNanos = System.nanoTime();
            if (access.end()) {
                worker.leases().giveBack(this);
            }
        }
        return true;
    }

    MemoryAccess access() {
        return access;
    }

    PinnedBuffer inputPart() {
        return memory.slice(0, terms.inputBytes);
    }

    PinnedBuffer outputPart(int bytes) {
        return memory.slice(FreeRanges.roundedUp(terms.inputBytes), bytes);
    }

    int memoryBytes() {
        return memory.bytes();
    }

    void giveMemoryBack() {
        giveBack.run();
    }

    String program() {
        return terms.program;
    }

    int inputBytes() {
        return terms.inputBytes;
    }

    int outputBytes() {
        return terms.outputBytes;
    }

    WaveJob job() {
        return job;
    }

    @Override
    public void submit(WaveJob work) {
        if (work.entryCount() > terms.entryCount) {
            throw new IllegalArgumentException(work.entryCount() + " units; " + terms.entryCount + " were asked for");
        }
        job = work;
        worker.enqueue(this);
    }

    @Override
    public boolean await() throws InterruptedException {
        SilenceWatch watch = worker.watch();
        while (!over.await(CHECK_NANOS, TimeUnit.NANOSECONDS)) {
            worker.checkAlive(watch);
        }
        return failure == null;
    }

    @Override
    public boolean withdraw() {
        return worker.leases().withdraw(this);
    }

    @Override
    public boolean isOver() {
        return over.getCount() == 0;
    }

    @Override
    public long elapsedNanos() {
        return elapsedNanos;
    }

    /** {@inheritDoc} Of what the thread spent since the wave before had ended. */
    @Override
    public long poolNanos() {
        return poolNanos;
    }

    /** When the last wave took its work, by {@link System#nanoTime}; 0 if none has. Of use once the work is over. */
    public long issuedNanos() {
        return issuedNanos;
    }

    @Override
    public FallbackReason failure() {
        return failure;
    }

    @Override
    public boolean read(Consumer<ByteBuffer> reader) {
        boolean read = use(() -> {
            if (outputView == null) {
                outputView =
                        outputPart(terms.outputBytes).view().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
            }
            reader.accept(outputView);
        });
        if (!read && failure == null) {
            failure = FallbackReason.CANCELLED;
        }
        return read;
    }

    /** Ends every {@link #await}, with the reason why the work was not done. */
    void finish(FallbackReason why) {
        failure = why;
        over.countDown();
    }

    /** The same of work that was queued; the one that waits for it to be over is told. No lock is held. */
    void failed(FallbackReason why) {
        finish(why);
        tell();
    }

    /** Ends every {@link #await}: the work is done. No lock is held. */
    void done() {
        over.countDown();
        tell();
    }

    private void tell() {
        if (whenOver != null) {
            whenOver.accept(this);
        }
    }

    @Override
    public void close() {
        worker.leases().close(this);
    }
}
