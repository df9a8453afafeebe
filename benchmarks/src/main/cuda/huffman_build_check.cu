// Builds prefix codes of limited length on one device, of weights of many shapes, and judges each by the definition.
// A code must be as cheap as the coin collector's, complete and canonical. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o huffman_build_check benchmarks/src/main/cuda/huffman_build_check.cu
//   huffman_build_check SEED CODES        CODES of each number of symbols and limit; status 1 if one is wrong
#include <random>

#include "common/group.cuh"
#include "device_bench.cuh"
#include "huffman/huffman_build.cuh"
#include "huffman/huffman_code.cuh"

using namespace warpcodec;
using namespace warpcodec::huffman;

namespace {

constexpr int MAX_SYMBOLS = 288;
constexpr int MAX_LIMIT = 15;

__global__ void __launch_bounds__(MAX_SYMBOLS)
    build(const uint32_t* weights, uint8_t* lengths, Code* codes, int symbol_count, int limit) {
    __shared__ BuildScratch<MAX_SYMBOLS, MAX_LIMIT> s_scratch;
    __shared__ uint32_t s_weights[MAX_SYMBOLS];
    __shared__ uint8_t s_lengths[MAX_SYMBOLS];
    const CtaGroup<MAX_SYMBOLS> group{static_cast<int>(threadIdx.x)};
    const uint64_t first = uint64_t{blockIdx.x} * symbol_count;
    if (threadIdx.x < symbol_count) s_weights[threadIdx.x] = weights[first + threadIdx.x];
    group.sync();
    group_build_lengths(group, s_weights, symbol_count, limit, s_lengths, s_scratch);
    if (threadIdx.x < symbol_count) lengths[first + threadIdx.x] = s_lengths[threadIdx.x];
    group_build_codes<MAX_LIMIT>(group, s_lengths, symbol_count, codes + first);
}

/// Cost of an optimal code by the coin collector. Each used symbol has coins worth 2^-limit to 2^-1, at the price of
/// its weight. Coins are packed in pairs from the smallest on. The cheapest 2n - 2 halves buy the lengths.
uint64_t coin_collector_cost(const uint32_t* weights, int symbol_count, int limit) {
    std::vector<uint64_t> leaves;
    for (int symbol = 0; symbol < symbol_count; ++symbol) {
        if (weights[symbol] != 0) leaves.push_back(weights[symbol]);
    }
    std::sort(leaves.begin(), leaves.end());
    std::vector<uint64_t> list = leaves;
    for (int bits = 1; bits < limit; ++bits) {
        std::vector<uint64_t> merged = leaves;
        for (size_t pair = 0; pair + 1 < list.size(); pair += 2) merged.push_back(list[pair] + list[pair + 1]);
        std::sort(merged.begin(), merged.end());
        list = merged;
    }
    uint64_t cost = 0;
    for (size_t item = 0; item < 2 * leaves.size() - 2; ++item) cost += list[item];
    return cost;
}

uint32_t weight(std::mt19937& random, int shape) {
    switch (shape) {
        case 0: return 1 + random() % 1000;
        case 1: return 1u << random() % 18;
        case 2: return random() % 3;
        case 3: return random() % 4 == 0 ? random() % 60000 : 0;
        default: return 1;
    }
}

/// Whether a code is what its weights ask for; the words have their first bit lowest (RFC 1951 §3.2.2).
bool is_right(const uint32_t* weights, const uint8_t* lengths, const Code* codes, int symbol_count, int limit) {
    uint64_t kraft = 0, cost = 0;
    int used = 0;
    for (int symbol = 0; symbol < symbol_count; ++symbol) {
        if (lengths[symbol] > limit || (weights[symbol] != 0 && lengths[symbol] == 0)) return false;
        kraft += lengths[symbol] == 0 ? 0 : uint64_t{1} << (limit - lengths[symbol]);
        cost += uint64_t{weights[symbol]} * lengths[symbol];
        used += weights[symbol] != 0;
    }
    if (kraft != uint64_t{1} << limit || (used >= 2 && cost != coin_collector_cost(weights, symbol_count, limit)))
        return false;
    uint32_t word = 0;
    for (uint32_t bits = 1; bits <= MAX_LIMIT; ++bits) {
        word <<= 1;
        for (int symbol = 0; symbol < symbol_count; ++symbol) {
            if (lengths[symbol] != bits) continue;
            uint32_t turned = 0;
            for (uint32_t bit = 0; bit < bits; ++bit) turned |= (word >> bit & 1) << (bits - 1 - bit);
            ++word;
            if (codes[symbol].word != (turned | bits << Code::LENGTH_AT)) return false;
        }
    }
    return true;
}

/// Builds and judges `count` codes of `symbol_count` symbols; answers how many are wrong.
int check(std::mt19937& random, int symbol_count, int limit, int count) {
    std::vector<uint32_t> weights;
    for (int code = 0; code < count; ++code) {
        for (int symbol = 0; symbol < symbol_count; ++symbol) weights.push_back(weight(random, code % 5));
    }
    DeviceMemory memory;
    const uint32_t* device_weights = memory.upload(weights);
    uint8_t* device_lengths = memory.room<uint8_t>(weights.size(), 0xEE);
    Code* device_codes = memory.room<Code>(weights.size(), 0);
    build<<<count, MAX_SYMBOLS>>>(device_weights, device_lengths, device_codes, symbol_count, limit);
    CHECK(cudaGetLastError());
    const Bytes lengths = to_host(device_lengths, weights.size());
    const std::vector<Code> codes = to_host(device_codes, weights.size());
    int wrong = 0;
    for (int code = 0; code < count; ++code) {
        const size_t first = size_t(code) * symbol_count;
        wrong += !is_right(&weights[first], &lengths[first], &codes[first], symbol_count, limit);
    }
    return wrong;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::printf("usage: huffman_build_check SEED CODES\n");
        return 2;
    }
    std::mt19937 random(std::strtoul(argv[1], nullptr, 10));
    const int count = std::atoi(argv[2]);
    int codes = 0, wrong = 0;
    for (int symbol_count : {2, 3, 7, 19, 30, 31, 64, 100, 256, 286, 288}) {
        for (int limit = 1; limit <= MAX_LIMIT; ++limit) {
            if (1 << limit < symbol_count) continue;
            codes += count;
            wrong += check(random, symbol_count, limit, count);
        }
    }
    std::printf("codes: %d, wrong: %d\n", codes, wrong);
    return wrong == 0 ? 0 : 1;
}
