// Finds for each place of a tile the longest of a few earlier matches, one cta.
//
// What lies up to 32 KiB back is found in shared memory, as DEFLATE's encoder does it (deflate_encode_match.cuh). There
// is one candidate more for each place (zstd_encode_far.cuh). It is compared in device memory, unless it is where the
// match that goes on from the place before is.
//
// A match of four bytes that lies far back is left out: its sequence takes more bits than the literals.
//
// A far match has DISTANCE_IS_FAR in its element of `found`, and how far back it lies instead of the candidate.
#pragma once

#include "../deflate_encode/deflate_encode_match.cuh"
#include "zstd_encode_format.cuh"
#include "zstd_encode_policy.cuh"

namespace warpcodec::zstd_encode {

using deflate_encode::found_at;
using deflate_encode::Match;
using deflate_encode::Tile;
using deflate_encode::TileMemory;
using deflate_encode::Token;

constexpr int WINDOW_BYTES = deflate_encode::WINDOW_BYTES;
constexpr uint32_t DISTANCE_IS_FAR = 1u << 15;
static_assert(WINDOW_BYTES <= static_cast<int>(DISTANCE_IS_FAR), "a near distance leaves that bit");
/// A far match is taken if it is so much longer: its distance takes more bits.
constexpr int FAR_MARGIN_BYTES = 1;
/// A far match is taken from so many bytes on.
constexpr int SHORTEST_FAR = 6;

/// A range in device memory, from the aligned word that holds its first byte.
struct FarBytes {
    const uint32_t* words;
    uint32_t misaligned_bytes;  ///< of the range's first byte
};

/// How many bytes from `here` of shared memory on equal those from `there` of the range on, at most `limit`, which is
/// not 0. Eight at a time: up to 11 bytes behind the limit are read, which lie in front of the block's end on both
/// sides, or in shared memory.
__device__ __forceinline__ int thread_count_far_bytes(const uint32_t* raw, int here, const FarBytes& far,
                                                      uint32_t there, int limit) {
    const uint32_t there_byte = far.misaligned_bytes + there;
    const uint32_t* here_words = raw + (here >> 2);
    const uint32_t* there_words = far.words + there_byte / 4;
    const int here_shift = 8 * (here & 3), there_shift = static_cast<int>(8 * (there_byte & 3));
    uint32_t here_first = here_words[0], there_first = __ldg(there_words);
    for (int equal = 0; equal < limit; equal += 8) {
        const uint32_t there_second = __ldg(there_words + 1), there_third = __ldg(there_words + 2);
        const uint32_t here_second = here_words[1], here_third = here_words[2];
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

/// The better one of `match` and that of a candidate, which is a place of the range counted from 1, or 0. `place` is
/// counted from the tile's first, `first` is the tile's place in the range.
template <typename Policy>
__device__ __forceinline__ Match thread_find_far(const Tile& tile, const TileMemory<Policy>& memory, int place,
                                                 uint32_t first, uint32_t candidate, const FarBytes& far,
                                                 const Match& match) {
    if (candidate == 0 || match.length >= Policy::NEAR_ENOUGH_BYTES) return match;
    const int distance = static_cast<int>(first) + place - static_cast<int>(candidate - 1);
    if (distance == match.distance) return match;
    const int here = tile.misaligned_bytes + WINDOW_BYTES + place;
    const int limit = min(deflate_encode::MAX_MATCH, tile.block_bytes - tile.start - place);
    const int equal = distance <= tile.reach(place)
                          ? deflate_encode::thread_count_equal_bytes(memory.raw, here, here - distance, limit)
                          : thread_count_far_bytes(memory.raw, here, far, candidate - 1, limit);
    return equal >= SHORTEST_FAR && equal > match.length + FAR_MARGIN_BYTES ? Match{equal, distance} : match;
}

/// How far back the shortest matches are worth a sequence: near 10 bits and the distance's, for four literals' 22.
constexpr int SHORTEST_REACH = 4096;
static_assert(deflate_encode::SHORTEST_LINKED == 4);

/// The element of `found` for a match; 0 for none. How far back a far one lies replaces its candidate.
__device__ __forceinline__ uint32_t found_of(const Match& match, uint32_t* candidate) {
    if (match.distance == 0 || (match.length <= deflate_encode::SHORTEST_LINKED && match.distance > SHORTEST_REACH))
        return 0;
    if (match.distance <= WINDOW_BYTES) return Token::match(match.length, match.distance).word;
    *candidate = static_cast<uint32_t>(match.distance);
    return Token::match(match.length, WINDOW_BYTES).word | DISTANCE_IS_FAR;
}

/// A warp's windows: the matches of all places. Each lane takes eight places that follow each other. `candidates` are
/// those of the tile's places.
template <typename Policy>
__device__ __forceinline__ void warp_find_windows(const Tile& tile, TileMemory<Policy>& memory, uint32_t first,
                                                  uint32_t* candidates, const FarBytes& far, int warp, int lane) {
    using deflate_encode::WARP_PLACES;
    using deflate_encode::WARP_WINDOWS;
    Match match{0, 0};
#pragma unroll 1
    for (int i = 0; i < WARP_WINDOWS; ++i) {
        const int place = warp * WARP_PLACES + lane * WARP_WINDOWS + i;
        if (tile.is_open(place)) {
            match = deflate_encode::thread_find(tile, memory, place, 1, match);
            match = thread_find_far(tile, memory, place, first, candidates[place], far, match);
        } else {
            match = Match{0, 0};
        }
        memory.found[found_at(place)] = found_of(match, candidates + place);
    }
    if (warp == 0 && lane < 4) memory.found[found_at(TileMemory<Policy>::TILE_BYTES + lane)] = 0;
}

}  // namespace warpcodec::zstd_encode
