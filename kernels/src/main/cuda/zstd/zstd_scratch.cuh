// What the kernels of the zstd decoder hand on to each other: how many blocks lie before each frame, then a stretch for
// each frame. The host lends the stretches by the entries alone, so no record moves their bounds.
#pragma once

#include <cstdint>

#include "../common/batch.cuh"
#include "../lz77/lz77_gather.cuh"
#include "zstd_format.cuh"
#include "zstd_policy.cuh"

namespace warpcodec::zstd {

/// One of three offsets that may be repeated, as a block has it: an offset, or one from before the block. The latter is
/// REPEAT_BEFORE, which of the three it was, and how much less it is now.
constexpr uint32_t REPEAT_BEFORE = 1u << 27;
constexpr uint32_t REPEAT_WHICH_AT = 20;
constexpr uint32_t REPEAT_LESS_MASK = (1u << REPEAT_WHICH_AT) - 1;

/// What becomes of the three offsets: the last one first.
struct Repeats {
    uint32_t of[3];
};

/// What is known of a block once it is read.
struct BlockState {
    uint32_t literal_status;  ///< set only where literals are not raw
    uint32_t sequence_status;  ///< set, with the three below, only where there are sequences
    uint32_t literals_used;  ///< by its sequences
    uint32_t sequence_bytes;  ///< that they decode to
    Repeats repeats;  ///< behind it
    uint32_t place;  ///< of its first byte in the frame's output
    Repeats begin;  ///< offsets in front of it, all known
    uint32_t reserved;
};
static_assert(sizeof(BlockState) == 48, "the parts behind it are aligned");

/// A sequence: from the lowest bit on, where its bytes begin in the block's, where its literals begin in the block's,
/// and its offset as Repeats has them.
struct Sequence {
    static constexpr int LITERAL_AT = 18;
    static constexpr int OFFSET_AT = 36;
    uint64_t bits;

    __device__ __forceinline__ static Sequence of(uint32_t place, uint32_t literal, uint32_t offset) {
        return {place | uint64_t{literal} << LITERAL_AT | uint64_t{offset} << OFFSET_AT};
    }
    __device__ __forceinline__ uint32_t place() const { return bits & ((1u << LITERAL_AT) - 1); }
    __device__ __forceinline__ uint32_t literal() const { return bits >> LITERAL_AT & ((1u << LITERAL_AT) - 1); }
    __device__ __forceinline__ uint32_t offset() const { return static_cast<uint32_t>(bits >> OFFSET_AT); }
};
static_assert(MAX_BLOCK_BYTES < 1u << Sequence::LITERAL_AT, "places in a block, and behind it, fit");
static_assert(2 * REPEAT_BEFORE <= 1u << (64 - Sequence::OFFSET_AT), "offsets fit");
static_assert(MAX_OUTPUT_BYTES < REPEAT_BEFORE, "an offset is told from one before the block");

/// A frame's stretch, cut.
struct FrameScratch {
    BlockState* blocks;
    Sequence* sequences;
    uint8_t* literals;  ///< behind the sequences
    uint32_t* sources;  ///< output_limit, where a batch takes_sources: zstd_bytes.cuh
};

constexpr uint32_t SCRATCH_ALIGNMENT = 256;
constexpr uint32_t PART_ALIGNMENT = 16;

__host__ __device__ constexpr uint64_t rounded(uint64_t bytes, uint64_t multiple) {
    return (bytes + multiple - 1) / multiple * multiple;
}

/// Bytes of a frame's sequences and literals.
__host__ __device__ constexpr uint64_t token_bytes(uint32_t output_limit) {
    return rounded(sizeof(Sequence) * (uint64_t{output_limit} / MIN_MATCH + 4), PART_ALIGNMENT);
}

/// Whether frames of a batch have sources: a few are written tile by tile, more by a cta each.
__host__ __device__ constexpr bool takes_sources(uint32_t frame_count) {
    return frame_count != 0 && frame_count < WritePolicy::LEAST_FRAMES;
}

/// Bytes of a frame's stretch.
__host__ __device__ constexpr uint64_t frame_scratch_bytes(uint32_t output_limit, bool has_sources) {
    const uint64_t sources = has_sources ? rounded(uint64_t{output_limit}, PART_ALIGNMENT / sizeof(uint32_t)) : 0;
    return rounded(uint64_t{most_blocks(output_limit)} * sizeof(BlockState) + token_bytes(output_limit) +
                       sizeof(uint32_t) * sources,
                   SCRATCH_ALIGNMENT);
}

/// Bytes in front of the stretches: for each frame, and behind the last, how many blocks lie before it.
__host__ __device__ constexpr uint64_t batch_scratch_bytes(uint32_t frame_count) {
    return rounded((uint64_t{frame_count} + 1) * sizeof(uint32_t), SCRATCH_ALIGNMENT);
}

__device__ __forceinline__ uint32_t* first_blocks(const DecodeBatch& batch) {
    return reinterpret_cast<uint32_t*>(batch.scratch);
}

/// A frame whose entry and record have been found right.
struct FrameView {
    const Record* record;
    const BlockRecord* blocks;
    const uint8_t* bytes;  ///< of the frame
    uint32_t byte_count;
    FrameScratch scratch;
};

/// Bytes of a frame's output in front of what it decodes to.
__device__ __forceinline__ uint32_t head_bytes(const Record& record) {
    return record.is_segment != 0 ? SEGMENT_HEAD_BYTES : 0;
}

/// True if a frame is no segment, or one whose history lies in the frame. Only sources lead to history.
__device__ __forceinline__ bool segment_is_sound(const Record& record, uint32_t frame_bytes, bool has_sources) {
    if (record.is_segment == 0) return record.history_bytes == 0 && record.history_fill == 0;
    return has_sources && record.history_bytes <= MAX_HISTORY_BYTES && record.history_bytes % lz77::SLAB_BYTES == 0 &&
           record.history_fill <= record.history_bytes && record.history_at <= frame_bytes &&
           record.history_bytes <= frame_bytes - record.history_at;
}

/// True if the entry lies in the batch's memory, and its record fits it.
__device__ __forceinline__ bool frame_is_sound(const FrameEntry& entry, const DecodeBatch& batch) {
    const BlockEntry ranges{entry.input_offset, entry.output_offset, entry.input_bytes, entry.output_limit};
    if (!entry_is_sound(ranges, batch, 1u << 30, MAX_OUTPUT_BYTES) || entry.input_bytes < RECORD_BYTES ||
        entry.input_offset % 16 != 0 || entry.scratch_offset % SCRATCH_ALIGNMENT != 0 ||
        entry.scratch_offset < batch_scratch_bytes(batch.frame_count) || entry.scratch_offset > batch.scratch_bytes ||
        frame_scratch_bytes(entry.output_limit, takes_sources(batch.frame_count)) >
            batch.scratch_bytes - entry.scratch_offset) {
        return false;
    }
    const Record record = *reinterpret_cast<const Record*>(batch.input + entry.input_offset);
    return record.block_count <= most_blocks(entry.output_limit) &&
           record.record_bytes == RECORD_BYTES + record.block_count * BLOCK_RECORD_BYTES &&
           record.record_bytes <= entry.input_bytes && entry.output_limit >= head_bytes(record) &&
           record.content_bytes == entry.output_limit - head_bytes(record) &&
           segment_is_sound(record, entry.input_bytes - record.record_bytes, takes_sources(batch.frame_count)) &&
           record.max_block_bytes <= MAX_BLOCK_BYTES && record.sequence_count <= entry.output_limit / MIN_MATCH &&
           record.literal_bytes <= entry.output_limit - MIN_MATCH * record.sequence_count;
}

/// The parts of a frame that is sound.
__device__ __forceinline__ FrameView view_frame(const FrameEntry& entry, const DecodeBatch& batch) {
    FrameView view;
    view.record = reinterpret_cast<const Record*>(batch.input + entry.input_offset);
    view.blocks = reinterpret_cast<const BlockRecord*>(view.record + 1);
    const uint32_t record_bytes =
        min(RECORD_BYTES + min(view.record->block_count, most_blocks(entry.output_limit)) * BLOCK_RECORD_BYTES,
            entry.input_bytes);
    view.bytes = batch.input + entry.input_offset + record_bytes;
    view.byte_count = entry.input_bytes - record_bytes;
    uint8_t* memory = batch.scratch + entry.scratch_offset;
    view.scratch.blocks = reinterpret_cast<BlockState*>(memory);
    memory += most_blocks(entry.output_limit) * sizeof(BlockState);
    view.scratch.sequences = reinterpret_cast<Sequence*>(memory);
    view.scratch.literals =
        memory + rounded(uint64_t{min(view.record->sequence_count, entry.output_limit / MIN_MATCH)} * sizeof(Sequence),
                         PART_ALIGNMENT);
    view.scratch.sources = reinterpret_cast<uint32_t*>(memory + token_bytes(entry.output_limit));
    return view;
}

/// True if a block's parts lie in each other, in the frame, and in its stretch.
__device__ __forceinline__ bool block_is_sound(const BlockRecord& block, uint32_t index, const FrameView& frame) {
    const Record& record = *frame.record;
    const bool raw = block.literal_kind == LITERALS_RAW;
    bool sound = block.at <= frame.byte_count && block.bytes <= frame.byte_count - block.at &&
                 block.literals_at <= block.literals_end && block.literals_end <= block.bytes &&
                 block.literal_kind <= LITERALS_FOUR_STREAMS && block.literal_count <= record.max_block_bytes &&
                 block.tree_block <= index;
    sound &= raw ? block.literal_count == block.literals_end - block.literals_at
                 : block.literals_at < block.literals_end && block.first_literal <= record.literal_bytes &&
                       block.literal_count <= record.literal_bytes - block.first_literal;
    sound &= block.first_sequence <= record.sequence_count &&
             block.sequence_count <= record.sequence_count - block.first_sequence;
    sound &= block.sequence_count == 0 || (block.literals_end <= block.tables_at && block.tables_at < block.bytes);
#pragma unroll
    for (int kind = 0; kind < TABLE_KINDS; ++kind) sound &= block.table_block[kind] <= index;
    return sound;
}

/// A block of a batch: its frame, and its number in it.
struct BlockPlace {
    uint32_t frame;
    uint32_t index;
};

/// Finds block `number` of the batch; there is one.
__device__ __forceinline__ BlockPlace thread_find_block(const DecodeBatch& batch, uint32_t number) {
    const uint32_t* firsts = first_blocks(batch);
    uint32_t low = 0, high = batch.frame_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        (firsts[middle] <= number ? low : high) = middle;
    }
    return {low, number - firsts[low]};
}

}  // namespace warpcodec::zstd
