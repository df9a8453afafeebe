package io.warpcodec.engine;

/** Levels of LZ4's scale as engines tell them apart: fast ones, the best ones, and between them the CPU's alone. */
public final class Lz4Levels {
    /** First level for which devices look at all earlier places. */
    public static final int FIRST_BEST = 9;

    /** Highest level that is LZ4's fast mode; above it liblz4 makes smaller blocks than devices' fast effort. */
    private static final int LAST_FAST = 2;

    private Lz4Levels() {}

    /** Whether devices have their fast effort for this level. */
    public static boolean isFast(int level) {
        return level <= LAST_FAST;
    }

    /** Whether devices have their best effort for this level. */
    public static boolean isBest(int level) {
        return level >= FIRST_BEST;
    }
}
