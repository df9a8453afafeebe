// Tables to decode a canonical prefix code (huffman_code.cuh), made by a warp from the lengths of its words.
//
// A word's length follows from comparing 15 bits of the stream, reversed, with the limits of the lengths. Its symbol
// follows from the distance to the first word of its length, in a list of the symbols by length and number. That is
// all that is needed. A look-up by the next LOOKUP_BITS bits, filled by that very rule, spares the comparing for
// short codes, which are nearly all.
//
// An entry is 16 bits: the code's length in bits 0 to 3, and 12 bits that the caller gives each symbol. Zero stands
// for no code.
//
// Kraft's sum is the caller's to judge; a decoder may use an incomplete code's tables, in which unused codes give
// zero, but not those of an over-subscribed one, which are not made.
//
// Cost: some 60 instructions for each 32 symbols, 30 for each 32 entries of the look-up. Shared memory only; no
// barrier but the warp's.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"
#include "huffman_code.cuh"

namespace warpcodec::huffman {

constexpr int PAYLOAD_SHIFT = 4;

template <int MAX_SYMBOLS_, int LOOKUP_BITS_>
struct alignas(16) CodeTables {
    static constexpr int MAX_SYMBOLS = MAX_SYMBOLS_;
    static constexpr int LOOKUP_BITS = LOOKUP_BITS_;
    static constexpr uint32_t LOOKUP_MASK = (1u << LOOKUP_BITS) - 1;
    static_assert(MAX_SYMBOLS % WARP_LANES == 0 && LOOKUP_BITS >= 5 && LOOKUP_BITS < MAX_CODE_BITS);

    uint16_t lookup[1 << LOOKUP_BITS];
    uint16_t ordered[MAX_SYMBOLS];  // entries, by length and number
    uint16_t limits[MAX_CODE_BITS + 1];  // [n]: limit(n)
    uint16_t counters
        // While building: symbols of a length; then what to add to a code, as a number of n bits, for its place in
        // `ordered`.
        [MAX_CODE_BITS + 1];
};

/// Builds the tables for symbols 0 to symbol_count - 1, whose lengths, at most 15, lie in `lengths`; zero stands for
/// no code. payload(symbol) is what entries of that symbol carry, below 2^12. Every lane gets the answer; the tables
/// are undefined if the code is over-subscribed.
template <typename Tables, typename Payload>
__device__ __forceinline__ CodeShape warp_build_tables(Tables& tables, const uint8_t* lengths, int symbol_count,
                                                       int lane, Payload payload) {
    constexpr int TURNS = Tables::MAX_SYMBOLS / WARP_LANES;
    uint32_t ranked[TURNS];
    const CodeRuns runs = warp_rank_lengths(lengths, symbol_count, lane, tables, ranked);
    const uint32_t first_place = warp_inclusive_sum(runs.count, lane) - runs.count;
    const CodeShape shape = warp_shape_of(runs);
    if (shape.over_subscribed()) return shape;
    __syncwarp();
    if (lane <= MAX_CODE_BITS) {
        tables.limits[lane] = static_cast<uint16_t>(runs.limit);
        tables.counters[lane] = static_cast<uint16_t>(first_place);
    }
    __syncwarp();
#pragma unroll
    for (int turn = 0; turn < TURNS; ++turn) {
        const uint32_t length = ranked[turn] & LENGTH_MASK;
        const uint32_t symbol = static_cast<uint32_t>(turn * WARP_LANES + lane);
        if (length != 0)
            tables.ordered[tables.counters[length] + (ranked[turn] >> RANK_AT)] =
                static_cast<uint16_t>(payload(symbol) << PAYLOAD_SHIFT | length);
    }
    __syncwarp();
    if (lane >= 1 && lane <= MAX_CODE_BITS) {
        tables.counters[lane] =
            static_cast<uint16_t>(first_place - ((runs.limit - runs.space) >> (MAX_CODE_BITS - lane)));
    }
    __syncwarp();
#pragma unroll 1
    for (uint32_t at = lane; at <= Tables::LOOKUP_MASK; at += WARP_LANES) {
        const uint32_t code = __brev(at) >> (32 - MAX_CODE_BITS);
        uint32_t length = 1;
#pragma unroll
        for (int bits = 1; bits <= Tables::LOOKUP_BITS; ++bits) length += code >= tables.limits[bits];
        uint16_t entry = 0;
        if (length <= Tables::LOOKUP_BITS)
            entry = tables.ordered[static_cast<uint16_t>(tables.counters[length] + (code >> (MAX_CODE_BITS - length)))];
        tables.lookup[at] = entry;
    }
    __syncwarp();
    return shape;
}

/// The entry of the code longer than the look-up's that `bits`, the next ones of a stream, begin with; zero if there
/// is none.
template <typename Tables>
__device__ __forceinline__ uint32_t thread_find_long_code(const Tables& tables, uint32_t bits) {
    const uint32_t code = __brev(bits) >> (32 - MAX_CODE_BITS);
    uint32_t length = Tables::LOOKUP_BITS + 1;
#pragma unroll
    for (int n = Tables::LOOKUP_BITS + 1; n <= MAX_CODE_BITS; ++n) length += code >= tables.limits[n];
    if (length > MAX_CODE_BITS) return 0;
    return tables.ordered[static_cast<uint16_t>(tables.counters[length] + (code >> (MAX_CODE_BITS - length)))];
}

}  // namespace warpcodec::huffman
