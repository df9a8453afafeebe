// Writes a block's content as several blocks, its parts, each behind its header, one cta.
//
// A part ends where a match does: the next one begins with the literals behind it. Values of sequences are those of the
// whole block, as offsets that may be repeated go on from part to part. Symbols are counted anew for each part. Headers
// are written when the lengths of all parts are known.
//
// A part may be longer than its text, which readers take. Only where all parts together are shorter than the
// text they are kept.
#pragma once

#include "zstd_encode_write.cuh"

namespace warpcodec::zstd_encode {

/// Finds the first sequence of each part, before sequences have their values. Answers how many parts there are: one at
/// least, and without a sequence only if it is the only one. A barrier inside.
__device__ __forceinline__ uint32_t cta_find_parts(const Sequence* sequences, uint32_t count, uint32_t borders,
                                                   CodesMemory& memory) {
    // the first part begins with no border, and the last one ends with none
    const uint32_t inner = borders & ((1u << MOST_PARTS) - 2);
    if (threadIdx.x < MOST_PARTS && (threadIdx.x == 0 || (inner >> threadIdx.x & 1) != 0)) {
        const uint32_t place = threadIdx.x * BORDER_BYTES;
        uint32_t first = 0;
        for (uint32_t limit = count; first < limit;) {
            const uint32_t middle = (first + limit) / 2;
            if (sequences[middle].place < place) {
                first = middle + 1;
            } else {
                limit = middle;
            }
        }
        memory.part_begins[__popc(inner & ((1u << threadIdx.x) - 1)) + (threadIdx.x == 0 ? 0 : 1)] =
            threadIdx.x == 0 ? 0 : first;
    }
    __syncthreads();
    uint32_t parts = 1;
    // all threads look for parts that are not empty, and one notes them: none is noted behind where it is read
    for (uint32_t i = 1; i <= static_cast<uint32_t>(__popc(inner)); ++i) {
        const uint32_t begin = memory.part_begins[i], before = memory.part_begins[parts - 1];
        __syncthreads();
        if (begin == before || begin == count) continue;
        if (threadIdx.x == 0) memory.part_begins[parts] = begin;
        ++parts;
        __syncthreads();
    }
    if (threadIdx.x == 0) memory.part_begins[parts] = count;
    return parts;
}

/// Counts a part's symbols. Answers how many literals its sequences have. All threads call; barriers inside, one at the
/// end.
__device__ __forceinline__ uint32_t cta_count_part(const BlockContent& part, CodesMemory& memory) {
    __syncthreads();
    cta_clear_counts(memory);
    __syncthreads();
    uint32_t own = 0, all;
    for (uint32_t i = threadIdx.x; i < part.sequence_count; i += CODES_THREADS) {
        own += part.sequences[i].place;
        thread_count_symbols(part.sequences[i], memory);
    }
    cta_exclusive_sum<CODES_THREADS>(own, memory.warp_sums, all);
    return all;
}

/// Writes the parts of a block, and what the record says of them. A part that is the only one has no header, and its
/// symbols were counted unless HAS_PARTS. False if older readers would not read one of them.
template <bool HAS_PARTS>
__device__ __forceinline__ bool cta_write_parts(const BlockContent& whole, uint32_t parts, const Content& content,
                                                CodesMemory& memory, UnitRecord& record) {
    BitPosition position{0, 0};
    uint32_t literals = 0, header_at = 0;
    bool is_readable = true;
    for (uint32_t i = 0; i < parts; ++i) {
        const bool is_last = i + 1 == parts;
        const uint32_t first = i == 0 ? 0 : memory.part_begins[i];
        const uint32_t limit = is_last ? whole.sequence_count : memory.part_begins[i + 1];
        BlockContent part{whole.sequences + first, limit - first, whole.literals + literals,
                          whole.literal_count - literals};
        if (HAS_PARTS) {
            const uint32_t of_sequences = cta_count_part(part, memory);
            if (!is_last) part.literal_count = min(part.literal_count, of_sequences);
        }
        literals += part.literal_count;
        if (HAS_PARTS && parts > 1) {
            header_at = bytes_of(position);
            if (i == 0 && threadIdx.x == 0) memory.stage[0] = 0;
            // bytes of a header are 0 until all are written
            position = content.cta_flush({position.words, position.stage_bits + 8 * BLOCK_HEADER_BYTES}, memory);
        }
        const uint32_t begin = bytes_of(position);
        is_readable &= cta_write_content(part, position, content, memory);
        if (HAS_PARTS && threadIdx.x == 0) memory.part_bytes[i] = bytes_of(position) - begin;
    }
    record.content_bytes = bytes_of(position);
    record.borders = header_at;
    if (threadIdx.x == 0) thread_write_rest(position, content, memory);
    if (!HAS_PARTS || parts == 1) return is_readable;
    __syncthreads();
    if (threadIdx.x == 0 && record.content_bytes <= 4 * content.limit) {
        uint8_t* at = reinterpret_cast<uint8_t*>(content.words);
        for (uint32_t i = 0; i < parts; ++i) {
            thread_write_block_header(at, false, BLOCK_COMPRESSED, memory.part_bytes[i]);
            at += BLOCK_HEADER_BYTES + memory.part_bytes[i];
        }
    }
    return is_readable;
}

}  // namespace warpcodec::zstd_encode
