// Undoes bzip2's first coding, of runs: behind four equal bytes stands a count of more of them, 0 to 255.
//
// Whether a byte is a literal or a count depends on the bytes before it, through one of five states. The state is how
// many equal literals stand in front of it: 0 (behind a count or at the start) to 4 (a count comes). So a piece of
// the text is a function of states, and the output's length another; functions of pieces in a row are composed:
//
//   1. measure  A thread for each piece goes through it from all five states at once; they soon agree.
//   2. join     A cta for each block composes the pieces: the state in which each begins, and where its output does.
//   3. expand   A warp for 32 pieces writes them: as they are if they hold no count.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"
#include "bzip2_format.cuh"

namespace warpcodec::bzip2 {

constexpr uint32_t RUN_STATES = RUN_LITERALS + 1;
constexpr uint32_t RUN_PIECE_BYTES = 64;
constexpr int RUN_JOIN_CTA_THREADS = 512;

/// What a piece does.
struct RunPiece {
    uint32_t bytes[RUN_STATES];  ///< of its output, by the state in which it begins
    /// The state in which it ends, three bits for each in which it begins; above them a bit for each: it holds a
    /// count.
    uint32_t states;

    __device__ __forceinline__ uint32_t end(uint32_t state) const { return states >> (3 * state) & 7; }
    __device__ __forceinline__ uint32_t counts(uint32_t state) const { return states >> (3 * RUN_STATES + state) & 1; }
    __device__ __forceinline__ void set(uint32_t state, uint32_t end, uint32_t counts) {
        states |= end << (3 * state) | counts << (3 * RUN_STATES + state);
    }
};
static_assert(sizeof(RunPiece) == 24, "pieces take 3/8 of a byte a byte");

/// Where a piece begins, in the memory of a RunPiece.
struct RunStart {
    uint32_t output_at;
    uint32_t state;
    uint32_t counts;  ///< whether the piece holds a count
};

__host__ __device__ constexpr uint32_t run_pieces(uint32_t bytes) {
    return (bytes + RUN_PIECE_BYTES - 1) / RUN_PIECE_BYTES;
}

/// One piece behind another.
__device__ __forceinline__ RunPiece run_join(const RunPiece& first, const RunPiece& second) {
    RunPiece joined;
    joined.states = 0;
#pragma unroll
    for (uint32_t state = 0; state < RUN_STATES; ++state) {
        const uint32_t between = first.end(state);
        uint32_t more = second.bytes[0];
#pragma unroll
        for (uint32_t k = 1; k < RUN_STATES; ++k) more = between == k ? second.bytes[k] : more;
        joined.bytes[state] = first.bytes[state] + more;
        joined.set(state, second.end(between), first.counts(state) | second.counts(between));
    }
    return joined;
}

__device__ __forceinline__ RunPiece run_identity() {
    RunPiece piece{};
    for (uint32_t state = 0; state < RUN_STATES; ++state) piece.set(state, state, 0);
    return piece;
}

/// The state behind a byte, and how many bytes it makes.
__device__ __forceinline__ uint32_t run_next(uint32_t state, uint32_t byte, uint32_t before, uint32_t& made) {
    if (state == RUN_LITERALS) {
        made = byte;
        return 0;
    }
    made = 1;
    return state != 0 && byte == before ? state + 1 : 1;
}

constexpr uint32_t RUN_ROW_BYTES = 16;
static_assert(RUN_PIECE_BYTES % RUN_ROW_BYTES == 0, "a piece is rows");

/// 16 bytes of the text, in registers.
struct RunRow {
    uint32_t word[4];

    __device__ __forceinline__ explicit RunRow(const uint8_t* aligned) {
        const uint4 row = *reinterpret_cast<const uint4*>(aligned);
        word[0] = row.x;
        word[1] = row.y;
        word[2] = row.z;
        word[3] = row.w;
    }
    __device__ __forceinline__ uint32_t byte(uint32_t k) const { return word[k / 4] >> (8 * (k % 4)) & 0xFF; }
};

/// First step: one piece; a thread. `text` is aligned to 16 bytes; up to the next multiple of 16 behind its end any
/// byte may be read.
__device__ inline RunPiece thread_measure_runs(const uint8_t* text, uint32_t bytes, uint32_t index) {
    const uint32_t begin = index * RUN_PIECE_BYTES;
    const uint32_t limit = min(begin + RUN_PIECE_BYTES, bytes);
    uint32_t before = begin == 0 ? 0 : text[begin - 1];
    uint32_t state[RUN_STATES];
    uint32_t sum[RUN_STATES];
    uint32_t counts[RUN_STATES];
#pragma unroll
    for (uint32_t k = 0; k < RUN_STATES; ++k) {
        state[k] = k;
        sum[k] = 0;
        counts[k] = 0;
    }
    bool agreed = false;
    uint32_t last = 0;
    uint32_t rest = 0;
    uint32_t rest_counts = 0;
    for (uint32_t row = begin; row < limit; row += RUN_ROW_BYTES) {
        const RunRow bytes_of(text + row);
#pragma unroll
        for (uint32_t b = 0; b < RUN_ROW_BYTES; ++b) {
            if (row + b >= limit) break;
            const uint32_t byte = bytes_of.byte(b);
            uint32_t made;
            if (agreed) {
                rest_counts |= last == RUN_LITERALS ? 1 : 0;
                last = run_next(last, byte, before, made);
                rest += made;
            } else {
                agreed = true;
#pragma unroll
                for (uint32_t k = 0; k < RUN_STATES; ++k) {
                    counts[k] |= state[k] == RUN_LITERALS ? 1 : 0;
                    state[k] = run_next(state[k], byte, before, made);
                    sum[k] += made;
                    agreed = agreed && state[k] == state[0];
                }
                last = state[0];
            }
            before = byte;
        }
    }
    RunPiece piece;
    piece.states = 0;
#pragma unroll
    for (uint32_t k = 0; k < RUN_STATES; ++k) {
        piece.bytes[k] = sum[k] + rest;
        piece.set(k, agreed ? last : state[k], counts[k] | rest_counts);
    }
    return piece;
}

/// Shared memory of the cta that joins.
struct RunScratch {
    RunPiece warps[RUN_JOIN_CTA_THREADS / WARP_LANES];
};

__device__ __forceinline__ RunPiece warp_shuffle_up(const RunPiece& piece, int distance) {
    RunPiece other;
#pragma unroll
    for (uint32_t k = 0; k < RUN_STATES; ++k) other.bytes[k] = __shfl_up_sync(ALL_LANES, piece.bytes[k], distance);
    other.states = __shfl_up_sync(ALL_LANES, piece.states, distance);
    return other;
}

/// All pieces up to this thread's of the warp, joined.
__device__ inline RunPiece warp_join_runs(RunPiece mine, int lane) {
#pragma unroll 1
    for (int distance = 1; distance < WARP_LANES; distance *= 2) {
        const RunPiece other = warp_shuffle_up(mine, distance);
        if (lane >= distance) mine = run_join(other, mine);
    }
    return mine;
}

/// Second step: replaces each piece by its RunStart; a cta of RUN_JOIN_CTA_THREADS. Returns what the text does as a
/// whole, begun in state 0: its bytes, and the state at its end.
__device__ inline RunStart cta_join_runs(RunPiece* pieces, uint32_t count, RunScratch& s) {
    constexpr int WARPS = RUN_JOIN_CTA_THREADS / WARP_LANES;
    const int lane = threadIdx.x % WARP_LANES;
    const uint32_t warp = threadIdx.x / WARP_LANES;
    const uint32_t share = (count + RUN_JOIN_CTA_THREADS - 1) / RUN_JOIN_CTA_THREADS;
    const uint32_t begin = min(threadIdx.x * share, count);
    const uint32_t limit = min(begin + share, count);
    RunPiece mine = run_identity();
    for (uint32_t at = begin; at < limit; ++at) mine = run_join(mine, pieces[at]);
    const RunPiece upto = warp_join_runs(mine, lane);
    RunPiece before = warp_shuffle_up(upto, 1);
    if (lane == 0) before = run_identity();
    if (lane == WARP_LANES - 1) s.warps[warp] = upto;
    __syncthreads();
    RunStart start{0, 0, 0};
    RunStart whole{0, 0, 0};
    for (int of = 0; of < WARPS; ++of) {
        if (of == static_cast<int>(warp)) start = whole;
        whole.output_at += s.warps[of].bytes[whole.state];
        whole.state = s.warps[of].end(whole.state);
    }
    start.output_at += before.bytes[start.state];
    start.state = before.end(start.state);
    for (uint32_t at = begin; at < limit; ++at) {
        const RunPiece piece = pieces[at];
        start.counts = piece.counts(start.state);
        *reinterpret_cast<RunStart*>(pieces + at) = start;
        start.output_at += piece.bytes[start.state];
        start.state = piece.end(start.state);
    }
    return whole;
}

constexpr uint32_t RUN_STAGE_BYTES = 4096;

/// Writes a lane's piece, from `to` of `output` on.
__device__ __forceinline__ void lane_expand_runs(const uint8_t* text, uint32_t begin, uint32_t limit, uint32_t state,
                                                 uint8_t* output, uint32_t to) {
    uint32_t before = begin == 0 ? 0 : text[begin - 1];
    for (uint32_t row = begin; row < limit; row += RUN_ROW_BYTES) {
        const RunRow bytes_of(text + row);
#pragma unroll
        for (uint32_t b = 0; b < RUN_ROW_BYTES; ++b) {
            if (row + b >= limit) break;
            const uint32_t byte = bytes_of.byte(b);
            uint32_t made;
            const uint32_t value = state == RUN_LITERALS ? before : byte;
            state = run_next(state, byte, before, made);
            for (uint32_t k = 0; k < made; ++k) output[to + k] = static_cast<uint8_t>(value);
            to += made;
            before = byte;
        }
    }
}

/// Third step: 32 pieces; a warp. The output can take all of them. Pieces that hold counts are put together in shared
/// memory, so that the output is written in order.
__device__ inline void warp_expand_runs(const uint8_t* text, uint32_t bytes, const RunPiece* pieces,
                                        uint32_t first_piece, uint32_t whole_bytes, uint8_t* output, uint8_t* s_stage,
                                        int lane) {
    const uint32_t count = run_pieces(bytes);
    const uint32_t index = first_piece + lane;
    const uint32_t begin = first_piece * RUN_PIECE_BYTES;
    const uint32_t limit = min(begin + WARP_LANES * RUN_PIECE_BYTES, bytes);
    RunStart start{0, 0, 0};
    if (index < count) start = *reinterpret_cast<const RunStart*>(pieces + index);
    const uint32_t output_begin = __shfl_sync(ALL_LANES, start.output_at, 0);
    if (!__any_sync(ALL_LANES, start.counts != 0)) {
        for (uint32_t at = begin + lane; at < limit; at += WARP_LANES) output[output_begin + at - begin] = text[at];
        return;
    }
    const uint32_t output_limit = first_piece + WARP_LANES < count
                                      ? reinterpret_cast<const RunStart*>(pieces + first_piece + WARP_LANES)->output_at
                                      : whole_bytes;
    const uint32_t piece_begin = min(index * RUN_PIECE_BYTES, limit);
    const uint32_t piece_limit = min(piece_begin + RUN_PIECE_BYTES, limit);
    const uint32_t length = output_limit - output_begin;
    const bool staged = length <= RUN_STAGE_BYTES;
    lane_expand_runs(text, piece_begin, piece_limit, start.state, staged ? s_stage : output,
                     staged ? start.output_at - output_begin : start.output_at);
    if (!staged) return;
    __syncwarp();
    for (uint32_t at = lane; at < length; at += WARP_LANES) output[output_begin + at] = s_stage[at];
    __syncwarp();
}

}  // namespace warpcodec::bzip2
