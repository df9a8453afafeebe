// The prefix code of a block's literals, one cta, and its description (RFC 8878, section 4.2.1), one warp.
//
// Code lengths are optimal within 11 bits (huffman_build.cuh). A code's word is what the codes that are longer, or as
// long and of smaller symbols, use up of the space of 11 bits.
//
// Described are weights: one more than a code is shorter than the longest, 0 for no code. The last symbol's follows
// from the others. They are coded by FSE with two states in turn, or stand there with four bits each, whichever is
// shorter. More than 128 have to be coded, which takes two different ones; else literals stay as they are.
#pragma once

#include "../common/group.cuh"
#include "zstd_encode_memory.cuh"

namespace warpcodec::zstd_encode {

constexpr uint32_t MOST_DIRECT_WEIGHTS = 128;
constexpr uint32_t DIRECT_HEADER = 127;  ///< less one, and above it the number of weights
constexpr uint32_t MOST_CODED_BYTES = 127;

/// Lengths and words of the literals' code. Its literals are at least two different ones.
__device__ __forceinline__ void cta_build_tree(CodesMemory& memory) {
    const CtaGroup<CODES_THREADS> group{static_cast<int>(threadIdx.x)};
    huffman::group_build_lengths(group, memory.literal_counts, LITERAL_SYMBOLS, MAX_TREE_BITS, memory.lengths,
                                 memory.build);
    for (int symbol = threadIdx.x; symbol < static_cast<int>(LITERAL_SYMBOLS); symbol += CODES_THREADS) {
        const uint32_t length = memory.lengths[symbol];
        uint32_t used = 0;
#pragma unroll 4
        for (int other = 0; other < static_cast<int>(LITERAL_SYMBOLS); ++other) {
            const uint32_t other_length = memory.lengths[other];
            const bool before = other_length > length || (other_length == length && other < symbol);
            used += before && other_length != 0 ? 1u << (MAX_TREE_BITS - other_length) : 0;
        }
        memory.codes[symbol] = LiteralCode{static_cast<uint16_t>(
            length == 0 ? 0 : used >> (MAX_TREE_BITS - length) | length << LiteralCode::LENGTH_AT)};
    }
    __syncthreads();
}

/// Writes weights coded by FSE behind the header's byte. Answers how many bytes they take; more than MOST_CODED_BYTES
/// if they cannot be coded.
__device__ __forceinline__ uint32_t thread_code_weights(const uint8_t* weights, uint32_t count, uint32_t log,
                                                        uint32_t described_bytes, const fse::Change* changes,
                                                        const uint16_t* states, uint8_t* bytes) {
    uint32_t at = described_bytes;
    uint32_t bits = 0, bit_count = 0;
    const auto put = [&](uint32_t value, uint32_t value_bits) {
        bits |= value << bit_count;
        bit_count += value_bits;
        for (; bit_count >= 8; bit_count -= 8, bits >>= 8) {
            if (at < MOST_CODED_BYTES) bytes[at] = static_cast<uint8_t>(bits);
            ++at;
        }
    };
    uint32_t state[2];
    state[(count - 1) % 2] = fse::first_state(changes[weights[count - 1]], states);
    state[(count - 2) % 2] = fse::first_state(changes[weights[count - 2]], states);
    for (uint32_t i = count - 2; i-- > 0;) {
        const fse::Change change = changes[weights[i]];
        uint32_t& own = state[i % 2];
        const uint32_t own_bits = (own + change.bits) >> 16;
        put(own & ((1u << own_bits) - 1), own_bits);
        own = states[static_cast<int32_t>(own >> own_bits) + change.place];
    }
    put(state[1] & ((1u << log) - 1), log);
    put(state[0] & ((1u << log) - 1), log);
    put(1, 1);
    if (bit_count != 0) put(0, 8 - bit_count);
    return at;
}

/// Shared memory while a tree is described.
struct WeightsMemory {
    fse::Change changes[fse::MAX_SYMBOLS];
    uint16_t states[1 << zstd::MAX_WEIGHT_LOG];
    uint8_t weights[LITERAL_SYMBOLS];
};

/// Describes the tree. `scratch` may lie where the tree was built.
__device__ __forceinline__ void warp_describe_tree(CodesMemory& memory, WeightsMemory& scratch, int lane) {
    constexpr int WARP = TABLE_KINDS;  // whose scratch is used
    uint32_t longest = 0, last = 0;
    for (int first = 0; first < static_cast<int>(LITERAL_SYMBOLS); first += WARP_LANES) {
        const uint32_t length = memory.lengths[first + lane];
        longest = max(longest, length);
        const uint32_t users = __ballot_sync(ALL_LANES, length != 0);
        if (users != 0) last = static_cast<uint32_t>(first) + 31 - __clz(static_cast<int>(users));
    }
    longest = fse::warp_greatest(longest);
    const uint32_t count = last;  // the last symbol's weight is not described
    for (int symbol = lane; symbol < fse::MAX_SYMBOLS; symbol += WARP_LANES) memory.weight_counts[symbol] = 0;
    __syncwarp();
    for (uint32_t symbol = lane; symbol < count; symbol += WARP_LANES) {
        const uint32_t length = memory.lengths[symbol];
        const uint32_t weight = length == 0 ? 0 : longest + 1 - length;
        scratch.weights[symbol] = static_cast<uint8_t>(weight);
        atomicAdd(&memory.weight_counts[weight], 1u);
    }
    __syncwarp();
    const uint32_t used = __popc(__ballot_sync(ALL_LANES, memory.weight_counts[lane] != 0));
    const uint32_t direct_bytes = count <= MOST_DIRECT_WEIGHTS ? (count + 1) / 2 : ~0u;
    uint32_t coded_bytes = ~0u;
    if (used >= 2 && count >= 3) {
        const uint32_t log = fse::table_log(count, used, zstd::MAX_WEIGHT_LOG);
        fse::warp_normalize(memory.weight_counts, count, log, memory.normalized[WARP], lane);
        fse::warp_make_changes(memory.normalized[WARP], log, memory.making[WARP], scratch.changes, scratch.states,
                               lane);
        if (lane == 0) {
            const uint32_t described = fse::thread_describe(memory.normalized[WARP], log, memory.tree + 1);
            coded_bytes = thread_code_weights(scratch.weights, count, log, described, scratch.changes, scratch.states,
                                              memory.tree + 1);
            if (coded_bytes > MOST_CODED_BYTES) coded_bytes = ~0u;
        }
        coded_bytes = __shfl_sync(ALL_LANES, coded_bytes, 0);
    }
    const bool is_direct = direct_bytes <= coded_bytes && direct_bytes != ~0u;
    if (is_direct) {
        for (uint32_t pair = lane; pair < direct_bytes; pair += WARP_LANES) {
            const uint32_t second = 2 * pair + 1 < count ? scratch.weights[2 * pair + 1] : 0;
            memory.tree[1 + pair] = static_cast<uint8_t>(scratch.weights[2 * pair] << 4 | second);
        }
    }
    if (lane == 0) {
        memory.tree_bytes = is_direct ? 1 + direct_bytes : coded_bytes == ~0u ? 0 : 1 + coded_bytes;
        memory.tree[0] = static_cast<uint8_t>(is_direct ? DIRECT_HEADER + count : coded_bytes);
    }
    __syncwarp();
}

}  // namespace warpcodec::zstd_encode
