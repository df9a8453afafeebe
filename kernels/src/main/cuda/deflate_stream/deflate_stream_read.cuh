// Reads the blocks of a segment (deflate_stream_segment.cuh): makes their codes, finds where tokens begin, and
// follows each block to its end. The bytes that tokens stand for are counted, and not produced.
//
// The parts of a piece are read as those of a round (deflate_tokens.cuh): from WARM_UP_BITS before, in order to be in
// step, and again from where the part before ended if that is elsewhere. The first part of a piece has none before
// it, and may be wrong until the stitch has come by.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"
#include "deflate_stream_segment.cuh"

namespace warpcodec::deflate_stream {

/// Shared memory of a warp while it makes codes.
struct SegmentCodesScratch {
    SegmentTables tables;
    HeaderScratch header;
};

/// Makes the codes of block `index`.
__device__ __forceinline__ void warp_make_segment_codes(const Segment& segment, uint32_t index,
                                                        SegmentCodesScratch& scratch, int lane) {
    const SegmentBlock block = segment.blocks[index];
    SegmentBlockNote note{block.token_bit, block.token_bit, SEGMENT_BAD, 0};
    if (segment.is_sound(block)) {
        const BitStream stream(segment.input, segment.input_bytes);
        BitReader reader(stream, block.header_bit + BFINAL_BITS);
        const uint32_t btype = reader.take(stream, BTYPE_BITS);
        const bool coded = btype == BTYPE_FIXED || btype == BTYPE_DYNAMIC;
        if (coded &&
            warp_make_tables(stream, reader, btype == BTYPE_FIXED, scratch.tables.codes, scratch.header, lane) &&
            reader.position() <= stream.end) {
            note.token_bit = block.token_bit != 0 ? block.token_bit : reader.position();
            note.end_bit = note.token_bit;
            note.ending = SEGMENT_OPEN;
            __syncwarp();
            warp_copy_tables(segment.tables[index], scratch.tables, lane);
        }
    }
    __syncwarp();
    if (lane == 0) segment.block_notes[index] = note;
}

/// Reads piece `piece` of a block, whose first token begins at `start` if that is known, and notes what it finds.
__device__ __forceinline__ SegmentPieceNote warp_read_piece(const Segment& segment, const SegmentBlock& block,
                                                            uint32_t token_bit, uint32_t piece, bool known,
                                                            uint32_t start, const BlockTables& tables, int lane) {
    const BitStream stream(segment.input, segment.input_bytes);
    const uint32_t begin = token_bit + piece * SEGMENT_PIECE_BITS;
    const uint32_t first = begin + lane * SegmentPolicy::PART_BITS;
    const uint32_t number = block.first_piece + piece;
    const bool reads = first < block.limit_bit;
    SegmentPieceNote note{begin, begin, 0, SEGMENT_IDLE};
    SegmentPart kept{first, 0, 0, 0};
    if (begin < block.limit_bit) {  // the first lane reads
        Part part{first, min(first + SegmentPolicy::PART_BITS, block.limit_bit), first, 0, 0, ENDED_IDLE};
        const bool given = known && lane == 0;
        BitReader reader(stream, given ? start : max(token_bit, first - min(first, SegmentPolicy::WARM_UP_BITS)));
        if (reads && !given) thread_read_tokens<Reading::SKIPS>(stream, reader, tables, first, nullptr, 0, part);
        if (reads) part.start = reader.position();
        WarpReaders readers{lane};
        const Round round = group_settle<Reading::COUNTS>(stream, tables, reader, reads, 0, nullptr, part, readers);
        const bool counts = lane <= round.last_lane;
        const uint32_t bytes = warp_inclusive_sum(counts ? part.bytes : 0, lane);
        if (counts) kept = SegmentPart{part.start, bytes - part.bytes, part.count, part.bytes};
        note.start_bit = __shfl_sync(ALL_LANES, part.start, 0);
        note.end_bit = round.end;
        note.bytes = __shfl_sync(ALL_LANES, bytes, WARP_LANES - 1);
        note.ending = (round.ending == ENDED_BLOCK ? SEGMENT_ENDED
                       : round.ending == ENDED_BAD ? SEGMENT_BAD
                                                   : SEGMENT_OPEN) |
                      round.last_lane << 8;
    }
    segment.parts[number * WARP_LANES + lane] = kept;
    if (lane == 0) segment.piece_notes[number] = note;
    __syncwarp();
    return note;
}

/// The last of the blocks from `low` to `high`, not included, whose first piece is `number` or before; `low` if there
/// is none.
__device__ __forceinline__ uint32_t thread_find_segment_block(const Segment& segment, uint32_t low, uint32_t high,
                                                              uint32_t number) {
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        (segment.blocks[middle].first_piece <= number ? low : high) = middle;
    }
    return low;
}

/// Reads piece `number`, which is one of the blocks [first_block, block_count), not knowing where its first token
/// begins.
__device__ __forceinline__ void warp_synchronise_piece(const Segment& segment, uint32_t first_block, uint32_t number,
                                                       SegmentTables& tables, int lane) {
    const uint32_t index = thread_find_segment_block(segment, first_block, segment.block_count, number);
    const SegmentBlock block = segment.blocks[index];
    if (!segment.is_sound(block) || number - block.first_piece >= block.piece_count) return;
    const SegmentBlockNote note = segment.block_notes[index];
    if (note.ending == SEGMENT_BAD) return;
    warp_copy_tables(tables, segment.tables[index], lane);
    const uint32_t piece = number - block.first_piece;
    warp_read_piece(segment, block, note.token_bit, piece, piece == 0, note.token_bit, tables.codes, lane);
}

/// Follows block `index` to its end, or its limit.
__device__ __forceinline__ void warp_stitch_segment_block(const Segment& segment, uint32_t index, SegmentTables& tables,
                                                          int lane) {
    const SegmentBlock block = segment.blocks[index];
    if (!segment.is_sound(block)) return;
    SegmentBlockNote note = segment.block_notes[index];
    if (note.ending == SEGMENT_BAD) return;
    bool has_tables = false;
    uint32_t reads = 0;
#pragma unroll 1
    while (note.ending == SEGMENT_OPEN && note.piece_count < block.piece_count && note.end_bit < block.limit_bit) {
        const uint32_t own = note.piece_count + lane;
        SegmentPieceNote piece{0, 0, 0, SEGMENT_IDLE};
        if (own < block.piece_count) piece = segment.piece_notes[block.first_piece + own];
        const uint32_t ending = piece.ending & 0xFF;
        uint32_t expected = __shfl_up_sync(ALL_LANES, piece.end_bit, 1);
        const bool open_before = __shfl_up_sync(ALL_LANES, ending, 1) == SEGMENT_OPEN;
        if (lane == 0) expected = note.end_bit;
        const bool met = ending != SEGMENT_IDLE && piece.start_bit == expected && (lane == 0 || open_before);
        const uint32_t missed = ~__ballot_sync(ALL_LANES, met);
        const int met_count = missed == 0 ? WARP_LANES : __ffs(static_cast<int>(missed)) - 1;
        if (met_count == 0) {
            if (reads == MAX_STITCH_READS) {
                note.ending = SEGMENT_GIVEN_UP;
                break;
            }
            if (!has_tables) warp_copy_tables(tables, segment.tables[index], lane);
            has_tables = true;
            ++reads;
            const SegmentPieceNote again = warp_read_piece(segment, block, note.token_bit, note.piece_count, true,
                                                           note.end_bit, tables.codes, lane);
            ++note.piece_count;
            note.end_bit = again.end_bit;
            note.ending = again.ending & 0xFF;
            continue;
        }
        note.piece_count += met_count;
        note.end_bit = __shfl_sync(ALL_LANES, piece.end_bit, met_count - 1);
        note.ending = __shfl_sync(ALL_LANES, ending, met_count - 1);
    }
    __syncwarp();
    if (lane == 0) segment.block_notes[index] = note;
}

}  // namespace warpcodec::deflate_stream
