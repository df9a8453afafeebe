// Tuning values of the DEFLATE encoder. Reasons in docs/kernels/deflate-encode.md.
#pragma once

namespace warpcodec::deflate_encode {

/// One earlier place is tried for each place.
struct FastPolicy {
    static constexpr int CTA_THREADS = 512;
    static constexpr int CTAS_PER_MULTIPROCESSOR = 2;
    static constexpr bool LINKED = false;
};

/// Several are tried, along links in shared memory.
struct DeepPolicy {
    static constexpr int CTA_THREADS = 1024;
    static constexpr int CTAS_PER_MULTIPROCESSOR = 1;
    static constexpr bool LINKED = true;
};

struct JoinPolicy {
    static constexpr int CTA_THREADS = 256;
};

constexpr int HEAD_BITS = 14;

}  // namespace warpcodec::deflate_encode
