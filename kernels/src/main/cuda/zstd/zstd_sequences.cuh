// Sequences of blocks (RFC 8878, sections 3.1.1.3.2 and 4.1): the only part of a frame that no two threads can share.
//
// Three states tell where the next three are, and how many bits lie between. So one lane goes from sequence to
// sequence, and it only advances. An entry of a table has the bits of its value and those of its next state, and the
// sum of three entries has both sums. The 96 bits below a place wait in registers: they are read while the states'
// entries are. So the entries' read is the only one between a sequence and the next, which takes 110 clocks. Places and
// states are kept.
//
// Other warps take the values meanwhile, 32 sequences at once: their bits, their offsets, and sums that tell where
// their literals and bytes begin. A sequence is a function of the three offsets that may be repeated. Each of its
// results is an offset, or one of the three, or one of them less one. A row of sequences is such a function too, so 32
// are composed by a scan. So is a block, whose three offsets are not known here (zstd_join.cuh).
//
// A cta reads one block, or, where there are many, BLOCKS of them with a lane each: that costs each block a third, and
// reads twice as many sequences a second (benchmarks/notes/zstd.md).
//
// Bounds: places that leave the stream, sums that leave the block, and offsets from 2^27 on are noticed. They harm
// nothing meanwhile: tables are complete, and all indices are masked or clamped.
#pragma once

#include <cstdint>

#include "../common/group.cuh"
#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "../fse/fse_counts.cuh"
#include "../fse/fse_table.cuh"
#include "zstd_bits.cuh"
#include "zstd_policy.cuh"
#include "zstd_scratch.cuh"
#include "zstd_symbols.cuh"

namespace warpcodec::zstd {

/// What a state stands for. From the lowest bit on: the bits of its value, those of its next state, its symbol, and
/// what the bits of the next state are added to. The sum of three has both sums of bits. States are named by the places
/// of their entries in a table, in bytes.
struct State {
    static constexpr int STATE_BITS_AT = 7;
    static constexpr int SYMBOL_AT = 12;
    static constexpr int BASE_AT = 21;
    static constexpr uint32_t BYTES = sizeof(uint32_t);
    static __device__ __forceinline__ uint32_t of(int kind, uint32_t symbol, uint32_t bits, uint32_t base) {
        return value_bits(kind, symbol) | bits << STATE_BITS_AT | symbol << SYMBOL_AT | base * BYTES << BASE_AT;
    }
    static __device__ __forceinline__ uint32_t value_bits_of(uint32_t sum) { return sum & 127; }
    static __device__ __forceinline__ uint32_t state_bits_of(uint32_t sum) { return sum >> STATE_BITS_AT & 31; }
    static __device__ __forceinline__ uint32_t symbol_of(uint32_t entry) { return entry >> SYMBOL_AT & 63; }
    /// Where the next state's entry is in shared memory. Its bits are the first of `bits`, at the top.
    static __device__ __forceinline__ uint32_t next(uint32_t table, uint32_t entry, uint32_t bits) {
        const uint32_t base = (entry >> BASE_AT) + table;
        return base + __funnelshift_l(bits, 0, entry >> STATE_BITS_AT) * BYTES;
    }
    static __device__ __forceinline__ uint32_t entry(const uint32_t* table, uint32_t state) {
        return *reinterpret_cast<const uint32_t*>(reinterpret_cast<const uint8_t*>(table) + state);
    }
};
static_assert(31 + 16 + 16 < 128 && 9 + 8 + 9 < 32, "neither sum leaves its bits");

/// Words of a stream in shared memory, those that are loaded at once, and those that a batch of sequences may take,
/// with those of the window behind it. A word is one place behind its own, and those of the first places behind the
/// last one too: a window's words lie in a row.
constexpr uint32_t RING_WORDS = 256;
constexpr int32_t RING_LOAD = RING_WORDS / 2;
constexpr uint32_t WINDOW_WORDS = 4;
constexpr int32_t BATCH_WORDS = (WARP_LANES * (31 + 16 + 16 + 26) + 31) / 32 + 2 + WINDOW_WORDS;
static_assert(BATCH_WORDS <= RING_LOAD, "a batch finds its words");

/// A place in a stream, and the three states there.
struct alignas(8) Place {
    int32_t bit;
    uint32_t states;

    static __device__ __forceinline__ uint32_t packed(uint32_t literal, uint32_t offset, uint32_t match) {
        return literal + (offset << 11) + (match << 21);
    }
    __device__ __forceinline__ uint32_t literal_state() const { return states & 2047; }
    __device__ __forceinline__ uint32_t offset_state() const { return states >> 11 & 1023; }
    __device__ __forceinline__ uint32_t match_state() const { return states >> 21; }
};
static_assert(LENGTH_STATES * State::BYTES <= 2048 && OFFSET_STATES * State::BYTES <= 1024, "places of states fit");

/// A block while its sequences are read.
struct SequenceReading {
    const uint32_t* words;  ///< of its stream, as BackwardStream has them
    int32_t begin, end, last_word;
    uint32_t count;  ///< sequences that are read: all of the block's, or none where its tables are wrong
    uint8_t logs[TABLE_KINDS];
    int32_t end_place;  ///< behind the last sequence's values
    Sequence* sequences;
    BlockState* state;  ///< null if the block has no sequences
    uint32_t literal_limit;
    uint32_t byte_limit;
    // what sequences came to so far
    uint32_t literals;
    uint32_t bytes;
    Repeats repeats;
    uint32_t status;
};

/// Shared memory for a block. A place of the ring is found with an OR instead of a sum, so the ring is aligned to its
/// size.
struct BlockScratch {
    static constexpr uint32_t BYTES = 8 * RING_WORDS;
    uint32_t ring[RING_WORDS + WINDOW_WORDS];
    Place places[2][WARP_LANES];
    fse::Counts counts[TABLE_KINDS];
    SequenceReading reading;
    uint32_t unused[8];
};
static_assert(sizeof(BlockScratch) == BlockScratch::BYTES, "all rings are aligned if the first one is");

/// Threads of a cta that read sequences: all but its last warp.
constexpr int SEQUENCE_THREADS = ReadPolicy::CTA_THREADS - WARP_LANES;
constexpr int SEQUENCE_WARPS = SEQUENCE_THREADS / WARP_LANES;
constexpr int SEQUENCE_BARRIER = 1;

/// Waits for the threads that read sequences.
__device__ __forceinline__ void sequence_sync() { part_sync<SEQUENCE_BARRIER, SEQUENCE_THREADS>(); }

/// Shared memory of those threads.
struct SequenceScratch {
    BlockScratch blocks[ReadPolicy::BLOCKS];
    uint32_t tables[ReadPolicy::BLOCKS][TABLE_STATES];
    uint32_t literal_base[LITERAL_LENGTH_SYMBOLS];
    uint32_t match_base[MATCH_LENGTH_SYMBOLS];
    fse::TableScratch<MAX_TABLE_LOG> making[SEQUENCE_WARPS];
};

/// What is read of the tables in front of a block's sequences.
struct TablesRead {
    uint32_t limit = 0;  ///< behind those that were read, in the block's content; 0 if one is wrong
    uint32_t log = 0;  ///< of the last
    uint32_t symbol = 0;  ///< its only one, where the log is 0
};

/// Reads the tables of a sound block that has sequences, up to that of kind `last`, whose counts go to `counts`; for
/// TABLE_KINDS all of them, and no counts.
__device__ __forceinline__ TablesRead thread_read_tables(const FrameView& frame, const BlockRecord& block, int last,
                                                         fse::Counts* counts) {
    const uint8_t* bytes = frame.bytes + block.at;
    TablesRead read;
    uint32_t at = block.tables_at;
    for (int kind = 0; kind < TABLE_KINDS && kind <= last; ++kind) {
        const int mode = block.modes >> (6 - 2 * kind) & 3;
        fse::Counts* own = kind == last ? counts : nullptr;
        if (mode == MODE_ONE_SYMBOL) {
            if (at >= block.bytes) return read;
            read.log = 0;
            read.symbol = __ldg(bytes + at++);
            if (read.symbol > static_cast<uint32_t>(most_symbol(kind))) return read;
        } else if (mode == MODE_DESCRIBED) {
            const fse::Description described =
                fse::thread_read_counts(bytes, at, block.bytes, most_symbol(kind), most_log(kind), own);
            if (described.log == 0) return read;
            read.log = described.log;
            at += described.bytes;
        } else if (kind == last) {
            if (mode != MODE_PREDEFINED) return read;
            read.log = predefined_log(kind);
            for (uint32_t symbol = 0; symbol <= static_cast<uint32_t>(most_symbol(kind)); ++symbol)
                own->of[symbol] = static_cast<int16_t>(predefined_count(kind, symbol));
        }
    }
    read.limit = at;
    return read;
}

/// `offset` as a block has it, seen from in front of what made `before` of the three offsets there; 0 if there is none.
__device__ __forceinline__ uint32_t thread_resolve(uint32_t offset, const Repeats& before) {
    if (offset < REPEAT_BEFORE) return offset;
    const uint32_t which = offset >> REPEAT_WHICH_AT & 3;
    const uint32_t less = offset & REPEAT_LESS_MASK;
    const uint32_t was = which == 0 ? before.of[0] : which == 1 ? before.of[1] : before.of[2];
    return was >= REPEAT_BEFORE ? was + less : was > less ? was - less : 0;
}
__device__ __forceinline__ Repeats thread_compose(const Repeats& after, const Repeats& before) {
    return {{thread_resolve(after.of[0], before), thread_resolve(after.of[1], before),
             thread_resolve(after.of[2], before)}};
}

constexpr uint32_t BEFORE_FIRST = REPEAT_BEFORE;
constexpr uint32_t BEFORE_SECOND = REPEAT_BEFORE | 1u << REPEAT_WHICH_AT;
constexpr uint32_t BEFORE_THIRD = REPEAT_BEFORE | 2u << REPEAT_WHICH_AT;
constexpr Repeats UNCHANGED = {{BEFORE_FIRST, BEFORE_SECOND, BEFORE_THIRD}};
constexpr uint32_t REPEAT_VALUES = 3;
constexpr uint32_t MAX_OFFSET_BITS = 26;

/// The three offsets behind a sequence, as functions of those in front; the sequence uses the first.
__device__ __forceinline__ Repeats thread_repeats_of(uint32_t offset_value, uint32_t literals) {
    if (offset_value > REPEAT_VALUES) return {{offset_value - REPEAT_VALUES, BEFORE_FIRST, BEFORE_SECOND}};
    switch (offset_value - 1 + (literals == 0 ? 1 : 0)) {
        case 0: return UNCHANGED;
        case 1: return {{BEFORE_SECOND, BEFORE_FIRST, BEFORE_THIRD}};
        case 2: return {{BEFORE_THIRD, BEFORE_FIRST, BEFORE_SECOND}};
        default: return {{BEFORE_FIRST | 1, BEFORE_FIRST, BEFORE_SECOND}};
    }
}

/// Composes the lanes' functions with those of all lanes before.
__device__ __forceinline__ Repeats warp_compose(Repeats own, int lane) {
#pragma unroll
    for (int distance = 1; distance < WARP_LANES; distance *= 2) {
        Repeats before;
#pragma unroll
        for (int k = 0; k < 3; ++k) before.of[k] = __shfl_up_sync(ALL_LANES, own.of[k], distance);
        if (lane >= distance) own = thread_compose(own, before);
    }
    return own;
}

/// Where the tables of a block are in shared memory.
struct TablePlaces {
    uint32_t literal, offset, match;

    __device__ __forceinline__ explicit TablePlaces(const uint32_t* tables) {
        literal = static_cast<uint32_t>(__cvta_generic_to_shared(tables));
        offset = literal + State::BYTES * table_at(OFFSETS);
        match = literal + State::BYTES * table_at(MATCH_LENGTHS);
    }
    /// What a Place has more in its states where these are places in shared memory.
    __device__ __forceinline__ uint32_t packed() const { return Place::packed(literal, offset, match); }
};

/// Takes the values of the sequences `first` to `first` + 31 of a block, those of them that it has.
__device__ __forceinline__ void warp_take_values(SequenceScratch& scratch, int block, uint32_t first,
                                                 const Place* places, int lane) {
    SequenceReading& reading = scratch.blocks[block].reading;
    const uint32_t* tables = scratch.tables[block];
    const bool is_one = first + lane < reading.count;
    uint32_t literals = 0, bytes = 0;
    bool wrong = false;
    Repeats repeats = UNCHANGED;
    if (is_one) {
        const Place place{places[lane].bit, places[lane].states - TablePlaces(tables).packed()};
        const uint32_t literal = State::entry(tables, place.literal_state());
        const uint32_t offset = State::entry(tables + table_at(OFFSETS), place.offset_state());
        const uint32_t match = State::entry(tables + table_at(MATCH_LENGTHS), place.match_state());
        const uint32_t offset_bits = State::value_bits_of(offset);
        const uint32_t match_bits = State::value_bits_of(match);
        const uint32_t literal_bits = State::value_bits_of(literal);
        const auto bits = [&](int32_t from, uint32_t count) {
            const int32_t at = from >> 5;
            const uint32_t low = __ldg(reading.words + min(max(at, 0), reading.last_word));
            const uint32_t high = __ldg(reading.words + min(max(at + 1, 0), reading.last_word));
            return __funnelshift_r(low, high, static_cast<uint32_t>(from)) & ((1u << count) - 1);
        };
        int32_t from = place.bit - static_cast<int32_t>(offset_bits);
        wrong = offset_bits > MAX_OFFSET_BITS;
        const uint32_t offset_value = (1u << offset_bits) + bits(from, offset_bits);
        from -= static_cast<int32_t>(match_bits);
        bytes = scratch.match_base[State::symbol_of(match)] + bits(from, match_bits);
        from -= static_cast<int32_t>(literal_bits);
        literals = scratch.literal_base[State::symbol_of(literal)] + bits(from, literal_bits);
        bytes += literals;
        if (!wrong) repeats = thread_repeats_of(offset_value, literals);
    }
    repeats = thread_compose(warp_compose(repeats, lane), reading.repeats);
    const uint32_t literals_limit = reading.literals + warp_inclusive_sum(literals, lane);
    const uint32_t bytes_limit = reading.bytes + warp_inclusive_sum(bytes, lane);
    wrong |= literals_limit > reading.literal_limit || bytes_limit > reading.byte_limit;
    wrong = __any_sync(ALL_LANES, wrong);
    if (is_one && !wrong) {
        reading.sequences[first + lane] = Sequence::of(bytes_limit - bytes, literals_limit - literals, repeats.of[0]);
    }
    __syncwarp();
    if (lane == WARP_LANES - 1) {
        if (wrong) {
            reading.status = STATUS_BAD_LENGTH;
        } else {
            reading.literals = literals_limit;
            reading.bytes = bytes_limit;
            reading.repeats = repeats;
        }
    }
    __syncwarp();
}

/// Loads words below those that are loaded into a block's ring; zeros in front of the stream.
__device__ __forceinline__ void warp_load_ring(const SequenceReading& reading, uint32_t* ring, int32_t loaded,
                                               int lane) {
#pragma unroll
    for (int32_t k = 0; k < RING_LOAD; k += WARP_LANES) {
        const int32_t at = loaded - RING_LOAD + k + lane;
        const bool is_one = at >= 0 && at <= reading.last_word;
        const uint32_t word = is_one ? __ldg(reading.words + at) : 0;
        const uint32_t slot = static_cast<uint32_t>(at + 1) % RING_WORDS;
        ring[slot] = word;
        if (slot < WINDOW_WORDS - 1) ring[RING_WORDS + slot] = word;
    }
}

/// A word of shared memory. Volatile, so that loads stay in the order in which they are written.
__device__ __forceinline__ uint32_t thread_load_shared(uint32_t place) {
    uint32_t word;
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(word) : "r"(place));
    return word;
}

/// The 96 bits below a place, the first at the top: more than the values of a sequence and the bits of its next states.
struct Window {
    uint32_t high, middle, low;

    /// Takes those below `bit`. The ring is at `ring` in shared memory.
    __device__ __forceinline__ void load(uint32_t ring, int32_t bit) {
        const uint32_t at = (static_cast<uint32_t>((bit - 64) >> 3) & (4 * RING_WORDS - 4)) | ring;
        const uint32_t top = thread_load_shared(at + 12), second = thread_load_shared(at + 8),
                       third = thread_load_shared(at + 4), last = thread_load_shared(at);
        const uint32_t places = static_cast<uint32_t>(bit);
        high = __funnelshift_r(second, top, places);
        middle = __funnelshift_r(third, second, places);
        low = __funnelshift_r(last, third, places);
    }
    /// The first 32 bits behind the values of a sequence, of which `sum` has the bits: at most 63.
    __device__ __forceinline__ uint32_t behind_values(uint32_t sum) const {
        const uint32_t near_bits = __funnelshift_l(middle, high, sum), far_bits = __funnelshift_l(low, middle, sum);
        return (sum & 32) != 0 ? far_bits : near_bits;
    }
};

/// The way through a block's sequences: a place, where the entries of its states are in shared memory, and what is read
/// ahead there: entries and bits.
struct Advance {
    uint32_t ring;  ///< in shared memory
    uint32_t literal_table, offset_table, match_table;
    int32_t bit;
    uint32_t literal_at, offset_at, match_at;
    uint32_t literal, offset, match;
    Window window;

    /// Begins where the first states are read. The ring has the words below `bit`.
    __device__ __forceinline__ void begin(const uint32_t* tables, const uint32_t* ring_, int32_t bit_,
                                          const uint32_t* states) {
        const TablePlaces places(tables);
        ring = static_cast<uint32_t>(__cvta_generic_to_shared(ring_));
        literal_table = places.literal, offset_table = places.offset, match_table = places.match;
        bit = bit_;
        literal_at = literal_table + State::BYTES * states[LITERAL_LENGTHS];
        offset_at = offset_table + State::BYTES * states[OFFSETS];
        match_at = match_table + State::BYTES * states[MATCH_LENGTHS];
        load();
    }
    __device__ __forceinline__ void load() {
        window.load(ring, bit);
        literal = thread_load_shared(literal_at);
        match = thread_load_shared(match_at);
        offset = thread_load_shared(offset_at);
    }
};

/// Goes on by `count` sequences, and keeps where each is; states of places are those in shared memory. Gives the place
/// behind the last one's values. The ring has the words of all. States that follow the last one of all are read, and
/// not used.
__device__ __forceinline__ int32_t thread_advance(Advance& way, uint32_t count, Place* places) {
    int32_t behind = way.bit;
#pragma unroll 4
    for (uint32_t k = 0; k < count; ++k) {
        places[k] = Place{way.bit, Place::packed(way.literal_at, way.offset_at, way.match_at)};
        const uint32_t sum = way.literal + way.offset + way.match;
        const uint32_t bits = way.window.behind_values(sum);
        const uint32_t literal_bits = way.literal >> State::STATE_BITS_AT;
        const uint32_t match_bits = way.match >> State::STATE_BITS_AT;
        way.literal_at = State::next(way.literal_table, way.literal, bits);
        way.match_at = State::next(way.match_table, way.match, __funnelshift_l(0, bits, literal_bits));
        way.offset_at = State::next(way.offset_table, way.offset, __funnelshift_l(0, bits, literal_bits + match_bits));
        behind = way.bit - static_cast<int32_t>(State::value_bits_of(sum));
        way.bit = behind - static_cast<int32_t>(State::state_bits_of(sum));
        way.load();
    }
    return behind;
}

/// Opens the reading of block `number` of a batch: all that is known of it before its tables are read.
__device__ __forceinline__ void thread_open_reading(const DecodeBatch& batch, uint32_t number,
                                                    SequenceReading& reading) {
    const BlockPlace place = thread_find_block(batch, number);
    const FrameView frame = view_frame(batch.entries[place.frame], batch);
    const BlockRecord& block = frame.blocks[place.index];
    reading.state = nullptr;
    reading.count = 0;
    if (block.sequence_count == 0) return;
    reading.state = frame.scratch.blocks + place.index;
    reading.status = STATUS_BAD_ENTRY;
    if (!block_is_sound(block, place.index, frame)) return;
    reading.status = STATUS_SOUND;
    reading.count = block.sequence_count;
    reading.sequences = frame.scratch.sequences + block.first_sequence;
    reading.literal_limit = block.literal_count;
    reading.byte_limit = frame.record->max_block_bytes;
    reading.literals = 0;
    reading.bytes = 0;
    reading.repeats = UNCHANGED;
}

/// Reads one of a block's tables, or all of them, to learn where its sequences' bits begin.
__device__ __forceinline__ void thread_read_table(const DecodeBatch& batch, uint32_t number, int kind,
                                                  SequenceReading& reading, fse::Counts* counts, bool& wrong) {
    const BlockPlace place = thread_find_block(batch, number);
    const FrameView frame = view_frame(batch.entries[place.frame], batch);
    const BlockRecord& block = frame.blocks[place.index];
    if (kind == TABLE_KINDS) {
        const TablesRead read = thread_read_tables(frame, block, kind, nullptr);
        wrong |= read.limit == 0 || read.limit > block.bytes;
        if (wrong) return;
        const BackwardStream stream(frame.bytes + block.at, read.limit, block.bytes);
        wrong |= !stream.has_end();
        reading.words = stream.words;
        reading.begin = stream.begin;
        reading.end = stream.end;
        reading.last_word = stream.last_word;
        return;
    }
    const uint32_t first = block.table_block[kind];
    const BlockRecord& describing = frame.blocks[first];
    if (first != place.index &&
        (!block_is_sound(describing, first, frame) || describing.tables_at >= describing.bytes)) {
        wrong = true;
        return;
    }
    const TablesRead read = thread_read_tables(frame, describing, kind, counts);
    wrong |= read.limit == 0;
    reading.logs[kind] = static_cast<uint8_t>(read.log);
    if (read.log == 0) counts->of[0] = static_cast<int16_t>(read.symbol);
}

/// Reads the descriptions of the tables of `count` open blocks, and where their sequences' bits begin. A block with a
/// defect has no sequences then. A lane reads each table of a block, and one reads all of them. Lanes of a warp that
/// read different tables take turns, so only the shortest two share a warp.
__device__ __forceinline__ void warps_read_tables(const DecodeBatch& batch, uint32_t number, int count,
                                                  SequenceScratch& scratch) {
    static_assert(SEQUENCE_WARPS == TABLE_KINDS && 2 * ReadPolicy::BLOCKS <= WARP_LANES, "there is a lane for each");
    const int warp = threadIdx.x / WARP_LANES;
    const int lane = threadIdx.x % WARP_LANES;
    const int kind = TABLE_KINDS - warp - lane / ReadPolicy::BLOCKS;
    const int block = lane % ReadPolicy::BLOCKS;
    const int kinds_of_warp = warp == SEQUENCE_WARPS - 1 ? 2 : 1;
    if (lane < kinds_of_warp * ReadPolicy::BLOCKS && block < count && scratch.blocks[block].reading.count != 0) {
        bool wrong = false;
        thread_read_table(batch, number + block, kind, scratch.blocks[block].reading,
                          scratch.blocks[block].counts + min(kind, TABLE_KINDS - 1), wrong);
        if (wrong) scratch.blocks[block].reading.status = STATUS_BAD_HEADER;
    }
    sequence_sync();
    if (threadIdx.x < count && scratch.blocks[threadIdx.x].reading.status != STATUS_SOUND)
        scratch.blocks[threadIdx.x].reading.count = 0;
    sequence_sync();
}

/// Reads the sequences of the blocks `number` to `number` + `count` - 1 of a batch, which there are, by the first
/// SEQUENCE_THREADS of a cta. Their states tell what came of them.
__device__ __forceinline__ void warps_read_sequences(const DecodeBatch& batch, uint32_t number, int count,
                                                     SequenceScratch& scratch) {
    const int warp = threadIdx.x / WARP_LANES;
    const int lane = threadIdx.x % WARP_LANES;
    for (int at = threadIdx.x; at < count * TABLE_KINDS * fse::MAX_SYMBOLS; at += SEQUENCE_THREADS)
        scratch.blocks[at / fse::MAX_SYMBOLS / TABLE_KINDS]
            .counts[at / fse::MAX_SYMBOLS % TABLE_KINDS]
            .of[at % fse::MAX_SYMBOLS] = 0;
    if (threadIdx.x < count) {
        thread_open_reading(batch, number + threadIdx.x, scratch.blocks[threadIdx.x].reading);
    } else if (threadIdx.x == SEQUENCE_THREADS - 1) {
        uint32_t base = 0;
        for (uint32_t symbol = 0; symbol < LITERAL_LENGTH_SYMBOLS; ++symbol) {
            scratch.literal_base[symbol] = base;
            base += 1u << value_bits(LITERAL_LENGTHS, symbol);
        }
    } else if (threadIdx.x == SEQUENCE_THREADS - 2) {
        uint32_t base = MIN_MATCH;
        for (uint32_t symbol = 0; symbol < MATCH_LENGTH_SYMBOLS; ++symbol) {
            scratch.match_base[symbol] = base;
            base += 1u << value_bits(MATCH_LENGTHS, symbol);
        }
    }
    sequence_sync();
    warps_read_tables(batch, number, count, scratch);
    for (int table = warp; table < count * TABLE_KINDS; table += SEQUENCE_WARPS) {
        const int block = table / TABLE_KINDS, kind = table % TABLE_KINDS;
        if (scratch.blocks[block].reading.count == 0) continue;
        const fse::Counts& counts = scratch.blocks[block].counts[kind];
        uint32_t* states = scratch.tables[block] + table_at(kind);
        const uint32_t log = scratch.blocks[block].reading.logs[kind];
        if (log == 0) {
            if (lane == 0) states[0] = State::of(kind, static_cast<uint32_t>(counts.of[0]), 0, 0);
        } else {
            fse::warp_make_table(
                counts, log, scratch.making[warp], states, lane,
                [kind](uint32_t symbol, uint32_t bits, uint32_t base) { return State::of(kind, symbol, bits, base); });
        }
        __syncwarp();
    }
    uint32_t most = 0;
    for (int block = 0; block < count; ++block) most = max(most, scratch.blocks[block].reading.count);
    const uint32_t batches = (most + WARP_LANES - 1) / WARP_LANES;
    // of the first warp's lanes, a block each
    Advance way{};
    uint32_t left = 0;
    int32_t loaded = 0;  // lowest word in the ring
    if (warp == 0) {
        if (lane < count && scratch.blocks[lane].reading.count != 0) {
            left = scratch.blocks[lane].reading.count;
            loaded = scratch.blocks[lane].reading.end / 32 + 1;
        }
        for (int block = 0; block < count; ++block) {
            const SequenceReading& reading = scratch.blocks[block].reading;
            if (reading.count == 0) continue;
            const int32_t first = reading.end / 32 + 1;
            warp_load_ring(reading, scratch.blocks[block].ring, first, lane);
            warp_load_ring(reading, scratch.blocks[block].ring, first - RING_LOAD, lane);
        }
        loaded -= 2 * RING_LOAD;
    }
    sequence_sync();
    if (left != 0) {
        const SequenceReading& reading = scratch.blocks[lane].reading;
        const BackwardStream stream(reading.words, reading.begin, reading.end, reading.last_word);
        int32_t bit = reading.end;
        uint32_t states[TABLE_KINDS];
        for (int kind = 0; kind < TABLE_KINDS; ++kind) {
            bit -= reading.logs[kind];
            states[kind] = stream.bits(bit, reading.logs[kind]);
        }
        way.begin(scratch.tables[lane], scratch.blocks[lane].ring, bit, states);
    }
    for (uint32_t turn = 0; turn <= batches; ++turn) {
        if (warp == 0 && turn < batches) {
            const bool wants_words = left != 0 && (way.bit >> 5) - loaded < RING_LOAD;
            uint32_t wanting = __ballot_sync(ALL_LANES, wants_words);
            if (wanting != 0) {
                for (uint32_t rest = wanting; rest != 0; rest &= rest - 1) {
                    const int block = __ffs(static_cast<int>(rest)) - 1;
                    warp_load_ring(scratch.blocks[block].reading, scratch.blocks[block].ring,
                                   __shfl_sync(ALL_LANES, loaded, block), lane);
                }
                if (wants_words) loaded -= RING_LOAD;
                __syncwarp();
            }
            if (left != 0) {
                const uint32_t now = min(left, static_cast<uint32_t>(WARP_LANES));
                const int32_t behind = thread_advance(way, now, scratch.blocks[lane].places[turn % 2]);
                left -= now;
                if (left == 0) scratch.blocks[lane].reading.end_place = behind;
            }
        } else if (warp > 0 && turn > 0) {
            const uint32_t first = (turn - 1) * WARP_LANES;
            for (int block = warp - 1; block < count; block += ReadPolicy::VALUE_WARPS) {
                if (first < scratch.blocks[block].reading.count)
                    warp_take_values(scratch, block, first, scratch.blocks[block].places[(turn - 1) % 2], lane);
            }
        }
        sequence_sync();
    }
    if (threadIdx.x < count && scratch.blocks[threadIdx.x].reading.state != nullptr) {
        SequenceReading& reading = scratch.blocks[threadIdx.x].reading;
        if (reading.status == STATUS_SOUND && reading.end_place != reading.begin) reading.status = STATUS_BAD_SYMBOL;
        reading.state->sequence_status = reading.status;
        reading.state->literals_used = reading.literals;
        reading.state->sequence_bytes = reading.bytes;
        reading.state->repeats = reading.repeats;
    }
}

}  // namespace warpcodec::zstd
