// Constants of DEFLATE, RFC 1951; section numbers below are of that document.
#pragma once

#include <cstdint>

namespace warpcodec::deflate {

/// Section 3.2.3.
constexpr uint32_t BLOCK_STORED = 0;
constexpr uint32_t BLOCK_FIXED = 1;
constexpr uint32_t BLOCK_DYNAMIC = 2;
constexpr uint32_t BLOCK_HEADER_BITS = 3;

constexpr uint32_t END_OF_BLOCK = 256;
constexpr uint32_t FIRST_LENGTH_SYMBOL = 257;
constexpr uint32_t LAST_LENGTH_SYMBOL = 285;
constexpr uint32_t MIN_MATCH_BYTES = 3;
constexpr uint32_t MAX_MATCH_BYTES = 258;
constexpr uint32_t MAX_DISTANCE_BYTES = 32768;
constexpr uint32_t DISTANCE_SYMBOLS = 30;

/// Section 3.2.7. HLIT and HDIST have 5 bits each, but larger codes than these do not exist.
constexpr uint32_t MAX_LITERAL_CODES = 286;
constexpr uint32_t MAX_DISTANCE_CODES = 30;
constexpr uint32_t PRECODE_SYMBOLS = 19;
constexpr uint32_t PRECODE_LENGTH_BITS = 3;

/// A token is a literal of up to 15 bits, or a length of up to 15 + 5 and a distance of up to 15 + 13.
constexpr uint32_t MAX_TOKEN_BITS = 48;

}  // namespace warpcodec::deflate
