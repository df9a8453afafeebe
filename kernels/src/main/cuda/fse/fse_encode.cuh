// FSE from its writer's side (RFC 8878, section 4.1): counts that add up to a power of two, their description, and what
// a symbol does to a state.
//
// Normalised counts: each symbol gets its share, rounded, but at least one state. What is left over then goes, state by
// state, to where it saves the most bits; what is too much is taken from where it costs the least. A state more of n
// saves f * log2((n + 1) / n) bits for a symbol that f of the sequences have, which is near f / (n + 1/2). Less than
// one state, which descriptions know, is not used.
//
// A symbol with n of the 2^L states has those whose numbers are n to 2n - 1. A writer's state s is 2^L or more. It
// gives its lowest b bits, with b such that s >> b is one of these numbers. The new state is where that number lies in
// the reader's table. Only two values of b are possible, which follow each other, so one addition finds it:
// (s + d) >> 16.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"
#include "fse_counts.cuh"
#include "fse_table.cuh"

namespace warpcodec::fse {

/// Of a number above 0, rounded down.
__device__ __forceinline__ uint32_t thread_log2(uint32_t number) {
    return 31 - static_cast<uint32_t>(__clz(static_cast<int>(number)));
}

/// Units of a bit in which prices are counted.
constexpr uint32_t PRICE_OF_BIT = 256;

/// Logarithm of a number from 1 to 512, times PRICE_OF_BIT; straight between powers of two.
__device__ __forceinline__ uint32_t price_logarithm(uint32_t number) {
    const uint32_t whole = thread_log2(number);
    return whole * PRICE_OF_BIT + ((number - (1u << whole)) * PRICE_OF_BIT >> whole);
}

/// Logarithm of the number of states that a table should have: one for four symbols that are coded, two for each used.
__device__ __forceinline__ uint32_t table_log(uint32_t total, uint32_t used_symbols, uint32_t most_log) {
    uint32_t log = max(thread_log2(total), MIN_LOG + 2u) - 2;
    while (1u << log < 2 * used_symbols) ++log;
    return min(log, most_log);
}

/// The greatest value over the lanes.
__device__ __forceinline__ uint32_t warp_greatest(uint32_t value) {
#pragma unroll
    for (int distance = 1; distance < WARP_LANES; distance *= 2)
        value = max(value, __shfl_xor_sync(ALL_LANES, value, distance));
    return value;
}

/// Two symbols of each lane: its own number, and WARP_LANES more.
constexpr int LANE_SYMBOLS = MAX_SYMBOLS / WARP_LANES;

/// Counts that add up to 2^log. `frequencies` has MAX_SYMBOLS of them, which add up to `total`, at most 2^16; at least
/// one is not 0, and no more than 2^log.
__device__ __forceinline__ void warp_normalize(const uint32_t* frequencies, uint32_t total, uint32_t log,
                                               Counts& counts, int lane) {
    const uint32_t size = 1u << log;
    uint32_t own[LANE_SYMBOLS], states[LANE_SYMBOLS], sum = 0;
#pragma unroll
    for (int turn = 0; turn < LANE_SYMBOLS; ++turn) {
        own[turn] = frequencies[turn * WARP_LANES + lane];
        states[turn] = own[turn] == 0 ? 0 : max(1u, (own[turn] * size + total / 2) / total);
        sum += states[turn];
    }
    sum = __shfl_sync(ALL_LANES, warp_inclusive_sum(sum, lane), WARP_LANES - 1);
    constexpr uint32_t SCALE = 1u << 9;
    constexpr int SYMBOL_BITS = 6;
    constexpr uint32_t MOST_SCORE = (1u << (32 - SYMBOL_BITS)) - 1;
    static_assert(1 << SYMBOL_BITS == MAX_SYMBOLS && (1ull << 16) * SCALE <= MOST_SCORE, "score and symbol fit a word");
    while (sum != size) {
        const bool gives = sum < size;
        uint32_t best = 0;
#pragma unroll
        for (int turn = 0; turn < LANE_SYMBOLS; ++turn) {
            if (own[turn] == 0 || (!gives && states[turn] == 1)) continue;
            const uint32_t score = gives ? own[turn] * SCALE / (2 * states[turn] + 1)
                                         : MOST_SCORE - own[turn] * SCALE / (2 * states[turn] - 1);
            best = max(best, score << SYMBOL_BITS | static_cast<uint32_t>(turn * WARP_LANES + lane));
        }
        best = warp_greatest(best);
#pragma unroll
        for (int turn = 0; turn < LANE_SYMBOLS; ++turn) {
            if (best % MAX_SYMBOLS == static_cast<uint32_t>(turn * WARP_LANES + lane)) states[turn] += gives ? 1 : -1;
        }
        sum += gives ? 1 : -1;
    }
#pragma unroll
    for (int turn = 0; turn < LANE_SYMBOLS; ++turn)
        counts.of[turn * WARP_LANES + lane] = static_cast<int16_t>(states[turn]);
    __syncwarp();
}

/// What the symbols cost with a table of these counts, in PRICE_OF_BIT. All have states.
__device__ __forceinline__ uint32_t warp_price(const uint32_t* frequencies, const Counts& counts, uint32_t log,
                                               int lane) {
    uint32_t price = 0;
#pragma unroll
    for (int turn = 0; turn < LANE_SYMBOLS; ++turn) {
        const int symbol = turn * WARP_LANES + lane;
        const int count = counts.of[symbol];
        if (frequencies[symbol] != 0)
            price += frequencies[symbol] *
                     (log * PRICE_OF_BIT - price_logarithm(static_cast<uint32_t>(count < 0 ? 1 : count)));
    }
    return __shfl_sync(ALL_LANES, warp_inclusive_sum(price, lane), WARP_LANES - 1);
}

/// Bytes that a description takes at most.
constexpr int MAX_DESCRIPTION_BYTES = (4 + MAX_SYMBOLS * 10 + 7) / 8 + 4;

/// Writes the description of counts, none below 0, that add up to 2^log. Answers its length.
__device__ __forceinline__ uint32_t thread_describe(const Counts& counts, uint32_t log, uint8_t* bytes) {
    uint32_t bits = log - MIN_LOG, bit_count = 4, at = 0;
    const auto put = [&](uint32_t value, uint32_t count) {
        bits |= value << bit_count;
        bit_count += count;
        for (; bit_count >= 8; bit_count -= 8, bits >>= 8) bytes[at++] = static_cast<uint8_t>(bits);
    };
    uint32_t remaining = (1u << log) + 1, threshold = 1u << log, width = log + 1;
    for (int symbol = 0; remaining > 1;) {
        const uint32_t count = static_cast<uint32_t>(counts.of[symbol++]), value = count + 1;
        const uint32_t most = 2 * threshold - 1 - remaining;
        if (value < most) put(value, width - 1);
        else put(value < threshold ? value : value + most, width);
        remaining -= count;
        while (remaining < threshold) {
            --width;
            threshold >>= 1;
        }
        if (count != 0) continue;
        int zeros = 0;
        while (counts.of[symbol + zeros] == 0) ++zeros;
        symbol += zeros;
        for (; zeros >= 3; zeros -= 3) put(3, 2);
        put(static_cast<uint32_t>(zeros), 2);
    }
    if (bit_count != 0) bytes[at++] = static_cast<uint8_t>(bits);
    return at;
}

/// What writing a symbol does to a state.
struct Change {
    uint32_t bits;  ///< d of the bits that are written
    int32_t place;  ///< what is added to a symbol's state's number: its place among all
};

/// Makes what a writer needs from counts that add up to 2^log: `changes` by symbol, and `states` by place.
template <int MAX_LOG>
__device__ __forceinline__ void warp_make_changes(const Counts& counts, uint32_t log, TableScratch<MAX_LOG>& scratch,
                                                  Change* changes, uint16_t* states, int lane) {
    uint32_t before = 0;
#pragma unroll
    for (int turn = 0; turn < LANE_SYMBOLS; ++turn) {
        const int symbol = turn * WARP_LANES + lane;
        const int count = counts.of[symbol];
        const uint32_t own = static_cast<uint32_t>(count < 0 ? 1 : count);
        const uint32_t sum = warp_inclusive_sum(own, lane);
        if (own != 0) {
            const uint32_t most_bits = own == 1 ? log : log - thread_log2(own - 1);
            changes[symbol] = Change{(most_bits << 16) - (own << most_bits),
                                     static_cast<int32_t>(before + sum - own) - static_cast<int32_t>(own)};
        }
        before += __shfl_sync(ALL_LANES, sum, WARP_LANES - 1);
    }
    __syncwarp();
    warp_number_states(counts, log, scratch, lane, [&](uint32_t state, uint32_t symbol, uint32_t number) {
        states[static_cast<int32_t>(number) + changes[symbol].place] = static_cast<uint16_t>((1u << log) + state);
    });
    __syncwarp();
}

/// A writer's first state, before its first symbol: of the symbol's, the one whose number needs the fewest bits.
__device__ __forceinline__ uint32_t first_state(const Change& change, const uint16_t* states) {
    const uint32_t bits = (change.bits + (1u << 15)) >> 16;
    return states[static_cast<int32_t>(((bits << 16) - change.bits) >> bits) + change.place];
}

}  // namespace warpcodec::fse
