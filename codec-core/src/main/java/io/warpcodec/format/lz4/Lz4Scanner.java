package io.warpcodec.format.lz4;

import static io.warpcodec.format.lz4.Lz4Format.*;

import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.TruncatedDataException;
import io.warpcodec.format.FrameWalk;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.ScannerState;
import io.warpcodec.format.SkippableFrames;
import io.warpcodec.format.Unit;
import io.warpcodec.format.UnitDetail;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * Walks a {@code .lz4} stream: LZ4 frames or Hadoop's framing, told apart once, by the first bytes. A stream without
 * bytes is empty.
 *
 * <p>Frames: a marker of ours with its frame is a chunk. So is any other frame that is short, by the lengths of its
 * blocks, and lies whole in what the window has at hand: nothing waits for it, because a session hands its blocks out
 * as they come. All others are decoded by sessions, bad frames too: they say what is wrong. Skippable frames are
 * skipped; a legacy frame is its magic, skipped, and blocks, each decoded by a session.
 *
 * <p>Hadoop's framing: an outer block is taken for one with a single inner chunk, which almost all are, until one
 * proves otherwise; from then on outer blocks of that raw size or more are decoded by sessions. The lenient reading
 * leaves all to the session.
 */
public final class Lz4Scanner implements Scanner {
    /** Larger inner chunks are not gathered in the window. */
    private static final int LARGEST_WHOLE_BYTES = 2 << 20;

    private static final Unit LEGACY_START = Unit.skip(4, true);
    private static final Unit LEGACY_BLOCK = new Unit(Unit.Kind.SESSION, 0, 0, -1, true, null);

    private final boolean lenient;
    private final long budgetBytes;
    private final boolean gathersChunks;
    private boolean hintsIgnored;
    private boolean first;
    private State state = new State(null, false, false, false, 0, LARGEST_WHOLE_BYTES);

    /**
     * What to go back to.
     *
     * @param framing what the stream turned out to be, null before the first bytes
     * @param any whether a unit has passed
     * @param legacy whether a legacy frame is open
     * @param marked whether a marker was passed last, so that a frame has to follow
     * @param skipLeftBytes rest of a skippable frame
     * @param largestWhole most raw bytes of an outer block taken for a chunk
     */
    record State(Framing framing, boolean any, boolean legacy, boolean marked, long skipLeftBytes, int largestWhole)
            implements ScannerState {
        /** Between two frames in the middle of a file. */
        static final State IN_FRAMES = new State(Framing.STANDARD, true, false, false, 0, 0);

        State framed(Framing found) {
            return new State(found, any, legacy, marked, skipLeftBytes, largestWhole);
        }

        State passed(boolean nowLegacy, boolean nowMarked, long nowSkipLeftBytes) {
            return new State(framing, true, nowLegacy, nowMarked, nowSkipLeftBytes, largestWhole);
        }
    }

    /** How much of a skippable frame is left behind a SKIP. */
    private record SkipLeft(long bytes) implements UnitDetail {}

    /** Says that a SKIP is a marker of ours. */
    private enum Marked implements UnitDetail {
        MARKER
    }

    /** @param options lenient reading, and the memory budget that an inner chunk must fit */
    public Lz4Scanner(CodecOptions options) {
        this(options, true);
    }

    private Lz4Scanner(CodecOptions options, boolean gathersChunks) {
        lenient = options.lenient();
        budgetBytes = options.outputBudgetBytes();
        this.gathersChunks = gathersChunks;
    }

    /**
     * For input that is pushed: a marker that claims more bytes than the file has would wait for them without end,
     * because the end of the file is not seen. So markers are skipped, and every frame is decoded by a session.
     */
    public static Lz4Scanner ofPushed(CodecOptions options) {
        return new Lz4Scanner(options, false);
    }

    @Override
    public Unit next(Window window) throws IOException {
        if (!window.require(1)) {
            if (!window.ended()) {
                return Unit.NEEDS_INPUT;
            }
            if (state.skipLeftBytes > 0) {
                throw truncated(window, "inside a skippable frame");
            }
            if (state.marked) {
                throw truncated(window, "behind a marker, which says that a frame follows");
            }
            return Unit.END;
        }
        if (state.framing == null) {
            Framing framing = sniff(window);
            if (framing == null) {
                return Unit.NEEDS_INPUT;
            }
            state = state.framed(framing);
        }
        return state.framing == Framing.HADOOP ? nextOuterBlock(window) : nextFrame(window);
    }

    @Override
    public Unit first(Window window) throws IOException {
        first = true;
        try {
            return next(window);
        } finally {
            first = false;
        }
    }

    /** The framing of the stream that starts here, or null when too little can be seen now. */
    private static Framing sniff(Window window) throws IOException {
        if (!window.require(4)) {
            return window.ended() ? Framing.HADOOP : null;
        }
        int magic = window.i32le(0);
        if (SkippableFrames.isMagic(magic)) {
            return Framing.STANDARD;
        }
        if (magic != FRAME_MAGIC && magic != LEGACY_MAGIC) {
            return Framing.HADOOP;
        }
        // Both magics are raw sizes of tens of megabytes in Hadoop's framing: possible, if nothing else about the frame
        // fits.
        if (!window.require(8) || magic == FRAME_MAGIC && !window.require(Lz4FrameHeader.bytes(window.u8(4)))) {
            return window.ended() ? Framing.STANDARD : null;
        }
        boolean frame = magic == LEGACY_MAGIC
                ? isLegacyBlockBytes(window.i32le(4)) || isMagic(window.i32le(4))
                : hasFrameHeader(window);
        return frame || !isInnerChunkBytes(window.i32be(4), window.i32be(0)) ? Framing.STANDARD : Framing.HADOOP;
    }

    private static boolean hasFrameHeader(Window window) {
        int bytes = Lz4FrameHeader.bytes(window.u8(4));
        return Lz4FrameHeader.defect(window.view(0, bytes)) == null;
    }

    private static boolean isMagic(int word) {
        return word == FRAME_MAGIC || word == LEGACY_MAGIC || SkippableFrames.isMagic(word);
    }

    private static boolean isInnerChunkBytes(int innerBytes, int rawBytes) {
        return rawBytes > 0 && innerBytes > 0 && innerBytes <= maxBlockBytes(rawBytes);
    }

    private Unit nextFrame(Window window) throws IOException {
        if (state.skipLeftBytes > 0) {
            return skip(window, 0, state.skipLeftBytes);
        }
        if (!window.require(4)) {
            if (window.ended()) {
                throw truncated(window, "inside a frame's magic");
            }
            return Unit.NEEDS_INPUT;
        }
        int word = window.i32le(0);
        if (word == FRAME_MAGIC) {
            return gathersChunks ? frame(window) : Unit.SESSION;
        }
        if (word == LEGACY_MAGIC) {
            return LEGACY_START;
        }
        if (SkippableFrames.isMagic(word)) {
            return nextSkippable(window);
        }
        if (state.legacy && isLegacyBlockBytes(word)) {
            return LEGACY_BLOCK;
        }
        throw corrupt(window, state.legacy ? "neither a legacy block nor a frame" : "bytes after the last frame");
    }

    private Unit frame(Window window) throws IOException {
        int most = first ? SMALL_CHUNK_BYTES : CodecOptions.MAX_CHUNK_BYTES;
        Lz4FrameLayout layout = Lz4FrameLayout.at(window, (int) Math.min(budgetBytes, most));
        return layout.end() == FrameWalk.End.COMPLETE
                ? Unit.chunk(layout.bytes(), layout.capacityBytes())
                : Unit.SESSION;
    }

    private Unit nextSkippable(Window window) throws IOException {
        if (!window.require(SkippableFrames.HEADER_BYTES)) {
            if (window.ended()) {
                throw truncated(window, "inside a skippable frame's size");
            }
            return Unit.NEEDS_INPUT;
        }
        long contentBytes = window.i32le(SkippableFrames.SIZE_AT) & 0xffff_ffffL;
        if (window.i32le(0) == Lz4Marker.MAGIC && contentBytes >= Lz4Marker.BYTES - SkippableFrames.HEADER_BYTES) {
            if (!window.require(Lz4Marker.BYTES) && !window.ended()) {
                return Unit.NEEDS_INPUT;
            }
            Lz4Marker marker = Lz4Marker.at(window, 0);
            if (marker != null && isBelieved(marker)) {
                if (window.require(marker.chunkBytes())) {
                    return Unit.chunk(marker.chunkBytes(), marker.rawBytes());
                }
                if (!window.ended()) {
                    return Unit.NEEDS_INPUT;
                }
            }
            if (marker != null && window.require(marker.markerBytes())) {
                return passed(marker);
            }
            if (marker != null && !window.ended()) {
                return Unit.NEEDS_INPUT;
            }
        }
        return skip(window, SkippableFrames.HEADER_BYTES, contentBytes);
    }

    private boolean isBelieved(Lz4Marker marker) {
        return gathersChunks && !hintsIgnored && !(first && marker.rawBytes() > SMALL_CHUNK_BYTES);
    }

    /** Passes over a marker alone: the file may not end behind it. */
    private static Unit passed(Lz4Marker marker) {
        int bytes = marker.markerBytes();
        return new Unit(Unit.Kind.SKIP, bytes, bytes, 0, false, Marked.MARKER);
    }

    /** Drops what can be seen of a skippable frame: its header, if it starts here, and content. */
    private static Unit skip(Window window, int headerBytes, long contentBytes) {
        int now = (int) Math.min(window.buffered() - headerBytes, contentBytes);
        long left = contentBytes - now;
        return new Unit(Unit.Kind.SKIP, headerBytes + now, headerBytes + now, 0, left == 0, new SkipLeft(left));
    }

    private Unit nextOuterBlock(Window window) throws IOException {
        if (lenient) {
            return Unit.SESSION;
        }
        if (!window.require(4)) {
            if (!window.ended()) {
                return Unit.NEEDS_INPUT;
            }
            throw truncated(window, "inside an outer block's size");
        }
        int rawBytes = window.i32be(0);
        if (rawBytes == 0) {
            return Unit.skip(4, true);
        }
        if (hintsIgnored) {
            return Unit.SESSION;
        }
        if (!window.require(8)) {
            return window.ended() ? Unit.SESSION : Unit.NEEDS_INPUT;
        }
        int innerBytes = window.i32be(4);
        boolean plausible = isInnerChunkBytes(innerBytes, rawBytes);
        if (!state.any && (!plausible || innerBytes > maxBlockBytes(budgetBytes))) {
            throw corrupt(window, "neither an LZ4 frame nor Hadoop's framing");
        }
        if (!plausible || rawBytes > state.largestWhole || rawBytes > maxRawBytes(innerBytes)) {
            return Unit.SESSION;
        }
        if (!window.require(8 + innerBytes)) {
            return window.ended() ? Unit.SESSION : Unit.NEEDS_INPUT;
        }
        return Unit.chunk(8 + innerBytes, rawBytes);
    }

    @Override
    public Unit again(Window window, Unit failed, String reason) throws IOException {
        if (state.framing == Framing.HADOOP) {
            state = new State(state.framing, state.any, false, false, 0, failed.rawBytes() - 1);
        }
        return inPieces(window, failed);
    }

    /** A chunk of frames is a marker and what it says to follow, or a frame alone. */
    @Override
    public Unit inPieces(Window window, Unit failed) throws IOException {
        return state.framing == Framing.HADOOP || window.i32le(0) == FRAME_MAGIC
                ? Unit.SESSION
                : passed(Lz4Marker.at(window, 0));
    }

    @Override
    public void passed(Unit unit) {
        boolean legacy = unit == LEGACY_START || unit == LEGACY_BLOCK;
        boolean marked = unit.detail() == Marked.MARKER;
        state = state.passed(legacy, marked, unit.detail() instanceof SkipLeft left ? left.bytes : 0);
    }

    /** A legacy frame has no end mark. */
    @Override
    public boolean goesOn(Window window) {
        return state.legacy;
    }

    /** Markers are passed over. The end of a frame that has none is no hint: its blocks lead to it. */
    @Override
    public void ignoreHints() {
        hintsIgnored = true;
    }

    @Override
    public Framing framing(Framing asked) {
        return state.framing == null ? asked : state.framing;
    }

    @Override
    public ScannerState state() {
        return state;
    }

    /** Goes back, but never to not knowing the framing. */
    @Override
    public void restore(ScannerState earlier) {
        Framing known = state.framing;
        state = (State) earlier;
        if (state.framing == null) {
            state = state.framed(known);
        }
    }

    private static IOException corrupt(Window window, String reason) {
        return new CorruptDataException(Format.LZ4, window.offset(), reason);
    }

    private static IOException truncated(Window window, String where) {
        return new TruncatedDataException(Format.LZ4, window.offset() + window.buffered(), "the stream ends " + where);
    }
}
