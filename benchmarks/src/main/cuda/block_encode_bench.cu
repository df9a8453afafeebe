// Times encoding and decoding of blocks of 64 KiB of LZ4 and Snappy on one device, ours and a peer's, each decoder on
// each encoder's blocks, and prints one line per pair. What comes back is compared with the file, byte by byte; our
// encoders' distinct blocks also go through a plain decoder on the host, and are encoded twice and compared. A
// program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -I kernels/src/main/cuda -o block_encode_bench benchmarks/src/main/cuda/block_encode_bench.cu -ldl
//   block_encode_bench BATCH_MB PEER FILE...      PEER: libnvcomp.so of version 4, or `none`; ONLY=text in the environment: one run of the
//                                                 encoders so named, and of nothing else
//
// The batch is the file's whole blocks again and again. Beside FILE lie FILE.lz4b and FILE.snpb (BlockFileWriter) if
// the blocks of lz4-java and snappy-java are to be decoded too. With DUMP=folder the LZ4 blocks of `ours fast` and
// `ours fast flat` are written there as FILE.fast.lz4b and FILE.fast.flat.lz4b, for block_decode_bench.
#include <dlfcn.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>

#include "block_files.cuh"
#include "lz4/lz4_encode.cuh"
#include "lz4/lz4_parse.cuh"
#include "lz4/lz4_policy.cuh"
#include "lz77_flat.cuh"
#include "snappy/snappy_encode.cuh"
#include "snappy/snappy_parse.cuh"
#include "snappy/snappy_policy.cuh"

namespace lz4 = warpcodec::lz4;
namespace snappy = warpcodec::snappy;
using namespace warpcodec;
using namespace warpcodec::lz77;

namespace {

constexpr uint32_t BLOCK_BYTES = 65536;
constexpr uint32_t STRIPS_BYTES = BLOCK_BYTES + BLOCK_BYTES / 4;
constexpr uint32_t PLACE_BYTES = 76800;  // what the hungriest encoder asks for: nvCOMP's Snappy

// ---- our kernels
// --------------------------------------------------------------------------------------------------------------

template <typename Format, typename Nesting, int HEADS, int STRIPS>
__global__ void __launch_bounds__(32 * STRIPS) encode(EncodeBatch batch) {
    __shared__ StripScratch<STRIPS, HEADS> s_scratch;
    cta_encode_blocks<Format, lz4::MAX_OUTPUT_BYTES, snappy::MAX_INPUT_BYTES, Nesting>(batch, NoLinks{}, s_scratch);
}

template <typename Format, int HEADS>
__global__ void __launch_bounds__(32) encode_linked(LinkedBatch batch) {
    __shared__ StripScratch<1, HEADS> s_scratch;
    cta_encode_blocks<Format, lz4::MAX_OUTPUT_BYTES, snappy::MAX_INPUT_BYTES, FreeNesting>(
        batch.blocks, batch.cta_links(), s_scratch);
}

template <bool SNAPPY>
__global__ void __launch_bounds__(64, 24) decode(Batch batch) {
    using Scratch = std::conditional_t<SNAPPY, snappy::ElementScratch, lz4::SequenceScratch>;
    __shared__ Scratch s_scratch[2];
    const int lane = threadIdx.x % WARP_LANES;
    const uint32_t index = (blockIdx.x * 64 + threadIdx.x) / WARP_LANES;
    if (index >= batch.block_count) return;
    Scratch& scratch = s_scratch[threadIdx.x / WARP_LANES];
    warp_decode_block<snappy::MAX_INPUT_BYTES, lz4::MAX_OUTPUT_BYTES>(
        batch, index, lane, [&](const Block& block, uint8_t* output) {
            if constexpr (SNAPPY) return snappy::warp_decode_gathering(block, output, scratch, lane);
            else return lz4::warp_decode_gathering(block, output, scratch, lane);
        });
}

struct Encoder {
    std::string name;
    bool is_snappy;
    std::string dump;  ///< suffix of its blocks' file; empty if they are not written
    std::function<void(const EncodeBatch&, uint16_t* links)> launch;
};

constexpr uint32_t LINKED_CTAS = 132 * 17;

constexpr int STRIPS = lz4::EncodePolicy::STRIPS;
constexpr int HEADS = lz4::EncodePolicy::HEAD_COUNT;
static_assert(STRIPS == snappy::EncodePolicy::STRIPS && HEADS == snappy::EncodePolicy::HEAD_COUNT);

template <typename Format, int OWN_STRIPS = STRIPS, int OWN_HEADS = HEADS, typename Nesting = FreeNesting>
Encoder encoder(const char* name, const char* dump = "") {
    return {name, std::is_same_v<Format, snappy::BlockWriter>, dump, [](const EncodeBatch& batch, uint16_t*) {
                encode<Format, Nesting, OWN_HEADS, OWN_STRIPS><<<batch.block_count, 32 * OWN_STRIPS>>>(batch);
            }};
}

template <typename Format>
Encoder linked(const char* name, uint32_t depth) {
    return {name, std::is_same_v<Format, snappy::BlockWriter>, "", [depth](const EncodeBatch& batch, uint16_t* links) {
                encode_linked<Format, HEADS>
                    <<<std::min(batch.block_count, LINKED_CTAS), 32>>>(LinkedBatch{batch, links, depth});
            }};
}

std::vector<Encoder> encoders() {
    using L = lz4::BlockWriter;
    using S = snappy::BlockWriter;
    return {encoder<L>("ours fast", ".fast.lz4b"),
            encoder<L, 1>("ours fast 1 strip"),
            encoder<L, 2>("ours fast 2 strips"),
            encoder<L, 3>("ours fast 3 strips"),
            encoder<L, 4>("ours fast 4 strips"),
            encoder<L, 4, 5696>("ours fast 4 strips 5696 heads"),
            encoder<L, 2, 8192>("ours fast 2 strips 8192 heads"),
            linked<L>("ours default", 4),
            linked<L>("ours high", 32),
            encoder<L, 1, HEADS, NoNesting>("ours fast flat", ".fast.flat.lz4b"),
            encoder<S>("ours fast"),
            encoder<S, 1>("ours fast 1 strip"),
            linked<S>("ours default", 4),
            linked<S>("ours high", 32)};
}

// ---- the peer
// --------------------------------------------------------------------------------------------------------------

/// nvCOMP 4's batched calls for one format, found by name at run time.
struct Peer {
    struct Options {
        int value = 0;
    };
    int (*encode_temp)(size_t, size_t, Options, size_t*, size_t) = nullptr;
    int (*encode_place)(size_t, Options, size_t*) = nullptr;
    int (*encode)(const void* const*, const size_t*, size_t, size_t, void*, size_t, void* const*, size_t*, Options,
                  cudaStream_t) = nullptr;
    int (*decode_temp)(size_t, size_t, size_t*, size_t) = nullptr;
    int (*decode)(const void* const*, const size_t*, const size_t*, size_t*, size_t, void*, size_t, void* const*, int*,
                  cudaStream_t) = nullptr;

    Peer(void* library, bool is_snappy) {
        if (!library) return;
        const auto find = [&](auto& target, const char* name) {
            const std::string symbol = std::string("nvcompBatched") + (is_snappy ? "Snappy" : "LZ4") + name;
            target = reinterpret_cast<std::remove_reference_t<decltype(target)>>(dlsym(library, symbol.c_str()));
            if (!target) std::printf("# no %s\n", symbol.c_str());
        };
        find(encode_temp, "CompressGetTempSizeEx");
        find(encode_place, "CompressGetMaxOutputChunkSize");
        find(encode, "CompressAsync");
        find(decode_temp, "DecompressGetTempSizeEx");
        find(decode, "DecompressAsync");
    }
    bool there() const { return encode_temp && encode_place && encode && decode_temp && decode; }
};

// ---- measuring
// --------------------------------------------------------------------------------------------------------------

struct Times {
    float median = 0, least = 0, most = 0;
    std::string text(size_t bytes) const {
        char line[80];
        std::snprintf(line, sizeof line, "%.3f,%.3f,%.3f,%.1f", median, least, most, bytes / median / 1e6);
        return line;
    }
};

template <typename Launch>
Times measure(Launch launch, int turns) {
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    std::vector<float> times;
    for (int turn = 0; turn <= turns; ++turn) {
        CHECK(cudaEventRecord(begin));
        launch();
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        float ms;
        CHECK(cudaEventElapsedTime(&ms, begin, end));
        if (turn || turns == 0) times.push_back(ms);
    }
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    std::sort(times.begin(), times.end());
    return {times[times.size() / 2], times.front(), times.back()};
}

/// Everything of one file and batch on the device.
struct Bench {
    std::string name;
    Bytes raw;  ///< the file's whole blocks
    uint32_t base = 0, count = 0;
    size_t raw_bytes = 0;
    uint8_t *input = nullptr, *encoded = nullptr, *decoded = nullptr;
    uint16_t* links = nullptr;
    BlockEntry* entries = nullptr;
    EncodeEntry* encode_entries = nullptr;
    uint8_t* strips = nullptr;
    BlockResult* results = nullptr;
    void **raw_pointers = nullptr, **encoded_pointers = nullptr, **decoded_pointers = nullptr;
    size_t *raw_sizes = nullptr, *encoded_sizes = nullptr, *decoded_sizes = nullptr;
    int* statuses = nullptr;
    unsigned long long* differences = nullptr;
    std::vector<size_t> sizes;  ///< of the encoded blocks

    void upload_encoding() {
        std::vector<EncodeEntry> table;
        for (uint64_t i = 0; i < count; ++i)
            table.push_back({{i * BLOCK_BYTES, i * PLACE_BYTES, BLOCK_BYTES, PLACE_BYTES}, i * STRIPS_BYTES});
        CHECK(cudaMemcpy(encode_entries, table.data(), count * sizeof(EncodeEntry), cudaMemcpyHostToDevice));
    }
    void upload_decoding() {
        std::vector<BlockEntry> table;
        for (uint64_t i = 0; i < count; ++i)
            table.push_back({i * PLACE_BYTES, i * BLOCK_BYTES, static_cast<uint32_t>(sizes[i]), BLOCK_BYTES});
        CHECK(cudaMemcpy(entries, table.data(), count * sizeof(BlockEntry), cudaMemcpyHostToDevice));
    }
    EncodeBatch encoding() const {
        return {input,   raw_bytes, encoded, size_t{count} * PLACE_BYTES, encode_entries,
                results, count,     strips,  size_t{count} * STRIPS_BYTES};
    }
    Batch decoding() const {
        return {encoded, size_t{count} * PLACE_BYTES, decoded, raw_bytes, entries, results, count};
    }

    /// Sizes from our results; how many blocks failed.
    size_t read_results(std::vector<size_t>& into) const {
        std::vector<BlockResult> got(count);
        CHECK(cudaMemcpy(got.data(), results, count * sizeof(BlockResult), cudaMemcpyDeviceToHost));
        size_t failed = 0;
        into.clear();
        for (auto& r : got) {
            failed += r.status != STATUS_SOUND;
            into.push_back(r.output_bytes);
        }
        return failed;
    }
    size_t count_wrong() {
        CHECK(cudaMemset(differences, 0, 8));
        count_differences<<<1024, 256>>>(decoded, input, raw_bytes, raw_bytes, differences);
        unsigned long long different;
        CHECK(cudaMemcpy(&different, differences, 8, cudaMemcpyDeviceToHost));
        return different;
    }
    double ratio() const {
        size_t bytes = 0;
        for (size_t s : sizes) bytes += s;
        return double(raw_bytes) / bytes;
    }
    /// The distinct blocks through the host's decoder: how many are wrong.
    size_t check_on_host(bool is_snappy, const std::string& dump) {
        Bytes all(size_t{base} * PLACE_BYTES), out;
        CHECK(cudaMemcpy(all.data(), encoded, std::min<size_t>(base, count) * PLACE_BYTES, cudaMemcpyDeviceToHost));
        std::ofstream file;
        if (!dump.empty()) {
            file.open(dump, std::ios::binary);
            file.write(reinterpret_cast<const char*>(&base), 4);
        }
        size_t wrong = 0;
        for (uint32_t i = 0; i < std::min(base, count); ++i) {
            const uint8_t* block = &all[size_t{i} * PLACE_BYTES];
            const uint8_t* expected = &raw[size_t{i} * BLOCK_BYTES];
            const bool sound =
                (is_snappy ? host_decode_snappy : host_decode_lz4)(block, sizes[i], BLOCK_BYTES, out, nullptr);
            wrong += !sound || out.size() != BLOCK_BYTES || std::memcmp(out.data(), expected, BLOCK_BYTES) != 0;
            if (!dump.empty()) {
                const uint32_t header[3] = {static_cast<uint32_t>(sizes[i]), BLOCK_BYTES, crc32(out)};
                file.write(reinterpret_cast<const char*>(header), 12);
                file.write(reinterpret_cast<const char*>(block), sizes[i]);
            }
        }
        return wrong;
    }
};

std::string verdict(size_t wrong) { return wrong == 0 ? "yes" : "WRONG " + std::to_string(wrong); }

/// Decodes what lies in `encoded` with both decoders and prints a line for each.
void decode_both(Bench& b, const Peer& peer, bool is_snappy, const std::string& encoder,
                 const std::string& encode_columns, size_t wrong) {
    const auto line = [&](const char* decoder, const Times& times, size_t bad) {
        std::printf("%s,%s,%zu,%s,%.3f,%s,%s,%s,%s\n", b.name.c_str(), is_snappy ? "snappy" : "lz4", b.raw_bytes >> 20,
                    encoder.c_str(), b.ratio(), encode_columns.c_str(), decoder, times.text(b.raw_bytes).c_str(),
                    verdict(wrong + bad).c_str());
        std::fflush(stdout);
    };
    b.upload_decoding();
    CHECK(cudaMemset(b.decoded, 0xEE, b.raw_bytes));
    const Batch batch = b.decoding();
    const Times ours = measure(
        [&] {
            is_snappy ? decode<true><<<(b.count + 1) / 2, 64>>>(batch)
                      : decode<false><<<(b.count + 1) / 2, 64>>>(batch);
        },
        7);
    std::vector<size_t> lengths;
    const size_t failed = b.read_results(lengths);
    line("ours", ours, failed + b.count_wrong());
    if (!peer.there()) return;
    CHECK(cudaMemcpy(b.encoded_sizes, b.sizes.data(), b.count * sizeof(size_t), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(b.decoded, 0xEE, b.raw_bytes));
    size_t temp_bytes = 0;
    void* temp = nullptr;
    int error = peer.decode_temp(b.count, BLOCK_BYTES, &temp_bytes, b.raw_bytes);
    if (temp_bytes) CHECK(cudaMalloc(&temp, temp_bytes));
    const Times theirs = measure(
        [&] {
            error |= peer.decode(b.encoded_pointers, b.encoded_sizes, b.raw_sizes, b.decoded_sizes, b.count, temp,
                                 temp_bytes, b.decoded_pointers, b.statuses, nullptr);
        },
        7);
    CHECK(cudaFree(temp));
    line("nvCOMP 4.1", theirs, error + b.count_wrong());
}

void encode_ours(Bench& b, const Encoder& e, const Peer& peer, bool once) {
    b.upload_encoding();
    CHECK(cudaMemset(b.encoded, 0xEE, size_t{b.count} * PLACE_BYTES));
    const Times times = measure([&] { e.launch(b.encoding(), b.links); }, once ? 0 : 5);
    size_t wrong = b.read_results(b.sizes);
    if (once) {
        std::printf("%s,%s,%s,%.3f,%s\n", b.name.c_str(), e.is_snappy ? "snappy" : "lz4", e.name.c_str(), b.ratio(),
                    times.text(b.raw_bytes).c_str());
        return;
    }
    const char* folder = std::getenv("DUMP");
    wrong += b.check_on_host(e.is_snappy, folder && !e.dump.empty() ? folder + ("/" + b.name) + e.dump : "");
    for (uint32_t i = b.base; i < b.count; ++i)
        wrong += b.sizes[i] != b.sizes[i % b.base];  // the same block, the same length
    decode_both(b, peer, e.is_snappy, e.name, times.text(b.raw_bytes), wrong);
}

void encode_theirs(Bench& b, const Peer& peer, bool is_snappy) {
    size_t temp_bytes = 0, place_bytes = 0;
    int error = peer.encode_temp(b.count, BLOCK_BYTES, {}, &temp_bytes, b.raw_bytes) |
                peer.encode_place(BLOCK_BYTES, {}, &place_bytes);
    if (error || place_bytes > PLACE_BYTES) {
        std::printf("# nvCOMP: error %d, %zu bytes a block\n", error, place_bytes);
        return;
    }
    void* temp = nullptr;
    if (temp_bytes) CHECK(cudaMalloc(&temp, temp_bytes));
    const Times times = measure(
        [&] {
            error |= peer.encode(b.raw_pointers, b.raw_sizes, BLOCK_BYTES, b.count, temp, temp_bytes,
                                 b.encoded_pointers, b.encoded_sizes, {}, nullptr);
        },
        5);
    CHECK(cudaFree(temp));
    b.sizes.resize(b.count);
    CHECK(cudaMemcpy(b.sizes.data(), b.encoded_sizes, b.count * sizeof(size_t), cudaMemcpyDeviceToHost));
    decode_both(b, peer, is_snappy, "nvCOMP 4.1", times.text(b.raw_bytes), error);
}

/// Decodes the blocks that lz4-java or snappy-java made of the file.
void decode_foreign(Bench& b, const Peer& peer, bool is_snappy, const std::string& path) {
    if (!std::ifstream(path)) return;
    const File file = load(path);
    b.sizes.clear();
    for (uint32_t i = 0; i < b.count; ++i) {
        const Bytes& block = file.compressed[i % b.base];
        CHECK(cudaMemcpyAsync(b.encoded + size_t{i} * PLACE_BYTES, block.data(), block.size(), cudaMemcpyHostToDevice));
        b.sizes.push_back(block.size());
    }
    CHECK(cudaDeviceSynchronize());
    decode_both(b, peer, is_snappy, is_snappy ? "snappy-java" : "lz4-java fast", ",,,", 0);
}

Bench open(size_t batch_bytes, const std::string& path) {
    Bench b;
    b.name = path.substr(path.rfind('/') + 1);
    std::ifstream file(path, std::ios::binary);
    b.raw.assign(std::istreambuf_iterator<char>(file), {});
    b.base = static_cast<uint32_t>(b.raw.size() / BLOCK_BYTES);
    b.raw.resize(size_t{b.base} * BLOCK_BYTES);
    if (b.base == 0) std::exit(3);
    b.count = static_cast<uint32_t>(batch_bytes / BLOCK_BYTES);
    b.raw_bytes = size_t{b.count} * BLOCK_BYTES;
    CHECK(cudaMalloc(&b.input, b.raw_bytes));
    CHECK(cudaMalloc(&b.decoded, b.raw_bytes));
    CHECK(cudaMalloc(&b.encoded, size_t{b.count} * PLACE_BYTES));
    CHECK(cudaMalloc(&b.links, size_t{LINKED_CTAS} * LINK_COUNT * sizeof(uint16_t)));
    CHECK(cudaMalloc(&b.entries, b.count * sizeof(BlockEntry)));
    CHECK(cudaMalloc(&b.encode_entries, b.count * sizeof(EncodeEntry)));
    CHECK(cudaMalloc(&b.strips, size_t{b.count} * STRIPS_BYTES));
    CHECK(cudaMalloc(&b.results, b.count * sizeof(BlockResult)));
    CHECK(cudaMalloc(&b.statuses, b.count * sizeof(int)));
    CHECK(cudaMalloc(&b.differences, 8));
    for (size_t at = 0; at < b.raw_bytes; at += b.raw.size()) {
        CHECK(cudaMemcpy(b.input + at, b.raw.data(), std::min(b.raw.size(), b.raw_bytes - at), cudaMemcpyHostToDevice));
    }
    const auto pointers = [&](uint8_t* first, size_t stride) {
        std::vector<void*> all;
        for (uint32_t i = 0; i < b.count; ++i) all.push_back(first + i * stride);
        return to_device(all);
    };
    b.raw_pointers = pointers(b.input, BLOCK_BYTES);
    b.encoded_pointers = pointers(b.encoded, PLACE_BYTES);
    b.decoded_pointers = pointers(b.decoded, BLOCK_BYTES);
    b.raw_sizes = to_device(std::vector<size_t>(b.count, BLOCK_BYTES));
    b.encoded_sizes = to_device(std::vector<size_t>(b.count));
    b.decoded_sizes = to_device(std::vector<size_t>(b.count));
    return b;
}

void close(Bench& b) {
    for (void* p : {(void*)b.input, (void*)b.decoded, (void*)b.encoded, (void*)b.links, (void*)b.entries,
                    (void*)b.encode_entries, (void*)b.strips, (void*)b.results, (void*)b.statuses, (void*)b.differences,
                    (void*)b.raw_pointers, (void*)b.encoded_pointers, (void*)b.decoded_pointers, (void*)b.raw_sizes,
                    (void*)b.encoded_sizes, (void*)b.decoded_sizes}) {
        CHECK(cudaFree(p));
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::printf("usage: see the head of the source\n");
        return 1;
    }
    const char* only = std::getenv("ONLY");
    void* library = std::strcmp(argv[2], "none") == 0 ? nullptr : dlopen(argv[2], RTLD_NOW);
    if (!library && std::strcmp(argv[2], "none") != 0) std::printf("# %s\n", dlerror());
    std::printf(
        "file,format,batch_MiB,encoder,ratio,encode_ms,encode_ms_min,encode_ms_max,encode_GBps,decoder,decode_ms,"
        "decode_ms_min,"
        "decode_ms_max,decode_GBps,verified\n");
    for (int i = 3; i < argc; ++i) {
        Bench b = open(std::strtoull(argv[1], nullptr, 10) << 20, argv[i]);
        for (const bool is_snappy : {false, true}) {
            const Peer peer(library, is_snappy);
            for (const Encoder& e : encoders()) {
                if (e.is_snappy != is_snappy || (only && !std::strstr(e.name.c_str(), only))) continue;
                encode_ours(b, e, peer, only != nullptr);
            }
            if (only) continue;
            if (peer.there()) encode_theirs(b, peer, is_snappy);
            decode_foreign(b, peer, is_snappy, std::string(argv[i]) + (is_snappy ? ".snpb" : ".lz4b"));
        }
        close(b);
    }
    return 0;
}
