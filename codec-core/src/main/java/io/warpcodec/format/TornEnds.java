package io.warpcodec.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Bytes for {@link Assembler#tornEnd}. */
public final class TornEnds {
    /** More than any marker or header of ours, so that they complete none without anything behind it. */
    private static final int MAGICS = 64;
    /** More than all lengths around a body. */
    private static final int LENGTHS_BYTES = 64;

    private TornEnds() {}

    /**
     * A frame's magic again and again, for formats whose content has a checksum: no frame goes on like that, and no
     * unit begins inside of it.
     *
     * @param magic little-endian
     */
    public static byte[] ofMagics(int magic) {
        ByteBuffer bytes = ByteBuffer.allocate(MAGICS * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            bytes.putInt(magic);
        }
        return bytes.array();
    }

    /**
     * Lengths of -1, for formats whose content has no checksum: more of them than the open chunk may lack, so that
     * some are left for where the next length is looked for.
     */
    public static byte[] ofLengths(int openBytes) {
        byte[] bytes = new byte[openBytes + LENGTHS_BYTES];
        Arrays.fill(bytes, (byte) 0xff);
        return bytes;
    }
}
