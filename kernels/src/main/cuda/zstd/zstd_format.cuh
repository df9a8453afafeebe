// Zstandard frames (RFC 8878) as devices decode them: the record that the host puts in front of a frame, and the memory
// of a batch. The Java side (ZstdRecord, ZstdKernels) states the same values; the launcher compares both when it loads
// the module (see the exports at the end of zstd.cu).
#pragma once

#include <cstdint>

#include "../common/batch.cuh"
#include "../common/layout.cuh"

namespace warpcodec::zstd {

/// Raised whenever an entry point's arguments, their order, or the meaning of a table changes.
constexpr uint32_t ABI = 3;

constexpr uint32_t MAX_BLOCK_BYTES = 128u << 10;  ///< that a block decodes to
constexpr uint32_t MIN_MATCH = 3;
constexpr uint32_t MAX_OUTPUT_BYTES = 32u << 20;
constexpr uint32_t MAX_HISTORY_BYTES = 8u << 20;
/// Where a segment's output holds the three offsets behind it; the bytes that it decodes to follow.
constexpr uint32_t SEGMENT_HEAD_BYTES = 16;
/// Most blocks of a frame, beside one for each BLOCK_GRAIN bytes that it decodes to.
constexpr uint32_t SPARE_BLOCKS = 16;
constexpr uint32_t BLOCK_GRAIN = 2048;

__host__ __device__ constexpr uint32_t most_blocks(uint32_t output_bytes) {
    return SPARE_BLOCKS + output_bytes / BLOCK_GRAIN;
}

/// Where a block's literals come from.
enum LiteralKind : uint8_t { LITERALS_RAW, LITERALS_ONE_BYTE, LITERALS_ONE_STREAM, LITERALS_FOUR_STREAMS };
/// Tables of a block's sequences.
enum TableKind { LITERAL_LENGTHS, OFFSETS, MATCH_LENGTHS, TABLE_KINDS };
/// How a block has a table, by the two bits of its header.
enum TableMode { MODE_PREDEFINED, MODE_ONE_SYMBOL, MODE_DESCRIBED, MODE_REPEATED };

/// What the host read of a frame: little-endian, 16-byte aligned, in front of the frame's bytes. Its blocks follow.
///
/// A segment is some of a long frame's blocks, as a frame by itself. In front of them lie the bytes that they may refer
/// to. First come blocks that decode to nothing: they describe trees and tables that others repeat.
struct Record {
    uint32_t record_bytes;  ///< with its blocks
    uint32_t block_count;
    uint32_t content_bytes;  ///< that the frame decodes to; of a segment, at most
    uint32_t max_block_bytes;  ///< that a block decodes to
    uint32_t literal_bytes;  ///< of all blocks whose literals are not raw
    uint32_t sequence_count;  ///< of all blocks
    uint32_t is_segment;  ///< 0 or 1
    uint32_t history_at;  ///< bytes in front of a segment, from the frame's first byte
    uint32_t history_bytes;  ///< of these, with what fills them up: a multiple of SLAB_BYTES (lz77_gather.cuh)
    uint32_t history_fill;  ///< bytes at their begin that no offset leads to
    uint32_t repeats[3];  ///< the three offsets in front of it
    uint32_t reserved[3];
};
constexpr uint32_t RECORD_BYTES = 64;
static_assert(sizeof(Record) == RECORD_BYTES, "the host writes records of this size, and blocks behind them");

/// A block. Raw blocks, and blocks of one byte repeated, are literals and no sequences. Places are counted from the
/// first byte of the block's content unless another is named.
struct BlockRecord {
    uint32_t at;  ///< its content, from the frame's first byte
    uint32_t bytes;  ///< of its content
    uint32_t literals_at;  ///< its literals: raw bytes, the byte, or the tree or the streams
    uint32_t literals_end;
    uint32_t literal_count;
    uint32_t first_literal;  ///< among the frame's literals that are not raw
    uint32_t tables_at;  ///< descriptions of its tables, which the sequences' bits follow
    uint32_t sequence_count;
    uint32_t first_sequence;  ///< among the frame's
    uint16_t tree_block;  ///< that describes the tree of its literals; itself or an earlier one
    uint16_t table_block[TABLE_KINDS];  ///< likewise for its tables
    uint8_t literal_kind;
    uint8_t modes;  ///< two bits a table, as in its header; that of literal lengths highest
    uint8_t reserved[2];
};
constexpr uint32_t BLOCK_RECORD_BYTES = 48;
static_assert(sizeof(BlockRecord) == BLOCK_RECORD_BYTES, "the host writes blocks of this size");

/// One frame of a batch, as the host uploads it: little-endian, 40 bytes.
struct FrameEntry {
    uint64_t input_offset;  ///< of its record, a multiple of 16
    uint64_t output_offset;
    uint64_t scratch_offset;  ///< of its scratch (zstd_scratch.cuh), a multiple of 256
    uint32_t input_bytes;  ///< record and frame
    uint32_t output_limit;  ///< what the frame decodes to
    uint32_t first_tile;  ///< of its output (zstd_bytes.cuh), through the batch
    uint32_t reserved;  ///< 0
};
static_assert(sizeof(FrameEntry) == 40, "the host writes entries of 40 bytes");

/// Device memory of a batch, as all kernels of the decoder take it.
struct DecodeBatch {
    const uint8_t* input;
    uint64_t input_bytes;
    uint8_t* output;
    uint64_t output_bytes;
    uint8_t* scratch;
    uint64_t scratch_bytes;
    const FrameEntry* entries;
    BlockResult* results;
    uint32_t frame_count;
    uint32_t tile_count;
};
constexpr Layout DECODE_BATCH_LAYOUT = Layout()
                                           .WARPCODEC_FIELD(DecodeBatch, input)
                                           .WARPCODEC_FIELD(DecodeBatch, input_bytes)
                                           .WARPCODEC_FIELD(DecodeBatch, output)
                                           .WARPCODEC_FIELD(DecodeBatch, output_bytes)
                                           .WARPCODEC_FIELD(DecodeBatch, scratch)
                                           .WARPCODEC_FIELD(DecodeBatch, scratch_bytes)
                                           .WARPCODEC_FIELD(DecodeBatch, entries)
                                           .WARPCODEC_FIELD(DecodeBatch, results)
                                           .WARPCODEC_FIELD(DecodeBatch, frame_count)
                                           .WARPCODEC_FIELD(DecodeBatch, tile_count);
static_assert(DECODE_BATCH_LAYOUT.is_of<DecodeBatch>() && sizeof(DecodeBatch) == 72, "the host sets these fields");

}  // namespace warpcodec::zstd
