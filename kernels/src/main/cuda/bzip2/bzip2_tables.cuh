// Reading prefix codes of up to 20 bits: the tables of a block's two to six codes, made by a cta, a warp for each code.
//
// The words of a canonical code of one length are consecutive numbers, and each length's begin where the shorter
// ones' end. So a word of MAX_CODE_BITS bits tells the length of the word at its top: the smallest one whose bound it
// is below. That is bzip2's own rule, and it holds for codes with too few words, too: bits above the last bound are
// no word. Codes with too many words are refused here; bzip2 reads such blocks, so the CPU decides about them.
#pragma once

#include <cstdint>

#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "bzip2_format.cuh"
#include "bzip2_scratch.cuh"

namespace warpcodec::bzip2 {

constexpr uint32_t SYMBOL_SHIFT = 5;
constexpr uint32_t LENGTH_MASK = 31;
static_assert(MAX_CODE_BITS <= LENGTH_MASK && MAX_ALPHABET << SYMBOL_SHIFT <= 1 << 16,
              "an entry of the look-up has 16 bits");

/// Words of the table of bounds for each code: one for each length, and more, so that it is loaded by sixteen bytes.
constexpr uint32_t BOUNDS = 24;
static_assert(BOUNDS > MAX_CODE_BITS && BOUNDS % 4 == 0, "lengths are numbers in the table");

/// The length of the word at the top of `bits`, of which MAX_CODE_BITS count; MAX_CODE_BITS + 1 if there is none.
__device__ __forceinline__ uint32_t word_length(const uint32_t* bound, uint32_t bits) {
    uint32_t length = 1;
    while (length <= MAX_CODE_BITS && bits >= bound[length]) ++length;
    return length;
}

/// As word_length, but for a word that the look-up does not have, and without a branch. Bounds do not decrease, so
/// the length is found by counting the bounds that the bits are not below. `bound` is aligned to 16 bytes.
__device__ __forceinline__ uint32_t long_word_length(const uint32_t* bound, uint32_t bits) {
    constexpr uint32_t FIRST = DecodePolicy::LOOKUP_BITS + 1;
    uint32_t length = FIRST;
#pragma unroll
    for (uint32_t row = FIRST / 4; row <= MAX_CODE_BITS / 4; ++row) {
        const uint4 four = reinterpret_cast<const uint4*>(bound)[row];
        const uint32_t of[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (uint32_t k = 0; k < 4; ++k) {
            if (4 * row + k >= FIRST && 4 * row + k <= MAX_CODE_BITS) length += bits >= of[k] ? 1 : 0;
        }
    }
    return length;
}

/// The symbol of a word that has a length.
__device__ __forceinline__ uint32_t word_symbol(const CodeTables& tables, uint32_t code, uint32_t bits,
                                                uint32_t length) {
    const int32_t at = static_cast<int32_t>(bits >> (MAX_CODE_BITS - length)) + tables.base[code][length];
    return tables.order[code][min(static_cast<uint32_t>(max(at, 0)), MAX_ALPHABET - 1)];
}

/// Makes all of a code's tables but the look-up; a warp. `s_next` are BOUNDS words of shared memory of its own. False
/// if the lengths are no code.
__device__ inline bool warp_build_code(CodeTables& tables, uint32_t code, const uint8_t* lengths, uint32_t alphabet,
                                       uint32_t* s_next, int lane) {
    if (lane < static_cast<int>(BOUNDS)) s_next[lane] = 0;
    __syncwarp();
    bool legal = true;
    for (uint32_t first = 0; first < alphabet; first += WARP_LANES) {
        const uint32_t symbol = first + lane;
        const uint32_t length = symbol < alphabet ? lengths[symbol] : 0;
        if (symbol < alphabet) {
            const bool possible = length >= 1 && length <= MAX_CODE_BITS;
            legal = legal && possible;
            if (possible) atomicAdd(&s_next[length], 1u);
        }
    }
    __syncwarp();
    if (!__all_sync(ALL_LANES, legal)) return false;
    // Lane l stands for the length l. Words of a length begin where those of shorter ones end, in 20-bit numbers.
    const uint32_t length = lane;
    const bool counts = length >= 1 && length <= MAX_CODE_BITS;
    const uint32_t words = counts ? s_next[length] : 0;
    const uint32_t span = counts ? words << (MAX_CODE_BITS - length) : 0;  // at most 258 << 19
    const uint32_t limit = warp_inclusive_sum(span, lane);
    const uint32_t place = warp_inclusive_sum(words, lane);
    if (__any_sync(ALL_LANES, limit > 1u << MAX_CODE_BITS)) return false;
    __syncwarp();
    if (length < BOUNDS) {
        tables.bound[code][length] = counts ? limit : 0;
        const uint32_t first_word = counts ? (limit - span) >> (MAX_CODE_BITS - length) : 0;
        tables.base[code][length] = static_cast<int32_t>(place - words) - static_cast<int32_t>(first_word);
        s_next[length] = place - words;
    }
    __syncwarp();
    for (uint32_t first = 0; first < alphabet; first += WARP_LANES) {
        const uint32_t symbol = first + lane;
        const uint32_t own = symbol < alphabet ? lengths[symbol] : 0;
        const uint32_t alike = __match_any_sync(ALL_LANES, own);
        const uint32_t before = __popc(alike & ((1u << lane) - 1));
        uint32_t at = 0;
        if (own != 0) at = s_next[own] + before;
        __syncwarp();
        if (own != 0 && before == 0) s_next[own] += __popc(alike);
        __syncwarp();
        if (own != 0) tables.order[code][at] = static_cast<uint16_t>(symbol);
    }
    return true;
}

/// Fills the look-ups of all codes, whose other tables are made and visible; a cta. `s_bound` are the bounds.
__device__ inline void cta_fill_lookups(CodeTables& tables, const uint32_t (*s_bound)[BOUNDS], uint32_t code_count) {
    constexpr uint32_t BITS = DecodePolicy::LOOKUP_BITS;
    for (uint32_t at = threadIdx.x; at < code_count << BITS; at += blockDim.x) {
        const uint32_t code = at >> BITS;
        const uint32_t bits = (at & ((1u << BITS) - 1)) << (MAX_CODE_BITS - BITS);
        const uint32_t length = word_length(s_bound[code], bits);
        tables.lookup[code][at & ((1u << BITS) - 1)] =
            length <= BITS ? static_cast<uint16_t>(word_symbol(tables, code, bits, length) << SYMBOL_SHIFT | length)
                           : 0;
    }
}

constexpr uint32_t STEP_BITS = DecodePolicy::LOOKUP_BITS;
constexpr uint32_t STEP_SHIFT = 4;
constexpr uint32_t STEP_MASK = 15;
static_assert(STEP_BITS <= STEP_MASK && STEP_BITS + STEP_SHIFT <= 16, "an entry of StepTables has 16 bits");

/// Joins the look-ups of single words to those of several; a cta, after cta_fill_lookups.
__device__ inline void cta_fill_steps(const CodeTables& tables, StepTables& steps, uint32_t code_count) {
    for (uint32_t at = threadIdx.x; at < code_count << STEP_BITS; at += blockDim.x) {
        const uint32_t code = at >> STEP_BITS;
        const uint32_t bits = at & ((1u << STEP_BITS) - 1);
        uint32_t starts = 0;
        uint32_t length = 0;
        while (length < STEP_BITS) {
            const uint32_t word = tables.lookup[code][bits << length & ((1u << STEP_BITS) - 1)] & LENGTH_MASK;
            if (word == 0 || word > STEP_BITS - length) break;
            starts |= 1u << (STEP_BITS - 1 - length);
            length += word;
        }
        steps.steps[code][bits] = static_cast<uint16_t>(starts << STEP_SHIFT | length);
    }
}

constexpr int TABLE_CTA_THREADS = 256;
constexpr uint32_t TABLE_CTA_WARPS = TABLE_CTA_THREADS / WARP_LANES;
static_assert(MAX_CODES <= TABLE_CTA_WARPS && TABLE_CTA_WARPS <= WARP_LANES,
              "a warp for each code, a lane for each warp");

/// Groups of a block that can be in use: those that have selectors, and no more than its text can have.
__device__ __forceinline__ uint32_t group_limit(const BlockView& block) {
    return min(block.record->selector_count, block.text_limit / GROUP_SYMBOLS + 2);
}

/// A run of groups with the same code: the code below RUN_SHIFT, and above it how many there are. NO_CODE, which a
/// block has no code of, stands for selectors that name none.
constexpr uint32_t RUN_SHIFT = 3;
constexpr uint32_t NO_CODE = (1u << RUN_SHIFT) - 1;
/// Most groups of a run. A run begins at each multiple of this number, so that its length fits the bits above
/// RUN_SHIFT.
constexpr uint32_t MOST_RUN_GROUPS = 4096;
static_assert(MAX_CODES <= NO_CODE && MOST_RUN_GROUPS << RUN_SHIFT <= 1 << 16 && MAX_SELECTORS <= 1 << 16,
              "a run has 16 bits, a begin too");

/// Shared memory of the cta that makes the tables.
struct TableScratch {
    uint32_t next[MAX_CODES][BOUNDS];
    uint32_t bound[MAX_CODES][BOUNDS];
    uint32_t begins[TABLE_CTA_WARPS];
    uint32_t legal;
};

/// Joins groups to runs: first where each begins, then, in the same memory, its code and length; a cta.
__device__ inline void cta_make_runs(const BlockView& block, TableScratch& s) {
    const uint32_t lane = threadIdx.x % WARP_LANES;
    const uint32_t warp = threadIdx.x / WARP_LANES;
    const uint32_t group_count = group_limit(block);
    uint16_t* runs = block.scratch.group_runs;
    uint32_t run_count = 0;
    for (uint32_t base = 0; base < group_count; base += TABLE_CTA_THREADS) {
        const uint32_t group = base + threadIdx.x;
        const bool begins =
            group < group_count &&
            (group % MOST_RUN_GROUPS == 0 || __ldg(block.selectors + group) != __ldg(block.selectors + group - 1));
        const uint32_t begun = __ballot_sync(ALL_LANES, begins);
        if (lane == 0) s.begins[warp] = __popc(begun);
        __syncthreads();
        const uint32_t of_warp = lane < TABLE_CTA_WARPS ? s.begins[lane] : 0;
        const uint32_t upto = warp_inclusive_sum(of_warp, static_cast<int>(lane));
        const uint32_t before = __shfl_sync(ALL_LANES, upto - of_warp, static_cast<int>(warp));
        if (begins) runs[run_count + before + __popc(begun & ((1u << lane) - 1))] = static_cast<uint16_t>(group);
        run_count += __shfl_sync(ALL_LANES, upto, WARP_LANES - 1);
        __syncthreads();
    }
    for (uint32_t base = 0; base < run_count; base += TABLE_CTA_THREADS) {
        const uint32_t run = base + threadIdx.x;
        uint32_t entry = 0;
        if (run < run_count) {
            const uint32_t group = runs[run];
            const uint32_t behind = run + 1 < run_count ? runs[run + 1] : group_count;
            entry = min(static_cast<uint32_t>(__ldg(block.selectors + group)), NO_CODE) | (behind - group) << RUN_SHIFT;
        }
        __syncthreads();
        if (run < run_count) runs[run] = static_cast<uint16_t>(entry);
    }
    if (threadIdx.x == 0) block.scratch.state->run_count = run_count;
}

/// Makes the tables of a block; a cta of TABLE_CTA_THREADS. The block's state is written by the caller; here its
/// status and its runs.
__device__ inline void cta_make_tables(const BlockView& block, TableScratch& s) {
    const int lane = threadIdx.x % WARP_LANES;
    const uint32_t warp = threadIdx.x / WARP_LANES;
    const Record& record = *block.record;
    CodeTables& tables = *block.scratch.tables;
    if (threadIdx.x == 0) s.legal = 1;
    __syncthreads();
    if (warp < record.code_count) {
        if (!warp_build_code(tables, warp, record.code_lengths[warp], record.alphabet, s.next[warp], lane) && lane == 0)
            s.legal = 0;
    }
    __syncthreads();
    if (s.legal == 0) {
        if (threadIdx.x == 0) block.scratch.state->status = STATUS_BAD_HEADER;
        return;
    }
    for (uint32_t at = threadIdx.x; at < record.code_count * BOUNDS; at += blockDim.x)
        s.bound[at / BOUNDS][at % BOUNDS] = tables.bound[at / BOUNDS][at % BOUNDS];
    __syncthreads();
    cta_fill_lookups(tables, s.bound, record.code_count);
    __syncthreads();
    cta_fill_steps(tables, *block.scratch.steps, record.code_count);
    cta_make_runs(block, s);
}

/// The tables by which words are counted, not read: in shared memory of those that do.
struct alignas(16) StepCodes {
    uint32_t bound[MAX_CODES][BOUNDS];
    StepTables tables;

    /// Copies them; a cta, before a barrier.
    __device__ __forceinline__ void load(const BlockScratch& scratch) {
        const uint4* from = reinterpret_cast<const uint4*>(scratch.steps);
        uint4* to = reinterpret_cast<uint4*>(&tables);
        for (uint32_t at = threadIdx.x; at < sizeof(StepTables) / sizeof(uint4); at += blockDim.x) to[at] = from[at];
        for (uint32_t at = threadIdx.x; at < MAX_CODES * BOUNDS; at += blockDim.x)
            bound[at / BOUNDS][at % BOUNDS] = scratch.tables->bound[at / BOUNDS][at % BOUNDS];
    }
};

/// What one look at the bits shows.
struct Step {
    uint32_t starts;  ///< bit 31: a word begins with the first of these bits, and so on
    uint32_t length;  ///< where the first word begins that is not among them, 1 to MAX_CODE_BITS
};

/// Bits that are no word of a code are a word of one bit.
__device__ __forceinline__ Step step_at(const StepCodes& s, uint32_t code, uint32_t bits) {
    const uint32_t entry = s.tables.steps[code][bits >> (32 - STEP_BITS)];
    if (entry != 0) return Step{entry >> STEP_SHIFT << (32 - STEP_BITS), entry & STEP_MASK};
    const uint32_t length = long_word_length(s.bound[code], bits >> (32 - MAX_CODE_BITS));
    return Step{0x80000000u, length <= MAX_CODE_BITS ? length : 1};
}

}  // namespace warpcodec::bzip2
