// Entry points of the format `snappy`, and the constants that the Java side checks when it loads this module.
#include "snappy_format.cuh"
#include "snappy_parse.cuh"
#include "snappy_policy.cuh"

using namespace warpcodec::snappy;

/// Decodes each Snappy block of a batch by gathering its bytes (lz77_gather.cuh).
///
/// input        device, input_bytes bytes; of an aligned word that holds a byte of a block, any byte may be read
/// output       device, output_bytes bytes; blocks' parts of it must not overlap
/// entries      device, block_count entries, 8-byte aligned
/// results      device, block_count results, 8-byte aligned
///
/// One warp per block: grid * warps per cta must reach block_count. Static shared memory: one ElementScratch per warp. No cta barrier.
extern "C" __global__ void __launch_bounds__(DecodePolicy::CTA_THREADS, DecodePolicy::CTAS_PER_MULTIPROCESSOR)
    snappy_decode_blocks(const uint8_t* input, uint64_t input_bytes, uint8_t* output, uint64_t output_bytes, const BlockEntry* entries,
                         BlockResult* results, uint32_t block_count) {
    constexpr int CTA_WARPS = DecodePolicy::CTA_THREADS / WARP_LANES;
    __shared__ ElementScratch s_scratch[CTA_WARPS];
    const uint32_t index = blockIdx.x * CTA_WARPS + threadIdx.x / WARP_LANES;
    if (index >= block_count) return;
    const int lane = threadIdx.x % WARP_LANES;
    const Batch batch{input, input_bytes, output, output_bytes, entries, results, block_count};
    warp_decode_block<MAX_INPUT_BYTES, MAX_OUTPUT_BYTES>(batch, index, lane, [&](const Block& block, uint8_t* block_output) {
        return warp_decode_gathering(block, block_output, s_scratch[threadIdx.x / WARP_LANES], lane);
    });
}

extern "C" {
__device__ uint32_t snappy_abi = ABI;
__device__ uint32_t snappy_max_input_bytes = MAX_INPUT_BYTES;
__device__ uint32_t snappy_max_output_bytes = MAX_OUTPUT_BYTES;
__device__ uint32_t snappy_block_entry_bytes = sizeof(BlockEntry);
__device__ uint32_t snappy_block_result_bytes = sizeof(BlockResult);
__device__ uint32_t snappy_cta_threads = DecodePolicy::CTA_THREADS;
}
