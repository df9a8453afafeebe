package io.warpcodec.format.lz4;

import io.warpcodec.CodecOptions;
import io.warpcodec.format.SizedChunk;
import io.warpcodec.format.SkippableFrames;
import io.warpcodec.format.Window;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The skippable frame of ours before each frame of ours; together they are one chunk. Layout, which is all that
 * {@code docs/format/lz4.md} adds to the LZ4 frame format:
 *
 * <pre>
 *  0  MAGIC        u32, 0x184D2A57
 *  4  SIZE         u32, what follows: 128 in the first marker of a file, 20 in the others
 *  8  SIGNATURE    8 bytes
 * 16  VERSION      u8, 2
 * 17  FLAGS        u8, 0
 * 18  RESERVED     u16, 0
 * 20  CHUNK_BYTES  u32, this marker and its frame
 * 24  RAW_BYTES    u32, size when decoded
 * 28  NOTICE       108 bytes of text in the first marker of a file
 * </pre>
 *
 * <p>Why the first marker is longer: Hadoop's own Lz4Codec takes MAGIC and SIZE for big-endian sizes of an outer
 * block and of the chunk in it. It reads a chunk that goes past the end of the file as the end of the file, so the
 * file would be empty without an error. A SIZE of 128 is the least whose first byte makes that chunk's size negative,
 * which Hadoop refuses. Version 1 had 20 everywhere.
 *
 * @param markerBytes size of the marker itself
 * @param chunkBytes claimed size of the marker and its frame
 * @param rawBytes claimed decoded size
 */
record Lz4Marker(int markerBytes, int chunkBytes, int rawBytes) implements SizedChunk {
    /** Bytes that every marker begins with. A marker of ours that is not the first of its file has no more. */
    static final int BYTES = 28;

    /** The first marker of a file. */
    static final int FIRST_BYTES = 136;

    /** Longer than the largest block of any frame, and than the largest chunk of ours. */
    static final int REACH_BYTES = Lz4Format.MAX_FRAME_BLOCK_BYTES + (64 << 10);

    static final int MAGIC = SkippableFrames.MAGIC | 7;

    private static final int VERSION = 2;
    /** Chosen once at random, first byte not ASCII: no text and no format known to us contains it. */
    private static final long SIGNATURE = 0xb7a4_0c6e_93d1_58f2L;

    /** For a person that looks into a file which Hadoop has refused. A reader does not look at it. */
    private static final byte[] NOTICE = ("\nLZ4 frames with an index by Warpcodec: lz4 -d reads them, "
                    + "Hadoop's Lz4Codec does not (lz4.framing=hadoop).\n")
            .getBytes(StandardCharsets.US_ASCII);

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
        int size = window.i32le(index + SkippableFrames.SIZE_AT);
        int chunkBytes = window.i32le(index + CHUNK_BYTES_AT);
        int rawBytes = window.i32le(index + RAW_BYTES_AT);
        if (size < BYTES - SkippableFrames.HEADER_BYTES
                || size > BYTES - SkippableFrames.HEADER_BYTES + Lz4Format.MAX_MARKER_TAIL_BYTES) {
            return null;
        }
        int markerBytes = SkippableFrames.HEADER_BYTES + size;
        if (chunkBytes < markerBytes + LEAST_FRAME_BYTES
                || chunkBytes > Lz4Format.MAX_MARKED_BYTES
                || rawBytes < 0
                || rawBytes > CodecOptions.MAX_CHUNK_BYTES) {
            return null;
        }
        return new Lz4Marker(markerBytes, chunkBytes, rawBytes);
    }

    @Override
    public int reachBytes() {
        return REACH_BYTES;
    }

    /**
     * Writes a marker at the position of a little-endian buffer.
     *
     * @param first whether a file begins with it
     * @param frameBytes size of the frame behind it
     */
    static void write(ByteBuffer target, boolean first, int frameBytes, int rawBytes) {
        int markerBytes = first ? FIRST_BYTES : BYTES;
        target.putInt(MAGIC).putInt(markerBytes - SkippableFrames.HEADER_BYTES);
        target.putLong(SIGNATURE);
        target.put((byte) VERSION).put((byte) 0).putShort((short) 0);
        target.putInt(markerBytes + frameBytes).putInt(rawBytes);
        if (first) {
            target.put(NOTICE);
        }
    }
}
