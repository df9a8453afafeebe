// Decides which parts of a block are DEFLATE blocks of their own, one cta: where kinds of data meet, each has better
// codes and prices alone.
//
// 1. The way through the block has left the symbols of each tile of 4 KiB (deflate_encode_best_steps.cuh).
// 2. A warp takes a tile as the first of a part, adds up tile after tile, and estimates the bits of the part that ends
//    there: the entropy of its symbols, and the bits of its header. Extra bits are the same in all parts, and left out.
// 3. The cheapest chain of parts is taken. Of equal chains, it is the chain with the longest last part.
//
// An estimate harms nothing but size. Integers only: the same parts on every device.
#pragma once

#include "deflate_encode_best_prices.cuh"

namespace warpcodec::deflate_encode {

/// What a part takes besides its symbols, and for each that it has: 71 bits and 3.6, by a model
/// (benchmarks/notes/deflate-encode.md). In parts of a bit, as logarithms.
constexpr uint32_t PART_PRICE = 71u << LOGARITHM_BITS, SYMBOL_PRICE = (18u << LOGARITHM_BITS) / 5;

/// A block's tiles, and which of them begin a part.
struct BlockParts {
    static constexpr int TILES = BestShape::TILES;
    uint16_t counts[TILES][Frequencies::COUNT];  ///< symbols, without the ends of blocks
    uint32_t prices[TILES][TILES];  ///< of the part from one tile to another one
    uint32_t limits[TILES];  ///< behind a tile's tokens, in elements
    uint32_t starts;  ///< a bit for each tile

    /// Behind the last tile of the part that begins with `tile`, of a block with so many.
    __device__ __forceinline__ int limit_of(int tile, int tiles) const {
        const uint32_t later = starts >> tile >> 1;
        return later == 0 ? tiles : tile + __ffs(static_cast<int>(later));
    }
    /// The first element of tokens of a tile.
    __device__ __forceinline__ uint32_t first_element(int tile) const { return tile == 0 ? 0 : limits[tile - 1]; }
};

__device__ __forceinline__ int tile_count(int block_bytes) {
    return (block_bytes + BestShape::TILE_BYTES - 1) / BestShape::TILE_BYTES;
}

__device__ __forceinline__ uint32_t warp_sum(uint32_t value) {
    const int lane = static_cast<int>(threadIdx.x % WARP_LANES);
    return __shfl_sync(ALL_LANES, warp_inclusive_sum(value, lane), WARP_LANES - 1);
}

/// A count times its logarithm.
__device__ __forceinline__ uint32_t thread_weight(uint32_t count) {
    return count < 2 ? 0 : count * static_cast<uint32_t>(thread_logarithm(count));
}
static_assert(uint64_t{BLOCK_BYTES} * 16 << LOGARITHM_BITS < 1ull << 29, "prices of two alphabets fit");

/// Symbols of one alphabet, of which each lane has every WARP_LANES-th.
template <int SYMBOLS>
struct LaneCounts {
    static constexpr int ROWS = SYMBOLS / WARP_LANES;
    static_assert(SYMBOLS % WARP_LANES == 0);
    uint32_t of[ROWS] = {};

    __device__ __forceinline__ void add(const uint16_t* counts) {
#pragma unroll
        for (int row = 0; row < ROWS; ++row)
            of[row] += counts[row * WARP_LANES + static_cast<int>(threadIdx.x) % WARP_LANES];
    }
    /// Their entropy, and what they take in a header. All lanes of the warp call.
    __device__ __forceinline__ uint32_t warp_price() const {
        uint32_t count = 0, used = 0, weight = 0;
#pragma unroll
        for (int row = 0; row < ROWS; ++row) {
            count += of[row];
            used += of[row] != 0 ? 1 : 0;
            weight += thread_weight(of[row]);
        }
        return thread_weight(warp_sum(count)) - warp_sum(weight) + warp_sum(used) * SYMBOL_PRICE;
    }
};

/// Estimates all parts that begin with tile `first`. All lanes of the warp call.
__device__ __forceinline__ void warp_price_parts(int first, int tiles, BlockParts& parts) {
    LaneCounts<Frequencies::DISTANCES_AT> literals;
    LaneCounts<Frequencies::COUNT - Frequencies::DISTANCES_AT> distances;
#pragma unroll 1
    for (int tile = first; tile < tiles; ++tile) {
        literals.add(parts.counts[tile]);
        distances.add(parts.counts[tile] + Frequencies::DISTANCES_AT);
        const uint32_t price = PART_PRICE + literals.warp_price() + distances.warp_price();
        if (threadIdx.x % WARP_LANES == 0) parts.prices[first][tile] = price;
    }
}

/// Takes the cheapest chain of parts. All lanes of the warp call.
__device__ __forceinline__ void warp_choose_parts(int tiles, BlockParts& parts) {
    static_assert(BlockParts::TILES < WARP_LANES);
    const int lane = static_cast<int>(threadIdx.x % WARP_LANES);
    uint32_t cheapest = 0;  // chain to the tile of the lane
    int before = 0;  // its last part's first tile
#pragma unroll 1
    for (int limit = 1; limit <= tiles; ++limit) {
        const uint32_t price = lane < limit ? cheapest + parts.prices[lane][limit - 1] : ~0u;
        uint32_t least = price;
#pragma unroll
        for (int distance = 1; distance < WARP_LANES; distance *= 2)
            least = min(least, __shfl_xor_sync(ALL_LANES, least, distance));
        const uint32_t are_least = __ballot_sync(ALL_LANES, price == least);
        if (lane == limit) {
            cheapest = least;
            before = __ffs(static_cast<int>(are_least)) - 1;
        }
    }
    uint32_t starts = 0;
    for (int limit = tiles; limit > 0;) {
        limit = __shfl_sync(ALL_LANES, before, limit);
        starts |= 1u << limit;
    }
    if (lane == 0) parts.starts = starts;
}

/// Decides a block's parts by its tiles' counts. The caller's barrier comes before; barriers inside, one at the end.
template <typename Policy>
__device__ __forceinline__ void cta_choose_parts(int tiles, BlockParts& parts) {
    static_assert(Policy::CTA_THREADS == BlockParts::TILES * WARP_LANES, "a warp for each tile");
    const int warp = static_cast<int>(threadIdx.x) / WARP_LANES;
    warp_price_parts(warp, tiles, parts);
    __syncthreads();
    if (warp == 0) warp_choose_parts(tiles, parts);
    __syncthreads();
}

/// Adds up the symbols of tiles in the first copy of the frequencies, with the end of the part. A barrier at the end.
template <typename Policy>
__device__ __forceinline__ void cta_gather_part(const BlockParts& parts, int first, int limit,
                                                Frequencies& frequencies) {
    static_assert(Policy::CTA_THREADS >= Frequencies::COUNT);
    const int symbol = static_cast<int>(threadIdx.x);
    if (symbol < Frequencies::COUNT) {
        uint32_t sum = symbol == static_cast<int>(END_OF_BLOCK) ? 1 : 0;
        for (int tile = first; tile < limit; ++tile) sum += parts.counts[tile][symbol];
        frequencies.counts[symbol] = sum;
    }
    __syncthreads();
}

}  // namespace warpcodec::deflate_encode
