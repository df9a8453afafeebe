// What the order of frames' rotations has beside the kernels of bwt_encode: the symbols that frames use, sums over
// frames of thousands of tiles, and the order itself.
#pragma once

#include "../bwt_encode/bwt_encode_codes.cuh"
#include "../bwt_encode/bwt_encode_rank.cuh"
#include "../bwt_encode/bwt_encode_split.cuh"
#include "../sort/sort_scan.cuh"
#include "suffixarray_format.cuh"

namespace warpcodec::suffixarray {

/// Ctas that gather keys of large groups. By itself the compiler spills registers.
constexpr int GATHER_CTAS_PER_MULTIPROCESSOR = resident_ctas(sort::SortPolicy::CTA_THREADS, 6);

struct SymbolsMemory {
    uint8_t used[SYMBOLS];
};

/// The symbols that blocks use, of which none was known. A cta takes tiles in turn.
template <typename Shape>
__device__ __forceinline__ void cta_find_symbols(const BwtBatch& batch, SymbolsMemory& memory) {
    const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    for (uint32_t index = blockIdx.x; index < batch.tile_count; index += gridDim.x) {
        const Block block = load_block<Shape>(batch, batch.tile_blocks[index]);
        const uint32_t begin = index * TILE_ROTATIONS - block.base;
        if (begin >= block.bytes) continue;
        memory.used[threadIdx.x] = 0;
        __syncthreads();
        const UnalignedRows rows(block.text + begin, min(block.bytes - begin, TILE_ROTATIONS));
        for (uint32_t at = threadIdx.x * ROW_BYTES; at < rows.limit; at += SYMBOLS * ROW_BYTES)
            rows.load(at).for_each<false>([&](uint32_t byte) { memory.used[byte] = 1; });
        __syncthreads();
        const uint32_t bits = __ballot_sync(ALL_LANES, memory.used[threadIdx.x] != 0);
        uint32_t* known = known_symbols_of(batch, block) + warp;
        if (lane == 0 && (bits & ~__ldcg(known)) != 0) atomicOr(known, bits);
        __syncthreads();
    }
}

constexpr int SCAN_THREADS = 1024;
constexpr int SCAN_TILES_IN_FLIGHT = 16;

template <int DIGIT_BITS>
struct LongScanMemory {
    static constexpr int DIGITS = 1 << DIGIT_BITS;
    static constexpr int PARTS = SCAN_THREADS / DIGITS;
    static_assert(PARTS * DIGITS == SCAN_THREADS, "a thread for each digit of a part");
    uint32_t sums[PARTS][DIGITS];
    uint32_t smaller[DIGITS];  ///< keys of smaller digits
    uint32_t warp_sums[WARP_LANES];
};

/// Does what sort_scan.cuh does, for segments of thousands of tiles: several threads a digit, each with a part of them.
template <int DIGIT_BITS>
__device__ __forceinline__ void cta_scan_long_segments(const sort::SortBatch& batch,
                                                       LongScanMemory<DIGIT_BITS>& memory) {
    using Memory = LongScanMemory<DIGIT_BITS>;
    constexpr uint32_t DIGITS = Memory::DIGITS, PARTS = Memory::PARTS, DEPTH = SCAN_TILES_IN_FLIGHT;
    const uint32_t segment_count = sort::segment_count_of(batch);
    const uint32_t digit = threadIdx.x % DIGITS, part = threadIdx.x / DIGITS;
    for (uint32_t index = blockIdx.x; index < segment_count; index += gridDim.x) {
        const sort::Segment segment = sort::load_segment(batch, index);
        const uint32_t room = segment.first_tile < batch.tile_capacity ? batch.tile_capacity - segment.first_tile : 0;
        const uint32_t tiles = min((segment.count + sort::TILE_KEYS - 1) / sort::TILE_KEYS, room);
        const uint32_t each = (tiles + PARTS - 1) / PARTS;
        const uint32_t from = min(part * each, tiles), limit = min(from + each, tiles);
        uint32_t* column = batch.histograms + uint64_t{segment.first_tile} * DIGITS + digit;
        uint32_t sum = 0;
#pragma unroll DEPTH
        for (uint32_t tile = from; tile < limit; ++tile) sum += column[uint64_t{tile} * DIGITS];
        memory.sums[part][digit] = sum;
        __syncthreads();
        uint32_t all = 0, before = 0;
#pragma unroll
        for (uint32_t other = 0; other < PARTS; ++other) {
            const uint32_t of_part = memory.sums[other][digit];
            all += of_part;
            before += other < part ? of_part : 0;
        }
        const uint32_t smaller = sort::cta_exclusive_sum<SCAN_THREADS>(part == 0 ? all : 0, memory.warp_sums);
        if (part == 0) memory.smaller[digit] = smaller;
        __syncthreads();
        before += memory.smaller[digit];
        uint32_t tile = from;
        for (; tile + DEPTH <= limit; tile += DEPTH) {
            uint32_t counts[DEPTH];
#pragma unroll
            for (uint32_t i = 0; i < DEPTH; ++i) counts[i] = column[uint64_t{tile + i} * DIGITS];
#pragma unroll
            for (uint32_t i = 0; i < DEPTH; ++i) {
                column[uint64_t{tile + i} * DIGITS] = before;
                before += counts[i];
            }
        }
        for (; tile < limit; ++tile) {
            const uint32_t count = column[uint64_t{tile} * DIGITS];
            column[uint64_t{tile} * DIGITS] = before;
            before += count;
        }
    }
}

/// The order, when nothing is tied: in each rank the place in the frame. A frame's ranks begin in `order` where its
/// bytes do in the text. A cta takes tiles in turn.
template <typename Shape>
__device__ __forceinline__ void cta_write_order(const BwtBatch& batch, uint32_t* order) {
    for (uint32_t index = blockIdx.x; index < batch.tile_count; index += gridDim.x) {
        const Block block = load_block<Shape>(batch, batch.tile_blocks[index]);
        const uint32_t begin = index * TILE_ROTATIONS - block.base;
        uint32_t* ranks = order + (block.text - batch.text);
#pragma unroll 8
        for (uint32_t at = threadIdx.x; at < TILE_ROTATIONS; at += ColumnPolicy::CTA_THREADS) {
            const uint32_t rank = begin + at;
            if (rank < block.bytes)
                ranks[rank] = static_cast<uint32_t>(batch.keys_a[block.base + rank]) & Shape::POSITION_MASK;
        }
    }
}

}  // namespace warpcodec::suffixarray
