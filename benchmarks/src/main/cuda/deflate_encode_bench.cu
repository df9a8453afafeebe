// Times encoding of members with DEFLATE on one device, and prints one line per level. Every distinct member is
// decoded with zlib and compared with the file; repetitions of it must have the same bytes. Beside it the sizes that
// zlib makes of the same members on levels 1, 6 and 9. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -I kernels/src/main/cuda -o deflate_encode_bench benchmarks/src/main/cuda/deflate_encode_bench.cu -lz
//   deflate_encode_bench BATCH_MB MEMBER_KB FILE...      ONLY=text in the environment: one run of the levels so named, and of nothing else;
//                                                        PHASES=1: clocks of one cta's phases, of levels `fast` and
//                                                        `default`; DEPTHS=1: other depths of search, too;
//                                                        DUMP=folder: the distinct members as a gzip file,
//                                                        FILE.LEVEL.gz, for other readers
//
// The batch is the file's whole members again and again.
#include <zlib.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include "block_files.cuh"
#include "deflate_encode/deflate_encode_join.cuh"
#include "deflate_encode/deflate_encode_write.cuh"

using namespace warpcodec;
using namespace warpcodec::deflate_encode;

namespace {

template <typename Policy>
__device__ __forceinline__ EncodeMemory<Policy>& cta_memory() {
    extern __shared__ uint4 s_memory[];
    return *reinterpret_cast<EncodeMemory<Policy>*>(s_memory);
}

template <typename Policy>
__global__ void __launch_bounds__(Policy::CTA_THREADS, Policy::CTAS_PER_MULTIPROCESSOR) encode(EncodeBatch batch) {
    cta_encode_units(batch, static_cast<int>(batch.depth), cta_memory<Policy>());
}

__global__ void __launch_bounds__(JoinPolicy::CTA_THREADS) join(EncodeBatch batch) { cta_join_unit(batch, blockIdx.x); }

/// Clocks of the phases of one block with its window, as cta_encode_block goes through them, added up over the ctas.
constexpr int PHASES = 12;
const char* const PHASE_NAMES[PHASES] = {"load",  "move",    "hash", "enter", "find",  "prices",
                                         "parse", "lengths", "runs", "sizes", "codes", "write"};
template <typename Policy>
__global__ void __launch_bounds__(Policy::CTA_THREADS, Policy::CTAS_PER_MULTIPROCESSOR)
    time_phases(EncodeBatch batch, int depth, unsigned long long* clocks) {
    EncodeMemory<Policy>& memory = cta_memory<Policy>();
    constexpr int TILE = TileMemory<Policy>::TILE_BYTES;
    const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    uint16_t* tokens = batch.tokens + uint64_t{blockIdx.x} * BLOCK_SLOT_BYTES;
    unsigned long long then = clock64();
    const auto mark = [&](int phase) {
        __syncthreads();
        const unsigned long long now = clock64();
        if (threadIdx.x == 0) atomicAdd(clocks + phase, now - then);
        then = now;
    };
    for (int i = threadIdx.x; i < HEAD_COUNT / 2; i += Policy::CTA_THREADS)
        reinterpret_cast<uint32_t*>(memory.tile.heads)[i] = 0;
    uint32_t* short_heads = reinterpret_cast<uint32_t*>(memory.tile.short_heads);
    for (int i = threadIdx.x; i < (1 << Policy::SHORT_HEAD_BITS) / 2; i += Policy::CTA_THREADS) short_heads[i] = 0;
    for (int i = threadIdx.x; i < Frequencies::COPIES * Frequencies::COUNT; i += Policy::CTA_THREADS)
        memory.frequencies.counts[i] = 0;
    if (threadIdx.x == 0) memory.parse.tile_entry = 0, memory.parse.block_elements = 0;
    const uint8_t* block = batch.input + (2 * uint64_t{blockIdx.x} + 1) * BLOCK_BYTES;
    Tile tile{-WINDOW_BYTES, WINDOW_BYTES, BLOCK_BYTES, 0};
    for (; tile.start < BLOCK_BYTES; tile.start += TILE) {
        mark(0);
        cta_load_tile(block, tile, memory.tile);
        mark(0);
        cta_move_links<Policy>(memory.tile);
        mark(1);
        if (!Policy::LINKED && tile.start < 0) {
            warp_raise_heads(tile, memory.tile, warp, lane);
            mark(3);
            continue;
        }
        warp_hash_windows(tile, memory.tile, warp, lane);
        mark(2);
        warp_enter_tile(tile, memory.tile, warp, lane);
        const int price_rank = static_cast<int>(threadIdx.x) - ENTERING_WARPS * WARP_LANES;
        if (Policy::PRICED && tile.start >= 0 && price_rank >= 0 && price_rank < Frequencies::COUNT)
            warp_set_prices(memory.frequencies, tile.start == 0, price_rank, memory.prices);
        mark(3);
        if (tile.start < 0) continue;
        warp_find_windows(tile, memory.tile, memory.prices, depth, warp, lane);
        mark(4);
        if (Policy::PRICED) cta_drop_matches(tile, memory.tile, memory.prices);
        mark(5);
        cta_parse_tile(tile, memory.tile, memory.parse, memory.frequencies, tokens, warp, lane);
        mark(6);
    }
    const uint32_t count = memory.parse.block_elements + 1;
    if (threadIdx.x == 0) tokens[count - 1] = END_OF_BLOCK;
    cta_gather_frequencies<Policy>(memory.frequencies);
    cta_build_lengths(memory.frequencies, memory.codes);
    mark(7);
    cta_cut_runs(memory.codes);
    mark(8);
    cta_add_up_bits(memory.frequencies, memory.codes);
    mark(9);
    cta_build_codes(memory.codes);
    mark(10);
    cta_write_block(memory.codes, tokens, count, true, true,
                    reinterpret_cast<uint32_t*>(batch.slots + uint64_t{blockIdx.x} * BLOCK_SLOT_BYTES));
    mark(11);
}

/// Counts bytes of members that differ from the same member's first repetition.
__global__ void compare_repetitions(const uint8_t* output, uint64_t place_bytes, const BlockResult* results,
                                    uint32_t base, uint32_t count, unsigned long long* different) {
    for (uint32_t i = base + blockIdx.x; i < count; i += gridDim.x) {
        const uint32_t bytes = results[i].output_bytes;
        if (threadIdx.x == 0 && bytes != results[i % base].output_bytes) atomicAdd(different, 1ull);
        for (uint32_t k = threadIdx.x; k < bytes; k += blockDim.x) {
            if (output[i * place_bytes + k] != output[i % base * place_bytes + k]) atomicAdd(different, 1ull);
        }
    }
}

struct Level {
    std::string name;
    std::function<void(const EncodeBatch&)> launch;
};

template <typename Policy>
int prepare(const void* kernel) {
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(EncodeMemory<Policy>)));
    int per_multiprocessor = 0, multiprocessors = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, Policy::CTA_THREADS,
                                                        sizeof(EncodeMemory<Policy>)));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    return per_multiprocessor * multiprocessors;
}

template <typename Policy>
Level level(const char* name, int depth) {
    return {
        name, [depth](EncodeBatch batch) {
            batch.depth = depth;
            static const uint32_t resident = prepare<Policy>(reinterpret_cast<const void*>(encode<Policy>));
            encode<Policy>
                <<<std::min(batch.unit_count, resident), Policy::CTA_THREADS, sizeof(EncodeMemory<Policy>)>>>(batch);
            join<<<batch.unit_count, JoinPolicy::CTA_THREADS>>>(batch);
        }};
}

template <typename Policy>
void print_phases(const char* name, const EncodeBatch& batch, int depth) {
    const uint32_t resident = prepare<Policy>(reinterpret_cast<const void*>(time_phases<Policy>));
    unsigned long long* clocks;
    CHECK(cudaMalloc(&clocks, PHASES * sizeof(*clocks)));
    for (int turn = 0; turn < 2; ++turn) {
        CHECK(cudaMemset(clocks, 0, PHASES * sizeof(*clocks)));
        time_phases<Policy><<<resident, Policy::CTA_THREADS, sizeof(EncodeMemory<Policy>)>>>(batch, depth, clocks);
        CHECK(cudaDeviceSynchronize());
    }
    unsigned long long sums[PHASES];
    CHECK(cudaMemcpy(sums, clocks, sizeof sums, cudaMemcpyDeviceToHost));
    std::printf("# %s, %u ctas, clocks a block:", name, resident);
    for (int i = 0; i < PHASES; ++i) std::printf(" %s %llu", PHASE_NAMES[i], sums[i] / resident);
    std::printf("\n");
    CHECK(cudaFree(clocks));
}

bool inflates_to(const uint8_t* encoded, size_t encoded_bytes, const uint8_t* raw, size_t raw_bytes) {
    Bytes out(raw_bytes + 1);
    z_stream stream{};
    if (inflateInit2(&stream, -15) != Z_OK) return false;
    stream.next_in = const_cast<Bytef*>(encoded);
    stream.avail_in = static_cast<uInt>(encoded_bytes);
    stream.next_out = out.data();
    stream.avail_out = static_cast<uInt>(out.size());
    const bool done =
        inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0 && stream.total_out == raw_bytes;
    inflateEnd(&stream);
    return done && std::memcmp(out.data(), raw, raw_bytes) == 0;
}

size_t zlib_bytes(const uint8_t* raw, size_t raw_bytes, int level) {
    Bytes out(compressBound(raw_bytes) + 64);
    z_stream stream{};
    if (deflateInit2(&stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) std::exit(4);
    stream.next_in = const_cast<Bytef*>(raw);
    stream.avail_in = static_cast<uInt>(raw_bytes);
    stream.next_out = out.data();
    stream.avail_out = static_cast<uInt>(out.size());
    ::deflate(&stream, Z_FINISH);
    const size_t bytes = stream.total_out;
    deflateEnd(&stream);
    return bytes;
}

/// Writes members as a plain gzip file.
void dump(const std::string& path, const Bytes& raw, size_t member_bytes, const Bytes& encoded, size_t place_bytes,
          const std::vector<BlockResult>& results, uint32_t count) {
    std::ofstream file(path, std::ios::binary);
    for (uint32_t k = 0; k < count; ++k) {
        const char header[10] = {0x1f, static_cast<char>(0x8b), 8, 0, 0, 0, 0, 0, 0, static_cast<char>(0xff)};
        const uint32_t trailer[2] = {
            static_cast<uint32_t>(crc32(0, &raw[k * member_bytes], static_cast<uInt>(member_bytes))),
            static_cast<uint32_t>(member_bytes)};
        file.write(header, sizeof header);
        file.write(reinterpret_cast<const char*>(&encoded[k * place_bytes]), results[k].output_bytes);
        file.write(reinterpret_cast<const char*>(trailer), sizeof trailer);
    }
}

/// Adds up work(i) for all i below count, on all cores.
template <typename Work>
size_t add_up(uint32_t count, Work work) {
    std::vector<size_t> sums(std::max(1u, std::thread::hardware_concurrency()));
    std::vector<std::thread> threads;
    for (size_t t = 0; t < sums.size(); ++t) {
        threads.emplace_back([&, t] {
            for (uint32_t i = t; i < count; i += sums.size()) sums[t] += work(i);
        });
    }
    for (std::thread& thread : threads) thread.join();
    size_t sum = 0;
    for (size_t s : sums) sum += s;
    return sum;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::printf("usage: see the head of the source\n");
        return 1;
    }
    const char* only = std::getenv("ONLY");
    const size_t batch_bytes = std::strtoull(argv[1], nullptr, 10) << 20,
                 member_bytes = std::strtoull(argv[2], nullptr, 10) << 10;
    std::vector<Level> levels = {level<FastPolicy>("fast", 1), level<DeepPolicy>("default", 12),
                                 level<DeepPolicy>("high", 64)};
    if (std::getenv("DEPTHS")) {
        for (const Level& other :
             {level<DeepPolicy>("deep 4", 4), level<DeepPolicy>("deep 8", 8), level<DeepPolicy>("deep 16", 16)})
            levels.push_back(other);
    }
    std::printf(
        "file,batch_MiB,member_KiB,level,ratio,zlib1_ratio,zlib6_ratio,zlib9_ratio,size_to_zlib1_percent,size_to_zlib6_"
        "percent,"
        "size_to_zlib9_percent,ms,ms_min,ms_max,GBps,verified\n");
    for (int i = 3; i < argc; ++i) {
        std::ifstream file(argv[i], std::ios::binary);
        Bytes raw((std::istreambuf_iterator<char>(file)), {});
        const uint32_t base = static_cast<uint32_t>(raw.size() / member_bytes),
                       count = static_cast<uint32_t>(batch_bytes / member_bytes);
        if (base == 0) return 3;
        raw.resize(base * member_bytes);
        const uint32_t per_range = static_cast<uint32_t>((member_bytes + BLOCK_BYTES - 1) / BLOCK_BYTES);
        const size_t raw_bytes = count * member_bytes,
                     place_bytes = (member_bytes + per_range * BLOCK_OVERHEAD_BYTES + 2 + 15) / 16 * 16;
        const uint32_t unit_count = count * per_range;
        const uint64_t range_slots = (member_bytes + 3) / 4 * 4 + per_range * SLOT_SLACK_BYTES;
        uint8_t *input, *output, *slots;
        BlockRecord* records;
        uint16_t* tokens;
        unsigned long long* different;
        CHECK(cudaMalloc(&input, raw_bytes));
        CHECK(cudaMalloc(&output, count * place_bytes));
        CHECK(cudaMalloc(&slots, count * range_slots));
        CHECK(cudaMalloc(&records, unit_count * sizeof(BlockRecord)));
        CHECK(cudaMalloc(&tokens, count * range_slots * sizeof(uint16_t)));
        CHECK(cudaMalloc(&different, 8));
        for (size_t at = 0; at < raw_bytes; at += raw.size())
            CHECK(cudaMemcpy(input + at, raw.data(), std::min(raw.size(), raw_bytes - at), cudaMemcpyHostToDevice));
        std::vector<EncodeEntry> table;
        for (uint32_t k = 0; k < count; ++k) {
            const BlockEntry range{k * member_bytes, k * place_bytes, static_cast<uint32_t>(member_bytes),
                                   static_cast<uint32_t>(place_bytes)};
            table.push_back({range, k * range_slots, k * per_range, 0});
        }
        const EncodeBatch batch{input,
                                raw_bytes,
                                output,
                                count * place_bytes,
                                to_device(table),
                                to_device(std::vector<BlockResult>(count)),
                                count,
                                unit_count,
                                records,
                                slots,
                                count * range_slots,
                                tokens};
        if (std::getenv("PHASES") && raw_bytes >= 2 * 264 * size_t{BLOCK_BYTES}) {
            print_phases<FastPolicy>("fast", batch, 1);
            print_phases<DeepPolicy>("default", batch, 12);
        }
        const uint32_t distinct = std::min(base, count);
        const size_t zlib1 =
            only ? 1
                 : add_up(distinct, [&](uint32_t k) { return zlib_bytes(&raw[k * member_bytes], member_bytes, 1); });
        const size_t zlib6 =
            only ? 1
                 : add_up(distinct, [&](uint32_t k) { return zlib_bytes(&raw[k * member_bytes], member_bytes, 6); });
        const size_t zlib9 =
            only ? 1
                 : add_up(distinct, [&](uint32_t k) { return zlib_bytes(&raw[k * member_bytes], member_bytes, 9); });
        for (const Level& l : levels) {
            if (only && l.name != only) continue;
            CHECK(cudaMemset(output, 0xEE, count * place_bytes));
            cudaEvent_t begin, end;
            CHECK(cudaEventCreate(&begin));
            CHECK(cudaEventCreate(&end));
            std::vector<float> times;
            for (int turn = 0; turn < (only ? 1 : 6); ++turn) {
                CHECK(cudaEventRecord(begin));
                l.launch(batch);
                CHECK(cudaGetLastError());
                CHECK(cudaEventRecord(end));
                CHECK(cudaEventSynchronize(end));
                float ms;
                CHECK(cudaEventElapsedTime(&ms, begin, end));
                if (turn || only) times.push_back(ms);
            }
            std::sort(times.begin(), times.end());
            const float median = times[times.size() / 2];
            if (only) {
                std::printf("%s,%s,%.1f GB/s\n", argv[i], l.name.c_str(), raw_bytes / median / 1e6);
                continue;
            }
            std::vector<BlockResult> results(count);
            CHECK(cudaMemcpy(results.data(), batch.results, count * sizeof(BlockResult), cudaMemcpyDeviceToHost));
            Bytes encoded(distinct * place_bytes);
            CHECK(cudaMemcpy(encoded.data(), output, encoded.size(), cudaMemcpyDeviceToHost));
            CHECK(cudaMemset(different, 0, 8));
            compare_repetitions<<<1024, 256>>>(output, place_bytes, batch.results, base, count, different);
            unsigned long long wrong;
            CHECK(cudaMemcpy(&wrong, different, 8, cudaMemcpyDeviceToHost));
            size_t bytes = 0;
            for (uint32_t k = 0; k < count; ++k) wrong += results[k].status != STATUS_SOUND;
            for (uint32_t k = 0; k < distinct; ++k) bytes += results[k].output_bytes;
            wrong += add_up(distinct, [&](uint32_t k) -> size_t {
                return !inflates_to(&encoded[k * place_bytes], std::min<size_t>(results[k].output_bytes, place_bytes),
                                    &raw[k * member_bytes], member_bytes);
            });
            const char* folder = std::getenv("DUMP");
            if (folder)
                dump(std::string(folder) + "/" + argv[i] + "." + l.name + ".gz", raw, member_bytes, encoded,
                     place_bytes, results, distinct);
            const double distinct_bytes = double(distinct) * member_bytes;
            std::printf("%s,%zu,%zu,%s,%.4f,%.4f,%.4f,%.4f,%.2f,%.2f,%.2f,%.3f,%.3f,%.3f,%.1f,%s\n", argv[i],
                        raw_bytes >> 20, member_bytes >> 10, l.name.c_str(), distinct_bytes / bytes,
                        distinct_bytes / zlib1, distinct_bytes / zlib6, distinct_bytes / zlib9,
                        100.0 * bytes / zlib1 - 100, 100.0 * bytes / zlib6 - 100, 100.0 * bytes / zlib9 - 100, median,
                        times.front(), times.back(), raw_bytes / median / 1e6,
                        wrong == 0 ? "yes" : ("WRONG " + std::to_string(wrong)).c_str());
            std::fflush(stdout);
        }
        for (const void* p :
             {(const void*)input, (const void*)output, (const void*)slots, (const void*)records, (const void*)tokens,
              (const void*)different, (const void*)batch.entries, (const void*)batch.results})
            CHECK(cudaFree(const_cast<void*>(p)));
    }
    return 0;
}
