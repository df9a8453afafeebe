// Follows the way through a block that the steps of its places are, one cta: counts its symbols, or writes its bits.
//
// A tile's steps take the place of the matches that are left when a level below has chosen, so the way is found in the
// same way (deflate_encode_parse.cuh).
//
// Bounds: a step that leads behind the block's end, or to a place before what the block may reach, is a literal.
#pragma once

#include "deflate_encode_best_prices.cuh"
#include "deflate_encode_write.cuh"

namespace warpcodec::deflate_encode {

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

/// Counts the symbols of a block, and writes its tokens. A barrier at the end.
template <typename Policy>
__device__ __forceinline__ void cta_follow_steps(const RawBlock& block, const uint32_t* steps,
                                                 EncodeMemory<Policy>& memory, uint16_t* tokens) {
    static_assert(Policy::PRICED, "what is found is taken");
    const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    cta_begin_block(memory);
    Tile tile{0, block.window_bytes, block.block_bytes, static_cast<int>(bytes_past_alignment<16>(block.bytes))};
    for (; tile.start < block.block_bytes; tile.start += TileMemory<Policy>::TILE_BYTES) {
        __syncthreads();
        cta_load_steps(block.bytes, tile, steps, memory.tile);
        __syncthreads();
        cta_parse_tile(tile, memory.tile, memory.parse, memory.frequencies, tokens, warp, lane);
    }
    __syncthreads();
}

/// Makes prices by the way through a block, if unit `index` is one.
template <typename Policy>
__device__ __forceinline__ void cta_price_unit(const BestBatch& best, uint32_t index, EncodeMemory<Policy>& memory) {
    const BatchBlock block(best.batch, index);
    if (!block.is_block) return;
    cta_follow_steps(block.raw, best.steps + block.first_element, memory, best.batch.tokens + block.first_element);
    cta_make_prices<Policy>(memory.frequencies, memory.prices, best.prices[index]);
}

/// Writes the bits of a block, and its record, if unit `index` is one.
template <typename Policy>
__device__ __forceinline__ void cta_write_unit(const BestBatch& best, uint32_t index, EncodeMemory<Policy>& memory) {
    const EncodeBatch& batch = best.batch;
    const BatchBlock block(batch, index);
    if (!block.is_block) return;
    uint16_t* tokens = batch.tokens + block.first_element;
    cta_follow_steps(block.raw, best.steps + block.first_element, memory, tokens);
    const BlockRecord record =
        cta_finish_block(block.raw, memory, tokens, reinterpret_cast<uint32_t*>(batch.slots + block.first_element));
    if (threadIdx.x == 0) batch.records[index] = record;
}

}  // namespace warpcodec::deflate_encode
