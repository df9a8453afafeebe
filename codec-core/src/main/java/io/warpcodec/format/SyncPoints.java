package io.warpcodec.format;

import java.io.IOException;

/**
 * The split rule of one format: where in a file may a split begin to read. One predicate finds the first sync point
 * of a split and decides where the split before it ends. So each unit belongs to exactly one split.
 */
public interface SyncPoints extends SplitSeam {
    /** Bytes at the start of a file that {@link #fileHasSyncPoints} may want to see. */
    int headBytes();

    /** Whether splits after the first may own anything, judged by the start of the file. */
    boolean fileHasSyncPoints(Window head) throws IOException;

    /** Whether the file begins with a chunk that any engine takes, not with a unit for a session. */
    default boolean fileHasChunks(Window head) throws IOException {
        return fileHasSyncPoints(head);
    }

    /**
     * Advances the window to the first sync point at or after its front whose offset is below the limit.
     *
     * @param limitOffset absolute offset, exclusive
     * @return the scanner's state there, for {@link Scanner#restore}; null if there is no such sync point
     */
    ScannerState seek(Window window, long limitOffset) throws IOException;
}
