// Entry points of the stage `suffixarray`, and the constants that the Java side checks when it loads this module.
//
// The order of the kernels, all with one OrderBatch; `sort` stands for its three kernels (sort.cu), which take the
// batch's segments of that round:
//
//   round 0:   begin, find_symbols, codes, keys, then five passes of sort from bit 24 on, keys_a first (the first
//              without its count; with scan_long), split_blocks
//   round r:   refine_windows, gather_segments, three passes of sort from bit 24 on (likewise, but with scan),
//              rank_windows, split_segments
//   last:      write_order
//
// A round that finds nothing tied, or no segment, ends at once; so the host asks for MAX_ROUNDS rounds without
// looking. No cta waits for another one within a kernel.
#include "../bwt_encode/bwt_encode_keys.cuh"
#include "../bwt_encode/bwt_encode_refine.cuh"
#include "../sort/sort_count.cuh"
#include "../sort/sort_scatter.cuh"
#include "suffixarray_order.cuh"

using namespace warpcodec;
using namespace warpcodec::suffixarray;
using sort::SortBatch;
using sort::SortPolicy;

namespace entry {

template <typename Memory>
__device__ __forceinline__ Memory& cta_memory() {
    extern __shared__ uint4 s_memory[];
    return *reinterpret_cast<Memory*>(s_memory);
}

}  // namespace entry

using namespace entry;

/// Fills the tables of the first sort, and checks the entries: a frame that is not sound has no bytes from here on.
///
///   text                 device, text_bytes bytes; only bytes of frames are read
///   order                device, text_bytes words; only those where frames have bytes are written
///   entries              device, block_count + 1 entries, first_tile ascending from 0 to tile_count; tiles that a
///                        frame owns behind its bytes are left alone
///   results              device, block_count results
///   keys_a, keys_b       device, tile_count * TILE_ROTATIONS elements each; these and all that follow are scratch,
///                        undefined
///   ranks, shared_a, _b  device, tile_count * TILE_ROTATIONS elements each
///   heads                device, tile_count * TILE_ROTATIONS bits
///   added_heads          device, for each window WINDOW_PLACES bits
///   window_ranges        device, a word for each window
///   window_marks         device, a word for each window
///   windows_a, _b        device, a word for each window
///   codes                device, CODES_PER_BLOCK elements for each frame
///   histograms           device, HISTOGRAM_WORDS_PER_TILE words for each tile
///   tile_blocks          device, tile_count words
///   segments_a, _b       device, segment_capacity entries each: SEGMENTS_PER_TILE * tile_count, or block_count if
///                        that is more
///   tile_segments_a, _b  device, tile_capacity words each: (SEGMENTS_PER_TILE + 1) * tile_count
///   rounds               device, MAX_ROUNDS + 2 entries
///
/// Any grid.
extern "C" __global__ void __launch_bounds__(SplitPolicy::CTA_THREADS) suffixarray_begin(const OrderBatch batch) {
    cta_begin_blocks<FrameShape>(batch.frames);
}

/// The symbols that each frame uses (suffixarray_order.cuh). Any grid.
extern "C" __global__ void __launch_bounds__(SYMBOLS) suffixarray_find_symbols(const OrderBatch batch) {
    __shared__ SymbolsMemory s_memory;
    cta_find_symbols<FrameShape>(batch.frames, s_memory);
}

/// The codes of each frame (bwt_encode_codes.cuh). The grid is a multiple of block_count. Dynamic shared memory:
/// suffixarray_codes_shared_bytes.
extern "C" __global__ void __launch_bounds__(CodesPolicy::CTA_THREADS) suffixarray_codes(const OrderBatch batch) {
    if (batch.frames.block_count > 0) cta_build_all_codes<FrameShape>(batch.frames, cta_memory<CodesMemory>());
}

/// The keys (bwt_encode_keys.cuh). Any grid. Static shared memory: a KeysMemory.
extern "C" __global__ void __launch_bounds__(KeysPolicy::CTA_THREADS) suffixarray_keys(const OrderBatch batch) {
    __shared__ KeysMemory<FrameShape> s_memory;
    cta_make_all_keys(batch.frames, s_memory);
}

/// Groups after the first sort (bwt_encode_split.cuh). Any grid.
extern "C" __global__ void __launch_bounds__(SplitPolicy::CTA_THREADS)
    suffixarray_split_blocks(const OrderBatch batch) {
    __shared__ SplitMemory s_memory;
    cta_split_blocks<FrameShape>(batch.frames, s_memory);
}

/// Sorts tied groups in windows (bwt_encode_refine.cuh). Any grid. Dynamic shared memory:
/// suffixarray_refine_shared_bytes.
extern "C" __global__ void __launch_bounds__(SmallWindows::CTA_THREADS, SmallWindows::CTAS_PER_MULTIPROCESSOR)
    suffixarray_refine_windows(const OrderBatch batch) {
    cta_refine_windows(batch.frames, cta_memory<RefineMemory<FrameShape>>());
}

/// The keys of large groups (bwt_encode_rank.cuh). Any grid.
extern "C" __global__ void __launch_bounds__(SortPolicy::CTA_THREADS, GATHER_CTAS_PER_MULTIPROCESSOR)
    suffixarray_gather_segments(const OrderBatch batch) {
    __shared__ sort::CountMemory<DIGIT_BITS> s_memory;
    cta_gather_segments<FrameShape>(batch.frames, s_memory);
}

/// The ranks of what the windows have sorted (bwt_encode_rank.cuh). Any grid. Static shared memory: a RankMemory.
extern "C" __global__ void __launch_bounds__(RankPolicy::CTA_THREADS) suffixarray_rank_windows(const OrderBatch batch) {
    __shared__ RankMemory<FrameShape> s_memory;
    cta_rank_windows(batch.frames, s_memory);
}

/// Groups after a round's sort of large ones (bwt_encode_split.cuh). Any grid.
extern "C" __global__ void __launch_bounds__(SplitPolicy::CTA_THREADS)
    suffixarray_split_segments(const OrderBatch batch) {
    __shared__ SplitMemory s_memory;
    cta_split_segments<FrameShape>(batch.frames, s_memory);
}

/// The order (suffixarray_order.cuh). Any grid.
extern "C" __global__ void __launch_bounds__(ColumnPolicy::CTA_THREADS)
    suffixarray_write_order(const OrderBatch batch) {
    cta_write_order<FrameShape>(batch.frames, batch.order);
}

/// Counts digits (sort_count.cuh); sort.cu says what a SortBatch has. Any grid. Static shared memory: a CountMemory.
extern "C" __global__ void __launch_bounds__(SortPolicy::CTA_THREADS) suffixarray_count(const SortBatch batch) {
    __shared__ sort::CountMemory<DIGIT_BITS> s_memory;
    sort::cta_count_tiles(batch, s_memory);
}

/// Turns counts into places (sort_scan.cuh). Any grid; a cta takes a segment.
extern "C" __global__ void __launch_bounds__(SortPolicy::SCAN_CTA_THREADS) suffixarray_scan(const SortBatch batch) {
    __shared__ sort::ScanMemory s_memory;
    sort::cta_scan_segments<DIGIT_BITS>(batch, s_memory);
}

/// Likewise, for segments of thousands of tiles (suffixarray_order.cuh). Any grid; a cta takes a segment.
extern "C" __global__ void __launch_bounds__(SCAN_THREADS) suffixarray_scan_long(const SortBatch batch) {
    __shared__ LongScanMemory<DIGIT_BITS> s_memory;
    cta_scan_long_segments(batch, s_memory);
}

/// Moves the keys (sort_scatter.cuh). Any grid. Static shared memory: a ScatterMemory, 38 KB.
extern "C" __global__ void __launch_bounds__(SortPolicy::CTA_THREADS, SortPolicy::SCATTER_CTAS_PER_MULTIPROCESSOR)
    suffixarray_scatter(const SortBatch batch) {
    __shared__ sort::ScatterMemory<DIGIT_BITS> s_memory;
    sort::cta_scatter_tiles(batch, s_memory);
}

extern "C" {
__device__ uint32_t suffixarray_abi = suffixarray::ABI;
__device__ uint32_t suffixarray_max_frame_bytes = FrameShape::MAX_BYTES;
__device__ uint32_t suffixarray_cut_bytes = FrameShape::CUT;
__device__ uint32_t suffixarray_max_rounds = FrameShape::MAX_ROUNDS;
__device__ uint32_t suffixarray_position_bits = FrameShape::POSITION_BITS;
__device__ uint32_t suffixarray_digit_bits = DIGIT_BITS;
__device__ uint32_t suffixarray_first_passes = FrameShape::WIDE_PASSES;
__device__ uint32_t suffixarray_round_passes = FrameShape::NARROW_PASSES;
__device__ uint32_t suffixarray_tile_rotations = TILE_ROTATIONS;
__device__ uint32_t suffixarray_window = SmallWindows::WINDOW;
__device__ uint32_t suffixarray_window_places = FrameShape::WINDOW_PLACES;
__device__ uint32_t suffixarray_codes_per_block = CODES_PER_BLOCK;
__device__ uint32_t suffixarray_histogram_words_per_tile = FrameShape::HISTOGRAM_WORDS_PER_TILE;
__device__ uint32_t suffixarray_segments_per_tile = FrameShape::SEGMENTS_PER_TILE;
__device__ uint32_t suffixarray_entry_bytes = sizeof(BwtEntry);
__device__ uint32_t suffixarray_result_bytes = sizeof(BwtResult);
__device__ uint32_t suffixarray_counts_bytes = sizeof(RoundCounts);
__device__ uint32_t suffixarray_segment_bytes = sizeof(sort::Segment);
__device__ uint32_t suffixarray_symbols_cta_threads = SYMBOLS;
__device__ uint32_t suffixarray_codes_cta_threads = CodesPolicy::CTA_THREADS;
__device__ uint32_t suffixarray_keys_cta_threads = KeysPolicy::CTA_THREADS;
__device__ uint32_t suffixarray_split_cta_threads = SplitPolicy::CTA_THREADS;
__device__ uint32_t suffixarray_refine_cta_threads = SmallWindows::CTA_THREADS;
__device__ uint32_t suffixarray_rank_cta_threads = RankPolicy::CTA_THREADS;
__device__ uint32_t suffixarray_order_cta_threads = ColumnPolicy::CTA_THREADS;
__device__ uint32_t suffixarray_sort_cta_threads = SortPolicy::CTA_THREADS;
__device__ uint32_t suffixarray_scan_cta_threads = SortPolicy::SCAN_CTA_THREADS;
__device__ uint32_t suffixarray_scan_long_cta_threads = SCAN_THREADS;
__device__ uint32_t suffixarray_codes_shared_bytes = sizeof(CodesMemory);
__device__ uint32_t suffixarray_refine_shared_bytes = sizeof(RefineMemory<FrameShape>);
__device__ uint32_t suffixarray_batch_bytes = sizeof(OrderBatch);
__device__ uint32_t suffixarray_batch_layout = ORDER_BATCH_LAYOUT.hash();
__device__ uint32_t suffixarray_sort_batch_bytes = sizeof(SortBatch);
__device__ uint32_t suffixarray_sort_batch_layout = sort::SORT_BATCH_LAYOUT.hash();
}

WARPCODEC_EXPORT_STATUSES(suffixarray)
