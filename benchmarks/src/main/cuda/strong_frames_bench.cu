// Times a strong level from the order of a frame's places to its bytes: candidates, prices of samples, two parses by
// price, and zstd's codes. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o strong_frames_bench \
//       benchmarks/src/main/cuda/strong_frames_bench.cu
//   strong_frames_bench FRAME_MIB FILE MIB...     a file's first frame, of 4 MiB at most, as often as it takes for so
//                                                 many MiB in flight; DUMP=folder: the frame, FILE.strong.zst
//
// The order comes from the model on the host, which is timed once. A line of CSV is a stage: milliseconds, the least
// and the most of them, GB/s of text. The line of all stages has the frame's bytes, device memory a byte of text, and
// whether all frames are the first one. Whether it is right, readers of the dumped one say; by frames of 1 MiB, those
// of strong_frames_check, which have the same bytes.
#include <chrono>
#include <memory>
#include <string>

#include "../cpp/strong_levels/order.h"
#include "strong_candidates_stages.cuh"
#include "plz/plz_emit.cuh"
#include "plz/plz_measure.cuh"
#include "plz/plz_parse.cuh"
#include "plz/plz_prices.cuh"
#include "plz/plz_shape.cuh"
#include "zstd_waves.cuh"
// and behind them
#include "zstd_encode/zstd_encode.cu"

using strong_candidates::Stage;
using warpcodec::plz::BlockPrices;
using warpcodec::plz::ParseBatch;
using warpcodec::plz::Path;
using Strong = warpcodec::plz::StrongShape;

namespace {

constexpr uint32_t THREADS = 128, PRICE_THREADS = 64, EMIT_THREADS = Strong::BLOCK_CHUNKS * WARP_LANES;
constexpr size_t LEAST_FRAME_BYTES = Strong::LEAST_FRAME_BYTES;
constexpr uint32_t CHECKSUM_BYTES = 4;

__global__ void __launch_bounds__(THREADS) measure_matches(const __grid_constant__ ParseBatch batch) {
    warpcodec::plz::warp_measure(batch, blockIdx.x * THREADS + threadIdx.x);
}

/// First prices of each frame, by its samples' bytes.
__global__ void __launch_bounds__(THREADS)
    price_bytes(const __grid_constant__ ParseBatch batch, const __grid_constant__ warpcodec::plz::FirstCounts first,
                BlockPrices* prices) {
    __shared__ warpcodec::plz::SymbolCounts s_counts;
    warpcodec::plz::cta_begin_first(batch, blockIdx.x, first, s_counts);
    warpcodec::plz::cta_make_prices(s_counts, prices[blockIdx.x]);
}

/// Prices of each block, by the paths of its chunks.
__global__ void __launch_bounds__(THREADS) price_paths(const __grid_constant__ ParseBatch batch, BlockPrices* prices) {
    __shared__ warpcodec::plz::SymbolCounts s_counts;
    warpcodec::plz::cta_price_paths<Strong::GROUP_CHUNKS>(batch, blockIdx.x, s_counts, prices[blockIdx.x]);
}

__global__ void __launch_bounds__(Strong::PARSE_THREADS) parse_groups(const __grid_constant__ ParseBatch batch) {
    __shared__ warpcodec::plz::ParseMemory<Strong::LANES, Strong::WARPS, Strong::PARSE_BLOCKS> s_memory;
    warpcodec::plz::cta_parse(batch, blockIdx.x, s_memory);
}

__global__ void __launch_bounds__(WARP_LANES) trace_back(const __grid_constant__ ParseBatch batch) {
    const uint32_t chunk = blockIdx.x * WARP_LANES + threadIdx.x;
    if (chunk < chunk_count(batch)) warpcodec::plz::thread_trace_back(batch, chunk, Strong::GROUP_CHUNKS);
}

__global__ void __launch_bounds__(EMIT_THREADS)
    emit_units(const __grid_constant__ ParseBatch batch, const __grid_constant__ EncodeBatch encode) {
    warpcodec::plz::cta_emit_unit<Strong::GROUP_CHUNKS>(batch, encode, blockIdx.x);
}

uint32_t parts(uint32_t whole, uint32_t part) { return (whole + part - 1) / part; }

/// A file's first frame.
struct Text {
    std::string name;
    Bytes bytes;
    std::vector<uint32_t> order;
    double order_ms = 0;

    Text(const std::string& path, size_t frame_bytes) : name(name_of(path)), bytes(require_file(path)) {
        bytes.resize(std::min(bytes.size(), frame_bytes) / BLOCK_BYTES * BLOCK_BYTES);
        const auto begin = std::chrono::steady_clock::now();
        order = strong_levels::sort_rotations(bytes.data(), static_cast<uint32_t>(bytes.size()), Strong::ORDER_CUT);
        order_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    }
};

/// Frames in device memory, and all stages over them.
class Chain {
    const uint32_t count_;
    DeviceMemory memory_;
    const strong_candidates::Frames frames_;
    const uint32_t* const order_;
    const strong_candidates::Smaller<512> smaller_;
    const strong_candidates::Nearest<strong_candidates::LongTiles> nearest_;
    ParseBatch samples_{}, first_{}, second_{};
    BlockPrices* frame_prices_;
    BlockPrices* block_prices_;
    EncodeBatch encode_{};
    checksum::ContentBatch contents_{};
    uint32_t codes_ctas_;

public:
    Chain(const Text& text, uint32_t count)
        : count_(count),
          frames_(text.bytes, count),
          order_(strong_candidates::Frames::repeat(memory_, text.order, count)),
          smaller_(frames_, order_),
          nearest_(frames_, order_) {
        prepare_parse();
        prepare_codes();
    }

    size_t text_bytes() const { return frames_.all(); }
    double memory_per_byte() const {
        const size_t text = frames_.all();
        return double(text + memory_.bytes + smaller_.bytes() + nearest_.bytes()) / double(text);
    }

    std::vector<Stage> stages() const {
        return {{"smaller values", [this] { launch_all(smaller_stages_); }},
                {"nearest places", [this] { launch_all(nearest_stages_); }},
                {"measure", [this] { measure_matches<<<parts(second_.byte_count, THREADS), THREADS>>>(second_); }},
                {"samples", [this] { price_samples(); }},
                {"first parse", [this] { parse(first_); }},
                {"first trace", [this] { trace(first_); }},
                {"prices", [this] { price_paths<<<encode_.unit_count, PRICE_THREADS>>>(second_, block_prices_); }},
                {"second parse", [this] { parse(second_); }},
                {"second trace", [this] { trace(second_); }},
                {"emit", [this] { emit_units<<<encode_.unit_count, EMIT_THREADS>>>(second_, encode_); }},
                {"codes",
                 [this] {
                     zstd_encode_codes<<<std::min(encode_.unit_count, codes_ctas_), CodesPolicy::CTA_THREADS,
                                         sizeof(CodesMemory)>>>(encode_);
                 }},
                {"join", [this] { zstd_encode_join<<<encode_.unit_count, JoinPolicy::CTA_THREADS>>>(encode_); }},
                {"xxh64", [this] {
                     zstd_waves::hash_contents<<<parts(count_, 2), checksum::Xxh32Policy::CTA_THREADS>>>(contents_);
                 }}};
    }

    /// Bytes of the first frame with its checksum.
    size_t frame_bytes() const { return to_host(encode_.results, 1)[0].output_bytes + CHECKSUM_BYTES; }

    /// Frames that are not sound, and bytes that are not the first frame's.
    size_t wrong() const {
        size_t wrong = 0;
        for (const BlockResult& result : to_host(encode_.results, count_)) wrong += result.status != STATUS_SOUND;
        DeviceCounter counter;
        zstd_waves::compare_repetitions<<<1024, 256>>>(encode_, 1u, counter.number);
        CHECK(cudaGetLastError());
        return wrong + counter.value();
    }

    void dump(const std::string& path) const {
        std::ofstream file(path, std::ios::binary);
        const size_t bytes = frame_bytes() - CHECKSUM_BYTES;
        const auto output = to_host(encode_.output, bytes);
        const auto hash = to_host(contents_.hashes, 1);
        file.write(reinterpret_cast<const char*>(output.data()), static_cast<std::streamsize>(bytes));
        file.write(reinterpret_cast<const char*>(hash.data()), CHECKSUM_BYTES);
    }

private:
    const std::vector<Stage> smaller_stages_ = smaller_.stages();
    const std::vector<Stage> nearest_stages_ = nearest_.stages();

    static void launch_all(const std::vector<Stage>& stages) {
        for (const Stage& stage : stages) stage.launch();
    }
    static void parse(const ParseBatch& batch) {
        parse_groups<<<parts(chunk_count(batch), Strong::CTA_CHUNKS), Strong::PARSE_THREADS>>>(batch);
    }
    static void trace(const ParseBatch& batch) {
        trace_back<<<parts(chunk_count(batch), WARP_LANES), WARP_LANES>>>(batch);
    }
    void price_samples() const {
        price_bytes<<<count_, THREADS>>>(samples_, warpcodec::plz::FIRST, frame_prices_);
        for (uint32_t round = 0; round < Strong::SAMPLE_ROUNDS; ++round) {
            parse(samples_);
            trace(samples_);
            price_paths<<<count_, THREADS>>>(samples_, frame_prices_);
        }
    }

    void prepare_parse() {
        second_.text = frames_.text;
        second_.byte_count = static_cast<uint32_t>(frames_.all());
        second_.frame_bytes = frames_.bytes_each;
        second_.block_bytes = BLOCK_BYTES;
        second_.chunk_bytes = second_.stride_bytes = Strong::CHUNK_BYTES;
        second_.smaller = smaller_.batch.smaller;
        second_.nearest = nearest_.batch.nearest;
        second_.prices = block_prices_ = memory_.room<BlockPrices>(parts(second_.byte_count, BLOCK_BYTES), 0xA5);
        const size_t columns = size_t{chunk_count(second_)} + WARP_LANES;
        second_.matches = memory_.room<warpcodec::plz::PackedMatch>(
            (size_t{second_.byte_count} + warpcodec::plz::BROUGHT) * warpcodec::plz::SLOTS, 0xA5);
        second_.ways = memory_.room<warpcodec::plz::Way>(columns * warpcodec::plz::FAR, 0xA5);
        second_.steps = memory_.room<uint32_t>(columns * (Strong::CHUNK_BYTES + 1), 0xA5);
        second_.paths = memory_.room<Path>(columns, 0xA5);
        first_ = second_;
        first_.block_bytes = first_.frame_bytes;
        first_.prices = frame_prices_ = memory_.room<BlockPrices>(count_, 0xA5);
        samples_ = first_;
        samples_.chunk_bytes = Strong::SAMPLE_BYTES;
        samples_.stride_bytes = Strong::SAMPLE_STRIDE;
    }

    void prepare_codes() {
        const uint32_t bytes = frames_.bytes_each, blocks = block_count_of(bytes);
        const uint32_t slot = bytes + BLOCK_HEADER_BYTES * blocks + MAX_HEADER_BYTES;
        std::vector<EncodeEntry> entries;
        std::vector<checksum::ContentEntry> contents;
        for (uint32_t k = 0; k < count_; ++k) {
            entries.push_back(
                {{size_t{k} * bytes, size_t{k} * slot, bytes, slot}, k * range_scratch_bytes(bytes), k * blocks, 0});
            contents.push_back({size_t{k} * bytes, bytes, 0});
        }
        encode_.input = frames_.text;
        encode_.input_bytes = frames_.all();
        encode_.output_bytes = size_t{count_} * slot;
        encode_.output = memory_.room<uint8_t>(encode_.output_bytes, 0xA5);
        encode_.entries = memory_.upload(entries);
        encode_.results = memory_.room<BlockResult>(count_, 0xFF);
        encode_.range_count = count_;
        encode_.unit_count = count_ * blocks;
        encode_.records = memory_.room<UnitRecord>(encode_.unit_count, 0xC3);
        encode_.scratch_bytes = count_ * range_scratch_bytes(bytes);
        encode_.scratch = memory_.room<uint8_t>(encode_.scratch_bytes, 0xC3);
        contents_.input = frames_.text;
        contents_.input_bytes = frames_.all();
        contents_.contents = memory_.upload(contents);
        contents_.hashes = memory_.room<uint32_t>(count_, 0);
        contents_.content_count = count_;
        codes_ctas_ = zstd_waves::resident(zstd_encode_codes, CodesPolicy::CTA_THREADS, sizeof(CodesMemory));
    }
};

void bench(const Text& text, uint32_t mib) {
    const uint32_t frame_bytes = static_cast<uint32_t>(text.bytes.size());
    const Chain chain(text, std::max<uint32_t>(1, (mib << 20) / frame_bytes));
    const std::vector<Stage> stages = chain.stages();
    const std::vector<Times> times = strong_candidates::time_stages(stages);
    const size_t bytes = chain.text_bytes();
    const auto print = [&](const std::string& stage, const Times& took, const std::string& rest) {
        std::printf("%s,%.1f,%u,%s,%s,%s\n", text.name.c_str(), double(bytes) / (1 << 20), frame_bytes >> 10,
                    stage.c_str(), took.text(bytes).c_str(), rest.c_str());
    };
    for (size_t i = 0; i < stages.size(); ++i) print(stages[i].name, times[i], ",,");
    print("all", times.back(),
          std::to_string(chain.frame_bytes()) + "," + std::to_string(chain.memory_per_byte()) + "," +
              verdict(chain.wrong()));
    std::fflush(stdout);
    const char* folder = std::getenv("DUMP");
    if (folder != nullptr) chain.dump(std::string(folder) + "/" + text.name + ".strong.zst");
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 4) return usage();
    const size_t frame_bytes = std::stoul(arguments[1]) << 20;
    if (frame_bytes < LEAST_FRAME_BYTES || frame_bytes > MAX_RAW_BYTES) return usage();
    const Text text(arguments[2], frame_bytes);
    if (text.bytes.size() < LEAST_FRAME_BYTES) {
        std::printf("%s is shorter than a frame's least\n", arguments[2]);
        return 3;
    }
    std::puts("data,mib,frame_kib,stage,ms,least,most,gb_s,frame_bytes,memory_per_byte,same");
    std::printf("%s,%.1f,%zu,order on the host,%.0f,,,,,,\n", text.name.c_str(), double(text.bytes.size()) / (1 << 20),
                text.bytes.size() >> 10, text.order_ms);
    for (int i = 3; i < count; ++i) bench(text, static_cast<uint32_t>(std::stoul(arguments[i])));
    return 0;
}
