// Tuning values of the transform. MAX_CODE_BITS and the sizes of groups change which keys tie and which kernel sorts
// them, not the result. Reasons in docs/kernels/bzip2-encode.md.
#pragma once

#include <cstdint>

#include "../common/residency.cuh"
#include "../sort/sort_policy.cuh"

namespace warpcodec::bwt_encode {

constexpr uint32_t TILE_ROTATIONS = sort::SortPolicy::TILE_KEYS;

struct CodesPolicy {
    static constexpr int CTA_THREADS = 1024;
    /// Neighbours that are counted: below 2^16, so that no count of 16 bits runs over.
    static constexpr uint32_t MAX_SAMPLES = 65000;
    /// Weight that a pair gets each time it is counted, beside the 1 that every pair has.
    static constexpr uint32_t SAMPLE_WEIGHT = 32;
};

struct KeysPolicy {
    static constexpr int CTA_THREADS = 256;
};

struct SplitPolicy {
    static constexpr int CTA_THREADS = 256;
};

struct RefinePolicy {
    static constexpr int CTA_THREADS = 256;
    static constexpr int CTAS_PER_MULTIPROCESSOR = resident_ctas(CTA_THREADS, 6);
    /// A cta sorts the tied groups that begin in so many places...
    static constexpr int WINDOW = 1024;
    /// ...if they are not larger than this; larger ones are segments of the sort.
    static constexpr int MAX_GROUP = 1024;
    /// Up to here each member of a group counts those before it.
    static constexpr int RUN = 32;
};

struct RankPolicy {
    static constexpr int CTA_THREADS = 128;
};

struct ColumnPolicy {
    static constexpr int CTA_THREADS = 256;
};

}  // namespace warpcodec::bwt_encode
