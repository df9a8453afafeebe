package io.warpcodec.format.lz4;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.TruncatedDataException;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.ScannerState;
import io.warpcodec.format.Unit;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * Walks an LZ4Block stream, Spark's. A chunk is as many neighbouring blocks as the window holds, up to
 * {@link #GROUP_RAW_BYTES} and to the end mark. Spark's blocks of 32 KiB are too small to be worth a submission each.
 * A group that fits a usual read is decoded straight into it. Streams may follow each other; no bytes at all are an
 * empty stream.
 */
public final class Lz4BlockScanner implements Scanner {
    private static final int GROUP_RAW_BYTES = 64 << 10;
    private static final Unit BLOCK_SESSION = new Unit(Unit.Kind.SESSION, 0, 0, -1, false, null);

    /** Whether a stream has begun and its end mark has not been seen. */
    private boolean open;

    /** What to go back to. */
    private record State(boolean open) implements ScannerState {}

    @Override
    public Unit next(Window window) throws IOException {
        if (!window.require(1)) {
            if (!window.ended()) {
                return Unit.NEEDS_INPUT;
            }
            if (open) {
                throw new TruncatedDataException(Format.LZ4, window.offset(), "the stream ends without an end mark");
            }
            return Unit.END;
        }
        if (!window.require(Lz4BlockHeader.BYTES)) {
            return window.ended() ? BLOCK_SESSION : Unit.NEEDS_INPUT;
        }
        Lz4BlockHeader first = header(window, 0);
        if (first == null) {
            throw new CorruptDataException(
                    Format.LZ4, window.offset(), Lz4BlockHeader.defect(window.view(0, Lz4BlockHeader.BYTES)));
        }
        if (first.isEnd()) {
            return Unit.skip(Lz4BlockHeader.BYTES, true);
        }
        if (!window.require(Lz4BlockHeader.BYTES + first.bodyBytes())) {
            return window.ended() ? BLOCK_SESSION : Unit.NEEDS_INPUT;
        }
        return group(window, first);
    }

    private static Unit group(Window window, Lz4BlockHeader first) {
        int bytes = Lz4BlockHeader.BYTES + first.bodyBytes();
        int rawBytes = first.rawBytes();
        while (window.buffered() - bytes >= Lz4BlockHeader.BYTES) {
            Lz4BlockHeader next = header(window, bytes);
            if (next == null
                    || next.bodyBytes() > window.buffered() - bytes - Lz4BlockHeader.BYTES
                    || !next.isEnd() && next.rawBytes() > GROUP_RAW_BYTES - rawBytes) {
                break;
            }
            bytes += Lz4BlockHeader.BYTES + next.bodyBytes();
            rawBytes += next.rawBytes();
            if (next.isEnd()) {
                return Unit.chunk(bytes, rawBytes);
            }
        }
        return new Unit(Unit.Kind.CHUNK, bytes, bytes, rawBytes, false, null);
    }

    /** The header at an index, or null if it is none. */
    private static Lz4BlockHeader header(Window window, int index) {
        return Lz4BlockHeader.defect(window.view(index, Lz4BlockHeader.BYTES)) == null
                ? Lz4BlockHeader.of(window.view(index, Lz4BlockHeader.BYTES))
                : null;
    }

    @Override
    public Unit again(Window window, Unit failed, String reason) {
        return BLOCK_SESSION;
    }

    @Override
    public void passed(Unit unit) {
        open = !unit.boundary();
    }

    @Override
    public ScannerState state() {
        return new State(open);
    }

    @Override
    public void restore(ScannerState state) {
        open = ((State) state).open;
    }
}
