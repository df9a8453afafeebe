// Sequences sections of the compressed blocks of `.zst` files (RFC 8878, 3.1.1.3.2), with their decoding tables, for
// benchmarks. What it does not expect ends the program: it reads files that an encoder has just made.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace zstd_blocks {

using Bytes = std::vector<uint8_t>;

inline void require(bool holds, const char* what) {
    if (holds) return;
    std::printf("unexpected: %s\n", what);
    std::exit(4);
}

/// What a state of a decoding table stands for.
struct Cell {
    uint16_t next;  ///< state behind it, before its bits are added
    uint8_t state_bits;
    uint8_t symbol;
};

struct Table {
    int log = 0;
    std::vector<Cell> cells;
};

/// Bits of a stream from its first byte's lowest bit on.
struct ForwardBits {
    const uint8_t* bytes;
    size_t size, bit = 0;

    uint32_t peek(int count) const {
        uint64_t value = 0;
        for (int i = 0; i < 8; ++i) value |= bit / 8 + i < size ? uint64_t{bytes[bit / 8 + i]} << (8 * i) : 0;
        return static_cast<uint32_t>(value >> (bit % 8)) & ((1u << count) - 1);
    }
};

/// A decoding table of normalised counts; -1 stands for less than one (RFC 8878, 4.1.1).
inline Table spread(const std::vector<int>& counts, int log) {
    Table table;
    table.log = log;
    const uint32_t size = 1u << log;
    table.cells.resize(size);
    std::vector<uint32_t> next(counts.size());
    uint32_t high = size - 1;
    for (size_t s = 0; s < counts.size(); ++s) {
        next[s] = counts[s] == -1 ? 1 : static_cast<uint32_t>(counts[s] > 0 ? counts[s] : 0);
        if (counts[s] == -1) table.cells[high--].symbol = static_cast<uint8_t>(s);
    }
    const uint32_t step = (size >> 1) + (size >> 3) + 3;
    uint32_t at = 0;
    for (size_t s = 0; s < counts.size(); ++s) {
        for (int i = 0; i < counts[s]; ++i) {
            table.cells[at].symbol = static_cast<uint8_t>(s);
            do at = (at + step) & (size - 1);
            while (at > high);
        }
    }
    require(at == 0, "counts that do not fill a table");
    for (Cell& cell : table.cells) {
        const uint32_t number = next[cell.symbol]++;
        int bits = 0;
        while (number << bits < size) ++bits;
        cell.state_bits = static_cast<uint8_t>(bits);
        cell.next = static_cast<uint16_t>((number << bits) - size);
    }
    return table;
}

/// Reads a table's description; returns its bytes.
inline size_t read_table(const uint8_t* bytes, size_t size, int most_log, Table& table) {
    ForwardBits bits{bytes, size};
    const int log = static_cast<int>(bits.peek(4)) + 5;
    bits.bit += 4;
    require(log <= most_log, "a table's log");
    int remaining = (1 << log) + 1, threshold = 1 << log, width = log + 1;
    std::vector<int> counts;
    while (remaining > 1) {
        const uint32_t most = static_cast<uint32_t>(2 * threshold - 1 - remaining);
        uint32_t value = bits.peek(width);
        if ((value & (threshold - 1)) < most) {
            value &= threshold - 1;
            bits.bit += width - 1;
        } else {
            if (value >= static_cast<uint32_t>(threshold)) value -= most;
            bits.bit += width;
        }
        const int count = static_cast<int>(value) - 1;
        remaining -= count < 0 ? -count : count;
        counts.push_back(count);
        if (count == 0) {
            uint32_t repeat;
            do {
                repeat = bits.peek(2);
                bits.bit += 2;
                counts.insert(counts.end(), repeat, 0);
            } while (repeat == 3);
        }
        while (remaining < threshold) --width, threshold >>= 1;
    }
    table = spread(counts, log);
    return (bits.bit + 7) / 8;
}

inline Table single(uint8_t symbol) {
    Table table;
    table.cells = {Cell{0, 0, symbol}};
    return table;
}

inline const Table& predefined(int kind) {
    static const Table tables[3] = {
        spread({4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1,  1,  2,  2,
                2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1},
               6),
        spread({1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1}, 5),
        spread({1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1, 1,
                1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1},
               6)};
    return tables[kind];
}

/// Literal lengths, offsets, match lengths.
enum Kind { LITERALS, OFFSETS, MATCHES };
constexpr int MOST_LOG[3] = {9, 8, 9};

constexpr uint8_t LITERAL_BITS[36] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0,  1,  1,
                                      1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
constexpr uint32_t LITERAL_BASE[36] = {0,  1,  2,   3,   4,   5,    6,    7,    8,    9,     10,    11,
                                       12, 13, 14,  15,  16,  18,   20,   22,   24,   28,    32,    40,
                                       48, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536};
constexpr uint8_t MATCH_BITS[53] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0,  0,  0, 0,
                                    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  1,  1,  1, 1,
                                    2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
constexpr uint32_t MATCH_BASE[53] = {3,  4,   5,   6,   7,    8,    9,    10,   11,    12,    13,   14, 15, 16,
                                     17, 18,  19,  20,  21,   22,   23,   24,   25,    26,    27,   28, 29, 30,
                                     31, 32,  33,  34,  35,   37,   39,   41,   43,    47,    51,   59, 67, 83,
                                     99, 131, 259, 515, 1027, 2051, 4099, 8195, 16387, 32771, 65539};

inline uint32_t extra_bits(Kind kind, uint8_t symbol) {
    return kind == LITERALS ? LITERAL_BITS[symbol] : kind == MATCHES ? MATCH_BITS[symbol] : symbol;
}

/// A block's sequences section.
struct Section {
    uint32_t count = 0;
    Table tables[3];
    Bytes bits;  ///< read from the end
    uint32_t raw_bytes = 0;  ///< of its sequences; literals behind the last one are not known here
};

/// Bytes of a literals section.
inline size_t literals_bytes(const uint8_t* at) {
    const int type = at[0] & 3, format = at[0] >> 2 & 3;
    if (type < 2) {
        const size_t header = format == 1 ? 2 : format == 3 ? 3 : 1;
        const uint32_t size = header == 1   ? at[0] >> 3
                              : header == 2 ? at[0] >> 4 | at[1] << 4
                                            : at[0] >> 4 | at[1] << 4 | at[2] << 12;
        return header + (type == 0 ? size : 1);
    }
    const size_t header = format < 2 ? 3 : format == 2 ? 4 : 5;
    uint64_t word = 0;
    for (size_t i = 0; i < header; ++i) word |= uint64_t{at[i]} << (8 * i);
    const int width = format < 2 ? 10 : format == 2 ? 14 : 18;
    return header + (word >> (4 + width) & ((1u << width) - 1));
}

/// Reads a compressed block; `before` are the tables of the blocks before it in the frame.
inline void read_block(const uint8_t* block, size_t size, Table before[3], std::vector<Section>& sections) {
    size_t at = literals_bytes(block);
    require(at < size, "a block without sequences section");
    Section section;
    section.count = block[at++];
    if (section.count == 0) return;
    if (section.count == 255) {
        section.count = block[at] + (block[at + 1] << 8) + 0x7F00;
        at += 2;
    } else if (section.count >= 128) {
        section.count = ((section.count - 128) << 8) + block[at++];
    }
    const uint8_t modes = block[at++];
    for (int kind = 0; kind < 3; ++kind) {
        const int mode = modes >> (6 - 2 * kind) & 3;
        if (mode == 0) before[kind] = predefined(kind);
        if (mode == 1) before[kind] = single(block[at++]);
        if (mode == 2) at += read_table(block + at, size - at, MOST_LOG[kind], before[kind]);
        section.tables[kind] = before[kind];
    }
    section.bits.assign(block + at, block + size);
    require(!section.bits.empty() && section.bits.back() != 0, "a stream without its end");
    sections.push_back(section);
}

/// The sections of all frames of a file.
inline std::vector<Section> read_sections(const Bytes& file) {
    std::vector<Section> sections;
    size_t at = 0;
    const auto word = [&](size_t where, int bytes) {
        uint64_t value = 0;
        for (int i = 0; i < bytes; ++i) value |= uint64_t{file.at(where + i)} << (8 * i);
        return value;
    };
    while (at < file.size()) {
        const uint32_t magic = static_cast<uint32_t>(word(at, 4));
        if (magic >> 4 == 0x184D2A5) {
            at += 8 + word(at + 4, 4);
            continue;
        }
        require(magic == 0xFD2FB528, "what is no frame");
        const uint8_t descriptor = file.at(at + 4);
        const int size_bytes = descriptor >> 6 == 0 ? descriptor >> 5 & 1 : 1 << (descriptor >> 6);
        require((descriptor & 3) == 0, "a dictionary");
        at += 5 + (descriptor & 32 ? 0 : 1) + size_bytes;
        Table before[3];
        for (bool last = false; !last;) {
            const uint32_t header = static_cast<uint32_t>(word(at, 3));
            at += 3;
            last = (header & 1) != 0;
            const uint32_t type = header >> 1 & 3, size = header >> 3;
            if (type == 2) read_block(file.data() + at, size, before, sections);
            at += type == 1 ? 1 : size;
        }
        at += descriptor & 4 ? 4 : 0;
    }
    return sections;
}

/// A sequence as it stands in the section: the offset's value, not the offset.
struct Sequence {
    uint32_t literals, match, offset_value;
};

/// Plainly decoded; the stream has to end with its first bit.
inline std::vector<Sequence> decode(const Section& section) {
    const Bytes& bytes = section.bits;
    int64_t bit = 8 * static_cast<int64_t>(bytes.size()) - __builtin_clz(bytes.back()) + 24 - 1;
    const auto take = [&](uint32_t count) {
        uint32_t value = 0;
        for (uint32_t i = 0; i < count; ++i) {
            --bit;
            value = value << 1 | (bit >= 0 ? bytes[bit / 8] >> (bit % 8) & 1 : 0u);
        }
        return value;
    };
    uint32_t state[3];
    for (int kind = 0; kind < 3; ++kind) state[kind] = take(section.tables[kind].log);
    std::vector<Sequence> sequences;
    for (uint32_t i = 0; i < section.count; ++i) {
        const auto cell = [&](int kind) { return section.tables[kind].cells[state[kind]]; };
        const Cell literals = cell(LITERALS), offset = cell(OFFSETS), match = cell(MATCHES);
        Sequence sequence;
        sequence.offset_value = (1u << offset.symbol) + take(offset.symbol);
        sequence.match = MATCH_BASE[match.symbol] + take(MATCH_BITS[match.symbol]);
        sequence.literals = LITERAL_BASE[literals.symbol] + take(LITERAL_BITS[literals.symbol]);
        sequences.push_back(sequence);
        if (i + 1 == section.count) break;
        state[LITERALS] = literals.next + take(literals.state_bits);
        state[MATCHES] = match.next + take(match.state_bits);
        state[OFFSETS] = offset.next + take(offset.state_bits);
    }
    require(bit == 0, "a stream that does not end with its first bit");
    return sequences;
}

}  // namespace zstd_blocks
