// A tile of a block in shared memory, and how it gets there.
//
// A tile is CTA_THREADS * 8 places: eight windows of 32 for each warp. The tile, what lies 32 KiB before it and what
// a match may reach behind it are in shared memory. The tiles of the window in front of a block are only entered, so
// blocks of one member are encoded side by side, by different ctas, and still reach back into each other.
//
// With LINKED false only the tile's own links are kept, which is enough for depth 1.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"
#include "deflate_encode_policy.cuh"
#include "deflate_encode_token.cuh"

namespace warpcodec::deflate_encode {

constexpr int WARP_WINDOWS = 8;
constexpr int WARP_PLACES = WARP_WINDOWS * WARP_LANES;
/// No match starts less than this before the block's end, so that every open place has 8 bytes.
constexpr int START_MARGIN_BYTES = 8;
/// In 32 bits for a place, from where on a link lies beside its key.
constexpr int KEY_LINK_AT = 16;

/// Where a place's element of `found` lies: neither 32 places that follow each other nor every eighth meet in one bank.
__device__ __forceinline__ int found_at(int place) { return place ^ (place / WARP_LANES & (WARP_LANES - 1)); }

/// Shared memory of one cta while it finds and parses.
template <typename Policy>
struct TileMemory {
    static constexpr int TILE_BYTES = Policy::CTA_THREADS / WARP_LANES * WARP_PLACES;
    static constexpr int LINK_COUNT = Policy::LINKED ? WINDOW_BYTES + TILE_BYTES : TILE_BYTES;
    static constexpr int HEAD_COUNT = 1 << Policy::HEAD_BITS;
    static constexpr int AHEAD_BYTES =
        MAX_MATCH + 30;  // the last match, what is compared beyond it, and an unaligned start
    static_assert(WINDOW_BYTES % TILE_BYTES == 0 && BLOCK_BYTES % TILE_BYTES == 0);

    alignas(16) uint32_t raw[(WINDOW_BYTES + TILE_BYTES + AHEAD_BYTES) / 4];
    /// At found_at(place): a token for each place that has a match, else 0; four zeros behind. While entering: the
    /// key of the short hash, and from KEY_LINK_AT on the distance to the latest earlier place with the same
    /// one, 0: none.
    uint32_t found[TILE_BYTES + 4];
    alignas(16) uint16_t links[LINK_COUNT];  ///< distance to the latest earlier place with the same hash, 0: none
    uint16_t heads[HEAD_COUNT];  ///< latest place of each hash, modulo 2^16
    uint16_t short_heads[1 << Policy::SHORT_HEAD_BITS];  ///< latest place of each short hash, modulo 2^16
    /// While entering: the key of the hash of 5 bytes. While matches are chosen: costs. While parsing: where the
    /// parse goes on.
    uint16_t steps[TILE_BYTES];
};

/// One tile of a block, and where it lies. Places are counted from the tile's first; bytes of shared memory from
/// WINDOW_BYTES before it.
struct Tile {
    int start;  ///< of the tile in the block; below 0 in the window before it
    int window_bytes;  ///< that the block may reach back before its first byte
    int block_bytes;
    int misaligned_bytes;  ///< of the first 16 bytes of shared memory

    __device__ __forceinline__ int reach(int place) const { return min(WINDOW_BYTES, start + place + window_bytes); }
    /// Places of the tile that are in the block.
    __device__ __forceinline__ int limit(int tile_bytes) const { return min(tile_bytes, block_bytes - start); }
    __device__ __forceinline__ bool is_open(int place) const {
        return start + place >= -window_bytes && start + place + START_MARGIN_BYTES <= block_bytes;
    }
};

/// Brings bytes of the tile to shared memory, counted from its first place. `block` is the block's first byte. Reads
/// only aligned words that hold one of them.
template <typename Policy>
__device__ __forceinline__ void cta_load_bytes(const uint8_t* block, const Tile& tile, int first_byte, int limit_byte,
                                               TileMemory<Policy>& memory) {
    if (limit_byte <= first_byte) return;
    const int first_word = (tile.misaligned_bytes + WINDOW_BYTES + first_byte) >> 2;
    const int limit_word = ((tile.misaligned_bytes + WINDOW_BYTES + limit_byte - 1) >> 2) + 1;
    const uint8_t* start = block + tile.start - WINDOW_BYTES - tile.misaligned_bytes;
    const int first_vector = (first_word + 3) / 4, limit_vector = limit_word / 4;
    if (first_vector < limit_vector) {
        const uint4* vectors = reinterpret_cast<const uint4*>(start);
#pragma unroll 4
        for (int i = first_vector + static_cast<int>(threadIdx.x); i < limit_vector; i += Policy::CTA_THREADS)
            reinterpret_cast<uint4*>(memory.raw)[i] = __ldg(vectors + i);
    }
    // Words beside the whole vectors, fewer than four on each side; all if there is no whole one.
    const uint32_t* words = reinterpret_cast<const uint32_t*>(start);
    const int word = first_word + static_cast<int>(threadIdx.x),
              later_word = max(4 * limit_vector, first_word) + static_cast<int>(threadIdx.x);
    if (word < min(4 * first_vector, limit_word)) memory.raw[word] = __ldg(words + word);
    if (later_word < limit_word && later_word >= 4 * first_vector) memory.raw[later_word] = __ldg(words + later_word);
}

/// Brings what the tile needs to shared memory: from its window, unless it is only entered, to what its last match
/// may reach.
template <typename Policy>
__device__ __forceinline__ void cta_load_tile(const uint8_t* block, const Tile& tile, TileMemory<Policy>& memory) {
    const int first_byte =
        tile.start < 0 ? max(0, -tile.window_bytes - tile.start) : -min(WINDOW_BYTES, tile.start + tile.window_bytes);
    const int limit_byte = min(TileMemory<Policy>::TILE_BYTES + MAX_MATCH + 4, tile.block_bytes - tile.start);
    cta_load_bytes(block, tile, first_byte, limit_byte, memory);
}

/// Four bytes of shared memory from `byte` on, wherever they start.
__device__ __forceinline__ uint32_t thread_read_four(const uint32_t* raw, int byte) {
    return __funnelshift_r(raw[byte >> 2], raw[(byte >> 2) + 1], 8 * (byte & 3));
}

/// Moves the links of the last 32 KiB to where the next tile expects them. Barriers inside.
template <typename Policy>
__device__ __forceinline__ void cta_move_links(TileMemory<Policy>& memory) {
    if (!Policy::LINKED) return;
    constexpr int VECTORS = WINDOW_BYTES * 2 / 16;
    constexpr int TURNS = VECTORS / Policy::CTA_THREADS;
    static_assert(VECTORS % Policy::CTA_THREADS == 0);
    uint4* links = reinterpret_cast<uint4*>(memory.links);
    constexpr int STEP = TileMemory<Policy>::TILE_BYTES * 2 / 16;
    uint4 kept[TURNS];
#pragma unroll
    for (int turn = 0; turn < TURNS; ++turn) kept[turn] = links[STEP + turn * Policy::CTA_THREADS + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int turn = 0; turn < TURNS; ++turn) links[turn * Policy::CTA_THREADS + threadIdx.x] = kept[turn];
    __syncthreads();
}

}  // namespace warpcodec::deflate_encode
