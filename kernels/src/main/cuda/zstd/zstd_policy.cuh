// Tuning values of the zstd kernels; nothing here changes a result. Reasons in docs/kernels/zstd-decode.md.
#pragma once

namespace warpcodec::zstd {

struct ReadPolicy {
    /// Two warps: the first advances, the second takes values.
    static constexpr int CTA_THREADS = 64;
    /// Blocks that a cta reads at once where many wait.
    static constexpr int BLOCKS = 4;
    static constexpr int CTAS_PER_MULTIPROCESSOR = 6;
};

struct BytesPolicy {
    static constexpr int TILE_BYTES = 2048;
    static constexpr int FIND_CTA_THREADS = 64;
    static constexpr int PRODUCE_CTA_THREADS = 512;
};

}  // namespace warpcodec::zstd
