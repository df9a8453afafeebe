// Finds matches for 32 neighbouring places of a block at once, one lane each, and chooses which of them to write.
//
// Find. Each lane hashes the 4 bytes at its place. The latest earlier place with the same hash is a lower lane's, or
// what the table of heads holds. Lanes with equal hashes see each other. Then the highest lane of each hash leaves
// its place in the table. There is one writer an entry, so the table, and with it every byte of the output, depends
// on nothing but the input. Places are stored modulo 2^16, and a head is read as a distance from the lane's own
// place. Whatever an entry holds, also the zeros that it begins with, the distance leads to an earlier place of the
// block, or is 0: none. Bytes decide about a match, never the table.
//
// A finder with links also notes for each place how far back the next one of the same hash lies, and follows up to
// `depth` of them for the longest match.
//
// Spread. A match found at one place often holds a few bytes earlier too, where the table had something worse or
// nothing. So each lane counts how many bytes in front of its match are equal as well, and lanes take over the match
// of a lane 4, 2, 1 places on if it reaches them and ends later than their own.
//
// Choose. A lane gives up its match if the next lane has a longer match. With LOOKAHEAD 2 it also gives it up if the
// lane after that has a match longer by two bytes or more. From the first place on, the parse steps to the end of a
// match or to the next place. Doubling that step five times gives each lane the set of matches on the way from its
// place. The first lane's set is the answer.
//
// Lanes compare at most FOUND_LIMIT bytes. That is more than a window, so only the last chosen match can be longer;
// the warp prolongs it together.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"
#include "lz77_raw.cuh"

namespace warpcodec::lz77 {

/// A match costs three bytes; shorter ones gain nothing.
constexpr int SHORTEST_MATCH = 4;
constexpr int FOUND_LIMIT = 36;
static_assert(FOUND_LIMIT >= WARP_LANES, "a match of that length ends behind the window");
/// Distances have 16 bits in both formats.
constexpr uint32_t DISTANCE_MASK = 0xFFFF;
constexpr uint32_t LINK_COUNT = DISTANCE_MASK + 1;

/// What a lane knows of a match that starts at its place, in one word so that one shuffle passes it on. Zero if there
/// is none.
struct FoundMatch {
    static constexpr uint32_t OFFSET_BITS = 16;
    static constexpr uint32_t BEFORE_BITS = 3;
    static constexpr int MAX_BEFORE = (1 << BEFORE_BITS) - 1;

    uint32_t packed = 0;  ///< offset; bytes in front of it that match too; end, counted from the window's first place

    __device__ __forceinline__ uint32_t offset() const { return packed & ((1u << OFFSET_BITS) - 1); }
    __device__ __forceinline__ int before() const { return static_cast<int>(packed >> OFFSET_BITS) & MAX_BEFORE; }
    __device__ __forceinline__ int end() const { return static_cast<int>(packed >> (OFFSET_BITS + BEFORE_BITS)); }

    static __device__ __forceinline__ FoundMatch of(uint32_t offset, int before, int end) {
        return FoundMatch{offset | static_cast<uint32_t>(before) << OFFSET_BITS |
                          static_cast<uint32_t>(end) << (OFFSET_BITS + BEFORE_BITS)};
    }
};

/// Where matches may start and end in a block.
struct MatchLimits {
    int start_limit;  ///< no match starts here or later
    int end_limit;  ///< no match goes on here
};

/// Follows no links: only the latest place with the same hash is tried.
struct NoLinks {
    __device__ __forceinline__ void thread_note(uint32_t, uint32_t) const {}
    __device__ __forceinline__ uint32_t thread_follow(uint32_t) const { return 0; }
    __device__ __forceinline__ int depth() const { return 1; }
};

/// Links of one warp: LINK_COUNT entries in device memory, each the distance to the next earlier place of the same
/// hash, 0 for none. Only entries of places that this block has entered are read, so nothing needs to be cleared.
struct Links {
    uint16_t* distances;
    int max_depth;

    __device__ __forceinline__ void thread_note(uint32_t place, uint32_t distance) const {
        distances[place & DISTANCE_MASK] = static_cast<uint16_t>(distance);
    }
    __device__ __forceinline__ uint32_t thread_follow(uint32_t place) const { return distances[place & DISTANCE_MASK]; }
    __device__ __forceinline__ int depth() const { return max_depth; }
};

/// Shared memory of one warp.
template <int HEAD_COUNT_>
struct alignas(16) MatchScratch {
    static constexpr uint32_t HEAD_COUNT = HEAD_COUNT_;
    static_assert(HEAD_COUNT % 8 == 0, "cleared 16 bytes at a time");
    uint16_t heads[HEAD_COUNT];
};

template <typename Scratch>
__device__ __forceinline__ void warp_clear(Scratch& scratch, int lane) {
    constexpr int COUNT = static_cast<int>(sizeof(scratch.heads) / sizeof(uint4));
    for (int i = lane; i < COUNT; i += WARP_LANES) reinterpret_cast<uint4*>(scratch.heads)[i] = make_uint4(0, 0, 0, 0);
    __syncwarp();
}

/// The lane's place among those that hash alike.
struct HashedPlace {
    uint32_t hash;
    uint32_t peers;  ///< lanes of the warp with the same hash, itself included; only itself if its place is not open
    bool open;  ///< a match may start here
};

/// `word` are the four bytes at `place`.
template <typename Scratch>
__device__ __forceinline__ HashedPlace warp_hash(uint32_t word, bool open, int lane) {
    constexpr uint32_t MULTIPLIER = 2654435761u;  // 2^32 / golden ratio
    const uint32_t hash = __umulhi(word * MULTIPLIER, Scratch::HEAD_COUNT);
    return HashedPlace{hash, __match_any_sync(ALL_LANES, open ? hash : 0x80000000u + lane), open};
}

/// Leaves the places in the table: of equal hashes the highest lane's. The lanes' places ascend.
template <typename Scratch>
__device__ __forceinline__ void warp_enter(const HashedPlace& hashed, int place, Scratch& scratch, int lane) {
    if (hashed.open && hashed.peers >> lane == 1) scratch.heads[hashed.hash] = static_cast<uint16_t>(place);
    __syncwarp();
}

/// Enters all places before `limit` that a match from there on may reach. `limit` is a multiple of WARP_LANES, and 8
/// bytes before the block's end.
template <typename Scratch>
__device__ __forceinline__ void warp_enter_before(const RawWords& raw, int limit, Scratch& scratch, int lane) {
#pragma unroll 4
    for (int window = max(0, limit - static_cast<int>(DISTANCE_MASK) - 1); window < limit; window += WARP_LANES) {
        const int place = window + lane;
        warp_enter(warp_hash<Scratch>(thread_load_word(raw, place), true, lane), place, scratch, lane);
    }
}

/// How far back the latest place with the same hash lies, in the table or in a lower lane; 0 if there is none. Enters
/// and links the places.
template <typename Scratch, typename LinkType>
__device__ __forceinline__ uint32_t warp_look_up_and_enter(const HashedPlace& hashed, int place, const LinkType& links,
                                                           Scratch& scratch, int lane) {
    const uint32_t lower = hashed.peers & ((1u << lane) - 1);
    uint32_t distance = 0;
    if (hashed.open)
        distance = lower != 0 ? lane - (31 - __clz(lower)) : (place - scratch.heads[hashed.hash]) & DISTANCE_MASK;
    __syncwarp();
    if (hashed.open) links.thread_note(place, distance);
    warp_enter(hashed, place, scratch, lane);
    return distance;
}

/// The longest match of this lane's place, from the one `distance` back on along the links. `here` is the place's
/// context.
template <typename LinkType>
__device__ __forceinline__ FoundMatch thread_find(const RawWords& raw, const MatchLimits& limits,
                                                  const RawContext& here, int place, uint32_t distance,
                                                  const LinkType& links, int lane) {
    int longest = SHORTEST_MATCH - 1;
    FoundMatch found;
    const int limit = min(FOUND_LIMIT, limits.end_limit - place);
    // A link may be that of a place 2^16 further on, which has taken the entry, and lead before the block.
    const uint32_t farthest = min(DISTANCE_MASK, static_cast<uint32_t>(place));
    uint32_t reach = distance;
    for (int turn = 0; turn < links.depth() && distance != 0 && reach <= farthest; ++turn) {
        const int source = place - static_cast<int>(reach);
        const RawContext there = thread_load_context<true>(raw, source);
        distance = links.thread_follow(source);
        const int equal = thread_count_equal(raw, here, there, place, source, limit);
        if (equal > longest) {
            longest = equal;
            const int before = min(min(FoundMatch::MAX_BEFORE, source), thread_count_equal_before(here, there));
            found = FoundMatch::of(reach, before, lane + longest);
            if (equal == limit) break;
        }
        reach += distance;
    }
    return found;
}

/// Lets lanes have the matches of later lanes that reach back to them and end later than their own.
__device__ __forceinline__ FoundMatch warp_spread(FoundMatch found, int lane) {
#pragma unroll
    for (int step = 4; step >= 1; step /= 2) {
        const FoundMatch other{__shfl_down_sync(ALL_LANES, found.packed, step)};
        if (lane + step < WARP_LANES && other.before() >= step && other.end() > found.end()) {
            found = FoundMatch::of(other.offset(), other.before() - step, other.end());
        }
    }
    return found;
}

/// The lanes whose matches are written, as a mask.
template <int LOOKAHEAD>
__device__ __forceinline__ uint32_t warp_choose(FoundMatch found, int lane) {
    static_assert(LOOKAHEAD == 1 || LOOKAHEAD == 2);
    bool kept = found.packed != 0;
    const int end = found.end();
    const int end_after_one = __shfl_down_sync(ALL_LANES, end, 1);
    if (lane + 1 < WARP_LANES && end_after_one > end + 1) kept = false;
    if (LOOKAHEAD == 2) {
        const int end_after_two = __shfl_down_sync(ALL_LANES, end, 2);
        if (lane + 2 < WARP_LANES && end_after_two > end + 3) kept = false;
    }
    uint32_t chosen = kept ? 1u << lane : 0;
    int next = kept ? end : lane + 1;
#pragma unroll
    for (int doubling = 1; doubling < WARP_LANES; doubling *= 2) {
        const uint32_t more = __shfl_sync(ALL_LANES, chosen, next & (WARP_LANES - 1));
        const int further = __shfl_sync(ALL_LANES, next, next & (WARP_LANES - 1));
        if (next < WARP_LANES) {
            chosen |= more;
            next = further;
        }
    }
    return __shfl_sync(ALL_LANES, chosen, 0);
}

/// Prolongs a match that ends at `end` and repeats what lies `offset` before, all lanes comparing 4 bytes each.
/// Answers its end.
__device__ __forceinline__ int warp_prolong(const RawWords& raw, const MatchLimits& limits, int end, int offset,
                                            int lane) {
    while (end < limits.end_limit) {
        const int place = end + 4 * lane;
        const int wanted = min(4, limits.end_limit - place);
        const int equal = wanted <= 0 ? 0 : thread_count_equal(raw, place, place - offset, 0, wanted);
        const uint32_t different = __ballot_sync(ALL_LANES, equal < 4);
        if (different != 0) {
            const int lanes = __ffs(different) - 1;
            return end + 4 * lanes + __shfl_sync(ALL_LANES, equal, lanes);
        }
        end += 4 * WARP_LANES;
    }
    return end;
}

}  // namespace warpcodec::lz77
