// Decodes blocks that are too long for one warp - up to some mebibytes - each by many warps, in four kernels. A block
// may refer to output in front of its own, so a chain of blocks that share a window is decoded at once: every block
// of it is one here.
//
// 1. Guess. The input of a block is cut into pieces. One warp per piece begins some bytes in front of it, as if a
//    unit (a sequence of LZ4) started there. Token streams fall into step by themselves, most of them within some
//    hundred bytes; so the first start in the piece is probably a true one. It is kept, with where the piece's last
//    unit ends and how many bytes all of them decode to.
// 2. Stitch. One warp per block follows the pieces from the block's first byte, 32 at a time: where a piece's first
//    start is where the one before ended, the guess was right. Where not, the warp reads that piece itself, and goes
//    on. So it always ends with the truth, after as many pieces at most as there are; hostile input only makes it
//    slow. Now each piece's place in the output is known.
// 3. Find sources. The output is cut into tiles at multiples of their size. One warp per tile finds the piece in
//    which it begins, reads from there, and writes for each byte of the tile where it comes from: a place in the
//    input, or a place of the output in front of the tile. Within a slab that is the gather's work (lz77_gather.cuh);
//    a source in the same tile is replaced by its own, which is written already.
// 4. Produce. Each byte follows the sources from tile to tile until it comes to one in the input, and is that byte
//   (lz77_sources.cuh).
//
// A source is one 32-bit number, a place in the batch's output, or one in its input with the top bit set. Input and
// output have less than 2^31 bytes each.
//
// The first defect of a block, in the order of its input, is reported, as by one warp alone. A block that refers to
// the output of one with a defect has undefined bytes; a host that chains blocks must look at all results. Whatever a
// table or an earlier block holds, no kernel reads or writes outside the buffers, and none waits for another.
#pragma once

#include <cstdint>

#include "../common/batch.cuh"
#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "lz77_gather.cuh"
#include "lz77_sources.cuh"
#include "lz77_state.cuh"

namespace warpcodec::lz77 {

static_assert(INPUT_SOURCE == SOURCE_END, "a source in the input leads no further");

/// One block, as the host uploads it: little-endian, 40 bytes. Pieces and tiles are numbered through the batch in the
/// order of the table.
struct LongEntry {
    uint64_t input_offset;
    uint64_t output_offset;
    uint32_t input_bytes;
    uint32_t output_limit;
    /// Of output in front of output_offset that matches may reach; other blocks of the batch produce them.
    uint32_t window_bytes;
    uint32_t first_piece;
    uint32_t first_tile;
    uint32_t reserved;  ///< 0
};
static_assert(sizeof(LongEntry) == 40, "the host writes entries of 40 bytes");

/// What a warp makes of a piece; NO_POSITION for `entry` if nothing.
struct PieceGuess {
    uint32_t entry;  ///< position in the block of the first unit that starts in the piece
    uint32_t exit;  ///< of the first that does not any more, or NO_POSITION if the block ends in this piece
    uint32_t output_bytes;  ///< of the units between
};
static_assert(sizeof(PieceGuess) == 12, "the host reserves 12 bytes for each");

/// Where the first unit that starts in a piece, or behind it if none does, starts; NO_POSITION twice behind a defect.
struct PieceStart {
    uint32_t input_position;
    uint32_t output_position;
};
static_assert(sizeof(PieceStart) == 8, "the host reserves 8 bytes for each");

/// Longest window: no match of a format that is decoded here reaches back further.
constexpr int MAX_WINDOW_BYTES = 1 << 16;
/// Most bytes of a batch's input, and of its output.
constexpr uint64_t MAX_LONG_BYTES = (1ull << 31) - 1 - MAX_WINDOW_BYTES;
constexpr uint32_t NO_DEFECT = 0xFFFFFFFFu;

/// Device memory of one batch, as kernels take it. Apart from input and entries none of it needs to hold anything
/// before; all of it is aligned to 16 bytes.
struct LongBatch {
    const uint8_t* input;
    uint64_t input_bytes;
    uint8_t* output;
    uint64_t output_bytes;
    const LongEntry* entries;
    BlockResult* results;
    uint32_t* sources;  ///< one for each byte of the output
    PieceGuess* guesses;  ///< piece_count
    PieceStart* starts;  ///< piece_count
    uint32_t* defects;  ///< one for each block: the first status that is a defect, or NO_DEFECT
    uint32_t block_count;
    uint32_t piece_count;
    uint32_t tile_count;
};
constexpr Layout LONG_BATCH_LAYOUT = Layout()
                                         .WARPCODEC_FIELD(LongBatch, input)
                                         .WARPCODEC_FIELD(LongBatch, input_bytes)
                                         .WARPCODEC_FIELD(LongBatch, output)
                                         .WARPCODEC_FIELD(LongBatch, output_bytes)
                                         .WARPCODEC_FIELD(LongBatch, entries)
                                         .WARPCODEC_FIELD(LongBatch, results)
                                         .WARPCODEC_FIELD(LongBatch, sources)
                                         .WARPCODEC_FIELD(LongBatch, guesses)
                                         .WARPCODEC_FIELD(LongBatch, starts)
                                         .WARPCODEC_FIELD(LongBatch, defects)
                                         .WARPCODEC_FIELD(LongBatch, block_count)
                                         .WARPCODEC_FIELD(LongBatch, piece_count)
                                         .WARPCODEC_FIELD(LongBatch, tile_count);
static_assert(LONG_BATCH_LAYOUT.is_of<LongBatch>() && sizeof(LongBatch) == 96, "the host sets these fields");

/// Sizes of a format's pieces and tiles, and the limits of its blocks.
template <int PIECE_BYTES_, int WARM_UP_BYTES_, int TILE_BYTES_, uint32_t MAX_INPUT_BYTES_, uint32_t MAX_OUTPUT_BYTES_>
struct LongSizes {
    static constexpr uint32_t PIECE_BYTES = PIECE_BYTES_;
    static constexpr uint32_t WARM_UP_BYTES = WARM_UP_BYTES_;  ///< in front of a piece, to fall into step
    static constexpr int TILE_BYTES = TILE_BYTES_;
    static constexpr uint32_t MAX_INPUT_BYTES = MAX_INPUT_BYTES_;
    static constexpr uint32_t MAX_OUTPUT_BYTES = MAX_OUTPUT_BYTES_;
    static_assert(TILE_BYTES % SLAB_BYTES == 0, "tiles are made of slabs");
    static_assert(MAX_INPUT_BYTES < (1u << (32 - STATUS_OFFSET_SHIFT)), "an offset fits a status word");
    static_assert(MAX_OUTPUT_BYTES < (1u << 25), "32 pieces' outputs have a sum");

    /// At least one.
    static __device__ __forceinline__ uint32_t piece_count(const LongEntry& entry) {
        return entry.input_bytes == 0 ? 1 : (entry.input_bytes + PIECE_BYTES - 1) / PIECE_BYTES;
    }

    /// Where the block's output begins in its first tile.
    static __device__ __forceinline__ int phase(const LongEntry& entry) {
        return static_cast<int>(entry.output_offset % TILE_BYTES);
    }

    /// At least one.
    static __device__ __forceinline__ uint32_t tile_count(const LongEntry& entry) {
        const uint32_t bytes = phase(entry) + entry.output_limit;
        return bytes == 0 ? 1 : (bytes + TILE_BYTES - 1) / TILE_BYTES;
    }

    static __device__ __forceinline__ bool is_sound(const LongEntry& entry, const LongBatch& batch) {
        const BlockEntry ranges{entry.input_offset, entry.output_offset, entry.input_bytes, entry.output_limit};
        return batch.input_bytes <= MAX_LONG_BYTES && batch.output_bytes <= MAX_LONG_BYTES &&
               entry_is_sound(ranges, batch, MAX_INPUT_BYTES, MAX_OUTPUT_BYTES) &&
               entry.window_bytes <= MAX_WINDOW_BYTES && entry.window_bytes <= entry.output_offset &&
               entry.first_piece <= batch.piece_count && piece_count(entry) <= batch.piece_count - entry.first_piece &&
               entry.first_tile <= batch.tile_count && tile_count(entry) <= batch.tile_count - entry.first_tile;
    }
};

/// The last block whose FIRST is `number` or less; 0 if there is none.
template <uint32_t LongEntry::* FIRST>
__device__ __forceinline__ uint32_t thread_find_block(const LongBatch& batch, uint32_t number) {
    uint32_t low = 0;
    uint32_t high = batch.block_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        (batch.entries[middle].*FIRST <= number ? low : high) = middle;
    }
    return low;
}

__device__ __forceinline__ Block block_of(const LongEntry& entry, const LongBatch& batch) {
    return Block{batch.input + entry.input_offset, entry.input_bytes, entry.output_limit, entry.window_bytes};
}

/// Moves `state` on to the first unit that does not start before `stop`, or to the end of the block or a defect.
template <typename Format>
__device__ __forceinline__ void warp_walk(const Block& block, ParseState& state, uint32_t stop, JumpTables& tables,
                                          int lane) {
    while (!state.finished && state.input_position < stop) {
        Format::skip(block, state, stop, tables, lane);
        __syncwarp();
    }
}

/// Guesses piece `number` of the batch.
template <typename Format>
__device__ __forceinline__ void warp_guess_piece(const LongBatch& batch, uint32_t number, JumpTables& tables,
                                                 int lane) {
    using Sizes = typename Format::Sizes;
    const LongEntry entry = batch.entries[thread_find_block<&LongEntry::first_piece>(batch, number)];
    const uint32_t piece = number - entry.first_piece;
    if (!Sizes::is_sound(entry, batch) || piece >= Sizes::piece_count(entry)) return;
    // Where the piece lies in the output is not known, so that every offset may be right.
    const Block block{batch.input + entry.input_offset, entry.input_bytes,
                      min(entry.output_limit, Format::MAX_GUESS_OUTPUT_BYTES), MAX_WINDOW_BYTES};
    const uint32_t from = piece * Sizes::PIECE_BYTES;
    const uint32_t stop = min(from + Sizes::PIECE_BYTES, entry.input_bytes);
    PieceGuess guess{NO_POSITION, NO_POSITION, 0};
    uint32_t begin = from - min(from, Sizes::WARM_UP_BYTES);
    for (int attempt = 0; attempt < Format::MAX_GUESSES && begin <= from; ++attempt) {
        ParseState state;
        state.input_position = begin;
        warp_walk<Format>(block, state, from, tables, lane);
        if (state.status != STATUS_SOUND) {
            begin = (state.status >> STATUS_OFFSET_SHIFT) + 1;  // no unit starts where this one seemed to
            continue;
        }
        const uint32_t first = state.input_position;
        if (state.finished || first >= stop) break;
        state.output_position = 0;
        warp_walk<Format>(block, state, stop, tables, lane);
        if (state.status == STATUS_SOUND)
            guess = {first, state.finished ? NO_POSITION : state.input_position, state.output_position};
        break;
    }
    if (lane == 0) batch.guesses[number] = guess;
}

/// Finds where each piece of block `index` starts. Writes a result that is not final yet: the output bytes in front
/// of the first defect that is met here.
template <typename Format>
__device__ __forceinline__ void warp_stitch_block(const LongBatch& batch, uint32_t index, JumpTables& tables,
                                                  int lane) {
    using Sizes = typename Format::Sizes;
    const LongEntry entry = batch.entries[index];
    if (!Sizes::is_sound(entry, batch)) {
        if (lane == 0) batch.results[index] = {STATUS_BAD_ENTRY, 0};
        return;
    }
    const Block block = block_of(entry, batch);
    const uint32_t count = Sizes::piece_count(entry);
    const PieceGuess* guesses = batch.guesses + entry.first_piece;
    PieceStart* starts = batch.starts + entry.first_piece;
    ParseState state;
    uint32_t started = 0;  // pieces whose start is written
    while (!state.finished) {
        const uint32_t piece = min(state.input_position / Sizes::PIECE_BYTES, count - 1);
        // this one, and before it those in which nothing starts
        for (uint32_t at = started + lane; at <= piece; at += WARP_LANES)
            starts[at] = {state.input_position, state.output_position};
        started = piece + 1;
        const uint32_t own = piece + lane;
        PieceGuess guess{NO_POSITION, NO_POSITION, 0};
        if (own < count) guess = guesses[own];
        uint32_t expected = __shfl_up_sync(ALL_LANES, guess.exit, 1);
        if (lane == 0) expected = state.input_position;
        const uint32_t output_limit = state.output_position + warp_inclusive_sum(guess.output_bytes, lane);
        const bool met = guess.entry != NO_POSITION && guess.entry == expected && output_limit <= block.output_limit;
        const uint32_t missed = ~__ballot_sync(ALL_LANES, met);
        const int met_count = missed == 0 ? WARP_LANES : __ffs(missed) - 1;
        if (met_count == 0) {
            const uint32_t stop = min((piece + 1) * Sizes::PIECE_BYTES, block.input_bytes);
            warp_walk<Format>(block, state, max(stop, state.input_position + 1), tables, lane);
            continue;
        }
        if (lane > 0 && lane < met_count) starts[own] = {guess.entry, output_limit - guess.output_bytes};
        started = piece + met_count;
        const uint32_t exit = __shfl_sync(ALL_LANES, guess.exit, met_count - 1);
        state.output_position = __shfl_sync(ALL_LANES, output_limit, met_count - 1);
        state.finished = exit == NO_POSITION;
        state.input_position = state.finished ? block.input_bytes : exit;
    }
    for (uint32_t at = started + lane; at < count; at += WARP_LANES) starts[at] = {NO_POSITION, NO_POSITION};
    if (lane == 0) {
        batch.results[index] = {STATUS_SOUND, state.output_position};
        batch.defects[index] = state.status == STATUS_SOUND ? NO_DEFECT : state.status;
    }
}

/// The last of `count` pieces that starts at output place `place` or before; the first does.
__device__ __forceinline__ PieceStart warp_find_start(const PieceStart* starts, uint32_t count, uint32_t place,
                                                      int lane) {
    uint32_t low = 0;
    while (count > 1) {
        const uint32_t step = (count + WARP_LANES - 1) / WARP_LANES;
        const uint32_t at = lane * step;
        const int before = __popc(__ballot_sync(ALL_LANES, at < count && starts[low + at].output_position <= place));
        const uint32_t passed = max(before - 1, 0) * step;
        low += passed;
        count = min(step, count - passed);
    }
    return starts[low];
}

/// Writes the sources of the places [low, limit) of a block's slab; those of [tile, low) are written. Places are the
/// block's own.
template <bool EDGE, typename Scratch>
__device__ __forceinline__ void warp_write_sources(const LongEntry& entry, uint32_t* sources, int tile, int slab,
                                                   int low, int limit, Scratch& scratch, int lane) {
    int found[LANE_BYTES];
    warp_find_sources<EDGE>(slab, low, limit, found, scratch, lane);
    const int first = slab + LANE_BYTES * lane;
    uint32_t values[LANE_BYTES];
#pragma unroll
    for (int byte = 0; byte < LANE_BYTES; ++byte) {
        if (found[byte] >= tile) {
            values[byte] = sources[found[byte]];
        } else {
            const bool in_output = found[byte] >= -MAX_WINDOW_BYTES;
            values[byte] = found[byte] + static_cast<uint32_t>(in_output ? entry.output_offset : entry.input_offset);
        }
    }
    if (!EDGE) {
        *reinterpret_cast<uint4*>(sources + first) = make_uint4(values[0], values[1], values[2], values[3]);
    } else {
#pragma unroll
        for (int byte = 0; byte < LANE_BYTES; ++byte) {
            if (first + byte >= low && first + byte < limit) sources[first + byte] = values[byte];
        }
    }
    __syncwarp();
}

/// Writes the sources of tile `number` of the batch.
template <typename Format, typename Scratch>
__device__ __forceinline__ void warp_find_tile(const LongBatch& batch, uint32_t number, Scratch& scratch, int lane) {
    using Sizes = typename Format::Sizes;
    const uint32_t index = thread_find_block<&LongEntry::first_tile>(batch, number);
    const LongEntry entry = batch.entries[index];
    if (!Sizes::is_sound(entry, batch) || number - entry.first_tile >= Sizes::tile_count(entry)) return;
    const int phase = Sizes::phase(entry);
    const int begin = static_cast<int>((number - entry.first_tile) * Sizes::TILE_BYTES) - phase;
    const int tile = max(begin, 0);
    const int tile_limit = min(begin + Sizes::TILE_BYTES, static_cast<int>(entry.output_limit));
    const int end = min(tile_limit, static_cast<int>(batch.results[index].output_bytes));
    uint32_t* sources = batch.sources + entry.output_offset;
    const Block block = block_of(entry, batch);
    ParseState state;
    if (tile < end) {
        const PieceStart start =
            warp_find_start(batch.starts + entry.first_piece, Sizes::piece_count(entry), tile, lane);
        state.input_position = start.input_position;
        state.output_position = start.output_position;
    }
    int pending = 0;
    int low = tile;  // everything below is written
    while (low < end) {
        pending += Format::parse(block, state, scratch, pending, lane);
        if (state.status != STATUS_SOUND) {
            if (lane == 0) atomicMin(batch.defects + index, state.status);
            break;
        }
        __syncwarp();
        const int parsed = min(static_cast<int>(state.output_position), end);
        while (low < parsed) {
            const int slab = low - (low + phase) % SLAB_BYTES;
            const int limit = min(slab + SLAB_BYTES, parsed);
            if (low == slab && limit == slab + SLAB_BYTES) {
                warp_write_sources<false>(entry, sources, tile, slab, low, limit, scratch, lane);
            } else if (limit == slab + SLAB_BYTES || limit == end) {
                warp_write_sources<true>(entry, sources, tile, slab, low, limit, scratch, lane);
            } else {
                break;
            }
            low = limit;
        }
        const int done = warp_count_done(scratch, pending, low, lane);
        pending -= done;
        if (pending > Scratch::MAX_KEPT) {
            warp_write_sources<true>(entry, sources, tile, low - (low + phase) % SLAB_BYTES, low, parsed, scratch,
                                     lane);
            low = parsed;
            pending = 0;
        } else if (done != 0) {
            warp_move_up(scratch, done, pending, lane);
        }
    }
    // The rest is not needed, but a source that leads there must find one.
    for (int place = low + lane; place < tile_limit; place += WARP_LANES) sources[place] = INPUT_SOURCE;
}

/// Produces the bytes of place `first`, and of each 32nd behind it, LANE_BYTES in all, but only of places in
/// [low, limit).
__device__ __forceinline__ void thread_produce(const LongBatch& batch, uint32_t first, uint32_t low, uint32_t limit) {
    uint32_t sources[LANE_BYTES];
    thread_follow_sources(batch.sources, first, low, limit, sources);
    const uint32_t last_input = static_cast<uint32_t>(batch.input_bytes - 1);
#pragma unroll
    for (int byte = 0; byte < LANE_BYTES; ++byte) {
        const uint32_t place = first + byte * WARP_LANES;
        const uint8_t value = __ldg(batch.input + min(sources[byte] & ~INPUT_SOURCE, last_input));
        if (place >= low && place < limit) batch.output[place] = value;
    }
}

/// Produces the bytes of tile `number` of the batch, unless its block has a defect; with its first tile, finishes a
/// block's result. A cta has a thread for LANE_BYTES places of a tile.
template <typename Format>
__device__ __forceinline__ void cta_produce_tile(const LongBatch& batch, uint32_t number) {
    using Sizes = typename Format::Sizes;
    const uint32_t index = thread_find_block<&LongEntry::first_tile>(batch, number);
    const LongEntry entry = batch.entries[index];
    if (!Sizes::is_sound(entry, batch) || number - entry.first_tile >= Sizes::tile_count(entry)) return;
    const uint32_t defect = batch.defects[index];
    if (defect != NO_DEFECT) {
        if (number == entry.first_tile && threadIdx.x == 0) batch.results[index] = {defect, 0};
        return;
    }
    const uint32_t low = static_cast<uint32_t>(entry.output_offset);
    const uint32_t limit = low + batch.results[index].output_bytes;
    const uint32_t begin = low - Sizes::phase(entry) + (number - entry.first_tile) * Sizes::TILE_BYTES;
    const uint32_t lane = threadIdx.x % WARP_LANES;
    thread_produce(batch, begin + LANE_BYTES * (threadIdx.x - lane) + lane, low, min(begin + Sizes::TILE_BYTES, limit));
}

}  // namespace warpcodec::lz77
