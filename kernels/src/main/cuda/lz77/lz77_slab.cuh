// The end of a slab of output that a cta writes: bytes that come from the slab itself follow links to where they are
// known, and all are stored.
//
// Each byte of a slab has a link: to itself where it is known, or else to the place of the slab that it is a copy of.
// Bytes follow links in rounds: each goes some links, and where one is still on its way, all write down where they
// came. So the 500 links of rows of equal length are three rounds.
//
// A match that overlaps itself repeats what lies in front of it. Its bytes go back by the largest power of two times
// the offset that stays in the match. So links within a match are few, as each halves the way.
//
// A warp has TURNS times 32 bytes of the slab, side by side, and stores eight a lane. So the slab's place 0 lies at a
// multiple of eight in memory, in front of its first byte.
//
// Bounds: links lead to smaller places of the slab.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"

namespace warpcodec::lz77 {

constexpr uint32_t NO_SLAB_PLACE = 0xFFFFFFFFu;
constexpr int LINKS_A_ROUND = 8;  ///< that a byte follows before links are written down
constexpr uint32_t STORED_AT_ONCE = 8;  ///< bytes of a lane

/// Shared memory of a cta of so many warps while it ends a slab.
template <uint32_t WARPS, uint32_t TURNS_>
struct SlabScratch {
    static constexpr uint32_t TURNS = TURNS_;
    static constexpr uint32_t BYTES = WARPS * TURNS * WARP_LANES;
    static_assert(TURNS % STORED_AT_ONCE == 0 && TURNS <= 32 && BYTES <= 1u << 16, "turns are bits, places have 16");
    uint16_t links[BYTES];  ///< from a place of the slab to the one where its byte is, or nearer to that
    alignas(8) uint8_t bytes[BYTES];
};

/// How many bytes a match goes back for its byte `at`.
__device__ __forceinline__ uint32_t thread_way_back(uint32_t at, uint32_t offset) {
    if (at < offset) return offset;
    const uint32_t way = offset << (__clz(static_cast<int>(offset)) - __clz(static_cast<int>(at)));
    return way <= at ? way : way >> 1;
}

/// Follows links, and writes the places [gap, end) of the slab to `output` + `to_place` + the place. `linked` has a bit
/// for each turn in which a byte of this warp comes from the slab. A barrier of the cta comes first, so that all
/// links and bytes are seen, and another one before the scratch is used again.
template <typename Slab>
__device__ __forceinline__ void cta_finish_slab(Slab& slab, uint32_t linked, uint8_t* output, int32_t to_place,
                                                uint32_t gap, uint32_t end) {
    const uint32_t warp = threadIdx.x / WARP_LANES;
    const uint32_t lane = threadIdx.x % WARP_LANES;
    uint32_t places[Slab::TURNS];  // where a byte is, or nearer to that
    for (;;) {
        bool is_on_the_way = false;
#pragma unroll
        for (uint32_t turn = 0; turn < Slab::TURNS; ++turn) {
            places[turn] = NO_SLAB_PLACE;
            if ((linked >> turn & 1) == 0) continue;
            uint32_t link = slab.links[(warp * Slab::TURNS + turn) * WARP_LANES + lane];
            uint32_t further = slab.links[link];
            for (int step = 0; step < LINKS_A_ROUND && further < link; ++step) {
                link = further;
                further = slab.links[link];
            }
            places[turn] = link;
            is_on_the_way |= further < link;
        }
        if (!__syncthreads_or(is_on_the_way)) break;
#pragma unroll
        for (uint32_t turn = 0; turn < Slab::TURNS; ++turn) {
            if (places[turn] != NO_SLAB_PLACE)
                slab.links[(warp * Slab::TURNS + turn) * WARP_LANES + lane] = static_cast<uint16_t>(places[turn]);
        }
        __syncthreads();
    }
#pragma unroll
    for (uint32_t turn = 0; turn < Slab::TURNS; ++turn) {
        const uint32_t at = (warp * Slab::TURNS + turn) * WARP_LANES + lane;
        if (places[turn] != NO_SLAB_PLACE && places[turn] != at) slab.bytes[at] = slab.bytes[places[turn]];
    }
    __syncwarp();
#pragma unroll
    for (uint32_t part = 0; part < Slab::TURNS; part += STORED_AT_ONCE) {
        const uint32_t at = (warp * Slab::TURNS + part) * WARP_LANES + lane * STORED_AT_ONCE;
        const uint2 pair = *reinterpret_cast<const uint2*>(slab.bytes + at);
        uint8_t* target = output + (static_cast<int32_t>(at) + to_place);
        if (at >= gap && at + STORED_AT_ONCE <= end) {
            *reinterpret_cast<uint2*>(target) = pair;
        } else {
#pragma unroll
            for (uint32_t byte = 0; byte < STORED_AT_ONCE; ++byte) {
                if (at + byte >= gap && at + byte < end)
                    target[byte] = static_cast<uint8_t>((byte < 4 ? pair.x : pair.y) >> (8 * (byte % 4)));
            }
        }
    }
}

}  // namespace warpcodec::lz77
