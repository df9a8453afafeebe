// Constants of the Snappy block format. The Java side (SnappyKernels) states the same values; the launcher compares
// both when it loads the module (see the exports at the end of snappy.cu).
#pragma once

#include <cstdint>

namespace warpcodec::snappy {

/// Raised whenever an entry point's arguments, their order, or the meaning of a table changes.
constexpr uint32_t ABI = 4;

/// A block: its raw length as a varint of at most 5 bytes, then elements. The low two bits of an element's first byte
/// say what it is: a literal, or a copy whose offset has 11, 16 or 32 bits.
enum ElementKind : uint32_t { LITERAL = 0, COPY_11 = 1, COPY_16 = 2, COPY_32 = 3 };
/// No element is shorter than this: a literal of one byte, or a copy with an offset of 11 bits.
constexpr uint32_t MIN_ELEMENT_BYTES = 2;
/// A literal's length less one is in the upper six bits, or, from this value on, in the next 1, 2, 3 or 4 bytes.
constexpr uint32_t LITERAL_LENGTH_BYTES = 60;
/// The shortest copy with an offset of 11 bits.
constexpr uint32_t COPY_11_MIN = 4;
constexpr uint32_t COPY_11_MAX = 11;
constexpr uint32_t COPY_11_OFFSET_LIMIT = 1u << 11;
/// The longest copy with an offset of 16 or 32 bits.
constexpr uint32_t COPY_MAX = 64;
constexpr uint32_t MAX_LENGTH_BYTES = 5;

/// Longer blocks, which no encoder in use writes, are refused; the second is what snappy's encoder needs at most.
constexpr uint32_t MAX_OUTPUT_BYTES = 4u << 20;
constexpr uint32_t MAX_INPUT_BYTES = 32 + MAX_OUTPUT_BYTES + MAX_OUTPUT_BYTES / 6;

}  // namespace warpcodec::snappy
