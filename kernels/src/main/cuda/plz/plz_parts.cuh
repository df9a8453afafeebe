// Parts of a batch, of which a cta takes one each, and the batches of the stages.
#pragma once

#include "../nearest/nearest_places.cuh"
#include "plz_format.cuh"

namespace warpcodec::plz {

constexpr uint32_t THREADS = 256, UPPER_THREADS = 512, WINDOW_THREADS = 1024, SCAN_WARPS = 32, MEASURE_THREADS = 128,
                   PRICE_THREADS = 128, UNIT_PRICE_THREADS = 64, SEAM_THREADS = 64;
constexpr uint32_t MARK_RANKS = THREADS * nearest::MARK_STEPS;
constexpr uint32_t RANK_TILE = ansv::AnsvMemory<ANSV_THREADS>::TILE;
constexpr uint32_t EMIT_THREADS = StrongShape::UNIT_CHUNKS * WARP_LANES;
constexpr uint32_t DEAL_THREADS = NearestLayout::THREADS;

using Deal = nearest::DealAllMemory<NearestLayout>;
template <uint32_t KIND>
using Link = nearest::LinkMemory<NearestLayout, KIND>;
using Ansv = ansv::AnsvMemory<ANSV_THREADS>;

/// A part of a frame, as grids over all parts of all units have it.
struct Part {
    uint32_t frame;
    uint32_t index;  ///< in the frame
};

/// Part `number` of a batch whose units have UNIT_BYTES / BYTES each.
template <uint32_t BYTES>
__device__ __forceinline__ Part part_of(const PlzBatch& batch, uint32_t number) {
    constexpr uint32_t EACH = UNIT_BYTES / BYTES;
    static_assert(EACH * BYTES == UNIT_BYTES);
    const uint32_t frame = batch.unit_frames[number / EACH];
    return {frame, number - batch.frames[frame].first_unit * EACH};
}

template <uint32_t BYTES>
__device__ __forceinline__ bool is_part(const PlzBatch& batch, uint32_t number) {
    return number / (UNIT_BYTES / BYTES) < batch.unit_count;
}

__device__ __forceinline__ ansv::AnsvBatch ansv_batch(const PlzBatch& batch) {
    ansv::AnsvBatch own{};
    own.order = batch.order;
    own.frames = batch.frames;
    own.smaller = batch.smaller;
    own.minima = batch.minima;
    own.units = batch.unit_count;
    return own;
}

__device__ __forceinline__ nearest::NearestBatch nearest_batch(const PlzBatch& batch) {
    nearest::NearestBatch own{};
    own.text = batch.text;
    own.order = batch.order;
    own.frames = batch.frames;
    own.nearest = batch.rows;
    own.units = batch.unit_count;
    own.windows = batch.most_units * (UNIT_BYTES / NearestLayout::WINDOW);
    own.tiles = batch.most_units * (UNIT_BYTES / NearestLayout::TILE);
    own.digits = parts_of(2 * own.windows, WARP_LANES) * WARP_LANES;
    own.ranks = batch.ranks;
    own.heads = batch.heads;
    own.table = batch.windows;
    own.counts = batch.counts;
    own.members = batch.members;
    return own;
}

}  // namespace warpcodec::plz
