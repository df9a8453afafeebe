// What the kernels of the level by price hand to each other: arrays in scratch with an element for each place of a
// block (BatchBlock).
#pragma once

#include "../common/warp.cuh"
#include "deflate_encode_format.cuh"
#include "deflate_encode_token.cuh"

namespace warpcodec::deflate_encode {

struct BestShape {
    static constexpr int CHUNK_BYTES = 2048;
    static constexpr int LANES = 4;  ///< of a chunk
    static constexpr int CHUNKS = WARP_LANES / LANES;  ///< of a warp
    static constexpr int WARPS = 4;
    static constexpr int PASSES = 3;  ///< parses by price of a block
    static constexpr int TILE_BYTES = 4096;  ///< with prices of their own
    static constexpr int TILES = BLOCK_BYTES / TILE_BYTES;
    static constexpr int PARSE_THREADS = WARPS * WARP_LANES;
    static_assert(WARPS * CHUNKS * CHUNK_BYTES == BLOCK_BYTES, "a cta has a block's chunks");
    static_assert(TILE_BYTES % CHUNK_BYTES == 0, "a chunk is of one tile");
};

/// Matches of a place, each longer and farther than the one before it; with fewer, zeros come first. A match is a
/// token, with the symbol of its distance from DISTANCE_SYMBOL_AT on.
struct alignas(16) PlaceMatches {
    static constexpr int COUNT = 4;
    static constexpr int DISTANCE_SYMBOL_AT = 24;
    uint32_t of[COUNT];

    /// Keeps a match behind the others. Where there is no space the first one goes, which is the shortest.
    __device__ __forceinline__ void keep(Token match) {
        for (int i = 0; i + 1 < COUNT; ++i) of[i] = of[i + 1];
        of[COUNT - 1] = match.word | match.distance_symbol().symbol << DISTANCE_SYMBOL_AT;
    }
};
static_assert(PlaceMatches::DISTANCE_SYMBOL_AT >= Token::LENGTH_AT + 8 &&
                  (DISTANCE_SYMBOLS - 1) << PlaceMatches::DISTANCE_SYMBOL_AT < Token::MATCH,
              "there is space beside length and distance");

/// What symbols of a part of a block cost with their extra bits, in parts of a bit.
struct BestPrices {
    static constexpr int PRICE_OF_BIT = 8;
    static constexpr int LEAST = PRICE_OF_BIT;
    static constexpr int MOST_LITERAL = 13 * PRICE_OF_BIT;
    static constexpr int MOST_DISTANCE = 12 * PRICE_OF_BIT;
    static constexpr int MOST_MATCH =
        MOST_LITERAL + MOST_DISTANCE +
        PRICE_OF_BIT * (deflate::MAX_LENGTH_EXTRA_BITS + deflate::MAX_DISTANCE_EXTRA_BITS);
    static_assert(MOST_LITERAL + PRICE_OF_BIT * deflate::MAX_LENGTH_EXTRA_BITS < 256 &&
                      MOST_DISTANCE + PRICE_OF_BIT * deflate::MAX_DISTANCE_EXTRA_BITS < 256,
                  "a price is a byte");
    uint8_t literal[256];
    uint8_t length[256];  ///< less MIN_MATCH
    uint8_t distance[32];  ///< by the symbol; those of no meaning cost nothing
};

/// Prices of each tile of a block, which are those of its part.
struct alignas(16) BlockPrices {
    BestPrices of[BestShape::TILES];
};
static_assert(sizeof(BlockPrices) % sizeof(uint4) == 0, "copied by 16 bytes");

/// A batch, and what the level by price needs beside it.
struct BestBatch {
    EncodeBatch batch;
    PlaceMatches* matches;  ///< slots_bytes elements
    uint32_t* steps;  ///< likewise: a token of each place, the match with which the cheapest way goes on, or 0
    BlockPrices* prices;  ///< of each unit
};
constexpr Layout BEST_BATCH_LAYOUT = ENCODE_BATCH_LAYOUT.WARPCODEC_FIELD(BestBatch, matches)
                                         .WARPCODEC_FIELD(BestBatch, steps)
                                         .WARPCODEC_FIELD(BestBatch, prices);
static_assert(BEST_BATCH_LAYOUT.is_of<BestBatch>() && sizeof(BestBatch) == 120, "the host sets these fields");

}  // namespace warpcodec::deflate_encode
