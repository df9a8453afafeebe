// Tuning values of the LZ4 kernels; nothing here changes a result. Reasons in docs/design/lz4.md.
#pragma once

namespace warpcodec::lz4 {

struct DecodePolicy {
    static constexpr int CTA_THREADS = 64;
    static constexpr int CTAS_PER_MULTIPROCESSOR = 24;
};

/// One warp a cta: warps share nothing, and none has to wait for its neighbours before its shared memory goes to the next block.
struct EncodePolicy {
    static constexpr int CTA_THREADS = 32;
    static constexpr int HEAD_COUNT = 6144;
};

}  // namespace warpcodec::lz4
