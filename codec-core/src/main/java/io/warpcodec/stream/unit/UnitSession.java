package io.warpcodec.stream.unit;

import io.warpcodec.Format;
import io.warpcodec.TruncatedDataException;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.format.Unit;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A session at work on the unit at the front of a window, which it consumes as it goes.
 *
 * <p>Not thread-safe.
 */
final class UnitSession implements UnitInTurn {
    private final Format format;
    private final UnitSessions sessions;
    private final SourceWindow window;
    private final DecodeSession session;
    private final Unit unit;
    private final boolean newPosition;
    private final long offset;
    private boolean ended;
    /** Whether bytes have been decoded. */
    private boolean hasBegun;

    /** What the session threw when it had decoded something in the same call, which is delivered first. */
    private IOException error;

    /**
     * @param sessions is told how long the unit was
     * @param session begins where the window stands
     */
    UnitSession(
            Format format,
            UnitSessions sessions,
            SourceWindow window,
            DecodeSession session,
            Unit unit,
            boolean newPosition) {
        this.format = format;
        this.sessions = sessions;
        this.window = window;
        this.session = session;
        this.unit = unit;
        this.newPosition = newPosition;
        this.offset = window.offset();
    }

    @Override
    public Unit unit() {
        return unit;
    }

    @Override
    public long offset() {
        return offset;
    }

    @Override
    public boolean newPosition() {
        return newPosition;
    }

    @Override
    public UnitReader.Event advance(OutputMemory output) throws IOException {
        while (true) {
            if (error != null) {
                throw error;
            }
            if (ended) {
                session.close();
                window.showTogether(1);
                sessions.ended(window.offset() - offset);
                return UnitReader.Event.UNIT_END;
            }
            DecodeSession.State state = decode(output);
            ended = state == DecodeSession.State.FINISHED;
            if (output.bytes() != null) {
                return UnitReader.Event.BYTES;
            }
            if (state == DecodeSession.State.NEEDS_INPUT && !readOn()) {
                return UnitReader.Event.NEEDS_INPUT;
            }
        }
    }

    /**
     * Shows the session what is buffered, and hands out what it decodes of it.
     *
     * @return null if it threw behind that
     */
    private DecodeSession.State decode(OutputMemory output) throws IOException {
        if (session.leastInputBytes() > 1 && !window.isPushed()) {
            int useful = session.usefulInputBytes();
            // no segment is under way before the first, which would be short with part of the input
            window.gather(hasBegun ? session.leastInputBytes() : useful, useful);
        }
        ByteBuffer input = window.view(0, window.buffered());
        ByteBuffer itsOwn = session.preferredOutput();
        ByteBuffer decoded = itsOwn != null ? itsOwn : output.piece("session", session.leastOutputBytes());
        DecodeSession.State state = null;
        try {
            state = session.decode(input, decoded);
        } catch (IOException bad) {
            // how much one call decodes before the error depends on how much input was at hand: all of it is delivered
            if (decoded.position() == 0) {
                throw bad;
            }
            error = bad;
        } finally {
            window.consume(input.position());
        }
        hasBegun |= decoded.position() > 0;
        if (decoded.position() > 0 && itsOwn != null) {
            output.handOut(decoded);
        } else if (decoded.position() > 0) {
            output.handOutPiece(decoded);
        }
        return state;
    }

    /** Waits for more input, or ends the unit where the stream may end. False if that takes pushed input. */
    private boolean readOn() throws IOException {
        window.setBlocking(true);
        window.showTogether(session.usefulInputBytes());
        if (window.require(window.buffered() + 1)) {
            window.topUp(session.usefulInputBytes());
            return true;
        }
        if (!window.ended()) {
            return false;
        }
        if (!session.mayEndHere()) {
            throw new TruncatedDataException(
                    format, window.offset() + window.buffered(), "the stream ends " + session.missing());
        }
        ended = true;
        return true;
    }

    @Override
    public void close() {
        session.close();
    }
}
