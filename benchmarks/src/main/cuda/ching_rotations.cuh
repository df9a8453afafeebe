// The exact order of strings' suffixes by the sort that streams have (suffixarray/), in a shape that compares all
// bytes.
//
// A string gets an end that is smaller than all its symbols, and occurs once. Then no two rotations are alike, and they
// are in the order of the suffixes with which they begin. The first one is the end's. Symbols go up by one to make room
// for the end, so a string with the byte 255 is left out.
//
// Bounds: strings of MAX_BYTES - 1 bytes.
#pragma once

#include "suffixarray/suffixarray_format.cuh"

namespace ching {

/// Strings of 1 MiB with their ends.
struct EndedLimits : warpcodec::suffixarray::FrameLimits {
    static constexpr uint32_t MAX_BYTES = (1u << 20) + 1;
    static constexpr uint32_t CUT = MAX_BYTES;
};
using EndedShape = warpcodec::bwt_encode::ShapeOf<EndedLimits>;

constexpr uint8_t MOST_SYMBOL = 0xFE;
constexpr uint8_t END_SYMBOL = 0;

__host__ __device__ inline uint8_t above_end(uint8_t symbol) { return static_cast<uint8_t>(symbol + 1); }

}  // namespace ching
