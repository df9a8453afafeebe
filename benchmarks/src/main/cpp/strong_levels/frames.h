// Frames of libzstd: its own, and those of given sequences. Both are decoded again.
#pragma once

#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "prices.h"

namespace strong_levels {

constexpr int BEST_LEVEL = 19;  ///< by which libzstd chooses tables for sequences
constexpr int WINDOW_LOG = 23;

inline void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "%s\n", what);
    std::exit(1);
}

inline size_t decoded_size(const std::vector<uint8_t>& frame, size_t bytes, const uint8_t* text, uint32_t count) {
    std::vector<uint8_t> back(count);
    const size_t decoded = ZSTD_decompress(back.data(), count, frame.data(), bytes);
    require(decoded == count && std::memcmp(back.data(), text, count) == 0, "a frame decodes to something else");
    return bytes;
}

/// Bytes of the frame that libzstd makes.
inline size_t stock_bytes(const uint8_t* text, uint32_t count, int level) {
    std::vector<uint8_t> frame(ZSTD_compressBound(count));
    const size_t bytes = ZSTD_compress(frame.data(), frame.size(), text, count, level);
    require(!ZSTD_isError(bytes), "libzstd fails");
    return decoded_size(frame, bytes, text, count);
}

/// Bytes of the frame that has these sequences, block by block. The last one of a block has no match.
inline size_t encoded_bytes(const uint8_t* text, uint32_t count, const std::vector<std::vector<Sequence>>& blocks) {
    std::vector<ZSTD_Sequence> sequences;
    for (const auto& block : blocks) {
        for (const Sequence& each : block) sequences.push_back({each.offset, each.literals, each.match, 0});
    }
    ZSTD_CCtx* context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, BEST_LEVEL);
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, WINDOW_LOG);
    ZSTD_CCtx_setParameter(context, ZSTD_c_minMatch, 3);
    ZSTD_CCtx_setParameter(context, ZSTD_c_blockDelimiters, ZSTD_sf_explicitBlockDelimiters);
    std::vector<uint8_t> frame(ZSTD_compressBound(count));
    const size_t bytes =
        ZSTD_compressSequences(context, frame.data(), frame.size(), sequences.data(), sequences.size(), text, count);
    ZSTD_freeCCtx(context);
    require(!ZSTD_isError(bytes), "libzstd does not take the sequences");
    return decoded_size(frame, bytes, text, count);
}

}  // namespace strong_levels
