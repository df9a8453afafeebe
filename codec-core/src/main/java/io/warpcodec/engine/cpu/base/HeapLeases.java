package io.warpcodec.engine.cpu.base;

import io.warpcodec.engine.Lease;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Heap memory for the CPU engine, in powers of two. Up to {@link #KEPT_BYTES} of returned arrays wait for reuse, so
 * that a stream of chunks does not allocate and clear one array each. The rest is the garbage collector's. Where it
 * needs their memory it takes the arrays that wait, too: they are softly reachable. Thread-safe.
 */
public final class HeapLeases {
    private static final int SMALLEST_LOG2 = 12;
    /** Sixteen chunks of bzip2 are 14.2 MB. */
    private static final int LARGEST_LOG2 = 24;
    /** An eighth of the heap, 1 GiB at most: what 200 streams have read ahead that a device works for. */
    private static final int KEPT_BYTES =
            (int) Math.min(1 << 30, Runtime.getRuntime().maxMemory() / 8);

    private final ConcurrentLinkedDeque<Kept>[] kept;
    private final AtomicInteger keptBytes = new AtomicInteger();
    /** Those whose array the garbage collector has taken. They stay in line until their turn comes. */
    private final ReferenceQueue<byte[]> taken = new ReferenceQueue<>();

    /** An array that waits for reuse, counted in {@link #keptBytes} until it is lent or taken. */
    private static final class Kept extends SoftReference<byte[]> {
        private final int bytes;

        Kept(byte[] array, ReferenceQueue<byte[]> taken) {
            super(array, taken);
            bytes = array.length;
        }
    }

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
        byte[] found = takeKept(log2);
        byte[] array = found != null ? found : new byte[1 << log2];
        return new Lease(ByteBuffer.wrap(array), owner, () -> giveBack(array, log2));
    }

    /**
     * The caller's memory where its capacity is enough, as a lease that gives nothing back; else
     * {@link #lease(int, String)}. Null: no memory.
     */
    public Lease lease(int bytes, String owner, ByteBuffer target) {
        return target != null && target.capacity() >= bytes ? new Lease(target, owner, () -> {}) : lease(bytes, owner);
    }

    private byte[] takeKept(int log2) {
        for (Kept next = kept[log2].pollFirst(); next != null; next = kept[log2].pollFirst()) {
            byte[] array = next.get();
            if (array != null) {
                // from here on it is not queued any more
                next.clear();
                keptBytes.addAndGet(-next.bytes);
                return array;
            }
        }
        return null;
    }

    private void giveBack(byte[] array, int log2) {
        for (Reference<?> gone = taken.poll(); gone != null; gone = taken.poll()) {
            keptBytes.addAndGet(-((Kept) gone).bytes);
        }
        if (keptBytes.addAndGet(array.length) <= KEPT_BYTES) {
            kept[log2].addFirst(new Kept(array, taken));
        } else {
            keptBytes.addAndGet(-array.length);
        }
    }

    /** Bytes of the arrays that wait. */
    int keptBytes() {
        return keptBytes.get();
    }

    /** Lets go of all arrays, as the garbage collector does that needs their memory. For tests. */
    void loseKept() {
        for (int log2 = SMALLEST_LOG2; log2 <= LARGEST_LOG2; log2++) {
            kept[log2].forEach(Kept::enqueue);
        }
    }
}
