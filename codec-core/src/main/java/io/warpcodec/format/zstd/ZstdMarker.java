package io.warpcodec.format.zstd;

import io.warpcodec.CodecOptions;
import io.warpcodec.format.SkippableFrames;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * The skippable frame that 0.1.0 wrote before each frame. The frame itself says all that counts, but that it follows.
 * Wire layout, little-endian:
 *
 * <pre>
 *  0  MAGIC          u32, 0x184D2A5B: a skippable frame
 *  4  FRAME_SIZE     u32, length of what follows: 20 or more
 *  8  SIGNATURE      8 bytes
 * 16  VERSION        u8, FLAGS u8, RESERVED u16, all 0
 * 20  CHUNK_BYTES    u32, this marker and the frame behind it
 * 24  RAW_BYTES      u32, size of that frame when decoded
 * 28                 FRAME_SIZE - 20 bytes, none in version 0
 * </pre>
 */
final class ZstdMarker {
    private static final int MAGIC = SkippableFrames.MAGIC | 0xb;
    /** Chosen once at random, first byte not ASCII: no text and no format known to us contains it. */
    private static final long SIGNATURE = 0x5be7_c40d_92a1_7f9cL;

    private static final int SIGNATURE_AT = 8;
    private static final int CHUNK_BYTES_AT = 20;
    private static final int RAW_BYTES_AT = 24;
    private static final int LEAST_FRAME_SIZE = 20;
    private static final int MOST_FRAME_SIZE = LEAST_FRAME_SIZE + (16 << 10);
    private static final int LEAST_BYTES = SkippableFrames.HEADER_BYTES + LEAST_FRAME_SIZE;

    /** The longest marker. */
    static final int MOST_BYTES = SkippableFrames.HEADER_BYTES + MOST_FRAME_SIZE;

    private ZstdMarker() {}

    /** Whether a well-formed marker stands at the front of the window, which holds all of its frame. */
    static boolean isAtFront(Window window) throws IOException {
        if (!window.require(LEAST_BYTES) || window.i32le(0) != MAGIC || window.i64le(SIGNATURE_AT) != SIGNATURE) {
            return false;
        }
        int frameSize = window.i32le(SkippableFrames.SIZE_AT);
        int chunkBytes = window.i32le(CHUNK_BYTES_AT);
        int rawBytes = window.i32le(RAW_BYTES_AT);
        int markerBytes = SkippableFrames.HEADER_BYTES + frameSize;
        return frameSize >= LEAST_FRAME_SIZE
                && frameSize <= MOST_FRAME_SIZE
                && chunkBytes >= markerBytes + ZstdFormat.LEAST_FRAME_BYTES
                && chunkBytes <= MOST_BYTES + ZstdFormat.MAX_FRAME_BYTES
                && rawBytes >= 0
                && rawBytes <= CodecOptions.MAX_CHUNK_BYTES;
    }
}
