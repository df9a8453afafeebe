// Constants of the checksums, shared by every file of this stage. The Java side (ChecksumKernels) states the same
// values; the launcher compares both when it loads the module (see the exports at the end of checksum.cu).
#pragma once

#include <cstdint>

#include "../common/layout.cuh"

namespace warpcodec::checksum {

/// Raised whenever an entry point's arguments, their order, or the meaning of a table changes.
constexpr uint32_t ABI = 3;

/// CRC-32 of RFC 1952 section 8 in reflected form: bit 31 is the coefficient of x^0, bit 0 that of x^31; x^32 is
/// implied.
constexpr uint32_t CRC32_POLYNOMIAL = 0xEDB88320u;

/// A CRC register starts as all ones and is inverted at the end.
constexpr uint32_t CRC32_INITIAL = 0xFFFFFFFFu;
constexpr uint32_t CRC32_FINAL_XOR = 0xFFFFFFFFu;

/// One chunk of a batch, in wire order of the table that the host uploads: three little-endian 64-bit words. The
/// table has one entry more than there are chunks; in the last one only `row_start` (the number of rows of the whole
/// batch) means anything.
struct ChunkEntry {
    uint64_t row_start;  ///< rows of all chunks before this one (see checksum_crc32.cuh for what a row is)
    uint64_t offset_bytes;  ///< first byte of the chunk, from the start of the input
    uint64_t length_bytes;  ///< may be zero

    /// Loads an entry that no kernel writes.
    static __device__ __forceinline__ ChunkEntry load(const ChunkEntry* entry) {
        return ChunkEntry{__ldg(&entry->row_start), __ldg(&entry->offset_bytes), __ldg(&entry->length_bytes)};
    }
};
static_assert(sizeof(ChunkEntry) == 24, "the host writes entries of 24 bytes");

/// One content of a batch for XXH32, as the host uploads it, little-endian.
struct ContentEntry {
    uint64_t offset_bytes;  ///< first byte, from the start of the input
    uint32_t length_bytes;  ///< may be zero
    uint32_t seed;

    /// Loads an entry that no kernel writes.
    static __device__ __forceinline__ ContentEntry load(const ContentEntry* entry) {
        return ContentEntry{__ldg(&entry->offset_bytes), __ldg(&entry->length_bytes), __ldg(&entry->seed)};
    }
};
static_assert(sizeof(ContentEntry) == 16, "the host writes entries of 16 bytes");

/// A batch for CRC-32, as the kernel takes it.
struct ChunkBatch {
    const uint8_t* input;
    uint64_t input_bytes;
    const ChunkEntry* chunks;
    uint64_t rows_per_warp;
    uint32_t* crc32;
    uint32_t chunk_count;
};
constexpr Layout CHUNK_BATCH_LAYOUT = Layout()
                                          .WARPCODEC_FIELD(ChunkBatch, input)
                                          .WARPCODEC_FIELD(ChunkBatch, input_bytes)
                                          .WARPCODEC_FIELD(ChunkBatch, chunks)
                                          .WARPCODEC_FIELD(ChunkBatch, rows_per_warp)
                                          .WARPCODEC_FIELD(ChunkBatch, crc32)
                                          .WARPCODEC_FIELD(ChunkBatch, chunk_count);
static_assert(CHUNK_BATCH_LAYOUT.is_of<ChunkBatch>() && sizeof(ChunkBatch) == 48, "the host sets these fields");

/// A batch for XXH32 or XXH64, as the kernels take it.
struct ContentBatch {
    const uint8_t* input;
    uint64_t input_bytes;
    const ContentEntry* contents;
    uint32_t* hashes;
    uint32_t content_count;
};
constexpr Layout CONTENT_BATCH_LAYOUT = Layout()
                                            .WARPCODEC_FIELD(ContentBatch, input)
                                            .WARPCODEC_FIELD(ContentBatch, input_bytes)
                                            .WARPCODEC_FIELD(ContentBatch, contents)
                                            .WARPCODEC_FIELD(ContentBatch, hashes)
                                            .WARPCODEC_FIELD(ContentBatch, content_count);
static_assert(CONTENT_BATCH_LAYOUT.is_of<ContentBatch>() && sizeof(ContentBatch) == 40, "the host sets these fields");

}  // namespace warpcodec::checksum
