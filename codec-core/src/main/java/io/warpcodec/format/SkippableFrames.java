package io.warpcodec.format;

import java.nio.ByteBuffer;

/** The skippable frames that LZ4 and Zstandard share (RFC 8878, 3.1.2): a magic number, a length, and bytes that a reader steps over. */
public final class SkippableFrames {
    /** Bytes of a frame before its content. */
    public static final int HEADER_BYTES = 8;

    private static final int MAGIC = 0x184d_2a50;
    /** The last four bits are free. */
    private static final int MAGIC_MASK = ~0xf;

    private SkippableFrames() {}

    /** Whether a skippable frame begins here. */
    public static boolean isAt(ByteBuffer head, int at) {
        return at + Integer.BYTES <= head.limit() && (head.getInt(at) & MAGIC_MASK) == MAGIC;
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
            at += HEADER_BYTES + (head.getInt((int) at + Integer.BYTES) & 0xffff_ffffL);
        }
        return (int) Math.min(at, head.limit());
    }
}
