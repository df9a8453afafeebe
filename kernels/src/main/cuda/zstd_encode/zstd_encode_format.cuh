// Limits of the zstd encoder, and the tables between its kernels; the numbers of RFC 8878 are those of zstd_format.cuh.
// The Java side (ZstdEncodeKernels) states the same values; the launcher compares both when it loads the module (see
// the exports at the end of zstd_encode.cu).
#pragma once

#include <cstdint>

#include "../common/batch.cuh"
#include "../common/layout.cuh"

namespace warpcodec::zstd_encode {

/// Raised whenever an entry point's arguments, their order, or the meaning of a table changes.
constexpr uint32_t ABI = 2;

/// Raw bytes of a block of ours; the last one of a frame may have fewer.
constexpr uint32_t BLOCK_BYTES = 65536;
/// Longest raw range: the largest window that every reader takes.
constexpr uint32_t MAX_RAW_BYTES = 8u << 20;
constexpr int MIN_MATCH = 3;

/// Magic, descriptor, and a content size of 1, 2 or 4 bytes: frames of ours are single segments.
constexpr uint32_t MAX_HEADER_BYTES = 9;
constexpr uint32_t BLOCK_HEADER_BYTES = 3;
/// A frame grows by no more than its headers: a block that does not get smaller is kept as it is.
constexpr uint32_t MAX_ENCODED_BYTES =
    MAX_RAW_BYTES + MAX_RAW_BYTES / BLOCK_BYTES * BLOCK_HEADER_BYTES + MAX_HEADER_BYTES;

/// A raw range to encode, as the host uploads it: little-endian, 40 bytes. Its output is a frame without its checksum.
struct EncodeEntry {
    BlockEntry range;
    uint64_t scratch_offset;  ///< of its blocks' scratch, a multiple of 16
    /// The range's first block in the count of all ranges' blocks; a range of no bytes counts as one.
    uint32_t first_unit;
    uint32_t reserved;  ///< 0
};
static_assert(sizeof(EncodeEntry) == 40, "the host writes entries of 40 bytes");

/// Parts of a unit, each a block of its own, meet at multiples of so many bytes, or at the next match behind one.
constexpr uint32_t BORDER_BYTES = 4096;
constexpr uint32_t MOST_PARTS = BLOCK_BYTES / BORDER_BYTES;

/// What became of a block.
struct UnitRecord {
    static constexpr uint32_t RAW = ~0u;
    uint32_t sequence_count;
    uint32_t literal_count;
    uint32_t content_bytes;  ///< in the block's scratch; RAW: it is kept as it is
    /// A bit for each multiple of BORDER_BYTES where parts meet. Then where the content has the header of the last
    /// part, if it is that of several blocks with their headers; else 0.
    uint32_t borders;
};
static_assert(sizeof(UnitRecord) == 16);

/// A match in its block, as it is found; then what the block's sequences say.
struct Sequence {
    uint32_t offset;  ///< how far back; then the value that is coded: 1 to 3 repeat an offset, others are 3 more
    uint16_t place;  ///< in the block; then how many literals come before the match
    uint16_t more;  ///< length less MIN_MATCH
};
static_assert(sizeof(Sequence) == 8);

/// Scratch of a block: candidates, whose place its sequences take, literals, and content. A byte has four, one and one.
/// Lengths are rounded up to 16; literals and content have 16 bytes more.
constexpr uint32_t SCRATCH_ALIGNMENT = 16;
constexpr uint32_t SCRATCH_FOLD = 6;
constexpr uint32_t SCRATCH_SLACK_BYTES = 2 * SCRATCH_ALIGNMENT;

__host__ __device__ constexpr uint32_t rounded_block_bytes(uint32_t raw_bytes) {
    return (raw_bytes + SCRATCH_ALIGNMENT - 1) / SCRATCH_ALIGNMENT * SCRATCH_ALIGNMENT;
}
__host__ __device__ constexpr uint32_t block_scratch_bytes(uint32_t raw_bytes) {
    return SCRATCH_FOLD * rounded_block_bytes(raw_bytes) + SCRATCH_SLACK_BYTES;
}
__host__ __device__ constexpr uint32_t block_count_of(uint32_t raw_bytes) {
    return (raw_bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
}
/// Of all blocks of a range.
__host__ __device__ constexpr uint64_t range_scratch_bytes(uint32_t raw_bytes) {
    const uint32_t whole = raw_bytes / BLOCK_BYTES, rest = raw_bytes % BLOCK_BYTES;
    return uint64_t{whole} * block_scratch_bytes(BLOCK_BYTES) + (rest == 0 ? 0 : block_scratch_bytes(rest));
}

enum BlockType : uint32_t { BLOCK_RAW = 0, BLOCK_COMPRESSED = 2 };

__device__ __forceinline__ void thread_write_block_header(uint8_t* output, bool is_last, uint32_t type,
                                                          uint32_t bytes) {
    const uint32_t header = (is_last ? 1 : 0) | type << 1 | bytes << 3;
    for (uint32_t i = 0; i < BLOCK_HEADER_BYTES; ++i) output[i] = static_cast<uint8_t>(header >> 8 * i);
}

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
    UnitRecord* records;
    uint8_t* scratch;
    uint64_t scratch_bytes;
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
                                           .WARPCODEC_FIELD(EncodeBatch, scratch)
                                           .WARPCODEC_FIELD(EncodeBatch, scratch_bytes);
static_assert(ENCODE_BATCH_LAYOUT.is_of<EncodeBatch>() && sizeof(EncodeBatch) == 80, "the host sets these fields");

/// One block of a range, its entry checked.
struct Unit {
    uint32_t range_index;
    uint32_t block_index;
    uint32_t block_count;  ///< of the range
    bool is_sound;  ///< the entry names nothing beyond the buffers
};

__device__ __forceinline__ bool range_is_sound(const EncodeEntry& entry, const EncodeBatch& batch) {
    return entry_is_sound(entry.range, batch, MAX_RAW_BYTES, MAX_ENCODED_BYTES) &&
           entry.first_unit <= batch.unit_count &&
           block_count_of(entry.range.input_bytes) <= batch.unit_count - entry.first_unit &&
           entry.scratch_offset % SCRATCH_ALIGNMENT == 0 && entry.scratch_offset <= batch.scratch_bytes &&
           range_scratch_bytes(entry.range.input_bytes) <= batch.scratch_bytes - entry.scratch_offset;
}

/// A unit of a batch.
__device__ __forceinline__ Unit find_unit(const EncodeBatch& batch, uint32_t unit) {
    const uint32_t range = find_range(batch.entries, batch.range_count, unit);
    const EncodeEntry& entry = batch.entries[range];
    return Unit{range, unit - entry.first_unit, block_count_of(entry.range.input_bytes), range_is_sound(entry, batch)};
}

/// A block and its scratch.
struct RawBlock {
    const uint8_t* bytes;
    uint32_t first;  ///< place in its range
    uint32_t raw_bytes;  ///< at least 1
    uint32_t* candidates;
    Sequence* sequences;
    uint8_t* literals;
    uint32_t* content;
    uint32_t content_limit;  ///< words of content that may be written
};

/// Block `index` of a sound range.
__device__ __forceinline__ RawBlock block_of(const EncodeBatch& batch, const EncodeEntry& entry, uint32_t index) {
    const uint32_t first = index * BLOCK_BYTES;
    const uint32_t raw_bytes = min(entry.range.input_bytes - first, BLOCK_BYTES);
    const uint32_t rounded = rounded_block_bytes(raw_bytes);
    uint8_t* scratch = batch.scratch + entry.scratch_offset + uint64_t{index} * block_scratch_bytes(BLOCK_BYTES);
    uint8_t* literals = scratch + 4 * rounded;
    uint8_t* content = literals + rounded + SCRATCH_ALIGNMENT;
    return RawBlock{batch.input + entry.range.input_offset + first,
                    first,
                    raw_bytes,
                    reinterpret_cast<uint32_t*>(scratch),
                    reinterpret_cast<Sequence*>(scratch),
                    literals,
                    reinterpret_cast<uint32_t*>(content),
                    (rounded + SCRATCH_ALIGNMENT) / 4};
}

}  // namespace warpcodec::zstd_encode
