// What symbols cost, from how often they were written so far: prices by which the encoder chooses its tokens, in
// halves of a bit.
#pragma once

#include "../common/warp.cuh"
#include "deflate_encode_token.cuh"

namespace warpcodec::deflate_encode {

/// Symbols of the block so far, in copies for different warps: literals and lengths, then distances from DISTANCES_AT
/// on.
struct Frequencies {
    static constexpr int COPIES = 4;
    static constexpr int DISTANCES_AT = LITERAL_CODES;
    static constexpr int COUNT = DISTANCES_AT + 32;
    uint32_t counts[COPIES * COUNT];  ///< the sums of all copies come to lie in the first
};

constexpr int PRICE_OF_BIT = 2;

/// Prices of a block's first tile, without extra bits: a literal 6.5 bits, a length 7, a distance 4.
constexpr int FIRST_LITERAL_PRICE = 13;
constexpr int FIRST_LENGTH_PRICE = 14;
constexpr int FIRST_DISTANCE_PRICE = 8;
/// Bounds of a code's price: a symbol that was never seen is not ruled out, since it may be cheap from now on.
constexpr int LEAST_PRICE = PRICE_OF_BIT;
constexpr int MOST_LITERAL_PRICE = 13 * PRICE_OF_BIT;
constexpr int MOST_DISTANCE_PRICE = 12 * PRICE_OF_BIT;
constexpr int MOST_MATCH_PRICE = MOST_LITERAL_PRICE + MOST_DISTANCE_PRICE +
                                 PRICE_OF_BIT * (deflate::MAX_LENGTH_EXTRA_BITS + deflate::MAX_DISTANCE_EXTRA_BITS);

/// What each symbol costs with its extra bits.
struct Prices {
    uint16_t prices[Frequencies::COUNT];  ///< as Frequencies::counts

    __device__ __forceinline__ int of_literal(uint32_t byte) const { return prices[byte]; }
    __device__ __forceinline__ uint32_t of_match(Token token) const {
        return prices[token.literal_symbol().symbol] +
               prices[Frequencies::DISTANCES_AT + token.distance_symbol().symbol];
    }
};

/// Logarithm of a number above 0, times PRICE_OF_BIT; straight between powers of two. Below 2^30.
__device__ __forceinline__ int price_logarithm(uint32_t number) {
    const int whole = 31 - __clz(number);
    return whole * PRICE_OF_BIT + static_cast<int>((number - (1u << whole)) * PRICE_OF_BIT >> whole);
}

/// Sets the prices of a tile's symbols: thread `rank` of Frequencies::COUNT, whole warps. No barrier.
__device__ __forceinline__ void warp_set_prices(const Frequencies& frequencies, bool is_first_tile, int rank,
                                                Prices& prices) {
    static_assert(Frequencies::DISTANCES_AT % WARP_LANES == 0, "a warp has symbols of one alphabet");
    const int lane = rank % WARP_LANES;
    const bool is_distance = rank >= Frequencies::DISTANCES_AT;
    const int symbol = is_distance ? rank - Frequencies::DISTANCES_AT : rank;
    uint32_t extra_bits = 0;
    int price = FIRST_LITERAL_PRICE;
    if (is_distance) {
        if (symbol < DISTANCE_SYMBOLS) extra_bits = distance_extra_bits(symbol);
        price = FIRST_DISTANCE_PRICE;
    } else if (symbol >= static_cast<int>(END_OF_BLOCK)) {
        if (symbol > static_cast<int>(END_OF_BLOCK) && symbol < LITERAL_SYMBOLS) extra_bits = length_extra_bits(symbol);
        price = FIRST_LENGTH_PRICE;
    }
    if (!is_first_tile) {
        uint32_t own = 0, all = 0;
        const int first = is_distance ? Frequencies::DISTANCES_AT : 0,
                  limit = is_distance ? Frequencies::COUNT : Frequencies::DISTANCES_AT;
        for (int copy = 0; copy < Frequencies::COPIES; ++copy) {
            const uint32_t* counts = frequencies.counts + copy * Frequencies::COUNT;
            own += counts[rank];
            for (int other = first + lane; other < limit; other += WARP_LANES) all += counts[other];
        }
        all = __shfl_sync(ALL_LANES, warp_inclusive_sum(all, lane), WARP_LANES - 1);
        // A count c is taken for c + 1/2, so that every symbol has a price.
        price = price_logarithm(2 * all + (is_distance ? DISTANCE_SYMBOLS / 2 : LITERAL_CODES / 4)) -
                price_logarithm(2 * own + 1);
        price = max(LEAST_PRICE, min(is_distance ? MOST_DISTANCE_PRICE : MOST_LITERAL_PRICE, price));
    }
    prices.prices[rank] = static_cast<uint16_t>(price + static_cast<int>(extra_bits) * PRICE_OF_BIT);
}

}  // namespace warpcodec::deflate_encode
