// Group bits of a tile or a window in shared memory, and where the group of a place begins and ends.
//
// A bit is set where a group begins. For each word of 32 the last bit before it and the first behind it are found
// once, by one warp; then each place has its answer in a few instructions.
#pragma once

#include "../common/warp.cuh"
#include "bwt_encode_format.cuh"

namespace warpcodec::bwt_encode {

/// PLACES: a multiple of 1,024, so that each lane of a warp has the same number of words.
template <int PLACES_>
struct HeadFrame {
    static constexpr int PLACES = PLACES_;
    static constexpr int WORDS = PLACES / 32;
    static constexpr int WORDS_PER_LANE = WORDS / WARP_LANES;
    static_assert(WORDS_PER_LANE * WARP_LANES * 32 == PLACES);

    uint32_t words[WORDS];
    int16_t last_before[WORDS];  ///< the last bit in front of the word, or -1
    int16_t first_behind[WORDS];  ///< the first bit behind the word, or PLACES

    /// Where the group of `place` begins; -1 if that is before the frame.
    __device__ __forceinline__ int begin_of(int place) const {
        const uint32_t upto = words[place / 32] & (2u << (place % 32)) - 1;
        return upto != 0 ? place / 32 * 32 + 31 - __clz(static_cast<int>(upto)) : last_before[place / 32];
    }
    /// Where the group behind that of `place` begins; PLACES if that is behind the frame.
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
template <int PLACES>
__device__ __forceinline__ void warp_index_heads(HeadFrame<PLACES>& frame, int lane) {
    constexpr int EACH = HeadFrame<PLACES>::WORDS_PER_LANE;
    int last = -1, first = PLACES;
#pragma unroll
    for (int i = 0; i < EACH; ++i) {
        const uint32_t word = frame.words[EACH * lane + i];
        const int begin = 32 * (EACH * lane + i);
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
    if (lane == WARP_LANES - 1) behind = PLACES;
#pragma unroll
    for (int i = 0; i < EACH; ++i) {
        const uint32_t word = frame.words[EACH * lane + i];
        frame.last_before[EACH * lane + i] = static_cast<int16_t>(before);
        if (word != 0) before = 32 * (EACH * lane + i) + 31 - __clz(static_cast<int>(word));
    }
#pragma unroll
    for (int i = EACH - 1; i >= 0; --i) {
        const uint32_t word = frame.words[EACH * lane + i];
        frame.first_behind[EACH * lane + i] = static_cast<int16_t>(behind);
        if (word != 0) behind = 32 * (EACH * lane + i) + __ffs(static_cast<int>(word)) - 1;
    }
}

/// Adds up a value of each thread into a word of device memory. All lanes call.
__device__ __forceinline__ void warp_add_to(uint32_t* target, uint32_t value, int lane) {
    const uint32_t sum = __shfl_sync(ALL_LANES, warp_inclusive_sum(value, lane), WARP_LANES - 1);
    if (lane == 0 && sum != 0) atomicAdd(target, sum);
}

}  // namespace warpcodec::bwt_encode
