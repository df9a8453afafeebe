package io.warpcodec.format.lz4;

import io.warpcodec.format.ChainedSyncPoints;
import io.warpcodec.format.SizedChunk;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * The split rule of LZ4 frames: chunks that begin with markers of ours, which must lead further than
 * {@link Lz4Marker#REACH_BYTES}.
 *
 * <p>Why that far: a block of a frame can carry a file of ours verbatim, uncompressed or as literals. It can carry at
 * most 4 MiB of that file. The size before the next block breaks the chain there, and the end mark keeps it from
 * ending with the file. Not covered, behind a file of ours: skippable frames and legacy frames (blocks of 8 MiB, no
 * end mark) that hold a file of ours. Hadoop's framing has no markers, hence no sync points.
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
