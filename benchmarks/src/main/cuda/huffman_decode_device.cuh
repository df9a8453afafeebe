// Streams of one prefix code in device memory, and their decoding, for the benchmarks that decode them.
#pragma once

#include "device_bench.cuh"
#include "huffman_decode.cuh"

using namespace warpcodec;
using namespace warpcodec::huffman;

namespace {

constexpr int DECODE_WARPS = DecodePolicy::CTA_THREADS / WARP_LANES;

__global__ void __launch_bounds__(DecodePolicy::CTA_THREADS) synchronise(StreamBatch batch) {
    __shared__ StreamScratch s_scratch[DECODE_WARPS];
    const uint32_t piece = blockIdx.x * DECODE_WARPS + threadIdx.x / WARP_LANES;
    if (piece < batch.piece_count)
        warp_synchronise_piece(batch, piece, s_scratch[threadIdx.x / WARP_LANES], threadIdx.x % WARP_LANES);
}

__global__ void __launch_bounds__(WARP_LANES) stitch(StreamBatch batch) {
    __shared__ StreamScratch s_scratch;
    warp_stitch_stream(batch, blockIdx.x, s_scratch, threadIdx.x);
}

__global__ void __launch_bounds__(DecodePolicy::CTA_THREADS) write(StreamBatch batch) {
    __shared__ StreamScratch s_scratch[DECODE_WARPS];
    const uint32_t piece = blockIdx.x * DECODE_WARPS + threadIdx.x / WARP_LANES;
    if (piece < batch.piece_count)
        warp_write_piece(batch, piece, s_scratch[threadIdx.x / WARP_LANES], threadIdx.x % WARP_LANES);
}

/// Ctas of so many warps, one for each piece.
uint32_t ctas(uint32_t pieces, int warps) { return (pieces + warps - 1) / warps; }

/// Pieces of `of_a_piece` units that these make, one at least.
uint32_t pieces_of(uint64_t units, uint64_t of_a_piece) {
    return static_cast<uint32_t>(std::max<uint64_t>(1, (units + of_a_piece - 1) / of_a_piece));
}

/// Streams to decode, one behind the other in the output.
class StreamDecoder {
    std::vector<StreamEntry> entries_;
    DeviceMemory memory_;
    StreamBatch batch_{};

public:
    StreamDecoder(const uint8_t* input, uint64_t input_bytes) {
        batch_.input = input;
        batch_.input_bytes = input_bytes;
    }

    /// Adds a stream whose words begin at `at` and their lengths at `lengths_at`.
    void add(uint64_t at, uint64_t lengths_at, uint32_t stream_bytes, uint32_t symbols) {
        entries_.push_back({at, batch_.output_bytes, lengths_at, stream_bytes, symbols, batch_.piece_count, 0});
        batch_.output_bytes += symbols;
        batch_.piece_count += pieces_of(8ull * stream_bytes, PIECE_BITS);
        ++batch_.stream_count;
    }

    /// Takes memory, when all streams are there.
    void place() {
        batch_.entries = memory_.upload(entries_);
        batch_.output = memory_.room<uint8_t>(batch_.output_bytes, 0xEE);
        batch_.results = memory_.room<BlockResult>(batch_.stream_count);
        batch_.parts = memory_.room<PartNote>(size_t(batch_.piece_count) * WARP_LANES);
        batch_.pieces = memory_.room<PieceNote>(batch_.piece_count);
    }

    uint64_t output_bytes() const { return batch_.output_bytes; }

    /// Decodes all; mark() is called behind each kernel.
    template <typename Mark>
    void launch(Mark mark) const {
        const uint32_t grid = ctas(batch_.piece_count, DECODE_WARPS);
        synchronise<<<grid, DecodePolicy::CTA_THREADS>>>(batch_);
        mark();
        stitch<<<batch_.stream_count, WARP_LANES>>>(batch_);
        mark();
        write<<<grid, DecodePolicy::CTA_THREADS>>>(batch_);
        mark();
    }

    /// Streams that are not sound, and bytes that differ from `raw`, which is repeated as often as it takes.
    unsigned long long wrong(const uint8_t* raw, size_t raw_bytes) const {
        unsigned long long wrong = 0;
        const std::vector<BlockResult> results = to_host(batch_.results, batch_.stream_count);
        for (size_t i = 0; i < results.size(); ++i)
            wrong += results[i].status != STATUS_SOUND || results[i].output_bytes != entries_[i].symbol_count;
        return wrong + count_differences(batch_.output, raw, raw_bytes, batch_.output_bytes);
    }
};

}  // namespace
