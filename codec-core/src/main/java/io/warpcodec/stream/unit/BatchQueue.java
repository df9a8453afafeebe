package io.warpcodec.stream.unit;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.format.Unit;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The units that were cut and not yet delivered, in batches that engines decode. Where an engine works by itself some
 * batches are in flight while one is read; skipped bytes wait in line between chunks.
 *
 * <p>A chunk is a hint. When it proves undecodable or larger than the budget, everything from it on is pushed back
 * into the window, the scanner goes back, and the unit is decoded by a session (or as the scanner says): that verdict
 * is final. When the engine failed instead, the chunk is decoded again by the CPU from the input that is still held.
 * What false hints may cost is bounded by {@link HintTrust}.
 *
 * <p>Not thread-safe.
 */
final class BatchQueue {
    private static final int MAX_BATCH_CHUNKS = 4096;
    /** Batches in flight at most, for the bound of what a false hint throws away. */
    private static final int MOST_BATCHES = 4;

    private final Format format;
    private final CodecOptions options;
    private final EngineSelector engines;
    private final SourceWindow window;
    private final UnitCutter cutter;
    private final HintTrust trust;
    private final Deque<InFlight> batches = new ArrayDeque<>();
    private boolean batchConsumed;

    /** The chunks of one submission and the skipped bytes between them. */
    private static final class InFlight {
        final Batch<DecodedChunk> batch;
        final Deque<CutUnit> units;
        int nextChunk;

        InFlight(Batch<DecodedChunk> batch, Deque<CutUnit> units) {
            this.batch = batch;
            this.units = units;
        }
    }

    BatchQueue(Format format, CodecOptions options, EngineSelector engines, SourceWindow window, UnitCutter cutter) {
        this.format = format;
        this.options = options;
        this.engines = engines;
        this.window = window;
        this.cutter = cutter;
        this.trust = new HintTrust(MOST_BATCHES * ((long) options.readAheadBytes() + CodecOptions.MAX_CHUNK_BYTES));
    }

    boolean isEmpty() {
        return batches.isEmpty();
    }

    /** The unit in turn; null if there is none. */
    CutUnit first() {
        while (!batches.isEmpty()) {
            CutUnit first = batches.peekFirst().units.peekFirst();
            if (first != null) {
                return first;
            }
            batches.removeFirst().batch.close();
            batchConsumed = true;
        }
        return null;
    }

    /** Passes over the unit in turn, whose hold of its input is the caller's now. */
    void skip() {
        batches.peekFirst().units.removeFirst();
    }

    /**
     * Puts more batches in flight where the engine works on its own: a second one at any time, others when the first
     * is begun.
     */
    void keepBusy() throws IOException {
        int before = 0;
        while (batches.size() != before
                && (batches.size() < 2 || batches.peekFirst().nextChunk == 0)
                && !window.isPushed()
                && window.buffered() > 0
                && !cutter.isDone()
                && trust.allowsReadingAhead()
                && batches.size() < engines.batchesInFlight(format, options)) {
            before = batches.size();
            fill(false);
        }
    }

    /**
     * Cuts what the window gives into one batch and submits it.
     *
     * @param blocking whether to wait for the first unit
     * @return the unit at the front of the window, if a session has to decode it and nothing comes before it; else null
     */
    Unit fill(boolean blocking) throws IOException {
        boolean ahead = !window.isPushed()
                && trust.allowsReadingAhead()
                && engines.worksAhead(format, Direction.DECODE, options);
        window.beginBatch(batchConsumed);
        batchConsumed = false;
        Unit[] inSession = new Unit[1];
        queue(units -> {
            inSession[0] = cutter.cut(blocking, ahead ? MAX_BATCH_CHUNKS : 1, units);
            return units.isEmpty() ? null : engineFor(units);
        });
        return batches.isEmpty() ? inSession[0] : null;
    }

    private Engine engineFor(Deque<CutUnit> units) throws IOException {
        // one chunk that is waited for at once is no work for a device
        return units.stream().noneMatch(BatchQueue::isChunk) || !trust.allowsReadingAhead()
                ? engines.cpu()
                : engines.choose(format, Direction.DECODE, options);
    }

    /** Cuts units into the deque that it is given, and returns the engine that decodes them; null if there are none. */
    private interface Cutting {
        Engine cut(Deque<CutUnit> units) throws IOException;
    }

    /**
     * Queues one batch. Whatever is thrown on the way, a unit that was cut is either in the queue or has given its
     * input back.
     */
    private void queue(Cutting cutting) throws IOException {
        Deque<CutUnit> units = new ArrayDeque<>();
        boolean settled = false;
        try {
            Engine engine = cutting.cut(units);
            if (engine != null) {
                batches.add(new InFlight(engine.decode(format, cutter.asked(), chunks(units)), units));
            }
            settled = true;
        } finally {
            if (!settled) {
                release(units);
            }
        }
    }

    private static void release(Deque<CutUnit> units) {
        units.forEach(cut -> cut.lease().release());
    }

    private static boolean isChunk(CutUnit cut) {
        return cut.unit().kind() == Unit.Kind.CHUNK;
    }

    private static List<Chunk> chunks(Deque<CutUnit> units) {
        List<Chunk> chunks = new ArrayList<>(units.size());
        for (CutUnit cut : units) {
            if (isChunk(cut)) {
                chunks.add(cut.chunk());
            }
        }
        return chunks;
    }

    /**
     * Waits for the chunk in turn.
     *
     * @return the chunk, which is the caller's now, if it is {@link DecodedChunk.Status#DONE}; else {@link #goBack}
     *     follows
     */
    DecodedChunk take(OutputMemory output) throws IOException {
        InFlight head = batches.peekFirst();
        DecodedChunk result = head.batch.take(head.nextChunk, output.heapTarget());
        if (result.status() == DecodedChunk.Status.ENGINE_FAILED) {
            Metrics.countFallback(Direction.DECODE, format, FallbackReason.ENGINE_FAILED);
            result = decodeOnCpu(head.units.peekFirst());
        }
        if (result.status() == DecodedChunk.Status.DONE) {
            head.units.removeFirst();
            head.nextChunk++;
            trust.proved(result.rawBytes());
        }
        return result;
    }

    private DecodedChunk decodeOnCpu(CutUnit cut) throws IOException {
        try (Batch<DecodedChunk> again = engines.cpu().decode(format, cutter.asked(), List.of(cut.chunk()))) {
            return again.take(0);
        }
    }

    /**
     * Goes back to the chunk in turn, which did not come out, and cuts it again as the scanner names it now.
     *
     * @return the unit at the front of the window, if a session has to decode it; else null
     */
    Unit goBack(CutUnit failed, DecodedChunk result) throws IOException {
        boolean needsOutput = result.status() == DecodedChunk.Status.NEEDS_OUTPUT;
        Metrics.countFallback(
                Direction.DECODE, format, needsOutput ? FallbackReason.OVER_BUDGET : FallbackReason.CHUNK_UNDECODABLE);
        pushBack(failed);
        cutter.goBack(failed);
        if (result.status() == DecodedChunk.Status.UNDECODABLE && trust.lied()) {
            cutter.ignoreHints();
        }
        Unit unit = cutter.nameAgain(failed, result);
        switch (unit.kind()) {
            case SESSION -> {
                return unit;
            }
            case CHUNK, SKIP ->
                queue(units -> {
                    cutter.cutAgain(unit, failed, units);
                    return engines.cpu();
                });
            case NEEDS_INPUT -> {
                // it is named when more has come
            }
            case END -> throw new IllegalStateException("a scanner answers an undecodable chunk with " + unit.kind());
        }
        return null;
    }

    /** Pushes everything from this unit on back into the window. */
    private void pushBack(CutUnit first) {
        long endOffset = window.offset();
        int restoredBytes = Math.toIntExact(endOffset - first.offset());
        Lease restored = engines.cpu().lease(restoredBytes + 1, "push back");
        try {
            for (InFlight inFlight : batches) {
                for (CutUnit cut : inFlight.units) {
                    int at = Math.toIntExact(cut.offset() - first.offset());
                    int count = Math.min(cut.unit().bytes(), restoredBytes - at);
                    restored.memory().put(at, cut.lease().memory(), cut.start(), count);
                }
            }
            drop();
            window.pushBack(first.offset(), restored, restoredBytes);
        } finally {
            restored.release();
        }
    }

    /** Gives back all that is in flight. */
    void drop() {
        for (InFlight inFlight : batches) {
            inFlight.batch.close();
            release(inFlight.units);
        }
        batches.clear();
    }
}
