// Decodes streams of one prefix code each, without an index, many warps to a stream.
//
// Prefix codes synchronise by themselves: a reader that begins anywhere soon reads the true words. The four phases are
// those of Weissenberger and Schmidt (Massively Parallel Huffman Decoding on GPUs, ICPP 2018):
//
//   1. synchronise   A stream is cut into parts of equal length, a lane each; 32 parts are a piece, a warp each. A lane
//                    begins to read before its part, where the paper's begins in it and goes on behind it. It counts
//                    the words that begin in the part, and notes the start of the first and the end of the last. A
//                    lane that began elsewhere than the lane before it ended starts again from that end.
//   2. stitch        A warp per stream compares each piece's start with the end of the piece before it. Pieces that
//                    began elsewhere are read anew.
//   3. scan          The same warp adds up the pieces' words.
//   4. write         A warp per piece reads again, now from where words begin to where they go.
//
// Words are read several at a time: an entry of the look-up holds all symbols that LOOKUP_BITS bits surely say, at
// most three. The paper's holds one. Longer words are found by comparison (huffman_table.cuh). Near the end of a part
// words are read one by one, since words that begin behind it are the next lane's.
//
// An incomplete code has bits that are no word. Each is skipped and counts as a word, so that all phases agree. A
// stream has a defect if such a bit is in the result, or if it has fewer words than wanted. Bits behind the last
// wanted word are not read.
//
// Bounded: phase 1 repeats 31 times at most, phase 2 reads each piece once more at most. Every count is at most the
// number of bits.
#pragma once

#include <cstdint>

#include "common/alignment.cuh"
#include "common/batch.cuh"
#include "common/status.cuh"
#include "common/warp.cuh"
#include "huffman/huffman_bits.cuh"
#include "huffman_format.cuh"
#include "huffman_policy.cuh"
#include "huffman/huffman_table.cuh"

namespace warpcodec::huffman {

constexpr uint32_t PIECE_BITS = WARP_LANES * DecodePolicy::PART_BITS;

/// A stream of a batch.
struct StreamEntry {
    uint64_t input_offset;
    uint64_t output_offset;
    uint64_t lengths_offset;  ///< in the input: lengths of 256 words, a byte each, at most 15; zero for none
    uint32_t input_bytes;
    uint32_t symbol_count;  ///< bytes that it decodes to
    uint32_t first_piece;  ///< of the batch; it has ceil(input bits / PIECE_BITS) of them, one at least
    uint32_t reserved;
};

/// A lane's findings about its part.
struct PartNote {
    uint32_t start;  ///< position of its first word
    uint32_t count;  ///< of words that begin in it
};

/// Findings about a piece.
struct PieceNote {
    uint32_t start;
    uint32_t end;
    uint32_t count;
    uint32_t first_symbol;  ///< number of its first word in the stream
};

/// Device memory of a batch.
struct StreamBatch {
    const uint8_t* input;
    uint64_t input_bytes;
    uint8_t* output;
    uint64_t output_bytes;
    const StreamEntry* entries;
    BlockResult* results;
    PartNote* parts;
    PieceNote* pieces;
    uint32_t stream_count;
    uint32_t piece_count;
};

using SymbolTables = CodeTables<SYMBOLS, DecodePolicy::LOOKUP_BITS>;

/// Shared memory of a warp.
struct StreamScratch {
    SymbolTables tables;
    // Bits in 0 to 3, words in 4 to 5, symbols from 8 on; zero where the first word is longer or none.
    uint32_t several[1 << DecodePolicy::LOOKUP_BITS];
    uint8_t lengths[SYMBOLS];
};

__device__ __forceinline__ bool stream_is_sound(const StreamEntry& entry, const StreamBatch& batch) {
    const uint64_t bits = 8ull * entry.input_bytes;
    return entry.input_bytes != 0 && entry.input_bytes <= MAX_STREAM_BYTES && entry.input_offset <= batch.input_bytes &&
           entry.input_bytes <= batch.input_bytes - entry.input_offset && entry.output_offset <= batch.output_bytes &&
           entry.symbol_count <= batch.output_bytes - entry.output_offset &&
           entry.lengths_offset <= batch.input_bytes && SYMBOLS <= batch.input_bytes - entry.lengths_offset &&
           entry.first_piece < batch.piece_count &&
           (bits + PIECE_BITS - 1) / PIECE_BITS <= batch.piece_count - entry.first_piece;
}

__device__ __forceinline__ uint32_t piece_count_of(const BitStream& stream) {
    return (stream.end - stream.begin + PIECE_BITS - 1) / PIECE_BITS;
}

/// Makes a stream's tables. False if the lengths are no code: over-subscribed, longer than 15, or none at all.
__device__ __forceinline__ bool warp_build_stream_tables(const uint8_t* lengths, StreamScratch& scratch, int lane) {
    if (!warp_load_lengths<SYMBOLS>(lengths, scratch.lengths, lane)) return false;
    const CodeShape shape =
        warp_build_tables(scratch.tables, scratch.lengths, SYMBOLS, lane, [](uint32_t symbol) { return symbol; });
    if (shape.over_subscribed() || shape.longest == 0) return false;
#pragma unroll 1
    for (uint32_t at = lane; at <= SymbolTables::LOOKUP_MASK; at += WARP_LANES) {
        uint32_t entry = 0;
        uint32_t bits = 0;
        uint32_t words = 0;
        for (; words < 3; ++words) {
            const uint32_t next = scratch.tables.lookup[at >> bits];
            if (next == 0 || bits + (next & LENGTH_MASK) > DecodePolicy::LOOKUP_BITS) break;
            bits += next & LENGTH_MASK;
            entry |= (next >> PAYLOAD_SHIFT) << (8 + 8 * words);
        }
        scratch.several[at] = entry | words << 4 | bits;
    }
    __syncwarp();
    return true;
}

/// Takes no notice of symbols.
struct NoSymbols {
    __device__ __forceinline__ void add(uint32_t, uint32_t) {}
};

/// Puts symbols to their places, aligned 16 bytes at a time: every store of a warp goes to 32 lines, so few of them
/// count.
struct SymbolWriter {
    static constexpr uint32_t ROW_BYTES = 16;

    uint8_t* row;  ///< the aligned 16 bytes that are being filled
    uint4 latest{};  ///< whole words of it, the last one in w
    uint64_t open = 0;  ///< the word behind them, and what goes beyond it
    uint32_t open_bytes;
    uint32_t words;  ///< whole ones of the row
    uint32_t skipped;  ///< bytes in front of the first row's that are ours

    __device__ __forceinline__ explicit SymbolWriter(uint8_t* output) {
        skipped = bytes_past_alignment<ROW_BYTES>(output);
        row = output - skipped;
        open_bytes = skipped % 4;
        words = skipped / 4;
    }

    /// Adds `count` symbols, at most 3, the first in the lowest byte.
    __device__ __forceinline__ void add(uint32_t symbols, uint32_t count) {
        open |= static_cast<uint64_t>(symbols) << (8 * open_bytes);
        open_bytes += count;
        if (open_bytes < 4) return;
        close_word();
        open_bytes -= 4;
        if (words < 4) return;
        if (skipped == 0) {
            *reinterpret_cast<uint4*>(row) = latest;
        } else {
            store_bytes(ROW_BYTES);
        }
        skipped = 0;
        words = 0;
        row += ROW_BYTES;
    }

    __device__ __forceinline__ void finish() {
        const uint32_t limit = 4 * words + open_bytes;
        while (words < 4) close_word();
        store_bytes(limit);
    }

private:
    __device__ __forceinline__ void close_word() {
        latest = make_uint4(latest.y, latest.z, latest.w, static_cast<uint32_t>(open));
        open >>= 32;
        ++words;
    }

    /// Stores bytes [skipped, limit) of a row whose words are whole.
    __device__ __forceinline__ void store_bytes(uint32_t limit) {
#pragma unroll
        for (uint32_t i = 0; i < ROW_BYTES; ++i) {
            const uint32_t word = i < 4 ? latest.x : i < 8 ? latest.y : i < 12 ? latest.z : latest.w;
            if (i >= skipped && i < limit) row[i] = static_cast<uint8_t>(word >> (8 * (i % 4)));
        }
    }
};

/// Reads the words that begin before `limit`, at most `most`; answers how many. `bad` is set where bits are no word.
template <typename Symbols>
__device__ __forceinline__ uint32_t thread_read_words(const BitStream& stream, BitReader& reader,
                                                      const StreamScratch& scratch, uint32_t limit, uint32_t most,
                                                      Symbols& symbols, bool& bad) {
    constexpr uint32_t STEPS = 3;
    static_assert(STEPS * DecodePolicy::LOOKUP_BITS <= WORD_BITS, "steps share one look at the stream");
    uint32_t count = 0;
#pragma unroll 1
    while (count < most) {
        const uint32_t position = reader.position();
        if (position >= limit) break;
        const uint32_t window = reader.peek();
        if (position + STEPS * DecodePolicy::LOOKUP_BITS <= limit && count + 3 * STEPS <= most) {
            uint32_t used = 0;
#pragma unroll
            for (uint32_t step = 0; step < STEPS; ++step) {
                const uint32_t entry = scratch.several[window >> used & SymbolTables::LOOKUP_MASK];
                used += entry & 15;
                const uint32_t words = entry >> 4 & 3;
                count += words;
                symbols.add(entry >> 8, words);
            }
            if (used != 0) {
                reader.skip(stream, used);
                continue;
            }
        }
        uint32_t entry = scratch.tables.lookup[window & SymbolTables::LOOKUP_MASK];
        if (entry == 0) entry = thread_find_long_code(scratch.tables, window);
        if (entry == 0) {
            bad = true;
            entry = 1;
        }
        reader.skip(stream, entry & LENGTH_MASK);
        ++count;
        symbols.add(entry >> PAYLOAD_SHIFT, 1);
    }
    return count;
}

/// Counts the words of a piece and notes the findings; the first word begins at `start` if that is known.
__device__ __forceinline__ void warp_count_piece(const BitStream& stream, uint32_t piece, bool start_known,
                                                 uint32_t start, StreamScratch& scratch, PartNote* parts,
                                                 PieceNote* note, int lane) {
    const uint32_t begin = stream.begin + piece * PIECE_BITS;
    const uint32_t first = begin + lane * DecodePolicy::PART_BITS;
    const uint32_t limit = min(first + DecodePolicy::PART_BITS, stream.end);
    const bool idle = first >= stream.end;
    NoSymbols none;
    bool bad = false;
    PartNote part{first, 0};
    uint32_t end = first;
    if (start_known && lane == 0) part.start = start;
    if (!idle && !(start_known && lane == 0)) {
        BitReader reader(stream, max(stream.begin, first - min(first, DecodePolicy::WARM_UP_BITS)));
        thread_read_words(stream, reader, scratch, first, 0xFFFFFFFFu, none, bad);
        part.start = reader.position();
    }
    bool reads = !idle;
#pragma unroll 1
    while (true) {
        if (reads) {
            BitReader reader(stream, part.start);
            part.count = thread_read_words(stream, reader, scratch, limit, 0xFFFFFFFFu, none, bad);
            end = reader.position();
        }
        __syncwarp();
        const uint32_t end_before = __shfl_up_sync(ALL_LANES, end, 1);
        reads = lane > 0 && !idle && end_before != part.start;
        if (!__any_sync(ALL_LANES, reads)) break;
        if (reads) part.start = end_before;
    }
    parts[lane] = part;
    const uint32_t busy = __ballot_sync(ALL_LANES, !idle);
    const uint32_t count = __shfl_sync(ALL_LANES, warp_inclusive_sum(part.count, lane), WARP_LANES - 1);
    const uint32_t piece_end = __shfl_sync(ALL_LANES, end, 31 - __clz(static_cast<int>(busy | 1)));
    if (lane == 0) *note = PieceNote{part.start, piece_end, count, 0};
    __syncwarp();
}

/// Phase 1 of one piece.
__device__ __forceinline__ void warp_synchronise_piece(const StreamBatch& batch, uint32_t piece, StreamScratch& scratch,
                                                       int lane) {
    const StreamEntry entry = batch.entries[find_stream(batch.entries, batch.stream_count, piece)];
    if (!stream_is_sound(entry, batch) || piece < entry.first_piece) return;
    const BitStream stream(batch.input + entry.input_offset, entry.input_bytes);
    const uint32_t own = piece - entry.first_piece;
    if (own >= piece_count_of(stream)) return;
    if (!warp_build_stream_tables(batch.input + entry.lengths_offset, scratch, lane)) return;
    warp_count_piece(stream, own, own == 0, stream.begin, scratch, batch.parts + uint64_t{piece} * WARP_LANES,
                     batch.pieces + piece, lane);
}

/// Phases 2 and 3 of one stream; and its result, unless phase 4 finds fault.
__device__ __forceinline__ void warp_stitch_stream(const StreamBatch& batch, uint32_t index, StreamScratch& scratch,
                                                   int lane) {
    const StreamEntry entry = batch.entries[index];
    uint32_t status = STATUS_SOUND;
    if (!stream_is_sound(entry, batch)) {
        status = entry.symbol_count == 0 && entry.input_bytes == 0 ? STATUS_SOUND : STATUS_BAD_ENTRY;
    } else if (!warp_build_stream_tables(batch.input + entry.lengths_offset, scratch, lane)) {
        status = STATUS_BAD_HEADER;
    } else {
        const BitStream stream(batch.input + entry.input_offset, entry.input_bytes);
        const uint32_t pieces = piece_count_of(stream);
        PieceNote* notes = batch.pieces + entry.first_piece;
        uint32_t end = stream.begin;
        uint32_t words = 0;
#pragma unroll 1
        for (uint32_t done = 0; done < pieces;) {
            const uint32_t own = done + lane;
            PieceNote note{};
            if (own < pieces) note = notes[own];
            uint32_t end_before = __shfl_up_sync(ALL_LANES, note.end, 1);
            if (lane == 0) end_before = end;
            const uint32_t wrong = __ballot_sync(ALL_LANES, own < pieces && note.start != end_before);
            const uint32_t right =
                min(wrong == 0 ? WARP_LANES : static_cast<uint32_t>(__ffs(static_cast<int>(wrong)) - 1), pieces - done);
            const uint32_t behind = warp_inclusive_sum(lane < right ? note.count : 0, lane);
            if (lane < right) notes[own].first_symbol = words + behind - note.count;
            words += __shfl_sync(ALL_LANES, behind, WARP_LANES - 1);
            if (right != 0) end = __shfl_sync(ALL_LANES, note.end, right - 1);
            done += right;
            __syncwarp();
            if (done < pieces && wrong != 0 && right < WARP_LANES) {
                warp_count_piece(stream, done, true, end, scratch,
                                 batch.parts + uint64_t{entry.first_piece + done} * WARP_LANES, notes + done, lane);
            }
        }
        if (words < entry.symbol_count) status = STATUS_TRUNCATED;
    }
    if (lane == 0) batch.results[index] = BlockResult{status, status == STATUS_SOUND ? entry.symbol_count : 0};
}

/// Phase 4 of one piece. A stream that has a defect already is left alone.
__device__ __forceinline__ void warp_write_piece(const StreamBatch& batch, uint32_t piece, StreamScratch& scratch,
                                                 int lane) {
    const uint32_t index = find_stream(batch.entries, batch.stream_count, piece);
    const StreamEntry entry = batch.entries[index];
    if (!stream_is_sound(entry, batch) || piece < entry.first_piece) return;
    const BitStream stream(batch.input + entry.input_offset, entry.input_bytes);
    if (piece - entry.first_piece >= piece_count_of(stream)) return;
    const uint32_t status = *const_cast<volatile uint32_t*>(&batch.results[index].status);
    if (__any_sync(ALL_LANES, status != STATUS_SOUND)) return;
    if (!warp_build_stream_tables(batch.input + entry.lengths_offset, scratch, lane)) return;
    const PartNote part = batch.parts[uint64_t{piece} * WARP_LANES + lane];
    const uint32_t at = batch.pieces[piece].first_symbol + warp_inclusive_sum(part.count, lane) - part.count;
    bool bad = false;
    if (at < entry.symbol_count && part.count != 0) {
        SymbolWriter writer(batch.output + entry.output_offset + at);
        BitReader reader(stream, part.start);
        thread_read_words(stream, reader, scratch, 0xFFFFFFFFu, min(part.count, entry.symbol_count - at), writer, bad);
        writer.finish();
        if (reader.position() > stream.end) bad = true;
    }
    if (bad) batch.results[index].status = STATUS_BAD_HEADER;
}

}  // namespace warpcodec::huffman
