// Writes LZ4 blocks. The parse is lz77_encode.cuh's; here is what a sequence looks like.
#pragma once

#include <cstdint>

#include "../lz77/lz77_strips.cuh"
#include "lz4_format.cuh"

namespace warpcodec::lz4 {

using namespace lz77;
static_assert(MIN_MATCH == SHORTEST_MATCH);

/// A sequence: head is token and literal length, tail is offset and match length. The last one has no tail.
struct BlockWriter {
    static constexpr int START_MARGIN_BYTES = LAST_MATCH_DISTANCE;
    static constexpr int END_MARGIN_BYTES = LAST_LITERALS;
    static constexpr int LOOKAHEAD = 2;

    static __device__ __forceinline__ uint32_t preamble_bytes(uint32_t) { return 0; }
    static __device__ __forceinline__ void thread_write_preamble(uint8_t*, uint32_t) {}

    static __device__ __forceinline__ uint32_t thread_head_bytes(const RawSequence& sequence) {
        return 1 + thread_length_bytes(sequence.literal_bytes);
    }
    static __device__ __forceinline__ uint32_t thread_tail_bytes(const RawSequence& sequence) {
        return 2 + thread_length_bytes(sequence.match_bytes - MIN_MATCH);
    }
    static __device__ __forceinline__ void thread_write_head(uint8_t* target, const RawSequence& sequence) {
        const uint32_t match = sequence.match_bytes == 0 ? 0 : min(sequence.match_bytes - MIN_MATCH, NIBBLE_MAX);
        target[0] = static_cast<uint8_t>(min(sequence.literal_bytes, NIBBLE_MAX) << 4 | match);
        thread_write_length(target + 1, sequence.literal_bytes);
    }
    static __device__ __forceinline__ void thread_write_tail(uint8_t* target, const RawSequence& sequence) {
        target[0] = static_cast<uint8_t>(sequence.offset);
        target[1] = static_cast<uint8_t>(sequence.offset >> 8);
        thread_write_length(target + 2, sequence.match_bytes - MIN_MATCH);
    }

private:
    /// Bytes that prolong a nibble.
    static __device__ __forceinline__ uint32_t thread_length_bytes(uint32_t length) {
        return length < NIBBLE_MAX ? 0 : (length - NIBBLE_MAX) / LENGTH_CONTINUES + 1;
    }
    static __device__ __forceinline__ void thread_write_length(uint8_t* target, uint32_t length) {
        if (length < NIBBLE_MAX) return;
        for (length -= NIBBLE_MAX; length >= LENGTH_CONTINUES; length -= LENGTH_CONTINUES) *target++ = LENGTH_CONTINUES;
        *target = static_cast<uint8_t>(length);
    }
};

}  // namespace warpcodec::lz4
