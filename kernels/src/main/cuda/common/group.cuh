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

}  // namespace warpcodec
