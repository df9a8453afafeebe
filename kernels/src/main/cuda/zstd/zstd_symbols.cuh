// Symbols of a block's sequences, their tables, and what follows a symbol (RFC 8878, section 3.1.1.3.2).
#pragma once

#include <cstdint>

#include "zstd_format.cuh"

namespace warpcodec::zstd {

constexpr uint32_t LENGTH_STATES = 512;
constexpr uint32_t OFFSET_STATES = 256;
constexpr int MAX_TABLE_LOG = 9;
constexpr uint32_t TABLE_STATES = 2 * LENGTH_STATES + OFFSET_STATES;

/// First state of a table among those of a block.
__host__ __device__ constexpr uint32_t table_at(int kind) {
    return kind == LITERAL_LENGTHS ? 0 : kind == OFFSETS ? LENGTH_STATES : LENGTH_STATES + OFFSET_STATES;
}

constexpr int LITERAL_LENGTH_SYMBOLS = 36;
constexpr int OFFSET_SYMBOLS = 32;
constexpr int MATCH_LENGTH_SYMBOLS = 53;

__host__ __device__ constexpr int most_symbol(int kind) {
    return kind == LITERAL_LENGTHS ? LITERAL_LENGTH_SYMBOLS - 1
           : kind == OFFSETS       ? OFFSET_SYMBOLS - 1
                                   : MATCH_LENGTH_SYMBOLS - 1;
}
__host__ __device__ constexpr uint32_t most_log(int kind) { return kind == OFFSETS ? 8 : 9; }
__host__ __device__ constexpr uint32_t predefined_log(int kind) { return kind == OFFSETS ? 5 : 6; }

/// Predefined counts (RFC 8878, section 3.1.1.3.2.2), four bits each: a count, or 15 for less than one; from the lowest
/// on.
__device__ __forceinline__ int predefined_count(int kind, uint32_t symbol) {
    constexpr uint64_t COUNTS[TABLE_KINDS][4] = {
        {0x1112222222222234ull, 0x1111123222222222ull, 0xFFFFull, 0},
        {0x1111111222111111ull, 0x000FFFFF11111111ull, 0, 0},
        {0x1111111222222341ull, 0x1111111111111111ull, 0xFF11111111111111ull, 0xFFFFFull}};
    const uint64_t four = symbol < 64 ? COUNTS[kind][symbol / 16] >> (4 * (symbol % 16)) & 15 : 0;
    return four == 15 ? -1 : static_cast<int>(four);
}

/// Bits that the value of a symbol has behind its base.
__device__ __forceinline__ uint32_t value_bits(int kind, uint32_t symbol) {
    if (kind == OFFSETS) return symbol;
    if (kind == LITERAL_LENGTHS)
        return symbol < 16 ? 0 : symbol < 20 ? 1 : symbol < 24 ? (symbol - 16) / 2 : symbol == 24 ? 4 : symbol - 19;
    return symbol < 32 ? 0 : symbol < 36 ? 1 : symbol < 42 ? (symbol - 32) / 2 : symbol == 42 ? 5 : symbol - 36;
}

/// The symbol of a literal length: each power of two has one from 64 on, and up to eight below.
__device__ __forceinline__ uint32_t literal_length_symbol(uint32_t length) {
    return length < 16   ? length
           : length < 24 ? 16 + (length - 16) / 2
           : length < 32 ? 20 + (length - 24) / 4
           : length < 48 ? 22 + (length - 32) / 8
           : length < 64 ? 24
                         : 50 - static_cast<uint32_t>(__clz(static_cast<int>(length)));
}

/// The symbol of a match that is `more` longer than the shortest one.
__device__ __forceinline__ uint32_t match_length_symbol(uint32_t more) {
    return more < 32    ? more
           : more < 40  ? 32 + (more - 32) / 2
           : more < 48  ? 36 + (more - 40) / 4
           : more < 64  ? 38 + (more - 48) / 8
           : more < 96  ? 40 + (more - 64) / 16
           : more < 128 ? 42
                        : 67 - static_cast<uint32_t>(__clz(static_cast<int>(more)));
}

/// The symbol of an offset's value, which is not 0.
__device__ __forceinline__ uint32_t offset_symbol(uint32_t value) {
    return 31 - static_cast<uint32_t>(__clz(static_cast<int>(value)));
}

}  // namespace warpcodec::zstd
