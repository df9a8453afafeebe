// Plain reading of bzip2 blocks on the host, and a writer that joins blocks to a stream. Both judge the encoder's
// benchmark, and share nothing with the kernels.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace bzip2_read {

class Bits {
    const uint8_t* bytes_;
    uint64_t limit_;
    uint64_t at_;

public:
    bool ended = false;

    Bits(const uint8_t* bytes, uint64_t limit, uint64_t at = 0) : bytes_(bytes), limit_(limit), at_(at) {}
    uint64_t at() const { return at_; }
    uint32_t one() {
        if (at_ >= limit_) {
            ended = true;
            return 0;
        }
        const uint32_t bit = bytes_[at_ / 8] >> (7 - at_ % 8) & 1;
        ++at_;
        return bit;
    }
    uint64_t take(int count) {
        uint64_t value = 0;
        while (count-- > 0) value = value << 1 | one();
        return value;
    }
    bool all_taken() const { return at_ == limit_ && !ended; }
};

inline uint32_t crc_of(const std::vector<uint8_t>& bytes) {
    uint32_t crc = ~0u;
    for (const uint8_t byte : bytes) {
        crc ^= static_cast<uint32_t>(byte) << 24;
        for (int bit = 0; bit < 8; ++bit) crc = crc << 1 ^ (crc >> 31 != 0 ? 0x04C11DB7u : 0);
    }
    return ~crc;
}

struct Code {
    uint32_t first[22] = {}, count[22] = {}, offset[22] = {};
    std::vector<uint16_t> symbols;

    explicit Code(const std::vector<int>& lengths) {
        for (const int length : lengths) ++count[length];
        uint32_t word = 0, at = 0;
        for (int length = 1; length <= 20; ++length) {
            first[length] = word;
            offset[length] = at;
            for (size_t symbol = 0; symbol < lengths.size(); ++symbol) {
                if (lengths[symbol] == length) symbols.push_back(static_cast<uint16_t>(symbol));
            }
            at += count[length];
            word = (word + count[length]) << 1;
        }
    }
    int next(Bits& bits) const {
        uint32_t word = 0;
        for (int length = 1; length <= 20; ++length) {
            word = word << 1 | bits.one();
            if (word >= first[length] && word - first[length] < count[length])
                return symbols[offset[length] + word - first[length]];
        }
        return -1;
    }
};

/// The symbols of a block as the column, or nothing.
inline bool read_column(Bits& bits, const std::vector<uint8_t>& in_use, const std::vector<Code>& codes,
                        const std::vector<uint8_t>& selectors, std::vector<uint8_t>& column) {
    std::vector<uint8_t> list = in_use;
    const int end = static_cast<int>(in_use.size()) + 1;
    uint64_t run = 0, weight = 1;
    for (size_t group = 0;; ++group) {
        if (group >= selectors.size()) return false;
        for (int i = 0; i < 50; ++i) {
            const int symbol = codes[selectors[group]].next(bits);
            if (symbol < 0) return false;
            if (symbol <= 1) {
                run += weight << symbol;
                weight <<= 1;
                if (run > 900000) return false;
                continue;
            }
            column.insert(column.end(), run, list[0]);
            run = 0, weight = 1;
            if (symbol == end) return group + 1 == selectors.size();
            const uint8_t byte = list[symbol - 1];
            list.erase(list.begin() + symbol - 1);
            list.insert(list.begin(), byte);
            column.push_back(byte);
        }
    }
}

/// Text whose transform is this column, with the text itself in row `origin`; nothing if there is no such row.
inline std::vector<uint8_t> text_of(const uint8_t* column, size_t n, uint64_t origin) {
    std::vector<uint8_t> text;
    if (origin >= n) return text;
    size_t starts[257] = {};
    for (size_t i = 0; i < n; ++i) ++starts[column[i] + 1];
    for (int byte = 0; byte < 256; ++byte) starts[byte + 1] += starts[byte];
    std::vector<uint32_t> next(n);
    for (size_t i = 0; i < n; ++i) next[starts[column[i]]++] = static_cast<uint32_t>(i);
    size_t at = next[origin];
    for (size_t i = 0; i < n; ++i, at = next[at]) text.push_back(column[at]);
    return text;
}

/// Undoes bzip2's first coding, of runs. False if a count is missing at the end.
inline bool expand(const std::vector<uint8_t>& text, std::vector<uint8_t>& raw) {
    int before = -1, run = 0;
    for (const uint8_t byte : text) {
        if (run == 4) {
            raw.insert(raw.end(), byte, static_cast<uint8_t>(before));
            before = -1, run = 0;
            continue;
        }
        run = byte == before ? run + 1 : 1;
        before = byte;
        raw.push_back(byte);
    }
    return run < 4;
}

inline std::vector<uint8_t> read_bytes_in_use(Bits& bits) {
    const uint64_t rows = bits.take(16);
    std::vector<uint8_t> in_use;
    for (int row = 0; row < 16; ++row) {
        const uint64_t map = (rows >> (15 - row) & 1) != 0 ? bits.take(16) : 0;
        for (int low = 0; low < 16; ++low) {
            if ((map >> (15 - low) & 1) != 0) in_use.push_back(static_cast<uint8_t>(16 * row + low));
        }
    }
    return in_use;
}

inline bool read_selectors(Bits& bits, uint64_t code_count, uint64_t count, std::vector<uint8_t>& selectors) {
    std::vector<uint8_t> order = {0, 1, 2, 3, 4, 5};
    for (uint64_t i = 0; i < count; ++i) {
        size_t place = 0;
        while (bits.one() != 0) ++place;
        if (place >= code_count) return false;
        const uint8_t selector = order[place];
        order.erase(order.begin() + static_cast<long>(place));
        order.insert(order.begin(), selector);
        selectors.push_back(selector);
    }
    return true;
}

/// Lengths of the words of each code.
inline bool read_lengths(Bits& bits, uint64_t codes, size_t symbols, std::vector<std::vector<int>>& all) {
    for (uint64_t i = 0; i < codes; ++i) {
        int length = static_cast<int>(bits.take(5));
        std::vector<int>& lengths = all.emplace_back();
        for (size_t symbol = 0; symbol < symbols; ++symbol) {
            while (bits.one() != 0) length += bits.one() != 0 ? -1 : 1;
            if (length < 1 || length > 20) return false;
            lengths.push_back(length);
        }
    }
    return true;
}

/// Whether these bits are a whole block whose content is `raw`, with that CRC.
inline bool block_is(const uint8_t* body, uint64_t body_bits, uint32_t crc, const std::vector<uint8_t>& raw) {
    Bits bits(body, body_bits);
    if (bits.take(48) != 0x314159265359ull || bits.take(32) != crc || crc != crc_of(raw) || bits.take(1) != 0)
        return false;
    const uint64_t origin = bits.take(24);
    const std::vector<uint8_t> in_use = read_bytes_in_use(bits);
    const uint64_t code_count = bits.take(3), selector_count = bits.take(15);
    if (code_count < 2 || code_count > 6 || selector_count == 0) return false;
    std::vector<uint8_t> selectors, column, out;
    std::vector<std::vector<int>> lengths;
    if (!read_selectors(bits, code_count, selector_count, selectors) ||
        !read_lengths(bits, code_count, in_use.size() + 2, lengths))
        return false;
    const std::vector<Code> codes(lengths.begin(), lengths.end());
    return read_column(bits, in_use, codes, selectors, column) && bits.all_taken() && origin < column.size() &&
           expand(text_of(column.data(), column.size(), origin), out) && out == raw;
}

/// Joins blocks to a stream of level 9.
class StreamWriter {
    std::vector<uint8_t> bytes_;
    uint64_t bits_ = 0;
    uint32_t combined_ = 0;

    void put(uint64_t value, int count) {
        for (int i = count - 1; i >= 0; --i) {
            if (bits_ % 8 == 0) bytes_.push_back(0);
            bytes_.back() = static_cast<uint8_t>(bytes_.back() | (value >> i & 1) << (7 - bits_ % 8));
            ++bits_;
        }
    }

public:
    StreamWriter() { put(0x425A6839, 32); }
    void append(const uint8_t* body, uint64_t body_bits, uint32_t crc) {
        for (uint64_t i = 0; i < body_bits; ++i) put(body[i / 8] >> (7 - i % 8) & 1, 1);
        combined_ = (combined_ << 1 | combined_ >> 31) ^ crc;
    }
    std::vector<uint8_t> finish() {
        put(0x177245385090ull, 48);
        put(combined_, 32);
        return bytes_;
    }
};

}  // namespace bzip2_read
