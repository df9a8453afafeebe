// Times a parse by price by lanes a chunk (strong_parse.cuh), and compares its cost with the model's. A program, not a
// test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o strong_parse_bench \
//       benchmarks/src/main/cuda/strong_parse_bench.cu
//   strong_parse_bench FILE MIB...      the first frame of 8 MiB, as often as it takes for so many MiB in flight
//
// Candidates and the prices of blocks come from the model on the host (strong_levels/model.h), as its second pass has
// them. GB/s are of text. `cost` is that of the device's parse over that of the host's.
#include <string>

#include "device_bench.cuh"
#include "strong_parse_paths.h"

using namespace strong_parse;

namespace {

constexpr uint32_t FRAME_BYTES = 8u << 20, CHUNK_BYTES = 16u << 10, BLOCK_BYTES = 128u << 10;
constexpr uint32_t THREADS = 128;
constexpr int TURNS = 5;

__global__ void measure_matches(const ParseBatch batch) {
    const uint32_t at = (blockIdx.x * blockDim.x + threadIdx.x) * RUN;
    if (at < batch.byte_count) thread_measure(batch, at);
}

constexpr uint32_t CHUNKS = BLOCK_BYTES / CHUNK_BYTES;

template <uint32_t LANES, uint32_t RING>
__global__ void __launch_bounds__(LANES* CHUNKS) parse_blocks(const ParseBatch batch) {
    extern __shared__ uint4 s_memory[];
    cta_parse_block<LANES, RING, CHUNKS>(batch, blockIdx.x,
                                         *reinterpret_cast<BlockMemory<LANES, RING, CHUNKS>*>(s_memory));
}

__global__ void trace_back(const ParseBatch batch, uint32_t chunks) {
    const uint32_t chunk = blockIdx.x * blockDim.x + threadIdx.x;
    if (chunk < chunks) thread_trace_back(batch, chunk);
}

uint32_t parts(uint32_t whole, uint32_t part) { return (whole + part - 1) / part; }

/// The first frame of a file, as the model has it before its second pass.
struct Frame {
    Bytes text;
    strong_levels::Options options;
    strong_levels::Model model;
    std::vector<strong_levels::Prices> prices;
    std::vector<double> costs;  ///< of each chunk, by the host's parse

    explicit Frame(Bytes bytes)
        : text(std::move(bytes)), model(text.data(), static_cast<uint32_t>(text.size()), options) {
        model.next_parse();
        prices = model.prices();
        for (uint32_t from = 0; from < text.size(); from += CHUNK_BYTES) {
            bool wrong = false;
            const strong_levels::Prices& own = prices[from / BLOCK_BYTES];
            costs.push_back(cost_of(text.data(), from, model.parse_chunk(from, static_cast<uint32_t>(text.size()), own),
                                    own, wrong));
        }
    }
};

/// Frames in device memory.
class Batch {
    DeviceMemory memory_;
    const Frame& frame_;
    uint32_t frames_;

public:
    ParseBatch batch{};
    uint32_t chunks;

    Batch(const Frame& frame, uint32_t frames) : frame_(frame), frames_(frames) {
        const uint32_t bytes = static_cast<uint32_t>(frame.text.size());
        batch.byte_count = bytes * frames;
        batch.frame_bytes = bytes;
        batch.block_bytes = BLOCK_BYTES;
        batch.chunk_bytes = CHUNK_BYTES;
        batch.text = memory_.repeat(frame.text, batch.byte_count + TEXT_SLACK);
        uint32_t* candidates = memory_.room<uint32_t>(size_t{KINDS} * batch.byte_count);
        for (uint32_t kind = 0; kind < KINDS; ++kind) {
            for (uint32_t i = 0; i < frames; ++i)
                CHECK(cudaMemcpy(candidates + size_t{kind} * batch.byte_count + size_t{i} * bytes,
                                 frame.model.candidates()[kind].data(), bytes * sizeof(uint32_t),
                                 cudaMemcpyHostToDevice));
        }
        batch.candidates = candidates;
        std::vector<BlockPrices> prices;
        for (uint32_t i = 0; i < frames; ++i) {
            for (const strong_levels::Prices& each : frame.prices) prices.push_back(prices_for_devices(each));
        }
        batch.prices = memory_.upload(prices);
        chunks = parts(batch.byte_count, CHUNK_BYTES);
        batch.matches = memory_.room<PackedMatch>(size_t{KINDS} * batch.byte_count, 0xA5);
        batch.steps = memory_.room<PackedStep>(size_t{chunks} * (CHUNK_BYTES + 1), 0xA5);
        batch.path = memory_.room<PackedStep>(size_t{chunks} * CHUNK_BYTES, 0xA5);
        batch.path_steps = memory_.room<uint32_t>(chunks, 0xA5);
    }

    /// Cost of the paths over that of the host's, or what is wrong.
    std::string cost() const {
        const auto path = to_host(batch.path, size_t{chunks} * CHUNK_BYTES);
        const auto steps = to_host(batch.path_steps, chunks);
        double own = 0, host = 0;
        bool wrong = false;
        for (uint32_t chunk = 0; chunk < chunks && !wrong; ++chunk) {
            const uint32_t in_frame = chunk % (chunks / frames_);
            const auto sequences =
                sequences_of(path.data() + size_t{chunk} * CHUNK_BYTES, steps[chunk], CHUNK_BYTES, wrong);
            own += cost_of(frame_.text.data(), in_frame * CHUNK_BYTES, sequences,
                           frame_.prices[in_frame * CHUNK_BYTES / BLOCK_BYTES], wrong);
            host += frame_.costs[in_frame];
        }
        return wrong ? "WRONG" : std::to_string(own / host);
    }
};

template <uint32_t LANES, uint32_t RING>
void time_parse(const std::string& name, const Batch& own) {
    using Memory = BlockMemory<LANES, RING, CHUNKS>;
    constexpr int SHARED = sizeof(Memory);
    CHECK(cudaFuncSetAttribute(parse_blocks<LANES, RING>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
    int ctas = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, parse_blocks<LANES, RING>, Memory::THREADS, SHARED));
    const auto parse = [&] {
        parse_blocks<LANES, RING><<<parts(own.chunks, CHUNKS), Memory::THREADS, SHARED>>>(own.batch);
    };
    const auto trace = [&] { trace_back<<<parts(own.chunks, THREADS), THREADS>>>(own.batch, own.chunks); };
    const Times parsing = measure(parse, TURNS), tracing = measure(trace, TURNS);
    std::printf("%s,%u,%u lanes ring %u,%d,%s,%s,%s\n", name.c_str(), own.batch.byte_count >> 20, LANES, RING,
                ctas * static_cast<int>(CHUNKS), parsing.text(own.batch.byte_count).c_str(),
                tracing.text(own.batch.byte_count).c_str(), own.cost().c_str());
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) {
        std::puts("usage: strong_parse_bench FILE MIB...");
        return 1;
    }
    const std::string path = arguments[1];
    const std::string name = path.substr(path.rfind('/') + 1);
    Bytes text = read_file(path);
    text.resize(std::min<size_t>(text.size(), FRAME_BYTES) / BLOCK_BYTES * BLOCK_BYTES);
    const Frame frame(std::move(text));
    std::puts("data,mib,way,chunks_a_multiprocessor,ms,least,most,gb_s,trace_ms,least,most,gb_s,cost");
    for (int i = 2; i < count; ++i) {
        const uint32_t bytes = static_cast<uint32_t>(std::stoul(arguments[i])) << 20;
        const Batch own(frame, std::max<uint32_t>(1, bytes / static_cast<uint32_t>(frame.text.size())));
        const Times measuring = measure(
            [&] { measure_matches<<<parts(own.batch.byte_count, THREADS * RUN), THREADS>>>(own.batch); }, TURNS);
        std::printf("%s,%u,measure,,%s\n", name.c_str(), own.batch.byte_count >> 20,
                    measuring.text(own.batch.byte_count).c_str());
        time_parse<16, 512>(name, own);
        time_parse<32, 512>(name, own);
        time_parse<16, 256>(name, own);
        time_parse<32, 256>(name, own);
    }
    return 0;
}
