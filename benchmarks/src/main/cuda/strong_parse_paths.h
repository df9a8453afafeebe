// What a device's parse (strong_parse.cuh) and the model have in common on the host: prices, paths, costs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "../cpp/strong_levels/model.h"
#include "strong_parse.cuh"

namespace strong_parse {

inline BlockPrices prices_for_devices(const strong_levels::Prices& prices) {
    BlockPrices own;
    std::copy(prices.literal.begin(), prices.literal.end(), own.literal);
    for (int code = 0; code < strong_levels::LITERAL_CODES; ++code)
        own.run[code] = prices.literal_code[code] + strong_levels::CODES.literal_bits[code];
    for (int code = 0; code < strong_levels::OFFSET_CODES; ++code)
        own.offset[code] = prices.offset_code[code] + static_cast<float>(code);
    for (int code = 0; code < strong_levels::MATCH_CODES; ++code)
        own.match[code] = prices.match_code[code] + strong_levels::CODES.match_bits[code];
    return own;
}

/// Bits of a chunk's sequences, each checked; a parse begins without offsets to repeat.
inline double cost_of(const uint8_t* text, uint32_t at, const std::vector<strong_levels::Sequence>& sequences,
                      const strong_levels::Prices& prices, bool& wrong) {
    std::array<uint32_t, 3> last{};
    double cost = 0;
    for (const strong_levels::Sequence& each : sequences) {
        for (uint32_t i = 0; i < each.literals; ++i) cost += prices.literal[text[at + i]];
        cost += prices.literals_run(each.literals);
        at += each.literals;
        if (each.match == 0) continue;
        wrong |= each.offset == 0 || each.offset > at;
        if (wrong) return 0;
        for (uint32_t i = 0; i < each.match; ++i) wrong |= text[at + i] != text[at + i - each.offset];
        at += each.match;
        cost += prices.offset(strong_levels::take_offset(each, last)) + prices.match(each.match);
    }
    return cost;
}

/// The sequences of a path from a chunk's end to its begin; `wrong` if they have other than `bytes` bytes.
inline std::vector<strong_levels::Sequence> sequences_of(const PackedStep* path, uint32_t steps, uint32_t bytes,
                                                         bool& wrong) {
    std::vector<strong_levels::Sequence> sequences;
    uint32_t run = 0, found = 0;
    for (uint32_t i = steps; i-- > 0;) {
        const uint32_t match = static_cast<uint32_t>(path[i] & 0xFFFF);
        if (match == 0) {
            run = static_cast<uint32_t>(path[i] >> 16 & 0xFFFF);
            continue;
        }
        sequences.push_back({run, static_cast<uint32_t>(path[i] >> 32), match});
        found += run + match;
        run = 0;
    }
    if (run > 0) sequences.push_back({run, 0, 0});
    wrong |= found + run != bytes;
    return sequences;
}

}  // namespace strong_parse
