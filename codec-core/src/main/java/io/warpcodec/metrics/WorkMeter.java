package io.warpcodec.metrics;

import io.warpcodec.Direction;
import io.warpcodec.Format;
import java.util.concurrent.atomic.LongAdder;

/** The four counters of one engine's work on one format in one direction. Thread-safe. */
public final class WorkMeter {
    private final LongAdder chunks;
    private final LongAdder bytesIn;
    private final LongAdder bytesOut;
    private final LongAdder nanos;

    /**
     * @param direction {@code decode} or {@code encode}
     * @param engine the engine's name
     */
    public WorkMeter(Direction direction, Format format, String engine) {
        String prefix = direction.word() + "." + format.word() + "." + engine;
        chunks = Metrics.counter(prefix + ".chunks");
        bytesIn = Metrics.counter(prefix + ".bytesIn");
        bytesOut = Metrics.counter(prefix + ".bytesOut");
        nanos = Metrics.counter(prefix + ".nanos");
    }

    /** Counts work: chunks finished, bytes read and written, elapsed nanoseconds on the working thread. */
    public void count(int chunkCount, long in, long out, long elapsedNanos) {
        chunks.add(chunkCount);
        bytesIn.add(in);
        bytesOut.add(out);
        nanos.add(elapsedNanos);
    }
}
