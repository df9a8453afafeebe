// Reads up to 64 elements of a Snappy block at once, two per lane, where lz77_jumps.cuh guesses that they start.
// Elements are about half as long as LZ4's sequences, so two per lane use up the window.
//
// The block's own length is its output limit from the start: elements beyond it are a defect, and so are too few.
#pragma once

#include <cstdint>

#include "../common/batch.cuh"
#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "../lz77/lz77_gather.cuh"
#include "snappy_format.cuh"

namespace warpcodec::snappy {

using namespace lz77;

constexpr int ELEMENTS_PER_LANE = 2;

/// One element as read by one lane.
using Element = Run;

/// An element as the gather needs it: source = place + delta.
struct alignas(8) ElementRecord {
    uint32_t delta;
    int output_limit;

    __device__ __forceinline__ int source_of(int place) const { return place + static_cast<int>(delta); }
};

using ElementScratch = GatherScratch<ElementRecord, 4 * WARP_LANES, ELEMENTS_PER_LANE * WARP_LANES>;

/// Where the next element starts, for each of this lane's 4 window bytes; 128 or more if that is not in the window.
/// Per byte, with no carry into the next: own place (at most 127) + 2, and for a literal its six bits of length, for
/// a copy 1 or 3 if its offset has 16 or 32 bits. A literal with bytes of length is guessed wrong.
__device__ __forceinline__ uint32_t thread_guess_jumps(uint32_t word, uint32_t, int lane) {
    constexpr uint32_t ONES = 0x01010101u;
    const uint32_t low = word & ONES;
    const uint32_t high = (word >> 1) & ONES;
    const uint32_t literal_mask = (~(low | high) & ONES) * 255;
    const uint32_t own = 0x05040302u + 4 * lane * ONES;
    return own + high + ((low & high) << 1) + ((word >> 2) & 0x3F3F3F3Fu & literal_mask);
}
static_assert(WINDOW_BYTES - 1 + 2 + 63 + 3 <= 255, "a jump fits a byte");

/// `count` bytes at `position`, little-endian; they must be there.
__device__ __forceinline__ uint32_t thread_read_number(const Block& block, uint32_t position, uint32_t count) {
    uint32_t value = 0;
    for (uint32_t i = 0; i < count; ++i) value |= static_cast<uint32_t>(__ldg(block.input + position + i)) << (8 * i);
    return value;
}

/// Reads the element at `position`, which becomes the position behind it. Returns a status code.
__device__ __forceinline__ uint32_t thread_read_element(const Block& block, uint32_t& position, Element& element) {
    const uint32_t tag = __ldg(block.input + position++);
    const uint32_t kind = tag & 3;
    const uint32_t six_bits = tag >> 2;
    element.copy = kind != LITERAL;
    if (kind == LITERAL) {
        uint32_t length_less_one = six_bits;
        if (six_bits >= LITERAL_LENGTH_BYTES) {
            const uint32_t count = six_bits - LITERAL_LENGTH_BYTES + 1;
            if (block.input_bytes - position < count) return STATUS_TRUNCATED;
            length_less_one = thread_read_number(block, position, count);
            position += count;
        }
        if (length_less_one >= block.input_bytes - position) return STATUS_TRUNCATED;
        element.bytes = length_less_one + 1;
        element.source = position;
        position += element.bytes;
        return STATUS_SOUND;
    }
    const uint32_t offset_bytes = kind == COPY_32 ? 4 : kind;
    if (block.input_bytes - position < offset_bytes) return STATUS_TRUNCATED;
    uint32_t offset = __ldg(block.input + position);
    if (kind == COPY_11) {
        element.bytes = COPY_11_MIN + (six_bits & 7);
        offset |= (tag >> 5) << 8;
    } else {
        element.bytes = six_bits + 1;
        offset |= static_cast<uint32_t>(__ldg(block.input + position + 1)) << 8;
        if (kind == COPY_32) offset |= thread_read_number(block, position + 2, 2) << 16;
    }
    element.source = offset;
    position += offset_bytes;
    return STATUS_SOUND;
}

/// Puts an element behind others; there is space.
__device__ __forceinline__ void thread_append(ElementScratch& scratch, int at, const Element& element,
                                              uint32_t output_start) {
    scratch.starts[at] = element.bytes == 0 ? NO_START : static_cast<int>(output_start);
    scratch.records[at] = ElementRecord{element.delta(output_start), static_cast<int>(output_start + element.bytes)};
}

__device__ __forceinline__ bool offset_is_bad(const Element& element, uint32_t output_start) {
    return element.copy && element.source - 1 >= output_start;
}

/// Whether two elements behind each other, which end at `output_limit`, keep to the limits, as a status code.
__device__ __forceinline__ uint32_t thread_check_elements(const Block& block, const Element& first,
                                                          const Element& second, uint32_t first_start,
                                                          uint32_t output_limit) {
    if (output_limit > block.output_limit) return STATUS_BAD_LENGTH;
    if (offset_is_bad(first, first_start) || offset_is_bad(second, first_start + first.bytes)) return STATUS_BAD_OFFSET;
    return STATUS_SOUND;
}

/// Reads the next 1 to 64 elements, appends their records behind the `kept` ones, and moves `state` behind them.
/// Returns how many; none if the block has a defect here, which `state` then names. block.output_limit is the block's
/// own length.
__device__ __forceinline__ int warp_parse(const Block& block, ParseState& state, ElementScratch& scratch, int kept,
                                          int lane) {
    const uint32_t own_position =
        warp_find_units<ELEMENTS_PER_LANE>(block, state, scratch.jumps, lane, thread_guess_jumps);
    uint32_t next_position = __shfl_down_sync(ALL_LANES, own_position, 1);
    if (lane == WARP_LANES - 1) next_position = NO_POSITION;
    uint32_t position = own_position;
    uint32_t code = STATUS_TRUNCATED;
    bool last = true;
    Element first{};
    Element second{};
    if (position < block.input_bytes) {
        code = thread_read_element(block, position, first);
        if (code == STATUS_SOUND && position < block.input_bytes) code = thread_read_element(block, position, second);
        last = code != STATUS_SOUND || position != next_position || position >= block.input_bytes;
    }
    const int final_lane = __ffs(__ballot_sync(ALL_LANES, last)) - 1;
    const bool valid = lane <= final_lane;
    const uint32_t bytes = valid ? first.bytes + second.bytes : 0;
    const uint32_t output_limit = state.output_position + warp_inclusive_sum(bytes, lane);
    const uint32_t first_start = output_limit - bytes;
    const uint32_t second_start = first_start + first.bytes;
    if (code == STATUS_SOUND) code = thread_check_elements(block, first, second, first_start, output_limit);
    const uint32_t defects = __ballot_sync(ALL_LANES, valid && code != STATUS_SOUND);
    if (defects != 0) {
        state.status = __shfl_sync(ALL_LANES, code | own_position << STATUS_OFFSET_SHIFT, __ffs(defects) - 1);
        state.finished = true;
        return 0;
    }
    if (!valid) first.bytes = second.bytes = 0;
    const int at = kept + ELEMENTS_PER_LANE * lane;
    thread_append(scratch, at, first, first_start);
    thread_append(scratch, at + 1, second, second_start);
#pragma unroll
    for (int more = kept + ELEMENTS_PER_LANE * WARP_LANES + lane; more < ElementScratch::CAPACITY; more += WARP_LANES) {
        scratch.starts[more] = NO_START;
    }
    state.input_position = __shfl_sync(ALL_LANES, position, final_lane);
    state.output_position = __shfl_sync(ALL_LANES, output_limit, final_lane);
    state.finished = state.input_position >= block.input_bytes;
    if (state.finished && state.output_position != block.output_limit)
        state.status = STATUS_BAD_LENGTH | state.input_position << STATUS_OFFSET_SHIFT;
    return ELEMENTS_PER_LANE * final_lane + 1 + (__shfl_sync(ALL_LANES, second.bytes, final_lane) != 0);
}

/// Reads the block's own length into block.output_limit. Answers the state before the first element.
__device__ __forceinline__ ParseState warp_read_preamble(Block& block) {
    ParseState state;
    uint64_t length = 0;
    uint32_t byte = 0x80;
    while (byte >= 0x80 && state.input_position < MAX_LENGTH_BYTES && state.status == STATUS_SOUND) {
        if (state.input_position >= block.input_bytes) {
            state.status = STATUS_TRUNCATED;
        } else {
            byte = __ldg(block.input + state.input_position);
            length |= static_cast<uint64_t>(byte & 0x7F) << (7 * state.input_position++);
        }
    }
    if (state.status == STATUS_SOUND && (byte >= 0x80 || length > 0xFFFFFFFFu)) state.status = STATUS_BAD_LENGTH;
    if (state.status == STATUS_SOUND && length > block.output_limit) state.status = STATUS_OUTPUT_EXCEEDED;
    block.output_limit = static_cast<uint32_t>(length);
    if (state.status == STATUS_SOUND && state.input_position == block.input_bytes && length != 0)
        state.status = STATUS_TRUNCATED;
    state.finished = state.status != STATUS_SOUND || state.input_position == block.input_bytes;
    return state;
}

/// Decodes one Snappy block.
__device__ __forceinline__ ParseState warp_decode_gathering(Block block, uint8_t* output, ElementScratch& scratch,
                                                            int lane) {
    const ParseState begin = warp_read_preamble(block);
    return warp_decode_by_gather(block, output, begin, scratch, lane, [&](ParseState& state, int kept) {
        return warp_parse(block, state, scratch, kept, lane);
    });
}

}  // namespace warpcodec::snappy
