package io.warpcodec.format.zstd;

import static io.warpcodec.format.zstd.ZstdFormat.*;

import io.warpcodec.CodecOptions;
import io.warpcodec.format.SizedChunk;
import io.warpcodec.format.SkippableFrames;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * A link of a chain of frames: a frame with a checksum, or a short skippable one. A frame is followed by the headers
 * of its blocks, and no further than a chain must lead: it may be longer than any window.
 *
 * @param chunkBytes length of what was followed; all of it, unless it leads far enough alone
 * @param reachesAlone whether the frame goes on behind that
 */
record ZstdLink(int chunkBytes, boolean reachesAlone) implements SizedChunk {
    /** Most blocks of a frame that are followed. With more in so few bytes it is no sync point, and no link. */
    static final int MAX_BLOCKS = 1 << 10;

    @Override
    public int reachBytes() {
        return MAX_FRAME_BYTES;
    }

    /** Whether a frame with this header may be a link. */
    static boolean isLink(ZstdFrameHeader header) {
        return header.checksum() && header.refusal(CodecOptions.MAX_CHUNK_BYTES) == null;
    }

    /** Header of the frame whose magic stands at an index; null if not all of it can be seen. */
    static ZstdFrameHeader header(Window window, int index) throws IOException {
        return window.require(index + LEAST_HEADER_BYTES)
                        && window.require(index + ZstdFrameHeader.bytes(window.u8(index + MAGIC_BYTES)))
                ? ZstdFrameHeader.at(window, index)
                : null;
    }

    /** The short skippable frame at an index; null if there is none. */
    static ZstdLink skippable(Window window, int index) throws IOException {
        if (!window.require(index + SkippableFrames.HEADER_BYTES) || !SkippableFrames.isMagic(window.i32le(index))) {
            return null;
        }
        int bytes = window.i32le(index + SkippableFrames.SIZE_AT);
        return bytes < 0 || bytes > MAX_SKIP_BYTES ? null : new ZstdLink(SkippableFrames.HEADER_BYTES + bytes, false);
    }

    /** The frame whose magic stands at an index; null if it is no link, or cannot be seen to its end. */
    static ZstdLink frame(Window window, int index, Steps steps) throws IOException {
        ZstdFrameHeader header = header(window, index);
        if (header == null || !isLink(header)) {
            return null;
        }
        int at = index + header.bytes();
        long mostRawBytes = 0;
        for (int blocks = 0; blocks < MAX_BLOCKS && window.require(at + BLOCK_HEADER_BYTES); blocks++) {
            steps.step(window);
            ZstdBlockHeader block = ZstdBlockHeader.of(window.u16le(at) | window.u8(at + 2) << 16);
            if (block.type() == ZstdBlockHeader.RESERVED || block.size() > header.maxBlockBytes()) {
                return null;
            }
            at += BLOCK_HEADER_BYTES + block.contentBytes();
            mostRawBytes += block.type() == ZstdBlockHeader.COMPRESSED ? header.maxBlockBytes() : block.size();
            if (block.last()) {
                at += CHECKSUM_BYTES;
                boolean whole = window.require(at) && (!header.hasContentSize() || header.declaresAtMost(mostRawBytes));
                return whole ? new ZstdLink(at - index, false) : null;
            }
            if (at - index > MAX_FRAME_BYTES) {
                return new ZstdLink(at - index, true);
            }
        }
        return null;
    }

    /** Counts the block headers that are looked at. */
    @FunctionalInterface
    interface Steps {
        /** One more; an exception if it is too many. */
        void step(Window window) throws IOException;
    }
}
