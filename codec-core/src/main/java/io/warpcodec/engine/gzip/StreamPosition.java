package io.warpcodec.engine.gzip;

/**
 * A position in a DEFLATE stream, and all that its decoder has to know there. Immutable as long as its arrays are
 * not changed.
 *
 * @param bit of the next byte, 0 to 7, at which a block begins, or a token of the open one
 * @param window decoded bytes before it: 32 KiB or, if there are fewer, all
 * @param header bytes that hold the header of the open block, from its lowest bit on
 * @param headerBits length of that header; 0 if no block is open
 * @param rawBytes decoded since the stream was begun or resumed
 * @param crc32 of these
 * @param ended whether the last block has ended; then the next byte is the one behind it
 */
public record StreamPosition(
        int bit, byte[] window, byte[] header, int headerBits, long rawBytes, int crc32, boolean ended) {
    private static final byte[] NONE = {};

    /** The begin of a stream. */
    public static final StreamPosition BEGIN = of(0, NONE);

    /** The begin of a block. */
    public static StreamPosition of(int bit, byte[] window) {
        return new StreamPosition(bit, window, NONE, 0, 0, 0, false);
    }

    /** Whether it is where a stream begins. */
    public boolean isBegin() {
        return rawBytes == 0 && bit == 0 && headerBits == 0;
    }
}
