// The keys of the first sort, and how many symbols a key holds.
//
// A rotation's key begins with its first symbol's word, in the code where the symbol before is not known. The words
// of all following symbols come next, each in the code of the symbol before it. The key is the first KEY_BITS of that,
// 44 of a block's.
// From its second symbol on a rotation's bits are a stretch of the block's bits, the same for all. So a cta writes
// the bits of a tile of positions, and of the 64 behind it, into shared memory. Each position takes the rest of its
// bits from where its second symbol's word begins. A word has a bit at least, so KEY_BITS symbols behind the tile are
// the most that a key can reach. The text is a circle.
//
// Keys that are equal hold the same whole symbols, since words are prefix-free; a word that is cut counts for the
// comparison, not as a symbol that is shared. How many there are stands in one byte a position, KEY_BITS + 1 at most.
//
// Reads a byte and a word of code a position (L1 holds what a text uses of the table); writes 9 bytes. The digits of
// the first pass are counted on the way.
#pragma once

#include "../sort/sort_count.cuh"
#include "../sort/sort_scan.cuh"
#include "bwt_encode_codes.cuh"

namespace warpcodec::bwt_encode {

constexpr int KEY_REACH = 64;
constexpr int KEY_WORDS_PER_THREAD =
    (TILE_ROTATIONS + KEY_REACH + KeysPolicy::CTA_THREADS - 1) / KeysPolicy::CTA_THREADS;
static_assert((TILE_ROTATIONS + KEY_REACH) * MAX_CODE_BITS < 1u << 16, "offsets have 16 bits");
static_assert(KeysPolicy::CTA_THREADS == sort::SortPolicy::CTA_THREADS,
              "counts are cleared and stored by the threads of a sort's cta");

template <typename Shape>
struct KeysMemory {
    static_assert(KEY_REACH >= Shape::KEY_BITS + 1, "a key may end so many symbols behind the tile");
    static constexpr int CODED = TILE_ROTATIONS + KEY_REACH;
    uint32_t bits[CODED * MAX_CODE_BITS / 32 + 3];  ///< highest bit first
    uint16_t offsets[CODED + 1];  ///< where the word of each position begins
    uint16_t first_words[SYMBOLS];
    uint8_t text[CODED + 4];  ///< from one before the tile on
    sort::CountMemory<Shape::WIDE_DIGIT_BITS> digits;
    uint32_t warp_sums[WARP_LANES];
};

/// Writes the words of `coded` positions, and where they begin.
template <typename Shape>
__device__ __forceinline__ void cta_write_words(const uint16_t* codes, uint32_t coded, KeysMemory<Shape>& memory) {
    uint32_t words[KEY_WORDS_PER_THREAD];
    uint32_t length = 0;
    const uint32_t first = threadIdx.x * KEY_WORDS_PER_THREAD;
#pragma unroll
    for (int i = 0; i < KEY_WORDS_PER_THREAD; ++i) {
        const uint32_t at = first + i;
        words[i] = at < coded ? __ldg(codes + memory.text[at] * SYMBOLS + memory.text[at + 1]) : 0;
        length += word_length(words[i]);
    }
    uint32_t offset = sort::cta_exclusive_sum<KeysPolicy::CTA_THREADS>(length, memory.warp_sums);
    uint32_t* to = memory.bits + offset / 32;
    uint32_t held = offset % 32;
    uint64_t bits = 0;
#pragma unroll
    for (int i = 0; i < KEY_WORDS_PER_THREAD; ++i) {
        if (first + i > coded) break;
        memory.offsets[first + i] = static_cast<uint16_t>(offset);
        const uint32_t word = word_bits(words[i]), word_size = word_length(words[i]);
        offset += word_size;
        bits |= uint64_t{word} << (64 - held - word_size) % 64;  // a word of no bits is 0
        held += word_size;
        if (held >= 32) {
            atomicOr(to++, static_cast<uint32_t>(bits >> 32));
            bits <<= 32;
            held -= 32;
        }
    }
    if (bits != 0) atomicOr(to, static_cast<uint32_t>(bits >> 32));
}

/// Whole symbols in the key of the position at `at` of the tile: its own, and those behind it whose words end before
/// bit `limit`.
template <typename Shape>
__device__ __forceinline__ uint32_t thread_count_shared(const uint16_t* offsets, uint32_t at, uint32_t limit) {
    uint32_t symbols = 0;
#pragma unroll
    for (uint32_t step = 32; step > 0; step /= 2) {
        const uint32_t more = symbols + step;
        if (more <= Shape::KEY_BITS && offsets[at + 1 + more] <= limit) symbols = more;
    }
    return 1 + symbols;
}

/// The keys of one tile of a block: tile.begin is its first place.
template <typename Shape>
__device__ __forceinline__ void cta_make_keys(const Block& block, const sort::Tile& tile, const uint16_t* codes,
                                              uint64_t* keys, uint8_t* shared, KeysMemory<Shape>& memory) {
    const uint32_t begin = tile.begin - block.base;
    const uint32_t coded = tile.count + KEY_REACH;
    for (uint32_t at = threadIdx.x; at <= coded; at += KeysPolicy::CTA_THREADS) {
        const uint32_t position = begin + at + block.bytes - 1;  // one before, on the circle
        memory.text[at] = block.text[position % block.bytes];
    }
    for (int i = threadIdx.x; i < static_cast<int>(sizeof(memory.bits) / 4); i += KeysPolicy::CTA_THREADS)
        memory.bits[i] = 0;
    for (int i = threadIdx.x; i < SYMBOLS; i += KeysPolicy::CTA_THREADS)
        memory.first_words[i] = codes[SYMBOLS * SYMBOLS + i];
    __syncthreads();
    cta_write_words(codes, coded, memory);
    __syncthreads();
#pragma unroll 2
    for (uint32_t at = threadIdx.x; at < tile.count; at += KeysPolicy::CTA_THREADS) {
        const uint32_t word = memory.first_words[memory.text[at + 1]];
        const uint32_t length = word_length(word);
        const uint32_t offset = memory.offsets[at + 1];
        const uint32_t* from = memory.bits + offset / 32;
        const uint64_t rest =
            uint64_t{__funnelshift_l(from[1], from[0], offset)} << 32 | __funnelshift_l(from[2], from[1], offset);
        const uint64_t key = uint64_t{word_bits(word)} << (64 - length) |
                             (rest >> length & ~uint64_t{Shape::POSITION_MASK}) | (begin + at);
        keys[tile.begin + at] = key;
        shared[tile.begin + at] =
            static_cast<uint8_t>(thread_count_shared<Shape>(memory.offsets, at, offset + Shape::KEY_BITS - length));
        atomicAdd(&memory.digits.counts[sort::digit_of<Shape::WIDE_DIGIT_BITS>(key, Shape::POSITION_BITS)], 1u);
    }
}

/// The keys of all blocks, and the histograms of the first pass.
template <typename Shape>
__device__ __forceinline__ void cta_make_all_keys(const BwtBatch& batch, KeysMemory<Shape>& memory) {
    const Round round(batch, Shape::MAX_ROUNDS);
    const sort::SortBatch segments = segments_of(batch, round);
    for (uint32_t index = blockIdx.x; index < batch.tile_count; index += gridDim.x) {
        const uint32_t block_index = batch.tile_blocks[index];
        const Block block = load_block<Shape>(batch, block_index);
        const sort::Tile tile = sort::load_tile(segments, index);
        sort::cta_clear_counts(memory.digits);
        __syncthreads();
        if (tile.count > 0) {
            cta_make_keys(block, tile, batch.codes + uint64_t{block_index} * CODES_PER_BLOCK, batch.keys_a,
                          reinterpret_cast<uint8_t*>(batch.shared_b), memory);
            __syncthreads();
        }
        sort::cta_store_counts(memory.digits, batch.histograms, index);
        __syncthreads();
    }
}

}  // namespace warpcodec::bwt_encode
