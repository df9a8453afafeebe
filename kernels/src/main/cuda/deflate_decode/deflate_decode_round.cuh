// One round of a block's tokens, a part for each lane of a group (deflate_tokens.cuh).
#pragma once

#include <cstdint>

#include "../deflate/deflate_tokens.cuh"
#include "deflate_decode_policy.cuh"

namespace warpcodec::deflate_decode {

using namespace deflate;

/// Where lanes begin their parts without an index.
struct WarmUpStarts {
    /// Brings `reader` to the first token of this lane's part, which begins at `first`, in a round that begins at
    /// `begin`.
    __device__ __forceinline__ void thread_find(const BitStream& stream, const BlockTables& tables, uint32_t begin,
                                                uint32_t first, BitReader& reader, Part& part) {
        reader.seek(stream, max(begin, first - min(first, DecodePolicy::WARM_UP_BITS)));
        thread_read_tokens<Reading::SKIPS>(stream, reader, tables, first, nullptr, 0, part);
    }
    /// The round is over; this is where the part began.
    __device__ __forceinline__ void thread_note(uint32_t) {}
};

/// One round from position `begin` on, which is before stream.end, in parts of `part_bits` bits, of which a lane
/// keeps `most` tokens. `tokens` is its space. One part as long as the rest leaves all to the first lane.
template <Reading READING, typename Starts, typename Readers>
__device__ __forceinline__ Round group_read_round(const BitStream& stream, const BlockTables& tables, Starts& starts,
                                                  uint32_t begin, uint32_t part_bits, uint32_t most, uint32_t* tokens,
                                                  Part& part, Readers& readers) {
    const uint32_t first = begin + readers.rank * part_bits;
    part = Part{first, min(first + part_bits, stream.end), first, 0, 0, ENDED_IDLE};
    BitReader reader(stream, begin);
    if (readers.rank > 0 && first < stream.end) {
        starts.thread_find(stream, tables, begin, first, reader, part);
        part.start = reader.position();
    }
    const Round round = group_settle<READING>(stream, tables, reader, first < stream.end, most, tokens, part, readers);
    starts.thread_note(part.start);
    return round;
}

}  // namespace warpcodec::deflate_decode
