// Kernels that look for match candidates, and batches for them in device memory: what benchmarks launch.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "device_bench.cuh"
#include "ansv/ansv_values.cuh"
#include "nearest/nearest_places.cuh"

namespace strong_candidates {

using namespace warpcodec;
using namespace warpcodec::ansv;
using namespace warpcodec::nearest;

constexpr uint32_t THREADS = 256, UPPER_THREADS = 512, SCAN_WARPS = 32;
constexpr int TURNS = 5;

using ShortTiles = NearestShape<8192, 11, 512, 16>;
using LongTiles = NearestShape<8192, 11, 1024, 16>;

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

template <class Shape, bool RANKS_GIVEN>
static __global__ void __launch_bounds__(THREADS) mark_heads(const __grid_constant__ NearestBatch batch) {
    const uint32_t warp = (blockIdx.x * THREADS + threadIdx.x) / WARP_LANES;
    warp_mark_heads<Shape, RANKS_GIVEN>(batch, blockIdx.y, warp * MARK_STEPS * BITS);
}

template <class Shape>
static __global__ void __launch_bounds__(1024) find_windows(const __grid_constant__ NearestBatch batch) {
    cta_find_windows<Shape>(batch, blockIdx.y, blockIdx.x);
}

template <class Shape>
static __global__ void __launch_bounds__(Shape::THREADS, 2048 / Shape::THREADS)
    count_buckets(const __grid_constant__ NearestBatch batch) {
    __shared__ DealMemory<Shape> s_memory;
    cta_count_buckets<Shape>(batch, blockIdx.y, blockIdx.x, s_memory);
}

template <class Shape>
static __global__ void __launch_bounds__(SCAN_WARPS* WARP_LANES)
    place_buckets(const __grid_constant__ NearestBatch batch) {
    __shared__ PlaceMemory<SCAN_WARPS> s_memory;
    cta_place_buckets<Shape>(batch, blockIdx.y, blockIdx.z, blockIdx.x * WARP_LANES, s_memory);
}

template <class Shape>
static __global__ void __launch_bounds__(Shape::THREADS, 1024 / Shape::THREADS)
    deal_places(const __grid_constant__ NearestBatch batch) {
    extern __shared__ uint4 s_memory[];
    cta_deal_places<Shape>(batch, blockIdx.y, blockIdx.x, *reinterpret_cast<DealAllMemory<Shape>*>(s_memory));
}

template <class Shape, uint32_t KIND>
static __global__ void __launch_bounds__((KINDS - KIND) * WARP_LANES)
    link_buckets(const __grid_constant__ NearestBatch batch) {
    extern __shared__ uint4 s_memory[];
    cta_link_bucket<Shape, KIND>(batch, blockIdx.y, blockIdx.x, *reinterpret_cast<LinkMemory<Shape, KIND>*>(s_memory));
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

/// What rooms hold before a kernel writes to them, each byte.
constexpr int POISON = 0xA5;

/// A frame's elements, by rank or place, filled up to whole units with what rooms hold.
template <typename T>
Bytes fill_units(const std::vector<T>& each) {
    Bytes bytes(size_t{units_of(static_cast<uint32_t>(each.size()))} * UNIT_BYTES * sizeof(T), POISON);
    std::copy(bytes_of(each.data()), bytes_of(each.data()) + each.size() * sizeof(T), bytes.begin());
    return bytes;
}

/// Frames in device memory, all of them the same.
class Frames {
    DeviceMemory memory_;

public:
    const uint32_t count;
    const uint32_t bytes_each;
    const uint32_t units;  ///< of all frames
    const uint8_t* text;
    const FrameRange* ranges;

    Frames(const Bytes& once, uint32_t frames)
        : count(frames), bytes_each(static_cast<uint32_t>(once.size())), units(frames * units_of(bytes_each)) {
        text = memory_.repeat(fill_units(once), places() + TEXT_SLACK);
        std::vector<FrameRange> own;
        for (uint32_t i = 0; i < frames; ++i) own.push_back({i * units_of(bytes_each), bytes_each});
        ranges = memory_.upload(own);
    }
    /// Bytes of text.
    size_t all() const { return size_t{count} * bytes_each; }
    /// Elements of an array by rank or place.
    size_t places() const { return size_t{units} * UNIT_BYTES; }

    /// An order for each frame.
    static const uint32_t* repeat(DeviceMemory& memory, const std::vector<uint32_t>& order, uint32_t frames) {
        const Bytes bytes = fill_units(order);
        return reinterpret_cast<const uint32_t*>(memory.repeat(bytes, bytes.size() * frames));
    }
};

/// A batch whose smaller values are looked for, in tiles of CTA_THREADS * FAN ranks.
template <uint32_t CTA_THREADS>
class Smaller {
    static constexpr int SHARED = sizeof(AnsvMemory<CTA_THREADS>);
    DeviceMemory memory_;
    const Frames& frames_;

public:
    AnsvBatch batch{};

    Smaller(const Frames& frames, const uint32_t* order) : frames_(frames) {
        CHECK(cudaFuncSetAttribute(find_tile_minima<CTA_THREADS>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
        CHECK(cudaFuncSetAttribute(find_smaller_values<CTA_THREADS>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   SHARED));
        batch.order = order;
        batch.frames = frames.ranges;
        batch.smaller = memory_.room<uint2>(frames.places(), POISON);
        batch.minima = memory_.room<uint32_t>(minima_words(frames.units), POISON);
        batch.units = frames.units;
    }

    std::vector<Stage> stages() const {
        const dim3 tiles(parts_of(frames_.bytes_each, AnsvMemory<CTA_THREADS>::TILE), frames_.count);
        const dim3 each(1, frames_.count);
        const AnsvBatch& own = batch;
        return {{"find_tile_minima", [=, &own] { find_tile_minima<CTA_THREADS><<<tiles, CTA_THREADS, SHARED>>>(own); }},
                {"find_upper_minima", [=, &own] { find_upper_minima<CTA_THREADS><<<each, UPPER_THREADS>>>(own); }},
                {"find_smaller_values",
                 [=, &own] { find_smaller_values<CTA_THREADS><<<tiles, CTA_THREADS, SHARED>>>(own); }}};
    }
    size_t bytes() const { return memory_.bytes; }
};

/// A batch whose nearest places are looked for.
template <class Shape>
class Nearest {
    static constexpr int DEAL_BYTES = sizeof(DealAllMemory<Shape>);
    DeviceMemory memory_;
    const Frames& frames_;

    template <uint32_t KIND>
    void add_links(std::vector<Stage>& stages) const {
        if constexpr (KIND < KINDS) {
            constexpr int LINK_BYTES = sizeof(LinkMemory<Shape, KIND>);
            const auto kernel = link_buckets<Shape, KIND>;
            CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, LINK_BYTES));
            CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                       cudaSharedmemCarveoutMaxShared));
            const dim3 windows(batch.windows, frames_.count);
            stages.push_back({"link_buckets " + std::to_string(length_of(KIND)), [this, kernel, windows] {
                                  kernel<<<windows, (KINDS - KIND) * WARP_LANES, LINK_BYTES>>>(batch);
                              }});
            add_links<KIND + 1>(stages);
        }
    }

public:
    NearestBatch batch{};

    Nearest(const Frames& frames, const uint32_t* order) : frames_(frames) {
        CHECK(cudaFuncSetAttribute(deal_places<Shape>, cudaFuncAttributeMaxDynamicSharedMemorySize, DEAL_BYTES));
        batch.text = frames.text;
        batch.order = order;
        batch.frames = frames.ranges;
        batch.nearest = memory_.room<uint32_t>(frames.places() * KINDS);
        batch.units = frames.units;
        batch.windows = windows_of<Shape>(frames.bytes_each);
        batch.tiles = tiles_of<Shape>(frames.bytes_each);
        batch.digits = digits_of<Shape>(frames.bytes_each);
        batch.ranks = memory_.room<uint32_t>(frames.places(), POISON);
        batch.heads = memory_.room<uint32_t>(heads_words(frames.units), POISON);
        batch.table = memory_.room<Window>(table_windows<Shape>(frames.units), POISON);
        batch.counts = memory_.room<uint32_t>(counts_words<Shape>(frames.units, batch.digits), POISON);
        batch.members = memory_.room<uint64_t>(frames.places(), POISON);
        poison();
    }

    /// Forgets the results.
    void poison() const { CHECK(cudaMemset(batch.nearest, POISON, frames_.places() * KINDS * sizeof(uint32_t))); }

    /// Ranks that are given are those of a run that makes them.
    std::vector<Stage> stages(bool ranks_given = false) const {
        const uint32_t ranks = batch.windows * Shape::WINDOW, frames = frames_.count;
        const dim3 marks(parts_of(ranks, THREADS * MARK_STEPS), frames), kinds(KINDS, frames),
            tiles(batch.tiles, frames), digits(batch.digits / WARP_LANES, frames, KINDS);
        const auto mark = ranks_given ? mark_heads<Shape, true> : mark_heads<Shape, false>;
        std::vector<Stage> all = {
            {"mark_heads", [=] { mark<<<marks, THREADS>>>(batch); }},
            {"find_windows", [=] { find_windows<Shape><<<kinds, 1024>>>(batch); }},
            {"count_buckets", [=] { count_buckets<Shape><<<tiles, Shape::THREADS>>>(batch); }},
            {"place_buckets", [=] { place_buckets<Shape><<<digits, SCAN_WARPS * WARP_LANES>>>(batch); }},
            {"deal_places", [=] { deal_places<Shape><<<tiles, Shape::THREADS, DEAL_BYTES>>>(batch); }}};
        add_links<0>(all);
        return all;
    }

    /// How many places are members of a bucket, of the first kind or of any.
    size_t members(bool of_first_kind) const {
        const uint32_t kind = of_first_kind ? 0 : KINDS - 1;
        auto table = to_host(batch.table, table_windows<Shape>(frames_.units));
        NearestBatch there = batch;
        there.table = table.data();
        size_t all = 0;
        for (uint32_t frame = 0; frame < frames_.count; ++frame) {
            const FrameRange range{frame * units_of(frames_.bytes_each), frames_.bytes_each};
            const Window* own = table_of<Shape>(there, range, kind);
            for (uint32_t i = 0; i < batch.windows; ++i) all += ranks_within<Shape>(own[i], i, range.count);
        }
        return all;
    }
    size_t bytes() const { return memory_.bytes; }
};

}  // namespace strong_candidates
