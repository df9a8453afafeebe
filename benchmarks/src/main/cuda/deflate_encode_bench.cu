// Times encoding of members with DEFLATE on one device, and prints one line per level. Every distinct member is
// decoded with zlib and compared with the file; its repetitions must have the same bytes. Sizes of the members by zlib
// on levels 1, 6 and 9 stand beside ours. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -I kernels/src/main/cuda -o deflate_encode_bench benchmarks/src/main/cuda/deflate_encode_bench.cu -lz
//   deflate_encode_bench BATCH_MB MEMBER_KB FILE...      ONLY=text in the environment: one run of the levels so named, and of nothing else;
//                                                        PHASES=1: clocks of one cta's phases, of levels `fast` and
//                                                        `default`; DEPTHS=1: other depths of search, too;
//                                                        DUMP=folder: the distinct members as a gzip file,
//                                                        FILE.LEVEL.gz, for other readers
//
// The batch is the file's whole members again and again.
#include <cstring>
#include <functional>

#include "zlib_bodies.h"
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

struct PhaseClock {
    unsigned long long* clocks;
    unsigned long long then;

    /// Ends a phase.
    __device__ __forceinline__ void mark(int phase) {
        __syncthreads();
        const unsigned long long now = clock64();
        if (threadIdx.x == 0) atomicAdd(clocks + phase, now - then);
        then = now;
    }
};

template <typename Policy>
__device__ __forceinline__ void cta_clear_memory(EncodeMemory<Policy>& memory) {
    for (int i = threadIdx.x; i < TileMemory<Policy>::HEAD_COUNT / 2; i += Policy::CTA_THREADS)
        reinterpret_cast<uint32_t*>(memory.tile.heads)[i] = 0;
    uint32_t* short_heads = reinterpret_cast<uint32_t*>(memory.tile.short_heads);
    for (int i = threadIdx.x; i < (1 << Policy::SHORT_HEAD_BITS) / 2; i += Policy::CTA_THREADS) short_heads[i] = 0;
    for (int i = threadIdx.x; i < Frequencies::COPIES * Frequencies::COUNT; i += Policy::CTA_THREADS)
        memory.frequencies.counts[i] = 0;
    if (threadIdx.x == 0) memory.parse.way.tile_entry = 0, memory.parse.block_elements = 0;
}

/// Phases of one tile; a tile of the window has no matches.
template <typename Policy>
__device__ __forceinline__ void cta_time_tile(const uint8_t* block, const Tile& tile, int depth,
                                              EncodeMemory<Policy>& memory, uint16_t* tokens, PhaseClock& clock) {
    const int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    clock.mark(0);
    cta_load_tile(block, tile, memory.tile);
    clock.mark(0);
    cta_move_links<Policy>(memory.tile);
    clock.mark(1);
    if (!Policy::LINKED && tile.start < 0) {
        warp_raise_heads(tile, memory.tile, warp, lane);
        clock.mark(3);
        return;
    }
    warp_hash_windows(tile, memory.tile, warp, lane);
    clock.mark(2);
    warp_enter_tile(tile, memory.tile, warp, lane);
    const int price_rank = static_cast<int>(threadIdx.x) - ENTERING_WARPS * WARP_LANES;
    if (Policy::PRICED && tile.start >= 0 && price_rank >= 0 && price_rank < Frequencies::COUNT)
        warp_set_prices(memory.frequencies, tile.start == 0, price_rank, memory.prices);
    clock.mark(3);
    if (tile.start < 0) return;
    warp_find_windows(tile, memory.tile, memory.prices, depth, warp, lane);
    clock.mark(4);
    if (Policy::PRICED) cta_drop_matches(tile, memory.tile, memory.prices);
    clock.mark(5);
    cta_parse_tile(tile, memory.tile, memory.parse, memory.frequencies, tokens, warp, lane);
    clock.mark(6);
}

template <typename Policy>
__global__ void __launch_bounds__(Policy::CTA_THREADS, Policy::CTAS_PER_MULTIPROCESSOR)
    time_phases(EncodeBatch batch, int depth, unsigned long long* clocks) {
    EncodeMemory<Policy>& memory = cta_memory<Policy>();
    uint16_t* tokens = batch.tokens + uint64_t{blockIdx.x} * BLOCK_SLOT_BYTES;
    PhaseClock clock{clocks, static_cast<unsigned long long>(clock64())};
    cta_clear_memory<Policy>(memory);
    const uint8_t* block = batch.input + (2 * uint64_t{blockIdx.x} + 1) * BLOCK_BYTES;
    Tile tile{-WINDOW_BYTES, WINDOW_BYTES, BLOCK_BYTES, 0};
    for (; tile.start < BLOCK_BYTES; tile.start += TileMemory<Policy>::TILE_BYTES)
        cta_time_tile<Policy>(block, tile, depth, memory, tokens, clock);
    cta_end_tokens(memory, tokens);
    cta_gather_frequencies<Policy>(memory.frequencies);
    cta_build_lengths(memory.frequencies, memory.codes);
    clock.mark(7);
    cta_cut_runs(memory.codes);
    clock.mark(8);
    cta_add_up_bits(memory.frequencies, memory.codes);
    clock.mark(9);
    cta_build_codes(memory.codes);
    clock.mark(10);
    cta_write_block(memory.codes, tokens, TokenRange{0, memory.parse.block_elements}, true, true, BitPosition{0, 0},
                    reinterpret_cast<uint32_t*>(batch.slots + uint64_t{blockIdx.x} * BLOCK_SLOT_BYTES));
    clock.mark(11);
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
    DeviceMemory memory;
    unsigned long long* clocks = memory.room<unsigned long long>(PHASES);
    for (int turn = 0; turn < 2; ++turn) {
        CHECK(cudaMemset(clocks, 0, PHASES * sizeof(*clocks)));
        time_phases<Policy><<<resident, Policy::CTA_THREADS, sizeof(EncodeMemory<Policy>)>>>(batch, depth, clocks);
        CHECK(cudaDeviceSynchronize());
    }
    const std::vector<unsigned long long> sums = to_host(clocks, PHASES);
    std::printf("# %s, %u ctas, clocks a block:", name, resident);
    for (int i = 0; i < PHASES; ++i) std::printf(" %s %llu", PHASE_NAMES[i], sums[i] / resident);
    std::printf("\n");
}

// ---- one file

/// A file's whole members again and again in device memory.
struct Members {
    std::string path;
    Bytes raw;  ///< the distinct members
    size_t member_bytes, place_bytes, raw_bytes;
    uint32_t base, count, distinct;
    DeviceMemory memory;
    EncodeBatch batch;

    /// @param content at least one member
    Members(const std::string& path, const Bytes& content, size_t batch_bytes, size_t member_bytes)
        : path(path), raw(content), member_bytes(member_bytes) {
        base = static_cast<uint32_t>(raw.size() / member_bytes);
        count = static_cast<uint32_t>(batch_bytes / member_bytes);
        distinct = std::min(base, count);
        raw.resize(base * member_bytes);
        raw_bytes = count * member_bytes;
        const uint32_t per_range = static_cast<uint32_t>((member_bytes + BLOCK_BYTES - 1) / BLOCK_BYTES);
        const uint32_t unit_count = count * per_range;
        const uint64_t range_slots = (member_bytes + 3) / 4 * 4 + per_range * SLOT_SLACK_BYTES;
        place_bytes = (member_bytes + per_range * BLOCK_OVERHEAD_BYTES + 2 + 15) / 16 * 16;
        std::vector<EncodeEntry> table;
        for (uint32_t k = 0; k < count; ++k) {
            const BlockEntry range{k * member_bytes, k * place_bytes, static_cast<uint32_t>(member_bytes),
                                   static_cast<uint32_t>(place_bytes)};
            table.push_back({range, k * range_slots, k * per_range, 0});
        }
        batch = EncodeBatch{memory.repeat(raw, raw_bytes),
                            raw_bytes,
                            memory.room<uint8_t>(count * place_bytes),
                            count * place_bytes,
                            memory.upload(table),
                            memory.upload(std::vector<BlockResult>(count)),
                            count,
                            unit_count,
                            memory.room<BlockRecord>(unit_count),
                            memory.room<uint8_t>(count * range_slots),
                            count * range_slots,
                            memory.room<uint16_t>(count * range_slots)};
    }

    const uint8_t* member(uint32_t k) const { return &raw[k * member_bytes]; }

    /// Size of the distinct members by zlib.
    size_t zlib_bytes(int level) const {
        ZlibWay way;
        way.level = level;
        return add_up(distinct, [&](uint32_t k) { return zlib_deflate(member(k), member_bytes, way).size(); });
    }
};

/// Results of a level, and the distinct members' bodies.
struct Encoded {
    const Members& members;
    std::vector<BlockResult> results;
    Bytes places;  ///< of the distinct members

    explicit Encoded(const Members& members)
        : members(members),
          results(to_host(members.batch.results, members.count)),
          places(to_host(members.batch.output, members.distinct * members.place_bytes)) {}

    const uint8_t* member(uint32_t k) const { return &places[k * members.place_bytes]; }

    size_t bytes() const {
        size_t sum = 0;
        for (uint32_t k = 0; k < members.distinct; ++k) sum += results[k].output_bytes;
        return sum;
    }

    /// Number of members that zlib does not read as the file's, and of bytes by which repetitions differ.
    size_t wrong() const {
        const EncodeBatch& batch = members.batch;
        DeviceCounter different;
        compare_repetitions<<<1024, 256>>>(batch.output, members.place_bytes, batch.results, members.base,
                                           members.count, different.number);
        size_t wrong = different.value();
        for (const BlockResult& result : results) wrong += result.status != STATUS_SOUND;
        return wrong + add_up(members.distinct, [&](uint32_t k) -> size_t {
                   Bytes raw;
                   const size_t bytes = std::min<size_t>(results[k].output_bytes, members.place_bytes);
                   return !zlib_inflates(member(k), bytes, members.member_bytes, raw) ||
                          raw.size() != members.member_bytes ||
                          std::memcmp(raw.data(), members.member(k), raw.size()) != 0;
               });
    }

    /// Writes the distinct members as a plain gzip file.
    void dump(const std::string& path) const {
        std::ofstream file(path, std::ios::binary);
        for (uint32_t k = 0; k < members.distinct; ++k) {
            const char header[10] = {0x1f, static_cast<char>(0x8b), 8, 0, 0, 0, 0, 0, 0, static_cast<char>(0xff)};
            const uint32_t trailer[2] = {
                static_cast<uint32_t>(crc32(0, members.member(k), static_cast<uInt>(members.member_bytes))),
                static_cast<uint32_t>(members.member_bytes)};
            file.write(header, sizeof header);
            file.write(reinterpret_cast<const char*>(member(k)), results[k].output_bytes);
            file.write(reinterpret_cast<const char*>(trailer), sizeof trailer);
        }
    }
};

/// Times every level on the members, verifies the bodies, and prints a line for each.
void bench(const Members& members, const std::vector<Level>& levels) {
    const size_t zlib[] = {members.zlib_bytes(1), members.zlib_bytes(6), members.zlib_bytes(9)};
    for (const Level& l : levels) {
        CHECK(cudaMemset(members.batch.output, 0xEE, members.batch.output_bytes));
        const Times times = measure([&] { l.launch(members.batch); }, 5);
        const Encoded encoded(members);
        const size_t wrong = encoded.wrong(), bytes = encoded.bytes();
        const char* folder = std::getenv("DUMP");
        if (folder) encoded.dump(std::string(folder) + "/" + members.path + "." + l.name + ".gz");
        const double distinct_bytes = double(members.distinct) * members.member_bytes;
        std::printf("%s,%zu,%zu,%s,%.4f", members.path.c_str(), members.raw_bytes >> 20, members.member_bytes >> 10,
                    l.name.c_str(), distinct_bytes / bytes);
        for (const size_t theirs : zlib) std::printf(",%.4f", distinct_bytes / theirs);
        for (const size_t theirs : zlib) std::printf(",%.2f", 100.0 * bytes / theirs - 100);
        std::printf(",%s,%s\n", times.text(members.raw_bytes).c_str(), verdict(wrong).c_str());
        std::fflush(stdout);
    }
}

/// Runs the levels of this name once.
void run_once(const Members& members, const std::vector<Level>& levels, const char* only) {
    for (const Level& l : levels) {
        if (l.name != only) continue;
        CHECK(cudaMemset(members.batch.output, 0xEE, members.batch.output_bytes));
        const Times times = measure([&] { l.launch(members.batch); }, 0);
        std::printf("%s,%s,%.1f GB/s\n", members.path.c_str(), l.name.c_str(), members.raw_bytes / times.median / 1e6);
    }
}

std::vector<Level> levels() {
    std::vector<Level> all = {level<FastPolicy>("fast", 1), level<DeepPolicy>("default", 12),
                              level<DeepPolicy>("high", 64)};
    if (std::getenv("DEPTHS")) {
        all.insert(all.end(),
                   {level<DeepPolicy>("deep 4", 4), level<DeepPolicy>("deep 8", 8), level<DeepPolicy>("deep 16", 16)});
    }
    return all;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) return usage();
    const char* only = std::getenv("ONLY");
    const size_t batch_bytes = std::strtoull(argv[1], nullptr, 10) << 20,
                 member_bytes = std::strtoull(argv[2], nullptr, 10) << 10;
    std::printf(
        "file,batch_MiB,member_KiB,level,ratio,zlib1_ratio,zlib6_ratio,zlib9_ratio,size_to_zlib1_percent,size_to_zlib6_"
        "percent,size_to_zlib9_percent,ms,ms_min,ms_max,GBps,verified\n");
    for (int i = 3; i < argc; ++i) {
        const Bytes content = read_file(argv[i]);
        if (content.size() < member_bytes) return 3;
        const Members members(argv[i], content, batch_bytes, member_bytes);
        if (std::getenv("PHASES") && members.raw_bytes >= 2 * 264 * size_t{BLOCK_BYTES}) {
            print_phases<FastPolicy>("fast", members.batch, 1);
            print_phases<DeepPolicy>("default", members.batch, 12);
        }
        if (only) run_once(members, levels(), only);
        else bench(members, levels());
    }
    return 0;
}
