// Encodes streams of one prefix code each (huffman_format.cuh), many warps to a stream, as huffman_decode.cuh reads
// them.
//
// In three phases, a kernel each:
//
//   1. measure   The bytes of a stream are cut into pieces, a warp each. A warp adds up how many bits its bytes take.
//   2. place     A warp per stream judges the lengths and makes the words from them. It adds up the pieces' bits, so
//                that each piece knows where it begins. If a byte has no word, or if the words do not fit, nothing is
//                written.
//   3. encode    A warp per piece takes 512 bytes a turn, 16 a lane, and looks up their words. A scan over the lanes
//                says where each lane's bits go. Bits are put together in shared memory (huffman_stage.cuh). Whole
//                words go out, 32 in one store; the bits behind them begin the next turn.
//
// Where pieces meet, a byte of the output belongs to the piece that has its first bit. To write that byte whole, a
// piece looks up the bytes behind its last byte, too. Seven are enough: at most seven bits are missing, and no word is
// empty. A piece's whole aligned words are stored as words, the rest of its bytes one by one. So no two warps write
// the same byte, and no warp reads another's output. Nothing is zeroed before, there is no atomic in device memory,
// and warps come in any order. All pieces but the last have at least a bit for each of PIECE_BYTES bytes, so never
// more than two of them share a byte.
//
// Bounded by the input's length. Positions in bits have 32 bits (huffman_format.cuh). Writes lie between a stream's
// output offset and its limit, whatever the tables and the scratch say.
#pragma once

#include <cstdint>

#include "common/alignment.cuh"
#include "common/group.cuh"
#include "common/rows.cuh"
#include "common/status.cuh"
#include "common/warp.cuh"
#include "huffman/huffman_code.cuh"
#include "huffman_format.cuh"
#include "huffman_policy.cuh"
#include "huffman/huffman_stage.cuh"

namespace warpcodec::huffman {

/// A stream to encode.
struct EncodeEntry {
    uint64_t input_offset;
    uint64_t output_offset;
    uint64_t lengths_offset;  ///< in the batch's: lengths of 256 words, a byte each, at most 15; zero for none
    uint32_t input_bytes;
    uint32_t output_limit;  ///< bytes that may be written at most
    uint32_t first_piece;  ///< of the batch; it has ceil(input bytes / PIECE_BYTES) of them, one at least
    uint32_t reserved;
};

/// Result of a stream. Unless the status is STATUS_SOUND nothing was written.
struct EncodeResult {
    uint32_t status;
    uint32_t bits;  ///< of the stream, if the status is STATUS_SOUND; it takes ceil(bits / 8) bytes
};

/// Findings about a piece.
struct EncodeNote {
    static constexpr uint32_t NO_WORD = ~0u;
    uint32_t bits;  ///< of all its words; NO_WORD if a byte has none
    uint32_t start;  ///< where they begin, from the stream's first bit
};

/// Device memory of a batch.
struct EncodeBatch {
    const uint8_t* input;
    uint64_t input_bytes;
    const uint8_t* lengths;
    uint64_t lengths_bytes;
    uint8_t* output;
    uint64_t output_bytes;
    const EncodeEntry* entries;
    EncodeResult* results;
    uint32_t stream_count;
    Code* codes;  ///< SYMBOLS for each stream
    EncodeNote* notes;
    uint32_t piece_count;
};

constexpr uint32_t TURN_BYTES = WARP_LANES * ROW_BYTES;
/// Bytes behind a piece whose words may begin in its last byte.
constexpr uint32_t BYTES_BEHIND = 7;

/// Shared memory of a warp that measures.
struct MeasureScratch {
    /// Of a word's length, in bits 0 to 15, and of a byte without a word: so that one addition counts both.
    static constexpr uint32_t MISSING = 1u << 16;
    uint32_t prices[SYMBOLS];
};
static_assert((EncodePolicy::PIECE_BYTES / TURN_BYTES + 1) * ROW_BYTES * MAX_CODE_BITS < MeasureScratch::MISSING,
              "a lane's bits are counted below MISSING");
static_assert(EncodePolicy::PIECE_BYTES / TURN_BYTES + 1 < (~0u / MeasureScratch::MISSING) / ROW_BYTES,
              "and what is missing above");

/// Shared memory of a warp that places.
struct PlaceScratch {
    uint8_t lengths[SYMBOLS];
    uint16_t counters[MAX_CODE_BITS + 1];
};

/// Shared memory of a warp that encodes: less than a word of a turn is left to the next one.
struct EncodeScratch {
    static constexpr uint32_t STAGE_WORDS = 1 + TURN_BYTES * MAX_CODE_BITS / 32;
    static_assert(BYTES_BEHIND <= TURN_BYTES);
    Code codes[SYMBOLS];
    uint32_t stage[STAGE_WORDS];
};

__device__ __forceinline__ uint32_t piece_count_of(const EncodeEntry& entry) {
    return max((entry.input_bytes + EncodePolicy::PIECE_BYTES - 1) / EncodePolicy::PIECE_BYTES, 1u);
}

__device__ __forceinline__ bool stream_is_sound(const EncodeEntry& entry, const EncodeBatch& batch) {
    return entry.input_bytes <= MAX_RAW_BYTES && entry.output_limit <= MAX_STREAM_BYTES &&
           entry.input_offset <= batch.input_bytes && entry.input_bytes <= batch.input_bytes - entry.input_offset &&
           entry.output_offset <= batch.output_bytes &&
           entry.output_limit <= batch.output_bytes - entry.output_offset &&
           entry.lengths_offset <= batch.lengths_bytes && SYMBOLS <= batch.lengths_bytes - entry.lengths_offset &&
           entry.first_piece < batch.piece_count && piece_count_of(entry) <= batch.piece_count - entry.first_piece;
}

/// A piece of a stream, if there is one of that number.
struct RawPiece {
    uint32_t stream;
    EncodeEntry entry;
    bool exists;
    uint32_t begin;  ///< its first byte, from the stream's
    uint32_t limit;  ///< behind its last one

    __device__ __forceinline__ RawPiece(const EncodeBatch& batch, uint32_t piece) {
        stream = find_stream(batch.entries, batch.stream_count, piece);
        entry = batch.entries[stream];
        const uint32_t own = piece - entry.first_piece;
        exists = stream_is_sound(entry, batch) && piece >= entry.first_piece && own < piece_count_of(entry);
        begin = exists ? own * EncodePolicy::PIECE_BYTES : 0;
        limit = exists ? begin + min(entry.input_bytes - begin, EncodePolicy::PIECE_BYTES) : 0;
    }
};

/// Phase 1 of one piece. Where the lengths are no code, the note means nothing and is not used.
__device__ __forceinline__ void warp_measure_piece(const EncodeBatch& batch, uint32_t index, MeasureScratch& scratch,
                                                   int lane) {
    const RawPiece piece(batch, index);
    if (!piece.exists) return;
    for (int symbol = lane; symbol < SYMBOLS; symbol += WARP_LANES) {
        const uint32_t length = __ldg(batch.lengths + piece.entry.lengths_offset + symbol);
        scratch.prices[symbol] = length == 0 ? MeasureScratch::MISSING : length;
    }
    __syncwarp();
    const UnalignedRows rows(batch.input + piece.entry.input_offset + piece.begin, piece.limit - piece.begin);
    uint32_t price = 0;
    const auto add = [&](uint32_t symbol) { price += scratch.prices[symbol]; };
    for (uint32_t turn = 0; turn < rows.limit; turn += TURN_BYTES) {
        const Row row = rows.load(turn + lane * ROW_BYTES);
        if (__all_sync(ALL_LANES, row.owns_all())) {
            row.for_each<true>(add);
        } else {
            row.for_each<false>(add);
        }
    }
    const bool missing = __any_sync(ALL_LANES, price >= MeasureScratch::MISSING);
    const uint32_t bits = warp_inclusive_sum(price, lane);
    if (lane == WARP_LANES - 1) batch.notes[index] = EncodeNote{missing ? EncodeNote::NO_WORD : bits, 0};
}

/// Says where each piece of a stream begins. Answers the stream's bits; NO_WORD if a byte has none.
__device__ __forceinline__ uint32_t warp_place_pieces(EncodeNote* notes, uint32_t piece_count, int lane) {
    uint32_t bits = 0;
    bool missing = false;
#pragma unroll 1
    for (uint32_t done = 0; done < piece_count; done += WARP_LANES) {
        const uint32_t own = done + lane;
        const uint32_t own_bits = own < piece_count ? notes[own].bits : 0;
        missing |= own_bits == EncodeNote::NO_WORD;
        const uint32_t behind = warp_inclusive_sum(own_bits, lane);
        if (own < piece_count) notes[own].start = bits + behind - own_bits;
        bits += __shfl_sync(ALL_LANES, behind, WARP_LANES - 1);
    }
    return __any_sync(ALL_LANES, missing) ? EncodeNote::NO_WORD : bits;
}

/// Phase 2 of one stream. No bytes are no words, whatever the lengths.
__device__ __forceinline__ void warp_place_stream(const EncodeBatch& batch, uint32_t index, PlaceScratch& scratch,
                                                  int lane) {
    const EncodeEntry entry = batch.entries[index];
    EncodeResult result{STATUS_SOUND, 0};
    if (!stream_is_sound(entry, batch)) {
        result.status = STATUS_BAD_ENTRY;
    } else if (entry.input_bytes != 0) {
        bool is_code = warp_load_lengths<SYMBOLS>(batch.lengths + entry.lengths_offset, scratch.lengths, lane);
        if (is_code) {
            const CodeShape shape =
                warp_build_codes<SYMBOLS>(scratch.lengths, lane, scratch, batch.codes + uint64_t{index} * SYMBOLS);
            is_code = !shape.over_subscribed() && shape.longest != 0;
        }
        const uint32_t bits = warp_place_pieces(batch.notes + entry.first_piece, piece_count_of(entry), lane);
        if (!is_code) {
            result.status = STATUS_BAD_HEADER;
        } else if (bits == EncodeNote::NO_WORD) {
            result.status = STATUS_BAD_SYMBOL;
        } else if ((bits + 7) / 8 > entry.output_limit) {
            result.status = STATUS_OUTPUT_EXCEEDED;
        } else {
            result.bits = bits;
        }
    }
    if (lane == 0) batch.results[index] = result;
}

/// Words of four bytes, one behind the other: 60 bits at most.
struct QuadBits {
    uint64_t bits;
    uint32_t count;
};

/// Words of bytes 4 * QUAD to 4 * QUAD + 3 of a row, without bytes that are not ours.
template <int QUAD, bool ALL_OURS>
__device__ __forceinline__ QuadBits thread_look_up_quad(const Row& row, const Code* codes) {
    Code code[4];
#pragma unroll
    for (int k = 0; k < 4; ++k)
        code[k] = ALL_OURS || (row.own >> (4 * QUAD + k) & 1) != 0 ? codes[row.byte(4 * QUAD + k)] : Code{0};
    const uint32_t low_count = code[0].length() + code[1].length();
    const uint32_t low = code[0].bits() | code[1].bits() << code[0].length();
    const uint32_t high = code[2].bits() | code[3].bits() << code[2].length();
    return QuadBits{low | static_cast<uint64_t>(high) << low_count, low_count + code[2].length() + code[3].length()};
}

/// Where a piece's words go: bytes [first_byte, limit_byte), counted from the aligned word that has the stream's
/// first byte.
struct PieceOutput {
    uint32_t* words;
    uint32_t first_byte;
    uint32_t limit_byte;

    /// Stores the bytes of a word that are the piece's.
    __device__ __forceinline__ void store(uint32_t index, uint32_t word) const {
        const uint32_t byte = 4 * index;
        if (byte >= first_byte && byte + 4 <= limit_byte) {
            words[index] = word;
            return;
        }
#pragma unroll
        for (uint32_t k = 0; k < 4; ++k) {
            if (byte + k >= first_byte && byte + k < limit_byte)
                reinterpret_cast<uint8_t*>(words)[byte + k] = static_cast<uint8_t>(word >> (8 * k));
        }
    }
};

/// Puts the words of each lane's row behind the words of the stage. Answers how many bits they are.
template <bool ALL_OURS>
__device__ __forceinline__ uint32_t warp_put_rows(const Row& row, EncodeScratch& scratch, uint32_t stage_bits,
                                                  int lane) {
    const QuadBits quads[4] = {
        thread_look_up_quad<0, ALL_OURS>(row, scratch.codes), thread_look_up_quad<1, ALL_OURS>(row, scratch.codes),
        thread_look_up_quad<2, ALL_OURS>(row, scratch.codes), thread_look_up_quad<3, ALL_OURS>(row, scratch.codes)};
    const uint32_t count = quads[0].count + quads[1].count + quads[2].count + quads[3].count;
    const uint32_t behind = warp_inclusive_sum(count, lane);
    uint32_t at = stage_bits + behind - count;
#pragma unroll
    for (int quad = 0; quad < 4; ++quad) {
        thread_put_bits(scratch.stage, at, quads[quad].bits, quads[quad].count);
        at += quads[quad].count;
    }
    return __shfl_sync(ALL_LANES, behind, WARP_LANES - 1);
}

/// Phase 3 of one piece. A stream that was refused is left alone.
__device__ __forceinline__ void warp_encode_piece(const EncodeBatch& batch, uint32_t index, EncodeScratch& scratch,
                                                  int lane) {
    const RawPiece piece(batch, index);
    if (!piece.exists || batch.results[piece.stream].status != STATUS_SOUND) return;
    const EncodeNote note = batch.notes[index];
    if (note.start / 8 > piece.entry.output_limit) return;
    for (int symbol = lane; symbol < SYMBOLS; symbol += WARP_LANES)
        scratch.codes[symbol] = batch.codes[uint64_t{piece.stream} * SYMBOLS + symbol];
    for (uint32_t word = lane; word < EncodeScratch::STAGE_WORDS; word += WARP_LANES) scratch.stage[word] = 0;
    __syncwarp();
    uint8_t* bytes = batch.output + piece.entry.output_offset;
    const uint32_t misaligned_bytes = bytes_past_alignment<4>(bytes);
    const uint32_t start = 8 * misaligned_bytes + note.start;
    const PieceOutput output{reinterpret_cast<uint32_t*>(bytes - misaligned_bytes), (start + 7) / 8,
                             min((start + note.bits + 7) / 8, misaligned_bytes + piece.entry.output_limit)};
    const auto store = [&output](uint32_t word_index, uint32_t word) { output.store(word_index, word); };
    const WarpGroup warp{lane};
    BitPosition position{start / 32, start % 32};
    const uint8_t* raw = batch.input + piece.entry.input_offset;
    const UnalignedRows rows(raw + piece.begin, piece.limit - piece.begin);
#pragma unroll 1
    for (uint32_t turn = 0; turn < rows.limit; turn += TURN_BYTES) {
        const Row row = rows.load(turn + lane * ROW_BYTES);
        const bool all_ours = __all_sync(ALL_LANES, row.owns_all());
        position.stage_bits += all_ours ? warp_put_rows<true>(row, scratch, position.stage_bits, lane)
                                        : warp_put_rows<false>(row, scratch, position.stage_bits, lane);
        position = group_flush(warp, position, scratch.stage, store);
    }
    const uint32_t behind = piece.limit + lane;
    const Code code =
        lane < BYTES_BEHIND && behind < piece.entry.input_bytes ? scratch.codes[__ldg(raw + behind)] : Code{0};
    const uint32_t code_limit = warp_inclusive_sum(code.length(), lane);
    thread_put_bits(scratch.stage, position.stage_bits + code_limit - code.length(), code.bits(), code.length());
    position.stage_bits += __shfl_sync(ALL_LANES, code_limit, WARP_LANES - 1);
    position = group_flush(warp, position, scratch.stage, store);
    if (lane == 0) output.store(position.words, scratch.stage[0]);
}

}  // namespace warpcodec::huffman
