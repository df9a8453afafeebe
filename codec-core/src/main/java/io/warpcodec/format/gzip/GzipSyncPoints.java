package io.warpcodec.format.gzip;

import static io.warpcodec.format.gzip.GzipFormat.*;

import io.warpcodec.format.PassedUnits;
import io.warpcodec.format.ScannerState;
import io.warpcodec.format.SyncPoints;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * The split rule of gzip. A member of ours or of BGZF is a sync point if sizes lead from it, member to member, to the end of
 * the file or further than the largest member of its kind could be.
 *
 * <p>Why that far: a stored DEFLATE block can carry a whole file of ours verbatim, but only 65,535 bytes of it before the
 * next block header breaks the chain; so a chain inside another member's body never gets far enough, nor does it end with the
 * file, because the outer member has a trailer.
 */
public final class GzipSyncPoints implements SyncPoints {
    private static final int HEAD_BYTES = SUBFIELD_AT + (1 << 10);

    @Override
    public int headBytes() {
        return HEAD_BYTES;
    }

    @Override
    public boolean fileHasSyncPoints(Window head) throws IOException {
        return GzipBoundary.at(head, 0) != null;
    }

    @Override
    public boolean isSyncPoint(Window window) throws IOException {
        GzipBoundary first = GzipBoundary.at(window, 0);
        GzipBoundary member = first;
        int at = 0;
        while (member != null) {
            at += member.memberBytes();
            if (at > first.reachBytes()) {
                return true;
            }
            if (!window.require(at + 1)) {
                return window.ended() && window.buffered() == at;
            }
            member = GzipBoundary.at(window, at);
        }
        return false;
    }

    @Override
    public ScannerState seek(Window window, long limitOffset) throws IOException {
        while (window.offset() < limitOffset && window.require(SUBFIELD_AT)) {
            int candidates = (int) Math.min(window.buffered() - SUBFIELD_AT + 1, limitOffset - window.offset());
            int at = 0;
            while (at < candidates
                    && (window.u8(at) != ID1
                            || window.u8(at + 1) != ID2
                            || window.u8(at + 2) != CM_DEFLATE
                            || (window.u8(at + 3) & FEXTRA) == 0)) {
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
