// Reads bytes that lie anywhere, 16 at a time, a row for each lane: what the encoder and the count of symbols do with raw bytes.
//
// Rows are aligned; the first and the last one may hold bytes of others. Those are read byte by byte, and only our own, so nothing beside the range is read and
// the rest of such a row is zeros.
#pragma once

#include <cstdint>

namespace warpcodec {

constexpr uint32_t ROW_BYTES = 16;

/// 16 bytes, and which of them are our own.
struct Row {
    static constexpr uint32_t ALL = (1u << ROW_BYTES) - 1;

    uint32_t words[ROW_BYTES / 4];
    uint32_t own;  ///< bit k: byte k is

    __device__ __forceinline__ bool owns_all() const { return own == ALL; }
    /// Byte `k`, which should be known when this is compiled: then the row stays in registers.
    __device__ __forceinline__ uint32_t byte(int k) const { return words[k / 4] >> (8 * (k % 4)) & 0xFF; }

    /// Calls take(byte) for each byte of ours, in order. ALL_OURS: the caller knows that all are.
    template <bool ALL_OURS, typename Take>
    __device__ __forceinline__ void for_each(Take take) const {
#pragma unroll
        for (int k = 0; k < static_cast<int>(ROW_BYTES); ++k) {
            if (ALL_OURS || (own >> k & 1) != 0) take(byte(k));
        }
    }
};

/// The rows of a range of bytes.
struct Rows {
    const uint8_t* first_row;  ///< aligned
    uint32_t begin;            ///< of the range, counted from there: less than a row
    uint32_t limit;            ///< behind its last byte

    /// `byte_count` may be zero, and is below 2^31.
    __device__ __forceinline__ Rows(const uint8_t* bytes, uint32_t byte_count) {
        begin = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(bytes) & (ROW_BYTES - 1));
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
