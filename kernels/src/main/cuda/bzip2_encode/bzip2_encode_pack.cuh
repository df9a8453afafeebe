// Writes the words of the symbols: a thread a group of 50, whose code is one and whose place is known.
#pragma once

#include "bzip2_encode_bits.cuh"
#include "bzip2_encode_format.cuh"

namespace warpcodec::bzip2_encode {

struct PackMemory {
    uint32_t words[WORDS_PER_CHUNK];
};

/// Ctas that a block takes.
constexpr uint32_t PACKS_PER_CHUNK = (MAX_GROUPS + PackPolicy::CTA_THREADS - 1) / PackPolicy::CTA_THREADS;

/// Cta `index` of all, PACKS_PER_CHUNK for each chunk.
__device__ __forceinline__ void cta_pack_groups(const EncodeBatch& batch, uint32_t index, PackMemory& memory) {
    const uint32_t chunk_index = index / PACKS_PER_CHUNK;
    if (chunk_index >= batch.chunk_count) return;
    const EncodeResult result = batch.results[chunk_index];
    const uint32_t symbol_count = batch.mtf_results[chunk_index].symbol_count;
    const uint32_t first = index % PACKS_PER_CHUNK * PackPolicy::CTA_THREADS;
    if (result.status != STATUS_SOUND || first * GROUP_SYMBOLS >= symbol_count ||
        symbol_count > MAX_GROUPS * GROUP_SYMBOLS)
        return;
    const Chunk chunk = load_chunk(batch, chunk_index);
    for (uint32_t i = threadIdx.x; i < WORDS_PER_CHUNK; i += PackPolicy::CTA_THREADS) {
        memory.words[i] = batch.words[uint64_t{chunk_index} * WORDS_PER_CHUNK + i];
    }
    __syncthreads();
    const uint32_t group = first + threadIdx.x;
    if (group * GROUP_SYMBOLS >= symbol_count) return;
    const uint64_t at = uint64_t{chunk_index} * MAX_GROUPS + group;
    const uint32_t* words = memory.words + min(static_cast<int>(batch.selectors[at]), MAX_CODES - 1) * MAX_ALPHABET;
    const uint16_t* symbols =
        batch.symbols + uint64_t{chunk.first_tile} * TILE_BYTES + chunk_index + group * GROUP_SYMBOLS;
    BitWriter writer(chunk.output, chunk.output_words, batch.group_bits[at]);
    const auto put = [&](uint32_t i) {
        const uint32_t word = words[min(static_cast<int>(symbols[i]), MAX_ALPHABET - 1)];
        writer.put(word & ((1u << WORD_LENGTH_AT) - 1), word >> WORD_LENGTH_AT);
    };
    const uint32_t rest = symbol_count - group * GROUP_SYMBOLS;
    if (rest < GROUP_SYMBOLS) {  // apart, since the loop below has a number of turns that the compiler knows
#pragma unroll 1
        for (uint32_t i = 0; i < rest; ++i) put(i);
    } else {
#pragma unroll 10
        for (uint32_t i = 0; i < GROUP_SYMBOLS; ++i) put(i);
    }
    writer.finish();
}

}  // namespace warpcodec::bzip2_encode
