// How far a block of LZ4 or Snappy has been read, and the decoding of a batch of them.
#pragma once

#include <cstdint>

#include "../common/batch.cuh"
#include "../common/status.cuh"

namespace warpcodec::lz77 {

/// How far a block has been read.
struct ParseState {
    uint32_t input_position = 0;
    uint32_t output_position = 0;
    uint32_t status = STATUS_SOUND;
    bool finished = false;  ///< after the last sequence, or after a defect
};

__device__ __forceinline__ BlockResult result_of(const ParseState& state) {
    return BlockResult{state.status, state.status == STATUS_SOUND ? state.output_position : 0};
}

/// Has decode(block, output), which answers a ParseState, decode block `index`, and writes its result.
template <uint32_t MAX_INPUT_BYTES, uint32_t MAX_OUTPUT_BYTES, typename Decode>
__device__ __forceinline__ void warp_decode_block(const Batch& batch, uint32_t index, int lane, Decode decode) {
    warp_code_block<MAX_INPUT_BYTES, MAX_OUTPUT_BYTES>(
        batch, index, lane, [&](const Block& block, uint8_t* output) { return result_of(decode(block, output)); });
}

}  // namespace warpcodec::lz77
