// Tuning values of the LZ4 kernels; nothing here changes a result. Reasons in docs/kernels/lz4-decode.md.
#pragma once

#include "../common/residency.cuh"

namespace warpcodec::lz4 {

struct DecodePolicy {
    static constexpr int CTA_THREADS = 64;
    static constexpr int CTAS_PER_MULTIPROCESSOR = resident_ctas(CTA_THREADS, 24);
};

/// A team, which takes a block by a cta (lz77_team.cuh).
struct TeamPolicy {
    static constexpr int WARPS = 8;
    static constexpr int CTAS_PER_MULTIPROCESSOR = 3;
    /// Of 32 bytes, that a warp has of a slab.
    static constexpr unsigned SLAB_TURNS = 16;
};

/// Blocks that many warps decode (lz77_long.cuh). Reasons in docs/kernels/lz4-decode.md.
struct LongPolicy {
    static constexpr int PIECE_BYTES = 1024;
    static constexpr int WARM_UP_BYTES = 1024;
    static constexpr int TILE_BYTES = 2048;
    static constexpr int MAX_GUESSES = 8;
    /// Units of a piece decode to 255 times its bytes at most, but for a last unit that reaches far beyond it. Such a
    /// piece is left to the stitch.
    static constexpr uint32_t MAX_GUESS_OUTPUT_BYTES = 1u << 20;
    static constexpr int PARSE_CTA_THREADS = 64;
    static constexpr int STITCH_CTA_THREADS = 32;
    static constexpr int PRODUCE_CTA_THREADS = 512;
};

/// These change what blocks are encoded to, not what they decode to. Reasons in docs/kernels/lz-encode.md.
struct EncodePolicy {
    static constexpr int STRIPS = 2;
    static constexpr int CTA_THREADS = 32 * STRIPS;
    static constexpr int HEAD_COUNT = 6144;
};

}  // namespace warpcodec::lz4
