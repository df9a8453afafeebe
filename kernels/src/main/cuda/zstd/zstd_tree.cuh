// The prefix code of literals (RFC 8878, section 4.2.1): a warp reads its description and makes a look-up.
//
// A symbol of weight w has 2^(w - 1) entries of the look-up, side by side; symbols of less weight come first, then
// those of smaller value. So an entry's symbol follows from where the entries of each weight begin.
//
// Weights stand there as they are, or coded by FSE with two states in turn. The latter are a chain of up to 255 steps,
// which one lane goes.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"
#include "../fse/fse_counts.cuh"
#include "../fse/fse_table.cuh"
#include "../huffman/huffman_code.cuh"
#include "zstd_bits.cuh"

namespace warpcodec::zstd {

constexpr uint32_t MAX_TREE_BITS = 11;
constexpr uint32_t MAX_WEIGHT = MAX_TREE_BITS + 1;
constexpr uint32_t MAX_WEIGHT_LOG = 6;
constexpr uint32_t LITERAL_SYMBOLS = 256;
constexpr uint32_t FIRST_DIRECT_HEADER = 128;

/// A code's look-up, and what a warp needs to make it; in shared memory.
struct TreeScratch {
    uint16_t lookup[1 << MAX_TREE_BITS];  ///< by the next bits: symbol, and above it how many bits are its own
    uint8_t weights[LITERAL_SYMBOLS];
    uint8_t ordered[LITERAL_SYMBOLS];  ///< symbols by weight, then by value
    uint16_t starts[16];  ///< first entry of each weight
    uint16_t firsts[16];  ///< first of `ordered` of each weight
    uint16_t counters[16];
    fse::Counts counts;
    fse::TableScratch<MAX_WEIGHT_LOG> making;
    uint32_t states[1 << MAX_WEIGHT_LOG];  ///< symbol, from bit 8 on bits, from bit 16 on what they are added to
};

constexpr uint32_t ENTRY_BITS_AT = 8;

/// Reads weights that FSE has coded in the bytes [at, limit): how many; 0 if they are wrong.
__device__ __forceinline__ uint32_t warp_read_weights(const uint8_t* bytes, uint32_t at, uint32_t limit,
                                                      TreeScratch& scratch, int lane) {
    for (int symbol = lane; symbol < fse::MAX_SYMBOLS; symbol += WARP_LANES) scratch.counts.of[symbol] = 0;
    __syncwarp();
    fse::Description described;
    if (lane == 0) described = fse::thread_read_counts(bytes, at, limit, MAX_WEIGHT, MAX_WEIGHT_LOG, &scratch.counts);
    __syncwarp();
    const uint32_t log = __shfl_sync(ALL_LANES, described.log, 0);
    if (log == 0) return 0;
    fse::warp_make_table(scratch.counts, log, scratch.making, scratch.states, lane,
                         [](uint32_t symbol, uint32_t bits, uint32_t base) { return symbol | bits << 8 | base << 16; });
    uint32_t count = 0;
    if (lane == 0) {
        const BackwardStream stream(bytes, at + described.bytes, limit);
        int32_t place = stream.end;
        const auto take = [&](uint32_t bits) {
            place -= static_cast<int32_t>(bits);
            return stream.bits(place, bits);
        };
        uint32_t state[2];
        state[0] = take(log);
        state[1] = take(log);
        if (stream.has_end() && place >= stream.begin) {
            for (uint32_t turn = 0;; turn ^= 1) {
                const uint32_t entry = scratch.states[state[turn]];
                const uint32_t bits = entry >> 8 & 0xFF;
                if (count == LITERAL_SYMBOLS - 2) {  // no room for this one, the other state's, and the last
                    count = 0;
                    break;
                }
                scratch.weights[count++] = static_cast<uint8_t>(entry);
                if (place - static_cast<int32_t>(bits) < stream.begin) {
                    scratch.weights[count++] = static_cast<uint8_t>(scratch.states[state[turn ^ 1]]);
                    break;
                }
                state[turn] = (entry >> 16) + take(bits);
            }
        }
    }
    return __shfl_sync(ALL_LANES, count, 0);
}

/// What a description says beside its code.
struct Tree {
    uint32_t log = 0;  ///< of the look-up; 0 if the description is wrong
    uint32_t bytes = 0;
};

/// Reads the description in the bytes [at, limit), and makes its look-up.
__device__ __forceinline__ Tree warp_read_tree(const uint8_t* bytes, uint32_t at, uint32_t limit, TreeScratch& scratch,
                                               int lane) {
    Tree tree;
    if (at >= limit) return tree;
    const uint32_t header = __ldg(bytes + at);
    for (uint32_t symbol = lane; symbol < LITERAL_SYMBOLS; symbol += WARP_LANES) scratch.weights[symbol] = 0;
    __syncwarp();
    uint32_t count;
    if (header >= FIRST_DIRECT_HEADER) {
        count = header - FIRST_DIRECT_HEADER + 1;
        tree.bytes = 1 + (count + 1) / 2;
        if (tree.bytes > limit - at) return tree;
        for (uint32_t symbol = lane; symbol < count; symbol += WARP_LANES)
            scratch.weights[symbol] = __ldg(bytes + at + 1 + symbol / 2) >> (symbol % 2 == 0 ? 4 : 0) & 15;
    } else {
        tree.bytes = 1 + header;
        if (tree.bytes > limit - at) return tree;
        count = warp_read_weights(bytes, at + 1, at + tree.bytes, scratch, lane);
        if (count == 0) return tree;
    }
    __syncwarp();
    uint32_t sum = 0;
    bool large = false;
    for (uint32_t symbol = lane; symbol < count; symbol += WARP_LANES) {
        const uint32_t weight = scratch.weights[symbol];
        large |= weight > MAX_WEIGHT;
        sum += weight == 0 ? 0 : 1u << min(weight, MAX_WEIGHT) >> 1;
    }
    sum = __shfl_sync(ALL_LANES, warp_inclusive_sum(sum, lane), WARP_LANES - 1);
    const uint32_t log = 32 - __clz(static_cast<int>(sum));
    const uint32_t rest = (1u << (log & 31)) - sum;
    if (__any_sync(ALL_LANES, large) || sum == 0 || log > MAX_TREE_BITS || __popc(rest) != 1) return tree;
    if (lane == 0) scratch.weights[count] = static_cast<uint8_t>(32 - __clz(static_cast<int>(rest)));
    __syncwarp();
    constexpr int TURNS = LITERAL_SYMBOLS / WARP_LANES;
    uint32_t ranked[TURNS];
    const huffman::CodeRuns runs =
        huffman::warp_rank_lengths(scratch.weights, static_cast<int>(LITERAL_SYMBOLS), lane, scratch, ranked);
    if (__shfl_sync(ALL_LANES, runs.count, 1) < 2) return tree;  // as libzstd: two words are the longest
    const uint32_t entries = lane >= 1 && lane <= static_cast<int>(MAX_WEIGHT) ? runs.count << (lane - 1) : 0;
    const uint32_t start = warp_inclusive_sum(entries, lane) - entries;
    const uint32_t first = warp_inclusive_sum(runs.count, lane) - runs.count;
    if (lane < 16) {
        scratch.starts[lane] = static_cast<uint16_t>(start);
        scratch.firsts[lane] = static_cast<uint16_t>(first);
    }
    __syncwarp();
#pragma unroll
    for (int turn = 0; turn < TURNS; ++turn) {
        const uint32_t weight = ranked[turn] & huffman::LENGTH_MASK;
        if (weight != 0)
            scratch.ordered[scratch.firsts[weight] + (ranked[turn] >> huffman::RANK_AT)] =
                static_cast<uint8_t>(turn * WARP_LANES + lane);
    }
    __syncwarp();
    for (uint32_t entry = lane; entry < 1u << log; entry += WARP_LANES) {
        // the last weight that begins here or before; where no symbol has it, it begins with the next
        uint32_t weight = 1;
#pragma unroll
        for (uint32_t more = 2; more <= MAX_TREE_BITS; ++more) weight += entry >= scratch.starts[more];
        const uint32_t symbol =
            scratch.ordered[(scratch.firsts[weight] + ((entry - scratch.starts[weight]) >> (weight - 1))) % 256];
        scratch.lookup[entry] = static_cast<uint16_t>(symbol | (log + 1 - weight) << ENTRY_BITS_AT);
    }
    __syncwarp();
    tree.log = log;
    return tree;
}

}  // namespace warpcodec::zstd
