// Reading prefix codes of up to 20 bits: the tables of a block's two to six codes, made by the cta that looks for its groups, a warp for each code.
//
// The words of a canonical code of one length are consecutive numbers, and each length's begin where the shorter ones' end. So a word of MAX_CODE_BITS bits tells the length of
// the word at its top: the smallest one whose bound it is below. That is bzip2's own rule, and it holds for codes with too few words, too: bits above the last bound are no word.
// Codes with too many words are refused here; bzip2 reads such blocks, so the CPU decides about them.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"
#include "bzip2_format.cuh"
#include "bzip2_scratch.cuh"

namespace warpcodec::bzip2 {

constexpr uint32_t SYMBOL_SHIFT = 5;
constexpr uint32_t LENGTH_MASK = 31;
static_assert(MAX_CODE_BITS <= LENGTH_MASK && MAX_ALPHABET << SYMBOL_SHIFT <= 1 << 16, "an entry of the look-up has 16 bits");

/// Words of the table of bounds for each code: one for each length, and more, so that it is loaded by sixteen bytes.
constexpr uint32_t BOUNDS = 24;
static_assert(BOUNDS > MAX_CODE_BITS && BOUNDS % 4 == 0, "lengths are numbers in the table");

/// The length of the word at the top of `bits`, of which MAX_CODE_BITS count; MAX_CODE_BITS + 1 if there is none.
__device__ __forceinline__ uint32_t word_length(const uint32_t* bound, uint32_t bits) {
    uint32_t length = 1;
    while (length <= MAX_CODE_BITS && bits >= bound[length]) ++length;
    return length;
}

/// The same of a word that the look-up does not have, without a branch: bounds do not decrease, so the length is the number of those that the bits are not below. `bound` is aligned
/// to 16 bytes.
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
__device__ __forceinline__ uint32_t word_symbol(const CodeTables& tables, uint32_t code, uint32_t bits, uint32_t length) {
    const int32_t at = static_cast<int32_t>(bits >> (MAX_CODE_BITS - length)) + tables.base[code][length];
    return tables.order[code][min(static_cast<uint32_t>(max(at, 0)), MAX_ALPHABET - 1)];
}

/// Makes all of a code's tables but the look-up; a warp. `s_next` are BOUNDS words of shared memory of its own. False if the lengths are no code.
__device__ inline bool warp_build_code(CodeTables& tables, uint32_t code, const uint8_t* lengths, uint32_t alphabet, uint32_t* s_next, int lane) {
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
            length <= BITS ? static_cast<uint16_t>(word_symbol(tables, code, bits, length) << SYMBOL_SHIFT | length) : 0;
    }
}

}  // namespace warpcodec::bzip2
