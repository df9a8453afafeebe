// Chooses which matches of a tile to write, and lays them and the literals between them behind those of the tiles
// before, one cta; and goes through a block tile by tile.
//
// The way through a tile is found as DEFLATE's encoder finds it (deflate_encode_parse.cuh).
//
// A block's sequences take the place of its candidates, each 8 bytes for at least 3 that have 12. Those of a tile may
// reach into the candidates of the same tile, so far distances are read before a barrier.
#pragma once

#include "../common/alignment.cuh"
#include "../common/warp.cuh"
#include "../deflate_encode/deflate_encode_parse.cuh"
#include "zstd_encode_find.cuh"

namespace warpcodec::zstd_encode {

/// What is shared while a tile is parsed.
template <typename Policy>
struct ParseMemory {
    static constexpr int WARPS = Policy::CTA_THREADS / WARP_LANES;
    static constexpr int SEQUENCES_AT = 16;
    deflate_encode::WayMemory<Policy> way;
    uint32_t counts[WARPS];  ///< literals, and sequences from SEQUENCES_AT on
    uint32_t literals;  ///< of the tiles before
    uint32_t sequences;
};

/// All shared memory of a cta that finds matches.
template <typename Policy>
struct alignas(16) FindMemory {
    TileMemory<Policy> tile;
    ParseMemory<Policy> parse;
};

/// Parses the tile. Barriers inside; the caller's barrier comes before and after.
template <typename Policy>
__device__ __forceinline__ void cta_parse_tile(const Tile& tile, const RawBlock& block, FindMemory<Policy>& shared,
                                               int warp, int lane) {
    using deflate_encode::WARP_PLACES;
    using deflate_encode::WARP_WINDOWS;
    using Parse = ParseMemory<Policy>;
    TileMemory<Policy>& memory = shared.tile;
    Parse& parse = shared.parse;
    const int warp_start = warp * WARP_PLACES;
    deflate_encode::WindowWay ways[WARP_WINDOWS];
    uint32_t starts[WARP_WINDOWS], offsets[WARP_WINDOWS];
    deflate_encode::cta_find_way(tile, memory, parse.way, warp, lane, ways, starts);
    uint32_t count = 0;
#pragma unroll
    for (int window = 0; window < WARP_WINDOWS; ++window) {
        const int place = warp_start + window * WARP_LANES + lane;
        const uint32_t taken = starts[window] & ways[window].takes;
        count += static_cast<uint32_t>(__popc(starts[window] ^ taken)) | static_cast<uint32_t>(__popc(taken))
                                                                             << Parse::SEQUENCES_AT;
        offsets[window] = 0;
        if (taken >> lane & 1) {
            const uint32_t found = memory.found[found_at(place)];
            offsets[window] = (found & DISTANCE_IS_FAR) != 0 ? block.candidates[tile.start + place]
                                                             : static_cast<uint32_t>(Token{found}.distance());
        }
    }
    if (lane == 0) parse.counts[warp] = count;
    __syncthreads();
    const uint32_t counts_up_to = warp_inclusive_sum(lane < Parse::WARPS ? parse.counts[lane] : 0, lane);
    const uint32_t all = __shfl_sync(ALL_LANES, counts_up_to, Parse::WARPS - 1);
    const uint32_t before = warp == 0 ? 0 : __shfl_sync(ALL_LANES, counts_up_to, max(warp - 1, 0));
    constexpr uint32_t LITERALS = (1u << Parse::SEQUENCES_AT) - 1;
    uint8_t* literals = block.literals + parse.literals + (before & LITERALS);
    Sequence* sequences = block.sequences + parse.sequences + (before >> Parse::SEQUENCES_AT);
    const uint32_t below = (1u << lane) - 1;
#pragma unroll
    for (int window = 0; window < WARP_WINDOWS; ++window) {
        const int place = warp_start + window * WARP_LANES + lane;
        const uint32_t taken = starts[window] & ways[window].takes, kept = starts[window] ^ taken;
        if (taken >> lane & 1) {
            sequences[__popc(taken & below)] =
                Sequence{offsets[window], static_cast<uint16_t>(tile.start + place),
                         static_cast<uint16_t>(Token{memory.found[found_at(place)]}.length() - MIN_MATCH)};
        }
        if (kept >> lane & 1) {
            const int byte = tile.misaligned_bytes + WINDOW_BYTES + place;
            literals[__popc(kept & below)] = static_cast<uint8_t>(memory.raw[byte >> 2] >> 8 * (byte & 3));
        }
        literals += __popc(kept);
        sequences += __popc(taken);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        parse.literals += all & LITERALS;
        parse.sequences += all >> Parse::SEQUENCES_AT;
    }
}

/// Finds a block's sequences and literals. The answer is valid in thread 0.
template <typename Policy>
__device__ __forceinline__ UnitRecord cta_find_block(const RawBlock& block, FindMemory<Policy>& shared) {
    using namespace deflate_encode;
    using zstd_encode::FindMemory;
    constexpr int TILE_BYTES = TileMemory<Policy>::TILE_BYTES;
    static_assert(!Policy::LINKED && !Policy::PRICED, "neither links nor prices are kept here");
    const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    TileMemory<Policy>& memory = shared.tile;
    __syncthreads();
    for (int i = threadIdx.x; i < TileMemory<Policy>::HEAD_COUNT / 2; i += Policy::CTA_THREADS)
        reinterpret_cast<uint32_t*>(memory.heads)[i] = 0;
    uint32_t* short_heads = reinterpret_cast<uint32_t*>(memory.short_heads);
    for (int i = threadIdx.x; i < (1 << Policy::SHORT_HEAD_BITS) / 2; i += Policy::CTA_THREADS) short_heads[i] = 0;
    if (threadIdx.x == 0) shared.parse.way.tile_entry = 0, shared.parse.literals = 0, shared.parse.sequences = 0;
    const int window_bytes = static_cast<int>(min(block.first, static_cast<uint32_t>(zstd_encode::WINDOW_BYTES)));
    const uint32_t range_misaligned_bytes = bytes_past_alignment<4>(block.bytes - block.first);
    const FarBytes far{reinterpret_cast<const uint32_t*>(block.bytes - block.first - range_misaligned_bytes),
                       range_misaligned_bytes};
    Tile tile{-((window_bytes + TILE_BYTES - 1) / TILE_BYTES) * TILE_BYTES, window_bytes,
              static_cast<int>(block.raw_bytes), static_cast<int>(bytes_past_alignment<16>(block.bytes))};
    for (; tile.start < tile.block_bytes; tile.start += TILE_BYTES) {
        __syncthreads();
        cta_load_tile(block.bytes, tile, memory);
        __syncthreads();
        if (tile.start < 0) {
            warp_raise_heads(tile, memory, warp, lane);
            continue;
        }
        warp_hash_windows(tile, memory, warp, lane);
        __syncthreads();
        warp_enter_tile(tile, memory, warp, lane);
        __syncthreads();
        zstd_encode::warp_find_windows(tile, memory, block.first + static_cast<uint32_t>(tile.start),
                                       block.candidates + tile.start, far, warp, lane);
        __syncthreads();
        zstd_encode::cta_parse_tile(tile, block, shared, warp, lane);
    }
    __syncthreads();
    return UnitRecord{shared.parse.sequences, shared.parse.literals, 0, 0};
}

/// Finds the units of a batch: this cta every gridDim.x-th.
template <typename Policy>
__device__ __forceinline__ void cta_find_units(const EncodeBatch& batch, FindMemory<Policy>& memory) {
    for (uint32_t index = blockIdx.x; index < batch.unit_count; index += gridDim.x) {
        const Unit unit = find_unit(batch, index);
        if (!unit.is_sound || unit.block_index >= unit.block_count) continue;
        const RawBlock block = block_of(batch, batch.entries[unit.range_index], unit.block_index);
        const UnitRecord record = cta_find_block(block, memory);
        if (threadIdx.x == 0) batch.records[index] = record;
    }
}

}  // namespace warpcodec::zstd_encode
