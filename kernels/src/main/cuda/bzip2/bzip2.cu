// Entry points of the format `bzip2`, and the constants that the Java side checks when it loads this module.
//
// All kernels of the decoder take the same batch, in this order:
//
//   bzip2_make_tables     block       look-ups of its prefix codes                             bzip2_tables.cuh
//   bzip2_read_trunks     strips      for each code a path of words through the block's bits   bzip2_trunks.cuh
//   bzip2_find_groups     block       where each group of 50 symbols begins                    bzip2_groups.cuh
//   bzip2_walk_groups     block       likewise, where codes do not fall into step              bzip2_walk.cuh
//   bzip2_read_symbols    strip       symbols                                                  bzip2_read.cuh
//   bzip2_read_pieces     pieces      ranks become places of a list that is not known yet      mtf_decode.cuh
//   bzip2_join_pieces     block       each piece's list; the length of the text
//   bzip2_write_pieces    pieces      the last column
//   bzip2_count_tiles     tile        how often each byte occurs                               bwt_decode.cuh
//   bzip2_begin_tiles     block       where each tile's bytes are in sorted order
//   bzip2_link_tiles      tile        from each row to the next one
//   bzip2_measure_nodes   nodes       segments of the walk along the links
//   bzip2_rank_nodes      block       where in the text they are
//   bzip2_write_nodes     nodes       the text
//   bzip2_repeat_text     strip       of a text whose rows are not all different
//   bzip2_measure_runs    pieces      what bzip2's first coding of runs makes of each piece    bzip2_runs.cuh
//   bzip2_join_runs       block       where each piece's raw bytes are; how many there are
//   bzip2_expand_runs     pieces      raw bytes, or the text where those do not fit the slot
//   bzip2_check           strip       their CRC                                                bzip2_check.cuh
//   bzip2_finish          block       the result
//
// The second column says what a cta works on. Each kernel goes through all of it, whatever its grid, and does nothing
// for a block that has a defect. A block that is randomised, as bzip2 before 0.9.5 wrote some, comes back as text
// (STATUS_EXPANDS), for the host to undo that.
//
//   input    device, 16-byte aligned, input_bytes bytes: a Record and its block for each entry
//   output   device, 16-byte aligned, output_bytes bytes; slots must not overlap
//   scratch  device, 256-byte aligned, scratch_bytes bytes; the blocks' parts must not overlap
//   entries  device, block_count entries, 8-byte aligned
//   results  device, block_count results, 8-byte aligned: STATUS_SOUND with raw bytes, STATUS_EXPANDS with bytes of
//            text in the slot, or a defect
#include "../bwt/bwt_decode.cuh"
#include "../common/batch.cuh"
#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "../mtf/mtf_decode.cuh"
#include "bzip2_check.cuh"
#include "bzip2_format.cuh"
#include "bzip2_groups.cuh"
#include "bzip2_read.cuh"
#include "bzip2_runs.cuh"
#include "bzip2_scratch.cuh"
#include "bzip2_tables.cuh"
#include "bzip2_trunks.cuh"
#include "bzip2_walk.cuh"

using namespace warpcodec;
using namespace warpcodec::bzip2;

namespace entry {

constexpr int PIECE_READ_CTA_THREADS = 64;
constexpr int PIECE_CTA_THREADS = 128;
constexpr uint32_t PIECE_CTA_WARPS = PIECE_CTA_THREADS / WARP_LANES;
constexpr int NODE_CTA_THREADS = 64;
constexpr int RUN_CTA_THREADS = 128;
constexpr uint32_t RUN_STRIP_BYTES = RUN_CTA_THREADS * RUN_PIECE_BYTES;
constexpr int FINISH_CTA_THREADS = 128;

// How many ctas the longest block keeps busy, by kernel. The launcher makes the same grids (Bzip2Kernels).
__host__ __device__ constexpr uint32_t piece_strips(uint32_t slot_bytes) {
    return (mtf::piece_count(slot_bytes + 2 * GROUP_SYMBOLS) + PIECE_CTA_WARPS - 1) / PIECE_CTA_WARPS;
}
__host__ __device__ constexpr uint32_t piece_read_strips(uint32_t slot_bytes) {
    return (mtf::piece_count(slot_bytes + 2 * GROUP_SYMBOLS) + PIECE_READ_CTA_THREADS - 1) / PIECE_READ_CTA_THREADS;
}
__host__ __device__ constexpr uint32_t node_strips(uint32_t slot_bytes) {
    return (bwt::node_count(slot_bytes) + NODE_CTA_THREADS - 1) / NODE_CTA_THREADS;
}
__host__ __device__ constexpr uint32_t run_strips(uint32_t slot_bytes) {
    return (slot_bytes + RUN_STRIP_BYTES - 1) / RUN_STRIP_BYTES;
}

/// Calls work(view, strip) for each strip of each sound block; `strips` of a block of the largest size. All threads
/// of the cta take part in every call, and wait for each other between them. Other ctas may find a defect meanwhile:
/// one thread looks, so that all agree.
template <typename Work>
__device__ __forceinline__ void for_each_strip(const DecodeBatch& batch, uint32_t strips, Work work) {
    for (uint64_t at = blockIdx.x; at < uint64_t{strips} * batch.block_count; at += gridDim.x) {
        const DecodeEntry entry = batch.entries[at / strips];
        const bool sound = threadIdx.x == 0 && block_is_sound(entry, batch);
        if (__syncthreads_or(sound)) work(view_block(entry, batch), static_cast<uint32_t>(at % strips));
    }
}

}  // namespace entry

using namespace entry;

extern "C" __global__ void __launch_bounds__(TABLE_CTA_THREADS) bzip2_make_tables(const DecodeBatch batch) {
    __shared__ TableScratch s_tables;
    for (uint32_t index = blockIdx.x; index < batch.block_count; index += gridDim.x) {
        const DecodeEntry entry = batch.entries[index];
        if (!entry_fits(entry, batch)) {
            if (threadIdx.x == 0) batch.results[index] = BlockResult{STATUS_BAD_ENTRY, 0};
            continue;
        }
        const bool legal =
            record_is_legal(*reinterpret_cast<const Record*>(batch.input + entry.input_offset), entry.input_bytes);
        if (threadIdx.x == 0) {
            BlockState state{};
            state.status = legal ? STATUS_SOUND : STATUS_BAD_ENTRY;
            *reinterpret_cast<BlockState*>(batch.scratch + entry.scratch_offset) = state;
        }
        __syncthreads();
        if (legal) cta_make_tables(view_block(entry, batch), s_tables);
        __syncthreads();
    }
}

extern "C" __global__ void __launch_bounds__(TRUNK_CTA_THREADS, TRUNK_CTAS) bzip2_read_trunks(const DecodeBatch batch) {
    __shared__ StepCodes s_codes;
    const uint32_t strips = batch.largest_slot / TRUNK_CTA_BYTES + 1;
    for_each_strip(batch, strips,
                   [&](const BlockView& block, uint32_t strip) { cta_read_trunks(block, strip, strips, s_codes); });
}

extern "C" __global__ void __launch_bounds__(FIND_CTA_THREADS, FIND_CTAS) bzip2_find_groups(const DecodeBatch batch) {
    __shared__ GroupScratch s_groups;
    for_each_strip(batch, 1, [&](const BlockView& block, uint32_t) { cta_find_groups(block, s_groups); });
}

extern "C" __global__ void __launch_bounds__(WALK_CTA_THREADS, WALK_CTAS) bzip2_walk_groups(const DecodeBatch batch) {
    __shared__ WalkScratch s_walk;
    for_each_strip(batch, 1, [&](const BlockView& block, uint32_t) { cta_walk_groups(block, s_walk); });
}

extern "C" __global__ void __launch_bounds__(READ_CTA_THREADS) bzip2_read_symbols(const DecodeBatch batch) {
    __shared__ ReadScratch s_read;
    for_each_strip(batch, read_strips(batch.largest_slot),
                   [&](const BlockView& block, uint32_t strip) { cta_read_strip(block, strip, s_read); });
}

extern "C" __global__ void __launch_bounds__(PIECE_READ_CTA_THREADS) bzip2_read_pieces(const DecodeBatch batch) {
    __shared__ mtf::WarpLists s_lists[PIECE_READ_CTA_THREADS / WARP_LANES];
    for_each_strip(batch, piece_read_strips(batch.largest_slot), [&](const BlockView& block, uint32_t strip) {
        const uint32_t piece = strip * PIECE_READ_CTA_THREADS + threadIdx.x;
        if (!mtf::lane_read_piece(block.scratch.symbols, block.scratch.state->symbol_count, piece, block.scratch.pieces,
                                  s_lists[threadIdx.x / WARP_LANES], threadIdx.x % WARP_LANES)) {
            block.scratch.state->status = STATUS_BAD_SYMBOL;
        }
    });
}

extern "C" __global__ void __launch_bounds__(mtf::JOIN_CTA_THREADS) bzip2_join_pieces(const DecodeBatch batch) {
    __shared__ mtf::JoinScratch s_join;
    for_each_strip(batch, 1, [&](const BlockView& block, uint32_t) {
        BlockState& state = *block.scratch.state;
        const uint32_t bytes = mtf::cta_join_pieces(block.scratch.pieces, mtf::piece_count(state.symbol_count),
                                                    block.record->symbols_in_use, s_join);
        if (threadIdx.x != 0) return;
        state.text_bytes = bytes;
        if (bytes > block.text_limit) {
            state.status = STATUS_OUTPUT_EXCEEDED;
        } else if (block.record->orig_ptr >= bytes) {
            state.status = STATUS_BAD_OFFSET;
        }
    });
}

extern "C" __global__ void __launch_bounds__(PIECE_CTA_THREADS) bzip2_write_pieces(const DecodeBatch batch) {
    __shared__ uint2 s_lists[PIECE_CTA_WARPS][WARP_LANES];
    for_each_strip(batch, piece_strips(batch.largest_slot), [&](const BlockView& block, uint32_t strip) {
        const BlockState& state = *block.scratch.state;
        const uint32_t warp = threadIdx.x / WARP_LANES;
        const uint32_t piece = strip * PIECE_CTA_WARPS + warp;
        if (piece >= mtf::piece_count(state.symbol_count)) return;
        mtf::warp_write_piece(block.scratch.symbols, state.symbol_count, piece, block.scratch.pieces[piece],
                              block.scratch.column, state.text_bytes, s_lists[warp], threadIdx.x % WARP_LANES);
    });
}

extern "C" __global__ void __launch_bounds__(bwt::COUNT_CTA_THREADS) bzip2_count_tiles(const DecodeBatch batch) {
    __shared__ uint32_t s_counts[bwt::COUNT_CTA_WARPS][bwt::VALUES];
    for_each_strip(batch, bwt::tile_count(batch.largest_slot), [&](const BlockView& block, uint32_t tile) {
        const uint32_t bytes = block.scratch.state->text_bytes;
        if (tile < bwt::tile_count(bytes))
            bwt::cta_count_tile(block.scratch.column, bytes, tile, block.scratch.tile_counts, s_counts);
    });
}

extern "C" __global__ void __launch_bounds__(bwt::VALUES) bzip2_begin_tiles(const DecodeBatch batch) {
    __shared__ uint32_t s_warps[bwt::VALUES / WARP_LANES];
    for_each_strip(batch, 1, [&](const BlockView& block, uint32_t) {
        bwt::cta_begin_tiles(block.scratch.tile_counts, bwt::tile_count(block.scratch.state->text_bytes), s_warps);
    });
}

extern "C" __global__ void __launch_bounds__(bwt::LINK_CTA_THREADS, 2) bzip2_link_tiles(const DecodeBatch batch) {
    __shared__ bwt::LinkScratch s_link;
    for_each_strip(batch, bwt::tile_count(batch.largest_slot), [&](const BlockView& block, uint32_t tile) {
        const uint32_t bytes = block.scratch.state->text_bytes;
        if (tile < bwt::tile_count(bytes))
            bwt::cta_link_tile(block.scratch.column, bytes, tile, block.scratch.tile_counts, block.scratch.links,
                               s_link);
    });
}

extern "C" __global__ void __launch_bounds__(NODE_CTA_THREADS) bzip2_measure_nodes(const DecodeBatch batch) {
    for_each_strip(batch, node_strips(batch.largest_slot), [&](const BlockView& block, uint32_t strip) {
        const uint32_t bytes = block.scratch.state->text_bytes;
        const uint32_t node = strip * NODE_CTA_THREADS + threadIdx.x;
        if (node < bwt::node_count(bytes)) {
            bwt::thread_measure(block.scratch.links, bytes, block.record->orig_ptr, node, block.scratch.nodes,
                                block.scratch.stage);
        }
    });
}

extern "C" __global__ void __launch_bounds__(bwt::RANK_CTA_THREADS) bzip2_rank_nodes(const DecodeBatch batch) {
    __shared__ bwt::RankScratch s_rank;
    for_each_strip(batch, 1, [&](const BlockView& block, uint32_t) {
        BlockState& state = *block.scratch.state;
        const uint32_t cycle = bwt::cta_rank_nodes(block.scratch.nodes, state.text_bytes, s_rank);
        if (threadIdx.x == 0) state.cycle_bytes = cycle;
    });
}

extern "C" __global__ void __launch_bounds__(NODE_CTA_THREADS) bzip2_write_nodes(const DecodeBatch batch) {
    for_each_strip(batch, node_strips(batch.largest_slot), [&](const BlockView& block, uint32_t strip) {
        const uint32_t bytes = block.scratch.state->text_bytes;
        const uint32_t node = strip * NODE_CTA_THREADS + threadIdx.x;
        bwt::warp_write_segments(block.scratch.links, bytes, node, bwt::node_count(bytes), block.scratch.nodes,
                                 block.scratch.stage, block.scratch.text, threadIdx.x % WARP_LANES);
    });
}

extern "C" __global__ void __launch_bounds__(RUN_CTA_THREADS) bzip2_repeat_text(const DecodeBatch batch) {
    for_each_strip(batch, run_strips(batch.largest_slot), [&](const BlockView& block, uint32_t strip) {
        const uint32_t bytes = block.scratch.state->text_bytes;
        const uint32_t cycle = block.scratch.state->cycle_bytes;
        if (cycle == 0 || cycle >= bytes) return;
        const uint32_t limit = min((strip + 1) * RUN_STRIP_BYTES, bytes);
        for (uint32_t at = max(strip * RUN_STRIP_BYTES, cycle) + threadIdx.x; at < limit; at += RUN_CTA_THREADS) {
            block.scratch.text[at] = block.scratch.text[at % cycle];
        }
    });
}

extern "C" __global__ void __launch_bounds__(RUN_CTA_THREADS) bzip2_measure_runs(const DecodeBatch batch) {
    for_each_strip(batch, run_strips(batch.largest_slot), [&](const BlockView& block, uint32_t strip) {
        const uint32_t bytes = block.scratch.state->text_bytes;
        const uint32_t piece = strip * RUN_CTA_THREADS + threadIdx.x;
        if (piece < run_pieces(bytes))
            block.scratch.runs[piece] = thread_measure_runs(block.scratch.text, bytes, piece);
    });
}

extern "C" __global__ void __launch_bounds__(RUN_JOIN_CTA_THREADS) bzip2_join_runs(const DecodeBatch batch) {
    __shared__ RunScratch s_runs;
    for_each_strip(batch, 1, [&](const BlockView& block, uint32_t) {
        BlockState& state = *block.scratch.state;
        const RunStart end = cta_join_runs(block.scratch.runs, run_pieces(state.text_bytes), s_runs);
        if (threadIdx.x != 0) return;
        state.raw_bytes = end.output_at;
        state.expands = end.output_at > block.slot_bytes || block.record->randomised != 0 ? 1 : 0;
        if (end.state == RUN_LITERALS && state.expands == 0) state.status = STATUS_TRUNCATED;
    });
}

extern "C" __global__ void __launch_bounds__(RUN_CTA_THREADS) bzip2_expand_runs(const DecodeBatch batch) {
    __shared__ uint8_t s_stages[RUN_CTA_THREADS / WARP_LANES][RUN_STAGE_BYTES];
    for_each_strip(batch, run_strips(batch.largest_slot), [&](const BlockView& block, uint32_t strip) {
        const BlockState& state = *block.scratch.state;
        const uint32_t bytes = state.text_bytes;
        if (state.expands != 0) {
            const uint32_t limit = min((strip + 1) * RUN_STRIP_BYTES, bytes);
            for (uint32_t at = strip * RUN_STRIP_BYTES + threadIdx.x; at < limit; at += RUN_CTA_THREADS)
                block.slot[at] = block.scratch.text[at];
            return;
        }
        const uint32_t warp = threadIdx.x / WARP_LANES;
        const uint32_t first = strip * RUN_CTA_THREADS + warp * WARP_LANES;
        if (first >= run_pieces(bytes)) return;
        warp_expand_runs(block.scratch.text, bytes, block.scratch.runs, first, state.raw_bytes, block.slot,
                         s_stages[warp], threadIdx.x % WARP_LANES);
    });
}

extern "C" __global__ void __launch_bounds__(CHECK_CTA_THREADS) bzip2_check(const DecodeBatch batch) {
    __shared__ uint32_t s_lookup[checksum::LOOKUP_WORDS];
    checksum::cta_fill_lookup(s_lookup);
    __syncthreads();
    for_each_strip(batch, check_strips(batch.largest_slot), [&](const BlockView& block, uint32_t strip) {
        BlockState& state = *block.scratch.state;
        if (state.expands != 0) return;
        const uint64_t begin = static_cast<uint64_t>(block.slot - batch.output);
        const int lane = threadIdx.x % WARP_LANES;
        const uint32_t term = warp_crc_term(batch.output, begin, begin + state.raw_bytes, strip,
                                            threadIdx.x / WARP_LANES, s_lookup, lane);
        if (lane == 0 && term != 0) atomicXor(&state.crc, term);
    });
}

extern "C" __global__ void __launch_bounds__(FINISH_CTA_THREADS) bzip2_finish(const DecodeBatch batch) {
    for (uint32_t index = blockIdx.x * FINISH_CTA_THREADS + threadIdx.x; index < batch.block_count;
         index += gridDim.x * FINISH_CTA_THREADS) {
        const DecodeEntry entry = batch.entries[index];
        if (!entry_fits(entry, batch)) continue;
        const BlockState& state = *reinterpret_cast<const BlockState*>(batch.scratch + entry.scratch_offset);
        BlockResult result{state.status, 0};
        if (state.status == STATUS_SOUND && state.expands != 0) {
            result = BlockResult{STATUS_EXPANDS, state.text_bytes};
        } else if (state.status == STATUS_SOUND) {
            const uint32_t crc = __brev(state.crc ^ checksum::CRC32_FINAL_XOR);
            const bool right = crc == reinterpret_cast<const Record*>(batch.input + entry.input_offset)->crc;
            result = right ? BlockResult{STATUS_SOUND, state.raw_bytes} : BlockResult{STATUS_BAD_CHECKSUM, 0};
        }
        batch.results[index] = result;
    }
}

/// How a kernel is launched: threads of a cta, and bytes of a slot that one works on; 0: a cta for each block.
#define WARPCODEC_STAGE(entry, cta_threads, cta_bytes)             \
    __device__ uint32_t bzip2_##entry##_cta_threads = cta_threads; \
    __device__ uint32_t bzip2_##entry##_cta_bytes = cta_bytes;

extern "C" {
WARPCODEC_STAGE(make_tables, TABLE_CTA_THREADS, 0)
WARPCODEC_STAGE(read_trunks, TRUNK_CTA_THREADS, TRUNK_CTA_BYTES)
WARPCODEC_STAGE(find_groups, FIND_CTA_THREADS, 0)
WARPCODEC_STAGE(walk_groups, WALK_CTA_THREADS, 0)
WARPCODEC_STAGE(read_symbols, READ_CTA_THREADS, STRIP_GROUPS* GROUP_SYMBOLS)
WARPCODEC_STAGE(read_pieces, PIECE_READ_CTA_THREADS, PIECE_READ_CTA_THREADS* mtf::PIECE_SYMBOLS)
WARPCODEC_STAGE(join_pieces, mtf::JOIN_CTA_THREADS, 0)
WARPCODEC_STAGE(write_pieces, PIECE_CTA_THREADS, PIECE_CTA_WARPS* mtf::PIECE_SYMBOLS)
WARPCODEC_STAGE(count_tiles, bwt::COUNT_CTA_THREADS, bwt::TILE_BYTES)
WARPCODEC_STAGE(begin_tiles, bwt::VALUES, 0)
WARPCODEC_STAGE(link_tiles, bwt::LINK_CTA_THREADS, bwt::TILE_BYTES)
WARPCODEC_STAGE(measure_nodes, NODE_CTA_THREADS, NODE_CTA_THREADS* bwt::STRATUM_ROWS)
WARPCODEC_STAGE(rank_nodes, bwt::RANK_CTA_THREADS, 0)
WARPCODEC_STAGE(write_nodes, NODE_CTA_THREADS, NODE_CTA_THREADS* bwt::STRATUM_ROWS)
WARPCODEC_STAGE(repeat_text, RUN_CTA_THREADS, RUN_STRIP_BYTES)
WARPCODEC_STAGE(measure_runs, RUN_CTA_THREADS, RUN_STRIP_BYTES)
WARPCODEC_STAGE(join_runs, RUN_JOIN_CTA_THREADS, 0)
WARPCODEC_STAGE(expand_runs, RUN_CTA_THREADS, RUN_STRIP_BYTES)
WARPCODEC_STAGE(check, CHECK_CTA_THREADS, CHECK_STRIP_ROWS* checksum::ROW_BYTES)
WARPCODEC_STAGE(finish, FINISH_CTA_THREADS, 0)
}

extern "C" {
__device__ uint32_t bzip2_abi = ABI;
__device__ uint32_t bzip2_record_bytes = RECORD_BYTES;
__device__ uint32_t bzip2_max_text_bytes = MAX_TEXT_BYTES;
__device__ uint32_t bzip2_max_selectors = MAX_SELECTORS;
__device__ uint32_t bzip2_max_input_bytes = MAX_INPUT_BYTES;
__device__ uint32_t bzip2_max_output_bytes = MAX_OUTPUT_BYTES;
__device__ uint32_t bzip2_group_symbols = GROUP_SYMBOLS;
__device__ uint32_t bzip2_decode_entry_bytes = sizeof(DecodeEntry);
__device__ uint32_t bzip2_block_result_bytes = sizeof(BlockResult);
__device__ uint32_t bzip2_slot_grain = SLOT_GRAIN;
__device__ uint32_t bzip2_scratch_fixed_bytes = SCRATCH_FIXED_BYTES;
__device__ uint32_t bzip2_scratch_sixteenths = SCRATCH_SIXTEENTHS;
__device__ uint32_t bzip2_decode_batch_bytes = sizeof(DecodeBatch);
__device__ uint32_t bzip2_decode_batch_layout = DECODE_BATCH_LAYOUT.hash();
}
WARPCODEC_EXPORT_STATUSES(bzip2)
