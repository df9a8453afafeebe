// The order of a string's suffixes by the skew algorithm, as Ching's thesis has it on a device: section 3.1, after Deo,
// Keely, "Parallel suffix array and least common prefix for the GPU", 2013. The algorithm: Karkkainen, Sanders, "Simple
// linear work suffix array construction", 2003.
//
// 1. Places that are no multiple of 3 are the sample. Three sorts order them by their first three symbols.
// 2. Equal triples get one name. The string of names is that of places 1, 4, 7, ..., and behind them 2, 5, 8, ...
// 3. If two triples are equal, the order of that string's suffixes is found in the same way. Names become ranks.
// 4. Multiples of 3 are taken in the order of the places behind them, and sorted by one symbol.
// 5. Both orders are merged: two suffixes differ in two symbols at most before both have ranks.
//
// A string has three zeros behind its last symbol, and no zero before. Where its length is 3k + 1, its end is of the
// sample, too: the names of 1, 4, 7, ... then end with a triple of zeros. It is first in the order, and is not merged.
//
// Bounds: MOST_BYTES symbols. A level has two thirds of the symbols of the one above. Scratch: 28 bytes for each byte,
// all levels together, and what sorts and merges take.
#pragma once

#include "ching_doubling.cuh"

namespace ching {

/// Symbols of a level, from 1 on, with three zeros behind them.
struct Word {
    const uint32_t* symbols;
    uint32_t count;

    uint32_t multiples() const { return (count + 2) / 3; }  ///< of 3, so are the places 3k + 1 of the sample
    uint32_t sample() const { return multiples() + count / 3; }
    bool is_end_in_sample() const { return count % 3 == 1; }
};

/// Makes symbols of bytes.
struct Widen {
    const uint8_t* text;
    const uint16_t* codes;
    uint32_t* symbols;
    uint32_t bytes;
    __host__ __device__ void operator()(uint32_t place) const {
        symbols[place] = place < bytes ? codes[text[place]] : 0;
    }
};

struct ClearWords {
    uint32_t* words;
    __host__ __device__ void operator()(uint32_t at) const { words[at] = 0; }
};

/// Places 1, 2, 4, 5, 7, ...
struct SamplePlaces {
    uint32_t* places;
    __host__ __device__ void operator()(uint32_t at) const { places[at] = at / 2 * 3 + 1 + at % 2; }
};

struct GatherSymbols {
    const uint32_t *symbols, *places;
    uint32_t* keys;
    uint32_t distance;
    __host__ __device__ void operator()(uint32_t at) const { keys[at] = symbols[places[at] + distance]; }
};

/// Whether a triple differs from the one before; no behind the last one.
struct NewTriple {
    const uint32_t *symbols, *places;
    uint32_t count;
    __host__ __device__ uint32_t operator()(uint32_t at) const {
        if (at >= count) return 0;
        if (at == 0) return 1;
        const uint32_t *own = symbols + places[at], *before = symbols + places[at - 1];
        return own[0] != before[0] || own[1] != before[1] || own[2] != before[2] ? 1 : 0;
    }
};

struct StoreNames {
    const uint32_t *places, *sums;
    uint32_t* names;
    uint32_t multiples;
    __host__ __device__ void operator()(uint32_t at) const {
        const uint32_t place = places[at];
        names[place / 3 + (place % 3 == 1 ? 0 : multiples)] = sums[at + 1];
    }
};

/// The order of names that differ.
struct OrderOfNames {
    const uint32_t* names;
    uint32_t* order;
    __host__ __device__ void operator()(uint32_t at) const { order[names[at] - 1] = at; }
};

struct RanksOfOrder {
    const uint32_t* order;
    uint32_t* ranks;
    __host__ __device__ void operator()(uint32_t at) const { ranks[order[at]] = at + 1; }
};

/// Whether the place before one of the sample is a multiple of 3.
struct BehindMultiple {
    const uint32_t* order;
    uint32_t multiples;
    __host__ __device__ uint32_t operator()(uint32_t at) const { return order[at] < multiples ? 1 : 0; }
};

struct StoreMultiples {
    const uint32_t *order, *sums;
    uint32_t* places;
    uint32_t multiples;
    __host__ __device__ void operator()(uint32_t at) const {
        if (order[at] < multiples) places[sums[at]] = order[at] * 3;
    }
};

struct PlacesOfOrder {
    const uint32_t* order;
    uint32_t* places;
    uint32_t multiples;
    __host__ __device__ void operator()(uint32_t at) const {
        const uint32_t name = order[at];
        places[at] = name < multiples ? name * 3 + 1 : (name - multiples) * 3 + 2;
    }
};

/// Whether a suffix comes before another one, when the sample has ranks.
struct SuffixLess {
    Word word;
    const uint32_t* ranks;
    uint32_t multiples;

    __host__ __device__ uint32_t rank_of(uint32_t place) const {
        return place < word.count ? ranks[place / 3 + (place % 3 == 1 ? 0 : multiples)] : 0;
    }
    __host__ __device__ bool operator()(uint32_t a, uint32_t b) const {
        if (a % 3 != 0 && b % 3 != 0) return rank_of(a) < rank_of(b);
        const uint32_t *of_a = word.symbols + a, *of_b = word.symbols + b;
        if (of_a[0] != of_b[0]) return of_a[0] < of_b[0];
        if (a % 3 != 2 && b % 3 != 2) return rank_of(a + 1) < rank_of(b + 1);
        if (of_a[1] != of_b[1]) return of_a[1] < of_b[1];
        return rank_of(a + 2) < rank_of(b + 2);
    }
};

/// Sorts places by the symbols so far behind them. `pairs` has the places.
template <class Engine>
void sort_by_symbol(Engine& engine, const Word& word, Pairs<uint32_t>& pairs, uint32_t count, uint32_t distance,
                    uint32_t symbol_bits) {
    engine.each(count, GatherSymbols{word.symbols, pairs.places, pairs.keys, distance});
    engine.sort(pairs, count, symbol_bits);
}

template <class Engine>
Pairs<uint32_t> take_pairs(Engine& engine, uint32_t count) {
    Pairs<uint32_t> pairs;
    pairs.keys = engine.template take<uint32_t>(count);
    pairs.other_keys = engine.template take<uint32_t>(count);
    pairs.places = engine.template take<uint32_t>(count);
    pairs.other_places = engine.template take<uint32_t>(count);
    return pairs;
}

/// Names the sample's triples, and answers how many names there are.
template <class Engine>
uint32_t name_triples(Engine& engine, const Word& word, uint32_t symbol_bits, uint32_t* names) {
    const uint32_t count = word.sample();
    const auto mark = engine.mark();
    Pairs<uint32_t> pairs = take_pairs(engine, count);
    uint32_t* sums = engine.template take<uint32_t>(count + 1);
    engine.each(count, SamplePlaces{pairs.places});
    for (uint32_t distance = 3; distance-- > 0;) sort_by_symbol(engine, word, pairs, count, distance, symbol_bits);
    engine.exclusive_sum(NewTriple{word.symbols, pairs.places, count}, sums, count + 1);
    engine.each(count, StoreNames{pairs.places, sums, names, word.multiples()});
    engine.each(3, ClearWords{names + count});
    const uint32_t most = engine.read(sums + count, 1)[0];
    engine.release(mark);
    return most;
}

/// Merges the sample, in its order, with the multiples of 3.
template <class Engine>
void merge_multiples(Engine& engine, const Word& word, uint32_t symbol_bits, const uint32_t* sample_order,
                     const uint32_t* ranks, uint32_t* order) {
    const uint32_t count = word.sample(), multiples = word.multiples();
    const auto mark = engine.mark();
    uint32_t* sample = engine.template take<uint32_t>(count);
    uint32_t* sums = engine.template take<uint32_t>(count);
    Pairs<uint32_t> pairs = take_pairs(engine, multiples);
    engine.exclusive_sum(BehindMultiple{sample_order, multiples}, sums, count);
    engine.each(count, StoreMultiples{sample_order, sums, pairs.places, multiples});
    sort_by_symbol(engine, word, pairs, multiples, 0, symbol_bits);
    engine.each(count, PlacesOfOrder{sample_order, sample, multiples});
    const uint32_t skip = word.is_end_in_sample() ? 1 : 0;
    engine.merge(sample + skip, count - skip, pairs.places, multiples, order, SuffixLess{word, ranks, multiples});
    engine.release(mark);
}

/// Bytes of scratch for so many bytes of text, without what sorts and merges take.
inline size_t skew_scratch(size_t bytes) { return 28 * bytes + (1 << 20); }

/// Writes the order of a word's suffixes, and answers how many levels it took.
template <class Engine>
uint32_t sort_word_by_skew(Engine& engine, const Word& word, uint32_t most_symbol, uint32_t* order) {
    if (word.count == 0) return 0;
    const uint32_t count = word.sample(), symbol_bits = bits_of(most_symbol);
    const auto mark = engine.mark();
    uint32_t* names = engine.template take<uint32_t>(count + 3);
    uint32_t* sample_order = engine.template take<uint32_t>(count);
    const uint32_t most_name = name_triples(engine, word, symbol_bits, names);
    uint32_t levels = 1;
    if (most_name < count) {
        levels += sort_word_by_skew(engine, Word{names, count}, most_name, sample_order);
        engine.each(count, RanksOfOrder{sample_order, names});
    } else {
        engine.each(count, OrderOfNames{names, sample_order});
    }
    merge_multiples(engine, word, symbol_bits, sample_order, names, order);
    engine.release(mark);
    return levels;
}

/// Writes the order of a string's suffixes, and answers how many levels it took.
template <class Engine>
uint32_t sort_by_skew(Engine& engine, const uint8_t* text, uint32_t bytes, uint32_t* order) {
    if (bytes == 0) return 0;
    const auto mark = engine.mark();
    uint16_t* table = engine.template take<uint16_t>(BYTE_VALUES);
    uint32_t* symbols = engine.template take<uint32_t>(bytes + 3);
    const Codes codes = find_codes(engine, text, bytes, table);
    engine.each(bytes + 3, Widen{text, table, symbols, bytes});
    const uint32_t levels = sort_word_by_skew(engine, Word{symbols, bytes}, codes.most, order);
    engine.release(mark);
    return levels;
}

}  // namespace ching
