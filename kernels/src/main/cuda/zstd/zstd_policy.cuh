// Tuning values of the zstd kernels; nothing here changes a result. Reasons in docs/kernels/zstd-decode.md.
#pragma once

namespace warpcodec::zstd {

struct ReadPolicy {
    /// One warp advances, VALUE_WARPS take values, and the last one reads literals.
    static constexpr int VALUE_WARPS = 2;
    static constexpr int CTA_THREADS = 32 * (1 + VALUE_WARPS + 1);
    /// Blocks that a cta reads at once where many wait.
    static constexpr int BLOCKS = 4;
    static constexpr int CTAS_PER_MULTIPROCESSOR = 6;
};

struct WritePolicy {
    /// Frames from which on a cta writes each; fewer are written tile by tile.
    static constexpr uint32_t LEAST_FRAMES = 16;
    static constexpr int CTA_THREADS = 512;
    static constexpr int CTAS_PER_MULTIPROCESSOR = 3;
};

struct BytesPolicy {
    static constexpr int TILE_BYTES = 2048;
    static constexpr int FIND_CTA_THREADS = 64;
    static constexpr int PRODUCE_CTA_THREADS = 512;
};

}  // namespace warpcodec::zstd
