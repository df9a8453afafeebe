// The CRC of a chunk's raw bytes, by tiles: CRC-32 with bits from the highest on.
//
// The polynomial is that of CRC-32 with its bits the other way, so products modulo it are those of checksum_gf2.cuh
// with words turned round. A thread takes 16 bytes with a table of 256 words, from a register of zeros, and
// multiplies by x^128 for each 16 bytes behind; the sum over the threads is the tile's. A tile that is not full is
// seen with zeros in front, which change nothing. The chunk's is the sum of its tiles, each multiplied likewise, of
// the register of ones at the front, and of ones.
#pragma once

#include "../checksum/checksum_gf2.cuh"
#include "bzip2_encode_format.cuh"

namespace warpcodec::bzip2_encode {

constexpr uint32_t CRC_POLYNOMIAL = 0x04C11DB7u;
constexpr uint32_t CRC_ONES = ~0u;

/// A table entry: what the byte in front becomes.
__device__ __forceinline__ uint32_t crc_of_byte(uint32_t byte) {
    uint32_t crc = byte << 24;
    for (int bit = 0; bit < 8; ++bit) crc = crc << 1 ^ (crc >> 31 != 0 ? CRC_POLYNOMIAL : 0);
    return crc;
}

__device__ __forceinline__ uint32_t crc_multiply(uint32_t a, uint32_t reflected_b) {
    return __brev(checksum::gf2_multiply(__brev(a), reflected_b));
}

/// x^exponent, reflected.
__device__ inline uint32_t crc_x_power(uint32_t exponent) {
    uint32_t result = checksum::GF2_ONE, square = checksum::GF2_X;
#pragma unroll 1
    for (; exponent != 0; exponent >>= 1) {
        if ((exponent & 1) != 0) result = checksum::gf2_multiply(result, square);
        square = checksum::gf2_multiply(square, square);
    }
    return result;
}

}  // namespace warpcodec::bzip2_encode
