// Runs suffixarray_order.cuh, and the forward transform that it is made of, on a CPU (fibres/fibres.h), and checks
// orders.
//
//   g++ -O2 -std=c++17 -I ../../../../kernels/src/main/cuda strong_order_check.cpp fibres/fibres.cpp
//       -o strong_order_check
//   strong_order_check [FILE...]      besides, 200 KiB from the begin and the middle of files; all of the first one
//   strong_order_check -q             short frames, each by one order of threads
//
// Frames lie one behind the other, or, in units, at multiples of 64 KiB: then each owns all tiles of its units. An
// order has every place. Neighbours are in the order of the bytes that the sort compares, and by place where these are
// equal. Every order of threads gives the same. The shape of bzip2's blocks compares all bytes, and so does that of
// strings with an end (ching_rotations.cuh), whose order is that of their suffixes. The exit status is 1 if an order is
// wrong, or a word beside the arrays is written.
#include "fibres/fibres.h"
// and behind it
#include "../cuda/bwt_encode_plan.cuh"
#include "../cuda/ching_rotations.cuh"
#include "suffixarray/suffixarray_order.cuh"

#include <array>
#include <memory>
#include <random>
#include <string>

#include "ching_tables/suffix_order.h"
#include "strong_levels/order_check.h"

using namespace warpcodec;
using namespace warpcodec::bwt_encode;
using namespace warpcodec::suffixarray;

namespace {

using Order = std::vector<uint32_t>;
using Text = std::vector<uint8_t>;

constexpr uint32_t GAP = 16;  ///< words between frames, and around arrays, that nothing may write
constexpr uint32_t CANARY = 0xC0FFEE00;
constexpr int POISON = 0xA5;
constexpr uint32_t UNIT_BYTES = 1 << 16;
constexpr strong_levels::OrderDepth FRAME_DEPTH{FrameShape::CUT, MOST_COMPARED_BYTES};

std::array<size_t, 2> verdicts;  ///< right, wrong

void judge(bool right, const std::string& what, uint32_t seed, size_t frame) {
    ++verdicts[right ? 0 : 1];
    if (!right && verdicts[1] < 20) std::printf("WRONG: %s, seed %u, frame %zu\n", what.c_str(), seed, frame);
}

/// Arrays with canaries around them.
class Scratch {
    struct Array {
        std::unique_ptr<uint32_t[]> words;
        size_t count;
    };
    std::vector<Array> arrays_;

public:
    template <typename T>
    void allocate(T*& pointer, size_t elements) {
        const size_t words = (elements * sizeof(T) + 15) / 16 * 4;
        arrays_.push_back({std::make_unique<uint32_t[]>(words + 2 * GAP), words});
        uint32_t* begin = arrays_.back().words.get();
        std::fill_n(begin, GAP, CANARY);
        std::memset(begin + GAP, POISON, words * 4);
        std::fill_n(begin + GAP + words, GAP, CANARY);
        pointer = reinterpret_cast<T*>(begin + GAP);
    }
    bool are_canaries_alive() const {
        return std::all_of(arrays_.begin(), arrays_.end(), [](const Array& array) {
            const auto alive = [](const uint32_t* from) {
                return std::all_of(from, from + GAP, [](uint32_t word) { return word == CANARY; });
            };
            return alive(array.words.get()) && alive(array.words.get() + GAP + array.count);
        });
    }
};

/// What a cta's shared memory is when it begins: of the ctas before, or poison.
template <typename Memory>
Memory& shared_memory() {
    static const std::unique_ptr<Memory> memory = [] {
        auto fresh = std::make_unique<Memory>();
        std::memset(static_cast<void*>(fresh.get()), POISON, sizeof(Memory));
        return fresh;
    }();
    return *memory;
}

using BwtKernel = void (*)(const BwtBatch&);
using SortKernel = void (*)(const sort::SortBatch&);

template <typename Shape>
bwt_plan::Kernels<BwtKernel, SortKernel> kernels_of() {
    constexpr int WIDE = Shape::WIDE_DIGIT_BITS, NARROW = Shape::NARROW_DIGIT_BITS;
    constexpr bool LONG = Shape::KNOWS_SYMBOLS;
    bwt_plan::Kernels<BwtKernel, SortKernel> kernels{};
    kernels.begin = [](const BwtBatch& batch) { cta_begin_blocks<Shape>(batch); };
    kernels.find_symbols = [](const BwtBatch& batch) {
        cta_find_symbols<Shape>(batch, shared_memory<SymbolsMemory>());
    };
    kernels.codes = [](const BwtBatch& batch) { cta_build_all_codes<Shape>(batch, shared_memory<CodesMemory>()); };
    kernels.keys = [](const BwtBatch& batch) { cta_make_all_keys(batch, shared_memory<KeysMemory<Shape>>()); };
    kernels.split_blocks = [](const BwtBatch& batch) { cta_split_blocks<Shape>(batch, shared_memory<SplitMemory>()); };
    kernels.refine_windows = [](const BwtBatch& batch) {
        cta_refine_windows(batch, shared_memory<RefineMemory<Shape>>());
    };
    kernels.gather_segments = [](const BwtBatch& batch) {
        cta_gather_segments<Shape>(batch, shared_memory<sort::CountMemory<NARROW>>());
    };
    kernels.rank_windows = [](const BwtBatch& batch) { cta_rank_windows(batch, shared_memory<RankMemory<Shape>>()); };
    kernels.split_segments = [](const BwtBatch& batch) {
        cta_split_segments<Shape>(batch, shared_memory<SplitMemory>());
    };
    kernels.count_wide = [](const sort::SortBatch& batch) {
        sort::cta_count_tiles(batch, shared_memory<sort::CountMemory<WIDE>>());
    };
    kernels.scatter_wide = [](const sort::SortBatch& batch) {
        sort::cta_scatter_tiles(batch, shared_memory<sort::ScatterMemory<WIDE>>());
    };
    kernels.count_narrow = [](const sort::SortBatch& batch) {
        sort::cta_count_tiles(batch, shared_memory<sort::CountMemory<NARROW>>());
    };
    kernels.scan_narrow = [](const sort::SortBatch& batch) {
        sort::cta_scan_segments<NARROW>(batch, shared_memory<sort::ScanMemory>());
    };
    kernels.scatter_narrow = [](const sort::SortBatch& batch) {
        sort::cta_scatter_tiles(batch, shared_memory<sort::ScatterMemory<NARROW>>());
    };
    if (LONG) {
        kernels.scan_wide = [](const sort::SortBatch& batch) {
            cta_scan_long_segments(batch, shared_memory<LongScanMemory<WIDE>>());
        };
        kernels.scan_wide_threads = SCAN_THREADS;
    } else {
        kernels.scan_wide = [](const sort::SortBatch& batch) {
            sort::cta_scan_segments<WIDE>(batch, shared_memory<sort::ScanMemory>());
        };
    }
    return kernels;
}

/// Frames of a batch, and all that their sort takes.
template <typename Shape>
struct Batch {
    Scratch scratch;
    std::vector<BwtEntry> entries;
    BwtBatch batch{};
    uint32_t* order;

    Batch(const std::vector<Text>& texts, bool in_units) {
        size_t bytes = in_units ? 0 : GAP;
        uint32_t tiles = 0;
        for (const Text& text : texts) {
            const uint32_t count = static_cast<uint32_t>(text.size());
            const uint32_t units = std::max(1u, (count + UNIT_BYTES - 1) / UNIT_BYTES);
            entries.push_back({bytes, count, tiles});
            tiles += bwt_plan::tiles_of(in_units ? units * UNIT_BYTES : count);
            bytes += in_units ? units * UNIT_BYTES : count + GAP + entries.size() % 16;
        }
        entries.push_back({0, 0, tiles});
        uint8_t* text;
        scratch.allocate(text, bytes);
        scratch.allocate(order, bytes);
        std::fill_n(order, bytes, CANARY);
        for (size_t i = 0; i < texts.size(); ++i)
            std::copy(texts[i].begin(), texts[i].end(), text + entries[i].text_offset);
        batch.text = text;
        batch.text_bytes = bytes;
        batch.entries = entries.data();
        batch.block_count = static_cast<uint32_t>(texts.size());
        batch.tile_count = tiles;
        allocate_tables();
    }

    void allocate_tables() {
        const uint32_t tiles = batch.tile_count, blocks = batch.block_count;
        const size_t places = size_t{tiles} * TILE_ROTATIONS, windows = size_t{tiles} * Shape::WINDOWS_PER_TILE;
        batch.segment_capacity = bwt_plan::segment_capacity_of<Shape>(tiles, blocks);
        batch.tile_capacity = bwt_plan::tile_capacity_of<Shape>(tiles);
        scratch.allocate(batch.results, blocks);
        scratch.allocate(batch.keys_a, places);
        scratch.allocate(batch.keys_b, places);
        scratch.allocate(batch.ranks, places);
        scratch.allocate(batch.shared_a, places);
        scratch.allocate(batch.shared_b, places);
        scratch.allocate(batch.heads, places / 32);
        scratch.allocate(batch.added_heads, windows * Shape::WINDOW_PLACES / 32);
        scratch.allocate(batch.window_ranges, windows);
        scratch.allocate(batch.window_marks, windows);
        scratch.allocate(batch.windows_a, windows);
        scratch.allocate(batch.windows_b, windows);
        scratch.allocate(batch.codes, size_t{blocks} * CODES_PER_BLOCK);
        scratch.allocate(batch.histograms, size_t{tiles} * Shape::HISTOGRAM_WORDS_PER_TILE);
        scratch.allocate(batch.tile_blocks, tiles);
        scratch.allocate(batch.segments_a, batch.segment_capacity);
        scratch.allocate(batch.segments_b, batch.segment_capacity);
        scratch.allocate(batch.tile_segments_a, batch.tile_capacity);
        scratch.allocate(batch.tile_segments_b, batch.tile_capacity);
        scratch.allocate(batch.rounds, Shape::MAX_ROUNDS + 2);
    }
};

/// Sorts; a host that does not look asks for all rounds, with few ctas for what only the device knows. Answers how many
/// rotations are tied at the end.
template <typename Shape>
uint32_t sort_frames(const Batch<Shape>& own, uint32_t seed, bool looks) {
    constexpr uint32_t RESIDENT = 5;
    const auto launch = [&](const char*, auto kernel, uint32_t ctas, uint32_t threads, size_t, const auto& batch) {
        if (ctas > 0) fibres::run(ctas, threads, seed, [&] { kernel(batch); });
    };
    const auto kernels = kernels_of<Shape>();
    bwt_plan::first_sort<Shape>(kernels, own.batch, launch);
    uint32_t round = 1;
    for (; round <= Shape::MAX_ROUNDS && !(looks && own.batch.rounds[round].tied == 0); ++round)
        bwt_plan::one_round<Shape>(kernels, own.batch, round, RESIDENT, looks ? own.batch.rounds + round : nullptr,
                                   launch);
    fibres::run(own.batch.tile_count, ColumnPolicy::CTA_THREADS, seed,
                [&] { cta_write_order<Shape>(own.batch, own.order); });
    return own.batch.rounds[round].tied;
}

template <typename Shape>
void check(const std::string& what, const std::vector<Text>& texts, const std::vector<uint32_t>& seeds,
           bool in_units = false) {
    constexpr bool EXACT = Shape::CUT >= Shape::MAX_BYTES;
    std::vector<Order> first;
    for (const uint32_t seed : seeds) {
        const Batch<Shape> own(texts, in_units);
        judge(sort_frames<Shape>(own, seed, seed % 2 == 0) == 0, what + ": tied at the end", seed, texts.size());
        size_t behind = 0;
        for (size_t i = 0; i < texts.size(); ++i) {
            const uint32_t count = static_cast<uint32_t>(texts[i].size());
            const size_t begin = own.entries[i].text_offset;
            const uint32_t* order = own.order + begin;
            const strong_levels::OrderDepth depth = EXACT ? strong_levels::OrderDepth{count, count} : FRAME_DEPTH;
            judge(strong_levels::missing_places(order, count) == 0 &&
                      strong_levels::wrong_rows(texts[i].data(), count, order, 0, count, depth) == 0,
                  what, seed, i);
            judge(own.batch.results[i].status == STATUS_SOUND, what + ": status", seed, i);
            judge(std::all_of<const uint32_t*>(own.order + behind, order, [](uint32_t word) { return word == CANARY; }),
                  what + ": words between frames", seed, i);
            behind = begin + count;
            if (seed == seeds[0]) first.emplace_back(order, order + count);
            else judge(std::equal(order, order + count, first[i].begin()), what + ": order of threads", seed, i);
        }
        judge(std::all_of<const uint32_t*>(own.order + behind, own.order + own.batch.text_bytes,
                                           [](uint32_t word) { return word == CANARY; }),
              what + ": words behind frames", seed, texts.size());
        judge(own.scratch.are_canaries_alive(), what + ": words beside arrays", seed, texts.size());
    }
}

Text random_text(uint32_t count, uint32_t symbols, std::mt19937& random) {
    Text text(count);
    for (uint8_t& byte : text) byte = static_cast<uint8_t>(random() % symbols);
    return text;
}

Text periodic_text(uint32_t count, uint32_t period, std::mt19937& random) {
    Text text = random_text(count, 256, random);
    for (uint32_t i = period; i < count; ++i) text[i] = text[i - period];
    return text;
}

/// Stretches of all lengths, each of a period of its own.
Text stretched_text(uint32_t count, uint32_t longest, std::mt19937& random) {
    Text text;
    while (text.size() < count) {
        const uint32_t begin = static_cast<uint32_t>(text.size()), period = 1 + random() % 3;
        const uint32_t limit = std::min(count, begin + 1 + static_cast<uint32_t>(random() % longest));
        for (uint32_t i = begin; i < limit; ++i)
            text.push_back(i < begin + period ? static_cast<uint8_t>(random() % 3) : text[i - period]);
    }
    return text;
}

Text fibonacci_word(uint32_t count) {
    Text shorter = {0}, longer = {0, 1};
    while (longer.size() < count) {
        Text sum = longer;
        sum.insert(sum.end(), shorter.begin(), shorter.end());
        shorter.swap(longer);
        longer.swap(sum);
    }
    longer.resize(count);
    return longer;
}

Text thue_morse_word(uint32_t count) {
    Text text(count);
    for (uint32_t i = 0; i < count; ++i) text[i] = static_cast<uint8_t>(__builtin_popcount(i) % 2);
    return text;
}

std::vector<Text> strings_of_two(uint32_t longest) {
    std::vector<Text> all;
    for (uint32_t count = 0; count <= longest; ++count) {
        for (uint32_t bits = 0; bits < 1u << count; ++bits) {
            Text text;
            for (uint32_t i = 0; i < count; ++i) text.push_back(static_cast<uint8_t>('a' + (bits >> i & 1)));
            all.push_back(text);
        }
    }
    return all;
}

/// Texts of one length, none of which is easy.
std::vector<Text> texts_of(uint32_t count, std::mt19937& random) {
    return {random_text(count, 256, random),
            random_text(count, 2, random),
            stretched_text(count, 300, random),
            periodic_text(count, 1, random),
            periodic_text(count, 2, random),
            periodic_text(count, FrameShape::CUT + 1, random),
            fibonacci_word(count),
            thue_morse_word(count),
            stretched_text(count, 3000, random)};
}

/// Checks some frames at a time, as each takes a tile.
template <typename Shape>
void check_in_batches(const std::string& what, const std::vector<Text>& texts, uint32_t seed) {
    constexpr size_t MOST = 256;
    for (size_t from = 0; from < texts.size(); from += MOST) {
        const auto limit = texts.begin() + std::min(texts.size(), from + MOST);
        check<Shape>(what, std::vector<Text>(texts.begin() + from, limit), {seed});
    }
}

/// Every string of two letters, every period and every length, each up to a bound.
template <typename Shape>
void check_short(const std::string& shape, uint32_t longest_of_two, uint32_t seed) {
    constexpr uint32_t LONGEST_PERIOD = 300, MOST_BYTES = 70;
    std::mt19937 random(12);
    check_in_batches<Shape>(shape + ", strings of two letters", strings_of_two(longest_of_two), seed);
    std::vector<Text> texts;
    for (uint32_t period = 1; period <= LONGEST_PERIOD; ++period)
        texts.push_back(periodic_text(900 + 3 * period, period, random));
    check_in_batches<Shape>(shape + ", all periods", texts, seed);
    texts.clear();
    for (uint32_t count = 0; count <= MOST_BYTES; ++count) {
        for (Text& text : texts_of(count, random)) texts.push_back(std::move(text));
    }
    check_in_batches<Shape>(shape + ", all lengths", texts, seed);
}

template <typename Shape>
void check_shape(const std::string& shape) {
    std::mt19937 random(7);
    const std::vector<uint32_t> orders = {0, 1, 2};
    check<Shape>(shape + ", strings of two letters", strings_of_two(8), {1});
    std::vector<Text> periods;
    for (uint32_t period = 1; period <= 40; ++period)
        periods.push_back(periodic_text(900 + 31 * period, period, random));
    periods.push_back(periodic_text(9000, 300, random));
    periods.push_back(periodic_text(9000 - 77, 300, random));
    check<Shape>(shape + ", periods", periods, orders);
    constexpr uint32_t WINDOW = Shape::Refine::WINDOW;
    for (const uint32_t border : {128u, WINDOW, 2 * WINDOW, TILE_ROTATIONS, 2 * TILE_ROTATIONS}) {
        std::vector<Text> texts;
        for (uint32_t count = border - 1; count <= border + 1; ++count) {
            for (Text& text : texts_of(count, random)) texts.push_back(std::move(text));
        }
        check<Shape>(shape + ", around " + std::to_string(border), texts, orders);
    }
    std::vector<Text> mixed = texts_of(40000, random);
    mixed.insert(mixed.begin() + 3, {random_text(1, 2, random), {}, random_text(40, 3, random)});
    check<Shape>(shape + ", frames of all lengths", mixed, {0, 1});
}

/// Frames of which each begins a unit, with tiles of no bytes behind most.
void check_units() {
    std::mt19937 random(8);
    std::vector<Text> texts = {{}};
    for (const uint32_t count : {1u, 2u, 127u, 128u, 129u, 4096u, 4097u}) {
        for (Text& text : texts_of(count, random)) texts.push_back(std::move(text));
    }
    for (const uint32_t count : {UNIT_BYTES - 1, UNIT_BYTES, UNIT_BYTES + 1}) {
        texts.push_back(random_text(count, 256, random));
        texts.push_back(stretched_text(count, 3000, random));
        texts.push_back(fibonacci_word(count));
        texts.emplace_back();
    }
    texts.push_back(stretched_text(3 * UNIT_BYTES + 5, 300, random));
    check<FrameShape>("frames in units", texts, {0, 1}, true);
    check<FrameShape>("one frame of no bytes", {{}}, {0, 1}, true);
}

/// Strings with an end: behind the end's rotation, the order is that of the strings' suffixes.
void check_ended(const std::string& what, const std::vector<Text>& strings) {
    std::vector<Text> ended;
    for (const Text& string : strings) {
        Text text;
        for (const uint8_t symbol : string) text.push_back(ching::above_end(std::min(symbol, ching::MOST_SYMBOL)));
        text.push_back(ching::END_SYMBOL);
        ended.push_back(text);
    }
    check<ching::EndedShape>(what, ended, {0, 1});
    const Batch<ching::EndedShape> own(ended, false);
    sort_frames<ching::EndedShape>(own, 1, true);
    for (size_t i = 0; i < ended.size(); ++i) {
        const uint32_t count = static_cast<uint32_t>(ended[i].size()) - 1;
        const uint32_t* order = own.order + own.entries[i].text_offset;
        judge(order[0] == count &&
                  Order(order + 1, order + 1 + count) == ching_tables::suffix_order(ended[i].data(), count),
              what + ": suffixes", 1, i);
    }
}

void check_ended_strings() {
    std::mt19937 random(11);
    check_ended("strings of two letters with an end", strings_of_two(8));
    std::vector<Text> strings = {{}};
    for (const uint32_t count : {1u, 127u, 513u, 4096u, 9001u}) {
        for (Text& text : texts_of(count, random)) strings.push_back(std::move(text));
    }
    for (uint32_t period = 1; period <= 40; ++period) strings.push_back(periodic_text(700 + period, period, random));
    check_ended("strings with an end", strings);
}

/// Frames whose entries tell lengths that they cannot have, between others.
void check_told_lengths() {
    std::mt19937 random(10);
    const std::vector<Text> texts = {stretched_text(9000, 300, random), {}, random_text(5000, 3, random), {}, {},
                                     periodic_text(70000, 300, random)};
    for (const uint32_t told : {UNIT_BYTES + 1, FrameShape::MAX_BYTES, FrameShape::MAX_BYTES + 1, ~0u}) {
        Batch<FrameShape> own(texts, true);
        for (size_t i = 0; i < texts.size(); ++i) {
            if (texts[i].empty()) own.entries[i].text_bytes = told;
        }
        sort_frames<FrameShape>(own, told % 3, false);
        size_t behind = 0;
        for (size_t i = 0; i < texts.size(); ++i) {
            const uint32_t count = static_cast<uint32_t>(texts[i].size());
            const uint32_t* order = own.order + own.entries[i].text_offset;
            judge(strong_levels::missing_places(order, count) == 0 &&
                      strong_levels::wrong_rows(texts[i].data(), count, order, 0, count, FRAME_DEPTH) == 0 &&
                      own.batch.results[i].status == (count == 0 ? STATUS_BAD_ENTRY : STATUS_SOUND) &&
                      std::all_of<const uint32_t*>(own.order + behind, order,
                                                   [](uint32_t word) { return word == CANARY; }),
                  "told lengths", told, i);
            behind = own.entries[i].text_offset + count;
        }
        judge(own.scratch.are_canaries_alive(), "told lengths: words beside arrays", told, texts.size());
    }
}

Text part_of(const char* path, long skip, size_t bytes) {
    Text text(bytes);
    std::FILE* file = std::fopen(path, "rb");
    if (file == nullptr) {
        std::printf("cannot read %s\n", path);
        std::exit(3);
    }
    std::fseek(file, skip, SEEK_SET);
    text.resize(std::fread(text.data(), 1, bytes, file));
    std::fclose(file);
    return text;
}

template <typename Shape>
void check_file(const char* path) {
    constexpr size_t PART_BYTES = 200 << 10;
    check<Shape>(path, {part_of(path, 0, PART_BYTES), part_of(path, 4 << 20, PART_BYTES)}, {0, 3});
}

/// Frames of the largest size, so that all bits of positions are used.
void check_largest(const char* path) {
    constexpr uint32_t LARGEST = FrameShape::MAX_BYTES;
    std::mt19937 random(9);
    check<FrameShape>(std::string(path) + ", whole", {part_of(path, 0, LARGEST)}, {1});
    check<FrameShape>("one byte, largest", {Text(LARGEST)}, {0});
    check<FrameShape>("random, largest", {random_text(LARGEST, 4, random)}, {0});
}

void check_quickly() {
    check_short<FrameShape>("frames", 6, 2);
    check_told_lengths();
}

int verdict() {
    std::printf("%zu right, %zu wrong\n", verdicts[0], verdicts[1]);
    return verdicts[1] == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** paths) {
    if (count == 2 && std::string(paths[1]) == "-q") {
        check_quickly();
        return verdict();
    }
    check_shape<BlockShape>("blocks");
    check_shape<FrameShape>("frames");
    check_short<FrameShape>("frames", 12, 2);
    check_units();
    check_told_lengths();
    check_ended_strings();
    for (int i = 1; i < count; ++i) {
        check_file<BlockShape>(paths[i]);
        check_file<FrameShape>(paths[i]);
    }
    if (count > 1) check_largest(paths[1]);
    return verdict();
}
