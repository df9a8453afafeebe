// Runs strong_ansv.cuh on a CPU (fibres/fibres.h), and compares each candidate with the model's.
//
//   g++ -O2 -std=c++17 -I ../../../../kernels/src/main/cuda strong_candidates_check.cpp fibres/fibres.cpp
//       -o strong_candidates_check
//   strong_candidates_check
//
// The exit status is 1 if a candidate is wrong, or a word beside the arrays is written.
#include "fibres/fibres.h"
// and behind it
#include "../cuda/strong_ansv.cuh"

#include <array>
#include <numeric>
#include <random>

#include "strong_levels/order.h"

using namespace strong_candidates;

namespace {

using Order = std::vector<uint32_t>;

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
    for (uint32_t i = 0; i < frames; ++i)
        std::copy(orders[i].begin(), orders[i].end(), ranks.data() + ranges[i].begin);
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
    check_smaller<THREADS>("sizes around tiles",
                           {shuffled(1, random), shuffled(TILE - 1, random), shuffled(TILE, random),
                            shuffled(TILE + 1, random), shuffled(8 * TILE, random), shuffled(8 * TILE + 1, random),
                            shuffled(3 * TILE + 5, random)},
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

}  // namespace

int main() {
    const std::vector<Order> all = permutations(7);
    for (const uint32_t seed : {0u, 1u, 2u}) {
        check_smaller<8>("permutations", all, seed);
        check_orders<8>(seed);
        check_orders<64>(seed);
    }
    check_orders<512>(3);
    std::printf("%zu right, %zu wrong\n", verdicts[0], verdicts[1]);
    return verdicts[1] == 0 ? 0 : 1;
}
