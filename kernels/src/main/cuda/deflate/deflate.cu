// Entry points of the format `deflate`, and the constants that the Java side checks when it loads this module.
#include "deflate_decode.cuh"
#include "deflate_find.cuh"
#include "deflate_pair.cuh"

using namespace warpcodec::deflate;

namespace {

constexpr int CTA_WARPS = DecodePolicy::CTA_THREADS / WARP_LANES;
constexpr uint32_t WARP_TOKENS = WARP_LANES * DecodePolicy::LANE_TOKENS;
constexpr int FIND_CTA_WARPS = FindPolicy::CTA_THREADS / WARP_LANES;

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

/// The same by two warps for each body, which are a cta (deflate_pair.cuh): for batches of few bodies. Cta c of the grid takes each n-th body from c on.
/// Static shared memory: one PairScratch. Barriers of the cta.
extern "C" __global__ void __launch_bounds__(PAIR_THREADS)
    deflate_decode_bodies_paired(const uint8_t* input, uint64_t input_bytes, uint8_t* output, uint64_t output_bytes, const BlockEntry* entries,
                                 BlockResult* results, uint32_t body_count, uint32_t* tokens) {
    __shared__ PairScratch s_scratch;
    const int lane = threadIdx.x % WARP_LANES;
    uint32_t* cta_tokens = tokens + uint64_t{blockIdx.x} * 2 * WARP_TOKENS;
    const Batch batch{input, input_bytes, output, output_bytes, entries, results, body_count};
    for (uint32_t index = blockIdx.x; index < body_count; index += gridDim.x) {
        const BlockEntry entry = entries[index];
        const bool sound = entry_is_sound(entry, batch, MAX_INPUT_BYTES, MAX_OUTPUT_BYTES);
        if (threadIdx.x < WARP_LANES) {
            BlockResult result{STATUS_BAD_ENTRY, 0};
            if (sound) result = warp_read_for_pair(Block{input + entry.input_offset, entry.input_bytes, entry.output_limit}, cta_tokens, LeadStarts{}, s_scratch, lane);
            if (lane == 0) results[index] = result;
        } else if (sound) {
            warp_produce_for_pair(output + entry.output_offset, cta_tokens, s_scratch, lane);
        }
        __syncwarp();
    }
}
static_assert(PAIR_THREADS == DecodePolicy::CTA_THREADS, "both kernels take the same scratch for each cta");

/// Finds where dynamic blocks may begin (deflate_find.cuh): first of two kernels, which take the same arguments.
///
/// input        device, input_bytes bytes, more than 0 and at most MAX_FIND_BYTES; of aligned 8 bytes that hold a byte of it, any byte may be read
/// begin_bit    first position, in bits from the first byte of the input
/// limit_bit    behind the last one; those behind the input are none
/// list         device, list_limit numbers of 32 bits: the positions, in order
/// result       device, one FindResult, 4-byte aligned: how many were found, and how many of them are in the list
/// tile_counts  device, tile_count numbers; this and what follows is scratch of undefined contents
/// tile_slots   device, TILE_SLOTS * tile_count numbers
/// tile_count   at least (limit_bit - begin_bit + 31) / TILE_BITS, rounded up; more than 0
///
/// One warp per tile at a time: warp w of the grid takes each n-th from w on. Static shared memory: PrecodeSums, and one FindScratch per warp. One cta
/// barrier, before the first tile.
extern "C" __global__ void __launch_bounds__(FindPolicy::CTA_THREADS)
    deflate_find_blocks(const uint8_t* input, uint32_t input_bytes, uint32_t begin_bit, uint32_t limit_bit, uint32_t* list, uint32_t list_limit,
                        FindResult* result, uint32_t* tile_counts, uint32_t* tile_slots, uint32_t tile_count) {
    __shared__ PrecodeSums s_sums;
    __shared__ FindScratch s_scratch[FIND_CTA_WARPS];
    const Search search{input, input_bytes, begin_bit, limit_bit, tile_count, tile_counts, tile_slots, list, list_limit, result};
    if (!search.is_sound()) return;
    for (uint32_t quad = threadIdx.x; quad < PRECODE_QUADS; quad += FindPolicy::CTA_THREADS) s_sums.of_four[quad] = thread_precode_sum(quad);
    __syncthreads();
    const uint32_t warp = blockIdx.x * FIND_CTA_WARPS + threadIdx.x / WARP_LANES;
    for (uint32_t tile = warp; tile < tile_count; tile += gridDim.x * FIND_CTA_WARPS) {
        warp_find_tile(search, tile, s_sums, s_scratch[threadIdx.x / WARP_LANES], threadIdx.x % WARP_LANES);
    }
}

/// The second: one warp, which is a cta, for each LIST_TILES tiles.
extern "C" __global__ void __launch_bounds__(WARP_LANES)
    deflate_list_blocks(const uint8_t* input, uint32_t input_bytes, uint32_t begin_bit, uint32_t limit_bit, uint32_t* list, uint32_t list_limit,
                        FindResult* result, uint32_t* tile_counts, uint32_t* tile_slots, uint32_t tile_count) {
    const Search search{input, input_bytes, begin_bit, limit_bit, tile_count, tile_counts, tile_slots, list, list_limit, result};
    if (!search.is_sound() || blockIdx.x * LIST_TILES >= tile_count) return;
    warp_list_blocks(search, blockIdx.x, threadIdx.x);
}

extern "C" {
__device__ uint32_t deflate_abi = ABI;
__device__ uint32_t deflate_max_input_bytes = MAX_INPUT_BYTES;
__device__ uint32_t deflate_max_output_bytes = MAX_OUTPUT_BYTES;
__device__ uint32_t deflate_body_entry_bytes = sizeof(BlockEntry);
__device__ uint32_t deflate_body_result_bytes = sizeof(BlockResult);
__device__ uint32_t deflate_cta_threads = DecodePolicy::CTA_THREADS;
__device__ uint32_t deflate_warp_token_bytes = WARP_TOKENS * sizeof(uint32_t);
__device__ uint32_t deflate_max_find_bytes = MAX_FIND_BYTES;
__device__ uint32_t deflate_find_result_bytes = sizeof(FindResult);
__device__ uint32_t deflate_find_tile_bits = TILE_BITS;
__device__ uint32_t deflate_find_tile_slots = TILE_SLOTS;
__device__ uint32_t deflate_find_list_tiles = LIST_TILES;
__device__ uint32_t deflate_find_cta_threads = FindPolicy::CTA_THREADS;
}
