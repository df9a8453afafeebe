// A stream of bits whose first one is the most significant of byte 0, read as words of 32 bits.
#pragma once

#include <cstdint>

namespace warpcodec::bzip2 {

/// The bytes of a block.
struct BitWords {
    const uint8_t* bytes;  ///< 4-byte aligned
    uint32_t byte_count;

    /// Bits [32 * index, 32 * index + 32), the first at the top; zeros behind the end.
    __device__ __forceinline__ uint32_t word(uint32_t index) const {
        const uint64_t at = uint64_t{4} * index;
        if (at + 4 <= byte_count) return __byte_perm(__ldg(reinterpret_cast<const uint32_t*>(bytes + at)), 0, 0x0123);
        uint32_t value = 0;
        for (uint32_t k = 0; k < 4; ++k) value = value << 8 | (at + k < byte_count ? bytes[at + k] : 0u);
        return value;
    }
};

/// Reads on bit by bit, at most 32 at once; always looks at words that it has.
struct BitReader {
    BitWords words;
    uint32_t bit;
    uint32_t high, low, next;  ///< the words of `bit` and the two behind it

    __device__ __forceinline__ BitReader(const BitWords& source, uint32_t first_bit) : words(source), bit(first_bit) {
        high = words.word(bit / 32);
        low = words.word(bit / 32 + 1);
        next = words.word(bit / 32 + 2);
    }

    /// The next 32 bits.
    __device__ __forceinline__ uint32_t peek() const { return __funnelshift_l(low, high, bit % 32); }

    /// Goes on by up to 32 bits.
    __device__ __forceinline__ void skip(uint32_t bits) {
        const uint32_t word = bit / 32;
        bit += bits;
        if (bit / 32 != word) {
            high = low;
            low = next;
            next = words.word(bit / 32 + 2);
        }
    }
};

}  // namespace warpcodec::bzip2
