// Where an address lies between two multiples of a power of two: readers and writers of whole words begin at the
// multiple in front of the first byte.
#pragma once

#include <cstdint>

namespace warpcodec {

/// Bytes from the multiple of ALIGNMENT_BYTES in front of `address` up to it; 0 if it is one.
template <uint32_t ALIGNMENT_BYTES>
__device__ __forceinline__ uint32_t bytes_past_alignment(const void* address) {
    static_assert((ALIGNMENT_BYTES & (ALIGNMENT_BYTES - 1)) == 0, "a power of two");
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(address) & (ALIGNMENT_BYTES - 1));
}

}  // namespace warpcodec
