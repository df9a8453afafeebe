// All stages of Ching's tables on a device, on texts that are short or hard (cpp/ching_tables/texts.h). Results are
// compared with a host's: orders with a sequential sort, values with a stack, factors with the greedy ones.
#pragma once

#include "../cpp/ching_tables/texts.h"
#include "ching_verify.cuh"

namespace ching {

/// Counts what is right and wrong, and says what is wrong first.
class Verdicts {
    size_t right_ = 0, wrong_ = 0;

public:
    void judge(size_t wrong, const std::string& what, const std::string& group, size_t text) {
        ++(wrong == 0 ? right_ : wrong_);
        if (wrong != 0 && wrong_ < 20)
            std::printf("WRONG %zu: %s, %s, text %zu\n", wrong, what.c_str(), group.c_str(), text);
    }
    int exit_status() const {
        std::printf("%zu right, %zu wrong\n", right_, wrong_);
        return wrong_ == 0 && right_ != 0 ? 0 : 1;
    }
};

class DeviceCheck {
    static constexpr uint32_t PERIODS = 300, PERIOD_BYTES = 1234, CAPACITY = 1 << 21;
    /// Texts of two letters that are longer are sorted only at once.
    static constexpr uint32_t MOST_ALONE = 10;
    DeviceString string_{CAPACITY};
    Verdicts verdicts_;

    /// Number of ranks by which the device's order differs.
    size_t differing(const std::vector<uint32_t>& order) const {
        const std::vector<uint32_t> found = to_host(string_.order, string_.bytes);
        size_t wrong = 0;
        for (uint32_t rank = 0; rank < string_.bytes; ++rank) wrong += found[rank] != order[rank];
        return wrong;
    }

    template <uint32_t CHUNK>
    void check_chunks(const HostValues& values, const std::string& group, size_t number) {
        string_.forget_smaller();
        string_.find_smaller_by_chunks<CHUNK>();
        verdicts_.judge(wrong_values(string_, values), "chunks of " + std::to_string(CHUNK), group, number);
    }

    template <uint32_t THREADS>
    void check_tiles(const HostValues& values, const std::string& group, size_t number) {
        string_.forget_smaller();
        string_.find_smaller_by_tiles<THREADS>();
        verdicts_.judge(wrong_values(string_, values), "tiles of " + std::to_string(8 * THREADS), group, number);
    }

    void check_alone(const Bytes& text, const std::vector<uint32_t>& order, const std::string& group, size_t number) {
        string_.load(text);
        string_.forget();
        const DoublingRounds rounds = string_.sort_by_doubling(string_.bytes);
        verdicts_.judge(differing(order) + rounds.tied_last, "doubling", group, number);
        string_.forget();
        string_.sort_by_skew();
        verdicts_.judge(differing(order), "skew", group, number);
        const HostValues values(order);
        check_chunks<1>(values, group, number);
        check_chunks<4>(values, group, number);
        check_chunks<64>(values, group, number);
        check_tiles<64>(values, group, number);
        check_tiles<512>(values, group, number);
        for (const uint32_t divisions : {1u, 2u, 3u, 7u, 15u, 480u}) {
            string_.forget_factors();
            string_.find_factors<false>(divisions);
            verdicts_.judge(wrong_factors(string_, text.data(), values), "factors", group, divisions);
            string_.forget_factors();
            string_.find_factors<true>(divisions);
            verdicts_.judge(wrong_factors(string_, text.data(), values), "factors ahead", group, divisions);
        }
    }

    /// Sorts all texts of a group at once.
    void check_at_once(const ching_tables::TextGroup& group, const std::vector<std::vector<uint32_t>>& orders) {
        const uint32_t each = static_cast<uint32_t>(group.texts[0].size());
        Bytes all;
        std::vector<uint32_t> order;
        for (size_t i = 0; i < group.texts.size(); ++i) {
            all.insert(all.end(), group.texts[i].begin(), group.texts[i].end());
            for (const uint32_t place : orders[i]) order.push_back(static_cast<uint32_t>(i) * each + place);
        }
        string_.load(all);
        string_.forget();
        string_.sort_by_doubling(each);
        verdicts_.judge(differing(order), "strings at once", group.name, group.texts.size());
    }

public:
    int run(uint32_t letters) {
        for (const ching_tables::TextGroup& group : ching_tables::check_texts(letters, PERIODS, PERIOD_BYTES)) {
            const uint32_t each = static_cast<uint32_t>(group.texts[0].size());
            std::vector<std::vector<uint32_t>> orders;
            for (size_t i = 0; i < group.texts.size(); ++i) {
                const Bytes& text = group.texts[i];
                orders.push_back(ching_tables::suffix_order(text.data(), each));
                if (each <= MOST_ALONE || each > letters) check_alone(text, orders.back(), group.name, i);
            }
            check_at_once(group, orders);
        }
        return verdicts_.exit_status();
    }
};

}  // namespace ching
