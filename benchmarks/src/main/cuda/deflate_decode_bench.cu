// Times the decoding of raw DEFLATE bodies on one device and prints one line per way, file and kind of body. The
// output is compared with the raw data on the device. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o deflate_decode_bench benchmarks/src/main/cuda/deflate_decode_bench.cu -lz
//   deflate_decode_bench bench BATCH_MB KINDS FILE...   kernel times, of one body for 0
//       with ONLY=text in the environment, one run of the ways so named
//   deflate_decode_bench mutate SEED BODIES FILE...     mutated bodies: same verdict and bytes as zlib, nothing written beside
//
// FILE: raw data, perhaps gzipped. KINDS, of these letters:
//
//   z  zlib -6, 64 KiB
//   g  zlib -6, BGZF's 65,280 bytes
//   m  zlib -6, 256 KiB
//   o  256 KiB with a DEFLATE block for each 64 KiB, which may look back into the block before
//   s  256 KiB with a DEFLATE block for each 64 KiB, which may not look back
#include <cstring>
#include <functional>
#include <random>

#include "block_batches.cuh"
#include "zlib_bodies.h"
#include "deflate_decode/deflate_decode_body.cuh"
#include "deflate_decode/deflate_decode_pair.cuh"
#include "deflate_decode/deflate_decode_team.cuh"

using namespace warpcodec;
using namespace warpcodec::deflate_decode;

namespace {

constexpr int CTA_WARPS = DecodePolicy::CTA_THREADS / WARP_LANES;
constexpr uint32_t WARP_TOKENS = WARP_LANES * DecodePolicy::LANE_TOKENS;
constexpr uint32_t MAX_ROUNDS = 512;  // of a body, that an index is kept of

// ---- ways

/// Remembers where parts began: the best index possible.
struct NotingStarts : WarmUpStarts {
    uint32_t* next;
    __device__ __forceinline__ void thread_note(uint32_t start) {
        next[threadIdx.x % WARP_LANES] = start;
        next += WARP_LANES;
    }
};

/// Begins where such an index says.
struct GivenStarts {
    const uint32_t* next;
    __device__ __forceinline__ void thread_find(const BitStream& stream, const BlockTables&, uint32_t, uint32_t,
                                                BitReader& reader, Part&) {
        reader.seek(stream, next[threadIdx.x % WARP_LANES]);
    }
    __device__ __forceinline__ void thread_note(uint32_t) { next += WARP_LANES; }
};

enum class Way { DECODE, NOTE, GIVEN };

struct Arguments {
    Batch batch;
    uint32_t* tokens;
    uint32_t* starts;
};

template <Way WAY, int CTAS>
__global__ void __launch_bounds__(DecodePolicy::CTA_THREADS, CTAS) decode(Arguments a) {
    __shared__ DecodeScratch s_scratch[CTA_WARPS];
    const int lane = threadIdx.x % WARP_LANES;
    const uint32_t warp = blockIdx.x * CTA_WARPS + threadIdx.x / WARP_LANES;
    DecodeScratch& scratch = s_scratch[threadIdx.x / WARP_LANES];
    for (uint32_t index = warp; index < a.batch.block_count; index += gridDim.x * CTA_WARPS) {
        const BlockEntry entry = a.batch.entries[index];
        const Block block{a.batch.input + entry.input_offset, entry.input_bytes, entry.output_limit};
        uint8_t* output = a.batch.output + entry.output_offset;
        uint32_t* tokens = a.tokens + uint64_t{warp} * WARP_TOKENS;
        uint32_t* starts = a.starts + uint64_t{index} * MAX_ROUNDS * WARP_LANES;
        BlockResult result;
        if (WAY == Way::DECODE) result = warp_decode_body(block, output, tokens, WarmUpStarts{}, scratch, lane);
        if (WAY == Way::NOTE) result = warp_decode_body(block, output, tokens, NotingStarts{{}, starts}, scratch, lane);
        if (WAY == Way::GIVEN) result = warp_decode_body(block, output, tokens, GivenStarts{starts}, scratch, lane);
        if (lane == 0) a.batch.results[index] = result;
        __syncwarp();
    }
}

/// Two warps a body, one body a cta.
__global__ void __launch_bounds__(PAIR_THREADS) decode_paired(Arguments a) {
    __shared__ PairScratch s_scratch;
    const int lane = threadIdx.x % WARP_LANES;
    uint32_t* tokens = a.tokens + uint64_t{blockIdx.x} * 2 * WARP_TOKENS;
    for (uint32_t index = blockIdx.x; index < a.batch.block_count; index += gridDim.x) {
        const BlockEntry entry = a.batch.entries[index];
        if (threadIdx.x < WARP_LANES) {
            const Block block{a.batch.input + entry.input_offset, entry.input_bytes, entry.output_limit};
            const BlockResult result = warp_read_for_pair(block, tokens, WarmUpStarts{}, s_scratch, lane);
            if (lane == 0) a.batch.results[index] = result;
        } else {
            warp_produce_for_pair(a.batch.output + entry.output_offset, tokens, s_scratch, lane);
        }
        __syncwarp();
    }
}

/// A team a body, one body a cta, which drops all tokens or writes what they stand for.
template <typename Sink, int CTAS>
__global__ void __launch_bounds__(TEAM_THREADS, CTAS) decode_by_team(Arguments a) {
    __shared__ TeamScratch s_scratch;
    uint32_t* tokens = a.tokens + uint64_t{blockIdx.x} * TEAM_TOKENS;
    for (uint32_t index = blockIdx.x; index < a.batch.block_count; index += gridDim.x) {
        const BlockEntry entry = a.batch.entries[index];
        const Block block{a.batch.input + entry.input_offset, entry.input_bytes, entry.output_limit};
        TeamReaders readers{static_cast<int>(threadIdx.x), s_scratch};
        Sink sink{{a.batch.output + entry.output_offset, tokens, s_scratch}};
        const BlockResult result =
            group_read_body(block, WarmUpStarts{}, sink, s_scratch.tables, s_scratch.header, readers);
        if (threadIdx.x == 0) a.batch.results[index] = result;
        __syncthreads();
    }
}

struct WriteByTeam : TeamSink {
    static constexpr bool WRITES = true;
};

/// A body is read as a team reads it, and no byte of it is produced.
struct DropByTeam : TeamSink {
    static constexpr bool WRITES = false;
    __device__ __forceinline__ uint32_t take_round(uint32_t, uint32_t, const Round&, const Part&, const TeamReaders&) {
        return STATUS_SOUND;
    }
    __device__ __forceinline__ uint32_t take_stored(uint32_t, const uint8_t*, uint32_t, const TeamReaders&) {
        return STATUS_SOUND;
    }
};

/// Drops all tokens: a body is read as the decoder reads it, and no byte of it is produced.
struct DropAtOnce : WarpSink {
    static constexpr uint32_t MAX_PART_BITS = DecodePolicy::MAX_PART_BITS;

    uint32_t* tokens;  ///< room for LANE_TOKENS tokens for each lane

    __device__ __forceinline__ uint32_t* room() const { return tokens; }
    __device__ __forceinline__ uint32_t take_round(uint32_t, uint32_t, const Round&, const Part&, const WarpReaders&) {
        return STATUS_SOUND;
    }
    __device__ __forceinline__ uint32_t take_stored(uint32_t, const uint8_t*, uint32_t, const WarpReaders&) {
        return STATUS_SOUND;
    }
};

/// Reads blocks, tables and tokens, and produces no bytes: the cost of the first half. Statuses and sizes are the
/// decoder's.
template <int CTAS>
__global__ void __launch_bounds__(DecodePolicy::CTA_THREADS, CTAS) read_only(Arguments a) {
    __shared__ DecodeScratch s_scratch[CTA_WARPS];
    const int lane = threadIdx.x % WARP_LANES;
    const uint32_t warp = blockIdx.x * CTA_WARPS + threadIdx.x / WARP_LANES;
    DecodeScratch& scratch = s_scratch[threadIdx.x / WARP_LANES];
    DropAtOnce sink{{}, a.tokens + uint64_t{warp} * WARP_TOKENS};
    WarpReaders readers{lane};
    for (uint32_t index = warp; index < a.batch.block_count; index += gridDim.x * CTA_WARPS) {
        const BlockEntry entry = a.batch.entries[index];
        const Block block{a.batch.input + entry.input_offset, entry.input_bytes, entry.output_limit};
        const BlockResult result =
            group_read_body(block, WarmUpStarts{}, sink, scratch.tables, scratch.header, readers);
        if (lane == 0) a.batch.results[index] = result;
        __syncwarp();
    }
}

struct Variant {
    std::string name;
    int warps;  // of a multiprocessor
    bool writes;
    std::function<void(const Arguments&, uint32_t)> launch;
};

template <Way WAY, int CTAS>
Variant variant(const char* name) {
    return {name, CTAS * CTA_WARPS, true, [](const Arguments& a, uint32_t grid) {
                decode<WAY, CTAS><<<std::min(grid, 132u * CTAS), DecodePolicy::CTA_THREADS>>>(a);
            }};
}

template <int CTAS>
Variant reading() {
    return {"tokens only", CTAS * CTA_WARPS, false, [](const Arguments& a, uint32_t grid) {
                read_only<CTAS><<<std::min(grid, 132u * CTAS), DecodePolicy::CTA_THREADS>>>(a);
            }};
}

Variant paired(int ctas) {
    return {"decode, paired", ctas * CTA_WARPS, true, [ctas](const Arguments& a, uint32_t) {
                decode_paired<<<std::min(a.batch.block_count, 132u * ctas), PAIR_THREADS>>>(a);
            }};
}

template <typename Sink, int CTAS>
Variant by_team() {
    return {Sink::WRITES ? "decode, team" : "tokens only, team", CTAS * TEAM_WARPS, Sink::WRITES,
            [](const Arguments& a, uint32_t) {
                decode_by_team<Sink, CTAS><<<std::min(a.batch.block_count, 132u * CTAS), TEAM_THREADS>>>(a);
            }};
}

std::vector<Variant> variants() {
    return {variant<Way::DECODE, 12>("decode"),
            variant<Way::DECODE, 16>("decode"),
            variant<Way::DECODE, 20>("decode"),
            paired(16),
            by_team<WriteByTeam, 2>(),
            by_team<WriteByTeam, 3>(),
            by_team<WriteByTeam, 4>(),
            reading<16>(),
            by_team<DropByTeam, 3>(),
            variant<Way::NOTE, 16>("decode, starts noted"),
            variant<Way::GIVEN, 16>("decode, all starts given")};
}

// ---- data

struct File {
    std::string name;
    std::vector<Bytes> raw, bodies;
    size_t raw_bytes = 0, body_bytes = 0;
};

File load(const std::string& path, char kind) {
    const Bytes all = read_all(path);
    File file;
    file.name = name_of(path);
    const size_t bytes = kind == 'g' ? 65280 : kind == 'z' ? 65536 : 262144;
    ZlibWay way;
    way.part_bytes = kind == 'o' || kind == 's' ? 65536 : bytes;
    way.between = kind == 's' ? Z_FULL_FLUSH : Z_BLOCK;
    for (size_t at = 0; at + bytes <= all.size(); at += bytes) {
        Bytes raw(all.begin() + at, all.begin() + at + bytes);
        Bytes body = zlib_deflate(raw.data(), raw.size(), way);
        file.raw_bytes += raw.size();
        file.body_bytes += body.size();
        file.raw.push_back(std::move(raw));
        file.bodies.push_back(std::move(body));
    }
    return file;
}

// ---- times

constexpr size_t TOKEN_WORDS = size_t(132) * 24 * CTA_WARPS * WARP_TOKENS;

uint32_t grid_of(const Arguments& a) { return (a.batch.block_count + CTA_WARPS - 1) / CTA_WARPS; }

int bench(size_t batch_bytes, const std::string& kinds, const std::vector<std::string>& paths, const char* only) {
    std::printf("file,kind,ratio,batch_MB,way,warps_per_sm,ms_median,ms_min,ms_max,GBps,verified\n");
    for (const auto& path : paths) {
        for (const char kind : kinds) {
            const File file = load(path, kind);
            const uint32_t count = std::max(1u, static_cast<uint32_t>(batch_bytes / file.raw[0].size()));
            const RepeatedBlocks bodies(file.bodies, file.raw, count, 26, 8);  // a gap as of trailer and next header
            DeviceMemory memory;
            const Arguments a{bodies.batch, memory.room<uint32_t>(TOKEN_WORDS),
                              memory.room<uint32_t>(size_t(count) * MAX_ROUNDS * WARP_LANES)};
            for (auto& v : variants()) {
                if (only && !std::strstr(v.name.c_str(), only)) continue;
                bodies.poison();
                const Times times = measure([&] { v.launch(a, grid_of(a)); }, only ? 0 : 5);
                std::printf("%s,%c,%.2f,%zu,\"%s\",%d,%s,%s\n", file.name.c_str(), kind,
                            double(file.raw_bytes) / file.body_bytes, batch_bytes >> 20, v.name.c_str(), v.warps,
                            times.text(a.batch.output_bytes).c_str(),
                            verdict(bodies.wrong(v.writes), v.writes ? "yes" : "sizes").c_str());
                std::fflush(stdout);
            }
        }
    }
    return 0;
}

// ---- damage

/// A random stretch of a random file, or noise, as a body of a random kind.
struct RandomBody {
    Bytes body;
    uint32_t raw_bytes;

    RandomBody(const std::vector<Bytes>& files, std::mt19937_64& random) {
        const Bytes& file = files[random() % files.size()];
        Bytes raw(random() % (random() % 8 ? 4000 : 100000));
        const size_t at = random() % (file.size() - raw.size());
        std::copy(file.begin() + at, file.begin() + at + raw.size(), raw.begin());
        const uint32_t kind = random() % 4;
        if (kind == 0)
            for (auto& b : raw) b = static_cast<uint8_t>(random() % (1 + at % 255));
        ZlibWay way;
        way.memory_level = 1 + random() % 9;
        way.level = random() % 10;
        way.strategy = kind == 1 ? Z_FIXED : kind == 2 ? Z_HUFFMAN_ONLY : Z_DEFAULT_STRATEGY;
        body = zlib_deflate(raw.data(), raw.size(), way);
        raw_bytes = static_cast<uint32_t>(raw.size());
    }
};

/// Puts a random defect into a body of `limit` raw bytes, or none.
void damage(Bytes& body, uint32_t& limit, std::mt19937_64& random) {
    switch (random() % 8) {
        case 1: body.resize(random() % (body.size() + 1)); break;
        case 2: body[random() % body.size()] ^= 1u << random() % 8; break;
        case 3: body[random() % std::min<size_t>(body.size(), 100)] = static_cast<uint8_t>(random()); break;
        case 4:
            for (int n = 1 + random() % 20; n > 0; --n) body[random() % body.size()] = static_cast<uint8_t>(random());
            break;
        case 5: limit -= std::min<uint32_t>(limit, static_cast<uint32_t>(random() % 300)); break;
        case 6:
            limit += random() % 1000;
            body.insert(body.end(), random() % 2, 0x55);
            break;
        case 7: body.erase(body.begin() + random() % body.size()); break;
    }
}

/// Eight copies of each random body, each with another defect.
DamagedBlocks damaged_bodies(const std::vector<Bytes>& files, uint32_t count, std::mt19937_64& random) {
    DamagedBlocks bodies;
    while (bodies.entries.size() < count) {
        const RandomBody base(files, random);
        for (int turn = 0; turn < 8 && bodies.entries.size() < count; ++turn) {
            Bytes body = base.body, raw;
            uint32_t limit = base.raw_bytes;
            damage(body, limit, random);
            const size_t input_gap = random() % 5, output_gap = 1 + random() % 9;
            const bool sound = zlib_inflates(body.data(), body.size(), limit, raw);
            bodies.add(body, limit, input_gap, output_gap, sound, std::move(raw));
        }
    }
    bodies.input.resize((bodies.input.size() + 7) / 8 * 8);  // 8 bytes are read at once
    return bodies;
}

int mutate(uint64_t seed, uint32_t count, const std::vector<std::string>& paths) {
    std::mt19937_64 random(seed);
    std::vector<Bytes> files;
    for (const auto& path : paths) files.push_back(read_all(path));
    const DamagedBlocks bodies = damaged_bodies(files, count, random);
    DeviceMemory memory;
    const Batch batch = bodies.upload(memory);
    const Arguments a{batch, memory.room<uint32_t>(TOKEN_WORDS), nullptr};
    int bad = 0;
    for (const auto& v : {variant<Way::DECODE, 16>("decode"), paired(16), by_team<WriteByTeam, 3>()}) {
        DamagedBlocks::poison(batch);
        v.launch(a, grid_of(a));
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        const std::vector<BlockResult> results = to_host(batch.results, count);
        const auto mistakes = bodies.judge(results, to_host(batch.output, batch.output_bytes), [&](uint32_t i) {
            std::printf("  body %u: status %u, %u bytes; zlib: %d, %zu bytes\n", i, results[i].status,
                        results[i].output_bytes, int(bodies.sound[i]), bodies.decoded[i].size());
        });
        std::printf("%s, seed %llu: %u bodies, %u of them sound: ", v.name.c_str(),
                    static_cast<unsigned long long>(seed), count, bodies.sound_count);
        mistakes.print();
        bad += mistakes.sum() != 0;
    }
    return bad;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string verb = argc > 1 ? argv[1] : "";
    if (verb == "bench" && argc > 4)
        return bench(std::strtoull(argv[2], nullptr, 10) << 20, argv[3], {argv + 4, argv + argc}, std::getenv("ONLY"));
    if (verb == "mutate" && argc > 4)
        return mutate(std::strtoull(argv[2], nullptr, 10), std::atoi(argv[3]), {argv + 4, argv + argc});
    return usage();
}
