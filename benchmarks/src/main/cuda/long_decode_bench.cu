// Times the four kernels that decode long LZ4 blocks and chains of blocks on one device. The output is compared with a
// plain decoder on the host. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -I kernels/src/main/cuda -o long_decode_bench benchmarks/src/main/cuda/long_decode_bench.cu
//   long_decode_bench bench COPIES FILE...       kernel times of so many copies of the file's first 4 MiB, for several sizes of piece and tile
//   long_decode_bench mutate SEED ROUNDS FILE... mutated blocks: same status and bytes as the host's decoder, nothing written beside
//   long_decode_bench hostile COPIES             a block whose tokens never fall into step, and one long run
//
// FILE.lz4: one LZ4 frame as the lz4 tool writes it, without content size.
#include <cstring>
#include <functional>
#include <random>

#include "block_files.cuh"
#include "lz4/lz4_long.cuh"

namespace lz4 = warpcodec::lz4;
using namespace warpcodec;
using namespace warpcodec::lz77;

namespace {

template <int PIECE, int WARM_UP, int TILE>
struct Format : lz4::LongFormat {
    using Sizes = LongSizes<PIECE, WARM_UP, TILE, lz4::MAX_LONG_INPUT_BYTES, lz4::MAX_LONG_OUTPUT_BYTES>;
    static constexpr int NAME[3] = {PIECE, WARM_UP, TILE};
    static constexpr int PRODUCE_THREADS = TILE / LANE_BYTES;
};
using Kept = Format<lz4::LongPolicy::PIECE_BYTES, lz4::LongPolicy::WARM_UP_BYTES, lz4::LongPolicy::TILE_BYTES>;

constexpr int PARSE_THREADS = lz4::LongPolicy::PARSE_CTA_THREADS;
constexpr int PARSE_WARPS = PARSE_THREADS / WARP_LANES;

template <typename F>
__global__ void __launch_bounds__(PARSE_THREADS) guess(LongBatch batch) {
    __shared__ JumpTables s_tables[PARSE_WARPS];
    const uint32_t piece = blockIdx.x * PARSE_WARPS + threadIdx.x / WARP_LANES;
    if (piece < batch.piece_count)
        warp_guess_piece<F>(batch, piece, s_tables[threadIdx.x / WARP_LANES], threadIdx.x % WARP_LANES);
}

template <typename F>
__global__ void __launch_bounds__(WARP_LANES) stitch(LongBatch batch) {
    __shared__ JumpTables s_tables;
    warp_stitch_block<F>(batch, blockIdx.x, s_tables, threadIdx.x);
}

template <typename F>
__global__ void __launch_bounds__(PARSE_THREADS) find(LongBatch batch) {
    __shared__ lz4::SequenceScratch s_scratch[PARSE_WARPS];
    const uint32_t tile = blockIdx.x * PARSE_WARPS + threadIdx.x / WARP_LANES;
    if (tile < batch.tile_count)
        warp_find_tile<F>(batch, tile, s_scratch[threadIdx.x / WARP_LANES], threadIdx.x % WARP_LANES);
}

template <typename F>
__global__ void __launch_bounds__(F::PRODUCE_THREADS) produce(LongBatch batch) {
    cta_produce_tile<F>(batch, blockIdx.x);
}

__global__ void decode_by_one_warp(Batch batch) {
    __shared__ lz4::SequenceScratch s_scratch;
    warp_decode_block<lz4::MAX_INPUT_BYTES, lz4::MAX_OUTPUT_BYTES>(
        batch, blockIdx.x, threadIdx.x, [&](const Block& block, uint8_t* output) {
            return lz4::warp_decode_gathering(block, output, s_scratch, threadIdx.x);
        });
}

/// A block to decode.
struct Unit {
    Bytes in;
    uint32_t limit;
    bool chained;  ///< to the one before
};

/// Raw bytes as a block of literals.
Bytes literals(const uint8_t* raw, size_t bytes) {
    Bytes block{static_cast<uint8_t>(std::min<size_t>(bytes, 15) << 4)};
    if (bytes >= 15) {
        size_t rest = bytes - 15;
        for (; rest >= 255; rest -= 255) block.push_back(255);
        block.push_back(static_cast<uint8_t>(rest));
    }
    block.insert(block.end(), raw, raw + bytes);
    return block;
}

std::vector<Unit> blocks_of(const Bytes& frame) {
    std::vector<Unit> units;
    const uint32_t most = 1u << (8 + 2 * (frame[5] >> 4));
    for (size_t at = 7;;) {
        uint32_t word;
        std::memcpy(&word, &frame[at], 4);
        at += 4;
        if (word == 0) return units;
        const uint32_t bytes = word & 0x7FFFFFFF;
        const bool stored = word >> 31;
        units.push_back({stored ? literals(&frame[at], bytes) : Bytes(frame.begin() + at, frame.begin() + at + bytes),
                         stored ? bytes : most, !(frame[4] & 0x20) && !units.empty()});
        at += bytes + (frame[4] & 0x10 ? 4 : 0);
    }
}

/// Decodes by the kernels' rules, appending to `out`, whose last `window` bytes the block may refer to; a status word.
uint32_t host_decode_long(const Bytes& in, size_t limit, Bytes& out, size_t window) {
    const size_t base = out.size();
    size_t at = 0;
    while (true) {
        const size_t start = at;
        const auto defect = [&](uint32_t code) { return code | static_cast<uint32_t>(start) << 8; };
        if (at >= in.size()) return defect(STATUS_TRUNCATED);
        bool truncated = false;
        const auto length = [&](size_t nibble) {
            if (nibble != 15) return nibble;
            uint8_t more;
            do {
                if (at >= in.size()) {
                    truncated = true;
                    break;
                }
                nibble += more = in[at++];
            } while (more == 255 && nibble <= limit);
            return nibble;
        };
        const uint32_t token = in[at++];
        const size_t literal = length(token >> 4);
        if (truncated) return defect(STATUS_TRUNCATED);
        if (literal > limit) return defect(STATUS_OUTPUT_EXCEEDED);
        if (literal > in.size() - at) return defect(STATUS_TRUNCATED);
        const size_t from = at;
        at += literal;
        const size_t made = out.size() - base + literal;
        if (at == in.size()) {
            if (made > limit) return defect(STATUS_OUTPUT_EXCEEDED);
            out.insert(out.end(), in.begin() + from, in.end());
            return STATUS_SOUND;
        }
        if (in.size() - at < 2) return defect(STATUS_TRUNCATED);
        const size_t offset = in[at] | in[at + 1] << 8;
        at += 2;
        const size_t match = length(token & 15) + 4;
        if (truncated) return defect(STATUS_TRUNCATED);
        if (made + match > limit) return defect(STATUS_OUTPUT_EXCEEDED);
        if (offset == 0 || offset > made + window) return defect(STATUS_BAD_OFFSET);
        if (at + 6 > in.size() || made + 12 > limit || made + match + 5 > limit) return defect(STATUS_BAD_END);
        out.insert(out.end(), in.begin() + from, in.begin() + from + literal);
        for (size_t i = 0; i < match; ++i) out.push_back(out[out.size() - offset]);
    }
}

/// Units in device memory, and the outputs that they must have.
struct Trial {
    std::vector<LongEntry> entries;
    std::vector<Bytes> expected;
    std::vector<uint32_t> status;
    std::vector<bool> undefined;  ///< behind a defect of its chain
    Bytes input;
    uint64_t output_bytes = 0;
    LongBatch batch{};
    DeviceMemory memory;

    /// @param random gives odd places; null for even ones
    /// @param period after so many units they repeat
    Trial(const std::vector<Unit>& units, std::mt19937_64* random, size_t period) {
        Bytes chain;
        bool broken = false;
        uint64_t chain_at = 0;
        const auto odd = [&](int below) { return random ? (*random)() % below : 0; };
        for (const Unit& u : units) {
            input.resize(input.size() + odd(5), 0xEE);
            if (!u.chained) {
                chain_at = output_bytes += odd(9);
                chain.clear();
                broken = false;
            }
            const uint32_t window =
                static_cast<uint32_t>(std::min<uint64_t>(MAX_WINDOW_BYTES, output_bytes - chain_at));
            entries.push_back(
                {input.size(), output_bytes, static_cast<uint32_t>(u.in.size()), u.limit, window, 0, 0, 0});
            input.insert(input.end(), u.in.begin(), u.in.end());
            const size_t index = entries.size() - 1;
            output_bytes += u.limit;
            if (index >= period) {
                undefined.push_back(undefined[index - period]);
                status.push_back(status[index - period]);
                expected.push_back(expected[index - period]);
                continue;
            }
            const size_t before = chain.size();
            undefined.push_back(broken);
            status.push_back(broken ? 0 : host_decode_long(u.in, u.limit, chain, window));
            if (status.back() != STATUS_SOUND) chain.resize(before);
            expected.emplace_back(chain.begin() + before, chain.end());
            broken |= expected.back().size() != u.limit;
        }
    }

    template <typename F>
    void place() {
        memory.clear();
        batch.piece_count = batch.tile_count = 0;
        for (LongEntry& e : entries) {
            e.first_piece = batch.piece_count;
            e.first_tile = batch.tile_count;
            batch.piece_count +=
                std::max<uint32_t>(1, (e.input_bytes + F::Sizes::PIECE_BYTES - 1) / F::Sizes::PIECE_BYTES);
            const uint64_t reach = e.output_offset % F::Sizes::TILE_BYTES + e.output_limit;
            batch.tile_count +=
                std::max<uint32_t>(1, static_cast<uint32_t>((reach + F::Sizes::TILE_BYTES - 1) / F::Sizes::TILE_BYTES));
        }
        const uint32_t count = static_cast<uint32_t>(entries.size());
        batch.input = memory.upload(input);
        batch.input_bytes = input.size();
        batch.output = memory.room<uint8_t>(output_bytes + 16, 0xA5);
        batch.output_bytes = output_bytes;
        batch.results = memory.room<BlockResult>(count, 0xEE);
        batch.block_count = count;
        batch.entries = memory.upload(entries);
        batch.sources = memory.room<uint32_t>((output_bytes + 3) / 4 * 4, 0x5C);
        batch.guesses = memory.room<PieceGuess>(batch.piece_count, 0x33);
        batch.starts = memory.room<PieceStart>(batch.piece_count, 0x33);
        batch.defects = memory.room<uint32_t>(count, 0x33);
    }

    template <typename F>
    void launch(const std::function<void()>& between = [] {}) {
        guess<F><<<(batch.piece_count + PARSE_WARPS - 1) / PARSE_WARPS, PARSE_THREADS>>>(batch);
        between();
        stitch<F><<<batch.block_count, WARP_LANES>>>(batch);
        between();
        find<F><<<(batch.tile_count + PARSE_WARPS - 1) / PARSE_WARPS, PARSE_THREADS>>>(batch);
        between();
        produce<F><<<batch.tile_count, F::PRODUCE_THREADS>>>(batch);
        CHECK(cudaGetLastError());
    }

    /// Number of wrong blocks and of bytes written beside blocks; prints wrong verdicts.
    size_t wrong() const {
        const std::vector<BlockResult> results = to_host(batch.results, entries.size());
        const Bytes output = to_host(batch.output, output_bytes + 16);
        size_t wrong = 0, behind = 0;
        for (size_t i = 0; i < entries.size(); ++i) {
            const size_t at = entries[i].output_offset;
            for (; behind < at; ++behind) wrong += output[behind] != 0xA5;
            behind = at + entries[i].output_limit;
            if (undefined[i]) continue;
            if (results[i].status != status[i] ||
                (status[i] == STATUS_SOUND && results[i].output_bytes != expected[i].size())) {
                std::printf("  block %zu: status %x, %u bytes; host: %x, %zu bytes\n", i, results[i].status,
                            results[i].output_bytes, status[i], expected[i].size());
                ++wrong;
            } else if (status[i] == STATUS_SOUND) {
                wrong += !std::equal(expected[i].begin(), expected[i].end(), output.begin() + at);
                behind = at + expected[i].size();
            }
        }
        for (; behind < output.size(); ++behind) wrong += output[behind] != 0xA5;
        return wrong;
    }
};

/// @param times of each stage, the whole last
void line(const std::string& name, const std::string& way, const Trial& trial,
          const std::vector<std::vector<float>>& times) {
    const size_t wrong = trial.wrong();  // prints lines, too
    std::printf("%s,%zu,%.1f,%s", name.c_str(), trial.entries.size(), trial.output_bytes / 1048576.0, way.c_str());
    for (const auto& stage : times) std::printf(",%.1f", 1000 * median(stage));
    std::printf(",%.1f,%s\n", trial.output_bytes / median(times.back()) / 1e6, verdict(wrong).c_str());
    std::fflush(stdout);
}

template <typename F>
void time_way(const std::string& name, Trial& trial) {
    trial.place<F>();
    StageTimer timer(4);
    std::vector<std::vector<float>> times(5);
    for (int turn = 0; turn < 8; ++turn) {
        timer.begin();
        trial.launch<F>([&] { timer.mark(); });
        timer.mark();
        timer.wait();
        if (turn == 0) continue;
        for (int stage = 0; stage < 4; ++stage) times[stage].push_back(timer.ms(stage, stage + 1));
        times[4].push_back(timer.ms(0, 4));
    }
    line(name,
         "piece " + std::to_string(F::NAME[0]) + " warm-up " + std::to_string(F::NAME[1]) + " tile " +
             std::to_string(F::NAME[2]),
         trial, times);
}

void time_one_warp(const std::string& name, Trial& trial) {
    for (auto& e : trial.entries) {
        if (e.window_bytes != 0 || e.output_limit > lz4::MAX_OUTPUT_BYTES) return;
    }
    trial.place<Kept>();
    std::vector<BlockEntry> entries;
    for (auto& e : trial.entries) entries.push_back({e.input_offset, e.output_offset, e.input_bytes, e.output_limit});
    DeviceMemory memory;
    const LongBatch& all = trial.batch;
    const Batch batch{all.input,   all.input_bytes, all.output, all.output_bytes, memory.upload(entries),
                      all.results, all.block_count};
    StageTimer timer(1);
    std::vector<float> times;
    for (int turn = 0; turn < 3; ++turn) {
        timer.begin();
        decode_by_one_warp<<<batch.block_count, WARP_LANES>>>(batch);
        timer.mark();
        timer.wait();
        times.push_back(timer.ms(0, 1));
    }
    line(name, "one warp a block", trial, {times});
}

void time_all(const std::string& name, const std::vector<Unit>& units, size_t period, bool all_sizes) {
    Trial trial(units, nullptr, period);
    time_way<Kept>(name, trial);
    if (!all_sizes) return;
    time_way<Format<1024, 1024, 1024>>(name, trial);
    time_way<Format<1024, 1024, 4096>>(name, trial);
    time_way<Format<2048, 2048, 4096>>(name, trial);
    time_one_warp(name, trial);
}

int bench(size_t copies, const std::vector<std::string>& paths) {
    std::printf("file,blocks,MB,way,guess_us,stitch_us,find_us,produce_us,all_us,GBps,verified\n");
    for (const auto& path : paths) {
        std::vector<Unit> first, units;
        size_t bytes = 0;
        for (Unit& u : blocks_of(require_file(path))) {
            if (bytes == 4u << 20) break;
            bytes += u.limit;
            first.push_back(u);
        }
        for (size_t i = 0; i < copies; ++i) units.insert(units.end(), first.begin(), first.end());
        time_all(name_of(path), units, first.size(), true);
    }
    return 0;
}

/// Times two hostile blocks. In one, sequences of three bytes 01 are matches of 5 at distance 257. A reader who begins
/// at a wrong byte never falls into step there. The other block is one value again and again.
int hostile(size_t copies) {
    Bytes noise(300);
    std::mt19937_64 random(1);
    for (auto& b : noise) b = static_cast<uint8_t>(random());
    Bytes steps = literals(noise.data(), noise.size());
    steps[0] |= 1;
    const size_t matches = ((4u << 20) - 400) / 5;
    for (size_t i = 0; i < matches; ++i) steps.insert(steps.end(), i + 1 < matches ? 3 : 2, 1);
    steps.push_back(0xC0);
    steps.insert(steps.end(), 12, 'x');
    Bytes run{0x1F, 'z', 1, 0};
    size_t rest = (4u << 20) - 1 - 19 - 12;
    for (; rest >= 255; rest -= 255) run.push_back(255);
    run.push_back(static_cast<uint8_t>(rest));
    run.push_back(0xC0);
    run.insert(run.end(), 12, 'x');
    std::printf("file,blocks,MB,way,guess_us,stitch_us,find_us,produce_us,all_us,GBps,verified\n");
    time_all("out of step", std::vector<Unit>(copies, Unit{steps, 4u << 20, false}), 1, false);
    time_all("one run", std::vector<Unit>(copies, Unit{run, 4u << 20, false}), 1, false);
    return 0;
}

int mutate(uint64_t seed, int rounds, const std::vector<std::string>& paths) {
    std::mt19937_64 random(seed);
    size_t wrong = 0, sound = 0, count = 0;
    for (int round = 0; round < rounds; ++round) {
        std::vector<Unit> units;
        for (const auto& path : paths) {
            for (Unit u : blocks_of(require_file(path))) {
                const uint32_t kind = random() % 6;
                if (kind == 0) u.in.resize(random() % (u.in.size() + 1));
                if (kind == 1) u.in[random() % u.in.size()] ^= 1u << random() % 8;
                for (uint32_t n = kind == 2 ? 1 + random() % 20 : 0; n > 0; --n)
                    u.in[random() % u.in.size()] = static_cast<uint8_t>(random());
                if (kind == 3) u.limit = random() % (u.limit + 10);
                if (random() % 3 == 0) u.chained = false;
                units.push_back(u);
            }
        }
        Trial trial(units, &random, units.size());
        trial.place<Kept>();
        trial.launch<Kept>();
        CHECK(cudaDeviceSynchronize());
        wrong += trial.wrong();
        count += units.size();
        for (uint32_t s : trial.status) sound += s == STATUS_SOUND;
    }
    std::printf("seed %llu: %zu blocks, %zu without a defect of their own, %zu wrong\n",
                static_cast<unsigned long long>(seed), count, sound, wrong);
    return wrong != 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string mode = argc > 2 ? argv[1] : "";
    if (mode == "bench") return bench(std::strtoul(argv[2], nullptr, 10), {argv + 3, argv + argc});
    if (mode == "hostile") return hostile(std::strtoul(argv[2], nullptr, 10));
    if (mode == "mutate" && argc > 3)
        return mutate(std::strtoull(argv[2], nullptr, 10), std::atoi(argv[3]), {argv + 4, argv + argc});
    std::fprintf(stderr, "see the head of the source\n");
    return 1;
}
