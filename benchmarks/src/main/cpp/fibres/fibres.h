// Kernels' code on a CPU: a fibre for each thread of a cta, ctas one behind the other. Fibres take turns where they
// wait for each other, in an order of a seed, so a wait for a thread that does not come is seen. Two fibres never run
// at once: this finds wrong results and wrong places, not races.
//
// A kernel's headers, or all of its stage, are included behind this one, and compiled as C++. Instructions written as
// assembler are not understood. Shared memory is whatever the caller hands to the kernel's functions, or static.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __shared__ static
#define __grid_constant__
#define __launch_bounds__(...)
#define threadIdx (fibres::Place{fibres::current->thread, 0, 0})
#define blockIdx fibres::block_place
#define gridDim fibres::grid_size
#define blockDim fibres::block_size

using std::max;
using std::min;

struct alignas(8) uint2 {
    uint32_t x, y;
};
struct alignas(16) uint4 {
    uint32_t x, y, z, w;
};
inline uint2 make_uint2(uint32_t x, uint32_t y) { return {x, y}; }
inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w) { return {x, y, z, w}; }

namespace fibres {

constexpr uint32_t WARP_THREADS = 32;

struct Place {
    uint32_t x = 0, y = 0, z = 0;
};

/// Threads that wait for each other, and what lanes show each other while they do: by turns in one of two places.
struct Warp {
    int members = 0;
    int arrived = 0;
    uint64_t generation = 0;
    uint64_t shown[2][WARP_THREADS] = {};
};

struct Cta {
    int members = 0;
    int arrived = 0;
    uint64_t generation = 0;
    uint64_t voted[2] = {};  ///< by turns: the generation behind the last one in which a thread has said yes
};

struct Fibre {
    void* stack_pointer = nullptr;
    uint32_t thread = 0;
    Warp* warp = nullptr;
    size_t turn = 0;
    bool is_done = false;
};

extern Fibre* current;
extern Place block_place, grid_size, block_size;
extern Cta cta;

/// Lets another fibre go on.
void yield();

/// Runs a kernel. Fibres take turns by their numbers if the seed is 0.
void run(uint32_t ctas, uint32_t threads, uint32_t seed, const std::function<void()>& kernel);

template <typename Group>
void wait_for_all(Group& group) {
    const uint64_t generation = group.generation;
    if (++group.arrived == group.members) {
        group.arrived = 0;
        ++group.generation;
        return;
    }
    while (group.generation == generation) yield();
}

/// Shows a value to the lanes of the warp, and gives what all show.
template <typename T>
const uint64_t* show(T value) {
    Warp& warp = *current->warp;
    uint64_t* shown = warp.shown[warp.generation % 2];
    uint64_t& own = shown[current->thread % WARP_THREADS];
    own = 0;
    std::memcpy(&own, &value, sizeof value);
    wait_for_all(warp);
    return shown;
}

template <typename T>
T shown_by(T value, uint32_t lane) {
    T other;
    std::memcpy(&other, show(value) + lane % WARP_THREADS, sizeof other);
    return other;
}

inline uint32_t lane() { return current->thread % WARP_THREADS; }

}  // namespace fibres

inline void __syncthreads() { fibres::wait_for_all(fibres::cta); }
/// All threads of the cta come.
inline void __barrier_sync_count(unsigned, unsigned) { __syncthreads(); }
inline int __syncthreads_or(int vote) {
    const uint64_t next = fibres::cta.generation + 1;
    uint64_t& voted = fibres::cta.voted[next % 2];
    if (vote != 0) voted = next;
    fibres::wait_for_all(fibres::cta);
    return voted == next;
}
inline void __syncwarp(uint32_t = ~0u) { fibres::wait_for_all(*fibres::current->warp); }
template <typename T>
T __shfl_sync(uint32_t, T value, int from, int width = fibres::WARP_THREADS) {
    const uint32_t lanes = static_cast<uint32_t>(width);
    return fibres::shown_by(value, fibres::lane() / lanes * lanes + static_cast<uint32_t>(from) % lanes);
}
template <typename T>
T __shfl_up_sync(uint32_t, T value, uint32_t by, int width = fibres::WARP_THREADS) {
    const uint32_t place = fibres::lane() % static_cast<uint32_t>(width);
    return fibres::shown_by(value, place < by ? fibres::lane() : fibres::lane() - by);
}
template <typename T>
T __shfl_down_sync(uint32_t, T value, uint32_t by) {
    const uint32_t lane = fibres::lane();
    return fibres::shown_by(value, lane + by < fibres::WARP_THREADS ? lane + by : lane);
}
template <typename T>
T __shfl_xor_sync(uint32_t, T value, int mask) {
    return fibres::shown_by(value, fibres::lane() ^ static_cast<uint32_t>(mask));
}
inline uint32_t __ballot_sync(uint32_t, bool vote) {
    const uint64_t* votes = fibres::show<uint64_t>(vote);
    uint32_t all = 0;
    for (uint32_t lane = 0; lane < fibres::WARP_THREADS; ++lane) all |= static_cast<uint32_t>(votes[lane] != 0) << lane;
    return all;
}
inline bool __any_sync(uint32_t lanes, bool vote) { return __ballot_sync(lanes, vote) != 0; }
inline bool __all_sync(uint32_t lanes, bool vote) { return !__any_sync(lanes, !vote); }
/// Which lanes have the same value. All lanes of a whole warp call.
template <typename T>
uint32_t __match_any_sync(uint32_t, T value) {
    const uint64_t own = static_cast<uint64_t>(value);
    const uint64_t* shown = fibres::show(own);
    uint32_t same = 0;
    for (uint32_t lane = 0; lane < fibres::WARP_THREADS; ++lane)
        same |= static_cast<uint32_t>(shown[lane] == own) << lane;
    return same;
}
template <typename T>
T atomicAdd(T* at, T value) {
    return std::exchange(*at, static_cast<T>(*at + value));
}
inline uint32_t atomicCAS(uint32_t* at, uint32_t expected, uint32_t value) {
    return std::exchange(*at, *at == expected ? value : *at);
}
template <typename T>
T atomicMax(T* at, T value) {
    return std::exchange(*at, max(*at, value));
}
template <typename T>
T atomicMin(T* at, T value) {
    return std::exchange(*at, min(*at, value));
}
inline uint32_t atomicExch(uint32_t* at, uint32_t value) { return std::exchange(*at, value); }
inline uint32_t atomicOr(uint32_t* at, uint32_t value) { return std::exchange(*at, *at | value); }
template <typename T>
T __ldg(const T* at) {
    return *at;
}
template <typename T>
T __ldcg(const T* at) {
    return *at;
}
template <typename T>
void __stcg(T* at, T value) {
    *at = value;
}
inline uint32_t __umulhi(uint32_t a, uint32_t b) { return static_cast<uint32_t>(uint64_t{a} * b >> 32); }
inline int __clz(int value) { return value == 0 ? 32 : __builtin_clz(static_cast<uint32_t>(value)); }
inline int __popc(uint32_t value) { return __builtin_popcount(value); }
inline int __ffs(int value) { return __builtin_ffs(value); }
inline uint32_t __brev(uint32_t value) {
    uint32_t turned = 0;
    for (uint32_t bit = 0; bit < 32; ++bit) turned |= (value >> bit & 1) << (31 - bit);
    return turned;
}
/// The bytes of two words that four digits name.
inline uint32_t __byte_perm(uint32_t low, uint32_t high, uint32_t digits) {
    const uint64_t both = uint64_t{high} << 32 | low;
    uint32_t chosen = 0;
    for (uint32_t byte = 0; byte < 4; ++byte)
        chosen |= static_cast<uint32_t>(both >> 8 * (digits >> 4 * byte & 7) & 0xFF) << 8 * byte;
    return chosen;
}
inline size_t __cvta_generic_to_shared(const void* at) { return reinterpret_cast<size_t>(at); }
inline uint32_t __funnelshift_l(uint32_t low, uint32_t high, uint32_t shift) {
    return static_cast<uint32_t>((uint64_t{high} << 32 | low) << shift % 32 >> 32);
}
inline uint32_t __funnelshift_r(uint32_t low, uint32_t high, uint32_t shift) {
    return static_cast<uint32_t>((uint64_t{high} << 32 | low) >> shift % 32);
}
