package io.warpcodec.format.lz4;

import io.warpcodec.CodecOptions;
import io.warpcodec.format.Window;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The skippable frame of ours before each frame of ours; together they are one chunk. Layout, which is all that
 * {@code docs/format/lz4.md} adds to the LZ4 frame format:
 *
 * <pre>
 *  0  MAGIC        u32, 0x184D2A57
 *  4  SIZE         u32, what follows: 20 or more
 *  8  SIGNATURE    8 bytes
 * 16  VERSION      u8, 1
 * 17  FLAGS        u8, 0
 * 18  RESERVED     u16, 0
 * 20  CHUNK_BYTES  u32, this marker and its frame
 * 24  RAW_BYTES    u32, size when decoded
 * 28  segment table, SIZE - 20 bytes, none in versions 0 and 1
 * </pre>
 *
 * @param markerBytes size of the marker itself
 * @param chunkBytes claimed size of the marker and its frame
 * @param rawBytes claimed decoded size
 */
record Lz4Marker(int markerBytes, int chunkBytes, int rawBytes) {
    /** A marker without a segment table. */
    static final int BYTES = 28;

    static final int MAGIC = Lz4Format.SKIPPABLE_MAGIC | 7;

    private static final int VERSION = 1;
    /** Chosen once at random, first byte not ASCII: no text and no format known to us contains it. */
    private static final long SIGNATURE = 0xb7a4_0c6e_93d1_58f2L;

    private static final int SIZE_AT = 4;
    private static final int SIGNATURE_AT = 8;
    private static final int CHUNK_BYTES_AT = 20;
    private static final int RAW_BYTES_AT = 24;
    private static final int LEAST_FRAME_BYTES = Lz4FrameHeader.OUR_BYTES + 8;

    /**
     * Reads the marker at an index of the window.
     *
     * @return null if there is no well-formed marker, or not all of its fixed part can be seen
     */
    static Lz4Marker at(Window window, int index) throws IOException {
        if (!window.require(index + BYTES)
                || window.i32le(index) != MAGIC
                || window.i64le(index + SIGNATURE_AT) != SIGNATURE) {
            return null;
        }
        int size = window.i32le(index + SIZE_AT);
        int chunkBytes = window.i32le(index + CHUNK_BYTES_AT);
        int rawBytes = window.i32le(index + RAW_BYTES_AT);
        if (size < BYTES - Lz4Format.SKIPPABLE_HEADER_BYTES
                || size > BYTES - Lz4Format.SKIPPABLE_HEADER_BYTES + Lz4Format.MAX_SEGMENT_TABLE_BYTES) {
            return null;
        }
        int markerBytes = Lz4Format.SKIPPABLE_HEADER_BYTES + size;
        if (chunkBytes < markerBytes + LEAST_FRAME_BYTES
                || chunkBytes > Lz4Format.MAX_MARKED_BYTES
                || rawBytes < 0
                || rawBytes > CodecOptions.MAX_CHUNK_BYTES) {
            return null;
        }
        return new Lz4Marker(markerBytes, chunkBytes, rawBytes);
    }

    /** Writes a marker without a segment table at the position of a little-endian buffer. */
    static void write(ByteBuffer target, int chunkBytes, int rawBytes) {
        target.putInt(MAGIC).putInt(BYTES - Lz4Format.SKIPPABLE_HEADER_BYTES);
        target.putLong(SIGNATURE);
        target.put((byte) VERSION).put((byte) 0).putShort((short) 0);
        target.putInt(chunkBytes).putInt(rawBytes);
    }
}
