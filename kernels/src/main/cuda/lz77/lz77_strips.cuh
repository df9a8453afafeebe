// Encodes a block with several warps of a cta: a strip each (lz77_encode.cuh), which are joined to one block.
//
// A warp takes a time to encode a byte that no other warp can shorten. So a block takes what its longest strip takes.
// Matches reach from a strip into those before it. So the warp first enters the places before its strip into its
// table, without looking for matches. That takes it about a sixth of what encoding them takes (two strips, a launch
// of 8 MB).
//
// Strips. The first warp writes straight to the block's output, the others to an area each of the batch's memory for
// strips. When all are done, each finds its place in the output. It lies behind what the strips before it have
// become, and behind the head and the literals of its own first match. These are known only now, since the strips
// before it may have left over literals: those behind their last match. Each warp copies its own strip there. What
// the last strip leaves over is written as literals without a match. What does not fit is answered with
// STATUS_OUTPUT_EXCEEDED; the output is undefined then, within its limits.
//
// How a block is cut depends on its length alone, so its bytes depend on nothing but the block.
//
// Bounds. A strip becomes at most a sixth longer and 32 bytes (Snappy's bound; LZ4's is lower), which is what its
// area holds. With at least LEAST_STRIP_BYTES a strip, all areas of a block hold less than its raw bytes and a
// quarter. A warp writes no more than its area holds, and behind the first strip only when the whole is known to fit.
#pragma once

#include <cstdint>

#include "../common/alignment.cuh"
#include "../common/layout.cuh"
#include "lz77_encode.cuh"

namespace warpcodec::lz77 {

/// Blocks up to this length are one strip.
constexpr uint32_t LEAST_STRIP_BYTES = 4096;

/// One block of a batch to encode, as the host uploads it: little-endian, 32 bytes.
struct EncodeEntry {
    BlockEntry block;
    uint64_t strips_offset;  ///< where its areas begin, from the start of the memory for strips; a multiple of 16
};
static_assert(sizeof(EncodeEntry) == 32, "the host writes entries of 32 bytes");

/// Device memory of one batch, as encoding kernels take it. The buffers must not overlap.
struct EncodeBatch {
    const uint8_t* input;
    uint64_t input_bytes;
    uint8_t* output;
    uint64_t output_bytes;
    const EncodeEntry* entries;
    BlockResult* results;
    uint32_t block_count;
    uint8_t* strips;  ///< contents undefined, 16-byte aligned
    uint64_t strips_bytes;
};
constexpr Layout ENCODE_BATCH_LAYOUT = Layout()
                                           .WARPCODEC_FIELD(EncodeBatch, input)
                                           .WARPCODEC_FIELD(EncodeBatch, input_bytes)
                                           .WARPCODEC_FIELD(EncodeBatch, output)
                                           .WARPCODEC_FIELD(EncodeBatch, output_bytes)
                                           .WARPCODEC_FIELD(EncodeBatch, entries)
                                           .WARPCODEC_FIELD(EncodeBatch, results)
                                           .WARPCODEC_FIELD(EncodeBatch, block_count)
                                           .WARPCODEC_FIELD(EncodeBatch, strips)
                                           .WARPCODEC_FIELD(EncodeBatch, strips_bytes);
static_assert(ENCODE_BATCH_LAYOUT.is_of<EncodeBatch>() && sizeof(EncodeBatch) == 72, "the host sets these fields");

/// A batch, and what finders with links need beside it.
struct LinkedBatch {
    EncodeBatch blocks;
    uint16_t* links;  ///< LINK_COUNT for each cta of the grid, contents undefined
    uint32_t depth;  ///< earlier places that are tried at most

    /// Of this cta.
    __device__ __forceinline__ Links cta_links() const {
        return Links{links + uint64_t{blockIdx.x} * LINK_COUNT, static_cast<int>(depth)};
    }
};
constexpr Layout LINKED_BATCH_LAYOUT =
    ENCODE_BATCH_LAYOUT.WARPCODEC_FIELD(LinkedBatch, links).WARPCODEC_FIELD(LinkedBatch, depth);
static_assert(LINKED_BATCH_LAYOUT.is_of<LinkedBatch>() && sizeof(LinkedBatch) == 88, "the host sets these fields");

/// Shared memory of a cta: tables while strips are encoded, then what came of them.
template <int STRIPS, int HEAD_COUNT>
union StripScratch {
    MatchScratch<HEAD_COUNT> tables[STRIPS];
    StripEnd ends[STRIPS];
};

/// How a block is cut.
template <int STRIPS>
struct StripPlan {
    uint32_t raw_bytes;
    uint32_t strip_bytes;
    uint32_t area_bytes;

    __device__ __forceinline__ explicit StripPlan(uint32_t raw_bytes_) : raw_bytes(raw_bytes_) {
        const uint32_t share = (raw_bytes + STRIPS - 1) / STRIPS;
        strip_bytes = max(LEAST_STRIP_BYTES, (share + WARP_LANES - 1) / WARP_LANES * WARP_LANES);
        area_bytes = (strip_bytes + strip_bytes / 6 + 32 + 15) / 16 * 16;
    }
    __device__ __forceinline__ Strip strip(int warp) const {
        const uint32_t from = warp * strip_bytes;
        return Strip{static_cast<int>(min(raw_bytes, from)), static_cast<int>(min(raw_bytes, from + strip_bytes)),
                     warp == 0};
    }
    /// Where a strip's area begins, from the first one's on: the first strip has none.
    __device__ __forceinline__ uint64_t area_offset(int warp) const { return uint64_t{area_bytes} * (warp - 1); }
    /// Whether an area of memory for strips holds all areas.
    __device__ __forceinline__ bool fits(const EncodeBatch& batch, uint64_t strips_offset) const {
        const uint32_t behind_first = raw_bytes <= strip_bytes ? 0 : (raw_bytes - 1) / strip_bytes;
        return strips_offset % 16 == 0 && strips_offset <= batch.strips_bytes &&
               uint64_t{area_bytes} * behind_first <= batch.strips_bytes - strips_offset;
    }
};

/// Copies what this warp has written. `source` is aligned to 4 bytes, `target` need not be. Reads no byte beside the
/// source's.
__device__ __forceinline__ void warp_copy_written(const uint8_t* source, uint8_t* target, uint32_t bytes, int lane) {
    const uint32_t lead = min(bytes, (4 - bytes_past_alignment<4>(target)) % 4);
    const uint32_t* const from = reinterpret_cast<const uint32_t*>(source);
    uint32_t* const to = reinterpret_cast<uint32_t*>(target + lead);
    // the last word may end beside the source
    const uint32_t word_count = max((bytes - lead) / 4, 1u) - 1;
    for (uint32_t i = lane; i < word_count; i += WARP_LANES) to[i] = __funnelshift_r(from[i], from[i + 1], 8 * lead);
    if (lane < lead) target[lane] = source[lane];
    for (uint32_t i = lead + 4 * word_count + lane; i < bytes; i += WARP_LANES) target[i] = source[i];
}

/// Encodes one block, all warps of the cta; each has its `warp` and `lane`. `scratch` is undefined before and after.
template <typename Format, typename Nesting, int STRIPS, int HEAD_COUNT, typename LinkType>
__device__ __forceinline__ BlockResult cta_encode_block(const Block& block, uint8_t* output, uint8_t* areas,
                                                        const StripPlan<STRIPS>& plan, const LinkType& links,
                                                        StripScratch<STRIPS, HEAD_COUNT>& scratch, int warp, int lane) {
    const Strip strip = plan.strip(warp);
    uint8_t* const area = areas + (warp == 0 ? 0 : plan.area_offset(warp));
    const Target target = warp == 0 ? Target{output, block.output_limit} : Target{area, plan.area_bytes};
    StripEnd end{warp == 0 ? Format::preamble_bytes(block.input_bytes) : 0, strip.from, 0, 0};
    if (end.output_bytes <= target.limit) {
        if (warp == 0 && lane == 0) Format::thread_write_preamble(output, block.input_bytes);
        end = warp_encode_strip<Format>(block, strip, target, end.output_bytes, links, Nesting{}, scratch.tables[warp],
                                        lane);
    }
    __syncthreads();
    if (lane == 0) scratch.ends[warp] = end;
    __syncthreads();
    uint32_t position = scratch.ends[0].output_bytes;
    bool fits = position <= block.output_limit;
    int literal_start = scratch.ends[0].literal_start;
    uint32_t own_position = 0;
    RawSequence own_opening{};
    int own_literals = 0;
#pragma unroll
    for (int each = 1; each < STRIPS; ++each) {
        const StripEnd other = scratch.ends[each];
        if (other.match_bytes == 0) continue;
        fits = fits && other.output_bytes <= plan.area_bytes;
        const RawSequence opening{static_cast<uint32_t>(other.match_start - literal_start), other.match_bytes, 0};
        if (each == warp) {
            own_position = position;
            own_opening = opening;
            own_literals = literal_start;
        }
        position += Format::thread_head_bytes(opening) + opening.literal_bytes + other.output_bytes;
        literal_start = other.literal_start;
    }
    const RawSequence rest{block.input_bytes - static_cast<uint32_t>(literal_start), 0, 0};
    const uint32_t rest_head = position;
    const uint32_t rest_literals = rest_head + Format::thread_head_bytes(rest);
    const uint32_t limit = rest_literals + rest.literal_bytes;
    if (!fits || limit > block.output_limit) return BlockResult{STATUS_OUTPUT_EXCEEDED, 0};
    if (own_opening.match_bytes != 0) {
        uint8_t* const literals = output + own_position + Format::thread_head_bytes(own_opening);
        if (lane == 0) Format::thread_write_head(output + own_position, own_opening);
        warp_copy_literals(block, own_literals, end.match_start, literals, lane);
        warp_copy_written(area, literals + own_opening.literal_bytes, end.output_bytes, lane);
    }
    if (warp == STRIPS - 1) {
        if (lane == 0) Format::thread_write_head(output + rest_head, rest);
        warp_copy_literals(block, literal_start, static_cast<int>(block.input_bytes), output + rest_literals, lane);
    }
    return BlockResult{STATUS_SOUND, limit};
}

/// Encodes the blocks of a batch: this cta every gridDim.x-th from its own on. As many warps a cta as strips.
template <typename Format, uint32_t MAX_RAW_BYTES, uint32_t MAX_ENCODED_BYTES, typename Nesting, int STRIPS,
          int HEAD_COUNT, typename LinkType>
__device__ __forceinline__ void cta_encode_blocks(const EncodeBatch& batch, const LinkType& links,
                                                  StripScratch<STRIPS, HEAD_COUNT>& scratch) {
    const int warp = threadIdx.x / WARP_LANES;
    const int lane = threadIdx.x % WARP_LANES;
    for (uint32_t index = blockIdx.x; index < batch.block_count; index += gridDim.x) {
        const EncodeEntry entry = batch.entries[index];
        const StripPlan<STRIPS> plan(entry.block.input_bytes);
        BlockResult result{STATUS_BAD_ENTRY, 0};
        if (entry_is_sound(entry.block, batch, MAX_RAW_BYTES, MAX_ENCODED_BYTES) &&
            plan.fits(batch, entry.strips_offset)) {
            const Block block{batch.input + entry.block.input_offset, entry.block.input_bytes,
                              entry.block.output_limit};
            result =
                cta_encode_block<Format, Nesting>(block, batch.output + entry.block.output_offset,
                                                  batch.strips + entry.strips_offset, plan, links, scratch, warp, lane);
        }
        if (threadIdx.x == 0) batch.results[index] = result;
        __syncthreads();
    }
}

}  // namespace warpcodec::lz77
