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
// a lane, and note those that begin in the slab. lz77_slab.cuh finds each byte's token, and writes the bytes.
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

using TeamSlab = lz77::SlabScratch<TEAM_WARPS, DecodePolicy::TEAM_SLAB_TURNS>;
static_assert(TEAM_TOKENS % (4 * TEAM_THREADS) == 0, "a lane's space is aligned to 16 bytes");

/// Shared memory of a team while it writes a slab.
struct TeamSlabScratch {
    lz77::SlabNotes<TeamSlab> tokens;  ///< their low halves
    TeamSlab ends;
};

/// Shared memory of a team.
struct alignas(16) TeamScratch {
    BlockTables tables;
    uint32_t warp_words[TEAM_WARPS];
    uint32_t run_places[TEAM_THREADS];  ///< of the run's first byte, from the output's first one on
    uint32_t run_tokens[TEAM_THREADS];
    lz77::LatestNote latest;
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
    slab.tokens.thread_note(place - low + gap, static_cast<uint16_t>(token));
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

/// Writes the bytes [low, limit), whose tokens are noted: a slab at most, its first byte at place `gap`.
__device__ __forceinline__ void cta_write_slab(uint8_t* output, uint32_t low, uint32_t limit, uint32_t gap,
                                               TeamScratch& scratch) {
    const auto find = [&](uint32_t token, uint32_t place, uint32_t token_place, uint32_t& value) {
        if ((token & STARTING_LITERAL) != 0) {
            value = token;
            return lz77::NO_SLAB_PLACE;
        }
        const uint32_t distance = 1 + (token & STARTING_DISTANCE_MASK);
        const uint32_t source = place - lz77::thread_way_back(place - token_place, distance);
        if (source >= low) return source;
        value = output[source];
        return lz77::NO_SLAB_PLACE;
    };
    lz77::cta_write_slab(scratch.slab.tokens, scratch.slab.ends, scratch.latest, output, low, limit, gap, find);
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
        scratch.slab.tokens.cta_clear();
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
