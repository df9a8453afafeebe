// Decodes a DEFLATE body from its first block to its last: headers by a warp, all lanes alike, tokens in rounds of a
// part for each lane (deflate_tokens.cuh), stored blocks by copying. A group reads: a warp here, or a team of warps
// (deflate_decode_team.cuh). What it reads goes to a sink. The one here produces bytes at once, by the same warp, in
// slabs of 128 (deflate_produce.cuh).
//
// Every length is checked before it is used: bits against the end of the input once for each round, output against
// the limit once for each round, distances with each token. A body is sound exactly where zlib finds it so; of
// several defects, which one is named may differ.
//
// A body ends with the byte in which its final block ends; bytes behind that are a defect, since a host that cuts
// bodies knows where they end.
//
// Bounded time: each round ends behind where it began or ends the body; a block takes BLOCK_HEADER_BITS at least.
// Blocks of next to nothing do not cost a round each: behind a short block, one lane reads a few tokens first. Fixed
// tables stay from block to block.
#pragma once

#include <cstdint>

#include "../common/alignment.cuh"
#include "../common/batch.cuh"
#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "../deflate/deflate_header.cuh"
#include "../deflate/deflate_produce.cuh"
#include "deflate_decode_policy.cuh"
#include "deflate_decode_round.cuh"

namespace warpcodec::deflate_decode {

/// Shared memory of one warp.
struct DecodeScratch {
    BlockTables tables;
    union {
        HeaderScratch header;
        ProduceScratch produce;
    };
};

/// A body under way; the same in every lane.
struct BodyState {
    uint32_t position;  // in bits
    uint32_t output_position;  // in bytes
    uint32_t part_limit;
    uint32_t block_bits = 0xFFFFFFFFu;  // of the block before
    bool fixed_tables = false;
};

/// Bits of a part, when about `bits` bits are to be read by so many lanes.
template <int LANES>
__device__ __forceinline__ uint32_t part_bits_for(uint32_t bits, uint32_t limit) {
    constexpr uint32_t STEP = DecodePolicy::PART_STEP_BITS;
    const uint32_t part = (bits / LANES / STEP + 1) * STEP;
    return min(max(part, DecodePolicy::MIN_PART_BITS), limit);
}

/// Produces the bytes of a round's tokens from `position` of the output on (deflate_produce.cuh). False if a distance
/// reaches before the output.
__device__ __forceinline__ bool warp_produce_round(uint8_t* output, uint32_t position, const uint32_t* tokens,
                                                   uint32_t own_count, int last_lane, ProduceScratch& scratch,
                                                   int lane) {
    const uint32_t first_place = bytes_past_alignment<SLAB_BYTES>(output);
    ByteSlabs slabs{output - first_place};
    return warp_produce_tokens(slabs, first_place, first_place + position, tokens + lane * DecodePolicy::LANE_TOKENS,
                               own_count, last_lane, scratch, lane);
}

/// Copies `bytes` bytes.
template <typename Group>
__device__ __forceinline__ void group_copy_stored(uint8_t* to, const uint8_t* from, uint32_t bytes,
                                                  const Group& group) {
#pragma unroll 4
    for (uint32_t at = group.rank; at < bytes; at += Group::SIZE) to[at] = __ldg(from + at);
    group.sync();
}

/// What sinks have in common that take the rounds of a warp.
struct WarpSink {
    static constexpr Reading READING = Reading::KEEPS;
    static constexpr uint32_t ROOM_TOKENS = DecodePolicy::LANE_TOKENS;  ///< of a lane
    static constexpr uint32_t MOST_TOKENS = DecodePolicy::LANE_TOKENS;  ///< that it keeps
    static constexpr uint32_t LEAST_PART_BITS = DecodePolicy::MIN_PART_BITS;  ///< the lowest limit of parts
};
static_assert(WarpSink::LEAST_PART_BITS <= WarpSink::MOST_TOKENS, "a lane keeps a part, however short its tokens");

/// Where what one warp reads is produced: by itself, at once.
struct ProduceAtOnce : WarpSink {
    static constexpr uint32_t MAX_PART_BITS = DecodePolicy::MAX_PART_BITS;

    uint8_t* output;
    uint32_t* tokens;  ///< space for LANE_TOKENS tokens for each lane
    ProduceScratch& scratch;

    /// Where the next round's tokens go.
    __device__ __forceinline__ uint32_t* room() const { return tokens; }

    /// Takes a round of so many bytes, which begin at output place `position`. Answers a status.
    __device__ __forceinline__ uint32_t take_round(uint32_t position, uint32_t, const Round& round, const Part& part,
                                                   const WarpReaders& readers) {
        return warp_produce_round(output, position, tokens, part.count, round.last_lane, scratch, readers.rank)
                   ? STATUS_SOUND
                   : STATUS_BAD_OFFSET;
    }

    /// Takes the bytes of a stored block.
    __device__ __forceinline__ uint32_t take_stored(uint32_t position, const uint8_t* from, uint32_t bytes,
                                                    const WarpReaders& readers) {
        group_copy_stored(output + position, from, bytes, readers);
        return STATUS_SOUND;
    }
};

/// Reads the tokens of a block whose tables are made.
template <typename Starts, typename Sink, typename Readers>
__device__ __forceinline__ uint32_t group_decode_tokens(const BitStream& stream, const Block& block, BodyState& body,
                                                        Starts& starts, Sink& sink, const BlockTables& tables,
                                                        Readers& readers) {
    bool probes = body.block_bits < DecodePolicy::SHORT_BLOCK_BITS;
#pragma unroll 1
    while (true) {
        if (body.position >= stream.end) return STATUS_TRUNCATED;
        const uint32_t rest = stream.end - body.position;
        Part part;
        Round round;
        const uint32_t expected =
            min(rest, body.block_bits == 0xFFFFFFFFu ? rest : body.block_bits + body.block_bits / 8);
        const uint32_t part_bits = probes ? rest : part_bits_for<Readers::SIZE>(expected, body.part_limit);
        const uint32_t most = probes ? DecodePolicy::PROBE_TOKENS : Sink::MOST_TOKENS;
        round = group_read_round<Sink::READING>(stream, tables, starts, body.position, part_bits, most,
                                                sink.room() + readers.rank * Sink::ROOM_TOKENS, part, readers);
        if (round.ending == ENDED_FULL && !probes) {
            const uint32_t last_bits = round.end - readers.shown(part, &Part::start, round.last_lane);
            body.part_limit =
                max(Sink::LEAST_PART_BITS, last_bits / DecodePolicy::PART_STEP_BITS * DecodePolicy::PART_STEP_BITS);
        }
        probes = false;
        if (round.end > stream.end) return STATUS_TRUNCATED;
        if (round.ending == ENDED_BAD) return STATUS_BAD_SYMBOL;
        const uint32_t bytes = readers.bytes_to(part, round.last_lane);
        if (bytes > block.output_limit - body.output_position) return STATUS_OUTPUT_EXCEEDED;
        const uint32_t status = sink.take_round(body.output_position, bytes, round, part, readers);
        if (status != STATUS_SOUND) return status;
        body.output_position += bytes;
        body.position = round.end;
        if (round.ending == ENDED_BLOCK) return STATUS_SOUND;
    }
}

/// Copies the bytes of a stored block; body.position is behind BTYPE.
template <typename Sink, typename Readers>
__device__ __forceinline__ uint32_t group_decode_stored(const BitStream& stream, const Block& block, BodyState& body,
                                                        Sink& sink, const Readers& readers) {
    BitReader reader(stream, (body.position + 7) & ~7u);
    const uint32_t len = reader.take(stream, LEN_BITS);
    const uint32_t nlen = reader.take(stream, NLEN_BITS);
    if (reader.position() > stream.end) return STATUS_TRUNCATED;
    if ((len ^ nlen) != MAX_STORED_BYTES) return STATUS_BAD_HEADER;
    if (len > (stream.end - reader.position()) / 8) return STATUS_TRUNCATED;
    if (len > block.output_limit - body.output_position) return STATUS_OUTPUT_EXCEEDED;
    const uint8_t* from = block.input + (reader.position() - stream.begin) / 8;
    const uint32_t status = sink.take_stored(body.output_position, from, len, readers);
    body.output_position += len;
    body.position = reader.position() + 8 * len;
    return status;
}

/// Reads the next block, and answers a status; `bfinal` says whether it was the last. body.position is behind it if
/// all is well.
template <typename Starts, typename Sink, typename Readers>
__device__ __forceinline__ uint32_t group_decode_deflate_block(const BitStream& stream, const Block& block,
                                                               BodyState& body, Starts& starts, Sink& sink,
                                                               bool& bfinal, BlockTables& tables, HeaderScratch& header,
                                                               Readers& readers) {
    BitReader reader(stream, body.position);
    bfinal = reader.take(stream, BFINAL_BITS) != 0;
    const uint32_t btype = reader.take(stream, BTYPE_BITS);
    if (reader.position() > stream.end) return STATUS_TRUNCATED;
    if (btype == BTYPE_STORED) {
        body.position = reader.position();
        return group_decode_stored(stream, block, body, sink, readers);
    }
    if (btype != BTYPE_FIXED && btype != BTYPE_DYNAMIC) return STATUS_BAD_HEADER;
    const bool fixed = btype == BTYPE_FIXED;
    if (!(fixed && body.fixed_tables) && !readers.make_tables(stream, reader, fixed, tables, header))
        return STATUS_BAD_HEADER;
    body.fixed_tables = fixed;
    readers.sync();
    const uint32_t begin = reader.position();
    body.position = begin;
    const uint32_t status = group_decode_tokens(stream, block, body, starts, sink, tables, readers);
    body.block_bits = body.position - begin;
    readers.sync();
    return status;
}

/// Reads one body and gives what it finds to the sink. Where there is a defect, the status names the byte where its
/// block, or the round within it, begins.
template <typename Starts, typename Sink, typename Readers>
__device__ __forceinline__ BlockResult group_read_body(const Block& block, Starts starts, Sink& sink,
                                                       BlockTables& tables, HeaderScratch& header, Readers& readers) {
    if (block.input_bytes == 0) return BlockResult{STATUS_TRUNCATED, 0};
    const BitStream stream(block.input, block.input_bytes);
    BodyState body;
    body.position = stream.begin;
    body.output_position = 0;
    body.part_limit = Sink::MAX_PART_BITS;
    uint32_t status = STATUS_SOUND;
    bool bfinal = false;
#pragma unroll 1
    while (!bfinal && status == STATUS_SOUND) {
        status = group_decode_deflate_block(stream, block, body, starts, sink, bfinal, tables, header, readers);
    }
    const uint32_t end = (body.position - stream.begin) / 8;
    if (status == STATUS_SOUND && stream.end - body.position >= 8) status = STATUS_BAD_LENGTH;
    return status == STATUS_SOUND ? BlockResult{STATUS_SOUND, body.output_position}
                                  : BlockResult{status | end << STATUS_OFFSET_SHIFT, 0};
}

/// Decodes one body. `tokens` has space for LANE_TOKENS tokens for each lane of the warp.
template <typename Starts>
__device__ __forceinline__ BlockResult warp_decode_body(const Block& block, uint8_t* output, uint32_t* tokens,
                                                        Starts starts, DecodeScratch& scratch, int lane) {
    ProduceAtOnce sink{{}, output, tokens, scratch.produce};
    WarpReaders readers{lane};
    return group_read_body(block, starts, sink, scratch.tables, scratch.header, readers);
}

}  // namespace warpcodec::deflate_decode
