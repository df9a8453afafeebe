package io.warpcodec.format.lz4;

import io.warpcodec.format.ChainedSyncPoints;
import io.warpcodec.format.SizedChunk;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * The split rule of LZ4 frames: chunks that begin with markers of ours, which must lead further than {@link Lz4Marker#REACH_BYTES}.
 *
 * <p>Why that far: a block can carry a whole file of ours verbatim, uncompressed or as literals, but no more of it than a block
 * holds; the size before the next block breaks the chain. So a chain inside a block never gets that far, nor does it end with
 * the file, because the outer frame has an end mark. Hadoop's framing has no markers, hence no sync points.
 */
public final class Lz4SyncPoints extends ChainedSyncPoints {
    public Lz4SyncPoints() {
        super(Lz4Marker.BYTES, Lz4Scanner.State.IN_FRAMES);
    }

    @Override
    public int headBytes() {
        return Lz4Marker.BYTES;
    }

    @Override
    protected boolean mayBeginAt(Window window, int index) {
        return window.u8(index) == (Lz4Marker.MAGIC & 0xff) && window.i32le(index) == Lz4Marker.MAGIC;
    }

    @Override
    protected SizedChunk chunkAt(Window window, int index) throws IOException {
        return Lz4Marker.at(window, index);
    }
}
