// XXH32 of many contents that lie in one buffer.
//
// XXH32 keeps four sums, each of which takes every fourth little-endian word: sum = rotl(sum + word * PRIME_2, 13) * PRIME_1. No part of a
// sum can be had without what came before (the product is not linear in it), so the only parallelism inside a content is its four sums: one
// quad of lanes per content, one sum per lane, eight contents per warp.
//
// The chain from one word to the next is a multiply-add, a rotation and a product, about 14 clocks; so a content goes by at about 16 bytes
// in 14 clocks, 2.2 GB/s, however many others there are. Words are loaded STRIPES_IN_FLIGHT stripes ahead of their use, which hides the
// memory behind the chain. A content of 64 KiB takes 30 us, one of 1 MiB half a millisecond; as many as the device has quads run at once.
//
// Contents start at any byte: where that is no multiple of four, a word is cut out of two aligned ones. So nothing but the aligned words that
// hold bytes of a content is read.
#pragma once

#include <cstdint>

#include "checksum_format.cuh"
#include "checksum_policy.cuh"

namespace warpcodec::checksum {

constexpr uint32_t XXH32_PRIME_1 = 0x9E3779B1u;
constexpr uint32_t XXH32_PRIME_2 = 0x85EBCA77u;
constexpr uint32_t XXH32_PRIME_3 = 0xC2B2AE3Du;
constexpr uint32_t XXH32_PRIME_4 = 0x27D4EB2Fu;
constexpr uint32_t XXH32_PRIME_5 = 0x165667B1u;

constexpr int XXH32_LANES = 4;
constexpr int XXH32_STRIPE_BYTES = 16;

__device__ inline uint32_t rotate_left(uint32_t value, int bits) { return __funnelshift_l(value, value, bits); }

/// What a lane's sum is before the first word.
__device__ inline uint32_t xxh32_initial(uint32_t seed, int quad_lane) {
    switch (quad_lane) {
        case 0: return seed + XXH32_PRIME_1 + XXH32_PRIME_2;
        case 1: return seed + XXH32_PRIME_2;
        case 2: return seed;
        default: return seed - XXH32_PRIME_1;
    }
}

__device__ inline uint32_t xxh32_round(uint32_t sum, uint32_t word) {
    return rotate_left(sum + word * XXH32_PRIME_2, 13) * XXH32_PRIME_1;
}

/// One lane's sum over all whole stripes. `words` is this lane's first word, rounded down to a multiple of four bytes; `shift` is eight times
/// what that took away, and zero only if SHIFTED is false.
template <bool SHIFTED>
__device__ inline uint32_t xxh32_lane_sum(uint32_t sum, const uint32_t* words, uint32_t shift, uint32_t stripes) {
    constexpr int AHEAD = Xxh32Policy::STRIPES_IN_FLIGHT;
    constexpr int STEP = XXH32_STRIPE_BYTES / 4;
    auto load = [&](uint32_t stripe) {
        const uint32_t* at = words + static_cast<uint64_t>(stripe) * STEP;
        return SHIFTED ? __funnelshift_r(at[0], at[1], shift) : at[0];
    };
    uint32_t done = 0;
    if (stripes >= AHEAD) {
        uint32_t waiting[AHEAD];
#pragma unroll
        for (int i = 0; i < AHEAD; ++i) waiting[i] = load(i);
        for (; stripes - done >= 2 * AHEAD; done += AHEAD) {
            uint32_t coming[AHEAD];
#pragma unroll
            for (int i = 0; i < AHEAD; ++i) coming[i] = load(done + AHEAD + i);
#pragma unroll
            for (int i = 0; i < AHEAD; ++i) sum = xxh32_round(sum, waiting[i]);
#pragma unroll
            for (int i = 0; i < AHEAD; ++i) waiting[i] = coming[i];
        }
#pragma unroll
        for (int i = 0; i < AHEAD; ++i) sum = xxh32_round(sum, waiting[i]);
        done += AHEAD;
    }
    for (; done < stripes; ++done) sum = xxh32_round(sum, load(done));
    return sum;
}

/// The bytes behind the last whole stripe, fewer than 16, then the final mixing.
__device__ inline uint32_t xxh32_finish(uint32_t hash, const uint8_t* rest, uint32_t rest_bytes) {
    while (rest_bytes >= 4) {
        const uint32_t word = rest[0] | rest[1] << 8 | rest[2] << 16 | static_cast<uint32_t>(rest[3]) << 24;
        hash = rotate_left(hash + word * XXH32_PRIME_3, 17) * XXH32_PRIME_4;
        rest += 4;
        rest_bytes -= 4;
    }
    while (rest_bytes > 0) {
        hash = rotate_left(hash + *rest * XXH32_PRIME_5, 11) * XXH32_PRIME_1;
        ++rest;
        --rest_bytes;
    }
    hash = (hash ^ hash >> 15) * XXH32_PRIME_2;
    hash = (hash ^ hash >> 13) * XXH32_PRIME_3;
    return hash ^ hash >> 16;
}

/// XXH32 of one content by a quad of lanes; every lane gets it. All 32 lanes of the warp must call, each quad with a content of its own,
/// which lies within the input and whose offset the caller has checked. `quad_lane` is 0 to 3.
__device__ inline uint32_t quad_xxh32(const uint8_t* input, const ContentEntry& content, int quad_lane) {
    const uint32_t stripes = content.length_bytes / XXH32_STRIPE_BYTES;
    const uint32_t gap = content.offset_bytes & 3;
    const uint32_t* words = reinterpret_cast<const uint32_t*>(input + (content.offset_bytes - gap)) + quad_lane;
    uint32_t sum = xxh32_initial(content.seed, quad_lane);
    sum = gap == 0 ? xxh32_lane_sum<false>(sum, words, 0, stripes) : xxh32_lane_sum<true>(sum, words, 8 * gap, stripes);
    __syncwarp();
    constexpr uint32_t ROTATIONS = 1 | 7 << 8 | 12 << 16 | 18 << 24;
    uint32_t hash = rotate_left(sum, ROTATIONS >> (8 * quad_lane) & 31);
    hash += __shfl_xor_sync(0xFFFFFFFFu, hash, 1);
    hash += __shfl_xor_sync(0xFFFFFFFFu, hash, 2);
    if (stripes == 0) hash = content.seed + XXH32_PRIME_5;
    const uint32_t rest_bytes = content.length_bytes % XXH32_STRIPE_BYTES;
    const uint8_t* rest = input + content.offset_bytes + (content.length_bytes - rest_bytes);
    return xxh32_finish(hash + content.length_bytes, rest, rest_bytes);
}

}  // namespace warpcodec::checksum
