package io.warpcodec.engine.gpu.block;

import java.util.List;

/** How hard encoders look for matches. */
public enum EncodeLevel {
    /** One earlier position is tried for each position. LZ4's and Snappy's need no workspace but the tables. */
    FAST(1),
    /** Up to 4 are tried; by DEFLATE's encoder 12. zstd's looks for shorter matches than at FAST. */
    DEFAULT(4),
    /** Up to 32 are tried; by DEFLATE's encoder 64. zstd's looks at all earlier places, and parses by price. */
    HIGH(32),
    /** By price: DEFLATE's and LZ4's, which choose among matches of every length. Only formats have it that say so. */
    BEST(0);

    /** Levels that differ in how far the same search goes, from the quickest on. */
    public static final List<EncodeLevel> SEARCHES = List.of(FAST, DEFAULT, HIGH);

    private final int depth;

    EncodeLevel(int depth) {
        this.depth = depth;
    }

    /** Earlier positions that {@link BlockGpuEncoder} tries for each position, at most; 0: none of its levels. */
    int depth() {
        return depth;
    }

    /** Whether the kernels need links from position to position. */
    public boolean isLinked() {
        return depth > 1;
    }
}
