// Text of a batch's frames in units (frames.cuh), copied from where it lies.
#pragma once

#include "alignment.cuh"
#include "frames.cuh"

namespace warpcodec {

/// Copies `count` bytes, UNIT_BYTES at most, that begin anywhere, and fills the unit up with zeros, and `slack` bytes
/// behind it: no kernel reads what nothing wrote. Of an aligned word that holds one of the bytes, any byte is read. A
/// cta has THREADS threads; the unit is aligned to 4 bytes, and `slack` a multiple of 4.
template <uint32_t THREADS>
__device__ __forceinline__ void cta_copy_unit(const uint8_t* from, uint32_t count, uint8_t* unit, uint32_t slack) {
    const uint32_t past = bytes_past_alignment<4>(from), shift = 8 * past;
    const uint32_t* sources = reinterpret_cast<const uint32_t*>(from - past);
    uint32_t* targets = reinterpret_cast<uint32_t*>(unit);
    for (uint32_t at = threadIdx.x; at < (UNIT_BYTES + slack) / 4; at += THREADS) {
        uint32_t word = 0;
        if (4 * at < count) {
            const uint32_t left = count - 4 * at;
            word = sources[at];
            // the next word holds a byte of the range, or it is not looked at
            if (shift != 0) word = word >> shift | (left + past > 4 ? sources[at + 1] << (32 - shift) : 0);
            if (left < 4) word &= (1u << 8 * left) - 1;
        }
        targets[at] = word;
    }
}

}  // namespace warpcodec
