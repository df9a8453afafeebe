// Limits of the decoder of segments of one stream. The Java side (DeflateStreamKernels) states the same values; the
// launcher compares both when it loads the module (see the exports at the end of deflate_stream.cu).
#pragma once

#include <cstdint>

namespace warpcodec::deflate_stream {

/// Raised whenever an entry point's arguments, their order, or the meaning of a table changes.
constexpr uint32_t ABI = 2;
/// Longest input, of a search or a segment, so that positions in bits have 31 bits.
constexpr uint32_t MAX_FIND_BYTES = (1u << 28) - 16;
static_assert(uint64_t{8} * MAX_FIND_BYTES < uint64_t{1} << 31);

}  // namespace warpcodec::deflate_stream
