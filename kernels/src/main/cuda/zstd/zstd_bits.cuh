// Streams of bits that are read from their end on (RFC 8878, section 4.1): behind the last byte's zeros and a one.
//
// A place in a stream is a number of bits from the aligned word that holds its first byte: bits below it are still to
// be read. Places in front of the stream give bits of no meaning. A reader notices by its place, which then is below
// the stream's begin; it must end there exactly.
#pragma once

#include <cstdint>

#include "../common/alignment.cuh"

namespace warpcodec::zstd {

struct BackwardStream {
    const uint32_t* words;
    int32_t begin;  ///< place of its first bit, which is read last
    int32_t end;  ///< place behind the bit that is read first; negative if there is no last one
    int32_t last_word;

    /// The bytes [at, limit) of `bytes`, which may be none.
    __device__ __forceinline__ BackwardStream(const uint8_t* bytes, uint32_t at, uint32_t limit) {
        const uint32_t before = bytes_past_alignment<4>(bytes + at);
        words = reinterpret_cast<const uint32_t*>(bytes + at - before);
        begin = static_cast<int32_t>(8 * before);
        const uint32_t last = at < limit ? __ldg(bytes + limit - 1) : 0;
        end = last == 0 ? -1
                        : begin + static_cast<int32_t>(8 * (limit - 1 - at)) + 31 - __clz(static_cast<int32_t>(last));
        last_word = max(end - 1, 0) / 32;
    }

    /// A stream that was opened before.
    __device__ __forceinline__ BackwardStream(const uint32_t* words_, int32_t begin_, int32_t end_, int32_t last_word_)
        : words(words_), begin(begin_), end(end_), last_word(last_word_) {}

    __device__ __forceinline__ bool has_end() const { return end >= 0; }

    __device__ __forceinline__ uint32_t word(int32_t at) const { return __ldg(words + min(max(at, 0), last_word)); }

    /// The `count` bits from place `from` on, at most 31.
    __device__ __forceinline__ uint32_t bits(int32_t from, uint32_t count) const {
        return __funnelshift_r(word(from >> 5), word((from >> 5) + 1), static_cast<uint32_t>(from)) &
               ((1u << count) - 1);
    }
};

/// Reads up to 32 bits below a place that goes down.
struct BackwardReader {
    int32_t place;
    uint32_t above, here, ahead;  ///< the word of the place, and those below it

    __device__ __forceinline__ explicit BackwardReader(const BackwardStream& stream) {
        place = stream.end;
        above = stream.word(place >> 5);
        here = stream.word((place >> 5) - 1);
        ahead = stream.word((place >> 5) - 2);
    }
    /// The next 32 bits, the first at the top.
    __device__ __forceinline__ uint32_t peek() const {
        return __funnelshift_r(here, above, static_cast<uint32_t>(place));
    }
    /// Skips up to 32 bits.
    __device__ __forceinline__ void skip(const BackwardStream& stream, uint32_t count) {
        const int32_t before = place >> 5;
        place -= static_cast<int32_t>(count);
        if (place >> 5 == before) return;
        above = here;
        here = ahead;
        ahead = stream.word((place >> 5) - 2);
    }
};

}  // namespace warpcodec::zstd
