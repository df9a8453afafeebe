package io.warpcodec.engine;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Decodes one unit for a session, segment by segment, while it is better at that than the session's own thread. It
 * gives no verdict. Where it does not go on, for whatever reason, the session does, from the end of the last segment.
 * So a session with such help accepts and rejects exactly what a session without it does.
 *
 * <p>Not thread-safe.
 */
public interface SegmentHelp extends SessionHelp, AutoCloseable {
    /** Fewest compressed bytes that a segment is worth the trouble for. */
    int leastInputBytes();

    /** Compressed bytes that are worth having at hand at once. */
    int usefulInputBytes();

    /**
     * Decodes a segment, all of the last one's output having been taken. Waits for what does it, and for free memory
     * there; for the latter no longer than the session would need for the same, and a second in all, until it begins
     * anew.
     *
     * @param input what is at hand of the unit from the end of the last segment on; its position moves behind the
     *     bytes that are decoded whole
     * @return false if it did not: the session has to go on by itself, to the end of the unit or to where it has this
     *     begin anew
     * @throws java.io.InterruptedIOException if the thread was interrupted while it waited
     */
    boolean advance(ByteBuffer input) throws IOException;

    /** Decoded bytes of the last segment that have not been taken yet. */
    int outputBytes();

    /**
     * Takes decoded bytes of the last segment, in order: as many as there are and the target has space for. Where
     * they lie may be lent to others if they are not taken for long.
     *
     * @return false if they are gone: all of the segment has to be decoded again, by the session; then
     *     {@link #outputBytes} is 0
     */
    boolean take(ByteBuffer target);

    /** Tells what it took the session to decode so many bytes itself. */
    void sessionDid(int rawBytes, long nanos);

    /** Gives back what it holds; it may begin anew. */
    @Override
    void close();
}
