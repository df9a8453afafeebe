// Whether orders, smaller values and factors on a device are right, by what a host finds (cpp/ching_tables).
#pragma once

#include "../cpp/ching_tables/factors.h"
#include "../cpp/ching_tables/suffix_order.h"
#include "../cpp/strong_levels/order.h"
#include "ching_stages.cuh"

namespace ching {

constexpr uint32_t VERIFIED_PART = 1 << 16;

/// Calls wrong(from, to) for parts of `count`, on all cores, and adds up its answers. A single part takes no threads.
template <class Wrong>
size_t add_up_parts(uint32_t count, Wrong wrong) {
    if (count <= VERIFIED_PART) return wrong(0, count);
    return add_up(count / VERIFIED_PART + 1, [&](uint32_t part) {
        const uint32_t from = part * VERIFIED_PART;
        return wrong(from, count - from < VERIFIED_PART ? count : from + VERIFIED_PART);
    });
}

/// Number of wrong ranks of an order; of all if a place is missing.
inline size_t wrong_ranks(const uint8_t* text, const std::vector<uint32_t>& order) {
    const uint32_t count = static_cast<uint32_t>(order.size());
    const std::vector<uint32_t> ranks = ching_tables::ranks_of(order.data(), count);
    if (ranks.size() != count) return count;
    return add_up_parts(count, [&](uint32_t from, uint32_t to) {
        return ching_tables::misplaced_ranks(text, count, order.data(), ranks, from, to);
    });
}

/// Smaller values of both sides, by a stack.
struct HostValues {
    std::vector<uint32_t> previous, next;
    explicit HostValues(const std::vector<uint32_t>& order)
        : previous(strong_levels::smaller_values(order, true)), next(strong_levels::smaller_values(order, false)) {}
};

/// Number of places whose smaller values are wrong.
inline size_t wrong_values(const DeviceString& string, const HostValues& values) {
    const std::vector<uint2> found = to_host(string.smaller, string.bytes);
    return add_up_parts(string.bytes, [&](uint32_t from, uint32_t to) {
        size_t wrong = 0;
        for (uint32_t place = from; place < to; ++place)
            wrong += found[place].x != values.previous[place] || found[place].y != values.next[place];
        return wrong;
    });
}

/// Number of factors that are not the greedy ones of their chunks, and of bytes that chunks' factors do not cover.
inline size_t wrong_factors(const DeviceString& string, const uint8_t* text, const HostValues& values) {
    const std::vector<uint32_t> begins = string.chunk_begins();
    const std::vector<Factor> factors = to_host(string.factors, std::min(begins.back(), string.bytes));
    const auto wrong_of = [&](uint32_t chunk) {
        const uint32_t begin = chunk * string.chunk_bytes();
        const uint32_t limit = std::min(string.bytes, begin + string.chunk_bytes());
        size_t at = begins[chunk], wrong = 0;
        ching_tables::for_each_factor(text, values.previous, values.next, begin, limit,
                                      [&](const ching_tables::HostFactor& expected) {
                                          wrong += at >= factors.size() || factors[at].length != expected.length ||
                                                   factors[at].source != expected.source;
                                          ++at;
                                      });
        return wrong + (at != begins[chunk + 1] ? 1 : 0);
    };
    if (string.bytes > VERIFIED_PART) return add_up(string.chunk_count(), wrong_of);
    size_t wrong = 0;
    for (uint32_t chunk = 0; chunk < string.chunk_count(); ++chunk) wrong += wrong_of(chunk);
    return wrong;
}

}  // namespace ching
