// Arithmetic in GF(2)[x] modulo the CRC-32 polynomial.
//
// A 32-bit word is a polynomial of degree below 32 in reflected order (bit 31 = x^0). Addition is xor. The polynomial
// is primitive, so the powers of x repeat after 2^32 - 1 steps: every exponent may be reduced modulo 2^32 - 1, and
// x^-n is x^(2^32 - 1 - n). Both facts are pinned below.
#pragma once

#include <cstdint>

#include "checksum_format.cuh"

namespace warpcodec::checksum {

constexpr uint32_t GF2_ONE = 0x80000000u;
constexpr uint32_t GF2_X = 0x40000000u;
constexpr uint32_t GF2_ORDER = 0xFFFFFFFFu;

/// a * b. Cost: 32 turns of 6 instructions; no table, no branch.
__host__ __device__ constexpr uint32_t gf2_multiply(uint32_t a, uint32_t b) {
    uint32_t product = 0;
    for (int degree = 0; degree < 32; ++degree) {
        product ^= b & (0u - (a >> 31));
        a <<= 1;
        b = (b >> 1) ^ (CRC32_POLYNOMIAL & (0u - (b & 1u)));
    }
    return product;
}

/// x^exponent by square and multiply; for compile-time constants.
constexpr uint32_t gf2_x_power(uint32_t exponent) {
    uint32_t result = GF2_ONE;
    uint32_t square = GF2_X;
    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1u) result = gf2_multiply(result, square);
        square = gf2_multiply(square, square);
    }
    return result;
}

static_assert(gf2_x_power(GF2_ORDER) == GF2_ONE, "exponents are reduced modulo 2^32 - 1");
static_assert(gf2_x_power(32) == CRC32_POLYNOMIAL, "x^32 is the polynomial without its leading term");
static_assert(gf2_multiply(gf2_x_power(GF2_ORDER - 40), gf2_x_power(40)) == GF2_ONE, "x^-n is x^(order - n)");

/// One word for each lane of a warp.
struct LaneWords {
    uint32_t of[32];
};

/// Lane k holds x^(2^k).
constexpr LaneWords gf2_lane_squares() {
    LaneWords table{};
    uint32_t square = GF2_X;
    for (int k = 0; k < 32; ++k) {
        table.of[k] = square;
        square = gf2_multiply(square, square);
    }
    return table;
}

/// x^exponent, the same in every lane. Lane k contributes x^(2^k) where bit k of the exponent is set, and five rounds
/// of pairwise products leave the whole product in each lane. `lane_square` is this lane's word of
/// gf2_lane_squares(). All 32 lanes must call.
__device__ inline uint32_t warp_x_power(uint32_t exponent, uint32_t lane_square, int lane) {
    uint32_t factor = (exponent >> lane) & 1u ? lane_square : GF2_ONE;
#pragma unroll 1
    for (int distance = 16; distance > 0; distance >>= 1) {
        factor = gf2_multiply(factor, __shfl_xor_sync(0xFFFFFFFFu, factor, distance));
    }
    return factor;
}

}  // namespace warpcodec::checksum
