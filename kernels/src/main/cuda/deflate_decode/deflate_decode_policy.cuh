// Tuning values of the decoder of bodies; nothing here changes a result. Reasons in docs/kernels/deflate-decode.md.
#pragma once

#include <cstdint>

#include "../deflate/deflate_policy.cuh"

namespace warpcodec::deflate_decode {

struct DecodePolicy : deflate::ReadPolicy {
    static constexpr int CTA_THREADS = 64;
    static constexpr int CTAS_PER_MULTIPROCESSOR = 16;
    static constexpr uint32_t MIN_PART_BITS = WARM_UP_BITS;
    static constexpr uint32_t MAX_PART_BITS = 63 * PART_STEP_BITS;
    /// Where one warp reads and another produces, rounds are shorter, so that both have something to do.
    static constexpr uint32_t PAIR_MAX_PART_BITS = 24 * PART_STEP_BITS;
    /// Tokens that a lane keeps in one round.
    static constexpr uint32_t LANE_TOKENS = 1024;
    /// A block shorter than this makes the next one begin with a few tokens that one lane reads alone.
    static constexpr uint32_t SHORT_BLOCK_BITS = 2048;
    static constexpr uint32_t PROBE_TOKENS = 32;
    /// A team, which takes a body by a cta.
    static constexpr int TEAM_WARPS = 8;
    static constexpr int TEAM_CTAS_PER_MULTIPROCESSOR = 3;
    static constexpr uint32_t TEAM_MAX_PART_BITS = 12 * PART_STEP_BITS;
    /// Of 32 bytes, that a warp of a team has of a slab.
    static constexpr uint32_t TEAM_SLAB_TURNS = 16;
};

}  // namespace warpcodec::deflate_decode
