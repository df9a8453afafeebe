// Constants of the LZ4 block format and of this stage's tables, shared by every file of the stage. The Java side (Lz4Kernels) states the
// same values; the launcher compares both when it loads the module (see the exports at the end of lz4.cu).
#pragma once

#include <cstdint>

namespace warpcodec::lz4 {

/// Raised whenever an entry point's arguments, their order, or the meaning of a table changes.
constexpr uint32_t ABI = 1;

/// A sequence: token (literal length in the high nibble, match length less MIN_MATCH in the low one), more length bytes if a nibble is
/// NIBBLE_MAX, the literals, a little-endian 16-bit offset, more match length bytes. The last sequence of a block ends with its literals.
constexpr uint32_t MIN_MATCH = 4;
constexpr uint32_t NIBBLE_MAX = 15;
/// A length goes on as long as its bytes have this value.
constexpr uint32_t LENGTH_CONTINUES = 255;
/// No sequence but the last is shorter than this: a token and an offset.
constexpr uint32_t MIN_SEQUENCE_BYTES = 3;

/// The largest LZ4 block that any frame allows, and the most bytes that the format needs for one; longer ones are refused.
constexpr uint32_t MAX_OUTPUT_BYTES = 4u << 20;
constexpr uint32_t MAX_INPUT_BYTES = MAX_OUTPUT_BYTES + MAX_OUTPUT_BYTES / 255 + 16;

/// One LZ4 block of a batch, as the host uploads it: little-endian, 24 bytes.
struct BlockEntry {
    uint64_t input_offset;   ///< first compressed byte, from the start of the input
    uint64_t output_offset;  ///< where the first decoded byte goes, from the start of the output
    uint32_t input_bytes;
    uint32_t output_limit;   ///< bytes that the block may fill at most
};
static_assert(sizeof(BlockEntry) == 24, "the host writes entries of 24 bytes");

/// What became of a block, 8 bytes. Unless the code is STATUS_OK the block's output is undefined, within its limits.
struct BlockResult {
    uint32_t status;        ///< code in bits 0 to 7; from bit 8 on, for a defect, the offset in the block of the sequence that has it
    uint32_t output_bytes;  ///< bytes decoded, if the code is STATUS_OK
};
static_assert(sizeof(BlockResult) == 8, "the host reads results of 8 bytes");
static_assert(MAX_INPUT_BYTES < (1u << 24), "an offset has 24 bits in a status");

constexpr uint32_t STATUS_OK = 0;
constexpr uint32_t STATUS_TRUNCATED = 1;        ///< the input ends within a sequence, or before one
constexpr uint32_t STATUS_OUTPUT_EXCEEDED = 2;  ///< more output than output_limit
constexpr uint32_t STATUS_BAD_OFFSET = 3;       ///< a match offset of zero, or one that reaches before the block's first byte
constexpr uint32_t STATUS_BAD_ENTRY = 4;        ///< the table names bytes beyond the buffers, or too many

}  // namespace warpcodec::lz4
