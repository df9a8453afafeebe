// Where each group of 50 symbols of a bzip2 block begins. The length of a group is known only by reading it, and its
// selector names the code; so a block is a chain of groups, the one part of bzip2 that cannot be cut. But nearly all
// of the chain's work is done before the chain is there: each code's trunk (bzip2_trunks.cuh) is a path of words that
// nearly every reader of the code is on after a few words. With the words of a trunk numbered, a group that begins on
// the trunk of its code ends 50 numbers on, whatever its words. All groups in a row that have the same code are one
// such hop, and a change of code costs the few words until the next trunk is met.
//
// A code whose words are nearly equally long does not fall into step: groups of such a code end off its trunk, and are
// read word by word. Where too many of a block's groups are, the chain leaves the block to bzip2_walk.cuh.
//
// A cta takes a block, tile by tile. In each turn two warps number the trunks of all codes in a tile, and one follows
// the chain through the tile before. The last warp brings what the chain reads next, bits and runs of groups. It also
// looks up where the groups begin that the chain passed in the tile before that. The others wait for the chain. It is
// one warp, all of whose instructions wait for the instruction before, so its time is their number. So it looks up
// only where a hop ends, by two votes of its lanes, and leaves a hop's other groups to the last warp.
//
// Bounded: the chain ends with the block's bits, its selectors, or as many groups as its text can have; each of its
// steps takes a bit at least.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"
#include "bzip2_bits.cuh"
#include "bzip2_scratch.cuh"
#include "bzip2_tables.cuh"
#include "bzip2_trunks.cuh"

namespace warpcodec::bzip2 {

/// Warps that number trunks, and trunks that each of them does.
constexpr uint32_t NUMBER_WARPS = 2;
constexpr uint32_t WARP_CODES = MAX_CODES / NUMBER_WARPS;
static_assert(NUMBER_WARPS * WARP_CODES == MAX_CODES, "every code has its warp");
constexpr uint32_t CHAIN_WARP = NUMBER_WARPS;
constexpr uint32_t PLACE_WARP = NUMBER_WARPS + 1;
constexpr int FIND_CTA_THREADS = (NUMBER_WARPS + 2) * WARP_LANES;
/// Ctas of a multiprocessor: as many blocks of a large batch as possible follow their chains at once.
constexpr int FIND_CTAS = 8;
/// Tiles of the block's bits in shared memory: the chain's, the one behind it, and two that are loaded.
constexpr uint32_t BIT_TILES = 4;
/// Hops of a tile at most: those that end in it, and the hop that leaves it. A word has a bit at least, so a group
/// has GROUP_SYMBOLS bits at least. A hop that a cut trunk stops is followed by its group's end off the trunk, which
/// is no hop.
constexpr uint32_t TILE_HOPS = TILE_BITS / GROUP_SYMBOLS + 3;
constexpr uint32_t LOST_LOOKS = DecodePolicy::LOST_LOOKS;
constexpr uint32_t STRAY_COST = DecodePolicy::STRAY_COST;
constexpr uint32_t STRAY_START = DecodePolicy::STRAY_START;
/// Runs of groups in shared memory, and those that are loaded at once, more than a tile can use up.
constexpr uint32_t RING_RUNS = 256;
constexpr uint32_t RUN_LOAD = 2 * WARP_LANES;
static_assert(TILE_WORDS == 2 * WARP_LANES && TILE_HOPS < RUN_LOAD && RING_RUNS == 4 * RUN_LOAD,
              "what the code below takes for granted");

/// The bits in front of bit `at`, counted from the top; only the last five bits of `at` count.
__device__ __forceinline__ uint32_t bits_before(uint32_t bits, uint32_t at) {
    return bits & ~(0xFFFFFFFFu >> (at & 31));
}

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

/// 32 bits of a trunk.
struct alignas(8) TrunkWord {
    uint32_t starts;  ///< bit k from the top: a word begins there
    uint32_t number;  ///< of the first word that begins in these bits, or behind them
};

/// The trunks of all codes in a tile, with their words numbered.
struct alignas(16) NumberedTile {
    TrunkWord words[MAX_CODES][TILE_WORDS + 2];  ///< behind the tile no starts, and how many there are in it
    uint32_t stop[MAX_CODES + 2];  ///< where the first word begins that is not among them, from the tile's first bit

    /// Bit of the tile at which a word begins that is in it.
    __device__ __forceinline__ uint32_t place_of(uint32_t code, uint32_t number) const {
        uint32_t at = 0;
#pragma unroll
        for (uint32_t width = TILE_WORDS / 2; width != 0; width /= 2)
            at += words[code][at + width].number <= number ? width : 0;
        return 32 * at + nth_bit(words[code][at].starts, number - words[code][at].number);
    }

    /// As place_of, but by a warp, for a code's `row` of words. `number_of_lane` is the number of the first of the
    /// lane's two words.
    __device__ __forceinline__ uint32_t warp_place_of(const TrunkWord* row, uint32_t number_of_lane, uint32_t number,
                                                      int lane) const {
        const uint32_t owner = 31 - __clz(static_cast<int>(__ballot_sync(ALL_LANES, number_of_lane <= number)));
        const uint4 both = *reinterpret_cast<const uint4*>(row + 2 * owner);  // starts and number, twice
        const bool odd = both.w <= number;
        const uint32_t upto = (odd ? both.z : both.x) >> (WARP_LANES - 1 - lane);
        const uint32_t count = number + 1 - (odd ? both.w : both.y);
        const uint32_t found =
            __ballot_sync(ALL_LANES, (upto & 1) != 0 && static_cast<uint32_t>(__popc(upto)) == count);
        return 64 * owner + (odd ? 32 : 0) + __ffs(static_cast<int>(found)) - 1;
    }
};

/// Groups of one code that end in a tile, with words of its trunk: the first one, and so many that follow each other.
struct alignas(16) Hop {
    uint32_t group;  ///< the one behind the first
    uint32_t count;
    uint32_t number;  ///< of the word at which it begins
    uint32_t code;
};

/// Shared memory of the cta.
struct alignas(16) GroupScratch {
    StepCodes codes;
    NumberedTile tiles[3];
    uint32_t bits[BIT_TILES][TILE_WORDS + 4];  ///< of the block, and the first word of the tile behind
    Hop hops[2][TILE_HOPS];
    uint32_t hop_count[2];
    uint32_t runs_used[2];
    uint16_t runs[RING_RUNS];
};
static_assert(sizeof(GroupScratch) * FIND_CTAS <= 220 * 1024, "ctas of a multiprocessor share its memory");

/// A code's trunk in a tile on its way to shared memory; a warp.
struct TrunkLoad {
    uint2 starts;
    uint32_t stop;

    __device__ __forceinline__ void ask(const TrunkTile* trunks, uint32_t tile, uint32_t tile_count, uint32_t code,
                                        int lane) {
        starts = make_uint2(0, 0);
        stop = TILE_BITS;
        if (tile >= tile_count) return;
        starts = reinterpret_cast<const uint2*>(trunks[tile].starts[code])[lane];
        stop = trunks[tile].stop[code];
    }

    __device__ __forceinline__ void put(NumberedTile& tile, uint32_t code, int lane) const {
        const uint32_t first_count = __popc(starts.x);
        const uint32_t count = first_count + __popc(starts.y);
        const uint32_t limit = warp_inclusive_sum(count, lane);
        *reinterpret_cast<uint4*>(tile.words[code] + 2 * lane) =
            make_uint4(starts.x, limit - count, starts.y, limit - count + first_count);
        if (lane == WARP_LANES - 1) {
            tile.words[code][TILE_WORDS] = TrunkWord{0, limit};
            tile.stop[code] = stop;
        }
    }
};

/// A tile of the block's bits on its way to shared memory; a warp.
struct TileLoad {
    uint2 words;

    /// Asks for the two words of this lane. Whole words of the block are loaded as they are; the host pads a block's
    /// bytes, and what follows them in the last word is not looked at.
    __device__ __forceinline__ void ask(const BitWords& source, uint32_t first_word, int lane) {
        const uint32_t at = first_word + 2 * lane;
        const uint32_t whole = source.byte_count / 4;
        words.x = at < whole ? __ldg(reinterpret_cast<const uint32_t*>(source.bytes) + at) : 0;
        words.y = at + 1 < whole ? __ldg(reinterpret_cast<const uint32_t*>(source.bytes) + at + 1) : 0;
    }

    /// Puts what has come where the chain reads it.
    __device__ __forceinline__ void put(const BitWords& source, uint32_t first_word, GroupScratch& s, uint32_t tile,
                                        int lane) const {
        const uint32_t at = first_word + 2 * lane;
        const uint32_t whole = source.byte_count / 4;
        const uint32_t first = at == whole ? source.word(at) : __byte_perm(words.x, 0, 0x0123);
        uint32_t* to = s.bits[tile % BIT_TILES];
        to[2 * lane] = first;
        to[2 * lane + 1] = at + 1 == whole ? source.word(at + 1) : __byte_perm(words.y, 0, 0x0123);
        if (lane == 0) s.bits[(tile - 1) % BIT_TILES][TILE_WORDS] = first;
    }
};

/// The block's runs of groups on their way to shared memory; a warp. Behind the last one stands NO_CODE.
struct RunLoad {
    const uint16_t* source;
    uint32_t count;
    uint32_t next;  ///< first run that is not in shared memory yet

    __device__ __forceinline__ void put(GroupScratch& s, int lane) {
        for (uint32_t k = lane; k < RUN_LOAD; k += WARP_LANES) {
            const uint32_t run = next + k;
            s.runs[run % RING_RUNS] = run < count ? source[run] : static_cast<uint16_t>(NO_CODE);
        }
        next += RUN_LOAD;
    }
};

/// How far the chain has come; the same in all lanes.
struct Chain {
    uint32_t group;  ///< index of the group that is read
    uint32_t left;  ///< words of it still to come, 1 to GROUP_SYMBOLS
    uint32_t at;  ///< where the next one begins, from the tile's first bit
    uint32_t code;  ///< of the group
    uint32_t run;  ///< groups in a row from it on that have its code
    uint32_t entry;  ///< of the run behind them
    uint32_t used;  ///< runs that were taken from shared memory
    uint32_t lost;  ///< looks in a row that met no trunk
    uint32_t strays;  ///< groups that were read word by word, since no trunk was met

    /// Whether reading on word by word costs more than walking through the rest of the block.
    __device__ __forceinline__ bool leaves() const { return strays * STRAY_COST > group + STRAY_START; }

    /// Goes on to the next run.
    __device__ __forceinline__ void look(const GroupScratch& s) {
        code = entry & NO_CODE;
        run = entry >> RUN_SHIFT;
        entry = s.runs[used % RING_RUNS];
        ++used;
    }

    /// One group of the run is over.
    __device__ __forceinline__ void next(const GroupScratch& s) {
        ++group;
        left = GROUP_SYMBOLS;
        if (--run == 0) look(s);
    }
};

/// The bits of `starts` behind the first `words` ones, which are no more than there are.
__device__ __forceinline__ uint32_t starts_behind(uint32_t starts, uint32_t words) {
    for (; words != 0; --words) starts &= ~(0x80000000u >> __clz(static_cast<int>(starts)));
    return starts;
}

/// Reads a group word by word, to its end or that of the tile's bits; a warp. The group is over if the chain has no
/// words left.
__device__ __forceinline__ void warp_walk_group(const StepCodes& codes, const uint32_t* bits, uint32_t end,
                                                Chain& chain) {
    uint32_t word = chain.at / 32;
    uint32_t high = bits[word];
    uint32_t low = bits[word + 1];
    while (true) {
        const Step step = step_at(codes, chain.code, __funnelshift_l(low, high, chain.at));
        const uint32_t words = __popc(step.starts);
        if (words >= chain.left) {
            const uint32_t rest = starts_behind(step.starts, chain.left);
            chain.at += rest != 0 ? static_cast<uint32_t>(__clz(static_cast<int>(rest))) : step.length;
            chain.left = 0;
            return;
        }
        chain.left -= words;
        chain.at += step.length;
        if (chain.at >= end) return;
        if (chain.at / 32 != word) {
            ++word;
            high = low;
            low = bits[word + 1];
        }
    }
}

/// Follows the chain to the end of a tile; a warp. False if it is over: it has reached `limit` (from the tile's first
/// bit) or a group that has no code, or leaves the block. Groups that end with words of a trunk are `hops`; others are
/// noted here.
__device__ __forceinline__ bool warp_follow_chain(const GroupScratch& s, uint32_t tile_index, const NumberedTile& tile,
                                                  uint32_t code_count, uint32_t tile_bit, uint32_t limit,
                                                  uint32_t group_limit, uint32_t* groups, Hop* hops,
                                                  uint32_t& hop_count, Chain& chain, int lane) {
    const uint32_t end = min(limit, TILE_BITS);
    const uint32_t* bits = s.bits[tile_index % BIT_TILES];
    chain.lost = 0;
    while (chain.at < end && chain.code < code_count) {
        const TrunkWord* row = tile.words[chain.code];
        const uint32_t word = chain.at / 32;
        const TrunkWord here = row[word];
        const uint32_t count = row[TILE_WORDS].number;
        const uint32_t number_of_lane = row[2 * lane].number;
        const uint32_t trunk = __funnelshift_l(row[word + 1].starts, here.starts, chain.at);
        uint32_t joins = 0;  // bits to the first word that is on the trunk
        if (static_cast<int32_t>(trunk) >= 0) {
            const Step step = step_at(s.codes, chain.code, __funnelshift_l(bits[word + 1], bits[word], chain.at));
            const uint32_t met = step.starts & trunk;
            joins = met != 0 ? static_cast<uint32_t>(__clz(static_cast<int>(met))) : step.length;
            // Words in front of that one, or all that this look shows.
            const uint32_t ahead = __popc(met != 0 ? bits_before(step.starts, joins) : step.starts);
            const bool over = ahead >= chain.left;
            if (met == 0 || over) {
                if (!over) {
                    chain.left -= ahead;
                    chain.at += joins;
                    if (++chain.lost <= LOST_LOOKS || chain.at >= end) continue;
                    ++chain.strays;
                }
                warp_walk_group(s.codes, bits, end, chain);
                if (chain.left == 0) {
                    chain.next(s);
                    if (lane == 0 && chain.group < group_limit) groups[chain.group] = tile_bit + chain.at;
                    if (chain.leaves()) return false;
                }
                continue;
            }
            chain.left -= ahead;
        }
        chain.lost = 0;
        // On the trunk: the words at which the groups of the run end, the first of them and the last.
        const uint32_t first =
            here.number + __popc(bits_before(here.starts, chain.at)) + __popc(bits_before(trunk, joins)) + chain.left;
        const uint32_t last = first + GROUP_SYMBOLS * (chain.run - 1);
        if (last < count) {
            if (lane == 0) hops[hop_count] = Hop{chain.group + 1, chain.run, first, chain.code};
            ++hop_count;
            chain.group += chain.run;
            chain.left = GROUP_SYMBOLS;
            chain.look(s);
            chain.at = tile.warp_place_of(row, number_of_lane, last, lane);
            continue;
        }
        // The run goes on behind the trunk's last word here, or ends with it.
        const uint32_t ended = first < count ? (count - 1 - first) / GROUP_SYMBOLS + 1 : 0;
        if (lane == 0) hops[hop_count] = Hop{chain.group + 1, ended, first, chain.code};
        ++hop_count;
        chain.group += ended;
        chain.run -= ended;
        chain.left = first + GROUP_SYMBOLS * ended - count;
        chain.at = tile.stop[chain.code];
        if (chain.left == 0) {
            chain.next(s);
            if (lane == 0 && chain.group < group_limit) groups[chain.group] = tile_bit + chain.at;
        }
    }
    return chain.at >= TILE_BITS;
}

/// Looks up where the groups of hops begin; a warp, four lanes a hop.
__device__ __forceinline__ void warp_place_groups(const NumberedTile& tile, const Hop* hops, uint32_t hop_count,
                                                  uint32_t tile_bit, uint32_t group_limit, uint32_t* groups, int lane) {
    constexpr uint32_t HOP_LANES = 4;
    for (uint32_t at = lane / HOP_LANES; at < hop_count; at += WARP_LANES / HOP_LANES) {
        const Hop hop = hops[at];
        for (uint32_t k = lane % HOP_LANES; k < hop.count; k += HOP_LANES) {
            if (hop.group + k < group_limit)
                groups[hop.group + k] = tile_bit + tile.place_of(hop.code, hop.number + GROUP_SYMBOLS * k);
        }
    }
}

/// What the warps of a cta know of their block.
struct GroupSearch {
    const BlockView& block;
    BitWords words;
    uint32_t first_word;  ///< of the first tile
    uint32_t tile_count;  ///< tiles that have trunks
    uint32_t group_limit;

    __device__ __forceinline__ explicit GroupSearch(const BlockView& view)
        : block(view),
          words{view.bits, view.bits_bytes},
          first_word(first_tile_word(*view.record)),
          tile_count(trunk_tiles(view)),
          group_limit(bzip2::group_limit(view)) {}

    /// Index of a tile's first word, and of its first bit.
    __device__ __forceinline__ uint32_t word_of(uint32_t tile) const { return first_word + TILE_WORDS * tile; }
    __device__ __forceinline__ uint32_t bit_of(uint32_t tile) const { return 32 * word_of(tile); }
};

/// Waits for all warps of the cta, each of which has a loop of its own; true if one of them says that the chain is
/// over.
__device__ __forceinline__ bool cta_ends_turn(bool over) {
    uint32_t any;
    asm volatile(
        "{\n"
        ".reg .pred own, all;\n"
        "setp.ne.u32 own, %1, 0;\n"
        "bar.red.or.pred all, 0, own;\n"
        "selp.u32 %0, 1, 0, all;\n"
        "}\n"
        : "=r"(any)
        : "r"(over ? 1u : 0u)
        : "memory");
    return any != 0;
}

/// Numbers the trunks of every NUMBER_WARPS-th code, a tile a turn; a warp.
__device__ __forceinline__ void warp_number_trunks(const GroupSearch& search, GroupScratch& s, uint32_t warp,
                                                   int lane) {
    const TrunkTile* trunks = search.block.scratch.trunks;
    const uint32_t code_count = search.block.record->code_count;
    TrunkLoad loads[WARP_CODES];
    const auto for_each_code = [&](auto work) {
#pragma unroll
        for (uint32_t k = 0; k < WARP_CODES; ++k) {
            if (warp + NUMBER_WARPS * k < code_count) work(loads[k], warp + NUMBER_WARPS * k);
        }
    };
    for_each_code([&](TrunkLoad& of, uint32_t code) { of.ask(trunks, 0, search.tile_count, code, lane); });
    cta_ends_turn(false);
    for (uint32_t turn = 0;; ++turn) {
        for_each_code([&](const TrunkLoad& of, uint32_t code) { of.put(s.tiles[turn % 3], code, lane); });
        for_each_code([&](TrunkLoad& of, uint32_t code) { of.ask(trunks, turn + 1, search.tile_count, code, lane); });
        if (cta_ends_turn(false)) break;
    }
    cta_ends_turn(false);
}

/// How many of `count` groups are in use: a chain may have gone on behind the block's limit, where no bits are.
__device__ __forceinline__ uint32_t groups_with_bits(const uint32_t* groups, uint32_t count, uint32_t group_limit,
                                                     uint32_t limit_bit) {
    count = min(count, group_limit);
    while (count > 1 && groups[count - 1] >= limit_bit) --count;
    return count;
}

/// Follows the chain through the tile of the turn before; a warp. Says how many groups there are.
__device__ __forceinline__ void warp_chain_groups(const GroupSearch& search, GroupScratch& s, int lane) {
    const Record& record = *search.block.record;
    uint32_t* groups = search.block.scratch.groups;
    cta_ends_turn(false);
    Chain chain{};
    chain.at = record.symbol_bit - 32 * search.first_word;
    chain.left = GROUP_SYMBOLS;
    chain.entry = s.runs[0];
    chain.used = 1;
    chain.look(s);
    cta_ends_turn(false);
    for (uint32_t turn = 1;; ++turn) {
        const uint32_t tile = turn - 1, tile_bit = search.bit_of(tile);
        uint32_t hop_count = 0;
        const bool over =
            tile_bit >= record.limit_bit ||
            !warp_follow_chain(s, tile, s.tiles[tile % 3], record.code_count, tile_bit, record.limit_bit - tile_bit,
                               search.group_limit, groups, s.hops[tile % 2], hop_count, chain, lane);
        chain.at -= TILE_BITS;
        if (lane == 0) {
            s.hop_count[tile % 2] = hop_count;
            s.runs_used[turn % 2] = chain.used;
        }
        if (cta_ends_turn(over)) break;
    }
    cta_ends_turn(false);
    if (lane != 0) return;
    BlockState& state = *search.block.scratch.state;
    if (chain.leaves() && chain.group != 0 && chain.group < search.group_limit) {
        state.walk_from = chain.group;
    } else {
        state.group_count = groups_with_bits(groups, chain.group + 1, search.group_limit, record.limit_bit);
    }
}

/// Brings bits two tiles ahead of the chain, and runs of groups; looks up where groups begin, a tile behind it; a
/// warp.
__device__ __forceinline__ void warp_serve_chain(const GroupSearch& search, GroupScratch& s, int lane) {
    uint32_t* groups = search.block.scratch.groups;
    const auto place_hops = [&](uint32_t tile) {
        warp_place_groups(s.tiles[tile % 3], s.hops[tile % 2], s.hop_count[tile % 2], search.bit_of(tile),
                          search.group_limit, groups, lane);
    };
    TileLoad load{};
    RunLoad runs{search.block.scratch.group_runs, search.block.scratch.state->run_count, 0};
    for (uint32_t tile = 0; tile < 2; ++tile) {
        load.ask(search.words, search.word_of(tile), lane);
        load.put(search.words, search.word_of(tile), s, tile, lane);
    }
    load.ask(search.words, search.word_of(2), lane);
    while (runs.next < RING_RUNS) runs.put(s, lane);
    if (lane == 0) groups[0] = search.block.record->symbol_bit;
    cta_ends_turn(false);
    uint32_t turn = 0;
    while (true) {
        // What was asked for a turn ago, and the tile behind it.
        load.put(search.words, search.word_of(turn + 2), s, turn + 2, lane);
        load.ask(search.words, search.word_of(turn + 3), lane);
        if (turn >= 2) place_hops(turn - 2);
        if (cta_ends_turn(false)) break;
        // Runs that are used up by now make room for others, before the chain needs them.
        if (runs.next - s.runs_used[turn % 2] <= RING_RUNS - RUN_LOAD) runs.put(s, lane);
        ++turn;
    }
    place_hops(turn - 1);
    cta_ends_turn(false);
}

/// Finds the groups of a block whose tables and trunks are there; a cta of FIND_CTA_THREADS. Warps have loops of their
/// own, so that the registers of one part are no burden to another.
__device__ __forceinline__ void cta_find_groups(const BlockView& block, GroupScratch& s) {
    const int lane = threadIdx.x % WARP_LANES;
    const uint32_t warp = threadIdx.x / WARP_LANES;
    s.codes.load(block.scratch);
    if (threadIdx.x < 2) s.hop_count[threadIdx.x] = s.runs_used[threadIdx.x] = 0;
    const GroupSearch search(block);
    if (warp < NUMBER_WARPS) {
        warp_number_trunks(search, s, warp, lane);
    } else if (warp == CHAIN_WARP) {
        warp_chain_groups(search, s, lane);
    } else {
        warp_serve_chain(search, s, lane);
    }
}

}  // namespace warpcodec::bzip2
