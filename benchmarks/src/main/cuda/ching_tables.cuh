// Rows of Ching's tables for one text: its stages on a device, timed, and compared with a host's.
// ching_tables_bench.cu says what the tables are.
#pragma once

#include <chrono>

#include "ching_verify.cuh"

namespace ching {

using HostOrder = std::vector<uint32_t>;

constexpr int CHING_TURNS = 5;
constexpr uint32_t HIS_CHUNK = 4, OUR_THREADS = 512, HIS_DIVISIONS = 480;

struct Options {
    std::vector<std::string> data, tables = {"4.1", "4.3", "4.4", "4.2", "4.5", "many"};
    std::vector<double> sizes = {1, 10, 100};
    uint32_t strings = 256;
    uint32_t divisions = 15;  ///< that factors are found in, at least
    bool is_sequential = true;

    bool has(const char* table) const { return std::find(tables.begin(), tables.end(), table) != tables.end(); }
};

/// Page-locked memory.
template <class T>
class Pinned {
    T* values_;

public:
    const size_t count;
    explicit Pinned(size_t values) : count(values) { CHECK(cudaMallocHost(&values_, (values + 1) * sizeof(T))); }
    ~Pinned() { CHECK(cudaFreeHost(values_)); }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    T* data() const { return values_; }
};

/// Whether a row has been wrong.
inline bool is_wrong = false;

/// What rows of a text begin with.
struct Title {
    std::string data;
    size_t bytes;

    void print(const std::string& table, const std::string& what, const std::string& parameter, const Times& times,
               const std::string& count, double percent, const std::string& verified) const {
        std::printf("%s,%s,%zu,%s,%s,%.3f,%.3f,%.3f,%.1f,%s,%.4f,%s\n", table.c_str(), data.c_str(), bytes,
                    what.c_str(), parameter.c_str(), times.median, times.least, times.most, bytes / times.median / 1e3,
                    count.c_str(), percent, verified.c_str());
        std::fflush(stdout);
        is_wrong = is_wrong || verified.rfind("WRONG", 0) == 0;
    }
};

/// Milliseconds of work on this host.
template <class Work>
Times time_host(Work work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<float, std::milli> took = std::chrono::steady_clock::now() - begin;
    return {took.count(), took.count(), took.count()};
}

inline Times sum_of(const std::vector<Times>& all) {
    Times sum;
    for (const Times& times : all) sum = {sum.median + times.median, sum.least + times.least, sum.most + times.most};
    return sum;
}

/// A text on the device and on the host, and what is right for it.
class Tables {
    const Options& options_;
    const Bytes& text_;
    const Title title_;
    Pinned<uint8_t> pinned_;
    DeviceString string_;
    HostOrder order_;
    std::vector<Times> sequential_;  ///< of sort, smaller values and factors
    uint64_t factors_in_one_ = 0;

    std::string verify_order() {
        const HostOrder found = to_host(string_.order, string_.bytes);
        if (order_.empty()) {
            const size_t wrong = wrong_ranks(text_.data(), found);
            if (wrong == 0) order_ = found;
            return verdict(wrong);
        }
        size_t wrong = 0;
        for (size_t rank = 0; rank < found.size(); ++rank) wrong += found[rank] != order_[rank];
        return verdict(wrong);
    }

    double more_than_in_one(uint64_t factors) const {
        return (static_cast<double>(factors) / factors_in_one_ - 1) * 100;
    }

    // ---- 4.1

    void time_sorts() {
        DoublingRounds rounds;
        uint32_t levels = 0;
        const Times doubling = measure([&] { rounds = string_.sort_by_doubling(string_.bytes); }, CHING_TURNS);
        const std::string verified = verify_order();
        string_.forget();
        const Times skew = measure([&] { levels = string_.sort_by_skew(); }, CHING_TURNS);
        const std::string skew_verified = verify_order();
        if (options_.has("4.1")) {
            title_.print("4.1", "his: skew", "", skew, std::to_string(levels), 0, skew_verified);
            title_.print("4.1", "ours: doubling", std::to_string(rounds.symbols) + " symbols", doubling,
                         std::to_string(rounds.rounds), 0, verified);
            std::printf("# doubling: %u tied behind the first sort, %llu handled in rounds, %zu bytes of scratch\n",
                        rounds.tied_first, static_cast<unsigned long long>(rounds.handled), string_.engine.most_used());
            time_copies();
        }
        if (order_.empty()) {
            std::printf("# no order is right\n");
            std::exit(1);
        }
    }

    void time_copies() {
        const Times in = measure([&] { string_.load(pinned_.data(), string_.bytes); }, CHING_TURNS);
        const Pinned<uint32_t> out(string_.bytes);
        const auto copy = [&] {
            CHECK(cudaMemcpyAsync(out.data(), string_.order, out.count * sizeof(uint32_t), cudaMemcpyDeviceToHost));
        };
        title_.print("4.1", "copy of the text in", "", in, "", 0, "");
        title_.print("4.1", "copy of the order out", "", measure(copy, CHING_TURNS), "", 0, "");
    }

    // ---- sequential

    HostValues time_sequential() {
        const uint32_t bytes = string_.bytes;
        HostOrder order;
        Times sort;
        if (options_.is_sequential) {
            sort = time_host([&] { order = ching_tables::suffix_order(text_.data(), bytes); });
            if (options_.has("4.1"))
                title_.print("4.1", "sequential: induction", "", sort, "", 0, order == order_ ? "yes" : "WRONG");
        }
        std::vector<HostValues> values;
        const Times smaller = time_host([&] { values.emplace_back(order_); });
        const Times factors = time_host([&] {
            ching_tables::for_each_factor(text_.data(), values[0].previous, values[0].next, 0, bytes,
                                          [&](const ching_tables::HostFactor&) { ++factors_in_one_; });
        });
        sequential_ = {sort, smaller, factors};
        return std::move(values[0]);
    }

    // ---- 4.3

    template <class Find>
    void time_values(const HostValues& values, const std::string& what, uint32_t parameter, Find find) {
        string_.forget_smaller();
        const Times times = measure(find, CHING_TURNS);
        title_.print("4.3", what, std::to_string(parameter), times, "", 0, verdict(wrong_values(string_, values)));
    }
    template <uint32_t CHUNK>
    void time_chunks(const HostValues& values) {
        time_values(values, "his: chunks", CHUNK, [&] { string_.find_smaller_by_chunks<CHUNK>(); });
    }
    template <uint32_t THREADS>
    void time_tiles(const HostValues& values) {
        time_values(values, "ours: tiles", THREADS * 8, [&] { string_.find_smaller_by_tiles<THREADS>(); });
    }
    void time_all_values(const HostValues& values) {
        time_chunks<1>(values);
        time_chunks<2>(values);
        time_chunks<4>(values);
        time_chunks<8>(values);
        time_chunks<16>(values);
        time_chunks<32>(values);
        time_chunks<64>(values);
        time_chunks<128>(values);
        time_chunks<256>(values);
        time_tiles<64>(values);
        time_tiles<512>(values);
    }

    // ---- 4.4

    template <bool LOOKS_AHEAD>
    void time_factors(const HostValues& values, const std::string& what, uint32_t divisions) {
        string_.forget_factors();
        const Times times = measure([&] { string_.find_factors<LOOKS_AHEAD>(divisions); }, CHING_TURNS - 2);
        const uint32_t count = string_.factor_count();
        title_.print("4.4", what, std::to_string(divisions), times, std::to_string(count), more_than_in_one(count),
                     verdict(wrong_factors(string_, text_.data(), values)));
    }
    void time_divisions(const HostValues& values) {
        title_.print("4.4", "sequential: factors", "1", sequential_[2], std::to_string(factors_in_one_), 0, "");
        for (uint32_t divisions = options_.divisions; divisions <= MOST_DIVISIONS; divisions *= 2) {
            time_factors<false>(values, "his: factors", divisions);
            time_factors<true>(values, "ours: factors ahead", divisions);
        }
    }

    // ---- 4.2 and 4.5

    static const std::vector<std::string>& stages() {
        static const std::vector<std::string> names = {"text in", "suffix sort", "smaller values", "factors",
                                                       "factors out"};
        return names;
    }

    /// Runs all stages, from a text to factors on the host.
    template <bool LOOKS_AHEAD, class Sort, class Find>
    void time_whole(const HostValues& values, const std::string& what, Sort sort, Find find) {
        std::vector<std::vector<float>> each(stages().size());
        std::vector<float> whole;
        string_.forget();
        sort();
        find();
        string_.find_factors<LOOKS_AHEAD>(HIS_DIVISIONS);
        const Pinned<Factor> out(string_.factor_count());
        StageTimer timer(stages().size());
        for (int turn = 0; turn < CHING_TURNS; ++turn) {
            timer.begin();
            string_.load(pinned_.data(), string_.bytes);
            timer.mark();
            sort();
            timer.mark();
            find();
            timer.mark();
            string_.find_factors<LOOKS_AHEAD>(HIS_DIVISIONS);
            timer.mark();
            const size_t count = std::min<size_t>(string_.factor_count(), out.count);
            CHECK(cudaMemcpyAsync(out.data(), string_.factors, count * sizeof(Factor), cudaMemcpyDeviceToHost));
            timer.mark();
            timer.wait();
            for (size_t i = 0; i < each.size(); ++i) each[i].push_back(timer.ms(i, i + 1));
            whole.push_back(timer.ms(0, each.size()));
        }
        const size_t wrong = wrong_values(string_, values) + wrong_factors(string_, text_.data(), values);
        const std::string verified = verify_order() == "yes" ? verdict(wrong) : "WRONG order";
        const Times all = times_of(whole);
        const uint32_t count = string_.factor_count();
        if (options_.has("4.2"))
            title_.print("4.2", what, std::to_string(HIS_DIVISIONS), all, std::to_string(count),
                         more_than_in_one(count), verified);
        if (!options_.has("4.5")) return;
        for (size_t i = 0; i < each.size(); ++i) {
            const Times times = times_of(each[i]);
            title_.print("4.5", what, stages()[i], times, "", times.median / all.median * 100, verified);
        }
    }

    void print_sequential() const {
        if (!options_.is_sequential) return;
        const Times all = sum_of(sequential_);
        if (options_.has("4.2")) title_.print("4.2", "sequential", "1", all, std::to_string(factors_in_one_), 0, "");
        if (!options_.has("4.5")) return;
        for (size_t i = 0; i < sequential_.size(); ++i)
            title_.print("4.5", "sequential", stages()[i + 1], sequential_[i], "",
                         sequential_[i].median / all.median * 100, "");
    }

public:
    Tables(const Options& options, const std::string& name, const Bytes& text)
        : options_(options),
          text_(text),
          title_{name, text.size()},
          pinned_(text.size()),
          string_(static_cast<uint32_t>(text.size())) {
        std::copy(text.begin(), text.end(), pinned_.data());
        string_.load(text);
        string_.forget();
    }

    void measure_all() {
        time_sorts();
        const HostValues values = time_sequential();
        if (options_.has("4.3")) time_all_values(values);
        string_.find_smaller_by_tiles<OUR_THREADS>();
        if (options_.has("4.4")) time_divisions(values);
        if (!options_.has("4.2") && !options_.has("4.5")) return;
        time_whole<false>(
            values, "his", [&] { string_.sort_by_skew(); }, [&] { string_.find_smaller_by_chunks<HIS_CHUNK>(); });
        time_whole<true>(
            values, "ours", [&] { string_.sort_by_doubling(string_.bytes); },
            [&] { string_.find_smaller_by_tiles<OUR_THREADS>(); });
        print_sequential();
    }
};

}  // namespace ching
