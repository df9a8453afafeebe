// Whether an order is what a sort of rotations may answer (order.h), without a sort.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace strong_levels {

/// What is known of the sort: rotations are told apart by `least` bytes if these differ, and by no more than `most`.
/// Those that are not told apart have the earlier place first.
struct OrderDepth {
    uint32_t least, most;
};

/// Compares two rotations by so many bytes, as memcmp does. `length` may be more than the text has.
inline int compare_rotations(const uint8_t* text, uint32_t count, uint32_t a, uint32_t b, uint32_t length) {
    while (length > 0) {
        const uint32_t step = std::min({length, count - a, count - b});
        const int differ = std::memcmp(text + a, text + b, step);
        if (differ != 0) return differ;
        a = a + step == count ? 0 : a + step;
        b = b + step == count ? 0 : b + step;
        length -= step;
    }
    return 0;
}

/// Whether a place may be the neighbour in front of another one. Where `most` bytes reach over the end of the text,
/// those that are not told apart may stand in any order.
inline bool may_precede(const uint8_t* text, uint32_t count, uint32_t first, uint32_t second, OrderDepth depth) {
    const int differ = compare_rotations(text, count, first, second, std::min(depth.least, count));
    if (differ != 0 || first < second) return differ <= 0 && first != second;
    return compare_rotations(text, count, first, second, depth.most) < 0 ||
           std::max(first, second) + depth.most > count;
}

/// Rows in [from, to) that cannot stand behind those before them.
inline size_t wrong_rows(const uint8_t* text, uint32_t count, const uint32_t* order, uint32_t from, uint32_t to,
                         OrderDepth depth) {
    size_t wrong = 0;
    for (uint32_t row = std::max(from, 1u); row < to; ++row) {
        const bool exist = order[row - 1] < count && order[row] < count;
        wrong += !exist || !may_precede(text, count, order[row - 1], order[row], depth);
    }
    return wrong;
}

/// Places that are missing in an order.
inline size_t missing_places(const uint32_t* order, uint32_t count) {
    std::vector<bool> found(count);
    for (uint32_t row = 0; row < count; ++row) {
        if (order[row] < count) found[order[row]] = true;
    }
    return std::count(found.begin(), found.end(), false);
}

}  // namespace strong_levels
