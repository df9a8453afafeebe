// Limits of the decoder of bodies. The Java side (DeflateDecodeKernels) states the same values; the launcher compares
// both when it loads the module (see the exports at the end of deflate_decode.cu).
#pragma once

#include <cstdint>

#include "../common/batch.cuh"

namespace warpcodec::deflate_decode {

/// Raised whenever an entry point's arguments, their order, or the meaning of a table changes.
constexpr uint32_t ABI = 2;

/// The largest body that stored blocks alone, of any lengths that make sense, would take for this much.
constexpr uint32_t MAX_OUTPUT_BYTES = 1u << 20;
constexpr uint32_t MAX_INPUT_BYTES = MAX_OUTPUT_BYTES + (MAX_OUTPUT_BYTES >> 3) + 1024;

/// A batch of bodies, as kernels take it.
struct BodyBatch {
    Batch bodies;
    /// Scratch of undefined contents, 16-byte aligned: deflate_decode_warp_token_bytes for each warp of the grid.
    uint32_t* tokens;
};
constexpr Layout BODY_BATCH_LAYOUT = BATCH_LAYOUT.WARPCODEC_FIELD(BodyBatch, tokens);
static_assert(BODY_BATCH_LAYOUT.is_of<BodyBatch>() && sizeof(BodyBatch) == 64, "the host sets these fields");

}  // namespace warpcodec::deflate_decode
