package io.warpcodec.format.bzip2;

import java.nio.ByteBuffer;

/** Puts bits behind bits, most significant first, into a buffer. Holds up to seven bits back. Not thread-safe. */
public final class Bzip2BitWriter {
    private int held;
    private int heldBits;

    /** Bits held back because they are no whole byte, 0 to 7. */
    public int heldBits() {
        return heldBits;
    }

    /** Writes the lowest 1 to 48 bits of a value. */
    public void put(long value, int count, ByteBuffer target) {
        long bits = (long) held << count | value & (1L << count) - 1;
        int left = heldBits + count;
        while (left >= 8) {
            left -= 8;
            target.put((byte) (bits >>> left));
        }
        held = (int) bits & (1 << left) - 1;
        heldBits = left;
    }

    /** Writes the first bits of a source, which keeps its position; the target needs space for all whole bytes. */
    public void put(ByteBuffer source, long bits, ByteBuffer target) {
        int at = source.position();
        int wholeBytes = (int) (bits >>> 3);
        if (heldBits == 0) {
            target.put(target.position(), source, at, wholeBytes);
            target.position(target.position() + wholeBytes);
            at += wholeBytes;
        } else {
            at = putShifted(source, at, wholeBytes, target);
        }
        int rest = (int) bits & 7;
        if (rest > 0) {
            put(source.get(at) >>> 8 - rest & (1 << rest) - 1, rest, target);
        }
    }

    private int putShifted(ByteBuffer source, int start, int wholeBytes, ByteBuffer target) {
        int at = start;
        int limit = start + wholeBytes;
        int down = heldBits;
        int up = Long.SIZE - down;
        int carry = held;
        while (limit - at >= Long.BYTES) {
            long word = source.getLong(at);
            target.putLong((long) carry << up | word >>> down);
            carry = (int) word & (1 << down) - 1;
            at += Long.BYTES;
        }
        while (at < limit) {
            int value = carry << 8 | source.get(at++) & 0xff;
            target.put((byte) (value >>> down));
            carry = value & (1 << down) - 1;
        }
        held = carry;
        return at;
    }

    /** Fills the last byte with zeros. */
    public void pad(ByteBuffer target) {
        if (heldBits > 0) {
            put(0, 8 - heldBits, target);
        }
    }

    /** Forgets what is held. */
    public void reset() {
        held = 0;
        heldBits = 0;
    }
}
