// Writes frames without their checksums, one cta a block: the frame's header in front of the first one, and what each
// block became behind its own header. A block of several parts has their headers already (zstd_encode_parts.cuh); only
// that of a frame's last part has yet to say so.
//
// Every cta adds up the lengths of the blocks before its own. Nothing is written if the frame does not fit the output
// slot; then the range is answered STATUS_OUTPUT_EXCEEDED.
#pragma once

#include "../common/alignment.cuh"
#include "../common/batch.cuh"
#include "../common/status.cuh"
#include "zstd_encode_format.cuh"
#include "zstd_encode_policy.cuh"

namespace warpcodec::zstd_encode {

constexpr uint32_t MAGIC = 0xFD2FB528u;
constexpr uint32_t SINGLE_SEGMENT = 1u << 5;
constexpr uint32_t HAS_CHECKSUM = 1u << 2;
constexpr int SIZE_FORMAT_AT = 6;
/// Content sizes of 2 bytes are so much less.
constexpr uint32_t TWO_BYTES_LESS = 256;

/// Format of a content size: 0 for 1 byte, 1 for 2, 2 for 4.
__device__ __forceinline__ uint32_t size_format(uint32_t raw_bytes) {
    return raw_bytes < TWO_BYTES_LESS ? 0 : raw_bytes < TWO_BYTES_LESS + 65536 ? 1 : 2;
}
__device__ __forceinline__ uint32_t header_bytes(uint32_t raw_bytes) { return 5 + (1u << size_format(raw_bytes)); }

/// Copies bytes. Of aligned words that hold one of the source's, all may be read.
__device__ __forceinline__ void cta_copy_bytes(uint8_t* to, const uint8_t* from, uint32_t count) {
    const uint32_t head = min(count, (4 - bytes_past_alignment<4>(to)) % 4);
    const uint32_t words = (count - head) / 4, tail = head + 4 * words;
    const uint32_t shift = 8 * bytes_past_alignment<4>(from + head);
    const uint32_t* sources = reinterpret_cast<const uint32_t*>(from + head - shift / 8);
    uint32_t* targets = reinterpret_cast<uint32_t*>(to + head);
    for (uint32_t i = threadIdx.x; i < words; i += JoinPolicy::CTA_THREADS) {
        const uint32_t low = __ldg(sources + i);
        targets[i] = shift == 0 ? low : __funnelshift_r(low, __ldg(sources + i + 1), shift);
    }
    if (threadIdx.x < head) to[threadIdx.x] = __ldg(from + threadIdx.x);
    if (tail + threadIdx.x < count) to[tail + threadIdx.x] = __ldg(from + tail + threadIdx.x);
}

__device__ __forceinline__ void thread_write_frame_header(uint8_t* output, uint32_t raw_bytes) {
    const uint32_t format = size_format(raw_bytes);
    for (int i = 0; i < 4; ++i) output[i] = static_cast<uint8_t>(MAGIC >> 8 * i);
    output[4] = static_cast<uint8_t>(format << SIZE_FORMAT_AT | SINGLE_SEGMENT | HAS_CHECKSUM);
    const uint32_t size = format == 1 ? raw_bytes - TWO_BYTES_LESS : raw_bytes;
    for (uint32_t i = 0; i < 1u << format; ++i) output[5 + i] = static_cast<uint8_t>(size >> 8 * i);
}

/// Bytes of a block in its frame, with the headers of its parts.
__device__ __forceinline__ uint32_t joined_bytes(const UnitRecord& record, uint32_t raw_bytes) {
    if (record.borders != 0) return record.content_bytes;
    return BLOCK_HEADER_BYTES + (record.content_bytes == UnitRecord::RAW ? raw_bytes : record.content_bytes);
}

/// Writes one unit of a batch, and with a range's first one its result.
__device__ __forceinline__ void cta_join_unit(const EncodeBatch& batch, uint32_t index) {
    const Unit unit = find_unit(batch, index);
    if (!unit.is_sound) {
        if (unit.block_index == 0 && threadIdx.x == 0)
            batch.results[unit.range_index] = BlockResult{STATUS_BAD_ENTRY, 0};
        return;
    }
    if (unit.block_index != 0 && unit.block_index >= unit.block_count) return;
    const EncodeEntry& entry = batch.entries[unit.range_index];
    const uint32_t raw_bytes = entry.range.input_bytes;
    const UnitRecord* records = batch.records + entry.first_unit;
    uint32_t start = 0, total = header_bytes(raw_bytes);
    for (uint32_t block = 0; block < unit.block_count; ++block) {
        if (block == unit.block_index) start = total;
        total += joined_bytes(records[block], min(raw_bytes - block * BLOCK_BYTES, BLOCK_BYTES));
    }
    if (unit.block_count == 0) {
        start = total;
        total += BLOCK_HEADER_BYTES;
    }
    const bool fits = total <= entry.range.output_limit;
    if (unit.block_index == 0 && threadIdx.x == 0)
        batch.results[unit.range_index] =
            fits ? BlockResult{STATUS_SOUND, total} : BlockResult{STATUS_OUTPUT_EXCEEDED, 0};
    if (!fits) return;
    uint8_t* output = batch.output + entry.range.output_offset;
    const bool is_last = unit.block_index + 1 >= unit.block_count;
    if (unit.block_index == 0 && threadIdx.x == 0) thread_write_frame_header(output, raw_bytes);
    if (unit.block_count == 0) {
        if (threadIdx.x == 0) thread_write_block_header(output + start, true, BLOCK_RAW, 0);
        return;
    }
    const RawBlock block = block_of(batch, entry, unit.block_index);
    const UnitRecord record = records[unit.block_index];
    const uint8_t* content = reinterpret_cast<const uint8_t*>(block.content);
    if (record.borders != 0) {
        cta_copy_bytes(output + start, content, record.content_bytes);
        __syncthreads();
        if (is_last && threadIdx.x == 0) output[start + record.borders] |= 1;
        return;
    }
    const bool is_raw = record.content_bytes == UnitRecord::RAW;
    const uint32_t bytes = is_raw ? block.raw_bytes : record.content_bytes;
    if (threadIdx.x == 0)
        thread_write_block_header(output + start, is_last, is_raw ? BLOCK_RAW : BLOCK_COMPRESSED, bytes);
    cta_copy_bytes(output + start + BLOCK_HEADER_BYTES, is_raw ? block.bytes : content, bytes);
}

}  // namespace warpcodec::zstd_encode
