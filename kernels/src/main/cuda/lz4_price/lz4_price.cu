// Entry points of the word `lz4_price`, and the constants that the Java side checks when it loads this module.
//
// All kernels take the same batch, in this order; `suffixarray` is a module of its own:
//
//   lz4_price_gather    a cta a unit            text and tables          lz4_price_gather.cuh
//     suffixarray, from order_entries and text to order
//   lz4_price_near      a cta a unit            neighbours of a place    lz4_price_near.cuh
//   lz4_price_measure   a thread a place        matches                  lz4_price_measure.cuh
//   lz4_price_parse     a thread CHUNK_BYTES    steps                    lz4_price_parse.cuh
//   lz4_price_write     a cta a block           LZ4 blocks               lz4_price_write.cuh
//
//   input     device, input_bytes bytes; of an aligned word that holds a byte of a block, any byte may be read
//   output    device, output_bytes bytes; blocks' parts of it must not overlap
//   entries   device, block_count entries, 8-byte aligned, in the order of first_unit; units of two blocks differ
//   results   device, block_count results, 8-byte aligned
//   all that follow in PriceBatch are scratch with undefined contents, 256-byte aligned
//
// Kernels whose grid is units or blocks return where there is none of that number.
#include "../common/status.cuh"
#include "lz4_price_gather.cuh"
#include "lz4_price_measure.cuh"
#include "lz4_price_near.cuh"
#include "lz4_price_parse.cuh"
#include "lz4_price_write.cuh"

using namespace warpcodec;
using namespace warpcodec::lz4_price;

namespace entry {

template <typename Memory>
__device__ __forceinline__ Memory& cta_memory() {
    extern __shared__ uint4 s_memory[];
    return *reinterpret_cast<Memory*>(s_memory);
}

}  // namespace entry

using namespace entry;

/// Any grid of a cta a unit at least. No shared memory.
extern "C" __global__ void __launch_bounds__(GATHER_THREADS)
    lz4_price_gather(const __grid_constant__ PriceBatch batch) {
    cta_lay_out(batch);
}

/// Dynamic shared memory: lz4_price_near_shared_bytes.
extern "C" __global__ void __launch_bounds__(NEAR_THREADS) lz4_price_near(const __grid_constant__ PriceBatch batch) {
    if (blockIdx.x < batch.unit_count) cta_find_near(batch, blockIdx.x, cta_memory<NearMemory>());
}

/// A thread a place of all units. No shared memory, no barrier.
extern "C" __global__ void __launch_bounds__(MEASURE_THREADS)
    lz4_price_measure(const __grid_constant__ PriceBatch batch) {
    const uint32_t at = blockIdx.x * MEASURE_THREADS + threadIdx.x;
    if (at / UNIT_BYTES < batch.unit_count) warp_measure(batch, at);
}

/// A thread a chunk of all units. Dynamic shared memory: lz4_price_parse_shared_bytes. No barrier.
extern "C" __global__ void __launch_bounds__(PARSE_THREADS) lz4_price_parse(const __grid_constant__ PriceBatch batch) {
    if (blockIdx.x / (UNIT_BYTES / CTA_PLACES) < batch.unit_count)
        thread_parse_chunk(batch, blockIdx.x * PARSE_THREADS + threadIdx.x, cta_memory<ParseMemory>());
}

/// A cta a block. Static shared memory: a WriteMemory, 33 KB.
extern "C" __global__ void __launch_bounds__(WRITE_THREADS) lz4_price_write(const __grid_constant__ PriceBatch batch) {
    __shared__ WriteMemory s_memory;
    if (blockIdx.x < batch.block_count) cta_write_block(batch, blockIdx.x, s_memory);
}

extern "C" {
__device__ uint32_t lz4_price_abi = lz4_price::ABI;
__device__ uint32_t lz4_price_max_raw_bytes = MAX_RAW_BYTES;
__device__ uint32_t lz4_price_max_encoded_bytes = MAX_ENCODED_BYTES;
__device__ uint32_t lz4_price_unit_bytes = UNIT_BYTES;
__device__ uint32_t lz4_price_text_slack_bytes = TEXT_SLACK;
__device__ uint32_t lz4_price_frame_bytes = sizeof(FrameRange);
__device__ uint32_t lz4_price_order_entry_bytes = sizeof(bwt_encode::BwtEntry);
__device__ uint32_t lz4_price_entry_bytes = sizeof(PriceEntry);
__device__ uint32_t lz4_price_result_bytes = sizeof(BlockResult);
__device__ uint32_t lz4_price_cta_places = CTA_PLACES;
__device__ uint32_t lz4_price_gather_cta_threads = GATHER_THREADS;
__device__ uint32_t lz4_price_near_cta_threads = NEAR_THREADS;
__device__ uint32_t lz4_price_measure_cta_threads = MEASURE_THREADS;
__device__ uint32_t lz4_price_parse_cta_threads = PARSE_THREADS;
__device__ uint32_t lz4_price_write_cta_threads = WRITE_THREADS;
__device__ uint32_t lz4_price_near_shared_bytes = sizeof(NearMemory);
__device__ uint32_t lz4_price_parse_shared_bytes = sizeof(ParseMemory);
__device__ uint32_t lz4_price_batch_bytes = sizeof(PriceBatch);
__device__ uint32_t lz4_price_batch_layout = PRICE_BATCH_LAYOUT.hash();
}

WARPCODEC_EXPORT_STATUSES(lz4_price)
