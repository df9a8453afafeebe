package io.warpcodec.engine.cpu.base;

import io.warpcodec.engine.Lease;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Heap memory for the CPU engine, in powers of two. Up to {@link #KEPT_BYTES} of returned arrays wait for reuse, so that a
 * stream of chunks does not allocate and clear one array each; the rest is the garbage collector's. Thread-safe.
 */
public final class HeapLeases {
    private static final int SMALLEST_LOG2 = 12;
    private static final int LARGEST_LOG2 = 23;
    /** A thirty-second of the heap, 16 MiB at least and 128 MiB at most: two read-aheads of 4 MiB for each of 16 threads. */
    private static final int KEPT_BYTES =
            (int) Math.max(16 << 20, Math.min(128 << 20, Runtime.getRuntime().maxMemory() / 32));

    private final ConcurrentLinkedDeque<byte[]>[] kept;
    private final AtomicInteger keptBytes = new AtomicInteger();

    @SuppressWarnings({"unchecked", "rawtypes"})
    /** Leases with nothing kept yet. */
    public HeapLeases() {
        kept = new ConcurrentLinkedDeque[LARGEST_LOG2 + 1];
        for (int log2 = SMALLEST_LOG2; log2 <= LARGEST_LOG2; log2++) {
            kept[log2] = new ConcurrentLinkedDeque<>();
        }
    }

    /**
     * Lends at least so many bytes, contents undefined. Never refuses, never waits.
     *
     * @param owner a word for error texts: what the memory is for
     */
    public Lease lease(int bytes, String owner) {
        int log2 = Math.max(SMALLEST_LOG2, 32 - Integer.numberOfLeadingZeros(Math.max(bytes, 1) - 1));
        if (log2 > LARGEST_LOG2) {
            return new Lease(ByteBuffer.allocate(bytes), owner, () -> {});
        }
        byte[] found = kept[log2].pollFirst();
        if (found != null) {
            keptBytes.addAndGet(-found.length);
        } else {
            found = new byte[1 << log2];
        }
        byte[] array = found;
        return new Lease(ByteBuffer.wrap(array), owner, () -> giveBack(array, log2));
    }

    /** The caller's memory where its capacity is enough, as a lease that gives nothing back; else {@link #lease(int, String)}. Null: no memory. */
    public Lease lease(int bytes, String owner, ByteBuffer target) {
        return target != null && target.capacity() >= bytes ? new Lease(target, owner, () -> {}) : lease(bytes, owner);
    }

    private void giveBack(byte[] array, int log2) {
        if (keptBytes.addAndGet(array.length) <= KEPT_BYTES) {
            kept[log2].addFirst(array);
        } else {
            keptBytes.addAndGet(-array.length);
        }
    }
}
