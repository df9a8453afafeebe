// Limits of the decoder of bodies. The Java side (DeflateDecodeKernels) states the same values; the launcher compares both when it loads the module (see the
// exports at the end of deflate_decode.cu).
#pragma once

#include <cstdint>

namespace warpcodec::deflate_decode {

/// Raised whenever an entry point's arguments, their order, or the meaning of a table changes.
constexpr uint32_t ABI = 1;

/// The largest body that stored blocks alone, of any lengths that make sense, would take for this much.
constexpr uint32_t MAX_OUTPUT_BYTES = 1u << 20;
constexpr uint32_t MAX_INPUT_BYTES = MAX_OUTPUT_BYTES + (MAX_OUTPUT_BYTES >> 3) + 1024;

}  // namespace warpcodec::deflate_decode
