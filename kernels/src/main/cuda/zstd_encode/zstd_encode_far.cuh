// Finds for each place of a range the latest earlier place with the same hash of 8 bytes, however far back it lies.
//
// A cta goes through its range, as many places at once as it has threads: first all look, then all enter their places,
// of which the latest stays. So places that are looked for together do not see each other. Those are near, and the
// finder of near matches has them. What is entered does not depend on the order: the greatest entry stays.
//
// An entry is a place, counted from 1, above some bits of the hash that the table's index does not have. So hardly any
// candidate is wrong; bytes decide nevertheless. Places from MOST_FAR_BYTES on have no candidates.
#pragma once

#include <cstdint>

#include "../common/alignment.cuh"
#include "zstd_encode_format.cuh"
#include "zstd_encode_policy.cuh"

namespace warpcodec::zstd_encode {

constexpr int FAR_BYTES = 8;  ///< that a hash is made of
constexpr int FAR_TAG_BITS = 10;
constexpr uint32_t MOST_FAR_BYTES = 1u << (32 - FAR_TAG_BITS);  ///< a place and a tag fit an entry

/// Shared memory of a cta.
struct FarMemory {
    uint32_t heads[1 << FarPolicy::HEAD_BITS];
};

struct FarHash {
    uint32_t head;
    uint32_t tag;
};

__device__ __forceinline__ FarHash far_hash(uint32_t low, uint32_t high) {
    const uint64_t product = (uint64_t{high} << 32 | low) * 0x9E3779B185EBCA87ull;
    const uint32_t top = static_cast<uint32_t>(product >> (64 - FarPolicy::HEAD_BITS - FAR_TAG_BITS));
    return FarHash{top >> FAR_TAG_BITS, top & ((1u << FAR_TAG_BITS) - 1)};
}

/// Three words that hold the bytes of a place.
struct FarWords {
    uint32_t words[3];
};

/// Writes the candidate of each place of a sound range, counted from 1; 0: none. Bytes of the next places are loaded
/// while these are looked for.
__device__ __forceinline__ void cta_find_far(const EncodeBatch& batch, const EncodeEntry& entry, FarMemory& memory) {
    constexpr uint32_t THREADS = FarPolicy::CTA_THREADS;
    static_assert(BLOCK_BYTES % THREADS == 0, "places that are looked for together are of one block");
    const uint8_t* raw = batch.input + entry.range.input_offset;
    const uint32_t raw_bytes = entry.range.input_bytes;
    for (uint32_t i = threadIdx.x; i < 1u << FarPolicy::HEAD_BITS; i += THREADS) memory.heads[i] = 0;
    const uint32_t misaligned_bytes = bytes_past_alignment<4>(raw);
    const uint32_t* words = reinterpret_cast<const uint32_t*>(raw - misaligned_bytes);
    const uint32_t open_bytes = min(raw_bytes, MOST_FAR_BYTES);
    const uint32_t last_word = raw_bytes == 0 ? 0 : (misaligned_bytes + raw_bytes - 1) / 4;
    const uint32_t shift = 8 * ((misaligned_bytes + threadIdx.x) % 4);
    const auto load = [&](uint32_t place) {
        const uint32_t word = (misaligned_bytes + place) / 4;
        return place + FAR_BYTES > raw_bytes
                   ? FarWords{}
                   : FarWords{{__ldg(words + word), __ldg(words + word + 1), __ldg(words + min(word + 2, last_word))}};
    };
    uint32_t* candidates = nullptr;
    FarWords next = load(threadIdx.x);
    for (uint32_t first = 0; first < raw_bytes; first += THREADS) {
        const uint32_t place = first + threadIdx.x;
        const bool is_open = place + FAR_BYTES <= open_bytes;
        const FarHash hash = far_hash(__funnelshift_r(next.words[0], next.words[1], shift),
                                      __funnelshift_r(next.words[1], next.words[2], shift));
        next = load(place + THREADS);
        __syncthreads();
        const uint32_t head = memory.heads[hash.head];
        __syncthreads();
        if (is_open) atomicMax(&memory.heads[hash.head], (place + 1) << FAR_TAG_BITS | hash.tag);
        if (first % BLOCK_BYTES == 0) candidates = block_of(batch, entry, first / BLOCK_BYTES).candidates - first;
        if (place < raw_bytes) {
            const bool is_candidate = is_open && head != 0 && (head & ((1u << FAR_TAG_BITS) - 1)) == hash.tag;
            candidates[place] = is_candidate ? head >> FAR_TAG_BITS : 0;
        }
    }
}

}  // namespace warpcodec::zstd_encode
