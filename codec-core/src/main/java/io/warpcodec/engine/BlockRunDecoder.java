package io.warpcodec.engine;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Decodes runs of blocks for a session, where it is better at it than the session's own thread. It gives no verdict:
 * what it does not decode, for whatever reason, the session decodes itself. So a session with one accepts and rejects
 * exactly what one without does.
 *
 * <p>Not thread-safe; holds nothing between calls.
 */
public interface BlockRunDecoder extends SessionHelp {
    /** Answer of {@link #decode}: not now; a later run may go better. */
    int NOT_NOW = -1;
    /** Answer of {@link #decode}: these blocks are not what they seemed, and those behind them probably neither. */
    int REFUSED = -2;

    /** Fewest decoded bytes that a run is worth the trouble for. */
    int leastRawBytes();

    /**
     * Most decoded bytes of a run; 0 if none is taken now.
     *
     * @param linked whether its blocks are
     */
    int mostRawBytes(boolean linked);

    /** Compressed bytes that are worth having at hand at once. */
    int usefulInputBytes();

    /**
     * Decodes a run. Waits for others only as long as its share of the work takes them.
     *
     * @param target a heap buffer that holds all decoded bytes from {@code targetAt} on; undefined there unless they
     *     are decoded
     * @return how many bytes the blocks decode to: all are full but the last; else {@link #NOT_NOW} or {@link #REFUSED}
     * @throws java.io.InterruptedIOException if the thread was interrupted while it waited
     */
    int decode(BlockRun run, ByteBuffer target, int targetAt) throws IOException;

    /**
     * Tells what it took the session to decode a block of a run that was {@link #NOT_NOW} or {@link #REFUSED} itself.
     */
    void sessionDid(int rawBytes, long nanos);

    /**
     * Tells that a session decodes blocks of a unit itself, because too few of them, or too large ones, are at hand.
     */
    void leave();
}
