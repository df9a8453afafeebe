// Decides how a block is written, and its codes, one cta.
//
// Dynamic codes are optimal within their limits (huffman_build.cuh). The code lengths are sent as runs: each run of
// equal lengths is cut into symbols of the precode by the thread where it starts. The block becomes what is smallest:
// dynamic, fixed or stored, counted in bits.
#pragma once

#include "../common/cta_sum.cuh"
#include "../common/group.cuh"
#include "../common/warp.cuh"
#include "../huffman/huffman_build.cuh"
#include "../huffman/huffman_code.cuh"
#include "deflate_encode_parse.cuh"

namespace warpcodec::deflate_encode {

using huffman::Code;

constexpr int CODES_DISTANCES_AT = Frequencies::DISTANCES_AT;

/// Bits that were gathered, in shared memory, before they go out. Space for four of the longest tokens of each thread.
template <typename Policy>
struct BitStage {
    static constexpr int ELEMENTS_AT_ONCE = 4;
    static constexpr int WORDS = Policy::CTA_THREADS * ELEMENTS_AT_ONCE * 48 / 32 + 4;
    uint32_t words[WORDS];
};

/// Shared memory of one cta while it decides and writes.
template <typename Policy>
struct CodeMemory {
    static constexpr int WARPS = Policy::CTA_THREADS / WARP_LANES;
    static constexpr int LENGTH_COUNT = LITERAL_SYMBOLS + DISTANCE_SYMBOLS;
    static constexpr int LENGTH_WARPS = (LENGTH_COUNT + WARP_LANES - 1) / WARP_LANES;
    static_assert(Policy::CTA_THREADS >= Frequencies::COUNT && Policy::CTA_THREADS > LENGTH_COUNT,
                  "a thread for each symbol");

    union {
        struct {
            huffman::BuildScratch<LITERAL_CODES, MAX_CODE_BITS> literals;
            huffman::BuildScratch<DISTANCE_SYMBOLS, MAX_CODE_BITS> distances;
            huffman::BuildScratch<PRECODE_SYMBOLS, MAX_PRECODE_BITS> precode;
        } build;
        BitStage<Policy> stage;
    };
    Code codes[Frequencies::COUNT];  ///< literals and lengths, then distances from CODES_DISTANCES_AT on
    uint8_t lengths[Frequencies::COUNT];
    uint32_t precode_frequencies[PRECODE_SYMBOLS];
    uint8_t precode_lengths[WARP_LANES];
    Code precode[WARP_LANES];
    uint16_t runs[LENGTH_COUNT];  ///< precode symbols of the header; extra bits from RUN_EXTRA_AT on
    uint32_t run_starts[LENGTH_WARPS + 1];
    uint32_t warp_sums[WARPS];
    /// At the start of 16 bytes: the counts are loaded together, and never with the sums in front of them, which
    /// other warps may be writing.
    alignas(16) uint32_t literal_codes;
    uint32_t distance_codes, precode_codes, run_count;
    uint32_t header_bits, dynamic_bits, fixed_bits;
};

constexpr int RUN_EXTRA_AT = 8;
using deflate::REPEAT_LEAST;
using deflate::REPEAT_PREVIOUS;
using deflate::REPEAT_ZERO;
using deflate::REPEAT_ZERO_LONG;
using deflate::REPEAT_ZERO_LONG_LEAST;
constexpr uint32_t REPEAT_PREVIOUS_MOST = REPEAT_LEAST + (1u << deflate::REPEAT_PREVIOUS_BITS) - 1;
constexpr uint32_t REPEAT_ZERO_LONG_MOST = REPEAT_ZERO_LONG_LEAST + (1u << deflate::REPEAT_ZERO_LONG_BITS) - 1;
static_assert(REPEAT_PREVIOUS_MOST == 6 && REPEAT_ZERO_LONG_MOST == 138);
constexpr int HEADER_FIELD_BITS = deflate::COUNT_BITS;

__device__ __forceinline__ uint32_t run_extra_bits(uint32_t symbol) {
    return symbol < REPEAT_PREVIOUS    ? 0
           : symbol == REPEAT_PREVIOUS ? deflate::REPEAT_PREVIOUS_BITS
           : symbol == REPEAT_ZERO     ? deflate::REPEAT_ZERO_BITS
                                       : deflate::REPEAT_ZERO_LONG_BITS;
}

/// In which order the header gives the precode's lengths: five bits each, twelve a word.
constexpr uint64_t packed_precode_order(int from) {
    constexpr uint8_t ORDER[PRECODE_SYMBOLS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint64_t word = 0;
    for (int i = 0; i < 12 && from + i < PRECODE_SYMBOLS; ++i)
        word |= static_cast<uint64_t>(ORDER[from + i]) << (5 * i);
    return word;
}
constexpr uint64_t PRECODE_ORDER_LOW = packed_precode_order(0), PRECODE_ORDER_HIGH = packed_precode_order(12);
__device__ __forceinline__ int precode_order(int index) {
    return static_cast<int>((index < 12 ? PRECODE_ORDER_LOW >> (5 * index) : PRECODE_ORDER_HIGH >> (5 * (index - 12))) &
                            31);
}

/// Adds up the copies of the frequencies in the first, with the end of the block.
template <typename Policy>
__device__ __forceinline__ void cta_gather_frequencies(Frequencies& frequencies) {
    for (int i = threadIdx.x; i < Frequencies::COUNT; i += Policy::CTA_THREADS) {
        uint32_t sum = i == static_cast<int>(END_OF_BLOCK) ? 1 : 0;
        for (int copy = 0; copy < Frequencies::COPIES; ++copy) sum += frequencies.counts[copy * Frequencies::COUNT + i];
        frequencies.counts[i] = sum;
    }
    __syncthreads();
}

/// Codes of both alphabets from `lengths`.
template <typename Policy>
__device__ __forceinline__ void cta_build_codes(CodeMemory<Policy>& memory) {
    const CtaGroup<Policy::CTA_THREADS> group{static_cast<int>(threadIdx.x)};
    huffman::group_build_codes<MAX_CODE_BITS>(group, memory.lengths, LITERAL_CODES, memory.codes);
    huffman::group_build_codes<MAX_CODE_BITS>(group, memory.lengths + CODES_DISTANCES_AT, DISTANCE_SYMBOLS,
                                              memory.codes + CODES_DISTANCES_AT);
}

/// Optimal lengths of both alphabets.
template <typename Policy>
__device__ __forceinline__ void cta_build_lengths(const Frequencies& frequencies, CodeMemory<Policy>& memory) {
    const CtaGroup<Policy::CTA_THREADS> group{static_cast<int>(threadIdx.x)};
    huffman::group_build_lengths(group, frequencies.counts, LITERAL_CODES, MAX_CODE_BITS, memory.lengths,
                                 memory.build.literals);
    huffman::group_build_lengths(group, frequencies.counts + Frequencies::DISTANCES_AT, DISTANCE_SYMBOLS, MAX_CODE_BITS,
                                 memory.lengths + CODES_DISTANCES_AT, memory.build.distances);
}

/// The length of a literal's or length's code in a fixed block.
__device__ __forceinline__ int fixed_literal_bits(int symbol) {
    return symbol < deflate::FIXED_NINE_BITS_FROM    ? 8
           : symbol < deflate::FIXED_SEVEN_BITS_FROM ? 9
           : symbol < deflate::FIXED_EIGHT_BITS_FROM ? 7
                                                     : 8;
}

/// The lengths of the fixed codes. The last two distances, which stand for nothing, lie behind all others.
template <typename Policy>
__device__ __forceinline__ void cta_set_fixed_lengths(CodeMemory<Policy>& memory) {
    const int i = static_cast<int>(threadIdx.x);
    if (i < LITERAL_CODES) memory.lengths[i] = fixed_literal_bits(i);
    if (i < DISTANCE_SYMBOLS) memory.lengths[CODES_DISTANCES_AT + i] = deflate::FIXED_DISTANCE_BITS;
    __syncthreads();
}

/// Cuts the sequence of all code lengths into precode symbols, and builds the precode.
template <typename Policy>
__device__ __forceinline__ void cta_cut_runs(CodeMemory<Policy>& memory) {
    using Memory = CodeMemory<Policy>;
    const int i = static_cast<int>(threadIdx.x), lane = i % WARP_LANES, warp = i / WARP_LANES;
    if (i == 0) memory.literal_codes = LEAST_LITERAL_CODES, memory.distance_codes = 1;
    if (i < PRECODE_SYMBOLS) memory.precode_frequencies[i] = 0;
    __syncthreads();
    if (i < LITERAL_SYMBOLS && memory.lengths[i] != 0) atomicMax(&memory.literal_codes, static_cast<uint32_t>(i) + 1);
    if (i < DISTANCE_SYMBOLS && memory.lengths[CODES_DISTANCES_AT + i] != 0)
        atomicMax(&memory.distance_codes, static_cast<uint32_t>(i) + 1);
    __syncthreads();
    const int literals = static_cast<int>(memory.literal_codes);
    const int count = literals + static_cast<int>(memory.distance_codes);
    const auto length_at = [&](int at) -> uint32_t {
        return memory.lengths[at < literals ? at : CODES_DISTANCES_AT + at - literals];
    };
    const uint32_t length = i < count ? length_at(i) : 0;
    const bool starts = i <= count && (i == 0 || i == count ||
                                       length != length_at(i - 1));  // the place behind the last starts a run, too
    const uint32_t warp_starts = __ballot_sync(ALL_LANES, starts);
    if (lane == 0 && warp < Memory::LENGTH_WARPS) memory.run_starts[warp] = warp_starts;
    __syncthreads();
    uint32_t symbols = 0, rest = 0, full = 0;
    if (starts && i < count) {
        uint32_t later = lane == WARP_LANES - 1 ? 0 : memory.run_starts[warp] & (ALL_LANES << (lane + 1));
        int at = warp;
        while (later == 0) later = memory.run_starts[++at];
        rest = static_cast<uint32_t>(at * WARP_LANES + __ffs(later) - 1 - i);
        const uint32_t most = length == 0 ? REPEAT_ZERO_LONG_MOST : REPEAT_PREVIOUS_MOST;
        if (length != 0) --rest;
        full = rest / most;
        rest %= most;
        symbols = (length != 0) + full + (rest >= REPEAT_LEAST ? 1 : rest);
    }
    uint32_t at = cta_exclusive_sum<Policy::CTA_THREADS>(symbols, memory.warp_sums, memory.run_count);
    const auto add = [&](uint32_t symbol, uint32_t extra) {
        memory.runs[at++] = static_cast<uint16_t>(symbol | extra << RUN_EXTRA_AT);
        atomicAdd(&memory.precode_frequencies[symbol], 1u);
    };
    if (symbols != 0) {
        if (length != 0) add(length, 0);
        for (uint32_t k = 0; k < full; ++k)
            length == 0 ? add(REPEAT_ZERO_LONG, REPEAT_ZERO_LONG_MOST - REPEAT_ZERO_LONG_LEAST)
                        : add(REPEAT_PREVIOUS, REPEAT_PREVIOUS_MOST - REPEAT_LEAST);
        if (rest >= REPEAT_LEAST) {
            if (length != 0) add(REPEAT_PREVIOUS, rest - REPEAT_LEAST);
            else if (rest >= REPEAT_ZERO_LONG_LEAST) add(REPEAT_ZERO_LONG, rest - REPEAT_ZERO_LONG_LEAST);
            else add(REPEAT_ZERO, rest - REPEAT_LEAST);
        } else {
            for (uint32_t k = 0; k < rest; ++k) add(length, 0);
        }
    }
    __syncthreads();
    if (warp == 0) {
        const WarpGroup group{lane};
        huffman::group_build_lengths(group, memory.precode_frequencies, PRECODE_SYMBOLS, MAX_PRECODE_BITS,
                                     memory.precode_lengths, memory.build.precode);
        huffman::group_build_codes<MAX_PRECODE_BITS>(group, memory.precode_lengths, PRECODE_SYMBOLS, memory.precode);
        const bool has_code = lane < PRECODE_SYMBOLS && memory.precode_lengths[precode_order(lane)] != 0;
        const uint32_t used = __ballot_sync(ALL_LANES, has_code);
        if (lane == 0) memory.precode_codes = max(LEAST_PRECODE_LENGTHS, 32 - __clz(used));
    }
    __syncthreads();
}

/// Adds up the block's bits, were it written with dynamic codes or fixed ones.
template <typename Policy>
__device__ __forceinline__ void cta_add_up_bits(const Frequencies& frequencies, CodeMemory<Policy>& memory) {
    const int i = static_cast<int>(threadIdx.x);
    uint32_t dynamic_bits = 0, fixed_bits = 0, header_bits = 0;
    if (i < LITERAL_SYMBOLS) {
        const uint32_t count = frequencies.counts[i];
        dynamic_bits = count * (memory.lengths[i] + length_extra_bits(i));
        fixed_bits = count * (fixed_literal_bits(i) + length_extra_bits(i));
    } else if (i >= CODES_DISTANCES_AT && i < CODES_DISTANCES_AT + DISTANCE_SYMBOLS) {
        const int symbol = i - CODES_DISTANCES_AT;
        const uint32_t count = frequencies.counts[Frequencies::DISTANCES_AT + symbol];
        dynamic_bits = count * (memory.lengths[CODES_DISTANCES_AT + symbol] + distance_extra_bits(symbol));
        fixed_bits = count * (deflate::FIXED_DISTANCE_BITS + distance_extra_bits(symbol));
    }
    if (i < static_cast<int>(memory.run_count)) {
        const uint32_t symbol = memory.runs[i] & ((1u << RUN_EXTRA_AT) - 1);
        header_bits = memory.precode_lengths[symbol] + run_extra_bits(symbol);
    }
    uint32_t all;
    cta_exclusive_sum<Policy::CTA_THREADS>(dynamic_bits, memory.warp_sums, all);
    if (i == 0) memory.dynamic_bits = all;
    cta_exclusive_sum<Policy::CTA_THREADS>(fixed_bits, memory.warp_sums, all);
    if (i == 0) memory.fixed_bits = all + HEADER_BITS;
    cta_exclusive_sum<Policy::CTA_THREADS>(header_bits, memory.warp_sums, all);
    if (i == 0) {
        memory.header_bits =
            HEADER_BITS + HEADER_FIELD_BITS + deflate::PRECODE_LENGTH_BITS * memory.precode_codes + all;
        memory.dynamic_bits += memory.header_bits;
    }
    __syncthreads();
}

}  // namespace warpcodec::deflate_encode
