package io.warpcodec.device.pool;

import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.lease.BookedLease;
import io.warpcodec.device.lease.LeaseTerms;
import io.warpcodec.device.lease.WaveJob;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** A lease of this process's devices: page-locked memory for input and output, and a place in a wave. */
public final class OwnLease extends BookedLease<OwnLease> {
    private final DeviceWorker worker;
    private final PinnedBuffer memory;
    private final Runnable giveBack;
    private final Consumer<OwnLease> whenOver;

    /** When a wave took the work, by {@link System#nanoTime}; guarded by the monitor of the book. */
    long issuedNanos;

    private OwnLease(
            DeviceWorker worker,
            LeaseTerms terms,
            PinnedBuffer memory,
            Runnable giveBack,
            Consumer<OwnLease> whenOver) {
        super(worker.leases(), terms, worker.clock());
        this.worker = worker;
        this.memory = memory;
        this.giveBack = giveBack;
        this.whenOver = whenOver;
    }

    /**
     * A lease of the pool's own memory.
     *
     * @param memory input, then output
     * @param giveBack gives it back
     */
    static OwnLease own(DeviceWorker worker, LeaseTerms terms, PinnedBuffer memory, Runnable giveBack) {
        return new OwnLease(worker, terms, memory, giveBack, null);
    }

    /**
     * A lease of memory that another process sees.
     *
     * @param whenOver learns that the work is done or has failed, unless the lease was closed before; on a thread
     *     that holds no lock of the pool
     */
    static OwnLease foreign(
            DeviceWorker worker,
            LeaseTerms terms,
            PinnedBuffer memory,
            Runnable giveBack,
            Consumer<OwnLease> whenOver) {
        return new OwnLease(worker, terms, memory, giveBack, whenOver);
    }

    @Override
    protected OwnLease self() {
        return this;
    }

    /** Whether another process sees its memory, so that nothing may come there but what its own work has made. */
    boolean isForeign() {
        return whenOver != null;
    }

    @Override
    protected ByteBuffer part(int at, int bytes) {
        return memory.slice(at, bytes).view();
    }

    PinnedBuffer inputPart() {
        return memory.slice(0, inputBytes());
    }

    PinnedBuffer outputPart(int bytes) {
        return memory.slice(terms().outputAt(), bytes);
    }

    void giveMemoryBack() {
        giveBack.run();
    }

    String program() {
        return terms().program();
    }

    int inputBytes() {
        return terms().inputBytes();
    }

    int outputBytes() {
        return terms().outputBytes();
    }

    @Override
    protected void checkAlive() {
        worker.checkAlive();
    }

    @Override
    public void submit(WaveJob work) {
        super.submit(work);
        worker.wake();
    }

    /**
     * Takes the work back if no wave has it yet: the memory is given back, and the work will not be done. Returns
     * whether it was taken back.
     */
    public boolean withdraw() {
        return worker.leases().withdraw(this);
    }

    /** When the last wave took its work, by {@link System#nanoTime}; 0 if none has. Of use once the work is over. */
    public long issuedNanos() {
        return issuedNanos;
    }

    /** Ends every {@link #await}; a listener for work that is over is told. No lock is held. */
    void tell(FallbackReason why) {
        finish(why);
        if (whenOver != null) {
            whenOver.accept(this);
        }
    }
}
