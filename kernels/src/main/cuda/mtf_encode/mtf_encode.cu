// Entry points of the stage `mtf_encode`, and the constants that the Java side checks when it loads this module.
// Three kernels, one behind the other, with the same arguments.
#include "mtf_encode_lists.cuh"
#include "mtf_encode_replay.cuh"

using namespace warpcodec;
using namespace warpcodec::mtf_encode;

/// Where bytes occur last in each chunk, and its heads (mtf_encode_lists.cuh). First of three kernels.
///
/// column, entries, tile_blocks   device, of the transform (bwt_encode.cu), whose kernels are done
/// results                        device, block_count results
/// symbols                        device, tile_count * TILE_ROTATIONS + block_count elements
/// lasts, infos                   device, for each chunk BYTES elements and one; undefined before and after
///
/// A chunk a warp, any grid. Static shared memory: a MarkMemory.
extern "C" __global__ void __launch_bounds__(MtfPolicy::CTA_THREADS) mtf_encode_mark(const MtfBatch batch) {
    __shared__ MarkMemory s_memory;
    constexpr int WARPS = MtfPolicy::CTA_THREADS / WARP_LANES;
    const int warp = threadIdx.x / WARP_LANES, lane = threadIdx.x % WARP_LANES;
    for (uint32_t chunk = blockIdx.x * WARPS + warp; chunk < batch.tile_count * CHUNKS_PER_TILE;
         chunk += gridDim.x * WARPS) {
        warp_mark_chunk(batch, chunk, s_memory.last[warp], lane);
    }
}

/// The list in front of each chunk, and where its symbols go (mtf_encode_lists.cuh). A cta a block, any grid.
extern "C" __global__ void __launch_bounds__(MtfPolicy::SCAN_CTA_THREADS) mtf_encode_scan(const MtfBatch batch) {
    __shared__ ScanMemory s_memory;
    for (uint32_t index = blockIdx.x; index < batch.block_count; index += gridDim.x) {
        const bwt_encode::Block block = load_column(batch, index);
        const uint32_t first_chunk = block.base / CHUNK_SYMBOLS,
                       chunks = (block.bytes + CHUNK_SYMBOLS - 1) / CHUNK_SYMBOLS;
        cta_scan_lasts(batch, first_chunk, chunks, s_memory);
        cta_scan_infos(batch, block, index, first_chunk, chunks, s_memory);
    }
}

/// The symbols (mtf_encode_replay.cuh). As mtf_encode_mark.
extern "C" __global__ void __launch_bounds__(MtfPolicy::CTA_THREADS) mtf_encode_replay(const MtfBatch batch) {
    __shared__ ReplayMemory s_memory;
    constexpr int WARPS = MtfPolicy::CTA_THREADS / WARP_LANES;
    const int warp = threadIdx.x / WARP_LANES, lane = threadIdx.x % WARP_LANES;
    for (uint32_t chunk = blockIdx.x * WARPS + warp; chunk < batch.tile_count * CHUNKS_PER_TILE;
         chunk += gridDim.x * WARPS) {
        warp_replay_chunk(batch, chunk, s_memory.last[warp], lane);
    }
}

extern "C" {
__device__ uint32_t mtf_encode_abi = ABI;
__device__ uint32_t mtf_encode_chunk_symbols = CHUNK_SYMBOLS;
__device__ uint32_t mtf_encode_cta_threads = MtfPolicy::CTA_THREADS;
__device__ uint32_t mtf_encode_scan_cta_threads = MtfPolicy::SCAN_CTA_THREADS;
__device__ uint32_t mtf_encode_info_bytes = sizeof(ChunkInfo);
__device__ uint32_t mtf_encode_result_bytes = sizeof(MtfResult);
__device__ uint32_t mtf_encode_batch_bytes = sizeof(MtfBatch);
__device__ uint32_t mtf_encode_batch_layout = MTF_BATCH_LAYOUT.hash();
}
