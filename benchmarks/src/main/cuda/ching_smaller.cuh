// All nearest smaller values of an order, as Ching's thesis has them: section 3.2, after Shun, Zhao, "Practical
// parallel Lempel-Ziv factorization", 2013.
//
// 1. A binary tree of minima above the order's ranks: a launch a level, a thread a node.
// 2. A thread takes a chunk of ranks, and finds what lies within it by a stack. For the others it searches the tree: up
//    until a sibling on its side has a smaller minimum, and down to the nearest leaf that is smaller.
//
// Bounds: MOST_BYTES ranks, so 30 levels. A search takes a look a level up and one a level down. Nodes are those of a
// tree for the next power of two; those of no rank are not written, and not read. Scratch: up to 8 bytes a rank, and a
// word of local memory for each rank of a chunk.
#pragma once

#include "ching_doubling.cuh"
#include "ansv/ansv_values.cuh"

namespace ching {

using warpcodec::NO_PLACE;

/// Words of `minima` for a frame of MOST_BYTES ranks at most (ansv/ansv_values.cuh). Codecs have shorter frames and
/// room for fewer levels; the kernels take as many as a frame's ranks need.
constexpr uint32_t DEEP_LEVELS = 10;
static_assert(uint64_t{1} << DEEP_LEVELS * warpcodec::ansv::FAN_LOG2 >= MOST_BYTES);
inline size_t deep_minima_words(uint32_t units) {
    return size_t{units} * warpcodec::ansv::words_below(DEEP_LEVELS + 1);
}

/// An order, and the minima above it.
struct MinimaTree {
    const uint32_t* order;
    uint32_t* nodes;  ///< of level 1, behind them those of level 2, ...
    uint32_t count;
    uint32_t full;  ///< power of two that is not below `count`

    __host__ __device__ uint32_t nodes_of(uint32_t level) const {
        return static_cast<uint32_t>((uint64_t{count} + (uint64_t{1} << level) - 1) >> level);
    }
    __host__ __device__ uint32_t* node(uint32_t level, uint32_t index) const {
        return nodes + (full - (full >> (level - 1))) + index;
    }
    __host__ __device__ uint32_t minimum(uint32_t level, uint32_t index) const {
        if (index >= nodes_of(level)) return NO_PLACE;
        return level == 0 ? order[index] : *node(level, index);
    }

    /// Climbs from a rank to the first node beside the way that has a smaller minimum, and down to its nearest smaller
    /// leaf. NO_PLACE if there is none.
    __host__ __device__ uint32_t nearest_smaller(uint32_t rank, uint32_t value, bool is_next) const {
        uint32_t level = 0, index = rank;
        const uint32_t far = is_next ? 0 : 1;  ///< which child has no sibling on that side
        while (true) {
            if (nodes_of(level) <= 1) return NO_PLACE;
            if (index % 2 == far && minimum(level, index ^ 1) < value) break;
            index /= 2;
            ++level;
        }
        index ^= 1;
        while (level > 0) {
            --level;
            index = index * 2 + far;
            if (minimum(level, index) >= value) index ^= 1;
        }
        return minimum(0, index);
    }
};

struct BuildLevel {
    MinimaTree tree;
    uint32_t level;
    __host__ __device__ void operator()(uint32_t index) const {
        const uint32_t left = tree.minimum(level - 1, index * 2), right = tree.minimum(level - 1, index * 2 + 1);
        *tree.node(level, index) = left < right ? left : right;
    }
};

/// Finds both smaller values of each rank of a chunk.
template <uint32_t CHUNK>
struct SearchChunk {
    MinimaTree tree;
    uint2* smaller;

    __host__ __device__ void operator()(uint32_t chunk) const {
        uint32_t open[CHUNK];
        const uint32_t begin = chunk * CHUNK, rest = tree.count - begin, count = rest < CHUNK ? rest : CHUNK;
        uint32_t depth = 0;
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t value = tree.order[begin + i];
            while (depth > 0 && open[depth - 1] > value) --depth;
            if (value < tree.count)
                smaller[value].x = depth > 0 ? open[depth - 1] : tree.nearest_smaller(begin + i, value, false);
            open[depth++] = value;
        }
        depth = 0;
        for (uint32_t i = count; i-- > 0;) {
            const uint32_t value = tree.order[begin + i];
            while (depth > 0 && open[depth - 1] > value) --depth;
            if (value < tree.count)
                smaller[value].y = depth > 0 ? open[depth - 1] : tree.nearest_smaller(begin + i, value, true);
            open[depth++] = value;
        }
    }
};

/// Words that the tree's nodes take.
inline uint32_t full_ranks(uint32_t count) { return count <= 1 ? 1 : 1u << bits_of(count - 1); }

/// Finds the smaller values of each place, in chunks of CHUNK ranks. `nodes` has full_ranks(count) words.
template <uint32_t CHUNK, class Engine>
void find_smaller_by_chunks(Engine& engine, const uint32_t* order, uint32_t count, uint32_t* nodes, uint2* smaller) {
    const MinimaTree tree{order, nodes, count, full_ranks(count)};
    for (uint32_t level = 1; tree.nodes_of(level - 1) > 1; ++level)
        engine.each(tree.nodes_of(level), BuildLevel{tree, level});
    engine.each(count / CHUNK + (count % CHUNK != 0 ? 1 : 0), SearchChunk<CHUNK>{tree, smaller});
}

}  // namespace ching
