package io.warpcodec.format;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A scanner's view of compressed bytes not yet cut: index 0 is the next byte of the stream. Not thread-safe.
 */
public interface Window {
    /** Absolute offset of index 0 in the stream, in bytes. */
    long offset();

    /** Bytes that can be looked at now. */
    int buffered();

    /**
     * Makes at least this many bytes visible if it can. False means: they are not there now; {@link #ended} tells
     * whether they ever will be.
     */
    boolean require(int bytes) throws IOException;

    /** As {@link #require}, but without waiting for a source that has nothing at hand. */
    default boolean requireAtHand(int bytes) throws IOException {
        return require(bytes);
    }

    /** Whether {@link #buffered} is all that is left of the stream. */
    boolean ended();

    /** The unsigned byte at this index below {@link #buffered}. */
    int u8(int index);

    /** A view of bytes that stays valid until the next call of {@link #require} or {@link #consume}. */
    ByteBuffer view(int index, int bytes);

    /** Drops bytes from the front. */
    void consume(int bytes);

    default int u16le(int index) {
        return u8(index) | u8(index + 1) << 8;
    }

    default int i32le(int index) {
        return u16le(index) | u16le(index + 2) << 16;
    }

    default int i32be(int index) {
        return u8(index) << 24 | u8(index + 1) << 16 | u8(index + 2) << 8 | u8(index + 3);
    }

    default long i64le(int index) {
        return (i32le(index) & 0xffff_ffffL) | (long) i32le(index + 4) << 32;
    }
}
