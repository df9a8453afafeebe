// Entry points of the format `snappy`, and the constants that the Java side checks when it loads this module.
#include "../common/batch.cuh"
#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "snappy_encode.cuh"
#include "snappy_format.cuh"
#include "snappy_parse.cuh"
#include "snappy_policy.cuh"
#include "snappy_team.cuh"

using namespace warpcodec;
using namespace warpcodec::snappy;

namespace entry {

/// Encodes the blocks of a batch. Raw and encoded change places in the limits.
template <int STRIPS, typename LinkType>
__device__ __forceinline__ void cta_encode(const EncodeBatch& batch, const LinkType& links) {
    __shared__ StripScratch<STRIPS, EncodePolicy::HEAD_COUNT> s_scratch;
    cta_encode_blocks<BlockWriter, MAX_OUTPUT_BYTES, MAX_INPUT_BYTES, FreeNesting>(batch, links, s_scratch);
}

}  // namespace entry

using namespace entry;

/// Decodes each Snappy block of a batch by gathering its bytes (lz77_gather.cuh).
///
///   input    device, input_bytes bytes; of an aligned word that holds a byte of a block, any byte may be read
///   output   device, output_bytes bytes; blocks' parts of it must not overlap
///   entries  device, block_count entries, 8-byte aligned
///   results  device, block_count results, 8-byte aligned
///
/// One warp per block: grid * warps per cta must reach block_count. Static shared memory: one ElementScratch per
/// warp. No cta barrier.
extern "C" __global__ void __launch_bounds__(DecodePolicy::CTA_THREADS, DecodePolicy::CTAS_PER_MULTIPROCESSOR)
    snappy_decode_blocks(const Batch batch) {
    constexpr int CTA_WARPS = DecodePolicy::CTA_THREADS / WARP_LANES;
    __shared__ ElementScratch s_scratch[CTA_WARPS];
    const uint32_t index = blockIdx.x * CTA_WARPS + threadIdx.x / WARP_LANES;
    if (index >= batch.block_count) return;
    const int lane = threadIdx.x % WARP_LANES;
    warp_decode_block<MAX_INPUT_BYTES, MAX_OUTPUT_BYTES>(
        batch, index, lane, [&](const Block& block, uint8_t* block_output) {
            return warp_decode_gathering(block, block_output, s_scratch[threadIdx.x / WARP_LANES], lane);
        });
}

/// As snappy_decode_blocks, but by a team of warps for each block, which are a cta (lz77_team.cuh): for batches of few
/// long blocks. Cta c of the grid takes each n-th block from c on. Static shared memory: one Team. Barriers of the cta.
extern "C" __global__ void __launch_bounds__(Team::THREADS, TeamPolicy::CTAS_PER_MULTIPROCESSOR)
    snappy_decode_blocks_team(const Batch batch) {
    __shared__ Team s_scratch;
    cta_decode_blocks<MAX_INPUT_BYTES, MAX_OUTPUT_BYTES>(batch, s_scratch);
}

/// Encodes each block of a batch (lz77_strips.cuh), trying for each place the latest earlier one of the same hash.
///
///   input    device, input_bytes bytes; of an aligned word that holds a byte of a block, any byte may be read
///   output   device, output_bytes bytes; blocks' parts of it must not overlap
///   entries  device, block_count entries, 8-byte aligned; raw blocks are the input
///   results  device, block_count results, 8-byte aligned
///   strips   device, strips_bytes bytes of undefined contents, 16-byte aligned
///
/// One warp per strip, one cta per block, any grid. Static shared memory: one StripScratch. Cta barriers, the same
/// for all warps of a cta.
extern "C" __global__ void __launch_bounds__(EncodePolicy::CTA_THREADS) snappy_encode_blocks(const EncodeBatch batch) {
    cta_encode<EncodePolicy::STRIPS>(batch, NoLinks{});
}

/// As snappy_encode_blocks, but up to `depth` earlier places are tried, and one warp takes a block.
///
///   links  device, LINK_COUNT entries for each cta of the grid, 2-byte aligned, contents undefined
extern "C" __global__ void __launch_bounds__(WARP_LANES) snappy_encode_blocks_linked(const LinkedBatch batch) {
    cta_encode<1>(batch.blocks, batch.cta_links());
}

extern "C" {
__device__ uint32_t snappy_abi = ABI;
__device__ uint32_t snappy_max_input_bytes = MAX_INPUT_BYTES;
__device__ uint32_t snappy_max_output_bytes = MAX_OUTPUT_BYTES;
__device__ uint32_t snappy_block_entry_bytes = sizeof(BlockEntry);
__device__ uint32_t snappy_block_result_bytes = sizeof(BlockResult);
__device__ uint32_t snappy_cta_threads = DecodePolicy::CTA_THREADS;
__device__ uint32_t snappy_team_threads = Team::THREADS;
__device__ uint32_t snappy_encode_cta_threads = EncodePolicy::CTA_THREADS;
__device__ uint32_t snappy_encode_entry_bytes = sizeof(EncodeEntry);
__device__ uint32_t snappy_link_bytes = LINK_COUNT * sizeof(uint16_t);
__device__ uint32_t snappy_batch_bytes = sizeof(Batch);
__device__ uint32_t snappy_batch_layout = BATCH_LAYOUT.hash();
__device__ uint32_t snappy_encode_batch_bytes = sizeof(EncodeBatch);
__device__ uint32_t snappy_encode_batch_layout = ENCODE_BATCH_LAYOUT.hash();
__device__ uint32_t snappy_linked_batch_bytes = sizeof(LinkedBatch);
__device__ uint32_t snappy_linked_batch_layout = LINKED_BATCH_LAYOUT.hash();
}

WARPCODEC_EXPORT_STATUSES(snappy)
