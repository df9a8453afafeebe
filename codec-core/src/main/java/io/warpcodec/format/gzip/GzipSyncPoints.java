package io.warpcodec.format.gzip;

import static io.warpcodec.format.gzip.GzipFormat.*;

import io.warpcodec.format.ChainedSyncPoints;
import io.warpcodec.format.PassedUnits;
import io.warpcodec.format.SizedChunk;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * The split rule of gzip: members of ours or of BGZF. They must lead further than the largest member of the first
 * member's kind could be.
 *
 * <p>Why that far: a stored DEFLATE block can carry a whole file of ours verbatim. But it has only 65,535 bytes of
 * that file before the next block header breaks the chain. So a chain inside another member's body never gets far
 * enough. Nor does it end with the file, because the outer member has a trailer.
 */
public final class GzipSyncPoints extends ChainedSyncPoints {
    private static final int HEAD_BYTES = SUBFIELD_AT + (1 << 10);

    public GzipSyncPoints() {
        super(SUBFIELD_AT, PassedUnits.SOME);
    }

    @Override
    public int headBytes() {
        return HEAD_BYTES;
    }

    @Override
    protected boolean mayBeginAt(Window window, int index) {
        return window.u8(index) == ID1 && GzipHeader.mayStartWith(window.u16le(index), Short.BYTES);
    }

    @Override
    protected SizedChunk chunkAt(Window window, int index) throws IOException {
        return GzipBoundary.at(window, index);
    }
}
