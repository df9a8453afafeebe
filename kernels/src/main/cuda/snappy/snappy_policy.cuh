// Tuning values of the Snappy kernels; nothing here changes a result. Reasons in docs/kernels/lz4-decode.md.
#pragma once

#include "../common/residency.cuh"

namespace warpcodec::snappy {

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

/// These change what blocks are encoded to, not what they decode to. Reasons in docs/kernels/lz-encode.md.
struct EncodePolicy {
    static constexpr int STRIPS = 2;
    static constexpr int CTA_THREADS = 32 * STRIPS;
    static constexpr int HEAD_COUNT = 6144;
};

}  // namespace warpcodec::snappy
