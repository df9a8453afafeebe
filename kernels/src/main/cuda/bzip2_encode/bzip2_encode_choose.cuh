// Chooses codes for groups of 50 symbols, and makes the codes: a cta a block.
//
// As bzip2 does: the alphabet is divided among the codes by frequency, then each group takes the code that costs it
// least, and each code is made anew for the groups that took it, four times. What a symbol costs under all six codes
// stands side by side in one word of 64 bits, 10 bits each: a group's sums, 750 at most, fit, and a group is one
// look-up and one addition a symbol. A thread takes groups in turn.
//
// Codes are optimal within 15 bits (huffman_build.cuh), where bzip2 flattens weights until 17 suffice; all symbols
// have one, as bzip2's do. One warp makes each, side by side.
#pragma once

#include "../common/group.cuh"
#include "../huffman/huffman_build.cuh"
#include "../huffman/huffman_code.cuh"
#include "../sort/sort_scan.cuh"
#include "bzip2_encode_bits.cuh"
#include "bzip2_encode_format.cuh"

namespace warpcodec::bzip2_encode {

constexpr int COST_BITS = 10;
constexpr uint32_t COST_MASK = (1u << COST_BITS) - 1;
static_assert(MAX_CODES * COST_BITS <= 64 && GROUP_SYMBOLS * CODE_LIMIT <= COST_MASK,
              "sums of a group do not run over");
/// Cost of a symbol outside a code's first share.
constexpr uint32_t DEAR = 15;
constexpr int ALPHABET_ROOM = 260;

struct ChooseMemory {
    uint64_t costs[ALPHABET_ROOM];
    uint32_t counts[MAX_CODES][ALPHABET_ROOM];
    uint8_t lengths[MAX_CODES][ALPHABET_ROOM];
    uint16_t shares[MAX_CODES + 1];  ///< where each code's first share of the alphabet begins
    uint32_t warp_sums[WARP_LANES];
    uint32_t warp_latest[WARP_LANES][MAX_CODES / 2];
    union {
        huffman::BuildScratch<MAX_ALPHABET, CODE_LIMIT> build[MAX_CODES];
        huffman::Code words[MAX_CODES][ALPHABET_ROOM];
    };
};

/// What is chosen for one block.
struct Choice {
    const uint16_t* symbols;
    uint8_t* selectors;
    uint32_t symbol_count;
    uint32_t group_count;
    int alphabet;
    int code_count;

    /// A symbol of the alphabet, whatever stands there.
    __device__ __forceinline__ uint32_t symbol(uint32_t at) const {
        return min(static_cast<uint32_t>(symbols[at]), static_cast<uint32_t>(alphabet - 1));
    }
};

__device__ __forceinline__ int code_count_of(uint32_t symbol_count) {
    return symbol_count < 200 ? 2 : symbol_count < 600 ? 3 : symbol_count < 1200 ? 4 : symbol_count < 2400 ? 5 : 6;
}

__device__ __forceinline__ void cta_clear_counts(ChooseMemory& memory) {
    for (int i = threadIdx.x; i < MAX_CODES * ALPHABET_ROOM; i += ChoosePolicy::CTA_THREADS)
        (&memory.counts[0][0])[i] = 0;
    __syncthreads();
}

/// First costs: each code makes a share of the alphabet cheap that holds about as many symbols of the block as the
/// others.
__device__ __forceinline__ void cta_divide(const Choice& choice, ChooseMemory& memory) {
    cta_clear_counts(memory);
    for (uint32_t at = threadIdx.x; at < choice.symbol_count; at += ChoosePolicy::CTA_THREADS)
        atomicAdd(&memory.counts[0][choice.symbol(at)], 1u);
    __syncthreads();
    if (threadIdx.x == 0) {
        uint32_t left = choice.symbol_count;
        int symbol = 0;
        for (int code = 0; code < choice.code_count; ++code) {
            const uint32_t share = left / (choice.code_count - code);
            memory.shares[code] = static_cast<uint16_t>(symbol);
            uint32_t held = 0;
            while (symbol < choice.alphabet && (held < share || code == choice.code_count - 1))
                held += memory.counts[0][symbol++];
            // bzip2 gives every second share one symbol less, where it can: on text that is 1 % of the block
            if (symbol > memory.shares[code] + 1 && code % 2 == 1 && code != choice.code_count - 1)
                held -= memory.counts[0][--symbol];
            left -= held;
        }
        memory.shares[choice.code_count] = static_cast<uint16_t>(symbol);
    }
    __syncthreads();
    for (int symbol = threadIdx.x; symbol < choice.alphabet; symbol += ChoosePolicy::CTA_THREADS) {
        uint64_t costs = 0;
        for (int code = 0; code < choice.code_count; ++code) {
            const bool own = symbol >= memory.shares[code] && symbol < memory.shares[code + 1];
            costs |= uint64_t{own ? 0 : DEAR} << (COST_BITS * code);
        }
        memory.costs[symbol] = costs;
    }
    __syncthreads();
}

/// Calls take(symbol) for each symbol of a group; the last one may have fewer than the others.
template <typename Take>
__device__ __forceinline__ void thread_each_symbol(const Choice& choice, uint32_t group, Take take) {
    const uint32_t first = group * GROUP_SYMBOLS;
    if (choice.symbol_count - first < GROUP_SYMBOLS) {
#pragma unroll 1
        for (uint32_t at = first; at < choice.symbol_count; ++at) take(choice.symbol(at));
        return;
    }
#pragma unroll 10
    for (uint32_t i = 0; i < GROUP_SYMBOLS; ++i) take(choice.symbol(first + i));
}

/// Sum of the costs of a group under all codes.
__device__ __forceinline__ uint64_t thread_add_costs(const Choice& choice, const uint64_t* costs, uint32_t group) {
    uint64_t sum = 0;
    thread_each_symbol(choice, group, [&](uint32_t symbol) { sum += costs[symbol]; });
    return sum;
}

/// Each group takes its cheapest code, of equal ones the first; then the codes are made for what took them.
__device__ __forceinline__ void cta_select(const Choice& choice, ChooseMemory& memory) {
    cta_clear_counts(memory);
    for (uint32_t group = threadIdx.x; group < choice.group_count; group += ChoosePolicy::CTA_THREADS) {
        const uint64_t sum = thread_add_costs(choice, memory.costs, group);
        uint32_t best = 0, best_cost = ~0u;
        for (int code = 0; code < choice.code_count; ++code) {
            const uint32_t cost = static_cast<uint32_t>(sum >> (COST_BITS * code)) & COST_MASK;
            if (cost < best_cost) best = code, best_cost = cost;
        }
        choice.selectors[group] = static_cast<uint8_t>(best);
        thread_each_symbol(choice, group, [&](uint32_t symbol) { atomicAdd(&memory.counts[best][symbol], 1u); });
    }
    __syncthreads();
    const int warp = threadIdx.x / WARP_LANES, lane = threadIdx.x % WARP_LANES;
    if (warp < choice.code_count) {
        for (int symbol = lane; symbol < choice.alphabet; symbol += WARP_LANES)
            memory.counts[warp][symbol] = max(1u, memory.counts[warp][symbol]);
        __syncwarp();
        huffman::group_build_lengths(WarpGroup{lane}, memory.counts[warp], choice.alphabet, CODE_LIMIT,
                                     memory.lengths[warp], memory.build[warp]);
    }
    __syncthreads();
    for (int symbol = threadIdx.x; symbol < choice.alphabet; symbol += ChoosePolicy::CTA_THREADS) {
        uint64_t costs = 0;
        for (int code = 0; code < choice.code_count; ++code)
            costs |= uint64_t{memory.lengths[code][symbol]} << (COST_BITS * code);
        memory.costs[symbol] = costs;
    }
    __syncthreads();
}

/// The words of all codes, highest bit first, to device memory.
__device__ __forceinline__ void cta_store_words(const Choice& choice, uint32_t* words, ChooseMemory& memory) {
    const CtaGroup<ChoosePolicy::CTA_THREADS> group{static_cast<int>(threadIdx.x)};
    for (int code = 0; code < choice.code_count; ++code) {
        huffman::group_build_codes<CODE_LIMIT>(group, memory.lengths[code], choice.alphabet, memory.words[code]);
    }
    for (int i = threadIdx.x; i < choice.code_count * choice.alphabet; i += ChoosePolicy::CTA_THREADS) {
        const int code = i / choice.alphabet, symbol = i % choice.alphabet;
        const huffman::Code word = memory.words[code][symbol];
        words[code * MAX_ALPHABET + symbol] = __brev(word.bits()) >> (32 - word.length()) | word.length()
                                                                                                << WORD_LENGTH_AT;
    }
    __syncthreads();
}

}  // namespace warpcodec::bzip2_encode
