package io.warpcodec.format.store;

import io.warpcodec.format.PassedUnits;
import io.warpcodec.format.ScannerState;
import io.warpcodec.format.SyncPoints;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * Every unit is a sync point. A head is believed if sizes lead from it, unit to unit, to the end of the file. A chain
 * further than the raw bytes of a unit is enough too. Those bytes may themselves be a stored file: the checksum behind
 * them breaks such a chain.
 */
final class StoreSyncPoints implements SyncPoints {
    private static final int REACH_BYTES = StoreHeader.unitBytes(StoreHeader.MAX_RAW_BYTES);

    @Override
    public int headBytes() {
        return StoreHeader.BYTES;
    }

    @Override
    public boolean fileHasSyncPoints(Window head) throws IOException {
        return head.require(StoreHeader.BYTES) && isHead(head, 0);
    }

    private static boolean isHead(Window window, int at) {
        return StoreHeader.defect(window.i32be(at), window.i32be(at + 4)) == null;
    }

    @Override
    public boolean isSyncPoint(Window window) throws IOException {
        int at = 0;
        while (window.require(at + StoreHeader.BYTES)) {
            if (!isHead(window, at)) {
                return false;
            }
            at += StoreHeader.unitBytes(window.i32be(at + 4));
            if (at > REACH_BYTES) {
                return true;
            }
        }
        return at > 0 && window.ended() && window.buffered() == at;
    }

    @Override
    public ScannerState seek(Window window, long limitOffset) throws IOException {
        while (window.offset() < limitOffset && window.require(StoreHeader.BYTES)) {
            if (window.u8(0) == StoreHeader.MAGIC >>> 24 && isHead(window, 0) && isSyncPoint(window)) {
                return PassedUnits.SOME;
            }
            window.consume(1);
        }
        return null;
    }
}
