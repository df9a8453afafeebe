// Tuning values of the Huffman kernels; nothing here changes a result. Reasons in docs/design/huffman.md.
#pragma once

#include <cstdint>

namespace warpcodec::huffman {

struct DecodePolicy {
    static constexpr int CTA_THREADS = 64;
    static constexpr int STITCH_CTA_THREADS = 32;
    static constexpr int LOOKUP_BITS = 10;
    /// Bits of a lane's part: a multiple of 120 = lcm(1, ..., 6, 8), so that words that are all equally long begin where parts do.
    static constexpr uint32_t PART_BITS = 32 * 120;
    static constexpr uint32_t LEAD_BITS = 4 * 120;
};

}  // namespace warpcodec::huffman
