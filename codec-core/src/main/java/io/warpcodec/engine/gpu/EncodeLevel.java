package io.warpcodec.engine.gpu;

/** How hard the encoders of LZ4 and Snappy look for matches. */
public enum EncodeLevel {
    /** One earlier place is tried for each place. Needs no workspace but the tables. */
    FAST(1),
    /** Up to 4 are tried. */
    DEFAULT(4),
    /** Up to 32 are tried. */
    HIGH(32);

    private final int depth;

    EncodeLevel(int depth) {
        this.depth = depth;
    }

    /** Earlier places that are tried for each place, at most. */
    int depth() {
        return depth;
    }

    /** Whether the kernels need links from place to place. */
    boolean isLinked() {
        return depth > 1;
    }
}
