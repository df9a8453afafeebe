// Times the decoding of raw DEFLATE bodies on one device and prints one line per way, file and kind of body; the
// output is compared with the raw data on the device. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o deflate_decode_bench benchmarks/src/main/cuda/deflate_decode_bench.cu -lz
//   deflate_decode_bench bench BATCH_MB KINDS FILE...   kernel times; with ONLY=text in the environment, one run of the ways so named
//   deflate_decode_bench mutate SEED BODIES FILE...     mutated bodies: same verdict and bytes as zlib, nothing written beside
//
// FILE: raw data, perhaps gzipped. KINDS, of these letters:
//
//   z  zlib -6, 64 KiB
//   g  zlib -6, BGZF's 65,280 bytes
//   m  zlib -6, 256 KiB
//   o  256 KiB with a DEFLATE block for each 64 KiB, which may look back into the block before
//   s  256 KiB with a DEFLATE block for each 64 KiB, which may not look back
#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "device_bench.cuh"
#include "deflate_decode/deflate_decode_body.cuh"
#include "deflate_decode/deflate_decode_pair.cuh"

using namespace warpcodec;
using namespace warpcodec::deflate_decode;

namespace {

constexpr int CTA_WARPS = DecodePolicy::CTA_THREADS / WARP_LANES;
constexpr uint32_t WARP_TOKENS = WARP_LANES * DecodePolicy::LANE_TOKENS;
constexpr uint32_t MAX_ROUNDS = 512;  // of a body, that an index is kept of

// ---- ways
// --------------------------------------------------------------------------------------------------------------

/// Remembers where parts began: the best index that there can be.
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
    BlockResult* results;
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
        if (lane == 0) a.results[index] = result;
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
            if (lane == 0) a.results[index] = result;
        } else {
            warp_produce_for_pair(a.batch.output + entry.output_offset, tokens, s_scratch, lane);
        }
        __syncwarp();
    }
}

/// Drops what is read: a body is walked through as the decoder does, and no byte of it is produced.
struct DropAtOnce {
    static constexpr uint32_t MAX_PART_BITS = DecodePolicy::MAX_PART_BITS;

    uint32_t* tokens;  ///< room for LANE_TOKENS tokens for each lane

    __device__ __forceinline__ uint32_t* room() const { return tokens; }
    __device__ __forceinline__ uint32_t warp_take_round(uint32_t, const Round&, const Part&, int) {
        return STATUS_SOUND;
    }
    __device__ __forceinline__ uint32_t warp_take_stored(uint32_t, const uint8_t*, uint32_t, int) {
        return STATUS_SOUND;
    }
};

/// Blocks, tables and tokens, and no bytes: what the first half costs. Statuses and sizes are those of the decoder.
template <int CTAS>
__global__ void __launch_bounds__(DecodePolicy::CTA_THREADS, CTAS) read_only(Arguments a) {
    __shared__ DecodeScratch s_scratch[CTA_WARPS];
    const int lane = threadIdx.x % WARP_LANES;
    const uint32_t warp = blockIdx.x * CTA_WARPS + threadIdx.x / WARP_LANES;
    DecodeScratch& scratch = s_scratch[threadIdx.x / WARP_LANES];
    DropAtOnce sink{a.tokens + uint64_t{warp} * WARP_TOKENS};
    for (uint32_t index = warp; index < a.batch.block_count; index += gridDim.x * CTA_WARPS) {
        const BlockEntry entry = a.batch.entries[index];
        const Block block{a.batch.input + entry.input_offset, entry.input_bytes, entry.output_limit};
        const BlockResult result = warp_read_body(block, WarmUpStarts{}, sink, scratch.tables, scratch.header, lane);
        if (lane == 0) a.results[index] = result;
        __syncwarp();
    }
}

struct Variant {
    std::string name;
    int ctas;
    bool writes;
    std::function<void(const Arguments&, uint32_t)> launch;
};

template <Way WAY, int CTAS>
Variant variant(const char* name) {
    return {name, CTAS, true, [](const Arguments& a, uint32_t grid) {
                decode<WAY, CTAS><<<std::min(grid, 132u * CTAS), DecodePolicy::CTA_THREADS>>>(a);
            }};
}

template <int CTAS>
Variant reading() {
    return {"tokens only", CTAS, false, [](const Arguments& a, uint32_t grid) {
                read_only<CTAS><<<std::min(grid, 132u * CTAS), DecodePolicy::CTA_THREADS>>>(a);
            }};
}

Variant paired(int ctas) {
    return {"decode, paired", ctas, true, [ctas](const Arguments& a, uint32_t) {
                decode_paired<<<std::min(a.batch.block_count, 132u * ctas), PAIR_THREADS>>>(a);
            }};
}

std::vector<Variant> variants() {
    return {variant<Way::DECODE, 12>("decode"),
            variant<Way::DECODE, 16>("decode"),
            variant<Way::DECODE, 20>("decode"),
            paired(16),
            reading<16>(),
            variant<Way::NOTE, 16>("decode, starts noted"),
            variant<Way::GIVEN, 16>("decode, all starts given")};
}

// ---- data
// --------------------------------------------------------------------------------------------------------------

struct File {
    std::string name;
    std::vector<Bytes> raw, bodies;
    size_t raw_bytes = 0, body_bytes = 0;
};

Bytes read_all(const std::string& path) {
    gzFile f = gzopen(path.c_str(), "rb");
    if (!f) std::exit(3);
    Bytes bytes(64 << 20);
    const int n = gzread(f, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(f);
    if (n <= 0) std::exit(3);
    bytes.resize(n);
    return bytes;
}

Bytes deflate_body(const Bytes& raw, size_t block_bytes, int between) {
    z_stream z{};
    deflateInit2(&z, 6, 8, -15, 8, Z_DEFAULT_STRATEGY);
    Bytes out(deflateBound(&z, raw.size()) + 1024);
    z.next_out = out.data();
    z.avail_out = static_cast<unsigned>(out.size());
    for (size_t at = 0; at < raw.size(); at += block_bytes) {
        z.next_in = const_cast<Bytef*>(raw.data() + at);
        z.avail_in = static_cast<unsigned>(std::min(block_bytes, raw.size() - at));
        ::deflate(&z, at + block_bytes < raw.size() ? between : Z_FINISH);
    }
    out.resize(z.total_out);
    deflateEnd(&z);
    return out;
}

File load(const std::string& path, char kind) {
    const Bytes all = read_all(path);
    const size_t slash = path.rfind('/');
    File file;
    file.name = path.substr(slash == std::string::npos ? 0 : slash + 1);
    const size_t bytes = kind == 'g' ? 65280 : kind == 'z' ? 65536 : 262144;
    for (size_t at = 0; at + bytes <= all.size(); at += bytes) {
        Bytes raw(all.begin() + at, all.begin() + at + bytes);
        Bytes body =
            deflate_body(raw, kind == 'o' || kind == 's' ? 65536 : bytes, kind == 's' ? Z_FULL_FLUSH : Z_BLOCK);
        file.raw_bytes += raw.size();
        file.body_bytes += body.size();
        file.raw.push_back(std::move(raw));
        file.bodies.push_back(std::move(body));
    }
    return file;
}

int bench(size_t batch_bytes, const std::string& kinds, const std::vector<std::string>& paths, const char* only) {
    std::printf("file,kind,ratio,batch_MB,way,warps_per_sm,ms_median,ms_min,ms_max,GBps,verified\n");
    for (const auto& path : paths) {
        for (const char kind : kinds) {
            const File file = load(path, kind);
            const uint32_t base = static_cast<uint32_t>(file.raw.size());
            const size_t member = file.raw[0].size();
            Bytes one_input, expected;
            std::vector<size_t> offsets;
            for (uint32_t i = 0; i < base; ++i) {
                offsets.push_back(one_input.size());
                one_input.insert(one_input.end(), file.bodies[i].begin(), file.bodies[i].end());
                one_input.insert(one_input.end(), 26, 0);  // trailer and next header
                expected.insert(expected.end(), file.raw[i].begin(), file.raw[i].end());
            }
            const uint32_t count = static_cast<uint32_t>(batch_bytes / member);
            one_input.resize((one_input.size() + 7) / 8 * 8);
            const size_t copies = (count + base - 1) / base;
            Arguments a{};
            a.batch.block_count = count;
            a.batch.input_bytes = copies * one_input.size();
            a.batch.output_bytes = size_t(count) * member;
            uint8_t* input;
            CHECK(cudaMalloc(&input, a.batch.input_bytes));
            for (size_t c = 0; c < copies; ++c)
                CHECK(cudaMemcpy(input + c * one_input.size(), one_input.data(), one_input.size(),
                                 cudaMemcpyHostToDevice));
            a.batch.input = input;
            CHECK(cudaMalloc(&a.batch.output, a.batch.output_bytes));
            std::vector<BlockEntry> entries;
            for (uint32_t i = 0; i < count; ++i) {
                entries.push_back({i / base * one_input.size() + offsets[i % base], uint64_t(i) * member,
                                   static_cast<uint32_t>(file.bodies[i % base].size()), static_cast<uint32_t>(member)});
            }
            BlockEntry* device_entries = to_device(entries);
            a.batch.entries = device_entries;
            CHECK(cudaMalloc(&a.results, count * sizeof(BlockResult)));
            CHECK(cudaMalloc(&a.tokens, size_t(132) * 24 * CTA_WARPS * WARP_TOKENS * 4));
            CHECK(cudaMalloc(&a.starts, size_t(count) * MAX_ROUNDS * WARP_LANES * 4));
            uint8_t* device_expected = to_device(expected);
            unsigned long long* differences;
            CHECK(cudaMalloc(&differences, 8));
            cudaEvent_t begin, end;
            CHECK(cudaEventCreate(&begin));
            CHECK(cudaEventCreate(&end));
            for (auto& v : variants()) {
                if (only && !std::strstr(v.name.c_str(), only)) continue;
                CHECK(cudaMemset(a.batch.output, 0xEE, a.batch.output_bytes));
                CHECK(cudaMemset(a.results, 0xEE, count * sizeof(BlockResult)));
                std::vector<float> times;
                for (int turn = 0; turn < (only ? 1 : 6); ++turn) {
                    CHECK(cudaEventRecord(begin));
                    v.launch(a, (count + CTA_WARPS - 1) / CTA_WARPS);
                    CHECK(cudaGetLastError());
                    CHECK(cudaEventRecord(end));
                    CHECK(cudaEventSynchronize(end));
                    float ms;
                    CHECK(cudaEventElapsedTime(&ms, begin, end));
                    if (turn || only) times.push_back(ms);
                }
                std::sort(times.begin(), times.end());
                std::vector<BlockResult> results(count);
                CHECK(cudaMemcpy(results.data(), a.results, count * sizeof(BlockResult), cudaMemcpyDeviceToHost));
                unsigned long long wrong = 0;
                for (auto& r : results) wrong += r.status != STATUS_SOUND || r.output_bytes != member;
                if (v.writes) {
                    CHECK(cudaMemset(differences, 0, 8));
                    count_differences<<<1024, 256>>>(a.batch.output, device_expected, expected.size(),
                                                     a.batch.output_bytes, differences);
                    unsigned long long different;
                    CHECK(cudaMemcpy(&different, differences, 8, cudaMemcpyDeviceToHost));
                    wrong += different;
                }
                const float median = times[times.size() / 2];
                std::printf("%s,%c,%.2f,%zu,\"%s\",%d,%.3f,%.3f,%.3f,%.1f,%s\n", file.name.c_str(), kind,
                            double(file.raw_bytes) / file.body_bytes, batch_bytes >> 20, v.name.c_str(),
                            v.ctas * CTA_WARPS, median, times[0], times.back(), a.batch.output_bytes / median / 1e6,
                            wrong      ? ("WRONG " + std::to_string(wrong)).c_str()
                            : v.writes ? "yes"
                                       : "sizes");
                std::fflush(stdout);
            }
            for (void* p : {(void*)input, (void*)a.batch.output, (void*)device_entries, (void*)a.results,
                            (void*)a.tokens, (void*)a.starts, (void*)device_expected, (void*)differences}) {
                CHECK(cudaFree(p));
            }
        }
    }
    return 0;
}

// ---- damage
// --------------------------------------------------------------------------------------------------------------

bool zlib_decode(const Bytes& body, uint32_t limit, Bytes& out, uint32_t& consumed) {
    z_stream z{};
    inflateInit2(&z, -15);
    out.resize(size_t(limit) + 1);
    z.next_in = const_cast<Bytef*>(body.data());
    z.avail_in = static_cast<unsigned>(body.size());
    z.next_out = out.data();
    z.avail_out = limit + 1;
    const int answer = inflate(&z, Z_FINISH);
    consumed = static_cast<uint32_t>(z.total_in);
    out.resize(z.total_out);
    inflateEnd(&z);
    return answer == Z_STREAM_END && out.size() <= limit && consumed == body.size();
}

int mutate(uint64_t seed, uint32_t count, const std::vector<std::string>& paths) {
    std::mt19937_64 random(seed);
    std::vector<Bytes> files;
    for (const auto& path : paths) files.push_back(read_all(path));
    Bytes input, canaries;
    std::vector<BlockEntry> entries;
    std::vector<bool> sound;
    std::vector<Bytes> decoded;
    uint32_t sound_count = 0;
    Bytes body;
    uint32_t raw_bytes = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (i % 8 == 0) {
            const Bytes& file = files[random() % files.size()];
            Bytes raw(random() % (random() % 8 ? 4000 : 100000));
            const size_t at = random() % (file.size() - raw.size());
            std::copy(file.begin() + at, file.begin() + at + raw.size(), raw.begin());
            const uint32_t kind = random() % 4;
            if (kind == 0)
                for (auto& b : raw) b = static_cast<uint8_t>(random() % (1 + at % 255));
            z_stream z{};
            deflateInit2(&z, random() % 10, 8, -15, 1 + random() % 9,
                         kind == 1   ? Z_FIXED
                         : kind == 2 ? Z_HUFFMAN_ONLY
                                     : Z_DEFAULT_STRATEGY);
            body.resize(deflateBound(&z, raw.size()) + 100);
            z.next_in = raw.data();
            z.avail_in = static_cast<unsigned>(raw.size());
            z.next_out = body.data();
            z.avail_out = static_cast<unsigned>(body.size());
            ::deflate(&z, Z_FINISH);
            body.resize(z.total_out);
            deflateEnd(&z);
            raw_bytes = static_cast<uint32_t>(raw.size());
        }
        Bytes damaged = body;
        uint32_t limit = raw_bytes;
        switch (random() % 8) {
            case 1: damaged.resize(random() % (damaged.size() + 1)); break;
            case 2: damaged[random() % damaged.size()] ^= 1u << random() % 8; break;
            case 3: damaged[random() % std::min<size_t>(damaged.size(), 100)] = static_cast<uint8_t>(random()); break;
            case 4:
                for (int n = 1 + random() % 20; n > 0; --n)
                    damaged[random() % damaged.size()] = static_cast<uint8_t>(random());
                break;
            case 5: limit -= std::min<uint32_t>(limit, static_cast<uint32_t>(random() % 300)); break;
            case 6:
                limit += random() % 1000;
                damaged.insert(damaged.end(), random() % 2, 0x55);
                break;
            case 7: damaged.erase(damaged.begin() + random() % damaged.size()); break;
        }
        input.insert(input.end(), random() % 5, 0xFF);
        canaries.insert(canaries.end(), 1 + random() % 9, 0xA5);
        entries.push_back({input.size(), canaries.size(), static_cast<uint32_t>(damaged.size()), limit});
        Bytes out;
        uint32_t taken;
        sound.push_back(zlib_decode(damaged, limit, out, taken));
        sound_count += sound.back();
        decoded.push_back(out);
        input.insert(input.end(), damaged.begin(), damaged.end());
        canaries.insert(canaries.end(), limit, 0xA5);
    }
    input.resize((input.size() + 7) / 8 * 8);  // 8 bytes are read at once
    Arguments a{};
    a.batch.block_count = count;
    a.batch.input = to_device(input);
    a.batch.input_bytes = input.size();
    a.batch.output_bytes = canaries.size();
    a.batch.entries = to_device(entries);
    CHECK(cudaMalloc(&a.batch.output, a.batch.output_bytes));
    CHECK(cudaMalloc(&a.results, count * sizeof(BlockResult)));
    CHECK(cudaMalloc(&a.tokens, size_t(132) * 24 * CTA_WARPS * WARP_TOKENS * 4));
    int bad = 0;
    for (const auto& v : {variant<Way::DECODE, 16>("decode"), paired(16)}) {
        CHECK(cudaMemset(a.batch.output, 0xA5, a.batch.output_bytes));
        CHECK(cudaMemset(a.results, 0xEE, count * sizeof(BlockResult)));
        v.launch(a, (count + CTA_WARPS - 1) / CTA_WARPS);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        std::vector<BlockResult> results(count);
        Bytes output(a.batch.output_bytes);
        CHECK(cudaMemcpy(results.data(), a.results, count * sizeof(BlockResult), cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(output.data(), a.batch.output, output.size(), cudaMemcpyDeviceToHost));
        uint32_t verdicts = 0, bytes = 0, beside = 0;
        size_t after = 0;
        for (uint32_t i = 0; i < count; ++i) {
            const size_t at = entries[i].output_offset;
            for (; after < at; ++after) beside += output[after] != 0xA5;
            const bool ok = results[i].status == STATUS_SOUND;
            if (ok != sound[i] || (ok && results[i].output_bytes != decoded[i].size())) {
                if (++verdicts <= 3)
                    std::printf("  body %u: status %u, %u bytes; zlib: %d, %zu bytes\n", i, results[i].status,
                                results[i].output_bytes, int(sound[i]), decoded[i].size());
            } else if (ok) {
                bytes += !std::equal(decoded[i].begin(), decoded[i].end(), output.begin() + at);
                after = at + decoded[i].size();
                continue;
            }
            after = at + entries[i].output_limit;
        }
        std::printf(
            "%s, seed %llu: %u bodies, %u of them sound: %u wrong verdicts, %u wrong outputs, %u bytes beside\n",
            v.name.c_str(), static_cast<unsigned long long>(seed), count, sound_count, verdicts, bytes, beside);
        bad += verdicts + bytes + beside != 0;
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
    std::printf("usage: see the head of the source\n");
    return 1;
}
