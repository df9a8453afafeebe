package io.warpcodec.device.serve;

import io.warpcodec.device.node.ServiceReport.Window;
import io.warpcodec.device.node.ServiceReport.Work;
import io.warpcodec.metrics.FallbackReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Counts the work of one client, or of all: since the beginning, and in windows of ten seconds. Takes two dozen
 * nanoseconds a piece of work. Thread-safe.
 */
final class WorkCount {
    static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** What is summed in a window, and in all. */
    private static final class Sums {
        long waited;
        long outputBytes;
        long waitNanos;
        long mostWaitNanos;

        void add(long bytes, long nanos) {
            waited++;
            outputBytes += bytes;
            waitNanos += nanos;
            mostWaitNanos = Math.max(mostWaitNanos, nanos);
        }

        Window over(long nanos) {
            return new Window(nanos, waited, outputBytes, waitNanos, mostWaitNanos);
        }
    }

    private final Map<FallbackReason, Long> failed = new EnumMap<>(FallbackReason.class);
    private final Sums total = new Sums();
    private Sums current = new Sums();
    private long currentNanos;
    private Window last;
    private long received;
    private long done;
    private long withdrawn;
    private long dropped;
    private long inputBytes;

    /** @param nowNanos by {@link System#nanoTime}, here and below */
    WorkCount(long nowNanos) {
        currentNanos = nowNanos;
    }

    synchronized void received() {
        received++;
    }

    synchronized void withdrawn() {
        withdrawn++;
    }

    synchronized void dropped(int count) {
        dropped += count;
    }

    /**
     * Work is over, in one of the ways that its client is told.
     *
     * @param why null if it was done
     * @param waitNanos until a wave took it, or it failed
     */
    synchronized void over(FallbackReason why, int input, int output, long waitNanos) {
        int bytes = 0;
        if (why == null) {
            done++;
            inputBytes += input;
            bytes = output;
        } else {
            failed.merge(why, 1L, Long::sum);
        }
        total.add(bytes, waitNanos);
        current.add(bytes, waitNanos);
    }

    /** Begins a window if the last one is full. */
    synchronized void tick(long nowNanos) {
        if (nowNanos - currentNanos >= WINDOW_NANOS) {
            last = current.over(nowNanos - currentNanos);
            current = new Sums();
            currentNanos = nowNanos;
        }
    }

    synchronized Work work() {
        Map<String, Long> words = new TreeMap<>();
        failed.forEach((why, count) -> words.put(why.word(), count));
        return new Work(
                received,
                done,
                withdrawn,
                dropped,
                words,
                inputBytes,
                total.outputBytes,
                total.waitNanos,
                total.mostWaitNanos);
    }

    /** The last full window; before there is one, what has passed of the first. */
    synchronized Window window(long nowNanos) {
        return last == null ? current.over(nowNanos - currentNanos) : last;
    }
}
