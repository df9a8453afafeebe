// Times the order of frames' rotations (suffixarray_order.cuh) on one device, kernel by kernel, and verifies it. The
// exact transform of bzip2's blocks stands beside it. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o strong_order_bench \
//       benchmarks/src/main/cuda/strong_order_bench.cu
//   strong_order_bench FILE MIB...
//
// The first frame of 8 MiB, and then that of 1 MiB, as often as it takes for so many MiB in flight. The exact transform
// gets the first 900,000 bytes. FILE may be @same, @two or @three (periods), @fibonacci or @random. DETAIL=0 in the
// environment times only wholes, CAREFUL=1 waits for each kernel and names what fails.
//
// A row is a kernel, a group of kernels or a whole; ms is the median of the runs behind the first. `whole_look` has a
// host that reads counts after each round, `whole_blind` asks for all rounds at once. The shape is the bits of code in
// a key, and the places of a window. `tied` are the places tied after the first sort, `handled` those of all rounds, by
// place.
//
// Verified are the first frame, on the host by its neighbours (order_check.h), and the others by their being the same;
// the same again behind a run that asks for all rounds.
#include "../cpp/strong_levels/order_check.h"
#include "bwt_encode_device.cuh"
#include "suffixarray/suffixarray_order.cuh"

using namespace warpcodec;
using namespace warpcodec::bwt_encode;
using namespace warpcodec::suffixarray;

namespace {

constexpr uint32_t LONG_BYTES = 8u << 20, SHORT_BYTES = 1u << 20, EXACT_BYTES = 900000;

__global__ void __launch_bounds__(SYMBOLS) find_symbols(BwtBatch batch) {
    __shared__ SymbolsMemory s_memory;
    cta_find_symbols<FrameShape>(batch, s_memory);
}

/// As for blocks, but for the number of ctas.
__global__ void __launch_bounds__(sort::SortPolicy::CTA_THREADS, GATHER_CTAS_PER_MULTIPROCESSOR)
    gather_groups(BwtBatch batch) {
    __shared__ sort::CountMemory<DIGIT_BITS> s_memory;
    cta_gather_segments<FrameShape>(batch, s_memory);
}

__global__ void __launch_bounds__(SCAN_THREADS) scan_long_segments(sort::SortBatch batch) {
    __shared__ LongScanMemory<DIGIT_BITS> s_memory;
    cta_scan_long_segments(batch, s_memory);
}

__global__ void __launch_bounds__(ColumnPolicy::CTA_THREADS) write_order(BwtBatch batch, uint32_t* order) {
    cta_write_order<FrameShape>(batch, order);
}

Kernels frame_kernels() {
    Kernels kernels{begin<FrameShape>,        codes<FrameShape>,          keys<FrameShape>,
                    split_blocks<FrameShape>, refine_windows<FrameShape>, gather_groups,
                    rank_windows<FrameShape>, split_segments<FrameShape>, nullptr,
                    count_tiles<DIGIT_BITS>,  scan_long_segments,         scatter_tiles<DIGIT_BITS>,
                    count_tiles<DIGIT_BITS>,  scan_segments<DIGIT_BITS>,  scatter_tiles<DIGIT_BITS>};
    kernels.scan_wide_threads = SCAN_THREADS;
    kernels.find_symbols = find_symbols;
    return kernels;
}

/// Ctas of refine_windows that a device holds.
uint32_t resident_windows() {
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    return static_cast<uint32_t>(multiprocessors) * SmallWindows::CTAS_PER_MULTIPROCESSOR;
}

/// Frames in device memory, all of them the same, and what their sort takes.
class Frames {
    const Bytes& text_;
    const uint32_t count_;
    DeviceMemory memory_, given_;
    const Kernels kernels_ = frame_kernels();
    const uint32_t resident_ = resident_windows();
    BwtBatch batch_{};
    uint32_t* order_;

public:
    Frames(const Bytes& text, uint32_t count) : text_(text), count_(count) {
        const uint32_t bytes = static_cast<uint32_t>(text.size()), tiles = bwt_plan::tiles_of(bytes);
        std::vector<BwtEntry> entries;
        for (uint32_t i = 0; i <= count; ++i)
            entries.push_back({uint64_t{i} * bytes, i < count ? bytes : 0, i * tiles});
        batch_.entries = given_.upload(entries);
        batch_.text = given_.repeat(text, all());
        batch_.text_bytes = all();
        order_ = given_.room<uint32_t>(all(), POISON);
        allocate_scratch<FrameShape>(memory_, batch_, count, tiles * count);
        allow_shared_memory<FrameShape>(kernels_);
    }

    size_t all() const { return size_t{count_} * text_.size(); }
    double scratch_each() const { return static_cast<double>(memory_.bytes) / all(); }

    Rounds sort(Launcher& launcher, bool look, RoundCounts* counts) const {
        const auto launch = [&](auto... arguments) { launcher(arguments...); };
        Rounds result;
        bwt_plan::first_sort<FrameShape>(kernels_, batch_, launch);
        for (uint32_t round = 1; round <= FrameShape::MAX_ROUNDS; ++round) {
            if (look) {
                CHECK(cudaMemcpyAsync(counts, batch_.rounds + round, sizeof(RoundCounts), cudaMemcpyDeviceToHost));
                CHECK(cudaStreamSynchronize(nullptr));
                if (round == 1) result.tied_first = counts->tied;
                if (counts->tied == 0) break;
                result.handled += counts->tied;
            }
            bwt_plan::one_round<FrameShape>(kernels_, batch_, round, resident_, look ? counts : nullptr, launch);
            result.rounds = round;
        }
        const auto write = [order = order_](BwtBatch batch, uint32_t grid, uint32_t threads) {
            write_order<<<grid, threads>>>(batch, order);
        };
        launcher.call("write_order", write, batch_.tile_count, ColumnPolicy::CTA_THREADS, batch_);
        CHECK(cudaGetLastError());
        return result;
    }

    void forget_order() const { CHECK(cudaMemset(order_, POISON, all() * sizeof(uint32_t))); }

    /// Number of wrong rows and missing places of the first frame, and of bytes by which the others differ from it.
    size_t wrong() const {
        constexpr uint32_t PART = 1 << 16;
        const uint32_t count = static_cast<uint32_t>(text_.size());
        const std::vector<uint32_t> order = to_host(order_, count);
        const size_t order_bytes = size_t{count} * sizeof(uint32_t);
        const uint8_t* bytes = reinterpret_cast<const uint8_t*>(order_);
        size_t wrong = strong_levels::missing_places(order.data(), count) +
                       count_differences(bytes, bytes, order_bytes, order_bytes * count_);
        for (const BwtResult& result : to_host(batch_.results, count_)) wrong += result.status != STATUS_SOUND;
        return wrong + add_up((count + PART - 1) / PART, [&](uint32_t part) {
                   return strong_levels::wrong_rows(text_.data(), count, order.data(), part * PART,
                                                    std::min(count, (part + 1) * PART),
                                                    {FrameShape::CUT, MOST_COMPARED_BYTES});
               });
    }
};

/// Which part of the sort a kernel belongs to.
std::string group_of(const std::string& kernel) {
    if (kernel.rfind("large_", 0) == 0 || kernel == "refine" || kernel == "rank") return "= rounds";
    return kernel == "write_order" || kernel == "columns" ? "= result" : "= first sort";
}

struct Title {
    std::string data;
    size_t bytes, frame_bytes;
    std::string shape;
    double scratch_each;

    void print(const Measured& measured, const std::string& verified) const {
        std::map<std::string, float> groups;
        measured.for_each([&](const std::string& stage, float, float ms) {
            if (stage.rfind("whole", 0) != 0) groups[group_of(stage)] += ms;
            print(stage, ms, measured.rounds, verified);
        });
        for (const auto& [group, ms] : groups) print(group, ms, measured.rounds, verified);
        std::fflush(stdout);
    }

    void print(const std::string& stage, float ms, const Rounds& rounds, const std::string& verified) const {
        std::printf("%s,%.1f,%zu,%s,%s,%.3f,%.1f,%u,%.3f,%.3f,%.1f,%s\n", data.c_str(), bytes / 1048576.0, frame_bytes,
                    shape.c_str(), stage.c_str(), ms, bytes / ms / 1e6, rounds.rounds,
                    static_cast<double>(rounds.tied_first) / bytes, rounds.handled / bytes, scratch_each,
                    verified.c_str());
    }
};

std::string itself(const std::string& kernel) { return kernel; }

void time_order(const std::string& name, const Bytes& text, size_t in_flight) {
    const Frames frames(text, static_cast<uint32_t>(std::max<size_t>(1, in_flight / text.size())));
    const Measured measured = measure_all(
        [&](Launcher& launcher, bool look, RoundCounts* counts) { return frames.sort(launcher, look, counts); }, itself,
        false);
    size_t wrong = frames.wrong();
    frames.forget_order();
    Launcher blind;
    frames.sort(blind, false, nullptr);
    wrong += frames.wrong();
    const std::string shape = std::to_string(FrameShape::KEY_BITS) + " bits " + std::to_string(SmallWindows::WINDOW);
    Title{name, frames.all(), text.size(), shape, frames.scratch_each()}.print(measured, verdict(wrong));
}

/// The transform that bzip2 has, of blocks that are all the same. Its own benchmark verifies it.
void time_exact(const std::string& name, const Bytes& text, size_t in_flight) {
    const uint32_t count = static_cast<uint32_t>(std::max<size_t>(1, in_flight / text.size()));
    const uint32_t tiles = bwt_plan::tiles_of(static_cast<uint32_t>(text.size()));
    const size_t bytes = count * text.size();
    DeviceMemory given, memory;
    BwtBatch batch{};
    std::vector<BwtEntry> entries;
    for (uint32_t i = 0; i <= count; ++i)
        entries.push_back({i * text.size(), i < count ? static_cast<uint32_t>(text.size()) : 0, i * tiles});
    batch.entries = given.upload(entries);
    batch.text = given.repeat(text, bytes);
    batch.text_bytes = bytes;
    batch.column = given.room<uint8_t>(bytes, POISON);
    allocate_scratch(memory, batch, count, tiles * count);
    allow_shared_memory();
    const Measured measured = measure_all(
        [&](Launcher& launcher, bool look, RoundCounts* counts) { return transform(batch, launcher, look, counts); },
        itself, false);
    Title{name, bytes, text.size(), "exact", static_cast<double>(memory.bytes) / bytes}.print(measured, "");
}

/// The first bytes of a file, or of what a name stands for.
Bytes first_bytes(const std::string& name, const Bytes& file, size_t bytes) {
    if (name[0] == '@') return read_blocks(name, bytes, "")[0];
    return Bytes(file.begin(), file.begin() + std::min(file.size(), bytes));
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) return usage();
    const std::string path = arguments[1], name = name_of(path);
    const Bytes file = path[0] == '@' ? Bytes() : require_file(path);
    std::puts("data,mib,frame_bytes,shape,stage,ms,gb_s,rounds,tied,handled,scratch_each,verified");
    for (int i = 2; i < count; ++i) {
        const size_t in_flight = static_cast<size_t>(std::stoul(arguments[i])) << 20;
        for (const uint32_t bytes : {LONG_BYTES, SHORT_BYTES})
            time_order(name, first_bytes(name, file, bytes), in_flight);
        time_exact(name, first_bytes(name, file, EXACT_BYTES), in_flight);
    }
    return 0;
}
