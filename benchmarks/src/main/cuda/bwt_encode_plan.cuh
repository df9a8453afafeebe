// Order of the forward transform's kernels, for all programs that run them by themselves. A program's launch(name,
// kernel, grid, threads, shared_bytes, batch) launches one kernel.
#pragma once

#include <algorithm>

#include "bwt_encode/bwt_encode_rank.cuh"
#include "bwt_encode/bwt_encode_split.cuh"
#include "sort/sort_count.cuh"
#include "sort/sort_scan.cuh"
#include "sort/sort_scatter.cuh"

namespace bwt_plan {

using namespace warpcodec;
using namespace warpcodec::bwt_encode;

/// Tiles of a block of so many bytes.
inline uint32_t tiles_of(uint32_t bytes) { return (bytes + TILE_ROTATIONS - 1) / TILE_ROTATIONS; }
template <typename Shape>
uint32_t tile_capacity_of(uint32_t tiles) {
    return (Shape::SEGMENTS_PER_TILE + 1) * tiles;
}
template <typename Shape>
uint32_t segment_capacity_of(uint32_t tiles, uint32_t blocks) {
    return std::max(Shape::SEGMENTS_PER_TILE * tiles, blocks);
}

/// Ctas that make the codes of a block: more than one if there are few blocks.
inline uint32_t codes_parts(uint32_t blocks) { return blocks <= 16 ? 8 : blocks <= 32 ? 4 : blocks <= 64 ? 2 : 1; }

/// The sort's batch for pass `pass` of a round: keys_a first, then to and fro.
template <typename Shape>
sort::SortBatch pass_of(const BwtBatch& batch, int pass, int digit_bits) {
    const bool odd_round = (batch.round & 1) != 0, odd_pass = (pass & 1) != 0;
    sort::SortBatch sorted{};
    sorted.keys = odd_pass ? batch.keys_b : batch.keys_a;
    sorted.sorted_keys = odd_pass ? batch.keys_a : batch.keys_b;
    sorted.segments = odd_round ? batch.segments_b : batch.segments_a;
    sorted.tile_segments = odd_round ? batch.tile_segments_b : batch.tile_segments_a;
    sorted.counts = &batch.rounds[batch.round].large;
    sorted.histograms = batch.histograms;
    sorted.key_count = batch.tile_count * TILE_ROTATIONS;
    sorted.segment_capacity = batch.segment_capacity;
    sorted.tile_capacity = batch.tile_capacity;
    sorted.shift = Shape::POSITION_BITS + pass * digit_bits;
    return sorted;
}

/// The kernels, as a program has them.
template <typename BwtKernel, typename SortKernel>
struct Kernels {
    BwtKernel begin, codes, keys, split_blocks, refine_windows, gather_segments, rank_windows, split_segments,
        write_columns;
    SortKernel count_wide, scan_wide, scatter_wide, count_narrow, scan_narrow, scatter_narrow;
    uint32_t scan_wide_threads = sort::SortPolicy::SCAN_CTA_THREADS,
             scan_narrow_threads = sort::SortPolicy::SCAN_CTA_THREADS;
    BwtKernel find_symbols{};  ///< if the shape's codes take them as known
};

/// The first sort, and the groups that it leaves.
template <typename Shape, typename Kernel, typename SortKernel, typename Launch>
void first_sort(const Kernels<Kernel, SortKernel>& kernels, BwtBatch batch, const Launch& launch) {
    batch.round = 0;
    launch("begin", kernels.begin, batch.block_count, SplitPolicy::CTA_THREADS, 0, batch);
    if constexpr (Shape::KNOWS_SYMBOLS)
        launch("symbols", kernels.find_symbols, batch.tile_count, static_cast<uint32_t>(SYMBOLS), 0, batch);
    launch("codes", kernels.codes, batch.block_count * codes_parts(batch.block_count), CodesPolicy::CTA_THREADS,
           sizeof(CodesMemory), batch);
    launch("keys", kernels.keys, batch.tile_count, KeysPolicy::CTA_THREADS, 0, batch);
    for (int pass = 0; pass < Shape::WIDE_PASSES; ++pass) {
        const sort::SortBatch sorted = pass_of<Shape>(batch, pass, Shape::WIDE_DIGIT_BITS);
        if (pass > 0) launch("count", kernels.count_wide, batch.tile_count, sort::SortPolicy::CTA_THREADS, 0, sorted);
        launch("scan", kernels.scan_wide, batch.block_count, kernels.scan_wide_threads, 0, sorted);
        launch("scatter", kernels.scatter_wide, batch.tile_count, sort::SortPolicy::CTA_THREADS, 0, sorted);
    }
    launch("split_blocks", kernels.split_blocks, batch.tile_count, SplitPolicy::CTA_THREADS, 0, batch);
}

/// Round `round`, from 1 on. Windows and segments that only the device knows take grids of `resident` ctas; `counts`
/// are null if the host has not looked.
template <typename Shape, typename Kernel, typename SortKernel, typename Launch>
void one_round(const Kernels<Kernel, SortKernel>& kernels, BwtBatch batch, uint32_t round, uint32_t resident,
               const RoundCounts* counts, const Launch& launch) {
    const uint32_t windows = counts == nullptr ? resident : counts->windows;
    const bool large = counts == nullptr || counts->large.segments > 0;
    batch.round = round;
    launch("refine", kernels.refine_windows, windows, Shape::Refine::CTA_THREADS, sizeof(RefineMemory<Shape>), batch);
    if (large) {
        launch("large_gather", kernels.gather_segments, resident, sort::SortPolicy::CTA_THREADS, 0, batch);
        for (int pass = 0; pass < Shape::NARROW_PASSES; ++pass) {
            const sort::SortBatch sorted = pass_of<Shape>(batch, pass, Shape::NARROW_DIGIT_BITS);
            if (pass > 0)
                launch("large_count", kernels.count_narrow, resident, sort::SortPolicy::CTA_THREADS, 0, sorted);
            launch("large_scan", kernels.scan_narrow, resident, kernels.scan_narrow_threads, 0, sorted);
            launch("large_scatter", kernels.scatter_narrow, resident, sort::SortPolicy::CTA_THREADS, 0, sorted);
        }
    }
    launch("rank", kernels.rank_windows, windows, RankPolicy::CTA_THREADS, 0, batch);
    if (large) launch("large_split", kernels.split_segments, resident, SplitPolicy::CTA_THREADS, 0, batch);
}

}  // namespace bwt_plan
