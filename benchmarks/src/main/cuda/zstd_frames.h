// Frames of `.zst` files with what the host tells a device of their blocks (zstd_format.cuh), for benchmarks. Files are
// fresh from an encoder, and each frame has its content size. What is not expected ends the program.
#pragma once

#include <cstring>
#include <vector>

#include "zstd/zstd_format.cuh"
#include "zstd_blocks.h"

namespace zstd_frames {

using zstd_blocks::Bytes;
using zstd_blocks::require;

/// A frame behind its record.
struct Frame {
    Bytes input;
    uint32_t raw_bytes = 0;
};

/// Reads a compressed block's headers into its record. The last tree and tables are those of blocks `tree`, `tables`.
inline void read_sections(const uint8_t* block, uint32_t number, uint16_t& tree, uint16_t tables[3],
                          warpcodec::zstd::BlockRecord& record) {
    using namespace warpcodec::zstd;
    const int type = block[0] & 3, format = block[0] >> 2 & 3;
    const uint32_t header = type < 2 ? (format == 1 ? 2 : format == 3 ? 3 : 1) : (format < 2 ? 3 : format + 2);
    uint64_t word = 0;
    for (uint32_t i = 0; i < header; ++i) word |= uint64_t{block[i]} << (8 * i);
    uint32_t bytes;
    if (type < 2) {
        record.literal_count = static_cast<uint32_t>(word >> (header == 1 ? 3 : 4));
        record.literal_kind = type == 0 ? LITERALS_RAW : LITERALS_ONE_BYTE;
        bytes = type == 0 ? record.literal_count : 1;
    } else {
        const int width = format < 2 ? 10 : format == 2 ? 14 : 18;
        record.literal_count = static_cast<uint32_t>(word >> 4) & ((1u << width) - 1);
        bytes = static_cast<uint32_t>(word >> (4 + width)) & ((1u << width) - 1);
        record.literal_kind = format == 0 ? LITERALS_ONE_STREAM : LITERALS_FOUR_STREAMS;
        if (type == 2) tree = static_cast<uint16_t>(number);
        record.tree_block = tree;
    }
    record.literals_at = header;
    record.literals_end = header + bytes;
    const uint8_t* at = block + header + bytes;
    uint32_t count = *at++;
    if (count == 255) {
        count = at[0] + (at[1] << 8) + 0x7F00;
        at += 2;
    } else if (count >= 128) {
        count = ((count - 128) << 8) + *at++;
    }
    record.sequence_count = count;
    if (count == 0) return;
    record.modes = *at++;
    record.tables_at = static_cast<uint32_t>(at - block);
    for (int kind = 0; kind < 3; ++kind) {
        if ((record.modes >> (6 - 2 * kind) & 3) != MODE_REPEATED) tables[kind] = static_cast<uint16_t>(number);
        record.table_block[kind] = tables[kind];
    }
}

/// The frame whose magic is at `at`, which becomes the place behind it.
inline Frame read_frame(const Bytes& file, size_t& at) {
    using namespace warpcodec::zstd;
    const size_t from = at;
    const uint8_t descriptor = file.at(at + 4);
    const int size_bytes = descriptor >> 6 == 0 ? descriptor >> 5 & 1 : 1 << (descriptor >> 6);
    require(size_bytes > 0 && (descriptor & 3) == 0, "no content size, or a dictionary");
    const bool has_window = (descriptor & 32) == 0;
    uint64_t window = 0, size = 0;
    at += 5;
    if (has_window) {
        const uint8_t byte = file.at(at++);
        window = (1ull << (10 + (byte >> 3))) / 8 * (8 + (byte & 7));
    }
    for (int i = 0; i < size_bytes; ++i) size |= uint64_t{file.at(at++)} << (8 * i);
    size += size_bytes == 2 ? 256 : 0;
    Record record{};
    record.content_bytes = static_cast<uint32_t>(size);
    record.max_block_bytes = static_cast<uint32_t>(std::min<uint64_t>(has_window ? window : size, MAX_BLOCK_BYTES));
    std::vector<BlockRecord> blocks;
    uint16_t tree = 0, tables[3] = {0, 0, 0};
    for (bool last = false; !last;) {
        const uint32_t header = file.at(at) | file.at(at + 1) << 8 | file.at(at + 2) << 16;
        at += 3;
        last = (header & 1) != 0;
        const uint32_t type = header >> 1 & 3, length = header >> 3;
        BlockRecord block{};
        block.at = static_cast<uint32_t>(at - from);
        block.bytes = type == 1 ? 1 : length;
        block.literals_end = block.bytes;
        block.literal_count = length;
        block.literal_kind = type == 1 ? LITERALS_ONE_BYTE : LITERALS_RAW;
        if (type == 2) read_sections(file.data() + at, static_cast<uint32_t>(blocks.size()), tree, tables, block);
        block.first_literal = record.literal_bytes;
        block.first_sequence = record.sequence_count;
        record.literal_bytes += block.literal_kind == LITERALS_RAW ? 0 : block.literal_count;
        record.sequence_count += block.sequence_count;
        blocks.push_back(block);
        at += block.bytes;
    }
    at += descriptor & 4 ? 4 : 0;
    record.block_count = static_cast<uint32_t>(blocks.size());
    record.record_bytes = RECORD_BYTES + record.block_count * BLOCK_RECORD_BYTES;
    Frame frame;
    frame.raw_bytes = record.content_bytes;
    frame.input.resize(record.record_bytes + (at - from));
    std::memcpy(frame.input.data(), &record, RECORD_BYTES);
    std::memcpy(frame.input.data() + RECORD_BYTES, blocks.data(), blocks.size() * BLOCK_RECORD_BYTES);
    std::memcpy(frame.input.data() + record.record_bytes, file.data() + from, at - from);
    return frame;
}

/// All frames of a file.
inline std::vector<Frame> read_frames(const Bytes& file) {
    std::vector<Frame> frames;
    for (size_t at = 0; at < file.size();) frames.push_back(read_frame(file, at));
    return frames;
}

}  // namespace zstd_frames
