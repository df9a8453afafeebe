// Frames of a batch, as the kernels that look for candidates take them: each has its own range of every array.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpcodec {

constexpr uint32_t NO_PLACE = ~0u;
/// Bytes that may be read behind a batch's last byte of text.
constexpr uint32_t TEXT_SLACK = 16;
/// Begins of frames are multiples of this, so that whole groups of ranks are read at once.
constexpr uint32_t FRAME_ALIGNMENT = 8;

struct FrameRange {
    size_t begin;  ///< of its bytes in the text, and of its words in arrays by rank or place
    uint32_t count;  ///< of bytes, so of ranks and of places
};

__host__ __device__ constexpr uint32_t parts_of(uint32_t whole, uint32_t part) { return (whole + part - 1) / part; }

}  // namespace warpcodec
