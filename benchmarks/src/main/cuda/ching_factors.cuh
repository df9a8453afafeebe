// Greedy Lempel-Ziv factors of a string by its smaller values, in chunks, as Ching's thesis has them: section 3.3.
//
// A warp takes a chunk, from left to right. A factor begins at a place, and is the longest of two matches: those with
// the previous and with the next smaller value. Of equal ones it is the first. No match reaches over the chunk's end.
// Where the first match does so much, the second one is not measured. A factor without a match is one byte.
//
// A match is measured by 32 bytes a turn, a byte a lane, and behind the first turn by 128. Both matches' first 32 bytes
// are compared at once, since most matches end there.
//
// A warp may also look ahead: each lane finds both matches of a place of its own, up to 16 bytes long. Then the warp
// goes through these 32 places. So a chain of loads has a link for 32 places, not one for each factor. Both ways find
// the same factors.
//
// Bounds: a source is refused unless it is before its place, so both bytes of a comparison lie below the chunk's end.
// Lanes that look ahead read up to AHEAD_SLACK bytes behind the text, and do not count them. A chunk has as many
// factors as bytes at most, and room for them where its bytes are in the text. All lanes of a warp take the same turns:
// lengths come from ballots, or from one lane. Chunks end with the text, whatever their number is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/frames.cuh"
#include "common/warp.cuh"
#include "plz/plz_text.cuh"

namespace ching {

using namespace warpcodec;

/// Bytes of a match that a lane measures ahead, and bytes that it may read behind the text: 8 + 11 behind its place.
constexpr uint32_t AHEAD_BYTES = 16, AHEAD_SLACK = 20;

/// `length` bytes that are also at `source`, or one byte if there is no source.
struct alignas(8) Factor {
    uint32_t source, length;
};
static_assert(sizeof(Factor) == 8);

struct FactorBatch {
    const uint8_t* text;  ///< AHEAD_SLACK bytes behind it may be read
    const uint2* smaller;  ///< of each place
    Factor* factors;  ///< a chunk's begin with its first byte's number
    uint32_t* counts;  ///< of each chunk, and a word behind them
    uint32_t bytes;
    uint32_t chunk_bytes;
    uint32_t chunk_count;
};

/// Chunks of a text that is cut into `divisions` at most, and their bytes.
__host__ __device__ constexpr uint32_t chunk_bytes_of(uint32_t bytes, uint32_t divisions) {
    return bytes == 0 ? 1 : bytes / divisions + (bytes % divisions != 0 ? 1 : 0);
}
__host__ __device__ constexpr uint32_t chunk_count_of(uint32_t bytes, uint32_t divisions) {
    const uint32_t each = chunk_bytes_of(bytes, divisions);
    return bytes / each + (bytes % each != 0 ? 1 : 0);
}

/// Which lanes' bytes differ, so far behind two places.
__device__ __forceinline__ uint32_t warp_differing(const uint8_t* text, uint32_t source, uint32_t place, uint32_t limit,
                                                   uint32_t distance) {
    const uint32_t own = distance + threadIdx.x % WARP_LANES;
    const bool is_same = own < limit - place && text[source + own] == text[place + own];
    return __ballot_sync(ALL_LANES, !is_same);
}

/// Place of the first differing lane.
__device__ __forceinline__ uint32_t first_lane(uint32_t lanes) {
    return static_cast<uint32_t>(__ffs(static_cast<int>(lanes))) - 1;
}

/// Bytes that two places share, if they share `distance`. `limit` ends them.
__device__ __forceinline__ uint32_t warp_measure_far(const uint8_t* text, uint32_t source, uint32_t place,
                                                     uint32_t limit, uint32_t distance) {
    constexpr uint32_t TURNS = 4;
    for (;; distance += TURNS * WARP_LANES) {
        uint32_t differ[TURNS];
#pragma unroll
        for (uint32_t i = 0; i < TURNS; ++i)
            differ[i] = warp_differing(text, source, place, limit, distance + i * WARP_LANES);
#pragma unroll
        for (uint32_t i = 0; i < TURNS; ++i)
            if (differ[i] != 0) return distance + i * WARP_LANES + first_lane(differ[i]);
    }
}

/// The factor at a place.
__device__ __forceinline__ Factor warp_find_factor(const FactorBatch& batch, uint32_t place, uint32_t limit) {
    const uint2 smaller = batch.smaller[place];
    const bool has_previous = smaller.x < place, has_next = smaller.y < place;
    const uint32_t previous = has_previous ? smaller.x : place, next = has_next ? smaller.y : place;
    const uint32_t differ_previous = warp_differing(batch.text, previous, place, limit, 0);
    const uint32_t differ_next = warp_differing(batch.text, next, place, limit, 0);
    Factor factor{NO_PLACE, 0};
    if (has_previous) {
        factor.length = differ_previous != 0 ? first_lane(differ_previous)
                                             : warp_measure_far(batch.text, previous, place, limit, WARP_LANES);
    }
    if (factor.length > 0) factor.source = previous;
    if (!has_next || factor.length >= limit - place) return factor;
    const uint32_t length =
        differ_next != 0 ? first_lane(differ_next) : warp_measure_far(batch.text, next, place, limit, WARP_LANES);
    return length > factor.length ? Factor{next, length} : factor;
}

/// Places of a chunk, clamped to the text.
struct ChunkRange {
    uint32_t begin, limit;
};

__device__ __forceinline__ ChunkRange range_of(const FactorBatch& batch, uint32_t chunk) {
    const uint64_t first = uint64_t{chunk} * batch.chunk_bytes;
    const uint32_t begin = first < batch.bytes ? static_cast<uint32_t>(first) : batch.bytes;
    return {begin, batch.bytes - begin < batch.chunk_bytes ? batch.bytes : begin + batch.chunk_bytes};
}

/// The factors of a chunk. All lanes of the warp call.
__device__ __forceinline__ void warp_find_factors(const FactorBatch& batch, uint32_t chunk) {
    if (chunk >= batch.chunk_count) return;
    const auto [begin, limit] = range_of(batch, chunk);
    const bool is_first_lane = threadIdx.x % WARP_LANES == 0;
    uint32_t count = 0;
    for (uint32_t place = begin; place < limit;) {
        const Factor factor = warp_find_factor(batch, place, limit);
        if (is_first_lane) batch.factors[begin + count] = factor;
        ++count;
        place += factor.length > 0 ? factor.length : 1;
    }
    if (is_first_lane) batch.counts[chunk] = count;
}

/// Both matches of a lane's place, each AHEAD_BYTES long at most. A match of no bytes has no source.
struct NearMatches {
    Factor previous{NO_PLACE, 0}, next{NO_PLACE, 0};
};

/// The match of two places, by one turn of loads.
__device__ __forceinline__ Factor thread_match(const uint8_t* text, uint32_t source, uint32_t place, uint32_t limit) {
    const uint64_t first = plz::thread_load_text(text + source) ^ plz::thread_load_text(text + place);
    const uint64_t second = plz::thread_load_text(text + source + 8) ^ plz::thread_load_text(text + place + 8);
    const uint32_t length = first != 0 ? plz::equal_bytes(first) : 8 + plz::equal_bytes(second);
    const uint32_t most = limit - place, own = length < most ? length : most;
    return {own > 0 ? source : NO_PLACE, own};
}

__device__ __forceinline__ NearMatches thread_find_matches(const FactorBatch& batch, uint32_t place, uint32_t limit) {
    NearMatches matches;
    if (place >= limit) return matches;
    const uint2 smaller = batch.smaller[place];
    if (smaller.x < place) matches.previous = thread_match(batch.text, smaller.x, place, limit);
    if (smaller.y < place) matches.next = thread_match(batch.text, smaller.y, place, limit);
    return matches;
}

/// A lane's match, as all lanes get it, measured to its end.
__device__ __forceinline__ Factor warp_measure_match(const FactorBatch& batch, const Factor& of_lane, uint32_t lane,
                                                     uint32_t place, uint32_t limit) {
    Factor match{__shfl_sync(ALL_LANES, of_lane.source, lane), __shfl_sync(ALL_LANES, of_lane.length, lane)};
    if (match.length == AHEAD_BYTES)
        match.length = warp_measure_far(batch.text, match.source, place, limit, AHEAD_BYTES);
    return match;
}

/// As warp_find_factors, but each lane looks ahead. All lanes of the warp call.
__device__ __forceinline__ void warp_find_factors_ahead(const FactorBatch& batch, uint32_t chunk) {
    if (chunk >= batch.chunk_count) return;
    const auto [begin, limit] = range_of(batch, chunk);
    const uint32_t lane = threadIdx.x % WARP_LANES;
    uint32_t count = 0;
    for (uint32_t place = begin; place < limit;) {
        const uint32_t window = place;
        const NearMatches matches = thread_find_matches(batch, window + lane, limit);
        while (place < limit && place - window < WARP_LANES) {
            Factor factor = warp_measure_match(batch, matches.previous, place - window, place, limit);
            if (factor.length < limit - place) {
                const Factor other = warp_measure_match(batch, matches.next, place - window, place, limit);
                if (other.length > factor.length) factor = other;
            }
            if (lane == 0) batch.factors[begin + count] = factor;
            ++count;
            place += factor.length > 0 ? factor.length : 1;
        }
    }
    if (lane == 0) batch.counts[chunk] = count;
}

/// Moves a chunk's factors behind those of the chunks before it: `sums` of their counts.
__device__ __forceinline__ void warp_gather_factors(const FactorBatch& batch, const uint32_t* sums, Factor* all,
                                                    uint32_t chunk) {
    if (chunk >= batch.chunk_count) return;
    const uint32_t begin = chunk * batch.chunk_bytes, to = sums[chunk], count = sums[chunk + 1] - to;
    for (uint32_t at = threadIdx.x % WARP_LANES; at < count; at += WARP_LANES) all[to + at] = batch.factors[begin + at];
}

/// Count of a chunk; none behind the last one.
struct CountOfChunk {
    const uint32_t* counts;
    uint32_t chunk_count;
    __host__ __device__ uint32_t operator()(uint32_t chunk) const { return chunk < chunk_count ? counts[chunk] : 0; }
};

}  // namespace ching
