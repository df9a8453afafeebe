// Entry points of the stage `deflate_decode`, and the constants that the Java side checks when it loads this module.
#include "../common/batch.cuh"
#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "deflate_decode_body.cuh"
#include "deflate_decode_format.cuh"
#include "deflate_decode_pair.cuh"
#include "deflate_decode_policy.cuh"
#include "deflate_decode_team.cuh"

using namespace warpcodec;
using namespace warpcodec::deflate_decode;

namespace entry {

constexpr int CTA_WARPS = DecodePolicy::CTA_THREADS / WARP_LANES;
constexpr uint32_t WARP_TOKENS = WARP_LANES * DecodePolicy::LANE_TOKENS;

}  // namespace entry

using namespace entry;

/// Decodes each raw DEFLATE body of a batch (deflate_decode_body.cuh).
///
///   input    device, input_bytes bytes; of aligned 8 bytes that hold a byte of a body, any byte may be read
///   output   device, output_bytes bytes; bodies' parts of it must not overlap
///   entries  device, block_count entries, 8-byte aligned
///   results  device, block_count results, 8-byte aligned
///   tokens   device, scratch of undefined contents, 16-byte aligned: deflate_decode_warp_token_bytes for each warp
///            of the grid
///
/// One warp per body at a time: warp w of the grid takes each n-th from w on. Static shared memory: one DecodeScratch
/// per warp. No cta barrier.
extern "C" __global__ void __launch_bounds__(DecodePolicy::CTA_THREADS, DecodePolicy::CTAS_PER_MULTIPROCESSOR)
    deflate_decode_bodies(const BodyBatch batch) {
    __shared__ DecodeScratch s_scratch[CTA_WARPS];
    const int lane = threadIdx.x % WARP_LANES;
    const uint32_t warp = blockIdx.x * CTA_WARPS + threadIdx.x / WARP_LANES;
    for (uint32_t index = warp; index < batch.bodies.block_count; index += gridDim.x * CTA_WARPS) {
        warp_code_block<MAX_INPUT_BYTES, MAX_OUTPUT_BYTES>(
            batch.bodies, index, lane, [&](const Block& block, uint8_t* block_output) {
                return warp_decode_body(block, block_output, batch.tokens + uint64_t{warp} * WARP_TOKENS,
                                        WarmUpStarts{}, s_scratch[threadIdx.x / WARP_LANES], lane);
            });
        __syncwarp();
    }
}

/// As deflate_decode_bodies, but by two warps for each body, which are a cta (deflate_decode_pair.cuh): for batches
/// of few bodies. Cta c of the grid takes each n-th body from c on. Static shared memory: one PairScratch. Barriers
/// of the cta.
extern "C" __global__ void __launch_bounds__(PAIR_THREADS) deflate_decode_bodies_paired(const BodyBatch batch) {
    __shared__ PairScratch s_scratch;
    const int lane = threadIdx.x % WARP_LANES;
    uint32_t* cta_tokens = batch.tokens + uint64_t{blockIdx.x} * 2 * WARP_TOKENS;
    for (uint32_t index = blockIdx.x; index < batch.bodies.block_count; index += gridDim.x) {
        const BlockEntry entry = batch.bodies.entries[index];
        const bool sound = entry_is_sound(entry, batch.bodies, MAX_INPUT_BYTES, MAX_OUTPUT_BYTES);
        if (threadIdx.x < WARP_LANES) {
            BlockResult result{STATUS_BAD_ENTRY, 0};
            if (sound)
                result = warp_read_for_pair(
                    Block{batch.bodies.input + entry.input_offset, entry.input_bytes, entry.output_limit}, cta_tokens,
                    WarmUpStarts{}, s_scratch, lane);
            if (lane == 0) batch.bodies.results[index] = result;
        } else if (sound) {
            warp_produce_for_pair(batch.bodies.output + entry.output_offset, cta_tokens, s_scratch, lane);
        }
        __syncwarp();
    }
}
static_assert(PAIR_THREADS == DecodePolicy::CTA_THREADS, "all kernels take the same scratch for each cta");

/// As deflate_decode_bodies, but by a team of warps for each body, which are a cta (deflate_decode_team.cuh): for
/// batches of fewer bodies still. Cta c of the grid takes each n-th body from c on, and has the scratch of a cta of the
/// other kernels. Static shared memory: one TeamScratch. Barriers of the cta.
extern "C" __global__ void __launch_bounds__(TEAM_THREADS, DecodePolicy::TEAM_CTAS_PER_MULTIPROCESSOR)
    deflate_decode_bodies_team(const BodyBatch batch) {
    __shared__ TeamScratch s_scratch;
    uint32_t* cta_tokens = batch.tokens + uint64_t{blockIdx.x} * TEAM_TOKENS;
    for (uint32_t index = blockIdx.x; index < batch.bodies.block_count; index += gridDim.x) {
        const BlockEntry entry = batch.bodies.entries[index];
        BlockResult result{STATUS_BAD_ENTRY, 0};
        if (entry_is_sound(entry, batch.bodies, MAX_INPUT_BYTES, MAX_OUTPUT_BYTES))
            result =
                cta_decode_body(Block{batch.bodies.input + entry.input_offset, entry.input_bytes, entry.output_limit},
                                batch.bodies.output + entry.output_offset, cta_tokens, WarmUpStarts{}, s_scratch);
        if (threadIdx.x == 0) batch.bodies.results[index] = result;
        __syncthreads();
    }
}
static_assert(TEAM_TOKENS == CTA_WARPS * WARP_TOKENS, "a team has the scratch of a cta of the others");

extern "C" {
__device__ uint32_t deflate_decode_abi = ABI;
__device__ uint32_t deflate_decode_max_input_bytes = MAX_INPUT_BYTES;
__device__ uint32_t deflate_decode_max_output_bytes = MAX_OUTPUT_BYTES;
__device__ uint32_t deflate_decode_body_entry_bytes = sizeof(BlockEntry);
__device__ uint32_t deflate_decode_body_result_bytes = sizeof(BlockResult);
__device__ uint32_t deflate_decode_cta_threads = DecodePolicy::CTA_THREADS;
__device__ uint32_t deflate_decode_warp_token_bytes = WARP_TOKENS * sizeof(uint32_t);
__device__ uint32_t deflate_decode_team_threads = TEAM_THREADS;
__device__ uint32_t deflate_decode_team_token_bytes = TEAM_TOKENS * sizeof(uint32_t);
__device__ uint32_t deflate_decode_body_batch_bytes = sizeof(BodyBatch);
__device__ uint32_t deflate_decode_body_batch_layout = BODY_BATCH_LAYOUT.hash();
}

WARPCODEC_EXPORT_STATUSES(deflate_decode)
