// Times waves of kernels that only wait, on streams of their own, to see what the number of kernels in a wave costs. A
// wave waits as long in all, however many kernels it has. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -o kernel_chain_bench benchmarks/src/main/cuda/kernel_chain_bench.cu
//   kernel_chain_bench MICROSECONDS WAVES        a wave's time, and how many are under way at once: 400 12
//
// The driver has eight hardware queues unless CUDA_DEVICE_MAX_CONNECTIONS says otherwise. Kernels have a cta of 32
// threads, so that nothing but queues keeps waves from each other; `breadth_first` asks for the first kernel of each
// wave before the second of any, as one thread with many streams does.
#include <string>

#include "device_bench.cuh"

namespace {

constexpr int TURNS = 20;

__global__ void wait(uint64_t nanoseconds) {
    uint64_t begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while (now - begin < nanoseconds);
}

struct Waves {
    std::vector<cudaStream_t> streams;

    explicit Waves(int count) : streams(count) {
        for (cudaStream_t& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
    Waves(const Waves&) = delete;
    Waves& operator=(const Waves&) = delete;
    ~Waves() {
        for (cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));
    }

    /// Milliseconds until all waves are over.
    float run(int kernels, uint64_t nanoseconds, bool breadth_first) const {
        cudaEvent_t begin, end;
        CHECK(cudaEventCreate(&begin));
        CHECK(cudaEventCreate(&end));
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaEventRecord(begin, streams[0]));
        const int count = static_cast<int>(streams.size());
        for (int at = 0; at < count * kernels; ++at)
            wait<<<1, 32, 0, streams[breadth_first ? at % count : at / kernels]>>>(nanoseconds / kernels);
        CHECK(cudaGetLastError());
        for (cudaStream_t stream : streams) CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaEventRecord(end, streams[0]));
        CHECK(cudaEventSynchronize(end));
        float ms;
        CHECK(cudaEventElapsedTime(&ms, begin, end));
        CHECK(cudaEventDestroy(begin));
        CHECK(cudaEventDestroy(end));
        return ms;
    }
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return usage();
    const uint64_t nanoseconds = 1000ull * std::strtoull(argv[1], nullptr, 10);
    const int most = std::atoi(argv[2]);
    if (nanoseconds == 0 || most < 1) return usage();
    std::printf("waves,kernels,order,us_of_a_wave,ms,over_one_wave\n");
    for (int count : {1, 8, most}) {
        const Waves waves(count);
        for (int kernels : {1, 2, 4, 6, 10, 19}) {
            for (const bool breadth_first : {false, true}) {
                std::vector<float> times;
                for (int turn = 0; turn <= TURNS; ++turn) {
                    const float ms = waves.run(kernels, nanoseconds, breadth_first);
                    if (turn > 0) times.push_back(ms);
                }
                const float ms = median(times);
                std::printf("%d,%d,%s,%llu,%.3f,%.2f\n", count, kernels,
                            breadth_first ? "breadth_first" : "wave_by_wave",
                            static_cast<unsigned long long>(nanoseconds / 1000), ms, ms * 1e6 / nanoseconds);
            }
        }
    }
    return 0;
}
