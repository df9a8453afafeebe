// Stages of a whole factorization on a device, for the programs that time and check them: a string in device memory,
// its order, smaller values and factors.
#pragma once

#include "ching_device.cuh"
#include "ching_factors.cuh"
#include "ching_skew.cuh"
#include "ching_smaller.cuh"
#include "strong_candidates_stages.cuh"

namespace ching {

using warpcodec::FrameRange;
using warpcodec::parts_of;
using warpcodec::UNIT_BYTES;
using warpcodec::units_of;

constexpr uint32_t MOST_DIVISIONS = 30720;
/// Warps of a cta; each has a chunk. A multiprocessor holds 32 ctas.
constexpr uint32_t FACTOR_WARPS = 2;

template <bool LOOKS_AHEAD>
__global__ void __launch_bounds__(FACTOR_WARPS* WARP_LANES) find_factors(const __grid_constant__ FactorBatch batch) {
    const uint32_t chunk = blockIdx.x * FACTOR_WARPS + threadIdx.x / WARP_LANES;
    if (LOOKS_AHEAD) warp_find_factors_ahead(batch, chunk);
    else warp_find_factors(batch, chunk);
}

__global__ void __launch_bounds__(FACTOR_WARPS* WARP_LANES)
    gather_factors(const __grid_constant__ FactorBatch batch, const uint32_t* sums, Factor* all) {
    warp_gather_factors(batch, sums, all, blockIdx.x * FACTOR_WARPS + threadIdx.x / WARP_LANES);
}

/// A string of up to `capacity` bytes, and what its stages write and take.
class DeviceString {
    static constexpr int POISON = 0xA5;
    DeviceMemory memory_;
    const uint32_t capacity_;
    FrameRange* range_;
    FactorBatch batch_{};
    uint32_t* sums_;

public:
    DeviceEngine engine;
    uint8_t* text;
    uint32_t* order;
    uint2* smaller;
    Factor* factors;  ///< of all chunks, one behind the other
    uint32_t bytes = 0;

    explicit DeviceString(uint32_t capacity)
        : capacity_(capacity), engine(std::max(doubling_scratch(capacity), skew_scratch(capacity))) {
        range_ = memory_.room<FrameRange>(1, POISON);
        text = memory_.room<uint8_t>(capacity + AHEAD_SLACK, POISON);
        order = memory_.room<uint32_t>(size_t{units_of(capacity)} * UNIT_BYTES, POISON);
        smaller = memory_.room<uint2>(capacity + 1, POISON);
        factors = memory_.room<Factor>(capacity + 1, POISON);
        batch_.factors = memory_.room<Factor>(capacity + 1, POISON);
        batch_.counts = memory_.room<uint32_t>(MOST_DIVISIONS + 1, POISON);
        sums_ = memory_.room<uint32_t>(MOST_DIVISIONS + 1, POISON);
        batch_.text = text;
        batch_.smaller = smaller;
    }

    /// Copies a text. Returns before it is there if its memory is page-locked.
    void load(const uint8_t* from, uint32_t count) {
        if (count > capacity_) std::exit(2);
        const FrameRange range{0, count};
        if (count != bytes) CHECK(cudaMemcpy(range_, &range, sizeof range, cudaMemcpyHostToDevice));
        bytes = count;
        CHECK(cudaMemcpyAsync(text, from, count, cudaMemcpyHostToDevice));
    }
    void load(const Bytes& from) { load(from.data(), static_cast<uint32_t>(from.size())); }

    DoublingRounds sort_by_doubling(uint32_t each) {
        return ching::sort_by_doubling(engine, Strings{text, bytes, std::max(each, 1u)}, order);
    }
    uint32_t sort_by_skew() { return ching::sort_by_skew(engine, text, bytes, order); }

    /// Forgets what the stages have written, so that nothing of a run before is verified.
    void forget() {
        CHECK(cudaMemset(order, POISON, bytes * sizeof(uint32_t)));
        forget_smaller();
        forget_factors();
    }
    void forget_smaller() { CHECK(cudaMemset(smaller, POISON, bytes * sizeof(uint2))); }
    void forget_factors() { CHECK(cudaMemset(factors, POISON, bytes * sizeof(Factor))); }

    template <uint32_t CHUNK>
    void find_smaller_by_chunks() {
        const auto mark = engine.mark();
        ching::find_smaller_by_chunks<CHUNK>(engine, order, bytes, engine.take<uint32_t>(full_ranks(bytes)), smaller);
        engine.release(mark);
    }

    /// Our search, in tiles of eight ranks a thread.
    template <uint32_t THREADS>
    void find_smaller_by_tiles() {
        using namespace strong_candidates;
        constexpr int SHARED = sizeof(AnsvMemory<THREADS>);
        CHECK(cudaFuncSetAttribute(find_tile_minima<THREADS>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
        CHECK(cudaFuncSetAttribute(find_smaller_values<THREADS>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
        if (bytes == 0) return;
        const auto mark = engine.mark();
        const uint32_t units = units_of(bytes), tiles = parts_of(bytes, AnsvMemory<THREADS>::TILE);
        const AnsvBatch batch{order, range_, smaller, engine.take<uint32_t>(deep_minima_words(units)), units};
        find_tile_minima<THREADS><<<tiles, THREADS, SHARED>>>(batch);
        find_upper_minima<THREADS><<<1, UPPER_THREADS>>>(batch);
        find_smaller_values<THREADS><<<tiles, THREADS, SHARED>>>(batch);
        CHECK(cudaGetLastError());
        engine.release(mark);
    }

    /// His way, or ours, which looks ahead.
    template <bool LOOKS_AHEAD>
    void find_factors(uint32_t divisions) {
        batch_.bytes = bytes;
        batch_.chunk_bytes = chunk_bytes_of(bytes, divisions);
        batch_.chunk_count = chunk_count_of(bytes, divisions);
        const uint32_t chunks = batch_.chunk_count, grid = parts_of(chunks, FACTOR_WARPS);
        if (chunks == 0) return;
        ching::find_factors<LOOKS_AHEAD><<<grid, FACTOR_WARPS * WARP_LANES>>>(batch_);
        CHECK(cudaGetLastError());
        engine.exclusive_sum(CountOfChunk{batch_.counts, chunks}, sums_, chunks + 1);
        gather_factors<<<grid, FACTOR_WARPS * WARP_LANES>>>(batch_, sums_, factors);
        CHECK(cudaGetLastError());
    }
    /// Factors of all chunks. Waits for them.
    uint32_t factor_count() const { return bytes == 0 ? 0 : to_host(sums_ + batch_.chunk_count, 1)[0]; }
    uint32_t chunk_bytes() const { return batch_.chunk_bytes; }
    uint32_t chunk_count() const { return bytes == 0 ? 0 : batch_.chunk_count; }
    /// Where each chunk's factors begin, and behind the last one their number.
    std::vector<uint32_t> chunk_begins() const {
        return bytes == 0 ? std::vector<uint32_t>(1) : to_host(sums_, batch_.chunk_count + 1);
    }
};

}  // namespace ching
