// Finds, for each place of a block, the nearest match of every length among a few earlier places, one cta.
//
// 1. Every lane takes eight places that follow each other, from the last to the first. At each it tries the latest
//    place with the same 3 bytes, then follows the links of the hash of 4 bytes, `depth` at most, nearest first. Each
//    match that is longer than those before it is kept, and of these the last four.
// 2. A match leads to one at the place before, at the same distance and a byte longer, if the bytes there are equal.
//    So what was found at the place behind is tried, too: it finds far places that many nearer ones lie before. Behind
//    a match that is long enough nothing else is looked for.
// 3. Then lanes hand the longest match of their first place to the lane before, which goes on with it in the same way,
//    until nothing gets longer; and once, warps to the warp before.
//
// The longest matches become a first way through the block, as at the level below (deflate_encode_choose.cuh). Its
// symbols make the first prices.
//
// Bounds: links lead to an earlier place of the window, or nowhere, and bytes decide. A match ends with its block. A
// lane is handed at most as many matches as lanes lie behind it, so 32 rounds suffice.
#pragma once

#include "deflate_encode_best_prices.cuh"
#include "deflate_encode_write.cuh"

namespace warpcodec::deflate_encode {

__device__ __forceinline__ int most_match_bytes(const Tile& tile, int place) {
    return min(MAX_MATCH, tile.block_bytes - tile.start - place);
}

/// The match that one at the place behind leads to; a distance of 0 if the bytes differ.
template <typename Policy>
__device__ __forceinline__ Match thread_extend(const Tile& tile, const TileMemory<Policy>& memory, int place,
                                               const Match& behind) {
    if (behind.distance == 0 || behind.distance > tile.reach(place)) return Match{0, 0};
    const int here = tile.misaligned_bytes + WINDOW_BYTES + place;
    const uint8_t* bytes = reinterpret_cast<const uint8_t*>(memory.raw);
    if (bytes[here] != bytes[here - behind.distance]) return Match{0, 0};
    return Match{min(behind.length + 1, most_match_bytes(tile, place)), behind.distance};
}

/// Keeps the matches of an open place in `kept`, and answers the longest. `extended` is the match that the place behind
/// led to.
template <typename Policy>
__device__ __forceinline__ Match thread_find_all(const Tile& tile, const TileMemory<Policy>& memory, int place,
                                                 int depth, const Match& extended, PlaceMatches& kept) {
    constexpr uint32_t SHORT_MASK = ~0u >> 8 * (4 - Policy::SHORT_BYTES);
    static_assert(Policy::LINKED && Policy::SHORT_BYTES == MIN_MATCH);
    Match longest{0, 0};
    const auto keep = [&](int length, int distance) {
        longest = Match{length, distance};
        kept.keep(Token::match(length, distance));
    };
    const auto keep_extended = [&](int reach) {
        if (extended.length > longest.length && extended.distance <= reach) keep(extended.length, extended.distance);
    };
    const int here = tile.misaligned_bytes + WINDOW_BYTES + place;
    const int most = most_match_bytes(tile, place), most_reach = tile.reach(place);
    if (extended.length >= Policy::ENOUGH_BYTES) {
        keep(extended.length, extended.distance);
        return longest;
    }
    const int short_link = static_cast<int>(memory.found[found_at(place)] >> KEY_LINK_AT);
    if (short_link != 0 && short_link <= most_reach) {
        const uint32_t difference =
            thread_read_four(memory.raw, here) ^ thread_read_four(memory.raw, here - short_link);
        if ((difference & SHORT_MASK) == 0) {
            keep_extended(short_link);
            const int length =
                difference != 0 ? MIN_MATCH : thread_count_equal_bytes(memory.raw, here, here - short_link, most);
            if (length > longest.length) keep(length, short_link);
        }
    }
    int link = memory.links[WINDOW_BYTES + place];
    int reach = link;
    int known = max(longest.length, SHORTEST_LINKED - 1);
    uint32_t last_four = thread_read_four(memory.raw, here + known - 3);  // of the shortest match that would be longer
    for (int turn = 0; turn < depth && link != 0 && reach <= most_reach && known < most; ++turn) {
        if (extended.length > known && extended.distance <= reach) {
            keep(extended.length, extended.distance);
            known = extended.length;
            last_four = thread_read_four(memory.raw, here + known - 3);
        }
        const int there = here - reach;
        if (thread_read_four(memory.raw, there + known - 3) == last_four) {
            const int equal = thread_count_equal_bytes(memory.raw, here, there, most);
            if (equal > known) {
                keep(equal, reach);
                known = equal;
                last_four = thread_read_four(memory.raw, here + known - 3);
            }
        }
        link = memory.links[WINDOW_BYTES + place - reach];
        reach += link;
    }
    keep_extended(WINDOW_BYTES);
    return longest;
}

__device__ __forceinline__ uint32_t found_word(const Match& match) {
    return match.distance == 0 ? 0 : Token::match(match.length, match.distance).word;
}

/// Goes on before the lane's places with the match of the place behind them. True if the first one has got a longer
/// match, which is `first` then. `matches` are those of the tile's places.
template <typename Policy>
__device__ __forceinline__ bool thread_go_on(const Tile& tile, TileMemory<Policy>& memory, int first_place,
                                             Match behind, PlaceMatches* matches, Match& first) {
    for (int i = WARP_WINDOWS - 1; i >= 0; --i) {
        const int place = first_place + i;
        behind = thread_extend(tile, memory, place, behind);
        uint32_t& found = memory.found[found_at(place)];
        if (behind.length <= (found == 0 ? 0 : Token{found}.length())) return false;
        found = found_word(behind);
        PlaceMatches kept = matches[place];
        kept.keep(Token{found});
        matches[place] = kept;
    }
    first = behind;
    return true;
}

/// Lanes hand the longest match of their first place to the lane before, until nothing gets longer. The last lane takes
/// `behind_warp`. Each lane has the longest match of its first place in `first`.
template <typename Policy>
__device__ __forceinline__ void warp_go_on(const Tile& tile, TileMemory<Policy>& memory, int first_place,
                                           const Match& behind_warp, PlaceMatches* matches, Match& first, int lane) {
#pragma unroll 1
    for (int round = 0; round < WARP_LANES; ++round) {
        Match behind{__shfl_down_sync(ALL_LANES, first.length, 1), __shfl_down_sync(ALL_LANES, first.distance, 1)};
        if (lane == WARP_LANES - 1) behind = behind_warp;
        const bool goes_on = thread_go_on(tile, memory, first_place, behind, matches, first);
        if (!__any_sync(ALL_LANES, goes_on)) break;
    }
}

/// The matches of all places of a tile to `matches`, and the longest ones, with prices, to `found`. Barriers inside.
template <typename Policy>
__device__ __forceinline__ void cta_find_all(const Tile& tile, TileMemory<Policy>& memory, const Prices& prices,
                                             int depth, PlaceMatches* matches, int warp, int lane) {
    const int first_place = warp * WARP_PLACES + lane * WARP_WINDOWS;
    const int limit = tile.limit(TileMemory<Policy>::TILE_BYTES);
    Match match{0, 0};
#pragma unroll 1
    for (int i = WARP_WINDOWS - 1; i >= 0; --i) {
        const int place = first_place + i;
        PlaceMatches kept{};
        match = tile.is_open(place)
                    ? thread_find_all(tile, memory, place, depth, thread_extend(tile, memory, place, match), kept)
                    : Match{0, 0};
        memory.found[found_at(place)] = found_word(match);
        if (place < limit) matches[place] = kept;
    }
    warp_go_on(tile, memory, first_place, Match{0, 0}, matches, match, lane);
    __syncthreads();
    const int next_place = (warp + 1) * WARP_PLACES;
    const Token behind{next_place < TileMemory<Policy>::TILE_BYTES ? memory.found[found_at(next_place)] : 0};
    __syncthreads();
    if (behind.word != 0)
        warp_go_on(tile, memory, first_place, Match{behind.length(), behind.distance()}, matches, match, lane);
#pragma unroll 1
    for (int i = 0; i < WARP_WINDOWS; ++i) {
        uint32_t& found = memory.found[found_at(first_place + i)];
        if (found != 0) found |= prices.of_match(Token{found}) << FOUND_PRICE_AT;
    }
    if (warp == 0 && lane < 4) memory.found[found_at(TileMemory<Policy>::TILE_BYTES + lane)] = 0;
}

/// Finds the matches of the blocks of a batch, and their first prices: this cta every gridDim.x-th.
template <typename Policy>
__device__ __forceinline__ void cta_find_units(const BestBatch& best, EncodeMemory<Policy>& memory) {
    const EncodeBatch& batch = best.batch;
    for (uint32_t index = blockIdx.x; index < batch.unit_count; index += gridDim.x) {
        const BatchBlock block(batch, index);
        if (!block.is_block) continue;
        PlaceMatches* matches = best.matches + block.first_element;
        cta_parse_block(block.raw, memory, batch.tokens + block.first_element,
                        [&](const Tile& tile, int warp, int lane) {
                            cta_find_all(tile, memory.tile, memory.prices, static_cast<int>(batch.depth),
                                         matches + tile.start, warp, lane);
                        });
        cta_gather_frequencies<Policy>(memory.frequencies);
        cta_make_prices<Policy>(memory.frequencies, memory.prices, best.prices[index], 0, BestShape::TILES);
    }
}

}  // namespace warpcodec::deflate_encode
