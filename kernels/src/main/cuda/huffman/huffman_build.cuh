// Finds the lengths of optimal prefix codes of limited length. Their words are huffman_code.cuh's.
//
// Lengths: package-merge (Larmore and Hirschberg, 1990). Leaves are the used symbols by weight. List 1 holds the
// leaves; list k + 1 merges the leaves with the packages of list k, neighbours added in pairs. Of the last list,
// whose number is the limit, the first 2 * leaves - 2 items are taken. A package that is taken takes two items of the
// list before it. A leaf's code is as long as the number of lists in which it is taken. Merging keeps leaves in
// order, so in each list those taken are a prefix, and one number a list says all.
//
// In parallel: a leaf's place in a merged list is its index plus the number of lighter packages. A package's place is
// its index plus the number of leaves that are not heavier. Both are binary searches, and no two items get the same
// place. Only the first 2 * leaves - 2 items of a list can ever be taken, so the rest is dropped. There are at most
// LIMIT turns of two searches and a barrier; then at most LIMIT turns of one comparison and a barrier. Equal weights
// go by symbol, and leaves before packages: the same lengths on every run.
//
// The result is complete (its Kraft sum is 1) for two symbols or more, as long as LIMIT bits suffice. With fewer,
// symbols that are not used make up for them: some decoders refuse incomplete codes.
//
// A group of threads works together: a warp, or a cta. Scratch is some 15 KB for 286 symbols of 15 bits.
#pragma once

#include <cstdint>

namespace warpcodec::huffman {

/// Shared memory for one code at a time; contents undefined before and after.
template <int MAX_SYMBOLS_, int LIMIT_>
struct BuildScratch {
    static constexpr int MAX_SYMBOLS = MAX_SYMBOLS_;
    static constexpr int LIMIT = LIMIT_;
    static_assert(MAX_SYMBOLS >= 2 && MAX_SYMBOLS <= 1 << LIMIT && MAX_SYMBOLS <= 1 << 14,
                  "LIMIT bits must suffice, places have 16");

    uint32_t weights[MAX_SYMBOLS];  ///< of the leaves, ascending
    uint32_t lists[2][2 * MAX_SYMBOLS];  ///< weights of the items of two lists
    /// Where each leaf lies in each list; the size of the list or more if it was dropped.
    uint16_t leaf_places[LIMIT][MAX_SYMBOLS];
    uint16_t symbols[MAX_SYMBOLS];  ///< of the leaves
    uint32_t taken[LIMIT];  ///< leaves taken from each list
    uint32_t leaf_count;
};

/// Leaves in order of weight. Symbols beyond the last have no weight.
template <typename Group, typename Scratch>
__device__ __forceinline__ void group_sort_leaves(const Group& group, const uint32_t* weights, int symbol_count,
                                                  Scratch& scratch) {
    for (int symbol = group.rank; symbol < symbol_count; symbol += Group::SIZE) {
        const uint32_t weight = weights[symbol];
        int used = 0, before = 0;
#pragma unroll 4
        for (int other = 0; other < symbol_count; ++other) {
            const uint32_t other_weight = weights[other];
            used += other_weight != 0;
            before += other_weight != 0 && (other_weight < weight || (other_weight == weight && other < symbol));
        }
        if (weight != 0) {
            scratch.weights[before] = weight;
            scratch.symbols[before] = static_cast<uint16_t>(symbol);
        }
        if (symbol == 0) scratch.leaf_count = used;
    }
    for (int list = group.rank; list < Scratch::LIMIT; list += Group::SIZE) scratch.taken[list] = 0;
    group.sync();
}

/// Index of the first of `count` packages of a list that is not lighter than `weight`.
__device__ __forceinline__ int thread_count_lighter_packages(const uint32_t* list, int count, uint32_t weight) {
    int first = 0;
    while (count > 0) {
        const int half = count / 2;
        const bool lighter = list[2 * (first + half)] + list[2 * (first + half) + 1] < weight;
        first = lighter ? first + half + 1 : first;
        count = lighter ? count - half - 1 : half;
    }
    return first;
}

/// Index of the first of `count` leaves that is heavier than `weight`.
__device__ __forceinline__ int thread_count_leaves_up_to(const uint32_t* leaves, int count, uint32_t weight) {
    int first = 0;
    while (count > 0) {
        const int half = count / 2;
        const bool fits = leaves[first + half] <= weight;
        first = fits ? first + half + 1 : first;
        count = fits ? count - half - 1 : half;
    }
    return first;
}

/// All lists, one after the other.
template <typename Group, typename Scratch>
__device__ __forceinline__ void group_merge_lists(const Group& group, int leaf_count, int limit, Scratch& scratch) {
    const int most_items = 2 * leaf_count - 2;
    for (int leaf = group.rank; leaf < leaf_count; leaf += Group::SIZE) {
        scratch.leaf_places[0][leaf] = static_cast<uint16_t>(leaf);
        scratch.lists[0][leaf] = scratch.weights[leaf];
    }
    int item_count = min(leaf_count, most_items);
    group.sync();
    for (int list = 1; list < limit; ++list) {
        const uint32_t* before = scratch.lists[(list - 1) & 1];
        uint32_t* merged = scratch.lists[list & 1];
        const int package_count = item_count / 2;
        for (int leaf = group.rank; leaf < leaf_count; leaf += Group::SIZE) {
            const uint32_t weight = scratch.weights[leaf];
            const int place = leaf + thread_count_lighter_packages(before, package_count, weight);
            scratch.leaf_places[list][leaf] = static_cast<uint16_t>(place);
            if (place < most_items) merged[place] = weight;
        }
        for (int package = group.rank; package < package_count; package += Group::SIZE) {
            const uint32_t weight = before[2 * package] + before[2 * package + 1];
            const int place = package + thread_count_leaves_up_to(scratch.weights, leaf_count, weight);
            if (place < most_items) merged[place] = weight;
        }
        item_count = min(leaf_count + package_count, most_items);
        group.sync();
    }
}

/// Code lengths of all symbols, 0 for those without a code.
///
///   weights       symbol_count of them, whose sum is below 2^27; the group's threads see them
///   symbol_count  2 to MAX_SYMBOLS
///   limit         1 to LIMIT bits; if more than 2^limit symbols are used there is no such code, and all lengths are
///                 0
///   lengths       space for symbol_count
///
/// Valid for the whole group on return.
template <typename Group, typename Scratch>
__device__ __forceinline__ void group_build_lengths(const Group& group, const uint32_t* weights, int symbol_count,
                                                    int limit, uint8_t* lengths, Scratch& scratch) {
    for (int symbol = group.rank; symbol < symbol_count; symbol += Group::SIZE) lengths[symbol] = 0;
    group_sort_leaves(group, weights, symbol_count, scratch);
    const int leaf_count = static_cast<int>(scratch.leaf_count);
    if (leaf_count < 2) {
        if (group.rank == 0) {
            const int only = leaf_count == 1 ? scratch.symbols[0] : 0;
            lengths[only] = 1;
            lengths[only == 0 ? 1 : 0] = 1;
        }
        group.sync();
        return;
    }
    if (leaf_count > 1 << limit) return;
    group_merge_lists(group, leaf_count, limit, scratch);
    int items_taken = 2 * leaf_count - 2;
    for (int list = limit - 1; list >= 0; --list) {
        const uint16_t* places = scratch.leaf_places[list];
        for (int leaf = group.rank; leaf < leaf_count; leaf += Group::SIZE) {
            const bool last = places[leaf] < items_taken && (leaf + 1 == leaf_count || places[leaf + 1] >= items_taken);
            if (last) scratch.taken[list] = leaf + 1;
        }
        group.sync();
        items_taken = 2 * (items_taken - static_cast<int>(scratch.taken[list]));
    }
    for (int leaf = group.rank; leaf < leaf_count; leaf += Group::SIZE) {
        int bits = 0;
        for (int list = 0; list < limit; ++list) bits += leaf < static_cast<int>(scratch.taken[list]);
        lengths[scratch.symbols[leaf]] = static_cast<uint8_t>(bits);
    }
    group.sync();
}

}  // namespace warpcodec::huffman
