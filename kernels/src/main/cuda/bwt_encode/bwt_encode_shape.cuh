// What texts a transform is made for, and what follows from that.
//
// A shape is the first template argument of all that depends on it: bzip2's blocks have one, and others may have their
// own. The tables (bwt_encode_format.cuh) are the same for all.
#pragma once

#include "../sort/sort_format.cuh"
#include "bwt_encode_policy.cuh"

namespace warpcodec::bwt_encode {

/// Bits of the longest word of an alphabetic code.
constexpr int MAX_CODE_BITS = 12;

/// Bits that tell so many values apart.
constexpr int bits_of(uint32_t values) {
    int bits = 0;
    while (uint64_t{1} << bits < values) ++bits;
    return bits;
}

/// bzip2's blocks, the largest of which has 900,000 bytes.
struct BlockLimits {
    /// Bits of a position, the lowest of a key; words of a code have those above.
    static constexpr int POSITION_BITS = 20;
    static constexpr uint32_t MAX_BYTES = 900000;
    /// Rotations that share so many symbols are not told apart: they stay in the order of their positions.
    static constexpr uint32_t CUT = MAX_BYTES;
    /// Digits of the first sort, and of those of large groups.
    static constexpr int WIDE_DIGIT_BITS = sort::WIDE_DIGIT_BITS, NARROW_DIGIT_BITS = sort::NARROW_DIGIT_BITS;
    /// Whether a kernel before that of the codes has found the symbols that a block uses: each cta that makes codes
    /// would have to go through all of the block.
    static constexpr bool KNOWS_SYMBOLS = false;
    using Refine = RefinePolicy;
};

template <typename Limits>
struct ShapeOf : Limits {
    using Refine = typename Limits::Refine;

    static constexpr uint32_t POSITION_MASK = (1u << Limits::POSITION_BITS) - 1;
    static_assert(Limits::MAX_BYTES - 1 <= POSITION_MASK);
    /// What the first sort compares.
    static constexpr int KEY_BITS = 64 - Limits::POSITION_BITS;
    static constexpr int RANK_BITS = bits_of(Limits::MAX_BYTES);
    static_assert(RANK_BITS <= KEY_BITS, "a rank and a position fit in a key");

    static constexpr int passes(int bits, int digit_bits) { return (bits + digit_bits - 1) / digit_bits; }
    static constexpr int WIDE_PASSES = passes(KEY_BITS, Limits::WIDE_DIGIT_BITS),
                         NARROW_PASSES = passes(RANK_BITS, Limits::NARROW_DIGIT_BITS);
    static_assert(WIDE_PASSES % 2 == 1 && NARROW_PASSES % 2 == 1, "sorted keys lie in keys_b");

    /// Every round at least doubles the least number of symbols that a group shares. Before the first these are as many
    /// as a key has room for; behind the last all that are compared.
    static constexpr uint32_t LEAST_SHARED = KEY_BITS / MAX_CODE_BITS;
    static_assert(LEAST_SHARED > 0);
    static constexpr uint32_t rounds_to(uint32_t symbols) {
        uint32_t rounds = 0;
        while (uint64_t{LEAST_SHARED} << rounds < symbols) ++rounds;
        return rounds;
    }
    static constexpr uint32_t MAX_ROUNDS = rounds_to(Limits::CUT);

    /// Windows of a tile; a window's groups may reach as far behind it as a group may be large.
    static constexpr uint32_t WINDOWS_PER_TILE = TILE_ROTATIONS / Refine::WINDOW;
    static_assert(WINDOWS_PER_TILE * Refine::WINDOW == TILE_ROTATIONS, "no window has places of two blocks");
    static constexpr int WINDOW_PLACES = Refine::WINDOW + Refine::MAX_GROUP;
    static_assert(Refine::MAX_GROUP == Refine::WINDOW,
                  "only a window's last group can be too large, and it ends in the next window");
    /// Of a group's member.
    static constexpr int INDEX_BITS = bits_of(Refine::MAX_GROUP);

    /// Large groups have more than MAX_GROUP places, so there are no more of them than this for each tile, and one more
    /// tile of theirs for each that they fill. Histograms are words for each digit of each such tile, and for each of
    /// the first sort.
    static constexpr uint32_t SEGMENTS_PER_TILE = (TILE_ROTATIONS + Refine::MAX_GROUP - 1) / Refine::MAX_GROUP;
    static constexpr uint32_t NARROW_WORDS_PER_TILE = (SEGMENTS_PER_TILE + 1) << Limits::NARROW_DIGIT_BITS,
                              WIDE_WORDS_PER_TILE = 1u << Limits::WIDE_DIGIT_BITS;
    static constexpr uint32_t HISTOGRAM_WORDS_PER_TILE =
        NARROW_WORDS_PER_TILE > WIDE_WORDS_PER_TILE ? NARROW_WORDS_PER_TILE : WIDE_WORDS_PER_TILE;

    /// How many symbols rotations of a text are compared by.
    __host__ __device__ static constexpr uint32_t compared_symbols(uint32_t text_bytes) {
        if constexpr (Limits::CUT >= Limits::MAX_BYTES) return text_bytes;
        else return text_bytes < Limits::CUT ? text_bytes : Limits::CUT;
    }
};

using BlockShape = ShapeOf<BlockLimits>;
static_assert(BlockShape::MAX_ROUNDS == 19);

}  // namespace warpcodec::bwt_encode
