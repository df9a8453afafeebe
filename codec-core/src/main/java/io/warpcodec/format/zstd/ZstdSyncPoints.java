package io.warpcodec.format.zstd;

import static io.warpcodec.format.zstd.ZstdFormat.*;

import io.warpcodec.format.PassedUnits;
import io.warpcodec.format.ScannerState;
import io.warpcodec.format.SyncPoints;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * The split rule of zstd. A marker of ours is a sync point if chunk sizes lead from it, marker to marker, to the end of the file
 * or further than the largest chunk of ours could be.
 *
 * <p>Why that far: a raw block can carry a whole file of ours verbatim, but only 128 KiB of it before the next block header
 * breaks the chain; and in a frame of ours a checksum follows the last block, so that such a chain does not end with the file
 * either.
 */
public final class ZstdSyncPoints implements SyncPoints {
    @Override
    public int headBytes() {
        return MARKER_BYTES + MAX_SEGMENT_TABLE_BYTES + MAGIC_BYTES;
    }

    @Override
    public boolean fileHasSyncPoints(Window head) throws IOException {
        return ZstdBoundary.at(head, 0) != null;
    }

    @Override
    public boolean isSyncPoint(Window window) throws IOException {
        ZstdBoundary chunk = ZstdBoundary.at(window, 0);
        int at = 0;
        while (chunk != null) {
            at += chunk.chunkBytes();
            if (at > MAX_CHUNK_BYTES) {
                return true;
            }
            if (!window.require(at + 1)) {
                return window.ended() && window.buffered() == at;
            }
            chunk = ZstdBoundary.at(window, at);
        }
        return false;
    }

    @Override
    public ScannerState seek(Window window, long limitOffset) throws IOException {
        while (window.offset() < limitOffset && window.require(MARKER_BYTES)) {
            int candidates = (int) Math.min(window.buffered() - MARKER_BYTES + 1, limitOffset - window.offset());
            int at = 0;
            while (at < candidates
                    && (window.u8(at) != (MARKER_MAGIC & 0xff)
                            || window.i32le(at) != MARKER_MAGIC
                            || window.i64le(at + SIGNATURE_AT) != SIGNATURE)) {
                at++;
            }
            window.consume(at);
            if (at < candidates) {
                if (isSyncPoint(window)) {
                    return PassedUnits.SOME;
                }
                window.consume(1);
            }
        }
        return null;
    }
}
