// Second kernel of a pass: from how many keys of each tile have each digit to where in the segment the first of them
// goes.
//
// A cta takes segments in turn, a thread a digit. It adds up its digit over the segment's tiles, the threads add up
// what smaller digits have, and each goes over the tiles again and leaves the sum of what is before. Two reads and a
// write of the histograms, which lie in L2. A segment of 900,000 keys has 220 tiles.
#pragma once

#include "../common/warp.cuh"
#include "sort_format.cuh"

namespace warpcodec::sort {

struct ScanMemory {
    uint32_t warp_sums[WARP_LANES];
};

/// Sum of `value` over the threads before this one. Two barriers, one at the end.
template <int THREADS>
__device__ __forceinline__ uint32_t cta_exclusive_sum(uint32_t value, uint32_t* warp_sums) {
    constexpr int WARPS = THREADS / WARP_LANES;
    static_assert(WARPS <= WARP_LANES);
    const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    const uint32_t inclusive = warp_inclusive_sum(value, lane);
    if (lane == WARP_LANES - 1) warp_sums[warp] = inclusive;
    __syncthreads();
    const uint32_t sums = warp_inclusive_sum(lane < WARPS ? warp_sums[lane] : 0, lane);
    const uint32_t before = __shfl_sync(ALL_LANES, sums, warp == 0 ? 0 : warp - 1);
    __syncthreads();
    return inclusive - value + (warp == 0 ? 0 : before);
}

template <int DIGIT_BITS>
__device__ __forceinline__ void cta_scan_segments(const SortBatch& batch, ScanMemory& memory) {
    constexpr uint32_t DIGITS = 1u << DIGIT_BITS;
    constexpr int THREADS = SortPolicy::SCAN_CTA_THREADS;
    constexpr int DEPTH = SortPolicy::SCAN_TILES_IN_FLIGHT;
    static_assert(THREADS >= DIGITS, "a thread for each digit");
    const uint32_t segment_count = segment_count_of(batch);
    const uint32_t digit = threadIdx.x;
    for (uint32_t index = blockIdx.x; index < segment_count; index += gridDim.x) {
        const Segment segment = load_segment(batch, index);
        uint32_t tiles = digit < DIGITS ? (segment.count + TILE_KEYS - 1) / TILE_KEYS : 0;
        if (segment.first_tile >= batch.tile_capacity) tiles = 0;
        else
            tiles = tiles < batch.tile_capacity - segment.first_tile ? tiles : batch.tile_capacity - segment.first_tile;
        uint32_t* column = batch.histograms + uint64_t{segment.first_tile} * DIGITS + digit;
        uint32_t all = 0;
#pragma unroll DEPTH
        for (uint32_t tile = 0; tile < tiles; ++tile) all += column[uint64_t{tile} * DIGITS];
        uint32_t before = cta_exclusive_sum<THREADS>(all, memory.warp_sums);
        uint32_t tile = 0;
        for (; tile + DEPTH <= tiles; tile += DEPTH) {
            uint32_t counts[DEPTH];
#pragma unroll
            for (int i = 0; i < DEPTH; ++i) counts[i] = column[uint64_t{tile + i} * DIGITS];
#pragma unroll
            for (int i = 0; i < DEPTH; ++i) {
                column[uint64_t{tile + i} * DIGITS] = before;
                before += counts[i];
            }
        }
        for (; tile < tiles; ++tile) {
            const uint32_t count = column[uint64_t{tile} * DIGITS];
            column[uint64_t{tile} * DIGITS] = before;
            before += count;
        }
    }
}

}  // namespace warpcodec::sort
