// Constants of DEFLATE, RFC 1951; section numbers below are of that document.
#pragma once

#include <cstdint>

#include "../huffman/huffman_table.cuh"

namespace warpcodec::deflate {

using namespace huffman;

constexpr uint32_t ABI = 1;

/// Section 3.2.3.
constexpr uint32_t BLOCK_STORED = 0;
constexpr uint32_t BLOCK_FIXED = 1;
constexpr uint32_t BLOCK_DYNAMIC = 2;
constexpr uint32_t BLOCK_HEADER_BITS = 3;

constexpr uint32_t END_OF_BLOCK = 256;
constexpr uint32_t FIRST_LENGTH_SYMBOL = 257;
constexpr uint32_t LAST_LENGTH_SYMBOL = 285;
constexpr uint32_t MIN_MATCH_BYTES = 3;
constexpr uint32_t MAX_MATCH_BYTES = 258;
constexpr uint32_t MAX_DISTANCE_BYTES = 32768;
constexpr uint32_t DISTANCE_SYMBOLS = 30;

/// Section 3.2.7. HLIT and HDIST have 5 bits each, but larger codes than these do not exist.
constexpr uint32_t MAX_LITERAL_CODES = 286;
constexpr uint32_t MAX_DISTANCE_CODES = 30;
constexpr uint32_t PRECODE_SYMBOLS = 19;
constexpr uint32_t PRECODE_LENGTH_BITS = 3;

/// A token is a literal of up to 15 bits, or a length of up to 15 + 5 and a distance of up to 15 + 13.
constexpr uint32_t MAX_TOKEN_BITS = 48;

/// Limits of the batch decoder. The largest body that stored blocks alone, of any lengths that make sense, would take for this much.
constexpr uint32_t MAX_OUTPUT_BYTES = 1u << 20;
constexpr uint32_t MAX_INPUT_BYTES = MAX_OUTPUT_BYTES + (MAX_OUTPUT_BYTES >> 3) + 1024;

/// What follows a code of the literal and length alphabet, as an entry of CodeTables carries it: for a literal its byte; for a length, with
/// MATCH, the shortest length less 3 and how many bits to add, which instead may be one of two marks.
constexpr uint32_t LITERAL_MATCH = 1u << 3;
constexpr uint32_t LITERAL_EXTRA_MASK = 7;
constexpr uint32_t EXTRA_BAD = 6;
constexpr uint32_t EXTRA_END = 7;

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

/// What follows a code of the distance alphabet: the distance less 1 is (factor << extra) + the next `extra` bits; 15 bits mark a symbol
/// that stands for none.
constexpr uint32_t DISTANCE_EXTRA_MASK = 15;
constexpr uint32_t DISTANCE_BAD = 15;

__device__ __forceinline__ uint32_t distance_payload(uint32_t symbol) {
    if (symbol >= DISTANCE_SYMBOLS) return DISTANCE_BAD;
    if (symbol < 2) return symbol << 4;
    return (2 + symbol % 2) << 4 | (symbol / 2 - 1);
}

}  // namespace warpcodec::deflate
