// Alphabetic codes of a block, from which the keys of its first sort are made.
//
// The words of an alphabetic code are prefix-free and ordered as their symbols are. So texts compare like their words
// one behind the other, cut anywhere. The word of a symbol may depend on the symbol before: two rotations that differ
// first at some place agree on what stands before it. So there they take words of the same code. Then 44 bits hold as
// many symbols as can be expected to be different, 11 of English text where plain bytes would be 5.
//
// There is a code for each symbol that may stand before: 257 with the code for a rotation's first symbol, where
// nothing is known. Its leaves are the symbols that the block uses, weighed by how often they follow in a sample of
// the block. The root divides the leaves where their weights come nearest to halves, and so does each node below.
// That is within 2 bits of the entropy, on text some 2 % from the optimum (Knuth's, which takes n^2 steps). No word
// has more than 12 bits: a node that has k bits left divides its leaves such that neither side has more than 2^(k-1).
//
// One cta a block, or several with some of the codes each: a launch of few blocks has multiprocessors to spare. All
// bytes are looked at once for whether they are used. Up to 65,000 pairs are counted, at places that no period of the
// text can be in step with. Then a warp takes a code. Each lane walks from the root to the leaf of its symbol: at
// most 12 steps, a binary search each. Some 100 us a block, all blocks at once; 162 KB of shared memory.
#pragma once

#include "../common/rows.cuh"
#include "../common/warp.cuh"
#include "bwt_encode_format.cuh"

namespace warpcodec::bwt_encode {

/// A word: its bits, the last one lowest, and from LENGTH_AT on how many.
constexpr int LENGTH_AT = MAX_CODE_BITS;
static_assert(MAX_CODE_BITS + 4 <= 16 && MAX_CODE_BITS < 16, "words and their lengths have 16 bits");
__device__ __forceinline__ uint32_t word_bits(uint32_t word) { return word & ((1u << LENGTH_AT) - 1); }
__device__ __forceinline__ uint32_t word_length(uint32_t word) { return word >> LENGTH_AT; }

struct CodesMemory {
    static constexpr int WARPS = CodesPolicy::CTA_THREADS / WARP_LANES;
    uint32_t pairs[SYMBOLS * SYMBOLS / 2];  ///< counts of 16 bits, the symbol before first
    uint32_t singles[SYMBOLS];
    uint32_t sums[WARPS][SYMBOLS + 4];  ///< weight of the leaves before each
    uint32_t used_bits[SYMBOLS / 32];
    uint8_t used[SYMBOLS];
    uint8_t symbols[SYMBOLS];  ///< those used, in order
};
static_assert(CodesPolicy::MAX_SAMPLES < 1u << 16);

/// Which bytes the block has. The caller waits after.
__device__ __forceinline__ void cta_mark_used(const Block& block, CodesMemory& memory) {
    const UnalignedRows rows(block.text, block.bytes);
#pragma unroll 2
    for (uint32_t at = threadIdx.x * ROW_BYTES; at < rows.limit; at += CodesPolicy::CTA_THREADS * ROW_BYTES) {
        const Row row = rows.load(at);
        const auto mark = [&](uint32_t byte) { memory.used[byte] = 1; };
        if (row.owns_all()) row.for_each<true>(mark);
        else row.for_each<false>(mark);
    }
}

/// Counts neighbours, one pair in each of up to MAX_SAMPLES stretches of the block. The caller waits after.
__device__ __forceinline__ void cta_count_pairs(const Block& block, CodesMemory& memory) {
    const uint32_t stretch = (block.bytes + CodesPolicy::MAX_SAMPLES - 1) / CodesPolicy::MAX_SAMPLES;
    const uint32_t samples = block.bytes / stretch;
#pragma unroll 4
    for (uint32_t sample = threadIdx.x; sample < samples; sample += CodesPolicy::CTA_THREADS) {
        const uint32_t jitter = __umulhi(sample * 2654435769u, stretch);
        const uint32_t at = sample * stretch + jitter;
        const uint32_t before = block.text[at == 0 ? block.bytes - 1 : at - 1];
        const uint32_t symbol = block.text[at];
        atomicAdd(&memory.pairs[(before * SYMBOLS + symbol) / 2], 1u << (16 * (symbol & 1)));
        atomicAdd(&memory.singles[symbol], 1u);
    }
}

/// The word of leaf `leaf` of `leaf_count`; sums[k] is the weight of the leaves before leaf k.
__device__ __forceinline__ uint32_t thread_find_word(const uint32_t* sums, int leaf, int leaf_count) {
    int low = 0, high = leaf_count, length = 0;
    uint32_t bits = 0;
    while (high - low > 1) {
        const uint32_t twice_half = sums[low] + sums[high];
        int split = low + 1;  // becomes the first leaf in front of which at least half of the weight lies
        for (int count = high - low - 1; count > 0;) {
            const int half = count / 2;
            const bool less = 2 * sums[split + half] < twice_half;
            split = less ? split + half + 1 : split;
            count = less ? count - half - 1 : half;
        }
        if (split - 1 > low && 2 * sums[split] - twice_half > twice_half - 2 * sums[split - 1]) --split;
        const int most = 1 << (MAX_CODE_BITS - 1 - length);
        split = max(split, max(low + 1, high - most));
        split = min(split, min(high - 1, low + most));
        const bool behind = leaf >= split;
        low = behind ? split : low;
        high = behind ? high : split;
        bits = bits << 1 | (behind ? 1u : 0u);
        ++length;
    }
    if (leaf_count == 1) length = 1;
    return bits | static_cast<uint32_t>(length) << LENGTH_AT;
}

/// The code of one row.
__device__ __forceinline__ void warp_build_row(const CodesMemory& memory, uint32_t* sums, int row, int leaf_count,
                                               uint16_t* codes, int lane) {
    constexpr int EACH = SYMBOLS / WARP_LANES;
    uint32_t weights[EACH];
    uint32_t sum = 0;
#pragma unroll
    for (int i = 0; i < EACH; ++i) {
        const int leaf = lane * EACH + i;
        weights[i] = 0;
        if (leaf >= leaf_count) continue;
        const int symbol = memory.symbols[leaf];
        const uint32_t count = row == SYMBOLS
                                   ? memory.singles[symbol]
                                   : memory.pairs[(row * SYMBOLS + symbol) / 2] >> (16 * (symbol & 1)) & 0xFFFF;
        weights[i] = CodesPolicy::SAMPLE_WEIGHT * count + 1;
        sum += weights[i];
    }
    uint32_t before = warp_inclusive_sum(sum, lane) - sum;
#pragma unroll
    for (int i = 0; i < EACH; ++i) {
        if (lane * EACH + i <= leaf_count) sums[lane * EACH + i] = before;
        before += weights[i];
    }
    if (lane == WARP_LANES - 1 && leaf_count == SYMBOLS) sums[SYMBOLS] = before;
    __syncwarp();
    for (int leaf = lane; leaf < leaf_count; leaf += WARP_LANES) {
        codes[row * SYMBOLS + memory.symbols[leaf]] = static_cast<uint16_t>(thread_find_word(sums, leaf, leaf_count));
    }
    __syncwarp();
}

/// Part `part` of `parts` of a block's codes, as many rows in each. Rows and symbols that the block does not use stay
/// undefined. `known_symbols` is a bit for each symbol that the block uses; null if they are to be looked for.
__device__ __forceinline__ void cta_build_codes(const Block& block, uint16_t* codes, uint32_t part, uint32_t parts,
                                                const uint32_t* known_symbols, CodesMemory& memory) {
    const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    for (int i = threadIdx.x; i < SYMBOLS * SYMBOLS / 2; i += CodesPolicy::CTA_THREADS) memory.pairs[i] = 0;
    if (threadIdx.x < SYMBOLS) memory.singles[threadIdx.x] = 0, memory.used[threadIdx.x] = 0;
    __syncthreads();
    if (known_symbols == nullptr) cta_mark_used(block, memory);
    cta_count_pairs(block, memory);
    __syncthreads();
    const bool used = threadIdx.x < SYMBOLS &&
                      (known_symbols == nullptr ? memory.used[threadIdx.x] != 0
                                                : (known_symbols[threadIdx.x / 32] >> (threadIdx.x % 32) & 1) != 0);
    const uint32_t bits = __ballot_sync(ALL_LANES, used);
    if (lane == 0 && warp < SYMBOLS / 32) memory.used_bits[warp] = bits;
    __syncthreads();
    int leaf_count = 0, leaves_before = __popc(bits & ((1u << lane) - 1));
#pragma unroll
    for (int word = 0; word < SYMBOLS / 32; ++word) {
        const int count = __popc(memory.used_bits[word]);
        leaf_count += count;
        leaves_before += word < warp ? count : 0;
    }
    if (used) memory.symbols[leaves_before] = static_cast<uint8_t>(threadIdx.x);
    __syncthreads();
    for (int index = part * CodesMemory::WARPS + warp; index <= leaf_count; index += parts * CodesMemory::WARPS) {
        const int row = index == leaf_count ? SYMBOLS : memory.symbols[index];
        warp_build_row(memory, memory.sums[warp], row, leaf_count, codes, lane);
    }
}

/// Where the symbols of a block are kept, a bit each, until its ranks are written.
__device__ __forceinline__ uint32_t* known_symbols_of(const BwtBatch& batch, const Block& block) {
    return batch.ranks + block.base;
}

/// A batch's codes: the grid is a multiple of block_count, of whose ctas each block gets as many.
template <typename Shape>
__device__ __forceinline__ void cta_build_all_codes(const BwtBatch& batch, CodesMemory& memory) {
    const uint32_t parts = gridDim.x / batch.block_count;
    const uint32_t index = blockIdx.x % batch.block_count, part = blockIdx.x / batch.block_count;
    const Block block = load_block<Shape>(batch, index);
    if (block.bytes > 0 && part < parts) {
        const uint32_t* known = Shape::KNOWS_SYMBOLS ? known_symbols_of(batch, block) : nullptr;
        cta_build_codes(block, batch.codes + uint64_t{index} * CODES_PER_BLOCK, part, parts, known, memory);
    }
}

}  // namespace warpcodec::bwt_encode
