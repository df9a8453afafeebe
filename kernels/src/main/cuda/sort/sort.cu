// Entry points of the stage `sort`, and the constants that the Java side checks when it loads this module.
//
// A pass is three kernels, one behind the other, with the same arguments: sort_count, sort_scan, sort_scatter; the
// next pass has the two arrays of keys changed over and takes the next digit. Least digit first, and stable. No cta
// waits for another one within a kernel.
#include "sort_count.cuh"
#include "sort_scan.cuh"
#include "sort_scatter.cuh"

using namespace warpcodec;
using namespace warpcodec::sort;

/// Counts digits of 9 bits (sort_count.cuh). First of three kernels.
///
///   keys, sorted_keys  device, key_count keys each, 8-byte aligned; only places of segments are read and written
///   segments           device, segment_capacity entries, of which the first counts->segments count; no two share a
///                      place
///   tile_segments      device, tile_capacity words, of which the first counts->tiles count
///   histograms         device, tile_capacity words for each digit, undefined before the first and after the last of
///                      the three kernels
///
/// Any grid. Static shared memory: a CountMemory.
extern "C" __global__ void __launch_bounds__(SortPolicy::CTA_THREADS) sort_count_wide(const SortBatch batch) {
    __shared__ CountMemory<WIDE_DIGIT_BITS> s_memory;
    cta_count_tiles(batch, s_memory);
}

/// Turns counts into places (sort_scan.cuh). Any grid; a cta takes a segment.
extern "C" __global__ void __launch_bounds__(SortPolicy::SCAN_CTA_THREADS) sort_scan_wide(const SortBatch batch) {
    __shared__ ScanMemory s_memory;
    cta_scan_segments<WIDE_DIGIT_BITS>(batch, s_memory);
}

/// Moves the keys (sort_scatter.cuh). Any grid. Static shared memory: a ScatterMemory, 43 KB.
extern "C" __global__ void __launch_bounds__(SortPolicy::CTA_THREADS, SortPolicy::SCATTER_CTAS_PER_MULTIPROCESSOR)
    sort_scatter_wide(const SortBatch batch) {
    __shared__ ScatterMemory<WIDE_DIGIT_BITS> s_memory;
    cta_scatter_tiles(batch, s_memory);
}

/// As the three kernels above, but for digits of 7 bits.
extern "C" __global__ void __launch_bounds__(SortPolicy::CTA_THREADS) sort_count_narrow(const SortBatch batch) {
    __shared__ CountMemory<NARROW_DIGIT_BITS> s_memory;
    cta_count_tiles(batch, s_memory);
}

extern "C" __global__ void __launch_bounds__(SortPolicy::SCAN_CTA_THREADS) sort_scan_narrow(const SortBatch batch) {
    __shared__ ScanMemory s_memory;
    cta_scan_segments<NARROW_DIGIT_BITS>(batch, s_memory);
}

extern "C" __global__ void __launch_bounds__(SortPolicy::CTA_THREADS, SortPolicy::SCATTER_CTAS_PER_MULTIPROCESSOR)
    sort_scatter_narrow(const SortBatch batch) {
    __shared__ ScatterMemory<NARROW_DIGIT_BITS> s_memory;
    cta_scatter_tiles(batch, s_memory);
}

extern "C" {
__device__ uint32_t sort_abi = ABI;
__device__ uint32_t sort_wide_digit_bits = WIDE_DIGIT_BITS;
__device__ uint32_t sort_narrow_digit_bits = NARROW_DIGIT_BITS;
__device__ uint32_t sort_tile_keys = TILE_KEYS;
__device__ uint32_t sort_cta_threads = SortPolicy::CTA_THREADS;
__device__ uint32_t sort_scan_cta_threads = SortPolicy::SCAN_CTA_THREADS;
__device__ uint32_t sort_segment_bytes = sizeof(Segment);
__device__ uint32_t sort_counts_bytes = sizeof(SegmentCounts);
__device__ uint32_t sort_batch_bytes = sizeof(SortBatch);
__device__ uint32_t sort_batch_layout = SORT_BATCH_LAYOUT.hash();
}
