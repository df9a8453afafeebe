// Shared memory of a cta that codes a block.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"
#include "../fse/fse_encode.cuh"
#include "../huffman/huffman_build.cuh"
#include "../huffman/huffman_stage.cuh"
#include "../zstd/zstd_symbols.cuh"
#include "../zstd/zstd_tree.cuh"
#include "zstd_encode_format.cuh"
#include "zstd_encode_policy.cuh"

namespace warpcodec::zstd_encode {

using zstd::LITERAL_SYMBOLS;
using zstd::MAX_TREE_BITS;
using zstd::TABLE_KINDS;

constexpr int CODES_THREADS = CodesPolicy::CTA_THREADS;
constexpr int CODES_WARPS = CODES_THREADS / WARP_LANES;
static_assert(CODES_WARPS > TABLE_KINDS, "a warp for each table, and one for the tree");

/// Sequences that are coded together, two a thread.
constexpr int THREAD_SEQUENCES = 2;
constexpr int ROUND_SEQUENCES = THREAD_SEQUENCES * CODES_THREADS;
/// Bits of a sequence: those of three states, two lengths and an offset.
constexpr int MAX_SEQUENCE_BITS = 9 + 8 + 9 + 16 + 16 + 23;
/// Literals of a thread that are coded together.
constexpr int THREAD_LITERALS = 8;

/// Bits that were gathered before they go out.
constexpr int STAGE_WORDS = ROUND_SEQUENCES * MAX_SEQUENCE_BITS / 32 + 8;
static_assert(STAGE_WORDS * 32 >= CODES_THREADS * THREAD_LITERALS * static_cast<int>(MAX_TREE_BITS) + 256);

/// How sequences have one of their tables.
struct Table {
    uint32_t mode;  ///< a zstd::TableMode
    uint32_t log;  ///< 0 where all sequences have one symbol
    uint32_t bytes;  ///< of its description
    uint8_t description[fse::MAX_DESCRIPTION_BYTES];
};

/// The code of a literal: its word, and from bit LENGTH_AT on how many bits it has.
struct LiteralCode {
    static constexpr int LENGTH_AT = 11;
    uint16_t packed;
    __device__ __forceinline__ uint32_t word() const { return packed & ((1u << LENGTH_AT) - 1); }
    __device__ __forceinline__ uint32_t length() const { return packed >> LENGTH_AT; }
};
static_assert(MAX_TREE_BITS <= LiteralCode::LENGTH_AT && MAX_TREE_BITS < 1u << (16 - LiteralCode::LENGTH_AT));

/// Symbols behind those of a round, which are loaded and not used.
constexpr int SYMBOLS_READ_BEHIND = 4;

/// While sequences are coded.
struct SequenceTables {
    uint16_t states[zstd::TABLE_STATES];  ///< each table's from zstd::table_at on
    fse::Change changes[TABLE_KINDS][fse::MAX_SYMBOLS];
    uint8_t symbols[TABLE_KINDS][ROUND_SEQUENCES + SYMBOLS_READ_BEHIND];
    uint16_t state_bits[TABLE_KINDS][ROUND_SEQUENCES];  ///< what a state gives; from STATE_BITS_AT on how many bits
    uint32_t last_states[TABLE_KINDS];
};
constexpr int STATE_BITS_AT = 12;

struct CodesMemory {
    union {
        huffman::BuildScratch<LITERAL_SYMBOLS, MAX_TREE_BITS> build;
        struct {
            SequenceTables tables;
            uint32_t stage[STAGE_WORDS];
        };
    };
    union {
        uint32_t literal_counts[LITERAL_SYMBOLS];
        fse::TableScratch<zstd::MAX_TABLE_LOG> making[CODES_WARPS];
    };
    uint32_t counts[TABLE_KINDS][fse::MAX_SYMBOLS];  ///< of the sequences' symbols
    fse::Counts normalized[CODES_WARPS];
    LiteralCode codes[LITERAL_SYMBOLS];
    uint8_t lengths[LITERAL_SYMBOLS];
    Table sequence_tables[TABLE_KINDS];
    uint32_t weight_counts[fse::MAX_SYMBOLS];
    uint8_t tree[128 + fse::MAX_DESCRIPTION_BYTES];  ///< description of the literals' code
    uint32_t tree_bytes;  ///< 0: there is none, and the literals stay as they are
    uint32_t warp_sums[CODES_WARPS];
    uint32_t stream_bits[4];
    // of parts: the first sequences, the number of all behind them; and their bytes
    uint32_t part_begins[MOST_PARTS + 1], part_bytes[MOST_PARTS];
    // while sequences are merged
    uint32_t last_offset, last_end, sequence_count, last_change;
};

}  // namespace warpcodec::zstd_encode
