// Where each group of 50 symbols of a bzip2 block begins. The length of a group is known only by reading it, and its selector names the code; so a block is a chain of groups, the
// one part of bzip2 that cannot be cut. But nearly all of the chain's work can be done before the chain is there:
//
// A prefix code read from any bit soon falls into step with itself. So for each code of a block there is one path of words through all of its bits, its trunk, that nearly every
// reader of that code is on after a few words. With the words of a trunk numbered, a group that begins on the trunk of its code ends 50 numbers on: two look-ups, whatever its
// words. All groups in a row that have the same code are one such hop, and a change of code costs the few words until the next trunk is met.
//
// A cta takes a block, tile by tile of TILE_BITS bits. One warp for each code extends its trunk over the next tile; another one follows the chain through the tile before, and one
// more loads bits. In a trunk's warp each lane reads LANE_BITS bits, and WARM_UP_BITS before them to get into step; then those lanes whose first word is not where the lane before
// ended read once more from there until they meet their own words, until all fit together. So a trunk is exactly what one reader finds that begins with the block's first symbol. A
// trunk is kept as a bit for each place at which a word begins, and the number of words before every 32nd place: the chain looks for the few words that it wants.
//
// Bits that are no word of a code are a word of one bit to its trunk; whether one is in the result shows when the symbols are read.
//
// Bounded: a lane reads its bits once for each lane before it at most, 31 times; the chain ends with the block's bits, its selectors, or as many groups as its text can have.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"
#include "bzip2_bits.cuh"
#include "bzip2_scratch.cuh"
#include "bzip2_tables.cuh"

namespace warpcodec::bzip2 {

constexpr uint32_t LANE_BITS = 64;
constexpr uint32_t WARM_UP_BITS = DecodePolicy::WARM_UP_BITS;
constexpr uint32_t TILE_BITS = WARP_LANES * LANE_BITS;
constexpr uint32_t TILE_WORDS = TILE_BITS / 32;
constexpr uint32_t STRETCH_WORDS = 8;
constexpr uint32_t TILE_STRETCHES = TILE_WORDS / STRETCH_WORDS;
constexpr uint32_t CHAIN_WARP = MAX_CODES;
constexpr uint32_t LOAD_WARP = MAX_CODES + 1;
constexpr int FIND_CTA_THREADS = (MAX_CODES + 2) * WARP_LANES;
/// Tiles of the block's bits in shared memory: the chain's, the trunks' and the next one, and one that is loaded.
constexpr uint32_t BIT_TILES = 4;
constexpr uint32_t BIT_WORDS = BIT_TILES * TILE_WORDS;
static_assert(WARM_UP_BITS % 32 == 0 && WARM_UP_BITS <= 96 && TILE_STRETCHES == 8 && (BIT_WORDS & (BIT_WORDS - 1)) == 0,
              "what the code below takes for granted");

/// An entry of the look-up of several words: where words begin in its bits, the first at the top, and how many bits the whole ones have. 0: the first is longer, or none.
constexpr uint32_t STEP_BITS = DecodePolicy::LOOKUP_BITS;
constexpr uint32_t STEP_SHIFT = 4;
constexpr uint32_t STEP_MASK = 15;
static_assert(STEP_BITS <= STEP_MASK && STEP_BITS + STEP_SHIFT <= 16, "an entry has 16 bits");

/// The n-th bit that is set, the first one at the top and n = 0; there are more than n.
__device__ __forceinline__ uint32_t nth_bit(uint32_t bits, uint32_t n) {
    uint32_t at = 0;
#pragma unroll
    for (uint32_t width = 16; width != 0; width /= 2) {
        const uint32_t count = __popc(bits >> (32 - width));
        const bool behind = n >= count;
        n -= behind ? count : 0;
        at += behind ? width : 0;
        bits = behind ? bits << width : bits & ~(0xFFFFFFFFu >> width);
    }
    return at;
}

/// Of eight numbers that do not decrease, how many but the first are at most `limit`.
__device__ __forceinline__ uint32_t count_upto(const uint16_t* eight, uint32_t limit) {
    const uint4 loaded = *reinterpret_cast<const uint4*>(eight);
    const bool four = (loaded.z & 0xFFFF) <= limit;
    const uint32_t pair = four ? loaded.w : loaded.y;
    const bool two = (pair & 0xFFFF) <= limit;
    const uint32_t odd = two ? pair : four ? loaded.z : loaded.x;
    return (four ? 4 : 0) + (two ? 2 : 0) + (odd >> 16 <= limit ? 1 : 0);
}

/// What the trunks of all codes are in one tile.
struct alignas(16) TrunkTile {
    uint16_t number[MAX_CODES][TILE_WORDS];  ///< of the first word that begins in these 32 bits, or behind them
    uint16_t stretch[MAX_CODES][TILE_STRETCHES];  ///< likewise of the first word in each stretch
    uint32_t starts[MAX_CODES][TILE_WORDS];  ///< bit k from the top: a word begins there
    uint16_t count[MAX_CODES];  ///< of words that begin in the tile
    uint16_t next[MAX_CODES];  ///< where the first one behind the tile begins, from the tile's end

    /// Bit of the tile at which a word of a trunk begins.
    __device__ __forceinline__ uint32_t place_of(uint32_t code, uint32_t word) const {
        const uint32_t first = STRETCH_WORDS * count_upto(stretch[code], word);
        const uint32_t at = first + count_upto(number[code] + first, word);
        return 32 * at + nth_bit(starts[code][at], word - number[code][at]);
    }
};

/// Shared memory of the cta.
struct alignas(16) GroupScratch {
    uint32_t bound[MAX_CODES][BOUNDS];
    TrunkTile tiles[2];
    uint16_t steps[MAX_CODES][1 << STEP_BITS];
    uint32_t bits[BIT_WORDS];  ///< of the block: word w of those from its first tile on, modulo BIT_WORDS
    uint32_t legal;
};
static_assert(sizeof(GroupScratch) <= 48 * 1024, "static shared memory ends at 48 KiB");

/// What one look at the bits shows.
struct Step {
    uint32_t starts;  ///< bit 31: a word begins with the first of these bits, and so on
    uint32_t length;  ///< where the first word begins that is not among them
};

__device__ __forceinline__ Step step_at(const GroupScratch& s, uint32_t code, uint32_t bits) {
    const uint32_t entry = s.steps[code][bits >> (32 - STEP_BITS)];
    if (entry != 0) return Step{entry >> STEP_SHIFT << (32 - STEP_BITS), entry & STEP_MASK};
    const uint32_t length = long_word_length(s.bound[code], bits >> (32 - MAX_CODE_BITS));
    return Step{0x80000000u, length <= MAX_CODE_BITS ? length : 1};
}

/// Joins the look-ups of single words to those of several; a cta, after cta_fill_lookups.
__device__ inline void cta_fill_steps(GroupScratch& s, const CodeTables& tables, uint32_t code_count) {
    for (uint32_t at = threadIdx.x; at < code_count << STEP_BITS; at += blockDim.x) {
        const uint32_t code = at >> STEP_BITS;
        const uint32_t bits = at & ((1u << STEP_BITS) - 1);
        uint32_t starts = 0;
        uint32_t length = 0;
        while (length < STEP_BITS) {
            const uint32_t word = tables.lookup[code][bits << length & ((1u << STEP_BITS) - 1)] & LENGTH_MASK;
            if (word == 0 || word > STEP_BITS - length) break;
            starts |= 1u << (STEP_BITS - 1 - length);
            length += word;
        }
        s.steps[code][bits] = static_cast<uint16_t>(starts << STEP_SHIFT | length);
    }
}

/// Bits ahead of a lane.
template <int WORDS>
struct LaneBits {
    uint32_t word[WORDS];

    /// Those at which the lane stands.
    __device__ __forceinline__ uint32_t high() const { return word[0]; }
    /// Goes on by less than 32 bits.
    __device__ __forceinline__ void skip(uint32_t bits) {
#pragma unroll
        for (int k = 0; k + 1 < WORDS; ++k) word[k] = __funnelshift_l(word[k + 1], word[k], bits);
        word[WORDS - 1] <<= bits;
    }
};

/// A lane's part of a trunk.
struct LaneTrunk {
    uint64_t starts;  ///< words that begin in its bits, the first bit at the top
    uint32_t end;  ///< where the first one behind them begins, from their end
};

/// Where the first word begins behind the last look, which was at `at` and showed `step`, from `limit` on; it reached the limit.
__device__ __forceinline__ uint32_t first_behind(const Step& step, uint32_t at, uint32_t limit) {
    const uint32_t left = limit - at;  // 1 or more
    const uint32_t beyond = left < 32 ? step.starts << left : 0;
    return beyond != 0 ? __clz(beyond) : at + step.length - limit;
}

/// Reads words from bit `begin` of a lane's bits on, which begin with `words`, until they are over. `known`: words of the lane that were read from elsewhere; where one of them is met
/// the rest is theirs.
template <bool KNOWN>
__device__ __forceinline__ LaneTrunk lane_read(const GroupScratch& s, uint32_t code, const uint32_t (&words)[3], uint32_t begin,
                                               const LaneTrunk& known) {
    LaneBits<3> bits{{words[0], words[1], words[2]}};
    bits.skip(begin);
    LaneTrunk mine{0, 0};
    for (uint32_t at = begin;;) {
        const Step step = step_at(s, code, bits.high());
        const uint64_t found = static_cast<uint64_t>(step.starts) << 32 >> at;
        mine.starts |= found;
        if (KNOWN) {
            const uint64_t common = found & known.starts;
            if (common != 0) {
                const uint64_t from = ~uint64_t{0} >> __clzll(static_cast<long long>(common));  // the first one in common, and all behind it
                return LaneTrunk{(mine.starts & ~from) | (known.starts & from), known.end};
            }
        }
        if (at + step.length >= LANE_BITS) {
            mine.end = first_behind(step, at, LANE_BITS);
            return mine;
        }
        at += step.length;
        bits.skip(step.length);
    }
}

/// Where the first word behind the warm-up bits begins, from their end, if one begins with the first of them.
__device__ __forceinline__ uint32_t lane_warm_up(const GroupScratch& s, uint32_t code, const uint32_t (&before)[3], uint32_t behind) {
    constexpr int WORDS = WARM_UP_BITS / 32;
    LaneBits<WORDS + 1> bits;
#pragma unroll
    for (int k = 0; k < WORDS; ++k) bits.word[k] = before[k + 3 - WORDS];
    bits.word[WORDS] = behind;
    for (uint32_t at = 0;;) {
        const Step step = step_at(s, code, bits.high());
        if (at + step.length >= WARM_UP_BITS) return first_behind(step, at, WARM_UP_BITS);
        at += step.length;
        bits.skip(step.length);
    }
}

/// Extends the trunk of a code over a tile; a warp.
///
/// first  where the trunk's first word of the tile begins, from the tile's first bit
/// returns where its first word behind the tile begins, from the tile's end
__device__ inline uint32_t warp_extend_trunk(const GroupScratch& s, uint32_t turn, TrunkTile& tile, uint32_t code, uint32_t first, int lane) {
    uint32_t before[3];
    uint32_t own[3];
    const uint32_t word = TILE_WORDS * turn + 2 * lane;
#pragma unroll
    for (uint32_t k = 0; k < 3; ++k) {
        before[k] = s.bits[(word + k - 3) % BIT_WORDS];  // in front of the block's first tile anything
        own[k] = s.bits[(word + k) % BIT_WORDS];
    }
    uint32_t begin = first;  // where this lane's first word begins
    if (lane != 0) begin = lane_warm_up(s, code, before, own[0]);
    LaneTrunk mine = lane_read<false>(s, code, own, begin, LaneTrunk{0, 0});
    while (true) {
        const uint32_t ended = __shfl_up_sync(ALL_LANES, mine.end, 1);
        const bool wrong = lane != 0 && ended != begin;
        if (!__any_sync(ALL_LANES, wrong)) break;
        if (wrong) {
            begin = ended;
            mine = lane_read<true>(s, code, own, begin, mine);
        }
        __syncwarp();
    }
    const uint32_t high = static_cast<uint32_t>(mine.starts >> 32);
    const uint32_t low = static_cast<uint32_t>(mine.starts);
    const uint32_t high_count = __popc(high);
    const uint32_t count = high_count + __popc(low);
    const uint32_t limit = warp_inclusive_sum(count, lane);
    reinterpret_cast<uint2*>(tile.starts[code])[lane] = make_uint2(high, low);
    reinterpret_cast<uint32_t*>(tile.number[code])[lane] = (limit - count) | (limit - count + high_count) << 16;
    constexpr uint32_t STRETCH_LANES = STRETCH_WORDS / 2;
    if (lane % STRETCH_LANES == 0) tile.stretch[code][lane / STRETCH_LANES] = static_cast<uint16_t>(limit - count);
    const uint32_t end = __shfl_sync(ALL_LANES, mine.end, WARP_LANES - 1);
    if (lane == WARP_LANES - 1) {
        tile.count[code] = static_cast<uint16_t>(limit);
        tile.next[code] = static_cast<uint16_t>(end);
    }
    return end;
}

/// How far the chain has come.
struct Chain {
    uint32_t group;  ///< the one that is read
    uint32_t left;  ///< words of it still to come, 1 to GROUP_SYMBOLS
    uint32_t at;  ///< where the next one begins, from the tile's first bit
    uint32_t base;  ///< of 32 groups whose codes the lanes have, one each
    uint32_t run;  ///< code of group base + lane, and above it how many groups in a row have it, up to base + 32
    uint32_t next_code;  ///< of group base + 32 + lane

    static constexpr uint32_t RUN_SHIFT = 8;

    /// Takes the codes of 32 groups, one a lane; a warp.
    __device__ __forceinline__ void take(uint32_t first_group, uint32_t code, int lane) {
        base = first_group;
        const uint32_t before = __shfl_up_sync(ALL_LANES, code, 1);
        const uint32_t begins = __ballot_sync(ALL_LANES, lane == 0 || code != before);
        const uint32_t behind = lane == WARP_LANES - 1 ? 0 : begins >> (lane + 1);
        run = code | (behind != 0 ? __ffs(behind) : WARP_LANES - lane) << RUN_SHIFT;
    }
};

/// The selectors of a block.
struct Selectors {
    const uint8_t* code;
    uint32_t count;

    __device__ __forceinline__ uint32_t of(uint32_t group) const { return group < count ? __ldg(code + group) : MAX_CODES; }
};

/// Follows the chain to the end of a tile; a warp. False if it is over: all groups that begin in front of `limit` (from the tile's first bit) are noted, or all that have a selector.
__device__ inline bool warp_follow_chain(const GroupScratch& s, uint32_t turn, const TrunkTile& tile, const Selectors& selectors, uint32_t code_count,
                                         uint32_t tile_bit, uint32_t limit, uint32_t* groups, Chain& chain, int lane) {
    while (chain.at < TILE_BITS) {
        if (chain.at >= limit || chain.group >= selectors.count) return false;
        if (chain.group - chain.base >= WARP_LANES) {
            chain.take(chain.base + WARP_LANES, chain.next_code, lane);
            chain.next_code = selectors.of(chain.base + WARP_LANES + lane);
        }
        const uint32_t code_and_run = __shfl_sync(ALL_LANES, chain.run, chain.group - chain.base);
        const uint32_t code = code_and_run & ((1u << Chain::RUN_SHIFT) - 1);
        const uint32_t run = code_and_run >> Chain::RUN_SHIFT;
        if (code >= code_count) return false;
        const uint32_t word = chain.at / 32;
        const uint32_t bit = chain.at % 32;
        const uint32_t trunk = __funnelshift_l(word + 1 < TILE_WORDS ? tile.starts[code][word + 1] : 0, tile.starts[code][word], bit);
        if ((trunk & 0x80000000u) == 0) {
            const uint32_t bit_word = TILE_WORDS * turn + word;
            const Step step = step_at(s, code, __funnelshift_l(s.bits[(bit_word + 1) % BIT_WORDS], s.bits[bit_word % BIT_WORDS], bit));
            const uint32_t met = step.starts & trunk;
            // Words in front of the one that is on the trunk, or all that this look shows.
            const uint32_t ahead = met != 0 ? step.starts & ~(0xFFFFFFFFu >> __clz(met)) : step.starts;
            const uint32_t ahead_count = __popc(ahead);
            if (ahead_count >= chain.left) {
                // The group ends before, or with the last of them.
                uint32_t rest = step.starts;
                for (uint32_t k = 0; k < chain.left; ++k) rest &= ~(0x80000000u >> __clz(rest));
                chain.at += rest != 0 ? static_cast<uint32_t>(__clz(rest)) : step.length;
                chain.left = GROUP_SYMBOLS;
                ++chain.group;
                if (lane == 0 && chain.group < selectors.count) groups[chain.group] = tile_bit + chain.at;
                continue;
            }
            chain.left -= ahead_count;
            if (met == 0) {
                chain.at += step.length;
                continue;
            }
            chain.at += __clz(met);
        }
        // On the trunk: lane j looks where the j-th group from here ends, as far as groups have this code and end in this tile.
        const uint32_t from = chain.at / 32;
        const uint32_t number = tile.number[code][from] + __popc(tile.starts[code][from] >> (31 - chain.at % 32)) - 1;
        const uint32_t count = tile.count[code];
        uint32_t ended;
        if (run == 1) {
            const uint32_t target = number + chain.left;
            ended = target < count ? 1 : 0;
            if (ended != 0) {
                chain.at = tile.place_of(code, target);
                chain.left = GROUP_SYMBOLS;
                ++chain.group;
                if (lane == 0 && chain.group < selectors.count) groups[chain.group] = tile_bit + chain.at;
                continue;
            }
        } else {
            const uint32_t target = number + chain.left + GROUP_SYMBOLS * lane;
            const bool inside = static_cast<uint32_t>(lane) < run && target < count;
            const uint32_t place = inside ? tile.place_of(code, target) : 0;
            if (inside && chain.group + 1 + lane < selectors.count) groups[chain.group + 1 + lane] = tile_bit + place;
            ended = __popc(__ballot_sync(ALL_LANES, inside));
            chain.group += ended;
            if (ended == run) {
                chain.at = __shfl_sync(ALL_LANES, place, ended - 1);
                chain.left = GROUP_SYMBOLS;
                continue;
            }
        }
        // The next group ends behind the tile, with the trunk's first word there or later.
        const uint32_t behind = number + chain.left + GROUP_SYMBOLS * ended - count;
        chain.at = TILE_BITS + tile.next[code];
        chain.left = behind != 0 ? behind : GROUP_SYMBOLS;
        if (behind == 0) {
            ++chain.group;
            if (lane == 0 && chain.group < selectors.count) groups[chain.group] = tile_bit + chain.at;
        }
    }
    return true;
}

/// A tile of the block's bits on its way to shared memory; a warp.
struct TileLoad {
    uint2 words;

    /// Asks for the two words of this lane. Whole words of the block are loaded as they are; the host pads a block's bytes, and what follows them in the last word is not looked at.
    __device__ __forceinline__ void ask(const BitWords& source, uint32_t first_word, int lane) {
        const uint32_t at = first_word + 2 * lane;
        const uint32_t whole = source.byte_count / 4;
        words.x = at < whole ? __ldg(reinterpret_cast<const uint32_t*>(source.bytes) + at) : 0;
        words.y = at + 1 < whole ? __ldg(reinterpret_cast<const uint32_t*>(source.bytes) + at + 1) : 0;
    }

    /// Puts what has come where the others read it.
    __device__ __forceinline__ void put(const BitWords& source, uint32_t first_word, uint32_t* s_bits, uint32_t to, int lane) const {
        const uint32_t at = first_word + 2 * lane;
        const uint32_t whole = source.byte_count / 4;
        s_bits[(to + 2 * lane) % BIT_WORDS] = at == whole ? source.word(at) : __byte_perm(words.x, 0, 0x0123);
        s_bits[(to + 2 * lane + 1) % BIT_WORDS] = at + 1 == whole ? source.word(at + 1) : __byte_perm(words.y, 0, 0x0123);
    }
};

/// Makes the tables of a block and finds its groups; a cta of FIND_CTA_THREADS. The block's state is written by the caller; here its status and group_count.
__device__ inline void cta_find_groups(const BlockView& block, GroupScratch& s) {
    const int lane = threadIdx.x % WARP_LANES;
    const uint32_t warp = threadIdx.x / WARP_LANES;
    const Record& record = *block.record;
    CodeTables& tables = *block.scratch.tables;
    if (threadIdx.x == 0) s.legal = 1;
    __syncthreads();
    if (warp < record.code_count) {
        // The look-ups are not there yet; their memory serves the counts.
        uint32_t* s_next = reinterpret_cast<uint32_t*>(s.steps[warp]);
        if (!warp_build_code(tables, warp, record.code_lengths[warp], record.alphabet, s_next, lane) && lane == 0) s.legal = 0;
    }
    __syncthreads();
    if (s.legal == 0) {
        if (threadIdx.x == 0) block.scratch.state->status = STATUS_BAD_HEADER;
        return;
    }
    for (uint32_t at = threadIdx.x; at < record.code_count * BOUNDS; at += blockDim.x)
        s.bound[at / BOUNDS][at % BOUNDS] = tables.bound[at / BOUNDS][at % BOUNDS];
    __syncthreads();
    cta_fill_lookups(tables, s.bound, record.code_count);
    __syncthreads();
    cta_fill_steps(s, tables, record.code_count);

    const BitWords words{block.bits, block.bits_bytes};
    const Selectors selectors{block.selectors, min(record.selector_count, block.text_limit / GROUP_SYMBOLS + 2)};
    uint32_t* groups = block.scratch.groups;
    const uint32_t first_word = record.symbol_bit / 32;
    uint32_t first = record.symbol_bit % 32;
    Chain chain{0, GROUP_SYMBOLS, first, 0, 0, 0};
    TileLoad load{};
    if (warp == CHAIN_WARP) {
        chain.take(0, selectors.of(lane), lane);
        chain.next_code = selectors.of(WARP_LANES + lane);
        if (lane == 0) groups[0] = record.symbol_bit;
    }
    if (warp == LOAD_WARP) {
        for (uint32_t tile = 0; tile < 2; ++tile) {
            load.ask(words, first_word + TILE_WORDS * tile, lane);
            load.put(words, first_word + TILE_WORDS * tile, s.bits, TILE_WORDS * tile, lane);
        }
        load.ask(words, first_word + 2 * TILE_WORDS, lane);
    }
    __syncthreads();
    for (uint32_t turn = 0;; ++turn) {
        bool over = false;
        if (warp < record.code_count) {
            first = warp_extend_trunk(s, turn, s.tiles[turn % 2], warp, first, lane);
        } else if (warp == CHAIN_WARP && turn != 0) {
            const uint32_t tile_bit = 32 * (first_word + TILE_WORDS * (turn - 1));
            over = tile_bit >= record.limit_bit || !warp_follow_chain(s, turn - 1, s.tiles[(turn - 1) % 2], selectors, record.code_count, tile_bit,
                                                                      record.limit_bit - tile_bit, groups, chain, lane);
            chain.at -= TILE_BITS;
        } else if (warp == LOAD_WARP) {
            // What was asked for a turn ago, and the tile behind it.
            const uint32_t tile = TILE_WORDS * (turn + 2);
            load.put(words, first_word + tile, s.bits, tile, lane);
            load.ask(words, first_word + tile + TILE_WORDS, lane);
        }
        if (__syncthreads_or(over)) break;
    }
    if (warp == CHAIN_WARP && lane == 0) {
        // Groups that begin at the limit or behind it have no bits; a run of groups may have gone there.
        uint32_t count = min(chain.group + 1, selectors.count);
        while (count > 1 && groups[count - 1] >= record.limit_bit) --count;
        block.scratch.state->group_count = count;
    }
}

}  // namespace warpcodec::bzip2
