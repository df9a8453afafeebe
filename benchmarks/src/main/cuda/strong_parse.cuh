// A parse by price of a frame's chunks, before it is a kernel of the product: how fast it is by lanes a chunk.
//
// 1. Measure. A thread takes a place, and the length of the match with each of its candidates. Matches are kept nearest
//    first, each longer than the one before.
// 2. Parse. A group of lanes takes a chunk, place by place. It knows the cheapest way to each of the next RING places:
//    its cost, its last step, and the three last offsets behind it. At a place each lane takes a length, and the match
//    that is cheapest for it; so no two lanes reach the same place. Lengths up to 16 are tried, and from there each
//    16th below the whole one. A match of RING bytes is taken at once: nothing that begins in it is tried.
// 3. Trace back. A thread goes from a chunk's end to its begin, a run of literals or a match at a time.
//
// Bounds: matches end with their chunk, so a step leads to its end at most. A step shorter than RING stays in the ring.
#pragma once

#include <cstdint>

#include "common/warp.cuh"

namespace strong_parse {

using warpcodec::ALL_LANES;
using warpcodec::WARP_LANES;

constexpr uint32_t KINDS = 7;  ///< of candidates
constexpr uint32_t REPEATS = 3;  ///< offsets that may be repeated
constexpr uint32_t MATCHES = KINDS + REPEATS;
constexpr uint32_t LEAST_MATCH = 3;
constexpr uint32_t ALL_LENGTHS = 16;
constexpr uint32_t LENGTH_STEP = 16;
constexpr uint32_t MOST_STEPPED = 256;
constexpr uint32_t NO_PLACE = ~0u;
constexpr float NOT_REACHED = 1e30f;

/// Bits of each symbol with its extra bits.
struct BlockPrices {
    float literal[256];
    float run[36];
    float offset[32];
    float match[53];
};

/// A match: its length in the lowest 16 bits, its offset above.
using PackedMatch = uint64_t;
/// The last step to a place: match in the lowest 16 bits, or 0; the run of literals in the next; offset above.
using PackedStep = uint64_t;

struct ParseBatch {
    const uint8_t* text;
    uint32_t byte_count;
    uint32_t frame_bytes;
    uint32_t block_bytes;
    uint32_t chunk_bytes;
    const uint32_t* candidates;  ///< kind after kind, places in their frame or NO_PLACE
    const BlockPrices* prices;  ///< of each block
    PackedMatch* matches;  ///< KINDS a place, 0 behind the last
    PackedStep* steps;  ///< to each place and each chunk's end: chunk_bytes + 1 a chunk
    PackedStep* path;  ///< chunk_bytes a chunk: steps from its end to its begin
    uint32_t* path_steps;  ///< of each chunk
};

__device__ __forceinline__ uint32_t thread_common_length(const uint8_t* text, uint32_t earlier, uint32_t at,
                                                         uint32_t limit) {
    uint32_t length = 0;
    while (at + length < limit && text[earlier + length] == text[at + length]) ++length;
    return length;
}

/// Measures the matches of place `at`.
__device__ __forceinline__ void thread_measure(const ParseBatch& batch, uint32_t at) {
    const uint32_t frame = at / batch.frame_bytes * batch.frame_bytes;
    const uint32_t limit = min(batch.byte_count, (at / batch.chunk_bytes + 1) * batch.chunk_bytes);
    uint32_t offsets[KINDS], lengths[KINDS];
#pragma unroll
    for (uint32_t kind = 0; kind < KINDS; ++kind) {
        const uint32_t place = batch.candidates[size_t{kind} * batch.byte_count + at];
        const bool is_one = place != NO_PLACE;
        offsets[kind] = is_one ? at - frame - place : NO_PLACE;
        lengths[kind] = is_one ? thread_common_length(batch.text, frame + place, at, limit) : 0;
    }
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
    uint32_t longest = LEAST_MATCH - 1, count = 0;
    PackedMatch* matches = batch.matches + size_t{at} * KINDS;
#pragma unroll
    for (uint32_t kind = 0; kind < KINDS; ++kind) {
        if (lengths[kind] <= longest) continue;
        longest = lengths[kind];
        matches[count++] = longest | uint64_t{offsets[kind]} << 16;
    }
    for (; count < KINDS; ++count) matches[count] = 0;
}

__device__ __forceinline__ uint32_t highest_bit(uint32_t value) { return 31 - __clz(static_cast<int>(value)); }

/// Codes of RFC 8878 §3.1.1.3.2.1.1.
__device__ __forceinline__ uint32_t run_code(uint32_t run) {
    if (run < 16) return run;
    if (run < 24) return 16 + (run - 16) / 2;
    if (run < 32) return 20 + (run - 24) / 4;
    if (run < 64) return run < 48 ? 22 + (run - 32) / 8 : 24;
    return highest_bit(run) + 19;
}
__device__ __forceinline__ uint32_t match_code(uint32_t length) {
    const uint32_t base = length - LEAST_MATCH;
    if (base < 32) return base;
    if (base < 40) return 32 + (base - 32) / 2;
    if (base < 48) return 36 + (base - 40) / 4;
    if (base < 64) return 38 + (base - 48) / 8;
    if (base < 96) return 40 + (base - 64) / 16;
    if (base < 128) return 42;
    return highest_bit(base) + 36;
}

/// Shared memory of a chunk while it is parsed. Places are those of the chunk, modulo RING.
template <uint32_t RING>
struct ChunkMemory {
    float cost[RING];
    uint32_t match_and_run[RING];  ///< match in the lower half
    uint32_t last[REPEATS][RING];  ///< offsets; the first is that of the match
    float match_cost[MATCHES];  ///< of its offset, and of all before
    uint32_t match_offset[MATCHES];
    uint16_t match_length[MATCHES];
    uint16_t match_least[MATCHES];  ///< lengths up to this have a nearer match
};

/// Where a chunk has come to.
struct Here {
    float cost;
    uint32_t run;
    uint32_t last[REPEATS];
};

template <uint32_t RING>
__device__ __forceinline__ void thread_reach(ChunkMemory<RING>& memory, uint32_t place, float cost, uint32_t match,
                                             uint32_t which, const Here& here) {
    const uint32_t slot = place % RING;
    const uint32_t offset = memory.match_offset[which];
    // the first three matches repeat an offset; the one before moves no other than the last
    const uint32_t repeat = which < REPEATS ? which + (here.run > 0 ? 0 : 1) : REPEATS;
    memory.cost[slot] = cost;
    memory.match_and_run[slot] = match;
    memory.last[0][slot] = offset;
    memory.last[1][slot] = repeat == 0 ? here.last[1] : here.last[0];
    memory.last[2][slot] = repeat <= 1 ? here.last[2] : here.last[1];
}

/// Parses WARP_LANES / LANES chunks from `first` on.
template <uint32_t LANES, uint32_t RING>
__device__ __forceinline__ void warp_parse_chunks(const ParseBatch& batch, uint32_t first,
                                                  ChunkMemory<RING>* memories) {
    const uint32_t lane = threadIdx.x % LANES;
    const uint32_t group = threadIdx.x % WARP_LANES / LANES;
    const uint32_t chunk = first + group;
    const uint32_t chunks = (batch.byte_count + batch.chunk_bytes - 1) / batch.chunk_bytes;
    const bool is_chunk = chunk < chunks;
    const uint32_t from = is_chunk ? chunk * batch.chunk_bytes : 0;
    const uint32_t limit = min(batch.byte_count, from + batch.chunk_bytes);
    const uint32_t count = is_chunk ? limit - from : 0;
    const uint32_t frame = from / batch.frame_bytes * batch.frame_bytes;
    const BlockPrices& prices = batch.prices[from / batch.block_bytes];
    PackedStep* steps = batch.steps + size_t{chunk} * (batch.chunk_bytes + 1);
    ChunkMemory<RING>& memory = memories[group];
    for (uint32_t slot = lane; slot < RING; slot += LANES) memory.cost[slot] = NOT_REACHED;
    __syncwarp();
    if (lane == 0) {
        memory.cost[0] = prices.run[0];
        memory.match_and_run[0] = 0;
        for (uint32_t k = 0; k < REPEATS; ++k) memory.last[k][0] = 0;
    }
    __syncwarp();
    uint32_t place = 0;
    while (__any_sync(ALL_LANES, place < count)) {
        const bool is_on = place < count;
        const uint32_t slot = place % RING;
        const uint32_t at = from + place;
        Here here{memory.cost[slot],
                  memory.match_and_run[slot] >> 16,
                  {memory.last[0][slot], memory.last[1][slot], memory.last[2][slot]}};
        const uint32_t step = memory.match_and_run[slot];
        uint32_t longest = 0;
        if (is_on) {
            if (lane == 0) steps[place] = step | uint64_t{here.last[0]} << 32;
            for (uint32_t which = lane; which < MATCHES; which += LANES) {
                uint32_t offset = 0, length = 0, value, least = LEAST_MATCH - 1;
                if (which < REPEATS) {
                    const uint32_t repeat = which + (here.run > 0 ? 0 : 1);
                    offset = repeat == 0   ? here.last[0]
                             : repeat == 1 ? here.last[1]
                             : repeat == 2 ? here.last[2]
                                           : here.last[0] - (here.last[0] > 0 ? 1 : 0);
                    value = which + 1;
                    if (offset != 0 && offset <= at - frame)
                        length = thread_common_length(batch.text, at - offset, at, limit);
                } else {
                    const PackedMatch* own = batch.matches + size_t{at} * KINDS + which - REPEATS;
                    offset = static_cast<uint32_t>(own[0] >> 16);
                    length = static_cast<uint32_t>(own[0] & 0xFFFF);
                    value = offset + REPEATS;
                    if (which > REPEATS) least = static_cast<uint32_t>(own[-1] & 0xFFFF);
                }
                memory.match_cost[which] =
                    here.cost + prices.run[0] + (length > 0 ? prices.offset[highest_bit(value)] : 0.0f);
                memory.match_offset[which] = offset;
                memory.match_length[which] = static_cast<uint16_t>(length >= LEAST_MATCH ? length : 0);
                memory.match_least[which] = static_cast<uint16_t>(least);
                longest = max(longest, length);
            }
        }
        __syncwarp();
#pragma unroll
        for (uint32_t distance = LANES / 2; distance > 0; distance /= 2)
            longest = max(longest, __shfl_xor_sync(ALL_LANES, longest, static_cast<int>(distance)));
        if (is_on && longest < RING) {
            if (lane == 0) {
                const uint32_t next = (place + 1) % RING;
                const float cost = here.cost + prices.literal[batch.text[at]] + prices.run[run_code(here.run + 1)] -
                                   prices.run[run_code(here.run)];
                if (cost < memory.cost[next]) {
                    memory.cost[next] = cost;
                    memory.match_and_run[next] = (here.run + 1) << 16;
                    for (uint32_t k = 0; k < REPEATS; ++k) memory.last[k][next] = here.last[k];
                }
                memory.cost[slot] = NOT_REACHED;
            }
            for (uint32_t length = LEAST_MATCH + lane; length <= min(ALL_LENGTHS, longest); length += LANES) {
                float best = NOT_REACHED;
                uint32_t chosen = 0;
                for (uint32_t which = 0; which < MATCHES; ++which) {
                    const bool is_tried = length <= memory.match_length[which] && length > memory.match_least[which];
                    if (!is_tried || memory.match_cost[which] >= best) continue;
                    best = memory.match_cost[which];
                    chosen = which;
                }
                best += prices.match[match_code(length)];
                if (best < memory.cost[(place + length) % RING])
                    thread_reach(memory, place + length, best, length, chosen, here);
            }
        }
        __syncwarp();
        if (__any_sync(ALL_LANES, is_on && longest > ALL_LENGTHS)) {
            for (uint32_t which = 0; which < MATCHES; ++which) {
                const uint32_t whole = is_on && longest < RING ? memory.match_length[which] : 0;
                const uint32_t least = max(ALL_LENGTHS, uint32_t{memory.match_least[which]});
                for (uint32_t less = LENGTH_STEP * lane; less + least < whole; less += LENGTH_STEP * LANES) {
                    const uint32_t length = whole - less;
                    if (length > MOST_STEPPED && less > 0) continue;
                    const float cost = memory.match_cost[which] + prices.match[match_code(length)];
                    if (cost < memory.cost[(place + length) % RING])
                        thread_reach(memory, place + length, cost, length, which, here);
                }
                __syncwarp();
            }
        }
        const bool is_at_once = is_on && longest >= RING;
        if (is_at_once) {
            for (uint32_t other = lane; other < RING; other += LANES) memory.cost[other] = NOT_REACHED;
        }
        __syncwarp();
        if (is_at_once && lane == 0) {
            uint32_t chosen = MATCHES;
            for (uint32_t which = 0; which < MATCHES; ++which) {
                if (memory.match_length[which] == longest &&
                    (chosen == MATCHES || memory.match_cost[which] < memory.match_cost[chosen]))
                    chosen = which;
            }
            const float cost = memory.match_cost[chosen] + prices.match[match_code(longest)];
            thread_reach(memory, place + longest, cost, longest, chosen, here);
        }
        __syncwarp();
        place += is_at_once ? longest : 1;
    }
    if (is_chunk && lane == 0)
        steps[count] = memory.match_and_run[count % RING] | uint64_t{memory.last[0][count % RING]} << 32;
}

/// Traces chunk `chunk` back.
__device__ __forceinline__ void thread_trace_back(const ParseBatch& batch, uint32_t chunk) {
    const PackedStep* steps = batch.steps + size_t{chunk} * (batch.chunk_bytes + 1);
    PackedStep* path = batch.path + size_t{chunk} * batch.chunk_bytes;
    uint32_t place = min(batch.chunk_bytes, batch.byte_count - chunk * batch.chunk_bytes);
    uint32_t count = 0;
    while (place > 0) {
        const PackedStep step = steps[place];
        const uint32_t match = static_cast<uint32_t>(step & 0xFFFF);
        path[count++] = step;
        place -= match > 0 ? match : static_cast<uint32_t>(step >> 16 & 0xFFFF);
    }
    batch.path_steps[chunk] = count;
}

}  // namespace strong_parse
