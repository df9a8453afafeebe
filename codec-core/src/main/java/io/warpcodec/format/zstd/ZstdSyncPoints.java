package io.warpcodec.format.zstd;

import static io.warpcodec.format.zstd.ZstdFormat.*;

import io.warpcodec.format.ChainedSyncPoints;
import io.warpcodec.format.SizedChunk;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * The split rule of zstd: chunks that begin with markers of ours, which must lead further than the largest chunk of
 * ours could be.
 *
 * <p>Why that far: a raw block can carry a whole file of ours verbatim. But it has only 128 KiB of that file before
 * the next block header breaks the chain. In a frame of ours a checksum follows the last block, so that such a chain
 * does not end with the file either.
 */
public final class ZstdSyncPoints extends ChainedSyncPoints {
    public ZstdSyncPoints() {
        super(MARKER_BYTES, ZstdScanner.Passed.FRAME);
    }

    @Override
    public int headBytes() {
        return MARKER_BYTES + MAX_SEGMENT_TABLE_BYTES + MAGIC_BYTES;
    }

    @Override
    protected boolean mayBeginAt(Window window, int index) {
        return window.u8(index) == (MARKER_MAGIC & 0xff) && window.i32le(index) == MARKER_MAGIC;
    }

    @Override
    protected SizedChunk chunkAt(Window window, int index) throws IOException {
        return ZstdBoundary.at(window, index);
    }
}
