// Finds, for each place of a tile of a block, the longest match among a few earlier places, one cta.
//
// A tile is CTA_THREADS * 8 places: eight windows of 32 for each warp. The tile, what lies 32 KiB before it and what a match may reach behind
// it are in shared memory. The tiles of the window in front of a block are only entered, so blocks of one member are encoded
// side by side, by different ctas, and still reach back into each other.
//
// Enter. All warps hash the 5 bytes at their places; lanes of a window with equal hashes see each other. One warp then
// goes through the tile, window by window: the lowest lane of each hash reads the table of heads, the highest leaves its place in it. What it
// needs is prepared in 16 bits a place, so its loads and stores follow each other without waiting. One writer an entry: the table depends on
// nothing but the input. The distance to the latest earlier place with the same hash is the place's link.
//
// Find. Every lane follows the links of its place, `depth` at most, and keeps the longest match. Heads and links are 16 bits of a distance, read as
// such: whatever they hold, they lead to an earlier place of the window, or nowhere, and bytes decide.
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
constexpr int HEAD_COUNT = 1 << HEAD_BITS;
/// No match starts less than this before the block's end, so that every open place has 8 bytes.
constexpr int START_MARGIN_BYTES = 8;
/// Shorter matches cost as much as their literals, mostly.
constexpr int SHORTEST_FOUND = 4;

/// Shared memory of one cta while it finds and parses.
template <typename Policy>
struct TileMemory {
    static constexpr int TILE_BYTES = Policy::CTA_THREADS / WARP_LANES * WARP_PLACES;
    static constexpr int LINK_COUNT = Policy::LINKED ? WINDOW_BYTES + TILE_BYTES : TILE_BYTES;
    static constexpr int AHEAD_BYTES = MAX_MATCH + 14;  // the last match, what is compared beyond it, and an unaligned start
    static_assert(WINDOW_BYTES % TILE_BYTES == 0 && BLOCK_BYTES % TILE_BYTES == 0);

    uint32_t raw[(WINDOW_BYTES + TILE_BYTES + AHEAD_BYTES) / 4];
    uint32_t found[TILE_BYTES + 4];  ///< a token for each place that has a match, else 0; four zeros behind
    uint16_t links[LINK_COUNT];      ///< distance to the latest earlier place with the same hash, 0: none
    uint16_t heads[HEAD_COUNT];      ///< latest place of each hash, modulo 2^16
    uint16_t steps[TILE_BYTES];      ///< while entering: hash, and what the place has to do; while parsing: where the parse goes on
};

/// One tile of a block, and where it lies. Places are counted from the tile's first; bytes of shared memory from WINDOW_BYTES before it.
struct Tile {
    int start;         ///< of the tile in the block; below 0 in the window before it
    int window_bytes;  ///< that the block may reach back before its first byte
    int block_bytes;
    int misaligned_bytes;    ///< of the first word of shared memory

    __device__ __forceinline__ int reach(int place) const { return min(WINDOW_BYTES, start + place + window_bytes); }
    /// Places of the tile that are in the block.
    __device__ __forceinline__ int limit(int tile_bytes) const { return min(tile_bytes, block_bytes - start); }
    __device__ __forceinline__ bool is_open(int place) const {
        return start + place >= -window_bytes && start + place + START_MARGIN_BYTES <= block_bytes;
    }
};

/// Brings what the tile needs to shared memory: from its window, unless it is only entered, to what its last match may reach. `block` is the
/// block's first byte. Reads only aligned words that hold a byte of the window or the block.
template <typename Policy>
__device__ __forceinline__ void cta_load_tile(const uint8_t* block, const Tile& tile, TileMemory<Policy>& memory) {
    using Memory = TileMemory<Policy>;
    const int first_byte = tile.start < 0 ? max(0, -tile.window_bytes - tile.start) : -min(WINDOW_BYTES, tile.start + tile.window_bytes);
    const int limit_byte = min(Memory::TILE_BYTES + MAX_MATCH + 4, tile.block_bytes - tile.start);
    if (limit_byte <= first_byte) return;
    const int first_word = (tile.misaligned_bytes + WINDOW_BYTES + first_byte) >> 2;
    const int last_word = (tile.misaligned_bytes + WINDOW_BYTES + limit_byte - 1) >> 2;
    const uint32_t* words = reinterpret_cast<const uint32_t*>(block + tile.start - WINDOW_BYTES - tile.misaligned_bytes);
#pragma unroll 4
    for (int i = first_word + static_cast<int>(threadIdx.x); i <= last_word; i += Policy::CTA_THREADS) memory.raw[i] = __ldg(words + i);
}

/// Four bytes of shared memory from `byte` on, wherever they start.
__device__ __forceinline__ uint32_t thread_read_four(const uint32_t* raw, int byte) {
    return __funnelshift_r(raw[byte >> 2], raw[(byte >> 2) + 1], 8 * (byte & 3));
}

constexpr uint32_t LAST_OF_HASH = 1u << HEAD_BITS;
constexpr uint32_t FIRST_OF_HASH = 2u << HEAD_BITS;
static_assert(FIRST_OF_HASH <= 0x8000, "a key has 16 bits");

/// A warp's windows: keys for the warp that enters them, and the links that lie in the window itself.
template <typename Policy>
__device__ __forceinline__ void warp_hash_windows(const Tile& tile, TileMemory<Policy>& memory, int warp, int lane) {
    constexpr int LINK_AT = Policy::LINKED ? WINDOW_BYTES : 0;
    constexpr uint32_t MULTIPLIER = 2654435761u;  // 2^32 / golden ratio
    constexpr uint32_t FIFTH_MULTIPLIER = 0x85EBCA6Bu;
#pragma unroll 2
    for (int window = 0; window < WARP_WINDOWS; ++window) {
        const int place = warp * WARP_PLACES + window * WARP_LANES + lane;
        const bool open = tile.is_open(place);
        const int byte = tile.misaligned_bytes + WINDOW_BYTES + place;
        const uint32_t four = thread_read_four(memory.raw, byte);
        const uint32_t fifth = memory.raw[(byte + 4) >> 2] >> 8 * (byte & 3) & 0xFF;
        const uint32_t hash = (four * MULTIPLIER + fifth * FIFTH_MULTIPLIER) >> (32 - HEAD_BITS);
        const uint32_t peers = __match_any_sync(ALL_LANES, open ? hash : 0x80000000u + lane);
        const uint32_t lower = peers & ((1u << lane) - 1);
        const uint32_t key = hash | (peers >> lane == 1 ? LAST_OF_HASH : 0) | (lower == 0 ? FIRST_OF_HASH : 0);
        memory.steps[place] = static_cast<uint16_t>(open ? key : 0);
        memory.links[LINK_AT + place] = static_cast<uint16_t>(lower == 0 ? 0 : lane - (31 - __clz(lower)));
    }
}

/// One warp: enters all windows of the tile in order.
template <typename Policy>
__device__ __forceinline__ void warp_enter_tile(const Tile& tile, TileMemory<Policy>& memory, int lane) {
    constexpr int LINK_AT = Policy::LINKED ? WINDOW_BYTES : 0;
    constexpr int AT_ONCE = 8;
    const int limit = tile.limit(TileMemory<Policy>::TILE_BYTES);
    for (int first = 0; first < limit; first += AT_ONCE * WARP_LANES) {
        uint32_t keys[AT_ONCE], heads[AT_ONCE];
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) keys[i] = memory.steps[first + i * WARP_LANES + lane];
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) {
            const int place = first + i * WARP_LANES + lane;
            const uint32_t hash = keys[i] & (HEAD_COUNT - 1);
            heads[i] = 0;
            if (keys[i] & FIRST_OF_HASH) heads[i] = memory.heads[hash];
            __syncwarp();
            if (keys[i] & LAST_OF_HASH) memory.heads[hash] = static_cast<uint16_t>(tile.start + place);
            __syncwarp();
        }
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) {
            const int place = first + i * WARP_LANES + lane;
            if (keys[i] & FIRST_OF_HASH) memory.links[LINK_AT + place] = static_cast<uint16_t>(tile.start + place - static_cast<int>(heads[i]));
        }
    }
}

/// How many bytes from `here` on equal those from `there` on, at most `limit`, which is not 0.
__device__ __forceinline__ int thread_count_equal_bytes(const uint32_t* raw, int here, int there, int limit) {
    for (int equal = 0; equal < limit; equal += 4) {
        const uint32_t difference = thread_read_four(raw, here + equal) ^ thread_read_four(raw, there + equal);
        if (difference != 0) return min(limit, equal + ((__ffs(difference) - 1) >> 3));
    }
    return limit;
}

/// The longest match at a place, as a token, or 0. Of equal lengths the nearest.
template <typename Policy>
__device__ __forceinline__ uint32_t thread_find(const Tile& tile, const TileMemory<Policy>& memory, int place, int depth) {
    constexpr int LINK_AT = Policy::LINKED ? WINDOW_BYTES : 0;
    const int here = tile.misaligned_bytes + WINDOW_BYTES + place;
    const int limit = min(MAX_MATCH, tile.block_bytes - tile.start - place);
    const int most_reach = tile.reach(place);
    int longest = SHORTEST_FOUND - 1;
    int distance = 0;
    int link = memory.links[LINK_AT + place];
    int reach = link;
    if (!Policy::LINKED) depth = 1;
    const uint32_t first_four = thread_read_four(memory.raw, here);
    uint32_t last_four = first_four;  // of the shortest match that would be longer
    for (int turn = 0; turn < depth && link != 0 && reach <= most_reach; ++turn) {
        const int there = here - reach;
        if (thread_read_four(memory.raw, there + longest - 3) == last_four) {
            const int equal = thread_count_equal_bytes(memory.raw, here, there, limit);
            if (equal > longest) {
                longest = equal;
                distance = reach;
                if (equal == limit) break;
                last_four = thread_read_four(memory.raw, here + longest - 3);
            }
        }
        if (Policy::LINKED) {
            link = memory.links[LINK_AT + place - reach];
            reach += link;
        }
    }
    return distance == 0 ? 0 : Token::match(longest, distance).word;
}

/// A warp's windows: the matches of all places.
template <typename Policy>
__device__ __forceinline__ void warp_find_windows(const Tile& tile, TileMemory<Policy>& memory, int depth, int warp, int lane) {
    for (int window = 0; window < WARP_WINDOWS; ++window) {
        const int place = warp * WARP_PLACES + window * WARP_LANES + lane;
        memory.found[place] = tile.is_open(place) ? thread_find(tile, memory, place, depth) : 0;
    }
    if (warp == 0 && lane < 4) memory.found[TileMemory<Policy>::TILE_BYTES + lane] = 0;
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
