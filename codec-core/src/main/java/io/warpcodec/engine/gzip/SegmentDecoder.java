package io.warpcodec.engine.gzip;

import io.warpcodec.engine.SegmentHelp;

/** Decodes one DEFLATE stream for a session; the byte in which a segment ends is the next one's first. */
public interface SegmentDecoder extends SegmentHelp {
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

    /** The end of what was decoded so far, from which a session goes on. */
    StreamPosition position();
}
