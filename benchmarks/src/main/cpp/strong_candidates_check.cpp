// Runs ansv_values.cuh and nearest_places.cuh on a CPU (fibres/fibres.h), and compares each candidate with the model's.
//
//   g++ -O2 -std=c++17 -I ../../../../kernels/src/main/cuda strong_candidates_check.cpp fibres/fibres.cpp
//       -o strong_candidates_check
//   strong_candidates_check [FILE...]      besides, 200 KiB from the begin and the middle of files
//   strong_candidates_check -q             frames of up to 200 kB, each by one order of threads
//
// The exit status is 1 if a candidate is wrong, or a word is written that is no frame's.
#include "fibres/fibres.h"
// and behind it
#include "ansv/ansv_values.cuh"
#include "nearest/nearest_places.cuh"

#include <array>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>

#include "strong_levels/order.h"

using namespace warpcodec;
using namespace warpcodec::ansv;
using namespace warpcodec::nearest;

namespace {

using Order = std::vector<uint32_t>;
using Text = std::vector<uint8_t>;

constexpr uint32_t GAP = 16;  ///< elements behind an array that nothing may write
constexpr uint32_t CANARY = 0xC0FFEE00;

std::array<size_t, 2> verdicts;  ///< right, wrong

void judge(bool right, const char* what, uint32_t seed, uint32_t frame) {
    ++verdicts[right ? 0 : 1];
    if (!right && verdicts[1] < 20) std::printf("WRONG: %s, seed %u, frame %u\n", what, seed, frame);
}

/// Memory that begins at a multiple of 32 bytes, filled with canaries.
template <typename T>
class Aligned {
    std::vector<uint32_t> words_;
    size_t count_, skip_;

public:
    explicit Aligned(size_t count) : words_((count + GAP) * (sizeof(T) / 4) + 8, CANARY), count_(count) {
        const uintptr_t address = reinterpret_cast<uintptr_t>(words_.data());
        skip_ = (32 - address % 32) % 32 / 4;
    }
    T* data() { return reinterpret_cast<T*>(words_.data() + skip_); }
    /// Whether the words of elements [from, to) are canaries.
    bool is_untouched(size_t from, size_t to) const {
        const auto begin = words_.begin() + skip_;
        return std::all_of(begin + from * (sizeof(T) / 4), begin + to * (sizeof(T) / 4),
                           [](uint32_t word) { return word == CANARY; });
    }
    bool is_whole() const { return is_untouched(count_, count_ + GAP); }
};

/// Frames one behind the other, in units.
struct Layout {
    std::vector<FrameRange> ranges;
    uint32_t units = 0;
    uint32_t longest = 0;  ///< frame, in bytes

    template <class Frame>
    explicit Layout(const std::vector<Frame>& frames) {
        for (const Frame& frame : frames) {
            const uint32_t count = static_cast<uint32_t>(frame.size());
            ranges.push_back({units, count});
            units += units_of(count);
            longest = std::max(longest, count);
        }
    }
    size_t places() const { return size_t{units} * UNIT_BYTES; }
    uint32_t frames() const { return static_cast<uint32_t>(ranges.size()); }

    /// Runs kernel(frame) for each frame: upwards or downwards, so that what is written beside a frame is seen.
    template <class Kernel>
    void each(uint32_t seed, Kernel kernel) const {
        for (uint32_t i = 0; i < frames(); ++i) kernel(seed % 2 == 0 ? i : frames() - 1 - i);
    }
};

/// Whether a frame's minima lie where its ranks need some, and nowhere else.
template <uint32_t THREADS>
bool are_minima_within(const Aligned<uint32_t>& minima, const AnsvBatch& batch, const FrameRange& frame) {
    using Memory = AnsvMemory<THREADS>;
    const uint32_t tiles = parts_of(frame.count, Memory::TILE), units = units_of(frame.count);
    uint32_t nodes = tiles <= 1 ? 0 : tiles * THREADS;
    bool within = true;
    for (uint32_t number = 1; number <= MOST_LEVELS; ++number) {
        const uint32_t used = parts_of(nodes, FAN) * FAN;
        const size_t begin = level_of(batch, frame, number) - batch.minima;
        within = within && minima.is_untouched(begin + used, begin + size_t{units} * level_words(number)) &&
                 (used == 0 || !minima.is_untouched(begin + used - 1, begin + used));
        nodes = nodes <= FAN && number > Memory::TILE_LEVELS ? 0 : parts_of(nodes, FAN);
    }
    return within;
}

template <uint32_t THREADS>
void check_smaller(const char* what, const std::vector<Order>& orders, uint32_t seed) {
    using Memory = AnsvMemory<THREADS>;
    const Layout layout(orders);
    const uint32_t tiles = units_of(layout.longest) * Memory::UNIT_TILES;
    Aligned<uint32_t> ranks(layout.places()), minima(minima_words(layout.units));
    Aligned<uint2> smaller(layout.places());
    for (uint32_t i = 0; i < layout.frames(); ++i)
        std::copy(orders[i].begin(), orders[i].end(), ranks.data() + layout.ranges[i].begin());
    const AnsvBatch batch{ranks.data(), layout.ranges.data(), smaller.data(), minima.data(), layout.units};
    Memory memory;
    layout.each(seed, [&](uint32_t frame) {
        fibres::run(tiles, THREADS, seed, [&] { cta_find_tile_minima(batch, frame, blockIdx.x, memory); });
    });
    layout.each(
        seed, [&](uint32_t frame) { fibres::run(1, 32, seed, [&] { cta_find_upper_minima<THREADS>(batch, frame); }); });
    layout.each(seed, [&](uint32_t frame) {
        fibres::run(tiles, THREADS, seed, [&] { cta_find_smaller_values(batch, frame, blockIdx.x, memory); });
    });
    for (uint32_t i = 0; i < layout.frames(); ++i) {
        const FrameRange frame = layout.ranges[i];
        const auto previous = strong_levels::smaller_values(orders[i], true);
        const auto next = strong_levels::smaller_values(orders[i], false);
        bool right = true;
        for (uint32_t place = 0; place < frame.count; ++place) {
            const uint2 found = smaller.data()[frame.begin() + place];
            right = right && found.x == previous[place] && found.y == next[place];
        }
        judge(right, what, seed, i);
        const size_t limit = frame.begin() + size_t{units_of(frame.count)} * UNIT_BYTES;
        judge(smaller.is_untouched(frame.begin() + frame.count, limit), "words behind a frame", seed, i);
        judge(are_minima_within<THREADS>(minima, batch, frame), "minima behind a frame", seed, i);
    }
    judge(smaller.is_whole() && minima.is_whole(), "words behind the arrays", seed, layout.frames());
}

Order sorted(uint32_t count) {
    Order order(count);
    std::iota(order.begin(), order.end(), 0);
    return order;
}

/// Teeth of so many ranks; places of a tooth are `teeth` apart, so each looks for its smaller values far away.
Order saw(uint32_t count, uint32_t tooth, bool falls) {
    Order order = sorted(count);
    const uint32_t teeth = parts_of(count, tooth);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return a % teeth < b % teeth; });
    for (uint32_t from = 0; falls && from < count; from += tooth)
        std::reverse(order.begin() + from, order.begin() + std::min(count, from + tooth));
    return order;
}

Order shuffled(uint32_t count, std::mt19937& random) {
    Order order = sorted(count);
    std::shuffle(order.begin(), order.end(), random);
    return order;
}

/// Mountains of the same height, the right slope between the left one's places: all of the right one look left, each
/// at another rank.
Order mountains(uint32_t count, uint32_t slope) {
    Order order;
    for (uint32_t from = 0; from < count; from += 2 * slope) {
        const uint32_t limit = std::min(count, from + 2 * slope);
        for (uint32_t place = from; place < limit; place += 2) order.push_back(place);
        for (uint32_t place = limit - 1 - (limit - from) % 2; place > from && place < limit; place -= 2)
            order.push_back(place);
    }
    return order;
}

std::vector<Order> permutations(uint32_t most) {
    std::vector<Order> all;
    for (uint32_t count = 1; count <= most; ++count) {
        Order order = sorted(count);
        do all.push_back(order);
        while (std::next_permutation(order.begin(), order.end()));
    }
    return all;
}

template <uint32_t THREADS>
void check_orders(uint32_t seed) {
    constexpr uint32_t TILE = THREADS * FAN;
    std::mt19937 random(seed);
    check_smaller<THREADS>(
        "sizes around tiles",
        {shuffled(1, random), shuffled(TILE - 1, random), shuffled(TILE, random), shuffled(TILE + 1, random),
         shuffled(8 * TILE, random), shuffled(8 * TILE + 1, random), shuffled(3 * TILE + 5, random)},
        seed);
    for (const uint32_t count : {TILE / 2 + 3, 9 * TILE + 7}) {
        Order falling = sorted(count);
        std::reverse(falling.begin(), falling.end());
        check_smaller<THREADS>("sorted orders", {sorted(count), falling, shuffled(count, random)}, seed);
        for (const uint32_t tooth : {2u, 7u, 8u, TILE - 1, TILE, TILE + 1, 3 * TILE}) {
            check_smaller<THREADS>("saws", {saw(count, tooth, false), saw(count, tooth, true), mountains(count, tooth)},
                                   seed);
        }
    }
}

// ---- nearest places

/// The model's definition without its order: places whose bytes end with the text, nearest first.
Order nearest_by_map(const Text& text, uint32_t length) {
    std::map<std::string, uint32_t> latest;
    Order nearest(text.size(), NO_PLACE);
    for (uint32_t place = 0; place + length <= text.size(); ++place) {
        const std::string bytes(text.begin() + place, text.begin() + place + length);
        const auto found = latest.find(bytes);
        if (found != latest.end()) nearest[place] = found->second;
        latest[bytes] = place;
    }
    return nearest;
}

template <class Shape, uint32_t KIND>
void run_links(const NearestBatch& batch, const Layout& layout, uint32_t windows, uint32_t seed) {
    if constexpr (KIND < KINDS) {
        LinkMemory<Shape, KIND> links;
        layout.each(seed, [&](uint32_t frame) {
            fibres::run(windows, links.WARPS * WARP_LANES, seed,
                        [&] { cta_link_bucket<Shape, KIND>(batch, frame, blockIdx.x, links); });
        });
        run_links<Shape, KIND + 1>(batch, layout, windows, seed);
    }
}

/// Ctas are started for each window and tile of as many units as the longest frame has.
template <class Shape>
void run_nearest(const NearestBatch& batch, const Layout& layout, bool ranks_given, uint32_t seed) {
    constexpr uint32_t SCAN_WARPS = 4;
    const auto deal = std::make_unique<DealAllMemory<Shape>>();
    PlaceMemory<SCAN_WARPS> sums;
    const uint32_t units = units_of(layout.longest), tiles = units * Shape::UNIT_TILES;
    layout.each(seed, [&](uint32_t frame) {
        fibres::run(units * (UNIT_BYTES / (BITS * MARK_STEPS)), WARP_LANES, seed, [&] {
            const uint32_t begin = blockIdx.x * BITS * MARK_STEPS;
            if (ranks_given) {
                warp_mark_heads<Shape, true>(batch, frame, begin);
            } else {
                warp_mark_heads<Shape, false>(batch, frame, begin);
            }
        });
    });
    layout.each(seed, [&](uint32_t frame) {
        for (uint32_t kind = 0; kind < KINDS; ++kind)
            fibres::run(1, 64, seed, [&] { cta_find_windows<Shape>(batch, frame, kind); });
    });
    layout.each(seed, [&](uint32_t frame) {
        fibres::run(tiles, Shape::THREADS, seed,
                    [&] { cta_count_buckets<Shape>(batch, frame, blockIdx.x, deal->tile); });
    });
    layout.each(seed, [&](uint32_t frame) {
        for (uint32_t kind = 0; kind < KINDS; ++kind)
            fibres::run(batch.digits / WARP_LANES, SCAN_WARPS * WARP_LANES, seed,
                        [&] { cta_place_buckets<Shape>(batch, frame, kind, blockIdx.x * WARP_LANES, sums); });
    });
    layout.each(seed, [&](uint32_t frame) {
        fibres::run(tiles, Shape::THREADS, seed, [&] { cta_deal_places<Shape>(batch, frame, blockIdx.x, *deal); });
    });
    run_links<Shape, 0>(batch, layout, units * Shape::UNIT_WINDOWS, seed);
}

/// What nearest places are looked for with.
template <class Shape>
class NearestArrays {
    const Layout& layout_;
    const uint32_t digits_;
    Aligned<uint32_t> text_, order_, nearest_, ranks_, heads_, counts_;
    Aligned<Window> table_;
    Aligned<uint64_t> members_;

public:
    NearestBatch batch{};

    explicit NearestArrays(const Layout& layout)
        : layout_(layout),
          digits_(digits_of<Shape>(layout.longest)),
          text_((layout.places() + TEXT_SLACK) / 4),
          order_(layout.places()),
          nearest_(layout.places() * KINDS),
          ranks_(layout.places()),
          heads_(heads_words(layout.units)),
          counts_(counts_words<Shape>(layout.units, digits_)),
          table_(table_windows<Shape>(layout.units)),
          members_(layout.places()) {
        batch.text = reinterpret_cast<const uint8_t*>(text_.data());
        batch.order = order_.data();
        batch.frames = layout.ranges.data();
        batch.nearest = nearest_.data();
        batch.units = layout.units;
        batch.windows = windows_of<Shape>(layout.longest);
        batch.tiles = tiles_of<Shape>(layout.longest);
        batch.digits = digits_;
        batch.ranks = ranks_.data();
        batch.heads = heads_.data();
        batch.table = table_.data();
        batch.counts = counts_.data();
        batch.members = members_.data();
    }

    void set(const FrameRange& frame, const Text& text, bool ranks_given) {
        if (frame.count == 0) return;
        std::copy(text.begin(), text.end(), reinterpret_cast<uint8_t*>(text_.data()) + frame.begin());
        const Order sorted = strong_levels::sort_rotations(text.data(), frame.count, 128);
        std::copy(sorted.begin(), sorted.end(), order_.data() + frame.begin());
        for (uint32_t rank = 0; ranks_given && rank < frame.count; ++rank)
            ranks_.data()[frame.begin() + sorted[rank]] = rank;
    }

    /// Whether nobody has written behind a frame's places, marks, windows, tiles and digits.
    bool is_padding_untouched(const FrameRange& frame) const {
        const uint32_t units = units_of(frame.count), windows = windows_of<Shape>(frame.count);
        const uint32_t tiles = tiles_of<Shape>(frame.count), digits = digits_of<Shape>(frame.count);
        const size_t from = frame.begin() + frame.count, to = frame.begin() + size_t{units} * UNIT_BYTES;
        bool untouched = ranks_.is_untouched(from, to) && members_.is_untouched(from, to) &&
                         nearest_.is_untouched(from * KINDS, to * KINDS);
        for (uint32_t kind = 0; kind < KINDS; ++kind) {
            const size_t unit = size_t{kind} * batch.units + frame.first_unit;
            const size_t marks = unit * (UNIT_BYTES / BITS), table = unit * Shape::UNIT_WINDOWS;
            const size_t row = unit * Shape::UNIT_TILES;
            untouched = untouched &&
                        heads_.is_untouched(marks + size_t{windows} * (Shape::WINDOW / BITS),
                                            marks + size_t{units} * (UNIT_BYTES / BITS)) &&
                        table_.is_untouched(table + windows, table + size_t{units} * Shape::UNIT_WINDOWS) &&
                        counts_.is_untouched((row + tiles) * digits_, (row + units * Shape::UNIT_TILES) * digits_);
            for (uint32_t tile = 0; tile < tiles; ++tile)
                untouched =
                    untouched && counts_.is_untouched((row + tile) * digits_ + digits, (row + tile + 1) * digits_);
        }
        return untouched;
    }

    bool is_whole() const {
        return nearest_.is_whole() && ranks_.is_whole() && heads_.is_whole() && counts_.is_whole() &&
               table_.is_whole() && members_.is_whole();
    }
};

template <class Shape>
void check_nearest(const char* what, const std::vector<Text>& texts, uint32_t seed, bool ranks_given = false) {
    const Layout layout(texts);
    NearestArrays<Shape> arrays(layout);
    for (uint32_t i = 0; i < layout.frames(); ++i) arrays.set(layout.ranges[i], texts[i], ranks_given);
    run_nearest<Shape>(arrays.batch, layout, ranks_given, seed);
    for (uint32_t i = 0; i < layout.frames(); ++i) {
        for (uint32_t kind = 0; kind < KINDS; ++kind) {
            const Order expected = nearest_by_map(texts[i], length_of(kind));
            const uint32_t* found = arrays.batch.nearest + layout.ranges[i].begin() * KINDS + kind;
            bool right = true;
            for (size_t place = 0; place < expected.size(); ++place) right &= found[place * KINDS] == expected[place];
            judge(right, what, seed, i);
        }
        judge(arrays.is_padding_untouched(layout.ranges[i]), "words behind a frame", seed, i);
    }
    judge(arrays.is_whole(), "words behind the arrays", seed, layout.frames());
}

/// Checks some frames at a time, as each takes a unit.
template <class Frame, class Check>
void check_in_batches(const std::vector<Frame>& frames, Check check) {
    constexpr size_t MOST = 40;
    for (size_t from = 0; from < frames.size(); from += MOST)
        check(std::vector<Frame>(frames.begin() + from, frames.begin() + std::min(frames.size(), from + MOST)));
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

/// Random text with a byte and a period that are repeated in the middle.
Text mixed_text(uint32_t count, std::mt19937& random) {
    Text text = random_text(count, 4, random);
    for (uint32_t i = count / 4; i < count / 2; ++i) text[i] = 0;
    for (uint32_t i = count / 2; i < count * 3 / 4; ++i) text[i] = static_cast<uint8_t>(i % 2);
    return text;
}

template <class Shape>
void check_texts(uint32_t seed) {
    std::mt19937 random(seed + 1);
    std::vector<Text> shorts;
    for (uint32_t count = 1; count <= 40; ++count) {
        for (const uint32_t symbols : {1u, 2u, 3u, 256u}) shorts.push_back(random_text(count, symbols, random));
        shorts.push_back(periodic_text(count, 1 + count % 5, random));
    }
    check_in_batches(shorts, [&](const std::vector<Text>& some) { check_nearest<Shape>("short texts", some, seed); });
    for (const uint32_t size : {Shape::WINDOW, Shape::TILE, Shape::MOST_BYTES}) {
        for (const uint32_t count : {size - 1, size, size + 1}) {
            if (count > Shape::MOST_BYTES) continue;
            check_nearest<Shape>("texts around tiles",
                                 {random_text(count, 2, random), random_text(count / 2 + 1, 256, random),
                                  periodic_text(count, 1, random), periodic_text(count, 2, random),
                                  periodic_text(count, 17, random), mixed_text(count, random)},
                                 seed);
        }
    }
    check_nearest<Shape>("an empty frame between others", {random_text(100, 2, random), {}, random_text(50, 2, random)},
                         seed);
    check_nearest<Shape>("given ranks", {random_text(Shape::TILE + 5, 2, random), mixed_text(100, random)}, seed, true);
}

/// Frames of all sorts of lengths in one batch: upwards, downwards, shuffled.
template <class Check>
void check_mixtures(uint32_t seed, Check check) {
    std::mt19937 random(seed + 2);
    std::vector<uint32_t> counts = {0, 1, 2, 12, 4095, 65535, 65536, 65537, 200000};
    if (seed == 1) std::reverse(counts.begin(), counts.end());
    if (seed > 1) std::shuffle(counts.begin(), counts.end(), random);
    std::vector<Order> orders;
    std::vector<Text> texts;
    for (const uint32_t count : counts) {
        orders.push_back(orders.size() % 2 == 0 ? shuffled(count, random) : mountains(count, count / 4 + 1));
        texts.push_back(texts.size() % 2 == 0 ? mixed_text(count, random) : random_text(count, 3, random));
    }
    check(orders, texts);
}

/// Frames with minima of all levels among short ones.
void check_long_frames() {
    constexpr uint32_t ALL_LEVELS = (1 << 21) + 70001;  // more than eight nodes in the last level but one
    constexpr uint32_t SIX_LEVELS = 300001;
    static_assert(MOST_LEVELS == 7 && ALL_LEVELS > 1 << MOST_LEVELS * FAN_LOG2 && SIX_LEVELS > 1 << 6 * FAN_LOG2);
    std::mt19937 random(9);
    for (const uint32_t seed : {0u, 1u}) {
        const Order all = seed == 0 ? shuffled(ALL_LEVELS, random) : mountains(ALL_LEVELS, ALL_LEVELS / 2);
        check_smaller<512>("long frames", {shuffled(12, random), all, {}, mountains(SIX_LEVELS, SIX_LEVELS / 4)}, seed);
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

}  // namespace

int main(int count, char** paths) {
    const bool quick = count == 2 && std::string(paths[1]) == "-q";
    const std::vector<uint32_t> seeds = quick ? std::vector<uint32_t>{1} : std::vector<uint32_t>{0, 1, 2};
    check_in_batches(permutations(quick ? 6 : 7),
                     [](const std::vector<Order>& some) { check_smaller<8>("permutations", some, 0); });
    for (const uint32_t seed : seeds) {
        check_orders<8>(seed);
        check_orders<64>(seed);
    }
    check_orders<512>(3);
    using Small = NearestShape<64, 6, 64, 2>;
    using Middle = NearestShape<128, 8, 128, 4>;
    using Large = NearestShape<512, 8, 512, 16>;
    for (const uint32_t seed : seeds) {
        check_texts<Small>(seed);
        check_texts<Middle>(seed);
    }
    check_texts<Large>(3);
    using Product = NearestShape<8192, 11, 512, 16>;
    using LongTiles = NearestShape<8192, 11, 1024, 16>;
    for (const uint32_t seed : seeds) {
        check_mixtures(seed, [&](const std::vector<Order>& orders, const std::vector<Text>& texts) {
            check_smaller<512>("a mixture", orders, seed);
            check_smaller<64>("a mixture", orders, seed);
            check_nearest<Product>("a mixture", texts, seed);
            if (seed == 0) check_nearest<LongTiles>("a mixture", texts, seed, true);
        });
    }
    if (!quick) check_long_frames();
    constexpr size_t PART_BYTES = 200 << 10;
    for (int i = 1; i < count && !quick; ++i) {
        const Text begin = part_of(paths[i], 0, PART_BYTES), middle = part_of(paths[i], 4 << 20, PART_BYTES);
        check_nearest<Product>(paths[i], {begin, middle}, 4);
        check_nearest<LongTiles>(paths[i], {begin, middle}, 5, true);
        check_smaller<512>(paths[i], {strong_levels::sort_rotations(begin.data(), PART_BYTES, 128)}, 4);
    }
    std::printf("%zu right, %zu wrong\n", verdicts[0], verdicts[1]);
    return verdicts[1] == 0 ? 0 : 1;
}
