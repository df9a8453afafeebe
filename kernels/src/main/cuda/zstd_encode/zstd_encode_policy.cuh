// Tuning values of the zstd encoder. Reasons in docs/kernels/zstd-encode.md.
#pragma once

namespace warpcodec::zstd_encode {

/// Of DEFLATE's FastPolicy, one earlier place of the window for each place; and one of the whole frame before it.
struct FastPolicy {
    static constexpr int CTA_THREADS = 512;
    static constexpr int CTAS_PER_MULTIPROCESSOR = 2;
    static constexpr bool LINKED = false;
    static constexpr int LINK_BYTES = 5;
    static constexpr int HEAD_BITS = 14;
    static constexpr bool PRICED = false;
    static constexpr int SHORT_BYTES = 4;
    static constexpr int SHORT_HEAD_BITS = 1;
    static constexpr int SHORT_REACH = 0;
    static constexpr int ENOUGH_BYTES = 24;
    /// Where so long a match was found, the candidate of the frame is not looked at.
    static constexpr int NEAR_ENOUGH_BYTES = 16;
};

/// Beside them four bytes that are near, where neither has a match.
struct DefaultPolicy : FastPolicy {
    static constexpr int SHORT_HEAD_BITS = 12;
    static constexpr int SHORT_REACH = 4096;
    static constexpr int ENOUGH_BYTES = 64;
    static constexpr int NEAR_ENOUGH_BYTES = 32;
};

struct FarPolicy {
    static constexpr int CTA_THREADS = 1024;
    static constexpr int HEAD_BITS = 15;
};

struct CodesPolicy {
    static constexpr int CTA_THREADS = 128;
    static constexpr int CTAS_PER_MULTIPROCESSOR = 12;
};

struct JoinPolicy {
    static constexpr int CTA_THREADS = 256;
};

}  // namespace warpcodec::zstd_encode
