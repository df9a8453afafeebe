// Runs strong_parse.cuh on a CPU (fibres/fibres.h), and compares what each chunk costs with the model's parse.
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

using namespace strong_parse;

namespace {

constexpr uint32_t CHUNK_BYTES = 16u << 10, BLOCK_BYTES = 128u << 10;

struct Frame {
    std::vector<uint8_t> text;  ///< TEXT_SLACK more are there
    strong_levels::Options options;
    std::unique_ptr<strong_levels::Model> model;
    std::vector<strong_levels::Prices> prices;

    Frame(std::vector<uint8_t> bytes, uint32_t ring) : text(std::move(bytes)) {
        options.number["sample"] = 2;
        options.number["once"] = static_cast<int>(ring);
        text.reserve(text.size() + TEXT_SLACK);
        model = std::make_unique<strong_levels::Model>(text.data(), static_cast<uint32_t>(text.size()), options);
        model->next_parse();
        prices = model->prices();
    }
};

/// How many chunks are wrong, or cost something else.
template <uint32_t LANES, uint32_t RING>
uint32_t check(const char* name, const std::vector<uint8_t>& text) {
    Frame frame(text, RING);
    const uint32_t bytes = static_cast<uint32_t>(text.size());
    const uint32_t chunks = (bytes + CHUNK_BYTES - 1) / CHUNK_BYTES;
    std::vector<BlockPrices> prices;
    for (const strong_levels::Prices& each : frame.prices) prices.push_back(prices_for_devices(each));
    std::vector<uint32_t> candidates;
    for (const auto& kind : frame.model->candidates()) candidates.insert(candidates.end(), kind.begin(), kind.end());
    std::vector<PackedMatch> matches(size_t{bytes} * KINDS, ~uint64_t{0});
    std::vector<PackedStep> steps(size_t{chunks} * (CHUNK_BYTES + 1), ~uint64_t{0});
    std::vector<PackedStep> path(size_t{chunks} * CHUNK_BYTES, ~uint64_t{0});
    std::vector<uint32_t> path_steps(chunks, ~0u);
    const ParseBatch batch{frame.text.data(),       bytes,         bytes,          BLOCK_BYTES,  CHUNK_BYTES,
                           candidates.data(), prices.data(), matches.data(), steps.data(), path.data(),
                           path_steps.data()};
    for (uint32_t at = 0; at < bytes; at += RUN) thread_measure(batch, at);
    constexpr uint32_t CHUNKS = BLOCK_BYTES / CHUNK_BYTES;
    BlockMemory<LANES, RING, CHUNKS> memory;
    fibres::run((chunks + CHUNKS - 1) / CHUNKS, memory.THREADS, LANES,
                [&] { cta_parse_block<LANES, RING, CHUNKS>(batch, blockIdx.x, memory); });
    uint32_t differ = 0;
    for (uint32_t chunk = 0; chunk < chunks; ++chunk) {
        thread_trace_back(batch, chunk);
        const uint32_t from = chunk * CHUNK_BYTES;
        const strong_levels::Prices& own = frame.prices[from / BLOCK_BYTES];
        bool wrong = false;
        const auto found = sequences_of(path.data() + size_t{chunk} * CHUNK_BYTES, path_steps[chunk],
                                        std::min(CHUNK_BYTES, bytes - from), wrong);
        const double cost = cost_of(text.data(), from, found, own, wrong);
        const double host = cost_of(text.data(), from, frame.model->parse_chunk(from, bytes, own), own, wrong);
        if (wrong || std::fabs(cost - host) > 0.01) ++differ;
    }
    std::printf("%s: %u lanes, ring of %u: %u of %u chunks differ\n", name, LANES, RING, differ, chunks);
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
    differ += check<16, 512>(arguments[1], text);
    differ += check<32, 512>(arguments[1], text);
    differ += check<16, 256>(arguments[1], text);
    differ += check<32, 256>(arguments[1], text);
    return differ == 0 ? 0 : 1;
}
