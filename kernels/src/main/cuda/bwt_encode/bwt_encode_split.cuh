// Splits sorted segments into groups: what the first sort leaves, a segment a block, and in each round what the sort
// of large groups leaves.
//
// A rotation begins a group if its key differs from that of the one before it. Its rank is the place where its group
// begins; a group that begins before the tile is found by a binary search for its key, so no cta needs another one's
// answer. Writes a tile's ranks, its group bits, how many symbols each tied group shares, and enters groups that are
// too large for a window as segments of the next round, and the windows of all others. One thread enters a group, the
// one at whose place it begins.
//
// Rotations that share as many symbols as are compared are equal: any order of them is right, and they stay in that of
// their positions, each a group of its own. All sorts are stable and begin in the order of positions, so the
// result is the same on every run.
//
// Reads 16 bytes a rotation and, of those that are tied, how many symbols they share; writes 8 bytes for its position
// in order, and its rank to anywhere in the block.
#pragma once

#include "bwt_encode_heads.cuh"
#include "bwt_encode_keys.cuh"

namespace warpcodec::bwt_encode {

using TileFrame = HeadFrame<TILE_ROTATIONS>;

struct SplitMemory {
    TileFrame frame;
    uint32_t first_begin;  ///< place in the segment where the group of the tile's first rotation begins
    uint32_t last_end;  ///< place in the segment where the group of its last one ends
};

/// The first sort: keys of KEY_BITS; how many symbols each position's key holds.
template <typename Shape>
struct FirstSplit {
    static constexpr bool IS_FIRST = true;
    static_assert(Shape::CUT > Shape::KEY_BITS + 1, "no key holds what is compared of a long block");
    const uint8_t* held;  ///< by position, of the block
    uint32_t block_bytes;

    __device__ __forceinline__ static uint64_t compared(uint64_t key) { return key >> Shape::POSITION_BITS; }
    __device__ __forceinline__ uint32_t shared(uint64_t key) const {
        return held[static_cast<uint32_t>(key) & Shape::POSITION_MASK];
    }
    /// Whether rotations with this key, of which there are two, are equal. Only a short block fits into a key.
    __device__ __forceinline__ bool are_equal(uint64_t key) const {
        return block_bytes <= Shape::KEY_BITS + 1 && shared(key) >= block_bytes;
    }
};

/// A round's: ranks of what follows the symbols that the segment shares.
template <typename Shape>
struct LaterSplit {
    static constexpr bool IS_FIRST = false;
    const uint32_t* rank_shared;  ///< by rank, of the block
    uint32_t segment_shared;
    uint32_t block_bytes;

    __device__ __forceinline__ static uint64_t compared(uint64_t key) { return key >> Shape::POSITION_BITS; }
    __device__ __forceinline__ uint32_t shared(uint64_t key) const {
        return segment_shared + rank_shared[static_cast<uint32_t>(compared(key))];
    }
    __device__ __forceinline__ bool are_equal(uint64_t key) const {
        return shared(key) >= Shape::compared_symbols(block_bytes);
    }
};

/// First of `count` sorted keys that is not below `compared`.
template <typename Kind>
__device__ __forceinline__ uint32_t thread_lower_bound(const uint64_t* keys, uint32_t count, uint64_t compared) {
    uint32_t first = 0;
    while (count > 0) {
        const uint32_t half = count / 2;
        const bool less = Kind::compared(keys[first + half]) < compared;
        first = less ? first + half + 1 : first;
        count = less ? count - half - 1 : half;
    }
    return first;
}

/// Enters a group as a segment of the next round, if the table can take it, as it always can.
__device__ __forceinline__ void thread_enter_segment(const BwtBatch& batch, const Round& round, uint32_t begin,
                                                     uint32_t count, uint32_t block_index) {
    const uint32_t tiles = (count + TILE_ROTATIONS - 1) / TILE_ROTATIONS;
    const uint32_t index = atomicAdd(&round.next_counts->large.segments, 1u);
    const uint32_t first_tile = atomicAdd(&round.next_counts->large.tiles, tiles);
    if (index >= batch.segment_capacity || first_tile > batch.tile_capacity || tiles > batch.tile_capacity - first_tile)
        return;
    round.next_segments[index] = sort::Segment{begin, count, first_tile, block_index};
    for (uint32_t tile = 0; tile < tiles; ++tile) round.next_tile_segments[first_tile + tile] = index;
}

/// Sets the tile's group bits in the frame: a warp sets a word a turn. Places behind the tile's last begin groups.
template <typename Kind>
__device__ __forceinline__ void cta_find_heads(const Kind& kind, const uint64_t* keys, uint32_t tile_begin,
                                               uint32_t tile_count, TileFrame& frame) {
#pragma unroll 4
    for (int i = threadIdx.x; i < TileFrame::PLACES; i += SplitPolicy::CTA_THREADS) {
        bool begins = true;
        const uint32_t at = tile_begin + i;
        if (i < static_cast<int>(tile_count) && at > 0) {
            const uint64_t key = keys[at];
            begins = kind.compared(key) != kind.compared(keys[at - 1]) || kind.are_equal(key);
        }
        const uint32_t word = __ballot_sync(ALL_LANES, begins);
        if (i % WARP_LANES == 0) frame.words[i / 32] = word;
    }
}

/// One tile of a segment. `keys` are the segment's, sorted.
template <typename Shape, typename Kind>
__device__ __forceinline__ void cta_split_tile(const BwtBatch& batch, const Round& round, const Kind& kind,
                                               const Block& block, const sort::Segment& segment, const uint64_t* keys,
                                               uint32_t tile_begin, uint32_t tile_count, SplitMemory& memory) {
    const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    TileFrame& frame = memory.frame;
    cta_find_heads(kind, keys, tile_begin, tile_count, frame);
    __syncthreads();
    const uint32_t tile_limit = tile_begin + tile_count;
    if (warp == 0) warp_index_heads(frame, lane);
    if (threadIdx.x == WARP_LANES && (frame.words[0] & 1) == 0) {
        memory.first_begin = thread_lower_bound<Kind>(keys, tile_begin, kind.compared(keys[tile_begin]));
    }
    if (threadIdx.x == 2 * WARP_LANES) {
        memory.last_end = tile_limit;
        const uint64_t last = keys[tile_limit - 1];
        if (tile_limit < segment.count && kind.compared(keys[tile_limit]) == kind.compared(last) &&
            !kind.are_equal(last)) {
            memory.last_end = tile_limit + thread_lower_bound<Kind>(keys + tile_limit, segment.count - tile_limit,
                                                                    kind.compared(last) + 1);
        }
    }
    __syncthreads();
    uint32_t tied = 0;
    const uint32_t segment_rank = segment.begin - block.base;
#pragma unroll 4
    for (int i = threadIdx.x; i < static_cast<int>(tile_count); i += SplitPolicy::CTA_THREADS) {
        const uint64_t key = keys[tile_begin + i];
        const uint32_t position = static_cast<uint32_t>(key) & Shape::POSITION_MASK;
        const int frame_begin = frame.begin_of(i), frame_end = frame.end_of(i);
        const uint32_t begin = frame_begin < 0 ? memory.first_begin : tile_begin + frame_begin;
        const uint32_t end = frame_end >= static_cast<int>(tile_count) ? memory.last_end : tile_begin + frame_end;
        batch.keys_a[segment.begin + tile_begin + i] = position;
        batch.ranks[block.base + position] = segment_rank + begin;
        if (end - begin < 2) continue;
        ++tied;
        if (frame_begin != i) continue;
        round.next_shared[segment.begin + begin] = kind.shared(key);
        if (end - begin > static_cast<uint32_t>(Shape::Refine::MAX_GROUP)) {
            thread_enter_segment(batch, round, segment.begin + begin, end - begin, segment.owner);
        } else if (!Kind::IS_FIRST) {
            thread_enter_window<Shape>(batch, round, (segment.begin + begin) / Shape::Refine::WINDOW);
        }
    }
    warp_add_to(&round.next_counts->tied, tied, lane);
}

/// Whether a group of two or more begins in a window of the tile, or may: the last place's neighbour is not here.
template <typename Shape>
__device__ __forceinline__ bool thread_has_ties(const TileFrame& frame, uint32_t window) {
    constexpr int WORDS = Shape::Refine::WINDOW / 32;
    bool ties = false;
    for (int word = window * WORDS; word < static_cast<int>(window + 1) * WORDS; ++word) {
        const uint32_t next = word + 1 < TileFrame::WORDS ? frame.words[word + 1] : 0;
        ties |= (frame.words[word] & ~(frame.words[word] >> 1 | next << 31)) != 0;
    }
    return ties;
}

/// After the first sort: its keys lie in keys_b, an odd number of passes.
template <typename Shape>
__device__ __forceinline__ void cta_split_blocks(const BwtBatch& batch, SplitMemory& memory) {
    const Round round(batch, Shape::MAX_ROUNDS);
    const sort::SortBatch segments = segments_of(batch, round);
    for (uint32_t index = blockIdx.x; index < batch.tile_count; index += gridDim.x) {
        const sort::Segment segment = sort::load_segment(segments, batch.tile_segments_a[index]);
        const sort::Tile tile = sort::load_tile(segments, index);
        const Block block = load_block<Shape>(batch, segment.owner);
        if (tile.count > 0) {
            const FirstSplit<Shape> kind{reinterpret_cast<const uint8_t*>(batch.shared_b) + block.base, block.bytes};
            cta_split_tile<Shape>(batch, round, kind, block, segment, batch.keys_b + segment.begin,
                                  tile.begin - segment.begin, tile.count, memory);
        }
        for (int word = threadIdx.x; word < TileFrame::WORDS; word += SplitPolicy::CTA_THREADS) {
            const uint32_t bits = tile.count > 0 ? memory.frame.words[word] : ALL_LANES;
            batch.heads[index * TileFrame::WORDS + word] = bits;
        }
        if (threadIdx.x < Shape::WINDOWS_PER_TILE) {
            const uint32_t window = index * Shape::WINDOWS_PER_TILE + threadIdx.x;
            batch.window_marks[window] = 0;
            if (tile.count > 0 && thread_has_ties<Shape>(memory.frame, threadIdx.x))
                thread_enter_window<Shape>(batch, round, window);
        }
        __syncthreads();
    }
}

/// After a round's sort of large groups: its keys lie in keys_b, likewise.
template <typename Shape>
__device__ __forceinline__ void cta_split_segments(const BwtBatch& batch, SplitMemory& memory) {
    const Round round(batch, Shape::MAX_ROUNDS);
    const sort::SortBatch segments = segments_of(batch, round);
    const uint32_t tile_count = sort::tile_count_of(segments);
    for (uint32_t index = blockIdx.x; index < tile_count; index += gridDim.x) {
        const sort::Segment segment = sort::load_segment(segments, round.tile_segments[index]);
        const sort::Tile tile = sort::load_tile(segments, index);
        if (tile.count == 0) continue;
        const Block block = load_block<Shape>(batch, segment.owner);
        const LaterSplit<Shape> kind{round.shared + block.base, round.shared[segment.begin], block.bytes};
        cta_split_tile<Shape>(batch, round, kind, block, segment, batch.keys_b + segment.begin,
                              tile.begin - segment.begin, tile.count, memory);
        for (int word = threadIdx.x; word * 32u < tile.count; word += SplitPolicy::CTA_THREADS) {
            const uint32_t rest = tile.count - word * 32;
            const uint32_t bits = memory.frame.words[word] & (rest >= 32 ? ALL_LANES : (1u << rest) - 1);
            const uint32_t at = tile.begin + word * 32;
            if (bits << (at % 32) != 0) atomicOr(batch.heads + at / 32, bits << (at % 32));
            if (at % 32 != 0 && bits >> (32 - at % 32) != 0)
                atomicOr(batch.heads + at / 32 + 1, bits >> (32 - at % 32));
        }
        __syncthreads();
    }
}

}  // namespace warpcodec::bwt_encode
