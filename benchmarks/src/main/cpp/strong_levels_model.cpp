// The sizes of `.zst` at strong levels before there is a kernel for them: which candidates, lengths and passes a parse
// by price needs. Sizes are those of real frames, which libzstd decodes; speeds are of no account.
//
//   g++ -O2 -march=native -std=c++17 -I ../../../../kernels/src/main/cuda strong_levels_model.cpp -lzstd
//       -o strong_levels_model
//   strong_levels_model FILE [stock] [NAME=VALUE ...]
//
//     stock        frames of libzstd at its own levels instead
//     frame=8192   KiB
//     chunk=16     KiB that are parsed without regard to others
//     block=128    KiB
//     cut=128      bytes by which places are ordered
//     kinds=pn3468c   of candidates: order.h
//     all=30 step=512 most=256 longest=511 once=511 matches=4 ends=3  lengths and matches that are tried: parse.h
//     sample=32    before the first pass, one of every so many chunks is parsed for its prices; 0 for none
//     piece=0      so many of its last bytes at most, as devices do; 0 for all of it
//     rounds=2     how often it is parsed, each time by the prices of the time before
//     passes=2     each by the prices of the one before, block by block
//     alone=0      1: chunks are counted each by itself, with no offsets to repeat at first, as devices do
//     looks=-1     at least 0: a lazy parse that looks so many places ahead, and no pass
//
// Prints a line of CSV a pass: data, options, pass, bytes, lengths tried a byte.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "strong_levels/frames.h"
#include "strong_levels/model.h"

using namespace strong_levels;

namespace {

struct Pass {
    size_t bytes = 0;
    uint64_t tried = 0;
};

std::vector<Pass> passes_of(const uint8_t* text, uint32_t count, const Options& options) {
    Model model(text, count, options);
    std::vector<Pass> passes(options.is_lazy() ? 1 : options.of("passes"));
    for (Pass& pass : passes) pass = {encoded_bytes(text, count, model.next_parse()), model.tried()};
    return passes;
}

std::vector<uint8_t> read_file(const std::string& path) {
    std::FILE* file = std::fopen(path.c_str(), "rb");
    require(file != nullptr, "no such file");
    std::vector<uint8_t> bytes(size_t{1} << 28);
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file));
    std::fclose(file);
    return bytes;
}

template <typename Each>
void for_frames(const std::vector<uint8_t>& bytes, uint32_t frame, Each each) {
    for (size_t at = 0; at < bytes.size(); at += frame)
        each(bytes.data() + at, static_cast<uint32_t>(std::min<size_t>(frame, bytes.size() - at)));
}

}  // namespace

int main(int count, char** arguments) {
    require(count > 1, "usage: strong_levels_model FILE [stock] [NAME=VALUE ...]");
    const std::string path = arguments[1];
    Options options;
    bool is_stock = false;
    std::string named;
    for (int i = 2; i < count; ++i) {
        const std::string argument = arguments[i];
        const size_t equals = argument.find('=');
        const std::string name = argument.substr(0, equals);
        if (argument == "stock") {
            is_stock = true;
        } else if (name == "kinds") {
            options.kinds = argument.substr(equals + 1);
        } else {
            require(equals != std::string::npos && options.number.count(name) == 1, "no such option");
            options.number[name] = std::atoi(argument.c_str() + equals + 1);
        }
        named += (named.empty() ? "" : " ") + argument;
    }
    const std::string data = path.substr(path.rfind('/') + 1);
    const std::vector<uint8_t> bytes = read_file(path);
    if (is_stock) {
        for (const int level : {3, 9, 12, 15, 17, 19, 22}) {
            size_t all = 0;
            for_frames(bytes, options.bytes_of("frame"),
                       [&](const uint8_t* text, uint32_t size) { all += stock_bytes(text, size, level); });
            std::printf("%s,%s,-%d,%zu,\n", data.c_str(), named.c_str(), level, all);
        }
        return 0;
    }
    std::vector<Pass> sums;
    for_frames(bytes, options.bytes_of("frame"), [&](const uint8_t* text, uint32_t size) {
        const std::vector<Pass> passes = passes_of(text, size, options);
        sums.resize(passes.size());
        for (size_t i = 0; i < passes.size(); ++i) {
            sums[i].bytes += passes[i].bytes;
            sums[i].tried += passes[i].tried;
        }
    });
    for (size_t i = 0; i < sums.size(); ++i) {
        std::printf("%s,%s,%zu,%zu,%.1f\n", data.c_str(), named.c_str(), i + 1, sums[i].bytes,
                    static_cast<double>(sums[i].tried) / static_cast<double>(bytes.size()));
    }
}
