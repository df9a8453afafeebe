package io.warpcodec.stream.unit;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.format.Unit;
import java.io.IOException;

/**
 * The units of one stream in order, one at a time. A unit that needs a session is opened when everything before it
 * has been delivered.
 *
 * <p>Not thread-safe.
 */
final class UnitSequence {
    private final Format format;
    private final SourceWindow window;
    private final UnitCutter cutter;
    private final BatchQueue batches;
    private final UnitSessions sessions;

    UnitSequence(Format format, CodecOptions options, EngineSelector engines, SourceWindow window, UnitCutter cutter) {
        this.format = format;
        this.window = window;
        this.cutter = cutter;
        this.batches = new BatchQueue(format, options, engines, window, cutter);
        this.sessions = new UnitSessions(format, options, engines);
    }

    /**
     * Goes on to the next unit, when the one before it has ended.
     *
     * @param output whose target a chunk may be decoded into
     * @return null if there is none: the stream has ended, or takes more pushed input
     */
    UnitInTurn next(OutputMemory output) throws IOException {
        UnitInTurn next = null;
        while (next == null) {
            CutUnit first = batches.first();
            if (first != null) {
                batches.keepBusy();
                next = first.unit().kind() == Unit.Kind.SKIP ? skip(first) : take(first, output);
            } else if (cutter.isDone()) {
                cutter.throwError();
                return null;
            } else {
                Unit inSession = batches.fill(true);
                if (inSession != null) {
                    next = session(inSession, cutter.beginSession());
                } else if (batches.isEmpty() && !cutter.isDone()) {
                    return null;
                }
            }
        }
        return next;
    }

    private UnitInTurn skip(CutUnit first) {
        batches.skip();
        return DecodedUnit.skipped(first);
    }

    /** Null if it is gone back to, and cut again. */
    private UnitInTurn take(CutUnit first, OutputMemory output) throws IOException {
        DecodedChunk result = batches.take(output);
        if (result.status() == DecodedChunk.Status.DONE) {
            return new DecodedUnit(first, result);
        }
        Unit inSession = batches.goBack(first, result);
        return inSession == null ? null : session(inSession, first.newPosition());
    }

    private UnitInTurn session(Unit unit, boolean newPosition) throws IOException {
        DecodeSession session = sessions.open(cutter.asked(), window.offset(), window.expectedBytes());
        return new UnitSession(format, sessions, window, session, unit, newPosition);
    }

    /** All bytes of a unit have been handed out. */
    void ended(Unit unit) {
        if (unit.kind() == Unit.Kind.SESSION) {
            cutter.endSession(unit);
        }
    }

    /** After the last unit: whether the stream has ended where it may. */
    boolean hasEnded() {
        return cutter.isDone();
    }

    /** Where a split's unit begins that was cut at this offset. */
    long offsetWithMarker(long offset) {
        return cutter.offsetWithMarker(offset);
    }

    /** Gives back all that was cut. */
    void drop() {
        batches.drop();
    }
}
