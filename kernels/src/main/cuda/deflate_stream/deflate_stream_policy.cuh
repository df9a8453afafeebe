// Tuning values of the decoder of segments of one stream; nothing here changes a result. Reasons in
// docs/kernels/deflate-stream.md.
#pragma once

#include <cstdint>

#include "../deflate/deflate_policy.cuh"

namespace warpcodec::deflate_stream {

/// 11 KiB of shared memory; the 4 KiB of the table of sums are made once for each cta.
struct FindPolicy {
    static constexpr int CTA_THREADS = 256;
};

/// A segment of one stream, deflate_stream_segment.cuh.
struct SegmentPolicy : deflate::ReadPolicy {
    static constexpr uint32_t PART_BITS = 4 * PART_STEP_BITS;
    static constexpr int READ_CTA_THREADS = 128;
    static constexpr int STITCH_CTA_THREADS = 32;
    static constexpr int WRITE_CTA_THREADS = 64;
    static constexpr int PRODUCE_CTA_THREADS = 256;
    static constexpr int PRODUCE_PLACES = 8;
};

}  // namespace warpcodec::deflate_stream
