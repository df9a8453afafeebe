package io.warpcodec.stream.unit;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What a stream reads from: decoded bytes, and the unit of the file that they belong to. Not thread-safe; may move
 * between threads.
 */
public interface UnitReader {
    /** What {@link #advance} came to. */
    enum Event {
        /** {@link #bytes} holds decoded bytes of the current unit. */
        BYTES,
        /** A unit has ended. */
        UNIT_END,
        /** Of pushed input only: there is not enough of it. */
        NEEDS_INPUT,
        /** The stream has ended where it may. */
        END
    }

    /**
     * Goes on to the next event. An error is sticky, and gives everything back.
     *
     * @param target memory of the caller's that bytes may be decoded into: a buffer from position 0 to its capacity,
     *     on the heap or direct, or null
     * @throws io.warpcodec.CorruptDataException if the data is bad
     * @throws io.warpcodec.TruncatedDataException if it ends inside a unit
     */
    Event advance(ByteBuffer target) throws IOException;

    /** Goes on to the next event, into the reader's own memory. */
    default Event advance() throws IOException {
        return advance(null);
    }

    /** Decoded bytes to consume, after BYTES; valid until the next {@link #advance}. */
    ByteBuffer bytes();

    /** After BYTES: whether they lie in the target that {@link #advance} was given, from its start. */
    boolean bytesInTarget();

    /** Absolute offset of the unit that the last BYTES belongs to. */
    long unitOffset();

    /** Whether a split's position moves to that unit. */
    boolean unitMovesPosition();

    /** Gives everything back. Idempotent. */
    void close();
}
