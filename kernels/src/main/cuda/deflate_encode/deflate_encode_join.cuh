// Lays the blocks of a raw range behind each other, bit by bit, one cta a block.
//
// Every cta adds up the lengths of the blocks before its own; stored blocks begin their bytes at a byte boundary, so
// their length depends on where they lie. A byte belongs to the block that has its first bit; where a block ends
// inside a byte, the next one's first bits are in it as well. A block has more than 8 bits, so two blocks at most
// share a byte. Whole words inside a block are written as words; positions are counted from the aligned word that has
// the first byte of the range's output slot.
//
// A range that does not end its stream is flushed: the cta of its last block writes an empty stored block behind
// that. Its header's bits are zeros, as are those behind the last block's end in its last byte, so only whole bytes
// are written.
//
// Nothing is written if the blocks do not fit the output slot; then the range is answered STATUS_OUTPUT_EXCEEDED.
#pragma once

#include "../common/alignment.cuh"
#include "../common/batch.cuh"
#include "../common/status.cuh"
#include "deflate_encode_format.cuh"
#include "deflate_encode_policy.cuh"

namespace warpcodec::deflate_encode {

/// The bits of a block in the scratch.
struct BlockBits {
    const uint32_t* words;
    uint32_t count;

    /// 32 bits from `at` on; all of them are in the block.
    __device__ __forceinline__ uint32_t word_at(uint32_t at) const {
        return __funnelshift_r(words[at >> 5], words[(at + 31) >> 5], at & 31);
    }
    /// 8 bits from `at` on, zeros behind the block.
    __device__ __forceinline__ uint32_t byte_at(uint32_t at) const {
        const uint32_t last = (count - 1) >> 5;
        const uint32_t bits = __funnelshift_r(words[at >> 5], words[min((at >> 5) + 1, last)], at & 31) & 0xFF;
        return count - at >= 8 ? bits : bits & ((1u << (count - at)) - 1);
    }
    /// The first bits, as many as `count` has, at most 8.
    __device__ __forceinline__ uint32_t first_byte() const { return words[0] & 0xFF; }
};

/// Writes a block of bits that begins at bit `start` of the output. `next` are the first bits of the block behind it,
/// or 0.
__device__ __forceinline__ void cta_join_bits(const BlockBits& bits, uint32_t start, uint32_t next, uint8_t* output) {
    const uint32_t end = start + bits.count;
    const uint32_t first_byte = (start + 7) / 8, limit_byte = (end + 7) / 8;
    const uint32_t first_word = (first_byte + 3) / 4, limit_word = max(end / 32, first_word);
    for (uint32_t word = first_word + threadIdx.x; word < limit_word; word += JoinPolicy::CTA_THREADS) {
        reinterpret_cast<uint32_t*>(output)[word] = bits.word_at(32 * word - start);
    }
    const auto write_byte = [&](uint32_t byte) {
        uint32_t value = bits.byte_at(8 * byte - start);
        if (8 * byte + 8 > end) value |= next << (end - 8 * byte);
        output[byte] = static_cast<uint8_t>(value);
    };
    const uint32_t head_limit = min(4 * first_word, limit_byte);
    if (first_byte + threadIdx.x < head_limit) write_byte(first_byte + threadIdx.x);
    const uint32_t tail = max(4 * limit_word, head_limit);
    if (tail + threadIdx.x < limit_byte) write_byte(tail + threadIdx.x);
}

/// Writes a stored block, of one piece or two.
__device__ __forceinline__ void cta_join_stored(const uint8_t* raw, uint32_t raw_bytes, uint32_t start, bool is_last,
                                                uint8_t* output) {
    uint32_t at = (start + HEADER_BITS + 7) / 8;
    const uint32_t piece_bytes = stored_piece_bytes(raw_bytes);
    if (threadIdx.x == 0) {
        const uint32_t final_bit = is_last && piece_bytes == raw_bytes ? 1 : 0;
        if (start % 8 == 0) output[start / 8] = static_cast<uint8_t>(final_bit);
        else if ((start + HEADER_BITS - 1) / 8 != start / 8)
            output[start / 8 + 1] = 0;  // of the header, only its last bits, which are zeros
    }
    for (uint32_t from = 0; from < raw_bytes; from += piece_bytes) {
        if (threadIdx.x == 0) {
            if (from != 0) output[at++] = static_cast<uint8_t>(is_last ? 1 : 0);
            output[at] = static_cast<uint8_t>(piece_bytes);
            output[at + 1] = static_cast<uint8_t>(piece_bytes >> 8);
            output[at + 2] = static_cast<uint8_t>(~piece_bytes);
            output[at + 3] = static_cast<uint8_t>(~piece_bytes >> 8);
        } else if (from != 0) {
            ++at;
        }
        at += STORED_LENGTH_BITS / 8;
        for (uint32_t i = threadIdx.x; i < piece_bytes; i += JoinPolicy::CTA_THREADS)
            output[at + i] = __ldg(raw + from + i);
        at += piece_bytes;
    }
}

/// Writes an empty stored block between where the blocks end and where the range does.
__device__ __forceinline__ void cta_join_flush(uint32_t blocks_end, uint32_t total, uint8_t* output) {
    const uint32_t first_byte = (blocks_end + 7) / 8, limit_byte = total / 8;
    if (first_byte + threadIdx.x < limit_byte)
        output[first_byte + threadIdx.x] = limit_byte - (first_byte + threadIdx.x) <= 2 ? 0xFF : 0;
}

/// Writes block `index` of a range, and with the first one its result. `records` and `slots` are the range's.
__device__ __forceinline__ void cta_join_block(const Block& range, uint32_t ending, uint32_t block_count,
                                               uint32_t index, const BlockRecord* records, const uint8_t* slots,
                                               uint8_t* output, BlockResult* result) {
    uint32_t start = 0, total = 0;
    for (uint32_t block = 0; block < block_count; ++block) {
        const BlockRecord record = records[block];
        if (block == index) start = total;
        total = record.bits == BlockRecord::STORED ? stored_block_end(total, record.raw_bytes) : total + record.bits;
    }
    const uint32_t blocks_end = total;
    if (block_count == 0 && ending == ENDS_STREAM) total = HEADER_BITS + 7;  // a fixed block that holds nothing
    total = range_end(total, ending);
    const uint32_t total_bytes = (total + 7) / 8;
    const uint32_t misaligned_bytes = bytes_past_alignment<4>(output);
    const bool fits = total_bytes <= range.output_limit;
    if (index == 0 && threadIdx.x == 0)
        *result = fits ? BlockResult{STATUS_SOUND, total_bytes} : BlockResult{STATUS_OUTPUT_EXCEEDED, 0};
    if (!fits) return;
    if (ending == FLUSHES && index + 1 >= block_count) cta_join_flush(blocks_end, total, output);
    if (block_count == 0) {
        if (ending == ENDS_STREAM && threadIdx.x < total_bytes)
            output[threadIdx.x] = threadIdx.x == 0 ? 1u | deflate::BTYPE_FIXED << deflate::BFINAL_BITS : 0;
        return;
    }
    const bool is_last = index + 1 == block_count, ends = ending == ENDS_STREAM;
    const BlockRecord own = records[index];
    if (own.bits == BlockRecord::STORED) {
        cta_join_stored(range.input + index * BLOCK_BYTES, own.raw_bytes, start + 8 * misaligned_bytes, is_last && ends,
                        output - misaligned_bytes);
        return;
    }
    const auto bits_of = [&](uint32_t block) {
        return BlockBits{reinterpret_cast<const uint32_t*>(slots + uint64_t{block} * BLOCK_SLOT_BYTES),
                         records[block].bits};
    };
    uint32_t next = 0;
    if (!is_last) {
        const BlockRecord behind = records[index + 1];
        const bool behind_is_last = index + 2 == block_count && ends;
        next = behind.bits != BlockRecord::STORED                       ? bits_of(index + 1).first_byte()
               : behind_is_last && behind.raw_bytes <= MAX_STORED_BYTES ? 1
                                                                        : 0;
    }
    cta_join_bits(bits_of(index), start + 8 * misaligned_bytes, next, output - misaligned_bytes);
}

/// Writes one unit of a batch.
__device__ __forceinline__ void cta_join_unit(const EncodeBatch& batch, uint32_t index) {
    const Unit unit = find_unit(batch, index);
    if (!unit.is_sound) {
        if (unit.block_index == 0 && threadIdx.x == 0)
            batch.results[unit.range_index] = BlockResult{STATUS_BAD_ENTRY, 0};
        return;
    }
    if (unit.block_index != 0 && unit.block_index >= unit.block_count) return;
    const EncodeEntry& entry = batch.entries[unit.range_index];
    const Block range{batch.input + entry.range.input_offset, entry.range.input_bytes, entry.range.output_limit};
    cta_join_block(range, entry.ending, unit.block_count, unit.block_index, batch.records + entry.first_unit,
                   batch.slots + entry.slot_offset, batch.output + entry.range.output_offset,
                   batch.results + unit.range_index);
}

}  // namespace warpcodec::deflate_encode
