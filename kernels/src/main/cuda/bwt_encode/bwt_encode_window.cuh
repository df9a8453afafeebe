// A window: the tied rotations of one cta in a round. Their groups begin in the window's places; the last one may
// reach as far behind it.
//
// Group bits of the window and of as many places behind it as a group may have say which groups are its own: from the
// first that begins in it to the first that begins behind it. Only the last of them can be larger than a window; if
// it is too large, it is a segment of the sort and no one's here. What is tied among them is listed, so that threads
// have work side by side however few they are.
#pragma once

#include "bwt_encode_heads.cuh"

namespace warpcodec::bwt_encode {

template <typename Shape>
using WindowFrame = HeadFrame<Shape::WINDOW_PLACES>;

struct Window {
    uint32_t index;
    uint32_t begin;  ///< its first place
    uint32_t block_base;
    uint32_t block_bytes;
};

/// A tied rotation of a window, and its group: 32 bits.
class Member {
    static constexpr int INDEX_BITS = 11, SIZE_BITS = 10;
    static_assert(2 * INDEX_BITS + SIZE_BITS <= 32);
    uint32_t packed_;

public:
    static constexpr int MOST_PLACES = 1 << INDEX_BITS, MOST_MEMBERS = 1 << SIZE_BITS;

    Member() = default;
    __device__ __forceinline__ Member(int place, int first, int size)
        : packed_(place | first << INDEX_BITS | (size - 1) << (2 * INDEX_BITS)) {}
    /// In the window.
    __device__ __forceinline__ int place() const { return packed_ & ((1 << INDEX_BITS) - 1); }
    /// Index in the list of the group's first rotation; its places follow each other there as they do in the window.
    __device__ __forceinline__ int first() const { return packed_ >> INDEX_BITS & ((1 << INDEX_BITS) - 1); }
    __device__ __forceinline__ int size() const { return static_cast<int>(packed_ >> (2 * INDEX_BITS)) + 1; }
};

template <typename Shape>
struct WindowMemory {
    static constexpr int WORDS = WindowFrame<Shape>::WORDS;
    static_assert(Shape::WINDOW_PLACES <= Member::MOST_PLACES && Shape::Refine::MAX_GROUP <= Member::MOST_MEMBERS);
    WindowFrame<Shape> frame;  ///< the groups as the round found them
    uint32_t tied[WORDS];  ///< a bit for each place that the window has to do with
    uint16_t tied_before[WORDS];  ///< bits in words before
    Member list[Shape::WINDOW_PLACES];
    int count;
    int first;  ///< the window's groups have the places from this one on
    int limit;
};

/// A window of the round's list.
template <typename Shape>
__device__ __forceinline__ Window load_window(const BwtBatch& batch, uint32_t index) {
    const uint32_t tile = index / Shape::WINDOWS_PER_TILE;
    if (tile >= batch.tile_count) return Window{0, 0, 0, 0};
    const Block block = load_block<Shape>(batch, batch.tile_blocks[tile]);
    return Window{index, index * Shape::Refine::WINDOW, block.base, block.bytes};
}

/// Loads the words of group bits around a window. Behind the last tile every place begins a group. The caller waits
/// after.
template <int THREADS, int PLACES>
__device__ __forceinline__ void cta_load_heads(const BwtBatch& batch, const Window& window, HeadFrame<PLACES>& frame) {
    const uint32_t limit = batch.tile_count * (TILE_ROTATIONS / 32);
    for (uint32_t word = threadIdx.x; word < HeadFrame<PLACES>::WORDS; word += THREADS) {
        const uint32_t at = window.begin / 32 + word;
        frame.words[word] = at < limit ? __ldcg(batch.heads + at) : ALL_LANES;
    }
}

/// Lists what is tied. Valid for the cta on return.
template <typename Shape>
__device__ __forceinline__ void cta_open_window(const BwtBatch& batch, const Window& window,
                                                WindowMemory<Shape>& memory) {
    using Refine = typename Shape::Refine;
    constexpr int WORDS = WindowFrame<Shape>::WORDS, PARTS = Refine::CTA_THREADS / WORDS, PART_BITS = 32 / PARTS,
                  EACH = WindowFrame<Shape>::WORDS_PER_LANE;
    static_assert(PARTS * WORDS == Refine::CTA_THREADS && PARTS * PART_BITS == 32, "some threads a word");
    const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    WindowFrame<Shape>& frame = memory.frame;
    cta_load_heads<Refine::CTA_THREADS>(batch, window, frame);
    __syncthreads();
    if (warp == 0) {
        warp_index_heads(frame, lane);
        __syncwarp();
        const int first = frame.first_from(0), last = frame.begin_of(Refine::WINDOW - 1);
        int limit = frame.first_from(Refine::WINDOW);
        if (limit - last > Refine::MAX_GROUP) limit = last;  // of -1 there is no group at all
        uint32_t counts[EACH], sum = 0;
#pragma unroll
        for (int i = 0; i < EACH; ++i) {
            const int word = EACH * lane + i;
            const uint32_t next = word + 1 < WORDS ? frame.words[word + 1] : ALL_LANES;
            uint32_t tied = ~(frame.words[word] & (frame.words[word] >> 1 | next << 31));
            if (32 * word < first) tied &= first - 32 * word >= 32 ? 0 : ALL_LANES << (first - 32 * word);
            if (32 * word + 32 > limit) tied &= limit <= 32 * word ? 0 : (1u << (limit - 32 * word)) - 1;
            memory.tied[word] = tied;
            counts[i] = __popc(tied);
            sum += counts[i];
        }
        const uint32_t inclusive = warp_inclusive_sum(sum, lane);
        uint32_t before = inclusive - sum;
#pragma unroll
        for (int i = 0; i < EACH; ++i) {
            memory.tied_before[EACH * lane + i] = static_cast<uint16_t>(before);
            before += counts[i];
        }
        if (lane == WARP_LANES - 1) memory.count = static_cast<int>(inclusive);
        if (lane == 0) memory.first = first, memory.limit = limit;
    }
    __syncthreads();
    const int word = threadIdx.x / PARTS, part = threadIdx.x % PARTS;
    const uint32_t tied = memory.tied[word];
    int at = memory.tied_before[word] + __popc(tied & ((1u << (part * PART_BITS)) - 1));
    uint32_t mine = tied >> (part * PART_BITS) & ((1u << PART_BITS) - 1);
    for (; mine != 0; mine &= mine - 1, ++at) {
        const int place = 32 * word + part * PART_BITS + __ffs(static_cast<int>(mine)) - 1;
        const int begin = frame.begin_of(place);
        memory.list[at] = Member(place, at - (place - begin), frame.end_of(place) - begin);
    }
    __syncthreads();
}

}  // namespace warpcodec::bwt_encode
