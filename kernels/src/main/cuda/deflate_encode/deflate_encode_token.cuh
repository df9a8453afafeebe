// Tokens - a literal, or a match - and the symbols and extra bits that DEFLATE gives them.
#pragma once

#include "deflate_encode_format.cuh"

namespace warpcodec::deflate_encode {

/// A symbol of the literal or distance alphabet, and what follows its code.
struct Symbol {
    uint32_t symbol;
    uint32_t extra_bits;
    uint32_t extra;
};

/// One word. A literal is its byte, the end of a block END_OF_BLOCK.
struct Token {
    static constexpr uint32_t MATCH = 1u << 31;
    static constexpr int LENGTH_AT = 16;
    uint32_t word;

    __device__ __forceinline__ bool is_match() const { return word >> 31; }
    __device__ __forceinline__ int length() const { return static_cast<int>(word >> LENGTH_AT & 0xFF) + MIN_MATCH; }
    __device__ __forceinline__ int distance() const { return static_cast<int>(word & 0x7FFF) + 1; }

    /// `length` 3 to 258, `distance` 1 to 32768.
    static __device__ __forceinline__ Token match(int length, int distance) {
        return Token{MATCH | static_cast<uint32_t>(length - MIN_MATCH) << LENGTH_AT |
                     static_cast<uint32_t>(distance - 1)};
    }

    /// Lengths: four symbols for each number of extra bits from 8 on, one each below; the longest has a symbol of its
    /// own.
    __device__ __forceinline__ Symbol literal_symbol() const {
        if (!is_match()) return Symbol{word, 0, 0};
        const uint32_t less = static_cast<uint32_t>(length() - MIN_MATCH);
        if (less == MAX_MATCH - MIN_MATCH) return Symbol{LITERAL_SYMBOLS - 1, 0, 0};
        const uint32_t extra_bits = static_cast<uint32_t>(max(29 - __clz(less), 0));
        return Symbol{END_OF_BLOCK + 1 + (extra_bits << 2) + (less >> extra_bits), extra_bits,
                      less & ((1u << extra_bits) - 1)};
    }
    /// Distances: two symbols for each number of extra bits.
    __device__ __forceinline__ Symbol distance_symbol() const {
        const uint32_t less = static_cast<uint32_t>(distance() - 1);
        const uint32_t extra_bits = static_cast<uint32_t>(max(30 - __clz(less), 0));
        return Symbol{(extra_bits << 1) + (less >> extra_bits), extra_bits, less & ((1u << extra_bits) - 1)};
    }
};

/// How tokens lie in device memory: a literal takes 16 bits, a match 32, its length and then its distance, so no
/// block has more elements than bytes. An element behind a length is a distance, whatever it holds.
struct TokenElement {
    static constexpr uint32_t LENGTH = 1u << 15;
    static __device__ __forceinline__ uint16_t length(Token token) {
        return static_cast<uint16_t>(LENGTH | (token.word >> Token::LENGTH_AT & 0xFF));
    }
    static __device__ __forceinline__ uint16_t distance(Token token) {
        return static_cast<uint16_t>(token.word & 0x7FFF);
    }
    static __device__ __forceinline__ bool is_length(uint32_t element) { return element >> 15 & 1; }
    static __device__ __forceinline__ Token token(uint32_t element, uint32_t next) {
        return is_length(element) ? Token{Token::MATCH | (element & 0xFF) << Token::LENGTH_AT | next} : Token{element};
    }
};

/// Extra bits behind the code of a symbol.
__device__ __forceinline__ uint32_t length_extra_bits(int symbol) {
    const int above = symbol - static_cast<int>(END_OF_BLOCK) - 1;
    return above < 8 || symbol == LITERAL_SYMBOLS - 1 ? 0 : static_cast<uint32_t>(above >> 2) - 1;
}
__device__ __forceinline__ uint32_t distance_extra_bits(int symbol) {
    return symbol < 4 ? 0 : static_cast<uint32_t>(symbol >> 1) - 1;
}

}  // namespace warpcodec::deflate_encode
