package io.warpcodec.stream;

import io.warpcodec.stream.unit.SourceWindow;

/**
 * What a caller pushed last. Its array is read in slices, so that a large input costs no memory of its own.
 *
 * <p>Not thread-safe.
 */
final class PushedInput {
    private static final int SLICE_BYTES = 64 << 10;

    private byte[] array;
    private int start;
    private int left;
    private int length;

    void set(byte[] array, int start, int length) {
        this.array = array;
        this.start = start;
        this.left = length;
        this.length = length;
    }

    /** Bytes that were pushed last. */
    int length() {
        return length;
    }

    /** Those of them that no window has taken. */
    int left() {
        return left;
    }

    /** Gives the window the next slice. */
    void moveTo(SourceWindow window) {
        int count = Math.min(SLICE_BYTES, left);
        window.append(array, start, count);
        start += count;
        left -= count;
    }

    /** Forgets the caller's array. */
    void clear() {
        set(null, 0, 0);
    }
}
