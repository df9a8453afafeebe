package io.warpcodec.engine;

import io.warpcodec.CodecOptions;

/** Levels of zstd's scale as engines tell them apart: quick ones, strong ones, and between them the CPU's alone. */
public final class ZstdLevels {
    private static final int LAST_QUICK = 4;

    /**
     * Nanoseconds of a byte that does not repeat at libzstd's levels 10, 13 and 16, and at those behind each: what is
     * least among ten kinds of data. Text takes a core up to fifteen times as long.
     */
    private static final double[] LEAST_STRONG_NANOS = {8, 10, 38};

    private static final int LEVELS_OF_A_PRICE = 3;

    private ZstdLevels() {}

    /** Whether devices have a quick effort for this level, which may be negative. */
    public static boolean isQuick(int level) {
        return level <= LAST_QUICK;
    }

    /** Whether devices have their strong effort for this level. */
    public static boolean isStrong(int level) {
        return level >= CodecOptions.FIRST_STRONG_ZSTD_LEVEL;
    }

    /** What the CPU takes at least for a byte that does not repeat, in nanoseconds, at a strong level. */
    public static double leastStrongNanos(int level) {
        int step = (level - CodecOptions.FIRST_STRONG_ZSTD_LEVEL) / LEVELS_OF_A_PRICE;
        return LEAST_STRONG_NANOS[Math.min(step, LEAST_STRONG_NANOS.length - 1)];
    }
}
