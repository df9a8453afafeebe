// One round's sort of tied groups in windows: the members of a group, which share h symbols, by the ranks of the
// rotations that begin h symbols on.
//
// Each member becomes a word of that rank and its index in the group, so equal ranks keep their order. In runs of 32
// a member's place is the number of smaller words. In larger groups sorted runs are merged two by two: each member
// counts by a binary search what of the other run is smaller. No two words are equal, so no two get the same place.
// All groups of the window go through this side by side, as often as the largest needs: no more than 5 times.
//
// Members with the same rank stay tied, and then share h symbols and what the group of that rank shares; if that is
// all that is compared, they are equal rotations and each becomes a group. Ranks and group bits are only read here and
// written by the kernel behind this one (bwt_encode_rank.cuh), so that all groups are compared by the same ranks.
#pragma once

#include "bwt_encode_window.cuh"

namespace warpcodec::bwt_encode {

template <typename Shape>
struct RefineMemory {
    static_assert(Shape::RANK_BITS + Shape::INDEX_BITS <= 32, "a rank and an index fit in a key");
    WindowMemory<Shape> window;
    uint32_t added[WindowFrame<Shape>::WORDS];  ///< bits of groups that begin now
    int largest;  ///< group
    uint32_t positions[Shape::WINDOW_PLACES];  ///< as the round found them
    uint32_t keys[2][Shape::WINDOW_PLACES];  ///< rank, then index in the group
};

__device__ __forceinline__ int count_smaller(const uint32_t* keys, int count, uint32_t than) {
    int first = 0;
    while (count > 0) {
        const int half = count / 2;
        const bool smaller = keys[first + half] < than;
        first = smaller ? first + half + 1 : first;
        count = smaller ? count - half - 1 : half;
    }
    return first;
}

/// Loads the members and what they are sorted by.
template <typename Shape>
__device__ __forceinline__ void cta_gather_members(const BwtBatch& batch, const Round& round, const Window& window,
                                                   RefineMemory<Shape>& memory) {
    int largest = 0;
#pragma unroll 4
    for (int index = threadIdx.x; index < memory.window.count; index += Shape::Refine::CTA_THREADS) {
        const Member member = memory.window.list[index];
        const uint32_t position =
            static_cast<uint32_t>(batch.keys_a[window.begin + member.place()]) & Shape::POSITION_MASK;
        const uint32_t shared = round.shared[window.begin + member.place() - (index - member.first())];
        const uint32_t rank = batch.ranks[window.block_base + advance(position, shared, window.block_bytes)];
        memory.positions[index] = position;
        memory.keys[0][index] = rank << Shape::INDEX_BITS | static_cast<uint32_t>(index - member.first());
        largest = max(largest, member.size());
    }
    if (largest > Shape::Refine::RUN) atomicMax(&memory.largest, largest);
}

/// Sorts each group. Answers which of the two arrays holds the result; valid for the cta.
template <typename Shape>
__device__ __forceinline__ int cta_sort_members(RefineMemory<Shape>& memory) {
    constexpr int RUN = Shape::Refine::RUN;
    const int count = memory.window.count;
    for (int index = threadIdx.x; index < count; index += Shape::Refine::CTA_THREADS) {
        const Member member = memory.window.list[index];
        const int first = member.first();
        const int run = first + (index - first) / RUN * RUN;
        const int run_limit = min(run + RUN, first + member.size());
        const uint32_t mine = memory.keys[0][index];
        int smaller = 0;
#pragma unroll 4
        for (int other = run; other < run_limit; ++other) smaller += memory.keys[0][other] < mine;
        memory.keys[1][run + smaller] = mine;
    }
    __syncthreads();
    int from = 1;
    for (int run = RUN; run < memory.largest; run *= 2) {
        const uint32_t* source = memory.keys[from];
        uint32_t* target = memory.keys[from ^ 1];
        for (int index = threadIdx.x; index < count; index += Shape::Refine::CTA_THREADS) {
            const Member member = memory.window.list[index];
            const int first = member.first(), size = member.size();
            const uint32_t mine = source[index];
            const int at = index - first, own = at & ~(run - 1), other = own ^ run;
            int place = at;
            if (other < size)
                place =
                    min(own, other) + (at - own) + count_smaller(source + first + other, min(run, size - other), mine);
            target[first + place] = mine;
        }
        __syncthreads();
        from ^= 1;
    }
    return from;
}

/// Writes the new order, and what the groups became.
template <typename Shape>
__device__ __forceinline__ void cta_store_members(const BwtBatch& batch, const Round& round, const Window& window,
                                                  const uint32_t* keys, RefineMemory<Shape>& memory) {
#pragma unroll 2
    for (int index = threadIdx.x; index < memory.window.count; index += Shape::Refine::CTA_THREADS) {
        const Member member = memory.window.list[index];
        const int place = member.place(), first = member.first();
        const uint32_t mine = keys[index], rank = mine >> Shape::INDEX_BITS;
        const bool as_before = index > first && keys[index - 1] >> Shape::INDEX_BITS == rank;
        const bool as_next = index + 1 < first + member.size() && keys[index + 1] >> Shape::INDEX_BITS == rank;
        batch.keys_a[window.begin + place] = memory.positions[first + (mine & ((1u << Shape::INDEX_BITS) - 1))];
        uint32_t shared = 0;
        if (as_before || as_next)
            shared = round.shared[window.begin + place - (index - first)] + round.shared[window.block_base + rank];
        const bool equal = shared >= Shape::compared_symbols(window.block_bytes);
        if (index > first && (!as_before || equal)) atomicOr(&memory.added[place / 32], 1u << (place % 32));
        if (!as_before && as_next && !equal) round.next_shared[window.begin + place] = shared;
    }
}

/// All windows of a round.
template <typename Shape>
__device__ __forceinline__ void cta_refine_windows(const BwtBatch& batch, RefineMemory<Shape>& memory) {
    const Round round(batch, Shape::MAX_ROUNDS);
    const uint32_t window_count = min(round.counts->windows, batch.tile_count * Shape::WINDOWS_PER_TILE);
    for (uint32_t index = blockIdx.x; index < window_count; index += gridDim.x) {
        const Window window = load_window<Shape>(batch, round.windows[index]);
        for (int word = threadIdx.x; word < WindowFrame<Shape>::WORDS; word += Shape::Refine::CTA_THREADS)
            memory.added[word] = 0;
        if (threadIdx.x == 0) memory.largest = 0;
        cta_open_window(batch, window, memory.window);
        if (threadIdx.x == 0) {
            batch.window_ranges[window.index] =
                memory.window.count == 0 ? 0 : memory.window.first | memory.window.limit << 16;
        }
        if (memory.window.count > 0) {
            cta_gather_members(batch, round, window, memory);
            __syncthreads();
            const int from = cta_sort_members(memory);
            cta_store_members(batch, round, window, memory.keys[from], memory);
            __syncthreads();
            for (int word = threadIdx.x; word < WindowFrame<Shape>::WORDS; word += Shape::Refine::CTA_THREADS) {
                batch.added_heads[window.index * WindowFrame<Shape>::WORDS + word] = memory.added[word];
            }
        }
        __syncthreads();
    }
}

}  // namespace warpcodec::bwt_encode
