// What the symbols of DEFLATE's two alphabets stand for, RFC 1951 section 3.2.5, as entries of CodeTables
// (huffman_table.cuh) carry it.
#pragma once

#include <cstdint>

#include "deflate_format.cuh"

namespace warpcodec::deflate {

/// Payload of a symbol of the literal and length alphabet, as an entry of CodeTables carries it. For a literal it is
/// the byte. For a length it is LITERAL_MATCH, the shortest length less 3 and how many bits to add. One of two marks
/// may stand instead of the number of bits.
constexpr uint32_t LITERAL_MATCH = 1u << 3;
constexpr uint32_t LITERAL_EXTRA_MASK = 7;
constexpr uint32_t EXTRA_BAD = 6;
constexpr uint32_t EXTRA_END = 7;
static_assert(MAX_LENGTH_EXTRA_BITS < EXTRA_BAD, "no number of extra bits is a mark");

__device__ __forceinline__ uint32_t literal_payload(uint32_t symbol) {
    if (symbol < END_OF_BLOCK) return symbol << 4;
    if (symbol == END_OF_BLOCK) return LITERAL_MATCH | EXTRA_END;
    if (symbol > LAST_LENGTH_SYMBOL) return LITERAL_MATCH | EXTRA_BAD;
    const uint32_t step = symbol - FIRST_LENGTH_SYMBOL;
    if (symbol == LAST_LENGTH_SYMBOL) return (MAX_MATCH_BYTES - MIN_MATCH_BYTES) << 4 | LITERAL_MATCH;
    if (step < 8) return step << 4 | LITERAL_MATCH;
    const uint32_t extra = step / 4 - 1;
    return ((4 + step % 4) << extra) << 4 | LITERAL_MATCH | extra;
}

/// What follows a code of the distance alphabet: the distance less 1 is (factor << extra) + the next `extra` bits; 15
/// bits mark a symbol that stands for none.
constexpr uint32_t DISTANCE_EXTRA_MASK = 15;
constexpr uint32_t DISTANCE_BAD = 15;
static_assert(MAX_DISTANCE_EXTRA_BITS < DISTANCE_BAD, "no number of extra bits is the mark");

__device__ __forceinline__ uint32_t distance_payload(uint32_t symbol) {
    if (symbol >= DISTANCE_SYMBOLS) return DISTANCE_BAD;
    if (symbol < 2) return symbol << 4;
    return (2 + symbol % 2) << 4 | (symbol / 2 - 1);
}

}  // namespace warpcodec::deflate
