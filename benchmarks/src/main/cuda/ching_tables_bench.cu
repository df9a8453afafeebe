// Measures the tables of Ching's thesis on one device, his algorithms beside ours, and verifies all results. A program,
// not a test. B. Ching: "Optimizing Lempel-Ziv Factorization for the GPU Architecture", 2014.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o ching_tables_bench \
//       benchmarks/src/main/cuda/ching_tables_bench.cu
//   ching_tables_bench --check [LETTERS]     short and hard texts; exits with 1 if a result is wrong
//   ching_tables_bench [--sizes MB,MB...] [--tables 4.1,4.2,4.3,4.4,4.5,many] [--divisions LEAST] [--strings N]
//                      [--no-sequential] DATA...
//
// DATA is a file, files joined by +, or @same, @two, @three, @fibonacci or @random. Its first 1, 10 and 100 MB are
// taken, or all of it if it has less. A row is the median of five runs behind a first one; MB are 10^6 bytes.
//
// 4.1  suffix sorts: his (skew, ching_skew.cuh), ours (doubling, ching_doubling.cuh), and a sequential one on this
//      host; levels or rounds as count. Copies of text and order, page-locked, are rows by themselves.
//
// 4.3  smaller values: his by chunks of ranks, ours by tiles.
//
// 4.4  factors in 15 to 30,720 divisions, LEAST for 15, his way and ours (ching_factors.cuh): their number, and how
//      many percent more than in one piece.
//
// 4.2  all of it, with copies from and to the host: his, ours, and sequential; 480 divisions.
//
// 4.5  shares of its stages in percent.
//
// many strings of 1 MiB, the data's first again and again: the exact order by doubling, and by the sort that streams
//      have (ching_rotations.cuh), and the order that is cut as streams have it.
//
// A sequential row is one run. All orders are verified by every neighbour on the host, smaller values by a stack, and
// factors by the greedy ones of each chunk. The exit status is 1 if a row is wrong.
#include <cstring>
#include <sstream>

#include "ching_check.cuh"
#include "ching_rotations.cuh"
#include "ching_tables.cuh"
#include "strong_order_frames.cuh"

namespace {

using ching::CHING_TURNS;
using ching::DeviceString;
using ching::HostOrder;
using ching::Options;
using ching::Tables;
using ching::Title;

constexpr uint32_t STRING_BYTES = 1 << 20;

// ---- many strings

/// Number of wrong ranks: of the first string, and of others that differ from it.
size_t wrong_strings(const DeviceString& strings, const Bytes& each) {
    const HostOrder order = to_host(strings.order, strings.bytes);
    const uint32_t bytes = static_cast<uint32_t>(each.size());
    const size_t wrong = ching::wrong_ranks(each.data(), HostOrder(order.begin(), order.begin() + bytes));
    return wrong + add_up(strings.bytes / bytes, [&](uint32_t number) {
               size_t differing = 0;
               for (uint32_t rank = 0; rank < bytes; ++rank)
                   differing += order[size_t{number} * bytes + rank] != order[rank] + number * bytes;
               return differing;
           });
}

/// Gives each string of `bytes` bytes its end.
__global__ void append_ends(const uint8_t* strings, uint32_t bytes, uint8_t* ended) {
    const uint64_t begin = uint64_t{blockIdx.y} * bytes;
    for (uint32_t at = blockIdx.x * blockDim.x + threadIdx.x; at <= bytes; at += gridDim.x * blockDim.x)
        ended[begin + blockIdx.y + at] = at == bytes ? ching::END_SYMBOL : ching::above_end(strings[begin + at]);
}

/// Orders strings that are all the same by their rotations, with an end each.
void time_ended(const Title& title, const std::string& strings, const Bytes& each, uint32_t count) {
    if (std::any_of(each.begin(), each.end(), [](uint8_t symbol) { return symbol > ching::MOST_SYMBOL; })) return;
    const uint32_t bytes = static_cast<uint32_t>(each.size());
    DeviceMemory memory;
    const uint8_t* raw = memory.repeat(each, size_t{count} * bytes);
    Bytes ended;
    for (const uint8_t symbol : each) ended.push_back(ching::above_end(symbol));
    ended.push_back(ching::END_SYMBOL);
    const Frames<ching::EndedShape> frames(ended, count);
    CHECK(cudaMemset(frames.text(), 0xA5, frames.all()));
    Launcher launcher;
    Rounds rounds;
    const Times times = measure(
        [&] {
            append_ends<<<dim3(64, count), 256>>>(raw, bytes, frames.text());
            rounds = frames.sort(launcher, false, nullptr);
        },
        CHING_TURNS);
    const HostOrder order = to_host(frames.order(), bytes + 1);
    const size_t wrong = frames.wrong() + (order[0] != bytes ? 1 : 0) +
                         ching::wrong_ranks(each.data(), HostOrder(order.begin() + 1, order.end()));
    title.print("many", "exact order: rotations", strings, times, std::to_string(rounds.rounds), 0, verdict(wrong));
}

/// Orders strings that are all the same: exactly, and cut.
void time_many(const std::string& name, const Bytes& each, uint32_t count) {
    const uint32_t bytes = static_cast<uint32_t>(each.size());
    const Title title{name, size_t{count} * bytes};
    const std::string strings = std::to_string(count) + " strings";
    time_ended(title, strings, each, count);
    {
        DeviceString all(count * bytes);
        Bytes text;
        for (uint32_t i = 0; i < count; ++i) text.insert(text.end(), each.begin(), each.end());
        all.load(text);
        all.forget();
        ching::DoublingRounds rounds;
        const Times times = measure([&] { rounds = all.sort_by_doubling(bytes); }, CHING_TURNS);
        title.print("many", "exact order: doubling", strings, times, std::to_string(rounds.rounds), 0,
                    verdict(wrong_strings(all, each)));
    }
    const Frames<> frames(each, count);
    Launcher launcher;
    const Times times = measure([&] { frames.sort(launcher, false, nullptr); }, CHING_TURNS);
    title.print("many", "cut order", strings, times, "", 0, verdict(frames.wrong()));
}

// ---- the command line

/// Files' names without their folders.
std::string title_of(const std::string& data) {
    std::string title;
    std::stringstream paths(data);
    for (std::string path; std::getline(paths, path, '+');) title += (title.empty() ? "" : "+") + name_of(path);
    return title;
}

/// The first bytes of what a name stands for.
Bytes first_bytes(const std::string& name, size_t bytes) {
    if (name[0] == '@') return read_blocks(name, bytes, "")[0];
    Bytes all;
    std::stringstream paths(name);
    for (std::string path; all.size() < bytes && std::getline(paths, path, '+');) {
        const Bytes file = require_file(path);
        all.insert(all.end(), file.begin(), file.begin() + std::min(file.size(), bytes - all.size()));
    }
    return all;
}

std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> parts;
    std::stringstream stream(list);
    for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
    return parts;
}

/// Whether all arguments are understood.
bool parse(int count, char** arguments, Options& options) {
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        if (argument == "--no-sequential") options.is_sequential = false;
        else if (argument.rfind("--", 0) != 0) options.data.push_back(argument);
        else if (++i == count) return false;
        else if (argument == "--tables") options.tables = split(arguments[i]);
        else if (argument == "--strings") options.strings = static_cast<uint32_t>(std::stoul(arguments[i]));
        else if (argument == "--divisions") options.divisions = static_cast<uint32_t>(std::stoul(arguments[i]));
        else if (argument == "--sizes") {
            options.sizes.clear();
            for (const std::string& size : split(arguments[i])) options.sizes.push_back(std::stod(size));
        } else {
            return false;
        }
    }
    const auto is_possible = [](double size) { return size > 0 && size * 1e6 <= ching::MOST_BYTES; };
    return !options.data.empty() && options.divisions > 0 && options.strings > 0 &&
           options.strings <= ching::MOST_BYTES / STRING_BYTES &&
           std::all_of(options.sizes.begin(), options.sizes.end(), is_possible);
}

void measure_data(const Options& options, const std::string& name) {
    const std::string title = title_of(name);
    size_t last = 0;
    for (const double size : options.sizes) {
        const Bytes text = first_bytes(name, static_cast<size_t>(size * 1e6));
        if (text.empty() || text.size() == last) continue;
        last = text.size();
        const bool is_one = options.tables.size() == 1 && options.has("many");
        if (!is_one) Tables(options, title, text).measure_all();
    }
    if (options.has("many")) time_many(title, first_bytes(name, STRING_BYTES), options.strings);
}

}  // namespace

int main(int count, char** arguments) {
    if (count > 1 && std::strcmp(arguments[1], "--check") == 0) {
        const uint32_t letters = count > 2 ? static_cast<uint32_t>(std::stoul(arguments[2])) : 12;
        return ching::DeviceCheck().run(std::min(letters, 12u));
    }
    Options options;
    if (!parse(count, arguments, options)) return usage();
    std::puts("table,data,bytes,what,parameter,ms,least,most,mb_s,count,percent,verified");
    for (const std::string& name : options.data) measure_data(options, name);
    return ching::is_wrong ? 1 : 0;
}
