package io.warpcodec.format;

import io.warpcodec.Framing;
import java.io.IOException;

/**
 * Finds where the units of one stream start. One object per stream, not thread-safe. It parses and checks containers;
 * what it names as a chunk is a hint that the engine proves by decoding.
 */
public interface Scanner {
    /** Most raw bytes of a chunk that costs no more than a session. */
    int SMALL_CHUNK_BYTES = 64 << 10;

    /**
     * Names the unit at the front of the window. The window is not advanced.
     *
     * @throws io.warpcodec.CorruptDataException if no unit of the format starts here
     * @throws io.warpcodec.TruncatedDataException if the stream has ended inside one
     */
    Unit next(Window window) throws IOException;

    /**
     * As {@link #next}, but for a reader that may want no more than the first bytes of the unit. A chunk of more than
     * {@link #SMALL_CHUNK_BYTES} raw bytes would have to be decoded whole. It is a session's instead where that takes
     * less memory.
     */
    default Unit first(Window window) throws IOException {
        return next(window);
    }

    /** Called when the unit that {@link #next} named has been cut (CHUNK, SKIP) or decoded to its end (SESSION). */
    default void passed(Unit unit) {}

    /**
     * Whether the stream that has just ended takes what stands at the front of the window, at least one byte, though
     * it need not: padding, or more of a frame without an end.
     */
    default boolean goesOn(Window window) {
        return false;
    }

    /**
     * Names the unit at the front of the window again after the chunk named there proved undecodable. The scanner's
     * state is as it was when that chunk had been named. NEEDS_INPUT leaves the naming to {@link #next}, when more
     * has come.
     *
     * @param failed the unit that failed
     * @param reason why
     */
    default Unit again(Window window, Unit failed, String reason) throws IOException {
        return inPieces(window, failed);
    }

    /**
     * Names the unit at the front of the window again after the chunk named there proved larger than its output
     * capacity: a session, or first a SKIP of what stands before it. A complete stream ends where the session does,
     * not before.
     *
     * @param failed the unit that was too large
     */
    default Unit inPieces(Window window, Unit failed) throws IOException {
        return Unit.SESSION;
    }

    /**
     * The sizes that this stream names have been false too often: from now on no unit is named by a size that
     * decoding might prove false, where there is another way. {@link #restore} does not bring them back.
     */
    default void ignoreHints() {}

    /** The framing that this stream turned out to have; the engine is asked with it. */
    default Framing framing(Framing asked) {
        return asked;
    }

    /** A copy of the state, to go back to with {@link #restore} (null where there is none). */
    default ScannerState state() {
        return null;
    }

    /** Goes back to a state that {@link #state} gave. */
    default void restore(ScannerState state) {}
}
