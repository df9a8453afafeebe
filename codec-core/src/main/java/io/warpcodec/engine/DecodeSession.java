package io.warpcodec.engine;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Decodes a unit of any length in bounded memory: bytes in, bytes out, in order. Used where a chunk cannot be cut (a
 * monolithic {@code .gz}), is larger than the output budget, or turned out undecodable: the session's verdict is final.
 *
 * <p>Not thread-safe; may move between threads.
 */
public interface DecodeSession extends AutoCloseable {
    /** Why {@link #decode} returned. */
    enum State {
        /** All input is consumed and the unit is not complete. */
        NEEDS_INPUT,
        /**
         * The session has, or may have, more for another output: this one is full, or more input should be at hand
         * before it goes on.
         */
        NEEDS_OUTPUT,
        /** The unit is complete and its checksums are verified; input stands at the first byte after it. */
        FINISHED
    }

    /**
     * Goes on decoding. Advances both positions, keeps no reference to either buffer. With a full output it still
     * does all that needs no output (trailers, empty units).
     *
     * @throws io.warpcodec.CorruptDataException if the unit is bad; the session must be reset before it is used again
     */
    State decode(ByteBuffer input, ByteBuffer output) throws IOException;

    /**
     * Memory of the session's own that is the cheapest output for the next {@link #decode}, from position to limit:
     * where what is decoded at once is larger than a stream's output. Null where any will do. What was decoded into
     * it stays valid until the next call.
     */
    default ByteBuffer preferredOutput() {
        return null;
    }

    /** Output capacity that it does well to get, in bytes: with less, a session decodes aside and copies. */
    default int leastOutputBytes() {
        return 1;
    }

    /**
     * Input without which {@link #decode} should not be called yet, if more is at hand, in bytes: with less, a
     * session goes on as if the stream had no more.
     */
    default int leastInputBytes() {
        return 1;
    }

    /**
     * Input that is worth having in one buffer, in bytes, if it is at hand without waiting. Some sessions make more
     * of much input than of little.
     */
    default int usefulInputBytes() {
        return 1;
    }

    /** Forgets everything; the next byte is the first of a unit and lies at this absolute offset of its stream. */
    void reset(long offset);

    /** What is missing when the stream ends now, for the message of a truncation: "in the member's trailer". */
    String missing();

    /**
     * Whether a stream that ends now, inside the unit, passes as complete: only where damaged files are read leniently.
     */
    default boolean mayEndHere() {
        return false;
    }

    /** Frees what it holds. Idempotent; allowed at any time. */
    @Override
    void close();
}
