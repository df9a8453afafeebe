// Entry points of the word `deflate_encode`, and the constants that the Java side checks when it loads this module.
#include "deflate_encode_join.cuh"
#include "deflate_encode_write.cuh"

using namespace warpcodec::deflate;

namespace {

/// Encodes the blocks of all ranges, cta by cta: this one every gridDim.x-th.
template <typename Policy>
__device__ __forceinline__ void cta_encode_blocks(const Batch& batch, uint32_t blocks_per_range, BlockRecord* records, uint8_t* places,
                                                  uint32_t* tokens, uint32_t depth) {
    extern __shared__ uint4 s_memory[];
    EncodeMemory<Policy>& memory = *reinterpret_cast<EncodeMemory<Policy>*>(s_memory);
    const uint32_t unit_count = batch.block_count * blocks_per_range;
    for (uint32_t unit = blockIdx.x; unit < unit_count; unit += gridDim.x) {
        const BlockEntry entry = batch.entries[unit / blocks_per_range];
        const uint32_t start = unit % blocks_per_range * BLOCK_BYTES;
        if (!entry_is_sound(entry, batch, MAX_RAW_BYTES, MAX_ENCODED_BYTES) || start >= entry.input_bytes) continue;
        const uint32_t rest = entry.input_bytes - start;
        const RawBlock block{batch.input + entry.input_offset + start, static_cast<int>(min(start, static_cast<uint32_t>(WINDOW_BYTES))),
                             static_cast<int>(min(rest, static_cast<uint32_t>(BLOCK_BYTES))), rest <= BLOCK_BYTES};
        const BlockRecord record = cta_encode_block(block, static_cast<int>(depth), memory, tokens + uint64_t{blockIdx.x} * TOKEN_ROOM,
                                                    reinterpret_cast<uint32_t*>(places + uint64_t{unit} * BLOCK_PLACE_BYTES));
        if (threadIdx.x == 0) records[unit] = record;
    }
}

}  // namespace

/// Encodes raw ranges block by block (deflate_encode_write.cuh), one earlier place tried for each place; first of two kernels.
///
/// input        device, input_bytes bytes; of an aligned word that holds a byte of a range, any byte may be read
/// output       not used here
/// entries      device, range_count entries, 8-byte aligned; raw ranges are the input
/// results      not used here
/// records      device, range_count * blocks_per_range records, 8-byte aligned, contents undefined, as of what follows
/// places       device, BLOCK_PLACE_BYTES for each of them, 4-byte aligned
/// tokens       device, TOKEN_ROOM words for each cta of the grid, 16-byte aligned
/// depth        1
///
/// blocks_per_range * 64 KiB must reach the longest range. Any grid. Dynamic shared memory: deflate_encode_fast_shared_bytes.
extern "C" __global__ void __launch_bounds__(FastPolicy::CTA_THREADS, FastPolicy::CTAS_PER_MULTIPROCESSOR)
    deflate_encode_blocks_fast(const uint8_t* input, uint64_t input_bytes, uint8_t* output, uint64_t output_bytes, const BlockEntry* entries,
                               BlockResult* results, uint32_t range_count, uint32_t blocks_per_range, BlockRecord* records, uint8_t* places,
                               uint32_t* tokens, uint32_t depth) {
    cta_encode_blocks<FastPolicy>(Batch{input, input_bytes, output, output_bytes, entries, results, range_count}, blocks_per_range, records, places,
                                  tokens, depth);
}

/// The same, trying up to `depth` earlier places. Dynamic shared memory: deflate_encode_deep_shared_bytes.
extern "C" __global__ void __launch_bounds__(DeepPolicy::CTA_THREADS, DeepPolicy::CTAS_PER_MULTIPROCESSOR)
    deflate_encode_blocks_deep(const uint8_t* input, uint64_t input_bytes, uint8_t* output, uint64_t output_bytes, const BlockEntry* entries,
                               BlockResult* results, uint32_t range_count, uint32_t blocks_per_range, BlockRecord* records, uint8_t* places,
                               uint32_t* tokens, uint32_t depth) {
    cta_encode_blocks<DeepPolicy>(Batch{input, input_bytes, output, output_bytes, entries, results, range_count}, blocks_per_range, records, places,
                                  tokens, depth);
}

/// Lays the blocks of each range behind each other as one DEFLATE stream (deflate_encode_join.cuh); second of two kernels, with the same
/// arguments.
///
/// output       device, output_bytes bytes, 4-byte aligned, and so are the ranges' places, which must not overlap
/// results      device, range_count results, 8-byte aligned
///
/// One cta a block: the grid is range_count * blocks_per_range. No shared memory, no barrier.
extern "C" __global__ void __launch_bounds__(JoinPolicy::CTA_THREADS)
    deflate_encode_join(const uint8_t* input, uint64_t input_bytes, uint8_t* output, uint64_t output_bytes, const BlockEntry* entries,
                        BlockResult* results, uint32_t range_count, uint32_t blocks_per_range, BlockRecord* records, uint8_t* places, uint32_t*,
                        uint32_t) {
    const uint32_t range_index = blockIdx.x / blocks_per_range, index = blockIdx.x % blocks_per_range;
    if (range_index >= range_count) return;
    const Batch batch{input, input_bytes, output, output_bytes, entries, results, range_count};
    const BlockEntry entry = entries[range_index];
    const uint32_t block_count = (entry.input_bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
    if (!entry_is_sound(entry, batch, MAX_RAW_BYTES, MAX_ENCODED_BYTES) || block_count > blocks_per_range || entry.output_offset % 4 != 0) {
        if (index == 0 && threadIdx.x == 0) results[range_index] = BlockResult{STATUS_BAD_ENTRY, 0};
        return;
    }
    if (index != 0 && index >= block_count) return;
    const uint64_t first = uint64_t{range_index} * blocks_per_range;
    const Block range{input + entry.input_offset, entry.input_bytes, entry.output_limit};
    cta_join_block(range, block_count, index, records + first, places + first * BLOCK_PLACE_BYTES, output + entry.output_offset,
                   results + range_index);
}

extern "C" {
__device__ uint32_t deflate_encode_abi = ABI;
__device__ uint32_t deflate_encode_max_input_bytes = MAX_RAW_BYTES;
__device__ uint32_t deflate_encode_max_output_bytes = MAX_ENCODED_BYTES;
__device__ uint32_t deflate_encode_block_bytes = BLOCK_BYTES;
__device__ uint32_t deflate_encode_block_overhead_bytes = BLOCK_OVERHEAD_BYTES;
__device__ uint32_t deflate_encode_block_entry_bytes = sizeof(BlockEntry);
__device__ uint32_t deflate_encode_block_result_bytes = sizeof(BlockResult);
__device__ uint32_t deflate_encode_record_bytes = sizeof(BlockRecord);
__device__ uint32_t deflate_encode_place_bytes = BLOCK_PLACE_BYTES;
__device__ uint32_t deflate_encode_token_bytes = TOKEN_ROOM * sizeof(uint32_t);
__device__ uint32_t deflate_encode_fast_cta_threads = FastPolicy::CTA_THREADS;
__device__ uint32_t deflate_encode_deep_cta_threads = DeepPolicy::CTA_THREADS;
__device__ uint32_t deflate_encode_join_cta_threads = JoinPolicy::CTA_THREADS;
__device__ uint32_t deflate_encode_fast_shared_bytes = sizeof(EncodeMemory<FastPolicy>);
__device__ uint32_t deflate_encode_deep_shared_bytes = sizeof(EncodeMemory<DeepPolicy>);
}
