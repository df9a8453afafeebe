package io.warpcodec.engine.cpu;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts native memory that the garbage collector does not see. What a reachable object holds it frees itself when closed; what
 * an abandoned one holds comes back when a collection finds it, and with a large heap none may be due for long. So when more
 * than a threshold is out, one is asked for, as the JDK does for direct buffers; if that frees little, the memory is in use
 * and the threshold rises. Thread-safe.
 */
final class NativeMemory {
    private static final long FIRST_THRESHOLD_BYTES = 256 << 20;

    private static final AtomicLong TAKEN = new AtomicLong();
    private static final AtomicLong THRESHOLD = new AtomicLong(FIRST_THRESHOLD_BYTES);

    private NativeMemory() {}

    /** Counts this many bytes as taken. */
    static void take(long bytes) {
        long taken = TAKEN.addAndGet(bytes);
        long threshold = THRESHOLD.get();
        if (taken > threshold && THRESHOLD.compareAndSet(threshold, 2 * taken)) {
            System.gc();
        } else if (taken < threshold / 4 && threshold > FIRST_THRESHOLD_BYTES) {
            THRESHOLD.compareAndSet(threshold, Math.max(FIRST_THRESHOLD_BYTES, threshold / 2));
        }
    }

    /** Counts this many bytes as given back. */
    static void give(long bytes) {
        TAKEN.addAndGet(-bytes);
    }

    /** Bytes taken and not given back. */
    static long takenBytes() {
        return TAKEN.get();
    }
}
