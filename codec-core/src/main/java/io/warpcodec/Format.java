package io.warpcodec;

import java.util.Locale;

/**
 * The six file formats, with the suffix that names each in Hadoop and the word that names it on the command line.
 *
 * <p>A format says what a file means, never how it is cut: that is {@link Framing} and {@code chunk.size}.
 */
public enum Format {
    /** RFC 1952; a chunk is one member. */
    GZIP(".gz", "gzip", 256 << 10, 6, new LevelRange(0, 9)),
    /** RFC 1950, one stream; what Hadoop's DefaultCodec writes. */
    ZLIB(".deflate", "deflate", 256 << 10, 6, new LevelRange(0, 9)),
    /**
     * bzip2 1.0.8; a chunk is one bzip2 block, or two where its first run-length coding makes it longer than a block
     * may be: 10,000 bytes below the largest block leave space for that.
     */
    BZIP2(".bz2", "bzip2", 890_000, 9, new LevelRange(1, 9)),
    /** LZ4 frames or Hadoop's framing; a chunk is one frame, or one outer block of Hadoop's framing. */
    LZ4(".lz4", "lz4", 256 << 10, 1, new LevelRange(1, 12)),
    /** Hadoop's framing of raw Snappy; a chunk is one outer block. */
    SNAPPY(".snappy", "snappy", 64 << 10, 1, LevelRange.NONE),
    /** RFC 8878; a chunk is one frame. Levels below 1 trade size for speed; libzstd goes down to this. */
    ZSTD(".zst", "zstd", 256 << 10, 3, new LevelRange(-(1 << 17), 22));

    private final String suffix;
    private final String word;
    private final int defaultChunkBytes;
    private final int defaultLevel;
    private final LevelRange levels;

    Format(String suffix, String word, int defaultChunkBytes, int defaultLevel, LevelRange levels) {
        this.suffix = suffix;
        this.word = word;
        this.defaultChunkBytes = defaultChunkBytes;
        this.defaultLevel = defaultLevel;
        this.levels = levels;
    }

    /** The file name suffix with its dot, lower case: {@code .gz}. */
    public String suffix() {
        return suffix;
    }

    /** The word for this format on the command line and in metrics: {@code gzip}. */
    public String word() {
        return word;
    }

    /** Raw bytes of a chunk when {@code chunk.size} is not set. */
    public int defaultChunkBytes() {
        return defaultChunkBytes;
    }

    /** The compression level when {@code level} is not set. */
    public int defaultLevel() {
        return defaultLevel;
    }

    /** The levels that our encoders tell apart. */
    public LevelRange levels() {
        return levels;
    }

    /**
     * The format with this {@link #word()}.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Format ofWord(String word) {
        for (Format format : values()) {
            if (format.word.equals(word)) {
                return format;
            }
        }
        throw new IllegalArgumentException("no format named " + word);
    }

    /** The format whose suffix ends this file name, in capitals or not, as Hadoop has it; or null. */
    public static Format ofFileName(String name) {
        String lowerCase = name.toLowerCase(Locale.ROOT);
        for (Format format : values()) {
            if (lowerCase.endsWith(format.suffix)) {
                return format;
            }
        }
        return null;
    }
}
