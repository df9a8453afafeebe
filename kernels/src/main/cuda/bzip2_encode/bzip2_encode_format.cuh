// Limits of the encoder, and the tables between its kernels; bzip2's own numbers. The Java side (Bzip2EncodeKernels)
// states the same values (see the exports at the end of bzip2_encode.cu).
//
// What one chunk becomes: a bzip2 block, from BLOCK_MAGIC to the last symbol's word, bits from the highest of each
// byte on. Bits behind it to the end of its 32-bit word are zeros. The stream's header and end are the assembler's.
#pragma once

#include <cstdint>

#include "../bwt_encode/bwt_encode_format.cuh"
#include "../common/batch.cuh"
#include "../common/layout.cuh"
#include "../common/status.cuh"
#include "../mtf_encode/mtf_encode_format.cuh"
#include "bzip2_encode_policy.cuh"

namespace warpcodec::bzip2_encode {

/// Raised whenever an entry point's arguments, their order, or the meaning of a table changes.
constexpr uint32_t ABI = 3;

constexpr uint64_t BLOCK_MAGIC = 0x314159265359ull;
constexpr int MAGIC_BITS = 48;
constexpr int CRC_BITS = 32;
constexpr int ORIGIN_BITS = 24;
constexpr int CODE_COUNT_BITS = 3;
constexpr int SELECTOR_COUNT_BITS = 15;
constexpr int FIRST_LENGTH_BITS = 5;
/// The first run-length coding: after so many equal bytes one says how many more there are; of longer runs than
/// MAX_RUN the rest is a run of its own.
constexpr uint32_t RUN_BYTES = 4;
constexpr uint32_t MAX_RUN = 255;
constexpr uint32_t GROUP_SYMBOLS = 50;
constexpr int MIN_CODES = 2;
constexpr int MAX_CODES = 6;
constexpr int MAX_ALPHABET = 258;
/// bzip2 allows 20 bits, and writes 17 itself.
constexpr int CODE_LIMIT = 15;
/// How often groups choose their code, and codes are made for what chose them.
constexpr int ROUNDS = 4;
/// A block's text is 900,000 bytes at most; runs may make it much shorter than the raw bytes.
constexpr uint32_t MAX_RAW_BYTES = 8u << 20;
constexpr uint32_t MAX_GROUPS = (bwt_encode::MAX_BLOCK_BYTES + 1 + GROUP_SYMBOLS - 1) / GROUP_SYMBOLS;
static_assert(MAX_GROUPS < 1u << SELECTOR_COUNT_BITS);
/// Longest output slot: a symbol has at most 15 bits, and there are no more than bytes, but for one.
constexpr uint32_t MAX_OUTPUT_BYTES = 2u << 20;
constexpr uint32_t TILE_BYTES = RunsPolicy::TILE_BYTES;
static_assert(TILE_BYTES == bwt_encode::TILE_ROTATIONS, "raw bytes and text are counted in tiles of one size");

/// A chunk to encode, as the host uploads it: little-endian, 48 bytes; behind the last one stands one whose first
/// tiles are the batch's numbers of tiles.
struct EncodeEntry {
    BlockEntry range;  ///< the output slot begins at a multiple of 4
    uint32_t first_tile;  ///< of those for its text
    uint32_t max_text_bytes;  ///< of the block, after the first run-length coding; 900,000 at most
    uint32_t first_raw_tile;  ///< of those for its raw bytes
    uint32_t reserved[3];  ///< what lies behind the entries is aligned to 16 bytes
};
static_assert(sizeof(EncodeEntry) == 48, "the host writes entries of 48 bytes");

/// What became of a chunk, 16 bytes. OUTPUT_EXCEEDED: more text than one block takes, or more bits than the slot.
struct EncodeResult {
    uint32_t status;
    uint32_t body_bits;
    uint32_t crc;  ///< as bzip2 writes it
    uint32_t text_bytes;
};
static_assert(sizeof(EncodeResult) == 16, "results have 16 bytes");

/// Stands where no run begins in a tile.
constexpr uint32_t NO_START = 0xFFFFFFFF;

/// What a tile of raw bytes is known for, 12 bytes.
struct RawTile {
    uint32_t crc;  ///< of its bytes alone, from a register of zeros
    uint32_t text_bytes;  ///< that its bytes become; then: of the chunk before the tile
    uint32_t last_start;  ///< where in the chunk the last run begins that begins in the tile, or NO_START
};
static_assert(sizeof(RawTile) == 12);

/// One batch, as all kernels take it.
struct EncodeBatch {
    const uint8_t* input;
    uint64_t input_bytes;
    uint8_t* output;
    uint64_t output_bytes;
    const EncodeEntry* entries;
    EncodeResult* results;
    RawTile* raw_tiles;  ///< scratch: raw_tile_count
    uint32_t* raw_tile_chunks;  ///< scratch: for each raw tile its chunk
    uint8_t* text;  ///< scratch: tile_count * TILE_BYTES; each chunk's text at the first of its tiles
    bwt_encode::BwtEntry* text_entries;  ///< chunk_count + 1: the transform's entries
    const bwt_encode::BwtResult* bwt_results;
    const mtf_encode::MtfResult* mtf_results;
    const uint16_t* symbols;
    uint8_t* selectors;  ///< scratch: MAX_GROUPS for each chunk
    uint32_t* group_bits;  ///< scratch: MAX_GROUPS for each chunk: where in the body each group begins
    /// Scratch: MAX_CODES * MAX_ALPHABET for each chunk: a word, and its length from bit WORD_LENGTH_AT on.
    uint32_t* words;
    uint32_t chunk_count;
    uint32_t tile_count;
    uint32_t raw_tile_count;
    uint32_t reserved;
};
constexpr Layout ENCODE_BATCH_LAYOUT = Layout()
                                           .WARPCODEC_FIELD(EncodeBatch, input)
                                           .WARPCODEC_FIELD(EncodeBatch, input_bytes)
                                           .WARPCODEC_FIELD(EncodeBatch, output)
                                           .WARPCODEC_FIELD(EncodeBatch, output_bytes)
                                           .WARPCODEC_FIELD(EncodeBatch, entries)
                                           .WARPCODEC_FIELD(EncodeBatch, results)
                                           .WARPCODEC_FIELD(EncodeBatch, raw_tiles)
                                           .WARPCODEC_FIELD(EncodeBatch, raw_tile_chunks)
                                           .WARPCODEC_FIELD(EncodeBatch, text)
                                           .WARPCODEC_FIELD(EncodeBatch, text_entries)
                                           .WARPCODEC_FIELD(EncodeBatch, bwt_results)
                                           .WARPCODEC_FIELD(EncodeBatch, mtf_results)
                                           .WARPCODEC_FIELD(EncodeBatch, symbols)
                                           .WARPCODEC_FIELD(EncodeBatch, selectors)
                                           .WARPCODEC_FIELD(EncodeBatch, group_bits)
                                           .WARPCODEC_FIELD(EncodeBatch, words)
                                           .WARPCODEC_FIELD(EncodeBatch, chunk_count)
                                           .WARPCODEC_FIELD(EncodeBatch, tile_count)
                                           .WARPCODEC_FIELD(EncodeBatch, raw_tile_count)
                                           .WARPCODEC_FIELD(EncodeBatch, reserved);
static_assert(ENCODE_BATCH_LAYOUT.is_of<EncodeBatch>() && sizeof(EncodeBatch) == 144, "the host sets these fields");

constexpr int WORD_LENGTH_AT = 16;
constexpr uint32_t WORDS_PER_CHUNK = MAX_CODES * MAX_ALPHABET;

/// A chunk whose bytes exist; one of no bytes otherwise.
struct Chunk {
    const uint8_t* raw;
    uint32_t* output;
    uint32_t raw_bytes;
    uint32_t output_words;
    uint32_t max_text_bytes;
    uint32_t first_tile;
    uint32_t first_raw_tile;
    uint32_t raw_tiles;
    bool is_sound;
};

__device__ __forceinline__ Chunk load_chunk(const EncodeBatch& batch, uint32_t index) {
    const EncodeEntry entry = batch.entries[index], next = batch.entries[index + 1];
    const bool owns = entry.first_tile <= next.first_tile && next.first_tile <= batch.tile_count &&
                      entry.first_raw_tile <= next.first_raw_tile && next.first_raw_tile <= batch.raw_tile_count;
    const uint32_t room = owns ? (next.first_tile - entry.first_tile) * TILE_BYTES : 0;
    const uint32_t raw_tiles = owns ? next.first_raw_tile - entry.first_raw_tile : 0;
    const bool is_sound = owns && entry_is_sound(entry.range, batch, MAX_RAW_BYTES, MAX_OUTPUT_BYTES) &&
                          entry.range.input_bytes > 0 && entry.range.input_bytes <= uint64_t{raw_tiles} * TILE_BYTES &&
                          entry.range.output_offset % 4 == 0 && entry.max_text_bytes <= bwt_encode::MAX_BLOCK_BYTES;
    return Chunk{batch.input + (is_sound ? entry.range.input_offset : 0),
                 reinterpret_cast<uint32_t*>(batch.output + (is_sound ? entry.range.output_offset : 0)),
                 is_sound ? entry.range.input_bytes : 0,
                 is_sound ? entry.range.output_limit / 4 : 0,
                 entry.max_text_bytes < room ? entry.max_text_bytes : room,
                 owns ? entry.first_tile : 0,
                 owns ? entry.first_raw_tile : 0,
                 raw_tiles,
                 is_sound};
}

}  // namespace warpcodec::bzip2_encode
