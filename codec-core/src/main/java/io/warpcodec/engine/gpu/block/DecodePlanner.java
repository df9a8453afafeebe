package io.warpcodec.engine.gpu.block;

import io.warpcodec.engine.Chunk;

/** Reads the containers of one format and framing into plans. Trusts no length. Thread-safe. */
@FunctionalInterface
public interface DecodePlanner {
    /**
     * Plans one chunk.
     *
     * @param budgetBytes most bytes that it may decode to
     */
    DecodePlan plan(Chunk chunk, int budgetBytes);

    /** This planner, which refuses a chunk that makes more than it claims. */
    default DecodePlanner withinClaims() {
        return (chunk, budgetBytes) -> plan(chunk, budgetBytes).within(chunk.rawBytes());
    }
}
