package io.warpcodec.stream;

import java.io.IOException;

/**
 * A split of a file: byte range and the way to move the source stream.
 *
 * @param start absolute offset of the first byte of the split
 * @param end absolute offset behind its last byte; Long.MAX_VALUE for the rest of the file
 * @param seeker moves the source that the stream reads from
 * @param index finds the index beside the file; null if none is to be looked for
 */
public record SplitRange(long start, long end, Seeker seeker, SplitIndex index) {

    /** A split of a file that has no index beside it. */
    public SplitRange(long start, long end, Seeker seeker) {
        this(start, end, seeker, null);
    }

    /** Moves a source to an absolute offset, in bytes. */
    @FunctionalInterface
    public interface Seeker {
        void seek(long offset) throws IOException;
    }

    /** Moves the source. */
    public void seek(long offset) throws IOException {
        seeker.seek(offset);
    }
}
