// The exact order of strings' suffixes by prefix doubling. An end is smaller than all symbols, so a suffix that begins
// another one comes first. Strings lie one behind the other; each has its own range of the order.
//
// Manber, Myers: "Suffix arrays: a new method for on-line string searches", 1993; only suffixes that are tied are
// sorted again: Larsson, Sadakane: "Faster suffix sorting", 2007.
//
// 1. Symbols in use get codes from 1 on, in their order; an end is code 0. A key has the string's number above the
//    codes of so many symbols as fit in 64 bits. Codes behind an end are 0. So equal keys have no end within them,
//    and share all their symbols.
// 2. Keys are sorted with their places. Items with equal keys are a group. A place's rank is the slot in the order in
//    which its group begins.
// 3. Items of groups with several members are kept, each with its slot. A round sorts them by their group's number and
//    the rank behind the symbols that the group shares; an end there is rank 0. So groups share twice as many symbols
//    behind a round, and the number of a round is the logarithm of the longest repeat.
//
// Bounds: MOST_BYTES bytes of all strings together, so groups and ranks of a key have 29 and 31 bits at most. A slot
// is below the number of bytes; a place, too. Suffixes of one string differ in length, so MOST_ROUNDS rounds leave no
// tie. Scratch: 44 bytes for each byte, and what the sort takes.
//
// An Engine runs steps, sorts and sums: on a device ching_device.cuh, on a CPU ching_tables/host_engine.h. A step is
// called once for each index, in any order, and writes nothing that another index of the same step reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ching {

constexpr uint32_t MOST_BYTES = 1u << 30;
constexpr uint32_t MOST_ROUNDS = 31;
/// Symbols of a key. More read text for longer than a round takes.
constexpr uint32_t MOST_SYMBOLS = 24;
constexpr uint32_t BYTE_VALUES = 256;

/// Bits of a value, 0 for 0.
inline uint32_t bits_of(uint32_t value) {
    uint32_t bits = 0;
    for (; value != 0; value >>= 1) ++bits;
    return bits;
}

/// Items that are sorted, and room for as many. The sort leaves its result in `keys` and `places`.
template <class Key>
struct Pairs {
    Key *keys, *other_keys;
    uint32_t *places, *other_places;
};

/// Strings of one length, one behind the other.
struct Strings {
    const uint8_t* text;
    uint32_t bytes;  ///< of all strings
    uint32_t each;  ///< of a string, 1 at least; the last string may be shorter

    __host__ __device__ uint32_t begin_of(uint32_t place) const { return place / each * each; }
    __host__ __device__ uint32_t end_of(uint32_t place) const {
        const uint32_t begin = begin_of(place);
        return bytes - begin < each ? bytes : begin + each;
    }
    uint32_t count() const { return bytes / each + (bytes % each != 0 ? 1 : 0); }
};

// ---- symbols

struct ClearSymbols {
    uint8_t* used;
    __host__ __device__ void operator()(uint32_t symbol) const { used[symbol] = 0; }
};

/// Marks a symbol. Threads that write the same byte write the same value.
struct MarkSymbols {
    const uint8_t* text;
    uint8_t* used;
    __host__ __device__ void operator()(uint32_t place) const {
        uint8_t& own = used[text[place]];
        if (own == 0) own = 1;
    }
};

/// Codes of the symbols in use, from 1 on.
struct Codes {
    std::vector<uint16_t> of_symbols = std::vector<uint16_t>(BYTE_VALUES);
    uint32_t most = 0;

    explicit Codes(const std::vector<uint8_t>& used) {
        for (uint32_t symbol = 0; symbol < BYTE_VALUES; ++symbol)
            if (used[symbol] != 0) of_symbols[symbol] = static_cast<uint16_t>(++most);
    }
    uint32_t bits() const { return bits_of(most); }
};

/// Finds a text's codes, and writes them to `table`.
template <class Engine>
Codes find_codes(Engine& engine, const uint8_t* text, uint32_t bytes, uint16_t* table) {
    const auto mark = engine.mark();
    uint8_t* used = engine.template take<uint8_t>(BYTE_VALUES);
    engine.each(BYTE_VALUES, ClearSymbols{used});
    engine.each(bytes, MarkSymbols{text, used});
    const Codes codes(engine.read(used, BYTE_VALUES));
    engine.write(table, codes.of_symbols);
    engine.release(mark);
    return codes;
}

// ---- the first sort

/// Makes the item of a place: the key of its first symbols, the place, and a slot.
struct MakeKeys {
    Strings strings;
    const uint16_t* codes;
    uint64_t* keys;
    uint32_t *places, *slots;
    uint32_t code_bits, symbols;

    __host__ __device__ void operator()(uint32_t place) const {
        const uint32_t end = strings.end_of(place);
        uint64_t key = strings.each < strings.bytes ? place / strings.each : 0;
        for (uint32_t i = 0; i < symbols; ++i)
            key = key << code_bits | (end - place > i ? codes[strings.text[place + i]] : 0);
        keys[place] = key;
        places[place] = place;
        slots[place] = place;
    }
};

// ---- groups

/// Sorted items, and the slots that they take.
struct Items {
    const uint64_t* keys;
    const uint32_t *places, *slots;
    uint32_t count;

    /// Whether an item is the first one of its group; yes behind the last item.
    __host__ __device__ bool is_head(uint32_t item) const {
        return item == 0 || item >= count || keys[item] != keys[item - 1];
    }
    __host__ __device__ bool is_tied(uint32_t item) const {
        return item < count && !(is_head(item) && is_head(item + 1));
    }
};

/// Slot of a head; the largest one up to an item is its group's, since slots rise.
struct HeadSlot {
    Items items;
    __host__ __device__ uint32_t operator()(uint32_t item) const { return items.is_head(item) ? items.slots[item] : 0; }
};

struct StoreRank {
    Items items;
    const uint32_t* heads;
    uint32_t *ranks, *order;
    __host__ __device__ void operator()(uint32_t item) const {
        const uint32_t place = items.places[item];
        ranks[place] = heads[item];
        order[items.slots[item]] = place;
    }
};

/// Tied items in the upper half, their heads in the lower one.
struct TiedItem {
    Items items;
    __host__ __device__ uint64_t operator()(uint32_t item) const {
        return items.is_tied(item) ? uint64_t{1} << 32 | (items.is_head(item) ? 1 : 0) : 0;
    }
};

/// Moves a tied item behind those before it.
struct KeepTied {
    Items items;
    const uint64_t* sums;  ///< of TiedItem over the items before
    uint32_t *places, *slots, *groups;
    __host__ __device__ void operator()(uint32_t item) const {
        if (!items.is_tied(item)) return;
        const uint32_t to = static_cast<uint32_t>(sums[item] >> 32), heads = static_cast<uint32_t>(sums[item]);
        places[to] = items.places[item];
        slots[to] = items.slots[item];
        groups[to] = items.is_head(item) ? heads : heads - 1;
    }
};

/// Makes the key of a tied item: its group's number above the rank behind the shared symbols.
struct MakeNextKeys {
    Strings strings;
    const uint32_t *ranks, *places, *groups;
    uint64_t* keys;
    uint32_t shared, rank_bits;
    __host__ __device__ void operator()(uint32_t item) const {
        const uint32_t place = places[item], end = strings.end_of(place);
        const uint32_t rank = end - place > shared ? ranks[place + shared] - strings.begin_of(place) + 1 : 0;
        keys[item] = uint64_t{groups[item]} << rank_bits | rank;
    }
};

// ---- the sort

struct DoublingRounds {
    uint32_t symbols = 0;  ///< of a key of the first sort
    uint32_t rounds = 0;
    uint32_t tied_first = 0;  ///< behind the first sort
    uint64_t handled = 0;  ///< items of all rounds
    uint32_t tied_last = 0;  ///< 0, or the sort is wrong
};

/// Bytes of scratch for so many bytes of text, without what a sort takes.
inline size_t doubling_scratch(size_t bytes) { return 44 * bytes + (1 << 16); }

/// Writes the places of all strings to `order`: those of a string where its bytes begin.
template <class Engine>
DoublingRounds sort_by_doubling(Engine& engine, const Strings& strings, uint32_t* order) {
    DoublingRounds result;
    const uint32_t bytes = strings.bytes;
    if (bytes == 0) return result;
    const auto mark = engine.mark();
    uint16_t* table = engine.template take<uint16_t>(BYTE_VALUES);
    const Codes codes = find_codes(engine, strings.text, bytes, table);
    Pairs<uint64_t> pairs;
    pairs.keys = engine.template take<uint64_t>(bytes + 1);
    pairs.other_keys = engine.template take<uint64_t>(bytes + 1);
    pairs.places = engine.template take<uint32_t>(bytes);
    pairs.other_places = engine.template take<uint32_t>(bytes);
    uint32_t* slots = engine.template take<uint32_t>(bytes);
    uint32_t* other_slots = engine.template take<uint32_t>(bytes);
    uint32_t* groups = engine.template take<uint32_t>(bytes);
    uint32_t* ranks = engine.template take<uint32_t>(bytes);
    const uint32_t code_bits = codes.bits(), string_bits = bits_of(strings.count() - 1);
    result.symbols = (64 - string_bits) / code_bits < MOST_SYMBOLS ? (64 - string_bits) / code_bits : MOST_SYMBOLS;
    engine.each(bytes, MakeKeys{strings, table, pairs.keys, pairs.places, slots, code_bits, result.symbols});
    engine.sort(pairs, bytes, result.symbols * code_bits + string_bits);
    const uint32_t rank_bits = bits_of(strings.each < bytes ? strings.each : bytes);
    uint32_t shared = result.symbols, count = bytes;
    while (true) {
        const Items items{pairs.keys, pairs.places, slots, count};
        engine.inclusive_max(HeadSlot{items}, pairs.other_places, count);
        engine.each(count, StoreRank{items, pairs.other_places, ranks, order});
        engine.exclusive_sum(TiedItem{items}, pairs.other_keys, count + 1);
        const uint64_t sum = engine.read(pairs.other_keys + count, 1)[0];
        const uint32_t tied = static_cast<uint32_t>(sum >> 32), heads = static_cast<uint32_t>(sum);
        if (result.rounds == 0) result.tied_first = tied;
        result.tied_last = tied;
        if (tied == 0 || result.rounds == MOST_ROUNDS) break;
        engine.each(count, KeepTied{items, pairs.other_keys, pairs.other_places, other_slots, groups});
        engine.each(tied, MakeNextKeys{strings, ranks, pairs.other_places, groups, pairs.keys, shared, rank_bits});
        std::swap(pairs.places, pairs.other_places);
        std::swap(slots, other_slots);
        engine.sort(pairs, tied, rank_bits + bits_of(heads - 1));
        count = tied;
        shared *= 2;
        ++result.rounds;
        result.handled += tied;
    }
    engine.release(mark);
    return result;
}

}  // namespace ching
