// Tuning values of the LZ4 kernels; nothing here changes a result. Reasons in docs/design/lz4.md.
#pragma once

namespace warpcodec::lz4 {

struct DecodePolicy {
    static constexpr int CTA_THREADS = 64;
    static constexpr int CTAS_PER_MULTIPROCESSOR = 24;
    /// Output bytes that one lane produces at a time: 4 or 8.
    static constexpr int LANE_BYTES = 4;
};

}  // namespace warpcodec::lz4
