package io.warpcodec.format.zstd;

import static io.warpcodec.format.zstd.ZstdFormat.*;

import io.warpcodec.CodecOptions;
import io.warpcodec.format.SizedChunk;
import io.warpcodec.format.SkippableFrames;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * What a marker of ours claims for the chunk that it starts.
 *
 * @param markerBytes length of the marker itself
 * @param chunkBytes length of marker and frame
 * @param rawBytes decoded size of the frame
 */
record ZstdBoundary(int markerBytes, int chunkBytes, int rawBytes) implements SizedChunk {

    @Override
    public int reachBytes() {
        return MAX_CHUNK_BYTES;
    }

    /**
     * Reads the marker at an index of the window.
     *
     * @return null if there is no well-formed marker of ours with a frame behind it, or not all of it can be seen
     */
    static ZstdBoundary at(Window window, int index) throws IOException {
        ZstdBoundary marker = marker(window, index);
        return marker != null
                        && window.require(index + marker.markerBytes + MAGIC_BYTES)
                        && window.i32le(index + marker.markerBytes) == MAGIC
                ? marker
                : null;
    }

    /**
     * As {@link #at}, but whatever follows the marker.
     *
     * @return null if there is no well-formed marker of ours, or not all of its fixed part can be seen
     */
    static ZstdBoundary marker(Window window, int index) throws IOException {
        if (!window.require(index + MARKER_BYTES)
                || window.i32le(index) != MARKER_MAGIC
                || window.i64le(index + SIGNATURE_AT) != SIGNATURE) {
            return null;
        }
        int frameSize = window.i32le(index + SkippableFrames.SIZE_AT);
        if (frameSize < FRAME_SIZE_WITHOUT_SEGMENTS
                || frameSize > FRAME_SIZE_WITHOUT_SEGMENTS + MAX_SEGMENT_TABLE_BYTES) {
            return null;
        }
        int markerBytes = SkippableFrames.HEADER_BYTES + frameSize;
        int chunkBytes = window.i32le(index + CHUNK_BYTES_AT);
        int rawBytes = window.i32le(index + RAW_BYTES_AT);
        if (chunkBytes < markerBytes + LEAST_FRAME_BYTES
                || chunkBytes > MAX_CHUNK_BYTES
                || rawBytes < 0
                || rawBytes > CodecOptions.MAX_CHUNK_BYTES) {
            return null;
        }
        return new ZstdBoundary(markerBytes, chunkBytes, rawBytes);
    }
}
