// Entry points of the word `huffman_build`, and the constants that the Java side checks when it loads this module. The DEFLATE encoder builds its codes
// with the same functions, inside its own kernels; these entries are for tests and benchmarks, and for callers that want codes alone, as
// the encoder of the stage `huffman` does.
#include "../common/group.cuh"
#include "../common/layout.cuh"
#include "../huffman/huffman_build.cuh"
#include "../huffman/huffman_code.cuh"
#include "../huffman/huffman_count.cuh"

using namespace warpcodec;
using namespace warpcodec::huffman;

namespace entry {

/// Raised whenever an entry point's arguments, their order, or the meaning of a table changes.
constexpr uint32_t BUILD_ABI = 3;
constexpr int MAX_SYMBOLS = 288;
constexpr int MAX_LIMIT = 15;
constexpr int CTA_THREADS = MAX_SYMBOLS;

/// Codes to build, as a kernel takes them.
struct BuildBatch {
    const uint32_t* weights;
    uint8_t* lengths;
    Code* codes;
    uint32_t symbol_count;
    uint32_t limit;
    uint32_t code_count;
};
constexpr Layout BUILD_BATCH_LAYOUT = Layout()
                                          .WARPCODEC_FIELD(BuildBatch, weights)
                                          .WARPCODEC_FIELD(BuildBatch, lengths)
                                          .WARPCODEC_FIELD(BuildBatch, codes)
                                          .WARPCODEC_FIELD(BuildBatch, symbol_count)
                                          .WARPCODEC_FIELD(BuildBatch, limit)
                                          .WARPCODEC_FIELD(BuildBatch, code_count);
static_assert(BUILD_BATCH_LAYOUT.is_of<BuildBatch>() && sizeof(BuildBatch) == 40, "the host sets these fields");

}  // namespace entry

using namespace entry;

/// Builds optimal prefix codes of limited length (huffman/huffman_build.cuh), one cta each.
///
/// weights        device, symbol_count words for each code; their sum is below 2^27
/// symbol_count   2 to 288
/// limit          longest code, 1 to 15 bits
/// lengths        device, symbol_count bytes for each code: code lengths, 0 for a symbol without; all 0 if `limit` bits do not suffice
/// codes          device, symbol_count words for each code: canonical codes with their first bit lowest, and their length from bit 16 on
/// code_count     the grid
///
/// Static shared memory: one BuildScratch and the lengths of a code.
extern "C" __global__ void __launch_bounds__(CTA_THREADS) huffman_build_codes(const BuildBatch batch) {
    __shared__ BuildScratch<MAX_SYMBOLS, MAX_LIMIT> s_scratch;
    __shared__ uint32_t s_weights[MAX_SYMBOLS];
    __shared__ uint8_t s_lengths[MAX_SYMBOLS];
    const uint32_t symbol_count = batch.symbol_count;
    const uint32_t limit = batch.limit;
    if (blockIdx.x >= batch.code_count || symbol_count < 2 || symbol_count > MAX_SYMBOLS || limit < 1 || limit > MAX_LIMIT) return;
    const CtaGroup<CTA_THREADS> group{static_cast<int>(threadIdx.x)};
    const uint64_t first = uint64_t{blockIdx.x} * symbol_count;
    if (threadIdx.x < symbol_count) s_weights[threadIdx.x] = batch.weights[first + threadIdx.x];
    group.sync();
    group_build_lengths(group, s_weights, static_cast<int>(symbol_count), static_cast<int>(limit), s_lengths, s_scratch);
    if (threadIdx.x < symbol_count) batch.lengths[first + threadIdx.x] = s_lengths[threadIdx.x];
    group_build_codes<MAX_LIMIT>(group, s_lengths, static_cast<int>(symbol_count), batch.codes + first);
}

/// Counts the symbols of ranges of bytes (huffman/huffman_count.cuh): the weights that huffman_build_codes takes.
///
/// input        device, input_bytes bytes; no byte outside the ranges is read
/// entries      device, range_count entries, 8-byte aligned, in the order of first_piece
/// weights      device, 256 words for each range, 4-byte aligned, which are zeros before
///
/// One cta a piece: the grid must reach piece_count. Static shared memory: a CountScratch.
extern "C" __global__ void __launch_bounds__(CountPolicy::CTA_THREADS) huffman_count_symbols(const CountBatch batch) {
    __shared__ CountScratch s_scratch;
    if (blockIdx.x >= batch.piece_count) return;
    cta_count_piece(batch, blockIdx.x, s_scratch);
}

extern "C" {
__device__ uint32_t huffman_build_abi = BUILD_ABI;
__device__ uint32_t huffman_build_max_symbols = MAX_SYMBOLS;
__device__ uint32_t huffman_build_max_limit = MAX_LIMIT;
__device__ uint32_t huffman_build_cta_threads = CTA_THREADS;
__device__ uint32_t huffman_build_max_count_bytes = MAX_COUNT_BYTES;
__device__ uint32_t huffman_build_count_entry_bytes = sizeof(CountEntry);
__device__ uint32_t huffman_build_count_piece_bytes = CountPolicy::PIECE_BYTES;
__device__ uint32_t huffman_build_count_cta_threads = CountPolicy::CTA_THREADS;
__device__ uint32_t huffman_build_batch_bytes = sizeof(BuildBatch);
__device__ uint32_t huffman_build_batch_layout = BUILD_BATCH_LAYOUT.hash();
__device__ uint32_t huffman_build_count_batch_bytes = sizeof(CountBatch);
__device__ uint32_t huffman_build_count_batch_layout = COUNT_BATCH_LAYOUT.hash();
}
