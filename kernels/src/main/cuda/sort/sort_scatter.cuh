// Third kernel of a pass: moves the keys of each tile to their places, those of one digit in the order in which they
// came.
//
// Within a tile a key's place counts the keys of smaller digits. It also counts keys of its digit: in warps before,
// in turns of its warp before, in lanes before. The last two counts a warp finds by itself, 32 keys a turn. Lanes
// with the same digit find each other by one ballot for each bit of it (match.any would take some 60 clocks). The
// count so far stands in shared memory, a row of digits for each warp. Then a thread takes up to two digits at a
// time: where each warp's keys begin, by the sums over warps and digits. The keys go to shared memory in their new
// order and from there to the segment. So neighbours with the same digit are written side by side: on average 64
// bytes of a digit with 512 digits, 256 with 128.
//
// A tile that is not full is filled up with keys of all ones behind its own. They have the highest digit and come
// last, so they stay at the end of the tile's order, where they are not written out. Reads 8 bytes a key and a word
// for each digit, writes 8 bytes a key. Six barriers a tile.
#pragma once

#include "sort_scan.cuh"

namespace warpcodec::sort {

template <int DIGIT_BITS>
struct ScatterMemory {
    static constexpr int DIGITS = 1 << DIGIT_BITS;
    static constexpr int WARPS = SortPolicy::CTA_THREADS / WARP_LANES;
    uint64_t keys[TILE_KEYS];  ///< in the order of the digit
    uint16_t counts[WARPS][DIGITS];  ///< keys of a warp so far; then where they begin in the tile's order
    uint32_t targets[DIGITS];  ///< what to add to a place in the tile's order, for the place in the array; modulo 2^32
    uint32_t warp_sums[WARP_LANES];
};
static_assert(TILE_KEYS < 1u << 16, "counts and places in a tile have 16 bits");

/// The lanes whose digit is this lane's.
template <int DIGIT_BITS>
__device__ __forceinline__ uint32_t warp_match_digit(uint32_t digit) {
    uint32_t peers = ALL_LANES;
#pragma unroll
    for (int bit = 0; bit < DIGIT_BITS; ++bit) {
        const bool set = (digit >> bit & 1) != 0;
        const uint32_t others = __ballot_sync(ALL_LANES, set);
        peers &= set ? others : ~others;
    }
    return peers;
}

/// Makes of the warps' counts the places where their keys begin, and of a tile's histogram the targets. All threads
/// call; the caller waits before and after.
template <int DIGIT_BITS>
__device__ __forceinline__ void cta_place_digits(ScatterMemory<DIGIT_BITS>& memory, const uint32_t* histogram,
                                                 uint32_t segment_begin) {
    using Memory = ScatterMemory<DIGIT_BITS>;
    constexpr int EACH = (Memory::DIGITS + SortPolicy::CTA_THREADS - 1) / SortPolicy::CTA_THREADS;
    const int first = static_cast<int>(threadIdx.x) * EACH;
    uint32_t all[EACH];
    uint32_t sum = 0;
#pragma unroll
    for (int i = 0; i < EACH; ++i) {
        all[i] = 0;
        if (first + i >= Memory::DIGITS) continue;
#pragma unroll
        for (int warp = 0; warp < Memory::WARPS; ++warp) {
            const uint32_t count = memory.counts[warp][first + i];
            memory.counts[warp][first + i] = static_cast<uint16_t>(all[i]);
            all[i] += count;
        }
        sum += all[i];
    }
    uint32_t before = cta_exclusive_sum<SortPolicy::CTA_THREADS>(sum, memory.warp_sums);
#pragma unroll
    for (int i = 0; i < EACH; ++i) {
        if (first + i >= Memory::DIGITS) continue;
#pragma unroll
        for (int warp = 0; warp < Memory::WARPS; ++warp)
            memory.counts[warp][first + i] += static_cast<uint16_t>(before);
        memory.targets[first + i] = segment_begin + histogram[first + i] - before;
        before += all[i];
    }
}

template <int DIGIT_BITS>
__device__ __forceinline__ void cta_scatter_tile(const SortBatch& batch, const Tile& tile, const uint32_t* histogram,
                                                 ScatterMemory<DIGIT_BITS>& memory) {
    using Memory = ScatterMemory<DIGIT_BITS>;
    constexpr int KEYS = SortPolicy::KEYS_PER_THREAD;
    const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    uint16_t* counts = memory.counts[warp];
    uint64_t keys[KEYS];
    const uint32_t first = warp * (KEYS * WARP_LANES) + lane;
#pragma unroll
    for (int i = 0; i < KEYS; ++i) {
        const uint32_t at = first + i * WARP_LANES;
        keys[i] = at < tile.count ? batch.keys[tile.begin + at] : ~uint64_t{0};
    }
    for (int digit = lane; digit < Memory::DIGITS; digit += WARP_LANES) counts[digit] = 0;
    __syncwarp();
    uint32_t places[KEYS / 2] = {};  ///< two in a word
#pragma unroll
    for (int i = 0; i < KEYS; ++i) {
        const uint32_t digit = digit_of<DIGIT_BITS>(keys[i], batch.shift);
        const uint32_t peers = warp_match_digit<DIGIT_BITS>(digit);
        const uint32_t lower = peers & ((1u << lane) - 1);
        const uint32_t before = counts[digit];
        __syncwarp();
        if (lower == 0) counts[digit] = static_cast<uint16_t>(before + __popc(peers));
        places[i / 2] |= (before + __popc(lower)) << (16 * (i % 2));
        __syncwarp();
    }
    __syncthreads();
    cta_place_digits(memory, histogram, tile.segment_begin);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < KEYS; ++i) {
        memory.keys[counts[digit_of<DIGIT_BITS>(keys[i], batch.shift)] + (places[i / 2] >> (16 * (i % 2)) & 0xFFFF)] =
            keys[i];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < KEYS; ++i) {
        const uint32_t at = i * SortPolicy::CTA_THREADS + threadIdx.x;
        if (at >= tile.count) continue;
        const uint64_t key = memory.keys[at];
        const uint32_t target = memory.targets[digit_of<DIGIT_BITS>(key, batch.shift)] + at;
        if (target < batch.key_count) batch.sorted_keys[target] = key;
    }
    __syncthreads();
}

template <int DIGIT_BITS>
__device__ __forceinline__ void cta_scatter_tiles(const SortBatch& batch, ScatterMemory<DIGIT_BITS>& memory) {
    const uint32_t tile_count = tile_count_of(batch);
    for (uint32_t index = blockIdx.x; index < tile_count; index += gridDim.x) {
        cta_scatter_tile(batch, load_tile(batch, index), batch.histograms + (uint64_t{index} << DIGIT_BITS), memory);
    }
}

}  // namespace warpcodec::sort
