// Step 3 of strong_nearest.cuh: deals the places of a frame to buckets of a kind, each bucket in the order of the text.
//
// It is a pass of a stable radix sort (sort/sort_scatter.cuh has its reasons), whose digit is a rank's bucket. A place
// takes part if its group of the kind before crosses a window's end; with the first kind all do. A place goes to where
// its bucket begins, behind the bucket's places in tiles before, in warps before, in rounds before, in lanes before.
#pragma once

#include "sort/sort_scatter.cuh"
#include "strong_nearest_tables.cuh"

namespace strong_candidates {

template <class Shape>
struct DealMemory {
    Window own[Shape::MOST_WINDOWS];
    Window coarser[Shape::MOST_WINDOWS];  ///< of the kind before
    uint32_t targets[Shape::MOST_DIGITS];  ///< counts of the tile, or where its places of a digit go
};

/// Reads the windows of a kind and of the one before. The caller waits.
template <class Shape>
__device__ __forceinline__ void cta_load_windows(const NearestBatch& batch, uint32_t frame, uint32_t kind,
                                                 DealMemory<Shape>& memory) {
    for (uint32_t at = threadIdx.x; at < batch.windows; at += blockDim.x) {
        memory.own[at] = table_of(batch, frame, kind)[at];
        if (kind > 0) memory.coarser[at] = table_of(batch, frame, kind - 1)[at];
    }
}

/// The digit of a place that takes part, or NO_PLACE.
template <class Shape>
__device__ __forceinline__ uint32_t thread_digit(const DealMemory<Shape>& memory, uint32_t kind, uint32_t rank,
                                                 uint32_t count) {
    if (rank >= count) return NO_PLACE;
    const uint32_t window = rank / Shape::WINDOW;
    if (kind > 0 && !is_crossing<Shape>(memory.coarser[window], rank)) return NO_PLACE;
    return digit_of_rank<Shape>(memory.own[window], rank);
}

/// How many places of a tile go to each bucket.
template <class Shape>
__device__ __forceinline__ void cta_count_buckets(const NearestBatch& batch, uint32_t frame_index, uint32_t kind,
                                                  uint32_t tile, DealMemory<Shape>& memory) {
    const FrameRange frame = batch.frames[frame_index];
    for (uint32_t digit = threadIdx.x; digit < batch.digits; digit += Shape::THREADS) memory.targets[digit] = 0;
    cta_load_windows(batch, frame_index, kind, memory);
    __syncthreads();
#pragma unroll 8
    for (uint32_t round = 0; round < Shape::ROUNDS; ++round) {
        const uint32_t place = tile * Shape::TILE + round * Shape::THREADS + threadIdx.x;
        const uint32_t rank = place < frame.count ? batch.ranks[frame.begin + place] : NO_PLACE;
        const uint32_t digit = thread_digit(memory, kind, rank, frame.count);
        if (digit != NO_PLACE) atomicAdd(&memory.targets[digit], 1u);
    }
    __syncthreads();
    uint32_t* counts = batch.counts + (size_t{frame_index} * batch.tiles + tile) * batch.digits;
    for (uint32_t digit = threadIdx.x; digit < batch.digits; digit += Shape::THREADS)
        counts[digit] = memory.targets[digit];
}

template <uint32_t WARPS>
struct PlaceMemory {
    uint32_t sums[WARPS][WARP_LANES];
};

/// Makes of the counts of 32 buckets, of all tiles, where each tile's places go. A lane takes a bucket, a warp some of
/// the tiles.
template <class Shape, uint32_t WARPS>
__device__ __forceinline__ void cta_place_buckets(const NearestBatch& batch, uint32_t frame_index, uint32_t kind,
                                                  uint32_t first_digit, PlaceMemory<WARPS>& memory) {
    const uint32_t lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    const uint32_t digit = first_digit + lane;
    const uint32_t share = parts_of(batch.tiles, WARPS);
    const uint32_t from = min(warp * share, batch.tiles), limit = min(from + share, batch.tiles);
    uint32_t* column = batch.counts + size_t{frame_index} * batch.tiles * batch.digits + digit;
    uint32_t sum = 0;
#pragma unroll 8
    for (uint32_t tile = from; tile < limit; ++tile) sum += column[size_t{tile} * batch.digits];
    memory.sums[warp][lane] = sum;
    __syncthreads();
    const uint32_t window = min(digit / 2, batch.windows - 1);
    const Window own = table_of(batch, frame_index, kind)[window];
    uint32_t before = window * Shape::WINDOW + (digit % 2 == 0 ? own.first : own.open);
    uint32_t all = 0;
    for (uint32_t other = 0; other < WARPS; ++other) {
        const uint32_t its = memory.sums[other][lane];
        before += other < warp ? its : 0;
        all += its;
    }
    if (warp == 0) batch.sizes[size_t{frame_index} * batch.digits + digit] = all;
#pragma unroll 8
    for (uint32_t tile = from; tile < limit; ++tile) {
        const uint32_t count = column[size_t{tile} * batch.digits];
        column[size_t{tile} * batch.digits] = before;
        before += count;
    }
}

template <class Shape>
struct DealAllMemory {
    DealMemory<Shape> tile;
    /// Places of a warp so far, two digits a word; then where they begin among the tile's.
    uint32_t counts[Shape::WARPS][Shape::MOST_DIGITS / 2];
};

/// Writes the places of a tile to their buckets.
template <class Shape>
__device__ __forceinline__ void cta_deal_places(const NearestBatch& batch, uint32_t frame_index, uint32_t kind,
                                                uint32_t tile, DealAllMemory<Shape>& memory) {
    constexpr uint32_t ROUNDS = Shape::ROUNDS, SHIFT = 16;
    const FrameRange frame = batch.frames[frame_index];
    const uint32_t lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    const uint32_t first = tile * Shape::TILE + warp * (ROUNDS * WARP_LANES) + lane;
    const uint32_t* targets = batch.counts + (size_t{frame_index} * batch.tiles + tile) * batch.digits;
    uint32_t ranks[ROUNDS];
#pragma unroll
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        const uint32_t place = first + round * WARP_LANES;
        ranks[round] = place < frame.count ? batch.ranks[frame.begin + place] : NO_PLACE;
    }
    for (uint32_t digit = threadIdx.x; digit < batch.digits; digit += Shape::THREADS)
        memory.tile.targets[digit] = targets[digit];
    cta_load_windows(batch, frame_index, kind, memory.tile);
    for (uint32_t at = lane; at < batch.digits / 2; at += WARP_LANES) memory.counts[warp][at] = 0;
    __syncthreads();
    uint16_t* counts = reinterpret_cast<uint16_t*>(memory.counts[warp]);
    uint32_t dealt[ROUNDS];  ///< the digit, and above it how many of the warp come before
#pragma unroll
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        const uint32_t digit = thread_digit(memory.tile, kind, ranks[round], frame.count);
        const uint32_t active = __ballot_sync(ALL_LANES, digit != NO_PLACE);
        dealt[round] = NO_PLACE;
        if (active == 0) continue;
        const uint32_t peers = warpcodec::sort::warp_match_digit<Shape::DIGIT_BITS>(digit) & active;
        const uint32_t lower = peers & ((1u << lane) - 1);
        const uint32_t before = digit != NO_PLACE ? counts[digit] : 0;
        __syncwarp();
        if (digit != NO_PLACE) {
            if (lower == 0) counts[digit] = static_cast<uint16_t>(before + __popc(peers));
            dealt[round] = digit | (before + __popc(lower)) << SHIFT;
        }
        __syncwarp();
    }
    __syncthreads();
    for (uint32_t at = threadIdx.x; at < batch.digits / 2; at += Shape::THREADS) {
        uint32_t before = 0;  // two sums, neither of which is above TILE
#pragma unroll
        for (uint32_t other = 0; other < Shape::WARPS; ++other) {
            const uint32_t count = memory.counts[other][at];
            memory.counts[other][at] = before;
            before += count;
        }
    }
    __syncthreads();
    uint64_t* members = batch.members + frame.begin;
#pragma unroll
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        if (dealt[round] == NO_PLACE) continue;
        const uint32_t digit = dealt[round] & ((1u << SHIFT) - 1);
        const uint32_t target = memory.tile.targets[digit] + counts[digit] + (dealt[round] >> SHIFT);
        const uint32_t place = first + round * WARP_LANES;
        if (target < frame.count) members[target] = place | uint64_t{ranks[round]} << 32;
    }
}

}  // namespace strong_candidates
