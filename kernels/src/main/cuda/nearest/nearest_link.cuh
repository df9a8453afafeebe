// Step 4 of nearest_places.cuh: links the members of a bucket, which lie in the order of the text.
//
// A warp goes through the bucket for a kind, 32 members a step. Its table has, at the head of each group, the number of
// the group's latest member in 16 bits, so that a multiprocessor holds 10 to 12 tables of 8,192 ranks. Lanes of a group
// find each other by a ballot for each bit of the head. The lowest one looks up the table, the highest one enters.
//
// The warps of a cta are the kinds of one bucket. They meet every LINK_AHEAD steps, where a member's results come
// together. So a place is written once, 20 bytes in a row, and not a word for each kind: what a write to a random place
// takes hardly depends on its length.
#pragma once

#include "../sort/sort_scatter.cuh"
#include "nearest_tables.cuh"

namespace warpcodec::nearest {

constexpr uint32_t LINK_AHEAD = 8;  ///< steps whose members are asked for before the first is used
constexpr uint32_t LINK_MEMBERS = LINK_AHEAD * WARP_LANES;
constexpr uint16_t NO_MEMBER = 0xFFFF;

template <class Shape>
struct LinkTable {
    static constexpr uint32_t WORDS = Shape::WINDOW / BITS;
    alignas(16) uint16_t latest[Shape::WINDOW];  ///< member of each group, at its head
    uint32_t heads[WORDS];
    uint16_t before[WORDS];  ///< the last head in words before
};

template <class Shape, uint32_t KIND>
struct LinkMemory {
    static constexpr uint32_t WARPS = KINDS - KIND;  ///< a kind each
    LinkTable<Shape> tables[WARPS];
    uint32_t results[LINK_MEMBERS * WARPS];
    uint32_t places[LINK_MEMBERS];
};

/// Reads the marks of a window, and sets up the rest of the table.
template <class Shape>
__device__ __forceinline__ void warp_set_up_links(const uint32_t* heads, LinkTable<Shape>& table) {
    constexpr uint32_t WORDS = LinkTable<Shape>::WORDS, TURNS = parts_of(WORDS, WARP_LANES);
    const uint32_t lane = threadIdx.x % WARP_LANES;
    uint32_t words[TURNS];
#pragma unroll
    for (uint32_t turn = 0; turn < TURNS; ++turn) {
        const uint32_t at = turn * WARP_LANES + lane;
        words[turn] = at < WORDS ? heads[at] : 0;
    }
    uint4* latest = reinterpret_cast<uint4*>(table.latest);
    for (uint32_t at = lane; at < Shape::WINDOW / 8; at += WARP_LANES) latest[at] = make_uint4(~0u, ~0u, ~0u, ~0u);
    uint32_t carried = 0;
#pragma unroll
    for (uint32_t turn = 0; turn < TURNS; ++turn) {
        const uint32_t at = turn * WARP_LANES + lane, word = words[turn];
        uint32_t last = max(carried, word == 0 ? 0 : at * BITS + highest_mark(word));
#pragma unroll
        for (uint32_t distance = 1; distance < WARP_LANES; distance *= 2)
            last = max(last, __shfl_up_sync(ALL_LANES, last, distance));
        const uint32_t before = __shfl_up_sync(ALL_LANES, last, 1);
        if (at < WORDS) {
            table.heads[at] = word;
            table.before[at] = static_cast<uint16_t>(lane == 0 ? carried : before);
        }
        carried = __shfl_sync(ALL_LANES, last, WARP_LANES - 1);
    }
    __syncwarp();
}

/// Head of a rank's group, from the window's begin.
template <class Shape>
__device__ __forceinline__ uint32_t head_of(const LinkTable<Shape>& table, uint32_t rank) {
    const uint32_t offset = rank % Shape::WINDOW;
    const uint32_t marks = table.heads[offset / BITS] & ~0u >> (BITS - 1 - offset % BITS);
    return marks != 0 ? offset / BITS * BITS + highest_mark(marks) : table.before[offset / BITS];
}

__host__ __device__ constexpr uint32_t bits_of(uint32_t limit) { return limit <= 1 ? 0 : 1 + bits_of((limit + 1) / 2); }

/// Looks up and enters LINK_MEMBERS members from number `from` on; `found` gets the number of each one's nearest.
template <class Shape>
__device__ __forceinline__ void warp_link_members(const uint64_t (&members)[LINK_AHEAD], uint32_t from, uint32_t size,
                                                  LinkTable<Shape>& table, uint32_t (&found)[LINK_AHEAD]) {
    const uint32_t lane = threadIdx.x % WARP_LANES;
    // who has a group in common does not depend on what is entered
    uint32_t heads[LINK_AHEAD], peers[LINK_AHEAD];
#pragma unroll
    for (uint32_t i = 0; i < LINK_AHEAD; ++i) {
        const bool is_member = from + i * WARP_LANES + lane < size;
        heads[i] = head_of(table, static_cast<uint32_t>(members[i] >> 32));
        peers[i] = sort::warp_match_digit<bits_of(Shape::WINDOW)>(heads[i]);
        peers[i] &= __ballot_sync(ALL_LANES, is_member);
        if (!is_member) peers[i] = 0;
    }
#pragma unroll
    for (uint32_t i = 0; i < LINK_AHEAD; ++i) {
        const uint32_t begin = from + i * WARP_LANES, lower = peers[i] & ((1u << lane) - 1);
        found[i] = lower == 0 ? table.latest[heads[i]] : begin + highest_mark(lower);
        __syncwarp();
        if (peers[i] >> lane == 1) table.latest[heads[i]] = static_cast<uint16_t>(begin + lane);
        __syncwarp();
    }
}

/// Links the bucket of groups within a window that was dealt by KIND. A cta of a warp for each kind from KIND on.
template <class Shape, uint32_t KIND>
__device__ __forceinline__ void cta_link_bucket(const NearestBatch& batch, uint32_t frame_index, uint32_t window,
                                                LinkMemory<Shape, KIND>& memory) {
    constexpr uint32_t WARPS = LinkMemory<Shape, KIND>::WARPS;
    const FrameRange frame = batch.frames[frame_index];
    if (window >= windows_of<Shape>(frame.count)) return;
    const uint32_t begin = bucket_begin<Shape>(batch, frame, KIND, window);
    const uint32_t limit =
        window * Shape::WINDOW + ranks_within<Shape>(table_of<Shape>(batch, frame, KIND)[window], window, frame.count);
    if (begin >= limit) return;
    const uint32_t size = limit - begin;
    const uint32_t lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES, kind = KIND + warp;
    LinkTable<Shape>& table = memory.tables[warp];
    const uint64_t* members = batch.members + frame.begin() + begin;
    uint32_t* nearest = batch.nearest + frame.begin() * KINDS + KIND;
    uint64_t next[LINK_AHEAD];
#pragma unroll
    for (uint32_t i = 0; i < LINK_AHEAD; ++i) {
        const uint32_t at = i * WARP_LANES + lane;
        next[i] = at < size ? members[at] : 0;
    }
    warp_set_up_links(heads_of(batch, frame, kind) + size_t{window} * LinkTable<Shape>::WORDS, table);
    for (uint32_t from = 0; from < size; from += LINK_MEMBERS) {
        uint64_t own[LINK_AHEAD];
#pragma unroll
        for (uint32_t i = 0; i < LINK_AHEAD; ++i) {
            const uint32_t at = from + LINK_MEMBERS + i * WARP_LANES + lane;
            own[i] = next[i];
            next[i] = at < size ? members[at] : 0;
        }
        uint32_t found[LINK_AHEAD];
        warp_link_members(own, from, size, table, found);
#pragma unroll
        for (uint32_t i = 0; i < LINK_AHEAD; ++i) {
            const bool has_bytes = frame.count - static_cast<uint32_t>(own[i]) >= length_of(kind);
            found[i] = has_bytes && found[i] < size ? static_cast<uint32_t>(members[found[i]]) : NO_PLACE;
        }
        __syncthreads();  // the results before are written
#pragma unroll
        for (uint32_t i = 0; i < LINK_AHEAD; ++i) {
            const uint32_t at = i * WARP_LANES + lane;
            memory.results[at * WARPS + warp] = found[i];
            if (warp == 0) memory.places[at] = static_cast<uint32_t>(own[i]);
        }
        __syncthreads();
        const uint32_t words = min(LINK_MEMBERS, size - from) * WARPS;
        for (uint32_t at = threadIdx.x; at < words; at += WARPS * WARP_LANES) {
            const uint32_t place = memory.places[at / WARPS];
            if (place < frame.count) nearest[size_t{place} * KINDS + at % WARPS] = memory.results[at];
        }
    }
}

}  // namespace warpcodec::nearest
