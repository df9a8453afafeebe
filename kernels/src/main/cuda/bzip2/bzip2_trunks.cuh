// Trunks: for each code of a block one path of words through the block's bits.
//
// A prefix code read from any bit soon falls into step with itself. So for each code of a block there is a path of
// words through its bits, its trunk, that nearly every reader of that code is on after a few words. A trunk has
// nothing to do with where the code is in use, so all of it is read at once, from anywhere.
//
// A warp reads STRIP_TILES tiles of one code. A lane reads LANE_BITS bits from the first of them on; then lanes whose
// first word is not where the lane before ended read once more from there until they meet their own words. Lanes that
// do not agree after MOST_READINGS turns, which takes a code that does not fall into step, end the trunk of their
// tile: it stops where the lane before ended. Each tile's trunk is one path; two tiles' paths need not meet, since
// the chain joins each anew (bzip2_groups.cuh).
//
// Bits that are no word of a code are a word of one bit to its trunk; whether one is in the result shows when the
// symbols are read.
#pragma once

#include <cstdint>

#include "../common/residency.cuh"
#include "../common/warp.cuh"
#include "bzip2_bits.cuh"
#include "bzip2_scratch.cuh"
#include "bzip2_tables.cuh"

namespace warpcodec::bzip2 {

constexpr uint32_t LANE_WORDS = 8;
constexpr uint32_t LANE_BITS = 32 * LANE_WORDS;
constexpr uint32_t TILE_LANES = TILE_BITS / LANE_BITS;
/// Tiles that a warp reads at once.
constexpr uint32_t STRIP_TILES = WARP_LANES / TILE_LANES;
static_assert(TILE_LANES * LANE_BITS == TILE_BITS && STRIP_TILES * TILE_LANES == WARP_LANES && LANE_WORDS == 8,
              "lanes fill tiles, and write two quads");
/// Strips that a cta reads one after the other: its tables are loaded once for them.
constexpr uint32_t TRUNK_STRIPS = DecodePolicy::TRUNK_STRIPS;
constexpr uint32_t MOST_READINGS = DecodePolicy::MOST_READINGS;
constexpr int TRUNK_CTA_THREADS = MAX_CODES * WARP_LANES;
constexpr int TRUNK_CTAS = resident_ctas(TRUNK_CTA_THREADS, 6);
/// Bytes of a block's bits that a cta reads.
constexpr uint32_t TRUNK_CTA_BYTES = TRUNK_STRIPS * STRIP_TILES * TILE_BITS / 8;

/// The block's word at which its first tile begins, a multiple of four: bits in front of the symbols are in no group.
__device__ __forceinline__ uint32_t first_tile_word(const Record& record) { return record.symbol_bit / 32 / 4 * 4; }

/// Tiles of a block that have trunks.
__device__ __forceinline__ uint32_t trunk_tiles(const BlockView& block) {
    const uint32_t bits = block.record->limit_bit - 32 * first_tile_word(*block.record);
    return min((bits + TILE_BITS - 1) / TILE_BITS, block.scratch.trunk_tiles);
}

/// The words of a lane, and the one behind them.
struct LaneWords {
    uint32_t word[LANE_WORDS + 1];

    __device__ __forceinline__ void load(const BitWords& source, uint32_t first) {
        if ((uint64_t{first} + LANE_WORDS + 1) * 4 <= source.byte_count) {
            const uint4* quads = reinterpret_cast<const uint4*>(source.bytes) + first / 4;
#pragma unroll
            for (uint32_t k = 0; k < LANE_WORDS / 4; ++k) {
                const uint4 quad = __ldg(quads + k);
                word[4 * k] = __byte_perm(quad.x, 0, 0x0123);
                word[4 * k + 1] = __byte_perm(quad.y, 0, 0x0123);
                word[4 * k + 2] = __byte_perm(quad.z, 0, 0x0123);
                word[4 * k + 3] = __byte_perm(quad.w, 0, 0x0123);
            }
            word[LANE_WORDS] = source.word(first + LANE_WORDS);
        } else {
#pragma unroll
            for (uint32_t k = 0; k <= LANE_WORDS; ++k) word[k] = source.word(first + k);
        }
    }
};

/// Reads words from bit `begin` of a lane's bits on, below 32, until they are over. `starts`: words that begin in the
/// lane's bits, a bit each, the first at the top.
///
/// AGAIN    `starts` are those of an earlier reading that ended at `end`; where one of them is met the rest is theirs
/// returns  where the first word behind the lane's bits begins, from their end
template <bool AGAIN>
__device__ __forceinline__ uint32_t lane_read(const StepCodes& s, uint32_t code, const LaneWords& own, uint32_t begin,
                                              uint32_t (&starts)[LANE_WORDS], uint32_t end) {
    uint32_t at = begin;
    uint32_t behind = 0;  // words that were seen beyond the word of bits they were looked for in
    bool met = false;
#pragma unroll
    for (uint32_t k = 0; k < LANE_WORDS; ++k) {
        if (!met) {
            uint32_t found = behind;
            behind = 0;
            while (at < 32) {
                const Step step = step_at(s, code, __funnelshift_l(own.word[k + 1], own.word[k], at));
                found |= step.starts >> at;
                behind |= __funnelshift_r(0, step.starts, at);
                at += step.length;
            }
            at -= 32;
            const uint32_t common = AGAIN ? found & starts[k] : 0;
            met = common != 0;
            const uint32_t theirs =
                met ? 0xFFFFFFFFu >> __clz(static_cast<int>(common)) : 0;  // from the first one in common on
            starts[k] = (found & ~theirs) | (AGAIN ? starts[k] & theirs : 0);
        }
    }
    if (met) return end;
    return behind != 0 ? static_cast<uint32_t>(__clz(static_cast<int>(behind))) : at;
}

/// Reads the trunk of a code in a strip of tiles; a warp.
///
/// first_tile  of the strip
/// tile_count  of the block: tiles behind them are not written
__device__ __forceinline__ void warp_read_trunk(const StepCodes& s, const BitWords& bits, uint32_t first_word,
                                                uint32_t code, uint32_t first_tile, uint32_t tile_count,
                                                TrunkTile* trunks, int lane) {
    LaneWords own;
    own.load(bits, first_word + first_tile * TILE_WORDS + lane * LANE_WORDS);
    uint32_t starts[LANE_WORDS];
    uint32_t begin = 0;  // where this lane's first word begins
    uint32_t end = lane_read<false>(s, code, own, begin, starts, 0);
    uint32_t ended;  // where the lane before did
    uint32_t wrong;
    for (uint32_t reading = 1;; ++reading) {
        ended = __shfl_up_sync(ALL_LANES, end, 1);
        const bool mine = lane != 0 && ended != begin;
        wrong = __ballot_sync(ALL_LANES, mine);
        if (wrong == 0 || reading == MOST_READINGS) break;
        if (mine) {
            begin = ended;
            end = lane_read<true>(s, code, own, begin, starts, end);
        }
        __syncwarp();
    }
    const uint32_t tile = first_tile + lane / TILE_LANES;
    const uint32_t in_tile = lane % TILE_LANES;
    // Lanes of the tile that do not go on where the one before ended, but for its first.
    const uint32_t breaks = wrong >> (lane - in_tile) & ((1u << TILE_LANES) - 2);
    const bool beyond = (breaks & ((2u << in_tile) - 1)) != 0;
    const bool breaks_here = beyond && (breaks & ((1u << in_tile) - 1)) == 0;
    if (tile >= tile_count) return;
    uint4* to = reinterpret_cast<uint4*>(trunks[tile].starts[code] + in_tile * LANE_WORDS);
    to[0] = beyond ? make_uint4(0, 0, 0, 0) : make_uint4(starts[0], starts[1], starts[2], starts[3]);
    to[1] = beyond ? make_uint4(0, 0, 0, 0) : make_uint4(starts[4], starts[5], starts[6], starts[7]);
    if (breaks_here) trunks[tile].stop[code] = static_cast<uint16_t>(in_tile * LANE_BITS + ended);
    if (in_tile == TILE_LANES - 1 && breaks == 0) trunks[tile].stop[code] = static_cast<uint16_t>(TILE_BITS + end);
}

/// Reads the trunks of all codes in some strips of a block: those that are `cta` modulo `cta_count`, TRUNK_STRIPS in
/// a row each; a cta of TRUNK_CTA_THREADS.
__device__ __forceinline__ void cta_read_trunks(const BlockView& block, uint32_t cta, uint32_t cta_count,
                                                StepCodes& s) {
    const uint32_t tile_count = trunk_tiles(block);
    if (cta * TRUNK_STRIPS * STRIP_TILES >= tile_count) return;
    s.load(block.scratch);
    __syncthreads();
    const uint32_t code = threadIdx.x / WARP_LANES;
    if (code >= block.record->code_count) return;
    const BitWords bits{block.bits, block.bits_bytes};
    const uint32_t first_word = first_tile_word(*block.record);
    for (uint32_t first = cta * TRUNK_STRIPS * STRIP_TILES; first < tile_count;
         first += cta_count * TRUNK_STRIPS * STRIP_TILES) {
        const uint32_t limit = min(first + TRUNK_STRIPS * STRIP_TILES, tile_count);
        for (uint32_t tile = first; tile < limit; tile += STRIP_TILES) {
            warp_read_trunk(s, bits, first_word, code, tile, tile_count, block.scratch.trunks,
                            threadIdx.x % WARP_LANES);
        }
    }
}

}  // namespace warpcodec::bzip2
