// Steps 1 and 2 of nearest_places.cuh: where groups begin in the order, and in its windows.
#pragma once

#include "nearest_tables.cuh"

namespace warpcodec::nearest {

constexpr uint32_t MARK_STEPS = 8;  ///< words of marks of a warp

/// The first bytes of a rotation, the first one lowest.
struct FirstBytes {
    uint32_t words[MOST_LENGTH / 4];
};

/// Reads the one or two blocks of 16 bytes that have them, or else byte by byte around the text's end.
__device__ __forceinline__ FirstBytes thread_load_first_bytes(const uint8_t* text, uint32_t place, uint32_t count) {
    constexpr uint32_t BLOCK = 16;
    FirstBytes first{};
    if (place >= count) return first;
    if (count < MOST_LENGTH || place > count - MOST_LENGTH) {
#pragma unroll
        for (uint32_t i = 0; i < MOST_LENGTH; ++i)
            first.words[i / 4] |= static_cast<uint32_t>(text[(place + i) % count]) << i % 4 * 8;
        return first;
    }
    const uint32_t past = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(text + place) % BLOCK);
    const uint4* blocks = reinterpret_cast<const uint4*>(text + place - past);
    const uint4 low = blocks[0], high = past + MOST_LENGTH > BLOCK ? blocks[1] : make_uint4(0, 0, 0, 0);
    const bool by_two = past % 16 >= 8, by_one = past % 8 >= 4;
    const uint32_t words[6] = {by_two ? low.z : low.x,  by_two ? low.w : low.y,   by_two ? high.x : low.z,
                               by_two ? high.y : low.w, by_two ? high.z : high.x, by_two ? high.w : high.y};
#pragma unroll
    for (uint32_t i = 0; i < MOST_LENGTH / 4; ++i) {
        const uint32_t from = by_one ? words[i + 1] : words[i], behind = by_one ? words[i + 2] : words[i + 1];
        first.words[i] = static_cast<uint32_t>((uint64_t{behind} << 32 | from) >> past % 4 * 8);
    }
    return first;
}

/// Bit k: the first bytes of kind k are not the same.
__device__ __forceinline__ uint32_t differing_kinds(const FirstBytes& a, const FirstBytes& b) {
    uint32_t kinds = 0;
#pragma unroll
    for (uint32_t kind = 0; kind < KINDS; ++kind) {
        uint32_t bits = 0;
#pragma unroll
        for (uint32_t i = 0; i < MOST_LENGTH / 4; ++i) {
            if (length_of(kind) <= i * 4) continue;
            const uint32_t bytes = length_of(kind) - i * 4;
            bits |= (a.words[i] ^ b.words[i]) & (bytes >= 4 ? ~0u : (1u << bytes * 8) - 1);
        }
        kinds |= (bits != 0 ? 1u : 0u) << kind;
    }
    return kinds;
}

/// Marks the heads of 32 * MARK_STEPS ranks from `begin` on, and notes the ranks of their places if they are not given.
/// The rest of the frame's last window has no marks; windows behind it are left alone.
template <class Shape, bool RANKS_GIVEN>
__device__ __forceinline__ void warp_mark_heads(const NearestBatch& batch, uint32_t frame_index, uint32_t begin) {
    const FrameRange frame = batch.frames[frame_index];
    const uint32_t lane = threadIdx.x % WARP_LANES;
    const uint8_t* text = batch.text + frame.begin();
    const uint32_t* order = batch.order + frame.begin();
    uint32_t* heads = heads_of(batch, frame, min(lane, KINDS - 1)) + begin / BITS;
    uint32_t places[MARK_STEPS];
#pragma unroll
    for (uint32_t step = 0; step < MARK_STEPS; ++step) {
        const uint32_t rank = begin + step * BITS + lane;
        places[step] = rank < frame.count ? order[rank] : NO_PLACE;
    }
    FirstBytes last{};
    if (begin > 0 && begin < frame.count) last = thread_load_first_bytes(text, order[begin - 1], frame.count);
#pragma unroll
    for (uint32_t step = 0; step < MARK_STEPS; ++step) {
        if ((begin + step * BITS) / Shape::WINDOW * Shape::WINDOW >= frame.count) break;
        const uint32_t rank = begin + step * BITS + lane;
        const FirstBytes own = thread_load_first_bytes(text, places[step], frame.count);
        FirstBytes before;
#pragma unroll
        for (uint32_t i = 0; i < MOST_LENGTH / 4; ++i) {
            before.words[i] = __shfl_up_sync(ALL_LANES, own.words[i], 1);
            if (lane == 0) before.words[i] = last.words[i];
            last.words[i] = __shfl_sync(ALL_LANES, own.words[i], WARP_LANES - 1);
        }
        const uint32_t differing = rank == 0 ? ~0u : rank < frame.count ? differing_kinds(before, own) : 0;
        uint32_t marks = 0;
#pragma unroll
        for (uint32_t kind = 0; kind < KINDS; ++kind) {
            const uint32_t votes = __ballot_sync(ALL_LANES, (differing >> kind & 1) != 0 && rank < frame.count);
            if (lane == kind) marks = votes;
        }
        if (lane < KINDS) heads[step] = marks;
        if (!RANKS_GIVEN && places[step] < frame.count) batch.ranks[frame.begin() + places[step]] = rank;
    }
}

/// Sets up the windows of a kind of a frame. All threads of the cta call, whole warps.
template <class Shape>
__device__ __forceinline__ void cta_find_windows(const NearestBatch& batch, uint32_t frame_index, uint32_t kind) {
    constexpr uint32_t WINDOW = Shape::WINDOW, WORDS = WINDOW / BITS;
    const FrameRange frame = batch.frames[frame_index];
    const uint32_t windows = windows_of<Shape>(frame.count);
    const uint32_t* heads = heads_of(batch, frame, kind);
    Window* table = table_of<Shape>(batch, frame, kind);
    const uint32_t lane = threadIdx.x % WARP_LANES;
    for (uint32_t window = threadIdx.x / WARP_LANES; window < windows; window += blockDim.x / WARP_LANES) {
        uint32_t first = WINDOW, last = 0;
        for (uint32_t at = lane; at < WORDS; at += WARP_LANES) {
            const uint32_t word = heads[size_t{window} * WORDS + at];
            if (word == 0) continue;
            first = min(first, at * BITS + __ffs(static_cast<int>(word)) - 1);
            last = at * BITS + highest_mark(word);
        }
#pragma unroll
        for (int distance = WARP_LANES / 2; distance > 0; distance /= 2) {
            first = min(first, __shfl_xor_sync(ALL_LANES, first, distance));
            last = max(last, __shfl_xor_sync(ALL_LANES, last, distance));
        }
        const bool is_open = first < WINDOW && window + 1 < windows && (heads[size_t{window + 1} * WORDS] & 1) == 0;
        if (lane == 0)
            table[window] = {static_cast<uint16_t>(first), static_cast<uint16_t>(is_open ? last : WINDOW), 0};
    }
    __syncthreads();
    if (threadIdx.x >= WARP_LANES) return;
    for (uint32_t begin = 0, carried = 0; begin < windows; begin += WARP_LANES) {
        const uint32_t window = begin + lane;
        const bool has_heads = window < windows && table[window].first < WINDOW;
        uint32_t latest = max(carried, has_heads ? window : 0);
#pragma unroll
        for (uint32_t distance = 1; distance < WARP_LANES; distance *= 2)
            latest = max(latest, __shfl_up_sync(ALL_LANES, latest, distance));
        const uint32_t before = __shfl_up_sync(ALL_LANES, latest, 1);
        if (window < windows) table[window].before = lane == 0 ? carried : before;
        carried = __shfl_sync(ALL_LANES, latest, WARP_LANES - 1);
    }
}

}  // namespace warpcodec::nearest
