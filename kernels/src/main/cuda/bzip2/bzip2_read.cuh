// Reads the symbols of a block whose groups are found: a thread for each group.
#pragma once

#include <cstdint>

#include "../common/status.cuh"
#include "bzip2_bits.cuh"
#include "bzip2_scratch.cuh"
#include "bzip2_tables.cuh"

namespace warpcodec::bzip2 {

constexpr int READ_CTA_THREADS = DecodePolicy::READ_CTA_THREADS;
constexpr uint32_t STRIP_GROUPS = READ_CTA_THREADS;

/// Ctas that read the symbols of a text of so many bytes.
__host__ __device__ constexpr uint32_t read_strips(uint32_t slot_bytes) {
    return (slot_bytes / GROUP_SYMBOLS + 2 + STRIP_GROUPS - 1) / STRIP_GROUPS;
}

constexpr uint32_t GROUP_PAIRS = GROUP_SYMBOLS / 2;

/// Shared memory of the cta: the tables, and for each warp the symbols of its groups in pairs, so that they are
/// written in order. Pair k of lane l is at 33 k + l: neither lanes that write a pair nor lanes that read a group's
/// meet in a bank.
struct ReadScratch {
    CodeTables tables;
    uint32_t pairs[READ_CTA_THREADS / WARP_LANES][GROUP_PAIRS * (WARP_LANES + 1)];

    static __device__ __forceinline__ uint32_t at(uint32_t pair, uint32_t lane) {
        return pair * (WARP_LANES + 1) + lane;
    }
};
static_assert(sizeof(ReadScratch) <= 48 * 1024, "static shared memory ends at 48 KiB");

/// Reads one group. In the last one the end-of-block symbol must end with the block's bits; in no other one it may be.
__device__ inline uint32_t thread_read_group(const BlockView& block, const CodeTables& s_tables, uint32_t group,
                                             bool last, uint32_t* s_pairs, int lane) {
    const Record& record = *block.record;
    const uint32_t code = __ldg(block.selectors + group);
    if (code >= record.code_count) return STATUS_BAD_HEADER;
    const uint16_t* lookup = s_tables.lookup[code];
    BitReader in(BitWords{block.bits, block.bits_bytes}, block.scratch.groups[group]);
    const uint32_t end_of_block = record.alphabet - 1;
    uint32_t pair = 0;
    for (uint32_t k = 0; k < GROUP_SYMBOLS; ++k) {
        const uint32_t bits = in.peek();
        const uint32_t entry = lookup[bits >> (32 - DecodePolicy::LOOKUP_BITS)];
        uint32_t length = entry & LENGTH_MASK;
        uint32_t symbol = entry >> SYMBOL_SHIFT;
        if (entry == 0) {
            const uint32_t top = bits >> (32 - MAX_CODE_BITS);
            length = long_word_length(s_tables.bound[code], top);
            if (length > MAX_CODE_BITS) return STATUS_BAD_SYMBOL;
            symbol = word_symbol(s_tables, code, top, length);
        }
        in.skip(length);
        if (symbol == end_of_block) {
            if (!last || in.bit != record.limit_bit) return STATUS_BAD_END;
            s_pairs[ReadScratch::at(k / 2, lane)] = pair;
            block.scratch.state->symbol_count = group * GROUP_SYMBOLS + k;
            return STATUS_SOUND;
        }
        if (k % 2 == 0) {
            pair = symbol;
        } else {
            s_pairs[ReadScratch::at(k / 2, lane)] = pair | symbol << 16;
        }
    }
    return last ? STATUS_TRUNCATED : STATUS_SOUND;
}
static_assert(GROUP_SYMBOLS % 2 == 0, "symbols are written in pairs");

/// Reads a strip of groups; a cta.
__device__ inline void cta_read_strip(const BlockView& block, uint32_t strip, ReadScratch& s) {
    const uint32_t count = block.scratch.state->group_count;
    if (strip * STRIP_GROUPS >= count) return;
    const uint4* from = reinterpret_cast<const uint4*>(block.scratch.tables);
    uint4* to = reinterpret_cast<uint4*>(&s.tables);
    for (uint32_t at = threadIdx.x; at < sizeof(CodeTables) / 16; at += blockDim.x) to[at] = from[at];
    __syncthreads();
    const uint32_t lane = threadIdx.x % WARP_LANES;
    const uint32_t first = strip * STRIP_GROUPS + threadIdx.x - lane;
    const uint32_t group = first + lane;
    uint32_t* s_pairs = s.pairs[threadIdx.x / WARP_LANES];
    if (group < count) {
        const uint32_t status = thread_read_group(block, s.tables, group, group + 1 == count, s_pairs, lane);
        if (status != STATUS_SOUND) block.scratch.state->status = status;
    }
    __syncwarp();
    // Behind the end of a block or a defect stands what was there before: nothing looks at it.
    uint32_t* symbols = reinterpret_cast<uint32_t*>(block.scratch.symbols) + uint64_t{first} * GROUP_PAIRS;
    const uint32_t pairs = first < count ? min(count - first, static_cast<uint32_t>(WARP_LANES)) * GROUP_PAIRS : 0;
    for (uint32_t at = lane; at < pairs; at += WARP_LANES)
        symbols[at] = s_pairs[ReadScratch::at(at % GROUP_PAIRS, at / GROUP_PAIRS)];
}

}  // namespace warpcodec::bzip2
