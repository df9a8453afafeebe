// Limits of a stream of one prefix code, for both directions.
//
// A stream is the words of one canonical prefix code of bytes (huffman_code.cuh), one behind the other from its first
// byte's lowest bit on. Neither the lengths of the words nor how many there are is part of it. Bits behind the last
// word, to the end of its byte, are zeros when we write them, and ignored when they are read.
#pragma once

#include <cstdint>

namespace warpcodec::huffman {

constexpr int SYMBOLS = 256;
/// Longest stream, so that positions in bits fit 32 bits.
constexpr uint32_t MAX_STREAM_BYTES = 256u << 20;
/// Most bytes that are encoded as one stream. With 15 bits each they take fewer than 2^32, so that counts of bits do
/// not overflow.
constexpr uint32_t MAX_RAW_BYTES = 256u << 20;
static_assert(uint64_t{MAX_RAW_BYTES} * 15 + 64 < uint64_t{1} << 32);

/// The stream that has `piece`: the last stream whose first_piece is not beyond it. Of no streams, the first.
template <typename Entry>
__device__ __forceinline__ uint32_t find_stream(const Entry* entries, uint32_t stream_count, uint32_t piece) {
    uint32_t low = 0;
    uint32_t high = stream_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (entries[middle].first_piece <= piece) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

}  // namespace warpcodec::huffman
