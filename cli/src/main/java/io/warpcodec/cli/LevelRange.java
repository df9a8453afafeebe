package io.warpcodec.cli;

import io.warpcodec.Format;

/** The compression levels that each format knows. */
record LevelRange(int least, int most) {

    /** The levels of a format; {@code least > most} where it has none. */
    static LevelRange of(Format format) {
        return switch (format) {
            case GZIP, ZLIB -> new LevelRange(0, 9);
            case BZIP2 -> new LevelRange(1, 9);
            case LZ4 -> new LevelRange(1, 12);
            case ZSTD -> new LevelRange(1, 22);
            case SNAPPY -> new LevelRange(1, 0);
        };
    }

    /** The greatest level of any format. */
    static int greatest() {
        int greatest = 0;
        for (Format format : Format.values()) {
            greatest = Math.max(greatest, of(format).most);
        }
        return greatest;
    }

    /** What is wrong with a level, or null. */
    static String complaint(Format format, int level) {
        LevelRange range = of(format);
        if (range.least > range.most) {
            return format.word() + " has no levels";
        }
        return level < range.least || level > range.most
                ? "level " + level + " of " + format.word() + " is not in " + range.least + ".." + range.most
                : null;
    }
}
