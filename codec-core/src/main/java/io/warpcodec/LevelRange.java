package io.warpcodec;

/**
 * The compression levels of a format, in its own scale.
 *
 * @param least the lowest level
 * @param most the highest one; less than {@code least} for a format without levels
 */
public record LevelRange(int least, int most) {
    /** zstd's levels below 1 trade size for speed; libzstd goes down to this. */
    private static final int LEAST_ZSTD_LEVEL = -(1 << 17);

    /** The levels that our encoders of a format tell apart. */
    public static LevelRange of(Format format) {
        return switch (format) {
            case GZIP, ZLIB -> new LevelRange(0, 9);
            case BZIP2 -> new LevelRange(1, 9);
            case LZ4 -> new LevelRange(1, 12);
            case SNAPPY -> new LevelRange(1, 0);
            case ZSTD -> new LevelRange(LEAST_ZSTD_LEVEL, 22);
        };
    }

    /** Whether the format has no levels. */
    public boolean isEmpty() {
        return least > most;
    }

    public boolean contains(int level) {
        return level >= least && level <= most;
    }

    /** The level of the range that is nearest to this one. */
    public int nearest(int level) {
        return Math.max(least, Math.min(most, level));
    }

    @Override
    public String toString() {
        return least + " to " + most;
    }
}
