// Tuning values of what all kernels that read DEFLATE share; nothing here changes a result. Reasons in
// docs/kernels/deflate-decode.md.
#pragma once

#include <cstdint>

namespace warpcodec::deflate {

struct ReadPolicy {
    static constexpr int LITERAL_LOOKUP_BITS = 9;
    static constexpr int DISTANCE_LOOKUP_BITS = 8;
    /// Bits of a lane's part, and of its warm-up in front of it, are a multiple of 120 = lcm(1, ..., 6, 8). Words of
    /// a code that are all equally long never fall into step by themselves, but then lanes start on them anyway.
    static constexpr uint32_t PART_STEP_BITS = 120;
    /// In front of a part, read to fall into step and thrown away.
    static constexpr uint32_t WARM_UP_BITS = 7 * PART_STEP_BITS;
};

}  // namespace warpcodec::deflate
