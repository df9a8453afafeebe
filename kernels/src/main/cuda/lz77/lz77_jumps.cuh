// Finds where up to 32 units (sequences of LZ4, elements of Snappy) of a block start, all at once and with no index.
//
// Where a unit starts is known only from the one before it. A lane that walks them alone costs some ten instructions
// per unit for all 32 lanes. Here the warp takes a window of 128 compressed bytes and guesses for EVERY byte where
// the next unit would start if one started there, four bytes per lane in one register (the format's part,
// thread_guess_jumps). Each gather through that table makes one for twice as many units. Lane i then reaches its unit
// by few steps through the tables, all lanes at the same time.
//
// A guess may be wrong where it costs too much to be right, and ends where a unit leaves the window. So each lane
// reads its unit properly and compares where it ends with the start that the next lane assumed; the first lane that
// disagrees is the last that counts. A wrong guess costs speed and never correctness.
//
// Reads: the block's bytes only, but for up to 3 bytes in front of it in the aligned word that holds its first byte.
#pragma once

#include <cstdint>

#include "../common/alignment.cuh"
#include "../common/batch.cuh"
#include "../common/warp.cuh"
#include "lz77_state.cuh"

namespace warpcodec::lz77 {

constexpr int WINDOW_BYTES = 4 * WARP_LANES;
/// Starts beyond the window stand for themselves in every table.
constexpr int JUMP_ENTRIES = 2 * WINDOW_BYTES;
/// Beyond every block.
constexpr uint32_t NO_POSITION = 0xFFFFFFFFu;

/// Shared memory of one warp while it parses; 256-byte aligned, so that a table's address and an index join without
/// an addition.
struct alignas(256) JumpTables {
    uint8_t table[3][JUMP_ENTRIES];
};

/// Byte `index` of `packed` as index into a table at a shared address that is a multiple of 256.
template <int index>
__device__ __forceinline__ uint32_t thread_look_up(uint32_t packed, const uint8_t* s_table) {
#ifdef __CUDA_ARCH__
    const uint32_t table = static_cast<uint32_t>(__cvta_generic_to_shared(s_table));
    uint32_t value;
    asm volatile("ld.shared.u8 %0, [%1];" : "=r"(value) : "r"(__byte_perm(packed, table, 0x7650 | index)) : "memory");
    return value;
#else
    return s_table[packed >> (8 * index) & 0xFF];
#endif
}

/// The lowest bytes of four words as one word.
__device__ __forceinline__ uint32_t thread_pack(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
}

/// This lane's four entries of a table taken on by the jumps of `from`.
__device__ __forceinline__ uint32_t thread_compose(uint32_t packed, const uint8_t* s_from) {
    return thread_pack(thread_look_up<0>(packed, s_from), thread_look_up<1>(packed, s_from),
                       thread_look_up<2>(packed, s_from), thread_look_up<3>(packed, s_from));
}

/// The aligned word at `position` of the block, which may be up to 3 bytes before it; bytes from input_bytes on read
/// as zero.
__device__ __forceinline__ uint32_t thread_load_word(const Block& block, int position) {
    const int bytes = static_cast<int>(block.input_bytes);
    if (position + 4 <= bytes) return __ldg(reinterpret_cast<const uint32_t*>(block.input + position));
    uint32_t word = 0;
    for (int i = 0; i < 4; ++i) {
        const int at = position + i;
        if (at >= 0 && at < bytes) word |= static_cast<uint32_t>(block.input[at]) << (8 * i);
    }
    return word;
}

/// The guessed position of unit UNITS_PER_LANE * lane from state.input_position on, exact in lane 0, or NO_POSITION.
/// guess(word, next_word, lane) answers the jumps of this lane's 4 window bytes: places in the window, or 128 and
/// more. The tables are free again after the caller's next __syncwarp().
template <int UNITS_PER_LANE, typename Guess>
__device__ __forceinline__ uint32_t warp_find_units(const Block& block, const ParseState& state, JumpTables& tables,
                                                    int lane, Guess guess) {
    static_assert(UNITS_PER_LANE == 1 || UNITS_PER_LANE == 2);
    const uint32_t start = bytes_past_alignment<4>(block.input + state.input_position);
    const int window = static_cast<int>(state.input_position - start);
    const uint32_t word = thread_load_word(block, window + 4 * lane);
    const uint32_t beyond = 0x83828180u + 4 * lane * 0x01010101u;
    uint8_t* s_far = tables.table[0];  // in the end 4 lanes ahead
    uint8_t* s_near = tables.table[1];  // 1 lane ahead
    uint8_t* s_middle = tables.table[2];
    const auto store = [&](uint8_t* s_table, uint32_t packed) {
        reinterpret_cast<uint32_t*>(s_table)[lane] = packed;
        __syncwarp();
    };
#pragma unroll
    for (int table = 0; table < 3; ++table)
        reinterpret_cast<uint32_t*>(tables.table[table])[WARP_LANES + lane] = beyond;
    uint32_t packed = guess(word, __shfl_down_sync(ALL_LANES, word, 1), lane);
    if (UNITS_PER_LANE == 2) {
        store(s_middle, packed);
        packed = thread_compose(packed, s_middle);
    }
    store(s_near, packed);
    packed = thread_compose(packed, s_near);
    store(s_middle, packed);
    packed = thread_compose(packed, s_middle);
    store(s_far, packed);
    uint32_t place = start;
#pragma unroll
    for (int turn = 0; turn < WARP_LANES / 4 - 1; ++turn) {
        if (lane / 4 > turn) place = s_far[place];
    }
    if (lane & 2) place = s_middle[place];
    if (lane & 1) place = s_near[place];
    return place < WINDOW_BYTES ? window + place : NO_POSITION;
}

/// Where units start in one of the windows that lie side by side, for each place at which the first one might: shared
/// memory of a warp. Table k leads 2^k lanes ahead, and the last one behind all units of the window. Places behind the
/// window stand for themselves.
struct alignas(256) WindowMap {
    static constexpr int TABLES = 6;
    uint8_t ahead[TABLES][JUMP_ENTRIES];

    /// Where the first unit behind the window starts.
    __device__ __forceinline__ uint32_t exit_of(uint32_t place) const { return ahead[TABLES - 1][place]; }
};

/// Maps the window of BYTES bytes that begins at `window`: an aligned place of the block, or up to 3 bytes before it,
/// or behind its end. A window has UNITS_PER_LANE units for each lane at most. guess() is that of warp_find_units.
template <int UNITS_PER_LANE, int BYTES, typename Guess>
__device__ __forceinline__ void warp_map_window(const Block& block, int window, WindowMap& map, int lane, Guess guess) {
    static_assert(UNITS_PER_LANE == 1 || UNITS_PER_LANE == 2);
    static_assert(BYTES % 4 == 0 && BYTES <= WINDOW_BYTES && (1 << (WindowMap::TABLES - 1)) == WARP_LANES);
    const uint32_t own = 0x03020100u + 4 * lane * 0x01010101u;
    const uint32_t word = thread_load_word(block, window + 4 * lane);
#pragma unroll
    for (int table = 0; table < WindowMap::TABLES; ++table)
        reinterpret_cast<uint32_t*>(map.ahead[table])[WARP_LANES + lane] = own + 0x80808080u;
    const uint32_t guessed = guess(word, __shfl_down_sync(ALL_LANES, word, 1), lane);
    uint32_t packed = 4 * lane < BYTES ? guessed : own;
    const auto store = [&](int table) {
        reinterpret_cast<uint32_t*>(map.ahead[table])[lane] = packed;
        __syncwarp();
    };
    if (UNITS_PER_LANE == 2) {
        store(WindowMap::TABLES - 1);  // free until the end
        packed = thread_compose(packed, map.ahead[WindowMap::TABLES - 1]);
        __syncwarp();
    }
#pragma unroll
    for (int table = 0; table < WindowMap::TABLES - 1; ++table) {
        store(table);
        packed = thread_compose(packed, map.ahead[table]);
    }
    store(WindowMap::TABLES - 1);
}

}  // namespace warpcodec::lz77
