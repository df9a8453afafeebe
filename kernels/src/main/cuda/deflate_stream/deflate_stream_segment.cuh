// What is known of a segment of one DEFLATE stream while it is decoded, in five kernels; the host decides between
// them what comes next.
//
// 1. Codes.        A warp for each block, or what may be one, makes its tables and keeps them
//                  (deflate_stream_read.cuh, as the next two).
// 2. Synchronise.  A block's bits up to its reach, where the next block that is known begins, are cut into pieces of
//                  32 parts; a warp for each piece finds where tokens begin, without knowing where the piece before
//                  it ends.
// 3. Stitch.       A warp for each block follows its pieces to the block's end, and reads again those that were
//                  guessed wrong.
//    Now the host follows the blocks, which it can since it has the stream too: stored blocks and those that are none
//    are found out here. It gives each piece of a true block, and each stretch of stored bytes, its place in the
//    output: a run.
// 4. Sources.      A warp for each run writes for each byte where it comes from: a value, or a place in front of the
//                  run (deflate_stream_write.cuh, as the next).
// 5. Produce.      Each byte follows the sources from run to run until it comes to a value, and is that.
//
// Positions are in bits from the first byte of the input, which is aligned. Places are bytes of the output; in front
// of the segment's own lie MAX_DISTANCE_BYTES for the bytes before it, which are a run of stored bytes in the input.
//
// Whatever the stream holds, and whatever the host writes, no kernel reads or writes outside its buffers: a position
// is clamped where it is read, and a place is checked where it is written. None waits for another, and each ends: a
// piece is read twice at most, and a stitch gives up after MAX_STITCH_READS.
#pragma once

#include <cstdint>

#include "../common/layout.cuh"
#include "../common/warp.cuh"
#include "../deflate/deflate_tokens.cuh"
#include "deflate_stream_policy.cuh"

namespace warpcodec::deflate_stream {

using namespace deflate;

constexpr uint32_t SEGMENT_PIECE_BITS = WARP_LANES * SegmentPolicy::PART_BITS;
/// So many bits before the end of the input a block's reach ends at the latest: a token that begins before that is
/// whole.
constexpr uint32_t SEGMENT_MARGIN_BITS = MAX_TOKEN_BITS;
/// Pieces of one block that a stitch reads again.
constexpr uint32_t MAX_STITCH_READS = 256;

/// A block, or what may be one, as the host uploads it: little-endian, 24 bytes.
struct SegmentBlock {
    uint32_t header_bit;  ///< of BFINAL
    uint32_t token_bit;  ///< of a token of it, where reading begins; 0 for its first
    uint32_t limit_bit;  ///< a token that begins here or later is not looked at
    uint32_t first_piece;  ///< pieces are numbered through the table
    uint32_t piece_count;
    uint32_t reserved;
};
static_assert(sizeof(SegmentBlock) == 24, "the host writes blocks of 24 bytes");

/// How a block, or a piece, was left.
enum SegmentEnding : uint32_t {
    SEGMENT_OPEN,  ///< at its limit: a token begins at or behind it
    SEGMENT_ENDED,  ///< behind the end of the block
    SEGMENT_BAD,  ///< no token there, or no header
    SEGMENT_IDLE,  ///< a piece in which nothing is
    SEGMENT_GIVEN_UP,  ///< a token begins there; there was too much to read again
};

/// What is known of a block, 16 bytes.
struct SegmentBlockNote {
    uint32_t token_bit;
    uint32_t end_bit;
    uint32_t ending;
    uint32_t piece_count;  ///< how many pieces lie between the two
};
static_assert(sizeof(SegmentBlockNote) == 16, "the host reads notes of 16 bytes");

/// What is known of a piece, 16 bytes.
struct SegmentPieceNote {
    uint32_t start_bit;  ///< of its first token
    uint32_t end_bit;  ///< behind its last token
    uint32_t bytes;  ///< that its tokens stand for
    uint32_t ending;  ///< in bits 0 to 7; the last lane whose part counts from bit 8 on
};
static_assert(sizeof(SegmentPieceNote) == 16, "the host reads notes of 16 bytes");

/// What is known of a part, 16 bytes.
struct alignas(16) SegmentPart {
    uint32_t start_bit;  ///< of its first token
    uint32_t offset;  ///< bytes that the parts before it in the piece stand for
    uint32_t count;  ///< of tokens; 0 where none counts
    uint32_t bytes;  ///< that they stand for
};
static_assert(sizeof(SegmentPart) == 16, "the host reserves 16 bytes for each");

/// A piece, or stored bytes, and their place: as the host uploads it, little-endian, 16 bytes.
struct SegmentRun {
    uint32_t place;
    uint32_t bytes;
    uint32_t from;  ///< number of the piece, or of the first byte in the input
    uint32_t block;  ///< or STORED_RUN
};
static_assert(sizeof(SegmentRun) == 16, "the host writes runs of 16 bytes");
constexpr uint32_t STORED_RUN = 0xFFFFFFFFu;

/// A block's codes as they are kept.
struct alignas(16) SegmentTables {
    BlockTables codes;
};
static_assert(sizeof(SegmentTables) % 16 == 0);

/// Device memory of a segment. All of it is aligned to 16 bytes.
struct Segment {
    const uint8_t* input;
    uint32_t input_bytes;  ///< more than 0, at most MAX_FIND_BYTES
    uint32_t block_count;
    uint32_t piece_count;
    const SegmentBlock* blocks;
    SegmentTables* tables;
    SegmentBlockNote* block_notes;
    SegmentPieceNote* piece_notes;
    SegmentPart* parts;  ///< 32 for each piece

    __device__ __forceinline__ bool is_sound(const SegmentBlock& block) const {
        const uint32_t end = 8 * input_bytes;
        return block.header_bit < end && block.token_bit <= end && block.limit_bit <= end &&
               block.first_piece <= piece_count && block.piece_count <= piece_count - block.first_piece;
    }
};
constexpr Layout SEGMENT_LAYOUT = Layout()
                                      .WARPCODEC_FIELD(Segment, input)
                                      .WARPCODEC_FIELD(Segment, input_bytes)
                                      .WARPCODEC_FIELD(Segment, block_count)
                                      .WARPCODEC_FIELD(Segment, piece_count)
                                      .WARPCODEC_FIELD(Segment, blocks)
                                      .WARPCODEC_FIELD(Segment, tables)
                                      .WARPCODEC_FIELD(Segment, block_notes)
                                      .WARPCODEC_FIELD(Segment, piece_notes)
                                      .WARPCODEC_FIELD(Segment, parts);
static_assert(SEGMENT_LAYOUT.is_of<Segment>() && sizeof(Segment) == 64, "the host sets these fields");

/// A segment, and what is to be read of it, as kernels take it.
struct SegmentReading {
    Segment segment;
    uint32_t first_block;
    uint32_t first_piece;  ///< of that block
};
constexpr Layout SEGMENT_READING_LAYOUT =
    SEGMENT_LAYOUT.WARPCODEC_FIELD(SegmentReading, first_block).WARPCODEC_FIELD(SegmentReading, first_piece);
static_assert(SEGMENT_READING_LAYOUT.is_of<SegmentReading>() && sizeof(SegmentReading) == 72,
              "the host sets these fields");

/// Copies a block's codes, all lanes together.
__device__ __forceinline__ void warp_copy_tables(SegmentTables& to, const SegmentTables& from, int lane) {
    constexpr uint32_t ROWS = sizeof(SegmentTables) / sizeof(uint4);
    for (uint32_t row = lane; row < ROWS; row += WARP_LANES)
        reinterpret_cast<uint4*>(&to)[row] = reinterpret_cast<const uint4*>(&from)[row];
    __syncwarp();
}

}  // namespace warpcodec::deflate_stream
