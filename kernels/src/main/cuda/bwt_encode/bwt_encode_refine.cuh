// One round's sort of tied groups in windows: the members of a group, which share h symbols, by the ranks of the rotations that begin h symbols on.
//
// Each member becomes a word of its rank and its position. In runs of 32 a member's place is the number of smaller words; in larger groups sorted runs are
// merged two by two, each member counting by a binary search what of the other run is smaller: no two words are equal, so no two get the same place. All groups of
// the window go through this side by side, as often as the largest needs: no more than 6 times.
//
// Members with the same rank stay tied, and then share h symbols and what the group of that rank shares; if that is the whole block, they are equal rotations and each becomes
// a group. Ranks are only read here and written by the kernel behind this one (bwt_encode_rank.cuh), so that all groups are compared by the same ranks.
#pragma once

#include "bwt_encode_window.cuh"

namespace warpcodec::bwt_encode {

struct RefineMemory {
    WindowMemory window;
    uint32_t new_heads[FRAME_WORDS];
    int largest;  ///< group
    uint64_t members[2][WINDOW_PLACES];  ///< rank, then position
};

/// Where a listed rotation stands: its group in the list.
struct Member {
    int place;  ///< in the window
    int group_place;  ///< where its group begins, in the window
    int first;  ///< index in the list of the group's first
    int size;

    __device__ __forceinline__ Member(const WindowMemory& window, int index) {
        place = window.list[index];
        group_place = window.frame.begin_of(place);
        first = index - (place - group_place);
        size = window.frame.end_of(place) - group_place;
    }
};

__device__ __forceinline__ int count_smaller(const uint64_t* members, int count, uint64_t than) {
    int first = 0;
    while (count > 0) {
        const int half = count / 2;
        const bool smaller = members[first + half] < than;
        first = smaller ? first + half + 1 : first;
        count = smaller ? count - half - 1 : half;
    }
    return first;
}

/// Loads the members and what they are sorted by.
__device__ __forceinline__ void cta_gather_members(const BwtBatch& batch, const Round& round, const Window& window, RefineMemory& memory) {
    const int count = static_cast<int>(memory.window.count);
    int largest = 0;
#pragma unroll 4
    for (int index = threadIdx.x; index < count; index += RefinePolicy::CTA_THREADS) {
        const Member member(memory.window, index);
        const uint32_t position = static_cast<uint32_t>(batch.keys_a[window.begin + member.place]) & POSITION_MASK;
        const uint32_t shared = round.shared[window.begin + member.group_place];
        const uint32_t rank = batch.ranks[window.block_base + advance(position, shared, window.block_bytes)];
        memory.members[0][index] = uint64_t{rank} << POSITION_BITS | position;
        largest = max(largest, member.size);
    }
    if (largest > RefinePolicy::RUN) atomicMax(&memory.largest, largest);
}

/// Sorts each group. Answers which of the two arrays holds the result; valid for the cta.
__device__ __forceinline__ int cta_sort_members(RefineMemory& memory) {
    constexpr int RUN = RefinePolicy::RUN;
    const int count = static_cast<int>(memory.window.count);
    for (int index = threadIdx.x; index < count; index += RefinePolicy::CTA_THREADS) {
        const Member member(memory.window, index);
        const int run = member.first + (index - member.first) / RUN * RUN;
        const int run_limit = min(run + RUN, member.first + member.size);
        const uint64_t mine = memory.members[0][index];
        int smaller = 0;
        for (int other = run; other < run_limit; ++other) smaller += memory.members[0][other] < mine;
        memory.members[1][run + smaller] = mine;
    }
    __syncthreads();
    int from = 1;
    for (int run = RUN; run < memory.largest; run *= 2) {
        const uint64_t* source = memory.members[from];
        uint64_t* target = memory.members[from ^ 1];
        for (int index = threadIdx.x; index < count; index += RefinePolicy::CTA_THREADS) {
            const Member member(memory.window, index);
            const uint64_t mine = source[index];
            const int at = index - member.first, own = at / run * run, other = own ^ run;
            int place = at;
            if (other < member.size) {
                const int smaller = count_smaller(source + member.first + other, min(run, member.size - other), mine);
                place = min(own, other) + (at - own) + smaller;
            }
            target[member.first + place] = mine;
        }
        __syncthreads();
        from ^= 1;
    }
    return from;
}

/// Writes the new order, and what the groups became.
__device__ __forceinline__ void cta_store_members(const BwtBatch& batch, const Round& round, const Window& window, const uint64_t* members,
                                                  RefineMemory& memory) {
    const int count = static_cast<int>(memory.window.count);
#pragma unroll 2
    for (int index = threadIdx.x; index < count; index += RefinePolicy::CTA_THREADS) {
        const Member member(memory.window, index);
        const uint32_t rank = static_cast<uint32_t>(members[index] >> POSITION_BITS);
        const bool as_before = index > member.first && static_cast<uint32_t>(members[index - 1] >> POSITION_BITS) == rank;
        const bool as_next = index + 1 < member.first + member.size && static_cast<uint32_t>(members[index + 1] >> POSITION_BITS) == rank;
        uint32_t shared = 0;
        if (as_before || as_next) shared = round.shared[window.begin + member.group_place] + round.shared[window.block_base + rank];
        const bool equal = shared >= window.block_bytes;
        batch.keys_a[window.begin + member.place] = members[index] & POSITION_MASK;
        if (!as_before || equal) atomicOr(&memory.new_heads[member.place / 32], 1u << (member.place % 32));
        if (!as_before && as_next && !equal) round.next_shared[window.begin + member.place] = shared;
    }
}

/// All windows of a round.
__device__ __forceinline__ void cta_refine_windows(const BwtBatch& batch, RefineMemory& memory) {
    const Round round(batch);
    if (round.counts->tied == 0) return;
    const uint32_t window_count = batch.tile_count * WINDOWS_PER_TILE;
    for (uint32_t index = blockIdx.x; index < window_count; index += gridDim.x) {
        const Window window = load_window(batch, index);
        if (window.block_bytes == 0) continue;
        for (int word = threadIdx.x; word < FRAME_WORDS; word += RefinePolicy::CTA_THREADS) memory.new_heads[word] = 0;
        if (threadIdx.x == 0) memory.largest = 0;
        cta_open_window(batch, round.heads, window, memory.window);
        if (memory.window.count > 0) {
            cta_gather_members(batch, round, window, memory);
            __syncthreads();
            const int from = cta_sort_members(memory);
            cta_store_members(batch, round, window, memory.members[from], memory);
            __syncthreads();
        }
        // The bits of the round before last lack those of the last one: the window's own words make up for it.
        for (int word = threadIdx.x; word < FRAME_WORDS; word += RefinePolicy::CTA_THREADS) {
            uint32_t bits = memory.new_heads[word];
            if (word < RefinePolicy::WINDOW / 32) bits |= memory.window.frame.words[word];
            uint32_t* target = round.next_heads + window.begin / 32 + word;
            if (bits != 0 && (bits & ~__ldcg(target)) != 0) atomicOr(target, bits);
        }
        __syncthreads();
    }
}

}  // namespace warpcodec::bwt_encode
