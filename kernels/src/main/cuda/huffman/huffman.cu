// Entry points of the stage `huffman`, and the constants that the Java side checks when it loads this module.
#include "../common/batch.cuh"
#include "../common/status.cuh"
#include "../common/warp.cuh"
#include "huffman_decode.cuh"
#include "huffman_encode.cuh"

using namespace warpcodec;
using namespace warpcodec::huffman;

namespace entry {

constexpr int CTA_WARPS = DecodePolicy::CTA_THREADS / WARP_LANES;
constexpr int ENCODE_CTA_WARPS = EncodePolicy::CTA_THREADS / WARP_LANES;
static_assert(DecodePolicy::STITCH_CTA_THREADS == WARP_LANES && EncodePolicy::PLACE_CTA_THREADS == WARP_LANES);

}  // namespace entry

using namespace entry;

/// Decodes streams of one prefix code each (huffman_decode.cuh): first of three kernels, which take the same arguments.
///
/// input        device, input_bytes bytes; of aligned 8 bytes that hold a byte of a stream, any byte may be read
/// output       device, output_bytes bytes; streams' parts of it must not overlap
/// entries      device, stream_count entries, 8-byte aligned, in the order of first_piece
/// results      device, stream_count results, 8-byte aligned
/// parts        device, 32 * piece_count, 8-byte aligned; this and what follows is scratch of undefined contents
/// pieces       device, piece_count, 16-byte aligned
///
/// One warp per piece: grid * warps per cta must reach piece_count. Static shared memory: one StreamScratch per warp. No cta barrier.
extern "C" __global__ void __launch_bounds__(DecodePolicy::CTA_THREADS) huffman_synchronise_pieces(const StreamBatch batch) {
    __shared__ StreamScratch s_scratch[CTA_WARPS];
    const uint32_t piece = blockIdx.x * CTA_WARPS + threadIdx.x / WARP_LANES;
    if (piece >= batch.piece_count) return;
    warp_synchronise_piece(batch, piece, s_scratch[threadIdx.x / WARP_LANES], threadIdx.x % WARP_LANES);
}

/// The second: one warp, which is a cta, per stream.
extern "C" __global__ void __launch_bounds__(DecodePolicy::STITCH_CTA_THREADS) huffman_stitch_streams(const StreamBatch batch) {
    __shared__ StreamScratch s_scratch;
    if (blockIdx.x >= batch.stream_count) return;
    warp_stitch_stream(batch, blockIdx.x, s_scratch, threadIdx.x);
}

/// The last: one warp per piece.
extern "C" __global__ void __launch_bounds__(DecodePolicy::CTA_THREADS) huffman_write_pieces(const StreamBatch batch) {
    __shared__ StreamScratch s_scratch[CTA_WARPS];
    const uint32_t piece = blockIdx.x * CTA_WARPS + threadIdx.x / WARP_LANES;
    if (piece >= batch.piece_count) return;
    warp_write_piece(batch, piece, s_scratch[threadIdx.x / WARP_LANES], threadIdx.x % WARP_LANES);
}

/// Encodes streams of one prefix code each (huffman_encode.cuh): first of three kernels, which take the same arguments.
///
/// input        device, input_bytes bytes; no byte outside the streams is read
/// lengths      device, lengths_bytes bytes: of the words of each code, as huffman_build_codes writes them
/// output       device, output_bytes bytes; streams' parts of it must not overlap
/// entries      device, stream_count entries, 8-byte aligned, in the order of first_piece
/// results      device, stream_count results, 8-byte aligned
/// codes        device, 256 * stream_count, 4-byte aligned; this and what follows is scratch of undefined contents
/// notes        device, piece_count, 8-byte aligned
///
/// One warp per piece: grid * warps per cta must reach piece_count. Static shared memory: one MeasureScratch per warp. No cta barrier.
extern "C" __global__ void __launch_bounds__(EncodePolicy::CTA_THREADS) huffman_measure_pieces(const EncodeBatch batch) {
    __shared__ MeasureScratch s_scratch[ENCODE_CTA_WARPS];
    const uint32_t piece = blockIdx.x * ENCODE_CTA_WARPS + threadIdx.x / WARP_LANES;
    if (piece >= batch.piece_count) return;
    warp_measure_piece(batch, piece, s_scratch[threadIdx.x / WARP_LANES], threadIdx.x % WARP_LANES);
}

/// The second: one warp, which is a cta, per stream.
extern "C" __global__ void __launch_bounds__(EncodePolicy::PLACE_CTA_THREADS) huffman_place_streams(const EncodeBatch batch) {
    __shared__ PlaceScratch s_scratch;
    if (blockIdx.x >= batch.stream_count) return;
    warp_place_stream(batch, blockIdx.x, s_scratch, threadIdx.x);
}

/// The last: one warp per piece. Static shared memory: one EncodeScratch per warp.
extern "C" __global__ void __launch_bounds__(EncodePolicy::CTA_THREADS) huffman_encode_pieces(const EncodeBatch batch) {
    __shared__ EncodeScratch s_scratch[ENCODE_CTA_WARPS];
    const uint32_t piece = blockIdx.x * ENCODE_CTA_WARPS + threadIdx.x / WARP_LANES;
    if (piece >= batch.piece_count) return;
    warp_encode_piece(batch, piece, s_scratch[threadIdx.x / WARP_LANES], threadIdx.x % WARP_LANES);
}

extern "C" {
__device__ uint32_t huffman_abi = ABI;
__device__ uint32_t huffman_max_stream_bytes = MAX_STREAM_BYTES;
__device__ uint32_t huffman_piece_bits = PIECE_BITS;
__device__ uint32_t huffman_stream_entry_bytes = sizeof(StreamEntry);
__device__ uint32_t huffman_stream_result_bytes = sizeof(BlockResult);
__device__ uint32_t huffman_part_note_bytes = sizeof(PartNote);
__device__ uint32_t huffman_piece_note_bytes = sizeof(PieceNote);
__device__ uint32_t huffman_cta_threads = DecodePolicy::CTA_THREADS;
__device__ uint32_t huffman_stitch_cta_threads = DecodePolicy::STITCH_CTA_THREADS;
__device__ uint32_t huffman_max_raw_bytes = MAX_RAW_BYTES;
__device__ uint32_t huffman_encode_piece_bytes = EncodePolicy::PIECE_BYTES;
__device__ uint32_t huffman_encode_entry_bytes = sizeof(EncodeEntry);
__device__ uint32_t huffman_encode_result_bytes = sizeof(EncodeResult);
__device__ uint32_t huffman_encode_code_bytes = sizeof(Code);
__device__ uint32_t huffman_encode_note_bytes = sizeof(EncodeNote);
__device__ uint32_t huffman_encode_cta_threads = EncodePolicy::CTA_THREADS;
__device__ uint32_t huffman_encode_place_cta_threads = EncodePolicy::PLACE_CTA_THREADS;
__device__ uint32_t huffman_stream_batch_bytes = sizeof(StreamBatch);
__device__ uint32_t huffman_stream_batch_layout = STREAM_BATCH_LAYOUT.hash();
__device__ uint32_t huffman_encode_batch_bytes = sizeof(EncodeBatch);
__device__ uint32_t huffman_encode_batch_layout = ENCODE_BATCH_LAYOUT.hash();
}

WARPCODEC_EXPORT_STATUSES(huffman)
