package io.warpcodec.format.zstd;

import io.warpcodec.CodecOptions;
import io.warpcodec.format.SkippableFrames;

/**
 * Constants of zstd frames (RFC 8878) and of the skippable frame that we write before each of ours. Numbers are
 * little-endian. Wire layout of our marker, which is all that {@code docs/format/zstd.md} adds to the RFC:
 *
 * <pre>
 *  0  MAGIC          u32, 0x184D2A5B: a skippable frame
 *  4  FRAME_SIZE     u32, length of what follows: 20 or more
 *  8  SIGNATURE      8 bytes
 * 16  VERSION        u8, 0 = draft
 * 17  FLAGS          u8, 0
 * 18  RESERVED       u16, 0
 * 20  CHUNK_BYTES    u32, this marker and the frame behind it
 * 24  RAW_BYTES      u32, size of that frame when decoded
 * 28  segment table  FRAME_SIZE - 20 bytes, absent in version 0
 * </pre>
 */
public final class ZstdFormat {
    /** First four bytes of a frame. */
    public static final int MAGIC = 0xfd2fb528;

    /** What is wrong with bytes that begin with another magic. */
    public static final String WRONG_MAGIC = "it does not start with 28 b5 2f fd";

    /** Formats before 0.8 have magics from 0.2's to 0.7's in a row; 0.1 has one of its own. */
    static final int LEGACY_V01_MAGIC = 0xfd2fb51e;

    static final int LEGACY_V02_MAGIC = 0xfd2fb522;
    static final int LEGACY_V07_MAGIC = 0xfd2fb527;

    public static final int MAGIC_BYTES = 4;

    /** Magic and frame header descriptor. */
    public static final int LEAST_HEADER_BYTES = 5;

    /** The longest frame header: magic, descriptor, window, dictionary id of 4 bytes, content size of 8. */
    public static final int MAX_HEADER_BYTES = 18;

    static final int MIN_WINDOW_LOG = 10;

    static final int RESERVED_BIT = 8;
    static final int SINGLE_SEGMENT = 0x20;
    static final int CHECKSUM = 4;

    /** Header of a block inside a frame. */
    public static final int BLOCK_HEADER_BYTES = 3;

    public static final int CHECKSUM_BYTES = 4;

    /** No block decodes to more, whatever the window. */
    public static final int MAX_BLOCK_BYTES = 128 << 10;

    /** The largest window that we stream; a frame with a larger one must keep its content within the output budget. */
    public static final long MAX_WINDOW_BYTES = 128 << 20;

    /** Windows from the next power of two on no decoder takes: libzstd's own bound on 64-bit machines. */
    static final int MAX_WINDOW_LOG = 31;

    /** Foreign frames up to this length, compressed, are cut as one chunk. */
    static final int MAX_FOREIGN_BYTES = 1 << 20;

    /** Skippable frames up to this length are dropped in one piece. */
    static final int MAX_SKIP_BYTES = 64 << 10;

    static final int MARKER_MAGIC = SkippableFrames.MAGIC | 0xb;
    /** Chosen once at random, first byte not ASCII: no text and no format known to us contains it. */
    static final long SIGNATURE = 0x5be7_c40d_92a1_7f9cL;

    static final int SIGNATURE_AT = 8;
    static final int CHUNK_BYTES_AT = 20;
    static final int RAW_BYTES_AT = 24;
    static final int FRAME_SIZE_WITHOUT_SEGMENTS = 20;
    static final int MAX_SEGMENT_TABLE_BYTES = 16 << 10;

    /** A marker of ours without a segment table. */
    public static final int MARKER_BYTES = SkippableFrames.HEADER_BYTES + FRAME_SIZE_WITHOUT_SEGMENTS;

    /** No frame is shorter: magic, descriptor, one byte of window or size, an empty block. */
    static final int LEAST_FRAME_BYTES = LEAST_HEADER_BYTES + 1 + BLOCK_HEADER_BYTES;

    /**
     * The largest chunk of ours: libzstd never makes {@link CodecOptions#MAX_CHUNK_BYTES} of raw bytes longer than
     * n/256 bytes more.
     */
    public static final int MAX_CHUNK_BYTES = MARKER_BYTES
            + MAX_SEGMENT_TABLE_BYTES
            + CodecOptions.MAX_CHUNK_BYTES
            + (CodecOptions.MAX_CHUNK_BYTES >> 8)
            + 64;

    private ZstdFormat() {}

    /** Whether these four bytes start a frame of zstd 0.1 to 0.7. */
    static boolean isLegacy(int magic) {
        return magic == LEGACY_V01_MAGIC || magic >= LEGACY_V02_MAGIC && magic <= LEGACY_V07_MAGIC;
    }
}
