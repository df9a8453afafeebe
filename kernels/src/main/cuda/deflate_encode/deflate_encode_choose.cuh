// Chooses by price where a tile's matches are taken, one cta.
//
// A place's cost is the price of the cheapest way from it to where costs begin: it takes a literal, or its match,
// whichever is cheaper with what follows. Costs are computed from later places to earlier ones; a match that is not
// the cheaper choice is dropped from `found`.
//
// One thread goes through a segment of places, and what lies behind it need not be final: choices hardly depend on
// costs far away. So the odd segments come first, as if nothing followed; then the even ones, which see the costs of
// the odd one behind; then the odd ones again, which see the even one behind. Where costs are not known a byte costs
// TAIL_PRICE. No phase reads a cost that another thread writes in it.
#pragma once

#include "deflate_encode_match.cuh"

namespace warpcodec::deflate_encode {

/// With 84 places from a thread's pair of segments to the next thread's, their words are in different banks; and four
/// warps have a pair for each lane.
constexpr int SEGMENT_PLACES = 42;
/// Of a byte behind the last known cost.
constexpr int TAIL_PRICE = PRICE_OF_BIT / 2;

/// A stretch of places, and what is known behind them: costs[place] from `limit` to `known`, and that place `known`
/// costs `known_cost`.
struct Segment {
    int first;
    int limit;
    int known;
    int known_cost;
};

/// Computes the costs of a segment's places. Drops matches if DROPS. What a place needs is loaded while those behind
/// it are computed: its match two places ahead, and what the match leads to one ahead, which is at least three places
/// on.
template <bool DROPS, typename Policy>
__device__ __forceinline__ void thread_price_segment(const Tile& tile, TileMemory<Policy>& memory, const Prices& prices,
                                                     const Segment& segment) {
    if (segment.first >= segment.limit) return;
    int16_t* costs = reinterpret_cast<int16_t*>(memory.steps);
    const uint8_t* bytes = reinterpret_cast<const uint8_t*>(memory.raw) + tile.misaligned_bytes + WINDOW_BYTES;
    const auto cost_behind = [&](int place, uint32_t found) -> int {
        const int next = place + Token{found}.length();
        int cost = segment.known_cost - (next - segment.known) * TAIL_PRICE;
        if (next < segment.known) cost = costs[next];
        return cost;
    };
    // Places before the first are loaded, too, and not used: two bytes of the window, and elements of `found` at or
    // behind 0.
    const auto found_of = [&](int place) { return memory.found[found_at(max(place, 0))]; };
    int place = segment.limit - 1;
    int cost = segment.limit < segment.known ? costs[segment.limit] : segment.known_cost;
    uint32_t found = found_of(place), found_before = found_of(place - 1);
    uint32_t byte_before = bytes[place - 1];
    int literal = prices.of_literal(bytes[place]);
    int behind = cost_behind(place, found);
#pragma unroll 2
    for (; place >= segment.first; --place) {
        const uint32_t found_far_before = found_of(place - 2);
        const uint32_t byte_far_before = bytes[place - 2];
        const int literal_before = prices.of_literal(byte_before);
        const int behind_before = cost_behind(place - 1, found_before);
        cost += literal;
        const int with_match = static_cast<int>(found >> FOUND_PRICE_AT & 0x7F) + behind;
        const bool is_cheaper = found != 0 && with_match <= cost;
        if (DROPS && !is_cheaper) memory.found[found_at(place)] = 0;
        if (is_cheaper) cost = with_match;
        costs[place] = static_cast<int16_t>(cost);
        found = found_before;
        found_before = found_far_before;
        byte_before = byte_far_before;
        literal = literal_before;
        behind = behind_before;
    }
}

/// Drops all matches of the tile that are not worth taking. Barriers inside; the caller's barrier comes before and
/// after.
template <typename Policy>
__device__ __forceinline__ void cta_drop_matches(const Tile& tile, TileMemory<Policy>& memory, const Prices& prices) {
    constexpr int PAIRS = (TileMemory<Policy>::TILE_BYTES + 2 * SEGMENT_PLACES - 1) / (2 * SEGMENT_PLACES);
    static_assert(PAIRS <= Policy::CTA_THREADS);
    const int16_t* costs = reinterpret_cast<const int16_t*>(memory.steps);
    const int limit = tile.limit(TileMemory<Policy>::TILE_BYTES);
    const int even = 2 * SEGMENT_PLACES * static_cast<int>(threadIdx.x);
    const int odd = min(even + SEGMENT_PLACES, limit);
    const int next_even = min(odd + SEGMENT_PLACES, limit), next_odd = min(next_even + SEGMENT_PLACES, limit);
    const bool has_segments = threadIdx.x < PAIRS && even < limit;
    if (has_segments) thread_price_segment<false>(tile, memory, prices, Segment{odd, next_even, next_even, 0});
    __syncthreads();
    int next_odd_cost = 0;
    if (has_segments) {
        if (next_odd < limit) next_odd_cost = costs[next_odd];
        thread_price_segment<true>(tile, memory, prices, Segment{even, odd, next_even, 0});
    }
    __syncthreads();
    if (has_segments)
        thread_price_segment<true>(tile, memory, prices, Segment{odd, next_even, next_odd, next_odd_cost});
}

}  // namespace warpcodec::deflate_encode
