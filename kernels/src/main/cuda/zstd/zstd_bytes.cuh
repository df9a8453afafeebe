// Bytes of a frame, once its blocks are joined (zstd_join.cuh), by as many warps as there is room for.
//
// A source is one 32-bit number: SOURCE_END and a byte in the lowest 8 bits, or a place in the frame's output.
//
// 1. Find sources. A warp takes a tile of the output, and searches for the block and the sequence in which it begins.
//    Then it takes 32 sequences at a time, and finds the source of each byte as the gather does (lz77_gather.cuh). A
//    literal is its own end. A source in the tile is replaced by its own, which is written already.
// 2. Produce. Each byte follows the sources from tile to tile to its end (lz77_sources.cuh).
//
// Offsets are known in full only here, so here is found which lead before the frame.
#pragma once

#include <cstdint>

#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "../lz77/lz77_gather.cuh"
#include "../lz77/lz77_sources.cuh"
#include "zstd_join.cuh"
#include "zstd_policy.cuh"
#include "zstd_scratch.cuh"

namespace warpcodec::zstd {

using lz77::LANE_BYTES;
using lz77::SLAB_BYTES;
using lz77::SOURCE_END;

static_assert(BytesPolicy::TILE_BYTES % SLAB_BYTES == 0, "tiles are made of slabs");
static_assert(BytesPolicy::PRODUCE_CTA_THREADS * LANE_BYTES == BytesPolicy::TILE_BYTES, "a cta produces a tile");

/// Literals are places with the top bit set: of the frame's decoded ones, or from RAW_LITERAL on of the frame's bytes.
constexpr uint32_t LITERAL_SOURCE = lz77::INPUT_SOURCE;
constexpr uint32_t RAW_LITERAL = 1u << 30;

/// A sequence, or the literals behind the last one of a block, in places of the frame's output.
struct SequenceRecord {
    int literal_last;
    uint32_t literal_delta;  ///< to a literal's place, with LITERAL_SOURCE
    uint32_t match_delta;
    int output_limit;

    __device__ __forceinline__ int source_of(int place) const {
        return static_cast<int>(static_cast<uint32_t>(place) + (place <= literal_last ? literal_delta : match_delta));
    }
};
using TileScratch = lz77::GatherScratch<SequenceRecord, 2 * WARP_LANES, WARP_LANES>;

/// Where a warp is in a frame.
struct TileState {
    uint32_t block;
    uint32_t sequence;  ///< of the block; its sequence_count stands for the literals behind
    uint32_t output;  ///< behind the last record, or where the tile begins
    bool is_begun = false;  ///< whether there was a record
};

/// The last block of a joined frame that begins at `place` or before.
__device__ __forceinline__ uint32_t thread_find_block_at(const FrameView& frame, uint32_t place) {
    uint32_t low = 0, high = frame.record->block_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        (frame.scratch.blocks[middle].place <= place ? low : high) = middle;
    }
    return low;
}

/// The last sequence of a block that begins at `place` of its bytes or before; sequence_count if all end before.
__device__ __forceinline__ uint32_t thread_find_sequence(const FrameView& frame, uint32_t index, uint32_t place) {
    const BlockRecord& block = frame.blocks[index];
    if (block.sequence_count == 0 || place >= frame.scratch.blocks[index].sequence_bytes) return block.sequence_count;
    const Sequence* sequences = frame.scratch.sequences + block.first_sequence;
    uint32_t low = 0, high = block.sequence_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        (sequences[middle].place() <= place ? low : high) = middle;
    }
    return low;
}

/// Appends up to 32 records behind the `kept` ones; how many. None at a bad offset, behind the last block, and where
/// records are not in a row, which they are unless two blocks of a lying record share their tokens.
__device__ __forceinline__ int warp_append_records(const FrameView& frame, TileState& state, TileScratch& scratch,
                                                   int kept, int lane) {
    const uint32_t block_count = frame.record->block_count;
    int records = 0;
    while (records == 0 && state.block < block_count) {
        const BlockRecord& block = frame.blocks[state.block];
        const BlockState& known = frame.scratch.blocks[state.block];
        const bool has_sequences = block.sequence_count != 0;
        const uint32_t used = has_sequences ? known.literals_used : 0;
        const uint32_t sequence_bytes = has_sequences ? known.sequence_bytes : 0;
        const uint32_t literal_at =
            block.literal_kind == LITERALS_RAW ? RAW_LITERAL + block.at + block.literals_at : block.first_literal;
        const uint32_t number = state.sequence + lane;
        SequenceRecord record{};
        bool is_one = false, right = true;
        uint32_t place = 0, limit = 0, literal_limit = 0;
        if (number < block.sequence_count) {
            const Sequence* sequences = frame.scratch.sequences + block.first_sequence;
            const Sequence sequence = sequences[number];
            const bool is_last = number + 1 == block.sequence_count;
            const Sequence next = is_last ? Sequence::of(sequence_bytes, used, 0) : sequences[number + 1];
            is_one = true;
            place = known.place + sequence.place();
            limit = known.place + next.place();
            literal_limit = next.literal();
            const uint32_t match = place + (literal_limit - sequence.literal());
            const uint32_t offset = thread_resolve(sequence.offset(), known.begin);
            right = offset - 1 < match - frame.record->history_fill && match >= place && match < limit;
            record.literal_last = static_cast<int>(match) - 1;
            record.literal_delta = LITERAL_SOURCE + literal_at + sequence.literal() - place;
            record.match_delta = 0u - offset;
        } else if (number == block.sequence_count && used < block.literal_count) {
            is_one = true;
            place = known.place + sequence_bytes;
            limit = place + (block.literal_count - used);
            literal_limit = block.literal_count;
            record.literal_last = static_cast<int>(limit) - 1;
            record.literal_delta = LITERAL_SOURCE + literal_at + used - place;
        }
        record.output_limit = static_cast<int>(limit);
        const uint32_t before = __shfl_up_sync(ALL_LANES, limit, 1);
        const uint32_t expected = lane == 0 ? state.output : before;
        right &= place == expected || (lane == 0 && !state.is_begun && place < expected && expected < limit);
        right &=
            limit <= frame.record->history_bytes + frame.record->content_bytes && literal_limit <= block.literal_count;
        if (__any_sync(ALL_LANES, is_one && !right)) return 0;
        records = __popc(__ballot_sync(ALL_LANES, is_one));
        if (records != 0) {
            const int at = kept + lane;
            scratch.starts[at] = is_one ? static_cast<int>(place) : lz77::NO_START;
            if (at + WARP_LANES < TileScratch::CAPACITY) scratch.starts[at + WARP_LANES] = lz77::NO_START;
            if (is_one) scratch.records[at] = record;
            state.is_begun = true;
            state.output = __shfl_sync(ALL_LANES, limit, records - 1);
        }
        state.sequence += WARP_LANES;
        if (state.sequence > block.sequence_count) {
            ++state.block;
            state.sequence = 0;
        }
    }
    return records;
}

/// Writes the sources of the places [low, limit) of a slab; those of [tile, low) are written. Sources are named by
/// places without history, whose bytes are values.
template <bool EDGE>
__device__ __forceinline__ void warp_write_sources(const FrameView& frame, int tile, int slab, int low, int limit,
                                                   TileScratch& scratch, int lane) {
    int found[LANE_BYTES];
    lz77::warp_find_sources<EDGE>(slab, low, limit, found, scratch, lane);
    uint32_t* sources = frame.scratch.sources;
    const int history = static_cast<int>(frame.record->history_bytes);
    const int first = slab + LANE_BYTES * lane;
    uint32_t values[LANE_BYTES];
#pragma unroll
    for (int byte = 0; byte < LANE_BYTES; ++byte) {
        values[byte] = static_cast<uint32_t>(found[byte] - history);
        if (found[byte] < 0) {
            const uint32_t at = static_cast<uint32_t>(found[byte]) & ~LITERAL_SOURCE;
            values[byte] =
                SOURCE_END | (at >= RAW_LITERAL ? __ldg(frame.bytes + (at - RAW_LITERAL)) : frame.scratch.literals[at]);
        } else if (found[byte] >= tile) {
            values[byte] = sources[found[byte] - history];
        } else if (found[byte] < history) {
            values[byte] = SOURCE_END | __ldg(frame.bytes + frame.record->history_at + found[byte]);
        }
    }
    if (!EDGE) {
        *reinterpret_cast<uint4*>(sources + (first - history)) = make_uint4(values[0], values[1], values[2], values[3]);
    } else {
#pragma unroll
        for (int byte = 0; byte < LANE_BYTES; ++byte) {
            if (first + byte >= low && first + byte < limit) sources[first + byte - history] = values[byte];
        }
    }
    __syncwarp();
}

/// Writes the sources of the frame's bytes from `tile` on, up to `end`, TILE_BYTES at most. False at a bad offset.
__device__ __forceinline__ bool warp_find_tile(const FrameView& frame, int tile, int end, TileScratch& scratch,
                                               int lane) {
    TileState state;
    state.block = thread_find_block_at(frame, static_cast<uint32_t>(tile));
    state.sequence =
        thread_find_sequence(frame, state.block, static_cast<uint32_t>(tile) - frame.scratch.blocks[state.block].place);
    state.output = static_cast<uint32_t>(tile);
    int pending = 0;
    int low = tile;  // everything below is written
    while (low < end) {
        const int found = warp_append_records(frame, state, scratch, pending, lane);
        if (found == 0) return false;
        pending += found;
        __syncwarp();
        const int parsed = min(static_cast<int>(state.output), end);
        while (low < parsed) {
            const int slab = low - low % SLAB_BYTES;
            const int limit = min(slab + SLAB_BYTES, parsed);
            if (low == slab && limit == slab + SLAB_BYTES) {
                warp_write_sources<false>(frame, tile, slab, low, limit, scratch, lane);
            } else if (limit == slab + SLAB_BYTES || limit == end) {
                warp_write_sources<true>(frame, tile, slab, low, limit, scratch, lane);
            } else {
                break;
            }
            low = limit;
        }
        const int done = lz77::warp_count_done(scratch, pending, low, lane);
        pending -= done;
        if (pending > TileScratch::MAX_KEPT) {
            warp_write_sources<true>(frame, tile, low - low % SLAB_BYTES, low, parsed, scratch, lane);
            low = parsed;
            pending = 0;
        } else if (done != 0) {
            lz77::warp_move_up(scratch, done, pending, lane);
        }
        __syncwarp();
    }
    return true;
}

/// A tile of a batch: its frame, and where it begins in the frame's output.
struct TilePlace {
    uint32_t frame;
    uint32_t begin;
};

/// Finds tile `number`.
__device__ __forceinline__ TilePlace thread_find_tile(const DecodeBatch& batch, uint32_t number) {
    uint32_t low = 0, high = batch.frame_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        (batch.entries[middle].first_tile <= number ? low : high) = middle;
    }
    const uint64_t begin = uint64_t{number - batch.entries[low].first_tile} * BytesPolicy::TILE_BYTES;
    return {low, static_cast<uint32_t>(begin < MAX_OUTPUT_BYTES ? begin : MAX_OUTPUT_BYTES)};
}

/// Writes the sources of tile `number` of the batch.
__device__ __forceinline__ void warp_find_sources_of_tile(const DecodeBatch& batch, uint32_t number,
                                                          TileScratch& scratch, int lane) {
    const TilePlace place = thread_find_tile(batch, number);
    const uint32_t bytes = batch.results[place.frame].output_bytes;
    if (!takes_sources(batch.frame_count) || place.begin >= bytes) return;
    const FrameView frame = view_frame(batch.entries[place.frame], batch);
    const uint32_t limit = min(place.begin + BytesPolicy::TILE_BYTES, bytes);
    const uint32_t history = frame.record->history_bytes;
    if (warp_find_tile(frame, static_cast<int>(history + place.begin), static_cast<int>(history + limit), scratch,
                       lane)) {
        return;
    }
    // the frame is given up; a source that leads here must find one
    for (uint32_t at = place.begin + lane; at < limit; at += WARP_LANES) frame.scratch.sources[at] = SOURCE_END;
    if (lane == 0) batch.results[place.frame].status = STATUS_BAD_OFFSET;
}

/// Produces the bytes of tile `number` of the batch. A cta has a thread for LANE_BYTES places of a tile.
__device__ __forceinline__ void cta_produce_tile(const DecodeBatch& batch, uint32_t number) {
    const TilePlace place = thread_find_tile(batch, number);
    const BlockResult result = batch.results[place.frame];
    if (!takes_sources(batch.frame_count) || place.begin >= result.output_bytes || result.status != STATUS_SOUND)
        return;
    const FrameEntry entry = batch.entries[place.frame];
    const FrameView frame = view_frame(entry, batch);
    uint8_t* output = batch.output + entry.output_offset + head_bytes(*frame.record);
    const uint32_t lane = threadIdx.x % WARP_LANES;
    const uint32_t first = place.begin + LANE_BYTES * (threadIdx.x - lane) + lane;
    uint32_t ends[LANE_BYTES];
    lz77::thread_follow_sources(frame.scratch.sources, first, 0, result.output_bytes, ends);
#pragma unroll
    for (int byte = 0; byte < LANE_BYTES; ++byte) {
        const uint32_t at = first + byte * WARP_LANES;
        if (at < result.output_bytes) output[at] = static_cast<uint8_t>(ends[byte]);
    }
}

}  // namespace warpcodec::zstd
