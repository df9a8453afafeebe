// First kernel of a pass: how many keys of each tile have each digit.
//
// A cta takes tiles in turn. Equal digits side by side, the rule in text, make lanes of a warp add to the same word;
// the hardware adds those up before it writes, since the old value is not asked for. Reads 8 bytes a key, writes a
// word for each digit of a tile.
#pragma once

#include "sort_format.cuh"

namespace warpcodec::sort {

template <int DIGIT_BITS>
struct CountMemory {
    static constexpr int DIGITS = 1 << DIGIT_BITS;
    uint32_t counts[DIGITS];
};

/// Zeros the counts. The caller waits.
template <int DIGIT_BITS>
__device__ __forceinline__ void cta_clear_counts(CountMemory<DIGIT_BITS>& memory) {
    for (int digit = threadIdx.x; digit < memory.DIGITS; digit += SortPolicy::CTA_THREADS) memory.counts[digit] = 0;
}

/// Writes the counts of a tile. The caller waits before and after.
template <int DIGIT_BITS>
__device__ __forceinline__ void cta_store_counts(const CountMemory<DIGIT_BITS>& memory, uint32_t* histograms,
                                                 uint32_t tile) {
    uint32_t* histogram = histograms + uint64_t{tile} * memory.DIGITS;
    for (int digit = threadIdx.x; digit < memory.DIGITS; digit += SortPolicy::CTA_THREADS)
        histogram[digit] = memory.counts[digit];
}

template <int DIGIT_BITS>
__device__ __forceinline__ void cta_count_tiles(const SortBatch& batch, CountMemory<DIGIT_BITS>& memory) {
    const uint32_t tile_count = tile_count_of(batch);
    for (uint32_t index = blockIdx.x; index < tile_count; index += gridDim.x) {
        const Tile tile = load_tile(batch, index);
        cta_clear_counts(memory);
        __syncthreads();
#pragma unroll 8
        for (uint32_t at = threadIdx.x; at < tile.count; at += SortPolicy::CTA_THREADS) {
            atomicAdd(&memory.counts[digit_of<DIGIT_BITS>(batch.keys[tile.begin + at], batch.shift)], 1u);
        }
        __syncthreads();
        cta_store_counts(memory, batch.histograms, index);
        __syncthreads();
    }
}

}  // namespace warpcodec::sort
