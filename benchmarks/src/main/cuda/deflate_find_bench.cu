// Times the search for dynamic blocks at every bit position of one DEFLATE stream, on one device, and prints one line
// per file and level. What is listed is compared with where zlib finds the blocks. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o deflate_find_bench
//   benchmarks/src/main/cuda/deflate_find_bench.cu -lz deflate_find_bench STREAM_MB FILE...
//
// FILE: raw data, perhaps gzipped, of which up to 64 MB are read; a stream repeats what zlib makes of it, each time
// behind an empty stored block, until it has STREAM_MB. `none` instead of a file: random bytes, which are no stream.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <zlib.h>

#include "deflate_stream/deflate_stream_find.cuh"
#include "deflate_stream/deflate_stream_policy.cuh"
#include "deflate_stream.h"
#include "device_bench.cuh"

using namespace warpcodec;
using namespace warpcodec::deflate_stream;

namespace {

constexpr int CTA_WARPS = FindPolicy::CTA_THREADS / WARP_LANES;

__global__ void __launch_bounds__(FindPolicy::CTA_THREADS) find(Search search) {
    __shared__ PrecodeSums s_sums;
    __shared__ FindScratch s_scratch[CTA_WARPS];
    for (uint32_t quad = threadIdx.x; quad < PRECODE_QUADS; quad += FindPolicy::CTA_THREADS)
        s_sums.of_four[quad] = thread_precode_sum(quad);
    __syncthreads();
    for (uint32_t tile = blockIdx.x * CTA_WARPS + threadIdx.x / WARP_LANES; tile < search.tile_count;
         tile += gridDim.x * CTA_WARPS) {
        warp_find_tile(search, tile, s_sums, s_scratch[threadIdx.x / WARP_LANES], threadIdx.x % WARP_LANES);
    }
}

__global__ void __launch_bounds__(WARP_LANES) list(Search search) { warp_list_blocks(search, blockIdx.x, threadIdx.x); }

/// Where zlib finds the dynamic blocks of a stream without a last block.
std::vector<uint32_t> true_blocks(const Bytes& stream) {
    std::vector<uint32_t> blocks;
    z_stream z{};
    if (inflateInit2(&z, -15) != Z_OK) std::exit(3);
    z.next_in = const_cast<uint8_t*>(stream.data());
    z.avail_in = static_cast<uInt>(stream.size());
    Bytes out(1 << 16);
    uint64_t at = 0;
    while (at + 3 <= 8 * stream.size()) {
        const uint32_t bits = (stream[at / 8] | (at / 8 + 1 < stream.size() ? stream[at / 8 + 1] << 8 : 0)) >> at % 8;
        if ((bits >> 1 & 3) == BTYPE_DYNAMIC) blocks.push_back(static_cast<uint32_t>(at));
        uint64_t next = at;
        while (next == at) {
            z.next_out = out.data();
            z.avail_out = static_cast<uInt>(out.size());
            const int status = inflate(&z, Z_BLOCK);
            if (status == Z_BUF_ERROR && z.avail_in == 0) break;
            if (status != Z_OK) std::exit(3);
            if (z.data_type & 128) next = 8 * static_cast<uint64_t>(z.total_in) - (z.data_type & 7);
        }
        if (next == at) break;
        at = next;
    }
    inflateEnd(&z);
    return blocks;
}

void bench(const std::string& path, size_t stream_bytes, int level) {
    Bytes one;
    std::vector<uint32_t> expected_one;
    if (path == "none") {
        one.resize(stream_bytes);
        std::mt19937_64 random(1);
        for (auto& byte : one) byte = static_cast<uint8_t>(random());
    } else {
        one = deflate_all(read_all(path), level);
        expected_one = true_blocks(one);
    }
    Bytes stream;
    std::vector<uint32_t> expected;
    while (stream.empty() || stream.size() + one.size() <= stream_bytes) {
        for (uint32_t block : expected_one) expected.push_back(static_cast<uint32_t>(8 * stream.size()) + block);
        stream.insert(stream.end(), one.begin(), one.end());
    }
    Search search{};
    search.input_bytes = static_cast<uint32_t>(stream.size());
    if (search.input_bytes > MAX_FIND_BYTES) std::exit(3);
    search.limit = 8 * search.input_bytes;
    search.tile_count = (search.limit + TILE_BITS - 1) / TILE_BITS;
    search.list_limit = static_cast<uint32_t>(expected.size()) + 65536;
    uint8_t* input;
    CHECK(cudaMalloc(&input, (stream.size() + 7) / 8 * 8));  // whole 8 bytes are read
    CHECK(cudaMemcpy(input, stream.data(), stream.size(), cudaMemcpyHostToDevice));
    search.input = input;
    CHECK(cudaMalloc(&search.tile_counts, search.tile_count * sizeof(uint32_t)));
    CHECK(cudaMalloc(&search.tile_slots, size_t(search.tile_count) * TILE_SLOTS * sizeof(uint32_t)));
    CHECK(cudaMalloc(&search.list, search.list_limit * sizeof(uint32_t)));
    CHECK(cudaMalloc(&search.result, sizeof(FindResult)));
    int ctas, multiprocessors;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, find, FindPolicy::CTA_THREADS, 0));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    const uint32_t grid = std::min<uint32_t>(ctas * multiprocessors, (search.tile_count + CTA_WARPS - 1) / CTA_WARPS);
    cudaEvent_t events[3];
    for (auto& event : events) CHECK(cudaEventCreate(&event));
    std::vector<float> finding, listing;
    for (int turn = 0; turn < 8; ++turn) {
        CHECK(cudaEventRecord(events[0]));
        find<<<grid, FindPolicy::CTA_THREADS>>>(search);
        CHECK(cudaEventRecord(events[1]));
        list<<<(search.tile_count + LIST_TILES - 1) / LIST_TILES, WARP_LANES>>>(search);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(events[2]));
        CHECK(cudaEventSynchronize(events[2]));
        if (turn == 0) continue;
        float ms;
        CHECK(cudaEventElapsedTime(&ms, events[0], events[1]));
        finding.push_back(ms);
        CHECK(cudaEventElapsedTime(&ms, events[1], events[2]));
        listing.push_back(ms);
    }
    std::sort(finding.begin(), finding.end());
    std::sort(listing.begin(), listing.end());
    FindResult result;
    CHECK(cudaMemcpy(&result, search.result, sizeof result, cudaMemcpyDeviceToHost));
    std::vector<uint32_t> listed(result.listed);
    CHECK(cudaMemcpy(listed.data(), search.list, listed.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    size_t met = 0;
    for (uint32_t block : expected) met += std::binary_search(listed.begin(), listed.end(), block);
    const bool ordered = std::is_sorted(listed.begin(), listed.end());
    const size_t middle = finding.size() / 2;
    const size_t slash = path.rfind('/');
    std::printf("%s,%d,%.1f,%d,%zu,%u,%zu,%zu,%.3f,%.3f,%.3f,%.3f,%.1f,%s\n",
                path.substr(slash == std::string::npos ? 0 : slash + 1).c_str(), level, stream.size() / 1e6,
                ctas * CTA_WARPS, expected.size(), result.found, expected.size() - met, listed.size() - met,
                finding[middle], finding[0], finding.back(), listing[middle],
                stream.size() / 1e6 / (finding[middle] + listing[middle]),
                met == expected.size() && ordered && result.listed == result.found ? "yes" : "WRONG");
    std::fflush(stdout);
    for (void* p :
         {(void*)input, (void*)search.tile_counts, (void*)search.tile_slots, (void*)search.list, (void*)search.result})
        CHECK(cudaFree(p));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::printf("usage: see the head of the source\n");
        return 1;
    }
    std::printf(
        "file,level,stream_MB,warps_per_SM,blocks,found,missed,false,ms_find,ms_min,ms_max,ms_list,GBps_compressed,all_"
        "found_in_order\n");
    const size_t stream_bytes = std::strtoull(argv[1], nullptr, 10) * 1000000;
    for (int i = 2; i < argc; ++i) {
        for (const int level : {1, 6, 9}) bench(argv[i], stream_bytes, level);
    }
    return 0;
}
