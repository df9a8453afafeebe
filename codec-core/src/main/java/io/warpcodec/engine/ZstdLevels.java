package io.warpcodec.engine;

import io.warpcodec.CodecOptions;

/** Levels of zstd's scale as engines tell them apart: quick ones, strong ones, and between them the CPU's alone. */
public final class ZstdLevels {
    private static final int LAST_QUICK = 4;

    private ZstdLevels() {}

    /** Whether devices have a quick effort for this level, which may be negative. */
    public static boolean isQuick(int level) {
        return level <= LAST_QUICK;
    }

    /** Whether devices have their strong effort for this level. */
    public static boolean isStrong(int level) {
        return level >= CodecOptions.FIRST_STRONG_ZSTD_LEVEL;
    }
}
