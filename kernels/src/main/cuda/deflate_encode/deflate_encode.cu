// Entry points of the word `deflate_encode`, and the constants that the Java side checks when it loads this module.
#include "../common/batch.cuh"
#include "../common/status.cuh"
#include "deflate_encode_join.cuh"
#include "deflate_encode_write.cuh"

using namespace warpcodec;
using namespace warpcodec::deflate_encode;

namespace entry {

template <typename Policy>
__device__ __forceinline__ EncodeMemory<Policy>& cta_memory() {
    extern __shared__ uint4 s_memory[];
    return *reinterpret_cast<EncodeMemory<Policy>*>(s_memory);
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
    cta_encode_units(batch, static_cast<int>(batch.depth), cta_memory<FastPolicy>());
}

/// As deflate_encode_blocks_fast, but up to `depth` earlier places are tried. Dynamic shared memory:
/// deflate_encode_deep_shared_bytes.
extern "C" __global__ void __launch_bounds__(DeepPolicy::CTA_THREADS, DeepPolicy::CTAS_PER_MULTIPROCESSOR)
    deflate_encode_blocks_deep(const EncodeBatch batch) {
    cta_encode_units(batch, static_cast<int>(batch.depth), cta_memory<DeepPolicy>());
}

/// Lays the blocks of each range behind each other as one DEFLATE stream (deflate_encode_join.cuh); second of two
/// kernels, with the same arguments. One cta a unit. No shared memory, no barrier.
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
__device__ uint32_t deflate_encode_batch_bytes = sizeof(EncodeBatch);
__device__ uint32_t deflate_encode_batch_layout = ENCODE_BATCH_LAYOUT.hash();
}

WARPCODEC_EXPORT_STATUSES(deflate_encode)
