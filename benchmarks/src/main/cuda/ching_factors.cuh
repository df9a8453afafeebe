// Greedy Lempel-Ziv factors of a string by its smaller values, in chunks, as Ching's thesis has them: section 3.3.
//
// A warp takes a chunk, from left to right. A factor begins at a place, and is the longest of two matches: those with
// the previous and with the next smaller value. Of equal ones it is the first. No match reaches over the chunk's end.
// Where the first match does so much, the second one is not measured. A factor without a match is one byte.
//
// A match is measured by 32 bytes a turn, a byte a lane, and behind the first turn by 128. Both matches' first 32 bytes
// are compared at once, since most matches end there.
//
// Bounds: a source is refused unless it is before its place, so both bytes of a comparison lie below the chunk's end.
// A chunk has as many factors as bytes at most, and room for them where its bytes are in the text. All lanes of a warp
// take the same turns: lengths come from ballots. Chunks end with the text, whatever their number is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/frames.cuh"
#include "common/warp.cuh"

namespace ching {

using namespace warpcodec;

/// `length` bytes that are also at `source`, or one byte if there is no source.
struct alignas(8) Factor {
    uint32_t source, length;
};
static_assert(sizeof(Factor) == 8);

struct FactorBatch {
    const uint8_t* text;
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

/// Bytes that two places share, if they share the first 32. `limit` ends them.
__device__ __forceinline__ uint32_t warp_measure_far(const uint8_t* text, uint32_t source, uint32_t place,
                                                     uint32_t limit) {
    constexpr uint32_t TURNS = 4;
    for (uint32_t distance = WARP_LANES;; distance += TURNS * WARP_LANES) {
        uint32_t differ[TURNS];
#pragma unroll
        for (uint32_t i = 0; i < TURNS; ++i)
            differ[i] = warp_differing(text, source, place, limit, distance + i * WARP_LANES);
#pragma unroll
        for (uint32_t i = 0; i < TURNS; ++i) {
            if (differ[i] != 0)
                return distance + i * WARP_LANES + static_cast<uint32_t>(__ffs(static_cast<int>(differ[i]))) - 1;
        }
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
        factor.length = differ_previous != 0 ? static_cast<uint32_t>(__ffs(static_cast<int>(differ_previous))) - 1
                                             : warp_measure_far(batch.text, previous, place, limit);
    }
    if (factor.length > 0) factor.source = previous;
    if (!has_next || factor.length >= limit - place) return factor;
    const uint32_t length = differ_next != 0 ? static_cast<uint32_t>(__ffs(static_cast<int>(differ_next))) - 1
                                             : warp_measure_far(batch.text, next, place, limit);
    return length > factor.length ? Factor{next, length} : factor;
}

/// The factors of a chunk. All lanes of the warp call.
__device__ __forceinline__ void warp_find_factors(const FactorBatch& batch, uint32_t chunk) {
    const uint64_t first = uint64_t{chunk} * batch.chunk_bytes;
    if (chunk >= batch.chunk_count) return;
    const uint32_t begin = first < batch.bytes ? static_cast<uint32_t>(first) : batch.bytes;
    const uint32_t limit = batch.bytes - begin < batch.chunk_bytes ? batch.bytes : begin + batch.chunk_bytes;
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
