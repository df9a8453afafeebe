// Links each place of a tile to the latest earlier places with the same hash, one cta.
//
// There are two hashes: of 5 bytes, or 4, whose links are kept, so that a place's earlier ones can be followed one
// after the other; and a short one of 3 or 4, with the latest earlier place only. All warps hash their places; lanes of
// a window with equal hashes see each other. Then one warp for each hash goes through the tile, window by window: the
// lowest lane of each hash reads the table of heads, the highest leaves its place in it. What it needs is prepared, so
// its loads and stores follow each other without waiting. One writer an entry: the table depends on nothing but the
// input. The distance to the latest earlier place with the same hash is the place's link. Heads and links are 16 bits
// of a distance: before one is followed it is compared with how far back the window reaches, whatever it holds.
#pragma once

#include "deflate_encode_tile.cuh"

namespace warpcodec::deflate_encode {

constexpr uint32_t HASH_MULTIPLIER = 2654435761u;  // 2^32 / golden ratio
constexpr uint32_t HASH_FIFTH_MULTIPLIER = 0x85EBCA6Bu;

/// Whether places of the tile are near enough to the block to be found by the short hash.
template <typename Policy>
__device__ __forceinline__ bool tile_enters_short(const Tile& tile) {
    return Policy::SHORT_REACH > 0 && tile.start + TileMemory<Policy>::TILE_BYTES > -Policy::SHORT_REACH;
}

/// A key is a hash and two flags, 16 bits.
constexpr int KEY_HASH_BITS = 14;
constexpr uint32_t LAST_OF_HASH = 1u << KEY_HASH_BITS;
constexpr uint32_t FIRST_OF_HASH = 2u << KEY_HASH_BITS;
static_assert(FIRST_OF_HASH <= 0x8000, "a key has 16 bits");

/// Hashes of the bytes at a place.
template <typename Policy>
__device__ __forceinline__ uint32_t thread_hash_link(const uint32_t* raw, int byte) {
    static_assert((Policy::LINK_BYTES == 4 || Policy::LINK_BYTES == 5) && Policy::HEAD_BITS <= KEY_HASH_BITS);
    if constexpr (Policy::LINK_BYTES == 4)
        return thread_read_four(raw, byte) * HASH_MULTIPLIER >> (32 - Policy::HEAD_BITS);
    const uint32_t fifth = raw[(byte + 4) >> 2] >> 8 * (byte & 3) & 0xFF;
    return (thread_read_four(raw, byte) * HASH_MULTIPLIER + fifth * HASH_FIFTH_MULTIPLIER) >> (32 - Policy::HEAD_BITS);
}
template <typename Policy>
__device__ __forceinline__ uint32_t thread_hash_short(const uint32_t* raw, int byte) {
    return (thread_read_four(raw, byte) << 8 * (4 - Policy::SHORT_BYTES)) * HASH_MULTIPLIER >>
           (32 - Policy::SHORT_HEAD_BITS);
}

/// Words of shared memory in which a warp's lanes meet.
constexpr int BUCKETS = WARP_PLACES / 2;

/// Answers each lane's key; from KEY_LINK_AT on the distance to the lane before with the same hash, or 0. Lanes that
/// are not open have no key.
///
/// Lanes whose hashes end alike meet in a bucket; from the nearest on each looks for one whose whole hash is its own,
/// in most windows once or twice. That takes less time than a vote for each bit of the hash, or __match_any_sync. The
/// buckets are zero before and after.
__device__ __forceinline__ uint32_t warp_compare_hashes(uint32_t hash, bool open, uint32_t* buckets, int lane) {
    uint32_t* bucket = buckets + hash % BUCKETS;
    if (open) atomicOr(bucket, 1u << lane);
    __syncwarp();
    const uint32_t peers = open ? *bucket : 0, own = 1u << lane;
    uint32_t lower = peers & (own - 1), higher = peers & ~own & ~(own - 1);
    __syncwarp();
    if (open && lower == 0) *bucket = 0;
    bool is_undecided;
    do {
        const int below = lower == 0 ? lane : 31 - __clz(lower), above = higher == 0 ? lane : __ffs(higher) - 1;
        const bool is_below = __shfl_sync(ALL_LANES, hash, below) == hash,
                   is_above = __shfl_sync(ALL_LANES, hash, above) == hash;
        if (!is_below) lower ^= 1u << below;
        if (!is_above) higher ^= 1u << above;
        is_undecided = (!is_below && lower != 0) || (!is_above && higher != 0);
    } while (__any_sync(ALL_LANES, is_undecided));
    __syncwarp();
    const uint32_t flags =
        (higher == 0 ? LAST_OF_HASH : 0) | (lower == 0 ? FIRST_OF_HASH : lane - (31 - __clz(lower)) << KEY_LINK_AT);
    return open ? hash | flags : 0;
}

/// A warp's windows: keys for the warps that enter them, and the links that lie in the window itself. The warp's
/// places in `steps`, and then those in `links`, are its buckets before they take what was found.
template <typename Policy>
__device__ __forceinline__ void warp_hash_windows(const Tile& tile, TileMemory<Policy>& memory, int warp, int lane) {
    const int first = warp * WARP_PLACES + lane, first_byte = tile.misaligned_bytes + WINDOW_BYTES + first;
    uint16_t* links = memory.links + (Policy::LINKED ? WINDOW_BYTES : 0) + first;
    const auto clear = [lane](uint32_t* buckets) {
        __syncwarp();
        for (int i = lane; i < BUCKETS; i += WARP_LANES) buckets[i] = 0;
        __syncwarp();
    };
    if (tile_enters_short<Policy>(tile)) {
        uint32_t* buckets = reinterpret_cast<uint32_t*>(memory.steps + warp * WARP_PLACES);
        clear(buckets);
#pragma unroll 1
        for (int i = 0; i < WARP_PLACES; i += WARP_LANES) {
            const uint32_t hash = thread_hash_short<Policy>(memory.raw, first_byte + i);
            memory.found[found_at(first + i)] = warp_compare_hashes(hash, tile.is_open(first + i), buckets, lane);
        }
    }
    uint32_t* buckets = reinterpret_cast<uint32_t*>(links - lane);
    clear(buckets);
    uint64_t own_links = 0;  // of the lane's places, five bits each
#pragma unroll 1
    for (int window = 0; window < WARP_WINDOWS; ++window) {
        const int i = window * WARP_LANES;
        const uint32_t key = warp_compare_hashes(thread_hash_link<Policy>(memory.raw, first_byte + i),
                                                 tile.is_open(first + i), buckets, lane);
        memory.steps[first + i] = static_cast<uint16_t>(key);
        own_links |= uint64_t{key >> KEY_LINK_AT} << (5 * window);
    }
    for (int window = 0; window < WARP_WINDOWS; ++window)
        links[window * WARP_LANES] = static_cast<uint16_t>(own_links >> (5 * window) & 31);
}

/// Raises a head to `place`, which is compared without a sign: places before the block are above 2^15, and ascend.
__device__ __forceinline__ void thread_raise_head(uint16_t* heads, uint32_t hash, uint16_t place) {
    uint32_t* word = reinterpret_cast<uint32_t*>(heads) + hash / 2;
    const uint32_t shift = 16 * (hash & 1);
    uint32_t seen = atomicOr(word, 0u);
    while ((seen >> shift & 0xFFFF) < place) {
        const uint32_t then =
            atomicCAS(word, seen, (seen & ~(0xFFFFu << shift)) | static_cast<uint32_t>(place) << shift);
        if (then == seen) break;
        seen = then;
    }
}

/// All warps: enters a tile before the block where no links are kept: all that matters is each hash's latest place,
/// so the order of the warps does not. Of equal hashes of 5 bytes that follow each other only the last place is
/// entered.
template <typename Policy>
__device__ __forceinline__ void warp_raise_heads(const Tile& tile, TileMemory<Policy>& memory, int warp, int lane) {
    constexpr uint32_t NO_HASH = ~0u;
    const bool enters_short = tile_enters_short<Policy>(tile);
#pragma unroll 2
    for (int window = 0; window < WARP_WINDOWS; ++window) {
        const int place = warp * WARP_PLACES + window * WARP_LANES + lane;
        const int byte = tile.misaligned_bytes + WINDOW_BYTES + place;
        const bool open = tile.is_open(place);
        const uint32_t hash = open ? thread_hash_link<Policy>(memory.raw, byte) : NO_HASH;
        const uint32_t next = __shfl_sync(ALL_LANES, hash, min(lane + 1, WARP_LANES - 1));
        const bool is_last = lane == WARP_LANES - 1 || next != hash;
        if (open && is_last) thread_raise_head(memory.heads, hash, static_cast<uint16_t>(tile.start + place));
        if (open && is_last && enters_short)
            thread_raise_head(memory.short_heads, thread_hash_short<Policy>(memory.raw, byte),
                              static_cast<uint16_t>(tile.start + place));
    }
}

/// One warp: enters all windows of the tile in order. `key(place)` gives a place's key, `link(place, distance)` takes
/// what it is linked by.
template <typename Key, typename Link>
__device__ __forceinline__ void warp_enter_windows(const Tile& tile, int limit, uint16_t* table, int lane, Key key,
                                                   Link link) {
    constexpr int AT_ONCE = 16;
    for (int first = 0; first < limit; first += AT_ONCE * WARP_LANES) {
        uint32_t keys[AT_ONCE], heads[AT_ONCE];
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) keys[i] = key(first + i * WARP_LANES + lane);
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) {
            const int place = first + i * WARP_LANES + lane;
            const uint32_t hash = keys[i] & (LAST_OF_HASH - 1);
            heads[i] = 0;
            if (keys[i] & FIRST_OF_HASH) heads[i] = table[hash];
            __syncwarp();
            if (keys[i] & LAST_OF_HASH) table[hash] = static_cast<uint16_t>(tile.start + place);
            __syncwarp();
        }
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) {
            const int place = first + i * WARP_LANES + lane;
            if (keys[i] & FIRST_OF_HASH)
                link(place, static_cast<uint16_t>(tile.start + place - static_cast<int>(heads[i])));
        }
    }
}

/// Enter the tile in both tables.
constexpr int ENTERING_WARPS = 2;

/// Enters the tile in both tables, each by a warp of its own.
template <typename Policy>
__device__ __forceinline__ void warp_enter_tile(const Tile& tile, TileMemory<Policy>& memory, int warp, int lane) {
    constexpr int LINK_AT = Policy::LINKED ? WINDOW_BYTES : 0;
    const int limit = tile.limit(TileMemory<Policy>::TILE_BYTES);
    if (warp == 0) {
        warp_enter_windows(
            tile, limit, memory.heads, lane, [&](int place) -> uint32_t { return memory.steps[place]; },
            [&](int place, uint16_t distance) { memory.links[LINK_AT + place] = distance; });
    } else if (warp == 1 && tile_enters_short<Policy>(tile)) {
        warp_enter_windows(
            tile, limit, memory.short_heads, lane, [&](int place) -> uint32_t { return memory.found[found_at(place)]; },
            [&](int place, uint16_t distance) { memory.found[found_at(place)] = uint32_t{distance} << KEY_LINK_AT; });
    }
}

}  // namespace warpcodec::deflate_encode
