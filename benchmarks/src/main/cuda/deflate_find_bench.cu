// Times the search for dynamic blocks at every bit position of one DEFLATE stream, on one device, and prints one line
// per file and level. The list is compared with the places where zlib finds blocks. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o deflate_find_bench benchmarks/src/main/cuda/deflate_find_bench.cu -lz
//   deflate_find_bench STREAM_MB FILE...
//
// FILE: raw data, perhaps gzipped, of which up to 64 MB are read. A stream repeats zlib's stream of it, with an empty
// stored block behind each repetition, until it has STREAM_MB. `none` instead of a file: random bytes, which are no
// stream.
#include <random>

#include "deflate_stream/deflate_stream_find.cuh"
#include "deflate_stream/deflate_stream_policy.cuh"
#include "zlib_bodies.h"

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

/// A stream, and where its dynamic blocks begin.
struct Stream {
    Bytes bytes;
    std::vector<uint32_t> blocks;
};

Stream make_stream(const std::string& path, size_t stream_bytes, int level) {
    Stream one, stream;
    if (path == "none") {
        one.bytes.resize(stream_bytes);
        std::mt19937_64 random(1);
        for (auto& byte : one.bytes) byte = static_cast<uint8_t>(random());
    } else {
        one.bytes = deflate_open_stream(read_all(path), level);
        one.blocks = true_blocks(one.bytes);
    }
    while (stream.bytes.empty() || stream.bytes.size() + one.bytes.size() <= stream_bytes) {
        for (uint32_t block : one.blocks)
            stream.blocks.push_back(static_cast<uint32_t>(8 * stream.bytes.size()) + block);
        stream.bytes.insert(stream.bytes.end(), one.bytes.begin(), one.bytes.end());
    }
    return stream;
}

/// Search of all of a stream.
Search search_of(const Stream& stream, DeviceMemory& memory) {
    Search search{};
    search.input_bytes = static_cast<uint32_t>(stream.bytes.size());
    if (search.input_bytes > MAX_FIND_BYTES) std::exit(3);
    search.limit = 8 * search.input_bytes;
    search.tile_count = (search.limit + TILE_BITS - 1) / TILE_BITS;
    search.list_limit = static_cast<uint32_t>(stream.blocks.size()) + 65536;
    uint8_t* input = memory.room<uint8_t>((stream.bytes.size() + 7) / 8 * 8);  // whole 8 bytes are read
    CHECK(cudaMemcpy(input, stream.bytes.data(), stream.bytes.size(), cudaMemcpyHostToDevice));
    search.input = input;
    search.tile_counts = memory.room<uint32_t>(search.tile_count);
    search.tile_slots = memory.room<uint32_t>(size_t(search.tile_count) * TILE_SLOTS);
    search.list = memory.room<uint32_t>(search.list_limit);
    search.result = memory.room<FindResult>(1);
    return search;
}

struct SearchTimes {
    Times find, list;
};

SearchTimes time_search(const Search& search, uint32_t resident_ctas) {
    const uint32_t grid = std::min<uint32_t>(resident_ctas, (search.tile_count + CTA_WARPS - 1) / CTA_WARPS);
    StageTimer timer(2);
    std::vector<float> finding, listing;
    for (int turn = 0; turn < 8; ++turn) {
        timer.begin();
        find<<<grid, FindPolicy::CTA_THREADS>>>(search);
        timer.mark();
        list<<<(search.tile_count + LIST_TILES - 1) / LIST_TILES, WARP_LANES>>>(search);
        timer.mark();
        timer.wait();
        if (turn == 0) continue;
        finding.push_back(timer.ms(0, 1));
        listing.push_back(timer.ms(1, 2));
    }
    return {times_of(finding), times_of(listing)};
}

void bench(const std::string& path, size_t stream_bytes, int level) {
    const Stream stream = make_stream(path, stream_bytes, level);
    DeviceMemory memory;
    const Search search = search_of(stream, memory);
    int ctas, multiprocessors;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, find, FindPolicy::CTA_THREADS, 0));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    const SearchTimes times = time_search(search, ctas * multiprocessors);
    const FindResult result = to_host(search.result, 1)[0];
    const std::vector<uint32_t> listed = to_host(search.list, result.listed);
    size_t met = 0;
    for (uint32_t block : stream.blocks) met += std::binary_search(listed.begin(), listed.end(), block);
    const bool right =
        met == stream.blocks.size() && std::is_sorted(listed.begin(), listed.end()) && result.listed == result.found;
    const double megabytes = stream.bytes.size() / 1e6;
    std::printf("%s,%d,%.1f,%d,%zu,%u,%zu,%zu,%.3f,%.3f,%.3f,%.3f,%.1f,%s\n", name_of(path).c_str(), level, megabytes,
                ctas * CTA_WARPS, stream.blocks.size(), result.found, stream.blocks.size() - met, listed.size() - met,
                times.find.median, times.find.least, times.find.most, times.list.median,
                megabytes / (times.find.median + times.list.median), right ? "yes" : "WRONG");
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) return usage();
    std::printf(
        "file,level,stream_MB,warps_per_SM,blocks,found,missed,false,ms_find,ms_min,ms_max,ms_list,GBps_compressed,all_"
        "found_in_order\n");
    const size_t stream_bytes = std::strtoull(argv[1], nullptr, 10) * 1000000;
    for (int i = 2; i < argc; ++i) {
        for (const int level : {1, 6, 9}) bench(argv[i], stream_bytes, level);
    }
    return 0;
}
