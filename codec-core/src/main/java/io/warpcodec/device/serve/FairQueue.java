package io.warpcodec.device.serve;

import io.warpcodec.device.lease.FreeRanges;
import io.warpcodec.device.pool.OwnLease;
import io.warpcodec.device.pool.OwnPool;
import io.warpcodec.device.serve.share.FairTurns;
import io.warpcodec.metrics.FallbackReason;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The work of all clients on its way to the pool: users take turns, and the clients of a user ({@link FairTurns}), by
 * what work costs. The pool gets no more than keeps its devices busy. Thread-safe.
 */
final class FairQueue {
    // Lock order: this monitor, then the pool's. The pool holds none when it tells that a lease is over; it may hold
    // its own when memory comes back.

    /** Cost of any piece beside its bytes: even a piece of one byte takes a place in a wave, copies and an answer. */
    private static final int PIECE_COST = 16 << 10;

    private static final int ENTRY_COST = 64;

    private final OwnPool pool;
    private final LongSupplier mostOutstanding;
    private final Consumer<Segment> whenFree;
    /** Runs what must not run on a thread that may hold the pool's monitor. */
    private final Executor later;

    private final FairTurns<ClientWork> turns = new FairTurns<>(FairQueue::costOf);
    private final AtomicLong outstanding = new AtomicLong();
    private boolean goingOn;

    /**
     * @param mostOutstanding cost of what the pool has at most, unless one piece costs more; above 0, so that a pool
     *     that takes nothing any more refuses what waits
     * @param whenFree told that the last holder of a segment has let go
     * @param later runs what it is given soon, on a thread of its own
     */
    FairQueue(OwnPool pool, LongSupplier mostOutstanding, Consumer<Segment> whenFree, Executor later) {
        this.pool = pool;
        this.mostOutstanding = mostOutstanding;
        this.whenFree = whenFree;
        this.later = later;
    }

    /** The dearer of its two directions, since both are copied, and a constant for each piece and each entry. */
    static long costOf(ClientWork work) {
        return (long) Math.max(work.inputBytes, work.outputBytes)
                + PIECE_COST
                + (long) ENTRY_COST * work.job.entryCount();
    }

    /** Adds work, whose segment it holds until it is over. */
    void add(ClientWork work) {
        synchronized (this) {
            work.segment.hold();
            turns.add(work.client.user(), work.client, work);
        }
        goOn();
    }

    /** Gives the pool what it can take. */
    void goOn() {
        synchronized (this) {
            if (goingOn) {
                // work that failed at once: the loop below sees it
                return;
            }
            goingOn = true;
            try {
                while (!turns.isEmpty() && outstanding.get() < mostOutstanding.getAsLong()) {
                    submit(turns.next());
                }
            } finally {
                goingOn = false;
            }
        }
    }

    private void submit(ClientWork work) {
        int bytes = FreeRanges.roundedUp(work.inputBytes) + work.outputBytes;
        OwnLease lease = pool.lease(
                work.segment.part(work.at, bytes),
                work.program,
                work.inputBytes,
                work.outputBytes,
                work.job.entryCount(),
                () -> cameBack(work),
                over -> over(work, over));
        if (lease == null) {
            letGo(work.segment);
            FallbackReason lasting =
                    pool.refusalReason(work.program, work.inputBytes, work.outputBytes, work.job.entryCount());
            work.client.over(work, lasting == FallbackReason.POOL_FULL ? FallbackReason.OVER_MEMORY : lasting);
            return;
        }
        work.lease = lease;
        work.outstanding.set(true);
        outstanding.addAndGet(costOf(work));
        lease.submit(work.job);
    }

    /** The pool has a piece of work no longer, for the first time that this is called. */
    private void settle(ClientWork work) {
        if (work.outstanding.compareAndSet(true, false)) {
            outstanding.addAndGet(-costOf(work));
        }
    }

    /**
     * Runs on a thread of the pool, or on the thread that has submitted the work. Of a lost device this alone is
     * told.
     */
    private void over(ClientWork work, OwnLease lease) {
        work.told = true;
        work.client.over(work, lease.failure());
        settle(work);
        lease.close();
        goOn();
    }

    /**
     * No device touches the memory of a piece of work any more. On any thread, inside the pool's monitor too: the pool
     * tells of work whose client has gone by this alone.
     */
    private void cameBack(ClientWork work) {
        settle(work);
        letGo(work.segment);
        if (!work.told) {
            later.execute(this::goOn);
        }
    }

    private void letGo(Segment segment) {
        if (segment.letGo()) {
            whenFree.accept(segment);
        }
    }

    /** Takes work back that no wave has; whether it was taken back. */
    synchronized boolean withdraw(ClientWork work) {
        if (work.lease != null) {
            return work.lease.withdraw();
        }
        if (!turns.remove(work.client.user(), work.client, work)) {
            return false;
        }
        letGo(work.segment);
        return true;
    }

    /** The client has gone: its work that waits is dropped; what devices have ends by itself. */
    void drop(WorkOwner client, Iterable<ClientWork> works) {
        synchronized (this) {
            turns.drop(client.user(), client).forEach(waiting -> letGo(waiting.segment));
            for (ClientWork work : works) {
                if (work.lease != null) {
                    work.lease.close();
                }
            }
        }
        goOn();
    }

    /** Cost of the work that the pool has and that waits here: mostly its bytes. */
    synchronized long backlogBytes() {
        return outstanding.get() + turns.cost();
    }
}
