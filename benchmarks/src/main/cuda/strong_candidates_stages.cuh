// Kernels that look for match candidates, and batches for them in device memory: what benchmarks launch.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "device_bench.cuh"
#include "strong_ansv.cuh"
#include "strong_nearest.cuh"

namespace strong_candidates {

constexpr uint32_t THREADS = 256, UPPER_THREADS = 512, SCAN_WARPS = 32;
constexpr int TURNS = 5;

using Shape = NearestShape<8192, 11, 512, 16>;

// ---- kernels: frames are blockIdx.y

template <uint32_t CTA_THREADS>
static __global__ void __launch_bounds__(CTA_THREADS) find_tile_minima(const __grid_constant__ AnsvBatch batch) {
    extern __shared__ uint4 s_memory[];
    cta_find_tile_minima(batch, blockIdx.y, blockIdx.x, *reinterpret_cast<AnsvMemory<CTA_THREADS>*>(s_memory));
}

template <uint32_t CTA_THREADS>
static __global__ void __launch_bounds__(UPPER_THREADS) find_upper_minima(const __grid_constant__ AnsvBatch batch) {
    cta_find_upper_minima<CTA_THREADS>(batch, blockIdx.y);
}

template <uint32_t CTA_THREADS>
static __global__ void __launch_bounds__(CTA_THREADS, 3 * 512 / CTA_THREADS)
    find_smaller_values(const __grid_constant__ AnsvBatch batch) {
    extern __shared__ uint4 s_memory[];
    cta_find_smaller_values(batch, blockIdx.y, blockIdx.x, *reinterpret_cast<AnsvMemory<CTA_THREADS>*>(s_memory));
}

static __global__ void __launch_bounds__(THREADS) mark_heads(const NearestBatch batch) {
    const uint32_t warp = (blockIdx.x * THREADS + threadIdx.x) / WARP_LANES;
    warp_mark_heads<Shape>(batch, blockIdx.y, warp * MARK_STEPS * BITS);
}

static __global__ void __launch_bounds__(1024) find_windows(const NearestBatch batch) {
    cta_find_windows<Shape>(batch, blockIdx.y, blockIdx.x);
}

static __global__ void __launch_bounds__(Shape::THREADS) count_buckets(const NearestBatch batch, uint32_t kind) {
    __shared__ DealMemory<Shape> s_memory;
    cta_count_buckets<Shape>(batch, blockIdx.y, kind, blockIdx.x, s_memory);
}

static __global__ void __launch_bounds__(SCAN_WARPS* WARP_LANES)
    place_buckets(const NearestBatch batch, uint32_t kind) {
    __shared__ PlaceMemory<SCAN_WARPS> s_memory;
    cta_place_buckets<Shape>(batch, blockIdx.y, kind, blockIdx.x * WARP_LANES, s_memory);
}

static __global__ void __launch_bounds__(Shape::THREADS, 2) deal_places(const NearestBatch batch, uint32_t kind) {
    extern __shared__ uint4 s_memory[];
    cta_deal_places<Shape>(batch, blockIdx.y, kind, blockIdx.x, *reinterpret_cast<DealAllMemory<Shape>*>(s_memory));
}

static __global__ void __launch_bounds__(WARP_LANES)
    link_buckets(const NearestBatch batch, uint32_t dealt_kind, uint32_t kind) {
    __shared__ LinkMemory<Shape> s_memory;
    warp_link_bucket<Shape>(batch, blockIdx.y, dealt_kind, kind, blockIdx.x, s_memory);
}

static __global__ void __launch_bounds__(THREADS) link_crossing(const NearestBatch batch, uint32_t kind) {
    thread_link_crossing<Shape>(batch, blockIdx.y, kind, blockIdx.x * THREADS + threadIdx.x);
}

// ---- host

template <typename T>
const uint8_t* bytes_of(const T* values) {
    return reinterpret_cast<const uint8_t*>(values);
}

/// A kernel, or several.
struct Stage {
    std::string name;
    std::function<void()> launch;
};

/// Times of each stage, and of all of them behind the last.
inline std::vector<Times> time_stages(const std::vector<Stage>& stages) {
    StageTimer timer(stages.size());
    std::vector<std::vector<float>> times(stages.size() + 1);
    for (int turn = 0; turn <= TURNS; ++turn) {
        timer.begin();
        for (const Stage& stage : stages) {
            stage.launch();
            timer.mark();
        }
        timer.wait();
        if (turn == 0) continue;
        for (size_t i = 0; i < stages.size(); ++i) times[i].push_back(timer.ms(i, i + 1));
        times.back().push_back(timer.ms(0, stages.size()));
    }
    std::vector<Times> all;
    for (const auto& each : times) all.push_back(times_of(each));
    return all;
}

/// Frames in device memory, all of them the same.
class Frames {
    DeviceMemory memory_;

public:
    const uint32_t count;
    const uint32_t bytes_each;
    const uint8_t* text;
    const FrameRange* ranges;

    Frames(const Bytes& once, uint32_t frames) : count(frames), bytes_each(static_cast<uint32_t>(once.size())) {
        text = memory_.repeat(once, all() + TEXT_SLACK);
        std::vector<FrameRange> own;
        for (uint32_t i = 0; i < frames; ++i) own.push_back({size_t{i} * bytes_each, bytes_each});
        ranges = memory_.upload(own);
    }
    size_t all() const { return size_t{count} * bytes_each; }

    /// An order for each frame.
    static const uint32_t* repeat(DeviceMemory& memory, const std::vector<uint32_t>& order, uint32_t frames) {
        const uint8_t* bytes = bytes_of(order.data());
        return reinterpret_cast<const uint32_t*>(memory.repeat(Bytes(bytes, bytes + order.size() * sizeof(uint32_t)),
                                                               order.size() * sizeof(uint32_t) * frames));
    }
};

/// A batch whose smaller values are looked for, in tiles of CTA_THREADS * FAN ranks.
template <uint32_t CTA_THREADS>
class Smaller {
    static constexpr int SHARED = sizeof(AnsvMemory<CTA_THREADS>);
    DeviceMemory memory_;
    const uint32_t frames_;

public:
    AnsvBatch batch{};

    Smaller(const Frames& frames, const uint32_t* order) : frames_(frames.count) {
        CHECK(cudaFuncSetAttribute(find_tile_minima<CTA_THREADS>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
        CHECK(cudaFuncSetAttribute(find_smaller_values<CTA_THREADS>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   SHARED));
        batch.order = order;
        batch.frames = frames.ranges;
        batch.smaller = memory_.room<uint2>(frames.all(), 0xA5);
        batch.tree = minima_tree_of<CTA_THREADS>(frames.bytes_each);
        batch.minima = memory_.room<uint32_t>(size_t{batch.tree.words} * frames.count, 0xA5);
        batch.tiles = parts_of(frames.bytes_each, AnsvMemory<CTA_THREADS>::TILE);
    }

    std::vector<Stage> stages() const {
        const dim3 tiles(batch.tiles, frames_), each(1, frames_);
        const AnsvBatch& own = batch;
        return {{"find_tile_minima", [=, &own] { find_tile_minima<CTA_THREADS><<<tiles, CTA_THREADS, SHARED>>>(own); }},
                {"find_upper_minima", [=, &own] { find_upper_minima<CTA_THREADS><<<each, UPPER_THREADS>>>(own); }},
                {"find_smaller_values",
                 [=, &own] { find_smaller_values<CTA_THREADS><<<tiles, CTA_THREADS, SHARED>>>(own); }}};
    }
    size_t bytes() const { return memory_.bytes; }
};

/// A batch whose nearest places are looked for.
class Nearest {
    DeviceMemory memory_;
    const Frames& frames_;

public:
    NearestBatch batch{};

    Nearest(const Frames& frames, const uint32_t* order) : frames_(frames) {
        constexpr int SHARED = sizeof(DealAllMemory<Shape>);
        CHECK(cudaFuncSetAttribute(deal_places, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
        CHECK(cudaFuncSetAttribute(link_buckets, cudaFuncAttributePreferredSharedMemoryCarveout,
                                   cudaSharedmemCarveoutMaxShared));
        const size_t count = frames.count;
        batch.text = frames.text;
        batch.order = order;
        batch.frames = frames.ranges;
        batch.nearest = memory_.room<uint32_t>(frames.all() * KINDS, 0xA5);
        batch.kind_words = frames.all();
        batch.windows = parts_of(frames.bytes_each, Shape::WINDOW);
        batch.tiles = parts_of(frames.bytes_each, Shape::TILE);
        batch.digits = parts_of(batch.windows * 2, WARP_LANES) * WARP_LANES;
        batch.ranks = memory_.room<uint32_t>(frames.all(), 0xA5);
        batch.heads = memory_.room<uint32_t>(count * KINDS * batch.windows * (Shape::WINDOW / BITS), 0xA5);
        batch.table = memory_.room<Window>(count * KINDS * batch.windows, 0xA5);
        batch.counts = memory_.room<uint32_t>(count * batch.tiles * batch.digits, 0xA5);
        batch.sizes = memory_.room<uint32_t>(count * batch.digits, 0xA5);
        batch.members = memory_.room<uint64_t>(frames.all(), 0xA5);
    }

    std::vector<Stage> stages() const {
        constexpr int SHARED = sizeof(DealAllMemory<Shape>);
        const uint32_t ranks = batch.windows * Shape::WINDOW, frames = frames_.count;
        const dim3 marks(parts_of(ranks, THREADS * MARK_STEPS), frames), kinds(KINDS, frames),
            tiles(batch.tiles, frames);
        const dim3 digits(batch.digits / WARP_LANES, frames), windows(batch.windows, frames);
        const dim3 members(parts_of(ranks, THREADS), frames);
        const NearestBatch& own = batch;
        std::vector<Stage> all = {{"mark_heads", [=, &own] { mark_heads<<<marks, THREADS>>>(own); }},
                                  {"find_windows", [=, &own] { find_windows<<<kinds, 1024>>>(own); }}};
        for (uint32_t kind = 0; kind < KINDS; ++kind) {
            const std::string name = " " + std::to_string(length_of(kind));
            all.push_back({"count_buckets" + name, [=, &own] { count_buckets<<<tiles, Shape::THREADS>>>(own, kind); }});
            all.push_back(
                {"place_buckets" + name, [=, &own] { place_buckets<<<digits, SCAN_WARPS * WARP_LANES>>>(own, kind); }});
            all.push_back(
                {"deal_places" + name, [=, &own] { deal_places<<<tiles, Shape::THREADS, SHARED>>>(own, kind); }});
            for (uint32_t finer = kind; finer < KINDS; ++finer) {
                all.push_back({"link_buckets" + name + " by " + std::to_string(length_of(finer)),
                               [=, &own] { link_buckets<<<windows, WARP_LANES>>>(own, kind, finer); }});
            }
            all.push_back({"link_crossing" + name, [=, &own] { link_crossing<<<members, THREADS>>>(own, kind); }});
        }
        return all;
    }

    /// How many places lie in buckets.
    size_t dealt() const {
        size_t all = 0;
        for (const uint32_t size : to_host(batch.sizes, size_t{frames_.count} * batch.digits)) all += size;
        return all;
    }
    size_t bytes() const { return memory_.bytes; }
};

}  // namespace strong_candidates
