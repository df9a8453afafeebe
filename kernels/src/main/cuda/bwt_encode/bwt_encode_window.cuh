// A window: the tied rotations of one cta in a round. Their groups begin in the window's places; the last one may reach as far behind it.
//
// Group bits of the window and of as many places behind it as a group may have say which groups are its own: from the first that begins in it to the first that begins
// behind it. Only the last of them can be larger than a window; if it is too large, it is a segment of the sort and no one's here. What is tied among them is listed, so that
// threads have work side by side however few they are.
#pragma once

#include "bwt_encode_heads.cuh"

namespace warpcodec::bwt_encode {

constexpr int WINDOW_PLACES = RefinePolicy::WINDOW + RefinePolicy::MAX_GROUP;
static_assert(WINDOW_PLACES <= FRAME_PLACES && RefinePolicy::MAX_GROUP >= RefinePolicy::WINDOW && RefinePolicy::WINDOW % 32 == 0);
static_assert(TILE_ROTATIONS % RefinePolicy::WINDOW == 0, "no window has places of two blocks");
constexpr uint32_t WINDOWS_PER_TILE = TILE_ROTATIONS / RefinePolicy::WINDOW;

struct Window {
    uint32_t begin;  ///< its first place
    uint32_t block_base;
    uint32_t block_bytes;
};

struct WindowMemory {
    HeadFrame frame;  ///< the groups as the round found them
    uint32_t word_counts[FRAME_WORDS];  ///< tied rotations of the window in words before
    uint16_t list[WINDOW_PLACES];  ///< their places, counted from the window's first
    uint32_t count;
};

/// The window `index` of all, or one of a block without bytes.
__device__ __forceinline__ Window load_window(const BwtBatch& batch, uint32_t index) {
    const Block block = load_block(batch, batch.tile_blocks[index / WINDOWS_PER_TILE]);
    const uint32_t begin = index * RefinePolicy::WINDOW;
    return Window{begin, block.base, begin - block.base < block.bytes ? block.bytes : 0};
}

/// Loads the words of group bits around a window. Behind the last tile every place begins a group. The caller waits after.
__device__ __forceinline__ void cta_load_heads(const BwtBatch& batch, const uint32_t* heads, const Window& window, HeadFrame& frame) {
    const uint32_t limit = batch.tile_count * FRAME_WORDS;
    for (uint32_t word = threadIdx.x; word < FRAME_WORDS; word += RefinePolicy::CTA_THREADS) {
        const uint32_t at = window.begin / 32 + word;
        frame.words[word] = at < limit ? __ldcg(heads + at) : ALL_LANES;
    }
}

/// Lists what is tied. Valid for the cta on return; memory.count of them.
__device__ __forceinline__ void cta_open_window(const BwtBatch& batch, const uint32_t* heads, const Window& window, WindowMemory& memory) {
    constexpr int PARTS = RefinePolicy::CTA_THREADS / FRAME_WORDS, PART_BITS = 32 / PARTS;
    static_assert(PARTS * FRAME_WORDS == RefinePolicy::CTA_THREADS && PARTS * PART_BITS == 32, "some threads a word");
    const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    HeadFrame& frame = memory.frame;
    cta_load_heads(batch, heads, window, frame);
    __syncthreads();
    if (warp == 0) warp_index_heads(frame, lane);
    __syncthreads();
    const int first = frame.first_from(0);
    int limit = frame.first_from(RefinePolicy::WINDOW);
    const int last = frame.begin_of(RefinePolicy::WINDOW - 1);
    if (limit - last > RefinePolicy::MAX_GROUP) limit = last;  // of -1 there is no group at all
    const int word = threadIdx.x / PARTS, part = threadIdx.x % PARTS;
    const uint32_t next = word + 1 < FRAME_WORDS ? frame.words[word + 1] : ALL_LANES;
    const uint32_t alone = frame.words[word] & (frame.words[word] >> 1 | next << 31);
    uint32_t tied = ~alone;
    if (32 * word < first) tied &= first - 32 * word >= 32 ? 0 : ALL_LANES << (first - 32 * word);
    if (32 * word + 32 > limit) tied &= limit <= 32 * word ? 0 : (1u << (limit - 32 * word)) - 1;
    if (part == 0) memory.word_counts[word] = __popc(tied);
    __syncthreads();
    if (warp == 0) {
        uint32_t counts[4], sum = 0;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            counts[i] = memory.word_counts[4 * lane + i];
            sum += counts[i];
        }
        const uint32_t inclusive = warp_inclusive_sum(sum, lane);
        uint32_t before = inclusive - sum;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            memory.word_counts[4 * lane + i] = before;
            before += counts[i];
        }
        if (lane == WARP_LANES - 1) memory.count = inclusive;
    }
    __syncthreads();
    uint32_t at = memory.word_counts[word] + __popc(tied & ((1u << (part * PART_BITS)) - 1));
    uint32_t mine = tied >> (part * PART_BITS) & ((1u << PART_BITS) - 1);
    for (; mine != 0; mine &= mine - 1) {
        memory.list[at++] = static_cast<uint16_t>(32 * word + part * PART_BITS + __ffs(static_cast<int>(mine)) - 1);
    }
    __syncthreads();
}

}  // namespace warpcodec::bwt_encode
