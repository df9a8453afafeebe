// Finds, for each place of a tile of a block, the longest match among a few earlier places, one cta.
//
// Every lane takes eight places that follow each other. Of each it follows the links of the hash of 5 bytes, `depth`
// at most, and keeps the longest match. It begins with what it found at the place before. A match of L bytes there is
// a match of L - 1 here, at the same distance. Only a longer match is counted; behind a match that is long enough
// nothing else is looked for. So a match that is long is counted once in eight places: in repetitive input counting
// was most of the work. Where there is no match, the latest place with the same short hash may have a match of 3 or 4
// bytes, or more.
//
// Links lead to an earlier place of the window, or nowhere, and bytes decide.
#pragma once

#include "deflate_encode_enter.cuh"
#include "deflate_encode_price.cuh"

namespace warpcodec::deflate_encode {

/// The shortest match that links lead to: hashes may be equal where the fifth byte is not.
constexpr int SHORTEST_LINKED = 4;

/// In an element of `found`: what the match costs, if matches are priced.
constexpr int FOUND_PRICE_AT = 24;
static_assert((MOST_MATCH_PRICE << FOUND_PRICE_AT) < Token::MATCH && FOUND_PRICE_AT >= Token::LENGTH_AT + 8,
              "there is space beside length and distance");

/// How many bytes from `here` on equal those from `there` on, at most `limit`, which is not 0. Eight at a time: up to
/// 11 bytes behind the limit are read.
__device__ __forceinline__ int thread_count_equal_bytes(const uint32_t* raw, int here, int there, int limit) {
    const uint32_t* here_words = raw + (here >> 2);
    const uint32_t* there_words = raw + (there >> 2);
    const int here_shift = 8 * (here & 3), there_shift = 8 * (there & 3);
    uint32_t here_first = here_words[0], there_first = there_words[0];
    for (int equal = 0; equal < limit; equal += 8) {
        const uint32_t here_second = here_words[1], here_third = here_words[2], there_second = there_words[1],
                       there_third = there_words[2];
        const uint32_t low = __funnelshift_r(here_first, here_second, here_shift) ^
                             __funnelshift_r(there_first, there_second, there_shift);
        const uint32_t high = __funnelshift_r(here_second, here_third, here_shift) ^
                              __funnelshift_r(there_second, there_third, there_shift);
        if ((low | high) != 0) return min(limit, equal + ((low != 0 ? __ffs(low) - 1 : __ffs(high) + 31) >> 3));
        here_first = here_third;
        there_first = there_third;
        here_words += 2;
        there_words += 2;
    }
    return limit;
}

/// A match; without one the distance is 0.
struct Match {
    int length;
    int distance;
};

/// The longest match at a place. `before` is what was found at the place before, which the match at this one may go
/// on with. Of equal lengths that one, else the nearest.
template <typename Policy>
__device__ __forceinline__ Match thread_find(const Tile& tile, const TileMemory<Policy>& memory, int place, int depth,
                                             const Match& before) {
    constexpr int LINK_AT = Policy::LINKED ? WINDOW_BYTES : 0;
    const bool goes_on = before.length > SHORTEST_LINKED;
    if (before.length >= Policy::ENOUGH_BYTES) return Match{before.length - 1, before.distance};
    const int here = tile.misaligned_bytes + WINDOW_BYTES + place;
    const int limit = min(MAX_MATCH, tile.block_bytes - tile.start - place);
    const int most_reach = tile.reach(place);
    int longest = goes_on ? before.length - 1 : SHORTEST_LINKED - 1;
    int distance = goes_on ? before.distance : 0;
    int link = memory.links[LINK_AT + place];
    int reach = link;
    if (!Policy::LINKED) depth = 1;
    uint32_t last_four =
        thread_read_four(memory.raw, here + longest - 3);  // of the shortest match that would be longer
    for (int turn = 0; turn < depth && link != 0 && reach <= most_reach; ++turn) {
        const int there = here - reach;
        if (thread_read_four(memory.raw, there + longest - 3) == last_four) {
            const int equal = thread_count_equal_bytes(memory.raw, here, there, limit);
            if (equal > longest) {
                longest = equal;
                distance = reach;
                if (equal == limit) break;
                last_four = thread_read_four(memory.raw, here + longest - 3);
            }
        }
        if (Policy::LINKED) {
            link = memory.links[LINK_AT + place - reach];
            reach += link;
        }
    }
    if (distance != 0) return Match{longest, distance};
    if (Policy::SHORT_REACH == 0) return Match{0, 0};
    const int short_link = static_cast<int>(memory.found[found_at(place)] >> KEY_LINK_AT);
    if (short_link == 0 || short_link > min(most_reach, Policy::SHORT_REACH)) return Match{0, 0};
    const uint32_t difference = thread_read_four(memory.raw, here) ^ thread_read_four(memory.raw, here - short_link);
    constexpr uint32_t SHORT_MASK = ~0u >> 8 * (4 - Policy::SHORT_BYTES);
    if ((difference & SHORT_MASK) != 0) return Match{0, 0};
    return Match{difference != 0 ? MIN_MATCH : thread_count_equal_bytes(memory.raw, here, here - short_link, limit),
                 short_link};
}

/// A warp's windows: the matches of all places. Each lane takes eight places that follow each other.
template <typename Policy>
__device__ __forceinline__ void warp_find_windows(const Tile& tile, TileMemory<Policy>& memory, const Prices& prices,
                                                  int depth, int warp, int lane) {
    Match match{0, 0};
#pragma unroll 1
    for (int i = 0; i < WARP_WINDOWS; ++i) {
        const int place = warp * WARP_PLACES + lane * WARP_WINDOWS + i;
        match = tile.is_open(place) ? thread_find(tile, memory, place, depth, match) : Match{0, 0};
        uint32_t found = 0;
        if (match.distance != 0) {
            const Token token = Token::match(match.length, match.distance);
            found = token.word | (Policy::PRICED ? prices.of_match(token) << FOUND_PRICE_AT : 0);
        }
        memory.found[found_at(place)] = found;
    }
    if (warp == 0 && lane < 4) memory.found[found_at(TileMemory<Policy>::TILE_BYTES + lane)] = 0;
}

}  // namespace warpcodec::deflate_encode
