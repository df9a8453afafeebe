package io.warpcodec.stream.unit;

import io.warpcodec.CodecOptions;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.ScannerState;
import io.warpcodec.format.SplitSeam;
import io.warpcodec.format.Unit;
import java.io.IOException;
import java.util.Deque;

/**
 * Cuts units from the front of a window, as the scanner names them, and says which of them move a split's position. A
 * unit that a session has to decode stays in the window. An error of the scanner waits until everything before it is
 * delivered.
 *
 * <p>Not thread-safe.
 */
final class UnitCutter {
    private final CodecOptions options;
    private final SourceWindow window;
    private final Scanner scanner;
    private final SplitSeam seam;
    private final long splitEnd;
    /** Whether the first unit with content has not been named yet, and is to be read with little memory. */
    private boolean first;

    private boolean ended;
    private IOException error;
    /**
     * Where the first sync point from the split's end on lies, once it has been found: still true when an earlier
     * unit is gone back to.
     */
    private long seamOffset = Long.MAX_VALUE;
    /**
     * A chunk that was gone back to and is a marker, now skipped, and a frame: for a split the frame has the chunk's
     * place.
     */
    private long markerOffset;

    private long markedOffset = -1;
    private boolean markerMovesPosition;

    /**
     * @param seam the split rule, or null when the stream is not a split
     * @param splitEnd absolute offset at which the next split begins; Long.MAX_VALUE for none
     */
    UnitCutter(CodecOptions options, SourceWindow window, Scanner scanner, SplitSeam seam, long splitEnd) {
        this.options = options;
        this.window = window;
        this.scanner = scanner;
        this.seam = seam;
        this.splitEnd = splitEnd;
    }

    /** Takes as little memory as it can until the consumer comes back for more. */
    void beFrugal() {
        window.frugal();
        // a split's units are named as all its readers name them
        first = seam == null;
    }

    /** The stream's options, with the framing that it turned out to have. */
    CodecOptions asked() {
        return scanner.framing(options.framing()) == options.framing()
                ? options
                : options.withFraming(scanner.framing(options.framing()));
    }

    /** Whether nothing more is cut: the stream has ended, or something is wrong with it. */
    boolean isDone() {
        return ended || error != null;
    }

    /** Throws the scanner's error, if it came to one. */
    void throwError() throws IOException {
        if (error != null) {
            throw error;
        }
    }

    /**
     * Cuts what the window gives.
     *
     * @param blocking whether to wait for the first unit
     * @param mostChunks that are cut
     * @param units takes what is cut
     * @return the unit at the front of the window, if a session has to decode it and nothing was cut before it; else
     *     null
     */
    Unit cut(boolean blocking, int mostChunks, Deque<CutUnit> units) {
        try {
            return cutUnits(blocking, mostChunks, units);
        } catch (IOException thrown) {
            error = thrown;
            return null;
        }
    }

    private Unit cutUnits(boolean blocking, int mostChunks, Deque<CutUnit> units) throws IOException {
        int chunks = 0;
        long rawBytes = 0;
        while (chunks < mostChunks && rawBytes < options.readAheadBytes()) {
            window.setBlocking(blocking && units.isEmpty());
            ScannerState before = scanner.state();
            Unit unit = first ? scanner.first(window) : scanner.next(window);
            switch (unit.kind()) {
                case END -> {
                    ended = true;
                    return null;
                }
                case NEEDS_INPUT -> {
                    return null;
                }
                case SESSION -> {
                    return units.isEmpty() ? unit : null;
                }
                case SKIP -> {
                    // a marker that is passed over may be the sync point of the unit behind it
                    movesPosition();
                    cut(unit, before, false, units);
                    // pushed input may not belong to this stream beyond its first boundary: nothing is cut there
                    if (window.isPushed() && unit.boundary()) {
                        return null;
                    }
                }
                case CHUNK -> {
                    cut(unit, before, movesPosition(), units);
                    first = false;
                    chunks++;
                    rawBytes += Math.max(unit.bytes(), unit.rawBytes());
                }
            }
        }
        return null;
    }

    private void cut(Unit unit, ScannerState stateBefore, boolean moves, Deque<CutUnit> units) {
        units.add(new CutUnit(unit, stateBefore, window.shareLease(), window.position(), window.offset(), moves));
        window.consume(unit.advance());
        scanner.passed(unit);
    }

    /**
     * A session begins with the unit at the front of the window.
     *
     * @return whether it moves a split's position
     */
    boolean beginSession() throws IOException {
        first = false;
        return movesPosition();
    }

    /** The session has decoded its unit. */
    void endSession(Unit unit) {
        scanner.passed(unit);
    }

    /**
     * Whether the unit at the front of the window moves a split's position. Before the split's end it makes no
     * difference to any reader whether a unit is a sync point; from there on exactly the first sync point ends the
     * split.
     */
    private boolean movesPosition() throws IOException {
        if (seam == null) {
            return false;
        }
        if (window.offset() == markedOffset) {
            return markerMovesPosition;
        }
        if (window.offset() < splitEnd || window.offset() >= seamOffset) {
            return true;
        }
        window.setBlocking(true);
        if (!seam.isSyncPoint(window)) {
            return false;
        }
        seamOffset = window.offset();
        return true;
    }

    /** Goes back to a unit, at which the window stands again. */
    void goBack(CutUnit unit) {
        scanner.restore(unit.stateBefore());
        error = null;
        ended = false;
    }

    /** From now on no unit is named by a size that decoding might prove false, where there is another way. */
    void ignoreHints() {
        scanner.ignoreHints();
    }

    /** Names the unit that was gone back to again, since it did not come out as a chunk. */
    Unit nameAgain(CutUnit failed, DecodedChunk result) throws IOException {
        return result.status() == DecodedChunk.Status.NEEDS_OUTPUT
                ? scanner.inPieces(window, failed.unit())
                : scanner.again(window, failed.unit(), result.reason());
    }

    /**
     * Cuts what a unit that was gone back to has now been named: a chunk, or bytes to skip before it.
     *
     * @param units takes what is cut
     */
    void cutAgain(Unit unit, CutUnit failed, Deque<CutUnit> units) {
        if (unit.kind() == Unit.Kind.SKIP) {
            markerOffset = failed.offset();
            markedOffset = failed.offset() + unit.advance();
            markerMovesPosition = failed.newPosition();
        }
        cut(unit, failed.stateBefore(), failed.newPosition(), units);
    }

    /**
     * Where a split's unit begins that was cut at this offset: a marker before it belongs to it if it was gone back to.
     */
    long offsetWithMarker(long offset) {
        return offset == markedOffset ? markerOffset : offset;
    }
}
