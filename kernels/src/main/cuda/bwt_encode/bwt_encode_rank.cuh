// What a round does around its sorts: the ranks of what the windows have sorted, the keys of large groups, and at the
// end the last column.
#pragma once

#include "bwt_encode_keys.cuh"
#include "bwt_encode_refine.cuh"

namespace warpcodec::bwt_encode {

template <typename Shape>
struct RankMemory {
    WindowFrame<Shape> frame;  ///< the groups as the round left them
    uint32_t old_words[WindowFrame<Shape>::WORDS];
};

/// The ranks of rotations whose groups begin elsewhere than before, the group bits, and the windows in which
/// something is still tied. Runs when all windows of the round are sorted. Others may add bits to this window's
/// words, but only outside its range.
template <typename Shape>
__device__ __forceinline__ void cta_rank_windows(const BwtBatch& batch, RankMemory<Shape>& memory) {
    constexpr int WORDS = WindowFrame<Shape>::WORDS, WINDOW = Shape::Refine::WINDOW;
    const Round round(batch, Shape::MAX_ROUNDS);
    const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    const uint32_t window_count = min(round.counts->windows, batch.tile_count * Shape::WINDOWS_PER_TILE);
    uint32_t all_tied = 0;
    for (uint32_t index = blockIdx.x; index < window_count; index += gridDim.x) {
        const Window window = load_window<Shape>(batch, round.windows[index]);
        const uint32_t range = batch.window_ranges[window.index];
        if (range == 0) continue;
        const int first = range & 0xFFFF, limit = range >> 16;
        cta_load_heads<RankPolicy::CTA_THREADS>(batch, window, memory.frame);
        __syncthreads();
        for (int word = threadIdx.x; word < WORDS; word += RankPolicy::CTA_THREADS) {
            const uint32_t old = memory.frame.words[word];
            const uint32_t added = batch.added_heads[window.index * WORDS + word];
            memory.old_words[word] = old;
            memory.frame.words[word] = old | added;
            if (added != 0) atomicOr(batch.heads + window.begin / 32 + word, added);
        }
        __syncthreads();
        if (warp == 0) warp_index_heads(memory.frame, lane);
        __syncthreads();
        uint32_t tied = 0, tied_behind = 0;
#pragma unroll 4
        for (int place = first + threadIdx.x; place < limit; place += RankPolicy::CTA_THREADS) {
            const int begin = memory.frame.begin_of(place);
            const uint32_t ties = memory.frame.end_of(place) - begin >= 2 ? 1 : 0;
            tied += ties;
            tied_behind += begin >= WINDOW ? ties : 0;
            if ((memory.old_words[begin / 32] >> (begin % 32) & 1) != 0) continue;
            const uint32_t position = static_cast<uint32_t>(batch.keys_a[window.begin + place]) & Shape::POSITION_MASK;
            batch.ranks[window.block_base + position] = window.begin - window.block_base + begin;
        }
        all_tied += tied;
        // A group that reached into the next window may have become a group that begins there.
        if (__syncthreads_or(tied != tied_behind) && threadIdx.x == 0)
            thread_enter_window<Shape>(batch, round, window.index);
        if (__syncthreads_or(tied_behind != 0) && threadIdx.x == 0)
            thread_enter_window<Shape>(batch, round, window.index + 1);
    }
    warp_add_to(&round.next_counts->tied, all_tied, lane);
}

/// The keys of large groups: the rank of what follows the symbols that are shared, and the position. They take the
/// place of the positions in keys_a; the digits of the first pass are counted on the way.
template <typename Shape>
__device__ __forceinline__ void cta_gather_segments(const BwtBatch& batch,
                                                    sort::CountMemory<Shape::NARROW_DIGIT_BITS>& memory) {
    const Round round(batch, Shape::MAX_ROUNDS);
    const sort::SortBatch segments = segments_of(batch, round);
    const uint32_t tile_count = sort::tile_count_of(segments);
    for (uint32_t index = blockIdx.x; index < tile_count; index += gridDim.x) {
        const sort::Segment segment = sort::load_segment(segments, round.tile_segments[index]);
        const sort::Tile tile = sort::load_tile(segments, index);
        sort::cta_clear_counts(memory);
        __syncthreads();
        if (tile.count > 0) {
            const Block block = load_block<Shape>(batch, segment.owner);
            const uint32_t shared = round.shared[segment.begin];
#pragma unroll 8
            for (uint32_t at = threadIdx.x; at < tile.count; at += sort::SortPolicy::CTA_THREADS) {
                const uint32_t position = static_cast<uint32_t>(batch.keys_a[tile.begin + at]) & Shape::POSITION_MASK;
                const uint64_t rank = batch.ranks[block.base + advance(position, shared, block.bytes)];
                const uint64_t key = rank << Shape::POSITION_BITS | position;
                batch.keys_a[tile.begin + at] = key;
                atomicAdd(&memory.counts[sort::digit_of<Shape::NARROW_DIGIT_BITS>(key, Shape::POSITION_BITS)], 1u);
            }
            __syncthreads();
        }
        sort::cta_store_counts(memory, batch.histograms, index);
        __syncthreads();
    }
}

/// The last column: of each row the symbol before its rotation. And the row of the rotation that begins where the
/// block does.
template <typename Shape>
__device__ __forceinline__ void cta_write_columns(const BwtBatch& batch) {
    for (uint32_t index = blockIdx.x; index < batch.tile_count; index += gridDim.x) {
        const uint32_t block_index = batch.tile_blocks[index];
        const Block block = load_block<Shape>(batch, block_index);
        const uint32_t begin = index * TILE_ROTATIONS - block.base;
#pragma unroll 8
        for (uint32_t at = threadIdx.x; at < TILE_ROTATIONS; at += ColumnPolicy::CTA_THREADS) {
            const uint32_t row = begin + at;
            if (row >= block.bytes) continue;
            const uint32_t position = static_cast<uint32_t>(batch.keys_a[block.base + row]) & Shape::POSITION_MASK;
            block.column[row] = __ldg(block.text + (position == 0 ? block.bytes : position) - 1);
            if (position == 0) batch.results[block_index].origin_row = row;
        }
    }
}

/// The tables of the first sort, which has a segment for each block; and an empty count for each round. A cta a block.
template <typename Shape>
__device__ __forceinline__ void cta_begin_blocks(const BwtBatch& batch) {
    for (uint32_t index = blockIdx.x; index < batch.block_count; index += gridDim.x) {
        const Block block = load_block<Shape>(batch, index);
        const uint32_t first_tile = block.base / TILE_ROTATIONS;
        for (uint32_t tile = threadIdx.x; tile < block.tiles; tile += SplitPolicy::CTA_THREADS) {
            batch.tile_blocks[first_tile + tile] = index;
            batch.tile_segments_a[first_tile + tile] = index;
        }
        if (threadIdx.x == 0) {
            batch.segments_a[index] = sort::Segment{block.base, block.bytes, first_tile, index};
            batch.results[index] = BwtResult{block.is_sound ? STATUS_SOUND : STATUS_BAD_ENTRY, 0};
        }
        if (Shape::KNOWS_SYMBOLS && block.bytes > 0 && threadIdx.x < SYMBOLS / 32)
            known_symbols_of(batch, block)[threadIdx.x] = 0;
    }
    if (blockIdx.x != 0) return;
    for (uint32_t round = threadIdx.x; round < Shape::MAX_ROUNDS + 2; round += SplitPolicy::CTA_THREADS) {
        batch.rounds[round] =
            round == 0 ? RoundCounts{{batch.block_count, batch.tile_count}, 0, 0} : RoundCounts{{0, 0}, 0, 0};
    }
}

}  // namespace warpcodec::bwt_encode
