// LZ4 as lz77_long.cuh decodes it: blocks of up to 8 MiB, as legacy frames have them, and chains of blocks that share
// a window.
#pragma once

#include "../common/batch.cuh"
#include "../lz77/lz77_long.cuh"
#include "lz4_parse.cuh"
#include "lz4_policy.cuh"

namespace warpcodec::lz4 {

static_assert(LongPolicy::PRODUCE_CTA_THREADS * LANE_BYTES == LongPolicy::TILE_BYTES, "a cta produces a tile");

struct LongFormat {
    using Sizes = LongSizes<LongPolicy::PIECE_BYTES, LongPolicy::WARM_UP_BYTES, LongPolicy::TILE_BYTES,
                            MAX_LONG_INPUT_BYTES, MAX_LONG_OUTPUT_BYTES>;
    using Scratch = SequenceScratch;
    static constexpr int MAX_GUESSES = LongPolicy::MAX_GUESSES;
    static constexpr uint32_t MAX_GUESS_OUTPUT_BYTES = LongPolicy::MAX_GUESS_OUTPUT_BYTES;

    /// Reads sequences, 32 at most, of those that start before `stop`, which the first does.
    static __device__ __forceinline__ void skip(const Block& block, ParseState& state, uint32_t stop,
                                                JumpTables& tables, int lane) {
        warp_skip(block, state, stop, tables, lane);
    }

    /// Reads sequences and puts their records behind the `kept` ones; how many.
    static __device__ __forceinline__ int parse(const Block& block, ParseState& state, Scratch& scratch, int kept,
                                                int lane) {
        return warp_parse_records(block, state, scratch, kept, lane);
    }
};

}  // namespace warpcodec::lz4
