// Joins the blocks of a frame: where each one's bytes begin, and which three offsets it begins with. A warp takes 32
// blocks at once: places are sums, and what blocks make of the offsets is composed (zstd_sequences.cuh).
//
// A block's length is that of its sequences and of the literals that they left. No other is believed.
#pragma once

#include <cstdint>

#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "zstd_scratch.cuh"
#include "zstd_sequences.cuh"

namespace warpcodec::zstd {

/// The offsets that a frame begins with.
constexpr Repeats FIRST_REPEATS = {{1, 4, 8}};

/// Those that a frame or a segment begins with.
__device__ __forceinline__ Repeats thread_first_repeats(const Record& record) {
    if (record.is_segment == 0) return FIRST_REPEATS;
    Repeats repeats;
#pragma unroll
    for (int k = 0; k < 3; ++k) repeats.of[k] = min(record.repeats[k], REPEAT_BEFORE - 1);
    return repeats;
}

/// Writes them behind a segment, little-endian.
__device__ __forceinline__ void thread_write_repeats(const Repeats& repeats, uint8_t* head) {
    for (int at = 0; at < static_cast<int>(SEGMENT_HEAD_BYTES); ++at)
        head[at] = at < 12 ? static_cast<uint8_t>(repeats.of[at / 4] >> 8 * (at % 4)) : 0;
}

/// What a block decodes to.
struct BlockLength {
    uint32_t status;
    uint32_t bytes;
};

__device__ __forceinline__ BlockLength thread_block_length(const FrameView& frame, uint32_t index) {
    const BlockRecord& block = frame.blocks[index];
    const BlockState& state = frame.scratch.blocks[index];
    if (!block_is_sound(block, index, frame)) return {STATUS_BAD_ENTRY, 0};
    if (block.literal_kind != LITERALS_RAW && state.literal_status != STATUS_SOUND) return {state.literal_status, 0};
    if (block.sequence_count == 0) return {STATUS_SOUND, block.literal_count};
    if (state.sequence_status != STATUS_SOUND) return {state.sequence_status, 0};
    const uint32_t bytes = state.sequence_bytes + (block.literal_count - state.literals_used);
    return {bytes <= frame.record->max_block_bytes ? STATUS_SOUND : STATUS_BAD_LENGTH, bytes};
}

/// Joins the blocks of a frame, and writes its result, which bad offsets may still change.
__device__ __forceinline__ void warp_join_blocks(const DecodeBatch& batch, uint32_t index, int lane) {
    const FrameView frame = view_frame(batch.entries[index], batch);
    const uint32_t count = frame.record->block_count;
    const Record& record = *frame.record;
    const uint32_t begin_place = record.history_bytes, limit_place = begin_place + record.content_bytes;
    uint32_t place = begin_place, status = STATUS_SOUND;
    Repeats repeats = thread_first_repeats(record);
    for (uint32_t first = 0; first < count && status == STATUS_SOUND; first += WARP_LANES) {
        const bool is_one = first + lane < count;
        BlockLength length{STATUS_SOUND, 0};
        Repeats own = UNCHANGED;
        if (is_one) {
            length = thread_block_length(frame, first + lane);
            if (frame.blocks[first + lane].sequence_count != 0 && length.status == STATUS_SOUND)
                own = frame.scratch.blocks[first + lane].repeats;
        }
        const uint32_t defects = __ballot_sync(ALL_LANES, length.status != STATUS_SOUND);
        if (defects != 0) {
            status = __shfl_sync(ALL_LANES, length.status, __ffs(static_cast<int>(defects)) - 1);
            break;
        }
        const uint32_t limit = place + warp_inclusive_sum(length.bytes, lane);
        const Repeats behind = thread_compose(warp_compose(own, lane), repeats);
        Repeats begin;
#pragma unroll
        for (int k = 0; k < 3; ++k) {
            const uint32_t before = __shfl_up_sync(ALL_LANES, behind.of[k], 1);
            begin.of[k] = lane == 0 ? repeats.of[k] : before;
            repeats.of[k] = __shfl_sync(ALL_LANES, behind.of[k], WARP_LANES - 1);
        }
        if (is_one) {
            frame.scratch.blocks[first + lane].place = limit - length.bytes;
            frame.scratch.blocks[first + lane].begin = begin;
        }
        place = __shfl_sync(ALL_LANES, limit, WARP_LANES - 1);
        if (place > limit_place) status = STATUS_OUTPUT_EXCEEDED;
    }
    if (status == STATUS_SOUND && place != limit_place && record.is_segment == 0) status = STATUS_BAD_LENGTH;
    if (lane != 0) return;
    batch.results[index] = BlockResult{status, status == STATUS_SOUND ? place - begin_place : 0};
    if (status == STATUS_SOUND && record.is_segment != 0)
        thread_write_repeats(repeats, batch.output + batch.entries[index].output_offset);
}

}  // namespace warpcodec::zstd
