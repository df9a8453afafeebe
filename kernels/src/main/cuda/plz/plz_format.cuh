// What the kernels that find a strong level's matches hand to each other. The Java side (PlzKernels) states the same
// values; the launcher compares both when it loads the module (see the exports at the end of plz.cu).
//
// A batch's ranges are frames, and its units are zstd_encode's: unit u of the text is what block u of the batch
// encodes.
#pragma once

#include "../ansv/ansv_values.cuh"
#include "../bwt_encode/bwt_encode_format.cuh"
#include "../common/layout.cuh"
#include "../nearest/nearest_tables.cuh"
#include "../zstd_encode/zstd_encode_format.cuh"
#include "plz_parse.cuh"
#include "plz_shape.cuh"

namespace warpcodec::plz {

/// Raised whenever an entry point's arguments, their order, or the meaning of a table changes.
constexpr uint32_t ABI = 4;

using zstd_encode::EncodeBatch;
using zstd_encode::EncodeEntry;
using zstd_encode::UnitRecord;

using NearestLayout = nearest::NearestShape<8192, 11, 1024, 16>;
constexpr uint32_t ANSV_THREADS = 512;
constexpr uint32_t NEAREST_KINDS = nearest::KINDS;
static_assert(NEAREST_KINDS == ROW_WORDS);

/// One batch, as all kernels of this module take it. Arrays by rank or place have UNIT_BYTES elements a unit.
struct PlzBatch {
    const uint8_t* input;
    uint64_t input_bytes;
    uint8_t* output;  ///< zstd_encode's: nothing is written here, but an entry that is not sound there is none here
    uint64_t output_bytes;
    const EncodeEntry* entries;
    UnitRecord* records;
    uint8_t* encode_scratch;  ///< zstd_encode's
    uint64_t encode_scratch_bytes;
    uint32_t range_count;
    uint32_t unit_count;
    uint32_t most_units;  ///< of the largest range
    uint32_t reserved;  ///< 0
    uint8_t* text;  ///< TEXT_SLACK bytes more
    FrameRange* frames;
    uint32_t* unit_frames;
    bwt_encode::BwtEntry* order_entries;  ///< for the order of places: one more than ranges
    const uint32_t* order;
    uint2* smaller;
    uint32_t* minima;
    uint32_t* rows;  ///< ROW_WORDS a place, and of BROUGHT places more
    uint32_t* ranks;
    uint32_t* heads;
    nearest::Window* windows;
    uint32_t* counts;
    uint64_t* members;
    Way* ways;
    uint32_t* steps;
    uint32_t* arrivals;
    Path* paths;
    BlockPrices* frame_prices;  ///< of all frames for each turn of samples
    BlockPrices* unit_prices;
};
constexpr Layout PLZ_BATCH_LAYOUT = Layout()
                                        .WARPCODEC_FIELD(PlzBatch, input)
                                        .WARPCODEC_FIELD(PlzBatch, input_bytes)
                                        .WARPCODEC_FIELD(PlzBatch, output)
                                        .WARPCODEC_FIELD(PlzBatch, output_bytes)
                                        .WARPCODEC_FIELD(PlzBatch, entries)
                                        .WARPCODEC_FIELD(PlzBatch, records)
                                        .WARPCODEC_FIELD(PlzBatch, encode_scratch)
                                        .WARPCODEC_FIELD(PlzBatch, encode_scratch_bytes)
                                        .WARPCODEC_FIELD(PlzBatch, range_count)
                                        .WARPCODEC_FIELD(PlzBatch, unit_count)
                                        .WARPCODEC_FIELD(PlzBatch, most_units)
                                        .WARPCODEC_FIELD(PlzBatch, reserved)
                                        .WARPCODEC_FIELD(PlzBatch, text)
                                        .WARPCODEC_FIELD(PlzBatch, frames)
                                        .WARPCODEC_FIELD(PlzBatch, unit_frames)
                                        .WARPCODEC_FIELD(PlzBatch, order_entries)
                                        .WARPCODEC_FIELD(PlzBatch, order)
                                        .WARPCODEC_FIELD(PlzBatch, smaller)
                                        .WARPCODEC_FIELD(PlzBatch, minima)
                                        .WARPCODEC_FIELD(PlzBatch, rows)
                                        .WARPCODEC_FIELD(PlzBatch, ranks)
                                        .WARPCODEC_FIELD(PlzBatch, heads)
                                        .WARPCODEC_FIELD(PlzBatch, windows)
                                        .WARPCODEC_FIELD(PlzBatch, counts)
                                        .WARPCODEC_FIELD(PlzBatch, members)
                                        .WARPCODEC_FIELD(PlzBatch, ways)
                                        .WARPCODEC_FIELD(PlzBatch, steps)
                                        .WARPCODEC_FIELD(PlzBatch, arrivals)
                                        .WARPCODEC_FIELD(PlzBatch, paths)
                                        .WARPCODEC_FIELD(PlzBatch, frame_prices)
                                        .WARPCODEC_FIELD(PlzBatch, unit_prices);
static_assert(PLZ_BATCH_LAYOUT.is_of<PlzBatch>(), "the host sets these fields");

__device__ __forceinline__ FrameTable frames_of(const PlzBatch& batch) {
    return {batch.frames, batch.unit_frames, batch.range_count, batch.unit_count};
}

/// The batch as zstd_encode's functions take it; its results are none of this module's.
__device__ __forceinline__ EncodeBatch encode_batch(const PlzBatch& batch) {
    return {batch.input,
            batch.input_bytes,
            batch.output,
            batch.output_bytes,
            batch.entries,
            nullptr,
            batch.range_count,
            batch.unit_count,
            batch.records,
            batch.encode_scratch,
            batch.encode_scratch_bytes};
}

/// Chunks that are all of the text, with the prices of their units.
__device__ __forceinline__ ParseBatch parse_batch(const PlzBatch& batch) {
    return {batch.text,
            frames_of(batch),
            {StrongShape::CHUNK_BYTES, StrongShape::CHUNK_BYTES / 2, StrongShape::CHUNK_BYTES / 4},
            StrongShape::CHUNK_BYTES,
            MOST_HALVINGS,
            0,
            batch.smaller,
            batch.rows,
            batch.unit_prices,
            batch.ways,
            batch.steps,
            batch.arrivals,
            batch.paths,
            ~0u,
            0};
}

/// Ends of chunks, from which a unit has its prices; those of frames if they are parsed.
__device__ __forceinline__ ParseBatch draft_batch(const PlzBatch& batch, bool has_frame_prices) {
    ParseBatch drafts = parse_batch(batch);
    for (uint32_t& bytes : drafts.chunk_bytes) bytes /= StrongShape::CHUNK_DRAFTS;
    drafts.has_frame_prices = has_frame_prices ? 1 : 0;
    drafts.prices = has_frame_prices ? batch.frame_prices : batch.unit_prices;
    drafts.second_prices = has_frame_prices ? batch.range_count : 0;
    return drafts;
}

/// Pieces of text, from which a frame has its prices; what is written lies beside that of other turns.
__device__ __forceinline__ ParseBatch sample_batch(const PlzBatch& batch, uint32_t turn) {
    constexpr uint32_t GROUP = StrongShape::GROUP_CHUNKS;
    ParseBatch samples = draft_batch(batch, true);
    for (uint32_t& bytes : samples.chunk_bytes) bytes = StrongShape::SAMPLE_BYTES;
    samples.stride_bytes = StrongShape::SAMPLE_STRIDE;
    const size_t before = size_t{turn} * parts_of(chunk_count(samples), GROUP) * GROUP;
    samples.prices += size_t{turn} * batch.range_count;
    samples.second_prices = 0;
    samples.ways += before * FAR;
    samples.steps += size_t{turn} * GROUP * StrongShape::SAMPLE_BYTES;
    samples.arrivals += size_t{turn} * GROUP * StrongShape::SAMPLE_BYTES;
    samples.paths += before;
    samples.most_offset = turn == 0 ? ~0u : StrongShape::NEAR_OFFSET;
    return samples;
}

}  // namespace warpcodec::plz
