// Times the kernels that look for match candidates (strong_ansv.cuh, strong_nearest.cuh), and compares each candidate
// with the model's. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o strong_candidates_bench \
//       benchmarks/src/main/cuda/strong_candidates_bench.cu
//   strong_candidates_bench FILE MIB...
//
// The first frame of 8 MiB, and then that of 1 MiB, as often as it takes for so many MiB in flight. The order comes
// from the model on the host. GB/s are of text; `places` are those that a kernel deals to buckets. The last row of a
// size is an order of mountains, whose slopes look for all their smaller values far away.
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

using Shape = NearestShape<8192, 11, 512, 16>;

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

__global__ void __launch_bounds__(THREADS) mark_heads(const NearestBatch batch) {
    const uint32_t warp = (blockIdx.x * THREADS + threadIdx.x) / WARP_LANES;
    warp_mark_heads<Shape>(batch, blockIdx.y, warp * MARK_STEPS * BITS);
}

__global__ void __launch_bounds__(1024) find_windows(const NearestBatch batch) {
    cta_find_windows<Shape>(batch, blockIdx.y, blockIdx.x);
}

__global__ void __launch_bounds__(Shape::THREADS) count_buckets(const NearestBatch batch, uint32_t kind) {
    __shared__ DealMemory<Shape> s_memory;
    cta_count_buckets<Shape>(batch, blockIdx.y, kind, blockIdx.x, s_memory);
}

__global__ void __launch_bounds__(SCAN_WARPS* WARP_LANES) place_buckets(const NearestBatch batch, uint32_t kind) {
    __shared__ PlaceMemory<SCAN_WARPS> s_memory;
    cta_place_buckets<Shape>(batch, blockIdx.y, kind, blockIdx.x * WARP_LANES, s_memory);
}

__global__ void __launch_bounds__(Shape::THREADS, 2) deal_places(const NearestBatch batch, uint32_t kind) {
    extern __shared__ uint4 s_memory[];
    cta_deal_places<Shape>(batch, blockIdx.y, kind, blockIdx.x, *reinterpret_cast<DealAllMemory<Shape>*>(s_memory));
}

__global__ void __launch_bounds__(WARP_LANES)
    link_buckets(const NearestBatch batch, uint32_t dealt_kind, uint32_t kind) {
    __shared__ LinkMemory<Shape> s_memory;
    warp_link_bucket<Shape>(batch, blockIdx.y, dealt_kind, kind, blockIdx.x, s_memory);
}

__global__ void __launch_bounds__(THREADS) link_crossing(const NearestBatch batch, uint32_t kind) {
    thread_link_crossing<Shape>(batch, blockIdx.y, kind, blockIdx.x * THREADS + threadIdx.x);
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
class Nearest {
    DeviceMemory memory_;
    const Frames& frames_;

public:
    NearestBatch batch{};

    Nearest(const Frames& frames, const std::vector<uint32_t>& order) : frames_(frames) {
        constexpr int SHARED = sizeof(DealAllMemory<Shape>);
        CHECK(cudaFuncSetAttribute(deal_places, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
        CHECK(cudaFuncSetAttribute(link_buckets, cudaFuncAttributePreferredSharedMemoryCarveout,
                                   cudaSharedmemCarveoutMaxShared));
        const size_t count = frames.count;
        batch.text = frames.text;
        batch.order = Frames::repeat(memory_, order, frames.count);
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

    std::string verify(const Frame& frame) const {
        size_t wrong = 0;
        for (uint32_t kind = 0; kind < KINDS; ++kind)
            wrong += differences(batch.nearest + kind * batch.kind_words, frame.nearest[kind], frames_.count);
        return verdict(wrong);
    }
};

void time_nearest(const Frames& frames, const Frame& frame, Title title) {
    const Nearest own(frames, frame.order);
    const std::vector<Stage> stages = own.stages();
    const std::vector<Times> times = time_stages(stages);
    const std::string verified = own.verify(frame);
    for (size_t i = 0; i < stages.size(); ++i) {
        stages[i].launch();
        const bool deals = stages[i].name.rfind("deal_places", 0) == 0;
        title.print(stages[i].name, times[i], deals ? std::to_string(own.dealt()) : "", verified);
    }
    title.print("nearest places", times.back(), "", verified);
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
            time_nearest(frames, frame, title);
            time_smaller<512>(frames, worst, smaller_of_worst, Title{"mountains", frames.all(), frame.count()});
        }
    }
    return 0;
}
