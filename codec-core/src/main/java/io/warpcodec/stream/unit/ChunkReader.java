package io.warpcodec.stream.unit;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.SplitSeam;
import io.warpcodec.format.Unit;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The machine under every decoder: window, scanner, engine, in order. {@link #advance} gives the next event; the
 * stream on top turns events into reads, the bare Decompressor into its protocol.
 *
 * <p>{@link UnitCutter} cuts units from the front of the window. Chunks go to an engine in batches
 * ({@link BatchQueue}); a unit that needs a session ({@link UnitSession}) stops the cutting until the session has
 * ended. {@link UnitSequence} brings them into order, and the bytes of one at a time are handed out.
 *
 * <p>Many open streams are never read further than their first bytes, or not soon. So where no engine works ahead,
 * the first unit of a whole stream is named by {@link Scanner#first}, the window is frugal, and pieces are small,
 * until the consumer comes back for more.
 *
 * <p>Not thread-safe; may move between threads.
 */
public final class ChunkReader implements UnitReader {
    private final Format format;
    private final EngineSelector engines;
    private final SourceWindow window;
    private final UnitSequence units;
    private final OutputMemory output;

    /**
     * The unit whose bytes are handed out. A reader that is closed and still referred to must not hold the memory
     * that its last unit lay in.
     */
    private UnitInTurn turn;

    private long unitOffset;
    private boolean unitMovesPosition;
    private boolean endedBoundary;
    private Unit.Kind endedKind;
    private IOException failure;
    private boolean closed;
    private boolean counted;

    /**
     * @param seam the split rule, or null when the stream is not a split
     * @param splitEnd absolute offset at which the next split begins; Long.MAX_VALUE for none
     */
    public ChunkReader(
            Format format,
            CodecOptions options,
            EngineSelector engines,
            SourceWindow window,
            Scanner scanner,
            SplitSeam seam,
            long splitEnd) {
        this.format = format;
        this.engines = engines;
        this.window = window;
        UnitCutter cutter = new UnitCutter(options, window, scanner, seam, splitEnd);
        if (!window.isPushed() && !engines.worksAhead(format, Direction.DECODE, options)) {
            cutter.beFrugal();
        }
        this.units = new UnitSequence(format, options, engines, window, cutter);
        this.output = new OutputMemory(engines);
    }

    /** This reader, as a part of a stream that has been counted. */
    public ChunkReader ofCountedStream() {
        counted = true;
        return this;
    }

    @Override
    public ByteBuffer bytes() {
        return output.bytes();
    }

    @Override
    public boolean bytesInTarget() {
        return output.bytesInTarget();
    }

    /** Absolute offset of the unit that the last BYTES or UNIT_END belongs to. */
    @Override
    public long unitOffset() {
        return units.offsetWithMarker(unitOffset);
    }

    @Override
    public boolean unitMovesPosition() {
        return unitMovesPosition;
    }

    /** After UNIT_END: whether a complete stream ended with that unit. */
    public boolean endedBoundary() {
        return endedBoundary;
    }

    /** After UNIT_END: what that unit was. */
    public Unit.Kind endedKind() {
        return endedKind;
    }

    @Override
    public Event advance(ByteBuffer target) throws IOException {
        if (closed) {
            throw new IOException("stream is closed");
        }
        output.setTarget(target);
        if (output.hasBegun()) {
            window.consumerReadsOn();
        }
        try {
            Event event = step();
            if (event == Event.BYTES && !output.hasBegun()) {
                output.begin();
                window.trim();
            }
            return event;
        } catch (IOException thrown) {
            failure = thrown;
            releaseAll();
            throw thrown;
        } catch (RuntimeException | LinkageError thrown) {
            // a LinkageError: a library of another version than those that were tried
            failure = new IOException(
                    "decoder of " + format.word() + " failed at offset " + window.offset() + ": " + thrown, thrown);
            releaseAll();
            throw failure;
        } finally {
            output.setTarget(null);
        }
    }

    private Event step() throws IOException {
        if (!counted) {
            // the CPU is asked whatever engine reads: it does what that one leaves
            engines.cpu().requireLibrary(format);
            counted = true;
            Metrics.countStream(Direction.DECODE, format);
        }
        if (failure != null) {
            throw failure;
        }
        output.release();
        if (turn == null) {
            turn = units.next(output);
        }
        if (turn == null) {
            return units.hasEnded() ? Event.END : Event.NEEDS_INPUT;
        }
        unitOffset = turn.offset();
        unitMovesPosition = turn.newPosition();
        Event event = turn.advance(output);
        if (event == Event.UNIT_END) {
            endTurn();
        }
        return event;
    }

    private void endTurn() {
        Unit unit = turn.unit();
        turn = null;
        units.ended(unit);
        endedBoundary = unit.boundary();
        endedKind = unit.kind();
    }

    private void releaseAll() {
        output.release();
        if (turn != null) {
            turn.close();
            turn = null;
        }
        units.drop();
        window.release();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            releaseAll();
        }
    }
}
