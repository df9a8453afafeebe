// Tuning values of the bzip2 decoder; nothing here changes a result. Reasons in docs/kernels/bzip2-decode.md.
#pragma once

namespace warpcodec::bzip2 {

struct DecodePolicy {
    /// Bits that one look-up takes. Codes have words of 3 to 5 bits on most data; six tables of 2 KiB each leave
    /// enough shared memory for the tiles.
    static constexpr int LOOKUP_BITS = 10;
    /// Strips of trunks that a cta reads one after the other, and turns in which lanes may agree where their words
    /// begin.
    static constexpr int TRUNK_STRIPS = 4;
    static constexpr int MOST_READINGS = 4;
    /// Looks at the bits without meeting a trunk, after which a group is walked by strides: its code does not fall into
    /// step here.
    static constexpr int LOST_LOOKS = 8;
    /// Groups of symbols that a cta reads, a thread each.
    static constexpr int READ_CTA_THREADS = 256;
};

}  // namespace warpcodec::bzip2
