// Tuning values of move-to-front; nothing here changes a result. Reasons in docs/kernels/bzip2-encode.md.
#pragma once

#include <cstdint>

namespace warpcodec::mtf_encode {

struct MtfPolicy {
    /// Warps with a chunk each.
    static constexpr int CTA_THREADS = 128;
    /// Symbols of a chunk: the list at its front costs 1 KB of scratch.
    static constexpr uint32_t CHUNK_SYMBOLS = 1024;
    /// A thread for each symbol of the alphabet.
    static constexpr int SCAN_CTA_THREADS = 256;
    static constexpr int CHUNKS_IN_FLIGHT = 8;
};

}  // namespace warpcodec::mtf_encode
