// Decoding of a batch of LZ4 blocks: one warp per block, from its entry in the host's table to its result.
#pragma once

#include "lz4_format.cuh"
#include "lz4_parse.cuh"

namespace warpcodec::lz4 {

/// Device memory of one batch. The two buffers must not overlap.
struct Batch {
    const uint8_t* input;
    uint64_t input_bytes;
    uint8_t* output;
    uint64_t output_bytes;
    const BlockEntry* entries;
    BlockResult* results;
    uint32_t block_count;
};

/// True if the entry lies in the buffers and within the format's limits.
__device__ __forceinline__ bool entry_is_sound(const BlockEntry& entry, const Batch& batch) {
    return entry.input_bytes <= MAX_INPUT_BYTES && entry.output_limit <= MAX_OUTPUT_BYTES && entry.input_offset <= batch.input_bytes &&
           entry.input_bytes <= batch.input_bytes - entry.input_offset && entry.output_offset <= batch.output_bytes &&
           entry.output_limit <= batch.output_bytes - entry.output_offset;
}

/// Decodes block `index` with decode(block, output), which answers a ParseState, and writes the block's result.
template <typename Decode>
__device__ __forceinline__ void warp_decode_block(const Batch& batch, uint32_t index, int lane, Decode decode) {
    const BlockEntry entry = batch.entries[index];
    BlockResult result{STATUS_BAD_ENTRY, 0};
    if (entry_is_sound(entry, batch)) {
        const ParseState state = decode(Block{batch.input + entry.input_offset, entry.input_bytes, entry.output_limit},
                                        batch.output + entry.output_offset);
        result = BlockResult{state.status, state.status == STATUS_OK ? state.output_position : 0};
    }
    if (lane == 0) batch.results[index] = result;
}

}  // namespace warpcodec::lz4
