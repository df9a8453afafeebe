// Where the groups of a block begin whose codes do not fall into step: random bytes, pictures, what is compressed or
// encrypted. Goes on where the chain of bzip2_groups.cuh left the block.
//
// The code of a group is known from its selector, and about where it begins from the lengths of groups before. So each
// warp of a cta takes one of the next WALK_GROUPS groups and finds for many bits at which it may begin where it ends.
// From each bit of a window the length of a word is looked up, and three sums of two give the length of eight words;
// two words and six strides of eight are a group. Then one warp follows the chain through all these groups, a look-up
// each. A group that begins at a bit without an answer ends the round, and the next round begins with it. The first
// group of a round begins at a known bit; if it is longer than a window, its words are read one by one.
//
// Bounded: a round passes a group at least, or the chain is over: it has reached the block's limit, the last selector,
// or as many groups as the text can have. Bits that are no word of a code are a word of one bit, as for trunks.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"
#include "bzip2_bits.cuh"
#include "bzip2_groups.cuh"
#include "bzip2_scratch.cuh"
#include "bzip2_tables.cuh"

namespace warpcodec::bzip2 {

/// Groups of a round, a warp each.
constexpr uint32_t WALK_GROUPS = 16;
constexpr int WALK_CTA_THREADS = WALK_GROUPS * WARP_LANES;
constexpr int WALK_CTAS = 2;
/// Bits from each of which a stride is known, and how many of them a lane has.
constexpr uint32_t LANE_PLACES = DecodePolicy::WINDOW_PLACES;
constexpr uint32_t WINDOW_BITS = LANE_PLACES * WARP_LANES;
/// Bits at which a group may begin, the first ones of its window, and how many of them a lane has.
constexpr uint32_t LANE_STARTS = DecodePolicy::WINDOW_STARTS;
constexpr uint32_t START_BITS = LANE_STARTS * WARP_LANES;
/// Words of a stride: one, doubled so many times. A group is two words and a number of strides.
constexpr uint32_t STRIDE_DOUBLINGS = 3;
constexpr uint32_t STRIDE_WORDS = 1u << STRIDE_DOUBLINGS;
constexpr uint32_t GROUP_STRIDES = (GROUP_SYMBOLS - 2) / STRIDE_WORDS;
static_assert(GROUP_STRIDES * STRIDE_WORDS + 2 == GROUP_SYMBOLS, "strides and two words are a group");
/// Stands where a stride leaves the window, and where a group does.
constexpr uint32_t NO_STRIDE = 255;
constexpr uint32_t NO_LEAP = 0xFFFF;
static_assert(STRIDE_WORDS * MAX_CODE_BITS < NO_STRIDE && GROUP_SYMBOLS * MAX_CODE_BITS < NO_LEAP, "both fit");

/// Most bits of a round: no group has more. Words of the block's bits in shared memory, and those that are loaded at
/// once.
constexpr uint32_t ROUND_BITS = WALK_GROUPS * GROUP_SYMBOLS * MAX_CODE_BITS;
constexpr uint32_t RING_WORDS = 2048;
constexpr uint32_t RING_LOAD = WALK_CTA_THREADS;
static_assert(ROUND_BITS / 32 <= RING_LOAD && (ROUND_BITS + WINDOW_BITS) / 32 + 2 <= RING_WORDS - 2 * RING_LOAD,
              "a load a round is enough, and a window of a round is there");

/// How far a group reaches from the bits at which it may begin.
union LeapTable {
    /// Bits that a number of words take, from each bit of a window; NO_STRIDE where they do not all begin in it, and
    /// behind it. Each doubling reads one table and writes the other.
    uint8_t strides[2][WINDOW_BITS + NO_STRIDE + 1];
    /// Bits of a group, or NO_LEAP; in the first table, whose lengths are used up by then.
    uint16_t leaps[START_BITS];
};
static_assert(sizeof(LeapTable::leaps) <= WINDOW_BITS, "what lies behind the window stays marked");

/// Shared memory of the cta.
struct alignas(16) WalkScratch {
    LeapTable groups[WALK_GROUPS];
    uint32_t bits[RING_WORDS];  ///< of the block, each word at its index modulo RING_WORDS
    uint32_t bound[MAX_CODES][BOUNDS];
    uint8_t lengths[MAX_CODES][1 << DecodePolicy::LOOKUP_BITS];  ///< of the word at the top; 0 if it is longer, or none
    uint32_t first[WALK_GROUPS];  ///< bit at which a group's window begins
    uint32_t code[WALK_GROUPS];  ///< NO_CODE behind the last group
    uint32_t at;  ///< where the round's first group begins

    /// The block's bits from this one on, the first at the top.
    __device__ __forceinline__ uint32_t peek(uint32_t bit) const {
        return __funnelshift_l(bits[(bit / 32 + 1) % RING_WORDS], bits[bit / 32 % RING_WORDS], bit);
    }

    /// The length of the word of a code that `top` begins with; 0 if the look-up does not have it.
    __device__ __forceinline__ uint32_t short_length(uint32_t of_code, uint32_t top) const {
        return lengths[of_code][top >> (32 - DecodePolicy::LOOKUP_BITS)];
    }

    /// The length of the word of a code that `top` begins with.
    __device__ __forceinline__ uint32_t length_of(uint32_t of_code, uint32_t top) const {
        const uint32_t length = short_length(of_code, top);
        if (length != 0) return length;
        const uint32_t longer = long_word_length(bound[of_code], top >> (32 - MAX_CODE_BITS));
        return longer <= MAX_CODE_BITS ? longer : 1;
    }
};
static_assert(sizeof(WalkScratch) <= 48 * 1024, "static shared memory ends at 48 KiB");

/// Finds the leaps of a round's group; a warp. Each lane has every 32nd place of the window. It looks up all of them
/// before it stores the first, since no load goes ahead of a store.
__device__ __forceinline__ void warp_find_leaps(const WalkScratch& s, LeapTable& table, uint32_t code, uint32_t first,
                                                uint32_t limit, int lane) {
    const uint32_t own = first + lane;
    uint32_t stride[LANE_PLACES];
    uint32_t high = s.bits[own / 32 % RING_WORDS];
    uint32_t longer = 0;  // bit k: the word at the lane's place k is not in the look-up
#pragma unroll
    for (uint32_t k = 0; k < LANE_PLACES; ++k) {
        const uint32_t low = s.bits[(own / 32 + k + 1) % RING_WORDS];
        const uint32_t length = s.short_length(code, __funnelshift_l(low, high, own));
        stride[k] = own + WARP_LANES * k < limit ? length : NO_STRIDE;
        longer |= stride[k] == 0 ? 1u << k : 0;
        high = low;
    }
#pragma unroll
    for (uint32_t k = 0; k < LANE_PLACES; ++k)
        table.strides[0][WARP_LANES * k + lane] = static_cast<uint8_t>(stride[k]);
    if (longer != 0) {
        for (; longer != 0; longer &= longer - 1) {
            const uint32_t place = WARP_LANES * (__ffs(static_cast<int>(longer)) - 1);
            table.strides[0][place + lane] = static_cast<uint8_t>(s.length_of(code, s.peek(own + place)));
        }
#pragma unroll
        for (uint32_t k = 0; k < LANE_PLACES; ++k) stride[k] = table.strides[0][WARP_LANES * k + lane];
    }
    uint32_t place[LANE_STARTS];
#pragma unroll
    for (uint32_t doubling = 0; doubling < STRIDE_DOUBLINGS; ++doubling) {
        __syncwarp();
        const uint8_t* half = table.strides[doubling % 2] + lane;
        uint8_t* whole = table.strides[(doubling + 1) % 2] + lane;
#pragma unroll
        for (uint32_t k = 0; k < LANE_PLACES; ++k)
            stride[k] = min(stride[k] + half[WARP_LANES * k + stride[k]], NO_STRIDE);
        if (doubling == 0) {
#pragma unroll
            for (uint32_t k = 0; k < LANE_STARTS; ++k)
                place[k] = stride[k] != NO_STRIDE ? WARP_LANES * k + lane + stride[k] : WINDOW_BITS;
        }
#pragma unroll
        for (uint32_t k = 0; k < LANE_PLACES; ++k) whole[WARP_LANES * k] = static_cast<uint8_t>(stride[k]);
    }
    __syncwarp();
    // A place behind the window reads NO_STRIDE, and so stays there.
    const uint8_t* eight = table.strides[STRIDE_DOUBLINGS % 2];
#pragma unroll
    for (uint32_t step = 0; step < GROUP_STRIDES; ++step) {
#pragma unroll
        for (uint32_t k = 0; k < LANE_STARTS; ++k) {
            const uint32_t bits = eight[place[k]];
            place[k] = bits != NO_STRIDE ? place[k] + bits : step + 1 < GROUP_STRIDES ? WINDOW_BITS : NO_LEAP;
        }
    }
#pragma unroll
    for (uint32_t k = 0; k < LANE_STARTS; ++k) {
        const uint32_t start = WARP_LANES * k + lane;
        table.leaps[start] = static_cast<uint16_t>(place[k] != NO_LEAP ? place[k] - start : NO_LEAP);
    }
}
static_assert(STRIDE_DOUBLINGS % 2 == 1, "leaps lie in the table that is not read last");

/// How far the walk has come; the same in all lanes but for `span`.
struct Walk {
    uint32_t group;
    uint32_t at;
    uint32_t span;  ///< sixteenths of a bit that a group of the lane's code took of late; 0: none was seen

    /// Says where the windows of the next round begin; a warp. A group that is expected in the middle of the starts
    /// that a window has room for may begin earlier or later.
    __device__ __forceinline__ void plan(WalkScratch& s, const BlockView& block, uint32_t group_limit, int lane) const {
        const uint32_t own = group + lane;
        const uint32_t code = lane < static_cast<int>(WALK_GROUPS) && own < group_limit
                                  ? min(static_cast<uint32_t>(__ldg(block.selectors + own)), NO_CODE)
                                  : NO_CODE;
        const uint32_t seen = __shfl_sync(ALL_LANES, span, static_cast<int>(code)) / 16;
        const uint32_t expected = seen != 0 ? seen : EXPECTED_BITS;
        const uint32_t begin = at + warp_inclusive_sum(expected, lane) - expected;
        const uint32_t starts = min(START_BITS, WINDOW_BITS - min(WINDOW_BITS, expected + MAX_CODE_BITS));
        if (lane < static_cast<int>(WALK_GROUPS)) {
            s.first[lane] = lane != 0 ? max(begin - min(begin, starts / 2), at) : at;
            s.code[lane] = code < block.record->code_count ? code : NO_CODE;
        }
        if (lane == 0) s.at = at;
    }

    /// Notes what a group took.
    __device__ __forceinline__ void note(uint32_t code, uint32_t bits, int lane) {
        if (static_cast<uint32_t>(lane) != code) return;
        span = span != 0 ? span - span / 4 + 4 * bits : 16 * bits;
    }

    /// Of a group whose code was not seen yet.
    static constexpr uint32_t EXPECTED_BITS = 8 * GROUP_SYMBOLS;
};

/// Goes through the groups of a round, and plans the next one; a warp. False if the chain is over.
__device__ __forceinline__ bool warp_follow_leaps(WalkScratch& s, const BlockView& block, uint32_t group_limit,
                                                  uint32_t* groups, Walk& walk, int lane) {
    const uint32_t limit = block.record->limit_bit;
    uint32_t passed = 0;
    uint32_t own = 0;  // where the group behind the lane's one begins
#pragma unroll
    for (uint32_t k = 0; k < WALK_GROUPS; ++k) {
        if (passed != k) break;
        const uint32_t code = s.code[k];
        const uint32_t start = walk.at - s.first[k];
        const uint32_t leap = code != NO_CODE && start < START_BITS ? s.groups[k].leaps[start] : NO_LEAP;
        if (leap == NO_LEAP) break;
        walk.at += leap;
        walk.note(code, leap, lane);
        if (static_cast<uint32_t>(lane) == k) own = walk.at;
        ++passed;
    }
    if (passed == 0) {
        const uint32_t code = s.code[0];
        const uint32_t begin = walk.at;
        uint32_t left = code != NO_CODE ? GROUP_SYMBOLS : 0;
        while (left != 0 && walk.at < limit) {
            walk.at += s.length_of(code, s.peek(walk.at));
            --left;
        }
        if (code == NO_CODE || left != 0) return false;
        walk.note(code, walk.at - begin, lane);
        own = walk.at;
        passed = 1;
    }
    const uint32_t behind = walk.group + 1 + lane;
    if (static_cast<uint32_t>(lane) < passed && behind < group_limit) groups[behind] = own;
    walk.group += passed;
    walk.plan(s, block, group_limit, lane);
    return walk.at < limit;
}

/// Finds the groups of a block that bzip2_groups.cuh left; a cta of WALK_CTA_THREADS.
__device__ __forceinline__ void cta_walk_groups(const BlockView& block, WalkScratch& s) {
    const int lane = threadIdx.x % WARP_LANES;
    const uint32_t warp = threadIdx.x / WARP_LANES;
    BlockState& state = *block.scratch.state;
    uint32_t* groups = block.scratch.groups;
    const uint32_t from = state.walk_from;
    if (from == 0) return;
    const uint32_t most_groups = group_limit(block);
    const uint32_t limit = block.record->limit_bit;
    const BitWords words{block.bits, block.bits_bytes};
    const CodeTables& tables = *block.scratch.tables;
    for (uint32_t at = threadIdx.x; at < sizeof(s.lengths); at += blockDim.x)
        (&s.lengths[0][0])[at] = static_cast<uint8_t>((&tables.lookup[0][0])[at] & LENGTH_MASK);
    for (uint32_t at = threadIdx.x; at < MAX_CODES * BOUNDS; at += blockDim.x)
        (&s.bound[0][0])[at] = (&tables.bound[0][0])[at];
    for (uint32_t at = threadIdx.x; at < sizeof(s.groups); at += blockDim.x)
        reinterpret_cast<uint8_t*>(s.groups)[at] = NO_STRIDE;
    Walk walk{from, groups[from], 0};
    uint32_t filled = walk.at / 32;  // words of the ring that were loaded
    const auto load = [&](uint32_t word) { s.bits[(filled + threadIdx.x) % RING_WORDS] = word; };
    for (uint32_t k = 0; k < RING_WORDS / RING_LOAD - 1; ++k, filled += RING_LOAD)
        load(words.word(filled + threadIdx.x));
    if (warp == 0) walk.plan(s, block, most_groups, lane);
    __syncthreads();
    while (true) {
        const bool loads = filled - s.at / 32 <= RING_WORDS - RING_LOAD;
        const uint32_t asked = loads ? words.word(filled + threadIdx.x) : 0;
        if (s.code[warp] != NO_CODE) warp_find_leaps(s, s.groups[warp], s.code[warp], s.first[warp], limit, lane);
        if (loads) {
            load(asked);
            filled += RING_LOAD;
        }
        __syncthreads();
        const bool over = warp == 0 && !warp_follow_leaps(s, block, most_groups, groups, walk, lane);
        if (__syncthreads_or(over)) break;
    }
    if (threadIdx.x == 0) state.group_count = groups_with_bits(groups, walk.group + 1, most_groups, limit);
}

}  // namespace warpcodec::bzip2
