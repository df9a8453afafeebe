// Kernels over zstd frames in waves, timed: one wave kernel by kernel, and many on few queues; the hash that they end
// with, and how repeated frames are compared.
#pragma once

#include <memory>

#include "device_bench.cuh"
#include "checksum/checksum_xxh64.cuh"

namespace zstd_waves {

constexpr int TURNS = 9;
constexpr int WAVES = 12;
constexpr size_t WAVE_BYTES = 8 << 20;

/// How waves are asked for. The driver gives all streams of a process 8 hardware queues by default.
struct Asking {
    const char* name;
    int streams;
    bool kernel_by_kernel;  ///< or wave by wave, as the product does
};
constexpr Asking ASKINGS[] = {{"12 waves on 8 streams", 8, true},
                              {"12 waves on 12 streams", 12, true},
                              {"12 waves on 12 streams, wave by wave", 12, false}};

/// As checksum_xxh64_contents.
static __global__ void __launch_bounds__(warpcodec::checksum::Xxh32Policy::CTA_THREADS)
    hash_contents(warpcodec::checksum::ContentBatch batch) {
    constexpr int WARPS = warpcodec::checksum::Xxh32Policy::CTA_THREADS / warpcodec::WARP_LANES;
    __shared__ warpcodec::checksum::Xxh64Stages s_stages[WARPS];
    const int warp = threadIdx.x / warpcodec::WARP_LANES, lane = threadIdx.x % warpcodec::WARP_LANES;
    const uint32_t index = blockIdx.x * WARPS + warp;
    if (index >= batch.content_count) return;
    const uint64_t hash = warpcodec::checksum::warp_xxh64(batch.input, batch.contents[index], s_stages[warp], lane);
    if (lane == 0) batch.hashes[index] = static_cast<uint32_t>(hash);
}

/// Counts bytes of encoded frames that differ from the same frame's first repetition.
template <typename EncodeBatch>
static __global__ void compare_repetitions(EncodeBatch batch, uint32_t base, unsigned long long* different) {
    for (uint32_t i = base + blockIdx.x; i < batch.range_count; i += gridDim.x) {
        const uint32_t bytes = batch.results[i].output_bytes, first = i % base;
        if (threadIdx.x == 0 && bytes != batch.results[first].output_bytes) atomicAdd(different, 1ull);
        for (uint32_t k = threadIdx.x; k < bytes; k += blockDim.x) {
            if (batch.output[batch.entries[i].range.output_offset + k] !=
                batch.output[batch.entries[first].range.output_offset + k])
                atomicAdd(different, 1ull);
        }
    }
}

/// Most ctas of a kernel that the device holds at once.
template <typename Kernel>
uint32_t resident(Kernel kernel, int threads, size_t shared_bytes) {
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)));
    int per_multiprocessor = 0, multiprocessors = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, threads, shared_bytes));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    return static_cast<uint32_t>(per_multiprocessor * multiprocessors);
}

/// Milliseconds of each of a wave's stages, and of all of them without events between: medians.
template <typename Wave>
std::vector<float> time_stages(const Wave& wave, int stages) {
    StageTimer timer(stages);
    std::vector<std::vector<float>> times(stages + 1);
    for (int turn = 0; turn <= TURNS; ++turn) {
        timer.begin();
        for (int stage = 0; stage < stages; ++stage) {
            wave.launch(stage);
            timer.mark();
        }
        timer.wait();
        for (int stage = 0; stage < stages; ++stage) {
            if (turn > 0) times[stage].push_back(timer.ms(stage, stage + 1));
        }
        timer.begin();
        for (int stage = 0; stage < stages; ++stage) wave.launch(stage);
        timer.mark();
        timer.wait();
        if (turn > 0) times[stages].push_back(timer.ms(0, 1));
    }
    std::vector<float> medians;
    for (const auto& column : times) medians.push_back(median(column));
    return medians;
}

/// Milliseconds of waves: the median.
template <typename Wave>
float time_waves(const std::vector<std::unique_ptr<Wave>>& waves, int stages, const Asking& asking) {
    std::vector<cudaStream_t> queues(asking.streams);
    for (cudaStream_t& queue : queues) CHECK(cudaStreamCreateWithFlags(&queue, cudaStreamNonBlocking));
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    std::vector<float> times;
    for (int turn = 0; turn <= TURNS; ++turn) {
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaEventRecord(begin, queues[0]));
        const auto ask = [&](size_t wave, int stage) { waves[wave]->launch(stage, queues[wave % queues.size()]); };
        if (asking.kernel_by_kernel) {
            for (int stage = 0; stage < stages; ++stage) {
                for (size_t k = 0; k < waves.size(); ++k) ask(k, stage);
            }
        } else {
            for (size_t k = 0; k < waves.size(); ++k) {
                for (int stage = 0; stage < stages; ++stage) ask(k, stage);
            }
        }
        CHECK(cudaGetLastError());
        for (cudaStream_t queue : queues) CHECK(cudaStreamSynchronize(queue));
        CHECK(cudaEventRecord(end, queues[0]));
        CHECK(cudaEventSynchronize(end));
        float ms;
        CHECK(cudaEventElapsedTime(&ms, begin, end));
        if (turn > 0) times.push_back(ms);
    }
    for (cudaStream_t queue : queues) CHECK(cudaStreamDestroy(queue));
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    return median(times);
}

}  // namespace zstd_waves
