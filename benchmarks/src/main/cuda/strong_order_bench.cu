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
#include "strong_order_frames.cuh"

namespace {

constexpr uint32_t LONG_BYTES = 8u << 20, SHORT_BYTES = 1u << 20, EXACT_BYTES = 900000;

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
    const Frames<> frames(text, static_cast<uint32_t>(std::max<size_t>(1, in_flight / text.size())));
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
