// The list at the front of each chunk, and where its symbols go.
//
// A byte's place in the list is the number of bytes that have occurred since it did. So the list is no more than
// where each byte occurred last, and the list in front of a chunk the maximum over all chunks before, byte by byte: a
// scan without branches, where Patel's (2012) joins ordered lists. Bytes that have not occurred stand in the order of
// their values, as if byte c had occurred at -1 - c; those that never do are before all.
//
// Zeros are the bytes equal to the one before. In front of a block one must think its smallest byte, the list's
// first. A run of zeros becomes digits in front of the head that ends it, so the number of symbols of a chunk depends
// on the last head before it: the second scan.
#pragma once

#include "../common/warp.cuh"
#include "mtf_encode_format.cuh"

namespace warpcodec::mtf_encode {

struct MarkMemory {
    int32_t last[MtfPolicy::CTA_THREADS / WARP_LANES][BYTES];
};

/// The chunk of each warp: where bytes occurred last in it, and its heads. A block's first byte is no head here.
__device__ __forceinline__ void warp_mark_chunk(const MtfBatch& batch, uint32_t chunk, int32_t* last, int lane) {
    const bwt_encode::Block block = load_column(batch, batch.tile_blocks[chunk / CHUNKS_PER_TILE]);
    const uint32_t begin = chunk * CHUNK_SYMBOLS - block.base;
    const uint32_t limit = min(block.bytes, begin + CHUNK_SYMBOLS);
    for (int byte = lane; byte < BYTES; byte += WARP_LANES) last[byte] = -1;
    __syncwarp();
    ChunkInfo info{-1, -1, 0, 0};
    uint32_t symbols = 0;
    for (uint32_t window = begin; window < limit; window += WARP_LANES) {
        const uint32_t at = window + lane;
        const bool there = at < limit;
        const uint32_t byte = there ? block.text[at] : 0;
        uint32_t before = __shfl_up_sync(ALL_LANES, byte, 1);
        if (lane == 0 && window > 0) before = block.text[window - 1];
        const bool head = there && at > 0 && byte != before;
        const uint32_t heads = __ballot_sync(ALL_LANES, head);
        if (there) atomicMax(&last[byte], static_cast<int32_t>(at));
        if (heads == 0) continue;
        const uint32_t lower = heads & ((1u << lane) - 1);
        const int32_t head_before =
            lower != 0 ? static_cast<int32_t>(window) + 31 - __clz(static_cast<int>(lower)) : info.last_head;
        if (head && head_before >= 0) symbols += 1 + run_digits(at - head_before - 1);
        if (info.first_head < 0) info.first_head = static_cast<int32_t>(window) + __ffs(static_cast<int>(heads)) - 1;
        info.last_head = static_cast<int32_t>(window) + 31 - __clz(static_cast<int>(heads));
    }
    info.symbols = __shfl_sync(ALL_LANES, warp_inclusive_sum(symbols, lane), WARP_LANES - 1);
    __syncwarp();
    for (int byte = lane; byte < BYTES; byte += WARP_LANES) batch.lasts[uint64_t{chunk} * BYTES + byte] = last[byte];
    if (lane == 0) batch.infos[chunk] = info;
    __syncwarp();
}

struct ScanMemory {
    uint32_t used_bits[BYTES / 32];
    int32_t warp_heads[WARP_LANES];
    uint32_t warp_symbols[WARP_LANES];
};

/// Where each byte occurred last before each chunk of a block, for chunks without bytes too. A thread a byte.
__device__ __forceinline__ void cta_scan_lasts(const MtfBatch& batch, uint32_t first_chunk, uint32_t chunks,
                                               ScanMemory& memory) {
    constexpr int DEPTH = MtfPolicy::CHUNKS_IN_FLIGHT;
    const int byte = threadIdx.x, lane = threadIdx.x % WARP_LANES;
    int32_t* column = batch.lasts + uint64_t{first_chunk} * BYTES + byte;
    int32_t latest = -1;
#pragma unroll DEPTH
    for (uint32_t chunk = 0; chunk < chunks; ++chunk) latest = max(latest, column[uint64_t{chunk} * BYTES]);
    const uint32_t used = __ballot_sync(ALL_LANES, latest >= 0);
    if (lane == 0) memory.used_bits[byte / 32] = used;
    int32_t before = latest >= 0 ? -1 - byte : INT32_MIN;
    for (uint32_t chunk = 0; chunk < chunks; chunk += DEPTH) {
        int32_t lasts[DEPTH];
#pragma unroll
        for (int i = 0; i < DEPTH; ++i) lasts[i] = chunk + i < chunks ? column[uint64_t{chunk + i} * BYTES] : -1;
#pragma unroll
        for (int i = 0; i < DEPTH; ++i) {
            if (chunk + i < chunks) column[uint64_t{chunk + i} * BYTES] = before;
            if (lasts[i] >= 0) before = lasts[i];
        }
    }
    __syncthreads();
}

/// Symbols of a chunk, its first head's zeros counted from `head_before`.
__device__ __forceinline__ uint32_t chunk_symbols(const ChunkInfo& info, int32_t head_before) {
    return info.first_head < 0 ? 0 : info.symbols + 1 + run_digits(info.first_head - head_before - 1);
}

/// Where each chunk's symbols go, and how many the block has: a thread takes neighbouring chunks.
__device__ __forceinline__ void cta_scan_infos(const MtfBatch& batch, const bwt_encode::Block& block,
                                               uint32_t block_index, uint32_t first_chunk, uint32_t chunks,
                                               ScanMemory& memory) {
    constexpr int THREADS = MtfPolicy::SCAN_CTA_THREADS, WARPS = THREADS / WARP_LANES;
    const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    int in_use = 0, smallest = BYTES;
    for (int word = BYTES / 32 - 1; word >= 0; --word) {
        const uint32_t bits = memory.used_bits[word];
        in_use += __popc(bits);
        if (bits != 0) smallest = 32 * word + __ffs(static_cast<int>(bits)) - 1;
    }
    const bool starts_with_head = block.bytes > 0 && block.text[0] != smallest;
    const uint32_t each = (chunks + THREADS - 1) / THREADS;
    const uint32_t begin = min(chunks, threadIdx.x * each), limit = min(chunks, begin + each);
    int32_t head = starts_with_head ? 0 : -1;
    for (uint32_t chunk = begin; chunk < limit; ++chunk) head = max(head, batch.infos[first_chunk + chunk].last_head);
#pragma unroll
    for (int distance = 1; distance < WARP_LANES; distance *= 2) {
        const int32_t other = __shfl_up_sync(ALL_LANES, head, distance);
        if (lane >= distance) head = max(head, other);
    }
    if (lane == WARP_LANES - 1) memory.warp_heads[warp] = head;
    int32_t head_before = __shfl_up_sync(ALL_LANES, head, 1);
    if (lane == 0) head_before = starts_with_head ? 0 : -1;
    __syncthreads();
    for (int other = 0; other < warp; ++other) head_before = max(head_before, memory.warp_heads[other]);
    int32_t block_head = -1;
    for (int other = 0; other < WARPS; ++other) block_head = max(block_head, memory.warp_heads[other]);
    uint32_t symbols = 0;
    int32_t walk = head_before;
    for (uint32_t chunk = begin; chunk < limit; ++chunk) {
        const ChunkInfo info = batch.infos[first_chunk + chunk];
        symbols += chunk_symbols(info, walk);
        walk = max(walk, info.last_head);
    }
    const uint32_t inclusive = warp_inclusive_sum(symbols, lane);
    if (lane == WARP_LANES - 1) memory.warp_symbols[warp] = inclusive;
    __syncthreads();
    uint32_t before = inclusive - symbols + (starts_with_head ? 1 : 0), all = starts_with_head ? 1 : 0;
    for (int other = 0; other < WARPS; ++other) {
        before += other < warp ? memory.warp_symbols[other] : 0;
        all += memory.warp_symbols[other];
    }
    walk = head_before;
    for (uint32_t chunk = begin; chunk < limit; ++chunk) {
        ChunkInfo info = batch.infos[first_chunk + chunk];
        const uint32_t own = chunk_symbols(info, walk);
        info.symbols = before;
        info.head_before = walk;
        batch.infos[first_chunk + chunk] = info;
        before += own;
        walk = max(walk, info.last_head);
    }
    if (threadIdx.x == 0) {
        MtfResult& result = batch.results[block_index];
        const uint32_t last_zeros = block.bytes - 1 - block_head;
        result.symbol_count = block.bytes == 0 ? 0 : all + run_digits(last_zeros) + 1;
        result.bytes_in_use = in_use;
        result.starts_with_head = starts_with_head;
        result.unused = 0;
    }
    if (threadIdx.x < BYTES / 32) batch.results[block_index].used_bits[threadIdx.x] = memory.used_bits[threadIdx.x];
    __syncthreads();
}

}  // namespace warpcodec::mtf_encode
