// One DEFLATE stream of a file's content, for the benchmarks that need one.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <string>

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

/// A stream without a last block, ended with an empty stored one.
inline Bytes deflate_all(const Bytes& raw, int level) {
    z_stream z{};
    if (deflateInit2(&z, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) std::exit(3);
    Bytes out(deflateBound(&z, raw.size()) + 64);
    z.next_in = const_cast<uint8_t*>(raw.data());
    z.avail_in = static_cast<uInt>(raw.size());
    z.next_out = out.data();
    z.avail_out = static_cast<uInt>(out.size());
    if (::deflate(&z, Z_FULL_FLUSH) != Z_OK || z.avail_in != 0) std::exit(3);
    out.resize(z.total_out);
    deflateEnd(&z);
    return out;
}
