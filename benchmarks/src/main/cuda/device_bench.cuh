// What all benchmarks on a device share.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
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

template <typename T>
T* to_device(const std::vector<T>& values) {
    T* p;
    CHECK(cudaMalloc(&p, values.size() * sizeof(T)));
    CHECK(cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

/// Counts the bytes that differ from `expected`, which is repeated as often as it takes.
static __global__ void count_differences(const uint8_t* output, const uint8_t* expected, size_t expected_bytes,
                                         size_t bytes, unsigned long long* n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < bytes; i += size_t(gridDim.x) * blockDim.x) {
        if (output[i] != expected[i % expected_bytes]) atomicAdd(n, 1ull);
    }
}
