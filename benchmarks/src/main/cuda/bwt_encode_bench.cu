// Times the forward Burrows-Wheeler transform of many bzip2 blocks on one device, kernel by kernel, and verifies it.
// The column of each distinct block is inverted on the host and compared with the block. Columns of its repetitions
// must have the same bytes. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -I kernels/src/main/cuda -o bwt_encode_bench
//   benchmarks/src/main/cuda/bwt_encode_bench.cu bwt_encode_bench BLOCK_BYTES BLOCKS,BLOCKS... FILE...
//   bwt_encode_bench 900000 1,64,256,1000 dickens osdb xml
//
// A FILE may be @same, @two or @three (periods), @fibonacci, @repeat or @random; @all is all of these. `@repeat` is a
// twentieth of the next FILE's first block, twenty times. In the environment, DETAIL=0 times only the whole
// transform; CAREFUL=1 waits for each kernel and names the kernel that fails.
//
// One line of CSV a stage: cold is the first run, ms the median of the others. The stages `whole_look` and
// `whole_blind` are measured by themselves, without events between kernels. With `look` the host reads the count of
// tied rotations after each round; with `blind` it asks for all rounds at once.
#include <thread>

#include "bwt_encode_device.cuh"

namespace {

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

__global__ void count_different_columns(const uint8_t* columns, size_t block_bytes, size_t base_bytes, size_t bytes,
                                        const BwtResult* results, uint32_t base, unsigned long long* different) {
    for (size_t i = base_bytes + blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < bytes;
         i += size_t(gridDim.x) * blockDim.x) {
        if (columns[i] != columns[i % base_bytes]) atomicAdd(different, 1ull);
        const size_t block = i / block_bytes;
        if (i % block_bytes == 0 && results[block].origin_row != results[block % base].origin_row)
            atomicAdd(different, 1ull);
    }
}

void run(const std::string& name, const std::vector<Bytes>& blocks, uint32_t count, bool detail) {
    const uint32_t base = std::min<uint32_t>(static_cast<uint32_t>(blocks.size()), count);
    const size_t block_bytes = blocks[0].size(), bytes = block_bytes * count;
    const uint32_t tiles_each = bwt_plan::tiles_of(static_cast<uint32_t>(block_bytes)), tiles = tiles_each * count;
    std::vector<BwtEntry> table;
    for (uint32_t k = 0; k <= count; ++k)
        table.push_back({k * block_bytes, k < count ? static_cast<uint32_t>(block_bytes) : 0, k * tiles_each});

    Owned owned;
    BwtBatch batch{};
    uint8_t* text;
    unsigned long long* different;
    batch.entries = owned.upload(table);
    owned.allocate(text, bytes);
    owned.allocate(batch.column, bytes);
    owned.allocate(different, 1);
    for (uint32_t k = 0; k < count; ++k)
        CHECK(cudaMemcpy(text + k * block_bytes, blocks[k % base].data(), block_bytes, cudaMemcpyHostToDevice));
    batch.text = text;
    batch.text_bytes = bytes;
    allocate_scratch(owned, batch, count, tiles);
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
            launcher.careful = std::getenv("CAREFUL") != nullptr;
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
    count_different_columns<<<1024, 256>>>(batch.column, block_bytes, base * block_bytes, bytes, batch.results, base,
                                           different);
    unsigned long long wrong;
    CHECK(cudaMemcpy(&wrong, different, 8, cudaMemcpyDeviceToHost));
    for (const BwtResult& result : results) wrong += result.status != STATUS_SOUND;
    std::vector<int> failed(base, 0);
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 8; ++t) {
        threads.emplace_back([&, t] {
            for (uint32_t k = t; k < base; k += 8)
                failed[k] = !inverts(blocks[k], &columns[k * block_bytes], results[k].origin_row);
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const int f : failed) wrong += f;

    const auto print = [&](const std::string& stage, const std::vector<float>& times) {
        const float ms = median(std::vector<float>(times.begin() + 1, times.end()));
        std::printf("%s,%u,%zu,%s,%.3f,%.3f,%.2f,%u,%.3f,%.3f,%.1f,%s\n", name.c_str(), count, block_bytes,
                    stage.c_str(), times[0], ms, bytes / ms / 1e6, rounds.rounds, double(rounds.tied_first) / bytes,
                    rounds.handled / bytes, double(owned.bytes) / bytes,
                    wrong == 0 ? "yes" : ("WRONG " + std::to_string(wrong)).c_str());
    };
    for (const auto& whole : wholes) print(whole.first, whole.second);
    for (const auto& stage : stages) print(stage.first, stage.second);
    std::fflush(stdout);
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
    allow_shared_memory();
    const std::vector<std::string> names = names_of(argc - 3, argv + 3);
    std::printf(
        "file,blocks,block_bytes,stage,cold_ms,ms,GBps,rounds,tied_after_first,handled_in_rounds,device_bytes_per_byte,"
        "verified\n");
    for (size_t i = 0; i < names.size(); ++i) {
        const std::vector<Bytes> blocks = blocks_of(names, i, block_bytes);
        if (blocks.empty()) {
            std::printf("# %s: nothing to read\n", names[i].c_str());
            continue;
        }
        for_each_count(argv[2],
                       [&](uint32_t count) { run(names[i], blocks, count, detail == nullptr || detail[0] != '0'); });
    }
    return 0;
}
