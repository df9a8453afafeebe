// Finds and reads up to 32 sequences of an LZ4 block at once, one per lane, with no index.
//
// Where a sequence starts is known only from the one before it. A lane that walks them alone costs some ten instructions per sequence for
// all 32 lanes. Here the warp takes a window of 128 compressed bytes and computes for EVERY byte where the next sequence would start if one
// started there (`jump`), four bytes per lane in one register. Two gathers make that table one for 2 and one for 4 sequences ahead. Lane i
// then reaches the i-th sequence of the window by at most 7 + 1 + 1 steps through the tables, all lanes at the same time.
//
// The tables are a guess: they assume that a length has at most one byte more, and end where a sequence leaves the window. Each lane then
// reads its sequence properly and compares where it ends with what the next lane assumed. The first lane that disagrees, leaves the window,
// ends the block or finds a defect is the last that counts. So a wrong guess costs speed and never correctness.
//
// Results are valid in all lanes, and the records in shared memory after a __syncwarp() by the caller.
//
// Reads: the block's bytes only, but for up to 3 bytes in front of it in the aligned word that holds its first byte.
// Loops: length bytes, at most output_limit / 255 + 2 turns.
#pragma once

#include <cstdint>

#include "lz4_format.cuh"

namespace warpcodec::lz4 {

constexpr int WARP_LANES = 32;
constexpr uint32_t ALL_LANES = 0xFFFFFFFFu;
constexpr int WINDOW_BYTES = 4 * WARP_LANES;
/// Sequence starts beyond the window stand for themselves in every jump table.
constexpr int JUMP_ENTRIES = 2 * WINDOW_BYTES;
/// Beyond every block.
constexpr uint32_t NO_POSITION = 0xFFFFFFFFu;

/// One LZ4 block, clamped to its buffers.
struct Block {
    const uint8_t* input;
    uint32_t input_bytes;
    uint32_t output_limit;
};

/// How far a block has been read.
struct ParseState {
    uint32_t input_position = 0;
    uint32_t output_position = 0;
    uint32_t status = STATUS_OK;
    bool finished = false;  ///< after the last sequence, or after a defect
};

/// One sequence as read by one lane. `match_bytes` is zero for the last one.
struct Sequence {
    uint32_t literal_source;
    uint32_t literal_bytes;
    uint32_t offset;
    uint32_t match_bytes;
    uint32_t output_start;  ///< of its first literal
    bool valid;             ///< this lane has a sequence; valid lanes are 0 to count - 1
};

/// Shared memory of one warp while it parses; 256-byte aligned, so that a table's address and an index join without an addition.
struct alignas(256) JumpTables {
    uint8_t one[JUMP_ENTRIES];
    uint8_t two[JUMP_ENTRIES];
    uint8_t four[JUMP_ENTRIES];
};

/// Byte `index` of `packed` as index into a table at shared address `table`, a multiple of 256.
template <int index>
__device__ __forceinline__ uint32_t thread_look_up(uint32_t packed, uint32_t table) {
    uint32_t value;
    asm volatile("ld.shared.u8 %0, [%1];" : "=r"(value) : "r"(__byte_perm(packed, table, 0x7650 | index)) : "memory");
    return value;
}

/// The table of `from`, one step taken from each of this lane's four entries.
__device__ __forceinline__ uint32_t thread_compose(uint32_t packed, uint32_t from) {
    const uint32_t a = thread_look_up<0>(packed, from);
    const uint32_t b = thread_look_up<1>(packed, from);
    const uint32_t c = thread_look_up<2>(packed, from);
    const uint32_t d = thread_look_up<3>(packed, from);
    return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
}

/// The aligned word at `position` of the block, which may be up to 3 bytes before it; bytes from input_bytes on read as zero.
__device__ __forceinline__ uint32_t thread_load_word(const Block& block, int position) {
    const int bytes = static_cast<int>(block.input_bytes);
    if (position + 4 <= bytes) return __ldg(reinterpret_cast<const uint32_t*>(block.input + position));
    uint32_t word = 0;
    for (int i = 0; i < 4; ++i) {
        const int at = position + i;
        if (at >= 0 && at < bytes) word |= static_cast<uint32_t>(block.input[at]) << (8 * i);
    }
    return word;
}

/// Where the next sequence starts, for each of this lane's 4 window bytes; 128 or more if that is not in the window.
///
/// Per byte, modulo nothing since no sum exceeds 255: own place (at most 127) + 3 + literals (15) + 1 if the match length goes on, and for
/// a literal length that goes on, + 1 + its next byte if that is below 64; else bit 7.
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

/// The window place of the lane-th sequence from `start` on, or one of 128 and more.
__device__ __forceinline__ uint32_t warp_find_sequences(const Block& block, int window, uint32_t start, JumpTables& tables, int lane) {
    const uint32_t word = thread_load_word(block, window + 4 * lane);
    const uint32_t next_word = __shfl_down_sync(ALL_LANES, word, 1);
    const uint32_t one = thread_guess_jumps(word, next_word, lane);
    const uint32_t beyond = 0x83828180u + 4 * lane * 0x01010101u;
    reinterpret_cast<uint32_t*>(tables.one)[lane] = one;
    reinterpret_cast<uint32_t*>(tables.one)[WARP_LANES + lane] = beyond;
    reinterpret_cast<uint32_t*>(tables.two)[WARP_LANES + lane] = beyond;
    reinterpret_cast<uint32_t*>(tables.four)[WARP_LANES + lane] = beyond;
    __syncwarp();
    const uint32_t two = thread_compose(one, static_cast<uint32_t>(__cvta_generic_to_shared(tables.one)));
    reinterpret_cast<uint32_t*>(tables.two)[lane] = two;
    __syncwarp();
    const uint32_t four = thread_compose(two, static_cast<uint32_t>(__cvta_generic_to_shared(tables.two)));
    reinterpret_cast<uint32_t*>(tables.four)[lane] = four;
    __syncwarp();
    uint32_t place = start;
#pragma unroll
    for (int turn = 0; turn < WARP_LANES / 4 - 1; ++turn) {
        if (lane / 4 > turn) place = tables.four[place];
    }
    if (lane & 2) place = tables.two[place];
    if (lane & 1) place = tables.one[place];
    return place;
}

/// Adds the bytes that prolong a length, from `position` on. False if the input ends first; stops as soon as the length is beyond `limit`.
__device__ __forceinline__ bool thread_read_length(const Block& block, uint32_t& position, uint32_t& length, uint32_t limit) {
    uint32_t byte;
    do {
        if (position >= block.input_bytes) return false;
        byte = __ldg(block.input + position++);
        length += byte;
    } while (byte == LENGTH_CONTINUES && length <= limit);
    return true;
}

/// Reads the sequence at `position`, which becomes the position behind it. Returns a status code.
__device__ __forceinline__ uint32_t thread_read_sequence(const Block& block, uint32_t& position, Sequence& sequence) {
    const uint32_t token = __ldg(block.input + position++);
    sequence.literal_bytes = token >> 4;
    sequence.offset = 1;
    sequence.match_bytes = 0;
    if (sequence.literal_bytes == NIBBLE_MAX && !thread_read_length(block, position, sequence.literal_bytes, block.output_limit)) {
        return STATUS_TRUNCATED;
    }
    if (sequence.literal_bytes > block.output_limit) return STATUS_OUTPUT_EXCEEDED;
    sequence.literal_source = position;
    if (sequence.literal_bytes > block.input_bytes - position) return STATUS_TRUNCATED;
    position += sequence.literal_bytes;
    if (position == block.input_bytes) return STATUS_OK;
    if (block.input_bytes - position < 2) return STATUS_TRUNCATED;
    sequence.offset = __ldg(block.input + position) | static_cast<uint32_t>(__ldg(block.input + position + 1)) << 8;
    position += 2;
    uint32_t match = token & NIBBLE_MAX;
    if (match == NIBBLE_MAX && !thread_read_length(block, position, match, block.output_limit)) return STATUS_TRUNCATED;
    sequence.match_bytes = match + MIN_MATCH;
    return STATUS_OK;
}

__device__ __forceinline__ uint32_t warp_inclusive_sum(uint32_t value, int lane) {
#pragma unroll
    for (int distance = 1; distance < WARP_LANES; distance *= 2) {
        const uint32_t other = __shfl_up_sync(ALL_LANES, value, distance);
        if (lane >= distance) value += other;
    }
    return value;
}

/// Reads one sequence per lane and moves `state` behind the last one that counts. Lane 0's is at state.input_position; `own_position` of
/// the others is a guess, or NO_POSITION. Returns how many count; none if the block has a defect here, which `state` then names. No
/// returned sequence reaches beyond the output limit or before the block's start.
__device__ __forceinline__ int warp_read_sequences(const Block& block, ParseState& state, uint32_t own_position, Sequence& sequence, int lane) {
    uint32_t next_position = __shfl_down_sync(ALL_LANES, own_position, 1);
    if (lane == WARP_LANES - 1) next_position = NO_POSITION;
    uint32_t position = own_position;
    uint32_t code = STATUS_TRUNCATED;
    bool last = true;
    sequence = Sequence{};
    if (position < block.input_bytes) {
        code = thread_read_sequence(block, position, sequence);
        last = code != STATUS_OK || position != next_position || position >= block.input_bytes;
    }
    const int final_lane = __ffs(__ballot_sync(ALL_LANES, last)) - 1;
    sequence.valid = lane <= final_lane;
    const uint32_t bytes = sequence.valid ? sequence.literal_bytes + sequence.match_bytes : 0;
    const uint32_t output_limit = state.output_position + warp_inclusive_sum(bytes, lane);
    sequence.output_start = output_limit - bytes;
    if (code == STATUS_OK) {
        if (output_limit > block.output_limit) {
            code = STATUS_OUTPUT_EXCEEDED;
        } else if (sequence.match_bytes != 0 && sequence.offset - 1 >= sequence.output_start + sequence.literal_bytes) {
            code = STATUS_BAD_OFFSET;
        }
    }
    const uint32_t defects = __ballot_sync(ALL_LANES, sequence.valid && code != STATUS_OK);
    if (defects != 0) {
        state.status = __shfl_sync(ALL_LANES, code | own_position << 8, __ffs(defects) - 1);
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
__device__ __forceinline__ int warp_parse(const Block& block, ParseState& state, JumpTables& tables, Sequence& sequence, int lane) {
    const uint32_t start = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(block.input + state.input_position) & 3);
    const int window = static_cast<int>(state.input_position - start);
    const uint32_t place = warp_find_sequences(block, window, start, tables, lane);
    return warp_read_sequences(block, state, place < WINDOW_BYTES ? window + place : NO_POSITION, sequence, lane);
}

}  // namespace warpcodec::lz4
