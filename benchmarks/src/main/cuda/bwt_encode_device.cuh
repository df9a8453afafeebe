// The forward transform on a device, for the benchmarks that time it: its kernels, its scratch, and data to try it on.
#pragma once

#include <cstring>
#include <map>

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

template <typename Shape>
__global__ void __launch_bounds__(SplitPolicy::CTA_THREADS) begin(BwtBatch batch) {
    cta_begin_blocks<Shape>(batch);
}
template <typename Shape>
__global__ void __launch_bounds__(CodesPolicy::CTA_THREADS) codes(BwtBatch batch) {
    cta_build_all_codes<Shape>(batch, cta_memory<CodesMemory>());
}
template <typename Shape>
__global__ void __launch_bounds__(KeysPolicy::CTA_THREADS) keys(BwtBatch batch) {
    __shared__ KeysMemory<Shape> s_memory;
    cta_make_all_keys(batch, s_memory);
}
template <typename Shape>
__global__ void __launch_bounds__(SplitPolicy::CTA_THREADS) split_blocks(BwtBatch batch) {
    __shared__ SplitMemory s_memory;
    cta_split_blocks<Shape>(batch, s_memory);
}
template <typename Shape>
__global__ void __launch_bounds__(Shape::Refine::CTA_THREADS, Shape::Refine::CTAS_PER_MULTIPROCESSOR)
    refine_windows(BwtBatch batch) {
    cta_refine_windows(batch, cta_memory<RefineMemory<Shape>>());
}
template <typename Shape>
__global__ void __launch_bounds__(sort::SortPolicy::CTA_THREADS) gather_segments(BwtBatch batch) {
    __shared__ sort::CountMemory<Shape::NARROW_DIGIT_BITS> s_memory;
    cta_gather_segments<Shape>(batch, s_memory);
}
template <typename Shape>
__global__ void __launch_bounds__(RankPolicy::CTA_THREADS) rank_windows(BwtBatch batch) {
    __shared__ RankMemory<Shape> s_memory;
    cta_rank_windows(batch, s_memory);
}
template <typename Shape>
__global__ void __launch_bounds__(SplitPolicy::CTA_THREADS) split_segments(BwtBatch batch) {
    __shared__ SplitMemory s_memory;
    cta_split_segments<Shape>(batch, s_memory);
}
template <typename Shape>
__global__ void __launch_bounds__(ColumnPolicy::CTA_THREADS) write_columns(BwtBatch batch) {
    cta_write_columns<Shape>(batch);
}
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

using Kernels = bwt_plan::Kernels<void (*)(BwtBatch), void (*)(sort::SortBatch)>;

const Kernels KERNELS{
    begin<BlockShape>,
    codes<BlockShape>,
    keys<BlockShape>,
    split_blocks<BlockShape>,
    refine_windows<BlockShape>,
    gather_segments<BlockShape>,
    rank_windows<BlockShape>,
    split_segments<BlockShape>,
    write_columns<BlockShape>,
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
    bool careful = false;  ///< waits for each kernel, and says which one failed

    template <typename Kernel, typename Batch>
    void operator()(const char* name, Kernel kernel, uint32_t grid, uint32_t threads, size_t shared_bytes,
                    const Batch& batch) {
        const auto launch = [=](const Batch& own, uint32_t ctas, uint32_t each) {
            kernel<<<ctas, each, shared_bytes>>>(own);
        };
        call(name, launch, grid, threads, batch);
    }

    /// Lets launch(batch, grid, threads) launch a kernel.
    template <typename Launch, typename Batch>
    void call(const char* name, Launch launch, uint32_t grid, uint32_t threads, const Batch& batch) {
        if (grid == 0) return;
        if (!detail) {
            launch(batch, grid, threads);
            if (!careful) return;
            const cudaError_t launched = cudaGetLastError(), ended = cudaDeviceSynchronize();
            if (launched == cudaSuccess && ended == cudaSuccess) return;
            std::printf("# %s<<<%u, %u>>>: %s, %s\n", name, grid, threads, cudaGetErrorString(launched),
                        cudaGetErrorString(ended));
            std::exit(2);
        }
        if (used_ == timed_.size()) {
            timed_.push_back({});
            CHECK(cudaEventCreate(&timed_[used_].begin));
            CHECK(cudaEventCreate(&timed_[used_].end));
        }
        timed_[used_].name = name;
        CHECK(cudaEventRecord(timed_[used_].begin));
        launch(batch, grid, threads);
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

/// Runs one transform. With `look` the host reads the counts of each round.
Rounds transform(BwtBatch batch, Launcher& launcher, bool look, RoundCounts* counts) {
    const auto launch = [&](auto... arguments) { launcher(arguments...); };
    static const uint32_t resident = resident_ctas();
    Rounds result;
    bwt_plan::first_sort<BlockShape>(KERNELS, batch, launch);
    for (uint32_t round = 1; round <= BlockShape::MAX_ROUNDS; ++round) {
        if (look) {
            CHECK(cudaMemcpyAsync(counts, batch.rounds + round, sizeof(RoundCounts), cudaMemcpyDeviceToHost));
            CHECK(cudaStreamSynchronize(nullptr));
            if (round == 1) result.tied_first = counts->tied;
            if (counts->tied == 0) break;
            result.handled += counts->tied;
        }
        bwt_plan::one_round<BlockShape>(KERNELS, batch, round, resident, look ? counts : nullptr, launch);
        result.rounds = round;
    }
    batch.round = BlockShape::MAX_ROUNDS;
    launch("columns", KERNELS.write_columns, batch.tile_count, static_cast<uint32_t>(ColumnPolicy::CTA_THREADS),
           size_t{0}, batch);
    CHECK(cudaGetLastError());
    return result;
}

/// Times of runs as wholes and stage by stage, the first of each cold.
struct Measured {
    Rounds rounds;
    std::map<std::string, std::vector<float>> wholes, stages;

    /// Calls print(stage, cold, median of the others).
    template <typename Print>
    void for_each(Print print) const {
        for (const auto* part : {&wholes, &stages}) {
            for (const auto& [stage, times] : *part)
                print(stage, times[0], median(std::vector<float>(times.begin() + 1, times.end())));
        }
    }
};

/// Times whole runs; run(launcher, look, counts) is one run.
template <typename Run>
void measure_wholes(Measured& measured, Launcher& launcher, Run run, bool first_careful, RoundCounts* counts) {
    StageTimer timer(1);
    for (const bool look : {true, false}) {
        for (int turn = 0; turn < 4; ++turn) {
            launcher.careful = (first_careful && turn == 0) || std::getenv("CAREFUL") != nullptr;
            timer.begin();
            const Rounds found = run(launcher, look, counts);
            timer.mark();
            timer.wait();
            measured.wholes[look ? "whole_look" : "whole_blind"].push_back(timer.ms(0, 1));
            if (look) measured.rounds = found;
        }
    }
}

/// Times stages; stage_of(name) is the stage to which a kernel counts.
template <typename Run, typename StageOf>
void measure_stages(Measured& measured, Launcher& launcher, Run run, StageOf stage_of, RoundCounts* counts) {
    launcher.detail = true;
    for (int turn = 0; turn < 4; ++turn) {
        run(launcher, true, counts);
        std::map<std::string, float> sums;
        for (const auto& [name, ms] : launcher.take()) sums[stage_of(name)] += ms;
        for (const auto& [stage, ms] : sums) measured.stages[stage].push_back(ms);
    }
}

/// Times wholes, and stages unless DETAIL=0 is in the environment.
template <typename Run, typename StageOf>
Measured measure_all(Run run, StageOf stage_of, bool first_careful) {
    RoundCounts* counts;
    CHECK(cudaMallocHost(&counts, sizeof(RoundCounts)));
    CHECK(cudaDeviceSynchronize());
    Launcher launcher;
    Measured measured;
    measure_wholes(measured, launcher, run, first_careful, counts);
    const char* detail = std::getenv("DETAIL");
    if (detail == nullptr || detail[0] != '0') measure_stages(measured, launcher, run, stage_of, counts);
    CHECK(cudaFreeHost(counts));
    return measured;
}

/// Byte that fills memory before its use, so that nothing relies on zeros.
constexpr int POISON = 0xA5;

template <typename T>
void allocate(DeviceMemory& memory, T*& pointer, size_t elements) {
    pointer = memory.room<T>(elements, POISON);
}

/// Uploads `count` blocks of equal size, a file's again and again.
uint8_t* upload_blocks(DeviceMemory& memory, const std::vector<Bytes>& blocks, uint32_t count) {
    const size_t block_bytes = blocks[0].size();
    uint8_t* input = memory.room<uint8_t>(block_bytes * count);
    for (uint32_t k = 0; k < count; ++k)
        CHECK(
            cudaMemcpy(input + k * block_bytes, blocks[k % blocks.size()].data(), block_bytes, cudaMemcpyHostToDevice));
    return input;
}

/// Takes the transform's memory, but not text, column and entries; keys_b gets `keys_b_bytes` at least.
template <typename Shape = BlockShape>
void allocate_scratch(DeviceMemory& memory, BwtBatch& batch, uint32_t blocks, uint32_t tiles, size_t keys_b_bytes = 0) {
    const size_t places = size_t{tiles} * TILE_ROTATIONS, windows = size_t{tiles} * Shape::WINDOWS_PER_TILE;
    batch.block_count = blocks;
    batch.tile_count = tiles;
    batch.segment_capacity = bwt_plan::segment_capacity_of<Shape>(tiles, blocks);
    batch.tile_capacity = bwt_plan::tile_capacity_of<Shape>(tiles);
    allocate(memory, batch.results, blocks);
    allocate(memory, batch.keys_a, places);
    allocate(memory, batch.keys_b, std::max(places, keys_b_bytes / 8 + 1));
    allocate(memory, batch.ranks, places);
    allocate(memory, batch.shared_a, places);
    allocate(memory, batch.shared_b, places);
    allocate(memory, batch.heads, places / 32);
    allocate(memory, batch.added_heads, windows * Shape::WINDOW_PLACES / 32);
    allocate(memory, batch.window_ranges, windows);
    allocate(memory, batch.window_marks, windows);
    allocate(memory, batch.windows_a, windows);
    allocate(memory, batch.windows_b, windows);
    allocate(memory, batch.codes, size_t{blocks} * CODES_PER_BLOCK);
    allocate(memory, batch.histograms, size_t{tiles} * Shape::HISTOGRAM_WORDS_PER_TILE);
    allocate(memory, batch.tile_blocks, tiles);
    allocate(memory, batch.segments_a, batch.segment_capacity);
    allocate(memory, batch.segments_b, batch.segment_capacity);
    allocate(memory, batch.tile_segments_a, batch.tile_capacity);
    allocate(memory, batch.tile_segments_b, batch.tile_capacity);
    allocate(memory, batch.rounds, Shape::MAX_ROUNDS + 2);
}

template <typename Shape = BlockShape>
void allow_shared_memory(const Kernels& kernels = KERNELS) {
    CHECK(cudaFuncSetAttribute(kernels.codes, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(CodesMemory)));
    CHECK(cudaFuncSetAttribute(kernels.refine_windows, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               sizeof(RefineMemory<Shape>)));
}

Bytes periodic_block(size_t block_bytes, size_t period) {
    Bytes block(block_bytes);
    for (size_t i = 0; i < block_bytes; ++i) block[i] = static_cast<uint8_t>('a' + i % period);
    return block;
}

Bytes fibonacci_block(size_t block_bytes) {
    std::string shorter = "a", longer = "ab";
    while (longer.size() < block_bytes) {
        std::string sum = longer + shorter;
        shorter.swap(longer);
        longer.swap(sum);
    }
    return Bytes(longer.begin(), longer.begin() + block_bytes);
}

std::vector<Bytes> random_blocks(size_t block_bytes) {
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

/// The whole blocks of a file, or all of a file that is shorter than one.
std::vector<Bytes> file_blocks(const std::string& path, size_t block_bytes) {
    const Bytes raw = read_file(path);
    std::vector<Bytes> blocks;
    for (size_t at = 0; at + block_bytes <= raw.size(); at += block_bytes)
        blocks.emplace_back(raw.begin() + at, raw.begin() + at + block_bytes);
    if (blocks.empty() && !raw.empty()) blocks.push_back(raw);
    return blocks;
}

/// A twentieth of a file's first block, twenty times.
std::vector<Bytes> repeated_block(const std::string& path, size_t block_bytes) {
    if (path.empty()) return {};
    std::vector<Bytes> blocks = file_blocks(path, block_bytes);
    if (blocks.empty()) return {};
    Bytes block = blocks[0];
    for (size_t i = block_bytes / 20; i < block.size(); ++i) block[i] = block[i - block_bytes / 20];
    return {block};
}

std::vector<Bytes> read_blocks(const std::string& name, size_t block_bytes, const std::string& next_file) {
    if (name == "@same") return {periodic_block(block_bytes, 1)};
    if (name == "@two") return {periodic_block(block_bytes, 2)};
    if (name == "@three") return {periodic_block(block_bytes, 3)};
    if (name == "@fibonacci") return {fibonacci_block(block_bytes)};
    if (name == "@random") return random_blocks(block_bytes);
    if (name == "@repeat") return repeated_block(next_file, block_bytes);
    return file_blocks(name, block_bytes);
}

/// Names of the command line; @all is replaced by the six names that it stands for.
std::vector<std::string> names_of(int count, char** arguments) {
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) {
        if (std::string(arguments[i]) != "@all") names.push_back(arguments[i]);
        else names.insert(names.end(), {"@same", "@two", "@three", "@fibonacci", "@random", "@repeat"});
    }
    return names;
}

/// The blocks of one name; @repeat takes the next file's.
std::vector<Bytes> blocks_of(const std::vector<std::string>& names, size_t index, size_t block_bytes) {
    std::string next;
    for (size_t k = 0; k < names.size() && next.empty(); ++k) {
        if (names[(index + k) % names.size()][0] != '@') next = names[(index + k) % names.size()];
    }
    return read_blocks(names[index], block_bytes, next);
}

/// Calls take(name, blocks, count) for each name of the command line and each number of a list with commas.
template <typename Take>
void for_each_count(const std::vector<std::string>& names, size_t block_bytes, const char* counts, Take take) {
    for (size_t i = 0; i < names.size(); ++i) {
        const std::vector<Bytes> blocks = blocks_of(names, i, block_bytes);
        if (blocks.empty()) {
            std::printf("# %s: nothing to read\n", names[i].c_str());
            continue;
        }
        for (const char* at = counts; at != nullptr; at = std::strchr(at, ',') ? std::strchr(at, ',') + 1 : nullptr)
            take(names[i], blocks, static_cast<uint32_t>(std::strtoul(at, nullptr, 10)));
    }
}

}  // namespace
