package io.warpcodec.engine.gpu.zstd;

/** Bits of a range, read from its end on: behind the last byte's zeros and a one (RFC 8878, 4.1). Not thread-safe. */
final class ZstdBits {
    private final byte[] bytes;
    private final int from;
    private long left;

    /** @throws ZstdDefect if the range is empty, or its last byte is 0 */
    ZstdBits(byte[] bytes, int from, int to) throws ZstdDefect {
        ZstdDefect.unless(to > from && bytes[to - 1] != 0, "a stream without its last bit");
        this.bytes = bytes;
        this.from = from;
        int last = bytes[to - 1] & 0xff;
        left = 8L * (to - from - 1) + 31 - Integer.numberOfLeadingZeros(last);
    }

    /** Bits that come next, as a number; those before the first byte are zeros. */
    long peek(int count) {
        long value = 0;
        for (long bit = left - 1; bit >= left - count; bit--) {
            value = value << 1 | (bit < 0 ? 0 : bytes[from + (int) (bit >> 3)] >> (bit & 7) & 1);
        }
        return value;
    }

    long read(int count) {
        long value = peek(count);
        left -= count;
        return value;
    }

    void skip(int count) {
        left -= count;
    }

    /** How many bits have not been read; negative if more were read than there are. */
    long left() {
        return left;
    }

    /** Bits from the beginning on, the lowest first; those behind the limit are zeros. */
    static int forward(byte[] in, int bit, int count, int limit) {
        int value = 0;
        for (int i = 0; i < count; i++) {
            int at = bit + i >> 3;
            value |= (at < limit ? in[at] >> (bit + i & 7) & 1 : 0) << i;
        }
        return value;
    }
}
