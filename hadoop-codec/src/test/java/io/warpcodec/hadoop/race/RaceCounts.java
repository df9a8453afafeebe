package io.warpcodec.hadoop.race;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What the threads of one race have done and seen. Thread-safe. */
final class RaceCounts {
    private static final int MOST_KEPT = 1000;

    final LongAdder raced = new LongAdder();
    final LongAdder innocent = new LongAdder();
    final LongAdder closes = new LongAdder();
    private final LongAdder inside = new LongAdder();
    private final LongAdder foreign = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder opened = new LongAdder();
    private final LongAdder closed = new LongAdder();
    private final AtomicInteger kept = new AtomicInteger();
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;

    void stop() {
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    /** An exception of a stream that was closed: counts whether a call was inside. */
    void closedUnder(Exception thrown) {
        if (String.valueOf(thrown.getMessage()).contains("closed while")) {
            inside.increment();
        }
    }

    /** Bytes that are not the stream's own. */
    void foreignBytes(String where) {
        foreign.increment();
        keep("wrong bytes: " + where);
    }

    /** Something else that must not happen. */
    void failure(String where, Throwable thrown) {
        failed.increment();
        StringWriter trace = new StringWriter();
        if (thrown != null) {
            thrown.printStackTrace(new PrintWriter(trace));
        }
        keep("failure: " + where + " " + trace);
    }

    void require(boolean holds, String otherwise) {
        if (!holds) {
            failure(otherwise, null);
        }
    }

    private void keep(String violation) {
        if (kept.incrementAndGet() <= MOST_KEPT) {
            violations.add(violation);
        }
    }

    void opened() {
        opened.increment();
    }

    void closed() {
        closed.increment();
    }

    /** Each source and sink was closed once. */
    void requireAllClosed() {
        require(
                opened.sum() == closed.sum(),
                "sources and sinks: " + opened.sum() + " opened, " + closed.sum() + " closed");
    }

    List<String> violations() {
        return List.copyOf(violations);
    }

    @Override
    public String toString() {
        return "streams raced: " + raced.sum() + ", innocent: " + innocent.sum() + ", closed by others: " + closes.sum()
                + ", of these during a call: " + inside.sum() + ", sources and sinks opened and closed: "
                + opened.sum() + "/" + closed.sum() + ", with foreign bytes: " + foreign.sum() + ", failures: "
                + failed.sum();
    }
}
