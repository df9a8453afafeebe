// Snappy as a team decodes it (lz77_team.cuh). A window has two units for each lane at most, as no element is shorter
// than MIN_ELEMENT_BYTES.
#pragma once

#include <cstdint>

#include "../common/batch.cuh"
#include "../common/warp.cuh"
#include "../lz77/lz77_team.cuh"
#include "snappy_parse.cuh"
#include "snappy_policy.cuh"

namespace warpcodec::snappy {

struct TeamFormat {
    static constexpr uint32_t WINDOW_BYTES = WARP_LANES * ELEMENTS_PER_LANE * MIN_ELEMENT_BYTES;
    static constexpr int UNITS_PER_LANE = ELEMENTS_PER_LANE;
    static constexpr uint32_t TEAM_SLAB_TURNS = TeamPolicy::SLAB_TURNS;
    using AloneScratch = ElementScratch;
    using Unit = RunPair;

    static __device__ __forceinline__ uint32_t thread_guess(uint32_t word, uint32_t next_word, int lane) {
        return thread_guess_jumps(word, next_word, lane);
    }

    /// Reads the block's own length into block.output_limit. Answers the state before the first element.
    static __device__ __forceinline__ ParseState begin(Block& block) { return warp_read_preamble(block); }

    /// Reads the element at `position`, which becomes the position behind it. Another one follows if it starts in the
    /// lane's window. Returns a status code.
    static __device__ __forceinline__ uint32_t thread_read(const Block& block, uint32_t& position,
                                                           uint32_t window_limit, RunPair& elements) {
        const uint32_t code = thread_read_element(block, position, elements.first);
        if (code != STATUS_SOUND || position >= min(window_limit, block.input_bytes)) return code;
        return thread_read_element(block, position, elements.second);
    }

    static __device__ __forceinline__ RunPair thread_runs(const RunPair& elements) { return elements; }

    /// Whether elements keep to the limits, as a status code.
    static __device__ __forceinline__ uint32_t thread_check(const Block& block, const RunPair& elements, uint32_t,
                                                            uint32_t output_start) {
        return thread_check_elements(block, elements.first, elements.second, output_start,
                                     output_start + elements.first.bytes + elements.second.bytes);
    }

    /// Whether a block whose elements are sound may end here.
    static __device__ __forceinline__ bool ends_soundly(const Block& block, const ParseState& state) {
        return state.output_position == block.output_limit;
    }

    static __device__ __forceinline__ ParseState warp_decode_alone(const Block& block, uint8_t* output,
                                                                   ElementScratch& scratch, int lane) {
        return warp_decode_gathering(block, output, scratch, lane);
    }
};

using Team = TeamScratch<TeamFormat, TeamPolicy::WARPS>;

}  // namespace warpcodec::snappy
