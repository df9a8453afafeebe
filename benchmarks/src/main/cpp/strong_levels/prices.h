// Codes of zstd's sequences (RFC 8878 §3.1.1.3.2.1), and what they cost by counts of an earlier parse.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "plz/plz_first.cuh"

namespace strong_levels {

/// Literals, then a match; the last one of a block has no match.
struct Sequence {
    uint32_t literals;
    uint32_t offset;
    uint32_t match;
};

constexpr int LITERAL_CODES = 36, OFFSET_CODES = 32, MATCH_CODES = 53;
constexpr uint32_t MOST_BYTES = 1u << 17;  ///< of a block

inline int highest_bit(uint32_t value) { return 31 - __builtin_clz(value); }

/// Codes and extra bits by length.
struct Codes {
    std::array<uint8_t, MOST_BYTES + 1> literal_code;
    std::array<uint8_t, MOST_BYTES + 3> match_code;
    std::array<uint8_t, LITERAL_CODES> literal_bits{};
    std::array<uint8_t, MATCH_CODES> match_bits{};

    Codes() {
        constexpr uint8_t LITERAL_BITS[] = {1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
        constexpr uint8_t MATCH_BITS[] = {1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
        std::copy(std::begin(LITERAL_BITS), std::end(LITERAL_BITS), literal_bits.begin() + 16);
        std::copy(std::begin(MATCH_BITS), std::end(MATCH_BITS), match_bits.begin() + 32);
        fill(literal_code, literal_bits, 0);
        fill(match_code, match_bits, 3);
    }

    template <typename Lengths, typename Bits>
    static void fill(Lengths& lengths, const Bits& bits, uint32_t base) {
        for (size_t code = 0; code < bits.size(); base += 1u << bits[code++]) {
            for (uint32_t length = base; length < base + (1u << bits[code]) && length < lengths.size(); ++length)
                lengths[length] = static_cast<uint8_t>(code);
        }
    }
};
inline const Codes CODES;

/// How often each symbol occurs.
struct Counts {
    std::array<double, 256> literal{};
    std::array<double, LITERAL_CODES> literal_code{};
    std::array<double, OFFSET_CODES> offset_code{};
    std::array<double, MATCH_CODES> match_code{};

    void add(const Counts& other) {
        const auto sum = [](auto& to, const auto& from) {
            for (size_t i = 0; i < to.size(); ++i) to[i] += from[i];
        };
        sum(literal, other.literal);
        sum(literal_code, other.literal_code);
        sum(offset_code, other.offset_code);
        sum(match_code, other.match_code);
    }
};

/// The value by which a sequence's offset is written: 1 to 3 if it repeats one of the last three. It becomes the last.
inline uint32_t take_offset(const Sequence& sequence, std::array<uint32_t, 3>& last) {
    const uint32_t offset = sequence.offset;
    const bool shifted = sequence.literals == 0;  // then the last offset is no repeat, and the one before is the first
    uint32_t value = offset + 3;
    if (!shifted && offset == last[0]) {
        value = 1;
    } else if (offset == last[1]) {
        value = shifted ? 1 : 2;
    } else if (offset == last[2]) {
        value = shifted ? 2 : 3;
    } else if (shifted && offset == last[0] - 1) {
        value = 3;
    }
    if (value == 1 && !shifted) return value;
    const bool swaps = value <= 3 && offset == last[1];
    last = {offset, last[0], swaps ? last[2] : last[1]};
    return value;
}

/// Counts sequences. Offsets that repeat one of the last three are counted as that.
inline void count_sequences(const uint8_t* text, uint32_t at, const std::vector<Sequence>& sequences,
                            std::array<uint32_t, 3>& last, Counts& counts) {
    for (const Sequence& each : sequences) {
        for (uint32_t i = 0; i < each.literals; ++i) counts.literal[text[at + i]]++;
        at += each.literals + each.match;
        if (each.match == 0) continue;
        counts.literal_code[CODES.literal_code[each.literals]]++;
        counts.match_code[CODES.match_code[each.match]]++;
        counts.offset_code[highest_bit(take_offset(each, last))]++;
    }
}

/// Bits of each symbol, extra bits aside.
struct Prices {
    std::array<float, 256> literal;
    std::array<float, LITERAL_CODES> literal_code;
    std::array<float, OFFSET_CODES> offset_code;
    std::array<float, MATCH_CODES> match_code;

    explicit Prices(const Counts& counts) {
        set(literal, counts.literal, 11);
        set(literal_code, counts.literal_code, 9);
        set(offset_code, counts.offset_code, 8);
        set(match_code, counts.match_code, 9);
    }

    template <size_t N>
    static void set(std::array<float, N>& prices, const std::array<double, N>& counts, float most) {
        constexpr double UNSEEN = 0.25;
        double all = UNSEEN * N;
        for (const double count : counts) all += count;
        for (size_t i = 0; i < N; ++i)
            prices[i] = std::min(most, static_cast<float>(-std::log2((counts[i] + UNSEEN) / all)));
    }

    float literals_run(uint32_t run) const {
        const uint8_t code = CODES.literal_code[run];
        return literal_code[code] + CODES.literal_bits[code];
    }
    float match(uint32_t length) const {
        const uint8_t code = CODES.match_code[length];
        return match_code[code] + CODES.match_bits[code];
    }
    float offset(uint32_t value) const {
        return offset_code[highest_bit(value)] + static_cast<float>(highest_bit(value));
    }
};

/// Bits of all symbols that were counted, by the prices that they make.
inline double cost_of_counts(const Counts& counts) {
    const Prices prices(counts);
    const auto of = [](const auto& own, const auto& each, const auto& bits_behind) {
        double sum = 0;
        for (size_t i = 0; i < own.size(); ++i) sum += own[i] * (each[i] + bits_behind(i));
        return sum;
    };
    return of(counts.literal, prices.literal, [](size_t) { return 0; }) +
           of(counts.literal_code, prices.literal_code, [](size_t i) { return CODES.literal_bits[i]; }) +
           of(counts.offset_code, prices.offset_code, [](size_t i) { return static_cast<int>(i); }) +
           of(counts.match_code, prices.match_code, [](size_t i) { return CODES.match_bits[i]; });
}

/// What a parse begins with: the bytes of some text, and zstd's predefined codes.
inline Counts first_counts(const std::vector<uint8_t>& bytes) {
    Counts counts;
    for (const uint8_t byte : bytes) counts.literal[byte]++;
    std::copy(std::begin(warpcodec::plz::FIRST.run), std::end(warpcodec::plz::FIRST.run), counts.literal_code.begin());
    std::copy(std::begin(warpcodec::plz::FIRST.offset), std::end(warpcodec::plz::FIRST.offset),
              counts.offset_code.begin());
    std::copy(std::begin(warpcodec::plz::FIRST.match), std::end(warpcodec::plz::FIRST.match),
              counts.match_code.begin());
    return counts;
}

}  // namespace strong_levels
