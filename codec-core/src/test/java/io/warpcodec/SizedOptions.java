package io.warpcodec;

/** Options with other sizes than the product ever sets. */
public final class SizedOptions {
    private SizedOptions() {}

    /** A copy of the options with another read-ahead. */
    public static CodecOptions withReadAheadBytes(CodecOptions options, int value) {
        return sized(options, value, options.outputBudgetBytes());
    }

    /** A copy of the options with another memory budget. */
    public static CodecOptions withOutputBudgetBytes(CodecOptions options, int value) {
        return sized(options, options.readAheadBytes(), value);
    }

    private static CodecOptions sized(CodecOptions options, int readAheadBytes, int outputBudgetBytes) {
        return new CodecOptions(
                options.mode(),
                options.level(),
                options.chunkBytes(),
                options.index(),
                options.framing(),
                options.lenient(),
                readAheadBytes,
                outputBudgetBytes,
                options.cpuWeight(),
                options.verifyWrites());
    }
}
