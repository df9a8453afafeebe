// Limits of the encoder, and the tables between its kernels; the numbers of RFC 1951 are those of deflate_format.cuh.
// The Java side (DeflateEncodeKernels) states the same values; the launcher compares both when it loads the module
// (see the exports at the end of deflate_encode.cu).
#pragma once

#include <cstdint>

#include "../common/batch.cuh"
#include "../deflate/deflate_format.cuh"

namespace warpcodec::deflate_encode {

/// Raised whenever an entry point's arguments, their order, or the meaning of a table changes.
constexpr uint32_t ABI = 4;

using deflate::END_OF_BLOCK;
using deflate::MAX_STORED_BYTES;
constexpr int WINDOW_BYTES = deflate::MAX_DISTANCE_BYTES;
constexpr int MIN_MATCH = deflate::MIN_MATCH_BYTES;
constexpr int MAX_MATCH = deflate::MAX_MATCH_BYTES;
constexpr int LITERAL_SYMBOLS = deflate::LITERAL_SYMBOLS;  ///< literals, end of block, lengths
constexpr int LITERAL_CODES = deflate::
    FIXED_LITERAL_CODES;  ///< of the fixed code: the last two stand for nothing, but others' codes lie behind theirs
constexpr int DISTANCE_SYMBOLS = deflate::DISTANCE_SYMBOLS;
constexpr int PRECODE_SYMBOLS = deflate::PRECODE_SYMBOLS;
constexpr int MAX_CODE_BITS = deflate::MAX_CODE_LENGTH;
constexpr int MAX_PRECODE_BITS = deflate::MAX_PRECODE_LENGTH;
constexpr int LEAST_LITERAL_CODES = deflate::MIN_LITERAL_CODES;
constexpr int LEAST_PRECODE_LENGTHS = deflate::MIN_PRECODE_CODES;
/// Of a stored block: BFINAL and BTYPE, then to the next byte; LEN and NLEN.
constexpr uint32_t HEADER_BITS = deflate::BLOCK_HEADER_BITS;
constexpr uint32_t STORED_LENGTH_BITS = deflate::LEN_BITS + deflate::NLEN_BITS;

/// Raw bytes of a DEFLATE block of ours.
constexpr int BLOCK_BYTES = 65536;
/// Longest raw range; members of ours have a quarter of that at most.
constexpr uint32_t MAX_RAW_BYTES = 4u << 20;
/// A block of ours is kept as it is if it does not get smaller: then it takes two stored blocks, 10 bytes and a few
/// bits.
constexpr uint32_t BLOCK_OVERHEAD_BYTES = 11;
/// A flush: an empty stored block, which is 3 bits, up to 7 to the next byte, and 4 bytes.
constexpr uint32_t FLUSH_BYTES = 5;
constexpr uint32_t MAX_ENCODED_BYTES =
    MAX_RAW_BYTES + MAX_RAW_BYTES / BLOCK_BYTES * BLOCK_OVERHEAD_BYTES + 2 + FLUSH_BYTES;

/// What a block became, 8 bytes: its bits lie in its slot in the scratch unless it is stored.
struct BlockRecord {
    static constexpr uint32_t STORED = ~0u;
    uint32_t bits;  ///< length, or STORED
    uint32_t raw_bytes;
};
static_assert(sizeof(BlockRecord) == 8);

/// Space for the bits of one block: no more than a stored block takes, and a word for the last bits. The last block
/// of a range needs less. There are 16 bits of tokens for each byte of it: one literal for each raw byte, and the end
/// of the block.
constexpr uint32_t SLOT_SLACK_BYTES = 16;
constexpr uint32_t BLOCK_SLOT_BYTES = BLOCK_BYTES + SLOT_SLACK_BYTES;

/// How a range ends.
enum Ending : uint16_t {
    ENDS_STREAM = 0,  ///< with its last block, marked as final
    FLUSHES = 1,  ///< no block is final; behind the last one an empty stored block leads to a byte boundary
};

/// A raw range to encode, as the host uploads it: little-endian, 40 bytes.
struct EncodeEntry {
    BlockEntry range;
    uint64_t slot_offset;  ///< of its blocks' bits in the scratch
    /// The range's first block in the count of all ranges' blocks; a range of no bytes counts as one.
    uint32_t first_unit;
    uint16_t window_bytes;  ///< of the input right before the range, that its matches may reach
    uint16_t ending;  ///< an Ending
};
static_assert(sizeof(EncodeEntry) == 40, "the host writes entries of 40 bytes");

/// One batch, as kernels take it.
struct EncodeBatch {
    const uint8_t* input;
    uint64_t input_bytes;
    uint8_t* output;
    uint64_t output_bytes;
    const EncodeEntry* entries;
    BlockResult* results;
    uint32_t range_count;
    uint32_t unit_count;
    BlockRecord* records;
    uint8_t* slots;
    uint64_t slots_bytes;
    uint16_t* tokens;
    uint32_t depth;  ///< earlier places that are tried at most
};
constexpr Layout ENCODE_BATCH_LAYOUT = Layout()
                                           .WARPCODEC_FIELD(EncodeBatch, input)
                                           .WARPCODEC_FIELD(EncodeBatch, input_bytes)
                                           .WARPCODEC_FIELD(EncodeBatch, output)
                                           .WARPCODEC_FIELD(EncodeBatch, output_bytes)
                                           .WARPCODEC_FIELD(EncodeBatch, entries)
                                           .WARPCODEC_FIELD(EncodeBatch, results)
                                           .WARPCODEC_FIELD(EncodeBatch, range_count)
                                           .WARPCODEC_FIELD(EncodeBatch, unit_count)
                                           .WARPCODEC_FIELD(EncodeBatch, records)
                                           .WARPCODEC_FIELD(EncodeBatch, slots)
                                           .WARPCODEC_FIELD(EncodeBatch, slots_bytes)
                                           .WARPCODEC_FIELD(EncodeBatch, tokens)
                                           .WARPCODEC_FIELD(EncodeBatch, depth);
static_assert(ENCODE_BATCH_LAYOUT.is_of<EncodeBatch>() && sizeof(EncodeBatch) == 96, "the host sets these fields");

/// One block of a range, its entry checked.
struct Unit {
    uint32_t range_index;
    uint32_t block_index;
    uint32_t block_count;  ///< of the range
    bool is_sound;  ///< the entry names nothing beyond the buffers
};

__device__ __forceinline__ uint32_t block_count_of(uint32_t raw_bytes) {
    return (raw_bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
}

/// A unit of a batch.
__device__ __forceinline__ Unit find_unit(const EncodeBatch& batch, uint32_t unit) {
    const uint32_t range = find_range(batch.entries, batch.range_count, unit);
    const EncodeEntry& entry = batch.entries[range];
    const uint32_t block_count = block_count_of(entry.range.input_bytes);
    const uint64_t slot_bytes =
        (uint64_t{entry.range.input_bytes} + 3) / 4 * 4 + uint64_t{block_count} * SLOT_SLACK_BYTES;
    const bool is_sound = entry.window_bytes <= WINDOW_BYTES && entry.window_bytes <= entry.range.input_offset &&
                          entry.ending <= FLUSHES &&
                          entry_is_sound(entry.range, batch, MAX_RAW_BYTES, MAX_ENCODED_BYTES) &&
                          entry.first_unit <= batch.unit_count && block_count <= batch.unit_count - entry.first_unit &&
                          entry.slot_offset % 4 == 0 && entry.slot_offset <= batch.slots_bytes &&
                          slot_bytes <= batch.slots_bytes - entry.slot_offset;
    return Unit{range, unit - entry.first_unit, block_count, is_sound};
}

/// Raw bytes of a piece of a stored block of ours.
__device__ __forceinline__ uint32_t stored_piece_bytes(uint32_t raw_bytes) {
    return raw_bytes > MAX_STORED_BYTES ? BLOCK_BYTES / 2 : raw_bytes;
}

/// Where a stored block that begins at bit `start` ends.
__device__ __forceinline__ uint32_t stored_block_end(uint32_t start, uint32_t raw_bytes) {
    const uint32_t first = (start + HEADER_BITS + 7) / 8 * 8 + STORED_LENGTH_BITS + 8 * raw_bytes;
    return raw_bytes > MAX_STORED_BYTES ? first + 8 + STORED_LENGTH_BITS : first;
}

/// Where a range whose blocks end at bit `blocks_end` ends.
__device__ __forceinline__ uint32_t range_end(uint32_t blocks_end, uint32_t ending) {
    return ending == FLUSHES ? stored_block_end(blocks_end, 0) : blocks_end;
}

}  // namespace warpcodec::deflate_encode
