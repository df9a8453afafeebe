// Makes sequences of a block's matches, one cta: in three passes over them.
//
// *Merge*: matches of one offset that follow each other without literals become one; the finder's longest is 258 bytes.
// So no sequence without literals has the offset of the sequence before it, which zstd could not repeat.
//
// *Runs*: how many sequences before a sequence have its offset, in bits of the offset that are free.
//
// *Values*, from the last sequence to the first: how many literals come before it, and which offset is repeated. The
// three offsets that may be are the three latest different ones, whether they were repeated or not. Those in front of
// the block are not known here, and not used. The second is found along runs. The third may lie behind many runs of
// the first two, and is looked for in a few of them only. That is no error: an offset that is given though it is the
// third leaves the same three as if it were repeated. Symbols are counted.
#pragma once

#include "../common/cta_sum.cuh"
#include "zstd_encode_memory.cuh"

namespace warpcodec::zstd_encode {

constexpr int OFFSET_BITS = 23;
constexpr uint32_t OFFSET_MASK = (1u << OFFSET_BITS) - 1;
constexpr uint32_t MOST_RUN = (1u << (32 - OFFSET_BITS)) - 1;
static_assert(MAX_RAW_BYTES <= 1u << OFFSET_BITS);
/// Runs that are passed on the way to the third offset.
constexpr int THIRD_RUNS = 8;
constexpr uint32_t OFFSET_REPEATS = 3;  ///< values that repeat an offset

/// Merges matches in place: then `more` is the last place of a match. Answers how many are left.
__device__ __forceinline__ uint32_t cta_merge_matches(Sequence* sequences, uint32_t count, CodesMemory& memory) {
    if (threadIdx.x == 0) memory.last_offset = 0, memory.last_end = 0;
    uint32_t merged = 0;
    __syncthreads();
    for (uint32_t first = 0; first < count; first += CODES_THREADS) {
        const uint32_t i = first + threadIdx.x;
        const bool is_there = i < count;
        Sequence own{0, 0, 0}, next{0, 0, 0};
        uint32_t offset_before = memory.last_offset, end_before = memory.last_end;
        if (is_there) own = sequences[i];
        const bool has_next = i + 1 < count;
        if (has_next) next = sequences[i + 1];
        const uint32_t end = own.place + own.more + MIN_MATCH;
        if (threadIdx.x != 0 && is_there) {
            const Sequence before = sequences[i - 1];
            offset_before = before.offset;
            end_before = before.place + before.more + MIN_MATCH;
        }
        const bool is_head = is_there && (own.place != end_before || own.offset != offset_before);
        const bool is_tail = is_there && (!has_next || next.place != end || next.offset != own.offset);
        uint32_t heads;
        const uint32_t at = merged + cta_exclusive_sum<CODES_THREADS>(is_head ? 1 : 0, memory.warp_sums, heads);
        if (is_head) {
            sequences[at].offset = own.offset;
            sequences[at].place = own.place;
        }
        if (is_tail) sequences[is_head ? at : at - 1].more = static_cast<uint16_t>(end - 1);
        if (threadIdx.x == CODES_THREADS - 1) memory.last_offset = own.offset, memory.last_end = end;
        merged += heads;
        __syncthreads();
    }
    return merged;
}

/// Notes in each offset's highest bits how many sequences before have it.
__device__ __forceinline__ void cta_count_runs(Sequence* sequences, uint32_t count, CodesMemory& memory) {
    const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    uint32_t last_change = 0;
    for (uint32_t first = 0; first < count; first += CODES_THREADS) {
        const uint32_t i = first + threadIdx.x;
        uint32_t offset = 0, change = 0;
        if (i < count) {
            offset = sequences[i].offset;
            if (i != 0 && (sequences[i - 1].offset & OFFSET_MASK) != offset) change = i;
        }
#pragma unroll
        for (int distance = 1; distance < WARP_LANES; distance *= 2) {
            const uint32_t other = __shfl_up_sync(ALL_LANES, change, distance);
            if (lane >= distance) change = max(change, other);
        }
        if (lane == WARP_LANES - 1) memory.warp_sums[warp] = change;
        __syncthreads();
        for (int other = 0; other < CODES_WARPS; ++other) {
            if (other == warp) change = max(change, last_change);
            last_change = max(last_change, memory.warp_sums[other]);
        }
        if (i < count) sequences[i].offset = offset | min(i - change, MOST_RUN) << OFFSET_BITS;
        __syncthreads();
    }
}

/// The sequence before `at` that has another offset than it; negative if there is none. `at` may be so, too.
__device__ __forceinline__ int thread_pass_run(const Sequence* sequences, int at) {
    return at < 0 ? at : at - static_cast<int>(sequences[at].offset >> OFFSET_BITS) - 1;
}
__device__ __forceinline__ uint32_t thread_offset(const Sequence* sequences, int at) {
    return at < 0 ? 0 : sequences[at].offset & OFFSET_MASK;
}

/// The value of an offset behind the sequences up to `before`.
__device__ __forceinline__ uint32_t thread_offset_value(const Sequence* sequences, int before, uint32_t offset,
                                                        bool has_literals) {
    const uint32_t first = thread_offset(sequences, before);
    if (offset == first) return 1;
    int at = before;
    do at = thread_pass_run(sequences, at);
    while (at >= 0 && thread_offset(sequences, at) == first);
    const uint32_t second = thread_offset(sequences, at);
    const uint32_t shift = has_literals ? 0 : 1;
    if (offset == second) return 2 - shift;
    for (int run = 0; run < THIRD_RUNS && at >= 0; ++run) {
        at = thread_pass_run(sequences, at);
        const uint32_t other = thread_offset(sequences, at);
        if (other == first || other == second) continue;
        if (offset == other) return 3 - shift;
        break;
    }
    return offset + OFFSET_REPEATS;
}

/// Counts the symbols of a sequence that has its values.
__device__ __forceinline__ void thread_count_symbols(const Sequence& sequence, CodesMemory& memory) {
    atomicAdd(&memory.counts[zstd::LITERAL_LENGTHS][zstd::literal_length_symbol(sequence.place)], 1u);
    atomicAdd(&memory.counts[zstd::OFFSETS][zstd::offset_symbol(sequence.offset)], 1u);
    atomicAdd(&memory.counts[zstd::MATCH_LENGTHS][zstd::match_length_symbol(sequence.more)], 1u);
}

/// Makes the values of all sequences, and counts their symbols.
__device__ __forceinline__ void cta_make_values(Sequence* sequences, uint32_t count, CodesMemory& memory) {
    const uint32_t rounds = (count + CODES_THREADS - 1) / CODES_THREADS;
    for (uint32_t round = rounds; round-- > 0;) {
        const uint32_t i = round * CODES_THREADS + threadIdx.x;
        Sequence own{0, 0, 0};
        if (i < count) {
            own = sequences[i];
            const uint32_t end_before = i == 0 ? 0 : sequences[i - 1].more + 1u;
            const uint32_t literals = own.place - end_before, more = own.more + 1u - own.place - MIN_MATCH;
            own.offset =
                thread_offset_value(sequences, static_cast<int>(i) - 1, own.offset & OFFSET_MASK, literals != 0);
            own.place = static_cast<uint16_t>(literals);
            own.more = static_cast<uint16_t>(more);
            thread_count_symbols(own, memory);
        }
        __syncthreads();
        if (i < count) sequences[i] = own;
        __syncthreads();
    }
}

}  // namespace warpcodec::zstd_encode
