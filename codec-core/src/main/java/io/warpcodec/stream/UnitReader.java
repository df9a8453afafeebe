package io.warpcodec.stream;

import java.io.IOException;
import java.nio.ByteBuffer;

/** What a stream reads from: decoded bytes, and the unit of the file that they belong to. */
interface UnitReader {
    /**
     * Goes on to the next event. An error is sticky.
     *
     * @param room memory of the caller's that bytes may be decoded into: a heap buffer from position 0 to its capacity, or null
     */
    ChunkReader.Event advance(ByteBuffer room) throws IOException;

    /** Decoded bytes to consume, after BYTES; valid until the next {@link #advance}. */
    ByteBuffer bytes();

    /** After BYTES: whether they lie in the room that {@link #advance} was given, from its start. */
    boolean bytesInRoom();

    /** Absolute offset of the unit that the last BYTES belongs to. */
    long unitOffset();

    /** Whether a split's position moves to that unit. */
    boolean unitMovesPosition();

    /** Gives everything back. Idempotent. */
    void close();
}
