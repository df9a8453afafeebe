// XXH64 of many contents that lie in one buffer, of which Zstandard keeps the lowest 32 bits.
//
// It is XXH32 (checksum_xxh32.cuh) with words, sums and primes of 64 bits: four sums, each of every fourth word. So it
// is computed alike, by a warp per content, whose lanes bring in a stage while four of them walk the one before. A
// product of 64 bits is several of 32, so a stripe of 32 bytes takes some 48 clocks: 1.3 GB/s a content.
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
constexpr int XXH64_STRIPE_WORDS = XXH64_STRIPE_BYTES / 4;

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

__device__ inline uint64_t xxh64_round(uint64_t sum, uint64_t word) {
    return rotate_left_64(sum + word * XXH64_PRIME_2, 31) * XXH64_PRIME_1;
}

/// The sum number `lane` % 4 over all whole stripes, as warp_xxh32_sum has it.
template <bool SHIFTED>
__device__ inline uint64_t warp_xxh64_sum(uint64_t sum, const uint32_t* words, uint32_t shift, uint32_t stripes,
                                          Xxh32Stages& stages, int lane) {
    constexpr uint32_t STRIPES = STAGE_WORDS / XXH64_STRIPE_WORDS;
    const uint32_t limit = stripes * XXH64_STRIPE_WORDS;
    FetchedWords fetched;
    lane_fetch_stage<SHIFTED>(fetched, words, 0, limit, lane);
    int filled = 0;
    for (uint32_t done = 0; done < stripes; done += STRIPES) {
        uint32_t* stage = stages.words[filled];
        filled ^= 1;
        lane_store_stage<SHIFTED>(stage, fetched, lane);
        // behind this barrier the stage is complete, and the one before the last is read no more
        __syncwarp();
        if (stripes - done > STRIPES)
            lane_fetch_stage<SHIFTED>(fetched, words, (done + STRIPES) * XXH64_STRIPE_WORDS, limit, lane);
        const uint32_t* mine = stage + 2 * (lane % XXH64_SUMS);
        const auto walk = [&](uint32_t stripe) {
            const uint32_t* word = mine + stripe * XXH64_STRIPE_WORDS;
            sum = xxh64_round(sum, staged_word<SHIFTED>(word, shift) |
                                       static_cast<uint64_t>(staged_word<SHIFTED>(word + 1, shift)) << 32);
        };
        if (stripes - done >= STRIPES) {
#pragma unroll 16
            for (uint32_t stripe = 0; stripe < STRIPES; ++stripe) walk(stripe);
        } else {
            for (uint32_t stripe = 0; stripe < stripes - done; ++stripe) walk(stripe);
        }
    }
    return sum;
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
__device__ inline uint64_t warp_xxh64(const uint8_t* input, const ContentEntry& content, Xxh32Stages& stages,
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
