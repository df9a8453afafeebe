// Threads that work together: a warp, or a cta. What is written for a group serves both.
#pragma once

#include "warp.cuh"

namespace warpcodec {

/// A warp as a group.
struct WarpGroup {
    static constexpr int SIZE = WARP_LANES;
    int rank;  ///< of this thread
    __device__ __forceinline__ void sync() const { __syncwarp(); }
};

/// A cta as a group.
template <int SIZE_>
struct CtaGroup {
    static constexpr int SIZE = SIZE_;
    int rank;
    __device__ __forceinline__ void sync() const { __syncthreads(); }
};

/// Waits for THREADS threads of a cta, whole warps, all of which come to barrier BARRIER. __syncthreads has barrier 0.
template <int BARRIER, int THREADS>
__device__ __forceinline__ void part_sync() {
    static_assert(BARRIER > 0 && BARRIER < 16 && THREADS % WARP_LANES == 0);
    __syncwarp();
    asm volatile("bar.sync %0, %1;" ::"n"(BARRIER), "n"(THREADS) : "memory");
}

}  // namespace warpcodec
