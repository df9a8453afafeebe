// Times the kernels that look for match candidates (strong_ansv.cuh, strong_nearest.cuh), and compares each candidate
// with the model's. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o strong_candidates_bench \
//       benchmarks/src/main/cuda/strong_candidates_bench.cu
//   strong_candidates_bench FILE MIB...
//
// The first frame of 8 MiB, and then that of 1 MiB, as often as it takes for so many MiB in flight. The order comes
// from the model on the host. GB/s are of text; `places` are the members of buckets, of all kinds or of kind 3. Nearest
// places are timed with ranks that the first kernel makes, and with given ones. The last row of a size is an order of
// mountains, whose slopes look for all their smaller values far away.
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "../cpp/strong_levels/order.h"
#include "device_bench.cuh"
#include "strong_ansv.cuh"
#include "strong_nearest.cuh"

using namespace strong_candidates;

namespace {

constexpr uint32_t FRAME_BYTES[] = {8u << 20, 1u << 20};
constexpr uint32_t THREADS = 256, UPPER_THREADS = 512, SCAN_WARPS = 32;
constexpr int TURNS = 5;

using ShortTiles = NearestShape<8192, 11, 512, 16>;
using LongTiles = NearestShape<8192, 11, 1024, 16>;

// ---- kernels: frames are blockIdx.y

template <uint32_t CTA_THREADS>
__global__ void __launch_bounds__(CTA_THREADS) find_tile_minima(const __grid_constant__ AnsvBatch batch) {
    extern __shared__ uint4 s_memory[];
    cta_find_tile_minima(batch, blockIdx.y, blockIdx.x, *reinterpret_cast<AnsvMemory<CTA_THREADS>*>(s_memory));
}

template <uint32_t CTA_THREADS>
__global__ void __launch_bounds__(UPPER_THREADS) find_upper_minima(const __grid_constant__ AnsvBatch batch) {
    cta_find_upper_minima<CTA_THREADS>(batch, blockIdx.y);
}

template <uint32_t CTA_THREADS>
__global__ void __launch_bounds__(CTA_THREADS, 3 * 512 / CTA_THREADS)
    find_smaller_values(const __grid_constant__ AnsvBatch batch) {
    extern __shared__ uint4 s_memory[];
    cta_find_smaller_values(batch, blockIdx.y, blockIdx.x, *reinterpret_cast<AnsvMemory<CTA_THREADS>*>(s_memory));
}

template <class Shape, bool RANKS_GIVEN>
__global__ void __launch_bounds__(THREADS) mark_heads(const __grid_constant__ NearestBatch batch) {
    const uint32_t warp = (blockIdx.x * THREADS + threadIdx.x) / WARP_LANES;
    warp_mark_heads<Shape, RANKS_GIVEN>(batch, blockIdx.y, warp * MARK_STEPS * BITS);
}

template <class Shape>
__global__ void __launch_bounds__(1024) find_windows(const __grid_constant__ NearestBatch batch) {
    cta_find_windows<Shape>(batch, blockIdx.y, blockIdx.x);
}

template <class Shape>
__global__ void __launch_bounds__(Shape::THREADS, 2048 / Shape::THREADS)
    count_buckets(const __grid_constant__ NearestBatch batch) {
    __shared__ DealMemory<Shape> s_memory;
    cta_count_buckets<Shape>(batch, blockIdx.y, blockIdx.x, s_memory);
}

template <class Shape>
__global__ void __launch_bounds__(SCAN_WARPS* WARP_LANES) place_buckets(const __grid_constant__ NearestBatch batch) {
    __shared__ PlaceMemory<SCAN_WARPS> s_memory;
    cta_place_buckets<Shape>(batch, blockIdx.y, blockIdx.z, blockIdx.x * WARP_LANES, s_memory);
}

template <class Shape>
__global__ void __launch_bounds__(Shape::THREADS, 1024 / Shape::THREADS)
    deal_places(const __grid_constant__ NearestBatch batch) {
    extern __shared__ uint4 s_memory[];
    cta_deal_places<Shape>(batch, blockIdx.y, blockIdx.x, *reinterpret_cast<DealAllMemory<Shape>*>(s_memory));
}

template <class Shape, uint32_t KIND>
__global__ void __launch_bounds__((KINDS - KIND) * WARP_LANES)
    link_buckets(const __grid_constant__ NearestBatch batch) {
    extern __shared__ uint4 s_memory[];
    cta_link_bucket<Shape, KIND>(batch, blockIdx.y, blockIdx.x, *reinterpret_cast<LinkMemory<Shape, KIND>*>(s_memory));
}

__global__ void __launch_bounds__(THREADS) collect_nearest(const __grid_constant__ NearestBatch batch) {
    thread_collect_nearest(batch, blockIdx.y, blockIdx.x * THREADS + threadIdx.x);
}

// ---- host

/// The first frame of a file, its order and its candidates by the model.
struct Frame {
    Bytes text;
    std::vector<uint32_t> order;
    std::vector<uint2> smaller;
    std::vector<uint32_t> nearest[KINDS];

    explicit Frame(Bytes bytes) : text(std::move(bytes)), order(sort(text)), smaller(smaller_of(order)) {
        for (uint32_t kind = 0; kind < KINDS; ++kind)
            nearest[kind] = strong_levels::nearest_places(text.data(), order, length_of(kind));
    }

    uint32_t count() const { return static_cast<uint32_t>(text.size()); }

    static std::vector<uint32_t> sort(const Bytes& text) {
        constexpr uint32_t CUT = 128;
        return strong_levels::sort_rotations(text.data(), static_cast<uint32_t>(text.size()), CUT);
    }

    static std::vector<uint2> smaller_of(const std::vector<uint32_t>& order) {
        const auto previous = strong_levels::smaller_values(order, true);
        const auto next = strong_levels::smaller_values(order, false);
        std::vector<uint2> both;
        for (size_t place = 0; place < order.size(); ++place) both.push_back({previous[place], next[place]});
        return both;
    }
};

template <typename T>
const uint8_t* bytes_of(const T* values) {
    return reinterpret_cast<const uint8_t*>(values);
}

/// Whether an array has, for each frame, what is expected of one.
template <typename T>
size_t differences(const T* found, const std::vector<T>& expected, uint32_t frames) {
    DeviceMemory memory;
    const size_t bytes = expected.size() * sizeof(T);
    return count_differences(bytes_of(found), bytes_of(memory.upload(expected)), bytes, bytes * frames);
}

struct Stage {
    std::string name;
    std::function<void()> launch;
};

/// What rows begin with.
struct Title {
    std::string data;
    size_t bytes;
    uint32_t frame_bytes;

    void print(const std::string& kernel, const Times& times, const std::string& places, const std::string& verified) {
        std::printf("%s,%zu,%u,%s,%s,%s,%s\n", data.c_str(), bytes >> 20, frame_bytes >> 10, kernel.c_str(),
                    times.text(bytes).c_str(), places.c_str(), verified.c_str());
        std::fflush(stdout);
    }
};

/// Times of each stage, and of all of them behind the last.
std::vector<Times> time_stages(const std::vector<Stage>& stages) {
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

/// Times the smaller values of an order with tiles of CTA_THREADS * FAN ranks.
template <uint32_t CTA_THREADS>
void time_smaller(const Frames& frames, const std::vector<uint32_t>& order, const std::vector<uint2>& expected,
                  Title title) {
    constexpr int SHARED = sizeof(AnsvMemory<CTA_THREADS>);
    CHECK(cudaFuncSetAttribute(find_tile_minima<CTA_THREADS>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
    CHECK(cudaFuncSetAttribute(find_smaller_values<CTA_THREADS>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
    DeviceMemory memory;
    AnsvBatch batch{};
    batch.order = Frames::repeat(memory, order, frames.count);
    batch.frames = frames.ranges;
    batch.smaller = memory.room<uint2>(frames.all(), 0xA5);
    batch.tree = minima_tree_of<CTA_THREADS>(frames.bytes_each);
    batch.minima = memory.room<uint32_t>(size_t{batch.tree.words} * frames.count, 0xA5);
    batch.tiles = parts_of(frames.bytes_each, AnsvMemory<CTA_THREADS>::TILE);
    const dim3 tiles(batch.tiles, frames.count), each(1, frames.count);
    const std::vector<Stage> stages = {
        {"find_tile_minima", [&] { find_tile_minima<CTA_THREADS><<<tiles, CTA_THREADS, SHARED>>>(batch); }},
        {"find_upper_minima", [&] { find_upper_minima<CTA_THREADS><<<each, UPPER_THREADS>>>(batch); }},
        {"find_smaller_values", [&] { find_smaller_values<CTA_THREADS><<<tiles, CTA_THREADS, SHARED>>>(batch); }}};
    const std::vector<Times> times = time_stages(stages);
    const std::string verified = verdict(differences(batch.smaller, expected, frames.count));
    const std::string tile = " tile " + std::to_string(AnsvMemory<CTA_THREADS>::TILE);
    for (size_t i = 0; i < stages.size(); ++i) title.print(stages[i].name + tile, times[i], "", verified);
    title.print("smaller values" + tile, times.back(), "", verified);
}

/// A batch whose nearest places are looked for.
template <class Shape>
class Nearest {
    static constexpr int DEAL_BYTES = sizeof(DealAllMemory<Shape>);
    DeviceMemory memory_;
    const Frames& frames_;
    NearestBatch batch_{};

    template <uint32_t KIND>
    void add_links(std::vector<Stage>& stages) const {
        if constexpr (KIND < KINDS) {
            constexpr int LINK_BYTES = sizeof(LinkMemory<Shape, KIND>);
            const auto kernel = link_buckets<Shape, KIND>;
            CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, LINK_BYTES));
            CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                       cudaSharedmemCarveoutMaxShared));
            const dim3 windows(batch_.windows, frames_.count);
            stages.push_back({"link_buckets " + std::to_string(length_of(KIND)), [this, kernel, windows] {
                                  kernel<<<windows, (KINDS - KIND) * WARP_LANES, LINK_BYTES>>>(batch_);
                              }});
            add_links<KIND + 1>(stages);
        }
    }

public:
    Nearest(const Frames& frames, const std::vector<uint32_t>& order) : frames_(frames) {
        CHECK(cudaFuncSetAttribute(deal_places<Shape>, cudaFuncAttributeMaxDynamicSharedMemorySize, DEAL_BYTES));
        const size_t count = frames.count;
        batch_.text = frames.text;
        batch_.order = Frames::repeat(memory_, order, frames.count);
        batch_.frames = frames.ranges;
        batch_.nearest = memory_.room<uint32_t>(frames.all() * KINDS);
        batch_.kind_words = frames.all();
        batch_.windows = parts_of(frames.bytes_each, Shape::WINDOW);
        batch_.tiles = parts_of(frames.bytes_each, Shape::TILE);
        batch_.digits = parts_of(batch_.windows * 2, WARP_LANES) * WARP_LANES;
        batch_.ranks = memory_.room<uint32_t>(frames.all(), 0xA5);
        batch_.heads = memory_.room<uint32_t>(count * KINDS * batch_.windows * (Shape::WINDOW / BITS), 0xA5);
        batch_.table = memory_.room<Window>(count * KINDS * batch_.windows, 0xA5);
        batch_.counts = memory_.room<uint32_t>(count * KINDS * batch_.tiles * batch_.digits, 0xA5);
        batch_.members = memory_.room<uint64_t>(frames.all(), 0xA5);
        batch_.linked = memory_.room<uint32_t>(frames.all() * KINDS, 0xA5);
        batch_.sources = memory_.room<uint32_t>(frames.all(), 0xA5);
        poison();
    }

    /// Forgets the results.
    void poison() const { CHECK(cudaMemset(batch_.nearest, 0xA5, frames_.all() * KINDS * sizeof(uint32_t))); }

    /// Ranks that are given are those of a run that makes them.
    std::vector<Stage> stages(bool ranks_given) const {
        const uint32_t ranks = batch_.windows * Shape::WINDOW, frames = frames_.count;
        const dim3 marks(parts_of(ranks, THREADS * MARK_STEPS), frames), kinds(KINDS, frames),
            tiles(batch_.tiles, frames), digits(batch_.digits / WARP_LANES, frames, KINDS),
            places(parts_of(ranks, THREADS), frames);
        const auto mark = ranks_given ? mark_heads<Shape, true> : mark_heads<Shape, false>;
        std::vector<Stage> all = {
            {"mark_heads", [=] { mark<<<marks, THREADS>>>(batch_); }},
            {"find_windows", [=] { find_windows<Shape><<<kinds, 1024>>>(batch_); }},
            {"count_buckets", [=] { count_buckets<Shape><<<tiles, Shape::THREADS>>>(batch_); }},
            {"place_buckets", [=] { place_buckets<Shape><<<digits, SCAN_WARPS * WARP_LANES>>>(batch_); }},
            {"deal_places", [=] { deal_places<Shape><<<tiles, Shape::THREADS, DEAL_BYTES>>>(batch_); }}};
        add_links<0>(all);
        all.push_back({"collect_nearest", [=] { collect_nearest<<<places, THREADS>>>(batch_); }});
        return all;
    }

    /// How many places are members of a bucket, of the first kind or of any.
    size_t members(bool of_first_kind) const {
        const uint32_t kind = of_first_kind ? 0 : KINDS - 1;
        const auto table = to_host(batch_.table, size_t{frames_.count} * KINDS * batch_.windows);
        size_t all = 0;
        for (uint32_t frame = 0; frame < frames_.count; ++frame) {
            const Window* own = table.data() + (size_t{frame} * KINDS + kind) * batch_.windows;
            for (uint32_t i = 0; i < batch_.windows; ++i) all += ranks_within<Shape>(own[i], i, frames_.bytes_each);
        }
        return all;
    }

    std::string verify(const Frame& frame) const {
        size_t wrong = 0;
        for (uint32_t kind = 0; kind < KINDS; ++kind)
            wrong += differences(batch_.nearest + kind * batch_.kind_words, frame.nearest[kind], frames_.count);
        return verdict(wrong);
    }
};

template <class Shape>
void time_nearest(const Frames& frames, const Frame& frame, Title title) {
    const Nearest<Shape> own(frames, frame.order);
    for (const bool ranks_given : {false, true}) {
        const std::string tile = " tile " + std::to_string(Shape::TILE) + (ranks_given ? " ranks given" : "");
        const std::vector<Stage> stages = own.stages(ranks_given);
        own.poison();
        const std::vector<Times> times = time_stages(stages);
        const std::string verified = own.verify(frame);
        for (size_t i = 0; i < stages.size(); ++i) {
            const bool deals = stages[i].name == "deal_places", links = stages[i].name == "link_buckets 3";
            title.print(stages[i].name + tile, times[i], deals || links ? std::to_string(own.members(links)) : "",
                        verified);
        }
        title.print("nearest places" + tile, times.back(), "", verified);
    }
}

/// Even places upwards and odd ones downwards, again and again: those of a slope look for theirs on the other one.
std::vector<uint32_t> mountains(uint32_t count, uint32_t slope) {
    std::vector<uint32_t> order;
    for (uint32_t from = 0; from < count; from += 2 * slope) {
        const uint32_t limit = std::min(count, from + 2 * slope);
        for (uint32_t place = from; place < limit; place += 2) order.push_back(place);
        for (uint32_t pairs = (limit - from) / 2; pairs > 0; --pairs) order.push_back(from + pairs * 2 - 1);
    }
    return order;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) return usage();
    const std::string name = name_of(arguments[1]);
    const Bytes file = require_file(arguments[1]);
    std::puts("data,mib,frame_kib,kernel,ms,least,most,gb_s,places,verified");
    for (const uint32_t frame_bytes : FRAME_BYTES) {
        const size_t bytes = std::min<size_t>(file.size(), frame_bytes) / FRAME_ALIGNMENT * FRAME_ALIGNMENT;
        if (bytes == 0) continue;
        const Frame frame(Bytes(file.begin(), file.begin() + bytes));
        const std::vector<uint32_t> worst = mountains(frame.count(), frame.count() / 4);
        const std::vector<uint2> smaller_of_worst = Frame::smaller_of(worst);
        for (int i = 2; i < count; ++i) {
            const size_t in_flight = static_cast<size_t>(std::stoul(arguments[i])) << 20;
            const Frames frames(frame.text, static_cast<uint32_t>(std::max<size_t>(1, in_flight / bytes)));
            const Title title{name, frames.all(), frame.count()};
            time_smaller<512>(frames, frame.order, frame.smaller, title);
            time_smaller<64>(frames, frame.order, frame.smaller, title);
            time_nearest<ShortTiles>(frames, frame, title);
            time_nearest<LongTiles>(frames, frame, title);
            time_smaller<512>(frames, worst, smaller_of_worst, Title{"mountains", frames.all(), frame.count()});
        }
    }
    return 0;
}
