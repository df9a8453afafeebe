// States of FSE, and decoding tables, made by a warp from normalised counts (RFC 8878, section 4.1.1).
//
// A symbol with less than one state has one at the table's end. The others are spread: the k-th step of a fixed stride
// comes to place k * stride, and takes the next symbol unless that place is taken already. The stride is odd and the
// size a power of two, so all places are met. Which symbol a step takes follows from how many steps took one before:
// 32 steps at once, by a ballot, and a search among the sums of counts.
//
// Then states are numbered: the i-th state of a symbol with n states has the number n + i, in the order of places. 32
// states at once ask which others have their symbol.
//
// Cost: some 100 clocks for 32 states in each of the two. A serial table of 512 states takes 60,000.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"
#include "fse_counts.cuh"

namespace warpcodec::fse {

/// Shared memory of a warp that makes tables of up to 2^MAX_LOG states.
template <int MAX_LOG>
struct TableScratch {
    uint8_t symbols[1 << MAX_LOG];
    uint16_t starts[MAX_SYMBOLS];  ///< states that are spread before those of a symbol
    uint16_t next[MAX_SYMBOLS];  ///< number of a symbol's next state
};

/// Calls take(state, symbol, number) for each of the 2^log states that `counts` add up to.
template <int MAX_LOG, typename Take>
__device__ __forceinline__ void warp_number_states(const Counts& counts, uint32_t log, TableScratch<MAX_LOG>& scratch,
                                                   int lane, Take take) {
    const uint32_t size = 1u << log;
    const uint32_t below = (1u << lane) - 1;
    uint32_t rare = 0, spread = 0;
#pragma unroll
    for (int turn = 0; turn < MAX_SYMBOLS / WARP_LANES; ++turn) {
        const int symbol = turn * WARP_LANES + lane;
        const int count = counts.of[symbol];
        const uint32_t rares = __ballot_sync(ALL_LANES, count == -1);
        if (count == -1) scratch.symbols[size - 1 - rare - __popc(rares & below)] = static_cast<uint8_t>(symbol);
        rare += __popc(rares);
        const uint32_t own = count > 0 ? static_cast<uint32_t>(count) : 0;
        const uint32_t sum = warp_inclusive_sum(own, lane);
        scratch.starts[symbol] = static_cast<uint16_t>(spread + sum - own);
        scratch.next[symbol] = static_cast<uint16_t>(count == -1 ? 1 : own);
        spread += __shfl_sync(ALL_LANES, sum, WARP_LANES - 1);
    }
    __syncwarp();
    const uint32_t stride = (size >> 1) + (size >> 3) + 3;
    uint32_t taken = 0;
    for (uint32_t step = lane; step < size; step += WARP_LANES) {
        const uint32_t place = step * stride & (size - 1);
        const bool free = place < size - rare;
        const uint32_t frees = __ballot_sync(ALL_LANES, free);
        const uint32_t rank = taken + __popc(frees & below);
        taken += __popc(frees);
        uint32_t symbol = 0;
#pragma unroll
        for (uint32_t half = MAX_SYMBOLS / 2; half > 0; half /= 2) {
            if (scratch.starts[symbol + half] <= rank) symbol += half;
        }
        if (free) scratch.symbols[place] = static_cast<uint8_t>(symbol);
    }
    __syncwarp();
    for (uint32_t state = lane; state < size; state += WARP_LANES) {
        const uint32_t symbol = scratch.symbols[state];
        const uint32_t peers = __match_any_sync(ALL_LANES, symbol);
        const uint32_t before = scratch.next[symbol];
        __syncwarp();
        if ((peers & below) == 0) scratch.next[symbol] = static_cast<uint16_t>(before + __popc(peers));
        take(state, symbol, before + __popc(peers & below));
        __syncwarp();
    }
}

/// Makes the decoding table of `counts`. cell(symbol, bits, base) is what a state stands for: its symbol, how many bits
/// are read for the next state, and what they are added to.
template <int MAX_LOG, typename Cell, typename MakeCell>
__device__ __forceinline__ void warp_make_table(const Counts& counts, uint32_t log, TableScratch<MAX_LOG>& scratch,
                                                Cell* cells, int lane, MakeCell cell) {
    warp_number_states(counts, log, scratch, lane, [&](uint32_t state, uint32_t symbol, uint32_t number) {
        const uint32_t bits = log - (31 - __clz(static_cast<int>(number)));
        cells[state] = cell(symbol, bits, (number << bits) - (1u << log));
    });
}

}  // namespace warpcodec::fse
