// Entry points of the stage `deflate_stream`, and the constants that the Java side checks when it loads this module.
#include "../common/warp.cuh"
#include "deflate_stream_find.cuh"
#include "deflate_stream_format.cuh"
#include "deflate_stream_policy.cuh"
#include "deflate_stream_read.cuh"
#include "deflate_stream_segment.cuh"
#include "deflate_stream_write.cuh"

using namespace warpcodec;
using namespace warpcodec::deflate_stream;

namespace entry {

constexpr int FIND_CTA_WARPS = FindPolicy::CTA_THREADS / WARP_LANES;
constexpr int SEGMENT_READ_WARPS = SegmentPolicy::READ_CTA_THREADS / WARP_LANES;
constexpr int SEGMENT_WRITE_WARPS = SegmentPolicy::WRITE_CTA_THREADS / WARP_LANES;
static_assert(SegmentPolicy::STITCH_CTA_THREADS == WARP_LANES, "a warp for each block");

}  // namespace entry

using namespace entry;

/// Finds where dynamic blocks may begin (deflate_stream_find.cuh): first of two kernels, which take the same
/// arguments.
///
///   input        device, input_bytes bytes, more than 0 and at most MAX_FIND_BYTES; of aligned 8 bytes that hold a
///                byte of it, any byte may be read
///   begin        first position, in bits from the first byte of the input
///   limit        behind the last position; positions behind the input are none
///   list         device, list_limit numbers of 32 bits: the positions, in order
///   result       device, one FindResult, 4-byte aligned: how many were found, and how many of them are in the list
///   tile_counts  device, tile_count numbers; tile_counts and tile_slots are scratch of undefined contents
///   tile_slots   device, TILE_SLOTS * tile_count numbers
///   tile_count   at least (limit - begin + 31) / TILE_BITS, rounded up; more than 0
///
/// One warp per tile at a time: warp w of the grid takes each n-th from w on. Static shared memory: PrecodeSums, and
/// one FindScratch per warp. One cta barrier, before the first tile.
extern "C" __global__ void __launch_bounds__(FindPolicy::CTA_THREADS) deflate_stream_find_blocks(const Search search) {
    __shared__ PrecodeSums s_sums;
    __shared__ FindScratch s_scratch[FIND_CTA_WARPS];
    if (!search.is_sound()) return;
    for (uint32_t quad = threadIdx.x; quad < PRECODE_QUADS; quad += FindPolicy::CTA_THREADS)
        s_sums.of_four[quad] = thread_precode_sum(quad);
    __syncthreads();
    const uint32_t warp = blockIdx.x * FIND_CTA_WARPS + threadIdx.x / WARP_LANES;
    for (uint32_t tile = warp; tile < search.tile_count; tile += gridDim.x * FIND_CTA_WARPS) {
        warp_find_tile(search, tile, s_sums, s_scratch[threadIdx.x / WARP_LANES], threadIdx.x % WARP_LANES);
    }
}

/// The second: one warp, which is a cta, for each LIST_TILES tiles.
extern "C" __global__ void __launch_bounds__(WARP_LANES) deflate_stream_list_blocks(const Search search) {
    if (!search.is_sound() || blockIdx.x * LIST_TILES >= search.tile_count) return;
    warp_list_blocks(search, blockIdx.x, threadIdx.x);
}

/// Makes the codes of the blocks of a segment (deflate_stream_segment.cuh): the first of three kernels that take the
/// same arguments.
///
///   input        device, aligned to 16 bytes, input_bytes bytes, more than 0 and at most MAX_FIND_BYTES; of its last
///                aligned 8 bytes any may be read
///   blocks       device, block_count blocks, 16-byte aligned as all that follows; all work is on blocks from
///                first_block on
///   block_notes  device, block_count notes; written for blocks from first_block on
///   piece_notes  device, piece_count notes; written for pieces from first_piece on, which is the first of block
///                first_block
///   parts        device, 32 for each piece, likewise
///   tables       device, deflate_stream_table_bytes for each block, likewise
///
/// One warp per block. Static shared memory: one SegmentCodesScratch per warp. No cta barrier.
extern "C" __global__ void __launch_bounds__(SegmentPolicy::READ_CTA_THREADS)
    deflate_stream_make_codes(const SegmentReading reading) {
    __shared__ SegmentCodesScratch s_scratch[SEGMENT_READ_WARPS];
    const int warp = threadIdx.x / WARP_LANES;
    const uint32_t index = reading.first_block + blockIdx.x * SEGMENT_READ_WARPS + warp;
    if (index < reading.segment.block_count)
        warp_make_segment_codes(reading.segment, index, s_scratch[warp], threadIdx.x % WARP_LANES);
}

/// The second: one warp per piece. Static shared memory: one SegmentTables per warp. No cta barrier.
extern "C" __global__ void __launch_bounds__(SegmentPolicy::READ_CTA_THREADS)
    deflate_stream_synchronise_pieces(const SegmentReading reading) {
    __shared__ SegmentTables s_tables[SEGMENT_READ_WARPS];
    const int warp = threadIdx.x / WARP_LANES;
    const uint32_t number = reading.first_piece + blockIdx.x * SEGMENT_READ_WARPS + warp;
    if (number < reading.segment.piece_count)
        warp_synchronise_piece(reading.segment, reading.first_block, number, s_tables[warp], threadIdx.x % WARP_LANES);
}

/// The third: one warp, which is a cta, per block. Static shared memory: one SegmentTables.
extern "C" __global__ void __launch_bounds__(SegmentPolicy::STITCH_CTA_THREADS)
    deflate_stream_stitch_blocks(const SegmentReading reading) {
    __shared__ SegmentTables s_tables;
    const uint32_t index = reading.first_block + blockIdx.x;
    if (index < reading.segment.block_count) warp_stitch_segment_block(reading.segment, index, s_tables, threadIdx.x);
}

/// Writes the sources of a segment's runs; input to tables as above.
///
///   runs         device, run_count runs, whose places must not overlap
///   sources      device, place_count numbers, scratch of undefined contents
///   first_place  first place of the stream's bytes that are at hand
///   defect       device, a number that was set to 0
///
/// One warp per run at a time: warp w of the grid takes each n-th from w on. Static shared memory: one
/// SegmentWriteScratch per warp. No cta barrier.
extern "C" __global__ void __launch_bounds__(SegmentPolicy::WRITE_CTA_THREADS)
    deflate_stream_find_sources(const SegmentWriting writing) {
    __shared__ SegmentWriteScratch s_scratch[SEGMENT_WRITE_WARPS];
    const uint32_t warp = blockIdx.x * SEGMENT_WRITE_WARPS + threadIdx.x / WARP_LANES;
    for (uint32_t index = warp; index < writing.run_count; index += gridDim.x * SEGMENT_WRITE_WARPS) {
        warp_write_run(writing.segment, writing.runs[index], writing.output, s_scratch[threadIdx.x / WARP_LANES],
                       threadIdx.x % WARP_LANES);
    }
}

/// Produces the bytes of places MAX_DISTANCE_BYTES to place_count; that of place 0 would be at `bytes`. One cta for
/// each deflate_stream_tile_bytes of them. No shared memory, no barrier.
extern "C" __global__ void __launch_bounds__(SegmentPolicy::PRODUCE_CTA_THREADS)
    deflate_stream_produce(const SegmentWriting writing) {
    const uint32_t lane = threadIdx.x % WARP_LANES;
    const uint32_t begin = MAX_DISTANCE_BYTES + blockIdx.x * PRODUCE_TILE_BYTES;
    thread_produce_bytes(writing.output, begin + SegmentPolicy::PRODUCE_PLACES * (threadIdx.x - lane) + lane,
                         writing.bytes);
}

extern "C" {
__device__ uint32_t deflate_stream_abi = ABI;
__device__ uint32_t deflate_stream_max_find_bytes = MAX_FIND_BYTES;
__device__ uint32_t deflate_stream_find_result_bytes = sizeof(FindResult);
__device__ uint32_t deflate_stream_find_tile_bits = TILE_BITS;
__device__ uint32_t deflate_stream_find_tile_slots = TILE_SLOTS;
__device__ uint32_t deflate_stream_find_list_tiles = LIST_TILES;
__device__ uint32_t deflate_stream_find_cta_threads = FindPolicy::CTA_THREADS;
__device__ uint32_t deflate_stream_block_bytes = sizeof(SegmentBlock);
__device__ uint32_t deflate_stream_note_bytes = sizeof(SegmentBlockNote);
__device__ uint32_t deflate_stream_run_bytes = sizeof(SegmentRun);
__device__ uint32_t deflate_stream_part_bytes = sizeof(SegmentPart);
__device__ uint32_t deflate_stream_table_bytes = sizeof(SegmentTables);
__device__ uint32_t deflate_stream_ending_ended = SEGMENT_ENDED;
__device__ uint32_t deflate_stream_ending_bad = SEGMENT_BAD;
__device__ uint32_t deflate_stream_stored_run = STORED_RUN;
__device__ uint32_t deflate_stream_piece_bits = SEGMENT_PIECE_BITS;
__device__ uint32_t deflate_stream_margin_bits = SEGMENT_MARGIN_BITS;
__device__ uint32_t deflate_stream_header_bits = MAX_HEADER_BITS;
__device__ uint32_t deflate_stream_history_bytes = MAX_DISTANCE_BYTES;
__device__ uint32_t deflate_stream_tile_bytes = PRODUCE_TILE_BYTES;
__device__ uint32_t deflate_stream_read_cta_threads = SegmentPolicy::READ_CTA_THREADS;
__device__ uint32_t deflate_stream_stitch_cta_threads = SegmentPolicy::STITCH_CTA_THREADS;
__device__ uint32_t deflate_stream_write_cta_threads = SegmentPolicy::WRITE_CTA_THREADS;
__device__ uint32_t deflate_stream_produce_cta_threads = SegmentPolicy::PRODUCE_CTA_THREADS;
__device__ uint32_t deflate_stream_search_bytes = sizeof(Search);
__device__ uint32_t deflate_stream_search_layout = SEARCH_LAYOUT.hash();
__device__ uint32_t deflate_stream_reading_bytes = sizeof(SegmentReading);
__device__ uint32_t deflate_stream_reading_layout = SEGMENT_READING_LAYOUT.hash();
__device__ uint32_t deflate_stream_writing_bytes = sizeof(SegmentWriting);
__device__ uint32_t deflate_stream_writing_layout = SEGMENT_WRITING_LAYOUT.hash();
}
