// Tuning values of the DEFLATE encoder. Reasons in docs/kernels/deflate-encode.md.
#pragma once

namespace warpcodec::deflate_encode {

/// One earlier place is tried for each place. LINKED: earlier places are found along links in shared memory, else one
/// is. LINK_BYTES, 4 or 5: of the hash that links, which has HEAD_BITS. PRICED: what is written is chosen by prices in
/// bits, else by a rule over three places. SHORT_BYTES, 3 or 4: of the short hash, which has SHORT_HEAD_BITS.
/// SHORT_REACH: how far back a match that only it finds may lie; 0: there is no short hash. ENOUGH_BYTES: behind a
/// place with so long a match, the next one goes on with it, without a search.
struct FastPolicy {
    static constexpr int CTA_THREADS = 512;
    static constexpr int CTAS_PER_MULTIPROCESSOR = 2;
    static constexpr bool LINKED = false;
    static constexpr int LINK_BYTES = 5;
    static constexpr int HEAD_BITS = 14;
    static constexpr bool PRICED = false;
    static constexpr int SHORT_BYTES = 3;
    static constexpr int SHORT_HEAD_BITS = 11;
    static constexpr int SHORT_REACH = 512;
    static constexpr int ENOUGH_BYTES = 64;
};

/// Several are tried, along links in shared memory.
struct DeepPolicy {
    static constexpr int CTA_THREADS = 1024;
    static constexpr int CTAS_PER_MULTIPROCESSOR = 1;
    static constexpr bool LINKED = true;
    static constexpr int LINK_BYTES = 5;
    static constexpr int HEAD_BITS = 14;
    static constexpr bool PRICED = true;
    static constexpr int SHORT_BYTES = 3;
    static constexpr int SHORT_HEAD_BITS = 13;
    static constexpr int SHORT_REACH = 8192;
    static constexpr int ENOUGH_BYTES = 64;
};

/// Of each length the nearest is kept. Links of 4 bytes find it; a parse by price has use for all of 3 bytes, so these
/// have the larger table.
struct BestPolicy : DeepPolicy {
    static constexpr int LINK_BYTES = 4;
    static constexpr int HEAD_BITS = 13;
    static constexpr int SHORT_HEAD_BITS = 14;
    static constexpr int SHORT_REACH = 32768;
};

/// Nothing is looked for: the way through a block is given.
struct StepPolicy : FastPolicy {
    static constexpr bool PRICED = true;
    static constexpr int HEAD_BITS = 1;
    static constexpr int SHORT_HEAD_BITS = 1;
    static constexpr int SHORT_REACH = 0;
};

struct JoinPolicy {
    static constexpr int CTA_THREADS = 256;
};

}  // namespace warpcodec::deflate_encode
