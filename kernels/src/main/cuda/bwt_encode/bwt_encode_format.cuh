// The tables of the forward transform, and where it keeps what. The Java side (BwtEncodeKernels) states the same
// values (see the exports at the end of bwt_encode.cu).
//
// Each block owns whole tiles of TILE_ROTATIONS places, one behind the other; place j of a block is row j of its
// sorted rotations. All arrays but the text and the column are indexed by place, or, which needs as much memory, by
// the position in the text where a rotation begins.
//
// A rotation's rank is the place where its group begins: the rotations that are not told apart yet. Group bits
// (`heads`) say where groups begin; a group of one is done. Every group knows how many symbols its members share.
#pragma once

#include <cstdint>

#include "../common/layout.cuh"
#include "../common/status.cuh"
#include "bwt_encode_shape.cuh"

namespace warpcodec::bwt_encode {

/// Raised whenever an entry point's arguments, their order, or the meaning of a table changes.
constexpr uint32_t ABI = 1;

/// bzip2's largest block.
constexpr uint32_t MAX_BLOCK_BYTES = BlockShape::MAX_BYTES;

/// Words of alphabetic codes: a symbol's by the one before it, a row for each; a last row for symbols of which that
/// is not known.
constexpr int SYMBOLS = 256;
constexpr int CODE_ROWS = SYMBOLS + 1;
constexpr uint32_t CODES_PER_BLOCK = CODE_ROWS * SYMBOLS;

/// One block of a batch, 16 bytes; behind the last block's entry stands one whose first_tile is the batch's number of
/// tiles. Kernels may have written it.
struct BwtEntry {
    uint64_t text_offset;  ///< of its first byte, in the text and in the column
    uint32_t text_bytes;
    uint32_t first_tile;  ///< of those that it owns
};
static_assert(sizeof(BwtEntry) == 16, "entries have 16 bytes");

/// What became of a block, 8 bytes.
struct BwtResult {
    uint32_t status;
    uint32_t origin_row;  ///< of the rotation that begins with the block's first byte
};
static_assert(sizeof(BwtResult) == 8, "results have 8 bytes");

/// What a round leaves to the next: 16 bytes.
struct RoundCounts {
    sort::SegmentCounts large;  ///< groups beyond MAX_GROUP of the shape, and their tiles
    uint32_t tied;  ///< rotations in groups of two or more
    uint32_t windows;  ///< in which such groups begin, if not large
};
static_assert(sizeof(RoundCounts) == 16, "the host reads counts of 16 bytes");

/// One batch, as all kernels of the transform take it.
struct BwtBatch {
    const uint8_t* text;
    uint8_t* column;
    uint64_t text_bytes;  ///< of both
    const BwtEntry* entries;
    BwtResult* results;
    uint64_t* keys_a;  ///< from the first split on: in each place the position of its rotation
    uint64_t* keys_b;
    uint32_t* ranks;  ///< by position
    uint32_t* shared_a;  ///< by place where a group begins: symbols that its members share
    uint32_t* shared_b;
    uint32_t* heads;  ///< a bit for each place
    uint32_t* added_heads;  ///< of each window, by refine_windows for rank_windows: WINDOW_PLACES bits
    uint32_t* window_ranges;  ///< likewise: the places of its groups
    uint32_t* window_marks;  ///< for each window the last round for which it was entered
    uint32_t* windows_a;  ///< those entered
    uint32_t* windows_b;
    uint16_t* codes;
    uint32_t* histograms;  ///< of the sort
    uint32_t* tile_blocks;  ///< for each tile its block
    sort::Segment* segments_a;
    sort::Segment* segments_b;
    uint32_t* tile_segments_a;
    uint32_t* tile_segments_b;
    RoundCounts* rounds;  ///< MAX_ROUNDS of the shape, and 2
    uint32_t block_count;
    uint32_t tile_count;
    uint32_t segment_capacity;
    uint32_t tile_capacity;  ///< of the tables of tiles of segments
    uint32_t round;  ///< 0 for the first sort
};
constexpr Layout BWT_BATCH_LAYOUT = Layout()
                                        .WARPCODEC_FIELD(BwtBatch, text)
                                        .WARPCODEC_FIELD(BwtBatch, column)
                                        .WARPCODEC_FIELD(BwtBatch, text_bytes)
                                        .WARPCODEC_FIELD(BwtBatch, entries)
                                        .WARPCODEC_FIELD(BwtBatch, results)
                                        .WARPCODEC_FIELD(BwtBatch, keys_a)
                                        .WARPCODEC_FIELD(BwtBatch, keys_b)
                                        .WARPCODEC_FIELD(BwtBatch, ranks)
                                        .WARPCODEC_FIELD(BwtBatch, shared_a)
                                        .WARPCODEC_FIELD(BwtBatch, shared_b)
                                        .WARPCODEC_FIELD(BwtBatch, heads)
                                        .WARPCODEC_FIELD(BwtBatch, added_heads)
                                        .WARPCODEC_FIELD(BwtBatch, window_ranges)
                                        .WARPCODEC_FIELD(BwtBatch, window_marks)
                                        .WARPCODEC_FIELD(BwtBatch, windows_a)
                                        .WARPCODEC_FIELD(BwtBatch, windows_b)
                                        .WARPCODEC_FIELD(BwtBatch, codes)
                                        .WARPCODEC_FIELD(BwtBatch, histograms)
                                        .WARPCODEC_FIELD(BwtBatch, tile_blocks)
                                        .WARPCODEC_FIELD(BwtBatch, segments_a)
                                        .WARPCODEC_FIELD(BwtBatch, segments_b)
                                        .WARPCODEC_FIELD(BwtBatch, tile_segments_a)
                                        .WARPCODEC_FIELD(BwtBatch, tile_segments_b)
                                        .WARPCODEC_FIELD(BwtBatch, rounds)
                                        .WARPCODEC_FIELD(BwtBatch, block_count)
                                        .WARPCODEC_FIELD(BwtBatch, tile_count)
                                        .WARPCODEC_FIELD(BwtBatch, segment_capacity)
                                        .WARPCODEC_FIELD(BwtBatch, tile_capacity)
                                        .WARPCODEC_FIELD(BwtBatch, round);
static_assert(BWT_BATCH_LAYOUT.is_of<BwtBatch>() && sizeof(BwtBatch) == 216, "the host sets these fields");

/// The tables of a round: what it reads, and what it leaves. They change places from round to round.
struct Round {
    const RoundCounts* counts;
    const sort::Segment* segments;
    const uint32_t* tile_segments;
    const uint32_t* windows;
    const uint32_t* shared;
    RoundCounts* next_counts;
    sort::Segment* next_segments;
    uint32_t* next_tile_segments;
    uint32_t* next_windows;
    uint32_t* next_shared;

    __device__ __forceinline__ Round(const BwtBatch& batch, uint32_t max_rounds) {
        const bool odd = (batch.round & 1) != 0;
        const uint32_t round = batch.round <= max_rounds ? batch.round : max_rounds;
        counts = batch.rounds + round;
        next_counts = batch.rounds + round + 1;
        segments = odd ? batch.segments_b : batch.segments_a;
        next_segments = odd ? batch.segments_a : batch.segments_b;
        tile_segments = odd ? batch.tile_segments_b : batch.tile_segments_a;
        next_tile_segments = odd ? batch.tile_segments_a : batch.tile_segments_b;
        windows = odd ? batch.windows_b : batch.windows_a;
        next_windows = odd ? batch.windows_a : batch.windows_b;
        shared = odd ? batch.shared_a : batch.shared_b;
        next_shared = odd ? batch.shared_b : batch.shared_a;
    }
};

/// Enters a window for the next round, once.
template <typename Shape>
__device__ __forceinline__ void thread_enter_window(const BwtBatch& batch, const Round& round, uint32_t window) {
    if (atomicExch(batch.window_marks + window, batch.round + 1) == batch.round + 1) return;
    const uint32_t index = atomicAdd(&round.next_counts->windows, 1u);
    if (index < batch.tile_count * Shape::WINDOWS_PER_TILE) round.next_windows[index] = window;
}

/// A block whose bytes exist; one of no bytes otherwise.
struct Block {
    const uint8_t* text;
    uint8_t* column;
    uint32_t bytes;
    uint32_t base;  ///< its first place
    uint32_t tiles;  ///< that it owns
    bool is_sound;
};

/// Block `index`; one of no bytes for an index that no block has.
template <typename Shape>
__device__ __forceinline__ Block load_block(const BwtBatch& batch, uint32_t index) {
    if (index >= batch.block_count) return Block{batch.text, batch.column, 0, 0, 0, false};
    const BwtEntry entry = batch.entries[index];
    const uint32_t limit = batch.entries[index + 1].first_tile;
    const bool owns = entry.first_tile <= limit && limit <= batch.tile_count;
    const uint32_t tiles = owns ? limit - entry.first_tile : 0;
    const bool is_sound =
        owns && entry.text_bytes <= Shape::MAX_BYTES && entry.text_bytes <= uint64_t{tiles} * TILE_ROTATIONS &&
        entry.text_offset <= batch.text_bytes && entry.text_bytes <= batch.text_bytes - entry.text_offset;
    return Block{batch.text + (is_sound ? entry.text_offset : 0),
                 batch.column + (is_sound ? entry.text_offset : 0),
                 is_sound ? entry.text_bytes : 0,
                 owns ? entry.first_tile * TILE_ROTATIONS : 0,
                 tiles,
                 is_sound};
}

/// The batch's segments of this round, for the loaders of the sort.
__device__ __forceinline__ sort::SortBatch segments_of(const BwtBatch& batch, const Round& round) {
    sort::SortBatch segments{};
    segments.segments = round.segments;
    segments.tile_segments = round.tile_segments;
    segments.counts = &round.counts->large;
    segments.key_count = batch.tile_count * TILE_ROTATIONS;
    segments.segment_capacity = batch.segment_capacity;
    segments.tile_capacity = batch.tile_capacity;
    return segments;
}

/// Position 0 to bytes - 1 that lies `steps`, less than `bytes`, behind another, on the circle. Never another one,
/// whatever `steps` is.
__device__ __forceinline__ uint32_t advance(uint32_t position, uint32_t steps, uint32_t bytes) {
    const uint32_t sum = position + steps;
    const uint32_t wrapped = sum >= bytes ? sum - bytes : sum;
    return wrapped < bytes ? wrapped : 0;
}

}  // namespace warpcodec::bwt_encode
