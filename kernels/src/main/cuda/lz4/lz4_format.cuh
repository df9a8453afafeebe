// Constants of the LZ4 block format. The Java side (Lz4Kernels) states the same values; the launcher compares both
// when it loads the module (see the exports at the end of lz4.cu).
#pragma once

#include <cstdint>

namespace warpcodec::lz4 {

/// Raised whenever an entry point's arguments, their order, or the meaning of a table changes.
constexpr uint32_t ABI = 5;

/// A sequence: token (literal length in the high nibble, match length less MIN_MATCH in the low one), more length
/// bytes if a nibble is NIBBLE_MAX, the literals, a little-endian 16-bit offset, more match length bytes. The last
/// sequence of a block ends with its literals.
constexpr uint32_t MIN_MATCH = 4;
constexpr uint32_t NIBBLE_MAX = 15;
/// A length goes on as long as its bytes have this value.
constexpr uint32_t LENGTH_CONTINUES = 255;
/// No sequence but the last is shorter than this: a token and an offset.
constexpr uint32_t MIN_SEQUENCE_BYTES = 3;
/// End of block: the last sequence is literals only, at least LAST_LITERALS of them, and the last match begins at
/// least LAST_MATCH_DISTANCE before the end. Encoders keep to it and liblz4 refuses blocks that do not, measured at
/// the end of its output capacity; so do we.
constexpr uint32_t LAST_LITERALS = 5;
constexpr uint32_t LAST_MATCH_DISTANCE = 12;
/// Hence so many bytes of input follow every match: a token and the literals.
constexpr uint32_t LAST_SEQUENCE_BYTES = 1 + LAST_LITERALS;

/// The largest LZ4 block that any frame allows, and the most bytes that the format needs for one; longer ones are
/// refused.
constexpr uint32_t MAX_OUTPUT_BYTES = 4u << 20;
constexpr uint32_t MAX_INPUT_BYTES = MAX_OUTPUT_BYTES + MAX_OUTPUT_BYTES / 255 + 16;

/// The largest block of legacy frames, and the most bytes that the format needs for one.
constexpr uint32_t MAX_LONG_OUTPUT_BYTES = 8u << 20;
constexpr uint32_t MAX_LONG_INPUT_BYTES = MAX_LONG_OUTPUT_BYTES + MAX_LONG_OUTPUT_BYTES / 255 + 16;

}  // namespace warpcodec::lz4
