// Text as the stages of strong levels read it, and what they have in common.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../common/frames.cuh"
#include "../common/warp.cuh"

namespace warpcodec::plz {

constexpr uint32_t KINDS = 7;  ///< of candidates
constexpr uint32_t LEAST_MATCH = 3;
constexpr uint32_t MOST_MATCH = 511;  ///< longer matches are several

/// A match: its length in the lowest bits, its offset above; 0 is none.
using PackedMatch = uint32_t;
constexpr uint32_t LENGTH_BITS = 9, OFFSET_BITS = 23;
static_assert(LENGTH_BITS + OFFSET_BITS == 32 && MOST_MATCH < 1u << LENGTH_BITS);

__host__ __device__ inline uint32_t length_of(PackedMatch match) { return match & ((1u << LENGTH_BITS) - 1); }
__host__ __device__ inline uint32_t offset_of(PackedMatch match) { return match >> LENGTH_BITS; }

/// Space for the matches of a place: two words of 16 bytes.
constexpr uint32_t SLOTS = 8;
static_assert(SLOTS > KINDS, "behind the last match stands 0");

/// A chunk's path: its steps, the matches among them, and the bytes of the others.
struct alignas(8) Path {
    uint16_t steps, matches, literals, reserved;
};

/// Frames behind each other, all of one length; the last may be shorter. Chunks in a row are a group, which a warp
/// parses.
struct ParseBatch {
    const uint8_t* text;
    uint32_t byte_count;
    uint32_t frame_bytes;  ///< a multiple of stride_bytes and of block_bytes, unless there is one frame only
    uint32_t block_bytes;  ///< of bytes with the same prices: a multiple of stride_bytes
    uint32_t chunk_bytes;
    uint32_t stride_bytes;  ///< from a chunk's end to the next one's: chunk_bytes, or more where samples are parsed
    const uint2* smaller;  ///< the first two kinds of candidates: places in their frame, or NO_PLACE
    const uint32_t* nearest;  ///< the others, kind after kind
    const struct BlockPrices* prices;  ///< of each block
    PackedMatch* matches;  ///< SLOTS a place, nearest first
    struct Way* ways;  ///< of each group: FAR places of all its chunks
    uint32_t* steps;  ///< of each group: to each place and to the end of all its chunks; then their paths
    Path* paths;  ///< of each chunk
};

__host__ __device__ inline uint32_t chunk_count(const ParseBatch& batch) {
    return (batch.byte_count + batch.stride_bytes - 1) / batch.stride_bytes;
}

/// A chunk of the batch. One behind the last has no bytes.
struct Chunk {
    uint32_t from;
    uint32_t bytes;
    uint32_t frame;  ///< where its frame begins
};

/// A chunk, which lies at the end of its stride. It begins at a multiple of four, so a sample may lack three bytes.
__device__ __forceinline__ Chunk chunk_of(const ParseBatch& batch, uint32_t number) {
    if (number >= chunk_count(batch)) return {0, 0, 0};
    const uint32_t begin = number * batch.stride_bytes, bytes = min(batch.byte_count - begin, batch.stride_bytes);
    const uint32_t from = begin + (bytes <= batch.chunk_bytes ? 0 : (bytes - batch.chunk_bytes + 3) / 4 * 4);
    return {from, begin + bytes - from, begin / batch.frame_bytes * batch.frame_bytes};
}

/// Steps of a chunk in groups of `chunks`: the first, and `chunks` words on the next.
__host__ __device__ inline size_t column_of(const ParseBatch& batch, uint32_t number, uint32_t chunks) {
    return size_t{number / chunks} * (batch.chunk_bytes + 1) * chunks + number % chunks;
}

/// Eight bytes of text, the first lowest.
__device__ __forceinline__ uint64_t thread_load_text(const uint8_t* at) {
    const uint32_t past = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(at) % 4);
    const uint32_t* words = reinterpret_cast<const uint32_t*>(at - past);
    const uint64_t low = words[0] | uint64_t{words[1]} << 32;
    return past == 0 ? low : low >> 8 * past | uint64_t{words[2]} << (64 - 8 * past);
}

/// How many bytes are equal before the first of eight that differs.
__device__ __forceinline__ uint32_t equal_bytes(uint64_t differ) {
    const uint32_t low = static_cast<uint32_t>(differ), high = static_cast<uint32_t>(differ >> 32);
    if (low != 0) return (__ffs(static_cast<int>(low)) - 1) / 8;
    return high != 0 ? 4 + (__ffs(static_cast<int>(high)) - 1) / 8 : 8;
}

/// Length of the match of `at` with `earlier`, of which `length` bytes are known and `most` are wanted.
__device__ __forceinline__ uint32_t thread_common_length(const uint8_t* text, uint32_t earlier, uint32_t at,
                                                         uint32_t length, uint32_t most) {
    while (length < most) {
        const uint32_t equal =
            equal_bytes(thread_load_text(text + earlier + length) ^ thread_load_text(text + at + length));
        length += equal;
        if (equal < 8) break;
    }
    return length < most ? length : most;
}

}  // namespace warpcodec::plz
