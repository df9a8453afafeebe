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

/// Matches of a place that are kept; behind the last one stands 0 if there is space.
constexpr uint32_t SLOTS = 4;

/// A chunk's path: its steps, the matches among them, and the bytes of the others.
struct alignas(8) Path {
    uint16_t steps, matches, literals, reserved;
};

/// Frames behind each other, of less than 4 GiB. Chunks in a row are a group.
struct ParseBatch {
    const uint8_t* text;
    FrameTable frames;
    uint32_t chunk_bytes;
    uint32_t stride_bytes;  ///< from a chunk's end to the next one's: chunk_bytes, or more where samples are parsed
    uint32_t has_frame_prices;  ///< whether all units of a frame have the same prices
    const uint2* smaller;  ///< the first two kinds of candidates: places in their frame, or NO_PLACE
    const uint32_t* nearest;  ///< the others, one behind the other
    const struct BlockPrices* prices;  ///< of each frame, or of each unit
    PackedMatch* matches;  ///< SLOTS a place, nearest first
    struct Way* ways;  ///< of each group: FAR places of all its chunks
    uint32_t* steps;  ///< of each group: to each place and to the end of all its chunks; then their paths
    Path* paths;  ///< of each chunk
};

/// Of all units, which are whole strides.
__host__ __device__ inline uint32_t chunk_count(const ParseBatch& batch) {
    return batch.frames.unit_count * (UNIT_BYTES / batch.stride_bytes);
}

/// Which prices a unit has.
__host__ __device__ inline uint32_t prices_of_unit(const ParseBatch& batch, uint32_t unit) {
    return batch.has_frame_prices != 0 ? batch.frames.unit_frames[unit] : unit;
}

/// A chunk of the batch. One behind its frame's last byte has no bytes.
struct Chunk {
    uint32_t from;
    uint32_t bytes;
    uint32_t in_frame;  ///< where it begins there
    uint32_t unit;
};

/// A chunk, which lies at the end of its stride. It begins at a multiple of four, so a sample may lack three bytes.
__host__ __device__ __forceinline__ Chunk chunk_of(const ParseBatch& batch, uint32_t number) {
    if (number >= chunk_count(batch)) return {0, 0, 0, 0};
    const uint32_t begin = number * batch.stride_bytes, unit = begin / UNIT_BYTES;
    const FrameRange frame = batch.frames.ranges[batch.frames.unit_frames[unit]];
    const uint32_t before = begin - static_cast<uint32_t>(frame.begin());
    if (before >= frame.count) return {begin, 0, before, unit};
    const uint32_t rest = frame.count - before, bytes = rest < batch.stride_bytes ? rest : batch.stride_bytes;
    const uint32_t skipped = bytes <= batch.chunk_bytes ? 0 : (bytes - batch.chunk_bytes + 3) / 4 * 4;
    return {begin + skipped, bytes - skipped, before + skipped, unit};
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
