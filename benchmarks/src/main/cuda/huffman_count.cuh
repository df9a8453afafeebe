// Counts how often each byte occurs in each of many ranges: the weights from which huffman_build.cuh builds codes.
//
// Ranges are cut into pieces, a cta each. Each of its warps counts in counters in shared memory, 32 rows a turn. Then
// each thread adds up the warps' counters of one symbol, and adds the sum to the range's weights. Sums of integers do
// not depend on order: same weights on every run.
//
// Per 512 bytes and warp: one load of 16 bytes a lane, and for each byte two instructions and an atomic addition in
// shared memory. Lanes that meet the same symbol wait no longer than lanes that meet two symbols of one bank, since
// additions to one counter are combined.
#pragma once

#include <cstdint>

#include "common/rows.cuh"
#include "common/warp.cuh"
#include "huffman_format.cuh"
#include "huffman_policy.cuh"

namespace warpcodec::huffman {

/// Longest range, since the builder takes weights whose sum is below 2^27.
constexpr uint32_t MAX_COUNT_BYTES = (1u << 27) - 1;

/// A range to count.
struct CountEntry {
    uint64_t input_offset;
    uint32_t input_bytes;
    uint32_t first_piece;  ///< of the batch; it has ceil(bytes / PIECE_BYTES) of them, one at least
};

/// Device memory of a batch.
struct CountBatch {
    const uint8_t* input;
    uint64_t input_bytes;
    const CountEntry* entries;
    uint32_t range_count;
    uint32_t* weights;  ///< SYMBOLS for each range, zeros before
    uint32_t piece_count;
};

/// Shared memory of a cta.
struct CountScratch {
    static constexpr int WARPS = CountPolicy::CTA_THREADS / WARP_LANES;
    uint32_t counts[WARPS][SYMBOLS];
};

/// Counts the symbols of one piece. A range that does not lie in the input is left alone.
__device__ __forceinline__ void cta_count_piece(const CountBatch& batch, uint32_t piece, CountScratch& scratch) {
    static_assert(CountPolicy::CTA_THREADS == SYMBOLS, "a thread for each symbol");
    constexpr uint32_t CTA_BYTES = CountPolicy::CTA_THREADS * ROW_BYTES;
    const uint32_t index = find_stream(batch.entries, batch.range_count, piece);
    const CountEntry entry = batch.entries[index];
    if (entry.input_bytes > MAX_COUNT_BYTES || entry.input_offset > batch.input_bytes ||
        entry.input_bytes > batch.input_bytes - entry.input_offset || piece < entry.first_piece) {
        return;
    }
    const uint32_t own = piece - entry.first_piece;
    if (own >= (entry.input_bytes + CountPolicy::PIECE_BYTES - 1) / CountPolicy::PIECE_BYTES) return;
    uint32_t* counts = scratch.counts[threadIdx.x / WARP_LANES];
    for (int symbol = threadIdx.x % WARP_LANES; symbol < SYMBOLS; symbol += WARP_LANES) counts[symbol] = 0;
    __syncwarp();
    const uint32_t begin = own * CountPolicy::PIECE_BYTES;
    const UnalignedRows rows(batch.input + entry.input_offset + begin,
                             min(entry.input_bytes - begin, CountPolicy::PIECE_BYTES));
    const auto count = [counts](uint32_t symbol) { atomicAdd(counts + symbol, 1u); };
    for (uint32_t turn = 0; turn < rows.limit; turn += CTA_BYTES) {
        const Row row = rows.load(turn + threadIdx.x * ROW_BYTES);
        if (__all_sync(ALL_LANES, row.owns_all())) {
            row.for_each<true>(count);
        } else {
            row.for_each<false>(count);
        }
    }
    __syncthreads();
    uint32_t sum = 0;
#pragma unroll
    for (int warp = 0; warp < CountScratch::WARPS; ++warp) sum += scratch.counts[warp][threadIdx.x];
    if (sum != 0) atomicAdd(batch.weights + uint64_t{index} * SYMBOLS + threadIdx.x, sum);
}

}  // namespace warpcodec::huffman
