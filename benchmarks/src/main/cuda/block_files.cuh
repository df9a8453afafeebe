// Files of LZ4 and Snappy blocks, and plain decoders of such blocks on the host.
#pragma once

#include "device_bench.cuh"
#include "common/batch.cuh"

/// Plain decoder of LZ4: false on a defect. `starts` collects where sequences start.
inline bool host_decode_lz4(const uint8_t* in, size_t in_bytes, size_t limit, Bytes& out,
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
inline bool host_decode_snappy(const uint8_t* in, size_t in_bytes, size_t limit, Bytes& out,
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

inline uint32_t crc32(const Bytes& bytes) {
    static uint32_t table[256];
    if (!table[1]) {
        for (uint32_t i = 0; i < 256; ++i) {
            uint32_t c = i;
            for (int k = 0; k < 8; ++k) c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1;
            table[i] = c;
        }
    }
    uint32_t c = ~0u;
    for (uint8_t b : bytes) c = table[(c ^ b) & 255] ^ c >> 8;
    return ~c;
}

struct File {
    std::string name;
    bool is_snappy = false;
    std::vector<Bytes> compressed, raw;
    std::vector<std::vector<uint32_t>> starts;
    size_t compressed_bytes = 0, raw_bytes = 0, sequences = 0;
};

inline bool host_decode(const File& file, const Bytes& in, size_t limit, Bytes& out,
                        std::vector<uint32_t>* starts = nullptr) {
    return (file.is_snappy ? host_decode_snappy : host_decode_lz4)(in.data(), in.size(), limit, out, starts);
}

inline File load(const std::string& path) {
    File file;
    file.name = name_of(path);
    file.is_snappy = file.name.find(".snpb") != std::string::npos;
    std::FILE* f = std::fopen(path.c_str(), "rb");
    if (!f) std::exit(3);
    uint32_t count;
    if (std::fread(&count, 4, 1, f) != 1) std::exit(3);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t header[3];
        if (std::fread(header, 4, 3, f) != 3) std::exit(3);
        Bytes in(header[0]), out;
        if (std::fread(in.data(), 1, in.size(), f) != in.size()) std::exit(3);
        std::vector<uint32_t> starts;
        if (!host_decode(file, in, header[1], out, &starts) || out.size() != header[1] || crc32(out) != header[2]) {
            std::printf("%s: block %u is wrong\n", path.c_str(), i);
            std::exit(3);
        }
        file.compressed_bytes += in.size();
        file.raw_bytes += out.size();
        file.sequences += starts.size();
        file.compressed.push_back(std::move(in));
        file.raw.push_back(std::move(out));
        file.starts.push_back(std::move(starts));
    }
    std::fclose(f);
    return file;
}
