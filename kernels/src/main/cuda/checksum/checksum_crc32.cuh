// CRC-32 of every chunk of a batch that lies in one buffer.
//
// A CRC register that starts at zero is linear: it is the sum, over the message's words w of 32 bits, of w *
// x^(bits that follow w, plus 32), modulo the polynomial. So any part of a chunk may be summed up by anyone,
// multiplied by x^(8 * bytes after it), and added by xor. No order is needed and none is kept: the result is the same
// on every run.
//
// The input is seen as rows of 512 bytes at multiples of 512. In one row each lane takes 16 bytes (4 words) and keeps
// 4 sums, one per word. Going to the next row multiplies a sum by x^4096. That is linear in its 32 bits and therefore
// six look-ups of six bits. Bytes of a row outside the chunk count as zero: zeros in front change nothing, and zeros
// behind are taken back by a negative exponent.
//
// The register's start value of all ones is written as four virtual bytes in front of the chunk (PRELUDE) whose own
// sum is all ones. So a chunk's rows begin at the row of byte (offset - 4), every chunk has at least one row, and
// lengths 0 to 3 need no case of their own.
//
// The rows of all chunks, in order, are dealt out evenly: warp w takes rows
// [w * rows_per_warp, (w + 1) * rows_per_warp), whatever chunks they belong to, and adds one term per chunk that it
// touches. A chunk of a gigabyte is thus summed by the whole device, and ten thousand small ones are too.
//
// Cost per row and warp: one 16-byte load, 24 shared loads without bank conflict (every bank holds the tables for its
// own lane), about 90 instructions. Cost per term: ten multiplications, about 2,000 instructions, the price of 24
// rows.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"
#include "checksum_format.cuh"
#include "checksum_gf2.cuh"
#include "checksum_policy.cuh"

namespace warpcodec::checksum {

constexpr int LANE_BYTES = 16;
constexpr int ROW_BYTES = WARP_LANES * LANE_BYTES;
constexpr int PRELUDE_BYTES = 4;

/// The four bytes, as a little-endian word, that take a zero register to CRC32_INITIAL: PRELUDE * x^32 = CRC32_INITIAL.
constexpr uint32_t PRELUDE = gf2_multiply(CRC32_INITIAL, gf2_x_power(GF2_ORDER - 32));
static_assert(gf2_multiply(PRELUDE, gf2_x_power(32)) == CRC32_INITIAL, "the prelude stands for the start value");

constexpr uint32_t X_POWER_ROW = gf2_x_power(8 * ROW_BYTES);
constexpr uint32_t X_POWER_WORD = gf2_x_power(32);

constexpr int LOOKUP_BITS = Crc32Policy::LOOKUP_BITS;
constexpr int LOOKUP_COUNT = (32 + LOOKUP_BITS - 1) / LOOKUP_BITS;
/// Entries of all tables: full ones, and a last one for the bits that are left over.
constexpr int LOOKUP_ENTRIES = (LOOKUP_COUNT - 1) * (1 << LOOKUP_BITS) + (1 << (32 - (LOOKUP_COUNT - 1) * LOOKUP_BITS));
constexpr int ENTRY_BYTES_LOG2 = 7;
static_assert(1 << ENTRY_BYTES_LOG2 == 4 * WARP_LANES, "an entry has a copy for each lane");
constexpr int LOOKUP_WORDS = LOOKUP_ENTRIES * WARP_LANES;
static_assert(LOOKUP_WORDS * 4 <= 48 * 1024, "static shared memory ends at 48 KiB");

/// Lane k holds the factor that moves its 16 bytes to the end of the row: x^(8 * bytes of the row behind them + 32).
constexpr LaneWords crc32_lane_factors() {
    LaneWords table{};
    for (int lane = 0; lane < WARP_LANES; ++lane) {
        table.of[lane] = gf2_x_power(8 * LANE_BYTES * (WARP_LANES - 1 - lane) + 32);
    }
    return table;
}

extern __device__ constexpr LaneWords LANE_SQUARES = gf2_lane_squares();
extern __device__ constexpr LaneWords LANE_FACTORS = crc32_lane_factors();

/// The four sums of one lane.
struct LaneSums {
    uint32_t word[4];
};

/// Fills s_lookup: entry e of lane l lies at word e * 32 + l, so that lane l only ever touches bank l. The caller
/// synchronises the cta. Writes are rotated by lane, which keeps them free of conflicts too.
__device__ inline void cta_fill_lookup(uint32_t* s_lookup) {
    for (int entry = threadIdx.x; entry < LOOKUP_ENTRIES; entry += blockDim.x) {
        int table = entry >> LOOKUP_BITS;
        uint32_t bits = static_cast<uint32_t>(entry & ((1 << LOOKUP_BITS) - 1)) << (table * LOOKUP_BITS);
        uint32_t value = gf2_multiply(bits, X_POWER_ROW);
        for (int copy = 0; copy < WARP_LANES; ++copy) {
            s_lookup[entry * WARP_LANES + ((copy + threadIdx.x) & (WARP_LANES - 1))] = value;
        }
    }
}

/// The value, of which the compiler must not know how it came about. Knowing that a lane's offset is a masked thread
/// number, it masks again at every use instead of joining "and" and "or" into one instruction.
__device__ __forceinline__ uint32_t thread_opaque(uint32_t value) {
    asm("" : "+r"(value));
    return value;
}

/// Advances a sum by a row: sum * x^4096. `lane_offset` is 4 * lane. An entry's copies are 128 bytes. So the six bits
/// of the index go to bits 7 to 12, and the lane's offset is in bits 2 to 6. Together they make up the address
/// without an addition: one shift and one three-input operation for each look-up. That matters: the integer pipe, two
/// instructions per clock, is what bounds this kernel.
__device__ __forceinline__ uint32_t thread_advance_row(uint32_t sum, const uint32_t* s_lookup, uint32_t lane_offset) {
    constexpr uint32_t MASK = ((1u << LOOKUP_BITS) - 1) << ENTRY_BYTES_LOG2;
    const char* s_bytes = reinterpret_cast<const char*>(s_lookup);
    uint32_t result = 0;
#pragma unroll
    for (int table = 0; table < LOOKUP_COUNT; ++table) {
        const int right = table * LOOKUP_BITS - ENTRY_BYTES_LOG2;
        const uint32_t bits = right >= 0 ? sum >> right : sum << -right;
        const uint32_t offset = (bits & MASK) | lane_offset;
        result ^= *reinterpret_cast<const uint32_t*>(s_bytes + (table << (LOOKUP_BITS + ENTRY_BYTES_LOG2)) + offset);
    }
    return result;
}

__device__ __forceinline__ void thread_add_row(LaneSums& sums, const uint4& row, const uint32_t* s_lookup,
                                               uint32_t lane_offset) {
    sums.word[0] = thread_advance_row(sums.word[0], s_lookup, lane_offset) ^ row.x;
    sums.word[1] = thread_advance_row(sums.word[1], s_lookup, lane_offset) ^ row.y;
    sums.word[2] = thread_advance_row(sums.word[2], s_lookup, lane_offset) ^ row.z;
    sums.word[3] = thread_advance_row(sums.word[3], s_lookup, lane_offset) ^ row.w;
}

/// Bytes whose least significant bit comes first, as CRC-32 takes them.
struct LowBitFirst {
    static __device__ __forceinline__ uint32_t byte(uint32_t value) { return value; }
    static __device__ __forceinline__ uint4 row(const uint4& value) { return value; }
};

/// Bytes whose most significant bit comes first, as bzip2 has them: with the bits of each byte turned round the same
/// sums are those of CRC-32/BZIP2, whose value is the result with its bits turned round.
struct HighBitFirst {
    static __device__ __forceinline__ uint32_t byte(uint32_t value) { return __brev(value) >> 24; }
    static __device__ __forceinline__ uint32_t word(uint32_t value) { return __byte_perm(__brev(value), 0, 0x0123); }
    static __device__ __forceinline__ uint4 row(const uint4& value) {
        return make_uint4(word(value.x), word(value.y), word(value.z), word(value.w));
    }
};

/// The 16 bytes from `position` on, for a row that the chunk [begin, limit) covers only in part: bytes of the chunk
/// from memory, the prelude's bytes in front of it, zero elsewhere. Reads no byte outside the chunk.
template <typename BitOrder>
__device__ inline uint4 thread_load_edge(const uint8_t* input, int64_t position, int64_t begin, int64_t limit) {
    uint32_t words[4];
#pragma unroll
    for (int w = 0; w < 4; ++w) {
        uint32_t word = 0;
#pragma unroll
        for (int b = 0; b < 4; ++b) {
            int64_t at = position + 4 * w + b;
            uint32_t byte = 0;
            if (at >= begin && at < limit) {
                byte = BitOrder::byte(input[at]);
            } else if (at < begin && at >= begin - PRELUDE_BYTES) {
                byte = (PRELUDE >> (8 * static_cast<int>(at - (begin - PRELUDE_BYTES)))) & 0xFFu;
            }
            word |= byte << (8 * b);
        }
        words[w] = word;
    }
    return make_uint4(words[0], words[1], words[2], words[3]);
}

/// First byte of the row that holds the prelude; negative for a chunk within the first four bytes of the input.
__device__ __forceinline__ int64_t chunk_rows_begin(int64_t begin) {
    return (begin - PRELUDE_BYTES) & ~static_cast<int64_t>(ROW_BYTES - 1);
}

/// This lane's sums over the chunk's rows [row, row_limit). Partial are the rows that begin before the chunk does -
/// one, or two where the prelude ends in the row before - and the last one. The input pointer must be 16-byte
/// aligned.
template <typename BitOrder = LowBitFirst>
__device__ inline LaneSums warp_sum_rows(const uint8_t* input, int64_t begin, int64_t limit, uint64_t row,
                                         uint64_t row_limit, const uint32_t* s_lookup, int lane) {
    const int64_t rows_begin = chunk_rows_begin(begin);
    const uint32_t lane_offset = thread_opaque(4 * lane);
    const int64_t lane_begin = rows_begin + LANE_BYTES * lane;
    const uint64_t whole = static_cast<uint64_t>(limit - rows_begin) / ROW_BYTES;
    const uint64_t whole_limit = row_limit < whole ? row_limit : whole;
    LaneSums sums{};

    const uint64_t head_limit = static_cast<uint64_t>(begin - rows_begin + ROW_BYTES - 1) / ROW_BYTES;
    for (; row < head_limit && row < row_limit; ++row) {
        int64_t position = lane_begin + static_cast<int64_t>(row) * ROW_BYTES;
        thread_add_row(sums, thread_load_edge<BitOrder>(input, position, begin, limit), s_lookup, lane_offset);
    }
    const uint4* rows = reinterpret_cast<const uint4*>(input + lane_begin);
    constexpr int DEPTH = Crc32Policy::ROWS_IN_FLIGHT;
    for (; row + DEPTH <= whole_limit; row += DEPTH) {
        uint4 loaded[DEPTH];
#pragma unroll
        for (int i = 0; i < DEPTH; ++i) loaded[i] = __ldg(rows + (row + i) * WARP_LANES);
#pragma unroll
        for (int i = 0; i < DEPTH; ++i) thread_add_row(sums, BitOrder::row(loaded[i]), s_lookup, lane_offset);
    }
    for (; row < whole_limit; ++row)
        thread_add_row(sums, BitOrder::row(__ldg(rows + row * WARP_LANES)), s_lookup, lane_offset);
    if (row < row_limit) {
        int64_t position = lane_begin + static_cast<int64_t>(row) * ROW_BYTES;
        thread_add_row(sums, thread_load_edge<BitOrder>(input, position, begin, limit), s_lookup, lane_offset);
    }
    return sums;
}

/// The lanes' sums as one word, as if the message ended with the last row; the same in every lane.
__device__ inline uint32_t warp_fold(const LaneSums& sums, uint32_t lane_factor) {
    uint32_t folded = sums.word[0];
#pragma unroll 1
    for (int w = 1; w < 4; ++w) {
        uint32_t next = w == 1 ? sums.word[1] : w == 2 ? sums.word[2] : sums.word[3];
        folded = gf2_multiply(folded, X_POWER_WORD) ^ next;
    }
    folded = gf2_multiply(folded, lane_factor);
#pragma unroll
    for (int distance = 16; distance > 0; distance >>= 1) folded ^= __shfl_xor_sync(0xFFFFFFFFu, folded, distance);
    return folded;
}

/// 8 * bytes modulo the order of x; `bytes` may be negative, but not below -ROW_BYTES.
__device__ __forceinline__ uint32_t bits_exponent(int64_t bytes) {
    uint64_t reduced = bytes < 0 ? static_cast<uint64_t>(bytes + static_cast<int64_t>(GF2_ORDER))
                                 : static_cast<uint64_t>(bytes) % GF2_ORDER;
    return static_cast<uint32_t>(reduced * 8 % GF2_ORDER);
}

/// The chunk that holds `row`: the last one whose row_start is not beyond it. Every chunk has a row, so starts
/// strictly increase.
__device__ inline uint32_t find_chunk(const ChunkEntry* chunks, uint32_t chunk_count, uint64_t row) {
    uint32_t low = 0;
    uint32_t high = chunk_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (__ldg(&chunks[middle].row_start) <= row) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/// The work of one warp: rows [row, row_limit) of the batch, one term added to crc32[] for each chunk among them.
/// Offsets and lengths are clamped to input_bytes, so that a wrong table gives a wrong sum and no wild address.
__device__ inline void warp_crc32_rows(const uint8_t* input, uint64_t input_bytes, const ChunkEntry* chunks,
                                       uint32_t chunk_count, uint64_t row, uint64_t row_limit, uint32_t* crc32,
                                       const uint32_t* s_lookup, int lane) {
    const uint32_t lane_square = LANE_SQUARES.of[lane];
    const uint32_t lane_factor = LANE_FACTORS.of[lane];
    for (uint32_t chunk = find_chunk(chunks, chunk_count, row); row < row_limit && chunk < chunk_count; ++chunk) {
        const ChunkEntry entry = ChunkEntry::load(chunks + chunk);
        const uint64_t chunk_row_limit = __ldg(&chunks[chunk + 1].row_start);
        const uint64_t offset = entry.offset_bytes < input_bytes ? entry.offset_bytes : input_bytes;
        const uint64_t length = entry.length_bytes < input_bytes - offset ? entry.length_bytes : input_bytes - offset;
        const int64_t begin = static_cast<int64_t>(offset);
        const int64_t limit = static_cast<int64_t>(offset + length);
        const uint64_t piece_limit = chunk_row_limit < row_limit ? chunk_row_limit : row_limit;

        const LaneSums sums =
            warp_sum_rows(input, begin, limit, row - entry.row_start, piece_limit - entry.row_start, s_lookup, lane);
        const int64_t piece_end =
            chunk_rows_begin(begin) + static_cast<int64_t>((piece_limit - entry.row_start) * ROW_BYTES);
        const uint32_t term = gf2_multiply(warp_fold(sums, lane_factor),
                                           warp_x_power(bits_exponent(limit - piece_end), lane_square, lane));
        if (lane == 0) atomicXor(crc32 + chunk, term);
        row = piece_limit;
    }
}

}  // namespace warpcodec::checksum
