// A batch of blocks that lie in one buffer: the host's table of them, their results, and how a warp decodes or
// encodes one on its own. The launchers check the sizes of entries and results when they load a module.
#pragma once

#include <cstdint>

#include "layout.cuh"
#include "status.cuh"

namespace warpcodec {

/// One block of a batch, as the host uploads it: little-endian, 24 bytes.
struct BlockEntry {
    uint64_t input_offset;  ///< first byte to read, from the start of the input
    uint64_t output_offset;  ///< where the first byte goes, from the start of the output
    uint32_t input_bytes;
    uint32_t output_limit;  ///< bytes that may be written at most
};
static_assert(sizeof(BlockEntry) == 24, "the host writes entries of 24 bytes");

/// What became of a block, 8 bytes. Unless the code is STATUS_SOUND the block's output is undefined, within its limits.
struct BlockResult {
    uint32_t status;  ///< a status word (status.cuh); a defect's offset is that of the sequence that has it
    uint32_t output_bytes;  ///< bytes written, if the code is STATUS_SOUND
};
static_assert(sizeof(BlockResult) == 8, "the host reads results of 8 bytes");

/// Device memory of one batch, as kernels take it. The two buffers must not overlap.
struct Batch {
    const uint8_t* input;
    uint64_t input_bytes;
    uint8_t* output;
    uint64_t output_bytes;
    const BlockEntry* entries;
    BlockResult* results;
    uint32_t block_count;
};
constexpr Layout BATCH_LAYOUT = Layout()
                                    .WARPCODEC_FIELD(Batch, input)
                                    .WARPCODEC_FIELD(Batch, input_bytes)
                                    .WARPCODEC_FIELD(Batch, output)
                                    .WARPCODEC_FIELD(Batch, output_bytes)
                                    .WARPCODEC_FIELD(Batch, entries)
                                    .WARPCODEC_FIELD(Batch, results)
                                    .WARPCODEC_FIELD(Batch, block_count);
static_assert(BATCH_LAYOUT.is_of<Batch>() && sizeof(Batch) == 56, "the host sets these fields");

/// One block, clamped to its buffers.
struct Block {
    const uint8_t* input;
    uint32_t input_bytes;
    uint32_t output_limit;
    uint32_t window_bytes = 0;  ///< of output in front of the block's own, which matches may reach
};

/// True if the entry lies in the buffers of a batch and within the format's limits.
template <typename AnyBatch>
__device__ __forceinline__ bool entry_is_sound(const BlockEntry& entry, const AnyBatch& batch, uint32_t max_input_bytes,
                                               uint32_t max_output_bytes) {
    return entry.input_bytes <= max_input_bytes && entry.output_limit <= max_output_bytes &&
           entry.input_offset <= batch.input_bytes && entry.input_bytes <= batch.input_bytes - entry.input_offset &&
           entry.output_offset <= batch.output_bytes && entry.output_limit <= batch.output_bytes - entry.output_offset;
}

/// The range of a unit, the last of `range_count` ranges that does not begin behind it: entries say their first units.
template <typename Entry>
__device__ __forceinline__ uint32_t find_range(const Entry* entries, uint32_t range_count, uint32_t unit) {
    uint32_t range = 0;
    for (uint32_t count = range_count; count > 1;) {
        const uint32_t half = count / 2;
        if (entries[range + half].first_unit <= unit) {
            range += half;
            count -= half;
        } else {
            count = half;
        }
    }
    return range;
}

/// Has code(block, output) decode or encode block `index`. The thread that `answers` writes the BlockResult.
template <uint32_t MAX_INPUT_BYTES, uint32_t MAX_OUTPUT_BYTES, typename Code>
__device__ __forceinline__ void group_code_block(const Batch& batch, uint32_t index, bool answers, Code code) {
    static_assert(MAX_INPUT_BYTES < (1u << (32 - STATUS_OFFSET_SHIFT)), "an offset fits a status word");
    const BlockEntry entry = batch.entries[index];
    BlockResult result{STATUS_BAD_ENTRY, 0};
    if (entry_is_sound(entry, batch, MAX_INPUT_BYTES, MAX_OUTPUT_BYTES)) {
        result = code(Block{batch.input + entry.input_offset, entry.input_bytes, entry.output_limit},
                      batch.output + entry.output_offset);
    }
    if (answers) batch.results[index] = result;
}

/// As group_code_block; the group is a warp.
template <uint32_t MAX_INPUT_BYTES, uint32_t MAX_OUTPUT_BYTES, typename Code>
__device__ __forceinline__ void warp_code_block(const Batch& batch, uint32_t index, int lane, Code code) {
    group_code_block<MAX_INPUT_BYTES, MAX_OUTPUT_BYTES>(batch, index, lane == 0, code);
}

}  // namespace warpcodec
