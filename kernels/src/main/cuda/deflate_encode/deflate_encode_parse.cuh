// Chooses which matches of a tile to write, one cta.
//
// With PRICED the matches that are left are all worth taking (deflate_encode_choose.cuh). Without, whether a place
// takes its match depends on it and the next two places alone. The match is given up if one of those has a match that
// is worth more by more than the literals before it cost. Worth is counted in quarters of a byte. So the place after
// each place is known, and the parse is the way from the tile's entry. Within a window of 32 places it is found by
// doubling the step five times. Then each warp composes its eight windows, from the last to the first, through shared
// memory. There steps[p] is where the parse leaves the warp's 256 places if it enters at p. One thread goes from warp
// to warp; then each warp follows the way through its windows.
//
// At a tile's end nothing is known of the next one, and its last two places compare with nothing there.
#pragma once

#include "../common/warp.cuh"
#include "deflate_encode_choose.cuh"

namespace warpcodec::deflate_encode {

/// What a match is worth: its bytes, less what its distance takes, in quarters of a byte; 0 for none.
__device__ __forceinline__ int match_worth(uint32_t found) {
    const Token token{found};
    return found == 0 ? 0 : 4 * token.length() - (32 - __clz(token.distance())) + 64;
}

/// Given up for one more literal, or two more.
constexpr int WORTH_OF_ONE = 2;
constexpr int WORTH_OF_TWO = 5;

__device__ __forceinline__ bool is_worth_taking(uint32_t found, uint32_t next, uint32_t after_next) {
    const int worth = match_worth(found);
    return found != 0 && match_worth(next) <= worth + WORTH_OF_ONE && match_worth(after_next) <= worth + WORTH_OF_TWO;
}

/// What a warp knows of the way through one of its windows, from each place in it.
struct WindowWay {
    uint32_t chosen;  ///< places where a token starts, on the way from the lane's place to the window's end
    uint32_t takes;  ///< places that take their match; the same in all lanes
    int next;  ///< place behind the lane's own token, from the tile's first
};

template <typename Policy>
__device__ __forceinline__ WindowWay warp_walk_window(const TileMemory<Policy>& memory, int window_start, int lane,
                                                      int& exit) {
    const int place = window_start + lane;
    const uint32_t found = memory.found[found_at(place)];
    const bool takes =
        Policy::PRICED ? found != 0
                       : is_worth_taking(found, memory.found[found_at(place + 1)], memory.found[found_at(place + 2)]);
    const int own_next = lane + (takes ? Token{found}.length() : 1);
    uint32_t chosen = 1u << lane;
    int next = own_next;
#pragma unroll
    for (int doubling = 1; doubling < WARP_LANES; doubling *= 2) {
        const uint32_t more = __shfl_sync(ALL_LANES, chosen, next & (WARP_LANES - 1));
        const int further = __shfl_sync(ALL_LANES, next, next & (WARP_LANES - 1));
        if (next < WARP_LANES) {
            chosen |= more;
            next = further;
        }
    }
    exit = window_start + next;
    return WindowWay{chosen, __ballot_sync(ALL_LANES, takes), window_start + own_next};
}

/// What is shared while the way through a tile is found.
template <typename Policy>
struct WayMemory {
    static constexpr int WARPS = Policy::CTA_THREADS / WARP_LANES;
    static constexpr int NOT_ENTERED = -1;
    int entries[WARPS];  ///< where the parse enters each warp's places
    int tile_entry;  ///< where the parse enters the tile
};

/// Finds the way through a tile, and where the parse enters the next one. `starts` has the places of each of the warp's
/// windows where a token starts. Barriers inside; the caller's barrier comes before.
template <typename Policy>
__device__ __forceinline__ void cta_find_way(const Tile& tile, TileMemory<Policy>& memory, WayMemory<Policy>& way,
                                             int warp, int lane, WindowWay (&ways)[WARP_WINDOWS],
                                             uint32_t (&starts)[WARP_WINDOWS]) {
    using Way = WayMemory<Policy>;
    const int limit = tile.limit(TileMemory<Policy>::TILE_BYTES);
    const int warp_start = warp * WARP_PLACES;
#pragma unroll
    for (int window = WARP_WINDOWS - 1; window >= 0; --window) {
        const int start = warp_start + window * WARP_LANES;
        int exit;
        ways[window] = warp_walk_window(memory, start, lane, exit);
        if (exit < warp_start + WARP_PLACES) exit = memory.steps[exit];
        memory.steps[start + lane] = static_cast<uint16_t>(exit);
        __syncwarp();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int entry = way.tile_entry;
        for (int i = 0; i < Way::WARPS; ++i) {
            const bool enters = entry < (i + 1) * WARP_PLACES;
            way.entries[i] = enters ? entry : Way::NOT_ENTERED;
            if (enters) entry = memory.steps[entry];
        }
        way.tile_entry = entry - TileMemory<Policy>::TILE_BYTES;
    }
    __syncthreads();
    int entry = way.entries[warp];
#pragma unroll
    for (int window = 0; window < WARP_WINDOWS; ++window) {
        const int start = warp_start + window * WARP_LANES;
        starts[window] = 0;
        if (entry >= start && entry < start + WARP_LANES) {
            const uint32_t chosen = __shfl_sync(ALL_LANES, ways[window].chosen, entry - start);
            entry = __shfl_sync(ALL_LANES, ways[window].next, 31 - __clz(chosen));
            const int rest = limit - start;
            starts[window] = rest <= 0 ? 0 : rest >= WARP_LANES ? chosen : chosen & ((1u << rest) - 1);
        }
    }
}

/// What is shared while a tile is parsed.
template <typename Policy>
struct ParseMemory {
    static constexpr int WARPS = Policy::CTA_THREADS / WARP_LANES;
    WayMemory<Policy> way;
    uint32_t element_counts[WARPS];
    uint32_t block_elements;  ///< of tokens of the tiles before
};

/// Parses the tile: writes its tokens behind those of the block's tiles before, and counts their symbols. Barriers
/// inside; the caller's barrier comes before and after.
template <typename Policy>
__device__ __forceinline__ void cta_parse_tile(const Tile& tile, TileMemory<Policy>& memory, ParseMemory<Policy>& parse,
                                               Frequencies& frequencies, uint16_t* tokens, int warp, int lane) {
    using Parse = ParseMemory<Policy>;
    const int warp_start = warp * WARP_PLACES;
    WindowWay ways[WARP_WINDOWS];
    uint32_t starts[WARP_WINDOWS];
    cta_find_way(tile, memory, parse.way, warp, lane, ways, starts);
    uint32_t count = 0;
#pragma unroll
    for (int window = 0; window < WARP_WINDOWS; ++window)
        count += __popc(starts[window]) + __popc(starts[window] & ways[window].takes);
    if (lane == 0) parse.element_counts[warp] = count;
    __syncthreads();
    const uint32_t counts_up_to = warp_inclusive_sum(lane < Parse::WARPS ? parse.element_counts[lane] : 0, lane);
    const uint32_t all = __shfl_sync(ALL_LANES, counts_up_to, Parse::WARPS - 1);
    const uint32_t before = __shfl_sync(ALL_LANES, counts_up_to, max(warp - 1, 0));
    uint32_t at = parse.block_elements + (warp == 0 ? 0 : before);
    uint32_t* counts = frequencies.counts + warp % Frequencies::COPIES * Frequencies::COUNT;
#pragma unroll
    for (int window = 0; window < WARP_WINDOWS; ++window) {
        const int place = warp_start + window * WARP_LANES + lane;
        if (starts[window] >> lane & 1) {
            const int byte = tile.misaligned_bytes + WINDOW_BYTES + place;
            const bool takes = ways[window].takes >> lane & 1;
            const Token token{takes ? memory.found[found_at(place)] : memory.raw[byte >> 2] >> 8 * (byte & 3) & 0xFF};
            const uint32_t below = starts[window] & ((1u << lane) - 1);
            uint16_t* element = tokens + at + __popc(below) + __popc(below & ways[window].takes);
            element[0] = takes ? TokenElement::length(token) : static_cast<uint16_t>(token.word);
            if (takes) element[1] = TokenElement::distance(token);
            atomicAdd(&counts[token.literal_symbol().symbol], 1u);
            if (takes) atomicAdd(&counts[Frequencies::DISTANCES_AT + token.distance_symbol().symbol], 1u);
        }
        at += __popc(starts[window]) + __popc(starts[window] & ways[window].takes);
    }
    __syncthreads();
    if (threadIdx.x == 0) parse.block_elements += all;
}

}  // namespace warpcodec::deflate_encode
