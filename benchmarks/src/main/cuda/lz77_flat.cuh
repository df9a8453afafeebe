// Keeps matches of one group of sequences from reading each other's output. A decoder that takes GROUP_SEQUENCES at a
// time, one lane each, can then write all their literals at once, and after them all their matches. This is
// dependency elimination as in Gompresso (Sitaridi et al., 2016, section 4.2), with the repair without which no group
// ever gets its first match.
//
// A match may read the output of the groups before this one, and literals of this group, but no match of it. A source
// that overlaps its own match counts only up to the match's start: the rest repeats it. A match that reads further
// than it may is cut there, or dropped if too little of it is left. Bytes that are cut off become literals, or are
// searched again if they lie behind the window.
//
// Matches need sources that they may read. So literals are entered in the table at once, and places that matches cover
// only when their group is complete. (Entering all at once, as without this, and cutting later, costs 45 % of a
// source tree's ratio.)
//
// Lane k holds the place and the end of the group's match number k.
#pragma once

#include <cstdint>

#include "common/warp.cuh"
#include "lz77/lz77_match.cuh"

namespace warpcodec::lz77 {

constexpr int GROUP_SEQUENCES = WARP_LANES;

/// No match reads another one of its group. Not for finders with links: places are not entered in their order.
class NoNesting {
    int start_ = 0;  ///< of this lane's match of the group; end_ is 0 if there is none yet
    int end_ = 0;
    int count_ = 0;

public:
    template <typename Scratch>
    __device__ __forceinline__ uint32_t warp_look_up(const HashedPlace& hashed, int place, const NoLinks&,
                                                     Scratch& scratch, int) {
        return hashed.open ? (place - scratch.heads[hashed.hash]) & DISTANCE_MASK : 0;
    }

    /// Takes the matches of a window: the lanes in `chosen` have one each, [start, end), in order, with their own
    /// place in it. Shortens some by moving `end`, which stays behind that place; answers the lanes that still have
    /// one. Earlier windows' matches have been through here, and `literal_start` is where the last of them ended.
    template <typename Scratch>
    __device__ __forceinline__ uint32_t warp_limit(const RawWords& raw, uint32_t chosen, int window, int start,
                                                   int& end, uint32_t offset, int literal_start, Scratch& scratch,
                                                   int lane) {
        uint32_t kept = chosen;
        for (uint32_t rest = chosen; rest != 0; rest &= rest - 1) {
            const int owner = __ffs(rest) - 1;
            const int match_start = max(__shfl_sync(ALL_LANES, start, owner), literal_start);
            const int match_end = __shfl_sync(ALL_LANES, end, owner);
            const int distance = static_cast<int>(__shfl_sync(ALL_LANES, offset, owner));
            const int source = match_start - distance;
            const int source_end = source + min(match_end - match_start, distance);
            const uint32_t read = __ballot_sync(ALL_LANES, start_ < source_end && end_ > source);
            int allowed_end = match_end;
            if (read != 0) allowed_end = match_start + max(0, __shfl_sync(ALL_LANES, start_, __ffs(read) - 1) - source);
            if (allowed_end - match_start < SHORTEST_MATCH || allowed_end <= window + owner) {
                kept &= ~(1u << owner);
                continue;
            }
            if (lane == owner) end = allowed_end;
            if (lane == count_) {
                start_ = match_start;
                end_ = allowed_end;
            }
            literal_start = allowed_end;
            if (++count_ == GROUP_SEQUENCES) warp_finish_group(raw, scratch, lane);
        }
        return kept;
    }

    /// Enters the places of a window that no match covers, up to `limit`.
    template <typename Scratch>
    __device__ __forceinline__ void warp_enter_literals(const HashedPlace& hashed, uint32_t chosen, int place,
                                                        int start, int end, Scratch& scratch, int lane) {
        const uint32_t earlier = chosen & ((1u << lane) - 1);
        const uint32_t later = chosen & (ALL_LANES << lane);
        const int end_before = __shfl_sync(ALL_LANES, end, earlier != 0 ? 31 - __clz(earlier) : 0);
        const int start_behind = __shfl_sync(ALL_LANES, start, later != 0 ? __ffs(later) - 1 : 0);
        const bool literal =
            hashed.open && !(earlier != 0 && place < end_before) && !(later != 0 && place >= start_behind);
        const uint32_t literals = __ballot_sync(ALL_LANES, literal);
        warp_enter(HashedPlace{hashed.hash, hashed.peers & literals, literal}, place, scratch, lane);
    }

private:
    /// Enters what the group's matches cover, and begins the next group.
    template <typename Scratch>
    __device__ __forceinline__ void warp_finish_group(const RawWords& raw, Scratch& scratch, int lane) {
        for (int owner = 0; owner < GROUP_SEQUENCES; ++owner) {
            const int limit = __shfl_sync(ALL_LANES, end_, owner);
            for (int first = __shfl_sync(ALL_LANES, start_, owner); first < limit; first += WARP_LANES) {
                const int place = first + lane;
                const HashedPlace hashed =
                    warp_hash<Scratch>(thread_load_context<false>(raw, place).here(), place < limit, lane);
                warp_enter(hashed, place, scratch, lane);
            }
        }
        count_ = 0;
        end_ = 0;
    }
};

}  // namespace warpcodec::lz77
