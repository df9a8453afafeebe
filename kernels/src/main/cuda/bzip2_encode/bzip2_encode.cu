// Entry points of the stage `bzip2_encode`, and the constants that the Java side checks when it loads this module.
//
// The order of the kernels: begin, count_runs, scan_runs, write_runs; the transform (bwt_encode.cu) of the text with
// text_entries; mtf_encode.cu; choose, pack. All that are here take the same arguments.
#include "bzip2_encode_choose.cuh"
#include "bzip2_encode_header.cuh"
#include "bzip2_encode_pack.cuh"
#include "bzip2_encode_runs.cuh"

using namespace warpcodec;
using namespace warpcodec::bzip2_encode;

namespace entry {

template <typename Memory>
__device__ __forceinline__ Memory& cta_memory() {
    extern __shared__ uint4 s_memory[];
    return *reinterpret_cast<Memory*>(s_memory);
}

}  // namespace entry

using namespace entry;

/// Which chunk each raw tile belongs to, and where its last run begins; zeros in the output slots.
///
///   input       device, input_bytes bytes; only bytes of chunks are read
///   output      device, output_bytes bytes, 4-byte aligned; whole words of the chunks' slots are written
///   entries     device, chunk_count + 1 entries, first tiles ascending from 0 to their counts
///   results     device, chunk_count results
///   all others  device, as EncodeBatch says; undefined before and after
///
/// Any grid. Static shared memory: a RunsMemory.
extern "C" __global__ void __launch_bounds__(RunsPolicy::CTA_THREADS) bzip2_encode_begin(const EncodeBatch batch) {
    __shared__ RunsMemory s_memory;
    cta_begin_chunks(batch, s_memory);
}

/// What raw bytes become, and their CRC (bzip2_encode_runs.cuh). Any grid. Static shared memory: a RunsMemory.
extern "C" __global__ void __launch_bounds__(RunsPolicy::CTA_THREADS) bzip2_encode_count_runs(const EncodeBatch batch) {
    __shared__ RunsMemory s_memory;
    cta_count_runs(batch, s_memory);
}

/// Where it goes. A cta a chunk, any grid.
extern "C" __global__ void __launch_bounds__(RunsPolicy::CTA_THREADS) bzip2_encode_scan_runs(const EncodeBatch batch) {
    __shared__ RunsMemory s_memory;
    cta_scan_runs(batch, s_memory);
}

/// The text. Any grid.
extern "C" __global__ void __launch_bounds__(RunsPolicy::CTA_THREADS) bzip2_encode_write_runs(const EncodeBatch batch) {
    __shared__ RunsMemory s_memory;
    cta_write_runs(batch, s_memory);
}

/// Codes and headers (bzip2_encode_choose.cuh, bzip2_encode_header.cuh). A cta a chunk. Dynamic shared memory:
/// bzip2_encode_choose_shared_bytes.
extern "C" __global__ void __launch_bounds__(ChoosePolicy::CTA_THREADS) bzip2_encode_choose(const EncodeBatch batch) {
    if (blockIdx.x < batch.chunk_count) cta_choose_block(batch, blockIdx.x, cta_memory<ChooseMemory>());
}

/// The symbols' words (bzip2_encode_pack.cuh). The grid is bzip2_encode_packs_per_chunk for each chunk. Static shared
/// memory: a PackMemory.
extern "C" __global__ void __launch_bounds__(PackPolicy::CTA_THREADS) bzip2_encode_pack(const EncodeBatch batch) {
    __shared__ PackMemory s_memory;
    cta_pack_groups(batch, blockIdx.x, s_memory);
}

extern "C" {
__device__ uint32_t bzip2_encode_abi = ABI;
__device__ uint32_t bzip2_encode_max_raw_bytes = MAX_RAW_BYTES;
__device__ uint32_t bzip2_encode_max_output_bytes = MAX_OUTPUT_BYTES;
__device__ uint32_t bzip2_encode_max_groups = MAX_GROUPS;
__device__ uint32_t bzip2_encode_words_per_chunk = WORDS_PER_CHUNK;
__device__ uint32_t bzip2_encode_tile_bytes = TILE_BYTES;
__device__ uint32_t bzip2_encode_packs_per_chunk = PACKS_PER_CHUNK;
__device__ uint32_t bzip2_encode_runs_cta_threads = RunsPolicy::CTA_THREADS;
__device__ uint32_t bzip2_encode_choose_cta_threads = ChoosePolicy::CTA_THREADS;
__device__ uint32_t bzip2_encode_pack_cta_threads = PackPolicy::CTA_THREADS;
__device__ uint32_t bzip2_encode_choose_shared_bytes = sizeof(ChooseMemory);
__device__ uint32_t bzip2_encode_entry_bytes = sizeof(EncodeEntry);
__device__ uint32_t bzip2_encode_result_bytes = sizeof(EncodeResult);
__device__ uint32_t bzip2_encode_raw_tile_bytes = sizeof(RawTile);
__device__ uint32_t bzip2_encode_batch_bytes = sizeof(EncodeBatch);
__device__ uint32_t bzip2_encode_batch_layout = ENCODE_BATCH_LAYOUT.hash();
}

WARPCODEC_EXPORT_STATUSES(bzip2_encode)
