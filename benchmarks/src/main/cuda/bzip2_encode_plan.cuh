// Order of the bzip2 encoder's kernels, for all programs that run them by themselves, and places of their scratch
// (bwt_encode_plan.cuh).
#pragma once

#include "bwt_encode_plan.cuh"
#include "bzip2_encode/bzip2_encode_choose.cuh"
#include "bzip2_encode/bzip2_encode_header.cuh"
#include "bzip2_encode/bzip2_encode_pack.cuh"
#include "bzip2_encode/bzip2_encode_runs.cuh"
#include "mtf_encode/mtf_encode_replay.cuh"

namespace bzip2_plan {

using namespace warpcodec;
using bzip2_encode::EncodeBatch;
using mtf_encode::MtfBatch;

/// The kernels, as a program has them.
template <typename EncodeKernel, typename MtfKernel>
struct Kernels {
    EncodeKernel begin, count_runs, scan_runs, write_runs, choose, pack;
    MtfKernel mark, scan, replay;
};

/// Text and its CRC, before the transform.
template <typename EncodeKernel, typename MtfKernel, typename Launch>
void shorten(const Kernels<EncodeKernel, MtfKernel>& kernels, const EncodeBatch& batch, const Launch& launch) {
    using Policy = bzip2_encode::RunsPolicy;
    launch("encode_begin", kernels.begin, batch.raw_tile_count, Policy::CTA_THREADS, 0, batch);
    launch("runs_count", kernels.count_runs, batch.raw_tile_count, Policy::CTA_THREADS, 0, batch);
    launch("runs_scan", kernels.scan_runs, batch.chunk_count, Policy::CTA_THREADS, 0, batch);
    launch("runs_write", kernels.write_runs, batch.raw_tile_count, Policy::CTA_THREADS, 0, batch);
}

/// Symbols, codes and bits, behind the transform.
template <typename EncodeKernel, typename MtfKernel, typename Launch>
void code(const Kernels<EncodeKernel, MtfKernel>& kernels, const EncodeBatch& batch, const MtfBatch& mtf,
          const Launch& launch) {
    constexpr uint32_t WARPS = mtf_encode::MtfPolicy::CTA_THREADS / WARP_LANES;
    const uint32_t chunk_ctas = (mtf.tile_count * mtf_encode::CHUNKS_PER_TILE + WARPS - 1) / WARPS;
    launch("mtf_mark", kernels.mark, chunk_ctas, mtf_encode::MtfPolicy::CTA_THREADS, 0, mtf);
    launch("mtf_scan", kernels.scan, mtf.block_count, mtf_encode::MtfPolicy::SCAN_CTA_THREADS, 0, mtf);
    launch("mtf_replay", kernels.replay, chunk_ctas, mtf_encode::MtfPolicy::CTA_THREADS, 0, mtf);
    launch("choose", kernels.choose, batch.chunk_count, bzip2_encode::ChoosePolicy::CTA_THREADS,
           sizeof(bzip2_encode::ChooseMemory), batch);
    launch("pack", kernels.pack, batch.chunk_count * bzip2_encode::PACKS_PER_CHUNK,
           bzip2_encode::PackPolicy::CTA_THREADS, 0, batch);
}

/// Places the coder's scratch in keys_b of the transform, which is free when the transform is done.
inline void place_scratch(const bwt_encode::BwtBatch& transform, EncodeBatch& batch, MtfBatch& mtf) {
    const size_t places = size_t{transform.tile_count} * bwt_encode::TILE_ROTATIONS,
                 chunks = size_t{transform.tile_count} * mtf_encode::CHUNKS_PER_TILE;
    uint8_t* at = reinterpret_cast<uint8_t*>(transform.keys_b);  // 8 bytes a place
    mtf.lasts = reinterpret_cast<int32_t*>(at);  // 1
    at += chunks * mtf_encode::BYTES * sizeof(int32_t);
    mtf.infos = reinterpret_cast<mtf_encode::ChunkInfo*>(at);  // 1 / 64
    at += chunks * sizeof(mtf_encode::ChunkInfo);
    mtf.symbols = reinterpret_cast<uint16_t*>(at);  // 2, and 2 for each block
    at += (places + transform.block_count + 1) / 2 * 2 * sizeof(uint16_t);
    batch.group_bits = reinterpret_cast<uint32_t*>(at);
    batch.words = batch.group_bits + size_t{transform.block_count} * bzip2_encode::MAX_GROUPS;
    batch.selectors =
        reinterpret_cast<uint8_t*>(batch.words + size_t{transform.block_count} * bzip2_encode::WORDS_PER_CHUNK);
    batch.symbols = mtf.symbols;
}

/// Bytes that place_scratch takes of keys_b. Blocks of 50,000 bytes or more take less than its 8 bytes a place; for
/// smaller blocks a program gives keys_b more.
inline size_t scratch_bytes(uint32_t tiles, uint32_t blocks) {
    const size_t places = size_t{tiles} * bwt_encode::TILE_ROTATIONS,
                 chunks = size_t{tiles} * mtf_encode::CHUNKS_PER_TILE;
    return chunks * (mtf_encode::BYTES * 4 + sizeof(mtf_encode::ChunkInfo)) + (places + blocks + 1) / 2 * 4 +
           size_t{blocks} * (bzip2_encode::MAX_GROUPS * 5 + bzip2_encode::WORDS_PER_CHUNK * 4) + 16;
}

}  // namespace bzip2_plan
