// Decodes a DEFLATE body by two warps: one reads headers and tokens, the other produces the bytes of the round before
// meanwhile. For batches of too few bodies to keep a device busy with one warp each (deflate_decode_body.cuh); the
// steps are the same, and so is the result.
//
// The reader fills one of two handovers, and of two rooms for tokens, in turn; then both warps meet at a barrier. At
// the next barrier the producer has emptied the handover before, and the reader fills that handover next. The last
// handover says that there are no more. A producer that finds a defect notes it under the handover's number and goes
// on to meet the reader. The reader looks behind the next barrier and ends.
//
// Barriers: as many as rounds and stored blocks, and two. Every lane of both warps gets to each.
#pragma once

#include <cstdint>

#include "../common/batch.cuh"
#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "deflate_decode_body.cuh"

namespace warpcodec::deflate_decode {

constexpr int PAIR_THREADS = 2 * WARP_LANES;

/// What the producer is to do next.
struct Handover {
    enum Kind : uint32_t { TOKENS, STORED, END };
    Kind kind;
    uint32_t position;  ///< output place of the first byte
    int last_lane;
    uint32_t bytes;  ///< of a stored block
    const uint8_t* from;  ///< where they lie
    uint32_t counts[WARP_LANES];
};

/// Shared memory of two warps.
struct PairScratch {
    BlockTables tables;
    HeaderScratch header;
    ProduceScratch produce;
    Handover handovers[2];
    uint32_t failed[2];  ///< the producer found a defect in the handover of that number
};

/// Both warps meet, and see what the other one wrote.
__device__ __forceinline__ void pair_meet() { __barrier_sync_count(1, PAIR_THREADS); }

/// Hands what one warp reads to the other.
struct HandOver : WarpSink {
    static constexpr uint32_t MAX_PART_BITS = DecodePolicy::PAIR_MAX_PART_BITS;

    uint32_t* tokens;  ///< space for two rounds
    PairScratch& scratch;
    uint32_t turn = 0;

    __device__ __forceinline__ uint32_t* room() const {
        return tokens + turn % 2 * WARP_LANES * DecodePolicy::LANE_TOKENS;
    }

    __device__ __forceinline__ Handover& next() { return scratch.handovers[turn % 2]; }

    /// Answers what became of the handover before: this one is the producer's now.
    __device__ __forceinline__ uint32_t warp_hand_over() {
        pair_meet();
        ++turn;
        return scratch.failed[turn % 2] != 0 ? STATUS_BAD_OFFSET : STATUS_SOUND;
    }

    __device__ __forceinline__ uint32_t take_round(uint32_t position, uint32_t, const Round& round, const Part& part,
                                                   const WarpReaders& readers) {
        Handover& handover = next();
        handover.counts[readers.rank] = part.count;
        if (readers.rank == 0) {
            handover.kind = Handover::TOKENS;
            handover.position = position;
            handover.last_lane = round.last_lane;
        }
        return warp_hand_over();
    }

    __device__ __forceinline__ uint32_t take_stored(uint32_t position, const uint8_t* from, uint32_t bytes,
                                                    const WarpReaders& readers) {
        Handover& handover = next();
        if (readers.rank == 0) {
            handover.kind = Handover::STORED;
            handover.position = position;
            handover.from = from;
            handover.bytes = bytes;
        }
        return warp_hand_over();
    }
};

/// The reader's half of a body. `tokens` has space for two rounds.
template <typename Starts>
__device__ __forceinline__ BlockResult warp_read_for_pair(const Block& block, uint32_t* tokens, Starts starts,
                                                          PairScratch& scratch, int lane) {
    if (lane < 2) scratch.failed[lane] = 0;
    HandOver sink{{}, tokens, scratch};
    WarpReaders readers{lane};
    BlockResult result = group_read_body(block, starts, sink, scratch.tables, scratch.header, readers);
    if (lane == 0) sink.next().kind = Handover::END;
    const uint32_t status = sink.warp_hand_over();
    pair_meet();
    return result.status == STATUS_SOUND && status != STATUS_SOUND ? BlockResult{status, 0} : result;
}

/// The producer's half.
__device__ __forceinline__ void warp_produce_for_pair(uint8_t* output, const uint32_t* tokens, PairScratch& scratch,
                                                      int lane) {
    bool failed = false;
#pragma unroll 1
    for (uint32_t turn = 0;; ++turn) {
        pair_meet();
        const Handover& handover = scratch.handovers[turn % 2];
        if (handover.kind == Handover::END) break;
        if (failed) continue;
        if (handover.kind == Handover::STORED) {
            group_copy_stored(output + handover.position, handover.from, handover.bytes, WarpReaders{lane});
        } else {
            failed = !warp_produce_round(output, handover.position,
                                         tokens + turn % 2 * WARP_LANES * DecodePolicy::LANE_TOKENS,
                                         handover.counts[lane], handover.last_lane, scratch.produce, lane);
            if (failed && lane == 0) scratch.failed[turn % 2] = 1;
            __syncwarp();
        }
    }
    pair_meet();
}

}  // namespace warpcodec::deflate_decode
