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
constexpr uint32_t BROUGHT = 4;  ///< places whose matches are read at once

/// Words of a place's row: its nearest candidates, until matches are written over them. Matches of BROUGHT places lie
/// side by side at the begin of these places' rows, so a lane loads those of one at once.
constexpr uint32_t ROW_WORDS = KINDS - 2;
static_assert(SLOTS <= ROW_WORDS && BROUGHT * ROW_WORDS % 4 == 0, "matches lie in their rows, aligned to 16 bytes");

/// Where a place's matches lie among the rows.
__host__ __device__ constexpr size_t matches_at(uint32_t place) {
    return size_t{place / BROUGHT} * (BROUGHT * ROW_WORDS) + place % BROUGHT * SLOTS;
}

/// A chunk's path: its steps, the matches among them, and the bytes of the others.
struct alignas(8) Path {
    uint16_t steps, matches, literals, reserved;
};

/// How often the chunks of a frame are halved. A chunk is a chain of places, so a short frame would wait for its chain.
constexpr uint32_t MOST_HALVINGS = 2;
constexpr uint32_t MOST_HALVED_BYTES = 1u << 20;  ///< frames of so many bytes have chunks of half the length
constexpr uint32_t MOST_QUARTERED_BYTES = 128u << 10;  ///< of a quarter
__host__ __device__ constexpr uint32_t halvings_of(uint32_t frame_bytes) {
    return frame_bytes <= MOST_QUARTERED_BYTES ? MOST_HALVINGS : frame_bytes <= MOST_HALVED_BYTES ? 1 : 0;
}

/// Frames behind each other, of less than 4 GiB. Chunks in a row are a group.
///
/// A unit has a row of chunks; a shorter frame's unit has 2^halvings rows. Numbers go through the first rows of all
/// units, then through their second rows, and so on: a batch of long frames has no numbers without chunks between.
struct ParseBatch {
    const uint8_t* text;
    FrameTable frames;
    uint32_t chunk_bytes[MOST_HALVINGS + 1];  ///< of long frames, of those with halves, and of those with quarters
    /// From a chunk's end to the next one's in long frames: a chunk's bytes, or more where parts of text are parsed.
    uint32_t stride_bytes;
    uint32_t most_halvings;  ///< of strides
    uint32_t has_frame_prices;  ///< whether all units of a frame have the same prices
    const uint2* smaller;  ///< the first two kinds of candidates: places in their frame, or NO_PLACE
    uint32_t* rows;  ///< of places: the other candidates, then matches, nearest first (matches_at)
    const struct BlockPrices* prices;  ///< of each frame, or of each unit
    struct Way* ways;  ///< of each group: FAR places of all its chunks
    uint32_t* steps;  ///< a word a place of text (column_of): how a chunk's way to the next place ends; then its path
    uint32_t* arrivals;  ///< likewise, how the cheapest way ends that ends with a match
    Path* paths;  ///< of each chunk
    uint32_t most_offset;  ///< that candidates have where samples are parsed
    uint32_t
        second_prices;  ///< from a frame's prices to others of it, which it has if they cost less; 0: there are none
};

/// Chunks of a row, which is a unit's if its frame is long.
__host__ __device__ inline uint32_t row_chunks(const ParseBatch& batch) { return UNIT_BYTES / batch.stride_bytes; }

/// Numbers of all rows that the units may have.
__host__ __device__ inline uint32_t chunk_count(const ParseBatch& batch) {
    return batch.frames.unit_count * row_chunks(batch) << batch.most_halvings;
}

/// The number of a unit's chunk.
__host__ __device__ inline uint32_t number_of(const ParseBatch& batch, uint32_t unit, uint32_t index) {
    const uint32_t row = row_chunks(batch);
    return (index / row * batch.frames.unit_count + unit) * row + index % row;
}

/// Which prices a unit has.
__host__ __device__ inline uint32_t prices_of_unit(const ParseBatch& batch, uint32_t unit) {
    return batch.has_frame_prices != 0 ? batch.frames.unit_frames[unit] : unit;
}

/// How long the chunks of a frame are.
struct ChunkShape {
    uint32_t halvings;  ///< of strides
    uint32_t stride_bytes, chunk_bytes;
};
__host__ __device__ inline ChunkShape shape_of(const ParseBatch& batch, const FrameRange& frame) {
    static_assert(MOST_HALVINGS == 2);
    const uint32_t own = halvings_of(frame.count);
    const uint32_t halvings = own < batch.most_halvings ? own : batch.most_halvings;
    const uint32_t bytes = own == 0 ? batch.chunk_bytes[0] : own == 1 ? batch.chunk_bytes[1] : batch.chunk_bytes[2];
    return {halvings, batch.stride_bytes >> halvings, bytes};
}
__host__ __device__ inline FrameRange frame_of_unit(const ParseBatch& batch, uint32_t unit) {
    return batch.frames.ranges[batch.frames.unit_frames[unit]];
}
/// Chunks of a unit. All of them may have no bytes.
__host__ __device__ inline uint32_t chunks_of_unit(const ParseBatch& batch, uint32_t unit) {
    return row_chunks(batch) << shape_of(batch, frame_of_unit(batch, unit)).halvings;
}

/// A chunk of the batch. One behind its frame's last byte has no bytes.
struct Chunk {
    uint32_t from;
    uint32_t bytes;
    uint32_t in_frame;  ///< where it begins there
    uint32_t unit;
    uint32_t most_bytes;  ///< that a chunk of its frame has
    uint32_t stride, stride_bytes;  ///< which of the text's strides it ends, if all were as long
};

/// Chunk `index` of a unit, which lies at the end of its stride. It begins at a multiple of four, so a sample may lack
/// three bytes. A chunk without bytes begins where its unit does, since a parse reads from a chunk's begin on.
__host__ __device__ __forceinline__ Chunk chunk_in_unit(const ParseBatch& batch, uint32_t unit, uint32_t index,
                                                        const FrameRange& frame, const ChunkShape& shape) {
    const uint32_t in_unit = index * shape.stride_bytes, begin = unit * UNIT_BYTES + in_unit;
    const uint32_t before = begin - static_cast<uint32_t>(frame.begin()), stride = begin / shape.stride_bytes;
    if (in_unit >= UNIT_BYTES || before >= frame.count)
        return {unit * UNIT_BYTES, 0, before, unit, shape.chunk_bytes, stride, shape.stride_bytes};
    const uint32_t rest = frame.count - before, bytes = rest < shape.stride_bytes ? rest : shape.stride_bytes;
    const uint32_t skipped = bytes <= shape.chunk_bytes ? 0 : (bytes - shape.chunk_bytes + 3) / 4 * 4;
    return {begin + skipped, bytes - skipped, before + skipped, unit, shape.chunk_bytes, stride, shape.stride_bytes};
}

/// A chunk by its number.
__host__ __device__ __forceinline__ Chunk chunk_of(const ParseBatch& batch, uint32_t number) {
    if (number >= chunk_count(batch)) return {0, 0, 0, 0, 0, 0, batch.stride_bytes};
    const uint32_t in_row = row_chunks(batch), row = number / in_row, turn = row / batch.frames.unit_count;
    const uint32_t unit = row - turn * batch.frames.unit_count;
    const FrameRange frame = frame_of_unit(batch, unit);
    return chunk_in_unit(batch, unit, turn * in_row + number % in_row, frame, shape_of(batch, frame));
}

/// The chunk that has a place of the text, where chunks are all of it. One behind the last unit has no bytes.
__host__ __device__ __forceinline__ Chunk chunk_at(const ParseBatch& batch, uint32_t place) {
    const uint32_t unit = place / UNIT_BYTES;
    if (unit >= batch.frames.unit_count) return {place, 0, 0, unit, 0, 0, batch.stride_bytes};
    const FrameRange frame = frame_of_unit(batch, unit);
    const ChunkShape shape = shape_of(batch, frame);
    const uint32_t index = (place % UNIT_BYTES << shape.halvings) / batch.stride_bytes;
    return chunk_in_unit(batch, unit, index, frame, shape);
}

/// Where a chunk's steps lie, in groups of `chunks`: the step to its place 1, and `chunks` words on the next. A group
/// has as many words as its strides have places, and begins where they do.
__host__ __device__ inline size_t column_of(const Chunk& chunk, uint32_t chunks) {
    return size_t{chunk.stride / chunks} * chunks * chunk.stride_bytes + chunk.stride % chunks;
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
