// Matches and literals of a block from the paths of its chunks, as zstd_encode_codes takes them.
//
// A cta takes a block, a warp a chunk. Sums over the block's chunks, 32 at a time, say where a chunk's matches and
// literals go; each warp makes them for itself. Then the lanes take 32 steps at a time: sums over their bytes say where
// each begins. Literals of a short run are copied by its lane, those of a long one by all lanes.
//
// Literals that end a chunk are in front of the next one's match, as places say. A match that goes on in the next chunk
// is a second one there (plz_seams.cuh): zstd_encode_codes merges them, and finds offsets to repeat.
//
// Bounds: a chunk writes as many matches and literals as its path counts, each below its bytes. A step that leads
// beyond the chunk writes nothing. Matches have 8 bytes of scratch for 3 of text; a block's have room for a match each
// two bytes. Chunks behind a block's bytes have none, and no path.
#pragma once

#include "plz_text.cuh"
#include "../zstd_encode/zstd_encode_format.cuh"

namespace warpcodec::plz {

using EncodeBatch = zstd_encode::EncodeBatch;
using Match = zstd_encode::Sequence;
using RawBlock = zstd_encode::RawBlock;

static_assert(zstd_encode::BLOCK_BYTES == UNIT_BYTES);
constexpr uint32_t SHORT_RUN = 8;  ///< of literals

/// A chunk in its block: where it begins, and how many matches and literals come before it.
struct Emission {
    Chunk chunk;
    Path path;
    uint32_t place, matches, literals;
};

/// The path of a chunk, which counts no more than the chunk has bytes.
__device__ __forceinline__ Path path_of(const ParseBatch& batch, uint32_t number, const Chunk& chunk) {
    if (chunk.bytes == 0) return {0, 0, 0, 0};
    Path path = batch.paths[number];
    path.steps = static_cast<uint16_t>(min(uint32_t{path.steps}, chunk.bytes));
    path.matches = static_cast<uint16_t>(min(uint32_t{path.matches}, chunk.bytes / LEAST_MATCH));
    path.literals = static_cast<uint16_t>(min(uint32_t{path.literals}, chunk.bytes));
    return path;
}

/// Writes a chunk's matches and literals by its path's first step. All lanes of the warp call.
template <uint32_t CHUNKS>
__device__ __forceinline__ void warp_emit_chunk(const uint8_t* text, const uint32_t* steps, const Emission& own,
                                                const RawBlock& block) {
    const int lane = static_cast<int>(threadIdx.x % WARP_LANES);
    const uint32_t below = (1u << lane) - 1;
    text += own.chunk.from;
    Match* matches = block.sequences + own.matches;
    uint8_t* literals = block.literals + own.literals;
    uint32_t bytes_before = 0, matches_before = 0, literals_before = 0;
    for (uint32_t first = 0; first < own.path.steps; first += WARP_LANES) {
        const uint32_t step = first + lane < own.path.steps ? steps[(first + lane) * CHUNKS] : 0;
        const uint32_t match = length_of(step), run = match > 0 ? 0 : offset_of(step);
        const uint32_t bytes = warp_inclusive_sum(match + run, lane) + bytes_before;
        const uint32_t place = bytes - match - run;
        const bool is_match = match >= LEAST_MATCH && bytes <= own.chunk.bytes;
        const uint32_t all_matches = __ballot_sync(ALL_LANES, is_match);
        const uint32_t which = matches_before + __popc(all_matches & below);
        if (is_match && which < own.path.matches)
            matches[which] = {offset_of(step), static_cast<uint16_t>(own.place + place),
                              static_cast<uint16_t>(match - LEAST_MATCH)};
        const uint32_t runs = warp_inclusive_sum(run, lane) + literals_before, target = runs - run;
        const bool is_run = run > 0 && bytes <= own.chunk.bytes && runs <= own.path.literals;
        for (uint32_t i = 0; is_run && run <= SHORT_RUN && i < run; ++i) literals[target + i] = text[place + i];
        uint32_t longs = __ballot_sync(ALL_LANES, is_run && run > SHORT_RUN);
        for (; longs != 0; longs &= longs - 1) {
            const int from = __ffs(static_cast<int>(longs)) - 1;
            const uint32_t long_place = __shfl_sync(ALL_LANES, place, from);
            const uint32_t long_target = __shfl_sync(ALL_LANES, target, from);
            const uint32_t long_run = __shfl_sync(ALL_LANES, run, from);
            for (uint32_t i = lane; i < long_run; i += WARP_LANES) literals[long_target + i] = text[long_place + i];
        }
        bytes_before = __shfl_sync(ALL_LANES, bytes, WARP_LANES - 1);
        literals_before = __shfl_sync(ALL_LANES, runs, WARP_LANES - 1);
        matches_before += __popc(all_matches);
    }
}

/// Writes unit `index` of a batch, which is that of the text: its matches, its literals, and how many they are. Chunks
/// were parsed in groups of CHUNKS.
template <uint32_t CHUNKS>
__device__ __forceinline__ void cta_emit_unit(const ParseBatch& batch, const EncodeBatch& encode, uint32_t index) {
    const int lane = static_cast<int>(threadIdx.x % WARP_LANES);
    const auto unit = zstd_encode::find_unit(encode, index);
    if (!unit.is_sound || unit.block_index >= unit.block_count) return;
    const auto& entry = encode.entries[unit.range_index];
    const RawBlock block = zstd_encode::block_of(encode, entry, unit.block_index);
    const FrameRange frame = frame_of_unit(batch, index);
    const ChunkShape shape = shape_of(batch, frame);
    const uint32_t count = chunks_of_unit(batch, index);
    uint32_t matches_before = 0, literals_before = 0;
    for (uint32_t first = 0; first < count; first += WARP_LANES) {
        const uint32_t of_lane = first + threadIdx.x % WARP_LANES, limit = min(count - first, uint32_t{WARP_LANES});
        const Path path =
            path_of(batch, number_of(batch, index, of_lane), chunk_in_unit(batch, index, of_lane, frame, shape));
        const uint32_t matches = warp_inclusive_sum(path.matches, lane) + matches_before;
        const uint32_t literals = warp_inclusive_sum(path.literals, lane) + literals_before;
        for (uint32_t which = threadIdx.x / WARP_LANES; which < limit; which += blockDim.x / WARP_LANES) {
            const int from = static_cast<int>(which);
            Emission own;
            own.chunk = chunk_in_unit(batch, index, first + which, frame, shape);
            own.path.steps = static_cast<uint16_t>(__shfl_sync(ALL_LANES, uint32_t{path.steps}, from));
            own.path.matches = static_cast<uint16_t>(__shfl_sync(ALL_LANES, uint32_t{path.matches}, from));
            own.path.literals = static_cast<uint16_t>(__shfl_sync(ALL_LANES, uint32_t{path.literals}, from));
            own.place = own.chunk.from - index * UNIT_BYTES;
            own.matches = __shfl_sync(ALL_LANES, matches, from) - own.path.matches;
            own.literals = __shfl_sync(ALL_LANES, literals, from) - own.path.literals;
            const uint32_t* steps = batch.steps + column_of(own.chunk, CHUNKS);
            warp_emit_chunk<CHUNKS>(batch.text, steps + (own.chunk.most_bytes - own.path.steps) * CHUNKS, own, block);
        }
        matches_before = __shfl_sync(ALL_LANES, matches, WARP_LANES - 1);
        literals_before = __shfl_sync(ALL_LANES, literals, WARP_LANES - 1);
    }
    if (threadIdx.x == 0) encode.records[index] = {matches_before, literals_before, 0, 0};
}

}  // namespace warpcodec::plz
