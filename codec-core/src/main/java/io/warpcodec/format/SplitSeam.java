package io.warpcodec.format;

import java.io.IOException;

/** Where a split ends and the next one begins: the first sync point from there on. */
@FunctionalInterface
public interface SplitSeam {
    /** Whether a sync point lies at the front of the window, where a unit begins. May look ahead. */
    boolean isSyncPoint(Window window) throws IOException;
}
