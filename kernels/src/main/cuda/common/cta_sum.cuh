// Sums over the threads of a cta.
#pragma once

#include <cstdint>

#include "warp.cuh"

namespace warpcodec {

/// Sum of `value` over the threads before this one; `all` is the sum over all. `warp_sums` has a word for each warp.
/// Two barriers, one at the end.
template <int CTA_THREADS>
__device__ __forceinline__ uint32_t cta_exclusive_sum(uint32_t value, uint32_t* warp_sums, uint32_t& all) {
    constexpr int WARPS = CTA_THREADS / WARP_LANES;
    const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    const uint32_t inclusive = warp_inclusive_sum(value, lane);
    if (lane == WARP_LANES - 1) warp_sums[warp] = inclusive;
    __syncthreads();
    const uint32_t sums = warp_inclusive_sum(lane < WARPS ? warp_sums[lane] : 0, lane);
    all = __shfl_sync(ALL_LANES, sums, WARPS - 1);
    const uint32_t before = __shfl_sync(ALL_LANES, sums, max(warp - 1, 0));
    __syncthreads();
    return inclusive - value + (warp == 0 ? 0 : before);
}

}  // namespace warpcodec
