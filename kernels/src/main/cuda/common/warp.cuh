// A warp, and sums over its lanes.
#pragma once

#include <cstdint>

namespace warpcodec {

constexpr int WARP_LANES = 32;
constexpr uint32_t ALL_LANES = 0xFFFFFFFFu;

/// Sum of `value` over the lanes up to this one. All lanes of the warp call.
__device__ __forceinline__ uint32_t warp_inclusive_sum(uint32_t value, int lane) {
#pragma unroll
    for (int distance = 1; distance < WARP_LANES; distance *= 2) {
        const uint32_t other = __shfl_up_sync(ALL_LANES, value, distance);
        if (lane >= distance) value += other;
    }
    return value;
}

}  // namespace warpcodec
