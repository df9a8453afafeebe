// Entry points of the stage `checksum`, and the constants that the Java side checks when it loads this module.
#include "checksum_crc32.cuh"
#include "checksum_format.cuh"
#include "checksum_policy.cuh"

using namespace warpcodec::checksum;

/// CRC-32 of each chunk of a batch.
///
/// input          device, 16-byte aligned, input_bytes bytes; only bytes of chunks are read
/// chunks         device, chunk_count + 1 entries (ChunkEntry), 8-byte aligned
/// rows_per_warp  rows that each warp takes; grid * warps per cta * rows_per_warp must reach the batch's rows
/// crc32          device, chunk_count words, each holding CRC32_FINAL_XOR when the kernel starts; the finished CRC-32 afterwards
///
/// One warp sums up a run of rows; any one-dimensional grid of ctas of Crc32Policy::CTA_THREADS is right. 41,472 bytes of static shared
/// memory, one cta barrier after the tables are filled.
extern "C" __global__ void __launch_bounds__(Crc32Policy::CTA_THREADS, Crc32Policy::CTAS_PER_MULTIPROCESSOR)
    checksum_crc32_chunks(const uint8_t* __restrict__ input, uint64_t input_bytes, const ChunkEntry* __restrict__ chunks,
                          uint32_t chunk_count, uint64_t rows_per_warp, uint32_t* crc32) {
    __shared__ uint32_t s_lookup[LOOKUP_WORDS];
    cta_fill_lookup(s_lookup);
    __syncthreads();
    if (chunk_count == 0) return;

    const int lane = threadIdx.x % WARP_LANES;
    const uint64_t warp = static_cast<uint64_t>(blockIdx.x) * (Crc32Policy::CTA_THREADS / WARP_LANES) + threadIdx.x / WARP_LANES;
    const uint64_t rows = chunks[chunk_count].row_start;
    const uint64_t row = warp * rows_per_warp;
    if (row >= rows) return;
    const uint64_t row_limit = rows_per_warp < rows - row ? row + rows_per_warp : rows;
    warp_crc32_rows(input, input_bytes, chunks, chunk_count, row, row_limit, crc32, s_lookup, lane);
}

extern "C" {
__device__ uint32_t checksum_abi = ABI;
__device__ uint32_t checksum_crc32_polynomial = CRC32_POLYNOMIAL;
__device__ uint32_t checksum_row_bytes = ROW_BYTES;
__device__ uint32_t checksum_prelude_bytes = PRELUDE_BYTES;
__device__ uint32_t checksum_chunk_entry_bytes = sizeof(ChunkEntry);
__device__ uint32_t checksum_cta_threads = Crc32Policy::CTA_THREADS;
}
