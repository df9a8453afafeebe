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
    /// Looks at the bits without meeting a trunk, after which a group is read word by word: its code does not fall into
    /// step here.
    static constexpr int LOST_LOOKS = 32;
    /// Groups of a walk that take as long as such a group, and groups that a block has free before it is walked.
    static constexpr int STRAY_COST = 16;
    static constexpr int STRAY_START = 512;
    /// Bits of a window that a lane of a walk has, and bits among them at which a group may begin. A group of random
    /// bytes takes 400 bits, and where it begins is known to some 20 bits sixteen groups ahead.
    static constexpr int WINDOW_PLACES = 18;
    static constexpr int WINDOW_STARTS = 6;
    /// Groups of symbols that a cta reads, a thread each.
    static constexpr int READ_CTA_THREADS = 256;
};

}  // namespace warpcodec::bzip2
