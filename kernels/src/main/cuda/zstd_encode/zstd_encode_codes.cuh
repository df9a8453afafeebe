// Codes a block from first to last, one cta.
#pragma once

#include "zstd_encode_parts.cuh"
#include "zstd_encode_write.cuh"

namespace warpcodec::zstd_encode {

/// Codes a block whose matches and literals were found; HAS_PARTS: where its record has borders, as several blocks.
/// Valid in thread 0.
template <bool HAS_PARTS>
__device__ __forceinline__ UnitRecord cta_code_block(const RawBlock& block, UnitRecord record, CodesMemory& memory) {
    __syncthreads();
    cta_clear_counts(memory);
    const uint32_t sequence_count = cta_merge_matches(block.sequences, record.sequence_count, memory);
    uint32_t parts = HAS_PARTS ? cta_find_parts(block.sequences, sequence_count, record.borders, memory) : 1;
    cta_count_runs(block.sequences, sequence_count, memory);
    cta_make_values(block.sequences, sequence_count, memory);
    const Content content{block.content, block.content_limit};
    const BlockContent whole{block.sequences, sequence_count, block.literals, record.literal_count};
    for (;; parts = 1) {
        const bool is_readable = cta_write_parts<HAS_PARTS>(whole, parts, content, memory, record);
        if (is_readable && record.content_bytes < block.raw_bytes) return record;
        if (parts == 1) break;
    }
    record.content_bytes = UnitRecord::RAW;
    record.borders = 0;
    return record;
}

/// Codes the units of a batch: this cta every gridDim.x-th.
template <bool HAS_PARTS>
__device__ __forceinline__ void cta_code_units(const EncodeBatch& batch, CodesMemory& memory) {
    for (uint32_t index = blockIdx.x; index < batch.unit_count; index += gridDim.x) {
        const Unit unit = find_unit(batch, index);
        if (!unit.is_sound || unit.block_index >= unit.block_count) continue;
        const RawBlock block = block_of(batch, batch.entries[unit.range_index], unit.block_index);
        const UnitRecord record = cta_code_block<HAS_PARTS>(block, batch.records[index], memory);
        __syncthreads();
        if (threadIdx.x == 0) batch.records[index] = record;
    }
}

}  // namespace warpcodec::zstd_encode
