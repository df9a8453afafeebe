// Times the kernels that look for match candidates (ansv_values.cuh, nearest_places.cuh), and compares each candidate
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
#include <array>
#include <string>
#include <utility>

#include "../cpp/strong_levels/order.h"
#include "strong_candidates_stages.cuh"

using namespace strong_candidates;

namespace {

constexpr uint32_t FRAME_BYTES[] = {8u << 20, 1u << 20};

// ---- host

/// The first frame of a file, its order and its candidates by the model.
struct Frame {
    Bytes text;
    std::vector<uint32_t> order;
    std::vector<uint2> smaller;
    std::vector<std::array<uint32_t, KINDS>> nearest;

    explicit Frame(Bytes bytes)
        : text(std::move(bytes)), order(sort(text)), smaller(smaller_of(order)), nearest(text.size()) {
        for (uint32_t kind = 0; kind < KINDS; ++kind) {
            const auto places = strong_levels::nearest_places(text.data(), order, length_of(kind));
            for (size_t place = 0; place < places.size(); ++place) nearest[place][kind] = places[place];
        }
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

/// Whether an array has, for each frame, what is expected of one, and behind it what was there before.
template <typename T>
size_t differences(const T* found, const std::vector<T>& expected, uint32_t frames) {
    DeviceMemory memory;
    const Bytes each = fill_units(expected);
    return count_differences(bytes_of(found), memory.upload(each), each.size(), each.size() * frames);
}

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

/// Times the smaller values of an order with tiles of CTA_THREADS * FAN ranks.
template <uint32_t CTA_THREADS>
void time_smaller(const Frames& frames, const std::vector<uint32_t>& order, const std::vector<uint2>& expected,
                  Title title) {
    DeviceMemory memory;
    const Smaller<CTA_THREADS> own(frames, Frames::repeat(memory, order, frames.count));
    const std::vector<Stage> stages = own.stages();
    const std::vector<Times> times = time_stages(stages);
    const std::string verified = verdict(differences(own.batch.smaller, expected, frames.count));
    const std::string tile = " tile " + std::to_string(AnsvMemory<CTA_THREADS>::TILE);
    for (size_t i = 0; i < stages.size(); ++i) title.print(stages[i].name + tile, times[i], "", verified);
    title.print("smaller values" + tile, times.back(), "", verified);
}

/// How many of the nearest places are wrong.
std::string verify(const NearestBatch& batch, const Frame& frame, uint32_t frames) {
    return verdict(
        differences(reinterpret_cast<const std::array<uint32_t, KINDS>*>(batch.nearest), frame.nearest, frames));
}

template <class Shape>
void time_nearest(const Frames& frames, const Frame& frame, Title title) {
    DeviceMemory memory;
    const Nearest<Shape> own(frames, Frames::repeat(memory, frame.order, frames.count));
    for (const bool ranks_given : {false, true}) {
        const std::string tile = " tile " + std::to_string(Shape::TILE) + (ranks_given ? " ranks given" : "");
        const std::vector<Stage> stages = own.stages(ranks_given);
        own.poison();
        const std::vector<Times> times = time_stages(stages);
        const std::string verified = verify(own.batch, frame, frames.count);
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
        const size_t bytes = std::min<size_t>(file.size(), frame_bytes);
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
