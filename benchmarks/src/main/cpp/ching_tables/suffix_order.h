// The order of a text's suffixes on a host: sequential, by induction, and what proves an order right without a sort. An
// end is smaller than all symbols.
//
// Nong, Zhang, Chan: "Two efficient algorithms for linear time suffix array construction", 2011, without a symbol for
// the end. A place is of type S if its suffix is smaller than the next one; the last place is not. The first place of
// a run of type S is leftmost. Strings from one leftmost place to the next are sorted by induction and named; if two
// are equal, the order of names comes first. The order of leftmost places induces all others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ching_tables {

constexpr uint32_t EMPTY = ~0u;

template <class Symbol>
class InducedOrder {
    const Symbol* const text_;
    const uint32_t count_, symbols_;
    std::vector<bool> is_smaller_;
    std::vector<uint32_t> borders_;

    bool is_leftmost(uint32_t place) const { return place > 0 && is_smaller_[place] && !is_smaller_[place - 1]; }

    /// Where each symbol's suffixes begin, or end.
    void find_borders(bool is_end) {
        borders_.assign(symbols_ + 1, 0);
        for (uint32_t i = 0; i < count_; ++i) ++borders_[text_[i]];
        uint32_t sum = 0;
        for (uint32_t& border : borders_) {
            const uint32_t own = border;
            border = is_end ? sum + own : sum;
            sum += own;
        }
    }

    /// The order of all suffixes, of that of the leftmost ones.
    std::vector<uint32_t> induce(const std::vector<uint32_t>& leftmost) {
        std::vector<uint32_t> order(count_, EMPTY);
        find_borders(true);
        for (size_t i = leftmost.size(); i-- > 0;) order[--borders_[text_[leftmost[i]]]] = leftmost[i];
        find_borders(false);
        order[borders_[text_[count_ - 1]]++] = count_ - 1;
        for (uint32_t i = 0; i < count_; ++i) {
            const uint32_t place = order[i];
            if (place == EMPTY || place == 0 || is_smaller_[place - 1]) continue;
            order[borders_[text_[place - 1]]++] = place - 1;
        }
        find_borders(true);
        for (uint32_t i = count_; i-- > 0;) {
            const uint32_t place = order[i];
            if (place == EMPTY || place == 0 || !is_smaller_[place - 1]) continue;
            order[--borders_[text_[place - 1]]] = place - 1;
        }
        return order;
    }

    /// Whether the strings from two leftmost places to the next ones are equal.
    bool are_equal(uint32_t a, uint32_t b) const {
        for (uint32_t i = 0;; ++i) {
            if (a + i == count_ || b + i == count_) return false;
            if (text_[a + i] != text_[b + i]) return false;
            if (i > 0 && (is_leftmost(a + i) || is_leftmost(b + i))) return is_leftmost(a + i) && is_leftmost(b + i);
        }
    }

    std::vector<uint32_t> order_leftmost(const std::vector<uint32_t>& leftmost);

public:
    /// Symbols of a text are below `symbols`.
    InducedOrder(const Symbol* text, uint32_t count, uint32_t symbols)
        : text_(text), count_(count), symbols_(symbols), is_smaller_(count) {
        for (uint32_t i = count; i-- > 0;)
            is_smaller_[i] = i + 1 < count && (text[i] != text[i + 1] ? text[i] < text[i + 1] : is_smaller_[i + 1]);
    }

    std::vector<uint32_t> order() {
        if (count_ == 0) return {};
        std::vector<uint32_t> leftmost;
        for (uint32_t i = 0; i < count_; ++i)
            if (is_leftmost(i)) leftmost.push_back(i);
        return induce(order_leftmost(leftmost));
    }
};

template <class Symbol>
std::vector<uint32_t> InducedOrder<Symbol>::order_leftmost(const std::vector<uint32_t>& leftmost) {
    std::vector<uint32_t> sorted, names(count_, EMPTY), reduced, order;
    for (const uint32_t place : induce(leftmost))
        if (is_leftmost(place)) sorted.push_back(place);
    uint32_t name = 0;
    for (size_t i = 0; i < sorted.size(); ++i) {
        if (i > 0 && !are_equal(sorted[i - 1], sorted[i])) ++name;
        names[sorted[i]] = name;
    }
    if (sorted.empty() || name + 1 == sorted.size()) return sorted;
    for (const uint32_t place : leftmost) reduced.push_back(names[place]);
    std::vector<uint32_t>().swap(names);
    std::vector<uint32_t>().swap(sorted);
    for (const uint32_t at :
         InducedOrder<uint32_t>(reduced.data(), static_cast<uint32_t>(reduced.size()), name + 1).order())
        order.push_back(leftmost[at]);
    return order;
}

inline std::vector<uint32_t> suffix_order(const uint8_t* text, uint32_t count) {
    return InducedOrder<uint8_t>(text, count, 256).order();
}

/// The order by comparing suffixes, for short texts.
inline std::vector<uint32_t> compared_order(const uint8_t* text, uint32_t count) {
    std::vector<uint32_t> order(count);
    for (uint32_t i = 0; i < count; ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        return std::lexicographical_compare(text + a, text + count, text + b, text + count);
    });
    return order;
}

/// Rank of each place, or nothing if a place is missing.
inline std::vector<uint32_t> ranks_of(const uint32_t* order, uint32_t count) {
    std::vector<uint32_t> ranks(count, EMPTY);
    for (uint32_t rank = 0; rank < count; ++rank) {
        if (order[rank] >= count || ranks[order[rank]] != EMPTY) return {};
        ranks[order[rank]] = rank;
    }
    return ranks;
}

/// Ranks in [from, to) whose suffixes do not follow those before: neither by the first symbol, nor by the ranks behind
/// it. An order of all places without such ranks is right, by induction from the text's end.
inline size_t misplaced_ranks(const uint8_t* text, uint32_t count, const uint32_t* order,
                              const std::vector<uint32_t>& ranks, uint32_t from, uint32_t to) {
    size_t wrong = 0;
    for (uint32_t rank = std::max(from, 1u); rank < to; ++rank) {
        const uint32_t a = order[rank - 1], b = order[rank];
        const bool is_right = text[a] != text[b] ? text[a] < text[b]
                              : a + 1 == count   ? true
                              : b + 1 == count   ? false
                                                 : ranks[a + 1] < ranks[b + 1];
        wrong += is_right ? 0 : 1;
    }
    return wrong;
}

/// Whether an order is that of a text's suffixes.
inline bool is_suffix_order(const uint8_t* text, uint32_t count, const uint32_t* order) {
    const std::vector<uint32_t> ranks = ranks_of(order, count);
    return ranks.size() == count && misplaced_ranks(text, count, order, ranks, 0, count) == 0;
}

}  // namespace ching_tables
