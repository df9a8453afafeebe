// Undoes the Burrows-Wheeler transform of blocks of up to 2^24 bytes, whose last column is given and the row of the
// original text.
//
// The k-th row that begins with a byte is the row in front of which, in the text, the k-th place of the column with
// that byte stands. So a stable counting sort of the column gives each row a link to the next one, and a walk along
// the links from the original row reads the text. The walk is a chain of one random read a byte. It is cut into
// segments, each read by a thread of its own (list ranking after Wei and JaJa; Patel's thesis doubles pointers
// instead, which reads every link log2(n) times):
//
//   1. count    A cta for each tile counts the bytes of the column.
//   2. begin    A cta for each block adds the counts up: where in the sorted order each tile's bytes of each value
//               begin.
//   3. link     A cta for each tile sorts its bytes: links[row] = place << 8 | byte, the byte being the row's first.
//   4. measure  Some rows are nodes: one in each stratum of STRATUM_ROWS, at a place that a hash chooses, and the
//               original row. A thread for each walks from its node to the next one, counts the steps, and keeps the
//               first STAGE_BYTES bytes: where in the text they belong is not known yet.
//   5. rank     A cta for each block finds where in the text each node's segment begins: every SUPER-th node walks
//               from node to node until the next of its kind, those are ranked by doubling pointers in shared memory,
//               and walk once more to tell the nodes between them.
//   6. write    A warp copies what its 32 nodes have kept; the threads of longer segments walk on from there.
//
// Links are a permutation, so every walk comes back: a walk that begins at a node meets one after as many steps as
// the block has rows at most. Where rows are equal the permutation has several cycles; the text is then the original
// row's cycle, again and again (cycle_bytes < text_bytes), and nodes on other cycles have no place (NOWHERE). A hash
// chooses the nodes, so that a text whose rows follow each other with a fixed stride does not avoid them.
//
// Cost a byte: 4 bytes read and 7 written, in order but for the links; 1.2 random reads of 4 bytes. Segments have
// STRATUM_ROWS bytes on average, and their lengths are those of a geometric distribution. So a fifth of all bytes
// lies behind the first STAGE_BYTES of its segment: their links are read twice.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"

namespace warpcodec::bwt {

constexpr uint32_t VALUES = 256;
constexpr uint32_t TILE_BYTES = 8192;
constexpr int COUNT_CTA_THREADS = 256;
constexpr int COUNT_CTA_WARPS = COUNT_CTA_THREADS / WARP_LANES;
constexpr int LINK_CTA_THREADS = 512;
constexpr int LINK_CTA_WARPS = LINK_CTA_THREADS / WARP_LANES;
constexpr uint32_t WARP_BYTES = TILE_BYTES / LINK_CTA_WARPS;
constexpr uint32_t LANE_COLUMN_BYTES = WARP_BYTES / WARP_LANES;
constexpr uint32_t STRATUM_ROWS = 64;
constexpr uint32_t STAGE_BYTES =
    96;  ///< of a segment that are kept: as many as there is memory for that nothing else needs by then
constexpr uint32_t SUPER = 16;
constexpr uint32_t MAX_TEXT_BYTES = 900000;
constexpr uint32_t MAX_NODES = (MAX_TEXT_BYTES + STRATUM_ROWS - 1) / STRATUM_ROWS + 1;
constexpr uint32_t MAX_SUPERS = (MAX_NODES - 1 + SUPER - 1) / SUPER + 1;
constexpr int RANK_CTA_THREADS = 1024;
constexpr uint32_t NOWHERE = 0xFFFFFFFFu;

static_assert(COUNT_CTA_THREADS == VALUES && LINK_CTA_THREADS >= VALUES, "a thread for each value");

/// A node of the list: a row at which a thread begins.
struct alignas(16) Node {
    uint32_t next;  ///< number of the node that its segment ends at
    uint32_t bytes;  ///< of the segment
    uint32_t at;  ///< where in the text it begins, or NOWHERE
    uint32_t row;  ///< at which the bytes that are kept end, if the segment has more
};

__host__ __device__ constexpr uint32_t tile_count(uint32_t bytes) { return (bytes + TILE_BYTES - 1) / TILE_BYTES; }
/// Nodes of a text: one for each stratum, and the original row, which is the last one.
__host__ __device__ constexpr uint32_t node_count(uint32_t bytes) {
    return (bytes + STRATUM_ROWS - 1) / STRATUM_ROWS + 1;
}

/// First step: counts the values of a tile; a cta of COUNT_CTA_THREADS. `s_counts` are VALUES words a warp.
__device__ inline void cta_count_tile(const uint8_t* column, uint32_t bytes, uint32_t tile, uint32_t* tile_counts,
                                      uint32_t (*s_counts)[VALUES]) {
    const uint32_t warp = threadIdx.x / WARP_LANES;
    for (int of = 0; of < COUNT_CTA_WARPS; ++of) s_counts[of][threadIdx.x] = 0;
    __syncthreads();
    // Equal bytes come in runs: a thread adds a run at once.
    constexpr uint32_t ROW_BYTES = 16;
    for (uint32_t row = threadIdx.x; row < TILE_BYTES / ROW_BYTES; row += COUNT_CTA_THREADS) {
        const uint32_t at = tile * TILE_BYTES + row * ROW_BYTES;
        if (at >= bytes) break;
        const uint32_t limit = min(ROW_BYTES, bytes - at);
        const uint4 loaded = *reinterpret_cast<const uint4*>(column + at);
        const uint32_t words[4] = {loaded.x, loaded.y, loaded.z, loaded.w};
        uint32_t value = words[0] & 0xFF;
        uint32_t run = 1;
#pragma unroll
        for (uint32_t k = 1; k < ROW_BYTES; ++k) {
            const uint32_t byte = words[k / 4] >> (8 * (k % 4)) & 0xFF;
            if (k >= limit) break;
            if (byte != value) {
                atomicAdd(&s_counts[warp][value], run);
                value = byte;
                run = 0;
            }
            ++run;
        }
        atomicAdd(&s_counts[warp][value], run);
    }
    __syncthreads();
    uint32_t sum = 0;
    for (int of = 0; of < COUNT_CTA_WARPS; ++of) sum += s_counts[of][threadIdx.x];
    tile_counts[tile * VALUES + threadIdx.x] = sum;
}

/// Second step: replaces counts by the row at which the tile's bytes of a value begin; a cta of VALUES threads.
/// `s_warps` are words of shared memory, one a warp.
__device__ inline void cta_begin_tiles(uint32_t* tile_counts, uint32_t tiles, uint32_t* s_warps) {
    constexpr uint32_t AHEAD = 8;  // loads under way at once
    const int lane = threadIdx.x % WARP_LANES;
    const uint32_t warp = threadIdx.x / WARP_LANES;
    uint32_t* counts = tile_counts + threadIdx.x;
    uint32_t sum = 0;
    for (uint32_t first = 0; first < tiles; first += AHEAD) {
        uint32_t loaded[AHEAD];
#pragma unroll
        for (uint32_t k = 0; k < AHEAD; ++k) loaded[k] = first + k < tiles ? counts[(first + k) * VALUES] : 0;
#pragma unroll
        for (uint32_t k = 0; k < AHEAD; ++k) {
            if (first + k < tiles) counts[(first + k) * VALUES] = sum;
            sum += loaded[k];
        }
    }
    const uint32_t inclusive = warp_inclusive_sum(sum, lane);
    if (lane == WARP_LANES - 1) s_warps[warp] = inclusive;
    __syncthreads();
    uint32_t base = inclusive - sum;
    for (uint32_t of = 0; of < warp; ++of) base += s_warps[of];
    for (uint32_t tile = 0; tile < tiles; ++tile) counts[tile * VALUES] += base;
}

/// Shared memory of the cta that links a tile.
struct LinkScratch {
    uint32_t rows[LINK_CTA_WARPS][VALUES];
};

/// Third step: links the rows of a tile's bytes; a cta of LINK_CTA_THREADS.
__device__ inline void cta_link_tile(const uint8_t* column, uint32_t bytes, uint32_t tile, const uint32_t* tile_begins,
                                     uint32_t* links, LinkScratch& s) {
    const int lane = threadIdx.x % WARP_LANES;
    const uint32_t warp = threadIdx.x / WARP_LANES;
    for (uint32_t at = threadIdx.x; at < LINK_CTA_WARPS * VALUES; at += LINK_CTA_THREADS)
        s.rows[at / VALUES][at % VALUES] = 0;
    __syncthreads();
    // A warp's bytes in order, 32 at a time: a byte's rank is the number of equal ones before it in the warp.
    uint32_t* counts = s.rows[warp];
    const uint32_t begin = tile * TILE_BYTES + warp * WARP_BYTES;
    uint32_t packed[LANE_COLUMN_BYTES];  // rank << 8 | byte
#pragma unroll
    for (uint32_t k = 0; k < LANE_COLUMN_BYTES; ++k) {
        const uint32_t at = begin + k * WARP_LANES + lane;
        const bool inside = at < bytes;
        const uint32_t value = inside ? column[at] : VALUES;
        const uint32_t alike = __match_any_sync(ALL_LANES, value);
        const uint32_t before = __popc(alike & ((1u << lane) - 1));
        uint32_t rank = 0;
        if (inside) rank = counts[value] + before;
        __syncwarp();
        if (inside && before == 0) counts[value] += __popc(alike);
        __syncwarp();
        packed[k] = rank << 8 | (value & 0xFF);
    }
    __syncthreads();
    // Where each warp's bytes of this thread's value begin.
    if (threadIdx.x < VALUES) {
        uint32_t row = tile_begins[tile * VALUES + threadIdx.x];
        for (int of = 0; of < LINK_CTA_WARPS; ++of) {
            const uint32_t count = s.rows[of][threadIdx.x];
            s.rows[of][threadIdx.x] = row;
            row += count;
        }
    }
    __syncthreads();
#pragma unroll
    for (uint32_t k = 0; k < LANE_COLUMN_BYTES; ++k) {
        const uint32_t at = begin + k * WARP_LANES + lane;
        if (at >= bytes) continue;
        const uint32_t value = packed[k] & 0xFF;
        const uint32_t to = counts[value] + (packed[k] >> 8);
        if (to < bytes) links[to] = at << 8 | value;
    }
}

/// The row of a stratum that is a node.
__device__ __forceinline__ uint32_t node_row(uint32_t stratum, uint32_t bytes) {
    const uint32_t first = stratum * STRATUM_ROWS;
    const uint32_t rows = min(STRATUM_ROWS, bytes - first);
    return first + __umulhi(stratum * 0x9E3779B1u ^ 0x85EBCA6Bu, rows);
}

/// The number of the node that a row is, or NOWHERE.
__device__ __forceinline__ uint32_t node_of(uint32_t row, uint32_t bytes, uint32_t orig_ptr) {
    if (row == orig_ptr) return node_count(bytes) - 1;
    const uint32_t stratum = row / STRATUM_ROWS;
    return row == node_row(stratum, bytes) ? stratum : NOWHERE;
}

__device__ __forceinline__ uint32_t row_of(uint32_t node, uint32_t bytes, uint32_t orig_ptr) {
    return node == node_count(bytes) - 1 ? orig_ptr : node_row(node, bytes);
}

/// Fourth step: measures one node's segment and keeps its first bytes; a thread. `stage` has STAGE_BYTES for each
/// node and is aligned to 32. Bytes are kept by 32, which is what the second-level cache takes without looking at
/// what was there; behind the last one anything may be written.
__device__ inline void thread_measure(const uint32_t* links, uint32_t bytes, uint32_t orig_ptr, uint32_t index,
                                      Node* nodes, uint8_t* stage) {
    constexpr uint32_t ROW_BYTES = 32;
    static_assert(STAGE_BYTES % ROW_BYTES == 0, "bytes are kept by 32");
    uint4* kept = reinterpret_cast<uint4*>(stage + uint64_t{STAGE_BYTES} * index);
    uint32_t row = row_of(index, bytes, orig_ptr);
    uint32_t kept_row = 0;
    uint32_t steps = 0;
    uint32_t node = NOWHERE;
    while (node == NOWHERE && steps < STAGE_BYTES) {
        uint32_t words[ROW_BYTES / 4];
#pragma unroll
        for (uint32_t k = 0; k < ROW_BYTES; ++k) {
            if (node == NOWHERE && steps < bytes) {
                const uint32_t link = links[row];
                words[k / 4] = (k % 4 == 0 ? 0 : words[k / 4]) | (link & 0xFF) << (8 * (k % 4));
                row = min(link >> 8, bytes - 1);
                ++steps;
                node = node_of(row, bytes, orig_ptr);
            } else if (k % 4 == 0) {
                words[k / 4] = 0;
            }
        }
        __stcs(kept++, make_uint4(words[0], words[1], words[2], words[3]));
        __stcs(kept++, make_uint4(words[4], words[5], words[6], words[7]));
        kept_row = row;
        if (steps >= bytes) break;
    }
    while (node == NOWHERE && steps < bytes) {
        row = min(links[row] >> 8, bytes - 1);
        ++steps;
        node = node_of(row, bytes, orig_ptr);
    }
    nodes[index] = Node{node == NOWHERE ? index : node, steps, NOWHERE, kept_row};
}

/// Shared memory of the cta that ranks a block's nodes.
struct RankScratch {
    uint32_t bytes[MAX_SUPERS];  ///< to the node next_super, or to the end of the text where next_super is NO_SUPER
    uint16_t next_super[MAX_SUPERS];
    uint16_t next[MAX_NODES];
    uint8_t short_bytes[MAX_NODES];  ///< of the segment; LONG_SEGMENT: look at the node
};
constexpr uint32_t LONG_SEGMENT = 0xFF;
constexpr uint32_t NO_SUPER = 0xFFFF;
static_assert(MAX_NODES < NO_SUPER && sizeof(RankScratch) <= 48 * 1024,
              "numbers have 16 bits, static shared memory ends at 48 KiB");

/// The super node that a node is, or NO_SUPER. The last node is one, the last of them.
__device__ __forceinline__ uint32_t super_of(uint32_t node, uint32_t nodes) {
    if (node == nodes - 1) return (nodes - 1 + SUPER - 1) / SUPER;
    return node % SUPER == 0 ? node / SUPER : NO_SUPER;
}

/// Fifth step: finds where each node's segment begins; a cta of RANK_CTA_THREADS. Returns the bytes of the original
/// row's cycle, in every thread.
__device__ inline uint32_t cta_rank_nodes(Node* nodes, uint32_t bytes, RankScratch& s) {
    const uint32_t count = min(node_count(bytes), MAX_NODES);
    const uint32_t last = super_of(count - 1, count);
    for (uint32_t node = threadIdx.x; node < count; node += RANK_CTA_THREADS) {
        const uint2 loaded = *reinterpret_cast<const uint2*>(nodes + node);  // next and bytes
        s.next[node] = static_cast<uint16_t>(min(loaded.x, count - 1));
        s.short_bytes[node] = static_cast<uint8_t>(min(loaded.y, LONG_SEGMENT));
    }
    const auto bytes_of = [&](uint32_t node) {
        const uint32_t stored = s.short_bytes[node];
        return stored == LONG_SEGMENT ? nodes[node].bytes : stored;
    };
    __syncthreads();
    for (uint32_t super = threadIdx.x; super <= last; super += RANK_CTA_THREADS) {
        uint32_t node = super == last ? count - 1 : super * SUPER;
        uint32_t walked = 0;
        uint32_t met = NO_SUPER;
        for (uint32_t steps = 0; met == NO_SUPER && steps < count; ++steps) {
            walked += bytes_of(node);
            node = s.next[node];
            met = super_of(node, count);
        }
        s.bytes[super] = walked;
        s.next_super[super] = static_cast<uint16_t>(met == last ? NO_SUPER : met);
    }
    __syncthreads();
    constexpr int SHARE = (MAX_SUPERS + RANK_CTA_THREADS - 1) / RANK_CTA_THREADS;
    for (uint32_t reach = 1; reach <= last; reach *= 2) {
        uint32_t more[SHARE];
        uint32_t next[SHARE];
#pragma unroll
        for (int k = 0; k < SHARE; ++k) {
            const uint32_t super = threadIdx.x + k * RANK_CTA_THREADS;
            const uint32_t then = super <= last ? s.next_super[super] : NO_SUPER;
            more[k] = then == NO_SUPER ? 0 : s.bytes[then];
            next[k] = then == NO_SUPER ? NO_SUPER : s.next_super[then];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < SHARE; ++k) {
            const uint32_t super = threadIdx.x + k * RANK_CTA_THREADS;
            if (super > last) continue;
            s.bytes[super] += more[k];
            s.next_super[super] = static_cast<uint16_t>(next[k]);
        }
        __syncthreads();
    }
    const uint32_t cycle = s.bytes[last];
    for (uint32_t super = threadIdx.x; super <= last; super += RANK_CTA_THREADS) {
        if (s.next_super[super] != NO_SUPER) continue;  // on another cycle
        uint32_t node = super == last ? count - 1 : super * SUPER;
        uint32_t at = cycle - s.bytes[super];
        for (uint32_t steps = 0; steps < count; ++steps) {
            nodes[node].at = at;
            at += bytes_of(node);
            node = s.next[node];
            if (super_of(node, count) != NO_SUPER) break;
        }
    }
    return cycle;
}

/// Sixth step: writes the segments of 32 nodes, this lane's among them; a warp. `text` is aligned to 8 bytes; `nodes`
/// has `count` of them.
__device__ inline void warp_write_segments(const uint32_t* links, uint32_t bytes, uint32_t index, uint32_t count,
                                           const Node* nodes, const uint8_t* stage, uint8_t* text, int lane) {
    Node mine{0, 0, NOWHERE, 0};
    if (index < count) mine = nodes[index];
    const uint32_t at = min(mine.at, bytes);
    const uint32_t limit = min(at + mine.bytes, bytes);
    const uint32_t kept = min(limit - at, STAGE_BYTES);
    const uint8_t* first_kept = stage + uint64_t{STAGE_BYTES} * (index - lane);
    for (uint32_t left = __ballot_sync(ALL_LANES, kept != 0); left != 0; left &= left - 1) {
        const int turn = __ffs(left) - 1;
        const uint32_t to = __shfl_sync(ALL_LANES, at, turn);
        const uint32_t copied = __shfl_sync(ALL_LANES, kept, turn);
        const uint8_t* from = first_kept + STAGE_BYTES * turn;
        for (uint32_t k = lane; k < copied; k += WARP_LANES) text[to + k] = from[k];
    }
    uint32_t row = min(mine.row, bytes - 1);
    const uint32_t begin = at + kept;
    uint64_t word = 0;
    for (uint32_t to = begin; to < limit;) {
        const uint32_t link = links[row];
        word = word >> 8 | static_cast<uint64_t>(link & 0xFF) << 56;
        row = min(link >> 8, bytes - 1);
        ++to;
        if (to % 8 != 0 && to != limit) continue;
        // What has come since the last multiple of eight, or since the begin.
        const uint32_t from = max((to - 1) & ~7u, begin);
        if (to - from == 8) {
            *reinterpret_cast<uint64_t*>(text + from) = word;
        } else {
            const uint64_t rest = word >> (8 * (8 - (to - from)));
            for (uint32_t k = 0; k < to - from; ++k) text[from + k] = static_cast<uint8_t>(rest >> (8 * k));
        }
    }
}

}  // namespace warpcodec::bwt
