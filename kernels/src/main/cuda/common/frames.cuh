// Frames of a batch, as the kernels that look for candidates take them: each has its own range of every array.
//
// A batch is a row of units, and a frame a row of whole ones. So an array by rank or by place has UNIT_BYTES elements a
// unit, and one of what frames are cut into has as many as a unit holds. Memory is linear in the bytes of all frames,
// whatever the longest is; a short frame takes a unit. What lies behind a frame's last byte is nobody's.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpcodec {

constexpr uint32_t NO_PLACE = ~0u;
/// Bytes that may be read behind a batch's last byte of text.
constexpr uint32_t TEXT_SLACK = 16;
constexpr uint32_t UNIT_BYTES = 65536;

/// A frame of a batch: begins with a unit, which no other has.
struct alignas(8) FrameRange {
    uint32_t first_unit;
    uint32_t count;  ///< of bytes, so of ranks and of places

    /// Where its bytes lie in the text, and its elements in arrays by rank or place.
    __host__ __device__ size_t begin() const { return size_t{first_unit} * UNIT_BYTES; }
};
static_assert(sizeof(FrameRange) == 8);

/// Which frame each unit belongs to, and the frames.
struct FrameTable {
    const FrameRange* ranges;
    const uint32_t* unit_frames;
    uint32_t frame_count;
    uint32_t unit_count;
};

__host__ __device__ constexpr uint32_t parts_of(uint32_t whole, uint32_t part) { return (whole + part - 1) / part; }

/// Units of a frame; one without bytes has one, too.
__host__ __device__ constexpr uint32_t units_of(uint32_t bytes) { return bytes == 0 ? 1 : parts_of(bytes, UNIT_BYTES); }

}  // namespace warpcodec
