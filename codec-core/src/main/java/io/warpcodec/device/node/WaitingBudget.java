package io.warpcodec.device.node;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that messages which wait in writers may take of the heap, all writers together that share it. Thread-safe. */
public final class WaitingBudget {
    private final AtomicLong left;

    /** @param bytes in all */
    public WaitingBudget(long bytes) {
        left = new AtomicLong(bytes);
    }

    boolean tryTake(int bytes) {
        if (left.addAndGet(-bytes) >= 0) {
            return true;
        }
        left.addAndGet(bytes);
        return false;
    }

    void give(int bytes) {
        left.addAndGet(bytes);
    }

    /** Bytes that are left. */
    public long leftBytes() {
        return left.get();
    }
}
