// Runs the steps of ching_doubling.cuh, ching_skew.cuh and ching_smaller.cuh on a device, and sorts, sums and merges
// with CUB, as Ching's thesis does. Kernels of products do not: CUB's ctas wait for each other within a kernel.
#pragma once

#include <cub/device/device_merge.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "ching_doubling.cuh"
#include "device_bench.cuh"

namespace ching {

constexpr int STEP_THREADS = 256;

template <class Step>
__global__ void __launch_bounds__(STEP_THREADS) run_step(uint32_t count, const Step step) {
    for (uint32_t i = blockIdx.x * STEP_THREADS + threadIdx.x; i < count; i += gridDim.x * STEP_THREADS) step(i);
}

struct Larger {
    __host__ __device__ uint32_t operator()(uint32_t a, uint32_t b) const { return a < b ? b : a; }
};

/// Memory of one size, of which arrays are taken and given back in the order of a stack, and what CUB takes besides.
class DeviceEngine {
    static constexpr size_t ALIGNMENT = 256;
    /// Ctas of a step; a thread takes more indices if there are more.
    static constexpr uint32_t CTAS_PER_MULTIPROCESSOR = 32;
    DeviceMemory memory_;
    uint8_t* const begin_;
    const size_t bytes_;
    size_t used_ = 0, most_used_ = 0;
    void* library_ = nullptr;
    size_t library_bytes_ = 0;
    uint32_t ctas_;

    /// Calls CUB twice: for the bytes that it takes, and to work.
    template <class Call>
    void call(Call call) {
        size_t bytes = 0;
        CHECK(call(nullptr, bytes));
        if (bytes > library_bytes_) {
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaFree(library_));
            CHECK(cudaMalloc(&library_, bytes));
            library_bytes_ = bytes;
        }
        bytes = library_bytes_;
        CHECK(call(library_, bytes));
    }

    template <class Value>
    static auto values_of(const Value& value) {
        return thrust::make_transform_iterator(thrust::counting_iterator<uint32_t>(0), value);
    }

public:
    explicit DeviceEngine(size_t bytes) : begin_(memory_.room<uint8_t>(bytes)), bytes_(bytes) {
        int multiprocessors;
        CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
        ctas_ = static_cast<uint32_t>(multiprocessors) * CTAS_PER_MULTIPROCESSOR;
        CHECK(cudaMemset(begin_, 0xA5, bytes));
    }
    ~DeviceEngine() { CHECK(cudaFree(library_)); }
    DeviceEngine(const DeviceEngine&) = delete;
    DeviceEngine& operator=(const DeviceEngine&) = delete;

    /// Bytes that have been in use at once, those of CUB among them.
    size_t most_used() const { return most_used_ + library_bytes_; }

    template <class T>
    T* take(size_t count) {
        const size_t begin = (used_ + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        if (begin > bytes_ || count > (bytes_ - begin) / sizeof(T)) {
            std::printf("%zu bytes of scratch are too few\n", bytes_);
            std::exit(2);
        }
        used_ = begin + count * sizeof(T);
        most_used_ = std::max(most_used_, used_);
        return reinterpret_cast<T*>(begin_ + begin);
    }
    size_t mark() const { return used_; }
    void release(size_t mark) { used_ = mark; }

    template <class Step>
    void each(uint32_t count, const Step& step) const {
        if (count == 0) return;
        const uint32_t whole = count / STEP_THREADS + (count % STEP_THREADS != 0 ? 1 : 0);
        run_step<<<std::min(whole, ctas_), STEP_THREADS>>>(count, step);
        CHECK(cudaGetLastError());
    }

    template <class Key>
    void sort(Pairs<Key>& pairs, uint32_t count, uint32_t bits) {
        cub::DoubleBuffer<Key> keys(pairs.keys, pairs.other_keys);
        cub::DoubleBuffer<uint32_t> places(pairs.places, pairs.other_places);
        call([&](void* library, size_t& bytes) {
            return cub::DeviceRadixSort::SortPairs(library, bytes, keys, places, count, 0, static_cast<int>(bits));
        });
        pairs = {keys.Current(), keys.Alternate(), places.Current(), places.Alternate()};
    }

    template <class Value, class Sum>
    void exclusive_sum(const Value& value, Sum* sums, uint32_t count) {
        call([&](void* library, size_t& bytes) {
            return cub::DeviceScan::ExclusiveSum(library, bytes, values_of(value), sums, count);
        });
    }

    template <class Value>
    void inclusive_max(const Value& value, uint32_t* most, uint32_t count) {
        call([&](void* library, size_t& bytes) {
            return cub::DeviceScan::InclusiveScan(library, bytes, values_of(value), most, Larger(), count);
        });
    }

    template <class Less>
    void merge(const uint32_t* a, uint32_t a_count, const uint32_t* b, uint32_t b_count, uint32_t* merged,
               const Less& less) {
        call([&](void* library, size_t& bytes) {
            return cub::DeviceMerge::MergeKeys(library, bytes, a, a_count, b, b_count, merged, less);
        });
    }

    template <class T>
    std::vector<T> read(const T* values, size_t count) const {
        return to_host(values, count);
    }
    template <class T>
    void write(T* to, const std::vector<T>& values) const {
        CHECK(cudaMemcpy(to, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
};

}  // namespace ching
