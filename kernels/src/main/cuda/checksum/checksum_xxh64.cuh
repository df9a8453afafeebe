// XXH64 of many contents that lie in one buffer, of which Zstandard keeps the lowest 32 bits.
//
// It is XXH32 (checksum_xxh32.cuh) with words, sums and primes of 64 bits: four sums, each of every fourth word. So it
// is computed alike, by a warp per content, whose lanes bring in a stage while four of them walk the one before.
//
// A product of 64 bits is three of 32 that follow each other, and a sum takes two products a word. Only one of them
// depends on the word before. So the lanes that bring in a stage multiply its words by PRIME_2, and a walk is a
// rotation and a product to which the next word's is added: some 20 clocks for a stripe of 32 bytes.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"
#include "checksum_format.cuh"
#include "checksum_policy.cuh"
#include "checksum_xxh32.cuh"

namespace warpcodec::checksum {

constexpr uint64_t XXH64_PRIME_1 = 0x9E3779B185EBCA87ull;
constexpr uint64_t XXH64_PRIME_2 = 0xC2B2AE3D27D4EB4Full;
constexpr uint64_t XXH64_PRIME_3 = 0x165667B19E3779F9ull;
constexpr uint64_t XXH64_PRIME_4 = 0x85EBCA77C2B2AE63ull;
constexpr uint64_t XXH64_PRIME_5 = 0x27D4EB2F165667C5ull;

constexpr int XXH64_SUMS = 4;
constexpr int XXH64_STRIPE_BYTES = 32;
/// Stripes that are walked over while the next ones are loaded. Two stages of 2 KiB a warp.
constexpr uint32_t XXH64_STAGE_STRIPES = 64;
constexpr uint32_t XXH64_STAGE_WORDS = XXH64_STAGE_STRIPES * XXH64_SUMS;  ///< of 64 bits
constexpr int XXH64_LANE_WORDS = XXH64_STAGE_WORDS / WARP_LANES;

/// The factor that takes a product with PRIME_1 back.
constexpr uint64_t XXH64_INVERSE_1 = 0x0887493432BADB37ull;
static_assert(XXH64_PRIME_1 * XXH64_INVERSE_1 == 1);

__device__ inline uint64_t rotate_left_64(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

/// What a sum is before the first word.
__device__ inline uint64_t xxh64_initial(uint64_t seed, int which) {
    switch (which) {
        case 0: return seed + XXH64_PRIME_1 + XXH64_PRIME_2;
        case 1: return seed + XXH64_PRIME_2;
        case 2: return seed;
        default: return seed - XXH64_PRIME_1;
    }
}

constexpr int XXH64_ROTATION = 31;  ///< of a sum

__device__ inline uint64_t xxh64_round(uint64_t sum, uint64_t word) {
    return rotate_left_64(sum + word * XXH64_PRIME_2, XXH64_ROTATION) * XXH64_PRIME_1;
}

/// What one warp needs in shared memory: words of a stage times PRIME_2 to walk over, and those of one to fill.
struct Xxh64Stages {
    uint64_t products[2][XXH64_STAGE_WORDS];
};

/// A lane's share of a stage, as it comes from memory: both halves of every 32nd word, and of the first lane the word
/// of 32 bits behind the stage.
struct FetchedPairs {
    uint32_t low[XXH64_LANE_WORDS], high[XXH64_LANE_WORDS];
    uint32_t behind;
};

/// Asks for the stage of a content that begins at word `first` of 32 bits, as lane_fetch_stage does.
template <bool SHIFTED>
__device__ inline void lane_fetch_pairs(FetchedPairs& fetched, const uint32_t* words, uint32_t first, uint32_t limit,
                                        int lane) {
    const uint32_t end = SHIFTED ? limit + 1 : limit;
    const auto word = [&](uint32_t at) { return at < end ? __ldg(words + at) : 0; };
#pragma unroll
    for (int i = 0; i < XXH64_LANE_WORDS; ++i) {
        const uint32_t at = first + 2 * (i * WARP_LANES + lane);
        fetched.low[i] = word(at);
        fetched.high[i] = word(at + 1);
    }
    if (SHIFTED) fetched.behind = lane == 0 ? word(first + 2 * XXH64_STAGE_WORDS) : 0;
}

/// Cuts words of the content out of those that were fetched, and stores their products.
template <bool SHIFTED>
__device__ inline void warp_store_products(uint64_t* products, const FetchedPairs& fetched, uint32_t shift, int lane) {
#pragma unroll
    for (int i = 0; i < XXH64_LANE_WORDS; ++i) {
        uint32_t low = fetched.low[i], high = fetched.high[i];
        if (SHIFTED) {
            const uint32_t next_row =
                i + 1 < XXH64_LANE_WORDS ? fetched.low[(i + 1) % XXH64_LANE_WORDS] : fetched.behind;
            const uint32_t of_first = __shfl_sync(ALL_LANES, next_row, 0);
            const uint32_t of_next = __shfl_down_sync(ALL_LANES, low, 1);
            low = __funnelshift_r(low, high, shift);
            high = __funnelshift_r(high, lane == WARP_LANES - 1 ? of_first : of_next, shift);
        }
        products[i * WARP_LANES + lane] = (low | static_cast<uint64_t>(high) << 32) * XXH64_PRIME_2;
    }
}

/// The sum number `lane` % 4 over all whole stripes, from `sum` on. All lanes of the warp must call. `shift` is eight
/// times what rounding the content's start took away, and zero only if SHIFTED is false.
template <bool SHIFTED>
__device__ inline uint64_t warp_xxh64_sum(uint64_t sum, const uint32_t* words, uint32_t shift, uint32_t stripes,
                                          Xxh64Stages& stages, int lane) {
    constexpr uint32_t STRIPES = XXH64_STAGE_STRIPES;
    const uint32_t limit = stripes * 2 * XXH64_SUMS;
    // what is rotated next: a sum and the product that is added to it
    uint64_t open = rotate_left_64(sum * XXH64_INVERSE_1, 64 - XXH64_ROTATION);
    FetchedPairs fetched;
    lane_fetch_pairs<SHIFTED>(fetched, words, 0, limit, lane);
    int filled = 0;
    for (uint32_t done = 0; done < stripes; done += STRIPES) {
        uint64_t* products = stages.products[filled];
        filled ^= 1;
        warp_store_products<SHIFTED>(products, fetched, shift, lane);
        // behind this barrier the stage is complete, and the one before the last is read no more
        __syncwarp();
        if (stripes - done > STRIPES)
            lane_fetch_pairs<SHIFTED>(fetched, words, (done + STRIPES) * 2 * XXH64_SUMS, limit, lane);
        const uint64_t* mine = products + lane % XXH64_SUMS;
        const auto walk = [&](uint32_t stripe) {
            open = rotate_left_64(open, XXH64_ROTATION) * XXH64_PRIME_1 + mine[stripe * XXH64_SUMS];
        };
        if (stripes - done >= STRIPES) {
#pragma unroll 16
            for (uint32_t stripe = 0; stripe < STRIPES; ++stripe) walk(stripe);
        } else {
            for (uint32_t stripe = 0; stripe < stripes - done; ++stripe) walk(stripe);
        }
    }
    return rotate_left_64(open, XXH64_ROTATION) * XXH64_PRIME_1;
}

/// The bytes behind the last whole stripe, fewer than 32, then the final mixing.
__device__ inline uint64_t xxh64_finish(uint64_t hash, const uint8_t* rest, uint32_t rest_bytes) {
    const auto number = [&](int bytes) {
        uint64_t value = 0;
        for (int i = 0; i < bytes; ++i) value |= static_cast<uint64_t>(__ldg(rest + i)) << (8 * i);
        rest += bytes;
        rest_bytes -= bytes;
        return value;
    };
    while (rest_bytes >= 8) hash = rotate_left_64(hash ^ xxh64_round(0, number(8)), 27) * XXH64_PRIME_1 + XXH64_PRIME_4;
    if (rest_bytes >= 4) hash = rotate_left_64(hash ^ number(4) * XXH64_PRIME_1, 23) * XXH64_PRIME_2 + XXH64_PRIME_3;
    while (rest_bytes > 0) hash = rotate_left_64(hash ^ number(1) * XXH64_PRIME_5, 11) * XXH64_PRIME_1;
    hash = (hash ^ hash >> 33) * XXH64_PRIME_2;
    hash = (hash ^ hash >> 29) * XXH64_PRIME_3;
    return hash ^ hash >> 32;
}

/// XXH64 of one content, which lies within the input; every lane gets it. All 32 lanes of the warp must call with the
/// same content.
__device__ inline uint64_t warp_xxh64(const uint8_t* input, const ContentEntry& content, Xxh64Stages& stages,
                                      int lane) {
    const uint32_t stripes = content.length_bytes / XXH64_STRIPE_BYTES;
    const uint32_t gap = content.offset_bytes & 3;
    const uint32_t* words = reinterpret_cast<const uint32_t*>(input + (content.offset_bytes - gap));
    uint64_t sum = xxh64_initial(content.seed, lane % XXH64_SUMS);
    sum = gap == 0 ? warp_xxh64_sum<false>(sum, words, 0, stripes, stages, lane)
                   : warp_xxh64_sum<true>(sum, words, 8 * gap, stripes, stages, lane);
    uint64_t hash = content.seed + XXH64_PRIME_5;
    if (stripes != 0) {
        constexpr int ROTATIONS[XXH64_SUMS] = {1, 7, 12, 18};
        uint64_t sums[XXH64_SUMS];
        hash = 0;
#pragma unroll
        for (int which = 0; which < XXH64_SUMS; ++which) {
            sums[which] = __shfl_sync(ALL_LANES, sum, which);
            hash += rotate_left_64(sums[which], ROTATIONS[which]);
        }
#pragma unroll
        for (int which = 0; which < XXH64_SUMS; ++which)
            hash = (hash ^ xxh64_round(0, sums[which])) * XXH64_PRIME_1 + XXH64_PRIME_4;
    }
    const uint32_t rest_bytes = content.length_bytes % XXH64_STRIPE_BYTES;
    const uint8_t* rest = input + content.offset_bytes + (content.length_bytes - rest_bytes);
    return xxh64_finish(hash + content.length_bytes, rest, rest_bytes);
}

}  // namespace warpcodec::checksum
