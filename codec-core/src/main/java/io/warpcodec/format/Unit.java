package io.warpcodec.format;

/**
 * What a scanner found at the front of a window.
 *
 * @param kind what to do
 * @param bytes how many bytes of the window it covers (CHUNK, SKIP)
 * @param advance how many of them the next unit no longer needs; less than {@code bytes} only where units meet inside
 *     a byte
 * @param rawBytes decoded size as a hint, -1 unknown (CHUNK)
 * @param boundary whether a complete stream ends with this unit, so that the file may end here (CHUNK, SESSION, SKIP)
 * @param detail the format's own knowledge, or null
 */
public record Unit(Kind kind, int bytes, int advance, int rawBytes, boolean boundary, UnitDetail detail) {

    /** What to do with the front of the window. */
    public enum Kind {
        /** One chunk, whole in the window. */
        CHUNK,
        /** One unit of unknown or excessive length: decode it with a session. */
        SESSION,
        /** Bytes without content: padding, skippable frames, headers and trailers between chunks. */
        SKIP,
        /** More bytes are needed to tell, and the window cannot give them now. */
        NEEDS_INPUT,
        /** The stream has ended where it may end. */
        END
    }

    public static final Unit NEEDS_INPUT = new Unit(Kind.NEEDS_INPUT, 0, 0, 0, false, null);
    public static final Unit END = new Unit(Kind.END, 0, 0, 0, true, null);
    /** A session that decodes one whole member, frame or stream. */
    public static final Unit SESSION = new Unit(Kind.SESSION, 0, 0, -1, true, null);

    /** A byte-aligned chunk that may end the file. */
    public static Unit chunk(int bytes, int rawBytes) {
        return new Unit(Kind.CHUNK, bytes, bytes, rawBytes, true, null);
    }

    /** Bytes to drop. */
    public static Unit skip(int bytes, boolean boundary) {
        return new Unit(Kind.SKIP, bytes, bytes, 0, boundary, null);
    }
}
