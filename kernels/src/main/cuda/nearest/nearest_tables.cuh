// What the kernels of nearest_places.cuh hand to each other.
#pragma once

#include "../common/warp.cuh"
#include "../common/frames.cuh"

namespace warpcodec::nearest {

constexpr uint32_t KINDS = 5;
constexpr uint32_t MOST_LENGTH = 12;
constexpr uint32_t BITS = 32;  ///< of a word of marks

/// Bytes that places of a group of this kind share.
__host__ __device__ constexpr uint32_t length_of(uint32_t kind) {
    return kind == 0 ? 3 : kind == 1 ? 4 : kind == 2 ? 6 : kind == 3 ? 8 : MOST_LENGTH;
}

/// Tuning values; nothing here changes a result.
template <uint32_t WINDOW_, uint32_t DIGIT_BITS_, uint32_t THREADS_, uint32_t ROUNDS_>
struct NearestShape {
    static constexpr uint32_t WINDOW = WINDOW_;  ///< ranks
    static constexpr int DIGIT_BITS = DIGIT_BITS_;
    static constexpr uint32_t MOST_DIGITS = 1u << DIGIT_BITS;
    static constexpr uint32_t MOST_WINDOWS = MOST_DIGITS / 2;
    static constexpr uint32_t MOST_BYTES = MOST_WINDOWS * WINDOW;  ///< of a frame
    static constexpr uint32_t THREADS = THREADS_;  ///< of a cta that deals
    static constexpr uint32_t ROUNDS = ROUNDS_;  ///< places of such a thread
    static constexpr uint32_t WARPS = THREADS / WARP_LANES;
    static constexpr uint32_t TILE = THREADS * ROUNDS;  ///< places
    static constexpr uint32_t UNIT_WINDOWS = UNIT_BYTES / WINDOW, UNIT_TILES = UNIT_BYTES / TILE;
    static_assert(UNIT_BYTES % WINDOW == 0 && UNIT_BYTES % TILE == 0, "whole windows and tiles");
    static_assert(WINDOW % BITS == 0 && WINDOW < 1u << 16, "whole words of marks; offsets have 16 bits");
    static_assert(TILE < 1u << 16 && DIGIT_BITS < 16, "counts and places of a tile, and digits, have 16 bits");
    static_assert(ROUNDS <= 32, "a bit for each place of a thread");
};

/// Groups of a kind in a window of ranks. A group's first rank is its head.
struct alignas(8) Window {
    uint16_t first;  ///< offset of the first head, or WINDOW
    uint16_t open;  ///< offset of the last head if its group goes on in the next window, or WINDOW
    uint32_t before;  ///< the window that has the head of the ranks in front of the first head
};

/// Windows of a frame.
template <class Shape>
__host__ __device__ constexpr uint32_t windows_of(uint32_t bytes) {
    return parts_of(bytes, Shape::WINDOW);
}

/// Tiles of a frame.
template <class Shape>
__host__ __device__ constexpr uint32_t tiles_of(uint32_t bytes) {
    return parts_of(bytes, Shape::TILE);
}

/// Digits of a frame: two a window, filled up to whole warps.
template <class Shape>
__host__ __device__ constexpr uint32_t digits_of(uint32_t bytes) {
    return parts_of(windows_of<Shape>(bytes) * 2, WARP_LANES) * WARP_LANES;
}

// ---- sizes of what a batch of so many units has as scratch

/// Words of `heads`.
__host__ __device__ constexpr size_t heads_words(uint32_t units) { return size_t{KINDS} * units * (UNIT_BYTES / BITS); }

/// Windows of `table`.
template <class Shape>
__host__ __device__ constexpr size_t table_windows(uint32_t units) {
    return size_t{KINDS} * units * Shape::UNIT_WINDOWS;
}

/// Words of `counts`; `digits` are those of the longest frame.
template <class Shape>
__host__ __device__ constexpr size_t counts_words(uint32_t units, uint32_t digits) {
    return size_t{KINDS} * units * Shape::UNIT_TILES * digits;
}

/// `ranks` and `members` have an element for each byte of a unit, `nearest` has KINDS.
struct NearestBatch {
    const uint8_t* text;  ///< 16-byte aligned; TEXT_SLACK bytes may be read behind it
    const uint32_t* order;  ///< place of each rank
    const FrameRange* frames;
    uint32_t* nearest;  ///< for each place and kind the nearest earlier place, or NO_PLACE
    uint32_t units;  ///< of all frames
    uint32_t windows;  ///< of the longest frame
    uint32_t tiles;  ///< of the longest frame
    uint32_t digits;  ///< of the longest frame
    uint32_t* ranks;  ///< of each place; a caller that has them gives them
    // scratch
    uint32_t* heads;  ///< kind after kind: a bit a rank
    Window* table;  ///< kind after kind
    uint32_t* counts;  ///< kind after kind: for each tile a word a digit
    uint64_t* members;  ///< of buckets: place, and rank above
};

/// A frame's words of marks.
__device__ __forceinline__ uint32_t* heads_of(const NearestBatch& batch, const FrameRange& frame, uint32_t kind) {
    return batch.heads + (size_t{kind} * batch.units + frame.first_unit) * (UNIT_BYTES / BITS);
}

/// A frame's windows.
template <class Shape>
__host__ __device__ __forceinline__ Window* table_of(const NearestBatch& batch, const FrameRange& frame,
                                                     uint32_t kind) {
    return batch.table + (size_t{kind} * batch.units + frame.first_unit) * Shape::UNIT_WINDOWS;
}

/// Words of a tile, or those from it on.
template <class Shape>
__device__ __forceinline__ uint32_t* counts_of(const NearestBatch& batch, const FrameRange& frame, uint32_t kind,
                                               uint32_t tile) {
    return batch.counts + ((size_t{kind} * batch.units + frame.first_unit) * Shape::UNIT_TILES + tile) * batch.digits;
}

/// How many ranks of window `number`, which has some, have their group within it.
template <class Shape>
__host__ __device__ __forceinline__ uint32_t ranks_within(const Window& window, uint32_t number, uint32_t count) {
    if (window.first >= Shape::WINDOW) return 0;
    const uint32_t left = count - number * Shape::WINDOW;
    return (window.open < left ? window.open : left) - window.first;
}

/// Where a window's bucket of a kind begins: behind those of the kinds before.
template <class Shape>
__device__ __forceinline__ uint32_t bucket_begin(const NearestBatch& batch, const FrameRange& frame, uint32_t kind,
                                                 uint32_t window) {
    const uint32_t before =
        kind == 0 ? 0 : ranks_within<Shape>(table_of<Shape>(batch, frame, kind - 1)[window], window, frame.count);
    return window * Shape::WINDOW + before;
}

/// Even for the bucket of groups within a window, odd for the group that begins there and crosses its end.
template <class Shape>
__device__ __forceinline__ uint32_t digit_of_rank(const Window& window, uint32_t rank) {
    const uint32_t offset = rank % Shape::WINDOW;
    if (offset < window.first) return window.before * 2 + 1;
    return rank / Shape::WINDOW * 2 + (offset >= window.open ? 1 : 0);
}

__device__ __forceinline__ bool is_crossing(uint32_t digit) { return digit % 2 != 0; }

/// Head of the ranks from `word` of marks up to bit `bit`, as a bit's number; no bit below may be without a head.
__device__ __forceinline__ uint32_t highest_mark(uint32_t word) { return 31 - __clz(static_cast<int>(word)); }

}  // namespace warpcodec::nearest
