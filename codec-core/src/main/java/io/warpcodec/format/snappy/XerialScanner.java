package io.warpcodec.format.snappy;

import static io.warpcodec.format.snappy.SnappyFormat.*;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.TruncatedDataException;
import io.warpcodec.format.PassedUnits;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.ScannerState;
import io.warpcodec.format.Unit;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * Walks the headers and blocks of xerial streams, one behind the other. Each block of ordinary size is a chunk. A
 * stream of zero bytes is empty. No unit is a boundary: nothing in the bytes tells where such a stream ends.
 */
public final class XerialScanner implements Scanner {
    private static final int LENGTH_BYTES = 4;
    private static final int MAX_CHUNK_BYTES = 1 << 20;
    private static final Unit STREAMED_BLOCK = new Unit(Unit.Kind.SESSION, 0, 0, -1, false, null);

    private boolean anyHeader;

    @Override
    public Unit next(Window window) throws IOException {
        if (!window.require(1)) {
            return window.ended() ? Unit.END : Unit.NEEDS_INPUT;
        }
        if (!window.require(LENGTH_BYTES)) {
            return cutShort(window);
        }
        int bodyBytes = window.i32be(0);
        if (bodyBytes == MAGIC_HEAD) {
            return header(window);
        }
        if (!anyHeader) {
            throw new CorruptDataException(
                    Format.SNAPPY, window.offset(), "not a stream of Spark's snappy codec: its header is missing");
        }
        if (bodyBytes <= 0 || bodyBytes > MAX_CHUNK_BYTES) {
            return STREAMED_BLOCK;
        }
        if (!window.require(LENGTH_BYTES + bodyBytes)) {
            return cutShort(window);
        }
        int rawBytes = SIZES.rawBytes(window, LENGTH_BYTES, Math.min(bodyBytes, MAX_VARINT_BYTES));
        int bytes = LENGTH_BYTES + bodyBytes;
        return rawBytes < 0 ? STREAMED_BLOCK : new Unit(Unit.Kind.CHUNK, bytes, bytes, rawBytes, false, null);
    }

    private static Unit header(Window window) throws IOException {
        if (!window.require(XERIAL_HEADER_BYTES)) {
            if (window.ended()) {
                throw new TruncatedDataException(
                        Format.SNAPPY, window.offset() + window.buffered(), "the stream ends inside a header");
            }
            return Unit.NEEDS_INPUT;
        }
        int compatible = window.i32be(12);
        if (window.i32be(4) != MAGIC_TAIL) {
            throw new CorruptDataException(Format.SNAPPY, window.offset(), "the header's magic is wrong");
        }
        if (window.i32be(8) < XERIAL_VERSION || compatible < 0 || compatible > XERIAL_VERSION) {
            throw new CorruptDataException(
                    Format.SNAPPY,
                    window.offset(),
                    "the header names version " + window.i32be(8) + ", compatible with " + compatible);
        }
        return Unit.skip(XERIAL_HEADER_BYTES, false);
    }

    private static Unit cutShort(Window window) {
        return window.ended() ? STREAMED_BLOCK : Unit.NEEDS_INPUT;
    }

    @Override
    public Unit again(Window window, Unit failed, String reason) {
        return STREAMED_BLOCK;
    }

    @Override
    public void passed(Unit unit) {
        anyHeader = true;
    }

    @Override
    public ScannerState state() {
        return PassedUnits.of(anyHeader);
    }

    @Override
    public void restore(ScannerState state) {
        anyHeader = state == PassedUnits.SOME;
    }
}
