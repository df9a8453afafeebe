package io.warpcodec.format.zstd;

import static io.warpcodec.format.zstd.ZstdFormat.*;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.TruncatedDataException;
import io.warpcodec.format.FrameWalk;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.ScannerState;
import io.warpcodec.format.SkippableFrames;
import io.warpcodec.format.Unit;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * Walks frames and skippable frames. A frame whose end is near and whose content fits the output budget is a chunk.
 * Everything else goes to a session, bad frames too: it says what is wrong.
 */
public final class ZstdScanner implements Scanner {
    /** The state in which a frame begins that is not the first. */
    public static final ScannerState BETWEEN_FRAMES = Passed.FRAME;

    private final boolean emptyIsLegal;
    private final int budgetBytes;
    private Passed last = Passed.NOTHING;

    /** The unit passed last. */
    enum Passed implements ScannerState {
        NOTHING,
        /** A frame, or a skippable one of others. */
        FRAME,
        /** A marker alone, behind which the file may not end. */
        MARKER
    }

    /**
     * @param framing {@link Framing#SPARK} makes a stream of zero bytes an empty stream
     * @param budgetBytes most raw bytes of one chunk
     */
    public ZstdScanner(Framing framing, int budgetBytes) {
        this.emptyIsLegal = framing == Framing.SPARK;
        this.budgetBytes = budgetBytes;
    }

    @Override
    public Unit next(Window window) throws IOException {
        if (!window.require(1)) {
            if (!window.ended()) {
                return Unit.NEEDS_INPUT;
            }
            if (last == Passed.NOTHING && !emptyIsLegal) {
                throw new TruncatedDataException(Format.ZSTD, window.offset(), "no zstd frame at all");
            }
            if (last == Passed.MARKER) {
                throw new TruncatedDataException(
                        Format.ZSTD,
                        window.offset(),
                        "the stream ends behind a marker, which says that a frame follows");
            }
            return Unit.END;
        }
        if (!window.require(MAGIC_BYTES)) {
            return window.ended() ? fragment(window) : Unit.NEEDS_INPUT;
        }
        int magic = window.i32le(0);
        if (magic == MAGIC) {
            return frame(window);
        }
        if (SkippableFrames.isMagic(magic)) {
            return skippable(window);
        }
        throw new CorruptDataException(Format.ZSTD, window.offset(), complaint(magic));
    }

    /** The stream ends with less than a magic. */
    private Unit fragment(Window window) throws IOException {
        int word = 0;
        for (int i = 0; i < window.buffered(); i++) {
            word |= window.u8(i) << Byte.SIZE * i;
        }
        int seen = (1 << Byte.SIZE * window.buffered()) - 1;
        if (word == (MAGIC & seen) || SkippableFrames.mayBeMagic(word, window.buffered())) {
            return Unit.SESSION;
        }
        throw new CorruptDataException(Format.ZSTD, window.offset(), complaint(0));
    }

    private String complaint(int magic) {
        if (isLegacy(magic)) {
            return "a frame of zstd 0.7 or older, which is not supported";
        }
        return last != Passed.NOTHING ? "bytes after the last frame" : "not a zstd frame: " + WRONG_MAGIC;
    }

    private Unit frame(Window window) throws IOException {
        ZstdFrameLayout layout =
                ZstdFrameLayout.at(window, 0, budgetBytes, MAX_FRAME_BYTES, FrameWalk.MAX_UNDECLARED_BYTES);
        return switch (layout.end()) {
            case COMPLETE -> Unit.chunk(layout.bytes(), layout.capacityBytes());
            case NOT_VISIBLE -> cutShort(window);
            case GIVEN_UP -> Unit.SESSION;
        };
    }

    private Unit skippable(Window window) throws IOException {
        if (!window.require(SkippableFrames.HEADER_BYTES)) {
            return cutShort(window);
        }
        int frameSize = window.i32le(SkippableFrames.SIZE_AT);
        if (frameSize < 0 || frameSize > MAX_SKIP_BYTES) {
            return Unit.SESSION;
        }
        if (!window.require(SkippableFrames.HEADER_BYTES + frameSize)) {
            return cutShort(window);
        }
        return Unit.skip(SkippableFrames.HEADER_BYTES + frameSize, !ZstdMarker.isAtFront(window));
    }

    private static Unit cutShort(Window window) {
        return window.ended() ? Unit.SESSION : Unit.NEEDS_INPUT;
    }

    @Override
    public void passed(Unit unit) {
        last = unit.boundary() ? Passed.FRAME : Passed.MARKER;
    }

    @Override
    public ScannerState state() {
        return last;
    }

    @Override
    public void restore(ScannerState state) {
        last = (Passed) state;
    }
}
