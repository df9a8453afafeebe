// Texts on which the programs of Ching's tables are checked. Texts of a group have one length.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace ching_tables {

using Text = std::vector<uint8_t>;

struct TextGroup {
    std::string name;
    std::vector<Text> texts;
};

inline Text random_text(uint32_t count, uint32_t symbols, std::mt19937& random) {
    Text text(count);
    for (uint8_t& byte : text) byte = static_cast<uint8_t>(random() % symbols);
    return text;
}

inline Text periodic_text(uint32_t count, uint32_t period, uint32_t symbols, std::mt19937& random) {
    Text text = random_text(count, symbols, random);
    for (uint32_t i = period; i < count; ++i) text[i] = text[i - period];
    return text;
}

inline Text fibonacci_word(uint32_t count) {
    Text shorter = {'a'}, longer = {'a', 'b'};
    while (longer.size() < count) {
        Text sum = longer;
        sum.insert(sum.end(), shorter.begin(), shorter.end());
        shorter.swap(longer);
        longer.swap(sum);
    }
    longer.resize(count);
    return longer;
}

inline Text thue_morse_word(uint32_t count) {
    Text text(count);
    for (uint32_t i = 0; i < count; ++i) text[i] = static_cast<uint8_t>(__builtin_popcount(i) % 2);
    return text;
}

/// All texts of a length over two letters.
inline TextGroup texts_of_two_letters(uint32_t count) {
    TextGroup group{"two letters, length " + std::to_string(count), {}};
    for (uint32_t bits = 0; bits < 1u << count; ++bits) {
        Text text;
        for (uint32_t i = 0; i < count; ++i) text.push_back(static_cast<uint8_t>(bits >> i & 1 ? 255 : 0));
        group.texts.push_back(text);
    }
    return group;
}

/// Texts of one length, none of which is easy.
inline TextGroup texts_of(uint32_t count, std::mt19937& random) {
    return {"length " + std::to_string(count),
            {Text(count, 0), Text(count, 255), fibonacci_word(count), thue_morse_word(count),
             random_text(count, 2, random), random_text(count, 4, random), random_text(count, 20, random),
             random_text(count, 256, random), periodic_text(count, 2, 256, random),
             periodic_text(count, count / 2 + 1, 256, random), periodic_text(count, count / 3 + 1, 2, random)}};
}

/// Texts that come twice, the second time with one byte changed: a match ends there, and goes on behind it.
inline TextGroup changed_texts(uint32_t count, std::mt19937& random) {
    TextGroup group{"one byte changed", {}};
    const Text once = random_text(count, 256, random);
    for (uint32_t changed = 0; changed < count; ++changed) {
        Text text = once;
        text.insert(text.end(), once.begin(), once.end());
        text[count + changed] ^= 1;
        group.texts.push_back(text);
    }
    return group;
}

inline std::vector<TextGroup> check_texts(uint32_t most_letters, uint32_t periods, uint32_t period_bytes) {
    std::mt19937 random(44);
    std::vector<TextGroup> groups;
    for (uint32_t count = 0; count <= most_letters; ++count) groups.push_back(texts_of_two_letters(count));
    TextGroup of_periods{"periods", {}};
    for (uint32_t period = 1; period <= periods; ++period)
        of_periods.texts.push_back(periodic_text(period_bytes, period, period % 2 == 0 ? 256 : 2, random));
    groups.push_back(of_periods);
    groups.push_back(changed_texts(period_bytes / 4, random));
    for (uint32_t count = 13; count <= 70; ++count) groups.push_back(texts_of(count, random));
    for (const uint32_t count : {255u, 256u, 257u, 1000u, 4095u, 4096u, 4097u, 65535u, 65536u, 65537u, 70000u})
        groups.push_back(texts_of(count, random));
    return groups;
}

}  // namespace ching_tables
