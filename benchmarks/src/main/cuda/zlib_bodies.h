// Raw DEFLATE by zlib both ways, and files that may be gzipped.
#pragma once

#include <zlib.h>

#include "device_bench.cuh"

/// The first 64 MiB of a file, unpacked if it is gzip.
inline Bytes read_all(const std::string& path) {
    Bytes bytes(64 << 20);
    gzFile file = gzopen(path.c_str(), "rb");
    if (!file) std::exit(3);
    const int n = gzread(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
    if (n <= 0) std::exit(3);
    bytes.resize(n);
    return bytes;
}

/// Settings of zlib, and where its blocks end.
struct ZlibWay {
    int level = 6;
    int memory_level = 8;
    int strategy = Z_DEFAULT_STRATEGY;
    size_t part_bytes = ~size_t{0};  ///< raw bytes of a part; parts but the last end with the flush `between`
    int between = Z_BLOCK;
    int last = Z_FINISH;  ///< flush that ends the last part
};

/// A raw body that stands for `bytes` bytes.
inline Bytes zlib_deflate(const uint8_t* raw, size_t bytes, const ZlibWay& way) {
    z_stream z{};
    if (deflateInit2(&z, way.level, Z_DEFLATED, -15, way.memory_level, way.strategy) != Z_OK) std::exit(3);
    Bytes body(deflateBound(&z, bytes) + 1024);
    z.next_out = body.data();
    z.avail_out = static_cast<uInt>(body.size());
    size_t at = 0;
    do {
        const size_t part = std::min(way.part_bytes, bytes - at);
        z.next_in = const_cast<Bytef*>(raw + at);
        z.avail_in = static_cast<uInt>(part);
        at += part;
        ::deflate(&z, at < bytes ? way.between : way.last);
        if (z.avail_in != 0) std::exit(3);
    } while (at < bytes);
    body.resize(z.total_out);
    deflateEnd(&z);
    return body;
}

/// A stream without a last block, ended with an empty stored one.
inline Bytes deflate_open_stream(const Bytes& raw, int level) {
    ZlibWay way;
    way.level = level;
    way.last = Z_FULL_FLUSH;
    return zlib_deflate(raw.data(), raw.size(), way);
}

/// Whether a raw body is whole, ends in its last byte and stands for at most `limit` bytes; `raw` becomes these.
inline bool zlib_inflates(const uint8_t* body, size_t bytes, size_t limit, Bytes& raw) {
    z_stream z{};
    if (inflateInit2(&z, -15) != Z_OK) std::exit(3);
    raw.resize(limit + 1);
    z.next_in = const_cast<Bytef*>(body);
    z.avail_in = static_cast<uInt>(bytes);
    z.next_out = raw.data();
    z.avail_out = static_cast<uInt>(raw.size());
    const bool ended = inflate(&z, Z_FINISH) == Z_STREAM_END && z.avail_in == 0;
    raw.resize(z.total_out);
    inflateEnd(&z);
    return ended && raw.size() <= limit;
}
