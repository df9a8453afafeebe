// Entry points of the format `deflate`, and the constants that the Java side checks when it loads this module.
#include "deflate_decode.cuh"

using namespace warpcodec::deflate;

namespace {

constexpr int CTA_WARPS = DecodePolicy::CTA_THREADS / WARP_LANES;
constexpr uint32_t WARP_TOKENS = WARP_LANES * DecodePolicy::LANE_TOKENS;

}  // namespace

/// Decodes each raw DEFLATE body of a batch (deflate_decode.cuh).
///
/// input        device, input_bytes bytes; of aligned 8 bytes that hold a byte of a body, any byte may be read
/// output       device, output_bytes bytes; bodies' parts of it must not overlap
/// entries      device, body_count entries, 8-byte aligned
/// results      device, body_count results, 8-byte aligned
/// tokens       device, scratch of undefined contents, 16-byte aligned: deflate_warp_token_bytes for each warp of the grid
///
/// One warp per body at a time: warp w of the grid takes each n-th from w on. Static shared memory: one DecodeScratch per warp. No cta barrier.
extern "C" __global__ void __launch_bounds__(DecodePolicy::CTA_THREADS, DecodePolicy::CTAS_PER_MULTIPROCESSOR)
    deflate_decode_bodies(const uint8_t* input, uint64_t input_bytes, uint8_t* output, uint64_t output_bytes, const BlockEntry* entries,
                          BlockResult* results, uint32_t body_count, uint32_t* tokens) {
    __shared__ DecodeScratch s_scratch[CTA_WARPS];
    const int lane = threadIdx.x % WARP_LANES;
    const uint32_t warp = blockIdx.x * CTA_WARPS + threadIdx.x / WARP_LANES;
    const Batch batch{input, input_bytes, output, output_bytes, entries, results, body_count};
    for (uint32_t index = warp; index < body_count; index += gridDim.x * CTA_WARPS) {
        warp_code_block<MAX_INPUT_BYTES, MAX_OUTPUT_BYTES>(batch, index, lane, [&](const Block& block, uint8_t* block_output) {
            return warp_decode_body(block, block_output, tokens + uint64_t{warp} * WARP_TOKENS, LeadStarts{}, s_scratch[threadIdx.x / WARP_LANES], lane);
        });
        __syncwarp();
    }
}

extern "C" {
__device__ uint32_t deflate_abi = ABI;
__device__ uint32_t deflate_max_input_bytes = MAX_INPUT_BYTES;
__device__ uint32_t deflate_max_output_bytes = MAX_OUTPUT_BYTES;
__device__ uint32_t deflate_body_entry_bytes = sizeof(BlockEntry);
__device__ uint32_t deflate_body_result_bytes = sizeof(BlockResult);
__device__ uint32_t deflate_cta_threads = DecodePolicy::CTA_THREADS;
__device__ uint32_t deflate_warp_token_bytes = WARP_TOKENS * sizeof(uint32_t);
}
