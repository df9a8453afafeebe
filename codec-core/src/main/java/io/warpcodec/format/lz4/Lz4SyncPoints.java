package io.warpcodec.format.lz4;

import io.warpcodec.format.ScannerState;
import io.warpcodec.format.SyncPoints;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * The split rule of LZ4 frames. A marker of ours is a sync point if sizes lead from it, marker to marker, to the end of the
 * file or further than {@link #REACH_BYTES}.
 *
 * <p>Why that far: a block can carry a whole file of ours verbatim, uncompressed or as literals, but no more of it than a block
 * holds; the size before the next block breaks the chain. So a chain inside a block never gets that far, nor does it end with
 * the file, because the outer frame has an end mark. Hadoop's framing has no markers, hence no sync points.
 */
public final class Lz4SyncPoints implements SyncPoints {
    /** Longer than the largest block of any frame, and than the largest chunk of ours. */
    static final int REACH_BYTES = Lz4Format.MAX_FRAME_BLOCK_BYTES + (64 << 10);

    @Override
    public int headBytes() {
        return Lz4Marker.BYTES;
    }

    @Override
    public boolean fileHasSyncPoints(Window head) throws IOException {
        return Lz4Marker.at(head, 0) != null;
    }

    @Override
    public boolean isSyncPoint(Window window) throws IOException {
        Lz4Marker marker = Lz4Marker.at(window, 0);
        int at = 0;
        while (marker != null) {
            at += marker.chunkBytes();
            if (at > REACH_BYTES) {
                return true;
            }
            if (!window.require(at + 1)) {
                return window.ended() && window.buffered() == at;
            }
            marker = Lz4Marker.at(window, at);
        }
        return false;
    }

    @Override
    public ScannerState seek(Window window, long limitOffset) throws IOException {
        while (window.offset() < limitOffset && window.require(Lz4Marker.BYTES)) {
            int candidates = (int) Math.min(window.buffered() - Lz4Marker.BYTES + 1, limitOffset - window.offset());
            int at = 0;
            while (at < candidates
                    && (window.u8(at) != (Lz4Marker.MAGIC & 0xff) || window.i32le(at) != Lz4Marker.MAGIC)) {
                at++;
            }
            window.consume(at);
            if (at < candidates) {
                if (isSyncPoint(window)) {
                    return Lz4Scanner.State.IN_FRAMES;
                }
                window.consume(1);
            }
        }
        return null;
    }
}
