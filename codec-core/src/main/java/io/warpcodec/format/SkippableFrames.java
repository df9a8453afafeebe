package io.warpcodec.format;

import java.nio.ByteBuffer;

/**
 * The skippable frames that LZ4 and Zstandard share (RFC 8878, 3.1.2): a magic number, a length, and bytes that a
 * reader steps over. Numbers are little-endian.
 */
public final class SkippableFrames {
    /** The lowest of 16 magic numbers; the last four bits are free. */
    public static final int MAGIC = 0x184d_2a50;

    /** Index of the length. */
    public static final int SIZE_AT = 4;

    /** Bytes of a frame before its content. */
    public static final int HEADER_BYTES = 8;

    private static final int MAGIC_MASK = ~0xf;

    private SkippableFrames() {}

    /** Whether a skippable frame begins with this word. */
    public static boolean isMagic(int word) {
        return (word & MAGIC_MASK) == MAGIC;
    }

    /** Whether the first bytes of a skippable frame's magic number, 1 to 3, are the lowest of this word. */
    public static boolean mayBeMagic(int word, int bytes) {
        int seen = (1 << Byte.SIZE * bytes) - 1;
        return (word & MAGIC_MASK & seen) == (MAGIC & seen);
    }

    /** Whether a skippable frame begins here. */
    public static boolean isAt(ByteBuffer head, int at) {
        return at + Integer.BYTES <= head.limit() && isMagic(head.getInt(at));
    }

    /**
     * Where the first frame begins that is not skippable.
     *
     * @param head first bytes of a file, little-endian
     * @return at most the head's limit: then the frame lies behind it
     */
    public static int end(ByteBuffer head) {
        long at = 0;
        while (at + HEADER_BYTES <= head.limit() && isAt(head, (int) at)) {
            at += HEADER_BYTES + (head.getInt((int) at + SIZE_AT) & 0xffff_ffffL);
        }
        return (int) Math.min(at, head.limit());
    }
}
