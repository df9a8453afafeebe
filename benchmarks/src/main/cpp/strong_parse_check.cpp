// Runs plz_measure.cuh and plz_parse.cuh on a CPU (fibres/fibres.h), and compares what each chunk costs with the
// model's parse.
//
//   g++ -O2 -std=c++17 -I ../../../../kernels/src/main/cuda strong_parse_check.cpp fibres/fibres.cpp -o strong_parse_check
//   strong_parse_check FILE KIB SKIP     so many KiB of a file behind so many bytes
//
// The exit status is 1 if a parse is wrong or costs something else.
#include "fibres/fibres.h"
// and behind it
#include "../cuda/strong_parse_paths.h"

#include <cmath>
#include <memory>

using namespace warpcodec;
using namespace warpcodec::plz;

namespace {

constexpr uint32_t BLOCK_BYTES = 128u << 10;

struct Frame {
    std::vector<uint8_t> text;  ///< TEXT_SLACK more are there
    strong_levels::Options options;
    std::unique_ptr<strong_levels::Model> model;
    std::vector<strong_levels::Prices> prices;

    Frame(std::vector<uint8_t> bytes, uint32_t chunk_kib) : text(std::move(bytes)) {
        options.number["sample"] = 2;
        options.number["chunk"] = static_cast<int>(chunk_kib);
        text.reserve(parts_of(static_cast<uint32_t>(text.size()), UNIT_BYTES) * UNIT_BYTES + TEXT_SLACK);
        model = std::make_unique<strong_levels::Model>(text.data(), static_cast<uint32_t>(text.size()), options);
        model->next_parse();
        for (const strong_levels::Prices& each : model->prices()) prices.push_back(rounded(each));
    }
};

/// How many chunks are wrong, or cost something else.
template <uint32_t LANES, uint32_t WARPS>
uint32_t check(const char* name, const Frame& frame, uint32_t chunk_kib) {
    constexpr uint32_t CHUNKS = StrongShape::GROUP_CHUNKS, CTA_CHUNKS = WARPS * (WARP_LANES / LANES);
    const std::vector<uint8_t>& text = frame.text;
    const uint32_t bytes = static_cast<uint32_t>(text.size()), chunk_bytes = chunk_kib << 10;
    const uint32_t units = parts_of(bytes, UNIT_BYTES);
    const FrameRange range{0, bytes};
    const std::vector<uint32_t> unit_frames(units);
    std::vector<BlockPrices> prices;
    for (uint32_t unit = 0; unit < units; ++unit)
        prices.push_back(prices_for_devices(frame.prices[unit * UNIT_BYTES / BLOCK_BYTES]));
    const strong_levels::Candidates& candidates = frame.model->candidates();
    std::vector<uint2> smaller = smaller_for_devices(candidates);
    smaller.resize(size_t{units} * UNIT_BYTES);
    std::vector<uint32_t> rows = nearest_for_devices(candidates);
    rows.resize(ROW_WORDS * (smaller.size() + BROUGHT));
    ParseBatch batch{};
    batch.text = text.data();
    batch.frames = {&range, unit_frames.data(), 1, units};
    for (uint32_t& bytes : batch.chunk_bytes) bytes = chunk_bytes;
    batch.stride_bytes = chunk_bytes;
    batch.smaller = smaller.data();
    batch.rows = rows.data();
    batch.prices = prices.data();
    const uint32_t chunks = chunk_count(batch), groups = (chunks + CHUNKS - 1) / CHUNKS;
    std::vector<Way> ways(size_t{groups} * CHUNKS * FAR, Way{0, ~0u, ~0u, ~0u});
    std::vector<uint32_t> steps(size_t{groups} * CHUNKS * chunk_bytes, ~0u), arrivals = steps;
    std::vector<Path> paths(chunks);
    batch.ways = ways.data();
    batch.steps = steps.data();
    batch.arrivals = arrivals.data();
    batch.paths = paths.data();
    fibres::run((bytes + WARP_LANES - 1) / WARP_LANES, WARP_LANES, LANES,
                [&] { warp_measure(batch, blockIdx.x * WARP_LANES + threadIdx.x); });
    ParseMemory<LANES, WARPS, 8> memory;
    fibres::run(parts_of(chunks, CTA_CHUNKS), WARPS * WARP_LANES, chunk_kib,
                [&] { cta_parse<LANES, WARPS, 8>(batch, blockIdx.x, memory); });
    uint32_t differ = 0;
    for (uint32_t chunk = 0; chunk < chunks; ++chunk) {
        thread_trace_back(batch, chunk, CHUNKS);
        const uint32_t from = chunk * chunk_bytes;
        if (from >= bytes) break;
        const strong_levels::Prices& own = frame.prices[from / BLOCK_BYTES];
        bool wrong = false;
        const auto found = sequences_of(chunk_of(batch, chunk), paths[chunk], steps.data(), CHUNKS, wrong);
        const double cost = cost_of(text.data(), from, found, own, wrong);
        const double host = cost_of(text.data(), from, frame.model->parse_chunk(from, bytes, own), own, wrong);
        if (wrong || std::fabs(cost - host) > 0.01) ++differ;
    }
    std::printf("%s: %u lanes, chunks of %u KiB: %u of %u differ\n", name, LANES, chunk_kib, differ, chunks);
    return differ;
}

}  // namespace

int main(int count, char** arguments) {
    std::FILE* file = count == 4 ? std::fopen(arguments[1], "rb") : nullptr;
    if (file == nullptr) {
        std::puts("usage: strong_parse_check FILE KIB SKIP");
        return 1;
    }
    std::vector<uint8_t> text(static_cast<size_t>(std::atoi(arguments[2])) << 10);
    std::fseek(file, std::atol(arguments[3]), SEEK_SET);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    uint32_t differ = 0;
    for (const uint32_t chunk_kib : {4, 16}) {
        const Frame frame(text, chunk_kib);
        differ += check<4, 4>(arguments[1], frame, chunk_kib);
        differ += check<16, 4>(arguments[1], frame, chunk_kib);
    }
    return differ == 0 ? 0 : 1;
}
