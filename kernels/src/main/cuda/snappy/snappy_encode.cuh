// Writes Snappy blocks. The parse is lz77_encode.cuh's; here is what literals and a match look like as elements.
#pragma once

#include <cstdint>

#include "../lz77/lz77_strips.cuh"
#include "snappy_format.cuh"

namespace warpcodec::snappy {

using namespace lz77;

/// The preamble is the raw length; a sequence's head is the tag of its literal, if it has any, its tail one or more
/// copies.
struct BlockWriter {
    /// The format has no rule for a block's end; these keep the comparisons inside the block.
    static constexpr int START_MARGIN_BYTES = READ_MARGIN_BYTES;
    static constexpr int END_MARGIN_BYTES = 4;
    /// Near matches cost less than far ones, which looking further ahead does not weigh.
    static constexpr int LOOKAHEAD = 1;

    static __device__ __forceinline__ uint32_t preamble_bytes(uint32_t raw_bytes) {
        uint32_t bytes = 1;
        for (; raw_bytes >= 0x80; raw_bytes >>= 7) ++bytes;
        return bytes;
    }
    static __device__ __forceinline__ void thread_write_preamble(uint8_t* target, uint32_t raw_bytes) {
        for (; raw_bytes >= 0x80; raw_bytes >>= 7) *target++ = static_cast<uint8_t>(raw_bytes | 0x80);
        *target = static_cast<uint8_t>(raw_bytes);
    }

    static __device__ __forceinline__ uint32_t thread_head_bytes(const RawSequence& sequence) {
        return sequence.literal_bytes == 0 ? 0 : 1 + thread_length_bytes(sequence.literal_bytes - 1);
    }
    static __device__ __forceinline__ uint32_t thread_tail_bytes(const RawSequence& sequence) {
        uint32_t copies = thread_whole_copies(sequence.match_bytes);
        uint32_t rest = sequence.match_bytes - copies * COPY_MAX;
        if (rest > COPY_MAX) {
            ++copies;
            rest -= COPY_MAX - COPY_11_MIN;
        }
        return COPY_16_BYTES * copies + (thread_is_near(rest, sequence.offset) ? COPY_11_BYTES : COPY_16_BYTES);
    }
    static __device__ __forceinline__ void thread_write_head(uint8_t* target, const RawSequence& sequence) {
        if (sequence.literal_bytes == 0) return;
        uint32_t length = sequence.literal_bytes - 1;
        const uint32_t length_bytes = thread_length_bytes(length);
        *target++ =
            static_cast<uint8_t>((length_bytes == 0 ? length : LITERAL_LENGTH_BYTES - 1 + length_bytes) << 2 | LITERAL);
        for (uint32_t i = 0; i < length_bytes; ++i, length >>= 8) *target++ = static_cast<uint8_t>(length);
    }
    /// As many copies of COPY_MAX as leave no rest that is too short for a near copy; then what is left, in two if it
    /// is too long for one.
    static __device__ __forceinline__ void thread_write_tail(uint8_t* target, const RawSequence& sequence) {
        const uint32_t whole = thread_whole_copies(sequence.match_bytes);
        uint32_t rest = sequence.match_bytes - whole * COPY_MAX;
        for (uint32_t i = 0; i < whole; ++i) target = thread_write_copy(target, COPY_MAX, sequence.offset);
        if (rest > COPY_MAX) {
            target = thread_write_copy(target, COPY_MAX - COPY_11_MIN, sequence.offset);
            rest -= COPY_MAX - COPY_11_MIN;
        }
        thread_write_copy(target, rest, sequence.offset);
    }

private:
    static constexpr uint32_t COPY_11_BYTES = 2;
    static constexpr uint32_t COPY_16_BYTES = 3;

    static __device__ __forceinline__ uint32_t thread_whole_copies(uint32_t match_bytes) {
        return match_bytes < COPY_MAX + COPY_11_MIN ? 0 : (match_bytes - COPY_11_MIN) / COPY_MAX;
    }
    static __device__ __forceinline__ bool thread_is_near(uint32_t bytes, uint32_t offset) {
        return bytes <= COPY_11_MAX && offset < COPY_11_OFFSET_LIMIT;
    }
    static __device__ __forceinline__ uint32_t thread_length_bytes(uint32_t length_less_one) {
        return length_less_one < LITERAL_LENGTH_BYTES ? 0 : (39 - __clz(length_less_one)) / 8;
    }
    static __device__ __forceinline__ uint8_t* thread_write_copy(uint8_t* target, uint32_t bytes, uint32_t offset) {
        if (thread_is_near(bytes, offset)) {
            target[0] = static_cast<uint8_t>(offset >> 8 << 5 | (bytes - COPY_11_MIN) << 2 | COPY_11);
            target[1] = static_cast<uint8_t>(offset);
            return target + COPY_11_BYTES;
        }
        target[0] = static_cast<uint8_t>((bytes - 1) << 2 | COPY_16);
        target[1] = static_cast<uint8_t>(offset);
        target[2] = static_cast<uint8_t>(offset >> 8);
        return target + COPY_16_BYTES;
    }
};

}  // namespace warpcodec::snappy
