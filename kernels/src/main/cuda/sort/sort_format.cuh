// The tables of the sort. The Java side (SortKernels) states the same values (see the exports at the end of sort.cu).
//
// Keys lie in two arrays of the same size, and so do their segments. A segment takes the same places in both. A pass
// moves each of its keys from a place of one array to a place of the other. A segment is cut into tiles from its
// first key on, the last of them shorter. Tiles of one segment have numbers in a row, from first_tile on.
#pragma once

#include <cstdint>

#include "../common/layout.cuh"
#include "sort_policy.cuh"

namespace warpcodec::sort {

/// Raised whenever an entry point's arguments, their order, or the meaning of a table changes.
constexpr uint32_t ABI = 1;

/// Digits of a pass. Wide: five passes sort 44 bits. Narrow: three sort 20.
constexpr int WIDE_DIGIT_BITS = 9;
constexpr int NARROW_DIGIT_BITS = 7;
constexpr uint32_t TILE_KEYS = SortPolicy::TILE_KEYS;

/// Keys that are sorted among themselves, 16 bytes.
struct Segment {
    uint32_t begin;  ///< place of its first key in both arrays
    uint32_t count;
    uint32_t first_tile;
    uint32_t owner;  ///< the caller's; the sort does not read it
};
static_assert(sizeof(Segment) == 16, "tables of segments have entries of 16 bytes");

/// How many segments and tiles there are. Kernels before may have written it, so its place is in device memory; 8
/// bytes.
struct SegmentCounts {
    uint32_t segments;
    uint32_t tiles;
};
static_assert(sizeof(SegmentCounts) == 8, "kernels read counts of 8 bytes");

/// One pass over all segments, as its three kernels take it. What the counts say beyond the capacities is not sorted.
struct SortBatch {
    const uint64_t* keys;  ///< key_count of them
    uint64_t* sorted_keys;  ///< likewise
    const Segment* segments;
    const uint32_t* tile_segments;  ///< for each tile its segment
    const SegmentCounts* counts;
    uint32_t* histograms;  ///< scratch: for each tile a word for each digit
    uint32_t key_count;
    uint32_t segment_capacity;
    uint32_t tile_capacity;
    uint32_t shift;  ///< of the digit: its lowest bit in a key
};
constexpr Layout SORT_BATCH_LAYOUT = Layout()
                                         .WARPCODEC_FIELD(SortBatch, keys)
                                         .WARPCODEC_FIELD(SortBatch, sorted_keys)
                                         .WARPCODEC_FIELD(SortBatch, segments)
                                         .WARPCODEC_FIELD(SortBatch, tile_segments)
                                         .WARPCODEC_FIELD(SortBatch, counts)
                                         .WARPCODEC_FIELD(SortBatch, histograms)
                                         .WARPCODEC_FIELD(SortBatch, key_count)
                                         .WARPCODEC_FIELD(SortBatch, segment_capacity)
                                         .WARPCODEC_FIELD(SortBatch, tile_capacity)
                                         .WARPCODEC_FIELD(SortBatch, shift);
static_assert(SORT_BATCH_LAYOUT.is_of<SortBatch>() && sizeof(SortBatch) == 64, "the host sets these fields");

/// The keys of one tile, clamped to the arrays.
struct Tile {
    uint32_t begin;  ///< place of the first
    uint32_t count;  ///< TILE_KEYS at most
    uint32_t segment_begin;
};

__device__ __forceinline__ uint32_t segment_count_of(const SortBatch& batch) {
    const uint32_t count = batch.counts->segments;
    return count < batch.segment_capacity ? count : batch.segment_capacity;
}

__device__ __forceinline__ uint32_t tile_count_of(const SortBatch& batch) {
    const uint32_t count = batch.counts->tiles;
    return count < batch.tile_capacity ? count : batch.tile_capacity;
}

/// A segment whose places exist; one of no keys otherwise.
__device__ __forceinline__ Segment load_segment(const SortBatch& batch, uint32_t index) {
    Segment segment = index < batch.segment_capacity ? batch.segments[index] : Segment{};
    if (segment.begin > batch.key_count || segment.count > batch.key_count - segment.begin) segment.count = 0;
    return segment;
}

__device__ __forceinline__ Tile load_tile(const SortBatch& batch, uint32_t tile) {
    const Segment segment = load_segment(batch, batch.tile_segments[tile]);
    const uint64_t offset = uint64_t{tile - segment.first_tile} * TILE_KEYS;
    if (tile < segment.first_tile || offset >= segment.count) return Tile{segment.begin, 0, segment.begin};
    const uint32_t rest = segment.count - static_cast<uint32_t>(offset);
    return Tile{segment.begin + static_cast<uint32_t>(offset), rest < TILE_KEYS ? rest : TILE_KEYS, segment.begin};
}

template <int DIGIT_BITS>
__device__ __forceinline__ uint32_t digit_of(uint64_t key, uint32_t shift) {
    return static_cast<uint32_t>(key >> shift) & ((1u << DIGIT_BITS) - 1);
}

}  // namespace warpcodec::sort
