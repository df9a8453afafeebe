// Follows the sources of the bytes of a long output, which many warps have found (lz77_long.cuh,
// deflate_stream_write.cuh). A source is one 32-bit number for each place of the output: the place of an earlier
// byte, or with SOURCE_END what the byte is made of.
//
// Each source leads to an earlier one, until one is an end. With each step a thread writes down how far it has come,
// so that a thread that comes by later has less to go: no thread waits for another, and the ways get shorter by a
// factor with each step.
//
// The number of lines that the L2 cache is asked for bounds this (docs/kernels/deflate-stream.md). So a warp's lanes
// begin side by side: where one match made the sources that they follow, these lie side by side too. A lane asks for
// all of its sources before it waits for one. And ctas are small, and begin in the order of their places. The fewer
// places are under way at once, the fewer sources lead to places that are not done.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"

namespace warpcodec::lz77 {

constexpr uint32_t SOURCE_END = 0x80000000u;

/// The source at place `source`, or, if that is an end, itself. Written so that the load goes to the result's own
/// register: no lane waits for it before the result is used.
__device__ __forceinline__ uint32_t thread_ask_source(const uint32_t* sources, uint32_t source) {
    uint32_t next = source;
#ifdef __CUDA_ARCH__
    asm volatile("{ .reg .pred p; setp.ge.s32 p, %1, 0; @p ld.global.cg.u32 %0, [%2]; }"
                 : "+r"(next)
                 : "r"(source), "l"(sources + source)
                 : "memory");
#else
    if ((source & SOURCE_END) == 0) next = sources[source];
#endif
    return next;
}

/// What was found at a place: an end, or an earlier place. Any other number is as good as none.
__device__ __forceinline__ uint32_t thread_checked_source(uint32_t source, uint32_t place) {
    return (source & SOURCE_END) != 0 || source < place ? source : SOURCE_END;
}

/// Follows the sources of place `first`, and of each 32nd behind it, to their ends. Of places outside of [low, limit)
/// no source is read or written, and the end is SOURCE_END. Ends whatever the sources are: each step leads to a
/// smaller place.
template <int PLACES>
__device__ __forceinline__ void thread_follow_sources(uint32_t* sources, uint32_t first, uint32_t low, uint32_t limit,
                                                      uint32_t (&ends)[PLACES]) {
    uint32_t found = SOURCE_END;
#pragma unroll
    for (int i = 0; i < PLACES; ++i) {
        const uint32_t place = first + i * WARP_LANES;
        ends[i] = thread_ask_source(sources, place >= low && place < limit ? place : SOURCE_END);
    }
#pragma unroll
    for (int i = 0; i < PLACES; ++i) {
        ends[i] = thread_checked_source(ends[i], first + i * WARP_LANES);
        found &= ends[i];
    }
#pragma unroll 1
    while (found == 0) {
        uint32_t next[PLACES];
#pragma unroll
        for (int i = 0; i < PLACES; ++i) next[i] = thread_ask_source(sources, ends[i]);
        found = SOURCE_END;
#pragma unroll
        for (int i = 0; i < PLACES; ++i) {
            if ((ends[i] & SOURCE_END) == 0) {
                ends[i] = thread_checked_source(next[i], ends[i]);
                __stcg(sources + first + i * WARP_LANES, ends[i]);
            }
            found &= ends[i];
        }
    }
}

}  // namespace warpcodec::lz77
