// Entry points of the format `zstd`, and the constants that the Java side checks when it loads this module.
//
// All kernels of the decoder take the same batch, in this order:
//
//   zstd_begin           the batch      which frames are sound, and where their blocks are numbered
//   zstd_read            blocks         literals, and sequences                  zstd_literals.cuh, zstd_sequences.cuh
//   zstd_join            frame          where blocks begin, and with which offsets               zstd_join.cuh
//   zstd_write           frame          bytes                                                    zstd_write.cuh
//
// or, where frames are few, instead of the last one:
//
//   zstd_find_sources    tile           where each byte comes from                               zstd_bytes.cuh
//   zstd_produce         tile           bytes
//
// The second column says what a cta, or a warp of it, works on. zstd_read goes through all of it, whatever its grid;
// the others have a grid for all.
//
//   input    device, 16-byte aligned, input_bytes bytes: a Record and its frame for each entry; of an aligned word that
//            holds a byte of a frame, any byte may be read
//   output   device, output_bytes bytes; frames' parts of it must not overlap
//   scratch  device, 256-byte aligned, scratch_bytes bytes of undefined contents; frames' stretches must not overlap,
//            and lie behind batch_scratch_bytes
//   entries  device, frame_count entries, 8-byte aligned, in the order of first_tile, which begins at 0
//   results  device, frame_count results, 8-byte aligned
//
// Whatever a record or a frame holds, no kernel reads or writes outside the buffers, and none waits for another.
#include "../common/batch.cuh"
#include "../common/residency.cuh"
#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "zstd_bytes.cuh"
#include "zstd_format.cuh"
#include "zstd_join.cuh"
#include "zstd_literals.cuh"
#include "zstd_policy.cuh"
#include "zstd_scratch.cuh"
#include "zstd_sequences.cuh"
#include "zstd_write.cuh"

using namespace warpcodec;
using namespace warpcodec::zstd;

namespace entry {

constexpr int BEGIN_CTA_THREADS = 1024;
constexpr int JOIN_CTA_THREADS = 32;

constexpr int READ_CTAS = resident_ctas(ReadPolicy::CTA_THREADS, ReadPolicy::CTAS_PER_MULTIPROCESSOR);

constexpr int WRITE_CTAS = resident_ctas(WritePolicy::CTA_THREADS, WritePolicy::CTAS_PER_MULTIPROCESSOR);

/// Shared memory of zstd_read.
struct ReadScratch {
    SequenceScratch sequences;
    TreeScratch tree;
};

/// Reads the literals of block `number`.
__device__ __forceinline__ void warp_read_block_literals(const DecodeBatch& batch, uint32_t number,
                                                         TreeScratch& scratch, int lane) {
    const BlockPlace place = thread_find_block(batch, number);
    const FrameView frame = view_frame(batch.entries[place.frame], batch);
    if (block_is_sound(frame.blocks[place.index], place.index, frame))
        warp_read_literals(frame, place.index, scratch, lane);
}

}  // namespace entry

using namespace entry;

/// One cta. Static shared memory: a word a warp.
extern "C" __global__ void __launch_bounds__(BEGIN_CTA_THREADS) zstd_begin(const DecodeBatch batch) {
    __shared__ uint32_t s_sums[BEGIN_CTA_THREADS / WARP_LANES];
    const int lane = threadIdx.x % WARP_LANES;
    const int warp = threadIdx.x / WARP_LANES;
    uint32_t before = 0;
    for (uint32_t first = 0; first < batch.frame_count; first += BEGIN_CTA_THREADS) {
        const uint32_t index = first + threadIdx.x;
        uint32_t blocks = 0;
        if (index < batch.frame_count) {
            const FrameEntry entry = batch.entries[index];
            const bool sound = frame_is_sound(entry, batch);
            if (sound) blocks = reinterpret_cast<const Record*>(batch.input + entry.input_offset)->block_count;
            batch.results[index] = BlockResult{sound ? STATUS_SOUND : STATUS_BAD_ENTRY, 0};
        }
        const uint32_t sum = warp_inclusive_sum(blocks, lane);
        if (lane == WARP_LANES - 1) s_sums[warp] = sum;
        __syncthreads();
        uint32_t place = before + sum - blocks;
        for (int other = 0; other < BEGIN_CTA_THREADS / WARP_LANES; ++other) {
            if (other < warp) place += s_sums[other];
            before += s_sums[other];
        }
        if (index < batch.frame_count) first_blocks(batch)[index] = place;
        __syncthreads();
    }
    if (threadIdx.x == 0) first_blocks(batch)[batch.frame_count] = before;
}

/// Any grid; where it has a cta for each block they are read side by side. Static shared memory: one ReadScratch.
extern "C" __global__ void __launch_bounds__(ReadPolicy::CTA_THREADS, READ_CTAS) zstd_read(const DecodeBatch batch) {
    __shared__ alignas(BlockScratch::BYTES) ReadScratch s_read;
    const uint32_t blocks = first_blocks(batch)[batch.frame_count];
    const uint32_t at_once = blocks <= gridDim.x ? 1 : ReadPolicy::BLOCKS;
    for (uint32_t first = blockIdx.x * at_once; first < blocks; first += gridDim.x * at_once) {
        const uint32_t count = min(at_once, blocks - first);
        if (threadIdx.x < SEQUENCE_THREADS) {
            warps_read_sequences(batch, first, static_cast<int>(count), s_read.sequences);
        } else {
            for (uint32_t number = first; number < first + count; ++number)
                warp_read_block_literals(batch, number, s_read.tree, threadIdx.x % WARP_LANES);
        }
        __syncthreads();
    }
}

/// A cta, one warp, for each frame. No shared memory.
extern "C" __global__ void __launch_bounds__(JOIN_CTA_THREADS) zstd_join(const DecodeBatch batch) {
    if (blockIdx.x >= batch.frame_count || batch.results[blockIdx.x].status != STATUS_SOUND) return;
    warp_join_blocks(batch, blockIdx.x, threadIdx.x);
}

/// A cta for each frame. Static shared memory: one WriteScratch.
extern "C" __global__ void __launch_bounds__(WritePolicy::CTA_THREADS, WRITE_CTAS)
    zstd_write(const __grid_constant__ DecodeBatch batch) {
    __shared__ WriteScratch s_write;
    if (blockIdx.x < batch.frame_count) cta_write_frame(batch, blockIdx.x, s_write);
}

/// A warp for each tile. Static shared memory: one TileScratch a warp.
extern "C" __global__ void __launch_bounds__(BytesPolicy::FIND_CTA_THREADS) zstd_find_sources(const DecodeBatch batch) {
    constexpr int WARPS = BytesPolicy::FIND_CTA_THREADS / WARP_LANES;
    __shared__ TileScratch s_tiles[WARPS];
    const uint32_t warp = threadIdx.x / WARP_LANES;
    const uint32_t number = blockIdx.x * WARPS + warp;
    if (number < batch.tile_count) warp_find_sources_of_tile(batch, number, s_tiles[warp], threadIdx.x % WARP_LANES);
}

/// A cta for each tile. No shared memory.
extern "C" __global__ void __launch_bounds__(BytesPolicy::PRODUCE_CTA_THREADS)
    zstd_produce(const __grid_constant__ DecodeBatch batch) {
    if (blockIdx.x < batch.tile_count) cta_produce_tile(batch, blockIdx.x);
}

extern "C" {
__device__ uint32_t zstd_abi = ABI;
__device__ uint32_t zstd_record_bytes = RECORD_BYTES;
__device__ uint32_t zstd_block_record_bytes = BLOCK_RECORD_BYTES;
__device__ uint32_t zstd_max_block_bytes = MAX_BLOCK_BYTES;
__device__ uint32_t zstd_max_output_bytes = MAX_OUTPUT_BYTES;
__device__ uint32_t zstd_max_history_bytes = MAX_HISTORY_BYTES;
__device__ uint32_t zstd_history_grain_bytes = SLAB_BYTES;
__device__ uint32_t zstd_segment_head_bytes = SEGMENT_HEAD_BYTES;
__device__ uint32_t zstd_spare_blocks = SPARE_BLOCKS;
__device__ uint32_t zstd_block_grain = BLOCK_GRAIN;
__device__ uint32_t zstd_frame_entry_bytes = sizeof(FrameEntry);
__device__ uint32_t zstd_block_result_bytes = sizeof(BlockResult);
__device__ uint32_t zstd_block_state_bytes = sizeof(BlockState);
__device__ uint32_t zstd_sequence_bytes = sizeof(Sequence);
__device__ uint32_t zstd_tile_bytes = BytesPolicy::TILE_BYTES;
__device__ uint32_t zstd_begin_cta_threads = BEGIN_CTA_THREADS;
__device__ uint32_t zstd_read_cta_threads = ReadPolicy::CTA_THREADS;
__device__ uint32_t zstd_join_cta_threads = JOIN_CTA_THREADS;
__device__ uint32_t zstd_write_cta_threads = WritePolicy::CTA_THREADS;
__device__ uint32_t zstd_least_write_frames = WritePolicy::LEAST_FRAMES;
__device__ uint32_t zstd_find_cta_threads = BytesPolicy::FIND_CTA_THREADS;
__device__ uint32_t zstd_produce_cta_threads = BytesPolicy::PRODUCE_CTA_THREADS;
__device__ uint32_t zstd_decode_batch_bytes = sizeof(DecodeBatch);
__device__ uint32_t zstd_decode_batch_layout = DECODE_BATCH_LAYOUT.hash();
}

WARPCODEC_EXPORT_STATUSES(zstd)
