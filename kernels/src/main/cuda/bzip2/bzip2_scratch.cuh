// The scratch of a block: what its kernels hand on to each other. The host lends SCRATCH_FIXED_BYTES and SCRATCH_RATE
// bytes for each byte of the slot, rounded up to SLOT_GRAIN; here that stretch is cut.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../bwt/bwt_decode.cuh"
#include "../mtf/mtf_decode.cuh"
#include "bzip2_format.cuh"
#include "bzip2_policy.cuh"
#include "bzip2_runs.cuh"

namespace warpcodec::bzip2 {

/// Where a block stands. The first kernel writes all of it; later ones do nothing for a block whose status is not
/// STATUS_SOUND.
struct BlockState {
    uint32_t status;  ///< a status word, or STATUS_SOUND
    uint32_t input_at;  ///< of the block's first byte behind its record, from the record
    uint32_t group_count;  ///< groups that begin in front of limit_bit
    uint32_t symbol_count;  ///< without the end-of-block symbol
    uint32_t text_bytes;
    uint32_t cycle_bytes;  ///< of the text after which it repeats: text_bytes, unless rows are equal
    uint32_t raw_bytes;
    uint32_t expands;  ///< 1: the slot takes the text, not the raw bytes
    uint32_t crc;  ///< of the raw bytes, reflected, while it is added up
    uint32_t run_count;  ///< runs of groups that have the same code
    uint32_t walk_from;  ///< first group behind which bzip2_walk.cuh goes on, or 0
    uint32_t reserved[5];
};
static_assert(sizeof(BlockState) == 64, "the parts behind it are aligned");

/// A prefix code for reading. Bits are looked at from the top of a word of MAX_CODE_BITS: a word of `length` bits or
/// less is below bound[length], and the smallest such length is its own.
struct alignas(16) CodeTables {
    uint16_t lookup[MAX_CODES]
                   [1 << DecodePolicy::LOOKUP_BITS];  ///< symbol << 5 | length; 0 where the word is longer, or none
    uint32_t bound[MAX_CODES][24];
    int32_t base[MAX_CODES][24];  ///< a word's place in `order` is its bits plus this
    uint16_t order[MAX_CODES][264];  ///< symbols by length, then by number
};
static_assert(sizeof(CodeTables) % 16 == 0, "it is copied by 16 bytes");

/// A look-up of several words of a code: where words begin in these bits, the first at the top, and below that how
/// many bits the whole ones have. 0: the first one is longer, or none.
struct alignas(16) StepTables {
    uint16_t steps[MAX_CODES][1 << DecodePolicy::LOOKUP_BITS];
};

constexpr uint32_t TILE_BITS = 2048;
constexpr uint32_t TILE_WORDS = TILE_BITS / 32;

/// The trunks of all codes in TILE_BITS bits of a block (bzip2_trunks.cuh).
struct alignas(16) TrunkTile {
    uint32_t starts[MAX_CODES][TILE_WORDS];  ///< bit k from the top: a word begins there
    uint16_t stop[8];  ///< where the first word begins that is not among them, from the tile's first bit
};
static_assert(MAX_CODES <= 8, "each code has its stop");

/// A block's scratch, cut.
struct BlockScratch {
    BlockState* state;
    CodeTables* tables;
    StepTables* steps;
    TrunkTile* trunks;  ///< in the memory of all that follows the groups, which is not used before they are found
    uint32_t trunk_tiles;  ///< as many as there is memory for
    uint32_t* groups;  ///< first bit of each group
    uint16_t* group_runs;  ///< runs of groups that have the same code: bzip2_tables.cuh
    uint16_t* symbols;  ///< ranks are made positions in the list of their piece in place
    mtf::Piece* pieces;
    uint8_t* column;  ///< the last column of the sorted rows
    uint32_t* links;  ///< bwt_decode.cuh
    uint32_t* tile_counts;
    uint8_t* stage;  ///< first bytes of the segments, in the memory of column, pieces and counts
    bwt::Node* nodes;
    uint8_t* text;  ///< in the memory of the symbols, which are used up by then
    RunPiece* runs;  ///< likewise
};

constexpr uint32_t SLOT_GRAIN = 8192;
constexpr uint32_t SCRATCH_FIXED_BYTES = 36u << 10;
constexpr uint32_t SCRATCH_SIXTEENTHS = 137;  ///< sixteenths of a byte for each byte of the slot

__host__ __device__ constexpr uint64_t slot_rounded(uint32_t slot_bytes) {
    return (uint64_t{slot_bytes} + SLOT_GRAIN - 1) / SLOT_GRAIN * SLOT_GRAIN;
}
__host__ __device__ constexpr uint64_t scratch_bytes(uint32_t slot_bytes) {
    return SCRATCH_FIXED_BYTES + slot_rounded(slot_bytes) / 16 * SCRATCH_SIXTEENTHS;
}

/// Cuts a block's scratch. All bounds are those of a text of `slot_bytes` bytes, or SLOT_GRAIN more: a text has at
/// least a byte for each symbol.
__device__ __forceinline__ BlockScratch cut_scratch(uint8_t* memory, uint32_t slot_bytes) {
    const uint64_t n = slot_rounded(slot_bytes);
    BlockScratch cut;
    uint64_t at = 0;
    cut.state = reinterpret_cast<BlockState*>(memory);
    cut.tables = reinterpret_cast<CodeTables*>(memory + sizeof(BlockState));
    cut.steps = reinterpret_cast<StepTables*>(memory + sizeof(BlockState) + sizeof(CodeTables));
    at = SCRATCH_FIXED_BYTES - 4096;
    static_assert(sizeof(BlockState) + sizeof(CodeTables) + sizeof(StepTables) <= SCRATCH_FIXED_BYTES - 4096,
                  "the tables fit");
    cut.groups =
        reinterpret_cast<uint32_t*>(memory + at);  // n / 50 + 3 words and as many half words in n / 8 + 256 bytes
    cut.group_runs = reinterpret_cast<uint16_t*>(cut.groups + n / GROUP_SYMBOLS + 3);
    static_assert(6 * 8 <= GROUP_SYMBOLS && 6 * 3 <= 256, "both fit");
    at += n / 8 + 256;
    cut.trunks = reinterpret_cast<TrunkTile*>(memory + at);
    cut.trunk_tiles = static_cast<uint32_t>((scratch_bytes(slot_bytes) - at) / sizeof(TrunkTile));
    cut.symbols = reinterpret_cast<uint16_t*>(memory + at);  // n + 128 of them
    cut.text = memory + at;
    cut.runs = reinterpret_cast<RunPiece*>(memory + at + n);
    static_assert(sizeof(RunPiece) <= RUN_PIECE_BYTES, "the pieces of the runs fit behind the text");
    at += 2 * n + 256;
    cut.column = memory + at;
    cut.stage = memory + at;
    static_assert(16 * bwt::STAGE_BYTES <= (16 + 9 + 2) * bwt::STRATUM_ROWS && 2 * bwt::STAGE_BYTES <= 1024,
                  "the bytes that are kept fit: n / STRATUM_ROWS + 2 times");
    at += n;
    cut.pieces = reinterpret_cast<mtf::Piece*>(memory + at);  // n / PIECE_SYMBOLS + 2 of them
    static_assert(sizeof(mtf::Piece) * 16 <= 9 * mtf::PIECE_SYMBOLS, "9/16 of a byte for each");
    at += n / 16 * 9 + 1024;
    cut.tile_counts = reinterpret_cast<uint32_t*>(memory + at);
    static_assert(bwt::TILE_BYTES == SLOT_GRAIN, "a row of counts a tile");
    at += n / 8;
    cut.links = reinterpret_cast<uint32_t*>(memory + at);
    at += 4 * n;
    cut.nodes = reinterpret_cast<bwt::Node*>(memory + at);
    static_assert(MAX_TEXT_BYTES <= bwt::MAX_TEXT_BYTES && sizeof(bwt::Node) * 4 <= bwt::STRATUM_ROWS,
                  "a quarter of a byte for each");
    // at += n / 4 + 64
    return cut;
}
// Sixteenths: groups 2, symbols 32, column 16, links 64, pieces 9, counts 2, nodes 4; the rest in 4,096 bytes: 256 +
// 256 + 1,024 + 64.
static_assert(2 + 32 + 16 + 64 + 9 + 2 + 4 <= SCRATCH_SIXTEENTHS, "all parts fit");

/// A block of a batch that may be worked on.
struct BlockView {
    const Record* record;
    const uint8_t* selectors;
    const uint8_t* bits;  ///< the block's bytes, 16-byte aligned
    uint32_t bits_bytes;
    uint32_t text_limit;  ///< bytes of text at most
    uint8_t* slot;
    uint32_t slot_bytes;
    BlockScratch scratch;
};

/// Whether an entry lies within the batch's buffers.
__device__ __forceinline__ bool entry_fits(const DecodeEntry& entry, const DecodeBatch& batch) {
    return entry.input_bytes >= RECORD_BYTES && entry.input_bytes <= MAX_INPUT_BYTES &&
           entry.input_offset <= batch.input_bytes && entry.input_bytes <= batch.input_bytes - entry.input_offset &&
           entry.input_offset % 16 == 0 && entry.output_limit <= MAX_OUTPUT_BYTES &&
           entry.output_limit <= batch.largest_slot && entry.output_offset <= batch.output_bytes &&
           entry.output_limit <= batch.output_bytes - entry.output_offset && entry.scratch_offset % 256 == 0 &&
           entry.scratch_offset <= batch.scratch_bytes &&
           scratch_bytes(entry.output_limit) <= batch.scratch_bytes - entry.scratch_offset;
}

/// The block of an entry that fits and whose record is legal (record_is_legal).
__device__ __forceinline__ BlockView view_block(const DecodeEntry& entry, const DecodeBatch& batch) {
    BlockView view;
    const uint8_t* input = batch.input + entry.input_offset;
    view.record = reinterpret_cast<const Record*>(input);
    view.selectors = input + RECORD_BYTES;
    view.bits = input + view.record->record_bytes;
    view.bits_bytes = entry.input_bytes - view.record->record_bytes;
    view.slot = batch.output + entry.output_offset;
    view.slot_bytes = entry.output_limit;
    view.text_limit =
        view.record->max_text_bytes < entry.output_limit ? view.record->max_text_bytes : entry.output_limit;
    view.scratch = cut_scratch(batch.scratch + entry.scratch_offset, entry.output_limit);
    return view;
}

/// Whether all that a record says is within its bounds; its selectors are looked at where they are used.
__device__ __forceinline__ bool record_is_legal(const Record& record, uint32_t input_bytes) {
    if (record.record_bytes < RECORD_BYTES || record.record_bytes % 16 != 0 || record.record_bytes > input_bytes)
        return false;
    const uint32_t bits = 8 * (input_bytes - record.record_bytes);
    return record.selector_count >= 1 && record.selector_count <= MAX_SELECTORS &&
           record.selector_count <= record.record_bytes - RECORD_BYTES && record.code_count >= MIN_CODES &&
           record.code_count <= MAX_CODES && record.alphabet >= 3 && record.alphabet <= MAX_ALPHABET &&
           record.symbol_bit < record.limit_bit && record.limit_bit <= bits && record.max_text_bytes <= MAX_TEXT_BYTES;
}

/// Whether an entry fits and nothing is wrong with its block so far.
__device__ __forceinline__ bool block_is_sound(const DecodeEntry& entry, const DecodeBatch& batch) {
    return entry_fits(entry, batch) &&
           *reinterpret_cast<const volatile uint32_t*>(batch.scratch + entry.scratch_offset +
                                                       offsetof(BlockState, status)) == STATUS_SOUND;
}

}  // namespace warpcodec::bzip2
