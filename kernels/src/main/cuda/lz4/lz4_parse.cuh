// Reads up to 32 sequences of an LZ4 block at once, one per lane, where lz77_jumps.cuh guesses that they start.
//
// Loops: length bytes, at most output_limit / 255 + 2 turns. A length is at most output_limit + 17 * 255.
#pragma once

#include <cstdint>

#include "../common/alignment.cuh"
#include "../common/batch.cuh"
#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "../lz77/lz77_gather.cuh"
#include "lz4_format.cuh"

namespace warpcodec::lz4 {

using namespace lz77;

/// One sequence as read by one lane. `match_bytes` is zero for the last one.
struct Sequence {
    uint32_t literal_source;
    uint32_t literal_bytes;
    uint32_t offset;
    uint32_t match_bytes;
    uint32_t output_start;  ///< of its first literal
    bool valid;             ///< this lane has a sequence; valid lanes are 0 to count - 1
};

/// A sequence as the gather needs it.
struct alignas(16) SequenceRecord {
    int literal_last;  ///< place of the last literal in the output; one less than the start if there is none
    uint32_t literal_delta;
    uint32_t match_delta;
    int output_limit;

    __device__ __forceinline__ int source_of(int place) const {
        return place + static_cast<int>(place <= literal_last ? literal_delta : match_delta);
    }
};

/// A sequence but the last has at least MIN_MATCH bytes, hence less than a slab of them belongs to at most 32 records.
using SequenceScratch = GatherScratch<SequenceRecord, 2 * WARP_LANES, WARP_LANES>;
static_assert(SLAB_BYTES / MIN_MATCH <= SequenceScratch::MAX_KEPT, "slabs are produced whole");

/// Where the next sequence starts, for each of this lane's 4 window bytes; 128 or more if that is not in the window.
///
/// Per byte, and no sum exceeds 255: own place (at most 127) + 3 + literals (at most 15) + 1 if the match length goes
/// on. A literal length that goes on adds 1, and its next byte if that is below 64; else bit 7 is set.
__device__ __forceinline__ uint32_t thread_guess_jumps(uint32_t word, uint32_t next_word, int lane) {
    constexpr uint32_t ONES = 0x01010101u;
    constexpr uint32_t NIBBLES = 0x0F0F0F0Fu;
    const uint32_t literals = (word >> 4) & NIBBLES;
    const uint32_t match_goes_on = (((word & NIBBLES) + ONES) >> 4) & ONES;
    const uint32_t literals_go_on = ((literals + ONES) >> 4) & ONES;
    const uint32_t more_mask = literals_go_on * 255;
    const uint32_t more = __funnelshift_r(word, next_word, 8) & more_mask;
    const uint32_t own = 0x06050403u + 4 * lane * ONES;
    const uint32_t next = own + literals + match_goes_on + literals_go_on + (more & 0x3F3F3F3Fu);
    return next | ((more | (more << 1)) & 0x80808080u);
}
static_assert(WINDOW_BYTES - 1 + MIN_SEQUENCE_BYTES + NIBBLE_MAX + 1 + 1 + 63 <= 255, "a jump fits a byte");

/// Adds whole aligned 16 bytes of a length that go on: a run of 4 MiB has 16 KiB of them, and one at a time takes 1.5
/// ms.
__device__ __forceinline__ void thread_skip_run(const Block& block, uint32_t& position, uint32_t& length,
                                                uint32_t limit) {
    constexpr uint32_t BYTES = sizeof(uint4);
    if (bytes_past_alignment<BYTES>(block.input + position) != 0) return;
    for (; position + BYTES <= block.input_bytes && length <= limit;
         position += BYTES, length += BYTES * LENGTH_CONTINUES) {
        const uint4 four = __ldg(reinterpret_cast<const uint4*>(block.input + position));
        if ((four.x & four.y & four.z & four.w) != 0xFFFFFFFFu) return;
    }
}

/// Adds the bytes that prolong a length, from `position` on. False if the input ends first; stops soon after the
/// length is beyond `limit`.
__device__ __forceinline__ bool thread_read_length(const Block& block, uint32_t& position, uint32_t& length,
                                                   uint32_t limit) {
    uint32_t byte;
    do {
        if (position >= block.input_bytes) return false;
        byte = __ldg(block.input + position++);
        length += byte;
        if (byte == LENGTH_CONTINUES) thread_skip_run(block, position, length, limit);
    } while (byte == LENGTH_CONTINUES && length <= limit);
    return true;
}

/// Reads the sequence at `position`, which becomes the position behind it. Returns a status code.
__device__ __forceinline__ uint32_t thread_read_sequence(const Block& block, uint32_t& position, Sequence& sequence) {
    const uint32_t token = __ldg(block.input + position++);
    sequence.literal_bytes = token >> 4;
    sequence.offset = 1;
    sequence.match_bytes = 0;
    if (sequence.literal_bytes == NIBBLE_MAX &&
        !thread_read_length(block, position, sequence.literal_bytes, block.output_limit)) {
        return STATUS_TRUNCATED;
    }
    if (sequence.literal_bytes > block.output_limit) return STATUS_OUTPUT_EXCEEDED;
    sequence.literal_source = position;
    if (sequence.literal_bytes > block.input_bytes - position) return STATUS_TRUNCATED;
    position += sequence.literal_bytes;
    if (position == block.input_bytes) return STATUS_SOUND;
    if (block.input_bytes - position < 2) return STATUS_TRUNCATED;
    sequence.offset = __ldg(block.input + position) | static_cast<uint32_t>(__ldg(block.input + position + 1)) << 8;
    position += 2;
    uint32_t match = token & NIBBLE_MAX;
    if (match == NIBBLE_MAX && !thread_read_length(block, position, match, block.output_limit)) return STATUS_TRUNCATED;
    sequence.match_bytes = match + MIN_MATCH;
    return STATUS_SOUND;
}

/// True if a match leaves too little behind it, in the block or in the capacity of its output. None of the sums
/// overflows: positions are at most the limits, which have 23 bits.
__device__ __forceinline__ bool match_ends_late(const Block& block, uint32_t position, uint32_t match_start,
                                                uint32_t match_limit) {
    return position + LAST_SEQUENCE_BYTES > block.input_bytes ||
           match_start + LAST_MATCH_DISTANCE > block.output_limit || match_limit + LAST_LITERALS > block.output_limit;
}

/// Whether a sequence keeps to the limits, as a status code. It ends at `position` of the input, and at `output_limit`
/// of the output.
__device__ __forceinline__ uint32_t thread_check_sequence(const Block& block, const Sequence& sequence,
                                                          uint32_t position, uint32_t output_limit) {
    if (output_limit > block.output_limit) return STATUS_OUTPUT_EXCEEDED;
    if (sequence.match_bytes == 0) return STATUS_SOUND;
    const uint32_t match_start = sequence.output_start + sequence.literal_bytes;
    if (sequence.offset - 1 >= match_start + block.window_bytes) return STATUS_BAD_OFFSET;
    if (match_ends_late(block, position, match_start, output_limit)) return STATUS_BAD_END;
    return STATUS_SOUND;
}

/// Reads one sequence per lane and moves `state` behind the last sequence that counts. Lane 0's is at
/// state.input_position; `own_position` of the others is a guess, or NO_POSITION. Returns how many count; none if the
/// block has a defect here, which `state` then names. No returned sequence reaches beyond the output limit or before
/// the block's window.
__device__ __forceinline__ int warp_read_sequences(const Block& block, ParseState& state, uint32_t own_position,
                                                   Sequence& sequence, int lane) {
    uint32_t next_position = __shfl_down_sync(ALL_LANES, own_position, 1);
    if (lane == WARP_LANES - 1) next_position = NO_POSITION;
    uint32_t position = own_position;
    uint32_t code = STATUS_TRUNCATED;
    bool last = true;
    sequence = Sequence{};
    if (position < block.input_bytes) {
        code = thread_read_sequence(block, position, sequence);
        last = code != STATUS_SOUND || position != next_position || position >= block.input_bytes;
    }
    const int final_lane = __ffs(__ballot_sync(ALL_LANES, last)) - 1;
    sequence.valid = lane <= final_lane;
    const uint32_t bytes = sequence.valid ? sequence.literal_bytes + sequence.match_bytes : 0;
    const uint32_t output_limit = state.output_position + warp_inclusive_sum(bytes, lane);
    sequence.output_start = output_limit - bytes;
    if (code == STATUS_SOUND) code = thread_check_sequence(block, sequence, position, output_limit);
    const uint32_t defects = __ballot_sync(ALL_LANES, sequence.valid && code != STATUS_SOUND);
    if (defects != 0) {
        state.status = __shfl_sync(ALL_LANES, code | own_position << STATUS_OFFSET_SHIFT, __ffs(defects) - 1);
        state.finished = true;
        sequence.valid = false;
        return 0;
    }
    state.input_position = __shfl_sync(ALL_LANES, position, final_lane);
    state.output_position = __shfl_sync(ALL_LANES, output_limit, final_lane);
    state.finished = __shfl_sync(ALL_LANES, sequence.match_bytes, final_lane) == 0;
    return final_lane + 1;
}

/// Reads the next 1 to 32 sequences, as warp_read_sequences does.
__device__ __forceinline__ int warp_parse(const Block& block, ParseState& state, JumpTables& tables, Sequence& sequence,
                                          int lane) {
    return warp_read_sequences(block, state, warp_find_units<1>(block, state, tables, lane, thread_guess_jumps),
                               sequence, lane);
}

/// As warp_parse, but only sequences that start before `stop` are read, and none is returned. The first must start
/// before `stop`.
__device__ __forceinline__ void warp_skip(const Block& block, ParseState& state, uint32_t stop, JumpTables& tables,
                                          int lane) {
    const uint32_t position = warp_find_units<1>(block, state, tables, lane, thread_guess_jumps);
    Sequence sequence;
    warp_read_sequences(block, state, position < stop || lane == 0 ? position : NO_POSITION, sequence, lane);
}

/// Puts the lanes' sequences behind the `kept` records that are there.
__device__ __forceinline__ void warp_append(SequenceScratch& scratch, int kept, const Sequence& sequence, int lane) {
    const int at = kept + lane;
    scratch.starts[at] = sequence.valid ? static_cast<int>(sequence.output_start) : NO_START;
    if (at + WARP_LANES < SequenceScratch::CAPACITY) scratch.starts[at + WARP_LANES] = NO_START;
    if (sequence.valid) {
        SequenceRecord record;
        record.literal_last = static_cast<int>(sequence.output_start + sequence.literal_bytes) - 1;
        record.literal_delta = INPUT_SOURCE + sequence.literal_source - sequence.output_start;
        record.match_delta = 0u - sequence.offset;
        record.output_limit = static_cast<int>(sequence.output_start + sequence.literal_bytes + sequence.match_bytes);
        scratch.records[at] = record;
    }
}

/// Reads the next 1 to 32 sequences and puts their records behind the `kept` ones; how many, none at a defect.
__device__ __forceinline__ int warp_parse_records(const Block& block, ParseState& state, SequenceScratch& scratch,
                                                  int kept, int lane) {
    Sequence sequence;
    const int found = warp_parse(block, state, scratch.jumps, sequence, lane);
    warp_append(scratch, kept, sequence, lane);
    return found;
}

/// Decodes one LZ4 block.
__device__ __forceinline__ ParseState warp_decode_gathering(const Block& block, uint8_t* output,
                                                            SequenceScratch& scratch, int lane) {
    return warp_decode_by_gather(block, output, ParseState{}, scratch, lane, [&](ParseState& state, int kept) {
        return warp_parse_records(block, state, scratch, kept, lane);
    });
}

}  // namespace warpcodec::lz4
