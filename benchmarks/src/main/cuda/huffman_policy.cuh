// Tuning values of the Huffman kernels; nothing here changes a result. Reasons in benchmarks/notes/huffman.md.
#pragma once

#include <cstdint>

namespace warpcodec::huffman {

struct DecodePolicy {
    static constexpr int CTA_THREADS = 64;
    static constexpr int LOOKUP_BITS = 10;
    /// Bits of a lane's part: a multiple of 120 = lcm(1, ..., 6, 8), so that words of one length begin where parts do.
    static constexpr uint32_t PART_BITS = 32 * 120;
    /// Bits in front of a part, read to fall into step and thrown away.
    static constexpr uint32_t WARM_UP_BITS = 4 * 120;
};

struct EncodePolicy {
    static constexpr int CTA_THREADS = 128;
    static constexpr int PLACE_CTA_THREADS = 32;
    /// Bytes that a warp measures, and then encodes.
    static constexpr uint32_t PIECE_BYTES = 16u << 10;
};

struct CountPolicy {
    static constexpr int CTA_THREADS = 256;
    /// Bytes that a cta counts.
    static constexpr uint32_t PIECE_BYTES = 64u << 10;
};

}  // namespace warpcodec::huffman
