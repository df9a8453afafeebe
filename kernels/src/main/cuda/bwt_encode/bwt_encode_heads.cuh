// Group bits of 4,096 places in shared memory, and where the group of a place begins and ends.
//
// A bit is set where a group begins. For each word of 32 the last bit before it and the first behind it are found once, by one warp; then each place has its answer in a
// few instructions.
#pragma once

#include "../common/warp.cuh"
#include "bwt_encode_format.cuh"

namespace warpcodec::bwt_encode {

constexpr int FRAME_PLACES = 4096;
constexpr int FRAME_WORDS = FRAME_PLACES / 32;
static_assert(FRAME_PLACES == TILE_ROTATIONS && FRAME_WORDS == 4 * WARP_LANES, "a frame holds a tile; a lane takes four words");

struct HeadFrame {
    uint32_t words[FRAME_WORDS];
    int16_t last_before[FRAME_WORDS];  ///< the last bit in front of the word, or -1
    int16_t first_behind[FRAME_WORDS];  ///< the first bit behind the word, or FRAME_PLACES

    /// Where the group of `place` begins; -1 if that is before the frame.
    __device__ __forceinline__ int begin_of(int place) const {
        const uint32_t upto = words[place / 32] & (2u << (place % 32)) - 1;
        return upto != 0 ? place / 32 * 32 + 31 - __clz(static_cast<int>(upto)) : last_before[place / 32];
    }
    /// Where the group behind that of `place` begins; FRAME_PLACES if that is behind the frame.
    __device__ __forceinline__ int end_of(int place) const {
        const uint32_t behind = words[place / 32] & ~((2u << (place % 32)) - 1);
        return behind != 0 ? place / 32 * 32 + __ffs(static_cast<int>(behind)) - 1 : first_behind[place / 32];
    }
    /// The first group that begins at `place`, a multiple of 32, or behind it.
    __device__ __forceinline__ int first_from(int place) const {
        const uint32_t word = words[place / 32];
        return word != 0 ? place + __ffs(static_cast<int>(word)) - 1 : first_behind[place / 32];
    }
};

/// Finds what lies around each word. The words are there; the others wait for this warp.
__device__ __forceinline__ void warp_index_heads(HeadFrame& frame, int lane) {
    int last = -1, first = FRAME_PLACES;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const uint32_t word = frame.words[4 * lane + i];
        const int begin = 32 * (4 * lane + i);
        if (word == 0) continue;
        last = begin + 31 - __clz(static_cast<int>(word));
        first = min(first, begin + __ffs(static_cast<int>(word)) - 1);
    }
#pragma unroll
    for (int distance = 1; distance < WARP_LANES; distance *= 2) {
        const int lower = __shfl_up_sync(ALL_LANES, last, distance);
        const int higher = __shfl_down_sync(ALL_LANES, first, distance);
        if (lane >= distance) last = max(last, lower);
        if (lane + distance < WARP_LANES) first = min(first, higher);
    }
    int before = __shfl_up_sync(ALL_LANES, last, 1);
    int behind = __shfl_down_sync(ALL_LANES, first, 1);
    if (lane == 0) before = -1;
    if (lane == WARP_LANES - 1) behind = FRAME_PLACES;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const uint32_t word = frame.words[4 * lane + i];
        frame.last_before[4 * lane + i] = static_cast<int16_t>(before);
        if (word != 0) before = 32 * (4 * lane + i) + 31 - __clz(static_cast<int>(word));
    }
#pragma unroll
    for (int i = 3; i >= 0; --i) {
        const uint32_t word = frame.words[4 * lane + i];
        frame.first_behind[4 * lane + i] = static_cast<int16_t>(behind);
        if (word != 0) behind = 32 * (4 * lane + i) + __ffs(static_cast<int>(word)) - 1;
    }
}

/// Adds up a value of each thread into a word of device memory. All lanes call.
__device__ __forceinline__ void warp_add_to(uint32_t* target, uint32_t value, int lane) {
    const uint32_t sum = __shfl_sync(ALL_LANES, warp_inclusive_sum(value, lane), WARP_LANES - 1);
    if (lane == 0 && sum != 0) atomicAdd(target, sum);
}

}  // namespace warpcodec::bwt_encode
