// Reads .bz2 files into blocks with the records that the host puts in front of them, for benchmarks of the bzip2
// decoder. Trusts the files.
#pragma once

#include <cstring>

#include "bzip2/bzip2_format.cuh"
#include "bzip2_read.h"
#include "device_bench.cuh"

namespace bzip2_files {

/// The bits of a block's or an end's magic at `bit`, with up to 48 bits behind the end as zeros.
inline uint64_t magic_at(const Bytes& bytes, uint64_t bit) {
    return bzip2_read::Bits(bytes.data(), 8 * bytes.size(), bit).take(48);
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
    bzip2_read::Bits bits(bytes.data(), 8 * bytes.size(), bit + 48);
    record.crc = static_cast<uint32_t>(bits.take(32));
    record.randomised = static_cast<uint32_t>(bits.take(1));
    record.orig_ptr = static_cast<uint32_t>(bits.take(24));
    const Bytes in_use = bzip2_read::read_bytes_in_use(bits);
    std::copy(in_use.begin(), in_use.end(), record.symbols_in_use);
    record.alphabet = static_cast<uint32_t>(in_use.size() + 2);
    record.code_count = static_cast<uint32_t>(bits.take(3));
    const uint64_t declared = bits.take(15);
    Bytes selectors;
    bzip2_read::read_selectors(bits, record.code_count, declared, selectors);
    selectors.resize(std::min<size_t>(selectors.size(), MAX_SELECTORS));
    std::vector<std::vector<int>> lengths;
    bzip2_read::read_lengths(bits, record.code_count, record.alphabet, lengths);
    for (size_t code = 0; code < lengths.size(); ++code)
        std::copy(lengths[code].begin(), lengths[code].end(), record.code_lengths[code]);
    const uint64_t first_byte = bit / 8;
    record.symbol_bit = static_cast<uint32_t>(bits.at() - 8 * first_byte);
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
