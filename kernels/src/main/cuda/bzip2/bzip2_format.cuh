// The wire format of a bzip2 block, the record that the host puts in front of one, and the memory of a batch. The
// Java side (Bzip2Record, Bzip2Kernels) states the same values; the launcher compares both when it loads the module
// (see the exports at the end of bzip2.cu).
#pragma once

#include <cstdint>

#include "../common/batch.cuh"
#include "../common/layout.cuh"

namespace warpcodec::bzip2 {

/// Raised whenever an entry point's arguments, their order, or the meaning of a table changes.
constexpr uint32_t ABI = 1;

constexpr uint32_t MAX_CODES = 6;
constexpr uint32_t MIN_CODES = 2;
constexpr uint32_t MAX_CODE_BITS = 20;
constexpr uint32_t MAX_ALPHABET = 258;  ///< two digits of runs, 255 ranks, the end
constexpr uint32_t GROUP_SYMBOLS = 50;  ///< symbols that one selector names the code of
constexpr uint32_t MAX_SELECTORS = 18002;
constexpr uint32_t MAX_TEXT_BYTES = 900000;  ///< of a block before its last run-length decoding, at level 9
constexpr uint32_t RUN_LITERALS = 4;  ///< equal bytes behind which a count stands

/// What the host read of a block's header: little-endian, 16-byte aligned, in front of the bytes that hold the block.
struct Record {
    /// First bit of the symbols, counted from the first byte behind the record, the most significant bit first.
    uint32_t symbol_bit;
    uint32_t limit_bit;  ///< where the end-of-block symbol must end
    uint32_t orig_ptr;  ///< row of the original text
    uint32_t crc;  ///< of the raw bytes
    uint32_t max_text_bytes;
    uint32_t selector_count;
    uint32_t alphabet;  ///< symbols of the prefix codes; the last one ends the block
    uint32_t code_count;
    uint32_t randomised;  ///< 0 or 1
    uint32_t record_bytes;  ///< with its selectors, a multiple of 16
    uint32_t reserved[2];
    uint8_t symbols_in_use[256];  ///< ascending
    uint8_t code_lengths[MAX_CODES][MAX_ALPHABET];
    uint8_t padding[4];
    // the selectors follow, a byte each
};
constexpr uint32_t RECORD_BYTES = 1856;
static_assert(sizeof(Record) == RECORD_BYTES, "the host writes records of this size, and selectors behind them");

constexpr uint32_t MAX_INPUT_BYTES = (4u << 20) + RECORD_BYTES + MAX_SELECTORS + 64;
constexpr uint32_t MAX_OUTPUT_BYTES = 4u << 20;

/// One block of a batch, as the host uploads it: little-endian, 32 bytes.
struct DecodeEntry {
    uint64_t input_offset;  ///< of its record, a multiple of 16
    uint64_t output_offset;  ///< of its output slot
    uint64_t scratch_offset;  ///< of its scratch (bzip2_scratch.cuh), a multiple of 256
    uint32_t input_bytes;  ///< record and block
    uint32_t output_limit;  ///< bytes of the slot, which hold its text at least
};
static_assert(sizeof(DecodeEntry) == 32, "the host writes entries of 32 bytes");

/// Device memory of a batch, as all kernels of the decoder take it.
struct DecodeBatch {
    const uint8_t* input;
    uint64_t input_bytes;
    uint8_t* output;
    uint64_t output_bytes;
    uint8_t* scratch;
    uint64_t scratch_bytes;
    const DecodeEntry* entries;
    BlockResult* results;
    uint32_t block_count;
    uint32_t largest_slot;  ///< bytes of the longest slot: what the grids are made for
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
                                           .WARPCODEC_FIELD(DecodeBatch, block_count)
                                           .WARPCODEC_FIELD(DecodeBatch, largest_slot);
static_assert(DECODE_BATCH_LAYOUT.is_of<DecodeBatch>() && sizeof(DecodeBatch) == 72, "the host sets these fields");

}  // namespace warpcodec::bzip2
