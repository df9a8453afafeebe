// Steps 4 and 5 of strong_nearest.cuh: links the places of a bucket, which lie in the order of the text.
#pragma once

#include "strong_nearest_tables.cuh"

namespace strong_candidates {

constexpr uint32_t LINK_AHEAD = 8;  ///< steps whose places are asked for before the first is used

template <class Shape>
struct LinkMemory {
    static constexpr uint32_t WORDS = Shape::WINDOW / BITS;
    alignas(16) uint32_t latest[Shape::WINDOW];  ///< place of each group, at its head
    uint32_t heads[WORDS];
    uint16_t before[WORDS];  ///< the last head in words before
};

__device__ __forceinline__ void thread_write_nearest(const NearestBatch& batch, const FrameRange& frame, uint32_t kind,
                                                     uint32_t place, uint32_t nearest) {
    if (place >= frame.count) return;
    const bool has_bytes = frame.count - place >= length_of(kind);
    batch.nearest[size_t{kind} * batch.kind_words + frame.begin + place] = has_bytes ? nearest : NO_PLACE;
}

/// Reads the marks of a window, and sets up the rest of the memory.
template <class Shape>
__device__ __forceinline__ void warp_set_up_links(const uint32_t* heads, LinkMemory<Shape>& memory) {
    constexpr uint32_t WORDS = LinkMemory<Shape>::WORDS;
    const uint32_t lane = threadIdx.x % WARP_LANES;
    uint4* latest = reinterpret_cast<uint4*>(memory.latest);
    for (uint32_t at = lane; at < Shape::WINDOW / 4; at += WARP_LANES)
        latest[at] = make_uint4(NO_PLACE, NO_PLACE, NO_PLACE, NO_PLACE);
    for (uint32_t begin = 0, carried = 0; begin < WORDS; begin += WARP_LANES) {
        const uint32_t at = begin + lane;
        const uint32_t word = at < WORDS ? heads[at] : 0;
        uint32_t last = max(carried, word == 0 ? 0 : at * BITS + highest_mark(word));
#pragma unroll
        for (uint32_t distance = 1; distance < WARP_LANES; distance *= 2)
            last = max(last, __shfl_up_sync(ALL_LANES, last, distance));
        const uint32_t before = __shfl_up_sync(ALL_LANES, last, 1);
        if (at < WORDS) {
            memory.heads[at] = word;
            memory.before[at] = static_cast<uint16_t>(lane == 0 ? carried : before);
        }
        carried = __shfl_sync(ALL_LANES, last, WARP_LANES - 1);
    }
    __syncwarp();
}

/// Head of a rank's group, from the window's begin.
template <class Shape>
__device__ __forceinline__ uint32_t head_of(const LinkMemory<Shape>& memory, uint32_t rank) {
    const uint32_t offset = rank % Shape::WINDOW;
    const uint32_t marks = memory.heads[offset / BITS] & ~0u >> (BITS - 1 - offset % BITS);
    return marks != 0 ? offset / BITS * BITS + highest_mark(marks) : memory.before[offset / BITS];
}

/// Links, by `kind`, what lies within a window and was dealt by `dealt_kind`. A cta of one warp.
template <class Shape>
__device__ __forceinline__ void warp_link_bucket(const NearestBatch& batch, uint32_t frame_index, uint32_t dealt_kind,
                                                 uint32_t kind, uint32_t window, LinkMemory<Shape>& memory) {
    const FrameRange frame = batch.frames[frame_index];
    const uint32_t begin = window * Shape::WINDOW + table_of(batch, frame_index, dealt_kind)[window].first;
    if (begin >= frame.count) return;
    const uint32_t size = min(batch.sizes[size_t{frame_index} * batch.digits + window * 2], frame.count - begin);
    if (size == 0) return;
    warp_set_up_links(heads_of<Shape>(batch, frame_index, kind) + size_t{window} * LinkMemory<Shape>::WORDS, memory);
    const uint64_t* members = batch.members + frame.begin + begin;
    const uint32_t lane = threadIdx.x % WARP_LANES;
    uint64_t next[LINK_AHEAD];
#pragma unroll
    for (uint32_t i = 0; i < LINK_AHEAD; ++i) {
        const uint32_t at = i * WARP_LANES + lane;
        next[i] = at < size ? members[at] : 0;
    }
    for (uint32_t from = 0; from < size; from += LINK_AHEAD * WARP_LANES) {
        uint64_t own[LINK_AHEAD];
#pragma unroll
        for (uint32_t i = 0; i < LINK_AHEAD; ++i) {
            const uint32_t at = from + (LINK_AHEAD + i) * WARP_LANES + lane;
            own[i] = next[i];
            next[i] = at < size ? members[at] : 0;
        }
        // who has a group in common does not depend on what is entered
        uint32_t heads[LINK_AHEAD], peers[LINK_AHEAD], nearest[LINK_AHEAD];
#pragma unroll
        for (uint32_t i = 0; i < LINK_AHEAD; ++i) {
            const bool is_member = from + i * WARP_LANES + lane < size;
            heads[i] = head_of(memory, static_cast<uint32_t>(own[i] >> 32));
            peers[i] = __match_any_sync(ALL_LANES, is_member ? heads[i] : Shape::WINDOW);
            if (!is_member) peers[i] = 0;
        }
#pragma unroll
        for (uint32_t i = 0; i < LINK_AHEAD; ++i) {
            const uint32_t lower = peers[i] & ((1u << lane) - 1);
            nearest[i] = __shfl_sync(ALL_LANES, static_cast<uint32_t>(own[i]), lower == 0 ? lane : highest_mark(lower));
            if (lower == 0) nearest[i] = memory.latest[heads[i]];
            __syncwarp();
            if (peers[i] >> lane == 1) memory.latest[heads[i]] = static_cast<uint32_t>(own[i]);
            __syncwarp();
        }
#pragma unroll
        for (uint32_t i = 0; i < LINK_AHEAD; ++i) {
            if (peers[i] != 0) thread_write_nearest(batch, frame, kind, static_cast<uint32_t>(own[i]), nearest[i]);
        }
    }
}

/// Links member `at` of a frame's buckets, if its bucket is a group that crosses a window's end.
template <class Shape>
__device__ __forceinline__ void thread_link_crossing(const NearestBatch& batch, uint32_t frame_index, uint32_t kind,
                                                     uint32_t at) {
    const FrameRange frame = batch.frames[frame_index];
    if (at >= frame.count || !is_crossing<Shape>(table_of(batch, frame_index, kind)[at / Shape::WINDOW], at)) return;
    const bool is_head = (heads_of<Shape>(batch, frame_index, kind)[at / BITS] >> at % BITS & 1) != 0;
    const uint64_t* members = batch.members + frame.begin;
    const uint32_t nearest = is_head ? NO_PLACE : static_cast<uint32_t>(members[at - 1]);
    thread_write_nearest(batch, frame, kind, static_cast<uint32_t>(members[at]), nearest);
}

}  // namespace strong_candidates
