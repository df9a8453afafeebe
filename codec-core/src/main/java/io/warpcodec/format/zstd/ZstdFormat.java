package io.warpcodec.format.zstd;

import io.warpcodec.CodecOptions;

/**
 * Constants of zstd frames (RFC 8878). Numbers are little-endian. What we add, and what we leave out, is in {@code
 * docs/format/zstd.md}.
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

    public static final int MIN_WINDOW_LOG = 10;

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

    /** Skippable frames up to this length are dropped in one piece. */
    static final int MAX_SKIP_BYTES = 64 << 10;

    /** No frame is shorter: magic, descriptor, one byte of window or size, an empty block. */
    static final int LEAST_FRAME_BYTES = LEAST_HEADER_BYTES + 1 + BLOCK_HEADER_BYTES;

    /**
     * The longest frame that is cut as one chunk, and the longest of ours: libzstd never makes {@link
     * CodecOptions#MAX_CHUNK_BYTES} of raw bytes longer than n/256 bytes more.
     */
    public static final int MAX_FRAME_BYTES = CodecOptions.MAX_CHUNK_BYTES + (CodecOptions.MAX_CHUNK_BYTES >> 8) + 64;

    private ZstdFormat() {}

    /** Whether these four bytes start a frame of zstd 0.1 to 0.7. */
    static boolean isLegacy(int magic) {
        return magic == LEGACY_V01_MAGIC || magic >= LEGACY_V02_MAGIC && magic <= LEGACY_V07_MAGIC;
    }
}
