// Writes a block's literals (RFC 8878, section 3.1.1.3.1), one cta: coded in one stream or four, one byte that stands
// for all, or as they are; whichever is shortest.
//
// Streams are read from their end, so the last literal's word comes first. A scan over the lengths of words says where
// each begins, and they are put together in shared memory (huffman_stage.cuh).
#pragma once

#include "../common/alignment.cuh"
#include "../common/cta_sum.cuh"
#include "../common/group.cuh"
#include "zstd_encode_memory.cuh"
#include "zstd_encode_tree.cuh"

namespace warpcodec::zstd_encode {

using huffman::BitPosition;
using huffman::thread_put_bits;

/// Where a block's content goes.
struct Content {
    uint32_t* words;
    uint32_t limit;  ///< words that there is room for; what lies behind is not written

    /// Sends out the stage's whole words. Barriers inside, one at the end.
    __device__ __forceinline__ BitPosition cta_flush(BitPosition position, CodesMemory& memory) const {
        const CtaGroup<CODES_THREADS> group{static_cast<int>(threadIdx.x)};
        return huffman::group_flush(group, position, memory.stage, [this](uint32_t index, uint32_t word) {
            if (index < limit) words[index] = word;
        });
    }
};

/// Fewer literals are one stream.
constexpr uint32_t LEAST_FOUR_STREAMS = 256;

/// How literals are written.
struct LiteralPlan {
    zstd::LiteralKind kind;
    uint32_t header_bytes;
    uint64_t header;
    uint32_t tree_bytes;  ///< or the one byte
    uint32_t stream_literals;  ///< of each stream but the last
    uint32_t stream_count;
};

/// A header of sizes: type and format in four bits, then `size`, and `coded` behind that.
__device__ __forceinline__ LiteralPlan plan_of(zstd::LiteralKind kind, uint32_t literals) {
    const uint32_t type = kind == zstd::LITERALS_ONE_BYTE ? 1 : 0;
    if (literals < 32) return LiteralPlan{kind, 1, type | literals << 3, type, 0, 0};
    if (literals < 4096) return LiteralPlan{kind, 2, type | 1u << 2 | literals << 4, type, 0, 0};
    return LiteralPlan{kind, 3, type | 3u << 2 | literals << 4, type, 0, 0};
}

__device__ __forceinline__ uint32_t stream_bytes(uint32_t bits) { return bits / 8 + 1; }  // with the one behind them

/// Adds up what the streams take, and decides. All threads get the plan.
__device__ __forceinline__ LiteralPlan cta_plan_literals(const uint8_t* literals, uint32_t count, CodesMemory& memory) {
    uint32_t own_used = 0;
    for (int symbol = threadIdx.x; symbol < static_cast<int>(LITERAL_SYMBOLS); symbol += CODES_THREADS)
        own_used += memory.literal_counts[symbol] != 0;
    uint32_t used;
    cta_exclusive_sum<CODES_THREADS>(own_used, memory.warp_sums, used);
    if (used == 1 && count > 1) return plan_of(zstd::LITERALS_ONE_BYTE, count);
    const LiteralPlan raw = plan_of(zstd::LITERALS_RAW, count);
    if (used < 2) return raw;
    cta_build_tree(memory);
    if (threadIdx.x / WARP_LANES == TABLE_KINDS) {
        warp_describe_tree(memory, reinterpret_cast<WeightsMemory&>(memory.build), threadIdx.x % WARP_LANES);
    }
    const uint32_t stream_count = count < LEAST_FOUR_STREAMS ? 1 : 4;
    const uint32_t stream_literals = (count + stream_count - 1) / stream_count;
    uint32_t all_bytes = stream_count == 1 ? 0 : 6;
    for (uint32_t stream = 0; stream < stream_count; ++stream) {
        const uint32_t first = stream * stream_literals, limit = min(first + stream_literals, count);
        uint32_t bits = 0;
        for (uint32_t i = first + threadIdx.x; i < limit; i += CODES_THREADS)
            bits += memory.codes[literals[i]].length();
        uint32_t all;
        cta_exclusive_sum<CODES_THREADS>(bits, memory.warp_sums, all);
        if (threadIdx.x == 0) memory.stream_bits[stream] = all;
        all_bytes += stream_bytes(all);
    }
    __syncthreads();
    if (memory.tree_bytes == 0) return raw;
    const uint32_t coded = memory.tree_bytes + all_bytes;
    const uint32_t size_bits = max(count, coded) < 1u << 10 ? 10 : max(count, coded) < 1u << 14 ? 14 : 18;
    const uint32_t format = size_bits == 10 ? (stream_count == 1 ? 0 : 1) : size_bits == 14 ? 2 : 3;
    LiteralPlan plan{stream_count == 1 ? zstd::LITERALS_ONE_STREAM : zstd::LITERALS_FOUR_STREAMS,
                     (4 + 2 * size_bits) / 8,
                     2 | format << 2 | uint64_t{count} << 4 | uint64_t{coded} << (4 + size_bits),
                     memory.tree_bytes,
                     stream_literals,
                     stream_count};
    return plan.header_bytes + coded < raw.header_bytes + count ? plan : raw;
}

/// Writes `count` bytes of shared memory. The caller's barrier came before.
__device__ __forceinline__ BitPosition cta_put_bytes(const uint8_t* bytes, uint32_t count, BitPosition position,
                                                     const Content& content, CodesMemory& memory) {
    for (uint32_t i = threadIdx.x; i < count; i += CODES_THREADS)
        thread_put_bits(memory.stage, position.stage_bits + 8 * i, bytes[i], 8);
    position.stage_bits += 8 * count;
    return content.cta_flush(position, memory);
}

/// Four literals, the first lowest; of aligned words that hold one of them, all may be read.
__device__ __forceinline__ uint32_t thread_load_literals(const uint8_t* literals) {
    const uint32_t past = bytes_past_alignment<4>(literals);
    const uint32_t* words = reinterpret_cast<const uint32_t*>(literals - past);
    return past == 0 ? words[0] : __funnelshift_r(words[0], words[1], 8 * past);
}

/// Copies literals as they are.
__device__ __forceinline__ BitPosition cta_put_literals(const uint8_t* literals, uint32_t count, BitPosition position,
                                                        const Content& content, CodesMemory& memory) {
    constexpr uint32_t AT_ONCE = 4;
    for (uint32_t first = 0; first < count; first += CODES_THREADS * AT_ONCE) {
        const uint32_t own = first + AT_ONCE * threadIdx.x;
        if (own < count) {
            const uint32_t four = thread_load_literals(literals + own);
            const uint32_t bits = 8 * min(AT_ONCE, count - own);
            thread_put_bits(memory.stage, position.stage_bits + 8 * (own - first),
                            bits == 32 ? four : four & ((1u << bits) - 1), bits);
        }
        position.stage_bits += 8 * min(CODES_THREADS * AT_ONCE, count - first);
        position = content.cta_flush(position, memory);
    }
    return position;
}

/// Writes a stream of literals, from the last to the first, and the one behind them.
__device__ __forceinline__ BitPosition cta_put_stream(const uint8_t* literals, uint32_t count, BitPosition position,
                                                      const Content& content, CodesMemory& memory) {
    for (uint32_t first = 0; first < count; first += CODES_THREADS * THREAD_LITERALS) {
        const uint32_t own = first + THREAD_LITERALS * threadIdx.x;
        uint32_t words[THREAD_LITERALS], lengths[THREAD_LITERALS], bits = 0;
#pragma unroll
        for (uint32_t k = 0; k < THREAD_LITERALS; ++k) {
            const bool is_there = own + k < count;
            const LiteralCode code = memory.codes[is_there ? literals[count - 1 - own - k] : 0];
            words[k] = code.word();
            lengths[k] = is_there ? code.length() : 0;
            bits += lengths[k];
        }
        uint32_t all;
        uint32_t at = position.stage_bits + cta_exclusive_sum<CODES_THREADS>(bits, memory.warp_sums, all);
#pragma unroll
        for (uint32_t k = 0; k < THREAD_LITERALS; k += 4) {
            uint64_t four = 0;
            uint32_t four_bits = 0;
#pragma unroll
            for (uint32_t j = k; j < k + 4; ++j) {
                four |= uint64_t{words[j]} << four_bits;
                four_bits += lengths[j];
            }
            // A word that is not there has no bits, but may have a value; it lies behind the others.
            thread_put_bits(memory.stage, at, four & ((uint64_t{1} << four_bits) - 1), four_bits);
            at += four_bits;
        }
        position.stage_bits += all;
        position = content.cta_flush(position, memory);
    }
    if (threadIdx.x == 0) thread_put_bits(memory.stage, position.stage_bits, 1, 1);
    position.stage_bits = (position.stage_bits / 8 + 1) * 8;
    return content.cta_flush(position, memory);
}

/// Writes the section of literals. The stage is zero behind `position`.
__device__ __forceinline__ BitPosition cta_write_literals(const LiteralPlan& plan, const uint8_t* literals,
                                                          uint32_t count, BitPosition position, const Content& content,
                                                          CodesMemory& memory) {
    if (threadIdx.x == 0) thread_put_bits(memory.stage, position.stage_bits, plan.header, 8 * plan.header_bytes);
    position.stage_bits += 8 * plan.header_bytes;
    if (plan.kind == zstd::LITERALS_RAW || plan.kind == zstd::LITERALS_ONE_BYTE) {
        position = content.cta_flush(position, memory);
        return cta_put_literals(literals, plan.kind == zstd::LITERALS_RAW ? count : 1, position, content, memory);
    }
    position = cta_put_bytes(memory.tree, plan.tree_bytes, position, content, memory);
    if (plan.stream_count == 4) {
        if (threadIdx.x < 3) {
            thread_put_bits(memory.stage, position.stage_bits + 16 * threadIdx.x,
                            stream_bytes(memory.stream_bits[threadIdx.x]), 16);
        }
        position.stage_bits += 48;
        position = content.cta_flush(position, memory);
    }
    for (uint32_t stream = 0; stream < plan.stream_count; ++stream) {
        const uint32_t first = stream * plan.stream_literals;
        position =
            cta_put_stream(literals + first, min(plan.stream_literals, count - first), position, content, memory);
    }
    return position;
}

}  // namespace warpcodec::zstd_encode
