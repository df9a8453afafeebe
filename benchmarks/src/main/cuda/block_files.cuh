// Files of LZ4 and Snappy blocks.
#pragma once

#include "device_bench.cuh"
#include "plain_blocks.h"

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
