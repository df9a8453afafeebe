// Tuning values of the bzip2 encoder; nothing here changes a result. Reasons in docs/kernels/bzip2-encode.md.
#pragma once

#include <cstdint>

namespace warpcodec::bzip2_encode {

struct RunsPolicy {
    static constexpr int CTA_THREADS = 256;
    static constexpr int BYTES_PER_THREAD = 16;
    static constexpr uint32_t TILE_BYTES = CTA_THREADS * BYTES_PER_THREAD;
};

struct ChoosePolicy {
    /// Warps that build codes must be as many as codes; the rest makes the choice of codes fast.
    static constexpr int CTA_THREADS = 768;
};

struct PackPolicy {
    static constexpr int CTA_THREADS = 128;
};

}  // namespace warpcodec::bzip2_encode
