package io.warpcodec.engine.cpu.base;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Native memory that the garbage collector does not see. It is freed when its owner closes it, or when the owner is
 * found abandoned. With a large heap no collection may be due for long. So a collection is asked for when more than a
 * threshold is out, as the JDK does for direct buffers. If that frees little, the memory is in use and the threshold
 * rises. Thread-safe.
 */
public final class NativeMemory {
    private static final long FIRST_THRESHOLD_BYTES = 256 << 20;

    private static final int LONGEST_PAUSE_MILLIS = 64;

    private static final Cleaner CLEANER = Cleaner.create();
    private static final AtomicLong TAKEN = new AtomicLong();
    private static final AtomicLong THRESHOLD = new AtomicLong(FIRST_THRESHOLD_BYTES);

    private static final AtomicBoolean COLLECTING = new AtomicBoolean();

    private NativeMemory() {}

    /**
     * Counts native memory that an owner has taken.
     *
     * @param bytes an estimate
     * @param free frees it; must not refer to the owner
     * @return what the owner runs to free it; run at the latest when the owner is unreachable, and once
     */
    public static Runnable own(Object owner, long bytes, Runnable free) {
        long taken = TAKEN.addAndGet(bytes);
        Cleaner.Cleanable cleanable = CLEANER.register(owner, () -> {
            free.run();
            TAKEN.addAndGet(-bytes);
        });
        long threshold = THRESHOLD.get();
        if (taken > threshold) {
            collect(threshold);
        } else if (taken < threshold / 4 && threshold > FIRST_THRESHOLD_BYTES) {
            THRESHOLD.compareAndSet(threshold, Math.max(FIRST_THRESHOLD_BYTES, threshold / 2));
        }
        return cleanable::clean;
    }

    /** Asks for a collection and gives the cleaner a moment; then the threshold is twice what is really in use. */
    private static void collect(long threshold) {
        if (!COLLECTING.compareAndSet(false, true)) {
            return;
        }
        try {
            System.gc();
            for (int pause = 1; TAKEN.get() > threshold / 2 && pause <= LONGEST_PAUSE_MILLIS; pause *= 2) {
                Thread.sleep(pause);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            THRESHOLD.set(Math.max(FIRST_THRESHOLD_BYTES, 2 * TAKEN.get()));
            COLLECTING.set(false);
        }
    }

    /** Bytes taken and not freed. */
    static long takenBytes() {
        return TAKEN.get();
    }
}
