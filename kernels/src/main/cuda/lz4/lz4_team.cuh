// LZ4 as a team decodes it (lz77_team.cuh). A window has a unit for each lane at most, as no sequence but the last is
// shorter than MIN_SEQUENCE_BYTES.
#pragma once

#include <cstdint>

#include "../common/batch.cuh"
#include "../common/warp.cuh"
#include "../lz77/lz77_team.cuh"
#include "lz4_parse.cuh"
#include "lz4_policy.cuh"

namespace warpcodec::lz4 {

struct TeamFormat {
    static constexpr uint32_t WINDOW_BYTES = WARP_LANES * MIN_SEQUENCE_BYTES;
    static constexpr int UNITS_PER_LANE = 1;
    static constexpr uint32_t TEAM_SLAB_TURNS = TeamPolicy::SLAB_TURNS;
    using AloneScratch = SequenceScratch;
    using Unit = Sequence;

    static __device__ __forceinline__ uint32_t thread_guess(uint32_t word, uint32_t next_word, int lane) {
        return thread_guess_jumps(word, next_word, lane);
    }

    /// The state in front of the first unit.
    static __device__ __forceinline__ ParseState begin(Block&) { return {}; }

    /// Reads the unit at `position`, which becomes the position behind it. Returns a status code.
    static __device__ __forceinline__ uint32_t thread_read(const Block& block, uint32_t& position, uint32_t,
                                                           Sequence& sequence) {
        return thread_read_sequence(block, position, sequence);
    }

    static __device__ __forceinline__ RunPair thread_runs(const Sequence& sequence) {
        return {{sequence.literal_bytes, sequence.literal_source, false},
                {sequence.match_bytes, sequence.offset, true}};
    }

    /// Whether a unit that ends at `position` of the input keeps to the limits, as a status code.
    static __device__ __forceinline__ uint32_t thread_check(const Block& block, const Sequence& sequence,
                                                            uint32_t position, uint32_t output_start) {
        Sequence placed = sequence;
        placed.output_start = output_start;
        return thread_check_sequence(block, placed, position,
                                     output_start + sequence.literal_bytes + sequence.match_bytes);
    }

    /// Whether a block whose units are sound may end here.
    static __device__ __forceinline__ bool ends_soundly(const Block&, const ParseState&) { return true; }

    static __device__ __forceinline__ ParseState warp_decode_alone(const Block& block, uint8_t* output,
                                                                   SequenceScratch& scratch, int lane) {
        return warp_decode_gathering(block, output, scratch, lane);
    }
};

using Team = TeamScratch<TeamFormat, TeamPolicy::WARPS>;

}  // namespace warpcodec::lz4
