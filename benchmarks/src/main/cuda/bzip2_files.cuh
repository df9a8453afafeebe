// Reads .bz2 files into blocks with the records that the host puts in front of them, for benchmarks of the bzip2
// decoder. Trusts the files.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "bzip2/bzip2_format.cuh"
#include "device_bench.cuh"

namespace bzip2_files {

/// A stream of bits, the most significant of each byte first.
struct Bits {
    const Bytes& bytes;
    uint64_t at;

    uint32_t take(int count) {
        uint32_t value = 0;
        for (; count > 0; --count, ++at)
            value = value << 1 | (at / 8 < bytes.size() ? bytes[at / 8] >> (7 - at % 8) & 1 : 0);
        return value;
    }
};

/// The bits of a block's or an end's magic at `bit`, with up to 48 bits behind the end as zeros.
inline uint64_t magic_at(const Bytes& bytes, uint64_t bit) {
    Bits bits{bytes, bit};
    const uint64_t high = bits.take(24);
    return high << 24 | bits.take(24);
}

constexpr uint64_t BLOCK_MAGIC = 0x314159265359;
constexpr uint64_t END_MAGIC = 0x177245385090;

/// Where blocks and ends begin; a magic that stands in a block by chance is not told apart.
inline std::vector<uint64_t> find_magics(const Bytes& bytes) {
    std::vector<uint64_t> found;
    uint64_t window = 0;
    for (uint64_t bit = 0; bit < 8 * bytes.size(); ++bit) {
        window = (window << 1 | (bytes[bit / 8] >> (7 - bit % 8) & 1)) & 0xFFFFFFFFFFFF;
        if (bit >= 47 && (window == BLOCK_MAGIC || window == END_MAGIC)) found.push_back(bit - 47);
    }
    return found;
}

/// The record of a block and the bytes that hold it, as a device takes them.
inline Bytes block_input(const Bytes& bytes, uint64_t bit, uint64_t limit, uint32_t level) {
    using namespace warpcodec::bzip2;
    Record record{};
    Bits bits{bytes, bit + 48};
    record.crc = bits.take(16) << 16;
    record.crc |= bits.take(16);
    record.randomised = bits.take(1);
    record.orig_ptr = bits.take(24);
    const uint32_t used = bits.take(16);
    uint32_t count = 0;
    for (int high = 0; high < 16; ++high) {
        if ((used << high & 0x8000) == 0) continue;
        const uint32_t low_used = bits.take(16);
        for (int low = 0; low < 16; ++low) {
            if ((low_used << low & 0x8000) != 0) record.symbols_in_use[count++] = static_cast<uint8_t>(high << 4 | low);
        }
    }
    record.alphabet = count + 2;
    record.code_count = bits.take(3);
    const uint32_t declared = bits.take(15);
    Bytes selectors;
    uint8_t order[MAX_CODES] = {0, 1, 2, 3, 4, 5};
    for (uint32_t k = 0; k < declared; ++k) {
        uint32_t rank = 0;
        while (bits.take(1) != 0 && rank + 1 < record.code_count) ++rank;
        const uint8_t code = order[rank];
        for (; rank > 0; --rank) order[rank] = order[rank - 1];
        order[0] = code;
        if (k < MAX_SELECTORS) selectors.push_back(code);
    }
    for (uint32_t code = 0; code < record.code_count; ++code) {
        int length = static_cast<int>(bits.take(5));
        for (uint32_t symbol = 0; symbol < record.alphabet; ++symbol) {
            while (bits.take(1) != 0) length += bits.take(1) != 0 ? -1 : 1;
            record.code_lengths[code][symbol] = static_cast<uint8_t>(length);
        }
    }
    const uint64_t first_byte = bit / 8;
    record.symbol_bit = static_cast<uint32_t>(bits.at - 8 * first_byte);
    record.limit_bit = static_cast<uint32_t>(limit - 8 * first_byte);
    record.max_text_bytes = 100000 * level;
    record.selector_count = static_cast<uint32_t>(selectors.size());
    record.record_bytes = (RECORD_BYTES + record.selector_count + 15) / 16 * 16;
    Bytes input(record.record_bytes);
    std::memcpy(input.data(), &record, sizeof record);
    std::memcpy(input.data() + RECORD_BYTES, selectors.data(), selectors.size());
    input.insert(input.end(), bytes.begin() + static_cast<std::ptrdiff_t>(first_byte),
                 bytes.begin() + static_cast<std::ptrdiff_t>((limit + 7) / 8));
    return input;
}

/// All blocks of a file.
inline std::vector<Bytes> blocks_of(const Bytes& bytes) {
    std::vector<Bytes> blocks;
    const std::vector<uint64_t> magics = find_magics(bytes);
    for (size_t k = 0; k + 1 < magics.size(); ++k) {
        if (magic_at(bytes, magics[k]) == BLOCK_MAGIC)
            blocks.push_back(block_input(bytes, magics[k], magics[k + 1], bytes[3] - '0'));
    }
    return blocks;
}

}  // namespace bzip2_files
