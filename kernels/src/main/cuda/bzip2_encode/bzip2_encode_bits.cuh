// Bits from the highest of each byte on, put into words of device memory or shared memory by many threads.
//
// Each thread knows where its bits begin. Words that it fills alone it stores; the first and the last, which it may
// share, it adds by atomic or, so they must be zeros before.
#pragma once

#include <cstdint>

namespace warpcodec::bzip2_encode {

/// A word whose bits count from the highest on, as it lies in memory.
__device__ __forceinline__ uint32_t as_stored(uint32_t word) { return __byte_perm(word, 0, 0x0123); }

/// Writes bits from bit `at` on; nothing at or behind word `limit`.
class BitWriter {
    uint32_t* words_;
    uint32_t word_;
    uint32_t limit_;
    uint32_t held_;  ///< bits of bits_ that count, those in front of `at` among them
    uint64_t bits_ = 0;  ///< highest first
    bool shared_;  ///< whether others write to the word as well

    __device__ __forceinline__ void store(uint32_t word) {
        if (word_ < limit_) {
            if (shared_) atomicOr(words_ + word_, as_stored(word));
            else words_[word_] = as_stored(word);
        }
        shared_ = false;
        ++word_;
    }

public:
    __device__ __forceinline__ BitWriter(uint32_t* words, uint32_t limit, uint32_t at)
        : words_(words), word_(at / 32), limit_(limit), held_(at % 32), shared_(at % 32 != 0) {}

    /// At most 32 bits, the last one lowest.
    __device__ __forceinline__ void put(uint32_t bits, uint32_t count) {
        bits_ |= uint64_t{bits} << (64 - held_ - count) % 64;  // no bits are 0
        held_ += count;
        if (held_ < 32) return;
        store(static_cast<uint32_t>(bits_ >> 32));
        bits_ <<= 32;
        held_ -= 32;
    }

    /// What is held; others write what follows in the same word.
    __device__ __forceinline__ void finish() {
        if (held_ == 0) return;
        shared_ = true;
        store(static_cast<uint32_t>(bits_ >> 32));
    }
};

}  // namespace warpcodec::bzip2_encode
