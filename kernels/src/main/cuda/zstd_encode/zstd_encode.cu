// Entry points of the word `zstd_encode`, and the constants that the Java side checks when it loads this module.
//
// All kernels take the same batch, in this order:
//
//   zstd_encode_far              a cta a range    candidates of the whole range          zstd_encode_far.cuh
//   zstd_encode_blocks_fast, or
//   zstd_encode_blocks_default   any grid         matches and literals                   zstd_encode_parse.cuh
//   zstd_encode_codes            any grid         what each block becomes                zstd_encode_codes.cuh
//     or zstd_encode_codes_parts, which makes several blocks where records have borders
//   zstd_encode_join             a cta a unit     frames without their checksums         zstd_encode_join.cuh
//
//   input    device, input_bytes bytes; of an aligned word that holds a byte of a range, any byte may be read
//   output   device, output_bytes bytes; the ranges' output slots must not overlap
//   entries  device, range_count entries, 8-byte aligned, in the order of first_unit
//   results  device, range_count results, 8-byte aligned
//   records  device, unit_count records, 8-byte aligned; records and scratch have undefined contents
//   scratch  device, scratch_bytes bytes, 16-byte aligned: for each range range_scratch_bytes of its length
//
// Dynamic shared memory: the constant zstd_encode_*_shared_bytes of the kernel; zstd_encode_join has none.
#include "../common/batch.cuh"
#include "../common/residency.cuh"
#include "../common/status.cuh"
#include "zstd_encode_codes.cuh"
#include "zstd_encode_far.cuh"
#include "zstd_encode_join.cuh"
#include "zstd_encode_parse.cuh"

using namespace warpcodec;
using namespace warpcodec::zstd_encode;

namespace entry {

template <typename Memory>
__device__ __forceinline__ Memory& cta_memory() {
    extern __shared__ uint4 s_memory[];
    return *reinterpret_cast<Memory*>(s_memory);
}

constexpr int CODES_CTAS = resident_ctas(CodesPolicy::CTA_THREADS, CodesPolicy::CTAS_PER_MULTIPROCESSOR);

}  // namespace entry

using namespace entry;

extern "C" __global__ void __launch_bounds__(FarPolicy::CTA_THREADS) zstd_encode_far(const EncodeBatch batch) {
    if (blockIdx.x >= batch.range_count) return;
    const EncodeEntry& entry = batch.entries[blockIdx.x];
    if (range_is_sound(entry, batch)) cta_find_far(batch, entry, cta_memory<FarMemory>());
}

extern "C" __global__ void __launch_bounds__(FastPolicy::CTA_THREADS, FastPolicy::CTAS_PER_MULTIPROCESSOR)
    zstd_encode_blocks_fast(const EncodeBatch batch) {
    cta_find_units(batch, cta_memory<FindMemory<FastPolicy>>());
}

extern "C" __global__ void __launch_bounds__(DefaultPolicy::CTA_THREADS, DefaultPolicy::CTAS_PER_MULTIPROCESSOR)
    zstd_encode_blocks_default(const EncodeBatch batch) {
    cta_find_units(batch, cta_memory<FindMemory<DefaultPolicy>>());
}

extern "C" __global__ void __launch_bounds__(CodesPolicy::CTA_THREADS, CODES_CTAS)
    zstd_encode_codes(const EncodeBatch batch) {
    cta_code_units<false>(batch, cta_memory<CodesMemory>());
}

extern "C" __global__ void __launch_bounds__(CodesPolicy::CTA_THREADS, CODES_CTAS)
    zstd_encode_codes_parts(const EncodeBatch batch) {
    cta_code_units<true>(batch, cta_memory<CodesMemory>());
}

extern "C" __global__ void __launch_bounds__(JoinPolicy::CTA_THREADS) zstd_encode_join(const EncodeBatch batch) {
    if (blockIdx.x < batch.unit_count) cta_join_unit(batch, blockIdx.x);
}

extern "C" {
__device__ uint32_t zstd_encode_abi = ABI;
__device__ uint32_t zstd_encode_max_input_bytes = MAX_RAW_BYTES;
__device__ uint32_t zstd_encode_max_output_bytes = MAX_ENCODED_BYTES;
__device__ uint32_t zstd_encode_block_bytes = BLOCK_BYTES;
__device__ uint32_t zstd_encode_max_header_bytes = MAX_HEADER_BYTES;
__device__ uint32_t zstd_encode_block_header_bytes = BLOCK_HEADER_BYTES;
__device__ uint32_t zstd_encode_entry_bytes = sizeof(EncodeEntry);
__device__ uint32_t zstd_encode_result_bytes = sizeof(BlockResult);
__device__ uint32_t zstd_encode_record_bytes = sizeof(UnitRecord);
__device__ uint32_t zstd_encode_scratch_alignment = SCRATCH_ALIGNMENT;
__device__ uint32_t zstd_encode_scratch_fold = SCRATCH_FOLD;
__device__ uint32_t zstd_encode_scratch_slack_bytes = SCRATCH_SLACK_BYTES;
__device__ uint32_t zstd_encode_far_cta_threads = FarPolicy::CTA_THREADS;
__device__ uint32_t zstd_encode_fast_cta_threads = FastPolicy::CTA_THREADS;
__device__ uint32_t zstd_encode_default_cta_threads = DefaultPolicy::CTA_THREADS;
__device__ uint32_t zstd_encode_codes_cta_threads = CodesPolicy::CTA_THREADS;
__device__ uint32_t zstd_encode_join_cta_threads = JoinPolicy::CTA_THREADS;
__device__ uint32_t zstd_encode_far_shared_bytes = sizeof(FarMemory);
__device__ uint32_t zstd_encode_fast_shared_bytes = sizeof(FindMemory<FastPolicy>);
__device__ uint32_t zstd_encode_default_shared_bytes = sizeof(FindMemory<DefaultPolicy>);
__device__ uint32_t zstd_encode_codes_shared_bytes = sizeof(CodesMemory);
__device__ uint32_t zstd_encode_batch_bytes = sizeof(EncodeBatch);
__device__ uint32_t zstd_encode_batch_layout = ENCODE_BATCH_LAYOUT.hash();
}

WARPCODEC_EXPORT_STATUSES(zstd_encode)
