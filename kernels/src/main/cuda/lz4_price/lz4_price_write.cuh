// Writes a block by the steps from its places (lz4_price_parse.cuh).
//
// A cta takes a block, a tile of its places at a time. One thread goes along the path through the tile, with the steps
// in shared memory, and lists the sequences that are complete: literals, then a match. A match that goes on at the same
// offset where another ends is joined to it, whatever chunks they are of. Then each thread takes a sequence; sums over
// their bytes say where each goes. Literals of a short run are copied by the thread, those of a long one by its warp.
// Behind the last tile the last match and the literals behind it are written.
//
// Sequences of threads that do not fit the slot end the block: no byte of them is written.
//
// Bounds: a match has 4 bytes at least, and of those listed in a tile all but the first begin in it. A step that leads
// nowhere, too near the block's end, or to a place before the block, is a literal.
#pragma once

#include "../common/cta_sum.cuh"
#include "lz4_price_parse.cuh"

namespace warpcodec::lz4_price {

constexpr uint32_t WRITE_THREADS = 256;
constexpr uint32_t TILE_PLACES = 4096;
constexpr uint32_t MOST_LISTED = TILE_PLACES / lz4::MIN_MATCH + 1;
constexpr uint32_t SHORT_RUN = 24;  ///< of literals that a thread copies

/// Literals, then a match, in places of the block.
struct alignas(16) WrittenSequence {
    uint32_t literals_from;
    uint32_t match_from;
    uint32_t match_bytes;
    uint32_t offset;

    __device__ __forceinline__ uint32_t literal_bytes() const { return match_from - literals_from; }
    __device__ __forceinline__ uint32_t bytes() const {
        return literal_bytes() + length_bytes(literal_bytes()) + match_cost_bytes(match_bytes);
    }
};

struct WriteMemory {
    WrittenSequence listed[MOST_LISTED];
    PackedMatch steps[TILE_PLACES];
    uint32_t warp_sums[WARP_LANES];
    uint32_t count;  ///< of what is listed
    WrittenSequence last;  ///< behind the last tile
};

/// A path through a block: where it is, and the match that may still go on.
struct Path {
    uint32_t at;
    WrittenSequence open;  ///< match_bytes 0: none yet

    __device__ __forceinline__ uint32_t open_limit() const { return open.match_from + open.match_bytes; }
};

/// Goes along the path up to `limit`, and lists what is complete; how many. `steps` are those from place `tile` on.
__device__ __forceinline__ uint32_t thread_walk(const PackedMatch* steps, uint32_t tile, uint32_t limit,
                                                uint32_t block_bytes, Path& path, WrittenSequence* listed) {
    uint32_t count = 0;
    while (path.at < limit) {
        const PackedMatch step = steps[path.at - tile];
        const uint32_t length = step & LENGTH_MASK, offset = step >> LENGTH_BITS;
        if (offset == 0) {
            path.at += max(length, 1u);
            continue;
        }
        const bool is_sound = offset <= path.at && length >= lz4::MIN_MATCH &&
                              path.at + max(length + lz4::LAST_LITERALS, lz4::LAST_MATCH_DISTANCE) <= block_bytes;
        if (!is_sound) {
            ++path.at;
            continue;
        }
        if (path.open.match_bytes > 0 && path.open.offset == offset && path.open_limit() == path.at) {
            path.open.match_bytes += length;
        } else {
            if (path.open.match_bytes > 0 && count < MOST_LISTED) listed[count++] = path.open;
            path.open = {path.open_limit(), path.at, length, offset};
        }
        path.at += length;
    }
    return count;
}

/// Writes the bytes that prolong a nibble.
__device__ __forceinline__ uint8_t* thread_write_length(uint8_t* target, uint32_t length) {
    if (length < lz4::NIBBLE_MAX) return target;
    for (length -= lz4::NIBBLE_MAX; length >= lz4::LENGTH_CONTINUES; length -= lz4::LENGTH_CONTINUES)
        *target++ = lz4::LENGTH_CONTINUES;
    *target++ = static_cast<uint8_t>(length);
    return target;
}

/// Writes a sequence but for its literals; where those go.
__device__ __forceinline__ uint8_t* thread_write_sequence(const WrittenSequence& own, uint8_t* target) {
    const uint32_t run = own.literal_bytes(), match = own.match_bytes - lz4::MIN_MATCH;
    *target = static_cast<uint8_t>(min(run, lz4::NIBBLE_MAX) << 4 | min(match, lz4::NIBBLE_MAX));
    uint8_t* literals = thread_write_length(target + 1, run);
    uint8_t* tail = literals + run;
    tail[0] = static_cast<uint8_t>(own.offset);
    tail[1] = static_cast<uint8_t>(own.offset >> 8);
    thread_write_length(tail + 2, match);
    return literals;
}

/// Copies literals, by threads `rank`, `rank` + THREADS and so on.
template <uint32_t THREADS>
__device__ __forceinline__ void copy_literals(const uint8_t* from, uint32_t count, uint8_t* target, uint32_t rank) {
#pragma unroll 4
    for (uint32_t i = rank; i < count; i += THREADS) target[i] = from[i];
}

/// Writes `count` listed sequences from output place `written` on. Gives the place behind them, or one beyond `limit`
/// if they do not fit. All threads call; barriers inside, one at the end.
__device__ __forceinline__ uint32_t cta_write_listed(const uint8_t* text, uint32_t count, uint8_t* output,
                                                     uint32_t written, uint32_t limit, WriteMemory& memory) {
    const int lane = static_cast<int>(threadIdx.x % WARP_LANES);
    for (uint32_t first = 0; first < count && written <= limit; first += WRITE_THREADS) {
        const bool has_own = first + threadIdx.x < count;
        WrittenSequence own{0, 0, 0, 0};
        if (has_own) own = memory.listed[first + threadIdx.x];
        const uint32_t bytes = has_own ? own.bytes() : 0, run = own.literal_bytes();
        uint32_t all;
        const uint32_t before = cta_exclusive_sum<WRITE_THREADS>(bytes, memory.warp_sums, all);
        const uint32_t at = written + before;
        written += all;
        if (written > limit) continue;
        uint8_t* literals = output;
        if (has_own) literals = thread_write_sequence(own, output + at);
        const uint32_t place = static_cast<uint32_t>(literals - output);
        if (run <= SHORT_RUN) copy_literals<1>(text + own.literals_from, run, literals, 0);
        uint32_t longs = __ballot_sync(ALL_LANES, run > SHORT_RUN);
        for (; longs != 0; longs &= longs - 1) {
            const int from = __ffs(static_cast<int>(longs)) - 1;
            const uint32_t long_from = __shfl_sync(ALL_LANES, own.literals_from, from);
            const uint32_t long_run = __shfl_sync(ALL_LANES, run, from);
            uint8_t* target = output + __shfl_sync(ALL_LANES, place, from);
            copy_literals<WARP_LANES>(text + long_from, long_run, target, static_cast<uint32_t>(lane));
        }
    }
    __syncthreads();
    return written;
}

/// Writes the literals behind the last match, likewise.
__device__ __forceinline__ uint32_t cta_write_last(const uint8_t* text, uint32_t from, uint32_t block_bytes,
                                                   uint8_t* output, uint32_t written, uint32_t limit) {
    const uint32_t run = block_bytes - from, head = 1 + length_bytes(run);
    if (written > limit || head + run > limit - written) return limit + 1;
    if (threadIdx.x == 0) {
        output[written] = static_cast<uint8_t>(min(run, lz4::NIBBLE_MAX) << 4);
        thread_write_length(output + written + 1, run);
    }
    copy_literals<WRITE_THREADS>(text + from, run, output + written + head, threadIdx.x);
    return written + head + run;
}

/// Writes a block that is sound, of so many bytes, to a slot of `limit` bytes. Gives its bytes, or more than the limit.
__device__ __forceinline__ uint32_t cta_write_sound(const PriceBatch& batch, const FrameRange& frame, uint8_t* output,
                                                    uint32_t limit, WriteMemory& memory) {
    const uint8_t* text = batch.text + frame.begin();
    const PackedMatch* steps = batch.steps + frame.begin();
    Path path{0, {0, 0, 0, 0}};
    uint32_t written = 0;
    for (uint32_t tile = 0; tile < frame.count && written <= limit; tile += TILE_PLACES) {
        const uint32_t tile_limit = min(tile + TILE_PLACES, frame.count);
        for (uint32_t at = tile + threadIdx.x; at < tile_limit; at += WRITE_THREADS)
            memory.steps[at - tile] = steps[at];
        __syncthreads();
        if (threadIdx.x == 0)
            memory.count = thread_walk(memory.steps, tile, tile_limit, frame.count, path, memory.listed);
        __syncthreads();
        written = cta_write_listed(text, memory.count, output, written, limit, memory);
    }
    if (written > limit) return written;
    if (threadIdx.x == 0) {
        memory.listed[0] = path.open;
        memory.last = path.open;
    }
    __syncthreads();
    const WrittenSequence last = memory.last;
    if (last.match_bytes > 0) written = cta_write_listed(text, 1, output, written, limit, memory);
    return cta_write_last(text, last.match_from + last.match_bytes, frame.count, output, written, limit);
}

/// Writes block `index` of a batch, and its result.
__device__ __forceinline__ void cta_write_block(const PriceBatch& batch, uint32_t index, WriteMemory& memory) {
    const PriceEntry entry = batch.entries[index];
    BlockResult result{STATUS_BAD_ENTRY, 0};
    if (price_entry_is_sound(entry, batch)) {
        const FrameRange frame{entry.first_unit, entry.block.input_bytes};
        const uint32_t limit = entry.block.output_limit;
        const uint32_t bytes = cta_write_sound(batch, frame, batch.output + entry.block.output_offset, limit, memory);
        result = bytes > limit ? BlockResult{STATUS_OUTPUT_EXCEEDED, 0} : BlockResult{STATUS_SOUND, bytes};
    }
    if (threadIdx.x == 0) batch.results[index] = result;
}

}  // namespace warpcodec::lz4_price
