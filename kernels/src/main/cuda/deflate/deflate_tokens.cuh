// Finds the tokens - literals, and pairs of length and distance - of a DEFLATE block, without an index: by the lanes of
// a warp, or of a team of warps.
//
// A round cuts the bits that follow into parts of equal length, one for each lane. Only the first lane knows where a
// token starts. The others begin WARM_UP_BITS before their part, wherever that is: prefix codes fall into step by
// themselves (Weissenberger and Schmidt, 2018), here after 60 to 125 bits in half of all cases, 1,000 in 99 of 100.
// What a lane reads in these warm-up bits is thrown away, errors and all. From its part's first token on it keeps
// what it reads, until it is through its part or meets the end of the block or something undecodable.
//
// Then each lane compares where it began with where the lane before it ended. A lane that began elsewhere reads its
// part again from there, until no lane has to. The first lane is right, so each turn makes right at least one more:
// as many turns as lanes but one at most, usually one to three. A wrong guess costs time and never correctness. What
// counts are the lanes up to the first that met the end, an error, or the end of its space.
//
// A token is 32 bits: length << 16 | distance, or TOKEN_LITERAL | 1 << 16 | byte. With its start instead of its length
// it is start << 16 | distance less 1, or start << 16 | STARTING_LITERAL | byte. The start is counted in bytes of the
// output from where those of the lane's part begin. So it is known at once where all bytes of a part go. A lane has
// space for a fixed number of tokens in device memory, which resident warps need once each, whatever the batch.
//
// Checked elsewhere: distances against the output so far (deflate_produce.cuh), positions against the end of the
// input (here, for what counts).
#pragma once

#include <cstdint>

#include "../common/warp.cuh"
#include "../huffman/huffman_bits.cuh"
#include "deflate_header.cuh"

namespace warpcodec::deflate {

constexpr uint32_t TOKEN_LITERAL = 0x80000000u;
constexpr int TOKEN_LENGTH_SHIFT = 16;
constexpr uint32_t TOKEN_LENGTH_MASK = 0x1FF;
constexpr uint32_t TOKEN_DISTANCE_MASK = 0xFFFF;
static_assert(MAX_MATCH_BYTES <= TOKEN_LENGTH_MASK && MAX_DISTANCE_BYTES <= TOKEN_DISTANCE_MASK,
              "a token holds any length and any distance");
static_assert((TOKEN_LENGTH_MASK << TOKEN_LENGTH_SHIFT & (TOKEN_LITERAL | TOKEN_DISTANCE_MASK)) == 0,
              "its parts do not overlap");
static_assert(MAX_TOKEN_BITS <= PAIR_BITS, "64 bits hold all of a token");

constexpr int TOKEN_START_SHIFT = 16;
constexpr uint32_t STARTING_LITERAL = 1u << 15;
constexpr uint32_t STARTING_DISTANCE_MASK = STARTING_LITERAL - 1;  ///< of a distance less 1
constexpr uint32_t MOST_STARTING_TOKENS = 255;  ///< of a part, whose starts have 16 bits
static_assert(MAX_DISTANCE_BYTES - 1 <= STARTING_DISTANCE_MASK, "the mark of a literal is no bit of a distance");
static_assert((MOST_STARTING_TOKENS - 1) * MAX_MATCH_BYTES < 1u << 16, "the last token's start has 16 bits");

/// How a lane came to the end of its part.
enum Ending : uint32_t {
    ENDED_OPEN,  ///< the next lane goes on
    ENDED_BLOCK,  ///< behind the end of the block
    ENDED_BAD,  ///< no token here
    ENDED_FULL,  ///< no space for more tokens
    ENDED_IDLE,  ///< there was no part for this lane
};

/// One lane's part of a round.
struct Part {
    uint32_t start;  ///< position of its first token
    uint32_t limit;  ///< a token that starts here or later is not in it
    uint32_t end;  ///< position behind its last token
    uint32_t count;  ///< of tokens
    uint32_t bytes;  ///< that they stand for
    Ending ending;
};

/// What becomes of tokens that are read.
enum class Reading {
    SKIPS,  ///< nothing, and what is not a token is passed over: the lane is not in step yet
    COUNTS,  ///< their number and bytes are known
    KEEPS,  ///< that, and they go to the space for tokens, 16-byte aligned
    STARTS,  ///< that, but with their starts instead of their lengths
    PLACES,  ///< that, and they go to the space for tokens, which begins anywhere
};

/// Reads tokens from `reader` on up to position `limit`, and keeps at most `most` of them in `tokens`. Answers how it
/// ended.
///
/// Lanes with literals and lanes with matches go the same way, without a branch between them. A distance is looked up
/// for each token, from the 64 bits that all of the token fits in. It counts for matches.
template <Reading READING>
__device__ __forceinline__ Ending thread_read_tokens(const BitStream& stream, BitReader& reader,
                                                     const BlockTables& tables, uint32_t limit, uint32_t* tokens,
                                                     uint32_t most, Part& part) {
    constexpr bool STARTS = READING == Reading::STARTS;
    constexpr bool KEEPS = READING == Reading::KEEPS || STARTS;
    constexpr bool PLACES = READING == Reading::PLACES;
    uint32_t count = 0;
    uint32_t bytes = 0;
    uint4 latest{};  // tokens, stored four at a time; how many is the same in all lanes that read on
    Ending ending = ENDED_OPEN;
#pragma unroll 1
    while (reader.position() < limit) {
        if ((KEEPS || PLACES) && count == most) {
            ending = ENDED_FULL;
            break;
        }
        const uint2 window = reader.peek_pair();
        uint32_t entry = tables.literals.lookup[window.x & LiteralTables::LOOKUP_MASK];
        if (entry == 0) entry = thread_find_long_code(tables.literals, window.x);
        const uint32_t code_bits = entry & LENGTH_MASK;
        const uint32_t extra = entry >> PAYLOAD_SHIFT & LITERAL_EXTRA_MASK;
        const bool match = entry & (LITERAL_MATCH << PAYLOAD_SHIFT);
        const uint32_t value = (entry >> 8) + (window.x >> code_bits & ~(0xFFFFFFFFu << extra));
        const uint32_t far_window = __funnelshift_r(window.x, window.y, code_bits + extra);
        uint32_t far = tables.distances.lookup[far_window & DistanceTables::LOOKUP_MASK];
        if (far == 0 && match) far = thread_find_long_code(tables.distances, far_window);
        const uint32_t far_bits = far & LENGTH_MASK;
        const uint32_t far_extra = far >> PAYLOAD_SHIFT & DISTANCE_EXTRA_MASK;
        const uint32_t distance = 1 + (far >> 8 << far_extra) + (far_window >> far_bits & ~(0xFFFFFFFFu << far_extra));
        if (entry == 0 || extra >= EXTRA_BAD || (match && (far == 0 || far_extra == DISTANCE_BAD))) {
            const bool end_of_block = extra == EXTRA_END;
            reader.skip(stream, end_of_block ? code_bits : 1);
            if (READING == Reading::SKIPS) continue;
            ending = end_of_block ? ENDED_BLOCK : ENDED_BAD;
            break;
        }
        reader.skip(stream, code_bits + extra + (match ? far_bits + far_extra : 0));
        const uint32_t length = match ? value + MIN_MATCH_BYTES : 1;
        const uint32_t token = STARTS ? bytes << TOKEN_START_SHIFT | (match ? distance - 1 : STARTING_LITERAL | value)
                                      : length << TOKEN_LENGTH_SHIFT | (match ? distance : TOKEN_LITERAL | value);
        bytes += length;
        latest = make_uint4(latest.y, latest.z, latest.w, token);
        if (PLACES) tokens[count] = token;
        ++count;
        if (KEEPS && count % 4 == 0) reinterpret_cast<uint4*>(tokens)[count / 4 - 1] = latest;
    }
    if (KEEPS) {
        if (count % 4 > 2) tokens[count - 3] = latest.y;
        if (count % 4 > 1) tokens[count - 2] = latest.z;
        if (count % 4 > 0) tokens[count - 1] = latest.w;
    }
    // zeros fill up the last four tokens, which are read at once
    if (STARTS) {
        for (uint32_t behind = count; behind % 4 != 0; ++behind) tokens[behind] = 0;
    }
    part.count = count;
    part.bytes = bytes;
    return ending;
}

/// A round's outcome: the lanes of ranks 0 to last_lane count.
struct Round {
    uint32_t end;  ///< position behind the last token that counts
    int last_lane;
    Ending ending;  ///< of the last lane
};

/// What a lane sees of a round when all have shown their parts.
struct RoundView {
    uint32_t end_before;  ///< where the lane before ended; undefined in the first lane
    bool open_before;  ///< and whether it ended there because its part did
    int closing;  ///< rank of the first lane that is not open, or the last lane's
};

/// Those who read the parts of a round, as a group: here the lanes of a warp. A larger group has the same members
/// (deflate_decode_team.cuh).
struct WarpReaders {
    static constexpr int SIZE = WARP_LANES;
    int rank;  ///< of this lane

    __device__ __forceinline__ void sync() const { __syncwarp(); }

    /// Shows this lane's part to the others. All lanes call, and so they do for what follows.
    __device__ __forceinline__ RoundView show(const Part& part) const {
        __syncwarp();
        RoundView view;
        view.end_before = __shfl_up_sync(ALL_LANES, part.end, 1);
        view.open_before = __shfl_up_sync(ALL_LANES, static_cast<uint32_t>(part.ending), 1) == ENDED_OPEN;
        const uint32_t closed = __ballot_sync(ALL_LANES, part.ending != ENDED_OPEN);
        view.closing = closed == 0 ? WARP_LANES - 1 : __ffs(static_cast<int>(closed)) - 1;
        return view;
    }

    __device__ __forceinline__ bool any(bool vote) const { return __any_sync(ALL_LANES, vote); }

    /// A field of the part that the lane of rank `of` has shown.
    template <typename T>
    __device__ __forceinline__ T shown(const Part& part, T Part::* field, int of) const {
        return static_cast<T>(__shfl_sync(ALL_LANES, static_cast<uint32_t>(part.*field), of));
    }

    /// Sum of the parts' bytes of ranks 0 to `last`.
    __device__ __forceinline__ uint32_t bytes_to(const Part& part, int last) const {
        return __shfl_sync(ALL_LANES, warp_inclusive_sum(part.bytes, rank), last);
    }

    /// Makes the tables of a block (deflate_header.cuh).
    __device__ __forceinline__ bool make_tables(const BitStream& stream, BitReader& reader, bool fixed,
                                                BlockTables& tables, HeaderScratch& scratch) const {
        return warp_make_tables(stream, reader, fixed, tables, scratch, rank);
    }
};

/// Reads all parts, each from its start, where `reader` is, and again from where the one before ended, until all are
/// right. `reads`: this lane has a part.
template <Reading READING, typename Readers>
__device__ __forceinline__ Round group_settle(const BitStream& stream, const BlockTables& tables, BitReader& reader,
                                              bool reads, uint32_t most, uint32_t* tokens, Part& part,
                                              Readers& readers) {
#pragma unroll 1
    while (true) {
        if (reads) {
            part.ending = thread_read_tokens<READING>(stream, reader, tables, part.limit, tokens, most, part);
            part.end = reader.position();
        }
        const RoundView view = readers.show(part);
        reads = readers.rank > 0 && part.ending != ENDED_IDLE && view.open_before && view.end_before != part.start;
        if (!readers.any(reads && readers.rank <= view.closing)) {
            const bool idle = readers.shown(part, &Part::ending, view.closing) == ENDED_IDLE;
            Round round;
            round.last_lane = view.closing - idle;
            round.end = readers.shown(part, &Part::end, round.last_lane);
            round.ending = readers.shown(part, &Part::ending, round.last_lane);
            return round;
        }
        if (reads) {
            part.start = view.end_before;
            reader.seek(stream, view.end_before);
        }
    }
}

}  // namespace warpcodec::deflate
