// All nearest smaller values of an order: for each place the places on the nearest rank above and below that hold an
// earlier one. The longest match begins at one of both (Ching's thesis). Problem and tree are those of Berkman,
// Schieber and Vishkin: "Optimal doubly logarithmic parallel algorithms based on finding all nearest smaller values",
// 1993.
//
// Ranks of a frame are the leaves of a tree of minima with FAN children a node: eight words, which are one sector.
//
// 1. cta_find_tile_minima. A cta takes a tile of ranks, eight a thread, and writes the tree's levels within the tile.
// 2. cta_find_upper_minima. A cta takes a frame, and writes the levels above tiles.
// 3. cta_find_smaller_values. A cta takes a tile, with its part of the tree in shared memory. A thread compares its
//    eight values in registers. What is left open climbs: at each level one look at the node's siblings, on the side
//    that is searched. The nearest sibling with a smaller minimum has the value: a look a level down to it. What is
//    open in the whole tile climbs on in device memory, and comes down in another tile. Open values of a thread and a
//    side fall, so what is smaller than the next one, too, is its answer without a search.
//
// Bounds: a search takes one look a level up and one a level down, whatever the order is. 8 Mi ranks have seven levels,
// of which a tile of 4,096 has three. Random orders leave 2.7 of a thread's eight values open on a side, and 9 of a
// tile's 4,096. Orders that saw leave all of a tile's open; lanes search at once, each for itself.
//
// Frames of any lengths are a batch (common/frames.cuh). A level of the tree is one array for all of them, with as many
// words for each unit. A frame has the levels that its own ranks need, and no tree at all if it is one tile. Octets are
// filled up with NO_PLACE, which is below no value. Octets without a rank are not written, and not read. Tiles behind a
// frame's last rank do nothing, so a cta may be started for each tile of a unit, or of the longest frame.
//
// Results do not depend on which cta runs first. A rank of a unit takes 8 bytes of results and 4/7 of scratch; a cta
// has 50 KB of shared memory with 512 threads, 6.5 with 64.
#pragma once

#include "../common/frames.cuh"

namespace warpcodec::ansv {

constexpr uint32_t FAN_LOG2 = 3;
constexpr uint32_t FAN = 1u << FAN_LOG2;
/// Levels above a frame's ranks. Level 0 is the order itself.
constexpr uint32_t MOST_LEVELS = 7;
constexpr uint32_t MOST_RANKS = 1u << (MOST_LEVELS + 1) * FAN_LOG2;  ///< of a frame
/// Levels that have more than a node of eight for a unit.
constexpr uint32_t WIDE_LEVELS = 4;
static_assert(UNIT_BYTES >> (WIDE_LEVELS + 1) * FAN_LOG2 <= FAN && UNIT_BYTES >> WIDE_LEVELS * FAN_LOG2 > FAN);

/// Words of a unit in level `number`, which are whole nodes.
__host__ __device__ constexpr uint32_t level_words(uint32_t number) {
    return number <= WIDE_LEVELS ? UNIT_BYTES >> number * FAN_LOG2 : FAN;
}

/// Words of a unit in all levels from 1 to below `number`.
__host__ __device__ constexpr uint32_t words_below(uint32_t number) {
    const uint32_t wide = number <= WIDE_LEVELS ? number - 1 : WIDE_LEVELS;
    return (UNIT_BYTES - (UNIT_BYTES >> wide * FAN_LOG2)) / (FAN - 1) + (number - 1 - wide) * FAN;
}
static_assert(words_below(WIDE_LEVELS + 2) == words_below(WIDE_LEVELS) + level_words(WIDE_LEVELS) + FAN);

/// Words of `minima` for so many units, of all frames.
__host__ __device__ constexpr size_t minima_words(uint32_t units) {
    return size_t{units} * words_below(MOST_LEVELS + 1);
}

struct AnsvBatch {
    const uint32_t* order;  ///< place of each rank; 32-byte aligned
    const FrameRange* frames;  ///< of MOST_RANKS at most
    uint2* smaller;  ///< for each place the previous and the next smaller value, or NO_PLACE
    uint32_t* minima;  ///< scratch: minima_words(units); 32-byte aligned
    uint32_t units;  ///< of all frames
};

/// A frame's words in level `number`.
__host__ __device__ __forceinline__ uint32_t* level_of(const AnsvBatch& batch, const FrameRange& frame,
                                                       uint32_t number) {
    return batch.minima + size_t{batch.units} * words_below(number) + size_t{frame.first_unit} * level_words(number);
}

/// A tile and its part of the tree: level 0, and levels 1 to TILE_LEVELS, one behind the other.
template <uint32_t THREADS>
struct AnsvMemory {
    static constexpr uint32_t TILE = THREADS * FAN;
    static_assert(THREADS == FAN || THREADS == FAN * FAN || THREADS == FAN * FAN * FAN, "whole nodes");
    static_assert(UNIT_BYTES % TILE == 0, "whole tiles");
    static constexpr uint32_t UNIT_TILES = UNIT_BYTES / TILE;
    static constexpr uint32_t TILE_LEVELS = THREADS == FAN ? 1 : THREADS == FAN * FAN ? 2 : 3;
    static constexpr uint32_t NODES = TILE + TILE / FAN + TILE / FAN / FAN + TILE / FAN / FAN / FAN;
    alignas(32) uint32_t nodes[NODES];
    alignas(32) uint32_t found[2][TILE];
};

/// Eight words, of a thread or of a node.
struct Octet {
    uint32_t values[FAN];

    __device__ __forceinline__ uint32_t least() const {
        uint32_t least = values[0];
#pragma unroll
        for (uint32_t i = 1; i < FAN; ++i) least = min(least, values[i]);
        return least;
    }
    /// Bit i: value i is smaller.
    __device__ __forceinline__ uint32_t smaller_than(uint32_t value) const {
        uint32_t smaller = 0;
#pragma unroll
        for (uint32_t i = 0; i < FAN; ++i) smaller |= (values[i] < value ? 1u : 0u) << i;
        return smaller;
    }
};

__device__ __forceinline__ Octet thread_load_octet(const uint32_t* aligned) {
    const uint4* halves = reinterpret_cast<const uint4*>(aligned);
    const uint4 low = halves[0], high = halves[1];
    return {{low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w}};
}

__device__ __forceinline__ void thread_store_octet(uint32_t* aligned, const Octet& octet) {
    const uint32_t* values = octet.values;
    uint4* halves = reinterpret_cast<uint4*>(aligned);
    halves[0] = make_uint4(values[0], values[1], values[2], values[3]);
    halves[1] = make_uint4(values[4], values[5], values[6], values[7]);
}

/// Ranks from `first` on, a multiple of FAN; NO_PLACE behind the frame.
__device__ __forceinline__ Octet thread_load_ranks(const uint32_t* order, uint32_t first, uint32_t count) {
    if (first < count && count - first >= FAN) return thread_load_octet(order + first);
    Octet octet;
#pragma unroll
    for (uint32_t i = 0; i < FAN; ++i)
        octet.values[i] = first < count && i < count - first ? order[first + i] : NO_PLACE;
    return octet;
}

/// Writes a tile's values to shared memory, and the minima of levels 1 to TILE_LEVELS. All threads call; one barrier at
/// the end.
template <uint32_t THREADS>
__device__ __forceinline__ void cta_build_tile(const Octet& own, AnsvMemory<THREADS>& memory) {
    using Memory = AnsvMemory<THREADS>;
    thread_store_octet(memory.nodes + threadIdx.x * FAN, own);
    memory.nodes[Memory::TILE + threadIdx.x] = own.least();
    uint32_t* below = memory.nodes + Memory::TILE;
#pragma unroll
    for (uint32_t nodes = THREADS / FAN; nodes >= FAN; nodes /= FAN) {
        uint32_t* level = below + nodes * FAN;
        __syncthreads();
        if (threadIdx.x < nodes) level[threadIdx.x] = thread_load_octet(below + threadIdx.x * FAN).least();
        below = level;
    }
    __syncthreads();
}

/// First kernel: a tile's part of the tree, its own minimum with it. A frame of one tile has no use for it.
template <uint32_t THREADS>
__device__ __forceinline__ void cta_find_tile_minima(const AnsvBatch& batch, uint32_t frame_index, uint32_t tile,
                                                     AnsvMemory<THREADS>& memory) {
    using Memory = AnsvMemory<THREADS>;
    const FrameRange frame = batch.frames[frame_index];
    if (frame.count <= Memory::TILE || tile * Memory::TILE >= frame.count) return;
    const uint32_t first = tile * Memory::TILE + threadIdx.x * FAN;
    cta_build_tile(thread_load_ranks(batch.order + frame.begin(), first, frame.count), memory);
    const uint32_t* level = memory.nodes + Memory::TILE;
    uint32_t nodes = THREADS;
#pragma unroll
    for (uint32_t number = 1; number <= Memory::TILE_LEVELS; ++number) {
        if (threadIdx.x < nodes) level_of(batch, frame, number)[tile * nodes + threadIdx.x] = level[threadIdx.x];
        if (number == Memory::TILE_LEVELS) break;
        level += nodes;
        nodes /= FAN;
    }
    if (threadIdx.x == 0) level_of(batch, frame, Memory::TILE_LEVELS + 1)[tile] = thread_load_octet(level).least();
}

/// Second kernel: the levels above tiles, each filled up to whole nodes.
template <uint32_t THREADS>
__device__ __forceinline__ void cta_find_upper_minima(const AnsvBatch& batch, uint32_t frame_index) {
    const FrameRange frame = batch.frames[frame_index];
    uint32_t number = AnsvMemory<THREADS>::TILE_LEVELS + 1;
    uint32_t nodes = parts_of(frame.count, AnsvMemory<THREADS>::TILE);
    if (nodes <= 1) return;
    uint32_t* level = level_of(batch, frame, number);
    for (uint32_t at = nodes + threadIdx.x; at < parts_of(nodes, FAN) * FAN; at += blockDim.x) level[at] = NO_PLACE;
    __syncthreads();
    while (nodes > FAN) {
        const uint32_t* below = level;
        level = level_of(batch, frame, ++number);
        nodes = parts_of(nodes, FAN);
        for (uint32_t at = threadIdx.x; at < parts_of(nodes, FAN) * FAN; at += blockDim.x)
            level[at] = at < nodes ? thread_load_octet(below + at * FAN).least() : NO_PLACE;
        __syncthreads();
    }
}

/// Which of a node's children, as bits, lie beside child `own` on a side.
__device__ __forceinline__ uint32_t beside(uint32_t own, bool is_next) {
    return is_next ? ~0u << own << 1 : (1u << own) - 1;
}

/// The child that is nearest, of those above from behind and of those below from the front.
__device__ __forceinline__ uint32_t nearest_child(uint32_t children, bool is_next) {
    return is_next ? __ffs(static_cast<int>(children)) - 1 : 31 - __clz(static_cast<int>(children));
}

/// The nearest smaller value in the tile of the thread that has `value`, or NO_PLACE.
template <uint32_t THREADS>
__device__ __forceinline__ uint32_t thread_search_tile(const AnsvMemory<THREADS>& memory, uint32_t value,
                                                       bool is_next) {
    uint32_t begin = AnsvMemory<THREADS>::TILE, size = THREADS, node = threadIdx.x, children = 0;
    while (true) {
        const uint32_t* siblings = memory.nodes + begin + node / FAN * FAN;
        children = thread_load_octet(siblings).smaller_than(value) & beside(node % FAN, is_next);
        node /= FAN;
        if (children != 0) break;
        if (size == FAN) return NO_PLACE;
        begin += size;
        size /= FAN;
    }
    while (true) {
        node = node * FAN + nearest_child(children, is_next);
        if (begin == 0) return memory.nodes[node];
        size *= FAN;
        begin -= size;
        children = thread_load_octet(memory.nodes + begin + node * FAN).smaller_than(value);
    }
}

/// The nearest smaller value in the tiles beside `tile`, or NO_PLACE. The tree has been made of this order, so a node
/// with a smaller minimum has a smaller child; a look without one ends the search all the same.
template <uint32_t THREADS>
__device__ __forceinline__ uint32_t thread_search_frame(const AnsvBatch& batch, const FrameRange& frame, uint32_t tile,
                                                        uint32_t value, bool is_next) {
    uint32_t nodes = parts_of(frame.count, AnsvMemory<THREADS>::TILE);
    if (nodes <= 1) return NO_PLACE;
    uint32_t number = AnsvMemory<THREADS>::TILE_LEVELS + 1, node = tile, children = 0;
    while (true) {
        const uint32_t* siblings = level_of(batch, frame, number) + node / FAN * FAN;
        children = thread_load_octet(siblings).smaller_than(value) & beside(node % FAN, is_next);
        node /= FAN;
        if (children != 0) break;
        if (nodes <= FAN) return NO_PLACE;
        nodes = parts_of(nodes, FAN);
        ++number;
    }
    while (children != 0) {
        node = node * FAN + nearest_child(children, is_next);
        if (--number == 0) break;
        children = thread_load_octet(level_of(batch, frame, number) + node * FAN).smaller_than(value);
    }
    if (children == 0) return NO_PLACE;
    const uint32_t* order = batch.order + frame.begin();
    children = thread_load_ranks(order, node * FAN, frame.count).smaller_than(value);
    return children == 0 ? NO_PLACE : order[node * FAN + nearest_child(children, is_next)];
}

/// Compares a thread's values with each other, writes what is found, and gives what is open: bit i that value i has no
/// previous one among them, bit 2 * FAN - 1 - i that it has no next one. So each side's come in falling order.
template <uint32_t THREADS>
__device__ __forceinline__ uint32_t thread_search_own(const Octet& own, AnsvMemory<THREADS>& memory) {
    uint32_t open = 0;
    Octet found;
#pragma unroll
    for (uint32_t i = 0; i < FAN; ++i) {
        found.values[i] = NO_PLACE;
#pragma unroll
        for (uint32_t j = 0; j < i; ++j)
            found.values[i] = own.values[j] < own.values[i] ? own.values[j] : found.values[i];
        if (found.values[i] == NO_PLACE && own.values[i] != NO_PLACE) open |= 1u << i;
    }
    thread_store_octet(memory.found[0] + threadIdx.x * FAN, found);
#pragma unroll
    for (uint32_t i = 0; i < FAN; ++i) {
        found.values[i] = NO_PLACE;
#pragma unroll
        for (uint32_t j = FAN - 1; j > i; --j)
            found.values[i] = own.values[j] < own.values[i] ? own.values[j] : found.values[i];
        if (found.values[i] == NO_PLACE && own.values[i] != NO_PLACE) open |= 1u << (2 * FAN - 1 - i);
    }
    thread_store_octet(memory.found[1] + threadIdx.x * FAN, found);
    return open;
}

/// Answers what is open by search(value, is_next), and gives what has no answer. An answer holds for the next open
/// value of its side if it is smaller than that, too; where there is none, the rest of the side has none.
template <uint32_t THREADS, class Search>
__device__ __forceinline__ uint32_t thread_answer(uint32_t open, AnsvMemory<THREADS>& memory, Search search) {
    uint32_t without = 0, found = NO_PLACE;
    bool was_next = false, is_none = false;
    while (open != 0) {
        uint32_t value;
        bool is_known;
        do {
            const uint32_t which = __ffs(static_cast<int>(open)) - 1;
            const bool is_next = which >= FAN;
            if (is_next != was_next) {
                was_next = is_next;
                found = NO_PLACE;
                is_none = false;
            }
            const uint32_t at = threadIdx.x * FAN + (is_next ? 2 * FAN - 1 - which : which);
            value = memory.nodes[at];
            is_known = found < value || is_none;
            if (!is_known) continue;
            if (is_none) without |= 1u << which;
            else memory.found[is_next ? 1 : 0][at] = found;
            open &= open - 1;
        } while (is_known && open != 0);
        if (is_known) break;
        found = search(value, was_next);
        is_none = found == NO_PLACE;
    }
    return without;
}

/// Third kernel: the two smaller values of each place of a tile.
template <uint32_t THREADS>
__device__ __forceinline__ void cta_find_smaller_values(const AnsvBatch& batch, uint32_t frame_index, uint32_t tile,
                                                        AnsvMemory<THREADS>& memory) {
    using Memory = AnsvMemory<THREADS>;
    const FrameRange frame = batch.frames[frame_index];
    if (tile * Memory::TILE >= frame.count) return;
    const Octet own =
        thread_load_ranks(batch.order + frame.begin(), tile * Memory::TILE + threadIdx.x * FAN, frame.count);
    cta_build_tile(own, memory);
    const uint32_t far = thread_answer(thread_search_own(own, memory), memory, [&](uint32_t value, bool is_next) {
        return thread_search_tile(memory, value, is_next);
    });
    thread_answer(far, memory, [&](uint32_t value, bool is_next) {
        return thread_search_frame<THREADS>(batch, frame, tile, value, is_next);
    });
    const uint32_t mine = threadIdx.x * FAN;
    const Octet previous = thread_load_octet(memory.found[0] + mine), next = thread_load_octet(memory.found[1] + mine);
    const Octet places = thread_load_octet(memory.nodes + mine);
    uint2* smaller = batch.smaller + frame.begin();
#pragma unroll
    for (uint32_t i = 0; i < FAN; ++i) {
        if (places.values[i] < frame.count) smaller[places.values[i]] = make_uint2(previous.values[i], next.values[i]);
    }
}

}  // namespace warpcodec::ansv
