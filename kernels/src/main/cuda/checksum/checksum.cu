// Entry points of the stage `checksum`, and the constants that the Java side checks when it loads this module.
#include "../common/warp.cuh"
#include "checksum_crc32.cuh"
#include "checksum_format.cuh"
#include "checksum_policy.cuh"
#include "checksum_xxh32.cuh"
#include "checksum_xxh64.cuh"

using namespace warpcodec;
using namespace warpcodec::checksum;

/// CRC-32 of each chunk of a batch.
///
///   input          device, 16-byte aligned, input_bytes bytes; only bytes of chunks are read
///   chunks         device, chunk_count + 1 entries (ChunkEntry), 8-byte aligned
///   rows_per_warp  rows that each warp takes; grid * warps per cta * rows_per_warp must reach the batch's rows
///   crc32          device, chunk_count words, each holding CRC32_FINAL_XOR when the kernel starts; the finished
///                  CRC-32 afterwards
///
/// One warp sums up a run of rows; any one-dimensional grid of ctas of Crc32Policy::CTA_THREADS is right. 41,472
/// bytes of static shared memory, one cta barrier after the tables are filled.
extern "C" __global__ void __launch_bounds__(Crc32Policy::CTA_THREADS, Crc32Policy::CTAS_PER_MULTIPROCESSOR)
    checksum_crc32_chunks(const ChunkBatch batch) {
    __shared__ uint32_t s_lookup[LOOKUP_WORDS];
    cta_fill_lookup(s_lookup);
    __syncthreads();
    if (batch.chunk_count == 0) return;

    const int lane = threadIdx.x % WARP_LANES;
    const uint64_t warp =
        static_cast<uint64_t>(blockIdx.x) * (Crc32Policy::CTA_THREADS / WARP_LANES) + threadIdx.x / WARP_LANES;
    const uint64_t rows = __ldg(&batch.chunks[batch.chunk_count].row_start);
    const uint64_t row = warp * batch.rows_per_warp;
    if (row >= rows) return;
    const uint64_t row_limit = batch.rows_per_warp < rows - row ? row + batch.rows_per_warp : rows;
    warp_crc32_rows(batch.input, batch.input_bytes, batch.chunks, batch.chunk_count, row, row_limit, batch.crc32,
                    s_lookup, lane);
}

namespace entry {

/// Writes hash(content, stages, lane) of each content of a batch, by a warp each.
template <typename Stages, typename Hash>
__device__ __forceinline__ void cta_hash_contents(const ContentBatch& batch, Hash hash) {
    constexpr int WARPS = Xxh32Policy::CTA_THREADS / WARP_LANES;
    __shared__ Stages s_stages[WARPS];
    const int warp = threadIdx.x / WARP_LANES;
    const int lane = threadIdx.x % WARP_LANES;
    const uint64_t index = static_cast<uint64_t>(blockIdx.x) * WARPS + warp;
    if (index >= batch.content_count) return;
    const ContentEntry content = ContentEntry::load(batch.contents + index);
    const bool valid =
        content.offset_bytes <= batch.input_bytes && content.length_bytes <= batch.input_bytes - content.offset_bytes;
    const uint32_t value = valid ? hash(content, s_stages[warp], lane) : 0;
    if (lane == 0) batch.hashes[index] = value;
}

}  // namespace entry

/// XXH32 of each content of a batch.
///
///   input     device, 4-byte aligned, input_bytes bytes, a multiple of 4; only aligned words that hold bytes of
///             contents are read
///   contents  device, content_count entries (ContentEntry), 8-byte aligned
///   hashes    device, content_count words for the results; 0 for a content that does not lie within the input, which
///             the host checks
///
/// Any one-dimensional grid of ctas of Xxh32Policy::CTA_THREADS that has a warp for every content is right. 8 KiB of
/// static shared memory, no cta barrier.
extern "C" __global__ void __launch_bounds__(Xxh32Policy::CTA_THREADS)
    checksum_xxh32_contents(const ContentBatch batch) {
    entry::cta_hash_contents<Xxh32Stages>(batch, [&](const ContentEntry& content, Xxh32Stages& stages, int lane) {
        return warp_xxh32(batch.input, content, stages, lane);
    });
}

/// The lowest 32 bits of XXH64 of each content of a batch; as checksum_xxh32_contents.
extern "C" __global__ void __launch_bounds__(Xxh32Policy::CTA_THREADS)
    checksum_xxh64_contents(const ContentBatch batch) {
    entry::cta_hash_contents<Xxh64Stages>(batch, [&](const ContentEntry& content, Xxh64Stages& stages, int lane) {
        return static_cast<uint32_t>(warp_xxh64(batch.input, content, stages, lane));
    });
}

extern "C" {
__device__ uint32_t checksum_abi = ABI;
__device__ uint32_t checksum_crc32_polynomial = CRC32_POLYNOMIAL;
__device__ uint32_t checksum_row_bytes = ROW_BYTES;
__device__ uint32_t checksum_prelude_bytes = PRELUDE_BYTES;
__device__ uint32_t checksum_chunk_entry_bytes = sizeof(ChunkEntry);
__device__ uint32_t checksum_content_entry_bytes = sizeof(ContentEntry);
__device__ uint32_t checksum_xxh32_cta_threads = Xxh32Policy::CTA_THREADS;
__device__ uint32_t checksum_cta_threads = Crc32Policy::CTA_THREADS;
__device__ uint32_t checksum_chunk_batch_bytes = sizeof(ChunkBatch);
__device__ uint32_t checksum_chunk_batch_layout = CHUNK_BATCH_LAYOUT.hash();
__device__ uint32_t checksum_content_batch_bytes = sizeof(ContentBatch);
__device__ uint32_t checksum_content_batch_layout = CONTENT_BATCH_LAYOUT.hash();
}
