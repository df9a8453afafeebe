// Times ways to decode blocks of LZ4 and Snappy on one device and prints one line per way and file. The output is
// compared with a plain decoder on the host. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -I kernels/src/main/cuda -o block_decode_bench benchmarks/src/main/cuda/block_decode_bench.cu
//   block_decode_bench bench BATCH_MB FILE...      kernel times, of one block for 0
//       with ONLY=text in the environment, one run of the ways so named
//   block_decode_bench mutate SEED BLOCKS FILE     mutated blocks: same verdict and bytes as the host's decoder, nothing written beside
//
// FILE.lz4b or FILE.snpb: the number of blocks, then the blocks. A block is the number of its compressed bytes, the
// number of its raw bytes, the CRC-32 of the raw bytes, and the compressed bytes. Numbers are 32-bit little-endian.
// block_encode_bench makes such files with blocks of 64 KiB, and BlockFileWriter with blocks of any size. Those of
// stock Hadoop have 256 KiB:
//
//   java -cp CLASSPATH io.warpcodec.benchmarks.stream.BlockFileWriter FOLDER 256 FILE...
//
// FILE.flat.lz4b has no nesting in groups of 32 sequences (lz77_flat.cuh).
#include <cstring>
#include <functional>
#include <random>

#include "block_files.cuh"
#include "block_batches.cuh"
#include "lz4/lz4_format.cuh"
#include "lz4/lz4_parse.cuh"
#include "lz4/lz4_team.cuh"
#include "lz4_rounds.cuh"
#include "snappy/snappy_parse.cuh"
#include "snappy/snappy_team.cuh"

namespace lz4 = warpcodec::lz4;
namespace snappy = warpcodec::snappy;
using namespace warpcodec;
using namespace warpcodec::lz77;

namespace {

constexpr int CTA_THREADS = 64;

// ---- strategies

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

/// A team of so many warps for each block.
template <typename Format, int WARPS>
struct TeamGather {
    static constexpr const char* NAME = "team";
    using Scratch = TeamScratch<Format, WARPS>;
    static __device__ ParseState decode(const Block& block, uint8_t* output, Scratch& scratch) {
        return cta_decode_block(block, output, scratch);
    }
};

/// A team reads all units, and drops their runs.
template <typename Format, int WARPS>
struct TeamParseOnly {
    static constexpr const char* NAME = "team, parse only (no output)";
    using Scratch = TeamScratch<Format, WARPS>;
    static __device__ ParseState decode(Block block, uint8_t*, Scratch& scratch) {
        ParseState state = Format::begin(block);
        WaitingRuns waiting;
        while (!state.finished) {
            if (!cta_read_round(block, state, waiting, scratch)) state.status = STATUS_TRUNCATED;
            waiting.first = waiting.behind;
        }
        return state;
    }
};

template <typename Strategy, int CTAS>
__global__ void __launch_bounds__(Strategy::Scratch::THREADS, CTAS) decode_by_team(Batch batch) {
    __shared__ typename Strategy::Scratch s_scratch;
    for (uint32_t index = blockIdx.x; index < batch.block_count; index += gridDim.x) {
        group_code_block<lz4::MAX_INPUT_BYTES, lz4::MAX_OUTPUT_BYTES>(
            batch, index, threadIdx.x == 0,
            [&](const Block& block, uint8_t* output) { return result_of(Strategy::decode(block, output, s_scratch)); });
        __syncthreads();
    }
}

struct Variant {
    const char* name;
    int warps;  // of a multiprocessor
    bool writes;
    bool indexed;
    std::function<void(const Batch&, const uint16_t*, const uint32_t*)> launch;
};

template <typename Strategy, int CTAS>
Variant variant(bool writes = true, bool indexed = false) {
    return {Strategy::NAME, CTAS * CTA_THREADS / WARP_LANES, writes, indexed,
            [](const Batch& batch, const uint16_t* starts, const uint32_t* start_index) {
                const uint32_t warps = CTA_THREADS / WARP_LANES;
                decode<Strategy, CTAS>
                    <<<(batch.block_count + warps - 1) / warps, CTA_THREADS>>>(batch, starts, start_index);
            }};
}

template <typename Strategy, int CTAS>
Variant team_variant(bool writes = true) {
    return {Strategy::NAME, CTAS * static_cast<int>(Strategy::Scratch::WARPS), writes, false,
            [](const Batch& batch, const uint16_t*, const uint32_t*) {
                decode_by_team<Strategy, CTAS><<<batch.block_count, Strategy::Scratch::THREADS>>>(batch);
            }};
}

/// Teams of eight warps and of four.
template <typename Format>
std::vector<Variant> team_variants() {
    return {team_variant<TeamGather<Format, 8>, 2>(), team_variant<TeamGather<Format, 8>, 3>(),
            team_variant<TeamGather<Format, 8>, 4>(), team_variant<TeamGather<Format, 4>, 6>(),
            team_variant<TeamParseOnly<Format, 8>, 3>(false)};
}

std::vector<Variant> variants(const File& file) {
    if (file.is_snappy) {
        std::vector<Variant> all = team_variants<snappy::TeamFormat>();
        all.insert(all.end(), {variant<SnappyParseOnly, 24>(false), variant<SnappyGather, 16>(),
                               variant<SnappyGather, 20>(), variant<SnappyGather, 24>()});
        return all;
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
    for (const Variant& v : team_variants<lz4::TeamFormat>()) all.push_back(v);
    return all;
}

/// Rounds that MRR takes for 32 sequences, on average, with positions given.
class RoundCount {
    struct Match {
        size_t start, needed_limit;
    };
    std::vector<Match> group_;
    size_t rounds_ = 0, groups_ = 0;

    static size_t length(const Bytes& in, size_t& at, size_t nibble) {
        size_t value = nibble;
        if (nibble == 15) {
            uint8_t more;
            do value += more = in[at++];
            while (more == 255);
        }
        return value;
    }

    void finish_group() {
        ++groups_;
        for (; !group_.empty(); ++rounds_) {
            const size_t high_water = group_.front().start;
            group_.erase(std::remove_if(group_.begin(), group_.end(),
                                        [&](const Match& m) { return m.needed_limit <= high_water; }),
                         group_.end());
        }
    }

public:
    void add(const Bytes& in, const std::vector<uint32_t>& starts) {
        size_t out = 0;
        for (size_t s = 0; s < starts.size(); ++s) {
            size_t at = starts[s];
            const uint32_t token = in[at++];
            const size_t literals = length(in, at, token >> 4);
            at += literals;
            out += literals;
            const bool last = s + 1 == starts.size();
            if (!last) {
                const size_t offset = in[at] | in[at + 1] << 8;
                at += 2;
                const size_t match = length(in, at, token & 15) + 4;
                group_.push_back({out, out - offset + std::min(match, offset)});
                out += match;
            }
            if (s % 32 == 31 || last) finish_group();
        }
    }

    double per_group() const { return double(rounds_) / groups_; }
};

// ---- times

/// Positions of sequences are given in blocks of this size at most.
constexpr size_t MOST_INDEXED_BYTES = 65536;

/// A file whose blocks are all as long as its first one, so that the batch's output is its content again and again.
File load_whole_blocks(const std::string& path) {
    File file = load(path);
    if (file.raw.back().size() != file.raw.front().size()) {
        file.compressed.pop_back();
        file.starts.pop_back();
        file.raw.pop_back();
    }
    return file;
}

/// Starts of the sequences of repeated blocks, for ways that are given them.
struct GivenPositions {
    DeviceMemory memory;
    uint16_t* starts;
    uint32_t* start_index;  ///< of each block's first start

    GivenPositions(const File& file, uint32_t count) {
        std::vector<uint16_t> all;
        std::vector<uint32_t> firsts, index;
        for (const auto& of_block : file.starts) {
            firsts.push_back(static_cast<uint32_t>(all.size()));
            for (uint32_t s : of_block) all.push_back(static_cast<uint16_t>(s));
            all.insert(all.end(), 32, 0);
        }
        for (uint32_t i = 0; i < count; ++i) index.push_back(firsts[i % firsts.size()]);
        starts = memory.upload(all);
        start_index = memory.upload(index);
    }
};

int bench(size_t batch_bytes, const std::vector<std::string>& paths, const char* only) {
    std::printf("file,ratio,bytes_per_unit,batch_MB,strategy,warps_per_sm,ms_median,ms_min,ms_max,GBps,verified\n");
    for (const auto& path : paths) {
        const File file = load_whole_blocks(path);
        if (!file.is_snappy) {
            RoundCount rounds;
            for (size_t i = 0; i < file.compressed.size(); ++i) rounds.add(file.compressed[i], file.starts[i]);
            std::printf("# %s: %.2f rounds per 32 sequences\n", file.name.c_str(), rounds.per_group());
        }
        const size_t block_bytes = file.raw.front().size();
        const uint32_t count = std::max(1u, static_cast<uint32_t>(batch_bytes / block_bytes));
        const RepeatedBlocks blocks(file.compressed, file.raw, count, 0, 1);
        const GivenPositions given(file, count);
        for (auto& v : variants(file)) {
            if (only && !std::strstr(v.name, only)) continue;
            if (v.indexed && block_bytes > MOST_INDEXED_BYTES) continue;
            blocks.poison();
            const Times times = measure(
                [&] { v.launch(blocks.batch, v.indexed ? given.starts : nullptr, given.start_index); }, only ? 0 : 7);
            std::printf("%s,%.2f,%.1f,%zu,\"%s\",%d,%s,%s\n", file.name.c_str(),
                        double(file.raw_bytes) / file.compressed_bytes, double(file.raw_bytes) / file.sequences,
                        batch_bytes >> 20, v.name, v.warps, times.text(blocks.batch.output_bytes).c_str(),
                        verdict(blocks.wrong(v.writes), v.writes ? "yes" : "status").c_str());
            std::fflush(stdout);
        }
    }
    return 0;
}

// ---- damage

DamagedBlocks damaged_blocks(const File& file, uint32_t count, std::mt19937_64& random) {
    DamagedBlocks blocks;
    for (uint32_t i = 0; i < count; ++i) {
        const size_t from = random() % file.compressed.size();
        Bytes block = file.compressed[from], raw;
        uint32_t limit = static_cast<uint32_t>(file.raw[from].size());
        damage_block(block, limit, random);
        const size_t input_gap = random() % 5, output_gap = random() % 9;
        const bool sound = host_decode(file, block, limit, raw);
        blocks.add(block, limit, input_gap, output_gap, sound, std::move(raw));
    }
    return blocks;
}

/// Blocks with random defects, at random offsets with canaries between the outputs, through every strategy that writes.
int mutate(uint64_t seed, uint32_t count, const std::string& path) {
    const File file = load(path);
    std::mt19937_64 random(seed);
    const DamagedBlocks blocks = damaged_blocks(file, count, random);
    std::printf("seed %llu: %u blocks, %u of them sound\n", static_cast<unsigned long long>(seed), count,
                blocks.sound_count);
    DeviceMemory memory;
    const Batch batch = blocks.upload(memory);
    int bad = 0;
    for (auto& v : variants(file)) {
        if (!v.writes || v.indexed) continue;
        DamagedBlocks::poison(batch);
        v.launch(batch, nullptr, nullptr);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        const std::vector<BlockResult> results = to_host(batch.results, count);
        const auto mistakes = blocks.judge(results, to_host(batch.output, batch.output_bytes), [&](uint32_t i) {
            std::printf("  block %u: status %x, %u bytes; host: %d, %zu bytes\n", i, results[i].status,
                        results[i].output_bytes, int(blocks.sound[i]), blocks.decoded[i].size());
        });
        std::printf("%-26s %3d warps: ", v.name, v.warps);
        mistakes.print();
        bad += mistakes.sum() != 0;
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
    return usage();
}
