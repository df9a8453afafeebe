// Decides which parts of a unit are blocks of their own: where kinds of data meet, each has better codes alone.
//
// 1. The text between two multiples of BORDER_BYTES is a stretch. A lane walks the path of each chunk (plz_prices.cuh)
//    and counts the symbols of its stretch.
// 2. A warp takes a stretch as the first of a part, adds up one stretch after the other, and estimates the bits of the
//    part that ends there: the entropy of its literals and codes, and what the tables of both take. Bits behind codes
//    are the same in all parts, and left out.
// 3. The cheapest way through the unit is a chain of at most as many parts as stretches.
//
// An estimate harms nothing but size: zstd_encode_codes_parts takes borders as they are.
//
// Bounds: paths are walked as for prices. A unit's counts, in quarters, fit 18 bits, their products with logarithms 42.
// Shared memory: 25 KB.
#pragma once

#include "plz_emit.cuh"
#include "plz_prices.cuh"

namespace warpcodec::plz {

constexpr uint32_t STRETCHES = zstd_encode::MOST_PARTS;
constexpr uint32_t BORDERS_THREADS = STRETCHES * WARP_LANES;
static_assert(StrongShape::CHUNK_BYTES <= zstd_encode::BORDER_BYTES &&
                  zstd_encode::BORDER_BYTES % StrongShape::CHUNK_BYTES == 0,
              "a chunk is of one stretch");
static_assert(StrongShape::MOST_UNIT_CHUNKS <= BORDERS_THREADS);

/// Bits of what a part has besides, by the model (benchmarks/notes/strong-levels.md).
constexpr uint32_t BITS_OF_PART = 24 * 8, BITS_OF_LITERAL_CODE = 4, BITS_OF_SEQUENCE_CODE = 5;

struct BorderMemory {
    SymbolCounts counts[STRETCHES];
    uint32_t prices[STRETCHES][STRETCHES];  ///< of the part from one stretch to another one
};

__device__ __forceinline__ uint32_t warp_sum(uint32_t value) {
    const int lane = static_cast<int>(threadIdx.x % WARP_LANES);
    return __shfl_sync(ALL_LANES, warp_inclusive_sum(value, lane), WARP_LANES - 1);
}

/// A count times its logarithm, in PRICE_OF_BIT.
__device__ __forceinline__ uint32_t thread_weight(uint32_t count) {
    constexpr int UNIT_BITS = 6;
    static_assert(1u << UNIT_BITS == PRICE_OF_BIT);
    return count < 2 ? 0 : static_cast<uint32_t>(uint64_t{count} * log2_of(count) >> (FRACTION_BITS - UNIT_BITS));
}

/// Symbols of a kind, of which each lane has every WARP_LANES-th.
template <uint32_t SYMBOLS>
struct LaneCounts {
    static constexpr uint32_t ROWS = parts_of(SYMBOLS, WARP_LANES);
    uint32_t of[ROWS] = {};

    __device__ __forceinline__ void add(const uint32_t (&counts)[SYMBOLS]) {
#pragma unroll
        for (uint32_t row = 0; row < ROWS; ++row) {
            const uint32_t symbol = row * WARP_LANES + threadIdx.x % WARP_LANES;
            if (symbol < SYMBOLS) of[row] += counts[symbol] / ONE_SEEN;
        }
    }
    /// Their entropy and what each symbol takes in a table, in PRICE_OF_BIT; how many they are. All lanes of the warp
    /// call.
    __device__ __forceinline__ uint32_t warp_price(uint32_t symbol_bits, uint32_t& all) const {
        uint32_t count = 0, used = 0, weight = 0;
#pragma unroll
        for (uint32_t row = 0; row < ROWS; ++row) {
            count += of[row];
            used += of[row] != 0 ? 1 : 0;
            weight += thread_weight(of[row]);
        }
        all = warp_sum(count);
        const uint32_t whole = thread_weight(all), weights = warp_sum(weight);
        return whole - min(weights, whole) + warp_sum(used) * symbol_bits * PRICE_OF_BIT;
    }
};

/// Estimates all parts that begin with stretch `first`. All lanes of the warp call.
__device__ __forceinline__ void warp_price_parts(uint32_t first, uint32_t count, BorderMemory& memory) {
    LaneCounts<BYTE_VALUES> literals;
    LaneCounts<zstd::LITERAL_LENGTH_SYMBOLS> runs;
    LaneCounts<zstd::OFFSET_SYMBOLS> offsets;
    LaneCounts<zstd::MATCH_LENGTH_SYMBOLS> lengths;
    for (uint32_t last = first; last < count; ++last) {
        const SymbolCounts& counts = memory.counts[last];
        literals.add(counts.literal);
        runs.add(counts.run);
        offsets.add(counts.offset);
        lengths.add(counts.match);
        uint32_t literal_count, sequence_count;
        const uint32_t coded = literals.warp_price(BITS_OF_LITERAL_CODE, literal_count);
        const uint32_t sequences = runs.warp_price(BITS_OF_SEQUENCE_CODE, sequence_count) +
                                   offsets.warp_price(BITS_OF_SEQUENCE_CODE, sequence_count) +
                                   lengths.warp_price(BITS_OF_SEQUENCE_CODE, sequence_count);
        const uint32_t price = min(coded, literal_count * 8 * PRICE_OF_BIT) + sequences + BITS_OF_PART * PRICE_OF_BIT;
        if (threadIdx.x % WARP_LANES == 0) memory.prices[first][last] = price;
    }
}

/// A bit for each stretch with which a part begins, but the first.
__device__ __forceinline__ uint32_t thread_choose_borders(uint32_t count, const BorderMemory& memory) {
    uint32_t cheapest[STRETCHES + 1], borders[STRETCHES + 1];
    cheapest[0] = borders[0] = 0;
#pragma unroll
    for (uint32_t end = 1; end <= STRETCHES; ++end) {
        cheapest[end] = ~0u;
        borders[end] = 0;
#pragma unroll
        for (uint32_t begin = 0; begin < end; ++begin) {
            if (end > count) continue;
            const uint32_t price = cheapest[begin] + memory.prices[begin][end - 1];
            if (price >= cheapest[end]) continue;
            cheapest[end] = price;
            borders[end] = borders[begin] | (begin == 0 ? 0 : 1u << begin);
        }
    }
    uint32_t chosen = 0;
#pragma unroll
    for (uint32_t end = 1; end <= STRETCHES; ++end) chosen = end == count ? borders[end] : chosen;
    return chosen;
}

/// Writes the borders of unit `index` to its record. Chunks were parsed in groups of CHUNKS. A cta has BORDERS_THREADS.
template <uint32_t CHUNKS>
__device__ __forceinline__ void cta_find_borders(const ParseBatch& batch, uint32_t index,
                                                 zstd_encode::UnitRecord& record, BorderMemory& memory) {
    const FrameRange frame = frame_of_unit(batch, index);
    const uint32_t before = index * UNIT_BYTES - static_cast<uint32_t>(frame.begin());
    if (before >= frame.count) return;
    const uint32_t stretches = parts_of(min(frame.count - before, UNIT_BYTES), zstd_encode::BORDER_BYTES);
    if (stretches < 2) return;
    for (SymbolCounts& counts : memory.counts) {
        for (uint32_t i = threadIdx.x; i < sizeof counts / sizeof(uint32_t); i += BORDERS_THREADS)
            reinterpret_cast<uint32_t*>(&counts)[i] = 0;
    }
    __syncthreads();
    // a lane a chunk, the first ones in warps of their own
    const uint32_t warp = threadIdx.x / WARP_LANES, own = threadIdx.x % WARP_LANES * STRETCHES + warp;
    const ChunkShape shape = shape_of(batch, frame);
    if (own < chunks_of_unit(batch, index)) {
        const Chunk chunk = chunk_in_unit(batch, index, own, frame, shape);
        const uint32_t stretch = (chunk.from - index * UNIT_BYTES) / zstd_encode::BORDER_BYTES;
        if (stretch < STRETCHES)
            thread_count_path<CHUNKS>(batch, number_of(batch, index, own), chunk, memory.counts[stretch]);
    }
    __syncthreads();
    if (warp < stretches) warp_price_parts(warp, stretches, memory);
    __syncthreads();
    if (threadIdx.x == 0) record.borders = thread_choose_borders(stretches, memory);
}

}  // namespace warpcodec::plz
