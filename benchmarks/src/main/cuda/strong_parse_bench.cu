// Times a parse by price by the length of its chunks (plz_measure.cuh, plz_parse.cuh), and compares its cost with
// the model's. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o strong_parse_bench \
//       benchmarks/src/main/cuda/strong_parse_bench.cu
//   strong_parse_bench FRAME_MIB FILE MIB...      a file's first frame, as often as it takes for so many MiB in flight
//
// Candidates and the prices of blocks come from the model on the host (strong_levels/model.h), as its second pass has
// them. GB/s are of text. `cost` is that of the device's parse over that of the host's.
#include <string>

#include "device_bench.cuh"
#include "strong_parse_paths.h"

using namespace warpcodec;
using namespace warpcodec::plz;

namespace {

constexpr uint32_t BLOCK_BYTES = 128u << 10;
constexpr uint32_t THREADS = 128;
constexpr int TURNS = 5;

__global__ void __launch_bounds__(THREADS) measure_matches(const ParseBatch batch) {
    warp_measure(batch, blockIdx.x * THREADS + threadIdx.x);
}

template <uint32_t LANES, uint32_t WARPS, uint32_t UNITS>
__global__ void __launch_bounds__(WARPS* WARP_LANES) parse_chunks(const ParseBatch batch) {
    __shared__ ParseMemory<LANES, WARPS, UNITS> s_memory;
    cta_parse(batch, blockIdx.x, s_memory);
}

__global__ void trace_back(const ParseBatch batch, uint32_t count, uint32_t chunks) {
    const uint32_t chunk = blockIdx.x * blockDim.x + threadIdx.x;
    if (chunk < count) thread_trace_back(batch, chunk, chunks);
}

uint32_t parts(uint32_t whole, uint32_t part) { return (whole + part - 1) / part; }

/// The first frame of a file, as the model has it before its second pass.
struct Frame {
    Bytes text;
    strong_levels::Options options;
    strong_levels::Model model;
    std::vector<strong_levels::Prices> prices;

    explicit Frame(Bytes bytes)
        : text(std::move(bytes)), model(text.data(), static_cast<uint32_t>(text.size()), options) {
        model.next_parse();
        for (const strong_levels::Prices& each : model.prices()) prices.push_back(rounded(each));
    }

    /// Of each chunk, by the host's parse.
    std::vector<double> costs(uint32_t chunk_bytes) const {
        const uint32_t bytes = static_cast<uint32_t>(text.size());
        std::vector<double> costs(parts(bytes, chunk_bytes));
        add_up(static_cast<uint32_t>(costs.size()), [&](uint32_t chunk) {
            const uint32_t from = chunk * chunk_bytes;
            const strong_levels::Prices& own = prices[from / BLOCK_BYTES];
            bool wrong = false;
            uint64_t tried = 0;
            const auto parse = strong_levels::parse_by_price(text.data(), from, std::min(bytes, from + chunk_bytes),
                                                             model.candidates(), own, {}, tried);
            costs[chunk] = cost_of(text.data(), from, parse, own, wrong);
            return size_t{0};
        });
        return costs;
    }
};

/// Frames in device memory.
class Batch {
    DeviceMemory memory_;
    const Frame& frame_;
    const std::vector<double>& costs_;
    uint32_t frames_;
    uint32_t* nearest_;
    size_t row_words_;

public:
    ParseBatch batch{};
    uint32_t chunks, byte_count;

    Batch(const Frame& frame, const std::vector<double>& costs, uint32_t frames, uint32_t chunk_bytes)
        : frame_(frame), costs_(costs), frames_(frames) {
        const uint32_t bytes = static_cast<uint32_t>(frame.text.size());
        const uint32_t units = bytes / UNIT_BYTES;
        std::vector<FrameRange> ranges;
        std::vector<uint32_t> unit_frames;
        for (uint32_t i = 0; i < frames; ++i) {
            ranges.push_back({i * units, bytes});
            unit_frames.insert(unit_frames.end(), units, i);
        }
        byte_count = bytes * frames;
        batch.frames = {memory_.upload(ranges), memory_.upload(unit_frames), frames, units * frames};
        for (uint32_t& bytes : batch.chunk_bytes) bytes = chunk_bytes;
        batch.stride_bytes = chunk_bytes;
        batch.text = memory_.repeat(frame.text, byte_count + TEXT_SLACK);
        uint2* smaller = memory_.room<uint2>(byte_count);
        row_words_ = size_t{ROW_WORDS} * byte_count;
        nearest_ = memory_.room<uint32_t>(row_words_);
        const std::vector<uint2> smaller_of_one = smaller_for_devices(frame.model.candidates());
        const std::vector<uint32_t> nearest_of_one = nearest_for_devices(frame.model.candidates());
        for (uint32_t i = 0; i < frames; ++i) {
            CHECK(cudaMemcpy(smaller + size_t{i} * bytes, smaller_of_one.data(), bytes * sizeof(uint2),
                             cudaMemcpyHostToDevice));
            CHECK(cudaMemcpy(nearest_ + size_t{i} * nearest_of_one.size(), nearest_of_one.data(),
                             nearest_of_one.size() * sizeof(uint32_t), cudaMemcpyHostToDevice));
        }
        batch.smaller = smaller;
        batch.rows = memory_.room<uint32_t>(row_words_ + BROUGHT * ROW_WORDS, 0xA5);
        std::vector<BlockPrices> prices;
        for (uint32_t i = 0; i < frames; ++i) {
            for (const strong_levels::Prices& each : frame.prices)
                prices.insert(prices.end(), BLOCK_BYTES / UNIT_BYTES, prices_for_devices(each));
        }
        batch.prices = memory_.upload(prices);
        chunks = chunk_count(batch);
        const size_t columns = chunks + WARP_LANES;
        batch.ways = memory_.room<Way>(columns * FAR, 0xA5);
        batch.steps = memory_.room<uint32_t>(columns * chunk_bytes, 0xA5);
        batch.arrivals = memory_.room<uint32_t>(columns * chunk_bytes, 0xA5);
        batch.paths = memory_.room<Path>(chunks, 0xA5);
    }

    /// Writes candidates over matches.
    void lay_candidates() const {
        CHECK(cudaMemcpy(batch.rows, nearest_, row_words_ * sizeof(uint32_t), cudaMemcpyDeviceToDevice));
    }

    /// Cost of the paths over that of the host's, or what is wrong.
    std::string cost(uint32_t group_chunks) const {
        const auto steps = to_host(batch.steps, size_t{chunks + WARP_LANES} * batch.stride_bytes);
        const auto paths = to_host(batch.paths, chunks);
        double own = 0, host = 0;
        for (uint32_t chunk = 0; chunk < chunks; ++chunk) {
            const uint32_t in_frame = chunk % (chunks / frames_), from = in_frame * batch.stride_bytes;
            const uint32_t bytes = std::min<uint32_t>(batch.stride_bytes, frame_.text.size() - from);
            // its frame's table is on the device
            const Chunk own_chunk{from, bytes, from, from / UNIT_BYTES, batch.stride_bytes, chunk, batch.stride_bytes};
            bool wrong = false;
            const auto sequences = sequences_of(own_chunk, paths[chunk], steps.data(), group_chunks, wrong);
            own += cost_of(frame_.text.data(), from, sequences, frame_.prices[from / BLOCK_BYTES], wrong);
            host += costs_[in_frame];
            if (wrong) return "WRONG in chunk " + std::to_string(chunk);
        }
        return std::to_string(own / host);
    }
};

void time_measure(const std::string& name, const Batch& own) {
    StageTimer timer(1);
    std::vector<float> measuring;
    for (int turn = 0; turn <= TURNS; ++turn) {
        own.lay_candidates();
        timer.begin();
        measure_matches<<<parts(own.byte_count, THREADS), THREADS>>>(own.batch);
        timer.mark();
        timer.wait();
        if (turn > 0) measuring.push_back(timer.ms(0, 1));
    }
    std::printf("%s,%u,measure,%u,%s\n", name.c_str(), own.byte_count >> 20, own.batch.stride_bytes >> 10,
                times_of(measuring).text(own.byte_count).c_str());
}

template <uint32_t LANES, uint32_t WARPS, uint32_t UNITS>
void time_parse(const std::string& name, const Batch& own) {
    constexpr uint32_t CHUNKS = StrongShape::GROUP_CHUNKS, CTA_CHUNKS = WARPS * (WARP_LANES / LANES);
    const auto parse = [&] {
        parse_chunks<LANES, WARPS, UNITS><<<parts(own.chunks, CTA_CHUNKS), WARPS * WARP_LANES>>>(own.batch);
    };
    const auto trace = [&] { trace_back<<<parts(own.chunks, THREADS), THREADS>>>(own.batch, own.chunks, CHUNKS); };
    // a trace changes the steps, so each has a parse before it
    StageTimer timer(2);
    std::vector<float> parsing, tracing;
    for (int turn = 0; turn <= TURNS; ++turn) {
        timer.begin();
        parse();
        timer.mark();
        trace();
        timer.mark();
        timer.wait();
        if (turn == 0) continue;
        parsing.push_back(timer.ms(0, 1));
        tracing.push_back(timer.ms(1, 2));
    }
    std::printf("%s,%u,parse by %u lanes,%u,%s,%s,%s\n", name.c_str(), own.byte_count >> 20, LANES,
                own.batch.stride_bytes >> 10, times_of(parsing).text(own.byte_count).c_str(),
                times_of(tracing).text(own.byte_count).c_str(), own.cost(CHUNKS).c_str());
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 4) return usage();
    const std::string name = name_of(arguments[2]);
    const size_t frame_bytes = std::stoul(arguments[1]) << 20;
    Bytes text = require_file(arguments[2]);
    text.resize(std::min(text.size(), frame_bytes) / BLOCK_BYTES * BLOCK_BYTES);
    const Frame frame(std::move(text));
    std::puts("data,mib,stage,chunk_kib,ms,least,most,gb_s,trace_ms,least,most,gb_s,cost");
    for (const uint32_t chunk_bytes : {4u << 10, 8u << 10, 16u << 10}) {
        const std::vector<double> costs = frame.costs(chunk_bytes);
        for (int i = 3; i < count; ++i) {
            const uint32_t bytes = static_cast<uint32_t>(std::stoul(arguments[i])) << 20;
            const uint32_t frames = std::max<uint32_t>(1, bytes / static_cast<uint32_t>(frame.text.size()));
            const Batch own(frame, costs, frames, chunk_bytes);
            time_measure(name, own);
            if (chunk_bytes == 4u << 10) {
                time_parse<4, 4, 2>(name, own);
                time_parse<16, 4, 1>(name, own);
            } else if (chunk_bytes == 8u << 10) {
                time_parse<4, 4, 4>(name, own);
            } else {
                time_parse<4, 4, 8>(name, own);
            }
        }
    }
    return 0;
}
