// Entry points of the format `lz4`, and the constants that the Java side checks when it loads this module.
#include "../common/batch.cuh"
#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "lz4_encode.cuh"
#include "lz4_format.cuh"
#include "lz4_long.cuh"
#include "lz4_parse.cuh"
#include "lz4_policy.cuh"
#include "lz4_team.cuh"

using namespace warpcodec;
using namespace warpcodec::lz4;

namespace entry {

constexpr int CTA_WARPS = DecodePolicy::CTA_THREADS / WARP_LANES;

__device__ __forceinline__ uint32_t warp_block_index() { return blockIdx.x * CTA_WARPS + threadIdx.x / WARP_LANES; }

/// Encodes the blocks of a batch. Raw and encoded change places in the limits.
template <int STRIPS, typename LinkType>
__device__ __forceinline__ void cta_encode(const EncodeBatch& batch, const LinkType& links) {
    __shared__ StripScratch<STRIPS, EncodePolicy::HEAD_COUNT> s_scratch;
    cta_encode_blocks<BlockWriter, MAX_OUTPUT_BYTES, MAX_INPUT_BYTES, FreeNesting>(batch, links, s_scratch);
}

constexpr int LONG_CTA_WARPS = LongPolicy::PARSE_CTA_THREADS / WARP_LANES;
static_assert(LongPolicy::STITCH_CTA_THREADS == WARP_LANES);

}  // namespace entry

using namespace entry;

/// Decodes each LZ4 block of a batch by gathering its bytes (lz77_gather.cuh).
///
///   input    device, input_bytes bytes; of an aligned word that holds a byte of a block, any byte may be read
///   output   device, output_bytes bytes; blocks' parts of it must not overlap
///   entries  device, block_count entries, 8-byte aligned
///   results  device, block_count results, 8-byte aligned
///
/// One warp per block: grid * warps per cta must reach block_count. Static shared memory: one SequenceScratch per
/// warp. No cta barrier.
extern "C" __global__ void __launch_bounds__(DecodePolicy::CTA_THREADS, DecodePolicy::CTAS_PER_MULTIPROCESSOR)
    lz4_decode_blocks(const Batch batch) {
    __shared__ SequenceScratch s_scratch[CTA_WARPS];
    const uint32_t index = warp_block_index();
    if (index >= batch.block_count) return;
    const int lane = threadIdx.x % WARP_LANES;
    warp_decode_block<MAX_INPUT_BYTES, MAX_OUTPUT_BYTES>(
        batch, index, lane, [&](const Block& block, uint8_t* block_output) {
            return warp_decode_gathering(block, block_output, s_scratch[threadIdx.x / WARP_LANES], lane);
        });
}

/// As lz4_decode_blocks, but by a team of warps for each block, which are a cta (lz77_team.cuh): for batches of few
/// long blocks. Cta c of the grid takes each n-th block from c on. Static shared memory: one Team. Barriers of the cta.
extern "C" __global__ void __launch_bounds__(Team::THREADS, TeamPolicy::CTAS_PER_MULTIPROCESSOR)
    lz4_decode_blocks_team(const Batch batch) {
    __shared__ Team s_scratch;
    cta_decode_blocks<MAX_INPUT_BYTES, MAX_OUTPUT_BYTES>(batch, s_scratch);
}

/// Decodes long LZ4 blocks and chains of blocks (lz77_long.cuh): first of four kernels, which take the same
/// arguments.
///
///   input            device, input_bytes bytes; of an aligned word that holds a byte of a block, any byte may be
///                    read
///   output           device, output_bytes bytes, 16-byte aligned; blocks' parts of it must not overlap
///   entries          device, block_count entries, 8-byte aligned, in the order of first_piece and of first_tile
///   results          device, block_count results, 8-byte aligned
///   sources          device, output_bytes words rounded up to 4, 16-byte aligned; this and what follows is scratch
///                    of undefined contents
///   guesses, starts  device, piece_count each, 8-byte aligned
///   defects          device, block_count words
///
/// One warp per piece: grid * warps per cta must reach piece_count. Static shared memory: one JumpTables per warp. No
/// cta barrier.
extern "C" __global__ void __launch_bounds__(LongPolicy::PARSE_CTA_THREADS)
    lz4_long_guess_pieces(const LongBatch batch) {
    __shared__ JumpTables s_tables[LONG_CTA_WARPS];
    const uint32_t piece = blockIdx.x * LONG_CTA_WARPS + threadIdx.x / WARP_LANES;
    if (piece >= batch.piece_count) return;
    warp_guess_piece<LongFormat>(batch, piece, s_tables[threadIdx.x / WARP_LANES], threadIdx.x % WARP_LANES);
}

/// The second: one warp, which is a cta, per block.
extern "C" __global__ void __launch_bounds__(LongPolicy::STITCH_CTA_THREADS)
    lz4_long_stitch_blocks(const LongBatch batch) {
    __shared__ JumpTables s_tables;
    if (blockIdx.x >= batch.block_count) return;
    warp_stitch_block<LongFormat>(batch, blockIdx.x, s_tables, threadIdx.x);
}

/// The third: one warp per tile. Static shared memory: one SequenceScratch per warp.
extern "C" __global__ void __launch_bounds__(LongPolicy::PARSE_CTA_THREADS)
    lz4_long_find_sources(const LongBatch batch) {
    __shared__ SequenceScratch s_scratch[LONG_CTA_WARPS];
    const uint32_t tile = blockIdx.x * LONG_CTA_WARPS + threadIdx.x / WARP_LANES;
    if (tile >= batch.tile_count) return;
    warp_find_tile<LongFormat>(batch, tile, s_scratch[threadIdx.x / WARP_LANES], threadIdx.x % WARP_LANES);
}

/// The last: one cta per tile. No shared memory.
extern "C" __global__ void __launch_bounds__(LongPolicy::PRODUCE_CTA_THREADS)
    lz4_long_produce(const __grid_constant__ LongBatch batch) {
    if (blockIdx.x >= batch.tile_count) return;
    cta_produce_tile<LongFormat>(batch, blockIdx.x);
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
extern "C" __global__ void __launch_bounds__(EncodePolicy::CTA_THREADS) lz4_encode_blocks(const EncodeBatch batch) {
    cta_encode<EncodePolicy::STRIPS>(batch, NoLinks{});
}

/// As lz4_encode_blocks, but up to `depth` earlier places are tried, and one warp takes a block.
///
///   links  device, LINK_COUNT entries for each cta of the grid, 2-byte aligned, contents undefined
extern "C" __global__ void __launch_bounds__(WARP_LANES) lz4_encode_blocks_linked(const LinkedBatch batch) {
    cta_encode<1>(batch.blocks, batch.cta_links());
}

extern "C" {
__device__ uint32_t lz4_abi = ABI;
__device__ uint32_t lz4_min_match = MIN_MATCH;
__device__ uint32_t lz4_max_input_bytes = MAX_INPUT_BYTES;
__device__ uint32_t lz4_max_output_bytes = MAX_OUTPUT_BYTES;
__device__ uint32_t lz4_block_entry_bytes = sizeof(BlockEntry);
__device__ uint32_t lz4_block_result_bytes = sizeof(BlockResult);
__device__ uint32_t lz4_cta_threads = DecodePolicy::CTA_THREADS;
__device__ uint32_t lz4_team_threads = Team::THREADS;
__device__ uint32_t lz4_encode_cta_threads = EncodePolicy::CTA_THREADS;
__device__ uint32_t lz4_encode_entry_bytes = sizeof(EncodeEntry);
__device__ uint32_t lz4_long_max_output_bytes = MAX_LONG_OUTPUT_BYTES;
__device__ uint32_t lz4_long_max_input_bytes = MAX_LONG_INPUT_BYTES;
__device__ uint32_t lz4_long_piece_bytes = LongPolicy::PIECE_BYTES;
__device__ uint32_t lz4_long_tile_bytes = LongPolicy::TILE_BYTES;
__device__ uint32_t lz4_long_entry_bytes = sizeof(LongEntry);
__device__ uint32_t lz4_long_guess_bytes = sizeof(PieceGuess);
__device__ uint32_t lz4_long_start_bytes = sizeof(PieceStart);
__device__ uint32_t lz4_long_parse_cta_threads = LongPolicy::PARSE_CTA_THREADS;
__device__ uint32_t lz4_long_stitch_cta_threads = LongPolicy::STITCH_CTA_THREADS;
__device__ uint32_t lz4_long_produce_cta_threads = LongPolicy::PRODUCE_CTA_THREADS;
__device__ uint32_t lz4_link_bytes = LINK_COUNT * sizeof(uint16_t);
__device__ uint32_t lz4_batch_bytes = sizeof(Batch);
__device__ uint32_t lz4_batch_layout = BATCH_LAYOUT.hash();
__device__ uint32_t lz4_encode_batch_bytes = sizeof(EncodeBatch);
__device__ uint32_t lz4_encode_batch_layout = ENCODE_BATCH_LAYOUT.hash();
__device__ uint32_t lz4_linked_batch_bytes = sizeof(LinkedBatch);
__device__ uint32_t lz4_linked_batch_layout = LINKED_BATCH_LAYOUT.hash();
__device__ uint32_t lz4_long_batch_bytes = sizeof(LongBatch);
__device__ uint32_t lz4_long_batch_layout = LONG_BATCH_LAYOUT.hash();
}

WARPCODEC_EXPORT_STATUSES(lz4)
