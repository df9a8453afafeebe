package io.warpcodec.device.lease;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Threads that wait for page-locked memory to come back. When some does, the oldest of them is told, and each that has
 * no use for it tells the next one. Thread-safe.
 *
 * <p>Only a thread that can do nothing else waits here: its chunk is in turn. While one does, work that is only read
 * ahead should take no memory.
 *
 * <p>A thread that comes may take memory before those that wait, which keeps devices busy. But once the oldest has
 * waited for {@link #PATIENCE_NANOS}, no other thread tries before it. Else others could take whatever comes back for
 * it, for seconds where there are many. That ends {@link #FIRST_NANOS} after it became the oldest: memory enough for
 * it may not come back at all.
 */
public final class MemoryTurns {
    /** After so long the oldest thread comes first: about what a wave of a strong level takes. */
    static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** For so long others leave memory to the oldest thread: some waves of a strong level. */
    static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /**
     * After so long a waiting thread tries again in any case: what came back for another one may have been too much
     * or too little.
     */
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** A thread that waits. The lock guards its fields. */
    private static final class Turn {
        private final long begin;
        private final Condition isTold;
        private long firstSince;
        private boolean told;

        private Turn(long begin, Condition isTold) {
            this.begin = begin;
            this.isTold = isTold;
        }

        private void tell() {
            told = true;
            isTold.signal();
        }
    }

    private final LongSupplier clock;
    private final ReentrantLock lock = new ReentrantLock();
    /** Oldest first; the lock guards them. */
    private final Deque<Turn> turns = new ArrayDeque<>();

    private volatile int waiting;

    /** @param clock that waits are measured by, in nanoseconds */
    public MemoryTurns(LongSupplier clock) {
        this.clock = clock;
    }

    /** Whether a thread waits. */
    public boolean isAwaited() {
        return waiting > 0;
    }

    /** How many threads wait. */
    int waiting() {
        return waiting;
    }

    /** Memory has come back. */
    public void cameBack() {
        if (isAwaited()) {
            lock.lock();
            try {
                tellOldest();
            } finally {
                lock.unlock();
            }
        }
    }

    private void tellOldest() {
        if (!turns.isEmpty()) {
            turns.getFirst().tell();
        }
    }

    /**
     * Makes an attempt, and again whenever memory has come back, until one succeeds.
     *
     * @param nanos how long at most; attempts not counted
     * @return whether one did
     * @throws InterruptedException if interrupted while it waited
     */
    public boolean attempt(BooleanSupplier attempt, long nanos) throws InterruptedException {
        if (!(isAwaited() && isOthers(null)) && attempt.getAsBoolean()) {
            return true;
        }
        Turn own = begin();
        boolean told = false;
        try {
            while (true) {
                if (!isOthers(own) && attempt.getAsBoolean()) {
                    return true;
                }
                if (told) {
                    tellBehind(own);
                }
                long left = own.begin + nanos - clock.getAsLong();
                if (left <= 0) {
                    return false;
                }
                told = await(own, Math.min(left, RETRY_NANOS));
            }
        } finally {
            end(own);
        }
    }

    /** Tells the thread behind this turn's, which has no use for what came back. */
    private void tellBehind(Turn own) {
        lock.lock();
        try {
            for (Iterator<Turn> each = turns.iterator(); each.hasNext(); ) {
                if (each.next() == own && each.hasNext()) {
                    each.next().tell();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private Turn begin() {
        lock.lock();
        try {
            Turn own = new Turn(clock.getAsLong(), lock.newCondition());
            turns.addLast(own);
            waiting = turns.size();
            own.firstSince = own.begin;
            return own;
        } finally {
            lock.unlock();
        }
    }

    /** Ends a turn. The next one may find what this one has left, or may try at last. */
    private void end(Turn own) {
        lock.lock();
        try {
            boolean wasFirst = turns.getFirst() == own;
            turns.remove(own);
            waiting = turns.size();
            if (wasFirst && !turns.isEmpty()) {
                turns.getFirst().firstSince = clock.getAsLong();
            }
            tellOldest();
        } finally {
            lock.unlock();
        }
    }

    /** Whether another thread has waited so long that it comes first. */
    private boolean isOthers(Turn own) {
        lock.lock();
        try {
            Turn first = turns.peekFirst();
            long now = clock.getAsLong();
            return first != null
                    && first != own
                    && now - first.begin >= PATIENCE_NANOS
                    && now - first.firstSince < FIRST_NANOS;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until this thread is told, or for so long. Gives whether it was. */
    private boolean await(Turn own, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (!own.told && left > 0) {
                left = own.isTold.awaitNanos(left);
            }
            boolean told = own.told;
            own.told = false;
            return told;
        } finally {
            lock.unlock();
        }
    }
}
