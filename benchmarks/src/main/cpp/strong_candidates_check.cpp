// Runs ansv.cuh and nearest.cuh on a CPU (fibres/fibres.h), and compares each candidate with the model's.
//
//   g++ -O2 -std=c++17 -I ../../../../kernels/src/main/cuda strong_candidates_check.cpp fibres/fibres.cpp
//       -o strong_candidates_check
//   strong_candidates_check [FILE...]      besides, 200 KiB from the begin and the middle of files
//
// The exit status is 1 if a candidate is wrong, or a word beside the arrays is written.
#include "fibres/fibres.h"
// and behind it
#include "ansv/ansv.cuh"
#include "nearest/nearest.cuh"

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

constexpr uint32_t GAP = 16;  ///< words between frames that nothing may write
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
    explicit Aligned(size_t count) : words_(count * (sizeof(T) / 4) + 16, CANARY), count_(count) {
        const uintptr_t address = reinterpret_cast<uintptr_t>(words_.data());
        skip_ = (32 - address % 32) % 32 / 4;
    }
    T* data() { return reinterpret_cast<T*>(words_.data() + skip_); }
    /// Whether words [from, to) are canaries.
    bool is_untouched(size_t from, size_t to) const {
        return std::all_of(words_.begin() + skip_ + from, words_.begin() + skip_ + to,
                           [](uint32_t word) { return word == CANARY; });
    }
    size_t words() const { return count_ * (sizeof(T) / 4); }
};

/// Frames one behind the other, with gaps; so many places in all, gaps with them.
std::vector<FrameRange> ranges_of(const std::vector<uint32_t>& counts, size_t& words) {
    std::vector<FrameRange> ranges;
    words = GAP;
    for (const uint32_t count : counts) {
        ranges.push_back({words, count});
        words += parts_of(count, FRAME_ALIGNMENT) * FRAME_ALIGNMENT + GAP;
    }
    return ranges;
}

template <uint32_t THREADS>
void check_smaller(const char* what, const std::vector<Order>& orders, uint32_t seed) {
    std::vector<uint32_t> counts;
    for (const Order& order : orders) counts.push_back(static_cast<uint32_t>(order.size()));
    size_t words;
    const std::vector<FrameRange> ranges = ranges_of(counts, words);
    const uint32_t frames = static_cast<uint32_t>(ranges.size());
    const uint32_t most = *std::max_element(counts.begin(), counts.end());
    const MinimaTree tree = minima_tree_of<THREADS>(most);
    const uint32_t tiles = parts_of(most, AnsvMemory<THREADS>::TILE);
    Aligned<uint32_t> ranks(words), minima(size_t{tree.words} * frames + GAP);
    Aligned<uint2> smaller(words);
    for (uint32_t i = 0; i < frames; ++i) std::copy(orders[i].begin(), orders[i].end(), ranks.data() + ranges[i].begin);
    const AnsvBatch batch{ranks.data(), ranges.data(), smaller.data(), minima.data(), tree, tiles};
    AnsvMemory<THREADS> memory;
    for (uint32_t frame = 0; frame < frames; ++frame) {
        fibres::run(tiles, THREADS, seed, [&] { cta_find_tile_minima(batch, frame, blockIdx.x, memory); });
        fibres::run(1, 32, seed, [&] { cta_find_upper_minima<THREADS>(batch, frame); });
    }
    for (uint32_t frame = 0; frame < frames; ++frame)
        fibres::run(tiles, THREADS, seed, [&] { cta_find_smaller_values(batch, frame, blockIdx.x, memory); });
    size_t behind = 0;
    for (uint32_t i = 0; i < frames; ++i) {
        const auto previous = strong_levels::smaller_values(orders[i], true);
        const auto next = strong_levels::smaller_values(orders[i], false);
        bool right = smaller.is_untouched(behind, ranges[i].begin * 2);
        for (uint32_t place = 0; place < counts[i]; ++place) {
            const uint2 found = smaller.data()[ranges[i].begin + place];
            right = right && found.x == previous[place] && found.y == next[place];
        }
        judge(right, what, seed, i);
        behind = (ranges[i].begin + counts[i]) * 2;
    }
    judge(smaller.is_untouched(behind, smaller.words()), "words behind the smaller values", seed, frames);
    judge(minima.is_untouched(minima.words() - GAP, minima.words()), "words behind the minima", seed, frames);
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
void run_links(const NearestBatch& batch, uint32_t frame, uint32_t seed) {
    if constexpr (KIND < KINDS) {
        LinkMemory<Shape, KIND> links;
        fibres::run(batch.windows, links.WARPS * WARP_LANES, seed,
                    [&] { cta_link_bucket<Shape, KIND>(batch, frame, blockIdx.x, links); });
        run_links<Shape, KIND + 1>(batch, frame, seed);
    }
}

template <class Shape>
void run_nearest(const NearestBatch& batch, uint32_t frames, bool ranks_given, uint32_t seed) {
    constexpr uint32_t SCAN_WARPS = 4;
    const auto deal = std::make_unique<DealAllMemory<Shape>>();
    PlaceMemory<SCAN_WARPS> sums;
    const uint32_t marks = parts_of(batch.windows * Shape::WINDOW, BITS * MARK_STEPS);
    for (uint32_t frame = 0; frame < frames; ++frame) {
        fibres::run(marks, WARP_LANES, seed, [&] {
            const uint32_t begin = blockIdx.x * BITS * MARK_STEPS;
            if (ranks_given) {
                warp_mark_heads<Shape, true>(batch, frame, begin);
            } else {
                warp_mark_heads<Shape, false>(batch, frame, begin);
            }
        });
        for (uint32_t kind = 0; kind < KINDS; ++kind)
            fibres::run(1, 64, seed, [&] { cta_find_windows<Shape>(batch, frame, kind); });
        fibres::run(batch.tiles, Shape::THREADS, seed,
                    [&] { cta_count_buckets<Shape>(batch, frame, blockIdx.x, deal->tile); });
        for (uint32_t kind = 0; kind < KINDS; ++kind)
            fibres::run(batch.digits / WARP_LANES, SCAN_WARPS * WARP_LANES, seed,
                        [&] { cta_place_buckets<Shape>(batch, frame, kind, blockIdx.x * WARP_LANES, sums); });
        fibres::run(batch.tiles, Shape::THREADS, seed,
                    [&] { cta_deal_places<Shape>(batch, frame, blockIdx.x, *deal); });
        run_links<Shape, 0>(batch, frame, seed);
    }
    for (uint32_t frame = 0; frame < frames; ++frame) {
        fibres::run(parts_of(batch.windows * Shape::WINDOW, 64), 64, seed,
                    [&] { thread_collect_nearest(batch, frame, blockIdx.x * 64 + threadIdx.x); });
    }
}

template <class Shape>
void check_nearest(const char* what, const std::vector<Text>& texts, uint32_t seed, bool ranks_given = false) {
    std::vector<uint32_t> counts;
    for (const Text& text : texts) counts.push_back(static_cast<uint32_t>(text.size()));
    size_t words;
    const std::vector<FrameRange> ranges = ranges_of(counts, words);
    const uint32_t frames = static_cast<uint32_t>(ranges.size());
    const uint32_t most = *std::max_element(counts.begin(), counts.end());
    const uint32_t windows = parts_of(most, Shape::WINDOW), tiles = parts_of(most, Shape::TILE);
    const uint32_t digits = parts_of(windows * 2, WARP_LANES) * WARP_LANES;
    Aligned<uint32_t> text((words + TEXT_SLACK) / 4 + 1), order(words), nearest(words * KINDS), ranks(words);
    Aligned<uint32_t> heads(size_t{frames} * KINDS * windows * (Shape::WINDOW / BITS) + GAP);
    Aligned<Window> table(size_t{frames} * KINDS * windows + GAP);
    Aligned<uint32_t> deals(size_t{frames} * KINDS * tiles * digits + GAP), linked(words * KINDS), sources(words);
    Aligned<uint64_t> members(words);
    uint8_t* bytes = reinterpret_cast<uint8_t*>(text.data());
    for (uint32_t i = 0; i < frames; ++i) {
        std::copy(texts[i].begin(), texts[i].end(), bytes + ranges[i].begin);
        if (counts[i] == 0) continue;
        const Order sorted = strong_levels::sort_rotations(texts[i].data(), counts[i], 128);
        std::copy(sorted.begin(), sorted.end(), order.data() + ranges[i].begin);
        for (uint32_t rank = 0; ranks_given && rank < counts[i]; ++rank)
            ranks.data()[ranges[i].begin + sorted[rank]] = rank;
    }
    const NearestBatch batch{bytes,        order.data(), ranges.data(),  nearest.data(), words,
                             windows,      tiles,        digits,         ranks.data(),   heads.data(),
                             table.data(), deals.data(), members.data(), linked.data(),  sources.data()};
    run_nearest<Shape>(batch, frames, ranks_given, seed);
    for (uint32_t kind = 0; kind < KINDS; ++kind) {
        size_t behind = words * kind;
        for (uint32_t i = 0; i < frames; ++i) {
            const size_t begin = words * kind + ranges[i].begin;
            const Order expected = nearest_by_map(texts[i], length_of(kind));
            judge(nearest.is_untouched(behind, begin) &&
                      std::equal(expected.begin(), expected.end(), nearest.data() + begin),
                  what, seed, i);
            behind = begin + counts[i];
        }
        judge(nearest.is_untouched(behind, words * (kind + 1)), "words behind a kind", seed, kind);
    }
    const auto are_untouched = [&](size_t from, size_t to) {
        return ranks.is_untouched(from, to) && members.is_untouched(from * 2, to * 2) &&
               linked.is_untouched(from * KINDS, to * KINDS) && sources.is_untouched(from, to);
    };
    size_t behind = 0;
    for (uint32_t i = 0; i < frames; ++i) {
        judge(are_untouched(behind, ranges[i].begin), "words between frames", seed, i);
        behind = ranges[i].begin + counts[i];
    }
    judge(are_untouched(behind, words), "words behind frames", seed, frames);
    judge(heads.is_untouched(heads.words() - GAP, heads.words()), "words behind marks", seed, frames);
    judge(table.is_untouched(table.words() - GAP * 2, table.words()), "words behind windows", seed, frames);
    judge(deals.is_untouched(deals.words() - GAP, deals.words()), "words behind counts", seed, frames);
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
    check_nearest<Shape>("short texts", shorts, seed);
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
    const std::vector<Order> all = permutations(7);
    for (const uint32_t seed : {0u, 1u, 2u}) {
        check_smaller<8>("permutations", all, seed);
        check_orders<8>(seed);
        check_orders<64>(seed);
    }
    check_orders<512>(3);
    using Small = NearestShape<64, 6, 64, 2>;
    using Middle = NearestShape<128, 8, 128, 4>;
    using Large = NearestShape<512, 8, 512, 16>;
    for (const uint32_t seed : {0u, 1u, 2u}) {
        check_texts<Small>(seed);
        check_texts<Middle>(seed);
    }
    check_texts<Large>(3);
    constexpr size_t PART_BYTES = 200 << 10;
    using Product = NearestShape<8192, 11, 512, 16>;
    using LongTiles = NearestShape<8192, 11, 1024, 16>;
    for (int i = 1; i < count; ++i) {
        const Text begin = part_of(paths[i], 0, PART_BYTES), middle = part_of(paths[i], 4 << 20, PART_BYTES);
        check_nearest<Product>(paths[i], {begin, middle}, 4);
        check_nearest<LongTiles>(paths[i], {begin, middle}, 5, true);
        check_smaller<512>(paths[i], {strong_levels::sort_rotations(begin.data(), PART_BYTES, 128)}, 4);
    }
    std::printf("%zu right, %zu wrong\n", verdicts[0], verdicts[1]);
    return verdicts[1] == 0 ? 0 : 1;
}
