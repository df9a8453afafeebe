// Decodes a DEFLATE body by a team: the warps of a cta. For batches of so few bodies that there is room for a cta each.
// The steps are those of deflate_decode_body.cuh, and so is what is found sound.
//
// Headers. The first warp makes the tables, the others wait.
//
// Tokens. A round has a part for each lane of the team. A lane compares where it began with where the lane before it
// ended, through shared memory.
//
// Bytes. A lane keeps tokens with their starts (deflate_tokens.cuh), and sums of the parts' bytes tell where those of
// each part go: its run. The team writes a round in slabs. Warps take the runs that have bytes in the slab, four tokens
// a lane. A token that begins in the slab is noted at that place, and a bit set there. The last bit up to a byte gives
// the byte's token, and how far in the token it is. So it is known where the byte comes from. It is a literal, or lies
// in front of the slab, where it is written already, or in the slab. lz77_slab.cuh follows the last ones to their ends.
// A token that began in the slab before has no bit. It is noted as that slab ends.
//
// Bounds. As a token is noted its place is compared with the slab's ends, and its distance with its place. A round's
// bytes are known to fit the output before the first one is written. A byte's source lies before the byte. It is at
// most `distance` before the match that the byte belongs to, so it is no earlier than the output's first byte. A part
// of LEAST_PART_BITS has no more tokens than a lane keeps, so rounds of short tokens use all lanes.
//
// Barriers: all are the cta's, and which come next depends on what all threads know alike.
#pragma once

#include <cstdint>

#include "../common/alignment.cuh"
#include "../common/batch.cuh"
#include "../common/cta_sum.cuh"
#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "../lz77/lz77_slab.cuh"
#include "deflate_decode_body.cuh"

namespace warpcodec::deflate_decode {

constexpr int TEAM_WARPS = DecodePolicy::TEAM_WARPS;
constexpr int TEAM_THREADS = TEAM_WARPS * WARP_LANES;
/// Space of a team, as of a cta of the other kernels.
constexpr uint32_t TEAM_TOKENS = DecodePolicy::CTA_THREADS * DecodePolicy::LANE_TOKENS;
/// Slabs begin at multiples of so many bytes in memory, but for the first one of a round.
constexpr uint32_t TEAM_SLAB_ALIGNMENT = 128;
constexpr int NO_TOKEN = -1;

using TeamSlab = lz77::SlabScratch<TEAM_WARPS, DecodePolicy::TEAM_SLAB_TURNS>;
constexpr uint32_t TEAM_WORDS = TeamSlab::BYTES / WORD_BITS;
static_assert(TEAM_TOKENS % (4 * TEAM_THREADS) == 0, "a lane's space is aligned to 16 bytes");
static_assert(TeamSlab::BYTES - TEAM_SLAB_ALIGNMENT > MAX_MATCH_BYTES,
              "a token begins in each slab but a round's last");
static_assert(WARP_LANES * WORD_BITS > TEAM_SLAB_ALIGNMENT + MAX_MATCH_BYTES, "a token reaches into so many words");

/// Shared memory of a team while it writes a slab.
struct TeamSlabScratch {
    uint32_t begins[TEAM_WORDS];  ///< a bit for each place where a token begins
    uint16_t tokens[TeamSlab::BYTES];  ///< where one begins, its low half
    TeamSlab ends;
};

/// Shared memory of a team.
struct alignas(16) TeamScratch {
    BlockTables tables;
    uint32_t warp_words[TEAM_WARPS];
    uint32_t run_places[TEAM_THREADS];  ///< of the run's first byte, from the output's first one on
    uint32_t run_tokens[TEAM_THREADS];
    uint32_t latest_place;  ///< of the last token that began in the slab before
    uint32_t latest_token;  ///< and its low half
    uint32_t header_end;  ///< in bits
    uint32_t header_is_sound;
    union {
        HeaderScratch header;
        Part parts[TEAM_THREADS];
        TeamSlabScratch slab;
    };
};

/// The lanes of a team read the parts of a round.
struct TeamReaders {
    static constexpr int SIZE = TEAM_THREADS;
    int rank;  ///< of this lane in the team
    TeamScratch& scratch;
    uint32_t bytes_before = 0;  ///< this lane's part, of those that bytes_to() has summed

    __device__ __forceinline__ void sync() const { __syncthreads(); }

    __device__ __forceinline__ RoundView show(const Part& part) const {
        const int lane = rank % WARP_LANES;
        const uint32_t own_closed = __ballot_sync(ALL_LANES, part.ending != ENDED_OPEN);
        scratch.parts[rank] = part;
        if (lane == 0) scratch.warp_words[rank / WARP_LANES] = own_closed;
        __syncthreads();
        RoundView view;
        const Part& before = scratch.parts[max(rank - 1, 0)];
        view.end_before = before.end;
        view.open_before = before.ending == ENDED_OPEN;
        const uint32_t closed = lane < TEAM_WARPS ? scratch.warp_words[lane] : 0;
        const uint32_t warps = __ballot_sync(ALL_LANES, closed != 0);
        const int warp = warps == 0 ? 0 : __ffs(static_cast<int>(warps)) - 1;
        const uint32_t lanes = __shfl_sync(ALL_LANES, closed, warp);
        view.closing = warps == 0 ? SIZE - 1 : warp * WARP_LANES + __ffs(static_cast<int>(lanes)) - 1;
        return view;
    }

    __device__ __forceinline__ bool any(bool vote) const { return __syncthreads_or(vote) != 0; }

    template <typename T>
    __device__ __forceinline__ T shown(const Part&, T Part::* field, int of) const {
        return scratch.parts[of].*field;
    }

    __device__ __forceinline__ uint32_t bytes_to(const Part& part, int last) {
        uint32_t all;
        bytes_before = cta_exclusive_sum<TEAM_THREADS>(rank <= last ? part.bytes : 0, scratch.warp_words, all);
        return all;
    }

    __device__ __forceinline__ bool make_tables(const BitStream& stream, BitReader& reader, bool fixed,
                                                BlockTables& tables, HeaderScratch& header) const {
        if (rank < WARP_LANES) {
            const bool sound = warp_make_tables(stream, reader, fixed, tables, header, rank);
            if (rank == 0) {
                scratch.header_is_sound = sound;
                scratch.header_end = reader.position();
            }
        }
        __syncthreads();
        reader.seek(stream, scratch.header_end);
        return scratch.header_is_sound != 0;
    }
};

/// Runs first to behind - 1.
struct TeamRuns {
    uint32_t first;
    uint32_t behind;
};

/// The runs that have bytes in [low, limit), which is not empty and lies in the round. The first is the last run that
/// begins at `low` or before.
__device__ __forceinline__ TeamRuns warp_find_runs(const TeamScratch& scratch, uint32_t low, uint32_t limit,
                                                   uint32_t lane) {
    TeamRuns runs{0, 0};
#pragma unroll
    for (uint32_t turn = 0; turn < TEAM_WARPS; ++turn) {
        const uint32_t place = scratch.run_places[turn * WARP_LANES + lane];
        runs.first += __popc(__ballot_sync(ALL_LANES, place <= low));
        runs.behind += __popc(__ballot_sync(ALL_LANES, place < limit));
    }
    --runs.first;
    return runs;
}

/// Notes a token of the run whose first byte has place `run_place`, if it begins in [low, limit), the slab's bytes from
/// its place `gap` on. False if its distance reaches before the output.
__device__ __forceinline__ bool thread_note_token(uint32_t token, uint32_t run_place, uint32_t low, uint32_t limit,
                                                  uint32_t gap, TeamSlabScratch& slab) {
    const uint32_t place = run_place + (token >> TOKEN_START_SHIFT);
    if (place - low >= limit - low) return true;
    const uint32_t at = place - low + gap;
    slab.tokens[at] = static_cast<uint16_t>(token);
    atomicOr(slab.begins + at / WORD_BITS, 1u << at % WORD_BITS);
    return (token & STARTING_LITERAL) != 0 || (token & STARTING_DISTANCE_MASK) < place;
}

/// Notes the tokens that begin in [low, limit), this warp's share of the runs. False at a defect.
__device__ __forceinline__ bool warp_note_tokens(const uint32_t* tokens, uint32_t low, uint32_t limit, uint32_t gap,
                                                 TeamScratch& scratch, uint32_t warp, uint32_t lane) {
    const TeamRuns runs = warp_find_runs(scratch, low, limit, lane);
    bool sound = true;
#pragma unroll 1
    for (uint32_t run = runs.first + warp; run < runs.behind; run += TEAM_WARPS) {
        const uint32_t place = scratch.run_places[run];
        const uint32_t count = scratch.run_tokens[run];
        const uint4* run_tokens = reinterpret_cast<const uint4*>(tokens + run * (TEAM_TOKENS / TEAM_THREADS));
#pragma unroll 2
        for (uint32_t at = 4 * lane; at < count; at += 4 * WARP_LANES) {
            const uint4 four = run_tokens[at / 4];
            sound &= thread_note_token(four.x, place, low, limit, gap, scratch.slab);
            if (at + 1 < count) sound &= thread_note_token(four.y, place, low, limit, gap, scratch.slab);
            if (at + 2 < count) sound &= thread_note_token(four.z, place, low, limit, gap, scratch.slab);
            if (at + 3 < count) sound &= thread_note_token(four.w, place, low, limit, gap, scratch.slab);
        }
    }
    return sound;
}

/// Where the last token begins in front of word `word` of the slab: a place of the slab, or NO_TOKEN.
__device__ __forceinline__ int warp_find_token_before(const TeamSlabScratch& slab, int word, int lane) {
    const int own = word - WARP_LANES + lane;
    const uint32_t begins = own >= 0 ? slab.begins[own] : 0;
    const uint32_t lanes = __ballot_sync(ALL_LANES, begins != 0);
    if (lanes == 0) return NO_TOKEN;
    const int last_lane = 31 - __clz(static_cast<int>(lanes));
    const int last = 31 - __clz(static_cast<int>(__shfl_sync(ALL_LANES, begins, last_lane)));
    return (word - WARP_LANES + last_lane) * WORD_BITS + last;
}

/// Writes the bytes [low, limit), whose tokens are noted: a slab at most, its first byte at place `gap`.
__device__ __forceinline__ void cta_write_slab(uint8_t* output, uint32_t low, uint32_t limit, uint32_t gap,
                                               TeamScratch& scratch) {
    constexpr uint32_t TURNS = TeamSlab::TURNS;
    TeamSlabScratch& slab = scratch.slab;
    const uint32_t warp = threadIdx.x / WARP_LANES;
    const uint32_t lane = threadIdx.x % WARP_LANES;
    const uint32_t to_lane = 0xFFFFFFFFu >> (WARP_LANES - 1 - lane);
    const int32_t to_place = static_cast<int32_t>(low) - static_cast<int32_t>(gap);
    const uint32_t end = limit - low + gap;
    int latest = warp_find_token_before(slab, static_cast<int>(warp * TURNS), static_cast<int>(lane));
    uint32_t values[TURNS];
    uint32_t linked = 0;  // turns in which a byte of the warp comes from the slab
#pragma unroll
    for (uint32_t turn = 0; turn < TURNS; ++turn) {
        const uint32_t word = warp * TURNS + turn;
        const uint32_t at = word * WARP_LANES + lane;
        const uint32_t begins = slab.begins[word];
        const uint32_t own = begins & to_lane;
        const int begin = own == 0 ? latest : static_cast<int>(word * WORD_BITS + 31) - __clz(static_cast<int>(own));
        if (begins != 0) latest = static_cast<int>(word * WORD_BITS + 31) - __clz(static_cast<int>(begins));
        uint32_t link = at;
        values[turn] = 0;
        if (at >= gap && at < end) {
            const uint32_t token = begin == NO_TOKEN ? scratch.latest_token : slab.tokens[begin];
            if ((token & STARTING_LITERAL) != 0) {
                values[turn] = token;
            } else {
                const uint32_t place = at + to_place;
                const uint32_t token_place = begin == NO_TOKEN ? scratch.latest_place : begin + to_place;
                const uint32_t distance = 1 + (token & STARTING_DISTANCE_MASK);
                const uint32_t source = place - lz77::thread_way_back(place - token_place, distance);
                if (source < low) {
                    values[turn] = output[source];
                } else {
                    link = source - to_place;
                }
            }
        }
        slab.ends.links[at] = static_cast<uint16_t>(link);
        if (__any_sync(ALL_LANES, link != at)) linked |= 1u << turn;
    }
#pragma unroll
    for (uint32_t turn = 0; turn < TURNS; ++turn)
        slab.ends.bytes[(warp * TURNS + turn) * WARP_LANES + lane] = static_cast<uint8_t>(values[turn]);
    __syncthreads();
    if (lane == 0 && latest != NO_TOKEN && warp == (end - 1) / (TURNS * WARP_LANES)) {
        scratch.latest_place = latest + to_place;
        scratch.latest_token = slab.tokens[latest];
    }
    for (uint32_t word = threadIdx.x; word < TEAM_WORDS; word += TEAM_THREADS) slab.begins[word] = 0;
    lz77::cta_finish_slab(slab.ends, linked, output, to_place, gap, end);
}

/// What a team reads it writes at once.
struct TeamSink {
    static constexpr Reading READING = Reading::STARTS;
    static constexpr uint32_t ROOM_TOKENS = TEAM_TOKENS / TEAM_THREADS;
    static constexpr uint32_t MOST_TOKENS = ROOM_TOKENS < MOST_STARTING_TOKENS ? ROOM_TOKENS : MOST_STARTING_TOKENS;
    static constexpr uint32_t LEAST_PART_BITS =
        MOST_TOKENS / DecodePolicy::PART_STEP_BITS * DecodePolicy::PART_STEP_BITS;
    static constexpr uint32_t MAX_PART_BITS = DecodePolicy::TEAM_MAX_PART_BITS;
    static_assert(LEAST_PART_BITS > 0, "a lane keeps a part, however short its tokens");

    uint8_t* output;
    uint32_t* tokens;  ///< TEAM_TOKENS
    TeamScratch& scratch;

    __device__ __forceinline__ uint32_t* room() const { return tokens; }

    __device__ __forceinline__ uint32_t take_round(uint32_t position, uint32_t bytes, const Round& round,
                                                   const Part& part, const TeamReaders& readers) {
        if (bytes == 0) return STATUS_SOUND;
        const uint32_t warp = threadIdx.x / WARP_LANES;
        const uint32_t lane = threadIdx.x % WARP_LANES;
        scratch.run_places[readers.rank] = position + readers.bytes_before;
        scratch.run_tokens[readers.rank] = readers.rank <= round.last_lane ? part.count : 0;
        for (uint32_t word = threadIdx.x; word < TEAM_WORDS; word += TEAM_THREADS) scratch.slab.begins[word] = 0;
        __syncthreads();
        const uint32_t end = position + bytes;
#pragma unroll 1
        for (uint32_t low = position; low < end;) {
            const uint32_t gap = bytes_past_alignment<TEAM_SLAB_ALIGNMENT>(output + low);
            const uint32_t limit = min(low + TeamSlab::BYTES - gap, end);
            if (__syncthreads_or(!warp_note_tokens(tokens, low, limit, gap, scratch, warp, lane)))
                return STATUS_BAD_OFFSET;
            cta_write_slab(output, low, limit, gap, scratch);
            low = limit;
        }
        __syncthreads();
        return STATUS_SOUND;
    }

    __device__ __forceinline__ uint32_t take_stored(uint32_t position, const uint8_t* from, uint32_t bytes,
                                                    const TeamReaders& readers) {
        group_copy_stored(output + position, from, bytes, readers);
        return STATUS_SOUND;
    }
};

/// Decodes one body, all threads of the cta. `tokens` has space for TEAM_TOKENS tokens. No thread uses the scratch
/// again before a barrier.
template <typename Starts>
__device__ __forceinline__ BlockResult cta_decode_body(const Block& block, uint8_t* output, uint32_t* tokens,
                                                       Starts starts, TeamScratch& scratch) {
    TeamReaders readers{static_cast<int>(threadIdx.x), scratch};
    TeamSink sink{output, tokens, scratch};
    return group_read_body(block, starts, sink, scratch.tables, scratch.header, readers);
}

}  // namespace warpcodec::deflate_decode
