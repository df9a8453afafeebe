// The first run-length coding, and the CRC of the raw bytes.
//
// A byte's place in its run says what it becomes: one of the first four becomes itself, any other nothing. The last
// byte of a run of four or more is followed by how many more there were. Runs of more than 255 are cut. So each byte
// needs where its run begins: within a tile by a scan, before it from what earlier tiles are marked with.
//
// Four kernels: tiles are marked with the last run that begins in them; tiles count what they become; a cta a chunk
// adds up, and writes the transform's entry; tiles write. A byte becomes at most 1.25. What does not fit in a block is
// not written, and the chunk is the host's. Raw bytes may be many more than their text, so each of both has its tiles.
#pragma once

#include "../common/warp.cuh"
#include "../sort/sort_scan.cuh"
#include "bzip2_encode_crc.cuh"

namespace warpcodec::bzip2_encode {

struct RunsMemory {
    uint8_t raw[TILE_BYTES + 4];  ///< from one before the tile to one behind
    uint8_t text[TILE_BYTES / 4 * 5 + 8];
    uint32_t crc_table[256];
    uint32_t warp_sums[WARP_LANES];
    int32_t warp_starts[WARP_LANES];
    int32_t run_start;  ///< of the run that the tile's first byte belongs to
    uint32_t crc;
};

struct RunsTile {
    const uint8_t* raw;  ///< of the chunk
    const RawTile* before;  ///< tiles of the chunk in front of this one
    uint32_t raw_bytes;
    uint32_t begin;
    uint32_t count;
};

/// Loads a tile, and finds where the run of its first byte begins. Valid for the cta. The tile that it begins in is the
/// last one before with a run of its own: all tiles between have one value.
__device__ __forceinline__ void cta_load_runs(const RunsTile& tile, RunsMemory& memory) {
    for (uint32_t at = threadIdx.x; at < tile.count + 2; at += RunsPolicy::CTA_THREADS) {
        const uint32_t position = tile.begin + at - 1;  // may be in front of the first
        memory.raw[at] = position < tile.raw_bytes ? tile.raw[position] : 0;
    }
    if (threadIdx.x == 0) memory.run_start = 0;
    __syncthreads();
    const uint32_t value = memory.raw[1];
    if (tile.begin == 0 || memory.raw[0] != value) {
        if (threadIdx.x == 0) memory.run_start = static_cast<int32_t>(tile.begin);
        __syncthreads();
        return;
    }
    for (uint32_t limit = tile.begin / TILE_BYTES; limit > 0;) {
        const uint32_t from = limit > RunsPolicy::CTA_THREADS ? limit - RunsPolicy::CTA_THREADS : 0;
        const uint32_t own = from + threadIdx.x;
        const uint32_t start = own < limit ? tile.before[own].last_start : NO_START;
        if (start != NO_START) atomicMax(&memory.run_start, static_cast<int32_t>(start));
        if (__syncthreads_or(start != NO_START)) return;
        limit = from;
    }
}

/// Calls take(value) for each byte of text that this thread's bytes become, in order.
template <typename Take>
__device__ __forceinline__ void thread_shorten(const RunsTile& tile, const RunsMemory& memory, uint32_t run_start,
                                               Take take) {
    const uint32_t first = threadIdx.x * RunsPolicy::BYTES_PER_THREAD;
    uint32_t in_run = (tile.begin + first - run_start) % MAX_RUN;
#pragma unroll
    for (uint32_t i = 0; i < RunsPolicy::BYTES_PER_THREAD; ++i) {
        const uint32_t at = first + i;
        if (at >= tile.count) break;
        const uint32_t value = memory.raw[at + 1];
        if (i > 0 && value != memory.raw[at]) in_run = 0;
        const bool ends = in_run == MAX_RUN - 1 || tile.begin + at + 1 == tile.raw_bytes || memory.raw[at + 2] != value;
        if (in_run < RUN_BYTES) take(value);
        if (ends && in_run >= RUN_BYTES - 1) take(in_run - (RUN_BYTES - 1));
        in_run = ends ? 0 : in_run + 1;
    }
}

/// Where the run begins of which this thread's first byte is part. Two barriers.
__device__ __forceinline__ uint32_t cta_find_run_starts(const RunsTile& tile, RunsMemory& memory) {
    const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    const uint32_t first = threadIdx.x * RunsPolicy::BYTES_PER_THREAD;
    int32_t last_start = -1;
#pragma unroll
    for (uint32_t i = 0; i < RunsPolicy::BYTES_PER_THREAD; ++i) {
        const uint32_t at = first + i;
        if (at < tile.count && at > 0 && memory.raw[at + 1] != memory.raw[at])
            last_start = static_cast<int32_t>(tile.begin + at);
    }
    int32_t inclusive = last_start;
#pragma unroll
    for (int distance = 1; distance < WARP_LANES; distance *= 2) {
        const int32_t other = __shfl_up_sync(ALL_LANES, inclusive, distance);
        if (lane >= distance) inclusive = max(inclusive, other);
    }
    if (lane == WARP_LANES - 1) memory.warp_starts[warp] = inclusive;
    int32_t start = __shfl_up_sync(ALL_LANES, inclusive, 1);
    if (lane == 0) start = -1;
    start = max(start, memory.run_start);
    __syncthreads();
    for (int other = 0; other < warp; ++other) start = max(start, memory.warp_starts[other]);
    __syncthreads();
    const bool starts_here = first < tile.count && first > 0 && memory.raw[first + 1] != memory.raw[first];
    return starts_here ? tile.begin + first : static_cast<uint32_t>(start);
}

/// The CRC of a tile, in memory.crc.
__device__ __forceinline__ void cta_tile_crc(const RunsTile& tile, uint32_t factor, RunsMemory& memory) {
    const int lane = threadIdx.x % WARP_LANES;
    const uint32_t pad = TILE_BYTES - tile.count;
    uint32_t crc = 0;
#pragma unroll
    for (uint32_t i = 0; i < RunsPolicy::BYTES_PER_THREAD; ++i) {
        const uint32_t at = threadIdx.x * RunsPolicy::BYTES_PER_THREAD + i;
        if (at < pad) continue;
        crc = crc << 8 ^ memory.crc_table[crc >> 24 ^ memory.raw[at - pad + 1]];
    }
    crc = crc_multiply(crc, factor);
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) crc ^= __shfl_xor_sync(ALL_LANES, crc, distance);
    if (lane == 0) atomicXor(&memory.crc, crc);
}

__device__ __forceinline__ RunsTile tile_of(const EncodeBatch& batch, const Chunk& chunk, uint32_t index) {
    const uint32_t begin = (index - chunk.first_raw_tile) * TILE_BYTES;
    const RawTile* before = batch.raw_tiles + chunk.first_raw_tile;
    if (begin >= chunk.raw_bytes) return RunsTile{chunk.raw, before, chunk.raw_bytes, begin, 0};
    const uint32_t rest = chunk.raw_bytes - begin;
    return RunsTile{chunk.raw, before, chunk.raw_bytes, begin, rest < TILE_BYTES ? rest : TILE_BYTES};
}

/// The chunk that a raw tile belongs to: the last one whose first tile is not behind it.
__device__ __forceinline__ uint32_t chunk_of_tile(const EncodeBatch& batch, uint32_t index) {
    uint32_t low = 0, high = batch.chunk_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (batch.entries[middle].first_raw_tile <= index) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/// Where the last run begins that begins in a tile, from the chunk's first byte. A tile whose last run ends with it
/// says where it begins itself: no run of a later tile reaches back to it.
__device__ __forceinline__ uint32_t cta_last_start(const RunsTile& tile, RunsMemory& memory) {
    const uint32_t limit = tile.begin + tile.count;
    if (limit == tile.raw_bytes || tile.raw[limit] != tile.raw[limit - 1]) return tile.begin;
    if (threadIdx.x == 0) memory.run_start = -1;
    __syncthreads();
    int32_t start = -1;
    for (uint32_t at = tile.begin + threadIdx.x; at < limit; at += RunsPolicy::CTA_THREADS) {
        if (at == 0 || tile.raw[at] != tile.raw[at - 1]) start = static_cast<int32_t>(at);
    }
    if (start >= 0) atomicMax(&memory.run_start, start);
    __syncthreads();
    const uint32_t last = memory.run_start >= 0 ? static_cast<uint32_t>(memory.run_start) : NO_START;
    __syncthreads();
    return last;
}

/// First kernel: each raw tile's chunk and its mark, and zeros in the output slots.
__device__ __forceinline__ void cta_begin_chunks(const EncodeBatch& batch, RunsMemory& memory) {
    for (uint32_t index = blockIdx.x; index < batch.chunk_count; index += gridDim.x) {
        const Chunk chunk = load_chunk(batch, index);
        for (uint32_t word = threadIdx.x; word < chunk.output_words; word += RunsPolicy::CTA_THREADS)
            chunk.output[word] = 0;
    }
    for (uint32_t index = blockIdx.x; index < batch.raw_tile_count; index += gridDim.x) {
        const uint32_t chunk = chunk_of_tile(batch, index);
        const RunsTile tile = tile_of(batch, load_chunk(batch, chunk), index);
        const uint32_t last_start = tile.count != 0 ? cta_last_start(tile, memory) : NO_START;
        if (threadIdx.x != 0) continue;
        batch.raw_tile_chunks[index] = chunk;
        batch.raw_tiles[index].last_start = last_start;
    }
}

/// Second kernel: what each tile becomes, and its CRC.
__device__ __forceinline__ void cta_count_runs(const EncodeBatch& batch, RunsMemory& memory) {
    memory.crc_table[threadIdx.x] = crc_of_byte(threadIdx.x);
    const uint32_t factor = crc_x_power(8 * RunsPolicy::BYTES_PER_THREAD * (RunsPolicy::CTA_THREADS - 1 - threadIdx.x));
    for (uint32_t index = blockIdx.x; index < batch.raw_tile_count; index += gridDim.x) {
        const RunsTile tile = tile_of(batch, load_chunk(batch, batch.raw_tile_chunks[index]), index);
        if (tile.count == 0) continue;
        if (threadIdx.x == 0) memory.crc = 0;
        cta_load_runs(tile, memory);
        cta_tile_crc(tile, factor, memory);
        const uint32_t run_start = cta_find_run_starts(tile, memory);
        uint32_t bytes = 0;
        thread_shorten(tile, memory, run_start, [&](uint32_t) { ++bytes; });
        const uint32_t before = sort::cta_exclusive_sum<RunsPolicy::CTA_THREADS>(bytes, memory.warp_sums);
        if (threadIdx.x == RunsPolicy::CTA_THREADS - 1) {
            batch.raw_tiles[index].crc = memory.crc;
            batch.raw_tiles[index].text_bytes = before + bytes;
        }
        __syncthreads();
    }
}

/// Third kernel: where each tile's text goes, the chunk's CRC, and the transform's entry. A cta a chunk.
__device__ __forceinline__ void cta_scan_runs(const EncodeBatch& batch, RunsMemory& memory) {
    for (uint32_t index = blockIdx.x; index < batch.chunk_count; index += gridDim.x) {
        const Chunk chunk = load_chunk(batch, index);
        if (threadIdx.x == 0) memory.crc = 0;
        __syncthreads();
        const uint32_t tiles = (chunk.raw_bytes + TILE_BYTES - 1) / TILE_BYTES;
        uint32_t all = 0, crc = 0;
        for (uint32_t first = 0; first < tiles; first += RunsPolicy::CTA_THREADS) {
            const uint32_t tile = first + threadIdx.x;
            const RawTile raw = tile < tiles ? batch.raw_tiles[chunk.first_raw_tile + tile] : RawTile{0, 0, 0};
            const uint32_t before = sort::cta_exclusive_sum<RunsPolicy::CTA_THREADS>(raw.text_bytes, memory.warp_sums);
            if (threadIdx.x == RunsPolicy::CTA_THREADS - 1)
                memory.warp_starts[0] = static_cast<int32_t>(before + raw.text_bytes);
            if (tile < tiles) {
                batch.raw_tiles[chunk.first_raw_tile + tile].text_bytes = all + before;
                const uint32_t behind = chunk.raw_bytes - min(chunk.raw_bytes, (tile + 1) * TILE_BYTES);
                crc ^= crc_multiply(raw.crc, crc_x_power(8 * behind));
            }
            __syncthreads();
            all += static_cast<uint32_t>(memory.warp_starts[0]);
            __syncthreads();
        }
        if (crc != 0) atomicXor(&memory.crc, crc);
        __syncthreads();
        if (threadIdx.x == 0) {
            const bool fits = all <= chunk.max_text_bytes;
            const uint32_t sum = memory.crc ^ crc_multiply(CRC_ONES, crc_x_power(8 * chunk.raw_bytes)) ^ CRC_ONES;
            const uint32_t status = !chunk.is_sound ? STATUS_BAD_ENTRY : fits ? STATUS_SOUND : STATUS_OUTPUT_EXCEEDED;
            batch.results[index] = EncodeResult{status, 0, sum, fits ? all : 0};
            batch.text_entries[index] =
                bwt_encode::BwtEntry{uint64_t{chunk.first_tile} * TILE_BYTES, fits ? all : 0, chunk.first_tile};
            if (index == 0) batch.text_entries[batch.chunk_count] = bwt_encode::BwtEntry{0, 0, batch.tile_count};
        }
        __syncthreads();
    }
}

/// Fourth kernel: the text.
__device__ __forceinline__ void cta_write_runs(const EncodeBatch& batch, RunsMemory& memory) {
    for (uint32_t index = blockIdx.x; index < batch.raw_tile_count; index += gridDim.x) {
        const uint32_t chunk_index = batch.raw_tile_chunks[index];
        const Chunk chunk = load_chunk(batch, chunk_index);
        const RunsTile tile = tile_of(batch, chunk, index);
        if (tile.count == 0 || batch.results[chunk_index].status != STATUS_SOUND) continue;
        cta_load_runs(tile, memory);
        const uint32_t run_start = cta_find_run_starts(tile, memory);
        uint32_t bytes = 0;
        thread_shorten(tile, memory, run_start, [&](uint32_t) { ++bytes; });
        uint32_t at = sort::cta_exclusive_sum<RunsPolicy::CTA_THREADS>(bytes, memory.warp_sums);
        if (threadIdx.x == RunsPolicy::CTA_THREADS - 1) memory.warp_starts[0] = static_cast<int32_t>(at + bytes);
        thread_shorten(tile, memory, run_start,
                       [&](uint32_t value) { memory.text[at++] = static_cast<uint8_t>(value); });
        __syncthreads();
        uint8_t* text = batch.text + uint64_t{chunk.first_tile} * TILE_BYTES + batch.raw_tiles[index].text_bytes;
        const uint32_t count = static_cast<uint32_t>(memory.warp_starts[0]);
        for (uint32_t i = threadIdx.x; i < count; i += RunsPolicy::CTA_THREADS) text[i] = memory.text[i];
        __syncthreads();
    }
}

}  // namespace warpcodec::bzip2_encode
