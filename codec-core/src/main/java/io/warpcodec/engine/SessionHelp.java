package io.warpcodec.engine;

/**
 * Decodes parts of a session's unit for it, and counts them itself; the session decodes the rest and has the last
 * word. How much was decoded so far:
 */
public interface SessionHelp {
    /** Compressed bytes. */
    long bytesIn();

    /** Decoded bytes. */
    long bytesOut();

    /** Time that the session waited for it, in nanoseconds. */
    long nanos();
}
