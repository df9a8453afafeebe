// What a device's parse (plz_parse.cuh) and the model have in common on the host: prices, paths, costs.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../cpp/strong_levels/model.h"
#include "plz/plz_measure.cuh"
#include "plz/plz_parse.cuh"

namespace warpcodec::plz {

/// Prices as a device has them: whole parts of a bit.
inline strong_levels::Prices rounded(strong_levels::Prices prices) {
    const auto round = [](auto& all) {
        for (float& each : all) each = std::round(each * PRICE_OF_BIT) / PRICE_OF_BIT;
    };
    round(prices.literal);
    round(prices.literal_code);
    round(prices.offset_code);
    round(prices.match_code);
    return prices;
}

inline BlockPrices prices_for_devices(const strong_levels::Prices& prices) {
    const auto whole = [](float bits) { return static_cast<uint16_t>(std::lround(bits * PRICE_OF_BIT)); };
    BlockPrices own{};
    for (int byte = 0; byte < 256; ++byte) own.literal[byte] = whole(prices.literal[byte]);
    for (uint32_t run = 0; run < BlockPrices::RUNS; ++run) own.run[run] = whole(prices.literals_run(run));
    for (int bit = 6; bit < 16; ++bit) own.long_run[bit] = whole(prices.literals_run(1u << bit));
    for (int code = 0; code < strong_levels::OFFSET_CODES; ++code)
        own.offset[code] = whole(prices.offset_code[code] + static_cast<float>(code));
    for (uint32_t length = LEAST_MATCH; length <= MOST_MATCH; ++length) own.match[length] = whole(prices.match(length));
    return own;
}

/// Previous and next smaller value of each place, as devices have them.
inline std::vector<uint2> smaller_for_devices(const strong_levels::Candidates& candidates) {
    std::vector<uint2> both(candidates[0].size());
    for (size_t place = 0; place < both.size(); ++place) both[place] = {candidates[0][place], candidates[1][place]};
    return both;
}

/// Nearest places of each place, as devices have them.
inline std::vector<uint32_t> nearest_for_devices(const strong_levels::Candidates& candidates) {
    std::vector<uint32_t> all(ROW_WORDS * candidates[0].size());
    for (size_t at = 0; at < all.size(); ++at) all[at] = candidates[2 + at % ROW_WORDS][at / ROW_WORDS];
    return all;
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

/// The sequences of a chunk's path in groups of `chunks`; `wrong` if they have other bytes than the chunk.
inline std::vector<strong_levels::Sequence> sequences_of(const Chunk& chunk, const Path& path,
                                                         const uint32_t* all_steps, uint32_t chunks, bool& wrong) {
    const uint32_t* steps = all_steps + column_of(chunk, chunks);
    std::vector<strong_levels::Sequence> sequences;
    uint32_t run = 0, found = 0;
    wrong |= path.steps > chunk.most_bytes;
    if (wrong) return sequences;
    for (uint32_t i = path.steps; i-- > 0;) {
        const uint32_t step = steps[(chunk.most_bytes - 1 - i) * chunks];
        if (length_of(step) == 0) {
            run = offset_of(step);
            continue;
        }
        sequences.push_back({run, offset_of(step), length_of(step)});
        found += run + length_of(step);
        run = 0;
    }
    if (run > 0) sequences.push_back({run, 0, 0});
    wrong |= found + run != chunk.bytes;
    return sequences;
}

}  // namespace warpcodec::plz
