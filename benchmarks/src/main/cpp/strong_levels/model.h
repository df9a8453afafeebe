// A frame that is parsed again and again, each time by the prices of the time before.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "order.h"
#include "parse.h"
#include "prices.h"

namespace strong_levels {

/// What a model is asked for; strong_levels_model.cpp says what each means.
struct Options {
    std::map<std::string, int> number = {
        {"frame", 8192}, {"chunk", 16},    {"block", 128}, {"cut", 128},   {"all", 30},    {"step", 512},
        {"most", 256},   {"longest", 511}, {"once", 511},  {"matches", 4}, {"sample", 32}, {"passes", 2},
        {"looks", -1},   {"piece", 0},     {"rounds", 2},  {"alone", 0},   {"ends", 3}};
    std::string kinds = "pn3468c";

    uint32_t bytes_of(const char* name) const { return static_cast<uint32_t>(number.at(name)) << 10; }
    uint32_t of(const char* name) const { return static_cast<uint32_t>(number.at(name)); }
    bool is_lazy() const { return number.at("looks") >= 0; }
};

/// A frame with its candidates.
class Model {
public:
    Model(const uint8_t* text, uint32_t count, const Options& options)
        : text_(text),
          count_(count),
          options_(options),
          chunk_(options.bytes_of("chunk")),
          block_(options.bytes_of("block")),
          candidates_(find_candidates(text, sort_rotations(text, count, options.of("cut")), options.kinds)),
          prices_((count + block_ - 1) / block_, options.is_lazy() ? Prices(Counts()) : first_prices()) {}

    const Candidates& candidates() const { return candidates_; }
    /// Of each block, for the next parse.
    const std::vector<Prices>& prices() const { return prices_; }
    /// Lengths that the last parse tried.
    uint64_t tried() const { return tried_; }

    /// Sequences of each block.
    std::vector<std::vector<Sequence>> next_parse() {
        std::vector<std::vector<Sequence>> blocks;
        std::array<uint32_t, 3> last = {1, 4, 8};
        tried_ = 0;
        for (uint32_t from = 0; from < count_; from += block_) {
            Prices& own = prices_[from / block_];
            blocks.push_back(parse_block(from, std::min(count_, from + block_), own));
            if (options_.of("alone") == 0) {
                chunk_counts_ = Counts();
                count_sequences(text_, from, blocks.back(), last, chunk_counts_);
            }
            own = Prices(chunk_counts_);
        }
        return blocks;
    }

    std::vector<Sequence> parse_chunk(uint32_t from, uint32_t limit, const Prices& prices) {
        const uint32_t end = std::min(limit, from + chunk_);
        if (options_.is_lazy()) return parse_lazily(text_, from, end, candidates_, options_.of("looks"));
        const ParseOptions lengths{options_.of("all"),     options_.of("step"), options_.of("most"),
                                   options_.of("longest"), options_.of("once"), options_.of("matches"),
                                   options_.of("ends")};
        return parse_by_price(text_, from, end, candidates_, prices, lengths, tried_);
    }

private:
    const uint8_t* const text_;
    const uint32_t count_;
    const Options& options_;
    const uint32_t chunk_;
    const uint32_t block_;
    uint64_t tried_ = 0;
    Counts chunk_counts_;  ///< of the last block
    const Candidates candidates_;
    std::vector<Prices> prices_;

    /// Literals behind a chunk's last match are the next one's. A match that only goes on is part of the one before.
    std::vector<Sequence> parse_block(uint32_t from, uint32_t limit, const Prices& prices) {
        std::vector<Sequence> all;
        uint32_t behind = 0;
        chunk_counts_ = Counts();
        for (uint32_t at = from; at < limit; at += chunk_) {
            const std::vector<Sequence> parsed = parse_chunk(at, limit, prices);
            std::array<uint32_t, 3> last{};
            if (options_.of("alone") != 0) count_sequences(text_, at, parsed, last, chunk_counts_);
            for (Sequence each : parsed) {
                each.literals += behind;
                behind = each.match == 0 ? each.literals : 0;
                if (each.match == 0) continue;
                if (each.literals == 0 && !all.empty() && all.back().offset == each.offset) {
                    all.back().match += each.match;
                } else {
                    all.push_back(each);
                }
            }
        }
        all.push_back({behind, 0, 0});
        return all;
    }

    /// Sampled bytes: the middle one of every so many chunks, or a piece that ends with the last; without samples, all.
    std::vector<std::pair<uint32_t, uint32_t>> samples() const {
        const uint32_t stride = options_.of("sample") * chunk_, piece = options_.of("piece");
        if (stride == 0) return {{0, count_}};
        std::vector<std::pair<uint32_t, uint32_t>> all;
        for (uint32_t begin = 0; begin < count_; begin += stride) {
            const uint32_t end = std::min(count_, begin + stride), middle = begin + stride / 2 / chunk_ * chunk_;
            if (piece > 0) {
                all.push_back({end - begin <= piece ? begin : begin + (end - begin - piece + 3) / 4 * 4, end});
            } else if (middle < end) {
                all.push_back({middle, std::min(end, middle + chunk_)});
            }
        }
        return all;
    }

    /// Prices by samples, each parsed some times. Their bytes come first, or all bytes beside whole chunks.
    Prices first_prices() {
        const auto sampled = samples();
        std::vector<uint8_t> bytes(text_, text_ + count_);
        if (options_.of("piece") > 0) bytes.clear();
        for (size_t i = 0; i < sampled.size() && options_.of("piece") > 0; ++i)
            bytes.insert(bytes.end(), text_ + sampled[i].first, text_ + sampled[i].second);
        Prices prices(first_counts(bytes));
        for (uint32_t round = 0; round < options_.of("rounds") && options_.of("sample") > 0; ++round) {
            Counts counts;
            for (const auto& [from, limit] : sampled) {
                std::array<uint32_t, 3> last{};
                count_sequences(text_, from, parse_chunk(from, limit, prices), last, counts);
            }
            prices = Prices(counts);
        }
        return prices;
    }
};

}  // namespace strong_levels
