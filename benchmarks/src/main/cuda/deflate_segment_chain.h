// Follows the blocks of a segment of one DEFLATE stream on the host, between the kernels of deflate_stream.cu; for
// the benchmark. The product has io.warpcodec.engine.gpu.deflate.SegmentChain instead.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "deflate_stream/deflate_stream_segment.cuh"

namespace warpcodec::deflate_stream {

/// Where a segment begins, or has ended.
struct SegmentState {
    uint32_t bit = 0;  ///< of the next block's header, or with `open` of the next token
    bool open = false;
    uint32_t header_bit = 0;  ///< of the open block
};

struct SegmentChain {
    const uint8_t* input;
    uint32_t input_bytes;
    uint32_t place_limit;
    SegmentState state;
    bool ended = false;  ///< behind the final block
    bool defect = false;  ///< behind state.bit
    uint32_t place;
    std::vector<uint32_t> candidates;
    std::vector<SegmentBlock> blocks;
    std::vector<SegmentRun> runs;
    uint32_t piece_count = 0;
    int more_passes = 8;

    uint32_t end_bit() const { return 8 * input_bytes - SEGMENT_MARGIN_BITS; }

    uint32_t bits(uint32_t at, int count) const {
        uint32_t value = 0;
        for (int i = 0; i < count; ++i) value |= static_cast<uint32_t>(input[(at + i) / 8] >> (at + i) % 8 & 1) << i;
        return value;
    }

    void add(uint32_t header_bit, uint32_t token_bit, uint32_t behind) {
        const auto next = std::upper_bound(candidates.begin(), candidates.end(), behind);
        const uint32_t limit = next == candidates.end() ? end_bit() : std::min(*next, end_bit());
        const uint32_t from = token_bit != 0 ? token_bit : header_bit + BLOCK_HEADER_BITS;
        const uint32_t pieces = limit > from ? (limit - from + SEGMENT_PIECE_BITS - 1) / SEGMENT_PIECE_BITS : 0;
        blocks.push_back(SegmentBlock{header_bit, token_bit, limit, piece_count, pieces, 0});
        piece_count += pieces;
    }

    /// Takes the positions at which dynamic blocks may begin.
    void list(std::vector<uint32_t> positions) {
        candidates = std::move(positions);
        if (state.open) add(state.header_bit, state.bit, state.bit);
        for (uint32_t position : candidates) {
            if (position >= state.bit && !(state.open && position == state.bit)) add(position, 0, position);
        }
    }

    bool put(uint32_t bytes, uint32_t from, uint32_t block) {
        if (bytes > place_limit - place) return false;
        if (block == STORED_RUN) put_stored(place, bytes, from);
        else if (bytes != 0) runs.push_back(SegmentRun{place, bytes, from, block});
        place += bytes;
        return true;
    }

    /// Adds stored bytes in runs as short as those of pieces, since a warp copies each run.
    void put_stored(uint32_t to, uint32_t bytes, uint32_t from) {
        constexpr uint32_t RUN_BYTES = 1024;
        for (uint32_t at = 0; at < bytes; at += RUN_BYTES)
            runs.push_back(SegmentRun{to + at, std::min(RUN_BYTES, bytes - at), from + at, STORED_RUN});
    }

    /// Takes the pieces of a block from the state on. False if it goes on behind this segment.
    bool take(uint32_t index, const SegmentBlockNote& note, const std::vector<SegmentPieceNote>& pieces) {
        const SegmentBlock& block = blocks[index];
        if (note.ending == SEGMENT_BAD && note.piece_count == 0) {
            defect = block.header_bit + MAX_HEADER_BITS <= end_bit();  // else it may go on behind this segment
            return false;
        }
        if (!state.open) state = SegmentState{note.token_bit, true, block.header_bit};
        for (uint32_t i = 0; i < note.piece_count; ++i) {
            const SegmentPieceNote& piece = pieces[block.first_piece + i];
            if ((piece.ending & 255) == SEGMENT_BAD) {
                defect = true;
                return false;
            }
            if (!put(piece.bytes, block.first_piece + i, index)) return false;
            state.bit = piece.end_bit;
        }
        if (note.ending != SEGMENT_ENDED) return false;
        state = SegmentState{note.end_bit, false, 0};
        return true;
    }

    /// Follows the notes from the state on, until they lead no further. True if there are more blocks now, which are to
    /// be read first.
    bool follow(const std::vector<SegmentBlockNote>& notes, const std::vector<SegmentPieceNote>& pieces) {
        while (!ended && !defect) {
            const uint32_t header = state.open ? state.header_bit : state.bit;
            if (!state.open && state.bit + BLOCK_HEADER_BITS > end_bit()) return false;
            const bool last = bits(header, 1) != 0;
            const uint32_t type = bits(header + 1, 2);
            if (!state.open && type == BTYPE_STORED) {
                uint32_t at = (header + BLOCK_HEADER_BITS + 7) / 8;
                if (at + 4 > input_bytes) return false;
                const uint32_t length = bits(8 * at, 16);
                if ((length ^ bits(8 * at + 16, 16)) != 0xFFFF) {
                    defect = true;
                    return false;
                }
                at += 4;
                if (length > input_bytes - at || !put(length, at, STORED_RUN)) return false;
                state.bit = 8 * (at + length);
            } else if (type == 3) {
                defect = true;
                return false;
            } else {
                uint32_t index = 0;
                while (index < blocks.size() && blocks[index].header_bit != header) ++index;
                if (index == blocks.size()) {
                    if (more_passes-- == 0) return false;
                    add(header, 0, header);
                    return true;
                }
                if (!take(index, notes[index], pieces)) return false;
            }
            ended = last && !state.open;
        }
        return false;
    }
};

}  // namespace warpcodec::deflate_stream
