// Tuning values of the checksum kernels; nothing here changes a result. Reasons in docs/kernels/checksum-and-sort.md.
#pragma once

namespace warpcodec::checksum {

struct Crc32Policy {
    static constexpr int CTA_THREADS = 512;
    static constexpr int CTAS_PER_MULTIPROCESSOR = 2;
    /// Rows that one lane asks for before it uses the first: 4 x 16 bytes in flight per lane.
    static constexpr int ROWS_IN_FLIGHT = 4;
    /// Width of one look-up. Six bits make six tables of 64 entries, of which each of the 32 banks holds a copy of
    /// its own: 41,472 bytes, within the 48 KiB that every device grants without asking.
    static constexpr int LOOKUP_BITS = 6;
};

struct Xxh32Policy {
    /// Two warps, a content each. Small, so that a batch of few contents still spreads over the device.
    static constexpr int CTA_THREADS = 64;
    /// Stripes that are walked over while the next ones are loaded: 128 x 14 clocks outlast a load from device
    /// memory. Two stages of 2 KiB a warp.
    static constexpr int STAGE_STRIPES = 128;
};

}  // namespace warpcodec::checksum
