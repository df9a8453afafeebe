// Constants of the checksums, shared by every file of this stage. The Java side (ChecksumKernels) states the same values; the launcher
// compares both when it loads the module (see the exports at the end of checksum.cu).
#pragma once

#include <cstdint>

namespace warpcodec::checksum {

/// Raised whenever an entry point's arguments, their order, or the meaning of a table changes.
constexpr uint32_t ABI = 1;

/// CRC-32 of RFC 1952 section 8 in reflected form: bit 31 is the coefficient of x^0, bit 0 that of x^31; x^32 is implied.
constexpr uint32_t CRC32_POLYNOMIAL = 0xEDB88320u;

/// A CRC register starts as all ones and is inverted at the end.
constexpr uint32_t CRC32_INITIAL = 0xFFFFFFFFu;
constexpr uint32_t CRC32_FINAL_XOR = 0xFFFFFFFFu;

/// One chunk of a batch, in wire order of the table that the host uploads: three little-endian 64-bit words. The table has one entry more
/// than there are chunks; in the last one only `row_start` (the number of rows of the whole batch) means anything.
struct ChunkEntry {
    uint64_t row_start;      ///< rows of all chunks before this one (see checksum_crc32.cuh for what a row is)
    uint64_t offset_bytes;   ///< first byte of the chunk, from the start of the input
    uint64_t length_bytes;   ///< may be zero
};
static_assert(sizeof(ChunkEntry) == 24, "the host writes entries of 24 bytes");

/// One content of a batch for XXH32, as the host uploads it, little-endian.
struct ContentEntry {
    uint64_t offset_bytes;   ///< first byte, from the start of the input
    uint32_t length_bytes;   ///< may be zero
    uint32_t seed;
};
static_assert(sizeof(ContentEntry) == 16, "the host writes entries of 16 bytes");

}  // namespace warpcodec::checksum
