// A batch of blocks, each decoded or encoded by one warp on its own: tables of the host, results, and what the formats share of them.
// Included by the formats lz4 and snappy; the launchers check both sides' constants when they load those modules.
#pragma once

#include <cstdint>

namespace warpcodec::lz77 {

constexpr int WARP_LANES = 32;
constexpr uint32_t ALL_LANES = 0xFFFFFFFFu;

/// One block of a batch, as the host uploads it: little-endian, 24 bytes.
struct BlockEntry {
    uint64_t input_offset;   ///< first byte to read, from the start of the input
    uint64_t output_offset;  ///< where the first byte goes, from the start of the output
    uint32_t input_bytes;
    uint32_t output_limit;   ///< bytes that may be written at most
};
static_assert(sizeof(BlockEntry) == 24, "the host writes entries of 24 bytes");

/// What became of a block, 8 bytes. Unless the code is STATUS_OK the block's output is undefined, within its limits.
struct BlockResult {
    uint32_t status;        ///< code in bits 0 to 7; from bit 8 on, for a defect, the offset in the block of the sequence that has it
    uint32_t output_bytes;  ///< bytes written, if the code is STATUS_OK
};
static_assert(sizeof(BlockResult) == 8, "the host reads results of 8 bytes");

constexpr uint32_t STATUS_OK = 0;
constexpr uint32_t STATUS_TRUNCATED = 1;        ///< the input ends within a sequence, or before one
constexpr uint32_t STATUS_OUTPUT_EXCEEDED = 2;  ///< more output than the limit
constexpr uint32_t STATUS_BAD_OFFSET = 3;       ///< a match offset of zero, or one that reaches before the block's first byte
constexpr uint32_t STATUS_BAD_ENTRY = 4;        ///< the table names bytes beyond the buffers, or too many
constexpr uint32_t STATUS_BAD_LENGTH = 5;       ///< not the number of bytes that the block promises
constexpr uint32_t STATUS_BAD_END = 6;          ///< a match too near the end of the input or of the output

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

/// One block, clamped to its buffers.
struct Block {
    const uint8_t* input;
    uint32_t input_bytes;
    uint32_t output_limit;
    uint32_t window_bytes = 0;  ///< of output in front of the block's own, which matches may reach
};

/// How far a block has been read.
struct ParseState {
    uint32_t input_position = 0;
    uint32_t output_position = 0;
    uint32_t status = STATUS_OK;
    bool finished = false;  ///< after the last sequence, or after a defect
};

/// True if the entry lies in the buffers and within the format's limits.
__device__ __forceinline__ bool entry_is_sound(const BlockEntry& entry, const Batch& batch, uint32_t max_input_bytes,
                                               uint32_t max_output_bytes) {
    return entry.input_bytes <= max_input_bytes && entry.output_limit <= max_output_bytes && entry.input_offset <= batch.input_bytes &&
           entry.input_bytes <= batch.input_bytes - entry.input_offset && entry.output_offset <= batch.output_bytes &&
           entry.output_limit <= batch.output_bytes - entry.output_offset;
}

/// Has code(block, output) decode or encode block `index`, and writes the BlockResult that it answers.
template <uint32_t MAX_INPUT_BYTES, uint32_t MAX_OUTPUT_BYTES, typename Code>
__device__ __forceinline__ void warp_code_block(const Batch& batch, uint32_t index, int lane, Code code) {
    static_assert(MAX_INPUT_BYTES < (1u << 24), "an offset has 24 bits in a status");
    const BlockEntry entry = batch.entries[index];
    BlockResult result{STATUS_BAD_ENTRY, 0};
    if (entry_is_sound(entry, batch, MAX_INPUT_BYTES, MAX_OUTPUT_BYTES)) {
        result = code(Block{batch.input + entry.input_offset, entry.input_bytes, entry.output_limit}, batch.output + entry.output_offset);
    }
    if (lane == 0) batch.results[index] = result;
}

/// The same with decode(block, output), which answers a ParseState.
template <uint32_t MAX_INPUT_BYTES, uint32_t MAX_OUTPUT_BYTES, typename Decode>
__device__ __forceinline__ void warp_decode_block(const Batch& batch, uint32_t index, int lane, Decode decode) {
    warp_code_block<MAX_INPUT_BYTES, MAX_OUTPUT_BYTES>(batch, index, lane, [&](const Block& block, uint8_t* output) {
        const ParseState state = decode(block, output);
        return BlockResult{state.status, state.status == STATUS_OK ? state.output_position : 0};
    });
}

__device__ __forceinline__ uint32_t warp_inclusive_sum(uint32_t value, int lane) {
#pragma unroll
    for (int distance = 1; distance < WARP_LANES; distance *= 2) {
        const uint32_t other = __shfl_up_sync(ALL_LANES, value, distance);
        if (lane >= distance) value += other;
    }
    return value;
}

}  // namespace warpcodec::lz77
