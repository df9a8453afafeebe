// Prices of symbols by how often a parse has used them: of a unit by the parse before, of a frame by samples.
//
// 1. A cta has the counts of one in shared memory. A thread walks the path of a chunk and counts its literals and the
//    codes of its runs, offsets and matches, offsets that repeat one of the chunk's last three as that.
// 2. A count is kept in quarters and begins at one, so a symbol that was not seen has a price. The price of a symbol is
//    the logarithm of all quarters less that of its own, by integers: the same on every device.
// 3. A frame's first prices are those of zstd's predefined codes, and of the bytes in its samples.
// 4. Where far matches are cheap a parse takes them, and so they stay: two prices may both be their own parse's. So
//    samples are parsed with near candidates only, too. A frame has those prices by which its own samples cost less.
//
// Bounds: a path of a chunk is walked in as many steps as it has, none of them beyond the chunk. Counts fit 32 bits up
// to frames of 512 MiB. Shared memory: 1.5 KB.
#pragma once

#include "plz_first.cuh"
#include "plz_parse.cuh"
#include "../zstd/zstd_symbols.cuh"

namespace warpcodec::plz {

constexpr uint32_t BYTE_VALUES = 256;
constexpr uint32_t ONE_SEEN = 4;  ///< quarters
constexpr uint32_t MOST_LITERAL = 11, MOST_RUN = 9, MOST_OFFSET = 8, MOST_LENGTH = 9;  ///< bits of a price

/// Occurrences of symbols in quarters; then their prices.
struct SymbolCounts {
    uint32_t literal[BYTE_VALUES];
    uint32_t run[zstd::LITERAL_LENGTH_SYMBOLS];
    uint32_t offset[zstd::OFFSET_SYMBOLS];
    uint32_t match[zstd::MATCH_LENGTH_SYMBOLS];
    uint32_t cost;  ///< bits of all symbols and those behind them; it begins at one like the counts
};

/// Chunks that have prices in common: `count` of a frame, whose units have `each`, from a unit on.
struct ChunkRange {
    FrameRange frame;
    ChunkShape shape;
    uint32_t first_unit, each, count;

    __device__ __forceinline__ Chunk chunk(const ParseBatch& batch, uint32_t i) const {
        return chunk_in_unit(batch, first_unit + i / each, i % each, frame, shape);
    }
    __device__ __forceinline__ uint32_t number(const ParseBatch& batch, uint32_t i) const {
        return number_of(batch, first_unit + i / each, i % each);
    }
};

/// Those of prices `number`, a frame's or a unit's.
__device__ __forceinline__ ChunkRange chunks_of_prices(const ParseBatch& batch, uint32_t number) {
    const bool is_frame = batch.has_frame_prices != 0;
    const FrameRange frame = is_frame ? batch.frames.ranges[number] : frame_of_unit(batch, number);
    const ChunkShape shape = shape_of(batch, frame);
    const uint32_t each = row_chunks(batch) << shape.halvings, first_unit = is_frame ? frame.first_unit : number;
    const uint32_t most = (batch.frames.unit_count - first_unit) * each;
    return {frame, shape, first_unit, each, min(is_frame ? parts_of(frame.count, shape.stride_bytes) : each, most)};
}

/// Begins with nothing. The caller waits.
__device__ __forceinline__ void cta_begin_counts(SymbolCounts& counts) {
    for (uint32_t i = threadIdx.x; i < sizeof counts / sizeof(uint32_t); i += blockDim.x)
        reinterpret_cast<uint32_t*>(&counts)[i] = 1;
}

/// Begins with these codes, and with the bytes of the chunks of prices `number`. All threads call; barriers inside, one
/// at the end.
__device__ __forceinline__ void cta_begin_first(const ParseBatch& batch, uint32_t number, const FirstCounts& first,
                                                SymbolCounts& counts) {
    const uint32_t lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES, warps = blockDim.x / WARP_LANES;
    cta_begin_counts(counts);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < zstd::LITERAL_LENGTH_SYMBOLS; i += blockDim.x)
        counts.run[i] += ONE_SEEN * first.run[i];
    for (uint32_t i = threadIdx.x; i < zstd::OFFSET_SYMBOLS; i += blockDim.x)
        counts.offset[i] += ONE_SEEN * first.offset[i];
    for (uint32_t i = threadIdx.x; i < zstd::MATCH_LENGTH_SYMBOLS; i += blockDim.x)
        counts.match[i] += ONE_SEEN * first.match[i];
    const ChunkRange chunks = chunks_of_prices(batch, number);
    for (uint32_t i = warp; i < chunks.count; i += warps) {
        const Chunk chunk = chunks.chunk(batch, i);
        for (uint32_t at = lane; at < chunk.bytes; at += WARP_LANES)
            atomicAdd(&counts.literal[batch.text[chunk.from + at]], ONE_SEEN);
    }
    __syncthreads();
}

/// The last three offsets, by which others are coded (RFC 8878, section 3.1.1.5); 0 is none.
struct LastOffsets {
    uint32_t last0, last1, last2;

    /// The value that codes an offset, which becomes the last one.
    __device__ __forceinline__ uint32_t take(uint32_t offset, bool has_literals) {
        const uint32_t shift = has_literals ? 0 : 1;
        if (has_literals && offset == last0) return 1;
        uint32_t value = offset + REPEATS;
        if (offset == last1) {
            value = 2 - shift;
        } else if (offset == last2) {
            value = 3 - shift;
        } else if (!has_literals && offset == last0 - 1) {
            value = 3;
        }
        if (offset != last1) last2 = last1;
        last1 = last0;
        last0 = offset;
        return value;
    }
};

/// Counts what the path of a chunk uses, which was parsed in groups of CHUNKS.
template <uint32_t CHUNKS>
__device__ __forceinline__ void thread_count_path(const ParseBatch& batch, uint32_t number, const Chunk& chunk,
                                                  SymbolCounts& counts) {
    constexpr uint32_t AHEAD = 4;
    if (chunk.bytes == 0) return;
    const uint32_t count = min(uint32_t{batch.paths[number].steps}, chunk.bytes);
    const uint32_t* steps = batch.steps + column_of(chunk, CHUNKS) + (chunk.most_bytes - count) * CHUNKS;
    const uint8_t* text = batch.text + chunk.from;
    LastOffsets last{0, 0, 0};
    uint32_t at = 0, run = 0;
    for (uint32_t first = 0; first < count; first += AHEAD) {
        uint32_t ahead[AHEAD];
#pragma unroll
        for (uint32_t k = 0; k < AHEAD; ++k) ahead[k] = first + k < count ? steps[(first + k) * CHUNKS] : 0;
#pragma unroll
        for (uint32_t k = 0; k < AHEAD; ++k) {
            if (first + k >= count) break;
            const uint32_t offset = offset_of(ahead[k]), rest = chunk.bytes - at;
            const uint32_t match = min(length_of(ahead[k]), rest), literals = match > 0 ? 0 : min(offset, rest);
            for (uint32_t i = 0; i < literals; ++i) atomicAdd(&counts.literal[text[at + i]], ONE_SEEN);
            run += literals;
            at += literals + match;
            if (match < LEAST_MATCH) continue;
            atomicAdd(&counts.run[zstd::literal_length_symbol(run)], ONE_SEEN);
            atomicAdd(&counts.match[zstd::match_length_symbol(match - LEAST_MATCH)], ONE_SEEN);
            atomicAdd(&counts.offset[zstd::offset_symbol(last.take(offset, run > 0))], ONE_SEEN);
            run = 0;
        }
    }
}

constexpr int FRACTION_BITS = 16;

/// The binary logarithm of a positive number, times 2^FRACTION_BITS: a square has twice the logarithm.
__device__ __forceinline__ uint32_t log2_of(uint32_t value) {
    const int zeros = __clz(static_cast<int>(value));
    uint32_t mantissa = value << zeros, log = static_cast<uint32_t>(31 - zeros);
    for (int bit = 0; bit < FRACTION_BITS; ++bit) {
        const uint64_t square = uint64_t{mantissa} * mantissa;
        const uint32_t is_two = static_cast<uint32_t>(square >> 63);
        mantissa = static_cast<uint32_t>(square >> (31 + is_two));
        log = log << 1 | is_two;
    }
    return log;
}

/// Makes prices of SYMBOLS counts, in their place, and adds to `cost` what they cost with the bits behind each symbol.
/// All threads call; a barrier inside.
template <uint32_t SYMBOLS, typename Bits>
__device__ __forceinline__ void cta_price_symbols(uint32_t (&counts)[SYMBOLS], uint32_t most_bits, Bits bits_behind,
                                                  uint32_t& cost) {
    uint32_t all = 0;
    for (uint32_t i = 0; i < SYMBOLS; ++i) all += counts[i];
    const uint32_t log = log2_of(all);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < SYMBOLS; i += blockDim.x) {
        constexpr uint32_t UNIT = (1u << FRACTION_BITS) / PRICE_OF_BIT;
        const uint32_t price = min((log - log2_of(counts[i]) + UNIT / 2) / UNIT, most_bits * PRICE_OF_BIT);
        const uint64_t all_bits = uint64_t{counts[i]} * (price + bits_behind(i) * PRICE_OF_BIT);
        atomicAdd(&cost, static_cast<uint32_t>(all_bits / (ONE_SEEN * PRICE_OF_BIT)));
        counts[i] = price;
    }
}

/// Writes prices by counts, which become those of symbols. All threads call.
__device__ __forceinline__ void cta_make_prices(SymbolCounts& counts, BlockPrices& prices) {
    cta_price_symbols(counts.literal, MOST_LITERAL, [](uint32_t) { return 0u; }, counts.cost);
    cta_price_symbols(
        counts.run, MOST_RUN, [](uint32_t symbol) { return zstd::value_bits(zstd::LITERAL_LENGTHS, symbol); },
        counts.cost);
    cta_price_symbols(counts.offset, MOST_OFFSET, [](uint32_t code) { return code; }, counts.cost);
    cta_price_symbols(
        counts.match, MOST_LENGTH, [](uint32_t symbol) { return zstd::value_bits(zstd::MATCH_LENGTHS, symbol); },
        counts.cost);
    __syncthreads();
    if (threadIdx.x == 0) prices.cost = counts.cost;
    const auto price_of_run = [&](uint32_t run) {
        const uint32_t symbol = zstd::literal_length_symbol(run);
        return static_cast<uint16_t>(counts.run[symbol] +
                                     zstd::value_bits(zstd::LITERAL_LENGTHS, symbol) * PRICE_OF_BIT);
    };
    for (uint32_t i = threadIdx.x; i < BYTE_VALUES; i += blockDim.x)
        prices.literal[i] = static_cast<uint16_t>(counts.literal[i]);
    for (uint32_t run = threadIdx.x; run < BlockPrices::RUNS; run += blockDim.x) prices.run[run] = price_of_run(run);
    for (uint32_t bit = threadIdx.x; bit < 16; bit += blockDim.x)
        prices.long_run[bit] = 1u << bit < BlockPrices::RUNS ? 0 : price_of_run(1u << bit);
    for (uint32_t code = threadIdx.x; code < zstd::OFFSET_SYMBOLS; code += blockDim.x)
        prices.offset[code] = static_cast<uint16_t>(counts.offset[code] + code * PRICE_OF_BIT);
    for (uint32_t length = threadIdx.x; length <= MOST_MATCH; length += blockDim.x) {
        const uint32_t symbol = zstd::match_length_symbol(max(length, LEAST_MATCH) - LEAST_MATCH);
        const uint32_t bits = counts.match[symbol] + zstd::value_bits(zstd::MATCH_LENGTHS, symbol) * PRICE_OF_BIT;
        prices.match[length] = static_cast<uint16_t>(length < LEAST_MATCH ? 0 : bits);
    }
}

/// Makes prices `number` by the paths of their chunks, which were parsed in groups of CHUNKS. All threads call.
template <uint32_t CHUNKS>
__device__ __forceinline__ void cta_price_paths(const ParseBatch& batch, uint32_t number, SymbolCounts& counts,
                                                BlockPrices& prices) {
    const ChunkRange own = chunks_of_prices(batch, number);
    cta_begin_counts(counts);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < own.count; i += blockDim.x)
        thread_count_path<CHUNKS>(batch, own.number(batch, i), own.chunk(batch, i), counts);
    __syncthreads();
    cta_make_prices(counts, prices);
}

}  // namespace warpcodec::plz
