package io.warpcodec.engine.gzip;

import io.warpcodec.engine.SessionHelp;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Decodes one DEFLATE stream for a session, segment by segment, while it is better at that than the session's own
 * thread. It gives no verdict. Where it does not go on, for whatever reason, the session does, from {@link #position}.
 * So a session with a segment decoder accepts and rejects exactly what a session without it does.
 *
 * <p>Not thread-safe.
 */
public interface SegmentDecoder extends SessionHelp, AutoCloseable {
    /** Fewest compressed bytes that a segment is worth the trouble for. */
    int leastInputBytes();

    /** Compressed bytes that are worth having at hand at once. */
    int usefulInputBytes();

    /** Forgets everything: the next byte of input is the first of a stream. */
    void reset();

    /**
     * Forgets everything but how long it has waited: it goes on in the middle of a stream, where a block begins.
     * Sizes and sums count from there.
     *
     * @param bit of the next byte of input, 0 to 7, at which the block's header begins
     * @param window the last bytes of output before it, 32 KiB or, if the stream has fewer, all
     */
    void resume(int bit, byte[] window);

    /**
     * Decodes a segment, all of the last one's output having been taken. Waits for what does it, and for free memory
     * there; for the latter no longer than the session would need for the same, and a second in all, until it is
     * {@link #reset}.
     *
     * @param input what is at hand of the stream, from the byte on that the next bit lies in; its position moves
     *     behind the bytes that are decoded whole
     * @return false if it did not: the session has to go on by itself, to the end of the stream or to where it
     *     resumes this
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

    /** The end of what was decoded so far, from which a session goes on. */
    StreamPosition position();

    /** Tells what it took the session to decode so many bytes itself. */
    void sessionDid(int rawBytes, long nanos);

    /** Gives back what it holds; it may be reset. */
    @Override
    void close();
}
