// Literals of a block that are not raw (RFC 8878, section 3.1.1.3.1). A warp makes the look-up of their code, and a
// lane reads each of their streams, one or four.
//
// A lane looks up two symbols in each 32 bits that it takes from a stream: some 45 clocks a symbol. A block of text has
// 7,000 symbols in a stream. It has 18,000 sequences, which take ten times as long, so no frame waits for literals.
#pragma once

#include <cstdint>

#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "zstd_bits.cuh"
#include "zstd_scratch.cuh"
#include "zstd_tree.cuh"

namespace warpcodec::zstd {

/// Reads `count` symbols to `target`. True if they are all that the stream has.
__device__ __forceinline__ bool thread_read_stream(const BackwardStream& stream, const uint16_t* lookup, uint32_t log,
                                                   uint8_t* target, uint32_t count) {
    if (!stream.has_end()) return false;
    BackwardReader reader(stream);
    const uint32_t shift = 32 - log;
    const auto one = [&] {
        const uint32_t entry = lookup[reader.peek() >> shift];
        reader.skip(stream, entry >> ENTRY_BITS_AT);
        return entry & 0xFF;
    };
    const auto two = [&] {
        const uint32_t bits = reader.peek();
        const uint32_t first = lookup[bits >> shift];
        const uint32_t first_bits = first >> ENTRY_BITS_AT;
        const uint32_t second = lookup[bits << first_bits >> shift];
        reader.skip(stream, first_bits + (second >> ENTRY_BITS_AT));
        return (first & 0xFF) | (second & 0xFF) << 8;
    };
    uint32_t at = 0;
    const uint32_t head = min(-bytes_past_alignment<4>(target) & 3, count);
    for (; at < head; ++at) target[at] = static_cast<uint8_t>(one());
    for (; at + 4 <= count; at += 4) {
        const uint32_t low = two();
        *reinterpret_cast<uint32_t*>(target + at) = low | two() << 16;
    }
    for (; at < count; ++at) target[at] = static_cast<uint8_t>(one());
    return reader.place == stream.begin;
}

constexpr uint32_t STREAMS = 4;
constexpr uint32_t JUMP_TABLE_BYTES = 6;
/// libzstd refuses four streams of fewer.
constexpr uint32_t LEAST_FOUR_STREAM_LITERALS = 6;

/// Reads the streams in the bytes [at, limit). True if they are right.
__device__ __forceinline__ bool warp_read_streams(const uint8_t* bytes, uint32_t at, uint32_t limit, bool four,
                                                  const uint16_t* lookup, uint32_t log, uint8_t* target, uint32_t count,
                                                  int lane) {
    uint32_t part = count;
    if (four) {
        if (at + JUMP_TABLE_BYTES > limit || count < LEAST_FOUR_STREAM_LITERALS) return false;
        part = (count + STREAMS - 1) / STREAMS;
    }
    bool right = true;
    if (lane < static_cast<int>(four ? STREAMS : 1)) {
        uint32_t begin = at, end = limit;
        if (four) {
            begin = at + JUMP_TABLE_BYTES;
            for (int stream = 0; stream < static_cast<int>(STREAMS) - 1 && stream <= lane; ++stream) {
                const uint32_t jump = at + 2 * stream;
                end = begin + (__ldg(bytes + jump) | static_cast<uint32_t>(__ldg(bytes + jump + 1)) << 8);
                if (stream < lane) begin = end;
            }
            if (lane == static_cast<int>(STREAMS) - 1) end = limit;
        }
        const uint32_t first = min(count, lane * part);
        const uint32_t last = four && lane < static_cast<int>(STREAMS) - 1 ? min(count, first + part) : count;
        right = begin <= end && end <= limit &&
                thread_read_stream(BackwardStream(bytes, begin, end), lookup, log, target + first, last - first);
    }
    return __all_sync(ALL_LANES, right);
}

/// Reads the literals of a sound block, unless they are raw, and tells what came of it in its state.
__device__ __forceinline__ void warp_read_literals(const FrameView& frame, uint32_t index, TreeScratch& scratch,
                                                   int lane) {
    const BlockRecord& block = frame.blocks[index];
    if (block.literal_kind == LITERALS_RAW) return;
    const uint8_t* bytes = frame.bytes + block.at;
    uint8_t* target = frame.scratch.literals + block.first_literal;
    const uint32_t count = block.literal_count;
    uint32_t status = STATUS_BAD_HEADER;
    if (block.literal_count == 0) {
        status = STATUS_SOUND;  // nothing to read: it may describe the tree of others
    } else if (block.literal_kind == LITERALS_ONE_BYTE) {
        const uint8_t byte = __ldg(bytes + block.literals_at);
        for (uint32_t at = lane; at < count; at += WARP_LANES) target[at] = byte;
        status = STATUS_SOUND;
    } else {
        const BlockRecord& first = frame.blocks[block.tree_block];
        const bool own = block.tree_block == index;
        if (own || (block_is_sound(first, block.tree_block, frame) && first.literal_kind >= LITERALS_ONE_STREAM)) {
            const Tree tree =
                warp_read_tree(frame.bytes + first.at, first.literals_at, first.literals_end, scratch, lane);
            if (tree.log != 0) {
                const uint32_t at = block.literals_at + (own ? tree.bytes : 0);
                const bool four = block.literal_kind == LITERALS_FOUR_STREAMS;
                const bool right = warp_read_streams(bytes, at, block.literals_end, four, scratch.lookup, tree.log,
                                                     target, count, lane);
                status = right ? STATUS_SOUND : STATUS_BAD_SYMBOL;
            }
        }
    }
    if (lane == 0) frame.scratch.blocks[index].literal_status = status;
    __syncwarp();
}

}  // namespace warpcodec::zstd
