// The tables of move-to-front and zero runs. The Java side (MtfEncodeKernels) states the same values (see the exports
// at the end of mtf_encode.cu).
//
// A block's column lies where its text did; its symbols take the places that it owns, one element a place and one for
// the end of the block behind the last (bwt_encode_format.cuh).
#pragma once

#include <cstdint>

#include "../bwt_encode/bwt_encode_format.cuh"
#include "../common/layout.cuh"
#include "mtf_encode_policy.cuh"

namespace warpcodec::mtf_encode {

/// Raised whenever an entry point's arguments, their order, or the meaning of a table changes.
constexpr uint32_t ABI = 1;
constexpr int BYTES = 256;
/// Symbols of bzip2: digits of runs of zeros, places in the list from the second on, and after the last of these the
/// end of the block.
constexpr uint32_t RUN_A = 0;
constexpr uint32_t RUN_B = 1;
constexpr uint32_t CHUNK_SYMBOLS = MtfPolicy::CHUNK_SYMBOLS;
constexpr uint32_t CHUNKS_PER_TILE = bwt_encode::TILE_ROTATIONS / CHUNK_SYMBOLS;
static_assert(CHUNKS_PER_TILE * CHUNK_SYMBOLS == bwt_encode::TILE_ROTATIONS, "no chunk has bytes of two blocks");

/// What is known of a chunk, 16 bytes. Heads are the bytes that differ from the one before them: all others are zeros
/// after move-to-front.
struct ChunkInfo {
    int32_t first_head;  ///< place in the block, or -1
    int32_t last_head;
    uint32_t symbols;  ///< of all heads but the first, with the zeros before them; then: of the block before the chunk
    int32_t head_before;  ///< the last head before the chunk, or where one must be thought
};
static_assert(sizeof(ChunkInfo) == 16);

/// What became of a block, 48 bytes.
struct MtfResult {
    uint32_t symbol_count;  ///< with the end of the block; 0 for a block without bytes
    uint32_t bytes_in_use;
    uint32_t used_bits[BYTES / 32];
    uint32_t starts_with_head;  ///< whether the first byte is not the smallest of those in use
    uint32_t unused;
};
static_assert(sizeof(MtfResult) == 48, "results have 48 bytes");

/// One batch, as all kernels of the stage take it.
struct MtfBatch {
    const uint8_t* column;
    uint64_t column_bytes;
    const bwt_encode::BwtEntry* entries;  ///< of the transform
    const uint32_t* tile_blocks;  ///< of the transform
    MtfResult* results;
    uint16_t* symbols;  ///< tile_count * TILE_ROTATIONS, and one for each block
    int32_t* lasts;  ///< scratch: BYTES for each chunk
    ChunkInfo* infos;  ///< scratch: one for each chunk
    uint32_t block_count;
    uint32_t tile_count;
};
constexpr Layout MTF_BATCH_LAYOUT = Layout()
                                        .WARPCODEC_FIELD(MtfBatch, column)
                                        .WARPCODEC_FIELD(MtfBatch, column_bytes)
                                        .WARPCODEC_FIELD(MtfBatch, entries)
                                        .WARPCODEC_FIELD(MtfBatch, tile_blocks)
                                        .WARPCODEC_FIELD(MtfBatch, results)
                                        .WARPCODEC_FIELD(MtfBatch, symbols)
                                        .WARPCODEC_FIELD(MtfBatch, lasts)
                                        .WARPCODEC_FIELD(MtfBatch, infos)
                                        .WARPCODEC_FIELD(MtfBatch, block_count)
                                        .WARPCODEC_FIELD(MtfBatch, tile_count);
static_assert(MTF_BATCH_LAYOUT.is_of<MtfBatch>() && sizeof(MtfBatch) == 72, "the host sets these fields");

/// A block's column; the transform's own checks (load_block), on its own fields.
__device__ __forceinline__ bwt_encode::Block load_column(const MtfBatch& batch, uint32_t index) {
    bwt_encode::BwtBatch transform{};
    transform.text = batch.column;
    transform.text_bytes = batch.column_bytes;
    transform.entries = batch.entries;
    transform.block_count = batch.block_count;
    transform.tile_count = batch.tile_count;
    return bwt_encode::load_block<bwt_encode::BlockShape>(transform, index);
}

/// Where a block's symbols lie.
__device__ __forceinline__ uint64_t symbols_offset(const bwt_encode::Block& block, uint32_t block_index) {
    return uint64_t{block.base} + block_index;
}

/// Digits of a run of so many zeros: the number is written with digits 1 and 2 of weights 1, 2, 4...
__device__ __forceinline__ uint32_t run_digits(uint32_t zeros) { return 31 - __clz(static_cast<int>(zeros + 1)); }
__device__ __forceinline__ uint32_t run_digit(uint32_t zeros, uint32_t index) {
    return (zeros + 1) >> index & 1 ? RUN_B : RUN_A;
}

}  // namespace warpcodec::mtf_encode
