package io.warpcodec.format.bzip2;

import java.nio.ByteBuffer;

/**
 * Reads bits, most significant first, from a range of a buffer. Behind the range it reads zeros and says so
 * ({@link #overrun}): the caller looks once after several reads and goes back. Not thread-safe.
 */
public final class Bzip2BitReader {
    private ByteBuffer bytes;
    private int position;
    private int limit;

    /**
     * @param source big-endian; its index 0 holds bit 0
     * @param limitBit first bit that does not belong to the range
     */
    public Bzip2BitReader over(ByteBuffer source, int limitBit) {
        bytes = source;
        limit = limitBit;
        position = 0;
        return this;
    }

    /** Index of the next bit. */
    public int position() {
        return position;
    }

    void seek(int bit) {
        position = bit;
    }

    int limit() {
        return limit;
    }

    /** Whether more bits were read than there are. */
    boolean overrun() {
        return position > limit;
    }

    /** The next bits, 1 to 48, without taking them. */
    long peek(int count) {
        return Bzip2Magic.peek(bytes, position, count);
    }

    /** Bits that {@link #peekMany} gives. */
    static final int MANY_BITS = 57;

    /** Whether so many bits, and the bytes that hold them, are there. */
    boolean hasMany() {
        return position + Long.SIZE <= limit && (position >>> 3) + Long.BYTES <= bytes.capacity();
    }

    /** The next {@link #MANY_BITS} bits at the top of a word, without taking them; only if {@link #hasMany}. */
    long peekMany() {
        return bytes.getLong(position >>> 3) << (position & 7);
    }

    /** Takes 1 to 32 bits. */
    int take(int count) {
        int value = (int) peek(count);
        position += count;
        return value;
    }
}
