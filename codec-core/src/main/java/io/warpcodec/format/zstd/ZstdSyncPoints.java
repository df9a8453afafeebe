package io.warpcodec.format.zstd;

import static io.warpcodec.format.zstd.ZstdFormat.*;

import io.warpcodec.CodecOptions;
import io.warpcodec.format.ChainedSyncPoints;
import io.warpcodec.format.FrameWalk;
import io.warpcodec.format.SizedChunk;
import io.warpcodec.format.SkippableFrames;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * The split rule of zstd. A frame is a sync point if it is like ours: a content size of at most 1 MiB, a checksum, no
 * dictionary. From it frames like that, and short skippable ones, must lead further than the largest of ours could be.
 * Markers of older versions are skippable frames like any other.
 *
 * <p>Why that far: a raw block can carry a whole file of such frames verbatim. But it has only 128 KiB of that file
 * before the next block header breaks the chain. A checksum follows the last block of a frame like ours, so that such
 * a chain does not end with the frame either.
 */
public final class ZstdSyncPoints extends ChainedSyncPoints {
    public ZstdSyncPoints() {
        super(MAGIC_BYTES, ZstdScanner.Passed.FRAME);
    }

    /** A link of a chain: a frame like ours, or a skippable one. */
    private record Link(int chunkBytes) implements SizedChunk {
        @Override
        public int reachBytes() {
            return MAX_FRAME_BYTES;
        }
    }

    @Override
    public int headBytes() {
        return 2 * ZstdMarker.MOST_BYTES + MAX_HEADER_BYTES;
    }

    /** Judged by the header of the first frame: skippable ones before it may be as long as a marker was. */
    @Override
    public boolean fileHasSyncPoints(Window head) throws IOException {
        int at = 0;
        while (skippableBytes(head, at) > 0) {
            at += skippableBytes(head, at);
        }
        if (!head.require(at + LEAST_HEADER_BYTES) || head.i32le(at) != MAGIC) {
            return false;
        }
        return head.require(at + ZstdFrameHeader.bytes(head.u8(at + MAGIC_BYTES)))
                && isLikeOurs(ZstdFrameHeader.at(head, at));
    }

    private static boolean isLikeOurs(ZstdFrameHeader header) {
        return header.refusal(CodecOptions.MAX_CHUNK_BYTES) == null
                && header.hasContentSize()
                && header.declaresAtMost(CodecOptions.MAX_CHUNK_BYTES)
                && header.checksum();
    }

    @Override
    protected boolean mayBeginAt(Window window, int index) {
        return window.u8(index) == (MAGIC & 0xff) && window.i32le(index) == MAGIC;
    }

    /** A skippable frame leads on, but no chain begins with one. */
    @Override
    protected SizedChunk chunkAt(Window window, int index) throws IOException {
        if (!window.require(index + MAGIC_BYTES)) {
            return null;
        }
        if (window.i32le(index) != MAGIC) {
            int bytes = index == 0 ? 0 : skippableBytes(window, index);
            return bytes == 0 ? null : new Link(bytes);
        }
        ZstdFrameLayout frame = ZstdFrameLayout.at(window, index, CodecOptions.MAX_CHUNK_BYTES, MAX_FRAME_BYTES, 0);
        return frame.end() == FrameWalk.End.COMPLETE && isLikeOurs(frame.header()) ? new Link(frame.bytes()) : null;
    }

    /** Length of the skippable frame there; 0 if there is none, or a long one. */
    private static int skippableBytes(Window window, int index) throws IOException {
        if (!window.require(index + SkippableFrames.HEADER_BYTES) || !SkippableFrames.isMagic(window.i32le(index))) {
            return 0;
        }
        int bytes = window.i32le(index + SkippableFrames.SIZE_AT);
        return bytes < 0 || bytes > MAX_SKIP_BYTES ? 0 : SkippableFrames.HEADER_BYTES + bytes;
    }
}
