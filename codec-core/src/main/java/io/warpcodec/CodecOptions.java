package io.warpcodec;

/**
 * The settings of one stream: immutable, cheap, with no I/O. {@link #DEFAULTS} and the {@code with...} methods make
 * them; the Hadoop and Spark modules fill them from their configurations.
 *
 * @param mode which engine may be used
 * @param level compression level in the format's own scale, or {@link #UNSET}
 * @param chunkBytes raw bytes of a chunk, or {@link #UNSET} for the format's default
 * @param index whether an index beside a {@code .gz} is looked for when a split of it is read
 * @param framing container of LZ4 and Snappy
 * @param lenient read damaged Hadoop-framed files as stock Hadoop does: a truncated file passes as complete
 * @param readAheadBytes upper bound of compressed bytes that a stream reads at a time, and about the raw bytes of one
 *     batch
 * @param outputBudgetBytes most raw bytes of one chunk held in memory; a larger chunk is streamed
 * @param cpuWeight price of host core time in AUTO, 1 = as dear as elapsed time
 * @param verifyWrites share of written chunks decoded again and compared, 0 to 1
 */
public record CodecOptions(
        Mode mode,
        int level,
        int chunkBytes,
        boolean index,
        Framing framing,
        boolean lenient,
        int readAheadBytes,
        int outputBudgetBytes,
        double cpuWeight,
        double verifyWrites) {

    /** Marks a number that the format's default decides. */
    public static final int UNSET = Integer.MIN_VALUE;

    /** The largest raw chunk that a setting may ask for, in bytes: bounds every index field and chain check. */
    public static final int MAX_CHUNK_BYTES = 1 << 20;

    /** The smallest raw chunk that a setting may ask for, in bytes. */
    public static final int MIN_CHUNK_BYTES = 1 << 10;

    /**
     * Default raw chunk of LZ4 in Hadoop's framing, which holds one LZ4 block: one warp encodes it, so a larger one
     * keeps a device busy with fewer warps. It fits the 256 KiB buffer of a stock reader, whatever it compresses to.
     */
    private static final int HADOOP_LZ4_CHUNK_BYTES = 64 << 10;

    /**
     * Default raw chunk of a {@code .zst} at a strong level: the largest window that every reader takes. Frames of 256
     * KiB would throw away more than such a level wins.
     */
    private static final int STRONG_ZSTD_CHUNK_BYTES = 8 << 20;

    /** First level of zstd's scale that is strong. */
    public static final int FIRST_STRONG_ZSTD_LEVEL = 10;

    /** What every stream uses where nothing is set. */
    public static final CodecOptions DEFAULTS =
            new CodecOptions(Mode.AUTO, UNSET, UNSET, true, Framing.STANDARD, false, 4 << 20, 16 << 20, 1.0, 0.0);

    /** @throws IllegalArgumentException if a number is out of its range */
    public CodecOptions {
        if (chunkBytes != UNSET && (chunkBytes < MIN_CHUNK_BYTES || chunkBytes > MAX_CHUNK_BYTES)) {
            throw new IllegalArgumentException(
                    "chunk.size " + chunkBytes + " is not in " + MIN_CHUNK_BYTES + ".." + MAX_CHUNK_BYTES);
        }
        // so that NaN is refused
        if (!(verifyWrites >= 0 && verifyWrites <= 1)) {
            throw new IllegalArgumentException("verify.writes " + verifyWrites + " is not in 0..1");
        }
        if (!(cpuWeight >= 0 && cpuWeight < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("cpu.weight " + cpuWeight + " is not 0 or more");
        }
    }

    /** Raw bytes of a chunk of this format. */
    public int chunkBytes(Format format) {
        if (chunkBytes != UNSET) {
            return chunkBytes;
        }
        if (format == Format.LZ4 && framing == Framing.HADOOP) {
            return HADOOP_LZ4_CHUNK_BYTES;
        }
        // a shuffle has a stream for each of its partitions, with a buffer of a chunk
        boolean isStrong =
                format == Format.ZSTD && framing != Framing.SPARK && level(format) >= FIRST_STRONG_ZSTD_LEVEL;
        return isStrong ? STRONG_ZSTD_CHUNK_BYTES : format.defaultChunkBytes();
    }

    /** Level for this format. */
    public int level(Format format) {
        return level == UNSET ? format.defaultLevel() : level;
    }

    public CodecOptions withMode(Mode value) {
        return new CodecOptions(
                value,
                level,
                chunkBytes,
                index,
                framing,
                lenient,
                readAheadBytes,
                outputBudgetBytes,
                cpuWeight,
                verifyWrites);
    }

    public CodecOptions withLevel(int value) {
        return new CodecOptions(
                mode,
                value,
                chunkBytes,
                index,
                framing,
                lenient,
                readAheadBytes,
                outputBudgetBytes,
                cpuWeight,
                verifyWrites);
    }

    public CodecOptions withChunkBytes(int value) {
        return new CodecOptions(
                mode,
                level,
                value,
                index,
                framing,
                lenient,
                readAheadBytes,
                outputBudgetBytes,
                cpuWeight,
                verifyWrites);
    }

    public CodecOptions withIndex(boolean value) {
        return new CodecOptions(
                mode,
                level,
                chunkBytes,
                value,
                framing,
                lenient,
                readAheadBytes,
                outputBudgetBytes,
                cpuWeight,
                verifyWrites);
    }

    public CodecOptions withFraming(Framing value) {
        return new CodecOptions(
                mode,
                level,
                chunkBytes,
                index,
                value,
                lenient,
                readAheadBytes,
                outputBudgetBytes,
                cpuWeight,
                verifyWrites);
    }

    public CodecOptions withLenient(boolean value) {
        return new CodecOptions(
                mode,
                level,
                chunkBytes,
                index,
                framing,
                value,
                readAheadBytes,
                outputBudgetBytes,
                cpuWeight,
                verifyWrites);
    }

    public CodecOptions withCpuWeight(double value) {
        return new CodecOptions(
                mode,
                level,
                chunkBytes,
                index,
                framing,
                lenient,
                readAheadBytes,
                outputBudgetBytes,
                value,
                verifyWrites);
    }

    public CodecOptions withVerifyWrites(double value) {
        return new CodecOptions(
                mode, level, chunkBytes, index, framing, lenient, readAheadBytes, outputBudgetBytes, cpuWeight, value);
    }
}
