// Device memory, times, counted differences, verdicts and files, for all benchmarks on a device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#define CHECK(call)                                                                    \
    do {                                                                               \
        cudaError_t error = (call);                                                    \
        if (error != cudaSuccess) {                                                    \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            std::exit(2);                                                              \
        }                                                                              \
    } while (0)

using Bytes = std::vector<uint8_t>;

// ---- memory

/// Device memory, freed all at once.
class DeviceMemory {
    std::vector<void*> pointers_;

public:
    size_t bytes = 0;

    DeviceMemory() = default;
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    ~DeviceMemory() { clear(); }

    void clear() {
        for (void* pointer : pointers_) CHECK(cudaFree(pointer));
        pointers_.clear();
        bytes = 0;
    }

    template <typename T>
    T* room(size_t count) {
        T* pointer;
        CHECK(cudaMalloc(&pointer, count * sizeof(T)));
        pointers_.push_back(pointer);
        bytes += count * sizeof(T);
        return pointer;
    }

    /// Room whose bytes are all `poison`.
    template <typename T>
    T* room(size_t count, int poison) {
        T* pointer = room<T>(count);
        CHECK(cudaMemset(pointer, poison, count * sizeof(T)));
        return pointer;
    }

    template <typename T>
    T* upload(const std::vector<T>& values) {
        T* pointer = room<T>(values.size());
        CHECK(cudaMemcpy(pointer, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
        return pointer;
    }

    /// `total` bytes, which are `once` again and again.
    uint8_t* repeat(const Bytes& once, size_t total) {
        uint8_t* pointer = room<uint8_t>(total);
        for (size_t at = 0; at < total; at += once.size())
            CHECK(cudaMemcpy(pointer + at, once.data(), std::min(once.size(), total - at), cudaMemcpyHostToDevice));
        return pointer;
    }
};

template <typename T>
std::vector<T> to_host(const T* values, size_t count) {
    std::vector<T> copy(count);
    CHECK(cudaMemcpy(copy.data(), values, count * sizeof(T), cudaMemcpyDeviceToHost));
    return copy;
}

// ---- times

/// Events around stages that are queued one behind the other.
class StageTimer {
    std::vector<cudaEvent_t> events_;
    size_t next_ = 0;

public:
    explicit StageTimer(size_t stages) : events_(stages + 1) {
        for (auto& event : events_) CHECK(cudaEventCreate(&event));
    }
    StageTimer(const StageTimer&) = delete;
    StageTimer& operator=(const StageTimer&) = delete;
    ~StageTimer() {
        for (auto& event : events_) CHECK(cudaEventDestroy(event));
    }

    void begin() {
        next_ = 0;
        mark();
    }
    /// Ends a stage.
    void mark() { CHECK(cudaEventRecord(events_[next_++])); }
    /// Waits for the last stage that has ended.
    void wait() const {
        CHECK(cudaGetLastError());
        CHECK(cudaEventSynchronize(events_[next_ - 1]));
    }
    /// Milliseconds of stages [from, to).
    float ms(size_t from, size_t to) const {
        float took;
        CHECK(cudaEventElapsedTime(&took, events_[from], events_[to]));
        return took;
    }
};

struct Times {
    float median = 0, least = 0, most = 0;

    /// Columns of milliseconds, and GB/s.
    std::string text(size_t bytes) const {
        char line[80];
        std::snprintf(line, sizeof line, "%.3f,%.3f,%.3f,%.1f", median, least, most, bytes / median / 1e6);
        return line;
    }
};

inline Times times_of(std::vector<float> values) {
    std::sort(values.begin(), values.end());
    return {values[values.size() / 2], values.front(), values.back()};
}

inline float median(const std::vector<float>& values) { return times_of(values).median; }

/// Times of `turns` launches behind a first launch; of the first launch if `turns` is 0.
template <typename Launch>
Times measure(Launch launch, int turns) {
    StageTimer timer(1);
    std::vector<float> times;
    for (int turn = 0; turn <= turns; ++turn) {
        timer.begin();
        launch();
        timer.mark();
        timer.wait();
        if (turn || turns == 0) times.push_back(timer.ms(0, 1));
    }
    return times_of(times);
}

// ---- verdicts

/// A number in device memory, zero at first, which kernels count up.
class DeviceCounter {
    DeviceMemory memory_;

public:
    unsigned long long* const number;

    DeviceCounter() : number(memory_.room<unsigned long long>(1, 0)) {}
    unsigned long long value() const { return to_host(number, 1)[0]; }
};

static __global__ void add_differences(const uint8_t* output, const uint8_t* expected, size_t expected_bytes,
                                       size_t bytes, unsigned long long* n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < bytes; i += size_t(gridDim.x) * blockDim.x) {
        if (output[i] != expected[i % expected_bytes]) atomicAdd(n, 1ull);
    }
}

/// Counts the bytes that differ from `expected`, which is repeated as often as it takes.
inline unsigned long long count_differences(const uint8_t* output, const uint8_t* expected, size_t expected_bytes,
                                            size_t bytes) {
    DeviceCounter counter;
    add_differences<<<1024, 256>>>(output, expected, expected_bytes, bytes, counter.number);
    CHECK(cudaGetLastError());
    return counter.value();
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

inline std::string verdict(size_t wrong, const char* right = "yes") {
    return wrong == 0 ? right : "WRONG " + std::to_string(wrong);
}

// ---- the command line

inline int usage() {
    std::printf("usage: see the head of the source\n");
    return 1;
}

inline std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// Content of a file; nothing if it cannot be read.
inline Bytes read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return Bytes((std::istreambuf_iterator<char>(file)), {});
}

/// Content of a file that must be there.
inline Bytes require_file(const std::string& path) {
    const Bytes bytes = read_file(path);
    if (bytes.empty()) {
        std::printf("cannot read %s\n", path.c_str());
        std::exit(3);
    }
    return bytes;
}
