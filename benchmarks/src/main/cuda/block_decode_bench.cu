// Times ways to decode blocks of LZ4 and Snappy on one device and prints one line per way and file; the output is
// compared with a plain decoder on the host. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -I kernels/src/main/cuda -o block_decode_bench benchmarks/src/main/cuda/block_decode_bench.cu
//   block_decode_bench bench BATCH_MB FILE...      kernel times; with ONLY=text in the environment, one run of the ways so named
//   block_decode_bench mutate SEED BLOCKS FILE     mutated blocks: same verdict and bytes as the host's decoder, nothing written beside
//
// FILE.lz4b or FILE.snpb: block count; then for each block its compressed bytes, raw bytes and CRC-32 of the raw
// bytes, and the compressed bytes; all numbers 32-bit little-endian. BlockFileWriter makes them, and
// block_encode_bench; FILE.flat.lz4b has no nesting in groups of 32 sequences (lz77_flat.cuh).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "block_files.cuh"
#include "lz4/lz4_parse.cuh"
#include "lz4_rounds.cuh"
#include "snappy/snappy_parse.cuh"

namespace lz4 = warpcodec::lz4;
namespace snappy = warpcodec::snappy;
using namespace warpcodec;
using namespace warpcodec::lz77;

namespace {

constexpr int CTA_THREADS = 64;

// ---- strategies
// --------------------------------------------------------------------------------------------------------------

/// All lanes read one sequence together, then copy it together.
struct OneByOne {
    static constexpr const char* NAME = "one by one";
    struct Scratch {};
    static __device__ ParseState decode(const Block& block, uint8_t* output, Scratch&, int lane, const uint16_t*) {
        ParseState state;
        while (true) {
            if (state.input_position >= block.input_bytes) {
                state.status = STATUS_TRUNCATED;
                return state;
            }
            lz4::Sequence s;
            const uint32_t code = lz4::thread_read_sequence(block, state.input_position, s);
            const uint32_t match = state.output_position + s.literal_bytes;
            if (code != STATUS_SOUND || match + s.match_bytes > block.output_limit ||
                (s.match_bytes && (s.offset - 1 >= match ||
                                   lz4::match_ends_late(block, state.input_position, match, match + s.match_bytes)))) {
                state.status = STATUS_BAD_OFFSET;
                return state;
            }
            for (uint32_t i = lane; i < s.literal_bytes; i += 32)
                output[state.output_position + i] = block.input[s.literal_source + i];
            __syncwarp();
            for (uint32_t i = lane; i < s.match_bytes; i += 32) {
                output[match + i] = output[match - s.offset + (s.offset >= s.match_bytes ? i : i % s.offset)];
            }
            __syncwarp();
            state.output_position = match + s.match_bytes;
            if (s.match_bytes == 0) return state;
        }
    }
};

struct Rounds {
    static constexpr const char* NAME = "rounds (MRR)";
    using Scratch = JumpTables;
    static __device__ ParseState decode(const Block& block, uint8_t* output, Scratch& scratch, int lane,
                                        const uint16_t*) {
        return lz4::warp_decode_by_rounds(block, output, scratch, lane);
    }
};

struct ParseOnly {
    static constexpr const char* NAME = "parse only (no output)";
    using Scratch = JumpTables;
    static __device__ ParseState decode(const Block& block, uint8_t*, Scratch& scratch, int lane, const uint16_t*) {
        ParseState state;
        while (!state.finished) {
            lz4::Sequence sequence;
            lz4::warp_parse(block, state, scratch, sequence, lane);
            __syncwarp();
        }
        return state;
    }
};

struct Gather {
    static constexpr const char* NAME = "gather";
    using Scratch = lz4::SequenceScratch;
    static __device__ ParseState decode(const Block& block, uint8_t* output, Scratch& scratch, int lane,
                                        const uint16_t*) {
        return lz4::warp_decode_gathering(block, output, scratch, lane);
    }
};

/// The bound of any index: every sequence's position is given.
struct GatherIndexed {
    static constexpr const char* NAME = "gather, all starts given";
    using Scratch = lz4::SequenceScratch;
    static __device__ ParseState decode(const Block& block, uint8_t* output, Scratch& scratch, int lane,
                                        const uint16_t* starts) {
        return warp_decode_by_gather(block, output, ParseState{}, scratch, lane, [&](ParseState& state, int kept) {
            const uint32_t position = starts[lane];
            starts += WARP_LANES;
            lz4::Sequence sequence;
            const int found = lz4::warp_read_sequences(
                block, state, position < state.input_position ? NO_POSITION : position, sequence, lane);
            lz4::warp_append(scratch, kept, sequence, lane);
            return found;
        });
    }
};

/// Gompresso's ways to copy the matches of 32 sequences whose positions the file gives, once their literals are there.
enum class Copying { SEQUENTIAL, ROUNDS, AT_ONCE };

template <Copying COPYING>
struct Gompresso {
    static constexpr const char* NAME = COPYING == Copying::SEQUENTIAL ? "32 given, sequential copying (SC)"
                                        : COPYING == Copying::ROUNDS   ? "32 given, rounds (MRR)"
                                                                       : "32 given, at once (DE)";
    struct Scratch {};
    static __device__ ParseState decode(const Block& block, uint8_t* output, Scratch&, int lane,
                                        const uint16_t* starts) {
        ParseState state;
        while (!state.finished) {
            const uint32_t position = starts[lane];
            starts += WARP_LANES;
            lz4::Sequence sequence;
            lz4::warp_read_sequences(block, state, position < state.input_position ? NO_POSITION : position, sequence,
                                     lane);
            if (state.status != STATUS_SOUND) break;
            if (COPYING == Copying::ROUNDS) {
                lz4::warp_resolve_in_rounds(block, output, sequence);
                continue;
            }
            lz4::warp_copy_literals(block, output, sequence);
            for (int turn = 0; turn < (COPYING == Copying::SEQUENTIAL ? WARP_LANES : 1); ++turn) {
                if (sequence.valid && (COPYING == Copying::AT_ONCE || turn == lane))
                    lz4::thread_copy_match(output, sequence);
                __syncwarp();
            }
        }
        return state;
    }
};

struct SnappyGather {
    static constexpr const char* NAME = "gather";
    using Scratch = snappy::ElementScratch;
    static __device__ ParseState decode(const Block& block, uint8_t* output, Scratch& scratch, int lane,
                                        const uint16_t*) {
        return snappy::warp_decode_gathering(block, output, scratch, lane);
    }
};

struct SnappyParseOnly {
    static constexpr const char* NAME = "parse only (no output)";
    using Scratch = snappy::ElementScratch;
    static __device__ ParseState decode(Block block, uint8_t*, Scratch& scratch, int lane, const uint16_t*) {
        ParseState state = snappy::warp_read_preamble(block);
        while (!state.finished) {
            snappy::warp_parse(block, state, scratch, 0, lane);
            __syncwarp();
        }
        return state;
    }
};

template <typename Strategy, int CTAS>
__global__ void __launch_bounds__(CTA_THREADS, CTAS)
    decode(Batch batch, const uint16_t* starts, const uint32_t* start_index) {
    __shared__ typename Strategy::Scratch s_scratch[CTA_THREADS / WARP_LANES];
    const int lane = threadIdx.x % WARP_LANES;
    const uint32_t index = (blockIdx.x * CTA_THREADS + threadIdx.x) / WARP_LANES;
    if (index >= batch.block_count) return;
    warp_decode_block<lz4::MAX_INPUT_BYTES, lz4::MAX_OUTPUT_BYTES>(
        batch, index, lane, [&](const Block& block, uint8_t* output) {
            return Strategy::decode(block, output, s_scratch[threadIdx.x / WARP_LANES], lane,
                                    starts ? starts + start_index[index] : nullptr);
        });
}

struct Variant {
    const char* name;
    int ctas;
    bool writes;
    bool indexed;
    std::function<void(const Batch&, const uint16_t*, const uint32_t*)> launch;
};

template <typename Strategy, int CTAS>
Variant variant(bool writes = true, bool indexed = false) {
    return {Strategy::NAME, CTAS, writes, indexed,
            [](const Batch& batch, const uint16_t* starts, const uint32_t* start_index) {
                const uint32_t warps = CTA_THREADS / WARP_LANES;
                decode<Strategy, CTAS>
                    <<<(batch.block_count + warps - 1) / warps, CTA_THREADS>>>(batch, starts, start_index);
            }};
}

std::vector<Variant> variants(const File& file) {
    if (file.is_snappy) {
        return {variant<SnappyParseOnly, 24>(false), variant<SnappyGather, 16>(), variant<SnappyGather, 20>(),
                variant<SnappyGather, 24>()};
    }
    std::vector<Variant> all{variant<OneByOne, 24>(),
                             variant<Rounds, 24>(),
                             variant<ParseOnly, 24>(false),
                             variant<Gather, 20>(),
                             variant<Gather, 24>(),
                             variant<Gather, 28>(),
                             variant<GatherIndexed, 24>(true, true),
                             variant<Gompresso<Copying::SEQUENTIAL>, 24>(true, true),
                             variant<Gompresso<Copying::ROUNDS>, 24>(true, true)};
    if (file.name.find(".flat.") != std::string::npos)
        all.push_back(variant<Gompresso<Copying::AT_ONCE>, 24>(true, true));
    return all;
}

/// Rounds that MRR takes for 32 sequences, on average, with positions given.
double rounds_per_group(const File& file) {
    size_t rounds = 0, groups = 0;
    for (size_t i = 0; i < file.compressed.size(); ++i) {
        const Bytes& in = file.compressed[i];
        const auto length = [&](size_t& at, size_t nibble) {
            size_t value = nibble;
            if (nibble == 15) {
                uint8_t more;
                do value += more = in[at++];
                while (more == 255);
            }
            return value;
        };
        struct Match {
            size_t start, needed_limit;
        };
        std::vector<Match> group;
        size_t out = 0;
        for (size_t s = 0; s < file.starts[i].size(); ++s) {
            size_t at = file.starts[i][s];
            const uint32_t token = in[at++];
            const size_t literals = length(at, token >> 4);
            at += literals;
            out += literals;
            const bool last = s + 1 == file.starts[i].size();
            if (!last) {
                const size_t offset = in[at] | in[at + 1] << 8;
                at += 2;
                const size_t match = length(at, token & 15) + 4;
                group.push_back({out, out - offset + std::min(match, offset)});
                out += match;
            }
            if (s % 32 == 31 || last) {
                ++groups;
                while (!group.empty()) {
                    const size_t high_water = group.front().start;
                    group.erase(std::remove_if(group.begin(), group.end(),
                                               [&](const Match& m) { return m.needed_limit <= high_water; }),
                                group.end());
                    ++rounds;
                }
            }
        }
    }
    return double(rounds) / groups;
}

int bench(size_t batch_bytes, const std::vector<std::string>& paths, const char* only) {
    std::printf("file,ratio,bytes_per_unit,batch_MB,strategy,warps_per_sm,ms_median,ms_min,ms_max,GBps,verified\n");
    for (const auto& path : paths) {
        File file = load(path);
        if (file.raw.back().size() != 65536) {  // only whole blocks: the output is then the file again and again
            file.compressed.pop_back();
            file.starts.pop_back();
            file.raw.pop_back();
        }
        if (!file.is_snappy)
            std::printf("# %s: %.2f rounds per 32 sequences\n", file.name.c_str(), rounds_per_group(file));
        const uint32_t base = static_cast<uint32_t>(file.raw.size());
        Bytes one_input, expected;
        std::vector<uint16_t> starts;
        std::vector<uint32_t> start_index;
        std::vector<size_t> offsets;
        for (uint32_t i = 0; i < base; ++i) {
            offsets.push_back(one_input.size());
            one_input.insert(one_input.end(), file.compressed[i].begin(), file.compressed[i].end());
            expected.insert(expected.end(), file.raw[i].begin(), file.raw[i].end());
            start_index.push_back(static_cast<uint32_t>(starts.size()));
            for (uint32_t s : file.starts[i]) starts.push_back(static_cast<uint16_t>(s));
            starts.insert(starts.end(), 32, 0);
        }
        const uint32_t count = static_cast<uint32_t>(batch_bytes / 65536);
        const size_t copies = (count + base - 1) / base;
        Batch batch{};
        batch.block_count = count;
        batch.input_bytes = copies * one_input.size();
        batch.output_bytes = size_t(count) * 65536;
        uint8_t* input;
        CHECK(cudaMalloc(&input, batch.input_bytes));
        for (size_t c = 0; c < copies; ++c) {
            CHECK(cudaMemcpy(input + c * one_input.size(), one_input.data(), one_input.size(), cudaMemcpyHostToDevice));
        }
        batch.input = input;
        CHECK(cudaMalloc(&batch.output, batch.output_bytes));
        std::vector<BlockEntry> entries;
        std::vector<uint32_t> batch_start_index;
        for (uint32_t i = 0; i < count; ++i) {
            entries.push_back({i / base * one_input.size() + offsets[i % base], uint64_t(i) * 65536,
                               static_cast<uint32_t>(file.compressed[i % base].size()), 65536});
            batch_start_index.push_back(start_index[i % base]);
        }
        BlockEntry* device_entries = to_device(entries);
        batch.entries = device_entries;
        CHECK(cudaMalloc(&batch.results, count * sizeof(BlockResult)));
        uint16_t* device_starts = to_device(starts);
        uint32_t* device_start_index = to_device(batch_start_index);
        uint8_t* device_expected = to_device(expected);
        unsigned long long* differences;
        CHECK(cudaMalloc(&differences, 8));
        cudaEvent_t begin, end;
        CHECK(cudaEventCreate(&begin));
        CHECK(cudaEventCreate(&end));
        for (auto& v : variants(file)) {
            if (only && !std::strstr(v.name, only)) continue;
            CHECK(cudaMemset(batch.output, 0xEE, batch.output_bytes));
            CHECK(cudaMemset(batch.results, 0xEE, count * sizeof(BlockResult)));
            std::vector<float> times;
            for (int turn = 0; turn < (only ? 1 : 8); ++turn) {
                CHECK(cudaEventRecord(begin));
                v.launch(batch, v.indexed ? device_starts : nullptr, device_start_index);
                CHECK(cudaGetLastError());
                CHECK(cudaEventRecord(end));
                CHECK(cudaEventSynchronize(end));
                float ms;
                CHECK(cudaEventElapsedTime(&ms, begin, end));
                if (turn || only) times.push_back(ms);
            }
            std::sort(times.begin(), times.end());
            std::vector<BlockResult> results(count);
            CHECK(cudaMemcpy(results.data(), batch.results, count * sizeof(BlockResult), cudaMemcpyDeviceToHost));
            unsigned long long wrong = 0;
            for (auto& r : results) wrong += r.status != STATUS_SOUND || r.output_bytes != 65536;
            if (v.writes) {
                CHECK(cudaMemset(differences, 0, 8));
                count_differences<<<1024, 256>>>(batch.output, device_expected, expected.size(), batch.output_bytes,
                                                 differences);
                unsigned long long different;
                CHECK(cudaMemcpy(&different, differences, 8, cudaMemcpyDeviceToHost));
                wrong += different;
            }
            const float median = times[times.size() / 2];
            std::printf("%s,%.2f,%.1f,%zu,\"%s\",%d,%.3f,%.3f,%.3f,%.1f,%s\n", file.name.c_str(),
                        double(file.raw_bytes) / file.compressed_bytes, double(file.raw_bytes) / file.sequences,
                        batch_bytes >> 20, v.name, v.ctas * CTA_THREADS / 32, median, times[0], times.back(),
                        batch.output_bytes / median / 1e6,
                        wrong      ? ("WRONG " + std::to_string(wrong)).c_str()
                        : v.writes ? "yes"
                                   : "status");
            std::fflush(stdout);
        }
        for (void* p : {(void*)input, (void*)batch.output, (void*)device_entries, (void*)batch.results,
                        (void*)device_starts, (void*)device_start_index, (void*)device_expected, (void*)differences}) {
            CHECK(cudaFree(p));
        }
    }
    return 0;
}

/// Blocks with random defects, at random offsets with canaries between the outputs, through every strategy that writes.
int mutate(uint64_t seed, uint32_t count, const std::string& path) {
    const File file = load(path);
    std::mt19937_64 random(seed);
    Bytes input, expected_output;
    std::vector<BlockEntry> entries;
    std::vector<bool> sound;
    std::vector<Bytes> decoded;
    uint32_t sound_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const size_t from = random() % file.compressed.size();
        Bytes block = file.compressed[from];
        uint32_t limit = static_cast<uint32_t>(file.raw[from].size());
        const uint32_t kind = random() % 8;
        if (kind == 1) block.resize(random() % (block.size() + 1));
        if (kind >= 2 && kind <= 4) {
            for (uint32_t n = 1 + random() % (kind * kind); n > 0; --n)
                block[random() % block.size()] = static_cast<uint8_t>(random());
        }
        if (kind == 5) block[random() % block.size()] ^= 1u << random() % 8;
        if (kind == 6) limit -= std::min<uint32_t>(limit, static_cast<uint32_t>(random() % 100));
        if (kind == 7) {
            block.resize(random() % 400);
            for (auto& b : block)
                b = random() % 4 ? static_cast<uint8_t>(random() % 20) : static_cast<uint8_t>(random());
            limit = static_cast<uint32_t>(random() % 3000);
        }
        input.insert(input.end(), random() % 5, 0xFF);
        expected_output.insert(expected_output.end(), random() % 9, 0xA5);
        entries.push_back({input.size(), expected_output.size(), static_cast<uint32_t>(block.size()), limit});
        Bytes out;
        sound.push_back(host_decode(file, block, limit, out));
        sound_count += sound.back();
        decoded.push_back(out);
        input.insert(input.end(), block.begin(), block.end());
        expected_output.insert(expected_output.end(), limit, 0xA5);
    }
    std::printf("seed %llu: %u blocks, %u of them sound\n", static_cast<unsigned long long>(seed), count, sound_count);
    Batch batch{};
    batch.block_count = count;
    batch.input = to_device(input);
    batch.input_bytes = input.size();
    batch.output_bytes = expected_output.size();
    batch.entries = to_device(entries);
    CHECK(cudaMalloc(&batch.output, batch.output_bytes));
    CHECK(cudaMalloc(&batch.results, count * sizeof(BlockResult)));
    int bad = 0;
    for (auto& v : variants(file)) {
        if (!v.writes || v.indexed) continue;
        CHECK(cudaMemset(batch.output, 0xA5, batch.output_bytes));
        CHECK(cudaMemset(batch.results, 0xEE, count * sizeof(BlockResult)));
        v.launch(batch, nullptr, nullptr);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        std::vector<BlockResult> results(count);
        Bytes output(batch.output_bytes);
        CHECK(cudaMemcpy(results.data(), batch.results, count * sizeof(BlockResult), cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(output.data(), batch.output, output.size(), cudaMemcpyDeviceToHost));
        uint32_t verdicts = 0, bytes = 0, beside = 0;
        size_t after = 0;
        for (uint32_t i = 0; i < count; ++i) {
            const size_t at = entries[i].output_offset;
            for (; after < at; ++after) beside += output[after] != 0xA5;
            if ((results[i].status == STATUS_SOUND) != sound[i] ||
                (sound[i] && results[i].output_bytes != decoded[i].size())) {
                if (++verdicts <= 3) {
                    std::printf("  block %u: status %x, %u bytes; host: %d, %zu bytes\n", i, results[i].status,
                                results[i].output_bytes, int(sound[i]), decoded[i].size());
                }
            } else if (sound[i]) {
                bytes += !std::equal(decoded[i].begin(), decoded[i].end(), output.begin() + at);
                after = at + decoded[i].size();
                continue;
            }
            after = at + entries[i].output_limit;
        }
        std::printf("%-26s %3d ctas: %u wrong verdicts, %u wrong outputs, %u bytes beside\n", v.name, v.ctas, verdicts,
                    bytes, beside);
        bad += verdicts + bytes + beside != 0;
    }
    return bad != 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string verb = argc > 1 ? argv[1] : "";
    if (verb == "bench" && argc > 3) {
        return bench(std::strtoull(argv[2], nullptr, 10) << 20, {argv + 3, argv + argc}, std::getenv("ONLY"));
    }
    if (verb == "mutate" && argc == 5) return mutate(std::strtoull(argv[2], nullptr, 10), std::atoi(argv[3]), argv[4]);
    std::printf("usage: see the head of the source\n");
    return 1;
}
