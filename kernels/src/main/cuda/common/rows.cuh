// Unaligned loads of 16 bytes: reads a range of bytes that begins anywhere by aligned rows of 16, one for each lane.
//
// A row that lies in the range is one load. The first and the last row may hold bytes outside it: there only the
// bytes of the range are read, one by one, and the rest of the row is zeros. So nothing beside the range is read.
#pragma once

#include <cstdint>

#include "alignment.cuh"

namespace warpcodec {

constexpr uint32_t ROW_BYTES = 16;

/// An aligned row of 16 bytes, and which of them belong to the range.
struct Row {
    static constexpr uint32_t ALL = (1u << ROW_BYTES) - 1;

    uint32_t words[ROW_BYTES / 4];
    uint32_t own;  ///< bit k: byte k belongs to the range

    __device__ __forceinline__ bool owns_all() const { return own == ALL; }
    /// Byte `k`, which should be known when this is compiled: then the row stays in registers.
    __device__ __forceinline__ uint32_t byte(int k) const { return words[k / 4] >> (8 * (k % 4)) & 0xFF; }

    /// Calls take(byte) for each byte of the range, in order. ALL_OURS: the caller knows that all of the row are.
    template <bool ALL_OURS, typename Take>
    __device__ __forceinline__ void for_each(Take take) const {
#pragma unroll
        for (int k = 0; k < static_cast<int>(ROW_BYTES); ++k) {
            if (ALL_OURS || (own >> k & 1) != 0) take(byte(k));
        }
    }
};

/// The rows of a range of bytes that begins anywhere.
struct UnalignedRows {
    const uint8_t* first_row;  ///< aligned
    uint32_t begin;  ///< of the range, counted from there: less than a row
    uint32_t limit;  ///< behind its last byte

    /// `byte_count` may be zero, and is below 2^31.
    __device__ __forceinline__ UnalignedRows(const uint8_t* bytes, uint32_t byte_count) {
        begin = bytes_past_alignment<ROW_BYTES>(bytes);
        first_row = bytes - begin;
        limit = begin + byte_count;
    }

    /// The row at `at`, a multiple of ROW_BYTES, which may lie behind the range.
    __device__ __forceinline__ Row load(uint32_t at) const {
        Row row{};
        if (at >= begin && at + ROW_BYTES <= limit) {
            const uint4 whole = __ldg(reinterpret_cast<const uint4*>(first_row + at));
            row.words[0] = whole.x;
            row.words[1] = whole.y;
            row.words[2] = whole.z;
            row.words[3] = whole.w;
            row.own = Row::ALL;
        } else if (at < limit) {
#pragma unroll
            for (uint32_t k = 0; k < ROW_BYTES; ++k) {
                if (at + k < begin || at + k >= limit) continue;
                row.words[k / 4] |= static_cast<uint32_t>(__ldg(first_row + at + k)) << (8 * (k % 4));
                row.own |= 1u << k;
            }
        }
        return row;
    }
};

}  // namespace warpcodec
