package io.warpcodec.engine.gpu;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.engine.Chunk;

/** Reads the containers of one format and framing into plans. Trusts no length. Thread-safe. */
interface DecodePlanner {
    /**
     * Plans one chunk.
     *
     * @param budgetBytes most bytes that it may decode to
     */
    DecodePlan plan(Chunk chunk, int budgetBytes);

    /** The planner for chunks as the format's scanner cuts them under these options, or null if there is none. */
    static DecodePlanner of(Format format, CodecOptions options) {
        DecodePlanner planner = ofContainer(format, options);
        return planner == null
                ? null
                : (chunk, budgetBytes) -> planner.plan(chunk, budgetBytes).within(chunk.rawBytes());
    }

    /** Plans by what the container alone says. */
    private static DecodePlanner ofContainer(Format format, CodecOptions options) {
        return switch (format) {
            case LZ4 ->
                switch (options.framing()) {
                    case STANDARD -> Lz4Plans::frame;
                    case HADOOP -> Lz4Plans::outerBlock;
                    case SPARK -> Lz4Plans::blocks;
                };
            case SNAPPY -> options.framing() == Framing.SPARK ? SnappyPlans::blocks : SnappyPlans::outerBlock;
            case GZIP -> GzipPlans::member;
            default -> null;
        };
    }
}
