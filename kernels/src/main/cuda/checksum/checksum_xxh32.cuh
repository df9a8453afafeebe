// XXH32 of many contents that lie in one buffer.
//
// XXH32 keeps four sums, each of which takes every fourth little-endian word:
// sum = rotl(sum + word * PRIME_2, 13) * PRIME_1. No part of a sum can be had without what came before (the product
// is not linear in it), so the only parallelism inside a content is its four sums.
//
// A warp per content. Its 32 lanes bring in 2 KiB at a time, a stage, and lay it in shared memory. Then lanes 0 to 3
// walk one sum each over the stage's 128 stripes (the other lanes walk along, which costs nothing). Meanwhile the
// loads of the next stage are under way. The chain from one word to the next is a multiply-add, a rotation and a
// product, about 14 clocks. So a stage takes 1,800 clocks, longer than any load. A content goes by at 16 bytes in 14
// clocks, 2.2 GB/s, however many others there are.
//
// Contents start at any byte: where that is no multiple of four, a word is cut out of two aligned ones. So nothing
// but the aligned words that hold bytes of a content is read.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"
#include "checksum_format.cuh"
#include "checksum_policy.cuh"

namespace warpcodec::checksum {

constexpr uint32_t XXH32_PRIME_1 = 0x9E3779B1u;
constexpr uint32_t XXH32_PRIME_2 = 0x85EBCA77u;
constexpr uint32_t XXH32_PRIME_3 = 0xC2B2AE3Du;
constexpr uint32_t XXH32_PRIME_4 = 0x27D4EB2Fu;
constexpr uint32_t XXH32_PRIME_5 = 0x165667B1u;

constexpr int XXH32_SUMS = 4;
constexpr int XXH32_STRIPE_BYTES = 16;

__device__ inline uint32_t rotate_left(uint32_t value, int bits) { return __funnelshift_l(value, value, bits); }

/// What a sum is before the first word.
__device__ inline uint32_t xxh32_initial(uint32_t seed, int which) {
    switch (which) {
        case 0: return seed + XXH32_PRIME_1 + XXH32_PRIME_2;
        case 1: return seed + XXH32_PRIME_2;
        case 2: return seed;
        default: return seed - XXH32_PRIME_1;
    }
}

__device__ inline uint32_t xxh32_round(uint32_t sum, uint32_t word) {
    return rotate_left(sum + word * XXH32_PRIME_2, 13) * XXH32_PRIME_1;
}

constexpr uint32_t STAGE_WORDS = Xxh32Policy::STAGE_STRIPES * XXH32_SUMS;

/// What one warp needs in shared memory: a stage to walk over and one to fill, each with a word behind it.
struct Xxh32Stages {
    alignas(8) uint32_t words[2][STAGE_WORDS + 2];
};

/// A lane's share of a stage, as it comes from memory: every 32nd word, and of the first lane the word behind it.
struct FetchedWords {
    uint32_t words[STAGE_WORDS / WARP_LANES];
    uint32_t behind;
};

/// Asks for the stage of a content that begins at word `first`. `words` is the content's start, rounded down to a
/// multiple of four bytes. From `limit` on words are zero, or, where SHIFTED, from the word behind. Nothing is done
/// with what comes, so no lane waits for it.
template <bool SHIFTED>
__device__ inline void lane_fetch_stage(FetchedWords& fetched, const uint32_t* words, uint32_t first, uint32_t limit,
                                        int lane) {
    const uint32_t end = SHIFTED ? limit + 1 : limit;
#pragma unroll
    for (int i = 0; i < static_cast<int>(STAGE_WORDS / WARP_LANES); ++i) {
        const uint32_t at = first + i * WARP_LANES + lane;
        fetched.words[i] = at < end ? __ldg(words + at) : 0;
    }
    if (SHIFTED) fetched.behind = lane == 0 && first + STAGE_WORDS < end ? __ldg(words + first + STAGE_WORDS) : 0;
}

template <bool SHIFTED>
__device__ inline void lane_store_stage(uint32_t* stage, const FetchedWords& fetched, int lane) {
#pragma unroll
    for (int i = 0; i < static_cast<int>(STAGE_WORDS / WARP_LANES); ++i)
        stage[i * WARP_LANES + lane] = fetched.words[i];
    if (SHIFTED && lane == 0) stage[STAGE_WORDS] = fetched.behind;
}

/// A word of a content at a word of its stage. `shift` is eight times what rounding its start took away, and zero only
/// if SHIFTED is false.
template <bool SHIFTED>
__device__ inline uint32_t staged_word(const uint32_t* word, uint32_t shift) {
    return SHIFTED ? __funnelshift_r(word[0], word[1], shift) : word[0];
}

/// The sum number `lane` % 4 over all whole stripes. All lanes of the warp must call.
template <bool SHIFTED>
__device__ inline uint32_t warp_xxh32_sum(uint32_t sum, const uint32_t* words, uint32_t shift, uint32_t stripes,
                                          Xxh32Stages& stages, int lane) {
    constexpr uint32_t STRIPES = Xxh32Policy::STAGE_STRIPES;
    const uint32_t limit = stripes * XXH32_SUMS;  // contents have fewer than 2^31 bytes
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
            lane_fetch_stage<SHIFTED>(fetched, words, (done + STRIPES) * XXH32_SUMS, limit, lane);
        const uint32_t* mine = stage + lane % XXH32_SUMS;
        if (stripes - done >= STRIPES) {
#pragma unroll 32
            for (uint32_t stripe = 0; stripe < STRIPES; ++stripe)
                sum = xxh32_round(sum, staged_word<SHIFTED>(mine + stripe * XXH32_SUMS, shift));
        } else {
            for (uint32_t stripe = 0; stripe < stripes - done; ++stripe)
                sum = xxh32_round(sum, staged_word<SHIFTED>(mine + stripe * XXH32_SUMS, shift));
        }
    }
    return sum;
}

/// The bytes behind the last whole stripe, fewer than 16, then the final mixing.
__device__ inline uint32_t xxh32_finish(uint32_t hash, const uint8_t* rest, uint32_t rest_bytes) {
    while (rest_bytes >= 4) {
        const uint32_t word =
            __ldg(rest) | __ldg(rest + 1) << 8 | __ldg(rest + 2) << 16 | static_cast<uint32_t>(__ldg(rest + 3)) << 24;
        hash = rotate_left(hash + word * XXH32_PRIME_3, 17) * XXH32_PRIME_4;
        rest += 4;
        rest_bytes -= 4;
    }
    while (rest_bytes > 0) {
        hash = rotate_left(hash + __ldg(rest) * XXH32_PRIME_5, 11) * XXH32_PRIME_1;
        ++rest;
        --rest_bytes;
    }
    hash = (hash ^ hash >> 15) * XXH32_PRIME_2;
    hash = (hash ^ hash >> 13) * XXH32_PRIME_3;
    return hash ^ hash >> 16;
}

/// XXH32 of one content, which lies within the input; every lane gets it. All 32 lanes of the warp must call with the
/// same content.
__device__ inline uint32_t warp_xxh32(const uint8_t* input, const ContentEntry& content, Xxh32Stages& stages,
                                      int lane) {
    const int which = lane % XXH32_SUMS;
    const uint32_t stripes = content.length_bytes / XXH32_STRIPE_BYTES;
    const uint32_t gap = content.offset_bytes & 3;
    const uint32_t* words = reinterpret_cast<const uint32_t*>(input + (content.offset_bytes - gap));
    uint32_t sum = xxh32_initial(content.seed, which);
    sum = gap == 0 ? warp_xxh32_sum<false>(sum, words, 0, stripes, stages, lane)
                   : warp_xxh32_sum<true>(sum, words, 8 * gap, stripes, stages, lane);
    constexpr uint32_t ROTATIONS = 1 | 7 << 8 | 12 << 16 | 18 << 24;
    uint32_t hash = rotate_left(sum, ROTATIONS >> (8 * which) & 31);
    hash += __shfl_xor_sync(0xFFFFFFFFu, hash, 1);
    hash += __shfl_xor_sync(0xFFFFFFFFu, hash, 2);
    if (stripes == 0) hash = content.seed + XXH32_PRIME_5;
    const uint32_t rest_bytes = content.length_bytes % XXH32_STRIPE_BYTES;
    const uint8_t* rest = input + content.offset_bytes + (content.length_bytes - rest_bytes);
    return xxh32_finish(hash + content.length_bytes, rest, rest_bytes);
}

}  // namespace warpcodec::checksum
