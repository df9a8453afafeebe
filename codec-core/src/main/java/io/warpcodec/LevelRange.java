package io.warpcodec;

/**
 * The compression levels of a format, in its own scale.
 *
 * @param least the lowest level
 * @param most the highest one; less than {@code least} for a format without levels
 */
public record LevelRange(int least, int most) {
    /** Of a format without levels. */
    public static final LevelRange NONE = new LevelRange(1, 0);

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
