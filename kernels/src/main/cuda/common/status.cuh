// The status codes of all kernels: the only list of them. The Java side has the same list (BlockResult.Status), with
// the same names in the same order; each module whose kernels answer a status exports it (WARPCODEC_EXPORT_STATUSES),
// and its launcher compares both when it loads the module.
#pragma once

#include <cstdint>

namespace warpcodec {

/// What became of a block, a body or a stream.
enum Status : uint32_t {
    STATUS_SOUND = 0,  ///< decoded, or encoded
    STATUS_TRUNCATED = 1,  ///< the input ends within a sequence, a word or a block, or before one
    STATUS_OUTPUT_EXCEEDED = 2,  ///< more output than the limit
    STATUS_BAD_OFFSET = 3,  ///< a match offset of zero, or beyond all bytes before it; bzip2: a row beyond the text
    STATUS_BAD_ENTRY = 4,  ///< the table names bytes beyond the buffers, or too many
    STATUS_BAD_LENGTH = 5,  ///< not the number of bytes that the block promises
    STATUS_BAD_END = 6,  ///< a match too near the end of the input or of the output
    /// DEFLATE: a block type, a stored length or a header that does not exist; a stream of one code: lengths or bits
    /// that are none.
    STATUS_BAD_HEADER = 7,
    /// DEFLATE: bits that are no code, or a code that stands for nothing; a byte that is to be encoded and has no
    /// code.
    STATUS_BAD_SYMBOL = 8,
    STATUS_EXPANDS = 9,  ///< bzip2: the runs expand beyond the slot, which holds the text before they are expanded
    STATUS_BAD_CHECKSUM = 10,  ///< the checksum of the raw bytes is not the one in the container
    STATUS_COUNT,
};

/// A status word: the code in bits 0 to 7; from bit 8 on, for a defect, where in the block it is.
constexpr uint32_t STATUS_OFFSET_SHIFT = 8;
static_assert(STATUS_COUNT <= 1u << STATUS_OFFSET_SHIFT, "a code has 8 bits");

}  // namespace warpcodec

/// The constants by which a launcher checks the list: one for each code, named for the word of the module and the
/// code, and how many there are.
#define WARPCODEC_EXPORT_STATUSES(word)                                                    \
    extern "C" {                                                                           \
    __device__ uint32_t word##_status_sound = warpcodec::STATUS_SOUND;                     \
    __device__ uint32_t word##_status_truncated = warpcodec::STATUS_TRUNCATED;             \
    __device__ uint32_t word##_status_output_exceeded = warpcodec::STATUS_OUTPUT_EXCEEDED; \
    __device__ uint32_t word##_status_bad_offset = warpcodec::STATUS_BAD_OFFSET;           \
    __device__ uint32_t word##_status_bad_entry = warpcodec::STATUS_BAD_ENTRY;             \
    __device__ uint32_t word##_status_bad_length = warpcodec::STATUS_BAD_LENGTH;           \
    __device__ uint32_t word##_status_bad_end = warpcodec::STATUS_BAD_END;                 \
    __device__ uint32_t word##_status_bad_header = warpcodec::STATUS_BAD_HEADER;           \
    __device__ uint32_t word##_status_bad_symbol = warpcodec::STATUS_BAD_SYMBOL;           \
    __device__ uint32_t word##_status_expands = warpcodec::STATUS_EXPANDS;                 \
    __device__ uint32_t word##_status_bad_checksum = warpcodec::STATUS_BAD_CHECKSUM;       \
    __device__ uint32_t word##_status_count = warpcodec::STATUS_COUNT;                     \
    }
