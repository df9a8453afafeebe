package io.warpcodec.format.zlib;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.TruncatedDataException;
import io.warpcodec.format.PassedUnits;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.ScannerState;
import io.warpcodec.format.Unit;
import io.warpcodec.format.Window;
import java.io.IOException;

/** Walks zlib streams laid back to back. None names its size, so each is decoded by a session. */
public final class ZlibScanner implements Scanner {
    private final boolean emptyIsLegal;
    private boolean anyStream;

    /** @param framing {@link Framing#SPARK} makes a stream of zero bytes an empty stream */
    public ZlibScanner(Framing framing) {
        emptyIsLegal = framing == Framing.SPARK;
    }

    @Override
    public Unit next(Window window) throws IOException {
        if (window.require(ZlibFormat.HEADER_BYTES)) {
            String defect = ZlibFormat.headerDefect(window.u8(0), window.u8(1));
            if (defect != null) {
                throw new CorruptDataException(
                        Format.ZLIB,
                        window.offset(),
                        (anyStream ? "bytes after the last zlib stream: " : "not a zlib stream: ") + defect);
            }
            return Unit.SESSION;
        }
        if (!window.ended()) {
            return Unit.NEEDS_INPUT;
        }
        if (window.buffered() > 0) {
            return Unit.SESSION;
        }
        if (!anyStream && !emptyIsLegal) {
            throw new TruncatedDataException(Format.ZLIB, window.offset(), "no zlib stream at all");
        }
        return Unit.END;
    }

    @Override
    public void passed(Unit unit) {
        anyStream = true;
    }

    @Override
    public ScannerState state() {
        return PassedUnits.of(anyStream);
    }

    @Override
    public void restore(ScannerState state) {
        anyStream = state == PassedUnits.SOME;
    }
}
