package io.warpcodec.stream.unit;

/**
 * How far one stream's size hints are believed. A hint names the end of a chunk before it is decoded. A hint that
 * lies costs the chunk's decoding, and that of every chunk that was cut behind it and is thrown away.
 *
 * <p>Two rules bound that cost. After {@link #MOST_LIES} lies the scanner names units without hints. And after a lie
 * one chunk at a time is decoded, by the CPU. That lasts until as many raw bytes have proved right as could be thrown
 * away by the next lie. So a stream decodes each raw byte at most twice, but for what was in flight at its first lie.
 *
 * <p>Not thread-safe.
 */
final class HintTrust {
    static final int MOST_LIES = 8;

    private final long mostRawBytesAhead;
    private int lies;
    private long rawBytesProved;

    /** @param mostRawBytesAhead raw bytes that a reader has cut at most, and not yet delivered */
    HintTrust(long mostRawBytesAhead) {
        this.mostRawBytesAhead = mostRawBytesAhead;
    }

    /** A chunk was what its hint said. */
    void proved(long rawBytes) {
        rawBytesProved += rawBytes;
    }

    /**
     * A chunk was not what its hint said.
     *
     * @return whether that was one lie too many
     */
    boolean lied() {
        rawBytesProved = 0;
        return ++lies >= MOST_LIES;
    }

    /** Whether chunks may be cut and decoded before the one in turn is known to be right. */
    boolean allowsReadingAhead() {
        return lies == 0 || rawBytesProved >= mostRawBytesAhead;
    }
}
