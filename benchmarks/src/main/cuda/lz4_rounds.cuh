// Produces the bytes of sequences in rounds, one lane per sequence, as a second strategy to measure the gather against.
// It is the multi-round resolution of Gompresso (Sitaridi et al., 2016, section 5.2).
//
// Every lane copies the literals of its sequence. The high-water mark is the start of the first match that is still
// missing; all output below it is there. In each round, lanes whose match reads only below the mark copy it byte by
// byte. The first waiting lane can always go on, so 32 rounds suffice. A match that overlaps
// itself needs only the bytes before its own start.
#pragma once

#include "common/batch.cuh"
#include "common/status.cuh"
#include "common/warp.cuh"
#include "lz4/lz4_parse.cuh"

namespace warpcodec::lz4 {

/// Every lane with a sequence copies its literals.
__device__ __forceinline__ void warp_copy_literals(const Block& block, uint8_t* output, const Sequence& sequence) {
    if (sequence.valid) {
        for (uint32_t i = 0; i < sequence.literal_bytes; ++i) {
            output[sequence.output_start + i] = __ldg(block.input + sequence.literal_source + i);
        }
    }
    __syncwarp();
}

/// This lane copies its match, whose source is there.
__device__ __forceinline__ void thread_copy_match(uint8_t* output, const Sequence& sequence) {
    const uint32_t match_start = sequence.output_start + sequence.literal_bytes;
    for (uint32_t i = 0; i < sequence.match_bytes; ++i)
        output[match_start + i] = output[match_start - sequence.offset + i];
}

/// Copies the lanes' matches; their literals and everything in front of them are there.
__device__ __forceinline__ void warp_copy_matches_in_rounds(uint8_t* output, const Sequence& sequence) {
    const uint32_t match_start = sequence.output_start + sequence.literal_bytes;
    const uint32_t needed_limit = match_start - sequence.offset + min(sequence.match_bytes, sequence.offset);
    bool waiting = sequence.valid && sequence.match_bytes != 0;
    for (uint32_t lanes = __ballot_sync(ALL_LANES, waiting); lanes != 0; lanes = __ballot_sync(ALL_LANES, waiting)) {
        const uint32_t high_water = __shfl_sync(ALL_LANES, match_start, __ffs(lanes) - 1);
        if (waiting && needed_limit <= high_water) {
            thread_copy_match(output, sequence);
            waiting = false;
        }
        __syncwarp();
    }
}

/// Produces the bytes of the lanes' sequences; everything in front of them is there.
__device__ __forceinline__ void warp_resolve_in_rounds(const Block& block, uint8_t* output, const Sequence& sequence) {
    warp_copy_literals(block, output, sequence);
    warp_copy_matches_in_rounds(output, sequence);
}

/// Decodes one LZ4 block.
__device__ __forceinline__ ParseState warp_decode_by_rounds(const Block& block, uint8_t* output, JumpTables& tables,
                                                            int lane) {
    ParseState state;
    while (!state.finished) {
        Sequence sequence;
        warp_parse(block, state, tables, sequence, lane);
        if (state.status == STATUS_SOUND) warp_resolve_in_rounds(block, output, sequence);
    }
    return state;
}

}  // namespace warpcodec::lz4
