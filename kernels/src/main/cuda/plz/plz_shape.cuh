// Values of a strong level's stages that have to fit each other.
#pragma once

#include "plz_text.cuh"

namespace warpcodec::plz {

struct StrongShape {
    static constexpr uint32_t ORDER_CUT = 192;  ///< bytes by which places are ordered
    static constexpr uint32_t CHUNK_BYTES = 4096;  ///< of long frames
    static constexpr uint32_t LEAST_CHUNK_BYTES = CHUNK_BYTES >> MOST_HALVINGS;
    static constexpr uint32_t UNIT_CHUNKS = UNIT_BYTES / CHUNK_BYTES;
    static constexpr uint32_t MOST_UNIT_CHUNKS = UNIT_BYTES / LEAST_CHUNK_BYTES;
    // a frame's first prices come from a piece of each stride
    static constexpr uint32_t SAMPLE_BYTES = 256;
    static constexpr uint32_t SAMPLE_STRIDE = 32u << 10;  ///< of long frames, halved as chunks are
    static constexpr uint32_t SAMPLE_ROUNDS = 2;
    /// Samples are parsed once with all candidates and once with near ones, for prices of either.
    static constexpr uint32_t SAMPLE_TURNS = 2;
    static constexpr uint32_t NEAR_OFFSET = 1024;
    // a unit's prices come from a parse of the end of each chunk
    static constexpr uint32_t CHUNK_DRAFTS = 4;  ///< which would fill a chunk
    // of the parse: columns lie by groups, however many lanes a chunk has
    static constexpr uint32_t LANES = 4, WARPS = 4;
    static constexpr uint32_t GROUP_CHUNKS = WARP_LANES / LANES;
    static constexpr uint32_t CTA_CHUNKS = WARPS * GROUP_CHUNKS;
    static constexpr uint32_t PARSE_THREADS = WARPS * WARP_LANES;
    static constexpr uint32_t PARSE_UNITS = CTA_CHUNKS / UNIT_CHUNKS;
    // of the parse of few chunks
    static constexpr uint32_t WIDE_LANES = 16;
    static constexpr uint32_t WIDE_CTA_CHUNKS = WARPS * WARP_LANES / WIDE_LANES;

    static_assert(CTA_CHUNKS % UNIT_CHUNKS == 0 && UNIT_CHUNKS % GROUP_CHUNKS == 0);
    static_assert(UNIT_CHUNKS % WIDE_CTA_CHUNKS == 0, "chunks of a wide cta are of one unit");
    static_assert(UNIT_BYTES % SAMPLE_STRIDE == 0 && SAMPLE_STRIDE % CHUNK_BYTES == 0 && SAMPLE_BYTES % 4 == 0 &&
                      SAMPLE_BYTES <= LEAST_CHUNK_BYTES,
                  "a sample ends with its chunk, and lies in one unit");
    static_assert(SAMPLE_TURNS * GROUP_CHUNKS * SAMPLE_BYTES <= UNIT_BYTES &&
                      SAMPLE_TURNS * SAMPLE_BYTES <= SAMPLE_STRIDE >> MOST_HALVINGS,
                  "steps of all turns lie in a group's columns, of which a batch has a unit's at least");
    static_assert(SAMPLE_TURNS * parts_of(UNIT_BYTES / SAMPLE_STRIDE << MOST_HALVINGS, GROUP_CHUNKS) * GROUP_CHUNKS <=
                      UNIT_CHUNKS,
                  "chunks of all turns are no more than a unit has");
    static_assert(LEAST_CHUNK_BYTES % (4 * CHUNK_DRAFTS) == 0, "a draft is a chunk's end, from a multiple of four on");
    static_assert(WARP_LANES % UNIT_CHUNKS == 0, "chunks whose lanes sum up are whole rows");
};

}  // namespace warpcodec::plz
