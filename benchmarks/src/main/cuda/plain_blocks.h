// Plain decoders of LZ4 and Snappy blocks on the host, and damage to such blocks. They judge kernels, and share nothing
// with them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Plain decoder of LZ4: false on a defect. `starts` collects where sequences start.
inline bool host_decode_lz4(const uint8_t* in, size_t in_bytes, size_t limit, std::vector<uint8_t>& out,
                            std::vector<uint32_t>* starts = nullptr) {
    out.clear();
    size_t at = 0;
    const auto lengthen = [&](size_t& length) {
        for (uint8_t more = 255; length >= 15 && more == 255; length += more) {
            if (at >= in_bytes) return false;
            more = in[at++];
        }
        return true;
    };
    while (at < in_bytes) {
        if (starts) starts->push_back(static_cast<uint32_t>(at));
        const uint32_t token = in[at++];
        size_t literals = token >> 4, match = token & 15;
        if (!lengthen(literals)) return false;
        if (literals > in_bytes - at || literals > limit - out.size()) return false;
        out.insert(out.end(), in + at, in + at + literals);
        at += literals;
        if (at == in_bytes) return true;
        if (in_bytes - at < 2) return false;
        const size_t offset = in[at] | in[at + 1] << 8;
        at += 2;
        if (!lengthen(match)) return false;
        match += 4;
        if (offset == 0 || offset > out.size() || match > limit - out.size()) return false;
        if (in_bytes - at < 1 + 5 || limit - out.size() < 12 || limit - out.size() - match < 5)
            return false;  // too near the end
        for (size_t i = 0; i < match; ++i) out.push_back(out[out.size() - offset]);
    }
    return false;
}

/// Plain decoder of Snappy: false on a defect. `starts` collects where elements start.
inline bool host_decode_snappy(const uint8_t* in, size_t in_bytes, size_t limit, std::vector<uint8_t>& out,
                               std::vector<uint32_t>* starts = nullptr) {
    out.clear();
    size_t at = 0;
    const auto number = [&](size_t bytes) {
        uint64_t value = 0;
        for (size_t i = 0; i < bytes; ++i) value |= uint64_t(in[at++]) << (8 * i);
        return value;
    };
    uint64_t length = 0;
    for (int shift = 0;; shift += 7) {
        if (at >= in_bytes || shift > 28) return false;
        length |= uint64_t(in[at] & 127) << shift;
        if (in[at++] < 128) break;
    }
    if (length > limit) return false;
    while (at < in_bytes) {
        if (starts) starts->push_back(static_cast<uint32_t>(at));
        const uint32_t tag = in[at++];
        if ((tag & 3) == 0) {
            uint64_t bytes = tag >> 2;
            if (bytes >= 60) {
                const size_t extra = bytes - 59;
                if (in_bytes - at < extra) return false;
                bytes = number(extra);
            }
            ++bytes;
            if (bytes > in_bytes - at || bytes > length - out.size()) return false;
            out.insert(out.end(), in + at, in + at + bytes);
            at += bytes;
            continue;
        }
        const size_t offset_bytes = (tag & 3) == 3 ? 4 : tag & 3;
        if (in_bytes - at < offset_bytes) return false;
        const uint64_t offset = number(offset_bytes) | (offset_bytes == 1 ? tag >> 5 << 8 : 0);
        const size_t bytes = offset_bytes == 1 ? 4 + (tag >> 2 & 7) : (tag >> 2) + 1;
        if (offset == 0 || offset > out.size() || bytes > length - out.size()) return false;
        for (size_t i = 0; i < bytes; ++i) out.push_back(out[out.size() - offset]);
    }
    return out.size() == length;
}

/// Puts a random defect into a block of `limit` bytes, or none.
template <typename Random>
void damage_block(std::vector<uint8_t>& block, uint32_t& limit, Random& random) {
    const uint32_t kind = random() % 8;
    if (kind == 1) block.resize(random() % (block.size() + 1));
    if (kind >= 2 && kind <= 4) {
        for (uint32_t n = 1 + random() % (kind * kind); n > 0; --n)
            block[random() % block.size()] = static_cast<uint8_t>(random());
    }
    if (kind == 5) block[random() % block.size()] ^= static_cast<uint8_t>(1u << random() % 8);
    if (kind == 6) limit -= std::min<uint32_t>(limit, static_cast<uint32_t>(random() % 100));
    if (kind == 7) {
        block.resize(random() % 400);
        for (auto& b : block) b = random() % 4 ? static_cast<uint8_t>(random() % 20) : static_cast<uint8_t>(random());
        limit = static_cast<uint32_t>(random() % 3000);
    }
}
