package io.warpcodec.format.zstd;

import static io.warpcodec.format.zstd.ZstdFormat.*;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.TruncatedDataException;
import io.warpcodec.format.FrameWalk;
import io.warpcodec.format.PassedUnits;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.ScannerState;
import io.warpcodec.format.SkippableFrames;
import io.warpcodec.format.Unit;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * Walks frames and skippable frames. A frame of ours, with its marker, is a chunk; so is a foreign frame whose end is near and
 * whose content fits the output budget. Everything else goes to a session, bad frames too: it says what is wrong.
 */
public final class ZstdScanner implements Scanner {
    private final boolean emptyIsLegal;
    private final int budgetBytes;
    private boolean anyFrame;
    private boolean hintsIgnored;

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
            if (!anyFrame && !emptyIsLegal) {
                throw new TruncatedDataException(Format.ZSTD, window.offset(), "no zstd frame at all");
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
        return anyFrame ? "bytes after the last frame" : "not a zstd frame: " + WRONG_MAGIC;
    }

    private Unit frame(Window window) throws IOException {
        ZstdFrameLayout layout =
                ZstdFrameLayout.at(window, 0, budgetBytes, MAX_FOREIGN_BYTES, FrameWalk.MAX_UNDECLARED_BYTES);
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
        if (!hintsIgnored
                && frameSize >= FRAME_SIZE_WITHOUT_SEGMENTS
                && window.i32le(0) == MARKER_MAGIC
                && window.i64le(SIGNATURE_AT) == SIGNATURE) {
            Unit ours = ours(window, SkippableFrames.HEADER_BYTES + frameSize);
            if (ours != null) {
                return ours;
            }
        }
        return Unit.skip(SkippableFrames.HEADER_BYTES + frameSize, true);
    }

    /**
     * The chunk that a marker of ours starts, or null where the marker is not true of the frame behind it: then it is passed like
     * any skippable frame.
     */
    private Unit ours(Window window, int markerBytes) throws IOException {
        if (!window.require(markerBytes + MAGIC_BYTES)) {
            return window.ended() ? null : Unit.NEEDS_INPUT;
        }
        ZstdBoundary boundary = ZstdBoundary.at(window, 0);
        if (boundary == null || boundary.rawBytes() > budgetBytes) {
            return null;
        }
        ZstdFrameLayout layout = ZstdFrameLayout.at(window, markerBytes, boundary.rawBytes(), MAX_CHUNK_BYTES, 0);
        return switch (layout.end()) {
            case COMPLETE ->
                markerBytes + layout.bytes() == boundary.chunkBytes() && layout.capacityBytes() == boundary.rawBytes()
                        ? Unit.chunk(boundary.chunkBytes(), boundary.rawBytes())
                        : null;
            case NOT_VISIBLE -> window.ended() ? null : Unit.NEEDS_INPUT;
            case GIVEN_UP -> null;
        };
    }

    /** A chunk is a marker and what it says to follow, or a frame alone. */
    @Override
    public Unit inPieces(Window window, Unit failed) throws IOException {
        return SkippableFrames.isMagic(window.i32le(0))
                ? Unit.skip(SkippableFrames.HEADER_BYTES + window.i32le(SkippableFrames.SIZE_AT), false)
                : Unit.SESSION;
    }

    private static Unit cutShort(Window window) {
        return window.ended() ? Unit.SESSION : Unit.NEEDS_INPUT;
    }

    @Override
    public void passed(Unit unit) {
        anyFrame = true;
    }

    /** Markers are passed over. The end of a frame that has none is no hint: its blocks lead to it. */
    @Override
    public void ignoreHints() {
        hintsIgnored = true;
    }

    @Override
    public ScannerState state() {
        return PassedUnits.of(anyFrame);
    }

    @Override
    public void restore(ScannerState state) {
        anyFrame = state == PassedUnits.SOME;
    }
}
