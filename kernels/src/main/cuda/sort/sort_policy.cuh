// Tuning values of the sort; nothing here changes a result. Reasons in docs/kernels/checksum-and-sort.md.
#pragma once

#include <cstdint>

namespace warpcodec::sort {

struct SortPolicy {
    static constexpr int CTA_THREADS = 256;
    /// Keys of one lane: those of a warp lie behind each other, 32 of each turn side by side.
    static constexpr int KEYS_PER_THREAD = 16;
    /// What a cta counts, and then scatters.
    static constexpr uint32_t TILE_KEYS = CTA_THREADS * KEYS_PER_THREAD;
    static constexpr int SCATTER_CTAS_PER_MULTIPROCESSOR = 3;
    /// A thread for each digit.
    static constexpr int SCAN_CTA_THREADS = 512;
    /// Tiles whose counts a thread asks for before it uses the first.
    static constexpr int SCAN_TILES_IN_FLIGHT = 8;
};

}  // namespace warpcodec::sort
