// Entry points of the stage `bwt_encode`, and the constants that the Java side checks when it loads this module.
//
// The order of the kernels, all with one BwtBatch; `sort` stands for its three kernels, which take the batch's
// segments of that round:
//
//   round 0:   begin, codes, keys, then five passes of sort with wide digits from bit 20 on, keys_a first (the first
//              without its count), split_blocks
//   round r:   refine_windows, gather_segments, three passes of sort with narrow digits from bit 20 on (likewise),
//              rank_windows, split_segments
//   last:      write_columns
//
// A round that finds nothing tied, or no segment, ends at once; so the host may ask for MAX_ROUNDS rounds without
// looking, or look at rounds[r + 1] and stop when nothing is tied. No cta waits for another one within a kernel.
#include "bwt_encode_codes.cuh"
#include "bwt_encode_keys.cuh"
#include "bwt_encode_rank.cuh"
#include "bwt_encode_refine.cuh"
#include "bwt_encode_split.cuh"

using namespace warpcodec;
using namespace warpcodec::bwt_encode;

namespace entry {

template <typename Memory>
__device__ __forceinline__ Memory& cta_memory() {
    extern __shared__ uint4 s_memory[];
    return *reinterpret_cast<Memory*>(s_memory);
}

}  // namespace entry

using namespace entry;

/// Fills the tables of the first sort, and checks the entries: a block that is not sound has no bytes from here on.
///
///   text, column         device, text_bytes bytes each; only bytes of blocks are read and written
///   entries              device, block_count + 1 entries, first_tile ascending from 0 to tile_count
///   results              device, block_count results
///   keys_a, keys_b       device, tile_count * TILE_ROTATIONS elements each; these and all that follow are scratch,
///                        undefined
///   ranks, shared_a, _b  device, tile_count * TILE_ROTATIONS elements each
///   heads                device, tile_count * TILE_ROTATIONS bits
///   added_heads          device, for each window WINDOW_PLACES bits
///   window_ranges        device, a word for each window
///   window_marks         device, a word for each window
///   windows_a, _b        device, a word for each window
///   codes                device, CODES_PER_BLOCK elements for each block
///   histograms           device, HISTOGRAM_WORDS_PER_TILE words for each tile
///   tile_blocks          device, tile_count words
///   segments_a, _b       device, segment_capacity entries each: SEGMENTS_PER_TILE * tile_count, or block_count if
///                        that is more
///   tile_segments_a, _b  device, tile_capacity words each: (SEGMENTS_PER_TILE + 1) * tile_count
///   rounds               device, MAX_ROUNDS + 2 entries
///
/// Any grid.
extern "C" __global__ void __launch_bounds__(SplitPolicy::CTA_THREADS) bwt_encode_begin(const BwtBatch batch) {
    cta_begin_blocks<BlockShape>(batch);
}

/// The codes of each block (bwt_encode_codes.cuh). The grid is a multiple of block_count. Dynamic shared memory:
/// bwt_encode_codes_shared_bytes.
extern "C" __global__ void __launch_bounds__(CodesPolicy::CTA_THREADS) bwt_encode_codes(const BwtBatch batch) {
    if (batch.block_count > 0) cta_build_all_codes<BlockShape>(batch, cta_memory<CodesMemory>());
}

/// The keys (bwt_encode_keys.cuh). Any grid. Static shared memory: a KeysMemory.
extern "C" __global__ void __launch_bounds__(KeysPolicy::CTA_THREADS) bwt_encode_keys(const BwtBatch batch) {
    __shared__ KeysMemory<BlockShape> s_memory;
    cta_make_all_keys(batch, s_memory);
}

/// Groups after the first sort (bwt_encode_split.cuh). Any grid.
extern "C" __global__ void __launch_bounds__(SplitPolicy::CTA_THREADS) bwt_encode_split_blocks(const BwtBatch batch) {
    __shared__ SplitMemory s_memory;
    cta_split_blocks<BlockShape>(batch, s_memory);
}

/// Sorts tied groups in windows (bwt_encode_refine.cuh). Any grid. Dynamic shared memory:
/// bwt_encode_refine_shared_bytes.
extern "C" __global__ void __launch_bounds__(RefinePolicy::CTA_THREADS, RefinePolicy::CTAS_PER_MULTIPROCESSOR)
    bwt_encode_refine_windows(const BwtBatch batch) {
    cta_refine_windows(batch, cta_memory<RefineMemory<BlockShape>>());
}

/// The keys of large groups (bwt_encode_rank.cuh). Any grid.
extern "C" __global__ void __launch_bounds__(sort::SortPolicy::CTA_THREADS)
    bwt_encode_gather_segments(const BwtBatch batch) {
    __shared__ sort::CountMemory<sort::NARROW_DIGIT_BITS> s_memory;
    cta_gather_segments<BlockShape>(batch, s_memory);
}

/// The ranks of what the windows have sorted (bwt_encode_rank.cuh). Any grid. Static shared memory: a RankMemory.
extern "C" __global__ void __launch_bounds__(RankPolicy::CTA_THREADS) bwt_encode_rank_windows(const BwtBatch batch) {
    __shared__ RankMemory<BlockShape> s_memory;
    cta_rank_windows(batch, s_memory);
}

/// Groups after a round's sort of large ones (bwt_encode_split.cuh). Any grid.
extern "C" __global__ void __launch_bounds__(SplitPolicy::CTA_THREADS) bwt_encode_split_segments(const BwtBatch batch) {
    __shared__ SplitMemory s_memory;
    cta_split_segments<BlockShape>(batch, s_memory);
}

/// The last columns (bwt_encode_rank.cuh). Any grid.
extern "C" __global__ void __launch_bounds__(ColumnPolicy::CTA_THREADS) bwt_encode_write_columns(const BwtBatch batch) {
    cta_write_columns<BlockShape>(batch);
}

extern "C" {
__device__ uint32_t bwt_encode_abi = ABI;
__device__ uint32_t bwt_encode_max_block_bytes = MAX_BLOCK_BYTES;
__device__ uint32_t bwt_encode_max_rounds = BlockShape::MAX_ROUNDS;
__device__ uint32_t bwt_encode_tile_rotations = TILE_ROTATIONS;
__device__ uint32_t bwt_encode_window = RefinePolicy::WINDOW;
__device__ uint32_t bwt_encode_codes_per_block = CODES_PER_BLOCK;
__device__ uint32_t bwt_encode_histogram_words_per_tile = BlockShape::HISTOGRAM_WORDS_PER_TILE;
__device__ uint32_t bwt_encode_segments_per_tile = BlockShape::SEGMENTS_PER_TILE;
__device__ uint32_t bwt_encode_entry_bytes = sizeof(BwtEntry);
__device__ uint32_t bwt_encode_result_bytes = sizeof(BwtResult);
__device__ uint32_t bwt_encode_counts_bytes = sizeof(RoundCounts);
__device__ uint32_t bwt_encode_codes_cta_threads = CodesPolicy::CTA_THREADS;
__device__ uint32_t bwt_encode_keys_cta_threads = KeysPolicy::CTA_THREADS;
__device__ uint32_t bwt_encode_split_cta_threads = SplitPolicy::CTA_THREADS;
__device__ uint32_t bwt_encode_window_places = BlockShape::WINDOW_PLACES;
__device__ uint32_t bwt_encode_refine_cta_threads = RefinePolicy::CTA_THREADS;
__device__ uint32_t bwt_encode_rank_cta_threads = RankPolicy::CTA_THREADS;
__device__ uint32_t bwt_encode_column_cta_threads = ColumnPolicy::CTA_THREADS;
__device__ uint32_t bwt_encode_codes_shared_bytes = sizeof(CodesMemory);
__device__ uint32_t bwt_encode_refine_shared_bytes = sizeof(RefineMemory<BlockShape>);
__device__ uint32_t bwt_encode_batch_bytes = sizeof(BwtBatch);
__device__ uint32_t bwt_encode_batch_layout = BWT_BATCH_LAYOUT.hash();
}

WARPCODEC_EXPORT_STATUSES(bwt_encode)
