// Reads bits of a stream, low bits of each byte first, from any place on: one reader per lane, or the same one in all
// lanes.
//
// Positions are counted in bits from the aligned 8 bytes that hold the stream's first byte. Eight bytes are at hand
// and the next eight are asked for in advance, so that a lane that goes on to them does not wait. What is read behind
// the stream's end is undefined: that a reader has passed the end shows when positions are compared.
//
// Reads: aligned 8 bytes that hold a byte of the stream, which must not be empty.
#pragma once

#include <cstdint>

namespace warpcodec::huffman {

constexpr int WORD_BITS = 32;
constexpr int PAIR_BITS = 2 * WORD_BITS;

/// A stream. `end` is the position behind its last bit.
struct BitStream {
    const uint2* pairs;
    uint32_t last_pair;
    uint32_t begin;
    uint32_t end;

    /// `byte_count` is positive and below 2^28.
    __device__ __forceinline__ BitStream(const uint8_t* bytes, uint32_t byte_count) {
        const uint32_t misaligned_bytes = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(bytes) & 7);
        pairs = reinterpret_cast<const uint2*>(bytes - misaligned_bytes);
        begin = 8 * misaligned_bytes;
        end = begin + 8 * byte_count;
        last_pair = (end - 1) / PAIR_BITS;
    }

    /// The pair at `index`, or the last one.
    __device__ __forceinline__ uint2 pair(uint32_t index) const { return __ldg(pairs + min(index, last_pair)); }
};

/// Where one lane reads.
struct BitReader {
    uint2 here;
    uint2 ahead;
    uint32_t index;  ///< of the pair `here`
    uint32_t bit;  ///< in it, below 64

    __device__ __forceinline__ BitReader(const BitStream& stream, uint32_t position) { seek(stream, position); }

    __device__ __forceinline__ void seek(const BitStream& stream, uint32_t position) {
        index = position / PAIR_BITS;
        bit = position % PAIR_BITS;
        here = stream.pair(index);
        ahead = stream.pair(index + 1);
    }

    __device__ __forceinline__ uint32_t position() const { return index * PAIR_BITS + bit; }

    /// The next 32 bits.
    __device__ __forceinline__ uint32_t peek() const {
        const bool late = bit >= WORD_BITS;
        return __funnelshift_r(late ? here.y : here.x, late ? ahead.x : here.y, bit);
    }

    /// The next 64 bits.
    __device__ __forceinline__ uint2 peek_pair() const {
        const bool late = bit >= WORD_BITS;
        const uint32_t middle = late ? ahead.x : here.y;
        return make_uint2(__funnelshift_r(late ? here.y : here.x, middle, bit),
                          __funnelshift_r(middle, late ? ahead.y : ahead.x, bit));
    }

    /// Skips up to 64 bits.
    __device__ __forceinline__ void skip(const BitStream& stream, uint32_t bits) {
        bit += bits;
        if (bit >= PAIR_BITS) {
            bit -= PAIR_BITS;
            ++index;
            here = ahead;
            ahead = stream.pair(index + 1);
        }
    }

    /// The next `bits` bits, at most 31, which it skips.
    __device__ __forceinline__ uint32_t take(const BitStream& stream, uint32_t bits) {
        const uint32_t value = peek() & ((1u << bits) - 1);
        skip(stream, bits);
        return value;
    }
};

}  // namespace warpcodec::huffman
