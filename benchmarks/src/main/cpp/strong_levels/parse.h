// Parses of a chunk: by price, and lazy as zstd's. A chunk is parsed without regard to others, and its matches end with
// it, so that devices can take all chunks of a frame at once.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "order.h"
#include "prices.h"

namespace strong_levels {

using Candidates = std::vector<std::vector<uint32_t>>;

struct ParseOptions {
    uint32_t all_lengths = 30;  ///< up to which each length is tried
    uint32_t step = 512;  ///< and from there every so many, counted from the longest; 512: none
    uint32_t most_length = 256;  ///< that is tried beside the longest
    uint32_t longest = 511;  ///< match
    uint32_t at_once = 511;  ///< a match of so many bytes is taken without trying what begins in it
    uint32_t most_matches = 4;  ///< of a place that are tried
    uint32_t ends = 3;  ///< lengths next below the whole match, each of which is tried
};

struct Match {
    uint32_t offset;
    uint32_t length;
};

inline uint32_t common_length(const uint8_t* text, uint32_t earlier, uint32_t at, uint32_t limit) {
    uint32_t length = 0;
    while (at + length < limit && text[earlier + length] == text[at + length]) ++length;
    return length;
}

/// Matches of a place, nearest first, each longer than the one before. Of more than `most` those go that save least:
/// what they are longer than the one before, by how many bits fewer their offset has than the next one's.
inline std::vector<Match> find_matches(const uint8_t* text, uint32_t at, uint32_t limit, const Candidates& candidates,
                                       size_t most) {
    std::vector<Match> found;
    for (const auto& kind : candidates) {
        if (kind[at] != NO_PLACE) found.push_back({at - kind[at], common_length(text, kind[at], at, limit)});
    }
    std::sort(found.begin(), found.end(), [](const Match& a, const Match& b) { return a.offset < b.offset; });
    std::vector<Match> longer;
    for (const Match& each : found) {
        if (each.length > (longer.empty() ? 2 : longer.back().length)) longer.push_back(each);
    }
    while (longer.size() > most) {
        size_t dropped = 0;
        uint32_t least = ~0u, before = 2;
        for (size_t i = 0; i + 1 < longer.size(); ++i) {
            const uint32_t saved = (longer[i].length - before) *
                                   (highest_bit(longer[i + 1].offset + 3) - highest_bit(longer[i].offset + 3));
            if (saved < least) {
                least = saved;
                dropped = i;
            }
            before = longer[i].length;
        }
        longer.erase(longer.begin() + static_cast<int>(dropped));
    }
    return longer;
}

constexpr float NOT_REACHED = 1e30f;

/// The cheapest way to a place that is known, and its last step: a literal, or a match.
struct Step {
    float cost = NOT_REACHED;
    uint32_t match = 0;
    uint32_t offset = 0;
    uint32_t run = 0;  ///< literals since the last match
    std::array<uint32_t, 3> last{};  ///< offsets
};

/// Parses the bytes [from, limit) by price: by the cheapest ways to each place that end with a match, and with a
/// literal. Counts the steps that it tries in `tried`.
inline std::vector<Sequence> parse_by_price(const uint8_t* text, uint32_t from, uint32_t limit,
                                            const Candidates& candidates, const Prices& prices,
                                            const ParseOptions& options, uint64_t& tried) {
    const uint32_t count = limit - from;
    std::vector<Step> arrivals(count + 1), steps(count + 1);
    Step literal;
    literal.cost = prices.literals_run(0);
    for (uint32_t i = 0; i < count; ++i) {
        const Step& arrival = arrivals[i];
        const Step here = arrival.cost < literal.cost ? arrival : literal;
        steps[i] = here;
        const uint32_t at = from + i;
        const auto cost_behind = [&](const Step& step) {
            return step.cost + prices.literal[text[at]] + prices.literals_run(step.run + 1) -
                   prices.literals_run(step.run);
        };
        const bool is_first = arrival.cost < NOT_REACHED && cost_behind(arrival) < cost_behind(literal);
        const Step& before = is_first ? arrival : literal;
        literal = {cost_behind(before), 0, 0, before.run + 1, before.last};
        uint32_t longest = 0;
        // tries lengths above `least` of a match whose offset has this value, and leaves these offsets
        const auto try_lengths = [&](uint32_t least, const Match& match, uint32_t value,
                                     const std::array<uint32_t, 3>& last) {
            const float cost = here.cost + prices.literals_run(0) + prices.offset(value);
            for (uint32_t length = least + 1; length <= match.length; ++length) {
                const bool is_tried = length <= options.all_lengths || match.length - length <= options.ends ||
                                      (length <= options.most_length && (match.length - length) % options.step == 0);
                if (!is_tried) continue;
                ++tried;
                const float whole = cost + prices.match(length);
                if (whole < arrivals[i + length].cost) arrivals[i + length] = {whole, length, match.offset, 0, last};
            }
            longest = std::max(longest, match.length);
        };
        for (uint32_t value = 1; value <= 3; ++value) {
            const uint32_t which = here.run > 0 ? value - 1 : value;
            const uint32_t offset = which < 3 ? here.last[which] : here.last[0] - (here.last[0] > 0);
            if (offset == 0 || offset > at) continue;
            const Match match{offset, common_length(text, at - offset, at, std::min(limit, at + options.longest))};
            std::array<uint32_t, 3> last = here.last;
            if (which == 1) last = {offset, last[0], last[2]};
            if (which >= 2) last = {offset, last[0], last[1]};
            try_lengths(2, match, value, last);
        }
        uint32_t least = 2;
        for (const Match& match :
             find_matches(text, at, std::min(limit, at + options.longest), candidates, options.most_matches)) {
            try_lengths(least, match, match.offset + 3, {match.offset, here.last[0], here.last[1]});
            least = match.length;
        }
        if (longest >= options.at_once) {
            i += longest - 1;
            literal.cost = NOT_REACHED;
        }
    }
    steps[count] = arrivals[count].cost < literal.cost ? arrivals[count] : literal;
    std::vector<Sequence> back;
    uint32_t run = 0;
    for (uint32_t at = count; at > 0;) {
        const Step& step = run > 0 ? arrivals[at] : steps[at];
        if (step.match == 0) {
            run = step.run;
            at -= run;
            continue;
        }
        if (!back.empty()) {
            back.back().literals = run;
        } else if (run > 0) {
            back.push_back({run, 0, 0});
        }
        run = 0;
        back.push_back({0, step.offset, step.match});
        at -= step.match;
    }
    if (back.empty()) back.push_back({0, 0, 0});
    back.back().literals = run;
    std::reverse(back.begin(), back.end());
    return back;
}

/// The best match of a place by gain: four bits a byte, less those of its offset. The last offset costs nothing.
inline int best_by_gain(const uint8_t* text, uint32_t at, uint32_t limit, const Candidates& candidates, uint32_t last,
                        Match& best) {
    constexpr uint32_t LEAST = 4;
    int gain = 0;
    best = {0, 0};
    if (at >= limit) return 0;
    if (last != 0 && last <= at) {
        const uint32_t length = common_length(text, at - last, at, limit);
        if (length >= LEAST) {
            best = {last, length};
            gain = static_cast<int>(4 * length);
        }
    }
    for (const Match& each : find_matches(text, at, limit, candidates, candidates.size())) {
        const int own = static_cast<int>(4 * each.length) - highest_bit(each.offset + 3);
        if (each.length >= LEAST && (best.length == 0 || own > gain)) {
            best = each;
            gain = own;
        }
    }
    return gain;
}

/// Parses the bytes [from, limit): a match is taken unless one of the `looks` next places has a better one.
inline std::vector<Sequence> parse_lazily(const uint8_t* text, uint32_t from, uint32_t limit,
                                          const Candidates& candidates, uint32_t looks) {
    constexpr int FIRST_LOOK = 4, LATER_LOOK = 7;
    std::vector<Sequence> sequences;
    uint32_t run = 0, last = 0;
    for (uint32_t at = from; at < limit;) {
        Match match;
        int gain = best_by_gain(text, at, limit, candidates, last, match);
        if (match.length == 0) {
            ++run;
            ++at;
            continue;
        }
        for (uint32_t look = 1; look <= looks;) {
            Match other;
            const int own = best_by_gain(text, at + look, limit, candidates, last, other);
            if (other.length != 0 && own > gain + (look == 1 ? FIRST_LOOK : LATER_LOOK)) {
                run += look;
                at += look;
                match = other;
                gain = own;
                look = 1;
            } else {
                ++look;
            }
        }
        sequences.push_back({run, match.offset, match.length});
        run = 0;
        last = match.offset;
        at += match.length;
    }
    if (run > 0) sequences.push_back({run, 0, 0});
    return sequences;
}

}  // namespace strong_levels
