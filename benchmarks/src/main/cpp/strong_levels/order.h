// The order of a frame's places by what follows them, and the places that a match may be taken from.
//
// The order is that of rotations by their first `cut` bytes, ties by place. Prefix doubling makes it, as devices do:
// the first eight bytes, then each round twice as many. Rounds end behind the cut, so no string costs more than that.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace strong_levels {

constexpr uint32_t NO_PLACE = ~0u;

/// Places in their order.
inline std::vector<uint32_t> sort_rotations(const uint8_t* text, uint32_t count, uint32_t cut) {
    constexpr uint32_t FIRST = 8;
    std::vector<std::pair<uint64_t, uint32_t>> keys(count);
    uint64_t key = 0;
    for (uint32_t i = 0; i < FIRST; ++i) key = key << 8 | text[i % count];
    for (uint32_t at = 0; at < count; ++at) {
        keys[at] = {key, at};
        key = key << 8 | text[(at + FIRST) % count];
    }
    std::sort(keys.begin(), keys.end());
    std::vector<uint32_t> order(count), rank(count);
    for (uint32_t row = 0, head = 0; row < count; ++row) {
        order[row] = keys[row].second;
        if (row > 0 && keys[row].first != keys[row - 1].first) head = row;
        rank[order[row]] = head;
    }
    std::vector<std::pair<uint64_t, uint32_t>>().swap(keys);
    bool has_ties = true;
    for (uint32_t done = FIRST; done < cut && has_ties; done *= 2) {
        has_ties = false;
        std::vector<uint32_t> next = rank;
        const auto second = [&](uint32_t place) { return rank[(place + done) % count]; };
        for (uint32_t row = 0, end; row < count; row = end) {
            for (end = row + 1; end < count && rank[order[end]] == rank[order[row]];) ++end;
            if (end - row == 1) continue;
            has_ties = true;
            std::sort(order.begin() + row, order.begin() + end,
                      [&](uint32_t a, uint32_t b) { return second(a) != second(b) ? second(a) < second(b) : a < b; });
            for (uint32_t at = row, head = row; at < end; ++at) {
                if (at > row && second(order[at]) != second(order[at - 1])) head = at;
                next[order[at]] = head;
            }
        }
        rank.swap(next);
    }
    return order;
}

/// For each place the nearest row above, or below, that holds an earlier place: the previous or next smaller value.
inline std::vector<uint32_t> smaller_values(const std::vector<uint32_t>& order, bool above) {
    const uint32_t count = order.size();
    std::vector<uint32_t> found(count, NO_PLACE), open;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t place = order[above ? i : count - 1 - i];
        while (!open.empty() && open.back() > place) open.pop_back();
        if (!open.empty()) found[place] = open.back();
        open.push_back(place);
    }
    return found;
}

/// For each place the nearest earlier one with the same `length` bytes, by groups of the order.
inline std::vector<uint32_t> nearest_places(const uint8_t* text, const std::vector<uint32_t>& order, uint32_t length) {
    const uint32_t count = order.size();
    const auto differ = [&](uint32_t a, uint32_t b) {
        for (uint32_t i = 0; i < length; ++i) {
            if (text[(a + i) % count] != text[(b + i) % count]) return true;
        }
        return false;
    };
    std::vector<uint32_t> group(count), found(count, NO_PLACE);
    uint32_t groups = 0;
    for (uint32_t row = 0; row < count; ++row) {
        if (row > 0 && differ(order[row - 1], order[row])) ++groups;
        group[order[row]] = groups;
    }
    std::vector<uint32_t> last(groups + 1, NO_PLACE);
    for (uint32_t place = 0; place + length <= count; ++place) {
        found[place] = last[group[place]];
        last[group[place]] = place;
    }
    return found;
}

/// Candidates of each place, by kind. A letter is a kind: p and n for smaller values, 3 to 9 for the nearest place with
/// so many bytes, c for 12.
inline std::vector<std::vector<uint32_t>> find_candidates(const uint8_t* text, const std::vector<uint32_t>& order,
                                                          const std::string& kinds) {
    std::vector<std::vector<uint32_t>> all;
    for (const char kind : kinds) {
        if (kind == 'p' || kind == 'n') {
            all.push_back(smaller_values(order, kind == 'p'));
        } else {
            all.push_back(nearest_places(text, order, kind == 'c' ? 12 : kind - '0'));
        }
    }
    return all;
}

}  // namespace strong_levels
