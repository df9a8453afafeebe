// Finds the cheapest way from each place of a block, by prices: four lanes a chunk of 2 KiB, eight chunks a warp.
//
// A chunk's places are taken from its last to its first. The cost of a place is that of the cheapest way from it to the
// chunk's end: a literal, or a match of any length up to its longest, each length by the nearest match that has it.
// A lane takes each fourth length up to ALL_LENGTHS. Above, matches are tried whole, and the longest by LAST_LENGTHS
// below its own. A match of MAX_MATCH bytes is taken whatever else there is. Of equal costs the longest step is taken.
//
// Matches may lead behind their chunk. What is there costs TAIL_PRICE a byte: costs differ by little from chunk to
// chunk, and a way goes on in the next chunk wherever it enters. So ways need no ends, and chunks do not wait for each
// other.
//
// Costs lie in a ring in shared memory, 16 bits of each. From a place to any in reach of a match costs differ by no
// more than MAX_MATCH literals, so their difference has a sign. Lanes of a chunk read costs that were written three
// turns before, or more.
#pragma once

#include "deflate_encode_best_format.cuh"
#include "deflate_encode_write.cuh"

namespace warpcodec::deflate_encode {

struct BestParseMemory {
    static constexpr int RING = 288;  ///< places of a chunk with known costs
    BlockPrices prices;
    uint16_t costs[BestShape::WARPS][RING][BestShape::CHUNKS];
    static_assert(RING > MAX_MATCH);
};
static_assert(MAX_MATCH * BestPrices::MOST_LITERAL + BestPrices::MOST_MATCH < 1 << 15, "differences have a sign");

constexpr int ALL_LENGTHS = 32;
constexpr int LAST_LENGTHS = 7;
constexpr int TAIL_PRICE_OF_BYTE = 2 * BestPrices::PRICE_OF_BIT;

/// A step and what the way with it costs more than that from the next place on: the cheapest is the smallest.
struct Step {
    static constexpr int COST_AT = 9;
    static constexpr int MOST_COST = 1 << 16;
    static constexpr uint32_t NONE = ~0u;
    uint32_t word;

    static __device__ __forceinline__ Step of(int cost, int length) {
        return Step{static_cast<uint32_t>(cost + MOST_COST) << COST_AT | static_cast<uint32_t>(MAX_MATCH - length)};
    }
    __device__ __forceinline__ int cost() const { return static_cast<int>(word >> COST_AT) - MOST_COST; }
    __device__ __forceinline__ int length() const { return MAX_MATCH - static_cast<int>(word & ((1u << COST_AT) - 1)); }
};

/// A match as lanes show it to each other: its length, and what its distance costs; 0 is none.
struct PricedMatch {
    static constexpr int PRICE_AT = 9;
    uint32_t word;

    static __device__ __forceinline__ PricedMatch of(uint32_t match, const BestPrices& prices) {
        if (match == 0) return PricedMatch{0};
        const uint32_t symbol = match >> PlaceMatches::DISTANCE_SYMBOL_AT & 31;
        return PricedMatch{static_cast<uint32_t>(Token{match}.length()) | static_cast<uint32_t>(prices.distance[symbol])
                                                                              << PRICE_AT};
    }
    __device__ __forceinline__ int length() const { return static_cast<int>(word & ((1u << PRICE_AT) - 1)); }
    __device__ __forceinline__ int price() const { return static_cast<int>(word >> PRICE_AT); }
};

/// A chunk: its first place's elements.
struct BestChunk {
    const uint8_t* raw;
    const PlaceMatches* matches;
    uint32_t* steps;
    int bytes;  ///< 0 behind the block's end
};

/// The chunk of the lane, of as many as the warp has.
struct ChunkParse {
    static constexpr int RING = BestParseMemory::RING, LANES = BestShape::LANES;
    const BestPrices& prices;
    uint16_t (&costs)[RING][BestShape::CHUNKS];
    int column;
    int at;  ///< the place in the ring
    uint32_t cost_behind;  ///< of the next place; 16 bits count

    /// What a match of so many bytes costs.
    __device__ __forceinline__ Step step_by(const PricedMatch& match, int length) const {
        const uint32_t entry = static_cast<uint32_t>(at + length);
        const uint32_t cost = costs[min(entry, entry - RING)][column];
        const int more = static_cast<int16_t>(static_cast<uint16_t>(cost - cost_behind));
        return Step::of(more + prices.length[length - MIN_MATCH] + match.price(), length);
    }
};

/// The cheapest step by a match, of those that the lane `own` of a chunk tries.
__device__ __forceinline__ Step thread_try_matches(const ChunkParse& chunk, const PricedMatch (&matches)[4], int own) {
    static_assert(PlaceMatches::COUNT == 4 && BestShape::LANES == 4);
    Step best{Step::NONE};
    const auto take = [&](const PricedMatch& match, int length) {
        best.word = min(best.word, chunk.step_by(match, length).word);
    };
    const PricedMatch& longest_match = matches[3];
    const int longest = longest_match.length();
    if (longest == MAX_MATCH) {
        if (own == 0) take(longest_match, MAX_MATCH);
        return best;
    }
    const int limit = min(longest, ALL_LENGTHS);
#pragma unroll 1
    for (int length = MIN_MATCH + own; length <= limit; length += BestShape::LANES) {
        const PricedMatch match = matches[0].length() >= length   ? matches[0]
                                  : matches[1].length() >= length ? matches[1]
                                  : matches[2].length() >= length ? matches[2]
                                                                  : longest_match;
        take(match, length);
    }
    if (longest > ALL_LENGTHS) {
        const PricedMatch match = own == 0 ? matches[0] : own == 1 ? matches[1] : matches[2];
        if (own < 3 && match.length() > ALL_LENGTHS) take(match, match.length());
        const int least = max(max(ALL_LENGTHS, matches[2].length()), longest - LAST_LENGTHS - 1);
#pragma unroll 1
        for (int length = longest - own; length > least; length -= BestShape::LANES) take(longest_match, length);
    }
    return best;
}

/// The token of a step: of its length, with the nearest match that has it.
__device__ __forceinline__ uint32_t thread_step_token(const PlaceMatches& matches, int length) {
    if (length < MIN_MATCH) return 0;
    uint32_t token = 0;
#pragma unroll
    for (int i = PlaceMatches::COUNT - 1; i >= 0; --i) {
        const Token match{matches.of[i]};
        if (match.word != 0 && match.length() >= length) token = Token::match(length, match.distance()).word;
    }
    return token;
}

/// Parses the chunks of a warp. All of its lanes call; `chunk` is that of the lane, and none has more bytes than the
/// first one.
__device__ __forceinline__ void warp_parse_chunks(const BestChunk& chunk, const BestPrices& prices,
                                                  uint16_t (&costs)[BestParseMemory::RING][BestShape::CHUNKS]) {
    constexpr int LANES = BestShape::LANES, AT_ONCE = LANES, RING = BestParseMemory::RING;
    const int lane = threadIdx.x % WARP_LANES, own = lane % LANES;
    const int most_bytes = __shfl_sync(ALL_LANES, chunk.bytes, 0);
    ChunkParse parse{prices, costs, lane / LANES, 0, 0};
    for (int behind = own; behind <= MAX_MATCH; behind += LANES)
        costs[(chunk.bytes + behind) % RING][parse.column] = static_cast<uint16_t>(-behind * TAIL_PRICE_OF_BYTE);
    __syncwarp();
    // a lane has a place of each group, with its matches and its byte
    int group = (most_bytes + AT_ONCE - 1) / AT_ONCE * AT_ONCE - AT_ONCE;
    PlaceMatches ahead{};
    uint32_t byte_ahead = 0;
    const auto bring = [&](int place) {
        if (place >= chunk.bytes) return;
        ahead = chunk.matches[place];
        byte_ahead = chunk.raw[place];
    };
    if (group >= 0) bring(group + own);
#pragma unroll 1
    for (; group >= 0; group -= AT_ONCE) {
        const PlaceMatches matches = ahead;
        const int literal = prices.literal[byte_ahead];
        if (group > 0) bring(group - AT_ONCE + own);
        PricedMatch priced[PlaceMatches::COUNT];
#pragma unroll
        for (int i = 0; i < PlaceMatches::COUNT; ++i) priced[i] = PricedMatch::of(matches.of[i], prices);
        int own_length = 1;
#pragma unroll
        for (int i = AT_ONCE - 1; i >= 0; --i) {
            PricedMatch shown[PlaceMatches::COUNT];
#pragma unroll
            for (int k = 0; k < PlaceMatches::COUNT; ++k)
                shown[k].word = __shfl_sync(ALL_LANES, priced[k].word, i, LANES);
            parse.at = (group + i) % RING;
            Step best = thread_try_matches(parse, shown, own);
            if (own == i) best.word = min(best.word, Step::of(literal, 1).word);
            __syncwarp();
            best.word = min(best.word, __shfl_xor_sync(ALL_LANES, best.word, 1));
            best.word = min(best.word, __shfl_xor_sync(ALL_LANES, best.word, 2));
            if (own == i) own_length = best.length();
            if (group + i < chunk.bytes) {
                parse.cost_behind += static_cast<uint32_t>(best.cost());
                if (own == 0) costs[parse.at][parse.column] = static_cast<uint16_t>(parse.cost_behind);
            }
            __syncwarp();
        }
        if (group + own < chunk.bytes) chunk.steps[group + own] = thread_step_token(matches, own_length);
    }
}

/// Parses the chunks of a block, if unit `index` is one.
__device__ __forceinline__ void cta_parse_unit(const BestBatch& best, uint32_t index, BestParseMemory& memory) {
    const BatchBlock block(best.batch, index);
    if (!block.is_block) return;
    constexpr int VECTORS = sizeof(BlockPrices) / sizeof(uint4);
    const uint4* prices = reinterpret_cast<const uint4*>(best.prices + index);
    for (int i = threadIdx.x; i < VECTORS; i += BestShape::PARSE_THREADS)
        reinterpret_cast<uint4*>(&memory.prices)[i] = prices[i];
    __syncthreads();
    const int warp = threadIdx.x / WARP_LANES, from = threadIdx.x / BestShape::LANES * BestShape::CHUNK_BYTES;
    const int bytes = max(0, min(BestShape::CHUNK_BYTES, block.raw.block_bytes - from));
    const uint64_t first = block.first_element + static_cast<uint64_t>(from);
    const BestChunk chunk{block.raw.bytes + from, best.matches + first, best.steps + first, bytes};
    warp_parse_chunks(chunk, memory.prices.of[from / BestShape::TILE_BYTES], memory.costs[warp]);
}

}  // namespace warpcodec::deflate_encode
