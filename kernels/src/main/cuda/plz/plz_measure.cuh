// Measures the match of each place with each of its candidates, before a parse by price.
//
// Lanes take places in a row. Where a candidate is the one behind the last place's, its match is the last one less its
// first byte, so only candidates that jump are compared. Matches are kept nearest first, each longer than the one
// before. Where there are more than SLOTS, those go that save least: what they are longer than the one before, by how
// many bits fewer their offset has than the next one's. That costs 0.01 % of size, and halves what a parse reads.
//
// Matches are written over candidates: those of BROUGHT places into their rows, which no other warp reads.
//
// Bounds: matches end with their chunk, and have MOST_MATCH bytes at most. Text is read up to TEXT_SLACK bytes behind
// its last.
#pragma once

#include "plz_text.cuh"

namespace warpcodec::plz {

/// Matches of a place as they are stored.
struct alignas(16) PlaceMatches {
    PackedMatch of[SLOTS];
};

/// Measures one kind's match. All lanes of the warp call.
__device__ __forceinline__ uint32_t lanes_measure(const uint8_t* text, uint32_t at, uint32_t offset, uint32_t most,
                                                  bool begins_chunk) {
    const uint32_t lane = threadIdx.x % WARP_LANES;
    const uint32_t before = __shfl_up_sync(ALL_LANES, offset, 1);
    const bool goes_on = lane > 0 && !begins_chunk && offset != 0 && before == offset;
    const uint32_t heads = __ballot_sync(ALL_LANES, !goes_on);
    const uint32_t head = WARP_LANES - 1 - __clz(static_cast<int>(heads & (ALL_LANES >> (WARP_LANES - 1 - lane))));
    uint32_t length = 0;
    if (!goes_on && offset != 0) length = thread_common_length(text, at - offset, at, 0, most);
    const uint32_t of_head = __shfl_sync(ALL_LANES, length, static_cast<int>(head)), past = lane - head;
    if (goes_on) {
        length = of_head >= past ? of_head - past : 0;
        // the head's match may end later, or not lead to this place
        if (of_head == MOST_MATCH || of_head < past) length = thread_common_length(text, at - offset, at, length, most);
    }
    return length;
}

/// Bits of an offset's code.
__device__ __forceinline__ uint32_t offset_bits_of(PackedMatch match) {
    return 31 - __clz(static_cast<int>(offset_of(match) + 3));
}

/// Leaves out the match that saves least, of `count`.
__device__ __forceinline__ void thread_drop_match(PackedMatch (&matches)[KINDS], uint32_t count) {
    uint32_t least = ~0u, dropped = 0, before = LEAST_MATCH - 1;
#pragma unroll
    for (uint32_t i = 0; i + 1 < KINDS; ++i) {
        const uint32_t saved =
            (length_of(matches[i]) - before) * (offset_bits_of(matches[i + 1]) - offset_bits_of(matches[i]));
        if (i + 1 < count && saved < least) {
            least = saved;
            dropped = i;
        }
        before = length_of(matches[i]);
    }
#pragma unroll
    for (uint32_t i = 0; i + 1 < KINDS; ++i) matches[i] = i >= dropped ? matches[i + 1] : matches[i];
}

/// Sorts the matches of a place, and keeps those that are longer than all nearer ones, SLOTS at most.
__device__ __forceinline__ void thread_keep_matches(uint32_t (&offsets)[KINDS], uint32_t (&lengths)[KINDS],
                                                    PackedMatch (&kept)[SLOTS]) {
#pragma unroll
    for (uint32_t end = KINDS - 1; end > 0; --end) {
#pragma unroll
        for (uint32_t k = 0; k < KINDS - 1; ++k) {
            if (k >= end || offsets[k] <= offsets[k + 1]) continue;
            const uint32_t offset = offsets[k], length = lengths[k];
            offsets[k] = offsets[k + 1];
            lengths[k] = lengths[k + 1];
            offsets[k + 1] = offset;
            lengths[k + 1] = length;
        }
    }
    PackedMatch matches[KINDS] = {};
    uint32_t longest = LEAST_MATCH - 1, count = 0;
#pragma unroll
    for (uint32_t kind = 0; kind < KINDS; ++kind) {
        const bool is_kept = lengths[kind] > longest;
        longest = is_kept ? lengths[kind] : longest;
#pragma unroll
        for (uint32_t slot = 0; slot < KINDS; ++slot) {
            if (is_kept && slot == count) matches[slot] = lengths[kind] | offsets[kind] << LENGTH_BITS;
        }
        count += is_kept;
    }
#pragma unroll
    for (uint32_t more = KINDS; more > SLOTS; --more) {
        if (count >= more) thread_drop_match(matches, more);
    }
#pragma unroll
    for (uint32_t slot = 0; slot < SLOTS; ++slot) kept[slot] = matches[slot];
}

/// Measures the matches of place `at`, if there is one, of a batch whose chunks are all of its text. All lanes of the
/// warp call, with places in a row from a multiple of BROUGHT on.
__device__ __forceinline__ void warp_measure(const ParseBatch& batch, uint32_t at) {
    static_assert(WARP_LANES % BROUGHT == 0, "a warp has whole groups of rows");
    const Chunk chunk = chunk_at(batch, at);
    const uint32_t place = at - chunk.from, begin = chunk.from - chunk.in_frame;
    const bool is_place = place < chunk.bytes;
    const uint2 smaller = is_place ? batch.smaller[at] : make_uint2(NO_PLACE, NO_PLACE);
    const uint32_t most = is_place ? min(chunk.bytes - place, MOST_MATCH) : 0;
    uint32_t offsets[KINDS], lengths[KINDS];
#pragma unroll
    for (uint32_t kind = 0; kind < KINDS; ++kind) {
        uint32_t earlier = kind == 0 ? smaller.x : smaller.y;
        if (kind >= 2) earlier = is_place ? batch.rows[size_t{at} * ROW_WORDS + kind - 2] : NO_PLACE;
        offsets[kind] = earlier == NO_PLACE ? 0 : at - begin - earlier;
#pragma unroll
        for (uint32_t other = 0; other < kind; ++other) {
            if (offsets[other] == offsets[kind]) offsets[kind] = 0;
        }
    }
#pragma unroll
    for (uint32_t kind = 0; kind < KINDS; ++kind)
        lengths[kind] = lanes_measure(batch.text, at, offsets[kind], most, place == 0);
    PlaceMatches matches;
    thread_keep_matches(offsets, lengths, matches.of);
    __syncwarp();  // all lanes have read the candidates that are overwritten
    if (is_place) *reinterpret_cast<PlaceMatches*>(batch.rows + matches_at(at)) = matches;
}

}  // namespace warpcodec::plz
