// The order of a frame's rotations: what it is, and the arguments of its kernels. The Java side (SuffixArrayKernels)
// states the same values (see the exports at the end of suffixarray.cu).
//
// The sort is the forward transform of bwt_encode in a shape for frames. Rotations that share CUT bytes are not told
// apart: they keep the order of their places, the earlier first. A group's bytes in common are counted, whole symbols
// of its key at first; each round adds those of the group whose ranks it sorts by. A group ends when it has CUT. So no
// group takes more than MAX_ROUNDS rounds, and rotations are told apart by more than CUT bytes where a round knows
// them.
//
// One exception: where the bytes that two rotations share reach over the frame's end, the later place may come first.
// The rotations behind those bytes are then in the order of their own places, one of them at the begin of the frame.
#pragma once

#include "../bwt_encode/bwt_encode_format.cuh"

namespace warpcodec::suffixarray {

using namespace bwt_encode;

/// Raised whenever an entry point's arguments, their order, or the meaning of a table changes.
constexpr uint32_t ABI = 1;

/// Windows of 512 places: a rank of 23 bits leaves 9 of a word of 32 for the index of a group's member.
struct SmallWindows {
    static constexpr int CTA_THREADS = 128;
    static constexpr int CTAS_PER_MULTIPROCESSOR = resident_ctas(CTA_THREADS, 12);
    static constexpr int WINDOW = 512;
    static constexpr int MAX_GROUP = 512;
    static constexpr int RUN = 32;
};

/// Digits of all sorts.
constexpr int DIGIT_BITS = 8;

struct FrameLimits {
    /// One more than places need: the 40 bits above are five passes of 8 bits, and a digit's keys are written 128 bytes
    /// side by side. With digits of 9 bits they would be 64.
    static constexpr int POSITION_BITS = 24;
    static constexpr uint32_t MAX_BYTES = 8u << 20;
    /// Bytes by which rotations are told apart at least.
    static constexpr uint32_t CUT = 192;
    static constexpr int WIDE_DIGIT_BITS = DIGIT_BITS, NARROW_DIGIT_BITS = DIGIT_BITS;
    static constexpr bool KNOWS_SYMBOLS = true;
    using Refine = SmallWindows;
};

using FrameShape = ShapeOf<FrameLimits>;
static_assert(FrameShape::MAX_ROUNDS == 6, "3 bytes are known before the first round, and 192 behind the sixth");

/// No two rotations are told apart by more bytes: a group that is sorted shares less than CUT, and the ranks behind
/// these bytes are those of the round before.
constexpr uint32_t MOST_COMPARED_BYTES = (FrameShape::MAX_ROUNDS + 1) * FrameShape::CUT;

/// Frames of a batch, as all kernels but those of the sort take them.
struct OrderBatch {
    BwtBatch frames;  ///< its blocks; there is no column
    uint32_t* order;  ///< text_bytes words
};
constexpr Layout ORDER_BATCH_LAYOUT = BWT_BATCH_LAYOUT.WARPCODEC_FIELD(OrderBatch, order);
static_assert(offsetof(OrderBatch, frames) == 0 && ORDER_BATCH_LAYOUT.is_of<OrderBatch>(),
              "the host sets these fields");

}  // namespace warpcodec::suffixarray
