// Canonical prefix codes (RFC 1951, section 3.2.2) of up to 15 bits: their words from their lengths. A word is
// written highest bit first into a stream that is read lowest bit first, so it is kept turned round.
//
// Seen as fractions, highest bit first, the words lie in order of their lengths without gaps. Words of n bits take
// [limit(n - 1), limit(n)), where limit(n) = sum of count(k) * 2^(15 - k) for k up to n. Among them they lie in order
// of their symbols. So a word follows from its length and its rank, the number of earlier symbols of the same length.
//
// Kraft's sum: limit(15) is below 2^15 if the code is incomplete, above if it is over-subscribed.
//
// There are two ways to the same words. A warp ranks 32 symbols at a time by asking which others have the same
// length. That takes some 20 instructions for each 32 symbols, with a wait between. Or each thread of a group adds
// up, for its symbols, what all words before use up: symbols^2 / SIZE steps. These do not wait for each other and
// need no shared memory, for a cta that has nothing else to do.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"

namespace warpcodec::huffman {

constexpr int MAX_CODE_BITS = 15;
constexpr uint32_t CODE_SPACE = 1u << MAX_CODE_BITS;
constexpr uint32_t LENGTH_MASK = 15;

/// Copies the lengths of the words of SYMBOL_COUNT symbols. False, and then they are not to be used, if one is longer
/// than 15.
template <int SYMBOL_COUNT>
__device__ __forceinline__ bool warp_load_lengths(const uint8_t* lengths, uint8_t* copy, int lane) {
    bool long_word = false;
    for (int symbol = lane; symbol < SYMBOL_COUNT; symbol += WARP_LANES) {
        const uint8_t length = lengths[symbol];
        long_word |= length > MAX_CODE_BITS;
        copy[symbol] = length & LENGTH_MASK;
    }
    if (__any_sync(ALL_LANES, long_word)) return false;
    __syncwarp();
    return true;
}

/// What the lengths of a code's words say about it.
struct CodeShape {
    uint32_t limit;  ///< Kraft's sum in units of 2^-15
    uint32_t longest;  ///< length of the longest word; 0 if there is none

    __device__ __forceinline__ bool over_subscribed() const { return limit > CODE_SPACE; }
    __device__ __forceinline__ bool complete() const { return limit == CODE_SPACE; }
    /// One word of one bit, or none at all.
    __device__ __forceinline__ bool trivial() const { return longest <= 1 && limit <= CODE_SPACE / 2; }
};

/// The words of each length: lane n knows about those of n bits, 1 to 15; elsewhere zeros, but for the limit.
struct CodeRuns {
    uint32_t count;
    uint32_t space;  ///< that they take, in units of 2^-15
    uint32_t limit;  ///< that they and all shorter ones take
};

constexpr int RANK_AT = 16;

/// Ranks the words of symbols 0 to symbol_count - 1, whose lengths, at most 15, lie in `lengths`. In ranked[turn]
/// stands, for symbol 32 * turn + lane, its length, and from bit RANK_AT on its rank. The counters of `scratch`, 16
/// of them in shared memory, are undefined before and after. The warp waits before they are written again.
template <int TURNS, typename Scratch>
__device__ __forceinline__ CodeRuns warp_rank_lengths(const uint8_t* lengths, int symbol_count, int lane,
                                                      Scratch& scratch, uint32_t (&ranked)[TURNS]) {
    if (lane <= MAX_CODE_BITS) scratch.counters[lane] = 0;
    __syncwarp();
#pragma unroll
    for (int turn = 0; turn < TURNS; ++turn) {
        const int symbol = turn * WARP_LANES + lane;
        const uint32_t length = symbol < symbol_count ? lengths[symbol] : 0;
        const uint32_t peers = __match_any_sync(ALL_LANES, length);
        const uint32_t lower = peers & ((1u << lane) - 1);
        const uint32_t before = scratch.counters[length];
        __syncwarp();
        if (lower == 0) scratch.counters[length] = static_cast<uint16_t>(before + __popc(peers));
        ranked[turn] = length | (before + __popc(lower)) << RANK_AT;
        __syncwarp();
    }
    const uint32_t count = lane >= 1 && lane <= MAX_CODE_BITS ? scratch.counters[lane] : 0;
    const uint32_t space = lane <= MAX_CODE_BITS ? count << (MAX_CODE_BITS - lane) : 0;
    return CodeRuns{count, space, warp_inclusive_sum(space, lane)};
}

/// The shape of a code whose runs the lanes know. Every lane gets the answer.
__device__ __forceinline__ CodeShape warp_shape_of(const CodeRuns& runs) {
    return CodeShape{
        __shfl_sync(ALL_LANES, runs.limit, MAX_CODE_BITS),
        31u - static_cast<uint32_t>(__clz(static_cast<int>(__ballot_sync(ALL_LANES, runs.count != 0) | 1)))};
}

/// A word as DEFLATE writes it, its first bit lowest, and its length.
struct Code {
    static constexpr int LENGTH_AT = 16;
    uint32_t word;
    __device__ __forceinline__ uint32_t bits() const { return word & ((1u << LENGTH_AT) - 1); }
    __device__ __forceinline__ uint32_t length() const { return word >> LENGTH_AT; }
};

/// The words of symbols 0 to SYMBOL_COUNT - 1, whose lengths, at most 15, lie in `lengths`; 0 for a symbol without.
/// Answers the code's shape; if that is over-subscribed no word is written. `scratch` as for warp_rank_lengths. What
/// the lanes write to `codes` others see after the warp has waited.
template <int SYMBOL_COUNT, typename Scratch>
__device__ __forceinline__ CodeShape warp_build_codes(const uint8_t* lengths, int lane, Scratch& scratch, Code* codes) {
    static_assert(SYMBOL_COUNT % WARP_LANES == 0);
    constexpr int TURNS = SYMBOL_COUNT / WARP_LANES;
    uint32_t ranked[TURNS];
    const CodeRuns runs = warp_rank_lengths(lengths, SYMBOL_COUNT, lane, scratch, ranked);
    const CodeShape shape = warp_shape_of(runs);
    if (shape.over_subscribed()) return shape;
    __syncwarp();
    // The first word of each length; 2^length, which has 16 bits, where all space is taken.
    if (lane >= 1 && lane <= MAX_CODE_BITS)
        scratch.counters[lane] = static_cast<uint16_t>((runs.limit - runs.space) >> (MAX_CODE_BITS - lane));
    __syncwarp();
#pragma unroll
    for (int turn = 0; turn < TURNS; ++turn) {
        const uint32_t length = ranked[turn] & LENGTH_MASK;
        const uint32_t straight = scratch.counters[length] + (ranked[turn] >> RANK_AT);
        codes[turn * WARP_LANES + lane] =
            Code{length == 0 ? 0 : __brev(straight) >> (32 - length) | length << Code::LENGTH_AT};
    }
    return shape;
}

/// The canonical codes of these lengths, none longer than LIMIT: shorter codes first, equal lengths by symbol. A code
/// is what the codes before it use up of the space of LIMIT bits.
template <int LIMIT, typename Group>
__device__ __forceinline__ void group_build_codes(const Group& group, const uint8_t* lengths, int symbol_count,
                                                  Code* codes) {
    for (int symbol = group.rank; symbol < symbol_count; symbol += Group::SIZE) {
        const int length = lengths[symbol];
        uint32_t used = 0;
#pragma unroll 4
        for (int other = 0; other < symbol_count; ++other) {
            const int other_length = lengths[other];
            const bool before =
                other_length != 0 && (other_length < length || (other_length == length && other < symbol));
            used += before ? 1u << (LIMIT - other_length) : 0;
        }
        codes[symbol] = Code{length == 0 ? 0
                                         : __brev(used >> (LIMIT - length)) >> (32 - length) |
                                               static_cast<uint32_t>(length) << Code::LENGTH_AT};
    }
    group.sync();
}

}  // namespace warpcodec::huffman
