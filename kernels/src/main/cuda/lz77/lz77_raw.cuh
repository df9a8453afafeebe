// Reads the raw bytes of a block in words, wherever they start, and compares them.
//
// Reads: only aligned words that hold a byte of the block. Behind a place that lies at least READ_MARGIN_BYTES before
// the block's end, bytes are read without care. Elsewhere the index of a word is clamped, and bytes outside the block
// have undefined values. The callers' limits keep these out of every result.
#pragma once

#include <cstdint>

#include "../common/batch.cuh"

namespace warpcodec::lz77 {

/// From a place so far before the block's end, two whole words and the next one's first byte are inside.
constexpr int READ_MARGIN_BYTES = 9;

/// Words that hold the raw bytes of a block.
struct RawWords {
    const uint32_t* words;
    int misaligned_bytes;  ///< bytes of the first word in front of the block
    int last_index;

    __device__ __forceinline__ explicit RawWords(const Block& block) {
        misaligned_bytes = static_cast<int>(reinterpret_cast<uintptr_t>(block.input) & 3);
        words = reinterpret_cast<const uint32_t*>(block.input - misaligned_bytes);
        last_index = (misaligned_bytes + static_cast<int>(block.input_bytes) - 1) >> 2;
    }

    __device__ __forceinline__ uint32_t at(int index) const { return __ldg(words + index); }
    __device__ __forceinline__ uint32_t at_or_near(int index) const { return at(min(max(index, 0), last_index)); }
};

/// The 8 bytes before a place and the 8 from it on, little-endian.
struct RawContext {
    uint32_t word[4];

    __device__ __forceinline__ uint32_t here() const { return word[2]; }
};

/// `INSIDE`: the place is at least READ_MARGIN_BYTES before the block's end.
template <bool INSIDE>
__device__ __forceinline__ RawContext thread_load_context(const RawWords& raw, int place) {
    const int first = ((raw.misaligned_bytes + place) >> 2) - 2;
    const int shift_bits = 8 * ((raw.misaligned_bytes + place) & 3);
    uint32_t words[5];
#pragma unroll
    for (int i = 0; i < 5; ++i)
        words[i] = INSIDE ? raw.at(i < 2 ? max(first + i, 0) : first + i) : raw.at_or_near(first + i);
    RawContext context;
#pragma unroll
    for (int i = 0; i < 4; ++i) context.word[i] = __funnelshift_r(words[i], words[i + 1], shift_bits);
    return context;
}

/// The 4 bytes from a place on, which is at least 8 before the block's end.
__device__ __forceinline__ uint32_t thread_load_word(const RawWords& raw, int place) {
    const int at = raw.misaligned_bytes + place;
    return __funnelshift_r(raw.at(at >> 2), raw.at((at >> 2) + 1), 8 * (at & 3));
}

__device__ __forceinline__ int thread_first_difference(uint32_t difference) { return (__ffs(difference) - 1) / 8; }

/// Counts the bytes from `place` on that equal those from `source` on, which is before it: at most `limit`. The
/// caller has seen that the first `equal` bytes are equal. At least 4 bytes lie between place + limit and the block's
/// end.
__device__ __forceinline__ int thread_count_equal(const RawWords& raw, int place, int source, int equal, int limit) {
    const int here_byte = raw.misaligned_bytes + place + equal;
    const int there_byte = raw.misaligned_bytes + source + equal;
    int here_index = here_byte >> 2;
    int there_index = there_byte >> 2;
    const int here_bits = 8 * (here_byte & 3);
    const int there_bits = 8 * (there_byte & 3);
    if (equal >= limit) return limit;
    uint32_t here = raw.at(here_index);
    uint32_t there = raw.at(there_index);
    for (; equal < limit; equal += 4) {
        const uint32_t next_here = raw.at(++here_index);
        const uint32_t next_there = raw.at(++there_index);
        const uint32_t difference =
            __funnelshift_r(here, next_here, here_bits) ^ __funnelshift_r(there, next_there, there_bits);
        if (difference != 0) return min(limit, equal + thread_first_difference(difference));
        here = next_here;
        there = next_there;
    }
    return limit;
}

/// As thread_count_equal above, but the caller has seen nothing: the first 8 bytes are in both contexts.
__device__ __forceinline__ int thread_count_equal(const RawWords& raw, const RawContext& here, const RawContext& there,
                                                  int place, int source, int limit) {
    const uint32_t near = here.word[2] ^ there.word[2];
    if (near != 0) return min(limit, thread_first_difference(near));
    const uint32_t far = here.word[3] ^ there.word[3];
    if (far != 0) return min(limit, 4 + thread_first_difference(far));
    return thread_count_equal(raw, place, source, 8, limit);
}

/// How many bytes before both places are equal, at most 8.
__device__ __forceinline__ int thread_count_equal_before(const RawContext& here, const RawContext& there) {
    const uint32_t near = here.word[1] ^ there.word[1];
    return near != 0 ? __clz(near) / 8 : 4 + __clz(here.word[0] ^ there.word[0]) / 8;
}

}  // namespace warpcodec::lz77
