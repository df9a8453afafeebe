// What the kernels that write LZ4 blocks by price hand to each other. The Java side (Lz4PriceKernels) states the same
// values; the launcher compares both when it loads the module (see the exports at the end of lz4_price.cu).
//
// A block of the batch is a frame of the text: a row of units of 64 KiB, of which the last one is filled up. Arrays by
// rank or place have UNIT_BYTES elements a unit.
#pragma once

#include "../bwt_encode/bwt_encode_format.cuh"
#include "../common/batch.cuh"
#include "../common/frames.cuh"
#include "../common/layout.cuh"
#include "../lz4/lz4_format.cuh"

namespace warpcodec::lz4_price {

/// Raised whenever an entry point's arguments, their order, or the meaning of a table changes.
constexpr uint32_t ABI = 1;

/// The longest block, and the longest slot that is used.
constexpr uint32_t MAX_RAW_BYTES = lz4::MAX_OUTPUT_BYTES;
constexpr uint32_t MAX_ENCODED_BYTES = lz4::MAX_INPUT_BYTES;

/// The largest offset that the format has.
constexpr uint32_t MAX_OFFSET = 65535;
static_assert(MAX_OFFSET == UNIT_BYTES - 1, "matches of a unit lie in it and in the one before");

/// Longer matches are several: they are joined where they are written. A path is compared to so far behind a chunk.
constexpr uint32_t MOST_MATCH = 4096;

/// A match of a place, or a step of a path: its length below, its offset above. A step without offset is literals.
using PackedMatch = uint32_t;
constexpr uint32_t LENGTH_BITS = 16;
constexpr uint32_t LENGTH_MASK = (1u << LENGTH_BITS) - 1;
static_assert(MOST_MATCH <= LENGTH_MASK && MAX_OFFSET <= ~0u >> LENGTH_BITS);

/// A block of a batch, as the host uploads it.
struct PriceEntry {
    BlockEntry block;
    uint32_t first_unit;
    uint32_t reserved;  ///< 0
};
static_assert(sizeof(PriceEntry) == 32, "the host writes entries of 32 bytes");

/// One batch, as all kernels take it.
struct PriceBatch {
    const uint8_t* input;
    uint64_t input_bytes;
    uint8_t* output;
    uint64_t output_bytes;
    const PriceEntry* entries;  ///< in the order of first_unit
    BlockResult* results;
    uint32_t block_count;
    uint32_t unit_count;
    uint8_t* text;  ///< TEXT_SLACK bytes more
    FrameRange* frames;  ///< of each block; without bytes if the entry is not sound
    uint32_t* unit_frames;
    bwt_encode::BwtEntry* order_entries;  ///< for the order of places: one more than blocks
    const uint32_t* order;
    uint32_t* own;  ///< of each place: nearest earlier places of its unit, in rank; 16 bits each
    uint32_t* before;  ///< likewise, of the unit before
    PackedMatch* matches;  ///< of each place
    PackedMatch* steps;  ///< of each place: the cheapest step from it
};
constexpr Layout PRICE_BATCH_LAYOUT = Layout()
                                          .WARPCODEC_FIELD(PriceBatch, input)
                                          .WARPCODEC_FIELD(PriceBatch, input_bytes)
                                          .WARPCODEC_FIELD(PriceBatch, output)
                                          .WARPCODEC_FIELD(PriceBatch, output_bytes)
                                          .WARPCODEC_FIELD(PriceBatch, entries)
                                          .WARPCODEC_FIELD(PriceBatch, results)
                                          .WARPCODEC_FIELD(PriceBatch, block_count)
                                          .WARPCODEC_FIELD(PriceBatch, unit_count)
                                          .WARPCODEC_FIELD(PriceBatch, text)
                                          .WARPCODEC_FIELD(PriceBatch, frames)
                                          .WARPCODEC_FIELD(PriceBatch, unit_frames)
                                          .WARPCODEC_FIELD(PriceBatch, order_entries)
                                          .WARPCODEC_FIELD(PriceBatch, order)
                                          .WARPCODEC_FIELD(PriceBatch, own)
                                          .WARPCODEC_FIELD(PriceBatch, before)
                                          .WARPCODEC_FIELD(PriceBatch, matches)
                                          .WARPCODEC_FIELD(PriceBatch, steps);
static_assert(PRICE_BATCH_LAYOUT.is_of<PriceBatch>(), "the host sets these fields");

/// True if an entry lies in the buffers, within the format's limits, and in the batch's units.
__device__ __forceinline__ bool price_entry_is_sound(const PriceEntry& entry, const PriceBatch& batch) {
    return entry_is_sound(entry.block, batch, MAX_RAW_BYTES, MAX_ENCODED_BYTES) &&
           entry.first_unit <= batch.unit_count &&
           units_of(entry.block.input_bytes) <= batch.unit_count - entry.first_unit;
}

/// A unit of the text: its frame, and its part of that.
struct UnitPart {
    FrameRange frame;
    uint32_t begin;  ///< in the frame
    uint32_t bytes;  ///< 0 if it has none of the frame's
};

/// Unit `number` of its frame, which may lie behind its last.
__device__ __forceinline__ UnitPart unit_part(const FrameRange& frame, uint32_t number) {
    const uint32_t begin = number * UNIT_BYTES;
    return {frame, begin, begin < frame.count ? min(frame.count - begin, UNIT_BYTES) : 0};
}

/// The frame to which unit `unit` of the batch belongs.
__device__ __forceinline__ FrameRange frame_of_unit(const PriceBatch& batch, uint32_t unit) {
    return batch.frames[batch.unit_frames[unit]];
}

}  // namespace warpcodec::lz4_price
