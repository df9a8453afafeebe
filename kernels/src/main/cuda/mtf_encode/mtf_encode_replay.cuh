// Goes through each chunk with the list in front of it, and writes the block's symbols. A warp a chunk.
//
// Eight bytes of the alphabet belong to each lane, which holds where they occurred last; words of 32 bytes of which
// the block uses none are passed over. The place of a head is the number of bytes that have occurred since it did: a
// ballot for each word. Heads of a chunk follow each other, so a warp's work is a chain, 80 clocks a head, of which a
// multiprocessor has 64 side by side. Zeros cost nothing: they change the list's places, but not its order.
//
// Then each head writes the digits of the zeros before it and itself, all heads of 32 bytes at once.
#pragma once

#include "mtf_encode_lists.cuh"

namespace warpcodec::mtf_encode {

struct ReplayMemory {
    int32_t last[MtfPolicy::CTA_THREADS / WARP_LANES][BYTES];
};

constexpr int WORDS_PER_LANE = BYTES / WARP_LANES;

/// Writes the digits of a run, `symbols` from its first on.
__device__ __forceinline__ void thread_write_run(uint16_t* symbols, uint32_t zeros, uint32_t digits) {
    for (uint32_t digit = 0; digit < digits; ++digit) symbols[digit] = static_cast<uint16_t>(run_digit(zeros, digit));
}

/// Behind the block's last head: the rest of its zeros, and its end.
__device__ __forceinline__ void warp_write_end(const MtfResult& result, uint16_t* symbols, uint32_t zeros, int lane) {
    const uint32_t digits = run_digits(zeros);
    if (digits >= result.symbol_count) return;
    uint16_t* end = symbols + result.symbol_count - 1;
    if (lane < static_cast<int>(digits)) (end - digits)[lane] = static_cast<uint16_t>(run_digit(zeros, lane));
    if (lane == 0) *end = static_cast<uint16_t>(result.bytes_in_use + 1);
}

__device__ __forceinline__ void warp_replay_chunk(const MtfBatch& batch, uint32_t chunk, int32_t* last, int lane) {
    const uint32_t block_index = batch.tile_blocks[chunk / CHUNKS_PER_TILE];
    const bwt_encode::Block block = load_column(batch, block_index);
    const uint32_t begin = chunk * CHUNK_SYMBOLS - block.base;
    if (begin >= block.bytes) return;
    const uint32_t limit = min(block.bytes, begin + CHUNK_SYMBOLS);
    const MtfResult& result = batch.results[block_index];
    uint16_t* const block_symbols = batch.symbols + symbols_offset(block, block_index);
    const ChunkInfo info = batch.infos[chunk];
    int32_t lasts[WORDS_PER_LANE];
    uint32_t words = 0;  // of which the block uses bytes
#pragma unroll
    for (int word = 0; word < WORDS_PER_LANE; ++word) {
        lasts[word] = batch.lasts[uint64_t{chunk} * BYTES + word * WARP_LANES + lane];
        last[word * WARP_LANES + lane] = lasts[word];
        words |= (result.used_bits[word] != 0 ? 1u : 0u) << word;
    }
    __syncwarp();
    const bool starts_with_head = begin == 0 && result.starts_with_head != 0;
    uint16_t* symbols = block_symbols + info.symbols - (starts_with_head ? 1 : 0);
    int32_t head_before = starts_with_head ? -1 : info.head_before;
    for (uint32_t window = begin; window < limit; window += WARP_LANES) {
        const uint32_t at = window + lane;
        const bool there = at < limit;
        const uint32_t byte = there ? block.text[at] : 0;
        uint32_t before = __shfl_up_sync(ALL_LANES, byte, 1);
        if (lane == 0 && window > 0) before = block.text[window - 1];
        const bool head = there && (at > 0 ? byte != before : starts_with_head);
        const uint32_t heads = __ballot_sync(ALL_LANES, head);
        uint32_t place = 0;
        for (uint32_t rest = heads; rest != 0; rest &= rest - 1) {
            const int turn = __ffs(static_cast<int>(rest)) - 1;
            const uint32_t moved = __shfl_sync(ALL_LANES, byte, turn);
            const int32_t then = last[moved];
            const int32_t now = static_cast<int32_t>(window) + turn;
            uint32_t later = 0;
#pragma unroll
            for (int word = 0; word < WORDS_PER_LANE; ++word) {
                if ((words >> word & 1) == 0) continue;
                later += __popc(__ballot_sync(ALL_LANES, lasts[word] > then));
                if (moved == static_cast<uint32_t>(word * WARP_LANES + lane)) lasts[word] = now;
            }
            __syncwarp();
            if (lane == turn) {
                place = later;
                last[moved] = now;
            }
            __syncwarp();
        }
        if (heads == 0) continue;
        const uint32_t lower = heads & ((1u << lane) - 1);
        const int32_t mine_before =
            lower != 0 ? static_cast<int32_t>(window) + 31 - __clz(static_cast<int>(lower)) : head_before;
        const uint32_t zeros = head ? static_cast<uint32_t>(static_cast<int32_t>(at) - mine_before - 1) : 0;
        const uint32_t digits = head ? run_digits(zeros) : 0;
        const uint32_t own = head ? digits + 1 : 0;
        const uint32_t inclusive = warp_inclusive_sum(own, lane);
        uint16_t* to = symbols + (inclusive - own);
        if (head && own <= 32 && to >= block_symbols && to + own <= block_symbols + result.symbol_count) {
            thread_write_run(to, zeros, digits);
            to[digits] = static_cast<uint16_t>(place + 1);
        }
        symbols += __shfl_sync(ALL_LANES, inclusive, WARP_LANES - 1);
        head_before = static_cast<int32_t>(window) + 31 - __clz(static_cast<int>(heads));
    }
    if (limit == block.bytes) warp_write_end(result, block_symbols, block.bytes - 1 - head_before, lane);
    __syncwarp();
}

}  // namespace warpcodec::mtf_encode
