// Reads bits of a stream, low bits of each byte first, from any place on: one reader per lane, or the same one in all lanes.
//
// Positions are counted in bits from the aligned word that holds the stream's first byte. Two words are at hand and a third one is asked for
// in advance, so that a lane that skips into the next word does not wait for it. Bits behind the stream's end read as zero, or as what the last
// byte's word holds: whoever has passed the end finds out by comparing positions.
//
// Reads: aligned words that hold a byte of the stream.
#pragma once

#include <cstdint>

#include "../lz77/lz77_batch.cuh"

namespace warpcodec::huffman {

using namespace lz77;

constexpr int WORD_BITS = 32;

/// A stream's words. `end` is the position behind its last bit.
struct BitStream {
    const uint32_t* words;
    uint32_t word_count;
    uint32_t begin;
    uint32_t end;

    /// `bytes` is below 2^28.
    __device__ __forceinline__ BitStream(const uint8_t* bytes, uint32_t byte_count) {
        const uint32_t lead_bytes = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(bytes) & 3);
        words = reinterpret_cast<const uint32_t*>(bytes - lead_bytes);
        begin = 8 * lead_bytes;
        end = begin + 8 * byte_count;
        word_count = (end + WORD_BITS - 1) / WORD_BITS;
    }

    __device__ __forceinline__ uint32_t word(uint32_t index) const { return index < word_count ? __ldg(words + index) : 0; }
};

/// Where one lane reads.
struct BitReader {
    uint32_t low;
    uint32_t high;
    uint32_t ahead;
    uint32_t index;  ///< of `low`
    uint32_t bit;    ///< in `low`, below 32

    __device__ __forceinline__ BitReader(const BitStream& stream, uint32_t position) { seek(stream, position); }

    __device__ __forceinline__ void seek(const BitStream& stream, uint32_t position) {
        index = position / WORD_BITS;
        bit = position % WORD_BITS;
        low = stream.word(index);
        high = stream.word(index + 1);
        ahead = stream.word(index + 2);
    }

    __device__ __forceinline__ uint32_t position() const { return index * WORD_BITS + bit; }

    /// The next 32 bits.
    __device__ __forceinline__ uint32_t peek() const { return __funnelshift_r(low, high, bit); }

    /// Skips up to 32 bits.
    __device__ __forceinline__ void skip(const BitStream& stream, uint32_t bits) {
        bit += bits;
        if (bit >= WORD_BITS) {
            bit -= WORD_BITS;
            ++index;
            low = high;
            high = ahead;
            ahead = stream.word(index + 2);
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
