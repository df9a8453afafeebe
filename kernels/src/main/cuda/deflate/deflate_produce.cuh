// Produces the bytes of tokens, all lanes at once, whatever their lengths; the idea is lz77_gather.cuh's, for tokens
// that may be as short as a byte.
//
// The output is cut in slabs of 128 bytes at multiples of that size in memory. Each lane owns 4 bytes of a slab, side
// by side. A bit for each output byte says whether a token starts there. So counting bits up to a byte gives the
// token that it belongs to. A literal's byte is in the token; a match's byte lies `distance` before it. A source in
// the same slab is not there yet. It is replaced by its own source, until no source lies in the slab. Sources
// strictly decrease, and each turn doubles how many steps an entry stands for. So 7 turns do, whatever the overlap.
//
// The bytes of a whole slab are only asked for at first, and stored when the next slab needs them.
//
// Places are counted from the slab that holds the output's first byte. A source is a place, or a token of a literal,
// which as a signed number is negative.
//
// Writes: whole aligned words, or single bytes where a slab is not whole; never outside the tokens' bytes.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"
#include "../lz77/lz77_gather.cuh"
#include "deflate_tokens.cuh"

namespace warpcodec::deflate {

using namespace lz77;

constexpr int RING_TOKENS = 256;
constexpr int START_WORDS = 128;
/// So many bytes are parsed ahead at most, beyond a part of a slab: their starts fit the bits.
constexpr uint32_t MAX_AHEAD_BYTES = 32 * START_WORDS - 2 * SLAB_BYTES;
static_assert(MAX_AHEAD_BYTES >= MAX_MATCH_BYTES, "one token fits");
static_assert(RING_TOKENS >= SLAB_BYTES + WARP_LANES, "tokens of a part of a slab, and those of one parse");

/// Shared memory of a warp while it produces.
struct alignas(16) ProduceScratch {
    uint32_t sources[SLAB_BYTES];
    uint32_t starts[START_WORDS];  // bit place % 4096: a token starts there
    uint32_t ring[RING_TOKENS];  // token number % 256
};

/// A run of tokens under way.
struct Producer {
    uint32_t first_place;  ///< of the output's first byte
    uint32_t parsed;  ///< place behind the last token that was taken
    uint32_t produced;  ///< place behind the last byte that was produced or is awaited
    uint32_t slab;  ///< place of the slab that comes next, or is under way
    uint32_t taken;  ///< tokens taken so far
    uint32_t below;  ///< of them, those that start before `slab`
};

/// Begins to produce at `place`.
__device__ __forceinline__ Producer warp_begin_producing(uint32_t first_place, uint32_t place, ProduceScratch& scratch,
                                                         int lane) {
    Producer producer;
    producer.first_place = first_place;
    producer.parsed = place;
    producer.produced = producer.parsed;
    producer.slab = producer.parsed & ~static_cast<uint32_t>(SLAB_BYTES - 1);
    producer.taken = 0;
    producer.below = 0;
    for (int at = lane; at < START_WORDS; at += WARP_LANES) scratch.starts[at] = 0;
    __syncwarp();
    return producer;
}

/// Takes the first 1 to 32 of `count` tokens, one per lane, which stand for at most MAX_AHEAD_BYTES bytes. Answers
/// how many, or 0 if a distance reaches before the output.
__device__ __forceinline__ uint32_t warp_take_tokens(Producer& producer, uint32_t token, uint32_t count,
                                                     ProduceScratch& scratch, int lane) {
    const uint32_t length = lane < count ? token >> TOKEN_LENGTH_SHIFT & TOKEN_LENGTH_MASK : 0;
    const uint32_t ahead = warp_inclusive_sum(length, lane);
    const uint32_t found = __popc(__ballot_sync(ALL_LANES, lane < count && ahead <= MAX_AHEAD_BYTES));
    const bool takes = lane < found;
    const uint32_t start = producer.parsed + ahead - length;
    const bool literal = token & TOKEN_LITERAL;
    const bool bad = takes && !literal && (token & TOKEN_DISTANCE_MASK) > start - producer.first_place;
    if (__any_sync(ALL_LANES, bad)) return 0;
    if (takes) {
        scratch.ring[(producer.taken + lane) % RING_TOKENS] = token;
        atomicOr(&scratch.starts[start / 32 % START_WORDS], 1u << start % 32);
    }
    producer.taken += found;
    producer.parsed += __shfl_sync(ALL_LANES, ahead, found - 1);
    __syncwarp();
    return found;
}

/// The byte at `source`, or, if that is negative, itself. Written so that the load goes to the result's own register:
/// no lane waits for it before the result is used.
__device__ __forceinline__ uint32_t thread_fetch(const uint8_t* output, int source) {
    uint32_t value = static_cast<uint32_t>(source);
#ifdef __CUDA_ARCH__
    asm volatile("{ .reg .pred p; setp.ge.s32 p, %1, 0; @p ld.global.u8 %0, [%2]; }"
                 : "+r"(value)
                 : "r"(source), "l"(output + static_cast<uint32_t>(source))
                 : "memory");
#else
    if (source >= 0) value = output[source];
#endif
    return value;
}

/// What becomes of sources: the bytes that they stand for.
struct ByteSlabs {
    uint8_t* output;  ///< of place 0, at a multiple of SLAB_BYTES
    AwaitedSlab awaited{};

    /// Takes the sources of this lane's bytes, from place `first` on, of which those in [low, limit) count.
    template <bool EDGE>
    __device__ __forceinline__ void warp_put(const int (&sources)[LANE_BYTES], uint32_t first, uint32_t low,
                                             uint32_t limit) {
        warp_store(output, awaited);
#pragma unroll
        for (int byte = 0; byte < LANE_BYTES; ++byte) awaited.values[byte] = thread_fetch(output, sources[byte]);
        if (EDGE) {
#pragma unroll
            for (int byte = 0; byte < LANE_BYTES; ++byte) {
                const uint32_t place = first + byte;
                if (place >= low && place < limit) output[place] = static_cast<uint8_t>(awaited.values[byte]);
            }
        } else {
            awaited.first = static_cast<int>(first);
        }
    }

    __device__ __forceinline__ void warp_finish() { warp_store(output, awaited); }
};

/// Gives the sources of the bytes from producer.produced on to `limit`, at most the end of the slab, to `slabs`. With
/// EDGE that may be a part of the slab; without, it is all of it. The tokens that cover the bytes are taken.
template <bool EDGE, typename Slabs>
__device__ __forceinline__ void warp_produce(Producer& producer, Slabs& slabs, uint32_t limit, ProduceScratch& scratch,
                                             int lane) {
    const uint32_t slab = producer.slab;
    const uint32_t low = EDGE ? producer.produced : slab;
    const uint32_t first = slab + LANE_BYTES * lane;
    const uint4 starts = reinterpret_cast<const uint4*>(scratch.starts)[slab / SLAB_BYTES % (START_WORDS / 4)];
    const int word = lane / 8;
    const uint32_t bits = word == 0 ? starts.x : word == 1 ? starts.y : word == 2 ? starts.z : starts.w;
    const int shift = LANE_BYTES * (lane % 8);
    // The token before those that start in this lane's bytes.
    uint32_t before = producer.below + __popc(bits & ((1u << shift) - 1)) - 1;
    if (word > 0) before += __popc(starts.x);
    if (word > 1) before += __popc(starts.y);
    if (word > 2) before += __popc(starts.z);
    const uint32_t own = bits >> shift;
    int sources[LANE_BYTES];
#pragma unroll
    for (int byte = 0; byte < LANE_BYTES; ++byte) {
        const uint32_t owner = before + __popc(own & ((2u << byte) - 1));
        sources[byte] = static_cast<int>(scratch.ring[owner % RING_TOKENS]);
    }
#pragma unroll
    for (int byte = 0; byte < LANE_BYTES; ++byte) {
        const uint32_t place = first + byte;
        if (sources[byte] >= 0)
            sources[byte] = static_cast<int>(place) - (sources[byte] & static_cast<int>(TOKEN_DISTANCE_MASK));
        if (EDGE && (place < low || place >= limit)) sources[byte] = -1;
    }
    const auto inside = [&] {
        return max(max(sources[0], sources[1]), max(sources[2], sources[3])) >= static_cast<int>(low);
    };
    if (__any_sync(ALL_LANES, inside())) {
#pragma unroll 1
        for (int turn = 1; turn < SLAB_BYTES; turn *= 2) {
            reinterpret_cast<uint4*>(scratch.sources)[lane] =
                make_uint4(sources[0], sources[1], sources[2], sources[3]);
            __syncwarp();
#pragma unroll
            for (int byte = 0; byte < LANE_BYTES; ++byte) {
                if (sources[byte] >= static_cast<int>(low))
                    sources[byte] = static_cast<int>(scratch.sources[sources[byte] - slab]);
            }
            if (!__any_sync(ALL_LANES, inside())) break;
            __syncwarp();
        }
    }
    slabs.template warp_put<EDGE>(sources, first, low, limit);
    producer.produced = limit;
    if (limit == slab + SLAB_BYTES) {
        producer.below += __popc(starts.x) + __popc(starts.y) + __popc(starts.z) + __popc(starts.w);
        producer.slab = limit;
        if (lane == 0)
            reinterpret_cast<uint4*>(scratch.starts)[slab / SLAB_BYTES % (START_WORDS / 4)] = make_uint4(0, 0, 0, 0);
    }
    __syncwarp();
}

/// Produces the slabs that are whole, and with `all` what is left too.
template <typename Slabs>
__device__ __forceinline__ void warp_produce_taken(Producer& producer, Slabs& slabs, bool all, ProduceScratch& scratch,
                                                   int lane) {
#pragma unroll 1
    while (producer.produced < producer.parsed) {
        const bool whole = producer.parsed - producer.slab >= SLAB_BYTES;
        if (whole && producer.produced == producer.slab) {
            warp_produce<false>(producer, slabs, producer.slab + SLAB_BYTES, scratch, lane);
        } else if (whole || all) {
            warp_produce<true>(producer, slabs, min(producer.parsed, producer.slab + SLAB_BYTES), scratch, lane);
        } else {
            break;
        }
    }
}

/// Produces the bytes of a round's tokens from place `place` on: those of lanes 0 to last_lane, `own_count` of each
/// lane at `own_tokens`, behind each other. What the slabs take may lie where tokens lay that have been read. False
/// if a distance reaches before `first_place`.
template <typename Slabs>
__device__ __forceinline__ bool warp_produce_tokens(Slabs& slabs, uint32_t first_place, uint32_t place,
                                                    const uint32_t* own_tokens, uint32_t own_count, int last_lane,
                                                    ProduceScratch& scratch, int lane) {
    Producer producer = warp_begin_producing(first_place, place, scratch, lane);
    bool sound = true;
    int owner = 0;
    uint32_t at = 0;
    uint32_t count = __shfl_sync(ALL_LANES, own_count, 0);
    const auto tokens_of = [&](int of) {
        return reinterpret_cast<const uint32_t*>(
            __shfl_sync(ALL_LANES, reinterpret_cast<unsigned long long>(own_tokens), of));
    };
    const uint32_t* tokens = tokens_of(0);
    const auto advance = [&] {
        while (at == count && owner < last_lane) {
            count = __shfl_sync(ALL_LANES, own_count, ++owner);
            tokens = tokens_of(owner);
            at = 0;
        }
    };
    advance();
    uint32_t token = lane < count - at ? tokens[at + lane] : 0;
#pragma unroll 1
    while (at < count) {
        const uint32_t found = warp_take_tokens(producer, token, count - at, scratch, lane);
        if (found == 0) {
            sound = false;
            break;
        }
        at += found;
        advance();
        token = lane < count - at ? tokens[at + lane] : 0;  // they come while bytes are produced
        warp_produce_taken(producer, slabs, at == count, scratch, lane);
    }
    slabs.warp_finish();
    return sound;
}

}  // namespace warpcodec::deflate
