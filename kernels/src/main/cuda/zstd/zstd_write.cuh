// Bytes of a frame once its blocks are joined (zstd_join.cuh), where there are many frames: a cta writes a whole frame.
//
// It goes through a block in slabs of up to 4 KiB. Each thread loads a sequence, so a slab ends with the last of these
// at the latest. A bit tells where a sequence begins in the slab. A warp takes 256 bytes, 32 at once: bits in front of
// a byte, counted, are the number of its sequence. So it is known where the byte comes from: a literal, a byte in front
// of the slab, which is written already, or one in the slab. Bytes of the last kind follow links to one of the others
// (lz77_slab.cuh).
//
// A slab takes some 3,000 clocks, so this needs a frame for each cta that there is room for. A few frames are written
// tile by tile instead (zstd_bytes.cuh).
//
// Bounds: sequences are checked as they are loaded. They begin in the order of their numbers, the first at the slab's
// first byte or before. Literals and offsets stay in what there is, also where a lying record has blocks share
// sequences.
#pragma once

#include <cstdint>

#include "../common/alignment.cuh"
#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "../lz77/lz77_slab.cuh"
#include "zstd_join.cuh"
#include "zstd_policy.cuh"
#include "zstd_scratch.cuh"

namespace warpcodec::zstd {

constexpr uint32_t WRITE_WARPS = WritePolicy::CTA_THREADS / WARP_LANES;
constexpr uint32_t WRITE_TURNS = 8;  ///< of 32 bytes, that a warp has of a slab
using WriteSlab = lz77::SlabScratch<WRITE_WARPS, WRITE_TURNS>;
constexpr uint32_t WRITE_SLAB_BYTES = WriteSlab::BYTES;
constexpr uint32_t WRITE_WORDS = WRITE_SLAB_BYTES / 32;
constexpr uint32_t SEQUENCES_AT_ONCE = WritePolicy::CTA_THREADS;
static_assert(WRITE_WORDS % WARP_LANES == 0, "the lanes of a warp count bits of all words");

/// A sequence, or the literals behind the last one of a block, in places of the block's bytes.
struct alignas(16) WriteRecord {
    uint32_t match;  ///< where its match begins
    uint32_t literal;  ///< from a place to that of its literal
    uint32_t offset;
    uint32_t limit;  ///< the place behind it
};

/// Shared memory of a cta that writes a frame. Places in a slab begin up to seven in front of its first byte.
struct WriteScratch {
    WriteRecord records[SEQUENCES_AT_ONCE];
    uint32_t begins[WRITE_WORDS];  ///< a bit for each place where a sequence but the first begins
    WriteSlab slab;
    uint32_t loaded_limit;  ///< the place behind the sequences that are loaded
    uint32_t next;  ///< the sequence of the byte behind the slab, among those that are loaded; or how many these are
};

/// A block while it is written.
struct WriteBlock {
    const Sequence* sequences;
    uint32_t sequence_count;
    uint32_t sequence_bytes;
    uint32_t literals_used;
    uint32_t literal_count;
    uint32_t limit;  ///< bytes that it decodes to
    const uint8_t* literals;
    uint8_t* output;  ///< its first byte
    uint32_t place;  ///< of its first byte in the frame's output
    Repeats begin;
};

__device__ __forceinline__ WriteBlock thread_view_block(const FrameView& frame, uint32_t index, uint8_t* output) {
    const BlockRecord& block = frame.blocks[index];
    const BlockState& known = frame.scratch.blocks[index];
    const bool has_sequences = block.sequence_count != 0;
    WriteBlock view;
    view.sequences = frame.scratch.sequences + block.first_sequence;
    view.sequence_count = block.sequence_count;
    view.sequence_bytes = has_sequences ? known.sequence_bytes : 0;
    view.literals_used = has_sequences ? known.literals_used : 0;
    view.literal_count = block.literal_count;
    view.limit = view.sequence_bytes + (view.literal_count - view.literals_used);
    view.literals = block.literal_kind == LITERALS_RAW ? frame.bytes + block.at + block.literals_at
                                                       : frame.scratch.literals + block.first_literal;
    view.place = known.place;
    view.output = output + known.place;
    view.begin = known.begin;
    return view;
}

/// Loads sequence `first` + the thread's rank of a block; its sequence_count stands for the literals behind. `low` is
/// the first byte of the slab, whose place is `gap`. False at a defect.
__device__ __forceinline__ bool thread_load_sequence(const WriteBlock& block, uint32_t first, uint32_t low,
                                                     uint32_t gap, WriteScratch& scratch) {
    const uint32_t number = first + threadIdx.x;
    uint32_t begin;
    WriteRecord record;
    bool right = true;
    if (number < block.sequence_count) {
        const Sequence sequence = block.sequences[number];
        const Sequence next = number + 1 < block.sequence_count
                                  ? block.sequences[number + 1]
                                  : Sequence::of(block.sequence_bytes, block.literals_used, 0);
        begin = sequence.place();
        record.match = begin + (next.literal() - sequence.literal());
        record.literal = sequence.literal() - begin;
        record.offset = thread_resolve(sequence.offset(), block.begin);
        record.limit = next.place();
        right = sequence.literal() <= next.literal() && next.literal() <= block.literal_count &&
                record.match < record.limit && record.limit <= block.limit &&
                record.offset - 1 < block.place + record.match;
    } else if (number == block.sequence_count && block.sequence_bytes < block.limit) {
        begin = block.sequence_bytes;
        record.match = block.limit;
        record.literal = block.literals_used - begin;
        record.offset = 1;
        record.limit = block.limit;
    } else {
        return number != first;
    }
    scratch.records[threadIdx.x] = record;
    if (threadIdx.x == 0) {
        right &= begin <= low && low < record.limit;
    } else if (begin - low < WRITE_SLAB_BYTES - gap) {
        const uint32_t at = begin - low + gap;
        atomicOr(scratch.begins + at / 32, 1u << at % 32);
    }
    if (threadIdx.x == SEQUENCES_AT_ONCE - 1 || record.limit == block.limit) scratch.loaded_limit = record.limit;
    return right;
}

/// Notes, as a lane of a warp, which sequence the place `limit` of a block belongs to: that behind place `end` - 1 of
/// the slab.
__device__ __forceinline__ void warp_note_next(uint32_t limit, uint32_t end, WriteScratch& scratch, uint32_t lane) {
    uint32_t owner = 0;
#pragma unroll
    for (uint32_t word = lane; word < WRITE_WORDS; word += WARP_LANES) {
        const uint32_t bits = end > 32 * word ? min(end - 32 * word, 32u) : 0;
        owner += __popc(scratch.begins[word] & static_cast<uint32_t>((uint64_t{1} << bits) - 1));
    }
    owner = warp_inclusive_sum(owner, static_cast<int>(lane));
    if (lane == WARP_LANES - 1) scratch.next = owner + (scratch.records[owner].limit == limit ? 1 : 0);
}

/// Writes the bytes [low, limit) of a block, whose sequences are loaded: a slab at most, its first byte at place `gap`.
__device__ __forceinline__ void cta_write_slab(const WriteBlock& block, uint32_t low, uint32_t limit, uint32_t gap,
                                               WriteScratch& scratch) {
    const uint32_t warp = threadIdx.x / WARP_LANES;
    const uint32_t lane = threadIdx.x % WARP_LANES;
    const uint32_t to_lane = 0xFFFFFFFFu >> (WARP_LANES - 1 - lane);
    const int32_t to_place = static_cast<int32_t>(low) - static_cast<int32_t>(gap);
    const uint32_t end = limit - low + gap;
    uint32_t before = 0;
#pragma unroll
    for (uint32_t word = 0; word < WRITE_WORDS; word += WARP_LANES)
        before += word + lane < warp * WRITE_TURNS ? __popc(scratch.begins[word + lane]) : 0;
    before = __shfl_sync(ALL_LANES, warp_inclusive_sum(before, static_cast<int>(lane)), WARP_LANES - 1);
    uint32_t values[WRITE_TURNS];
    uint32_t linked = 0;  // turns in which a byte of the warp comes from the slab
#pragma unroll
    for (uint32_t turn = 0; turn < WRITE_TURNS; ++turn) {
        const uint32_t word = warp * WRITE_TURNS + turn;
        const uint32_t at = word * WARP_LANES + lane;
        const uint32_t begins = scratch.begins[word];
        const uint32_t owner = before + __popc(begins & to_lane);
        before += __popc(begins);
        uint32_t link = at;
        values[turn] = 0;
        if (at >= gap && at < end) {
            const uint4 loaded = *reinterpret_cast<const uint4*>(scratch.records + owner);  // all at once
            const WriteRecord record{loaded.x, loaded.y, loaded.z, loaded.w};
            const uint32_t place = at + to_place;
            const bool is_literal = place < record.match;
            const int32_t source =
                static_cast<int32_t>(is_literal ? place + record.literal
                                                : place - lz77::thread_way_back(place - record.match, record.offset));
            const uint8_t* from = is_literal ? block.literals : block.output;
            if (is_literal || source < static_cast<int32_t>(low)) {
                values[turn] = from[source];
            } else {
                link = static_cast<uint32_t>(source) - to_place;
            }
        }
        scratch.slab.links[at] = static_cast<uint16_t>(link);
        if (__any_sync(ALL_LANES, link != at)) linked |= 1u << turn;
    }
#pragma unroll
    for (uint32_t turn = 0; turn < WRITE_TURNS; ++turn)
        scratch.slab.bytes[(warp * WRITE_TURNS + turn) * WARP_LANES + lane] = static_cast<uint8_t>(values[turn]);
    if (warp == 0) warp_note_next(limit, end, scratch, lane);
    __syncthreads();
    lz77::cta_finish_slab(scratch.slab, linked, block.output, to_place, gap, end);
}

/// Writes a joined frame. False at a defect.
__device__ __forceinline__ bool cta_write_frame(const FrameView& frame, uint8_t* output, WriteScratch& scratch) {
    const uint32_t block_count = frame.record->block_count;
    for (uint32_t index = 0; index < block_count; ++index) {
        const WriteBlock block = thread_view_block(frame, index, output);
        uint32_t first = 0;
        for (uint32_t low = 0; low < block.limit;) {
            for (uint32_t word = threadIdx.x; word < WRITE_WORDS; word += WritePolicy::CTA_THREADS)
                scratch.begins[word] = 0;
            __syncthreads();
            const uint32_t gap = bytes_past_alignment<lz77::STORED_AT_ONCE>(block.output + low);
            const bool right = thread_load_sequence(block, first, low, gap, scratch);
            if (__syncthreads_or(!right)) return false;
            const uint32_t limit = min(low + WRITE_SLAB_BYTES - gap, scratch.loaded_limit);
            cta_write_slab(block, low, limit, gap, scratch);
            low = limit;
            __syncthreads();
            first += scratch.next;
        }
    }
    return true;
}

/// Writes frame `index` of the batch.
__device__ __forceinline__ void cta_write_frame(const DecodeBatch& batch, uint32_t index, WriteScratch& scratch) {
    const BlockResult result = batch.results[index];
    if (result.status != STATUS_SOUND || result.output_bytes == 0) return;
    const FrameEntry entry = batch.entries[index];
    if (cta_write_frame(view_frame(entry, batch), batch.output + entry.output_offset, scratch)) return;
    if (threadIdx.x == 0) batch.results[index].status = STATUS_BAD_OFFSET;
}

}  // namespace warpcodec::zstd
