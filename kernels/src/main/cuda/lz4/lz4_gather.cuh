// Produces the bytes of sequences that have been read, all lanes at once, whatever their lengths.
//
// The output is cut in slabs of WARP_LANES * LANE_BYTES bytes at multiples of that size in memory. Each lane owns LANE_BYTES bytes of a
// slab, side by side. It finds the sequence that its first byte belongs to by binary search among the starts of the pending sequences, and
// steps to the next sequence where one ends. For each byte that gives a source: a literal in the input, or an earlier byte of the output.
//
// Sources below the slab are in memory already. Those in the same slab are not, so they are replaced by their own source first: every lane
// writes its sources to shared memory and looks up the source of its source, until none lies in the slab. Sources strictly decrease, and each
// turn doubles how many steps an entry stands for: 7 turns for 128 bytes at most, whatever the overlap, usually none or one. Nothing is copied
// in order, so no sequence waits for another one.
//
// A source is one 32-bit number: the place in the output, or the place in the input with the top bit set. As a signed number the latter is
// below any slab.
//
// Invariant: a sequence but the last has at least 4 bytes, hence less than a slab of unproduced bytes belongs to at most SLAB_BYTES / 4
// sequences, and `pending` never exceeds MAX_PENDING.
//
// Writes: whole aligned words, or single bytes at the block's two ends; never outside the block's output.
#pragma once

#include <cstdint>

#include "lz4_parse.cuh"

namespace warpcodec::lz4 {

constexpr uint32_t INPUT_SOURCE = 0x80000000u;
constexpr int NO_START = 0x7FFFFFFF;

/// A sequence in the form that a lane needs it: source = place + (place <= literal_last ? literal_delta : match_delta).
struct alignas(16) SequenceRecord {
    int literal_last;  ///< place of the last literal in the output; one less than the start if there is none
    uint32_t literal_delta;
    uint32_t match_delta;
    int output_limit;
};

/// Shared memory of one warp.
template <int LANE_BYTES>
struct alignas(256) GatherScratch {
    static constexpr int SLAB_BYTES = WARP_LANES * LANE_BYTES;
    static constexpr int MAX_KEPT = SLAB_BYTES / MIN_MATCH;
    static constexpr int MAX_PENDING = MAX_KEPT + WARP_LANES <= 64 ? 64 : 128;
    static_assert(MAX_KEPT + WARP_LANES <= MAX_PENDING, "kept sequences and one more parse fit");
    union {
        JumpTables jumps;              // while parsing
        uint32_t sources[SLAB_BYTES];  // while producing
    };
    int starts[MAX_PENDING];  // of the pending sequences in order, then NO_START
    SequenceRecord records[MAX_PENDING];
};

/// Adds what warp_parse found behind the `kept` sequences that are there.
template <int LANE_BYTES>
__device__ __forceinline__ void warp_append(GatherScratch<LANE_BYTES>& scratch, int kept, const Sequence& sequence, int lane) {
    const int at = kept + lane;
    scratch.starts[at] = sequence.valid ? static_cast<int>(sequence.output_start) : NO_START;
#pragma unroll
    for (int more = WARP_LANES; more < GatherScratch<LANE_BYTES>::MAX_PENDING; more += WARP_LANES) {
        if (at + more < GatherScratch<LANE_BYTES>::MAX_PENDING) scratch.starts[at + more] = NO_START;
    }
    if (sequence.valid) {
        SequenceRecord record;
        record.literal_last = static_cast<int>(sequence.output_start + sequence.literal_bytes) - 1;
        record.literal_delta = INPUT_SOURCE + sequence.literal_source - sequence.output_start;
        record.match_delta = 0u - sequence.offset;
        record.output_limit = static_cast<int>(sequence.output_start + sequence.literal_bytes + sequence.match_bytes);
        scratch.records[at] = record;
    }
}

/// Drops the sequences that end at `produced` or before, and moves the others to the front. Returns how many are left.
template <int LANE_BYTES>
__device__ __forceinline__ int warp_drop(GatherScratch<LANE_BYTES>& scratch, int pending, int produced, int lane) {
    int done = 0;
#pragma unroll
    for (int turn = 0; turn < GatherScratch<LANE_BYTES>::MAX_PENDING / WARP_LANES; ++turn) {
        const int at = turn * WARP_LANES + lane;
        done += __popc(__ballot_sync(ALL_LANES, at < pending && scratch.records[at].output_limit <= produced));
    }
    const int left = pending - done;
    if (done == 0) return left;
#pragma unroll
    for (int turn = 0; turn < GatherScratch<LANE_BYTES>::MAX_KEPT / WARP_LANES; ++turn) {
        const int at = turn * WARP_LANES + lane;
        SequenceRecord record{};
        int start = 0;
        if (at < left) {
            record = scratch.records[at + done];
            start = scratch.starts[at + done];
        }
        __syncwarp();
        if (at < left) {
            scratch.records[at] = record;
            scratch.starts[at] = start;
        }
        __syncwarp();
    }
    return left;
}

/// Produces the slab that begins at output place `slab`, of which [0, limit) belongs to the block. With EDGE that may be a part of it;
/// without, all of it does. At least one pending sequence begins at or before the first byte that counts.
template <int LANE_BYTES, bool EDGE>
__device__ __forceinline__ void warp_produce_slab(const Block& block, uint8_t* output, int slab, int limit,
                                                  GatherScratch<LANE_BYTES>& scratch, int lane) {
    const int first = slab + LANE_BYTES * lane;
    // Places beyond the block's ends stand for its first or last byte, whose source is valid, and are not stored.
    const auto place_of = [&](int byte) { return EDGE ? min(max(first + byte, 0), limit - 1) : first + byte; };
    int owner = 0;
    const int first_place = place_of(0);
#pragma unroll
    for (int step = GatherScratch<LANE_BYTES>::MAX_PENDING / 2; step > 0; step /= 2) {
        if (scratch.starts[owner + step] <= first_place) owner += step;
    }
    SequenceRecord record = scratch.records[owner];
    int sources[LANE_BYTES];
    bool inside = false;
#pragma unroll
    for (int byte = 0; byte < LANE_BYTES; ++byte) {
        const int place = place_of(byte);
        if (byte > 0 && place >= record.output_limit) record = scratch.records[++owner];
        sources[byte] = place + static_cast<int>(place <= record.literal_last ? record.literal_delta : record.match_delta);
        inside |= sources[byte] >= slab;
    }
    if (__any_sync(ALL_LANES, inside)) {
        uint4* const own = reinterpret_cast<uint4*>(scratch.sources + LANE_BYTES * lane);
        for (int turn = 1; turn < GatherScratch<LANE_BYTES>::SLAB_BYTES; turn *= 2) {
#pragma unroll
            for (int word = 0; word < LANE_BYTES / 4; ++word) {
                own[word] = make_uint4(sources[4 * word], sources[4 * word + 1], sources[4 * word + 2], sources[4 * word + 3]);
            }
            __syncwarp();
            inside = false;
#pragma unroll
            for (int byte = 0; byte < LANE_BYTES; ++byte) {
                if (sources[byte] >= slab) {
                    sources[byte] = static_cast<int>(scratch.sources[sources[byte] - slab]);
                    inside |= sources[byte] >= slab;
                }
            }
            if (!__any_sync(ALL_LANES, inside)) break;
            __syncwarp();
        }
    }
    uint32_t values[LANE_BYTES];
#pragma unroll
    for (int byte = 0; byte < LANE_BYTES; ++byte) {
        const uint32_t source = static_cast<uint32_t>(sources[byte]);
        const uint8_t* base = sources[byte] < 0 ? block.input - INPUT_SOURCE : output;
        values[byte] = base[source];
    }
#pragma unroll
    for (int word = 0; word < LANE_BYTES / 4; ++word) {
        const uint32_t value = __byte_perm(__byte_perm(values[4 * word], values[4 * word + 1], 0x0040),
                                           __byte_perm(values[4 * word + 2], values[4 * word + 3], 0x0040), 0x5410);
        const int place = first + 4 * word;
        if (!EDGE || (place >= 0 && place + 4 <= limit)) {
            *reinterpret_cast<uint32_t*>(output + place) = value;
        } else {
#pragma unroll
            for (int byte = 0; byte < 4; ++byte) {
                if (place + byte >= 0 && place + byte < limit) output[place + byte] = static_cast<uint8_t>(value >> (8 * byte));
            }
        }
    }
    __syncwarp();
}

/// Decodes one block; parse(state, sequence) reads the next sequences as warp_parse does.
template <int LANE_BYTES, typename Parse>
__device__ __forceinline__ ParseState warp_decode_by_gather(const Block& block, uint8_t* output, GatherScratch<LANE_BYTES>& scratch,
                                                            int lane, Parse parse) {
    constexpr int SLAB_BYTES = GatherScratch<LANE_BYTES>::SLAB_BYTES;
    ParseState state;
    int pending = 0;
    int slab = -static_cast<int>(reinterpret_cast<uintptr_t>(output) & (SLAB_BYTES - 1));
    while (true) {
        Sequence sequence;
        const int found = parse(state, sequence);
        if (state.status != STATUS_OK) break;
        warp_append(scratch, pending, sequence, lane);
        pending += found;
        __syncwarp();
        const int parsed = static_cast<int>(state.output_position);
        if (slab < 0 && parsed >= slab + SLAB_BYTES) {
            warp_produce_slab<LANE_BYTES, true>(block, output, slab, parsed, scratch, lane);
            slab += SLAB_BYTES;
        }
        for (; parsed - slab >= SLAB_BYTES && slab >= 0; slab += SLAB_BYTES) {
            warp_produce_slab<LANE_BYTES, false>(block, output, slab, parsed, scratch, lane);
        }
        if (state.finished) {
            if (max(slab, 0) < parsed) warp_produce_slab<LANE_BYTES, true>(block, output, slab, parsed, scratch, lane);
            break;
        }
        pending = warp_drop(scratch, pending, slab, lane);
    }
    return state;
}

template <int LANE_BYTES>
__device__ __forceinline__ ParseState warp_decode_by_gather(const Block& block, uint8_t* output, GatherScratch<LANE_BYTES>& scratch,
                                                            int lane) {
    return warp_decode_by_gather(block, output, scratch, lane, [&](ParseState& state, Sequence& sequence) {
        return warp_parse(block, state, scratch.jumps, sequence, lane);
    });
}

}  // namespace warpcodec::lz4
