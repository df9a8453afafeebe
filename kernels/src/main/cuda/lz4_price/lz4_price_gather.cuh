// Lays a batch's blocks into units: their text, and the tables that say where each lies.
//
// A cta takes a unit. Its bytes come from anywhere in the batch's input; behind a block's last byte the unit is filled
// with zeros. Frames are made for all blocks, whether a unit is theirs or not.
#pragma once

#include "../common/unit_text.cuh"
#include "lz4_price_format.cuh"

namespace warpcodec::lz4_price {

constexpr uint32_t GATHER_THREADS = 256;
constexpr uint32_t UNIT_TILES = UNIT_BYTES / bwt_encode::TILE_ROTATIONS;

/// Tables of a block. First tiles ascend whatever entries say, since the host's ascend.
__device__ __forceinline__ void thread_make_frame(const PriceBatch& batch, uint32_t index) {
    const PriceEntry entry = batch.entries[index];
    const bool is_sound = price_entry_is_sound(entry, batch);
    const FrameRange frame{is_sound ? entry.first_unit : 0, is_sound ? entry.block.input_bytes : 0};
    batch.frames[index] = frame;
    batch.order_entries[index] = {frame.begin(), frame.count, min(entry.first_unit, batch.unit_count) * UNIT_TILES};
}

/// Copies the bytes of unit `index`.
__device__ __forceinline__ void cta_gather_unit(const PriceBatch& batch, uint32_t index) {
    const uint32_t block = find_range(batch.entries, batch.block_count, index);
    const PriceEntry entry = batch.entries[block];
    const bool is_sound = price_entry_is_sound(entry, batch) && entry.first_unit <= index;
    const UnitPart part =
        unit_part({entry.first_unit, is_sound ? entry.block.input_bytes : 0}, is_sound ? index - entry.first_unit : 0);
    const uint8_t* from = batch.input + (part.bytes > 0 ? entry.block.input_offset + part.begin : 0);
    const uint32_t slack = index + 1 == batch.unit_count ? TEXT_SLACK : 0;
    cta_copy_unit<GATHER_THREADS>(from, part.bytes, batch.text + size_t{index} * UNIT_BYTES, slack);
    if (threadIdx.x == 0) batch.unit_frames[index] = block;
}

/// Lays out a batch of one block at least. A cta a unit.
__device__ __forceinline__ void cta_lay_out(const PriceBatch& batch) {
    if (batch.block_count == 0) return;
    if (blockIdx.x < batch.unit_count) cta_gather_unit(batch, blockIdx.x);
    for (uint32_t index = blockIdx.x * GATHER_THREADS + threadIdx.x; index <= batch.block_count;
         index += gridDim.x * GATHER_THREADS) {
        if (index < batch.block_count) thread_make_frame(batch, index);
        else batch.order_entries[index] = {0, 0, batch.unit_count * UNIT_TILES};
    }
}

}  // namespace warpcodec::lz4_price
