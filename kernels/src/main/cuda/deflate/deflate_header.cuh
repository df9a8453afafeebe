// Reads the header of a DEFLATE block and makes the tables of its two codes, a warp all together.
//
// Headers are judged as zlib judges them. Defects are
//
//   - more than 286 literal/length or 30 distance codes,
//   - a precode that is not complete,
//   - a repetition of nothing, or beyond the last length,
//   - no code for the end of the block,
//   - an over-subscribed code,
//   - an incomplete code; but one code of one bit may stand alone, and there may be no distance code at all.
//
// The lengths are read one after the other, by every lane alike: 320 at most.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"
#include "../huffman/huffman_bits.cuh"
#include "../huffman/huffman_table.cuh"
#include "deflate_format.cuh"
#include "deflate_policy.cuh"
#include "deflate_symbols.cuh"

namespace warpcodec::deflate {

using namespace huffman;

using LiteralTables = CodeTables<FIXED_LITERAL_CODES, ReadPolicy::LITERAL_LOOKUP_BITS>;
using DistanceTables = CodeTables<FIXED_DISTANCE_CODES, ReadPolicy::DISTANCE_LOOKUP_BITS>;
using PrecodeTables = CodeTables<WARP_LANES, MAX_PRECODE_LENGTH>;
static_assert(MAX_CODE_LENGTH == MAX_CODE_BITS && PRECODE_SYMBOLS <= WARP_LANES,
              "tables hold the words of all three codes");

/// The codes of a block.
struct BlockTables {
    LiteralTables literals;
    DistanceTables distances;
};

/// Shared memory of a warp while it reads a header.
struct HeaderScratch {
    static constexpr int LENGTHS = FIXED_LITERAL_CODES + FIXED_DISTANCE_CODES;
    uint8_t lengths[LENGTHS];
    PrecodeTables precode;
};
static_assert(MAX_LITERAL_CODES + MAX_DISTANCE_CODES <= HeaderScratch::LENGTHS &&
              PRECODE_SYMBOLS < HeaderScratch::LENGTHS);

/// In which order a header gives the lengths of the precode, section 3.2.7.
extern __device__ constexpr uint8_t PRECODE_ORDER[PRECODE_SYMBOLS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                                      11, 4,  12, 3, 13, 2, 14, 1, 15};

/// How many codes of each alphabet a block has; their lengths lie behind each other in HeaderScratch::lengths.
struct CodeCounts {
    uint32_t literals = 0;  ///< zero at a defect
    uint32_t distances = 0;
};

/// The lengths of section 3.2.6.
__device__ __forceinline__ CodeCounts warp_set_fixed(HeaderScratch& scratch, int lane) {
#pragma unroll 1
    for (int symbol = lane; symbol < HeaderScratch::LENGTHS; symbol += WARP_LANES) {
        scratch.lengths[symbol] = symbol < FIXED_NINE_BITS_FROM    ? 8
                                  : symbol < FIXED_SEVEN_BITS_FROM ? 9
                                  : symbol < FIXED_EIGHT_BITS_FROM ? 7
                                  : symbol < FIXED_LITERAL_CODES   ? 8
                                                                   : FIXED_DISTANCE_BITS;
    }
    __syncwarp();
    return CodeCounts{FIXED_LITERAL_CODES, FIXED_DISTANCE_CODES};
}

/// Reads `count` code lengths by the precode. False at a defect.
__device__ __forceinline__ bool warp_read_lengths(const BitStream& stream, BitReader& reader, HeaderScratch& scratch,
                                                  uint32_t count, int lane) {
    uint32_t previous = 0;
#pragma unroll 1
    for (uint32_t at = 0; at < count;) {
        const uint32_t bits = reader.peek();
        const uint32_t entry = scratch.precode.lookup[bits & PrecodeTables::LOOKUP_MASK];
        const uint32_t code_bits = entry & LENGTH_MASK;
        const uint32_t symbol = entry >> PAYLOAD_SHIFT;
        if (symbol < REPEAT_PREVIOUS) {
            reader.skip(stream, code_bits);
            if (lane == 0) scratch.lengths[at] = static_cast<uint8_t>(symbol);
            previous = symbol;
            ++at;
            continue;
        }
        const uint32_t more_bits = symbol == REPEAT_PREVIOUS ? REPEAT_PREVIOUS_BITS
                                   : symbol == REPEAT_ZERO   ? REPEAT_ZERO_BITS
                                                             : REPEAT_ZERO_LONG_BITS;
        const uint32_t times = (symbol == REPEAT_ZERO_LONG ? REPEAT_ZERO_LONG_LEAST : REPEAT_LEAST) +
                               (bits >> code_bits & ((1u << more_bits) - 1));
        reader.skip(stream, code_bits + more_bits);
        if (symbol != REPEAT_PREVIOUS) {
            previous = 0;
        } else if (at == 0) {
            return false;
        }
        if (times > count - at) return false;
#pragma unroll 1
        for (uint32_t i = lane; i < times; i += WARP_LANES) scratch.lengths[at + i] = static_cast<uint8_t>(previous);
        at += times;
    }
    __syncwarp();
    return true;
}

/// Reads the lengths of a dynamic block, behind BTYPE.
__device__ __forceinline__ CodeCounts warp_read_dynamic(const BitStream& stream, BitReader& reader,
                                                        HeaderScratch& scratch, int lane) {
    constexpr int CLEARED = (PRECODE_SYMBOLS + 3) / 4 * 4;  // whole words
    const CodeCounts counts{reader.take(stream, HLIT_BITS) + MIN_LITERAL_CODES,
                            reader.take(stream, HDIST_BITS) + MIN_DISTANCE_CODES};
    const uint32_t precode_codes = reader.take(stream, HCLEN_BITS) + MIN_PRECODE_CODES;
    if (counts.literals > MAX_LITERAL_CODES || counts.distances > MAX_DISTANCE_CODES) return CodeCounts{};
    if (lane < CLEARED) scratch.lengths[lane] = 0;
    __syncwarp();
#pragma unroll 1
    for (uint32_t index = 0; index < precode_codes; ++index) {
        const uint32_t length = reader.take(stream, PRECODE_LENGTH_BITS);
        if (lane == 0) scratch.lengths[PRECODE_ORDER[index]] = static_cast<uint8_t>(length);
    }
    __syncwarp();
    const auto symbol_itself = [](uint32_t symbol) { return symbol; };
    if (!warp_build_tables(scratch.precode, scratch.lengths, PRECODE_SYMBOLS, lane, symbol_itself).complete())
        return CodeCounts{};
    if (!warp_read_lengths(stream, reader, scratch, counts.literals + counts.distances, lane)) return CodeCounts{};
    return scratch.lengths[END_OF_BLOCK] == 0 ? CodeCounts{} : counts;
}

/// Reads the header of a block that is not stored, behind BTYPE, and makes its tables. False at a defect; `reader` is
/// then anywhere.
__device__ __forceinline__ bool warp_make_tables(const BitStream& stream, BitReader& reader, bool fixed,
                                                 BlockTables& tables, HeaderScratch& scratch, int lane) {
    const CodeCounts counts = fixed ? warp_set_fixed(scratch, lane) : warp_read_dynamic(stream, reader, scratch, lane);
    if (counts.literals == 0) return false;
    const CodeShape literals =
        warp_build_tables(tables.literals, scratch.lengths, static_cast<int>(counts.literals), lane, literal_payload);
    const CodeShape distances = warp_build_tables(tables.distances, scratch.lengths + counts.literals,
                                                  static_cast<int>(counts.distances), lane, distance_payload);
    return (literals.complete() || literals.trivial()) && (distances.complete() || distances.trivial());
}

}  // namespace warpcodec::deflate
