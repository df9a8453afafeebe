package io.warpcodec.format.store;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.TruncatedDataException;
import io.warpcodec.format.PassedUnits;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.ScannerState;
import io.warpcodec.format.Unit;
import io.warpcodec.format.Window;
import java.io.IOException;

/** Cuts a stream at its units; each is a chunk, and names its raw size. */
final class StoreScanner implements Scanner {
    private boolean anyUnit;

    @Override
    public Unit next(Window window) throws IOException {
        if (!window.require(StoreHeader.BYTES)) {
            if (!window.ended()) {
                return Unit.NEEDS_INPUT;
            }
            if (window.buffered() > 0) {
                return Unit.SESSION;
            }
            if (!anyUnit) {
                throw new TruncatedDataException(Format.STORE, window.offset(), "no stored unit at all");
            }
            return Unit.END;
        }
        int rawBytes = window.i32be(4);
        String defect = StoreHeader.defect(window.i32be(0), rawBytes);
        if (defect != null) {
            throw new CorruptDataException(Format.STORE, window.offset(), defect);
        }
        if (!window.require(StoreHeader.unitBytes(rawBytes))) {
            return window.ended() ? Unit.SESSION : Unit.NEEDS_INPUT;
        }
        return Unit.chunk(StoreHeader.unitBytes(rawBytes), rawBytes);
    }

    @Override
    public void passed(Unit unit) {
        anyUnit = true;
    }

    @Override
    public ScannerState state() {
        return PassedUnits.of(anyUnit);
    }

    @Override
    public void restore(ScannerState state) {
        anyUnit = state == PassedUnits.SOME;
    }
}
