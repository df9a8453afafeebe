// Greedy factors of a text on a host, by its smaller values, and by looking at every place.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ching_tables {

/// `length` bytes that are also at `source`, or one byte if `length` is 0.
struct HostFactor {
    uint32_t source, length;
};

/// Bytes that two places share below `limit`, the end of the later one.
inline uint32_t shared_bytes(const uint8_t* text, uint32_t source, uint32_t place, uint32_t limit) {
    uint32_t length = 0;
    while (place + length < limit && text[source + length] == text[place + length]) ++length;
    return length;
}

/// The longest of two matches, the previous value's if they are equal. Values that are not before the place have none.
inline HostFactor factor_at(const uint8_t* text, uint32_t previous, uint32_t next, uint32_t place, uint32_t limit) {
    const uint32_t first = previous < place ? shared_bytes(text, previous, place, limit) : 0;
    const uint32_t second = next < place && first < limit - place ? shared_bytes(text, next, place, limit) : 0;
    if (first == 0 && second == 0) return {~0u, 0};
    return first >= second ? HostFactor{previous, first} : HostFactor{next, second};
}

/// Calls take(factor) for the greedy factors of places [begin, limit).
template <class Take>
void for_each_factor(const uint8_t* text, const std::vector<uint32_t>& previous, const std::vector<uint32_t>& next,
                     uint32_t begin, uint32_t limit, Take take) {
    for (uint32_t place = begin; place < limit;) {
        const HostFactor factor = factor_at(text, previous[place], next[place], place, limit);
        take(factor);
        place += std::max(factor.length, 1u);
    }
}

/// For each place the longest match with any earlier one. Takes as long as the number of places squared, or longer.
inline std::vector<uint32_t> longest_previous(const uint8_t* text, uint32_t count) {
    std::vector<uint32_t> longest(count);
    for (uint32_t place = 0; place < count; ++place) {
        for (uint32_t source = 0; source < place; ++source)
            longest[place] = std::max(longest[place], shared_bytes(text, source, place, count));
    }
    return longest;
}

}  // namespace ching_tables
