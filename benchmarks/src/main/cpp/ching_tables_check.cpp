// Runs what Ching's tables are made of on a CPU: both suffix sorts, both searches of smaller values, and factors in
// chunks. Steps run one index behind the other (ching_tables/host_engine.h), kernels on fibres (fibres/fibres.h).
//
//   g++ -O2 -std=c++17 -I ../../../../kernels/src/main/cuda -I ../cuda ching_tables_check.cpp fibres/fibres.cpp
//       -o ching_tables_check
//   ching_tables_check [FILE...]      besides, 200 KiB from the begin and the middle of files; all of the first one
//
// Orders are compared with a sequential sort's, which is compared with one by comparison on short texts. Texts of one
// length are also sorted at once. Smaller values are compared with those of a stack. Factors are compared with the
// greedy ones of each chunk, and on short texts with the longest match of every place. Every order of steps and
// threads gives the same. The exit status is 1 if a result is wrong, or a word beside the arrays is written.
#include "fibres/fibres.h"
// and behind it
#include "../cuda/ching_factors.cuh"
#include "../cuda/ching_skew.cuh"
#include "../cuda/ching_smaller.cuh"
#include "ansv/ansv_values.cuh"

#include <array>
#include <cstdio>
#include <string>

#include "ching_tables/factors.h"
#include "ching_tables/host_engine.h"
#include "ching_tables/suffix_order.h"
#include "ching_tables/texts.h"
#include "strong_levels/order.h"

using namespace ching;
using namespace ching_tables;

namespace {

using Order = std::vector<uint32_t>;

constexpr uint32_t SHORT_BYTES = 400, LETTERS = 12, PERIODS = 300, PERIOD_BYTES = 1234;
constexpr uint32_t DIVISIONS[] = {1, 2, 3, 7, 15, 480};
constexpr uint32_t CANARY = 0xC0FFEE00;

std::array<size_t, 2> verdicts;  ///< right, wrong

void judge(bool right, const std::string& what, uint32_t seed, size_t text) {
    ++verdicts[right ? 0 : 1];
    if (!right && verdicts[1] < 20) std::printf("WRONG: %s, seed %u, text %zu\n", what.c_str(), seed, text);
}

uint32_t length_of(const Text& text) { return static_cast<uint32_t>(text.size()); }

/// Smaller values of both sides.
struct Values {
    Order previous, next;
    explicit Values(const Order& order)
        : previous(strong_levels::smaller_values(order, true)), next(strong_levels::smaller_values(order, false)) {}
};

// ---- orders

Order doubled_order(HostEngine& engine, const uint8_t* text, uint32_t bytes, uint32_t each, const std::string& what) {
    uint32_t* order = engine.take<uint32_t>(bytes);
    const DoublingRounds rounds = sort_by_doubling(engine, Strings{text, bytes, each}, order);
    judge(rounds.tied_last == 0, what + ": tied", 0, 0);
    return Order(order, order + bytes);
}

Order skewed_order(HostEngine& engine, const Text& text) {
    uint32_t* order = engine.take<uint32_t>(text.size());
    sort_by_skew(engine, text.data(), length_of(text), order);
    return Order(order, order + text.size());
}

/// Sorts texts of one length at once. `order` has the order of each.
void check_strings(const TextGroup& group, const std::vector<Order>& orders, uint32_t seed) {
    const uint32_t each = length_of(group.texts[0]);
    Text all;
    for (const Text& text : group.texts) all.insert(all.end(), text.begin(), text.end());
    for (uint32_t missing = 0; missing < 2 && missing < each; ++missing) {  // the last string may be shorter
        HostEngine engine(seed);
        const uint32_t bytes = length_of(all) - missing;
        const Order order = doubled_order(engine, all.data(), bytes, each, group.name);
        for (uint32_t i = 0; i < group.texts.size(); ++i) {
            const bool is_short = missing > 0 && i + 1 == group.texts.size();
            const Order own = is_short ? compared_order(group.texts[i].data(), each - missing) : orders[i];
            bool right = true;
            for (uint32_t rank = 0; rank < own.size(); ++rank)
                right = right && order[i * each + rank] == own[rank] + i * each;
            judge(right, group.name + ": strings at once", seed, i);
        }
        judge(engine.is_whole(), group.name + ": strings, words beside arrays", seed, missing);
    }
}

// ---- smaller values

template <uint32_t CHUNK>
void check_chunks(const Order& order, const Values& values, uint32_t seed, const std::string& what) {
    HostEngine engine(seed);
    const uint32_t count = static_cast<uint32_t>(order.size());
    uint2* smaller = engine.take<uint2>(count);
    find_smaller_by_chunks<CHUNK>(engine, order.data(), count, engine.take<uint32_t>(full_ranks(count)), smaller);
    bool right = true;
    for (uint32_t place = 0; place < count; ++place)
        right = right && smaller[place].x == values.previous[place] && smaller[place].y == values.next[place];
    judge(right, what + ": smaller values, chunks of " + std::to_string(CHUNK), seed, 0);
    judge(engine.is_whole(), what + ": smaller values, words beside arrays", seed, 0);
}

template <uint32_t THREADS>
void check_tiles(const Order& order, const Values& values, const std::string& what) {
    using namespace warpcodec;
    using Memory = ansv::AnsvMemory<THREADS>;
    const uint32_t count = static_cast<uint32_t>(order.size()), units = units_of(count);
    const uint32_t tiles = parts_of(count, Memory::TILE);
    HostEngine engine(0);
    const auto aligned = [&](size_t words) {
        const uintptr_t address = reinterpret_cast<uintptr_t>(engine.take<uint32_t>(words + 8));
        return reinterpret_cast<uint32_t*>((address + 31) / 32 * 32);
    };
    uint32_t* ranks = aligned(size_t{units} * UNIT_BYTES);
    std::copy(order.begin(), order.end(), ranks);
    const FrameRange frame{0, count};
    uint2* smaller = engine.take<uint2>(count);
    const ansv::AnsvBatch batch{ranks, &frame, smaller, aligned(deep_minima_words(units)), units};
    static Memory memory;
    fibres::run(tiles, THREADS, 1, [&] { ansv::cta_find_tile_minima(batch, 0, blockIdx.x, memory); });
    fibres::run(1, 32, 1, [&] { ansv::cta_find_upper_minima<THREADS>(batch, 0); });
    fibres::run(tiles, THREADS, 1, [&] { ansv::cta_find_smaller_values(batch, 0, blockIdx.x, memory); });
    bool right = true;
    for (uint32_t place = 0; place < count; ++place)
        right = right && smaller[place].x == values.previous[place] && smaller[place].y == values.next[place];
    judge(right, what + ": smaller values, tiles of " + std::to_string(Memory::TILE), 1, 0);
    judge(engine.is_whole(), what + ": tiles, words beside arrays", 1, 0);
}

// ---- factors

using FindFactors = void (*)(const FactorBatch&, uint32_t);

std::vector<Factor> chunked_factors(FindFactors find, const Text& text, const Values& values, uint32_t divisions,
                                    uint32_t seed, const std::string& what) {
    HostEngine engine(seed);
    const uint32_t bytes = length_of(text), chunks = chunk_count_of(bytes, divisions);
    uint8_t* own = engine.take<uint8_t>(bytes + AHEAD_SLACK);
    std::copy(text.begin(), text.end(), own);
    uint2* smaller = engine.take<uint2>(bytes);
    for (uint32_t place = 0; place < bytes; ++place) smaller[place] = {values.previous[place], values.next[place]};
    const FactorBatch batch{own,
                            smaller,
                            engine.take<Factor>(bytes),
                            engine.take<uint32_t>(chunks + 1),
                            bytes,
                            chunk_bytes_of(bytes, divisions),
                            chunks};
    std::fill_n(reinterpret_cast<uint32_t*>(batch.factors), size_t{bytes} * 2, CANARY);
    fibres::run(chunks, WARP_LANES, seed, [&] { find(batch, blockIdx.x); });
    uint32_t* sums = engine.take<uint32_t>(chunks + 1);
    engine.exclusive_sum(CountOfChunk{batch.counts, chunks}, sums, chunks + 1);
    Factor* all = engine.take<Factor>(sums[chunks]);
    fibres::run(chunks, WARP_LANES, seed, [&] { warp_gather_factors(batch, sums, all, blockIdx.x); });
    judge(engine.is_whole(), what + ": factors, words beside arrays", seed, divisions);
    return std::vector<Factor>(all, all + sums[chunks]);
}

/// Whether factors are the greedy ones of chunks, each the longest match if these are given.
bool are_greedy(const Text& text, const Values& values, const std::vector<Factor>& factors, uint32_t divisions,
                const Order& longest) {
    const uint32_t bytes = length_of(text), each = chunk_bytes_of(bytes, divisions);
    size_t at = 0;
    bool right = true;
    for (uint32_t begin = 0; begin < bytes; begin += each) {
        const uint32_t limit = std::min(bytes, begin + each);
        uint32_t place = begin;
        for_each_factor(text.data(), values.previous, values.next, begin, limit, [&](const HostFactor& expected) {
            right = right && at < factors.size() && factors[at].length == expected.length &&
                    factors[at].source == expected.source;
            if (right && !longest.empty()) {
                const Factor own = factors[at];
                right = own.length == std::min(longest[place], limit - place) &&
                        (own.length == 0 ||
                         (own.source < place && shared_bytes(text.data(), own.source, place, limit) == own.length));
            }
            place += std::max(expected.length, 1u);
            ++at;
        });
        right = right && place == limit;
    }
    return right && at == factors.size();
}

// ---- texts

/// Checks all stages on one text, and gives its order.
Order check_text(const Text& text, const std::vector<uint32_t>& seeds, const std::string& what, size_t number) {
    const uint32_t bytes = length_of(text);
    const Order order = suffix_order(text.data(), bytes);
    judge(is_suffix_order(text.data(), bytes, order.data()), what + ": sequential order", 0, number);
    if (bytes <= SHORT_BYTES) judge(order == compared_order(text.data(), bytes), what + ": compared order", 0, number);
    const Values values(order);
    const Order longest = bytes <= SHORT_BYTES ? longest_previous(text.data(), bytes) : Order();
    for (const uint32_t seed : seeds) {
        HostEngine engine(seed);
        judge(doubled_order(engine, text.data(), bytes, std::max(bytes, 1u), what) == order, what + ": doubling", seed,
              number);
        judge(skewed_order(engine, text) == order, what + ": skew", seed, number);
        judge(engine.is_whole(), what + ": words beside arrays", seed, number);
        for (const uint32_t divisions : DIVISIONS) {
            for (const FindFactors find : {FindFactors(warp_find_factors), FindFactors(warp_find_factors_ahead)}) {
                const std::vector<Factor> factors = chunked_factors(find, text, values, divisions, seed, what);
                judge(are_greedy(text, values, factors, divisions, longest), what + ": factors", seed, divisions);
            }
        }
    }
    check_chunks<1>(order, values, seeds[0], what);
    check_chunks<4>(order, values, seeds[0], what);
    check_chunks<64>(order, values, seeds[0], what);
    if (bytes > 12) {
        check_tiles<64>(order, values, what);
        check_tiles<512>(order, values, what);
    }
    return order;
}

void check_group(const TextGroup& group) {
    const uint32_t bytes = length_of(group.texts[0]);
    const std::vector<uint32_t> seeds =
        bytes <= 12 || bytes > 5000 ? std::vector<uint32_t>{1} : std::vector<uint32_t>{0, 1, 2};
    std::vector<Order> orders;
    for (size_t i = 0; i < group.texts.size(); ++i) orders.push_back(check_text(group.texts[i], seeds, group.name, i));
    if (bytes == 0) return;
    for (const uint32_t seed : {0u, 1u, 2u}) check_strings(group, orders, seed);
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

/// More ranks than a frame of a codec has: a level more of the tree.
void check_deep() {
    constexpr uint32_t COUNT = (1u << 24) + 70000;
    Order order(COUNT);
    for (uint32_t i = 0; i < COUNT; ++i) order[i] = i;
    std::mt19937 random(45);
    std::shuffle(order.begin(), order.end(), random);
    std::rotate(order.begin(), std::find(order.begin(), order.end(), 0u), order.end());  // all look for 0 far away
    const Values values(order);
    check_tiles<512>(order, values, "deep");
    check_chunks<4>(order, values, 0, "deep");
}

}  // namespace

int main(int count, char** paths) {
    for (const TextGroup& group : check_texts(LETTERS, PERIODS, PERIOD_BYTES)) check_group(group);
    constexpr size_t PART_BYTES = 200 << 10;
    for (int i = 1; i < count; ++i) {
        check_text(part_of(paths[i], 0, PART_BYTES), {0}, paths[i], 0);
        check_text(part_of(paths[i], 4 << 20, PART_BYTES), {1}, paths[i], 1);
    }
    if (count > 1) {
        check_text(part_of(paths[1], 0, 64u << 20), {2}, paths[1], 2);
        check_deep();
    }
    std::printf("%zu right, %zu wrong\n", verdicts[0], verdicts[1]);
    return verdicts[1] == 0 ? 0 : 1;
}
