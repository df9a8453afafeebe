// Seams between the chunks of a unit: a chunk's last match goes on where the next chunk's text allows it.
//
// Chunks are parsed each by itself, so a match ends with its chunk. Where the text behind goes on as that match does,
// the next chunk's first steps are replaced: those that lie in the match wholly, and the begin of a run of literals.
// What stands there then has the match's offset, so zstd_encode_codes makes one sequence of both. A whole chunk may be
// replaced, and the match then goes on into the one behind it. Only literals and sequences fall away; a match's length
// costs a few bits at most.
//
// A warp takes a unit, chunk after chunk. Lanes compare eight bytes each, and look at 32 steps at a time.
//
// Bounds: new steps have the bytes of those that they replace, LEAST_MATCH or more each, so a path has no more steps
// than its chunk has bytes. It grows towards the begin of its column. Offsets lead into the frame.
#pragma once

#include "plz_text.cuh"

namespace warpcodec::plz {

/// First steps of a path that may be replaced: how many, their matches, their literals, and their bytes.
struct Covered {
    uint32_t steps, matches, literals, bytes;
    uint32_t cut;  ///< bytes of the run of literals behind them that may be replaced, too
};

/// How many of a chunk's bytes are those `offset` before them. All lanes of the warp call.
__device__ __forceinline__ uint32_t warp_reach(const uint8_t* text, uint32_t offset, uint32_t bytes) {
    const uint32_t lane = threadIdx.x % WARP_LANES;
    for (uint32_t first = 0; first < bytes; first += 8 * WARP_LANES) {
        const uint32_t at = first + 8 * lane;
        uint32_t equal = 8;
        if (at < bytes) equal = equal_bytes(thread_load_text(text + at) ^ thread_load_text(text + at - offset));
        const uint32_t ends = __ballot_sync(ALL_LANES, equal < 8);
        if (ends == 0) continue;
        const int end = __ffs(static_cast<int>(ends)) - 1;
        return min(bytes, first + 8 * static_cast<uint32_t>(end) + __shfl_sync(ALL_LANES, equal, end));
    }
    return bytes;
}

/// The steps of a path that lie in the first `reach` bytes. `steps` is the first of them; CHUNKS words on the next.
template <uint32_t CHUNKS>
__device__ __forceinline__ Covered warp_cover(const uint32_t* steps, uint32_t count, uint32_t reach) {
    const int lane = static_cast<int>(threadIdx.x % WARP_LANES);
    Covered covered{0, 0, 0, 0, 0};
    while (covered.steps < count) {
        const uint32_t which = covered.steps + lane;
        const uint32_t step = which < count ? steps[which * CHUNKS] : 0;
        const uint32_t run = length_of(step) > 0 ? 0 : offset_of(step), bytes = length_of(step) + run;
        const uint32_t end = covered.bytes + warp_inclusive_sum(bytes, lane);
        const uint32_t beyond = __ballot_sync(ALL_LANES, which >= count || end > reach);
        const uint32_t taken = beyond == 0 ? WARP_LANES : static_cast<uint32_t>(__ffs(static_cast<int>(beyond)) - 1);
        const bool is_taken = static_cast<uint32_t>(lane) < taken;
        covered.matches += __popc(__ballot_sync(ALL_LANES, is_taken && length_of(step) > 0));
        const uint32_t runs = warp_inclusive_sum(is_taken ? run : 0, lane);
        covered.literals += __shfl_sync(ALL_LANES, runs, WARP_LANES - 1);
        const uint32_t before = end - bytes;
        if (beyond != 0) {
            const int next = static_cast<int>(taken);
            const bool is_run = __shfl_sync(ALL_LANES, run, next) > 0;
            covered.bytes = __shfl_sync(ALL_LANES, before, next);
            covered.cut = is_run ? reach - covered.bytes : 0;
            covered.steps += taken;
            return covered;
        }
        covered.bytes = __shfl_sync(ALL_LANES, end, WARP_LANES - 1);
        covered.steps += WARP_LANES;
    }
    return covered;
}

/// Lets a match with `offset` go on into a chunk, whose path lies in `column`. All lanes of the warp call.
template <uint32_t CHUNKS>
__device__ __forceinline__ void warp_go_on(const ParseBatch& batch, uint32_t number, const Chunk& chunk,
                                           uint32_t offset) {
    const uint32_t lane = threadIdx.x % WARP_LANES;
    uint32_t* column = batch.steps + column_of(chunk, CHUNKS);
    Path path = batch.paths[number];
    if (path.steps == 0 || path.steps > chunk.bytes) return;
    const uint32_t first = chunk.most_bytes - path.steps;
    const uint32_t reach = warp_reach(batch.text + chunk.from, offset, chunk.bytes);
    const Covered covered = warp_cover<CHUNKS>(column + first * CHUNKS, path.steps, reach);
    const uint32_t bytes = covered.bytes + covered.cut;
    const uint32_t pieces = parts_of(bytes, MOST_MATCH), count = path.steps - covered.steps + pieces;
    if (bytes < LEAST_MATCH || count > chunk.bytes || covered.matches > path.matches ||
        covered.literals + covered.cut > path.literals)
        return;
    const uint32_t behind = first + covered.steps;
    __syncwarp();
    if (lane == 0 && covered.cut > 0) column[behind * CHUNKS] -= covered.cut << LENGTH_BITS;
    // pieces are of one length, but for a few bytes
    const uint32_t each = bytes / pieces, longer = bytes % pieces;
    for (uint32_t piece = lane; piece < pieces; piece += WARP_LANES)
        column[(behind - pieces + piece) * CHUNKS] = (each + (piece < longer ? 1 : 0)) | offset << LENGTH_BITS;
    path.steps = static_cast<uint16_t>(count);
    path.matches = static_cast<uint16_t>(path.matches - covered.matches + pieces);
    path.literals = static_cast<uint16_t>(path.literals - covered.literals - covered.cut);
    if (lane == 0) batch.paths[number] = path;
    __syncwarp();
}

/// Mends the seams of a unit. Chunks were parsed in groups of CHUNKS. All lanes of the warp call.
template <uint32_t CHUNKS>
__device__ __forceinline__ void warp_mend_seams(const ParseBatch& batch, uint32_t unit) {
    const FrameRange frame = frame_of_unit(batch, unit);
    const ChunkShape shape = shape_of(batch, frame);
    Chunk before = chunk_in_unit(batch, unit, 0, frame, shape);
    for (uint32_t index = 1;; ++index) {
        const Chunk chunk = chunk_in_unit(batch, unit, index, frame, shape);
        if (chunk.bytes == 0) return;
        const uint32_t last = batch.steps[column_of(before, CHUNKS) + (before.most_bytes - 1) * CHUNKS];
        const uint32_t offset = offset_of(last);
        before = chunk;
        if (length_of(last) < LEAST_MATCH || offset == 0 || offset > chunk.in_frame) continue;
        warp_go_on<CHUNKS>(batch, number_of(batch, unit, index), chunk, offset);
    }
}

}  // namespace warpcodec::plz
