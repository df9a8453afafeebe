// Measures the match of each place with each of its neighbours (lz4_price_near.cuh), and keeps the longest, of equal
// ones the nearest. In LZ4 every offset costs the same, and of a match every shorter one can be had; so no other match
// of the place is worth anything.
//
// Lanes take places in a row. Each compares SHORT_MATCH bytes by itself. What is longer is measured by all lanes, 256
// bytes at once, for the last place that waits; the places before it with the same offset have its match and the bytes
// up to it. So a long repeat is measured once in 32 places.
//
// Bounds: a match has MOST_MATCH bytes at most, begins LAST_MATCH_DISTANCE before the block's end or earlier, and ends
// LAST_LITERALS before it. A neighbour that is not before the place in its block is none. Text is read up to 11 bytes
// behind a block's last byte, in its unit or in TEXT_SLACK. A long match takes 16 steps of all lanes; where all places
// and neighbours of a warp have their own, it takes 2,048.
#pragma once

#include "../plz/plz_text.cuh"
#include "lz4_price_near.cuh"

namespace warpcodec::lz4_price {

constexpr uint32_t MEASURE_THREADS = 256;
constexpr uint32_t NEIGHBOURS = 4;
/// Bytes that a lane compares by itself: more than a warp has places, so what places share meets.
constexpr uint32_t SHORT_MATCH = 64;
static_assert(SHORT_MATCH >= 2 * WARP_LANES);

/// A place of the batch's text, and what its matches may be.
struct MeasuredPlace {
    uint32_t at;  ///< in the text
    uint32_t in_frame;
    uint32_t most;  ///< bytes of a match; 0: none begins here
};

/// How far back the neighbours of a place are, 0 without one.
__device__ __forceinline__ void thread_load_offsets(const PriceBatch& batch, const MeasuredPlace& place,
                                                    uint32_t (&offsets)[NEIGHBOURS]) {
    const uint32_t in_unit = place.in_frame % UNIT_BYTES;
    const bool has_matches = place.most > 0;
    const uint32_t own = has_matches ? batch.own[place.at] : ~0u;
    // the unit before has its places turned round
    const uint32_t before = has_matches && place.in_frame >= UNIT_BYTES ? batch.before[place.at] : ~0u;
    const uint32_t found[NEIGHBOURS] = {own & 0xFFFF, own >> 16, before & 0xFFFF, before >> 16};
#pragma unroll
    for (uint32_t i = 0; i < NEIGHBOURS; ++i) {
        uint32_t offset = i < 2 ? in_unit - found[i] : in_unit + found[i] + 1;
        if (found[i] == NONE || offset > min(place.in_frame, MAX_OFFSET)) offset = 0;
        offsets[i] = offset;
    }
}

/// Length of a match, of which `length` bytes are known and `most` are wanted. All lanes call, with the same values.
__device__ __forceinline__ uint32_t warp_common_length(const uint8_t* text, uint32_t at, uint32_t offset,
                                                       uint32_t length, uint32_t most, int lane) {
    constexpr uint32_t BYTES = sizeof(uint64_t);
    for (; length < most; length += BYTES * WARP_LANES) {
        const uint32_t own = length + BYTES * static_cast<uint32_t>(lane);
        uint32_t equal = BYTES;
        if (own < most)
            equal = plz::equal_bytes(plz::thread_load_text(text + at - offset + own) ^
                                     plz::thread_load_text(text + at + own));
        const uint32_t differing = __ballot_sync(ALL_LANES, equal < BYTES);
        if (differing == 0) continue;
        const int first = __ffs(static_cast<int>(differing)) - 1;
        length += BYTES * static_cast<uint32_t>(first) + __shfl_sync(ALL_LANES, equal, first);
        break;
    }
    return min(length, most);
}

/// Length of each lane's match at `offset`, which is 0 without one. All lanes of the warp call, with places in a row.
__device__ __forceinline__ uint32_t warp_measure_offset(const uint8_t* text, const MeasuredPlace& place,
                                                        uint32_t offset, int lane) {
    uint32_t length = 0;
    if (offset != 0)
        length = plz::thread_common_length(text, place.at - offset, place.at, 0, min(place.most, SHORT_MATCH));
    bool is_open = length == SHORT_MATCH && place.most > SHORT_MATCH;
    uint32_t open = __ballot_sync(ALL_LANES, is_open);
    while (open != 0) {
        const int last = 31 - __clz(static_cast<int>(open));
        const uint32_t last_offset = __shfl_sync(ALL_LANES, offset, last);
        const uint32_t longest = warp_common_length(text, __shfl_sync(ALL_LANES, place.at, last), last_offset,
                                                    SHORT_MATCH, __shfl_sync(ALL_LANES, place.most, last), lane);
        if (is_open && offset == last_offset) {
            length = min(longest + static_cast<uint32_t>(last - lane), place.most);
            is_open = false;
        }
        open = __ballot_sync(ALL_LANES, is_open);
    }
    return length;
}

/// Measures the matches of place `at` of the text; a place behind a block has none. All lanes of the warp call, with
/// places in a row.
__device__ __forceinline__ void warp_measure(const PriceBatch& batch, uint32_t at) {
    const int lane = static_cast<int>(threadIdx.x % WARP_LANES);
    const FrameRange frame = frame_of_unit(batch, at / UNIT_BYTES);
    const uint32_t in_frame = at - static_cast<uint32_t>(frame.begin());
    const bool has_matches = in_frame < frame.count && frame.count - in_frame >= lz4::LAST_MATCH_DISTANCE;
    const MeasuredPlace place{at, in_frame,
                              has_matches ? min(frame.count - in_frame - lz4::LAST_LITERALS, MOST_MATCH) : 0};
    uint32_t offsets[NEIGHBOURS];
    thread_load_offsets(batch, place, offsets);
    uint32_t longest = 0, nearest = 0;
#pragma unroll
    for (uint32_t i = 0; i < NEIGHBOURS; ++i) {
        const uint32_t length = warp_measure_offset(batch.text, place, offsets[i], lane);
        if (length > longest || (length == longest && offsets[i] < nearest)) {
            longest = length;
            nearest = offsets[i];
        }
    }
    batch.matches[at] = longest >= lz4::MIN_MATCH ? longest | nearest << LENGTH_BITS : 0;
}

}  // namespace warpcodec::lz4_price
