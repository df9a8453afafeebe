// Entry points of the word `deflate_encode`, and the constants that the Java side checks when it loads this module.
#include "../common/batch.cuh"
#include "../common/status.cuh"
#include "deflate_encode_best_find.cuh"
#include "deflate_encode_best_parse.cuh"
#include "deflate_encode_best_steps.cuh"
#include "deflate_encode_join.cuh"
#include "deflate_encode_write.cuh"

using namespace warpcodec;
using namespace warpcodec::deflate_encode;

namespace entry {

template <typename Memory>
__device__ __forceinline__ Memory& cta_memory() {
    extern __shared__ uint4 s_memory[];
    return *reinterpret_cast<Memory*>(s_memory);
}

}  // namespace entry

using namespace entry;

/// Encodes the blocks of raw ranges (deflate_encode_write.cuh), one earlier place tried for each place; first of two
/// kernels.
///
///   input    device, input_bytes bytes; of an aligned word that holds a byte of a range, any byte may be read
///   output   device, output_bytes bytes; the ranges' output slots must not overlap
///   entries  device, range_count entries, 8-byte aligned, in the order of first_unit
///   results  device, range_count results, 8-byte aligned
///   records  device, unit_count records, 8-byte aligned; records, slots and tokens are scratch of undefined contents
///   slots    device, slots_bytes bytes, 4-byte aligned: for each range its bytes, rounded up to 4, and
///            SLOT_SLACK_BYTES for each block
///   tokens   device, slots_bytes elements of 16 bits, 8-byte aligned
///   depth    1
///
/// Any grid. Dynamic shared memory: deflate_encode_fast_shared_bytes.
extern "C" __global__ void __launch_bounds__(FastPolicy::CTA_THREADS, FastPolicy::CTAS_PER_MULTIPROCESSOR)
    deflate_encode_blocks_fast(const EncodeBatch batch) {
    cta_encode_units(batch, static_cast<int>(batch.depth), cta_memory<EncodeMemory<FastPolicy>>());
}

/// As deflate_encode_blocks_fast, but up to `depth` earlier places are tried. Dynamic shared memory:
/// deflate_encode_deep_shared_bytes.
extern "C" __global__ void __launch_bounds__(DeepPolicy::CTA_THREADS, DeepPolicy::CTAS_PER_MULTIPROCESSOR)
    deflate_encode_blocks_deep(const EncodeBatch batch) {
    cta_encode_units(batch, static_cast<int>(batch.depth), cta_memory<EncodeMemory<DeepPolicy>>());
}

/// The level by price: instead of deflate_encode_blocks_fast, and before deflate_encode_join
///
///   deflate_encode_best_find    any grid      matches and first prices   deflate_encode_best_find.cuh
///   deflate_encode_best_parse   a cta a unit  steps                      deflate_encode_best_parse.cuh
///     deflate_encode_best_price and deflate_encode_best_parse, deflate_encode_best_passes - 1 times
///   deflate_encode_best_write   a cta a unit  bits                       deflate_encode_best_steps.cuh
///
/// The arguments are those of EncodeBatch as there, and
///
///   matches  device, slots_bytes elements, 16-byte aligned; all three are scratch of undefined contents
///   steps    device, slots_bytes elements of 32 bits, 4-byte aligned
///   prices   device, unit_count elements, 16-byte aligned
///
/// Dynamic shared memory: of the first deflate_encode_best_shared_bytes, of the parse none, of the others
/// deflate_encode_step_shared_bytes.
extern "C" __global__ void __launch_bounds__(BestPolicy::CTA_THREADS, BestPolicy::CTAS_PER_MULTIPROCESSOR)
    deflate_encode_best_find(const BestBatch batch) {
    cta_find_units(batch, cta_memory<EncodeMemory<BestPolicy>>());
}

extern "C" __global__ void __launch_bounds__(BestShape::PARSE_THREADS)
    deflate_encode_best_parse(const BestBatch batch) {
    __shared__ BestParseMemory s_memory;
    if (blockIdx.x < batch.batch.unit_count) cta_parse_unit(batch, blockIdx.x, s_memory);
}

extern "C" __global__ void __launch_bounds__(StepPolicy::CTA_THREADS, StepPolicy::CTAS_PER_MULTIPROCESSOR)
    deflate_encode_best_price(const BestBatch batch) {
    if (blockIdx.x < batch.batch.unit_count) cta_price_unit(batch, blockIdx.x, cta_memory<StepMemory<StepPolicy>>());
}

extern "C" __global__ void __launch_bounds__(StepPolicy::CTA_THREADS, StepPolicy::CTAS_PER_MULTIPROCESSOR)
    deflate_encode_best_write(const BestBatch batch) {
    if (blockIdx.x < batch.batch.unit_count) cta_write_unit(batch, blockIdx.x, cta_memory<StepMemory<StepPolicy>>());
}

/// Lays the blocks of each range behind each other as one DEFLATE stream (deflate_encode_join.cuh); the last
/// kernel, with the same arguments. One cta a unit. No shared memory, no barrier.
extern "C" __global__ void __launch_bounds__(JoinPolicy::CTA_THREADS) deflate_encode_join(const EncodeBatch batch) {
    if (blockIdx.x >= batch.unit_count) return;
    cta_join_unit(batch, blockIdx.x);
}

extern "C" {
__device__ uint32_t deflate_encode_abi = ABI;
__device__ uint32_t deflate_encode_max_input_bytes = MAX_RAW_BYTES;
__device__ uint32_t deflate_encode_max_output_bytes = MAX_ENCODED_BYTES;
__device__ uint32_t deflate_encode_block_bytes = BLOCK_BYTES;
__device__ uint32_t deflate_encode_block_overhead_bytes = BLOCK_OVERHEAD_BYTES;
__device__ uint32_t deflate_encode_flush_bytes = FLUSH_BYTES;
__device__ uint32_t deflate_encode_window_bytes = WINDOW_BYTES;
__device__ uint32_t deflate_encode_entry_bytes = sizeof(EncodeEntry);
__device__ uint32_t deflate_encode_result_bytes = sizeof(BlockResult);
__device__ uint32_t deflate_encode_record_bytes = sizeof(BlockRecord);
__device__ uint32_t deflate_encode_slot_slack_bytes = SLOT_SLACK_BYTES;
__device__ uint32_t deflate_encode_fast_cta_threads = FastPolicy::CTA_THREADS;
__device__ uint32_t deflate_encode_deep_cta_threads = DeepPolicy::CTA_THREADS;
__device__ uint32_t deflate_encode_join_cta_threads = JoinPolicy::CTA_THREADS;
__device__ uint32_t deflate_encode_fast_shared_bytes = sizeof(EncodeMemory<FastPolicy>);
__device__ uint32_t deflate_encode_deep_shared_bytes = sizeof(EncodeMemory<DeepPolicy>);
__device__ uint32_t deflate_encode_best_cta_threads = BestPolicy::CTA_THREADS;
__device__ uint32_t deflate_encode_parse_cta_threads = BestShape::PARSE_THREADS;
__device__ uint32_t deflate_encode_step_cta_threads = StepPolicy::CTA_THREADS;
__device__ uint32_t deflate_encode_best_shared_bytes = sizeof(EncodeMemory<BestPolicy>);
__device__ uint32_t deflate_encode_step_shared_bytes = sizeof(StepMemory<StepPolicy>);
__device__ uint32_t deflate_encode_best_passes = BestShape::PASSES;
__device__ uint32_t deflate_encode_place_matches_bytes = sizeof(PlaceMatches);
__device__ uint32_t deflate_encode_prices_bytes = sizeof(BlockPrices);
__device__ uint32_t deflate_encode_best_batch_bytes = sizeof(BestBatch);
__device__ uint32_t deflate_encode_best_batch_layout = BEST_BATCH_LAYOUT.hash();
__device__ uint32_t deflate_encode_batch_bytes = sizeof(EncodeBatch);
__device__ uint32_t deflate_encode_batch_layout = ENCODE_BATCH_LAYOUT.hash();
}

WARPCODEC_EXPORT_STATUSES(deflate_encode)
