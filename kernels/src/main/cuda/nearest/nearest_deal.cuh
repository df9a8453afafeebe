// Step 3 of nearest_places.cuh: deals the places of a frame to buckets, each bucket in the order of the text.
//
// It is a pass of a stable radix sort (sort/sort_scatter.cuh has its reasons) for each kind, whose digit is a rank's
// bucket. A place takes part until its group lies within a window. A tile goes through all kinds, as no kind needs
// what others wrote. Each warp keeps a list of its places that still take part, so that later kinds have fewer rounds.
//
// A place's position in the tile's order counts places of digits before, and those of its own digit in warps before, in
// rounds before, in lanes before. In that order the tile's members lie in shared memory. Members of windows go from
// there to their buckets, neighbours side by side. A member of a crossing group has the member before as its nearest
// earlier place, so its result is written at once, in the order of the text. It goes nowhere else.
//
// Counts of a tile: for a window how many places it gets, for a crossing group its last place and 1. Sums and greatest
// values over the tiles before say where a tile's members of a window go, and which place comes before its first
// member of a crossing group.
#pragma once

#include "../sort/sort_scatter.cuh"
#include "nearest_tables.cuh"

namespace warpcodec::nearest {

template <class Shape>
struct DealMemory {
    Window windows[Shape::MOST_WINDOWS];
    uint32_t counts[Shape::MOST_DIGITS];
};

/// The digit of a rank. The windows are in shared memory.
template <class Shape>
__device__ __forceinline__ uint32_t thread_digit(const DealMemory<Shape>& memory, uint32_t rank) {
    return digit_of_rank<Shape>(memory.windows[rank / Shape::WINDOW], rank);
}

/// A thread's first place; the next ones are WARP_LANES apart.
template <class Shape>
__device__ __forceinline__ uint32_t thread_first_place(uint32_t tile) {
    const uint32_t lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    return tile * Shape::TILE + warp * (Shape::ROUNDS * WARP_LANES) + lane;
}

/// A bit for each place of a thread that there is.
template <class Shape>
__device__ __forceinline__ uint32_t thread_places(const FrameRange& frame, uint32_t first) {
    if (first >= frame.count) return 0;
    const uint32_t rounds = parts_of(frame.count - first, WARP_LANES);
    return ~0u >> (32 - (rounds < Shape::ROUNDS ? rounds : Shape::ROUNDS));
}

/// Counts of a tile, for all kinds. Each kind reads the ranks anew, as registers would cost warps.
template <class Shape>
__device__ __forceinline__ void cta_count_buckets(const NearestBatch& batch, uint32_t frame_index, uint32_t tile,
                                                  DealMemory<Shape>& memory) {
    const FrameRange frame = batch.frames[frame_index];
    if (tile * Shape::TILE >= frame.count) return;
    const uint32_t windows = windows_of<Shape>(frame.count), digits = digits_of<Shape>(frame.count);
    const uint32_t first = thread_first_place<Shape>(tile);
    uint32_t open = thread_places<Shape>(frame, first);
    const uint32_t* ranks = batch.ranks + frame.begin() + first;
#pragma unroll 1
    for (uint32_t kind = 0; kind < KINDS; ++kind) {
        const Window* table = table_of<Shape>(batch, frame, kind);
        for (uint32_t at = threadIdx.x; at < windows; at += Shape::THREADS) memory.windows[at] = table[at];
        for (uint32_t digit = threadIdx.x; digit < digits; digit += Shape::THREADS) memory.counts[digit] = 0;
        __syncthreads();
#pragma unroll 8
        for (uint32_t round = 0; round < Shape::ROUNDS; ++round) {
            if ((open >> round & 1) == 0) continue;
            const uint32_t digit = thread_digit(memory, ranks[round * WARP_LANES]);
            if (is_crossing(digit)) {
                atomicMax(&memory.counts[digit], first + round * WARP_LANES + 1);
            } else {
                atomicAdd(&memory.counts[digit], 1u);
                open &= ~(1u << round);
            }
        }
        __syncthreads();
        uint32_t* counts = counts_of<Shape>(batch, frame, kind, tile);
        for (uint32_t digit = threadIdx.x; digit < digits; digit += Shape::THREADS)
            counts[digit] = memory.counts[digit];
        __syncthreads();
    }
}

template <uint32_t WARPS>
struct PlaceMemory {
    uint32_t sums[WARPS][WARP_LANES];
};

/// Makes of the counts of 32 digits, of all tiles, where each tile's members go, or which place comes before. A lane
/// takes a digit, a warp some of the tiles.
template <class Shape, uint32_t WARPS>
__device__ __forceinline__ void cta_place_buckets(const NearestBatch& batch, uint32_t frame_index, uint32_t kind,
                                                  uint32_t first_digit, PlaceMemory<WARPS>& memory) {
    const FrameRange frame = batch.frames[frame_index];
    if (first_digit >= digits_of<Shape>(frame.count)) return;
    const uint32_t lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    const uint32_t digit = first_digit + lane;
    const uint32_t tiles = tiles_of<Shape>(frame.count), share = parts_of(tiles, WARPS);
    const uint32_t from = min(warp * share, tiles), limit = min(from + share, tiles);
    uint32_t* column = counts_of<Shape>(batch, frame, kind, 0) + digit;
    const auto join = [&](uint32_t a, uint32_t b) { return is_crossing(digit) ? max(a, b) : a + b; };
    uint32_t own = 0;
#pragma unroll 8
    for (uint32_t tile = from; tile < limit; ++tile) own = join(own, column[size_t{tile} * batch.digits]);
    memory.sums[warp][lane] = own;
    __syncthreads();
    const uint32_t window = digit / 2;
    uint32_t before = 0;
    if (!is_crossing(digit) && window < windows_of<Shape>(frame.count))
        before = bucket_begin<Shape>(batch, frame, kind, window);
    for (uint32_t other = 0; other < warp; ++other) before = join(before, memory.sums[other][lane]);
#pragma unroll 8
    for (uint32_t tile = from; tile < limit; ++tile) {
        const uint32_t count = column[size_t{tile} * batch.digits];
        column[size_t{tile} * batch.digits] = before;
        before = join(before, count);
    }
}

template <class Shape>
struct DealAllMemory {
    DealMemory<Shape> tile;  ///< counts: as cta_place_buckets leaves them
    uint16_t begins[Shape::MOST_DIGITS];  ///< of digits, in the tile's order
    uint16_t places[Shape::WARPS][Shape::ROUNDS * WARP_LANES];  ///< of the tile, that take part; of each warp
    uint32_t warp_sums[WARP_LANES];
    uint32_t member_count;
    union {
        /// Places of a warp so far, two digits a word; then where they begin among the tile's.
        alignas(16) uint32_t counts[Shape::WARPS][Shape::MOST_DIGITS / 2];
        uint64_t members[Shape::TILE];  ///< place, and rank above, in the tile's order
    };
};

/// Reads what a kind needs, and clears the warps' counts. The caller waits.
template <class Shape>
__device__ __forceinline__ void cta_set_up_deal(const NearestBatch& batch, const FrameRange& frame, uint32_t kind,
                                                uint32_t tile, DealAllMemory<Shape>& memory) {
    const uint32_t windows = windows_of<Shape>(frame.count), digits = digits_of<Shape>(frame.count);
    const Window* table = table_of<Shape>(batch, frame, kind);
#pragma unroll 1  // as few turns as there are, for fewer registers
    for (uint32_t at = threadIdx.x; at < windows; at += Shape::THREADS) memory.tile.windows[at] = table[at];
    const uint32_t* counts = counts_of<Shape>(batch, frame, kind, tile);
    for (uint32_t digit = threadIdx.x; digit < digits; digit += Shape::THREADS)
        memory.tile.counts[digit] = counts[digit];
    uint4* own = reinterpret_cast<uint4*>(memory.counts[threadIdx.x / WARP_LANES]);
    for (uint32_t at = threadIdx.x % WARP_LANES; at < digits / 8; at += WARP_LANES) own[at] = make_uint4(0, 0, 0, 0);
}

/// Counts the `open` places of a warp that take part. `dealt` gets digits, and below how many of the warp's places come
/// before.
template <class Shape>
__device__ __forceinline__ void warp_count_digits(DealAllMemory<Shape>& memory, uint32_t open, const uint32_t* ranks,
                                                  uint32_t (&dealt)[Shape::ROUNDS]) {
    const uint32_t lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    const uint16_t* places = memory.places[warp];
    uint16_t* counts = reinterpret_cast<uint16_t*>(memory.counts[warp]);
#pragma unroll
    for (uint32_t round = 0; round < Shape::ROUNDS; ++round) {
        const uint32_t at = round * WARP_LANES + lane;
        dealt[round] = at < open ? ranks[places[at]] : 0;
    }
#pragma unroll
    for (uint32_t round = 0; round < Shape::ROUNDS; ++round) {
        if (round * WARP_LANES >= open) continue;
        const bool is_open = round * WARP_LANES + lane < open;
        const uint32_t digit = is_open ? thread_digit(memory.tile, dealt[round]) : 0;
        const uint32_t all_open = __ballot_sync(ALL_LANES, is_open);
        const uint32_t peers = sort::warp_match_digit<Shape::DIGIT_BITS>(digit) & all_open;
        const uint32_t lower = peers & ((1u << lane) - 1);
        const uint32_t before = counts[digit];
        __syncwarp();
        if (is_open && lower == 0) counts[digit] = static_cast<uint16_t>(before + __popc(peers));
        dealt[round] = digit << 16 | (before + __popc(lower));
        __syncwarp();
    }
}

/// Makes of the warps' counts where their places begin among those of the digit, and sets where digits begin.
template <class Shape>
__device__ __forceinline__ void cta_place_digits(uint32_t digits, DealAllMemory<Shape>& memory) {
    constexpr uint32_t EACH = parts_of(Shape::MOST_DIGITS / 2, Shape::THREADS);
    uint32_t all[EACH], sum = 0;
#pragma unroll
    for (uint32_t i = 0; i < EACH; ++i) {
        const uint32_t at = i * Shape::THREADS + threadIdx.x;
        all[i] = 0;  // two sums, neither of which is above TILE
        if (at >= digits / 2) continue;
#pragma unroll 8
        for (uint32_t warp = 0; warp < Shape::WARPS; ++warp) {
            const uint32_t count = memory.counts[warp][at];
            memory.counts[warp][at] = all[i];
            all[i] += count;
        }
        sum += (all[i] & 0xFFFF) + (all[i] >> 16);
    }
    uint32_t before = sort::cta_exclusive_sum<Shape::THREADS>(sum, memory.warp_sums);
    if (threadIdx.x == Shape::THREADS - 1) memory.member_count = before + sum;
#pragma unroll
    for (uint32_t i = 0; i < EACH; ++i) {
        const uint32_t at = i * Shape::THREADS + threadIdx.x;
        if (at >= digits / 2) continue;
        memory.begins[at * 2] = static_cast<uint16_t>(before);
        memory.begins[at * 2 + 1] = static_cast<uint16_t>(before + (all[i] & 0xFFFF));
        before += (all[i] & 0xFFFF) + (all[i] >> 16);
    }
}

/// Writes the results of places whose groups cross. Keeps these places, and gives how many a warp has.
template <class Shape>
__device__ __forceinline__ uint32_t warp_write_places(const NearestBatch& batch, const FrameRange& frame, uint32_t kind,
                                                      uint32_t tile_begin, uint32_t open,
                                                      const uint32_t (&dealt)[Shape::ROUNDS],
                                                      DealAllMemory<Shape>& memory) {
    const uint32_t lane = threadIdx.x % WARP_LANES;
    uint16_t* places = memory.places[threadIdx.x / WARP_LANES];
    uint32_t* nearest = batch.nearest + (frame.begin() + tile_begin) * KINDS + kind;
    const uint32_t with_bytes = frame.count < length_of(kind) ? 0 : frame.count - length_of(kind) + 1;
    uint32_t kept = 0;
#pragma unroll
    for (uint32_t round = 0; round < Shape::ROUNDS; ++round) {
        if (round * WARP_LANES >= open) continue;
        const bool is_open = round * WARP_LANES + lane < open;
        const uint32_t digit = is_open ? dealt[round] >> 16 : 0, at = dealt[round] & 0xFFFF;
        const uint32_t place = is_open ? places[round * WARP_LANES + lane] : 0;
        const bool crosses = is_open && is_crossing(digit);
        const uint32_t all_crossing = __ballot_sync(ALL_LANES, crosses);
        __syncwarp();  // the list is read, and may change up to here
        if (crosses) {
            const uint32_t before = at == memory.begins[digit] ? memory.tile.counts[digit] - 1
                                                               : static_cast<uint32_t>(memory.members[at - 1]);
            nearest[place * KINDS] = tile_begin + place < with_bytes ? before : NO_PLACE;
            places[kept + __popc(all_crossing & ((1u << lane) - 1))] = static_cast<uint16_t>(place);
        }
        kept += __popc(all_crossing);
    }
    return kept;
}

/// Deals the places of a tile, for all kinds.
template <class Shape>
__device__ __forceinline__ void cta_deal_places(const NearestBatch& batch, uint32_t frame_index, uint32_t tile,
                                                DealAllMemory<Shape>& memory) {
    constexpr uint32_t WARP_PLACES = Shape::ROUNDS * WARP_LANES;
    const FrameRange frame = batch.frames[frame_index];
    if (tile * Shape::TILE >= frame.count) return;
    const uint32_t lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    const uint32_t tile_begin = tile * Shape::TILE, first = tile_begin + warp * WARP_PLACES;
    const uint32_t* ranks = batch.ranks + frame.begin() + tile_begin;
    uint16_t* places = memory.places[warp];
    uint32_t open = first < frame.count ? min(frame.count - first, WARP_PLACES) : 0;
    for (uint32_t at = lane; at < open; at += WARP_LANES) places[at] = static_cast<uint16_t>(warp * WARP_PLACES + at);
#pragma unroll 1
    for (uint32_t kind = 0; kind < KINDS; ++kind) {
        uint32_t dealt[Shape::ROUNDS];
        cta_set_up_deal(batch, frame, kind, tile, memory);
        __syncthreads();
        warp_count_digits(memory, open, ranks, dealt);
        __syncthreads();
        cta_place_digits(digits_of<Shape>(frame.count), memory);
        __syncthreads();
        const uint16_t* counts = reinterpret_cast<const uint16_t*>(memory.counts[warp]);
#pragma unroll
        for (uint32_t round = 0; round < Shape::ROUNDS; ++round) {
            if (round * WARP_LANES + lane >= open) continue;
            const uint32_t digit = dealt[round] >> 16;
            dealt[round] += memory.begins[digit] + counts[digit];
        }
        __syncthreads();
#pragma unroll
        for (uint32_t round = 0; round < Shape::ROUNDS; ++round) {
            if (round * WARP_LANES + lane >= open) continue;
            const uint32_t place = places[round * WARP_LANES + lane];
            memory.members[dealt[round] & 0xFFFF] = (tile_begin + place) | uint64_t{ranks[place]} << 32;
        }
        __syncthreads();
        open = warp_write_places(batch, frame, kind, tile_begin, open, dealt, memory);
#pragma unroll 4
        for (uint32_t at = threadIdx.x; at < memory.member_count; at += Shape::THREADS) {
            const uint64_t member = memory.members[at];
            const uint32_t digit = thread_digit(memory.tile, static_cast<uint32_t>(member >> 32));
            const uint32_t target = memory.tile.counts[digit] + at - memory.begins[digit];
            if (!is_crossing(digit) && target < frame.count) batch.members[frame.begin() + target] = member;
        }
        __syncthreads();
    }
}

}  // namespace warpcodec::nearest
