// Writes what stands in a block before its symbols, and finds where each group's bits begin: the end of what a cta
// does for a block.
//
// Sizes first: of the selectors, of the codes' lengths, of the groups; so it is known whether the body fits before a
// bit is written, and every thread knows where its bits go.
//
// Selectors are moved to front as bytes are (mtf_encode_lists.cuh): a code's place is the number of codes that have
// been taken since it was. A thread takes neighbouring selectors; when each code was taken last before them is a
// maximum over the threads before, two codes in a word.
#pragma once

#include "bzip2_encode_choose.cuh"

namespace warpcodec::bzip2_encode {

/// When each code was taken last, 16 bits each: 6 and more for places, below that the order in which they stand at
/// first.
struct Latest {
    uint32_t pairs[MAX_CODES / 2];

    __device__ __forceinline__ uint32_t of(uint32_t code) const {
        const uint32_t pair = code < 2 ? pairs[0] : code < 4 ? pairs[1] : pairs[2];
        return code & 1 ? pair >> 16 : pair & 0xFFFF;
    }
    __device__ __forceinline__ void set(uint32_t code, uint32_t when) {
#pragma unroll
        for (uint32_t i = 0; i < MAX_CODES / 2; ++i) {
            if (code / 2 == i) pairs[i] = code & 1 ? (pairs[i] & 0xFFFF) | when << 16 : (pairs[i] & 0xFFFF0000u) | when;
        }
    }
    /// Codes that were taken after this one.
    __device__ __forceinline__ uint32_t place_of(uint32_t code) const {
        const uint32_t when = of(code);
        uint32_t place = 0;
#pragma unroll
        for (uint32_t other = 0; other < MAX_CODES; ++other) place += of(other) > when;
        return place;
    }
    __device__ __forceinline__ void take_later(const Latest& other) {
#pragma unroll
        for (int i = 0; i < MAX_CODES / 2; ++i) pairs[i] = __vmaxu2(pairs[i], other.pairs[i]);
    }
};
static_assert(MAX_CODES == 6 && MAX_GROUPS + MAX_CODES < 1u << 16);
/// Code 0 stands first: codes 0 to 5 as if taken at 5 to 0.
constexpr Latest LATEST_AT_START{{5 | 4 << 16, 3 | 2 << 16, 1 | 0 << 16}};

/// The selectors of one thread: from `begin` on, and what was taken before them.
struct SelectorRange {
    uint32_t begin;
    uint32_t limit;
    Latest latest;
};

__device__ __forceinline__ SelectorRange cta_scan_selectors(const Choice& choice, ChooseMemory& memory) {
    constexpr int WARPS = ChoosePolicy::CTA_THREADS / WARP_LANES;
    const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    const uint32_t each = (choice.group_count + ChoosePolicy::CTA_THREADS - 1) / ChoosePolicy::CTA_THREADS;
    SelectorRange range{min(choice.group_count, threadIdx.x * each), 0, LATEST_AT_START};
    range.limit = min(choice.group_count, range.begin + each);
    Latest inclusive = LATEST_AT_START;
    for (uint32_t at = range.begin; at < range.limit; ++at) inclusive.set(choice.selectors[at], MAX_CODES + at);
#pragma unroll
    for (int distance = 1; distance < WARP_LANES; distance *= 2) {
        Latest other;
#pragma unroll
        for (int i = 0; i < MAX_CODES / 2; ++i)
            other.pairs[i] = __shfl_up_sync(ALL_LANES, inclusive.pairs[i], distance);
        if (lane >= distance) inclusive.take_later(other);
    }
#pragma unroll
    for (int i = 0; i < MAX_CODES / 2; ++i) {
        if (lane == WARP_LANES - 1) memory.warp_latest[warp][i] = inclusive.pairs[i];
        const uint32_t before = __shfl_up_sync(ALL_LANES, inclusive.pairs[i], 1);
        if (lane > 0) range.latest.pairs[i] = before;
    }
    __syncthreads();
    for (int other = 0; other < WARPS && other < warp; ++other) {
        Latest earlier;
#pragma unroll
        for (int i = 0; i < MAX_CODES / 2; ++i) earlier.pairs[i] = memory.warp_latest[other][i];
        range.latest.take_later(earlier);
    }
    __syncthreads();
    return range;
}

/// Calls put(bits, count) for each selector of a range.
template <typename Put>
__device__ __forceinline__ void thread_each_selector(const Choice& choice, SelectorRange range, Put put) {
    for (uint32_t at = range.begin; at < range.limit; ++at) {
        const uint32_t code = choice.selectors[at];
        const uint32_t place = range.latest.place_of(code);
        put((1u << (place + 1)) - 2, place + 1);
        range.latest.set(code, MAX_CODES + at);
    }
}

/// Calls put(bits, count) for what stands for the lengths of a thread's symbols: neighbours, all codes behind each
/// other.
template <typename Put>
__device__ __forceinline__ void thread_each_length(const Choice& choice, const ChooseMemory& memory, Put put) {
    constexpr int EACH = (MAX_CODES * MAX_ALPHABET + ChoosePolicy::CTA_THREADS - 1) / ChoosePolicy::CTA_THREADS;
    const int all = choice.code_count * choice.alphabet;
    for (int i = threadIdx.x * EACH; i < min(all, (static_cast<int>(threadIdx.x) + 1) * EACH); ++i) {
        const int code = i / choice.alphabet, symbol = i % choice.alphabet;
        const int length = memory.lengths[code][symbol];
        if (symbol == 0) put(length, FIRST_LENGTH_BITS);
        int now = symbol == 0 ? length : memory.lengths[code][symbol - 1];
        for (; now < length; ++now) put(2, 2);
        for (; now > length; --now) put(3, 2);
        put(0, 1);
    }
}

/// Fields of a known size, and the map of the bytes in use.
struct FixedFields {
    uint64_t crc;
    uint32_t origin;
    const uint32_t* used_bits;

    __device__ __forceinline__ uint32_t row_of(int row) const {
        return used_bits[row / 2] >> (16 * (row % 2)) & 0xFFFF;
    }
    __device__ __forceinline__ uint32_t bits() const {
        uint32_t sum = MAGIC_BITS + CRC_BITS + 1 + ORIGIN_BITS + 16 + CODE_COUNT_BITS + SELECTOR_COUNT_BITS;
        for (int row = 0; row < 16; ++row) sum += row_of(row) != 0 ? 16 : 0;
        return sum;
    }
    __device__ __forceinline__ void write(BitWriter& writer, const Choice& choice) const {
        writer.put(static_cast<uint32_t>(BLOCK_MAGIC >> 24), 24);
        writer.put(static_cast<uint32_t>(BLOCK_MAGIC & 0xFFFFFF), 24);
        writer.put(static_cast<uint32_t>(crc), CRC_BITS);
        writer.put(0, 1);
        writer.put(origin, ORIGIN_BITS);
        uint32_t rows = 0;
        for (int row = 0; row < 16; ++row) rows |= row_of(row) != 0 ? 0x8000u >> row : 0;
        writer.put(rows, 16);
        for (int row = 0; row < 16; ++row) {
            if (row_of(row) != 0) writer.put(__brev(row_of(row)) >> 16, 16);
        }
        writer.put(choice.code_count, CODE_COUNT_BITS);
        writer.put(choice.group_count, SELECTOR_COUNT_BITS);
    }
};

/// Where each group's bits begin; answers where the last one's end.
__device__ __forceinline__ uint32_t cta_place_groups(const Choice& choice, uint32_t begin, uint32_t* group_bits,
                                                     ChooseMemory& memory) {
    for (uint32_t first = 0; first < choice.group_count; first += ChoosePolicy::CTA_THREADS) {
        const uint32_t group = first + threadIdx.x;
        uint32_t bits = 0;
        if (group < choice.group_count) {
            bits = static_cast<uint32_t>(thread_add_costs(choice, memory.costs, group) >>
                                         (COST_BITS * choice.selectors[group])) &
                   COST_MASK;
        }
        const uint32_t before = sort::cta_exclusive_sum<ChoosePolicy::CTA_THREADS>(bits, memory.warp_sums);
        if (group < choice.group_count) group_bits[group] = begin + before;
        if (threadIdx.x == ChoosePolicy::CTA_THREADS - 1) memory.warp_sums[0] = before + bits;
        __syncthreads();
        begin += memory.warp_sums[0];
        __syncthreads();
    }
    return begin;
}

/// One block, from its symbols to its header. `words` are where the pack kernel finds the codes.
__device__ __forceinline__ void cta_choose_block(const EncodeBatch& batch, uint32_t index, ChooseMemory& memory) {
    EncodeResult& result = batch.results[index];
    const Chunk chunk = load_chunk(batch, index);
    const mtf_encode::MtfResult& mtf = batch.mtf_results[index];
    const uint32_t symbol_count = mtf.symbol_count;
    if (result.status != STATUS_SOUND || symbol_count == 0 || symbol_count > MAX_GROUPS * GROUP_SYMBOLS) return;
    const Choice choice{batch.symbols + uint64_t{chunk.first_tile} * TILE_BYTES + index,
                        batch.selectors + uint64_t{index} * MAX_GROUPS,
                        symbol_count,
                        (symbol_count + GROUP_SYMBOLS - 1) / GROUP_SYMBOLS,
                        static_cast<int>(min(mtf.bytes_in_use, 256u)) + 2,
                        code_count_of(symbol_count)};
    cta_divide(choice, memory);
    for (int round = 0; round < ROUNDS; ++round) cta_select(choice, memory);
    cta_store_words(choice, batch.words + uint64_t{index} * WORDS_PER_CHUNK, memory);

    const FixedFields fields{result.crc, batch.bwt_results[index].origin_row, mtf.used_bits};
    const SelectorRange range = cta_scan_selectors(choice, memory);
    uint32_t selector_bits = 0, length_bits = 0;
    thread_each_selector(choice, range, [&](uint32_t, uint32_t count) { selector_bits += count; });
    thread_each_length(choice, memory, [&](uint32_t, uint32_t count) { length_bits += count; });
    const uint32_t selectors_before =
        sort::cta_exclusive_sum<ChoosePolicy::CTA_THREADS>(selector_bits, memory.warp_sums);
    const uint32_t lengths_before = sort::cta_exclusive_sum<ChoosePolicy::CTA_THREADS>(length_bits, memory.warp_sums);
    if (threadIdx.x == ChoosePolicy::CTA_THREADS - 1) {
        memory.warp_sums[0] = selectors_before + selector_bits;
        memory.warp_sums[1] = lengths_before + length_bits;
    }
    __syncthreads();
    const uint32_t selectors_at = fields.bits(), lengths_at = selectors_at + memory.warp_sums[0],
                   groups_at = lengths_at + memory.warp_sums[1];
    __syncthreads();
    const uint32_t body_bits =
        cta_place_groups(choice, groups_at, batch.group_bits + uint64_t{index} * MAX_GROUPS, memory);
    const bool fits = (body_bits + 31) / 32 <= chunk.output_words;
    if (threadIdx.x == 0) {
        result.body_bits = fits ? body_bits : 0;
        if (!fits) result.status = STATUS_OUTPUT_EXCEEDED;
    }
    if (!fits) return;
    if (threadIdx.x == 0) {
        BitWriter writer(chunk.output, chunk.output_words, 0);
        fields.write(writer, choice);
        writer.finish();
    }
    BitWriter selectors(chunk.output, chunk.output_words, selectors_at + selectors_before);
    thread_each_selector(choice, range, [&](uint32_t bits, uint32_t count) { selectors.put(bits, count); });
    selectors.finish();
    BitWriter lengths(chunk.output, chunk.output_words, lengths_at + lengths_before);
    thread_each_length(choice, memory, [&](uint32_t bits, uint32_t count) { lengths.put(bits, count); });
    lengths.finish();
}

}  // namespace warpcodec::bzip2_encode
