// A parse by price of a frame's chunks, before it is a kernel of the product: how fast it is by lanes a chunk.
//
// 1. Measure. A thread takes RUN places, and at each the length of the match with each candidate. Where a candidate is
//    the one behind the last place's, its match is the last one less its first byte. Matches are kept nearest first,
//    each longer than the one before.
// 2. Parse. A cta takes a block, a group of lanes a chunk, place by place. It knows the cheapest way to each of the
//    next RING places: its cost, its last step, and the three last offsets behind it. At a place a lane takes a match,
//    and asks for that of the next place; three lanes measure the matches of the offsets to repeat. Then a lane takes a
//    length, and the match that is cheapest for it: the nearest that is long enough, or a repeated one. So no two lanes
//    reach the same place. Lengths up to 16 are tried, and from there each 16th below the whole one. A match of RING
//    bytes is taken at once: nothing that begins in it is tried.
// 3. Trace back. A thread goes from a chunk's end to its begin, a run of literals or a match at a time.
//
// Bounds: matches end with their chunk, so a step leads to its end at most. A step shorter than RING stays in the ring.
// Text is read in words of 8 bytes, up to TEXT_SLACK bytes behind its last.
#pragma once

#include <cstdint>

#include "common/warp.cuh"

namespace strong_parse {

using warpcodec::ALL_LANES;
using warpcodec::WARP_LANES;

constexpr uint32_t KINDS = 7;  ///< of candidates
constexpr uint32_t REPEATS = 3;  ///< offsets that may be repeated
constexpr uint32_t MATCHES = KINDS + REPEATS;
constexpr uint32_t RUN = 8;  ///< places of a thread that measures
constexpr uint32_t TEXT_SLACK = 16;
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

/// Eight bytes of text, the first lowest.
__device__ __forceinline__ uint64_t thread_load_text(const uint8_t* at) {
    const uint32_t past = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(at) % 4);
    const uint32_t* words = reinterpret_cast<const uint32_t*>(at - past);
    const uint64_t low = words[0] | uint64_t{words[1]} << 32;
    return past == 0 ? low : low >> 8 * past | uint64_t{words[2]} << (64 - 8 * past);
}

/// Length of the match of `at` with `earlier`, which ends before `limit`.
__device__ __forceinline__ uint32_t thread_common_length(const uint8_t* text, uint32_t earlier, uint32_t at,
                                                         uint32_t limit) {
    uint32_t length = 0;
    while (at + length < limit) {
        const uint64_t differ = thread_load_text(text + earlier + length) ^ thread_load_text(text + at + length);
        if (differ != 0) {
            const uint32_t low = static_cast<uint32_t>(differ);
            const uint32_t bit = low != 0 ? __ffs(static_cast<int>(low)) - 1
                                          : 31 + __ffs(static_cast<int>(static_cast<uint32_t>(differ >> 32)));
            return min(length + bit / 8, limit - at);
        }
        length += 8;
    }
    return limit - at;
}

/// Sorts the matches of a place, and keeps those that are longer than all nearer ones.
__device__ __forceinline__ void thread_keep_matches(uint32_t (&offsets)[KINDS], uint32_t (&lengths)[KINDS],
                                                    PackedMatch* matches) {
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
#pragma unroll
    for (uint32_t kind = 0; kind < KINDS; ++kind) {
        if (lengths[kind] <= longest) continue;
        longest = lengths[kind];
        matches[count++] = longest | uint64_t{offsets[kind]} << 16;
    }
    for (; count < KINDS; ++count) matches[count] = 0;
}

/// Measures the matches of the places `first` to `first` + RUN - 1, those of them that there are.
__device__ __forceinline__ void thread_measure(const ParseBatch& batch, uint32_t first) {
    uint32_t last_offsets[KINDS], last_lengths[KINDS];
    for (uint32_t at = first; at < min(first + RUN, batch.byte_count); ++at) {
        const uint32_t frame = at / batch.frame_bytes * batch.frame_bytes;
        const uint32_t limit = min(batch.byte_count, (at / batch.chunk_bytes + 1) * batch.chunk_bytes);
        uint32_t offsets[KINDS], lengths[KINDS];
#pragma unroll
        for (uint32_t kind = 0; kind < KINDS; ++kind) {
            const uint32_t place = batch.candidates[size_t{kind} * batch.byte_count + at];
            const bool is_one = place != NO_PLACE;
            const uint32_t offset = is_one ? at - frame - place : NO_PLACE;
            const bool goes_on = at != first && at % batch.chunk_bytes != 0 && is_one && offset == last_offsets[kind] &&
                                 last_lengths[kind] > 0;
            uint32_t length = goes_on ? last_lengths[kind] - 1 : 0;
            if (is_one && !goes_on) length = thread_common_length(batch.text, frame + place, at, limit);
            last_offsets[kind] = offsets[kind] = offset;
            last_lengths[kind] = lengths[kind] = length;
        }
        thread_keep_matches(offsets, lengths, batch.matches + size_t{at} * KINDS);
    }
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

/// Where a chunk has come to: the last step, a match or a run of literals, and the three last offsets.
struct Here {
    float cost;
    uint32_t match, run;
    uint32_t last[REPEATS];
};

/// The cheapest way to a place, in 16 bytes: offsets have 23 bits, lengths 15.
struct alignas(16) Way {
    static constexpr uint32_t OFFSET_BITS = 23;
    static constexpr uint32_t IS_RUN = 1u << 15;
    float cost;
    uint32_t step;  ///< length, whether it is a run, and behind 16 bits what is left of the offsets
    uint32_t low, high;

    static __device__ __forceinline__ Way of(const Here& here) {
        const uint32_t length = here.match > 0 ? here.match : here.run | IS_RUN;
        return {here.cost, length | here.last[2] >> 18 << 16, here.last[0] | here.last[1] << OFFSET_BITS,
                here.last[1] >> 9 | here.last[2] << 14};
    }
    __device__ __forceinline__ Here here() const {
        const uint32_t length = step & (IS_RUN - 1);
        const bool is_run = (step & IS_RUN) != 0;
        constexpr uint32_t MASK = (1u << OFFSET_BITS) - 1;
        return {cost,
                is_run ? 0 : length,
                is_run ? length : 0,
                {low & MASK, (low >> OFFSET_BITS | high << 9) & MASK, (high >> 14 | step >> 16 << 18) & MASK}};
    }
};

/// Ways to the next places of a chunk. Places are those of the chunk, modulo RING.
template <uint32_t RING>
struct ChunkMemory {
    Way ways[RING];
};

/// Shared memory of a cta, which parses the chunks of a block.
template <uint32_t LANES, uint32_t RING, uint32_t CHUNKS>
struct BlockMemory {
    static constexpr uint32_t THREADS = LANES * CHUNKS;
    BlockPrices prices;
    ChunkMemory<RING> chunks[CHUNKS];
};

/// A match at a place, as a lane has it; lengths up to `least` have a nearer one.
struct LaneMatch {
    uint32_t length, least, offset;
    float cost;  ///< of its offset, and of all before
};

template <uint32_t LANES>
__device__ __forceinline__ LaneMatch lane_match_of(const LaneMatch& own, int lane) {
    constexpr int WIDTH = static_cast<int>(LANES);
    return {__shfl_sync(ALL_LANES, own.length, lane, WIDTH), __shfl_sync(ALL_LANES, own.least, lane, WIDTH),
            __shfl_sync(ALL_LANES, own.offset, lane, WIDTH), __shfl_sync(ALL_LANES, own.cost, lane, WIDTH)};
}

/// Notes a way to a place if it is cheaper than what is known. `which` is the lane of the match.
template <uint32_t RING>
__device__ __forceinline__ void thread_reach(ChunkMemory<RING>& memory, uint32_t place, float cost, uint32_t match,
                                             uint32_t offset, uint32_t which, const Here& here) {
    Way& way = memory.ways[place % RING];
    if (cost >= way.cost) return;
    // the lanes behind the candidates' repeat an offset; the one before moves no other than the last
    const uint32_t repeat = which >= KINDS ? which - KINDS + (here.run > 0 ? 0 : 1) : REPEATS;
    way = Way::of({cost,
                   match,
                   0,
                   {offset, repeat == 0 ? here.last[1] : here.last[0], repeat <= 1 ? here.last[2] : here.last[1]}});
}

template <uint32_t LANES>
__device__ __forceinline__ uint32_t votes_of_group(uint32_t votes, uint32_t group) {
    if constexpr (LANES == WARP_LANES) return votes;
    return votes >> (group * LANES) & ((uint64_t{1} << LANES) - 1);
}

__device__ __forceinline__ PackedStep packed_step(const Here& here) {
    return here.match | here.run << 16 | uint64_t{here.last[0]} << 32;
}

/// The offset that lane `which`, behind the candidates', tries again; 0 if there is none.
__device__ __forceinline__ uint32_t thread_repeated_offset(uint32_t which, const Here& here) {
    const uint32_t repeat = which - KINDS + (here.run > 0 ? 0 : 1);
    if (repeat < REPEATS) return repeat == 0 ? here.last[0] : repeat == 1 ? here.last[1] : here.last[2];
    return here.last[0] - (here.last[0] > 0 ? 1 : 0);
}

/// Parses the chunks of block `block`. A cta has LANES threads for each.
template <uint32_t LANES, uint32_t RING, uint32_t CHUNKS>
__device__ __forceinline__ void cta_parse_block(const ParseBatch& batch, uint32_t block,
                                                BlockMemory<LANES, RING, CHUNKS>& shared) {
    static_assert(LANES >= MATCHES && LANES >= ALL_LENGTHS - LEAST_MATCH + 1, "a lane takes a match, and a length");
    constexpr int WIDTH = static_cast<int>(LANES);
    const uint32_t lane = threadIdx.x % LANES;
    const uint32_t group = threadIdx.x % WARP_LANES / LANES;
    const uint32_t in_block = threadIdx.x / LANES;
    const uint32_t chunk = block * CHUNKS + in_block;
    const uint32_t chunks = (batch.byte_count + batch.chunk_bytes - 1) / batch.chunk_bytes;
    const bool is_chunk = chunk < chunks;
    const uint32_t from = is_chunk ? chunk * batch.chunk_bytes : 0;
    const uint32_t limit = min(batch.byte_count, from + batch.chunk_bytes);
    const uint32_t count = is_chunk ? limit - from : 0;
    const uint32_t frame = from / batch.frame_bytes * batch.frame_bytes;
    PackedStep* steps = batch.steps + size_t{chunk} * (batch.chunk_bytes + 1);
    ChunkMemory<RING>& memory = shared.chunks[in_block];
    const BlockPrices& prices = shared.prices;
    const float* block_prices = reinterpret_cast<const float*>(batch.prices + block);
    for (uint32_t at = threadIdx.x; at < sizeof(BlockPrices) / sizeof(float); at += LANES * CHUNKS)
        reinterpret_cast<float*>(&shared.prices)[at] = block_prices[at];
    for (uint32_t slot = lane; slot < RING; slot += LANES) memory.ways[slot].cost = NOT_REACHED;
    __syncthreads();
    if (lane == 0) memory.ways[0] = Way::of({prices.run[0], 0, 0, {0, 0, 0}});
    __syncwarp();
    // what is asked for a place ahead
    const bool has_candidate = lane < KINDS;
    const PackedMatch* matches = batch.matches + size_t{from} * KINDS + (has_candidate ? lane : 0);
    PackedMatch next_match = has_candidate && count > 0 ? matches[0] : 0;
    uint32_t next_byte = count > 0 ? batch.text[from] : 0;
    uint32_t place = 0;
    while (__any_sync(ALL_LANES, place < count)) {
        const bool is_on = place < count;
        const uint32_t slot = place % RING;
        const uint32_t at = from + place;
        const PackedMatch match = is_on ? next_match : 0;
        const uint32_t byte = next_byte;
        if (place + 1 < count) {
            if (has_candidate) next_match = matches[size_t{place + 1} * KINDS];
            next_byte = batch.text[at + 1];
        }
        const Here here = memory.ways[slot].here();
        if (is_on && lane == 0) steps[place] = packed_step(here);
        LaneMatch own{static_cast<uint32_t>(match & 0xFFFF), LEAST_MATCH - 1, static_cast<uint32_t>(match >> 16), 0};
        const uint32_t nearer = __shfl_up_sync(ALL_LANES, own.length, 1, WIDTH);
        if (has_candidate && lane > 0) own.least = nearer;
        uint32_t value = own.offset + REPEATS;
        if (is_on && !has_candidate && lane < MATCHES) {
            own.offset = thread_repeated_offset(lane, here);
            value = lane - KINDS + 1;
            if (own.offset != 0 && own.offset <= at - frame)
                own.length = thread_common_length(batch.text, at - own.offset, at, limit);
            if (own.length < LEAST_MATCH) own.length = 0;
        }
        own.cost = here.cost + prices.run[0] + (own.length > 0 ? prices.offset[highest_bit(value)] : 0.0f);
        // which lengths begin another candidate, and the longest of all
        uint32_t ends = has_candidate && own.length > 0 ? 1u << min(own.length, 31u) : 0, longest = own.length;
#pragma unroll
        for (int distance = WIDTH / 2; distance > 0; distance /= 2) {
            ends |= __shfl_xor_sync(ALL_LANES, ends, distance);
            longest = max(longest, __shfl_xor_sync(ALL_LANES, longest, distance));
        }
        const uint32_t length = LEAST_MATCH + lane;
        const bool is_length = is_on && longest < RING && length <= min(ALL_LENGTHS, longest);
        const int nearest = __popc(ends & ((1u << min(length, 31u)) - 1));
        LaneMatch best = lane_match_of<LANES>(own, min(nearest, static_cast<int>(KINDS) - 1));
        float cost = nearest < static_cast<int>(KINDS) && best.length >= length ? best.cost : NOT_REACHED;
        uint32_t chosen = nearest;
#pragma unroll
        for (uint32_t which = KINDS; which < MATCHES; ++which) {
            const LaneMatch repeated = lane_match_of<LANES>(own, static_cast<int>(which));
            if (repeated.length < length || repeated.cost > cost || (repeated.cost == cost && chosen >= KINDS))
                continue;
            cost = repeated.cost;
            best.offset = repeated.offset;
            chosen = which;
        }
        __syncwarp();
        if (is_on && longest < RING && lane == 0) {
            Way& next = memory.ways[(place + 1) % RING];
            const float literal =
                here.cost + prices.literal[byte] + prices.run[run_code(here.run + 1)] - prices.run[run_code(here.run)];
            if (literal < next.cost)
                next = Way::of({literal, 0, here.run + 1, {here.last[0], here.last[1], here.last[2]}});
            memory.ways[slot].cost = NOT_REACHED;
        }
        if (is_length && cost < NOT_REACHED) {
            thread_reach(memory, place + length, cost + prices.match[match_code(length)], length, best.offset, chosen,
                         here);
        }
        __syncwarp();
        // the longer lengths, a match after the other
        uint32_t is_long =
            __ballot_sync(ALL_LANES, is_on && longest < RING && own.length > max(ALL_LENGTHS, own.least));
        is_long = votes_of_group<LANES>(is_long, group);
        while (__any_sync(ALL_LANES, is_long != 0)) {
            // repeated offsets first, as they are tried first above
            const uint32_t repeats = is_long & ~((1u << KINDS) - 1);
            const int which = is_long == 0 ? 0 : __ffs(static_cast<int>(repeats != 0 ? repeats : is_long)) - 1;
            const LaneMatch tried = lane_match_of<LANES>(own, which);
            const uint32_t whole = is_long != 0 ? tried.length : 0, least = max(ALL_LENGTHS, tried.least);
            for (uint32_t less = LENGTH_STEP * lane; less + least < whole; less += LENGTH_STEP * LANES) {
                if (whole - less > MOST_STEPPED && less > 0) continue;
                thread_reach(memory, place + whole - less, tried.cost + prices.match[match_code(whole - less)],
                             whole - less, tried.offset, static_cast<uint32_t>(which), here);
            }
            if (is_long != 0) is_long &= ~(1u << which);
            __syncwarp();
        }
        const bool is_at_once = is_on && longest >= RING;
        if (__any_sync(ALL_LANES, is_at_once)) {
            if (is_at_once) {
                for (uint32_t other = lane; other < RING; other += LANES) memory.ways[other].cost = NOT_REACHED;
            }
            float least = is_at_once && own.length == longest ? own.cost : NOT_REACHED;
#pragma unroll
            for (int distance = WIDTH / 2; distance > 0; distance /= 2)
                least = fminf(least, __shfl_xor_sync(ALL_LANES, least, distance));
            const uint32_t cheapest = votes_of_group<LANES>(
                __ballot_sync(ALL_LANES, is_at_once && own.length == longest && own.cost == least), group);
            const uint32_t repeats = cheapest & ~((1u << KINDS) - 1);
            const int taken = __ffs(static_cast<int>(repeats != 0 ? repeats : cheapest)) - 1;
            __syncwarp();
            if (is_at_once && static_cast<int>(lane) == taken) {
                thread_reach(memory, place + longest, least + prices.match[match_code(longest)], longest, own.offset,
                             lane, here);
            }
            __syncwarp();
            if (is_at_once && place + longest < count) {
                if (has_candidate) next_match = matches[size_t{place + longest} * KINDS];
                next_byte = batch.text[at + longest];
            }
        }
        place += is_at_once ? longest : 1;
    }
    if (is_chunk && lane == 0) steps[count] = packed_step(memory.ways[count % RING].here());
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
