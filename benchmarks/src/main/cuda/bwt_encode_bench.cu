// Times the forward Burrows-Wheeler transform of many bzip2 blocks on one device, kernel by kernel, and verifies it: the column of each distinct block is inverted on the
// host and compared with the block, repetitions of it must have the same bytes. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -I kernels/src/main/cuda -o bwt_encode_bench benchmarks/src/main/cuda/bwt_encode_bench.cu
//   bwt_encode_bench BLOCK_BYTES BLOCKS,BLOCKS... FILE...    a FILE may be @same, @two, @three (periods), @fibonacci, @repeat (a twentieth of the next FILE's first
//                                                            block, twenty times) or @random; @all: all of these
//   bwt_encode_bench 900000 1,64,256,1000 dickens osdb xml   DETAIL=0 in the environment: only the whole transform
//
// One line of CSV a stage: cold is the first run, ms the median of the others; `whole` is measured by itself, without events between kernels: `look` with the host
// reading the count of tied rotations after each round, `blind` with all rounds asked for at once.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <thread>

#include "bwt_encode_plan.cuh"
#include "device_bench.cuh"

using namespace warpcodec;
using namespace warpcodec::bwt_encode;

namespace {

template <typename Memory>
__device__ __forceinline__ Memory& cta_memory() {
    extern __shared__ uint4 s_memory[];
    return *reinterpret_cast<Memory*>(s_memory);
}

__global__ void __launch_bounds__(SplitPolicy::CTA_THREADS) begin(BwtBatch batch) { cta_begin_blocks(batch); }
__global__ void __launch_bounds__(CodesPolicy::CTA_THREADS) codes(BwtBatch batch) {
    const Block block = load_block(batch, blockIdx.x);
    if (block.bytes > 0) cta_build_codes(block, batch.codes + uint64_t{blockIdx.x} * CODES_PER_BLOCK, cta_memory<CodesMemory>());
}
__global__ void __launch_bounds__(KeysPolicy::CTA_THREADS) keys(BwtBatch batch) {
    __shared__ KeysMemory s_memory;
    cta_make_all_keys(batch, s_memory);
}
__global__ void __launch_bounds__(SplitPolicy::CTA_THREADS) split_blocks(BwtBatch batch) {
    __shared__ SplitMemory s_memory;
    cta_split_blocks(batch, s_memory);
}
__global__ void __launch_bounds__(RefinePolicy::CTA_THREADS) refine_windows(BwtBatch batch) { cta_refine_windows(batch, cta_memory<RefineMemory>()); }
__global__ void __launch_bounds__(sort::SortPolicy::CTA_THREADS) gather_segments(BwtBatch batch) {
    __shared__ sort::CountMemory<sort::NARROW_DIGIT_BITS> s_memory;
    cta_gather_segments(batch, s_memory);
}
__global__ void __launch_bounds__(RefinePolicy::CTA_THREADS) rank_windows(BwtBatch batch) {
    __shared__ RankMemory s_memory;
    cta_rank_windows(batch, s_memory);
}
__global__ void __launch_bounds__(SplitPolicy::CTA_THREADS) split_segments(BwtBatch batch) {
    __shared__ SplitMemory s_memory;
    cta_split_segments(batch, s_memory);
}
__global__ void __launch_bounds__(ColumnPolicy::CTA_THREADS) write_columns(BwtBatch batch) { cta_write_columns(batch); }
template <int DIGIT_BITS>
__global__ void __launch_bounds__(sort::SortPolicy::CTA_THREADS) count_tiles(sort::SortBatch batch) {
    __shared__ sort::CountMemory<DIGIT_BITS> s_memory;
    sort::cta_count_tiles(batch, s_memory);
}
template <int DIGIT_BITS>
__global__ void __launch_bounds__(sort::SortPolicy::SCAN_CTA_THREADS) scan_segments(sort::SortBatch batch) {
    __shared__ sort::ScanMemory s_memory;
    sort::cta_scan_segments<DIGIT_BITS>(batch, s_memory);
}
template <int DIGIT_BITS>
__global__ void __launch_bounds__(sort::SortPolicy::CTA_THREADS, sort::SortPolicy::SCATTER_CTAS_PER_MULTIPROCESSOR)
    scatter_tiles(sort::SortBatch batch) {
    __shared__ sort::ScatterMemory<DIGIT_BITS> s_memory;
    sort::cta_scatter_tiles(batch, s_memory);
}

const bwt_plan::Kernels<void (*)(BwtBatch), void (*)(sort::SortBatch)> KERNELS{
    begin,
    codes,
    keys,
    split_blocks,
    refine_windows,
    gather_segments,
    rank_windows,
    split_segments,
    write_columns,
    count_tiles<sort::WIDE_DIGIT_BITS>,
    scan_segments<sort::WIDE_DIGIT_BITS>,
    scatter_tiles<sort::WIDE_DIGIT_BITS>,
    count_tiles<sort::NARROW_DIGIT_BITS>,
    scan_segments<sort::NARROW_DIGIT_BITS>,
    scatter_tiles<sort::NARROW_DIGIT_BITS>,
};

/// Times each launch if asked to.
class Launcher {
    struct Timed {
        const char* name;
        cudaEvent_t begin, end;
    };
    std::vector<Timed> timed_;
    size_t used_ = 0;

public:
    bool detail = false;

    template <typename Kernel, typename Batch>
    void operator()(const char* name, Kernel kernel, uint32_t grid, uint32_t threads, size_t shared_bytes, const Batch& batch) {
        if (grid == 0) return;
        if (!detail) {
            kernel<<<grid, threads, shared_bytes>>>(batch);
            return;
        }
        if (used_ == timed_.size()) {
            timed_.push_back({});
            CHECK(cudaEventCreate(&timed_[used_].begin));
            CHECK(cudaEventCreate(&timed_[used_].end));
        }
        timed_[used_].name = name;
        CHECK(cudaEventRecord(timed_[used_].begin));
        kernel<<<grid, threads, shared_bytes>>>(batch);
        CHECK(cudaEventRecord(timed_[used_].end));
        ++used_;
    }

    std::map<std::string, float> take() {
        std::map<std::string, float> sums;
        CHECK(cudaDeviceSynchronize());
        for (size_t i = 0; i < used_; ++i) {
            float ms;
            CHECK(cudaEventElapsedTime(&ms, timed_[i].begin, timed_[i].end));
            sums[timed_[i].name] += ms;
        }
        used_ = 0;
        return sums;
    }
};

struct Rounds {
    uint32_t rounds = 0;
    uint32_t tied_first = 0;
    double handled = 0;  ///< rotations that were tied when a round began, over all rounds
};

uint32_t resident_ctas() {
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    return multiprocessors * 6;
}

/// One transform; launch may be called a const since it only counts.
Rounds transform(BwtBatch batch, Launcher& launcher, bool look, RoundCounts* counts) {
    const auto launch = [&](auto... arguments) { launcher(arguments...); };
    static const uint32_t resident = resident_ctas();
    Rounds result;
    bwt_plan::first_sort(KERNELS, batch, launch);
    for (uint32_t round = 1; round <= MAX_ROUNDS; ++round) {
        bool large = true;
        if (look) {
            CHECK(cudaMemcpyAsync(counts, batch.rounds + round, sizeof(RoundCounts), cudaMemcpyDeviceToHost));
            CHECK(cudaStreamSynchronize(nullptr));
            if (round == 1) result.tied_first = counts->tied;
            if (counts->tied == 0) break;
            result.handled += counts->tied;
            large = counts->large.segments > 0;
        }
        bwt_plan::one_round(KERNELS, batch, round, resident, large, launch);
        result.rounds = round;
    }
    batch.round = MAX_ROUNDS;
    launch("columns", KERNELS.write_columns, batch.tile_count, static_cast<uint32_t>(ColumnPolicy::CTA_THREADS), size_t{0}, batch);
    CHECK(cudaGetLastError());
    return result;
}

bool inverts(const Bytes& block, const uint8_t* column, uint32_t origin) {
    const size_t n = block.size();
    if (origin >= n) return false;
    size_t starts[257] = {};
    for (size_t i = 0; i < n; ++i) ++starts[column[i] + 1];
    for (int c = 0; c < 256; ++c) starts[c + 1] += starts[c];
    std::vector<uint32_t> next(n);
    for (size_t i = 0; i < n; ++i) next[starts[column[i]]++] = static_cast<uint32_t>(i);
    uint32_t at = next[origin];
    for (size_t i = 0; i < n; ++i) {
        if (column[at] != block[i]) return false;
        at = next[at];
    }
    return true;
}

std::vector<Bytes> read_blocks(const std::string& name, size_t block_bytes, const std::string& next_file) {
    const auto periodic = [&](size_t period) {
        Bytes block(block_bytes);
        for (size_t i = 0; i < block_bytes; ++i) block[i] = static_cast<uint8_t>('a' + i % period);
        return std::vector<Bytes>{block};
    };
    if (name == "@same") return periodic(1);
    if (name == "@two") return periodic(2);
    if (name == "@three") return periodic(3);
    if (name == "@fibonacci") {
        std::string shorter = "a", longer = "ab";
        while (longer.size() < block_bytes) {
            std::string sum = longer + shorter;
            shorter.swap(longer);
            longer.swap(sum);
        }
        return {Bytes(longer.begin(), longer.begin() + block_bytes)};
    }
    if (name == "@random") {
        std::vector<Bytes> blocks(4, Bytes(block_bytes));
        uint64_t state = 88172645463325252ull;
        for (Bytes& block : blocks) {
            for (uint8_t& byte : block) {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                byte = static_cast<uint8_t>(state >> 32);
            }
        }
        return blocks;
    }
    if (name == "@repeat") {
        if (next_file.empty()) return {};
        std::vector<Bytes> blocks = read_blocks(next_file, block_bytes, "");
        if (blocks.empty()) return {};
        Bytes block = blocks[0];
        for (size_t i = block_bytes / 20; i < block.size(); ++i) block[i] = block[i - block_bytes / 20];
        return {block};
    }
    std::ifstream file(name, std::ios::binary);
    const Bytes raw((std::istreambuf_iterator<char>(file)), {});
    std::vector<Bytes> blocks;
    for (size_t at = 0; at + block_bytes <= raw.size(); at += block_bytes) blocks.emplace_back(raw.begin() + at, raw.begin() + at + block_bytes);
    if (blocks.empty() && !raw.empty()) blocks.push_back(raw);
    return blocks;
}

__global__ void count_different_columns(const uint8_t* columns, size_t block_bytes, size_t base_bytes, size_t bytes, const BwtResult* results,
                                        uint32_t base, unsigned long long* different) {
    for (size_t i = base_bytes + blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < bytes; i += size_t(gridDim.x) * blockDim.x) {
        if (columns[i] != columns[i % base_bytes]) atomicAdd(different, 1ull);
        const size_t block = i / block_bytes;
        if (i % block_bytes == 0 && results[block].origin_row != results[block % base].origin_row) atomicAdd(different, 1ull);
    }
}

float median(std::vector<float> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void run(const std::string& name, const std::vector<Bytes>& blocks, uint32_t count, bool detail) {
    const uint32_t base = std::min<uint32_t>(static_cast<uint32_t>(blocks.size()), count);
    const size_t block_bytes = blocks[0].size(), bytes = block_bytes * count;
    const uint32_t tiles_each = bwt_plan::tiles_of(static_cast<uint32_t>(block_bytes)), tiles = tiles_each * count;
    const size_t places = size_t{tiles} * TILE_ROTATIONS;
    std::vector<BwtEntry> table;
    for (uint32_t k = 0; k <= count; ++k) table.push_back({k * block_bytes, k < count ? static_cast<uint32_t>(block_bytes) : 0, k * tiles_each});

    std::vector<void*> owned;
    size_t scratch_bytes = 0;
    const auto allocate = [&](auto*& pointer, size_t elements) {
        CHECK(cudaMalloc(&pointer, elements * sizeof(*pointer)));
        CHECK(cudaMemset(pointer, 0xA5, elements * sizeof(*pointer)));
        owned.push_back(pointer);
        scratch_bytes += elements * sizeof(*pointer);
    };
    uint8_t* text;
    unsigned long long* different;
    BwtEntry* entries = to_device(table);
    allocate(text, bytes);
    allocate(different, 1);
    for (uint32_t k = 0; k < count; ++k) CHECK(cudaMemcpy(text + k * block_bytes, blocks[k % base].data(), block_bytes, cudaMemcpyHostToDevice));
    BwtBatch batch{};
    batch.text = text;
    batch.text_bytes = bytes;
    batch.entries = entries;
    batch.block_count = count;
    batch.tile_count = tiles;
    batch.segment_capacity = bwt_plan::segment_capacity_of(tiles, count);
    batch.tile_capacity = 3 * tiles + 1;
    allocate(batch.column, bytes);
    allocate(batch.results, count);
    allocate(batch.keys_a, places);
    allocate(batch.keys_b, places);
    allocate(batch.ranks, places);
    allocate(batch.shared_a, places);
    allocate(batch.shared_b, places);
    allocate(batch.heads_a, places / 32);
    allocate(batch.heads_b, places / 32);
    allocate(batch.codes, size_t{count} * CODES_PER_BLOCK);
    allocate(batch.histograms, size_t{tiles} << sort::WIDE_DIGIT_BITS);
    allocate(batch.tile_blocks, tiles);
    allocate(batch.segments_a, batch.segment_capacity);
    allocate(batch.segments_b, batch.segment_capacity);
    allocate(batch.tile_segments_a, batch.tile_capacity);
    allocate(batch.tile_segments_b, batch.tile_capacity);
    allocate(batch.rounds, MAX_ROUNDS + 2);
    RoundCounts* counts;
    CHECK(cudaMallocHost(&counts, sizeof(RoundCounts)));
    CHECK(cudaDeviceSynchronize());

    Launcher launcher;
    Rounds rounds;
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    std::map<std::string, std::vector<float>> wholes;
    for (const bool look : {true, false}) {
        for (int turn = 0; turn < 4; ++turn) {
            CHECK(cudaEventRecord(begin));
            const Rounds found = transform(batch, launcher, look, counts);
            CHECK(cudaEventRecord(end));
            CHECK(cudaEventSynchronize(end));
            float ms;
            CHECK(cudaEventElapsedTime(&ms, begin, end));
            wholes[look ? "whole_look" : "whole_blind"].push_back(ms);
            if (look) rounds = found;
        }
    }
    std::map<std::string, std::vector<float>> stages;
    if (detail) {
        launcher.detail = true;
        for (int turn = 0; turn < 4; ++turn) {
            transform(batch, launcher, true, counts);
            for (const auto& stage : launcher.take()) stages[stage.first].push_back(stage.second);
        }
    }

    std::vector<BwtResult> results(count);
    Bytes columns(base * block_bytes);
    CHECK(cudaMemcpy(results.data(), batch.results, count * sizeof(BwtResult), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(columns.data(), batch.column, columns.size(), cudaMemcpyDeviceToHost));
    CHECK(cudaMemset(different, 0, 8));
    count_different_columns<<<1024, 256>>>(batch.column, block_bytes, base * block_bytes, bytes, batch.results, base, different);
    unsigned long long wrong;
    CHECK(cudaMemcpy(&wrong, different, 8, cudaMemcpyDeviceToHost));
    for (const BwtResult& result : results) wrong += result.status != STATUS_SOUND;
    std::vector<int> failed(base, 0);
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 8; ++t) {
        threads.emplace_back([&, t] {
            for (uint32_t k = t; k < base; k += 8) failed[k] = !inverts(blocks[k], &columns[k * block_bytes], results[k].origin_row);
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const int f : failed) wrong += f;

    const auto print = [&](const std::string& stage, const std::vector<float>& times) {
        const float ms = median(std::vector<float>(times.begin() + 1, times.end()));
        std::printf("%s,%u,%zu,%s,%.3f,%.3f,%.2f,%u,%.3f,%.3f,%.1f,%s\n", name.c_str(), count, block_bytes, stage.c_str(), times[0], ms,
                    bytes / ms / 1e6, rounds.rounds, double(rounds.tied_first) / bytes, rounds.handled / bytes, double(scratch_bytes) / bytes,
                    wrong == 0 ? "yes" : ("WRONG " + std::to_string(wrong)).c_str());
    };
    for (const auto& whole : wholes) print(whole.first, whole.second);
    for (const auto& stage : stages) print(stage.first, stage.second);
    std::fflush(stdout);
    for (void* pointer : owned) CHECK(cudaFree(pointer));
    CHECK(cudaFree(entries));
    CHECK(cudaFreeHost(counts));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::printf("usage: see the head of the source\n");
        return 1;
    }
    const char* detail = std::getenv("DETAIL");
    const size_t block_bytes = std::strtoull(argv[1], nullptr, 10);
    if (block_bytes == 0 || block_bytes > MAX_BLOCK_BYTES) return 1;
    CHECK(cudaFuncSetAttribute(codes, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(CodesMemory)));
    CHECK(cudaFuncSetAttribute(refine_windows, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(RefineMemory)));
    std::vector<std::string> names;
    for (int i = 3; i < argc; ++i) {
        if (std::string(argv[i]) != "@all") names.push_back(argv[i]);
        else names.insert(names.end(), {"@same", "@two", "@three", "@fibonacci", "@random", "@repeat"});
    }
    std::printf("file,blocks,block_bytes,stage,cold_ms,ms,GBps,rounds,tied_after_first,handled_in_rounds,device_bytes_per_byte,verified\n");
    for (size_t i = 0; i < names.size(); ++i) {
        std::string next;
        for (size_t k = 0; k < names.size() && next.empty(); ++k) {
            if (names[(i + k) % names.size()][0] != '@') next = names[(i + k) % names.size()];
        }
        const std::vector<Bytes> blocks = read_blocks(names[i], block_bytes, next);
        if (blocks.empty()) {
            std::printf("# %s: nothing to read\n", names[i].c_str());
            continue;
        }
        for (const char* at = argv[2]; at != nullptr; at = std::strchr(at, ',') ? std::strchr(at, ',') + 1 : nullptr) {
            run(names[i], blocks, static_cast<uint32_t>(std::strtoul(at, nullptr, 10)), detail == nullptr || detail[0] != '0');
        }
    }
    return 0;
}
