// Writes a block's content, one cta: its literals, and its sequences (RFC 8878, section 3.1.1.3.2).
//
// Sequences are read from the last bit on, so the last one comes first. Three states go from sequence to sequence, and
// what each gives depends on all before: three lanes go through a round of sequences, a state each. Then all threads
// put together what states, lengths and offsets have, two sequences a thread. A step takes a lane some 60 clocks; that
// is most of a cta's time, and other ctas use the multiprocessor meanwhile.
#pragma once

#include "zstd_encode_literals.cuh"
#include "zstd_encode_sequences.cuh"
#include "zstd_encode_tables.cuh"
#include "zstd_encode_tree.cuh"

namespace warpcodec::zstd_encode {

/// Older readers want so many bytes from the last table's description on.
constexpr uint32_t LEAST_BYTES_FROM_DESCRIPTION = 4;

/// Takes the state of table `kind` through a round of sequences, in order of writing; one lane.
__device__ __forceinline__ void thread_go_through(int kind, uint32_t count, bool is_first, CodesMemory& memory) {
    SequenceTables& tables = memory.tables;
    const uint8_t* symbols = tables.symbols[kind];
    const fse::Change* changes = tables.changes[kind];
    const uint16_t* states = tables.states + zstd::table_at(kind);
    uint16_t* state_bits = tables.state_bits[kind];
    uint32_t state = tables.last_states[kind];
    uint32_t i = 0;
    if (is_first) {
        state = memory.sequence_tables[kind].log == 0 ? 0 : fse::first_state(changes[symbols[0]], states);
        state_bits[0] = 0;
        i = 1;
    }
    // What a symbol does is loaded while the states before it are found.
    fse::Change next = changes[symbols[i]];
    uint32_t symbol = symbols[i + 1];
#pragma unroll 4
    for (; i < count; ++i) {
        const fse::Change change = next;
        next = changes[symbol];
        symbol = symbols[i + 2];
        const uint32_t bits = (state + change.bits) >> 16;
        state_bits[i] = static_cast<uint16_t>((state & ((1u << bits) - 1)) | bits << STATE_BITS_AT);
        state = states[static_cast<int32_t>(state >> bits) + change.place];
    }
    tables.last_states[kind] = state;
}

/// Bits that are put together.
struct Bits {
    uint64_t bits;
    uint32_t count;
    __device__ __forceinline__ void add(uint32_t value, uint32_t value_bits) {
        bits |= uint64_t{value} << count;
        count += value_bits;
    }
};

/// Writes the stream of sequences.
__device__ __forceinline__ BitPosition cta_write_stream(const Sequence* sequences, uint32_t count, BitPosition position,
                                                        const Content& content, CodesMemory& memory) {
    using namespace zstd;
    SequenceTables& tables = memory.tables;
    for (uint32_t first = 0; first < count; first += ROUND_SEQUENCES) {
        Sequence own[THREAD_SEQUENCES];
#pragma unroll
        for (int k = 0; k < THREAD_SEQUENCES; ++k) {
            const uint32_t i = THREAD_SEQUENCES * threadIdx.x + k;
            own[k] = first + i < count ? sequences[count - 1 - first - i] : zstd_encode::Sequence{1, 0, 0};
            tables.symbols[LITERAL_LENGTHS][i] = static_cast<uint8_t>(literal_length_symbol(own[k].place));
            tables.symbols[OFFSETS][i] = static_cast<uint8_t>(offset_symbol(own[k].offset));
            tables.symbols[MATCH_LENGTHS][i] = static_cast<uint8_t>(match_length_symbol(own[k].more));
        }
        __syncthreads();
        const uint32_t round = min(static_cast<uint32_t>(ROUND_SEQUENCES), count - first);
        if (threadIdx.x < TABLE_KINDS) thread_go_through(threadIdx.x, round, first == 0, memory);
        __syncthreads();
        Bits parts[THREAD_SEQUENCES][2];  // of states and lengths, and of the offset
        uint32_t bits = 0;
#pragma unroll
        for (int k = 0; k < THREAD_SEQUENCES; ++k) {
            const uint32_t i = THREAD_SEQUENCES * threadIdx.x + k;
            parts[k][0] = parts[k][1] = Bits{0, 0};
            if (i >= round) continue;
            const auto add = [&](Bits& part, int kind, uint32_t value) {
                const uint32_t value_count = value_bits(kind, tables.symbols[kind][i]);
                part.add(value & ((1u << value_count) - 1), value_count);
            };
            const auto add_state = [&](Bits& part, int kind) {
                const uint32_t given = tables.state_bits[kind][i];
                part.add(given & ((1u << STATE_BITS_AT) - 1), given >> STATE_BITS_AT);
            };
            add_state(parts[k][0], OFFSETS);
            add_state(parts[k][0], MATCH_LENGTHS);
            add_state(parts[k][0], LITERAL_LENGTHS);
            add(parts[k][0], LITERAL_LENGTHS, own[k].place);
            add(parts[k][0], MATCH_LENGTHS, own[k].more);
            add(parts[k][1], OFFSETS, own[k].offset);
            bits += parts[k][0].count + parts[k][1].count;
        }
        uint32_t all;
        uint32_t at = position.stage_bits + cta_exclusive_sum<CODES_THREADS>(bits, memory.warp_sums, all);
#pragma unroll
        for (int k = 0; k < THREAD_SEQUENCES; ++k) {
#pragma unroll
            for (int part = 0; part < 2; ++part) {
                thread_put_bits(memory.stage, at, parts[k][part].bits, parts[k][part].count);
                at += parts[k][part].count;
            }
        }
        position.stage_bits += all;
        position = content.cta_flush(position, memory);
    }
    if (threadIdx.x == 0) {
        Bits last{0, 0};
        for (const int kind : {MATCH_LENGTHS, OFFSETS, LITERAL_LENGTHS}) {
            const uint32_t log = memory.sequence_tables[kind].log;
            last.add(tables.last_states[kind] & ((1u << log) - 1), log);
        }
        last.add(1, 1);
        thread_put_bits(memory.stage, position.stage_bits, last.bits, last.count);
    }
    for (int kind = 0; kind < TABLE_KINDS; ++kind) position.stage_bits += memory.sequence_tables[kind].log;
    position.stage_bits = (position.stage_bits / 8 + 1) * 8;
    return content.cta_flush(position, memory);
}

/// Writes the section of sequences. False if older readers would not read it.
__device__ __forceinline__ bool cta_write_sequences(const Sequence* sequences, uint32_t count, BitPosition& position,
                                                    const Content& content, CodesMemory& memory) {
    using namespace zstd;
    const uint32_t count_bytes = count < 128 ? 1 : 2;
    if (threadIdx.x == 0)
        thread_put_bits(memory.stage, position.stage_bits,
                        count < 128 ? count : (count >> 8) + 128 | (count & 0xFF) << 8, 8 * count_bytes);
    position.stage_bits += 8 * count_bytes;
    if (count == 0) {
        position = content.cta_flush(position, memory);
        return true;
    }
    Table* chosen = memory.sequence_tables;
    if (threadIdx.x == 0) {
        thread_put_bits(memory.stage, position.stage_bits,
                        chosen[LITERAL_LENGTHS].mode << 6 | chosen[OFFSETS].mode << 4 | chosen[MATCH_LENGTHS].mode << 2,
                        8);
    }
    position.stage_bits += 8;
    uint32_t last_description = ~0u;
    for (int kind = 0; kind < TABLE_KINDS; ++kind) {
        if (chosen[kind].mode == MODE_DESCRIBED) last_description = 4 * position.words + position.stage_bits / 8;
        position = cta_put_bytes(chosen[kind].description, chosen[kind].bytes, position, content, memory);
    }
    position = cta_write_stream(sequences, count, position, content, memory);
    const uint32_t bytes = 4 * position.words + position.stage_bits / 8;
    return last_description == ~0u || bytes - last_description >= LEAST_BYTES_FROM_DESCRIPTION;
}

/// Nothing is counted.
__device__ __forceinline__ void cta_clear_counts(CodesMemory& memory) {
    uint32_t* counts = &memory.counts[0][0];
    for (int i = threadIdx.x; i < TABLE_KINDS * fse::MAX_SYMBOLS; i += CODES_THREADS) counts[i] = 0;
}

/// Sequences with their values, and literals, that become a block.
struct BlockContent {
    const Sequence* sequences;
    uint32_t sequence_count;
    const uint8_t* literals;
    uint32_t literal_count;
};

/// Writes a block's content behind `position`; the sequences' symbols were counted. False if older readers would not
/// read it.
__device__ __forceinline__ bool cta_write_content(const BlockContent& block, BitPosition& position,
                                                  const Content& content, CodesMemory& memory) {
    const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    // what has not gone out yet lies where the tree is built
    const uint32_t carried = threadIdx.x == 0 && position.stage_bits != 0 ? memory.stage[0] : 0;
    __syncthreads();
    for (int i = threadIdx.x; i < static_cast<int>(LITERAL_SYMBOLS); i += CODES_THREADS) memory.literal_counts[i] = 0;
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < block.literal_count; i += CODES_THREADS)
        atomicAdd(&memory.literal_counts[block.literals[i]], 1u);
    __syncthreads();
    const LiteralPlan plan = cta_plan_literals(block.literals, block.literal_count, memory);
    __syncthreads();
    if (block.sequence_count != 0 && warp < TABLE_KINDS) {
        warp_choose_table(warp, block.sequence_count, memory, lane);
        warp_make_table(warp, memory, lane);
    }
    for (int i = threadIdx.x; i < STAGE_WORDS; i += CODES_THREADS) memory.stage[i] = i == 0 ? carried : 0;
    __syncthreads();
    position = cta_write_literals(plan, block.literals, block.literal_count, position, content, memory);
    return cta_write_sequences(block.sequences, block.sequence_count, position, content, memory);
}

/// Writes what has not gone out yet.
__device__ __forceinline__ void thread_write_rest(BitPosition position, const Content& content,
                                                  const CodesMemory& memory) {
    if (position.stage_bits != 0 && position.words < content.limit) content.words[position.words] = memory.stage[0];
}

__device__ __forceinline__ uint32_t bytes_of(BitPosition position) {
    return 4 * position.words + position.stage_bits / 8;
}

}  // namespace warpcodec::zstd_encode
