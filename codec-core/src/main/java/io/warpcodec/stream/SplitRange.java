package io.warpcodec.stream;

import java.io.IOException;

/**
 * A split of a file: byte range and the way to move the source stream.
 *
 * @param start first byte of the split, inclusive
 * @param end exclusive; Long.MAX_VALUE for the rest of the file
 * @param seeker moves the source that the stream reads from
 */
public record SplitRange(long start, long end, Seeker seeker) {

    /** Moves a source to an absolute offset. */
    @FunctionalInterface
    public interface Seeker {
        void seek(long offset) throws IOException;
    }

    void seek(long offset) throws IOException {
        seeker.seek(offset);
    }
}
