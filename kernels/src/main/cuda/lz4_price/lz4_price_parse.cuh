// The cheapest way from each place of a block to its end, by exact costs, from the last place to the first.
//
// A place takes a literal, or its match, whichever costs less with what follows. A match is taken whole, or with the
// longest length that is coded without a byte, or with one byte. Other lengths gain 0.01 %. A run of literals costs a
// byte more where its length needs one; it grows from its end, so its length is known.
//
// Every place gets a step, and no step is bound to a chunk: chunks are only where lanes begin. A lane takes CHUNK_BYTES
// and begins KNOWN_BYTES behind them. A place behind these costs TAIL less for each byte; costs so far away hardly
// matter. A path over steps of many lanes is as short as that of one parse, within 0.1 % (xml), mostly 0.00 %.
//
// Costs are in 32nds of a byte, so that TAIL may be small. Long repeats cost next to nothing; with a larger TAIL their
// matches would be cut up to reach farther. Readers of steps check them against the block.
//
// Bounds: a chunk's costs grow by (32 + 32 / 15) a place at most, so they fit 16 bits. A lane reads 4 matches at once,
// and writes 4 steps; both lie in the lane's own units. 74 KB of shared memory a warp, in which each lane has a column.
// No barrier: lanes share nothing.
#pragma once

#include "lz4_price_format.cuh"

namespace warpcodec::lz4_price {

constexpr uint32_t CHUNK_BYTES = 1024;
constexpr uint32_t KNOWN_BYTES = 128;  ///< behind a chunk
constexpr uint32_t PARSE_THREADS = WARP_LANES;
constexpr uint32_t CTA_PLACES = PARSE_THREADS * CHUNK_BYTES;
static_assert(UNIT_BYTES % CTA_PLACES == 0, "chunks of a cta are of one unit");

constexpr uint32_t COST_OF_BYTE = 32;
constexpr uint32_t TAIL = 1;
/// Of the place behind the known ones, so that no cost behind it is below 0.
constexpr uint32_t FIRST_COST = MOST_MATCH * TAIL;
static_assert(FIRST_COST + (CHUNK_BYTES + KNOWN_BYTES) * (COST_OF_BYTE + 3) <= 0xFFFF, "costs have 16 bits");

/// Lengths that are coded without a byte, and with one.
constexpr uint32_t SHORT_LENGTH = lz4::MIN_MATCH + lz4::NIBBLE_MAX - 1;
constexpr uint32_t MIDDLE_LENGTH = SHORT_LENGTH + lz4::LENGTH_CONTINUES;

struct ParseMemory {
    uint16_t costs[CHUNK_BYTES + KNOWN_BYTES + 1][PARSE_THREADS];
};

/// Bytes that prolong a nibble.
__device__ __forceinline__ uint32_t length_bytes(uint32_t length) {
    return length < lz4::NIBBLE_MAX ? 0 : (length - lz4::NIBBLE_MAX) / lz4::LENGTH_CONTINUES + 1;
}

/// Bytes of a sequence without its literals.
__device__ __forceinline__ uint32_t match_cost_bytes(uint32_t length) {
    return lz4::MIN_SEQUENCE_BYTES + length_bytes(length - lz4::MIN_MATCH);
}

/// A lane's way back through its places.
struct Parse {
    ParseMemory& memory;
    uint32_t known;  ///< places from the chunk's first on
    uint32_t cost;  ///< of the place behind the one to look at
    uint32_t run;  ///< of literals that begin there
    uint32_t until_byte;  ///< literals more that the run takes without a byte of length

    /// Takes a match of `other` bytes if it costs less.
    __device__ __forceinline__ void lower(uint32_t& best, uint32_t& length, uint32_t at, uint32_t other) const {
        const uint32_t to = at + other;
        const uint32_t behind = to <= known ? memory.costs[to][threadIdx.x] : FIRST_COST - (to - known) * TAIL;
        const uint32_t cost_then = behind + COST_OF_BYTE * match_cost_bytes(other);
        if (cost_then < best) {
            best = cost_then;
            length = other;
        }
    }

    /// The step from place `at`.
    __device__ __forceinline__ PackedMatch thread_step(uint32_t at, PackedMatch match) {
        const uint32_t most = min(match & LENGTH_MASK, MOST_MATCH);
        uint32_t best = cost + (until_byte == 1 ? 2 * COST_OF_BYTE : COST_OF_BYTE), length = 0;
        if (most >= lz4::MIN_MATCH) lower(best, length, at, most);
        if (most > SHORT_LENGTH) lower(best, length, at, SHORT_LENGTH);
        if (most > MIDDLE_LENGTH) lower(best, length, at, MIDDLE_LENGTH);
        cost = best;
        memory.costs[at][threadIdx.x] = static_cast<uint16_t>(best);
        if (length != 0) {
            run = 0;
            until_byte = lz4::NIBBLE_MAX;
            return length | (match & ~LENGTH_MASK);
        }
        ++run;
        until_byte = until_byte == 1 ? lz4::LENGTH_CONTINUES : until_byte - 1;
        return run;
    }
};

/// Parses chunk `number` of the text: a thread of a cta that has CTA_PLACES in a row.
__device__ __forceinline__ void thread_parse_chunk(const PriceBatch& batch, uint32_t number, ParseMemory& memory) {
    const uint32_t from = number * CHUNK_BYTES;
    const FrameRange frame = frame_of_unit(batch, from / UNIT_BYTES);
    const uint32_t in_frame = from - static_cast<uint32_t>(frame.begin());
    if (in_frame >= frame.count) return;
    const uint32_t rest = frame.count - in_frame, known = min(rest, CHUNK_BYTES + KNOWN_BYTES);
    const uint4* matches = reinterpret_cast<const uint4*>(batch.matches + from);
    uint4* steps = reinterpret_cast<uint4*>(batch.steps + from);
    Parse parse{memory, known, FIRST_COST, 0, lz4::NIBBLE_MAX};
    memory.costs[known][threadIdx.x] = static_cast<uint16_t>(FIRST_COST);
    uint32_t group = (known - 1) / 4;
    uint4 ahead = matches[group];
    while (true) {
        const uint4 four = ahead;
        if (group > 0) ahead = matches[group - 1];
        const uint32_t at = 4 * group;
        uint4 step = make_uint4(0, 0, 0, 0);
        // places behind the known ones are not the block's
        if (at + 3 < known) step.w = parse.thread_step(at + 3, four.w);
        if (at + 2 < known) step.z = parse.thread_step(at + 2, four.z);
        if (at + 1 < known) step.y = parse.thread_step(at + 1, four.y);
        step.x = parse.thread_step(at, four.x);
        if (at < CHUNK_BYTES) steps[group] = step;
        if (group == 0) break;
        --group;
    }
}

}  // namespace warpcodec::lz4_price
