package io.warpcodec.engine;

import io.warpcodec.CodecOptions;

/** Levels of zstd's scale as engines tell them apart: quick ones, strong ones, and between them the CPU's alone. */
public final class ZstdLevels {
    private static final int LAST_QUICK = 4;

    /**
     * Processor nanoseconds of a raw byte of text in frames of 8 MiB: libzstd at its levels 10, 13 and 16, and at those
     * behind each. A core of a server of 2022, rounded.
     */
    private static final double[] STRONG_NANOS = {40, 115, 330};

    private static final int LEVELS_OF_A_COST = 3;

    private ZstdLevels() {}

    public static boolean isQuick(int level) {
        return level <= LAST_QUICK;
    }

    public static boolean isStrong(int level) {
        return level >= CodecOptions.FIRST_STRONG_ZSTD_LEVEL;
    }

    /**
     * What a core takes to encode a raw byte, in nanoseconds.
     *
     * @param level a strong one
     */
    public static double strongNanosPerByte(int level) {
        int above = level - CodecOptions.FIRST_STRONG_ZSTD_LEVEL;
        return STRONG_NANOS[Math.min(above / LEVELS_OF_A_COST, STRONG_NANOS.length - 1)];
    }
}
