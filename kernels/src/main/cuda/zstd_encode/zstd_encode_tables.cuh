// Decides how a block's sequences have their tables, a warp a table: with one symbol only if they have no other; else
// the predefined one or their own, whichever takes fewer bits.
#pragma once

#include "zstd_encode_memory.cuh"

namespace warpcodec::zstd_encode {

/// The decision for `kind`, its counts and, if it is the block's own, its description.
__device__ __forceinline__ void warp_choose_table(int kind, uint32_t total, CodesMemory& memory, int lane) {
    const uint32_t* counts = memory.counts[kind];
    fse::Counts& normalized = memory.normalized[kind];
    Table& table = memory.sequence_tables[kind];
    uint32_t used = 0, only = 0;
#pragma unroll
    for (int turn = 0; turn < fse::LANE_SYMBOLS; ++turn) {
        const uint32_t users = __ballot_sync(ALL_LANES, counts[turn * WARP_LANES + lane] != 0);
        if (users != 0) only = turn * WARP_LANES + 31 - __clz(static_cast<int>(users));
        used += __popc(users);
    }
    if (used == 1) {
        if (lane == 0) {
            table.mode = zstd::MODE_ONE_SYMBOL;
            table.log = 0;
            table.bytes = 1;
            table.description[0] = static_cast<uint8_t>(only);
        }
        __syncwarp();
        return;
    }
    const uint32_t log = fse::table_log(total, used, zstd::most_log(kind));
    fse::warp_normalize(counts, total, log, normalized, lane);
    uint32_t bytes = 0;
    if (lane == 0) bytes = fse::thread_describe(normalized, log, table.description);
    bytes = __shfl_sync(ALL_LANES, bytes, 0);
    const uint32_t own_price = fse::warp_price(counts, normalized, log, lane) + 8 * bytes * fse::PRICE_OF_BIT;
    // Two symbols of each lane keep their own counts until the predefined ones are found to be dearer.
    int16_t own[fse::LANE_SYMBOLS];
    bool has_all = true;
#pragma unroll
    for (int turn = 0; turn < fse::LANE_SYMBOLS; ++turn) {
        const int symbol = turn * WARP_LANES + lane;
        own[turn] = normalized.of[symbol];
        const int predefined = zstd::predefined_count(kind, static_cast<uint32_t>(symbol));
        has_all &= predefined != 0 || counts[symbol] == 0;
        normalized.of[symbol] = static_cast<int16_t>(predefined);
    }
    __syncwarp();
    const uint32_t predefined_log = zstd::predefined_log(kind);
    const bool is_predefined =
        __all_sync(ALL_LANES, has_all) && fse::warp_price(counts, normalized, predefined_log, lane) <= own_price;
    if (!is_predefined) {
#pragma unroll
        for (int turn = 0; turn < fse::LANE_SYMBOLS; ++turn) normalized.of[turn * WARP_LANES + lane] = own[turn];
    }
    if (lane == 0) {
        table.mode = is_predefined ? zstd::MODE_PREDEFINED : zstd::MODE_DESCRIBED;
        table.log = is_predefined ? predefined_log : log;
        table.bytes = is_predefined ? 0 : bytes;
    }
    __syncwarp();
}

/// What the sequences' writer needs of a table that was chosen.
__device__ __forceinline__ void warp_make_table(int kind, CodesMemory& memory, int lane) {
    const Table& table = memory.sequence_tables[kind];
    fse::Change* changes = memory.tables.changes[kind];
    uint16_t* states = memory.tables.states + zstd::table_at(kind);
    if (lane < SYMBOLS_READ_BEHIND) memory.tables.symbols[kind][ROUND_SEQUENCES + lane] = 0;
    if (table.log == 0) {
        // One state, in which nothing is written, whatever the symbol.
        for (int symbol = lane; symbol < fse::MAX_SYMBOLS; symbol += WARP_LANES) changes[symbol] = fse::Change{0, 0};
        if (lane == 0) states[0] = 0;
        __syncwarp();
        return;
    }
    fse::warp_make_changes(memory.normalized[kind], table.log, memory.making[kind], changes, states, lane);
}

}  // namespace warpcodec::zstd_encode
