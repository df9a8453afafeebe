package io.warpcodec.engine;

/** How much of a session's work somebody else has done for it so far, who counts it. */
public interface SharedWork {
    /** Compressed bytes. */
    long bytesIn();

    /** Decoded bytes. */
    long bytesOut();

    /** Time that the session waited for it, in nanoseconds. */
    long nanos();
}
