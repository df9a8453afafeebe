// Numbers of DEFLATE, RFC 1951; section numbers below are of that document, and so are the names BFINAL, BTYPE, LEN,
// NLEN, HLIT, HDIST and HCLEN.
//
// The RFC's "code length codes", the prefix code in which a dynamic header gives the lengths of the other two, are
// the precode here.
#pragma once

#include <cstdint>

namespace warpcodec::deflate {

/// Section 3.2.3: how a block begins.
constexpr uint32_t BFINAL_BITS = 1;
constexpr uint32_t BTYPE_BITS = 2;
constexpr uint32_t BLOCK_HEADER_BITS = BFINAL_BITS + BTYPE_BITS;
constexpr uint32_t BTYPE_STORED = 0;
constexpr uint32_t BTYPE_FIXED = 1;
constexpr uint32_t BTYPE_DYNAMIC = 2;

/// Section 3.2.4: at the next byte a stored block has LEN and its complement NLEN.
constexpr uint32_t LEN_BITS = 16;
constexpr uint32_t NLEN_BITS = 16;
constexpr uint32_t MAX_STORED_BYTES = (1u << LEN_BITS) - 1;
static_assert(LEN_BITS == NLEN_BITS && MAX_STORED_BYTES == 65535);

/// Section 3.2.5: 256 literals, the end of the block, 29 length symbols; 30 distance symbols.
constexpr uint32_t END_OF_BLOCK = 256;
constexpr uint32_t FIRST_LENGTH_SYMBOL = END_OF_BLOCK + 1;
constexpr uint32_t LAST_LENGTH_SYMBOL = 285;
constexpr uint32_t LITERAL_SYMBOLS = LAST_LENGTH_SYMBOL + 1;
constexpr uint32_t DISTANCE_SYMBOLS = 30;
constexpr uint32_t MIN_MATCH_BYTES = 3;
constexpr uint32_t MAX_MATCH_BYTES = 258;
constexpr uint32_t MAX_DISTANCE_BYTES = 32768;
constexpr uint32_t MAX_LENGTH_EXTRA_BITS = 5;
constexpr uint32_t MAX_DISTANCE_EXTRA_BITS = 13;
static_assert(MAX_MATCH_BYTES - MIN_MATCH_BYTES == 255, "a length less the shortest is a byte");
static_assert((LAST_LENGTH_SYMBOL - 1 - FIRST_LENGTH_SYMBOL) / 4 - 1 == MAX_LENGTH_EXTRA_BITS,
              "four symbols for each number of extra bits, from the eighth on");
static_assert((DISTANCE_SYMBOLS - 1) / 2 - 1 == MAX_DISTANCE_EXTRA_BITS,
              "two symbols for each number of extra bits, from the second on");
static_assert((2 + (DISTANCE_SYMBOLS - 1) % 2 + 1) << MAX_DISTANCE_EXTRA_BITS == MAX_DISTANCE_BYTES,
              "the last symbol's distances end with the longest");

/// Section 3.2.7: no code of a block has longer words.
constexpr uint32_t MAX_CODE_LENGTH = 15;

/// Section 3.2.6: codes of the fixed alphabets, whose last ones stand for nothing, and their lengths.
constexpr int FIXED_LITERAL_CODES = 288;
constexpr int FIXED_DISTANCE_CODES = 32;
constexpr int FIXED_DISTANCE_BITS = 5;
static_assert(FIXED_DISTANCE_CODES == 1 << FIXED_DISTANCE_BITS);
constexpr int FIXED_NINE_BITS_FROM = 144;  ///< symbols before it have 8 bits
constexpr int FIXED_SEVEN_BITS_FROM = 256;
constexpr int FIXED_EIGHT_BITS_FROM = 280;
static_assert(2 * FIXED_NINE_BITS_FROM + (FIXED_SEVEN_BITS_FROM - FIXED_NINE_BITS_FROM) +
                      4 * (FIXED_EIGHT_BITS_FROM - FIXED_SEVEN_BITS_FROM) +
                      2 * (FIXED_LITERAL_CODES - FIXED_EIGHT_BITS_FROM) ==
                  1 << 9,
              "the fixed code is complete");

/// Section 3.2.7: how a dynamic block goes on behind BTYPE. HLIT + 257 literal/length codes, at most 286; HDIST + 1
/// distance codes, at most 30, since no more have a meaning; lengths of HCLEN + 4 codes of the precode.
constexpr uint32_t HLIT_BITS = 5;
constexpr uint32_t HDIST_BITS = 5;
constexpr uint32_t HCLEN_BITS = 4;
constexpr uint32_t HLIT_AT = BLOCK_HEADER_BITS;  ///< from the block's first bit
constexpr uint32_t HDIST_AT = HLIT_AT + HLIT_BITS;
constexpr uint32_t HCLEN_AT = HDIST_AT + HDIST_BITS;
constexpr uint32_t COUNT_BITS = HLIT_BITS + HDIST_BITS + HCLEN_BITS;
constexpr uint32_t MIN_LITERAL_CODES = 257;
constexpr uint32_t MAX_LITERAL_CODES = 286;
constexpr uint32_t MIN_DISTANCE_CODES = 1;
constexpr uint32_t MAX_DISTANCE_CODES = 30;
constexpr uint32_t MIN_PRECODE_CODES = 4;
constexpr uint32_t PRECODE_SYMBOLS = 19;
constexpr uint32_t PRECODE_LENGTH_BITS = 3;
constexpr uint32_t MAX_PRECODE_LENGTH = (1u << PRECODE_LENGTH_BITS) - 1;
static_assert(MIN_LITERAL_CODES == END_OF_BLOCK + 1 && MAX_LITERAL_CODES == LITERAL_SYMBOLS &&
              MAX_DISTANCE_CODES == DISTANCE_SYMBOLS);
static_assert(MIN_LITERAL_CODES + (1 << HLIT_BITS) - 1 == uint32_t{FIXED_LITERAL_CODES},
              "HLIT could say as many as the fixed alphabet has");
static_assert(MIN_DISTANCE_CODES + (1 << HDIST_BITS) - 1 == uint32_t{FIXED_DISTANCE_CODES}, "and so could HDIST");
static_assert(MIN_PRECODE_CODES + (1u << HCLEN_BITS) - 1 == PRECODE_SYMBOLS, "HCLEN says none too many");

/// The precode's symbols: up to 15 a length itself, then repetitions, of so many times at least and as many more as
/// the bits behind the word say.
constexpr uint32_t REPEAT_PREVIOUS = MAX_CODE_LENGTH + 1;
constexpr uint32_t REPEAT_PREVIOUS_BITS = 2;
constexpr uint32_t REPEAT_ZERO = REPEAT_PREVIOUS + 1;
constexpr uint32_t REPEAT_ZERO_BITS = 3;
constexpr uint32_t REPEAT_LEAST = 3;
constexpr uint32_t REPEAT_ZERO_LONG = REPEAT_ZERO + 1;
constexpr uint32_t REPEAT_ZERO_LONG_BITS = 7;
constexpr uint32_t REPEAT_ZERO_LONG_LEAST = 11;
static_assert(REPEAT_ZERO_LONG + 1 == PRECODE_SYMBOLS);
static_assert(REPEAT_LEAST + (1u << REPEAT_ZERO_BITS) == REPEAT_ZERO_LONG_LEAST,
              "the longer repetition begins where the shorter one ends");

/// The longest token: a length and a distance.
constexpr uint32_t MAX_TOKEN_BITS = MAX_CODE_LENGTH + MAX_LENGTH_EXTRA_BITS + MAX_CODE_LENGTH + MAX_DISTANCE_EXTRA_BITS;
static_assert(MAX_TOKEN_BITS == 48);

/// The longest header of a block.
constexpr uint32_t MAX_HEADER_BITS = BLOCK_HEADER_BITS + COUNT_BITS + PRECODE_SYMBOLS * PRECODE_LENGTH_BITS +
                                     (MAX_LITERAL_CODES + MAX_DISTANCE_CODES) * MAX_PRECODE_LENGTH;
static_assert(MAX_HEADER_BITS == 2286);

}  // namespace warpcodec::deflate
