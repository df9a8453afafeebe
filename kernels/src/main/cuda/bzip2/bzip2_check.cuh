// The CRC of a block's raw bytes: CRC-32/BZIP2, which is CRC-32 (checksum_crc32.cuh) with the bits of each byte, and
// of the result, turned round.
#pragma once

#include <cstdint>

#include "../checksum/checksum_crc32.cuh"
#include "../common/warp.cuh"

namespace warpcodec::bzip2 {

constexpr int CHECK_CTA_THREADS = 512;
constexpr uint32_t CHECK_WARPS = CHECK_CTA_THREADS / WARP_LANES;
/// Rows of 512 bytes that a warp adds up.
constexpr uint32_t CHECK_WARP_ROWS = 16;
constexpr uint32_t CHECK_STRIP_ROWS = CHECK_WARPS * CHECK_WARP_ROWS;

/// Ctas for a slot of so many bytes, which begins and ends within a row.
__host__ __device__ constexpr uint32_t check_strips(uint32_t slot_bytes) {
    return (slot_bytes / checksum::ROW_BYTES + 3 + CHECK_STRIP_ROWS - 1) / CHECK_STRIP_ROWS;
}

/// The term that the rows of a strip add to the CRC of bytes [begin, limit) of `output`, which is aligned to 16
/// bytes; a warp. The terms of all strips, joined by exclusive or, and CRC32_FINAL_XOR are the CRC with its bits
/// turned round.
__device__ inline uint32_t warp_crc_term(const uint8_t* output, uint64_t begin_at, uint64_t limit_at, uint32_t strip,
                                         uint32_t warp, const uint32_t* s_lookup, int lane) {
    using namespace checksum;
    const int64_t begin = static_cast<int64_t>(begin_at);
    const int64_t limit = static_cast<int64_t>(limit_at);
    const int64_t rows_begin = chunk_rows_begin(begin);
    const uint64_t rows = static_cast<uint64_t>(limit - rows_begin + ROW_BYTES - 1) / ROW_BYTES;
    const uint64_t row = uint64_t{strip} * CHECK_STRIP_ROWS + warp * CHECK_WARP_ROWS;
    if (row >= rows) return 0;
    const uint64_t row_limit = min(row + CHECK_WARP_ROWS, rows);
    const LaneSums sums = warp_sum_rows<HighBitFirst>(output, begin, limit, row, row_limit, s_lookup, lane);
    const int64_t end = rows_begin + static_cast<int64_t>(row_limit * ROW_BYTES);
    return gf2_multiply(warp_fold(sums, LANE_FACTORS.of[lane]),
                        warp_x_power(bits_exponent(limit - end), LANE_SQUARES.of[lane], lane));
}

}  // namespace warpcodec::bzip2
