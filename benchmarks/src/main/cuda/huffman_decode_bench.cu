// Times the decoding of streams of one prefix code, without an index, on one device and prints one line per file and
// size of stream; the output is compared with the raw data on the device. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o huffman_decode_bench benchmarks/src/main/cuda/huffman_decode_bench.cu -lz
//   huffman_decode_bench BATCH_MB FILE...
//
// FILE: raw data, perhaps gzipped; each stream has the optimal code of its own bytes. Sizes: 64 KiB, 256 KiB, and all
// of the file as one stream.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "huffman_decode.cuh"
#include "huffman_files.cuh"

using namespace warpcodec;
using namespace warpcodec::huffman;

namespace {

constexpr int CTA_WARPS = DecodePolicy::CTA_THREADS / WARP_LANES;

__global__ void __launch_bounds__(DecodePolicy::CTA_THREADS) synchronise(StreamBatch batch) {
    __shared__ StreamScratch s_scratch[CTA_WARPS];
    const uint32_t piece = blockIdx.x * CTA_WARPS + threadIdx.x / WARP_LANES;
    if (piece < batch.piece_count)
        warp_synchronise_piece(batch, piece, s_scratch[threadIdx.x / WARP_LANES], threadIdx.x % WARP_LANES);
}

__global__ void __launch_bounds__(WARP_LANES) stitch(StreamBatch batch) {
    __shared__ StreamScratch s_scratch;
    warp_stitch_stream(batch, blockIdx.x, s_scratch, threadIdx.x);
}

__global__ void __launch_bounds__(DecodePolicy::CTA_THREADS) write(StreamBatch batch) {
    __shared__ StreamScratch s_scratch[CTA_WARPS];
    const uint32_t piece = blockIdx.x * CTA_WARPS + threadIdx.x / WARP_LANES;
    if (piece < batch.piece_count)
        warp_write_piece(batch, piece, s_scratch[threadIdx.x / WARP_LANES], threadIdx.x % WARP_LANES);
}

void bench(const std::string& path, size_t batch_bytes, size_t stream_bytes) {
    Bytes raw = read_all(path);
    if (stream_bytes == 0) stream_bytes = raw.size();
    raw.resize(raw.size() / stream_bytes * stream_bytes);
    const uint32_t base = static_cast<uint32_t>(raw.size() / stream_bytes);
    Bytes one_input;
    std::vector<size_t> streams_at, lengths_at, sizes;
    size_t coded_bytes = 0;
    for (uint32_t i = 0; i < base; ++i) {
        const Bytes lengths = code_lengths(raw.data() + i * stream_bytes, stream_bytes);
        const Bytes coded = encode(raw.data() + i * stream_bytes, stream_bytes, lengths);
        lengths_at.push_back(one_input.size());
        one_input.insert(one_input.end(), lengths.begin(), lengths.end());
        streams_at.push_back(one_input.size());
        one_input.insert(one_input.end(), coded.begin(), coded.end());
        sizes.push_back(coded.size());
        coded_bytes += coded.size();
    }
    one_input.resize((one_input.size() + 15) / 8 * 8);
    const uint32_t count = static_cast<uint32_t>(std::max<size_t>(1, batch_bytes / stream_bytes));
    const size_t copies = (count + base - 1) / base;
    StreamBatch batch{};
    batch.stream_count = count;
    batch.input_bytes = copies * one_input.size();
    batch.output_bytes = size_t(count) * stream_bytes;
    uint8_t* input;
    CHECK(cudaMalloc(&input, batch.input_bytes));
    for (size_t c = 0; c < copies; ++c)
        CHECK(cudaMemcpy(input + c * one_input.size(), one_input.data(), one_input.size(), cudaMemcpyHostToDevice));
    batch.input = input;
    CHECK(cudaMalloc(&batch.output, batch.output_bytes));
    std::vector<StreamEntry> entries;
    for (uint32_t i = 0; i < count; ++i) {
        const size_t copy = i / base * one_input.size();
        entries.push_back({copy + streams_at[i % base], uint64_t(i) * stream_bytes, copy + lengths_at[i % base],
                           static_cast<uint32_t>(sizes[i % base]), static_cast<uint32_t>(stream_bytes),
                           batch.piece_count, 0});
        batch.piece_count += static_cast<uint32_t>((8 * sizes[i % base] + PIECE_BITS - 1) / PIECE_BITS);
    }
    StreamEntry* device_entries = to_device(entries);
    batch.entries = device_entries;
    CHECK(cudaMalloc(&batch.results, count * sizeof(BlockResult)));
    CHECK(cudaMalloc(&batch.parts, size_t(batch.piece_count) * WARP_LANES * sizeof(PartNote)));
    CHECK(cudaMalloc(&batch.pieces, batch.piece_count * sizeof(PieceNote)));
    CHECK(cudaMemset(batch.output, 0xEE, batch.output_bytes));
    uint8_t* expected = to_device(raw);
    unsigned long long* differences;
    CHECK(cudaMalloc(&differences, 8));
    CHECK(cudaMemset(differences, 0, 8));
    cudaEvent_t events[4];
    for (auto& event : events) CHECK(cudaEventCreate(&event));
    std::vector<float> times[4];
    const uint32_t grid = (batch.piece_count + CTA_WARPS - 1) / CTA_WARPS;
    for (int turn = 0; turn < 8; ++turn) {
        CHECK(cudaEventRecord(events[0]));
        synchronise<<<grid, DecodePolicy::CTA_THREADS>>>(batch);
        CHECK(cudaEventRecord(events[1]));
        stitch<<<count, WARP_LANES>>>(batch);
        CHECK(cudaEventRecord(events[2]));
        write<<<grid, DecodePolicy::CTA_THREADS>>>(batch);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(events[3]));
        CHECK(cudaEventSynchronize(events[3]));
        for (int phase = 0; phase < 4 && turn != 0; ++phase) {
            float ms;
            CHECK(cudaEventElapsedTime(&ms, events[phase == 3 ? 0 : phase], events[phase == 3 ? 3 : phase + 1]));
            times[phase].push_back(ms);
        }
    }
    for (auto& phase : times) std::sort(phase.begin(), phase.end());
    std::vector<BlockResult> results(count);
    CHECK(cudaMemcpy(results.data(), batch.results, count * sizeof(BlockResult), cudaMemcpyDeviceToHost));
    unsigned long long wrong = 0;
    for (auto& r : results) wrong += r.status != STATUS_SOUND || r.output_bytes != stream_bytes;
    count_differences<<<1024, 256>>>(batch.output, expected, raw.size(), batch.output_bytes, differences);
    unsigned long long different;
    CHECK(cudaMemcpy(&different, differences, 8, cudaMemcpyDeviceToHost));
    wrong += different;
    const size_t slash = path.rfind('/');
    const size_t middle = times[3].size() / 2;
    std::printf("%s,%.2f,%zu,%zu,%u,%u,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.1f,%s\n",
                path.substr(slash == std::string::npos ? 0 : slash + 1).c_str(), 8.0 * coded_bytes / raw.size(),
                batch.output_bytes >> 20, stream_bytes >> 10, DecodePolicy::PART_BITS, DecodePolicy::WARM_UP_BITS,
                times[0][middle], times[1][middle], times[2][middle], times[3][middle], times[3][0], times[3].back(),
                batch.output_bytes / times[3][middle] / 1e6,
                wrong ? ("WRONG " + std::to_string(wrong)).c_str() : "yes");
    std::fflush(stdout);
    for (void* p : {(void*)input, (void*)batch.output, (void*)device_entries, (void*)batch.results, (void*)batch.parts,
                    (void*)batch.pieces, (void*)expected, (void*)differences}) {
        CHECK(cudaFree(p));
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::printf("usage: see the head of the source\n");
        return 1;
    }
    std::printf(
        "file,bits_per_byte,batch_MB,stream_KB,part_bits,warm_up_bits,ms_synchronise,ms_stitch,ms_write,ms_median,ms_"
        "min,ms_max,GBps,verified\n");
    const size_t batch_bytes = std::strtoull(argv[1], nullptr, 10) << 20;
    for (int i = 2; i < argc; ++i) {
        for (const size_t stream_bytes : {size_t(65536), size_t(262144), size_t(0)})
            bench(argv[i], batch_bytes, stream_bytes);
    }
    return 0;
}
