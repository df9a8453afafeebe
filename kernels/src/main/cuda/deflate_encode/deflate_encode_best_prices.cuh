// Prices of symbols for a parse, by how often the way before has used them, one cta.
//
// The price of a symbol is the logarithm of all counts less that of its own, in eighths of a bit and by integers: the
// same on every device. Counts are taken for a little more than they are, so a symbol that was not seen has a price.
#pragma once

#include "deflate_encode_best_format.cuh"
#include "deflate_encode_codes.cuh"

namespace warpcodec::deflate_encode {

constexpr int LOGARITHM_BITS = 8;

/// The binary logarithm of a positive number, times 2^LOGARITHM_BITS: a square has twice the logarithm.
__device__ __forceinline__ int thread_logarithm(uint32_t number) {
    const int zeros = __clz(static_cast<int>(number));
    uint32_t mantissa = number << zeros;
    int logarithm = 31 - zeros;
    for (int bit = 0; bit < LOGARITHM_BITS; ++bit) {
        const uint64_t square = uint64_t{mantissa} * mantissa;
        const int is_two = static_cast<int>(square >> 63);
        mantissa = static_cast<uint32_t>(square >> (31 + is_two));
        logarithm = logarithm << 1 | is_two;
    }
    return logarithm;
}

/// Counts in parts, and what is added to each: literals and lengths a quarter, distances a half.
constexpr uint32_t COUNT_PARTS = 8, LITERAL_PARTS = 2, DISTANCE_PARTS = 4;
static_assert(uint64_t{BLOCK_BYTES + 1} * COUNT_PARTS + LITERAL_CODES * LITERAL_PARTS < 1ull << 31);

/// Makes prices of the tiles from `first` on by their frequencies, which are added up in the first copy. `symbols` is
/// shared memory. The caller's barrier comes before; a barrier inside.
template <typename Policy>
__device__ __forceinline__ void cta_make_prices(const Frequencies& frequencies, Prices& symbols, BlockPrices& prices,
                                                int first_tile, int limit_tile) {
    constexpr int PRICE_OF_BIT = BestPrices::PRICE_OF_BIT;
    static_assert(Policy::CTA_THREADS >= Frequencies::COUNT && Frequencies::COUNT % WARP_LANES == 0);
    const int rank = static_cast<int>(threadIdx.x), lane = rank % WARP_LANES;
    if (rank < Frequencies::COUNT) {
        const bool is_distance = rank >= Frequencies::DISTANCES_AT;
        const int first = is_distance ? Frequencies::DISTANCES_AT : 0;
        const int limit = is_distance ? Frequencies::DISTANCES_AT + DISTANCE_SYMBOLS : LITERAL_SYMBOLS;
        const uint32_t added = is_distance ? DISTANCE_PARTS : LITERAL_PARTS;
        uint32_t all = 0;
        for (int other = first + lane; other < limit; other += WARP_LANES)
            all += COUNT_PARTS * frequencies.counts[other] + added;
        all = __shfl_sync(ALL_LANES, warp_inclusive_sum(all, lane), WARP_LANES - 1);
        constexpr int PART = (1 << LOGARITHM_BITS) / PRICE_OF_BIT;
        const int logarithm = thread_logarithm(all) - thread_logarithm(COUNT_PARTS * frequencies.counts[rank] + added);
        const int most = is_distance ? BestPrices::MOST_DISTANCE : BestPrices::MOST_LITERAL;
        symbols.prices[rank] = static_cast<uint16_t>(max(BestPrices::LEAST, min(most, (logarithm + PART / 2) / PART)));
    }
    __syncthreads();
    for (int tile = first_tile; tile < limit_tile; ++tile) {
        BestPrices& own = prices.of[tile];
        for (int i = rank; i < 256; i += Policy::CTA_THREADS) {
            own.literal[i] = static_cast<uint8_t>(symbols.prices[i]);
            const Symbol length = Token::match(i + MIN_MATCH, 1).literal_symbol();
            own.length[i] = static_cast<uint8_t>(symbols.prices[length.symbol] + length.extra_bits * PRICE_OF_BIT);
        }
        if (rank < 32) {
            const uint32_t price =
                symbols.prices[Frequencies::DISTANCES_AT + rank] + distance_extra_bits(rank) * PRICE_OF_BIT;
            own.distance[rank] = static_cast<uint8_t>(rank < DISTANCE_SYMBOLS ? price : 0);
        }
    }
}

}  // namespace warpcodec::deflate_encode
