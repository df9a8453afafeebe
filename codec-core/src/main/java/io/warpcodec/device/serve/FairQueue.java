package io.warpcodec.device.serve;

import io.warpcodec.device.lease.FreeRanges;
import io.warpcodec.device.pool.OwnLease;
import io.warpcodec.device.pool.OwnPool;
import io.warpcodec.metrics.FallbackReason;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The work of all clients on its way to the pool. Clients take turns by deficit round robin (Shreedhar and Varghese, 1995), by output bytes: a client that asks for much
 * waits for itself, and one that asks for little goes ahead. The pool gets no more than keeps its devices busy. Thread-safe.
 */
final class FairQueue {
    // Lock order: this monitor, then the pool's. The pool holds none when it tells that a lease is over.

    /** What a client's turn is worth: a request of the usual size. */
    private static final int QUANTUM_BYTES = 4 << 20;

    private final OwnPool pool;
    private final long mostOutstandingBytes;
    private final Consumer<Segment> whenFree;
    /** Runs what must not run on a thread that may hold the pool's monitor. */
    private final Executor later;

    /** A client's turn: its waiting work, oldest first, and what it may still ask for. */
    private static final class Turn {
        final Deque<ClientWork> waiting = new ArrayDeque<>();
        long deficitBytes;
    }

    private final Map<WorkOwner, Turn> turnOf = new HashMap<>();
    private final Deque<Turn> turns = new ArrayDeque<>();
    private long waitingBytes;
    private boolean goingOn;

    /**
     * @param mostOutstandingBytes output bytes that the pool has at most, unless one piece has more
     * @param whenFree told that the last holder of a segment has let go
     * @param later runs what it is given soon, on a thread of its own
     */
    FairQueue(OwnPool pool, long mostOutstandingBytes, Consumer<Segment> whenFree, Executor later) {
        this.pool = pool;
        this.mostOutstandingBytes = mostOutstandingBytes;
        this.whenFree = whenFree;
        this.later = later;
    }

    /** Adds work, whose segment it holds until it is over. */
    void add(ClientWork work) {
        synchronized (this) {
            work.segment.hold();
            Turn turn = turnOf.computeIfAbsent(work.client, client -> new Turn());
            if (turn.waiting.isEmpty()) {
                turns.add(turn);
            }
            turn.waiting.add(work);
            waitingBytes += work.outputBytes;
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
                while (!turns.isEmpty() && pool.outstandingBytes() < mostOutstandingBytes) {
                    submit(next());
                }
            } finally {
                goingOn = false;
            }
        }
    }

    private ClientWork next() {
        while (true) {
            Turn turn = turns.peek();
            if (turn.deficitBytes < turn.waiting.peek().outputBytes) {
                turn.deficitBytes += QUANTUM_BYTES;
                turns.add(turns.remove());
                continue;
            }
            ClientWork work = turn.waiting.remove();
            turn.deficitBytes -= work.outputBytes;
            waitingBytes -= work.outputBytes;
            if (turn.waiting.isEmpty()) {
                turn.deficitBytes = 0;
                turns.remove();
            }
            return work;
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
        lease.submit(work.job);
    }

    /** On a thread of the pool, or on the one that has submitted it. */
    private void over(ClientWork work, OwnLease lease) {
        work.client.over(work, lease.failure());
        lease.close();
        goOn();
    }

    /**
     * No device touches the memory of a piece of work any more. On any thread, inside the pool's monitor too: the pool tells of work whose client has gone by this alone.
     */
    private void cameBack(ClientWork work) {
        letGo(work.segment);
        later.execute(this::goOn);
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
        Turn turn = turnOf.get(work.client);
        if (turn == null || !turn.waiting.remove(work)) {
            return false;
        }
        waitingBytes -= work.outputBytes;
        if (turn.waiting.isEmpty()) {
            turn.deficitBytes = 0;
            turns.remove(turn);
        }
        letGo(work.segment);
        return true;
    }

    /** The client has gone: its work that waits is dropped; what devices have ends by itself. */
    void drop(WorkOwner client, Iterable<ClientWork> works) {
        synchronized (this) {
            for (ClientWork work : works) {
                if (!withdraw(work) && work.lease != null) {
                    work.lease.close();
                }
            }
            turnOf.remove(client);
        }
        goOn();
    }

    /** Output bytes that work which comes now waits for: the pool's and what waits here. */
    synchronized long backlogBytes() {
        return pool.backlogBytes() + waitingBytes;
    }
}
