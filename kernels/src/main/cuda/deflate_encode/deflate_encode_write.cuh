// Writes a block's bits to its slot in the scratch, one cta, and encodes a block from first to last.
//
// A turn takes four elements of tokens of each thread: their bits are counted, a scan says where each begins, and
// they are put together in shared memory by atomic or (huffman_stage.cuh). Whole words go out; the bits behind them
// begin the next turn.
#pragma once

#include "../common/alignment.cuh"
#include "../common/cta_sum.cuh"
#include "../common/group.cuh"
#include "../common/warp.cuh"
#include "../huffman/huffman_stage.cuh"
#include "deflate_encode_codes.cuh"

namespace warpcodec::deflate_encode {

using huffman::BitPosition;
using huffman::thread_put_bits;

/// All shared memory of one cta.
template <typename Policy>
struct alignas(16) EncodeMemory {
    union {
        TileMemory<Policy> tile;
        CodeMemory<Policy> codes;
    };
    ParseMemory<Policy> parse;
    Frequencies frequencies;
    Prices prices;
};

/// Bits of one token, first bit lowest.
struct TokenBits {
    uint64_t bits;
    uint32_t count;
};

template <typename Policy>
__device__ __forceinline__ TokenBits thread_token_bits(Token token, const CodeMemory<Policy>& memory) {
    const Symbol literal = token.literal_symbol();
    const Code code = memory.codes[literal.symbol];
    uint64_t bits = code.bits() | literal.extra << code.length();
    uint32_t count = code.length() + literal.extra_bits;
    if (token.is_match()) {
        const Symbol distance = token.distance_symbol();
        const Code distance_code = memory.codes[CODES_DISTANCES_AT + distance.symbol];
        bits |= static_cast<uint64_t>(distance_code.bits() | distance.extra << distance_code.length()) << count;
        count += distance_code.length() + distance.extra_bits;
    }
    return TokenBits{bits, count};
}

/// Sends out the stage's whole words to the block's slot, and moves the rest to its front. Barriers inside, one at
/// the end.
template <typename Policy>
__device__ __forceinline__ BitPosition cta_flush(BitPosition position, BitStage<Policy>& stage, uint32_t* slot) {
    const CtaGroup<Policy::CTA_THREADS> group{static_cast<int>(threadIdx.x)};
    return huffman::group_flush(group, position, stage.words,
                                [slot](uint32_t index, uint32_t word) { slot[index] = word; });
}

/// Header of a block with dynamic codes, to the stage's bit `at`.
template <typename Policy>
__device__ __forceinline__ void cta_put_dynamic_header(CodeMemory<Policy>& memory, uint32_t at, bool is_last) {
    const uint32_t i = threadIdx.x;
    uint32_t* words = memory.stage.words;
    if (i == 0) {
        const uint32_t fields = (is_last ? 1u : 0u) | deflate::BTYPE_DYNAMIC << deflate::BFINAL_BITS |
                                (memory.literal_codes - LEAST_LITERAL_CODES) << deflate::HLIT_AT |
                                (memory.distance_codes - deflate::MIN_DISTANCE_CODES) << deflate::HDIST_AT |
                                (memory.precode_codes - LEAST_PRECODE_LENGTHS) << deflate::HCLEN_AT;
        thread_put_bits(words, at, fields, HEADER_BITS + HEADER_FIELD_BITS);
    }
    at += HEADER_BITS + HEADER_FIELD_BITS;
    if (i < memory.precode_codes) {
        thread_put_bits(words, at + deflate::PRECODE_LENGTH_BITS * i,
                        memory.precode_lengths[precode_order(static_cast<int>(i))], deflate::PRECODE_LENGTH_BITS);
    }
    uint32_t bits = 0, count = 0;
    if (i < memory.run_count) {
        const uint32_t symbol = memory.runs[i] & ((1u << RUN_EXTRA_AT) - 1);
        const Code code = memory.precode[symbol];
        bits = code.bits() | static_cast<uint32_t>(memory.runs[i] >> RUN_EXTRA_AT) << code.length();
        count = code.length() + run_extra_bits(symbol);
    }
    uint32_t all;
    const uint32_t before = cta_exclusive_sum<Policy::CTA_THREADS>(count, memory.warp_sums, all);
    thread_put_bits(words, at + deflate::PRECODE_LENGTH_BITS * memory.precode_codes + before, bits, count);
}

/// Elements of tokens that are a block, without its end. Four more elements may be read behind them.
struct TokenRange {
    uint32_t first, limit;
};

/// Header, tokens and end of a block, behind what the slot has up to `position`: its last word is there, if that is
/// not whole. Answers where the block ends. A barrier at the end.
template <typename Policy>
__device__ __forceinline__ BitPosition cta_write_block(CodeMemory<Policy>& memory, const uint16_t* tokens,
                                                       const TokenRange& range, bool is_dynamic, bool is_last,
                                                       BitPosition position, uint32_t* slot) {
    BitStage<Policy>& stage = memory.stage;
    for (int i = threadIdx.x; i < BitStage<Policy>::WORDS; i += Policy::CTA_THREADS) stage.words[i] = 0;
    __syncthreads();
    if (threadIdx.x == 0 && position.stage_bits != 0)
        thread_put_bits(stage.words, 0, slot[position.words], position.stage_bits);
    if (is_dynamic) {
        cta_put_dynamic_header(memory, position.stage_bits, is_last);
    } else if (threadIdx.x == 0) {
        const uint32_t fields = (is_last ? 1u : 0u) | deflate::BTYPE_FIXED << deflate::BFINAL_BITS;
        thread_put_bits(stage.words, position.stage_bits, fields, HEADER_BITS);
    }
    position.stage_bits += is_dynamic ? memory.header_bits : HEADER_BITS;
    position = cta_flush(position, stage, slot);
    constexpr uint32_t AT_ONCE = BitStage<Policy>::ELEMENTS_AT_ONCE;
    for (uint32_t from = range.first / AT_ONCE * AT_ONCE; from < range.limit; from += Policy::CTA_THREADS * AT_ONCE) {
        const uint32_t own = from + AT_ONCE * threadIdx.x;
        TokenBits bits[AT_ONCE];
        uint32_t count = 0;
        if (own < range.limit) {
            const uint2 four = *reinterpret_cast<const uint2*>(tokens + own);
            const uint32_t elements[AT_ONCE + 1] = {four.x & 0xFFFF, four.x >> 16, four.y & 0xFFFF, four.y >> 16,
                                                    tokens[own + AT_ONCE]};
            bool is_distance = own > range.first && TokenElement::is_length(tokens[own - 1]);
#pragma unroll
            for (uint32_t k = 0; k < AT_ONCE; ++k) {
                const bool is_token = own + k >= range.first && own + k < range.limit && !is_distance;
                bits[k] = is_token ? thread_token_bits(TokenElement::token(elements[k], elements[k + 1]), memory)
                                   : TokenBits{0, 0};
                count += bits[k].count;
                is_distance = is_token && TokenElement::is_length(elements[k]);
            }
        }
        uint32_t all;
        uint32_t at = position.stage_bits + cta_exclusive_sum<Policy::CTA_THREADS>(count, memory.warp_sums, all);
        if (own < range.limit) {
#pragma unroll
            for (uint32_t k = 0; k < AT_ONCE; ++k) {
                thread_put_bits(stage.words, at, bits[k].bits, bits[k].count);
                at += bits[k].count;
            }
        }
        position.stage_bits += all;
        position = cta_flush(position, stage, slot);
    }
    const Code end = memory.codes[END_OF_BLOCK];
    if (threadIdx.x == 0) thread_put_bits(stage.words, position.stage_bits, end.bits(), end.length());
    position.stage_bits += end.length();
    position = cta_flush(position, stage, slot);
    if (threadIdx.x == 0 && position.stage_bits != 0) slot[position.words] = stage.words[0];
    return position;
}

/// A block of a raw range.
struct RawBlock {
    const uint8_t* bytes;
    int window_bytes;  ///< before it, that it may reach
    int block_bytes;  ///< at least 1
    bool is_last;  ///< of its stream

    __device__ __forceinline__ BlockRecord record(bool is_coded, const BitPosition& end) const {
        return BlockRecord{is_coded ? 32 * end.words + end.stage_bits : BlockRecord::STORED,
                           static_cast<uint32_t>(block_bytes)};
    }
};

/// Begins the counts of a block's symbols. No barrier.
template <typename Policy>
__device__ __forceinline__ void cta_begin_block(EncodeMemory<Policy>& memory) {
    for (int i = threadIdx.x; i < Frequencies::COPIES * Frequencies::COUNT; i += Policy::CTA_THREADS)
        memory.frequencies.counts[i] = 0;
    if (threadIdx.x == 0) memory.parse.way.tile_entry = 0, memory.parse.block_elements = 0;
}

/// Writes a block's tokens, which find(tile, warp, lane) has found. `tokens`, 8-byte aligned, has space for as many as
/// the block has bytes, and SLOT_SLACK_BYTES. A barrier at the end.
template <typename Policy, typename Find>
__device__ __forceinline__ void cta_parse_block(const RawBlock& block, EncodeMemory<Policy>& memory, uint16_t* tokens,
                                                Find find) {
    constexpr int TILE_BYTES = TileMemory<Policy>::TILE_BYTES;
    const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    const int price_rank =
        static_cast<int>(threadIdx.x) - ENTERING_WARPS * WARP_LANES;  // prices are set while the first warps enter
    __syncthreads();
    for (int i = threadIdx.x; i < TileMemory<Policy>::HEAD_COUNT / 2; i += Policy::CTA_THREADS)
        reinterpret_cast<uint32_t*>(memory.tile.heads)[i] = 0;
    uint32_t* short_heads = reinterpret_cast<uint32_t*>(memory.tile.short_heads);
    for (int i = threadIdx.x; i < (1 << Policy::SHORT_HEAD_BITS) / 2; i += Policy::CTA_THREADS) short_heads[i] = 0;
    cta_begin_block(memory);
    const int first_tile = -((block.window_bytes + TILE_BYTES - 1) / TILE_BYTES) * TILE_BYTES;
    Tile tile{first_tile, block.window_bytes, block.block_bytes,
              static_cast<int>(bytes_past_alignment<16>(block.bytes))};
    for (; tile.start < block.block_bytes; tile.start += TILE_BYTES) {
        __syncthreads();
        cta_load_tile(block.bytes, tile, memory.tile);
        cta_move_links<Policy>(memory.tile);
        __syncthreads();
        if (!Policy::LINKED && tile.start < 0) {
            warp_raise_heads(tile, memory.tile, warp, lane);
            continue;
        }
        warp_hash_windows(tile, memory.tile, warp, lane);
        __syncthreads();
        warp_enter_tile(tile, memory.tile, warp, lane);
        if (tile.start < 0) continue;
        if (Policy::PRICED && price_rank >= 0 && price_rank < Frequencies::COUNT)
            warp_set_prices(memory.frequencies, tile.start == 0, price_rank, memory.prices);
        __syncthreads();
        find(tile, warp, lane);
        __syncthreads();
        if (Policy::PRICED) {
            cta_drop_matches(tile, memory.tile, memory.prices);
            __syncthreads();
        }
        cta_parse_tile(tile, memory.tile, memory.parse, memory.frequencies, tokens, warp, lane);
    }
    __syncthreads();
}

/// Makes what is read behind the last tokens zeros, as if literals followed. No barrier.
template <typename Policy>
__device__ __forceinline__ void cta_end_tokens(const EncodeMemory<Policy>& memory, uint16_t* tokens) {
    constexpr uint32_t READ_BEHIND = BitStage<Policy>::ELEMENTS_AT_ONCE;
    if (threadIdx.x < READ_BEHIND) tokens[memory.parse.block_elements + threadIdx.x] = 0;
}

/// Writes a block behind what the slot has up to `position`, as dynamic or fixed, whichever is smaller, if all is no
/// more than `most_bits` then. Its frequencies are added up in the first copy. False: nothing is written. A barrier at
/// the end.
template <typename Policy>
__device__ __forceinline__ bool cta_encode_tokens(const Frequencies& frequencies, CodeMemory<Policy>& codes,
                                                  const uint16_t* tokens, const TokenRange& range, uint32_t most_bits,
                                                  bool is_last, BitPosition& position, uint32_t* slot) {
    cta_build_lengths(frequencies, codes);
    cta_cut_runs(codes);
    cta_add_up_bits(frequencies, codes);
    const bool is_dynamic = codes.dynamic_bits < codes.fixed_bits;
    const uint32_t before = 32 * position.words + position.stage_bits;
    if (before + min(codes.dynamic_bits, codes.fixed_bits) > most_bits) return false;
    if (!is_dynamic) cta_set_fixed_lengths(codes);
    cta_build_codes(codes);
    position = cta_write_block(codes, tokens, range, is_dynamic, is_last, position, slot);
    return true;
}

/// Bits of a stored block of so many bytes that begins like one of ours: with more, a block is stored.
__device__ __forceinline__ uint32_t most_coded_bits(const RawBlock& block) {
    return stored_block_end(HEADER_BITS, static_cast<uint32_t>(block.block_bytes));
}

/// Writes the bits of a block whose tokens and frequencies are there. `slot` has space for the block's bytes, rounded
/// up to 4, and SLOT_SLACK_BYTES. The record is valid in thread 0.
template <typename Policy>
__device__ __forceinline__ BlockRecord cta_finish_block(const RawBlock& block, EncodeMemory<Policy>& memory,
                                                        uint16_t* tokens, uint32_t* slot) {
    cta_end_tokens(memory, tokens);
    cta_gather_frequencies<Policy>(memory.frequencies);
    BitPosition position{0, 0};
    const bool is_coded =
        cta_encode_tokens(memory.frequencies, memory.codes, tokens, TokenRange{0, memory.parse.block_elements},
                          most_coded_bits(block), block.is_last, position, slot);
    return block.record(is_coded, position);
}

/// Encodes one block. The record is valid in thread 0.
template <typename Policy>
__device__ __forceinline__ BlockRecord cta_encode_block(const RawBlock& block, int depth, EncodeMemory<Policy>& memory,
                                                        uint16_t* tokens, uint32_t* slot) {
    cta_parse_block(block, memory, tokens, [&](const Tile& tile, int warp, int lane) {
        warp_find_windows(tile, memory.tile, memory.prices, depth, warp, lane);
    });
    return cta_finish_block(block, memory, tokens, slot);
}

/// A unit of a batch that is a block, and where its elements of scratch begin: one for each byte, and
/// SLOT_SLACK_BYTES.
struct BatchBlock {
    RawBlock raw;
    uint64_t first_element;
    bool is_block;  ///< false: the entry is not sound, or the range has no bytes

    __device__ __forceinline__ BatchBlock(const EncodeBatch& batch, uint32_t index) : raw{}, first_element(0) {
        const Unit unit = find_unit(batch, index);
        is_block = unit.is_sound && unit.block_index < unit.block_count;
        if (!is_block) return;
        const EncodeEntry& entry = batch.entries[unit.range_index];
        const uint32_t start = unit.block_index * BLOCK_BYTES;
        raw = RawBlock{batch.input + entry.range.input_offset + start,
                       static_cast<int>(min(start + entry.window_bytes, static_cast<uint32_t>(WINDOW_BYTES))),
                       static_cast<int>(min(entry.range.input_bytes - start, static_cast<uint32_t>(BLOCK_BYTES))),
                       unit.block_index + 1 == unit.block_count && entry.ending == ENDS_STREAM};
        first_element = entry.slot_offset + uint64_t{unit.block_index} * BLOCK_SLOT_BYTES;
    }
};

/// Encodes the units of a batch: this cta every gridDim.x-th.
template <typename Policy>
__device__ __forceinline__ void cta_encode_units(const EncodeBatch& batch, int depth, EncodeMemory<Policy>& memory) {
    for (uint32_t index = blockIdx.x; index < batch.unit_count; index += gridDim.x) {
        const BatchBlock block(batch, index);
        if (!block.is_block) continue;
        uint32_t* slot = reinterpret_cast<uint32_t*>(batch.slots + block.first_element);
        const BlockRecord record = cta_encode_block(block.raw, depth, memory, batch.tokens + block.first_element, slot);
        if (threadIdx.x == 0) batch.records[index] = record;
    }
}

}  // namespace warpcodec::deflate_encode
