// Tuning values of the DEFLATE kernels; nothing here changes a result. Reasons in docs/design/deflate.md.
#pragma once

#include <cstdint>

namespace warpcodec::deflate {

struct DecodePolicy {
    static constexpr int CTA_THREADS = 64;
    static constexpr int CTAS_PER_MULTIPROCESSOR = 16;
    static constexpr int LITERAL_LOOKUP_BITS = 9;
    static constexpr int DISTANCE_LOOKUP_BITS = 8;
    /// Bits of a lane's part, and of its warm-up in front of it, are a multiple of 120 = lcm(1, ..., 6, 8): words of a code that are all equally long never fall
    /// into step by themselves, but then lanes start on them anyway.
    static constexpr uint32_t PART_STEP_BITS = 120;
    /// In front of a part, read to fall into step and thrown away.
    static constexpr uint32_t WARM_UP_BITS = 7 * PART_STEP_BITS;
    static constexpr uint32_t MIN_PART_BITS = WARM_UP_BITS;
    static constexpr uint32_t MAX_PART_BITS = 63 * PART_STEP_BITS;
    /// Where one warp reads and another produces, rounds are shorter, so that both have something to do.
    static constexpr uint32_t PAIR_MAX_PART_BITS = 24 * PART_STEP_BITS;
    /// Tokens that a lane keeps in one round.
    static constexpr uint32_t LANE_TOKENS = 1024;
    /// A block shorter than this makes the next one begin with a few tokens that one lane reads alone.
    static constexpr uint32_t SHORT_BLOCK_BITS = 2048;
    static constexpr uint32_t PROBE_TOKENS = 32;
};

/// 11 KiB of shared memory; the 4 KiB of the table of sums are made once for each cta.
struct FindPolicy {
    static constexpr int CTA_THREADS = 256;
};

/// A segment of one stream, deflate_segment.cuh; parts and warm-ups are multiples of 120 bits as above.
struct SegmentPolicy {
    static constexpr uint32_t PART_BITS = 4 * DecodePolicy::PART_STEP_BITS;
    static constexpr uint32_t WARM_UP_BITS = DecodePolicy::WARM_UP_BITS;
    static constexpr int READ_CTA_THREADS = 128;
    static constexpr int STITCH_CTA_THREADS = 32;
    static constexpr int WRITE_CTA_THREADS = 64;
    static constexpr int PRODUCE_CTA_THREADS = 256;
    static constexpr uint32_t PRODUCE_TILE_BYTES = 4096;
    static constexpr int STEPS_BETWEEN_NOTES = 1;
};

}  // namespace warpcodec::deflate
