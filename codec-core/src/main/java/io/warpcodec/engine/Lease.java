package io.warpcodec.engine;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Memory borrowed from an engine: heap from the CPU's, page-locked from a device's. It is counted: {@link #retain}
 * for every further holder, {@link #release} once for each; the last release gives the memory back, exactly once.
 *
 * <p>The count is thread-safe; the bytes are not.
 */
public final class Lease {
    private final ByteBuffer memory;
    private final String owner;
    private final Runnable giveBack;
    private final AtomicInteger holders = new AtomicInteger(1);

    /**
     * @param memory the whole of the memory; position 0, limit = capacity
     * @param owner a word for error texts: what the memory is for
     * @param giveBack run once, by the last release
     */
    public Lease(ByteBuffer memory, String owner, Runnable giveBack) {
        this.memory = memory;
        this.owner = owner;
        this.giveBack = giveBack;
    }

    /** The memory itself: index it absolutely or take {@link ByteBuffer#duplicate()}; its position means nothing. */
    public ByteBuffer memory() {
        return memory;
    }

    /** Bytes of the memory. */
    public int capacity() {
        return memory.capacity();
    }

    /** Whether the caller is the only holder, so that nothing else can touch the memory. */
    public boolean isHeldOnce() {
        return holders.get() == 1;
    }

    /** One more holder. */
    public Lease retain() {
        int before = holders.getAndIncrement();
        if (before <= 0) {
            holders.getAndDecrement();
            throw new IllegalStateException("lease of " + owner + " is already given back");
        }
        return this;
    }

    /** One holder less; the last one gives the memory back. */
    public void release() {
        int after = holders.decrementAndGet();
        if (after == 0) {
            giveBack.run();
        } else if (after < 0) {
            holders.incrementAndGet();
            throw new IllegalStateException("lease of " + owner + " is given back twice");
        }
    }
}
