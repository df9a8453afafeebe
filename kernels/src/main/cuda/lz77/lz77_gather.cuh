// Produces the bytes of runs that have been read - sequences of LZ4, elements of Snappy - all lanes at once, whatever
// their lengths.
//
// The output is cut in slabs of 128 bytes at multiples of that size in memory. Each lane owns 4 bytes of a slab, side
// by side. It finds the record that its first byte belongs to by binary search among the starts of the pending
// records, and steps to the next record where one ends. For each byte that gives a source: a literal in the input, or
// an earlier byte of the output.
//
// Sources below the slab are in memory already. Those in the same slab are not, so they are replaced by their own
// source first: every lane writes its sources to shared memory and looks up the source of its source, until none lies
// in the slab. Sources strictly decrease, and each turn doubles how many steps an entry stands for: 7 turns at most,
// whatever the overlap, usually none or one. Nothing is copied in order, so no run waits for another one.
//
// A source is one 32-bit number: the place in the output, or the place in the input with the top bit set. As a signed
// number the latter is below any slab.
//
// A slab is produced when it is whole, or when the block ends. Only with runs of less than 4 bytes on average is
// there a third case. The records of a slab that is not whole then leave no space for more, and the rest of the slab
// follows later.
//
// The bytes of a whole slab are only asked for at first, and stored when the next slab needs them (or the block
// ends): finding the next sources, and reading the next units, goes on while they come.
//
// Writes: whole aligned words, or single bytes where a slab is not whole; never outside the block's output.
#pragma once

#include <cstdint>

#include "../common/alignment.cuh"
#include "../common/batch.cuh"
#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "lz77_jumps.cuh"
#include "lz77_state.cuh"

namespace warpcodec::lz77 {

constexpr uint32_t INPUT_SOURCE = 0x80000000u;
constexpr int NO_START = 0x7FFFFFFF;
constexpr int LANE_BYTES = 4;
constexpr int SLAB_BYTES = WARP_LANES * LANE_BYTES;

/// Bytes that lie behind each other in the input, or behind an earlier place of the output; none if there is no run.
struct Run {
    uint32_t bytes;
    uint32_t source;  ///< of literals: their place in the input; of a copy: its offset
    bool copy;

    /// From a place of the output to the source of its byte; the run begins at `output_start`.
    __device__ __forceinline__ uint32_t delta(uint32_t output_start) const {
        return copy ? 0u - source : INPUT_SOURCE + source - output_start;
    }
};

/// Shared memory of one warp. A Record has source_of(place), for a place that it covers, and output_limit, the place
/// behind it. One parse adds at most MAX_NEW records.
template <typename RecordType, int CAPACITY_, int MAX_NEW_>
struct alignas(256) GatherScratch {
    using Record = RecordType;
    static constexpr int CAPACITY = CAPACITY_;
    static constexpr int MAX_KEPT = CAPACITY - MAX_NEW_;
    static_assert((CAPACITY & (CAPACITY - 1)) == 0 && CAPACITY % WARP_LANES == 0, "binary search takes half each time");
    static_assert(MAX_KEPT > 0 && MAX_KEPT % WARP_LANES == 0);
    union {
        JumpTables jumps;  // while parsing
        uint32_t sources[SLAB_BYTES];  // while producing
    };
    int starts[CAPACITY];  // of the pending records in order, then NO_START
    Record records[CAPACITY];
};

/// How many records end at `produced` or before.
template <typename Scratch>
__device__ __forceinline__ int warp_count_done(const Scratch& scratch, int pending, int produced, int lane) {
    int done = 0;
#pragma unroll
    for (int turn = 0; turn < Scratch::CAPACITY / WARP_LANES; ++turn) {
        const int at = turn * WARP_LANES + lane;
        done += __popc(__ballot_sync(ALL_LANES, at < pending && scratch.records[at].output_limit <= produced));
    }
    return done;
}

/// Moves the `kept` records that follow the first `done` to the front; at most MAX_KEPT.
template <typename Scratch>
__device__ __forceinline__ void warp_move_up(Scratch& scratch, int done, int kept, int lane) {
#pragma unroll
    for (int turn = 0; turn < Scratch::MAX_KEPT / WARP_LANES; ++turn) {
        const int at = turn * WARP_LANES + lane;
        typename Scratch::Record record{};
        int start = 0;
        if (at < kept) {
            record = scratch.records[at + done];
            start = scratch.starts[at + done];
        }
        __syncwarp();
        if (at < kept) {
            scratch.records[at] = record;
            scratch.starts[at] = start;
        }
        __syncwarp();
    }
}

/// This lane's bytes of a slab that are asked for and not stored yet.
struct AwaitedSlab {
    uint32_t values[LANE_BYTES];
    int first = -1;  ///< place of the first; negative if there are none
};

__device__ __forceinline__ uint32_t thread_pack(const uint32_t (&values)[LANE_BYTES]) {
    return thread_pack(values[0], values[1], values[2], values[3]);
}

/// Stores what is awaited, and lets all lanes see it.
__device__ __forceinline__ void warp_store(uint8_t* output, AwaitedSlab& awaited) {
    if (awaited.first >= 0) *reinterpret_cast<uint32_t*>(output + awaited.first) = thread_pack(awaited.values);
    awaited.first = -1;
    __syncwarp();
}

/// Finds the sources of this lane's bytes of the slab that begins at output place `slab`, none of them at `low` or
/// behind it. With EDGE only the bytes [low, limit) count; without, `low` is `slab` and all count. The pending
/// records cover these bytes.
template <bool EDGE, typename Scratch>
__device__ __forceinline__ void warp_find_sources(int slab, int low, int limit, int (&sources)[LANE_BYTES],
                                                  Scratch& scratch, int lane) {
    const int first = slab + LANE_BYTES * lane;
    // Other places stand for the first or last byte, whose source is valid, and are not stored.
    const auto place_of = [&](int byte) { return EDGE ? min(max(first + byte, low), limit - 1) : first + byte; };
    int owner = 0;
    const int first_place = place_of(0);
#pragma unroll
    for (int step = Scratch::CAPACITY / 2; step > 0; step /= 2) {
        if (scratch.starts[owner + step] <= first_place) owner += step;
    }
    typename Scratch::Record record = scratch.records[owner];
    bool inside = false;
#pragma unroll
    for (int byte = 0; byte < LANE_BYTES; ++byte) {
        const int place = place_of(byte);
        if (byte > 0 && place >= record.output_limit) record = scratch.records[++owner];
        sources[byte] = record.source_of(place);
        inside |= sources[byte] >= low;
    }
    if (__any_sync(ALL_LANES, inside)) {
        for (int turn = 1; turn < SLAB_BYTES; turn *= 2) {
            reinterpret_cast<uint4*>(scratch.sources)[lane] =
                make_uint4(sources[0], sources[1], sources[2], sources[3]);
            __syncwarp();
            inside = false;
#pragma unroll
            for (int byte = 0; byte < LANE_BYTES; ++byte) {
                if (sources[byte] >= low) {
                    sources[byte] = static_cast<int>(scratch.sources[sources[byte] - slab]);
                    inside |= sources[byte] >= low;
                }
            }
            if (!__any_sync(ALL_LANES, inside)) break;
            __syncwarp();
        }
    }
}

/// Produces the bytes [low, limit) of the slab that begins at output place `slab`. With EDGE that may be a part of
/// it, and is stored; without, it is all, `low` is `slab`, and the slab is awaited. The pending records cover these
/// bytes; everything below `low` is stored or awaited.
template <bool EDGE, typename Scratch>
__device__ __forceinline__ void warp_produce_slab(const Block& block, uint8_t* output, int slab, int low, int limit,
                                                  AwaitedSlab& awaited, Scratch& scratch, int lane) {
    const int first = slab + LANE_BYTES * lane;
    int sources[LANE_BYTES];
    warp_find_sources<EDGE>(slab, low, limit, sources, scratch, lane);
    warp_store(output, awaited);
#pragma unroll
    for (int byte = 0; byte < LANE_BYTES; ++byte) {
        const uint8_t* base = sources[byte] < 0 ? block.input - INPUT_SOURCE : output;
        awaited.values[byte] = base[static_cast<uint32_t>(sources[byte])];
    }
    if (!EDGE) {
        awaited.first = first;
        return;
    }
    const uint32_t value = thread_pack(awaited.values);
    if (first >= low && first + LANE_BYTES <= limit) {
        *reinterpret_cast<uint32_t*>(output + first) = value;
    } else {
#pragma unroll
        for (int byte = 0; byte < LANE_BYTES; ++byte) {
            if (first + byte >= low && first + byte < limit)
                output[first + byte] = static_cast<uint8_t>(value >> (8 * byte));
        }
    }
    __syncwarp();
}

/// Decodes one block from state `state` on. parse(state, kept) reads 1 to MAX_NEW units, appends their records behind
/// the `kept` ones, and returns how many it appended; none if it finds a defect, and then also sets the status. It
/// also fills up the starts with NO_START.
template <typename Scratch, typename Parse>
__device__ __forceinline__ ParseState warp_decode_by_gather(const Block& block, uint8_t* output, ParseState state,
                                                            Scratch& scratch, int lane, Parse parse) {
    int pending = 0;
    int slab = -static_cast<int>(bytes_past_alignment<SLAB_BYTES>(output));
    int low = 0;  // everything below is produced
    AwaitedSlab awaited;
    while (!state.finished) {
        pending += parse(state, pending);
        if (state.status != STATUS_SOUND) break;
        __syncwarp();
        const int parsed = static_cast<int>(state.output_position);
        if (parsed - slab >= SLAB_BYTES) {
            if (low > slab) {
                warp_produce_slab<true>(block, output, slab, low, slab + SLAB_BYTES, awaited, scratch, lane);
                slab += SLAB_BYTES;
            }
            for (; parsed - slab >= SLAB_BYTES; slab += SLAB_BYTES) {
                warp_produce_slab<false>(block, output, slab, slab, slab + SLAB_BYTES, awaited, scratch, lane);
            }
            low = slab;
        }
        const int done = warp_count_done(scratch, pending, low, lane);
        pending -= done;
        if (state.finished || pending > Scratch::MAX_KEPT) {
            if (low < parsed) warp_produce_slab<true>(block, output, slab, low, parsed, awaited, scratch, lane);
            low = parsed;
            pending = 0;
        } else if (done != 0) {
            warp_move_up(scratch, done, pending, lane);
        }
    }
    warp_store(output, awaited);
    return state;
}

}  // namespace warpcodec::lz77
