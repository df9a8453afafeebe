// For each place of a block, the earlier places within MAX_OFFSET that are nearest above and below it in the order of
// places. The longest match of a place begins at one of these, as at the two smaller values of a parse without a window
// (ansv_values.cuh).
//
// The window of a place is what lies before it in its own unit, and behind it, by places of units, in the unit before.
// So there are two problems of nearest smaller values, each over the places of one unit in their order:
//
//   own     of a unit's places, those that are smaller
//   before  of the next unit's places: those that are larger. Places are turned round, so these are smaller, too
//
// A cta takes a unit. It goes through the ranks of the frame, keeps the unit's places in shared memory, and makes a
// tree of minima over them, with FAN children a node. A search climbs until a sibling on its side has a smaller minimum
// and goes down into it: a look a level up, and one a level down. Then the places are turned round and the tree is made
// again; the frame's ranks pass by a second time, and say where each place of the next unit stands among the unit's.
//
// Bounds: a tree has five levels above the places, whatever the order is. 158 KB of shared memory. Each unit reads the
// ranks of its frame twice: a frame of 4 MiB 128 times, from the cache.
#pragma once

#include "../common/cta_sum.cuh"
#include "lz4_price_format.cuh"

namespace warpcodec::lz4_price {

constexpr uint32_t NEAR_THREADS = 1024;
/// Ranks at once, of which a thread has two.
constexpr uint32_t NEAR_RANKS = 2 * NEAR_THREADS;

constexpr uint32_t FAN = 8;
/// Places of the tree's top level, which is less than one node.
constexpr uint32_t TOP_NODES = 2;
/// Nodes of all levels: 65,536 places, then 8,192, 1,024, 128, 16, and a node of 2.
constexpr uint32_t TREE_NODES = UNIT_BYTES + 8192 + 1024 + 128 + 16 + FAN;
static_assert(UNIT_BYTES == 8 * 8192 && TOP_NODES * FAN == 16);

/// No earlier place: below no value.
constexpr uint32_t NONE = 0xFFFF;

/// A place of the next unit that waits for its search: how many of the unit's places among those that were read at once
/// are before it in the order, and the place.
constexpr uint32_t WAITING_BITS = 16;
static_assert(NEAR_RANKS < 1u << (32 - WAITING_BITS));

struct NearMemory {
    alignas(16) uint16_t nodes[TREE_NODES];
    uint32_t waiting[NEAR_RANKS];
    uint32_t warp_sums[WARP_LANES];
};

/// Bit i: child i of a node is smaller than `value`.
__device__ __forceinline__ uint32_t smaller_children(const uint16_t* node, uint32_t value) {
    const uint4 children = *reinterpret_cast<const uint4*>(node);
    const uint32_t pairs[FAN / 2] = {children.x, children.y, children.z, children.w};
    uint32_t smaller = 0;
#pragma unroll
    for (uint32_t i = 0; i < FAN / 2; ++i) {
        smaller |= ((pairs[i] & 0xFFFF) < value ? 1u : 0u) << 2 * i;
        smaller |= (pairs[i] >> 16 < value ? 2u : 0u) << 2 * i;
    }
    return smaller;
}

__device__ __forceinline__ uint32_t least_child(const uint16_t* node) {
    const uint4 children = *reinterpret_cast<const uint4*>(node);
    const uint32_t low = min(min(children.x & 0xFFFF, children.x >> 16), min(children.y & 0xFFFF, children.y >> 16));
    const uint32_t high = min(min(children.z & 0xFFFF, children.z >> 16), min(children.w & 0xFFFF, children.w >> 16));
    return min(low, high);
}

/// Makes the levels above the places. All threads call, behind a barrier; one at the end.
__device__ __forceinline__ void cta_make_tree(uint16_t* nodes) {
    uint32_t begin = 0, size = UNIT_BYTES;
    while (size > TOP_NODES) {
        const uint32_t above = begin + size, count = size / FAN;
        // the top is filled up to a node
        for (uint32_t node = threadIdx.x; node < max(count, FAN); node += NEAR_THREADS)
            nodes[above + node] = static_cast<uint16_t>(node < count ? least_child(nodes + begin + node * FAN) : NONE);
        __syncthreads();
        begin = above;
        size = count;
    }
}

/// The nearest value below `value` among the places, from `at` on if IS_NEXT, else before `at`; NONE without one. `at`
/// is below UNIT_BYTES, or this where nothing is looked for behind it: looks there find nothing, at nodes of the tree.
template <bool IS_NEXT>
__device__ __forceinline__ uint32_t thread_search(const uint16_t* nodes, uint32_t value, uint32_t at) {
    uint32_t begin = 0, size = UNIT_BYTES, node = at;
    uint32_t beside = IS_NEXT ? ~0u << at % FAN : (1u << at % FAN) - 1, children;
    while (true) {
        children = smaller_children(nodes + begin + node / FAN * FAN, value) & beside;
        node /= FAN;
        if (children != 0) break;
        if (size <= TOP_NODES) return NONE;
        begin += size;
        size /= FAN;
        beside = IS_NEXT ? ~0u << node % FAN << 1 : (1u << node % FAN) - 1;
    }
    while (children != 0) {
        node = node * FAN + (IS_NEXT ? __ffs(static_cast<int>(children)) - 1 : 31 - __clz(static_cast<int>(children)));
        if (begin == 0) return nodes[node];
        size *= FAN;
        begin -= size;
        children = smaller_children(nodes + begin + node * FAN, value);
    }
    return NONE;
}

/// Both neighbours of a place: before `limit`, and from `from` on.
__device__ __forceinline__ uint32_t thread_search_both(const uint16_t* nodes, uint32_t value, uint32_t limit,
                                                       uint32_t from) {
    const uint32_t previous = thread_search<false>(nodes, value, limit);
    const uint32_t next = from < UNIT_BYTES ? thread_search<true>(nodes, value, from) : NONE;
    return previous | next << 16;
}

/// Two ranks of a thread: their places, NO_PLACE behind the frame.
__device__ __forceinline__ uint2 thread_load_ranks(const uint32_t* order, uint32_t first, uint32_t count) {
    const uint32_t at = first + 2 * threadIdx.x;
    if (at + 1 < count) return *reinterpret_cast<const uint2*>(order + at);
    return make_uint2(at < count ? order[at] : NO_PLACE, NO_PLACE);
}

/// Whether a place lies in a unit. NO_PLACE lies in none.
__device__ __forceinline__ uint32_t is_in(const UnitPart& part, uint32_t place) {
    return place - part.begin < part.bytes ? 1 : 0;
}

/// Keeps the unit's places in their order, and fills up with NONE; how many there are. All threads call; a barrier at
/// the end.
__device__ __forceinline__ uint32_t cta_keep_places(const uint32_t* order, const UnitPart& own, NearMemory& memory) {
    uint32_t kept = 0;
    for (uint32_t first = 0; first < own.frame.count; first += NEAR_RANKS) {
        const uint2 places = thread_load_ranks(order, first, own.frame.count);
        const uint32_t is_first = is_in(own, places.x), is_second = is_in(own, places.y);
        uint32_t all;
        const uint32_t at = kept + cta_exclusive_sum<NEAR_THREADS>(is_first + is_second, memory.warp_sums, all);
        if (is_first != 0 && at < UNIT_BYTES) memory.nodes[at] = static_cast<uint16_t>(places.x - own.begin);
        if (is_second != 0 && at + is_first < UNIT_BYTES)
            memory.nodes[at + is_first] = static_cast<uint16_t>(places.y - own.begin);
        kept += all;
    }
    kept = min(kept, UNIT_BYTES);
    for (uint32_t at = kept + threadIdx.x; at < UNIT_BYTES; at += NEAR_THREADS) memory.nodes[at] = NONE;
    __syncthreads();
    return kept;
}

/// Searches for the places of the next unit, by the unit's `kept` places, which are turned round. All threads call.
__device__ __forceinline__ void cta_search_for_next(const uint32_t* order, const UnitPart& own, const UnitPart& next,
                                                    uint32_t kept, uint32_t* before, NearMemory& memory) {
    uint32_t passed = 0;
    for (uint32_t first = 0; first < next.frame.count; first += NEAR_RANKS) {
        const uint2 places = thread_load_ranks(order, first, next.frame.count);
        const uint32_t first_own = is_in(own, places.x), second_own = is_in(own, places.y);
        const uint32_t first_next = is_in(next, places.x), second_next = is_in(next, places.y);
        // the unit's places are counted above, those of the next one below
        const uint32_t counts = (first_own + second_own) << WAITING_BITS | (first_next + second_next);
        uint32_t all;
        const uint32_t sum = cta_exclusive_sum<NEAR_THREADS>(counts, memory.warp_sums, all);
        const uint32_t own_before = sum >> WAITING_BITS, at = sum & ((1u << WAITING_BITS) - 1);
        if (first_next != 0) memory.waiting[at] = own_before << WAITING_BITS | (places.x - next.begin);
        if (second_next != 0)
            memory.waiting[at + first_next] = (own_before + first_own) << WAITING_BITS | (places.y - next.begin);
        __syncthreads();
        const uint32_t waiting = all & ((1u << WAITING_BITS) - 1);
        for (uint32_t i = threadIdx.x; i < waiting; i += NEAR_THREADS) {
            const uint32_t place = memory.waiting[i] & ((1u << WAITING_BITS) - 1);
            const uint32_t stands = min(passed + (memory.waiting[i] >> WAITING_BITS), kept);
            before[next.begin + place] = thread_search_both(memory.nodes, MAX_OFFSET - place, stands, stands);
        }
        passed += all >> WAITING_BITS;
        __syncthreads();
    }
}

/// Finds the neighbours of the places of unit `index` in it, and those of the next unit's places in it. All threads
/// call.
__device__ __forceinline__ void cta_find_near(const PriceBatch& batch, uint32_t index, NearMemory& memory) {
    const FrameRange frame = frame_of_unit(batch, index);
    const uint32_t number = index - frame.first_unit;
    const UnitPart own = unit_part(frame, number), next = unit_part(frame, number + 1);
    if (own.bytes == 0) return;
    const uint32_t* order = batch.order + frame.begin();
    uint32_t* found = batch.own + frame.begin() + own.begin;
    const uint32_t kept = cta_keep_places(order, own, memory);
    cta_make_tree(memory.nodes);
    for (uint32_t at = threadIdx.x; at < kept; at += NEAR_THREADS) {
        const uint32_t place = memory.nodes[at];
        found[place] = thread_search_both(memory.nodes, place, at, at + 1);
    }
    if (next.bytes == 0) return;
    __syncthreads();
    for (uint32_t at = threadIdx.x; at < kept; at += NEAR_THREADS)
        memory.nodes[at] = static_cast<uint16_t>(MAX_OFFSET - memory.nodes[at]);
    __syncthreads();
    cta_make_tree(memory.nodes);
    cta_search_for_next(order, own, next, kept, batch.before + frame.begin(), memory);
}

}  // namespace warpcodec::lz4_price
