// Decodes a block of LZ4 or Snappy by a team: the warps of a cta. For batches of so few blocks that there is room for a
// cta each.
//
// Units (sequences, elements). Each warp takes a window of the input, side by side with those of the others, and maps
// it (lz77_jumps.cuh). For each place at which a first unit might start, the map says where others would start, and
// where the window would be left. The exits of the windows in front lead a warp to its own first unit. Each lane then
// reads its units properly, and compares where they end with what the map said. The first lane of the team that
// disagrees is the last that counts, and the next round begins behind it. A wrong guess costs speed and never
// correctness.
//
// Runs. A unit stands for two runs of bytes at most: literals, or a copy. Sums over the lanes place them in the output.
// They wait in a ring until they fill a slab, the block ends, or the ring has no space for another round.
//
// Bytes. The runs that begin in a slab are noted by their places in the ring, and lz77_slab.cuh writes the bytes.
//
// Bounds. All lengths are checked as in the kernel of a warp a block, by the same functions, before a byte of the round
// is written. So a run lies in the output, and its source in the block or in the output from its first byte on. A round
// begins behind the one before, as its first unit is read properly.
//
// Defects. A team says only that there is one. Then its first warp decodes the block again as a warp alone does, so
// status words are the same.
//
// Barriers: all are the cta's, and which come next depends on what all threads know alike.
#pragma once

#include <cstdint>

#include "../common/alignment.cuh"
#include "../common/batch.cuh"
#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "lz77_gather.cuh"
#include "lz77_jumps.cuh"
#include "lz77_slab.cuh"
#include "lz77_state.cuh"

namespace warpcodec::lz77 {

constexpr uint32_t RUNS_PER_LANE = 2;
/// Slabs begin at multiples of so many bytes in memory, but for one behind a slab that was not whole.
constexpr uint32_t TEAM_SLAB_ALIGNMENT = 128;

/// What a unit stands for: one run behind the other.
struct RunPair {
    Run first;
    Run second;
};

/// What the lanes of a warp have read in a round.
struct alignas(16) WarpRound {
    uint32_t bytes;
    uint32_t runs;
    uint32_t end;  ///< place of the input behind the last unit
    uint32_t closed;  ///< not zero if no unit behind it counts
};

/// Shared memory of a team. A Format has WINDOW_BYTES and UNITS_PER_LANE of a warp, AloneScratch, the Unit that a lane
/// reads, and functions.
template <typename Format_, int WARPS_>
struct alignas(256) TeamScratch {
    using Format = Format_;
    using Slab = SlabScratch<WARPS_, Format::TEAM_SLAB_TURNS>;
    static constexpr uint32_t WARPS = WARPS_;
    static constexpr uint32_t THREADS = WARPS * WARP_LANES;
    static constexpr uint32_t NEW_RUNS = THREADS * RUNS_PER_LANE;  ///< of a round, at most
    static constexpr uint32_t RING = 4 * NEW_RUNS;
    static_assert(RING <= 1u << 16 && (RING & (RING - 1)) == 0, "a note has 16 bits, and numbers of runs overflow");
    union {
        WindowMap maps[WARPS];  // while units are read
        Slab slab;  // while bytes are written
        typename Format::AloneScratch alone;
    };
    SlabNotes<Slab> noted;
    uint32_t starts[RING];  ///< of the runs that wait
    uint32_t deltas[RING];  ///< from places of their bytes to sources
    WarpRound rounds[WARPS];
    LatestNote latest;
};

/// The runs that wait: numbers [first, behind), of which the first may be written in part.
struct WaitingRuns {
    uint32_t first = 0;
    uint32_t behind = 0;
};

/// Reads a round of units and puts their runs behind those that wait, whose space is sufficient. False at a defect. A
/// barrier of the cta comes first, and one at the end.
template <typename Scratch>
__device__ __forceinline__ bool cta_read_round(const Block& block, ParseState& state, WaitingRuns& waiting,
                                               Scratch& scratch) {
    using Format = typename Scratch::Format;
    constexpr uint32_t WINDOW = Format::WINDOW_BYTES;
    constexpr uint32_t WARPS = Scratch::WARPS;
    const uint32_t warp = threadIdx.x / WARP_LANES;
    const int lane = threadIdx.x % WARP_LANES;
    const uint32_t start = bytes_past_alignment<4>(block.input + state.input_position);
    const uint32_t window = state.input_position - start + warp * WINDOW;  // a sum that wraps is made good by a place
    const WindowMap& map = scratch.maps[warp];
    warp_map_window<Format::UNITS_PER_LANE, WINDOW>(block, static_cast<int>(window), scratch.maps[warp], lane,
                                                    Format::thread_guess);
    __syncthreads();
    uint32_t place = start;
#pragma unroll 1
    for (uint32_t before = 0; before < warp; ++before) place = scratch.maps[before].exit_of(place) - WINDOW;
    const uint32_t exit = map.exit_of(place);
#pragma unroll
    for (int bit = 0; bit < WindowMap::TABLES - 1; ++bit) {
        if (lane >> bit & 1) place = map.ahead[bit][place];
    }
    const bool begins = place < WINDOW;
    uint32_t position = window + place;
    bool sound = true;
    bool closes = false;
    typename Format::Unit unit{};
    if (begins) {
        sound =
            position < block.input_bytes && Format::thread_read(block, position, window + WINDOW, unit) == STATUS_SOUND;
        closes = !sound || position != window + map.ahead[0][place] || position >= block.input_bytes;
    }
    const uint32_t closing = __ballot_sync(ALL_LANES, closes);
    const int last_lane = closing == 0 ? WARP_LANES - 1 : __ffs(static_cast<int>(closing)) - 1;
    bool counts = begins && lane <= last_lane;
    const RunPair runs = counts ? Format::thread_runs(unit) : RunPair{};
    const uint32_t bytes = runs.first.bytes + runs.second.bytes;
    const uint32_t bytes_to = warp_inclusive_sum(bytes, lane);
    const uint32_t firsts = __ballot_sync(ALL_LANES, runs.first.bytes != 0);
    const uint32_t seconds = __ballot_sync(ALL_LANES, runs.second.bytes != 0);
    const uint32_t end = __shfl_sync(ALL_LANES, position, last_lane);
    if (lane == WARP_LANES - 1)
        scratch.rounds[warp] = WarpRound{bytes_to, static_cast<uint32_t>(__popc(firsts) + __popc(seconds)),
                                         closing == 0 ? window + exit : end, closing};
    __syncthreads();
    const WarpRound round = lane < static_cast<int>(WARPS) ? scratch.rounds[lane] : WarpRound{};
    const uint32_t closed = __ballot_sync(ALL_LANES, round.closed != 0);
    const uint32_t last_warp = closed == 0 ? WARPS - 1 : __ffs(static_cast<int>(closed)) - 1;
    const bool is_of_round = lane <= static_cast<int>(last_warp);
    const uint32_t warps_bytes = warp_inclusive_sum(is_of_round ? round.bytes : 0, lane);
    const uint32_t warps_runs = warp_inclusive_sum(is_of_round ? round.runs : 0, lane);
    const uint32_t bytes_before = __shfl_sync(ALL_LANES, warps_bytes - round.bytes, static_cast<int>(warp));
    const uint32_t runs_before = __shfl_sync(ALL_LANES, warps_runs - round.runs, static_cast<int>(warp));
    counts &= warp <= last_warp;
    if (counts) {
        const uint32_t output_start = state.output_position + bytes_before + bytes_to - bytes;
        sound = sound && Format::thread_check(block, unit, position, output_start) == STATUS_SOUND;
        const uint32_t lanes_before = (1u << lane) - 1;
        uint32_t number = waiting.behind + runs_before + __popc(firsts & lanes_before) + __popc(seconds & lanes_before);
        const auto enter = [&](const Run& run, uint32_t run_start) {
            if (run.bytes == 0) return;
            scratch.starts[number % Scratch::RING] = run_start;
            scratch.deltas[number % Scratch::RING] = run.delta(run_start);
            ++number;
        };
        enter(runs.first, output_start);
        enter(runs.second, output_start + runs.first.bytes);
    } else {
        sound = true;
    }
    state.input_position = __shfl_sync(ALL_LANES, round.end, static_cast<int>(last_warp));
    state.output_position += __shfl_sync(ALL_LANES, warps_bytes, WARP_LANES - 1);
    state.finished = state.input_position >= block.input_bytes;
    waiting.behind += __shfl_sync(ALL_LANES, warps_runs, WARP_LANES - 1);
    return __syncthreads_or(!sound) == 0;
}

/// Writes the bytes [low, limit), a slab at most, its first byte at place `gap`: runs that wait make them. Barriers of
/// the cta come first, and one before the slab's scratch is used again.
template <typename Scratch>
__device__ __forceinline__ void cta_write_runs(const Block& block, uint8_t* output, uint32_t low, uint32_t limit,
                                               uint32_t gap, WaitingRuns& waiting, Scratch& scratch) {
    constexpr uint32_t RING = Scratch::RING;
    for (uint32_t run = waiting.first + threadIdx.x; run < waiting.behind; run += Scratch::THREADS) {
        const uint32_t past_low = scratch.starts[run % RING] - low;
        if (past_low < limit - low) scratch.noted.thread_note(past_low + gap, static_cast<uint16_t>(run % RING));
    }
    __syncthreads();
    const auto find = [&](uint32_t note, uint32_t place, uint32_t run_place, uint32_t& value) {
        const uint32_t delta = scratch.deltas[note];
        uint32_t source = place + delta;
        if ((source & INPUT_SOURCE) == 0) source = place - thread_way_back(place - run_place, 0u - delta);
        if (static_cast<int>(source) >= static_cast<int>(low)) return source;
        value = ((source & INPUT_SOURCE) != 0 ? block.input - INPUT_SOURCE : output)[source];
        return NO_SLAB_PLACE;
    };
    cta_write_slab(scratch.noted, scratch.slab, scratch.latest, output, low, limit, gap, find);
    waiting.first = waiting.behind - (waiting.behind - scratch.latest.note) % RING;
}

/// Decodes one block from `state` on. False at a defect.
template <typename Scratch>
__device__ __forceinline__ bool cta_decode_by_team(const Block& block, uint8_t* output, ParseState& state,
                                                   Scratch& scratch) {
    WaitingRuns waiting;
    uint32_t low = 0;  // everything below is written
    scratch.noted.cta_clear();
    while (!state.finished) {
        if (!cta_read_round(block, state, waiting, scratch)) return false;
        while (low < state.output_position) {
            const uint32_t gap = bytes_past_alignment<TEAM_SLAB_ALIGNMENT>(output + low);
            const uint32_t whole = low + Scratch::Slab::BYTES - gap;
            const bool is_full = waiting.behind - waiting.first + Scratch::NEW_RUNS >= Scratch::RING;
            if (state.output_position < whole && !state.finished && !is_full) break;
            const uint32_t limit = min(whole, state.output_position);
            cta_write_runs(block, output, low, limit, gap, waiting, scratch);
            low = limit;
        }
        __syncthreads();
    }
    return Scratch::Format::ends_soundly(block, state);
}

/// Decodes one block, all threads of the cta; the first warp knows the result. No thread uses the scratch again before
/// a barrier.
template <typename Scratch>
__device__ __forceinline__ ParseState cta_decode_block(const Block& whole, uint8_t* output, Scratch& scratch) {
    using Format = typename Scratch::Format;
    Block block = whole;
    ParseState state = Format::begin(block);
    if (state.status == STATUS_SOUND && cta_decode_by_team(block, output, state, scratch)) return state;
    if (threadIdx.x < WARP_LANES)
        state = Format::warp_decode_alone(whole, output, scratch.alone, static_cast<int>(threadIdx.x));
    return state;
}

/// Decodes each n-th block of a batch, from that of the cta's number on, in a grid of n.
template <uint32_t MAX_INPUT_BYTES, uint32_t MAX_OUTPUT_BYTES, typename Scratch>
__device__ __forceinline__ void cta_decode_blocks(const Batch& batch, Scratch& scratch) {
    for (uint32_t index = blockIdx.x; index < batch.block_count; index += gridDim.x) {
        group_code_block<MAX_INPUT_BYTES, MAX_OUTPUT_BYTES>(
            batch, index, threadIdx.x == 0,
            [&](const Block& block, uint8_t* output) { return result_of(cta_decode_block(block, output, scratch)); });
        __syncthreads();
    }
}

}  // namespace warpcodec::lz77
