// Encodes a strip of a block, one warp, in windows of 32 places from the strip's first byte to its last. Matches are
// found and chosen in each (lz77_match.cuh), and written as the format says. In lz77_strips.cuh blocks are cut into
// strips, and what becomes of them is joined.
//
// What LZ4 calls a sequence, and what Snappy writes as a literal and copies, is here the same: literals, then one
// match. A format writes it as a head in front of the literals and a tail behind them; a head and a tail know both
// lengths and the offset. The warp adds up the lengths of a window's sequences, which gives each its place, and
// writes them at once: each lane the head and tail of its own match, and the literal at its own place. Literals that
// earlier windows left over are copied by all lanes, in rows.
//
// Behind a window that ends within a match, the next window starts behind the match: what lies inside is not entered
// in the table. Nothing is written beyond the output limit: a window's sequences that do not fit end the strip.
//
// Where a strip does not begin its block, its first match is preceded by literals of which earlier strips may have
// left some over. So this match's head and literals are not written: what is written begins with its tail. Behind the
// last match no strip writes anything.
//
// Invariants, at the top of each turn. Raw bytes [from, literal_start) are encoded in output bytes
// [0, output_position). A strip that does not begin its block leaves out what precedes its first match. Further,
// literal_start <= window. Places below the window have been entered, or lie inside matches.
//
// Cost: some 380 instructions a window of text (H200, 2026-11-21: 11 a byte), fewer where nothing matches; loops over
// a window's lengths are bounded by the block's length.
#pragma once

#include <cstdint>

#include "../common/batch.cuh"
#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "lz77_match.cuh"

namespace warpcodec::lz77 {

/// Literals and a match as a format sees them; match_bytes is 0 for what follows the last match.
struct RawSequence {
    uint32_t literal_bytes;
    uint32_t match_bytes;
    uint32_t offset;
};

/// Copies the literals [from, limit) to `target` on.
__device__ __forceinline__ void warp_copy_literals(const Block& block, int from, int limit, uint8_t* target, int lane) {
    for (int place = from + lane; place < limit; place += WARP_LANES) target[place - from] = __ldg(block.input + place);
}

/// The lanes' sequences of one window, in order; only lanes in `chosen` have one.
struct WindowSequences {
    uint32_t chosen;
    int headless;  ///< the lane whose sequence has no head, or WARP_LANES
    int literal_start;
    int start;  ///< of the match
    int end;
    uint32_t offset;
};

/// Where encoded bytes go, and how many may be written.
struct Target {
    uint8_t* output;
    uint32_t limit;
};

/// Writes the sequences of a window. `literal` is the byte at this lane's place. Answers the output position behind
/// them, or one beyond the limit if they do not fit; then nothing is written.
template <typename Format>
__device__ __forceinline__ uint32_t warp_write_sequences(const Block& block, const Target& target,
                                                         uint32_t output_position, int window,
                                                         const WindowSequences& own, uint8_t literal, int lane) {
    const bool writes = own.chosen >> lane & 1;
    const RawSequence sequence{static_cast<uint32_t>(own.start - own.literal_start),
                               static_cast<uint32_t>(own.end - own.start), own.offset};
    const bool has_head = lane != own.headless;
    const uint32_t head_bytes = has_head ? Format::thread_head_bytes(sequence) : 0;
    const uint32_t bytes = writes ? head_bytes + sequence.literal_bytes + Format::thread_tail_bytes(sequence) : 0;
    const uint32_t behind = warp_inclusive_sum(bytes, lane);
    const uint32_t limit = output_position + __shfl_sync(ALL_LANES, behind, WARP_LANES - 1);
    if (limit > target.limit) return limit;
    uint8_t* const output = target.output;
    const uint32_t head = output_position + behind - bytes;
    if (writes) {
        if (has_head) Format::thread_write_head(output + head, sequence);
        Format::thread_write_tail(output + head + head_bytes + sequence.literal_bytes, sequence);
    }
    const int literal_target = static_cast<int>(head + head_bytes) - own.literal_start;  // output place less raw place
    const uint32_t later = own.chosen & (ALL_LANES << lane);
    const int owner = later != 0 ? __ffs(later) - 1 : lane;
    const int literals_from = __shfl_sync(ALL_LANES, own.literal_start, owner);
    const int literals_limit = __shfl_sync(ALL_LANES, own.start, owner);
    const int owner_target = __shfl_sync(ALL_LANES, literal_target, owner);
    const int place = window + lane;
    if (later != 0 && place >= literals_from && place < literals_limit) output[owner_target + place] = literal;
    const int first = __ffs(own.chosen) - 1;
    const int left_over = __shfl_sync(ALL_LANES, own.literal_start, first);
    if (left_over < window) {
        const int left_over_limit = min(window, __shfl_sync(ALL_LANES, own.start, first));
        warp_copy_literals(block, left_over, left_over_limit,
                           output + __shfl_sync(ALL_LANES, literal_target, first) + left_over, lane);
    }
    return limit;
}

/// How a block's matches may nest: as they like, and all places are entered when they are looked up. A benchmark has
/// another way (lz77_flat.cuh).
struct FreeNesting {
    template <typename Scratch, typename LinkType>
    __device__ __forceinline__ uint32_t warp_look_up(const HashedPlace& hashed, int place, const LinkType& links,
                                                     Scratch& scratch, int lane) {
        return warp_look_up_and_enter(hashed, place, links, scratch, lane);
    }
    template <typename Scratch>
    __device__ __forceinline__ uint32_t warp_limit(const RawWords&, uint32_t chosen, int, int, int&, uint32_t, int,
                                                   Scratch&, int) {
        return chosen;
    }
    template <typename Scratch>
    __device__ __forceinline__ void warp_enter_literals(const HashedPlace&, uint32_t, int, int, int, Scratch&, int) {}
};

/// A part of a block, which one warp encodes.
struct Strip {
    int from;  ///< its first raw byte
    int limit;  ///< behind its last one; matches end here at the latest
    bool begins_block;
};

/// What came of a strip.
struct StripEnd {
    uint32_t output_bytes;  ///< behind what is written; beyond the limit if it does not fit
    int literal_start;  ///< the strip's raw bytes from here on are not written
    int match_start;  ///< of the match that has no head, if there is one
    uint32_t match_bytes;  ///< of that match; 0: there is none
};

/// Encodes a strip, from output position `output_position` on. `scratch` is undefined before and after.
template <typename Format, typename Scratch, typename LinkType, typename Nesting>
__device__ __forceinline__ StripEnd warp_encode_strip(const Block& block, const Strip& strip, const Target& target,
                                                      uint32_t output_position, const LinkType& links, Nesting nesting,
                                                      Scratch& scratch, int lane) {
    static_assert(Format::START_MARGIN_BYTES >= READ_MARGIN_BYTES && Format::END_MARGIN_BYTES >= 4,
                  "matches are compared without care");
    const int raw_bytes = static_cast<int>(block.input_bytes);
    const MatchLimits limits{min(strip.limit, raw_bytes - Format::START_MARGIN_BYTES + 1),
                             min(strip.limit, raw_bytes - Format::END_MARGIN_BYTES)};
    StripEnd end{output_position, strip.from, 0, 0};
    bool needs_head = strip.begins_block;
    const RawWords raw(block);
    if (strip.from < limits.start_limit) {
        warp_clear(scratch, lane);
        warp_enter_before(raw, strip.from, scratch, lane);
    }
    for (int window = strip.from; window < limits.start_limit;) {
        const int place = window + lane;
        const RawContext here = thread_load_context<false>(raw, place);
        const HashedPlace hashed = warp_hash<Scratch>(here.here(), place < limits.start_limit, lane);
        const uint32_t distance = nesting.warp_look_up(hashed, place, links, scratch, lane);
        const FoundMatch own_match = thread_find(raw, limits, here, place, distance, links, lane);
        __syncwarp();
        const FoundMatch found = warp_spread(own_match, lane);
        WindowSequences own{
            warp_choose<Format::LOOKAHEAD>(found, lane), WARP_LANES, 0, place, window + found.end(), found.offset()};
        if (own.chosen != 0) {
            const int last = 31 - __clz(own.chosen);
            int last_end = __shfl_sync(ALL_LANES, own.end, last);
            if (last_end >= window + last + FOUND_LIMIT) {
                last_end = warp_prolong(raw, limits, last_end,
                                        static_cast<int>(__shfl_sync(ALL_LANES, own.offset, last)), lane);
                if (lane == last) own.end = last_end;
            }
            own.start -= found.before();
            own.chosen = nesting.warp_limit(raw, own.chosen, window, own.start, own.end, own.offset, end.literal_start,
                                            scratch, lane);
        }
        nesting.warp_enter_literals(hashed, own.chosen, place, own.start, own.end, scratch, lane);
        if (own.chosen != 0) {
            const uint32_t earlier = own.chosen & ((1u << lane) - 1);
            const int end_before = __shfl_sync(ALL_LANES, own.end, earlier != 0 ? 31 - __clz(earlier) : 0);
            own.literal_start = earlier != 0 ? end_before : end.literal_start;
            own.start = max(own.start, own.literal_start);
            if (!needs_head) {
                needs_head = true;
                own.headless = __ffs(own.chosen) - 1;
                end.match_start = __shfl_sync(ALL_LANES, own.start, own.headless);
                end.match_bytes =
                    static_cast<uint32_t>(__shfl_sync(ALL_LANES, own.end, own.headless) - end.match_start);
                if (lane == own.headless) own.literal_start = own.start;
            }
            end.output_bytes = warp_write_sequences<Format>(block, target, end.output_bytes, window, own,
                                                            static_cast<uint8_t>(here.here()), lane);
            if (end.output_bytes > target.limit) return end;
            end.literal_start = __shfl_sync(ALL_LANES, own.end, 31 - __clz(own.chosen));
        }
        window = max(window + WARP_LANES, end.literal_start);
    }
    return end;
}

}  // namespace warpcodec::lz77
