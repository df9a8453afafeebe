// Produces the bytes of a segment (deflate_stream_segment.cuh), from its runs.
//
// A source is one 32-bit number: SOURCE_VALUE and a byte in the lowest 8 bits, or a place. A run's tokens are read
// once more, each part by a lane from where it begins, and their sources found as their bytes would be
// (deflate_produce.cuh). A source in the same run is replaced by its own, which is written already, so that sources
// lead from run to run.
//
// Tokens wait where sources will be. There is a source for each byte, and a token stands for a byte at least. A
// part's tokens lie at the end of its bytes' sources, so that each lies where its own first byte's does, or behind.
// So the sources of bytes that are taken overwrite only tokens that are taken.
//
// Then each byte follows its sources to a value (lz77_sources.cuh).
#pragma once

#include <cstdint>

#include "../common/warp.cuh"
#include "../deflate/deflate_produce.cuh"
#include "../lz77/lz77_sources.cuh"
#include "deflate_stream_segment.cuh"

namespace warpcodec::deflate_stream {

constexpr uint32_t SOURCE_VALUE = SOURCE_END;
/// Bytes that a cta produces.
constexpr uint32_t PRODUCE_TILE_BYTES = SegmentPolicy::PRODUCE_CTA_THREADS * SegmentPolicy::PRODUCE_PLACES;

/// What is written, in device memory.
struct SegmentOutput {
    uint32_t* sources;  ///< place_count
    uint32_t place_count;
    uint32_t first_place;  ///< of the stream's bytes that are at hand: nothing lies in front of it
    uint32_t* defect;  ///< becomes 1 where a run is not what it should be, or a distance reaches too far
};

/// A segment and what is to be written, as kernels take it.
struct SegmentWriting {
    Segment segment;
    const SegmentRun* runs;  ///< run_count, whose places must not overlap
    SegmentOutput output;
    uint8_t* bytes;  ///< where the byte of place 0 would be
    uint32_t run_count;
};
constexpr Layout SEGMENT_WRITING_LAYOUT = SEGMENT_LAYOUT.WARPCODEC_FIELD(SegmentWriting, runs)
                                              .WARPCODEC_INNER_FIELD(SegmentWriting, output, SegmentOutput, sources)
                                              .WARPCODEC_INNER_FIELD(SegmentWriting, output, SegmentOutput, place_count)
                                              .WARPCODEC_INNER_FIELD(SegmentWriting, output, SegmentOutput, first_place)
                                              .WARPCODEC_INNER_FIELD(SegmentWriting, output, SegmentOutput, defect)
                                              .WARPCODEC_FIELD(SegmentWriting, bytes)
                                              .WARPCODEC_FIELD(SegmentWriting, run_count);
static_assert(SEGMENT_WRITING_LAYOUT.is_of<SegmentWriting>() && sizeof(SegmentWriting) == 112,
              "the host sets these fields");

/// What becomes of sources: they are written.
struct SourceSlabs {
    uint32_t* sources;
    uint32_t run_place;

    template <bool EDGE>
    __device__ __forceinline__ void warp_put(const int (&found)[LANE_BYTES], uint32_t first, uint32_t low,
                                             uint32_t limit) {
        uint32_t values[LANE_BYTES];
#pragma unroll
        for (int byte = 0; byte < LANE_BYTES; ++byte) {
            values[byte] = static_cast<uint32_t>(found[byte]);
            if (found[byte] < 0) values[byte] = SOURCE_VALUE | (values[byte] & 0xFF);
            else if (values[byte] >= run_place) values[byte] = sources[values[byte]];
        }
        if (!EDGE) {
            *reinterpret_cast<uint4*>(sources + first) = make_uint4(values[0], values[1], values[2], values[3]);
        } else {
#pragma unroll
            for (int byte = 0; byte < LANE_BYTES; ++byte) {
                if (first + byte >= low && first + byte < limit) sources[first + byte] = values[byte];
            }
        }
        __syncwarp();
    }

    __device__ __forceinline__ void warp_finish() {}
};

/// Shared memory of a warp while it writes sources.
struct SegmentWriteScratch {
    SegmentTables tables;
    ProduceScratch produce;
};

/// Writes the sources of stored bytes.
__device__ __forceinline__ void warp_write_stored(const Segment& segment, const SegmentRun& run,
                                                  const SegmentOutput& output, int lane) {
    if (run.from > segment.input_bytes || run.bytes > segment.input_bytes - run.from) {
        if (lane == 0) *output.defect = 1;
        return;
    }
#pragma unroll 4
    for (uint32_t at = lane; at < run.bytes; at += WARP_LANES)
        output.sources[run.place + at] = SOURCE_VALUE | __ldg(segment.input + run.from + at);
}

/// Writes the sources of a run.
__device__ __forceinline__ void warp_write_run(const Segment& segment, const SegmentRun& run,
                                               const SegmentOutput& output, SegmentWriteScratch& scratch, int lane) {
    bool sound = run.place <= output.place_count && run.bytes <= output.place_count - run.place;
    if (sound && run.block == STORED_RUN) {
        warp_write_stored(segment, run, output, lane);
        return;
    }
    sound = sound && run.block < segment.block_count && run.from < segment.piece_count;
    if (sound) {
        const SegmentBlock block = segment.blocks[run.block];
        const SegmentBlockNote note = segment.block_notes[run.block];
        const SegmentPart kept = segment.parts[run.from * WARP_LANES + lane];
        const uint32_t first =
            note.token_bit + (run.from - block.first_piece) * SEGMENT_PIECE_BITS + lane * SegmentPolicy::PART_BITS;
        const uint32_t parts = __ballot_sync(ALL_LANES, kept.count != 0);
        const bool fits = kept.offset <= run.bytes && kept.bytes <= run.bytes - kept.offset && kept.count <= kept.bytes;
        sound = __all_sync(ALL_LANES, fits);
        if (sound && parts != 0) {
            const BitStream stream(segment.input, segment.input_bytes);
            uint32_t* tokens = output.sources + run.place + kept.offset + kept.bytes - kept.count;
            warp_copy_tables(scratch.tables, segment.tables[run.block], lane);
            Part part{};
            if (kept.count != 0) {
                BitReader reader(stream, kept.start_bit);
                thread_read_tokens<Reading::PLACES>(stream, reader, scratch.tables.codes,
                                                    min(first + SegmentPolicy::PART_BITS, block.limit_bit), tokens,
                                                    kept.count, part);
            }
            __syncwarp();
            SourceSlabs slabs{output.sources, run.place};
            sound = __all_sync(ALL_LANES, part.count == kept.count && part.bytes == kept.bytes) &&
                    warp_produce_tokens(slabs, output.first_place, run.place, tokens, kept.count,
                                        31 - __clz(static_cast<int>(parts)), scratch.produce, lane);
        }
    }
    if (!sound && lane == 0) *output.defect = 1;
    __syncwarp();
}

/// Produces the bytes of place `first`, and of each 32nd behind it, PRODUCE_PLACES in all, but none at place_count or
/// behind. `bytes` is where the byte of place 0 would be.
__device__ __forceinline__ void thread_produce_bytes(const SegmentOutput& output, uint32_t first, uint8_t* bytes) {
    uint32_t values[SegmentPolicy::PRODUCE_PLACES];
    thread_follow_sources(output.sources, first, 0, output.place_count, values);
#pragma unroll
    for (int i = 0; i < SegmentPolicy::PRODUCE_PLACES; ++i) {
        const uint32_t place = first + i * WARP_LANES;
        if (place < output.place_count) bytes[place] = static_cast<uint8_t>(values[i]);
    }
}

}  // namespace warpcodec::deflate_stream
