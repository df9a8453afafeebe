// Lays a batch's frames into units: their text, and the tables that say where each lies.
//
// A cta takes a unit. Its bytes come from anywhere in the batch's input; behind a frame's last byte the unit is filled
// with zeros, so that no kernel reads what nobody wrote. Frames are made for all ranges, whether a unit is theirs or
// not: a range that is not sound has no bytes.
#pragma once

#include "../common/unit_text.cuh"
#include "plz_format.cuh"

namespace warpcodec::plz {

constexpr uint32_t GATHER_THREADS = 256;
constexpr uint32_t UNIT_TILES = UNIT_BYTES / bwt_encode::TILE_ROTATIONS;

/// Tables of a range.
__device__ __forceinline__ void thread_make_frame(const PlzBatch& batch, const EncodeBatch& encode, uint32_t range) {
    const EncodeEntry entry = batch.entries[range];
    const bool is_sound = range_is_sound(entry, encode) && entry.first_unit < batch.unit_count;
    const FrameRange frame{is_sound ? entry.first_unit : 0, is_sound ? entry.range.input_bytes : 0};
    batch.frames[range] = frame;
    batch.order_entries[range] = {frame.begin(), frame.count, min(entry.first_unit, batch.unit_count) * UNIT_TILES};
}

/// Copies the bytes of unit `index`, and fills it up. A cta has GATHER_THREADS threads.
__device__ __forceinline__ void cta_gather_unit(const PlzBatch& batch, uint32_t index) {
    const EncodeBatch encode = encode_batch(batch);
    const auto unit = zstd_encode::find_unit(encode, index);
    const EncodeEntry& entry = batch.entries[unit.range_index];
    const uint32_t first = unit.block_index * UNIT_BYTES;
    const bool has_bytes = unit.is_sound && unit.block_index < unit.block_count;
    const uint32_t count = has_bytes ? min(entry.range.input_bytes - first, UNIT_BYTES) : 0;
    const uint8_t* from = batch.input + (has_bytes ? entry.range.input_offset + first : 0);
    const uint32_t slack = index + 1 == batch.unit_count ? TEXT_SLACK : 0;
    cta_copy_unit<GATHER_THREADS>(from, count, batch.text + size_t{index} * UNIT_BYTES, slack);
    if (threadIdx.x == 0) batch.unit_frames[index] = unit.range_index;
}

/// Lays out a batch. A cta a unit.
__device__ __forceinline__ void cta_lay_out(const PlzBatch& batch) {
    if (blockIdx.x < batch.unit_count) cta_gather_unit(batch, blockIdx.x);
    const EncodeBatch encode = encode_batch(batch);
    for (uint32_t range = blockIdx.x * GATHER_THREADS + threadIdx.x; range <= batch.range_count;
         range += gridDim.x * GATHER_THREADS) {
        if (range < batch.range_count) thread_make_frame(batch, encode, range);
        else batch.order_entries[range] = {0, 0, batch.unit_count * UNIT_TILES};
    }
}

}  // namespace warpcodec::plz
