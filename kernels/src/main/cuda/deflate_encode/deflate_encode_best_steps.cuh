// Follows the way through a block that the steps of its places are, one cta, and decides its parts: makes their prices,
// or writes their bits.
//
// A tile's steps take the place of the matches that are left when a level below has chosen, so the way is found in the
// same way (deflate_encode_parse.cuh).
//
// Bounds: a step that leads behind the block's end, or to a place before what the block may reach, is a literal.
#pragma once

#include "deflate_encode_best_parts.cuh"
#include "deflate_encode_best_prices.cuh"
#include "deflate_encode_write.cuh"

namespace warpcodec::deflate_encode {

/// Shared memory of one cta.
template <typename Policy>
struct StepMemory {
    EncodeMemory<Policy> encode;
    BlockParts parts;
};

/// Brings a tile's bytes, and its steps to `found`.
template <typename Policy>
__device__ __forceinline__ void cta_load_steps(const uint8_t* block, const Tile& tile, const uint32_t* steps,
                                               TileMemory<Policy>& memory) {
    constexpr int TILE_BYTES = TileMemory<Policy>::TILE_BYTES;
    const int limit = tile.limit(TILE_BYTES);
    cta_load_bytes(block, tile, 0, limit, memory);
    for (int place = threadIdx.x; place < TILE_BYTES + 4; place += Policy::CTA_THREADS) {
        const Token step{place < limit ? steps[tile.start + place] : 0};
        const bool is_sound = step.is_match() && step.length() <= tile.block_bytes - tile.start - place &&
                              step.distance() <= tile.reach(place);
        memory.found[found_at(place)] = is_sound ? Token::match(step.length(), step.distance()).word : 0;
    }
}

/// Moves what was counted since a tile began to the tile's counts. The caller's barrier comes before and after.
template <typename Policy>
__device__ __forceinline__ void cta_end_tile(int tile, EncodeMemory<Policy>& memory, BlockParts& parts) {
    static_assert(Policy::CTA_THREADS >= Frequencies::COUNT);
    const int symbol = static_cast<int>(threadIdx.x);
    if (symbol == 0) parts.limits[tile] = memory.parse.block_elements;
    if (symbol >= Frequencies::COUNT) return;
    uint32_t sum = 0;
#pragma unroll
    for (int copy = 0; copy < Frequencies::COPIES; ++copy) {
        uint32_t& count = memory.frequencies.counts[copy * Frequencies::COUNT + symbol];
        sum += count;
        count = 0;
    }
    parts.counts[tile][symbol] = static_cast<uint16_t>(sum);
}

/// Writes the tokens of a block, counts the symbols of its tiles, and decides its parts. A barrier at the end.
template <typename Policy>
__device__ __forceinline__ void cta_follow_steps(const RawBlock& block, const uint32_t* steps,
                                                 StepMemory<Policy>& memory, uint16_t* tokens) {
    static_assert(Policy::PRICED, "what is found is taken");
    static_assert(TileMemory<Policy>::TILE_BYTES == BestShape::TILE_BYTES);
    const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    EncodeMemory<Policy>& encode = memory.encode;
    cta_begin_block(encode);
    Tile tile{0, block.window_bytes, block.block_bytes, static_cast<int>(bytes_past_alignment<16>(block.bytes))};
    for (; tile.start < block.block_bytes; tile.start += BestShape::TILE_BYTES) {
        __syncthreads();
        cta_load_steps(block.bytes, tile, steps, encode.tile);
        __syncthreads();
        cta_parse_tile(tile, encode.tile, encode.parse, encode.frequencies, tokens, warp, lane);
        __syncthreads();
        cta_end_tile(tile.start / BestShape::TILE_BYTES, encode, memory.parts);
    }
    __syncthreads();
    cta_choose_parts<Policy>(tile_count(block.block_bytes), memory.parts);
}

/// Makes prices by the way through a block, for each part its own, if unit `index` is one.
template <typename Policy>
__device__ __forceinline__ void cta_price_unit(const BestBatch& best, uint32_t index, StepMemory<Policy>& memory) {
    const BatchBlock block(best.batch, index);
    if (!block.is_block) return;
    cta_follow_steps(block.raw, best.steps + block.first_element, memory, best.batch.tokens + block.first_element);
    Frequencies& frequencies = memory.encode.frequencies;
    const int tiles = tile_count(block.raw.block_bytes);
    for (int tile = 0; tile < tiles;) {
        const int limit = memory.parts.limit_of(tile, tiles);
        cta_gather_part<Policy>(memory.parts, tile, limit, frequencies);
        cta_make_prices<Policy>(frequencies, memory.encode.prices, best.prices[index], tile, limit);
        tile = limit;
    }
}

/// Writes the bits of a block, part by part. The record is valid in thread 0.
template <typename Policy>
__device__ __forceinline__ BlockRecord cta_write_parts(const RawBlock& block, StepMemory<Policy>& memory,
                                                       uint16_t* tokens, uint32_t* slot) {
    cta_end_tokens(memory.encode, tokens);
    const BlockParts& parts = memory.parts;
    Frequencies& frequencies = memory.encode.frequencies;
    const int tiles = tile_count(block.block_bytes);
    BitPosition position{0, 0};
    bool is_coded = true;
    for (int tile = 0; tile < tiles && is_coded;) {
        const int limit = parts.limit_of(tile, tiles);
        cta_gather_part<Policy>(parts, tile, limit, frequencies);
        is_coded = cta_encode_tokens(frequencies, memory.encode.codes, tokens,
                                     TokenRange{parts.first_element(tile), parts.first_element(limit)},
                                     most_coded_bits(block), block.is_last && limit == tiles, position, slot);
        tile = limit;
    }
    return block.record(is_coded, position);
}

/// Writes the bits of a block, and its record, if unit `index` is one.
template <typename Policy>
__device__ __forceinline__ void cta_write_unit(const BestBatch& best, uint32_t index, StepMemory<Policy>& memory) {
    const EncodeBatch& batch = best.batch;
    const BatchBlock block(batch, index);
    if (!block.is_block) return;
    uint16_t* tokens = batch.tokens + block.first_element;
    cta_follow_steps(block.raw, best.steps + block.first_element, memory, tokens);
    const BlockRecord record =
        cta_write_parts(block.raw, memory, tokens, reinterpret_cast<uint32_t*>(batch.slots + block.first_element));
    if (threadIdx.x == 0) batch.records[index] = record;
}

}  // namespace warpcodec::deflate_encode
