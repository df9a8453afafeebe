// Times encoding and decoding of blocks of 64 KiB of LZ4 and Snappy on one device, ours and a peer's. Each decoder
// decodes each encoder's blocks, and a line is printed for each pair. Decoded bytes are compared with the file. Our
// encoders' distinct blocks also go through a plain decoder on the host; repetitions of a block must have its length.
// A program, not a test.
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
#include <functional>

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

/// A file's whole blocks again and again, and all memory for encoding and decoding them.
struct Bench {
    std::string name;
    Bytes raw;  ///< the file's whole blocks
    uint32_t base, count;
    size_t raw_bytes;
    DeviceMemory memory;
    uint8_t *input, *encoded, *decoded;
    uint16_t* links;
    BlockEntry* entries;
    EncodeEntry* encode_entries;
    uint8_t* strips;
    BlockResult* results;
    void **raw_pointers, **encoded_pointers, **decoded_pointers;
    size_t *raw_sizes, *encoded_sizes, *decoded_sizes;
    int* statuses;
    std::vector<size_t> sizes;  ///< of the encoded blocks

    Bench(size_t batch_bytes, const std::string& path) : name(name_of(path)), raw(read_file(path)) {
        base = static_cast<uint32_t>(raw.size() / BLOCK_BYTES);
        if (base == 0) std::exit(3);
        raw.resize(size_t{base} * BLOCK_BYTES);
        count = static_cast<uint32_t>(batch_bytes / BLOCK_BYTES);
        raw_bytes = size_t{count} * BLOCK_BYTES;
        input = memory.repeat(raw, raw_bytes);
        decoded = memory.room<uint8_t>(raw_bytes);
        encoded = memory.room<uint8_t>(size_t{count} * PLACE_BYTES);
        links = memory.room<uint16_t>(size_t{LINKED_CTAS} * LINK_COUNT);
        entries = memory.room<BlockEntry>(count);
        encode_entries = memory.room<EncodeEntry>(count);
        strips = memory.room<uint8_t>(size_t{count} * STRIPS_BYTES);
        results = memory.room<BlockResult>(count);
        statuses = memory.room<int>(count);
        raw_pointers = upload_pointers(input, BLOCK_BYTES);
        encoded_pointers = upload_pointers(encoded, PLACE_BYTES);
        decoded_pointers = upload_pointers(decoded, BLOCK_BYTES);
        raw_sizes = memory.upload(std::vector<size_t>(count, BLOCK_BYTES));
        encoded_sizes = memory.room<size_t>(count, 0);
        decoded_sizes = memory.room<size_t>(count, 0);
    }

    /// Pointers to each block, for the peer.
    void** upload_pointers(uint8_t* first, size_t stride) {
        std::vector<void*> all;
        for (uint32_t i = 0; i < count; ++i) all.push_back(first + i * stride);
        return memory.upload(all);
    }

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

    /// Reads sizes from our results; answers how many blocks failed.
    size_t read_results(std::vector<size_t>& into) const {
        size_t failed = 0;
        into.clear();
        for (auto& r : to_host(results, count)) {
            failed += r.status != STATUS_SOUND;
            into.push_back(r.output_bytes);
        }
        return failed;
    }
    size_t count_wrong() const { return count_differences(decoded, input, raw_bytes, raw_bytes); }
    double ratio() const {
        size_t bytes = 0;
        for (size_t s : sizes) bytes += s;
        return double(raw_bytes) / bytes;
    }
    /// Number of distinct blocks that the host's decoder finds wrong.
    size_t check_on_host(bool is_snappy, const std::string& dump) const {
        const uint32_t distinct = std::min(base, count);
        const Bytes all = to_host(encoded, size_t{distinct} * PLACE_BYTES);
        std::ofstream file;
        if (!dump.empty()) {
            file.open(dump, std::ios::binary);
            file.write(reinterpret_cast<const char*>(&base), 4);
        }
        Bytes out;
        size_t wrong = 0;
        for (uint32_t i = 0; i < distinct; ++i) {
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

/// Scratch for the peer; null if it needs none.
void* peer_scratch(DeviceMemory& memory, size_t bytes) { return bytes ? memory.room<uint8_t>(bytes) : nullptr; }

Times time_our_decoder(const Bench& b, bool is_snappy) {
    const Batch batch = b.decoding();
    return measure(
        [&] {
            is_snappy ? decode<true><<<(b.count + 1) / 2, 64>>>(batch)
                      : decode<false><<<(b.count + 1) / 2, 64>>>(batch);
        },
        7);
}

/// @param error set to the peer's answers
Times time_their_decoder(const Bench& b, const Peer& peer, int& error) {
    CHECK(cudaMemcpy(b.encoded_sizes, b.sizes.data(), b.count * sizeof(size_t), cudaMemcpyHostToDevice));
    size_t scratch_bytes = 0;
    error = peer.decode_temp(b.count, BLOCK_BYTES, &scratch_bytes, b.raw_bytes);
    DeviceMemory memory;
    void* scratch = peer_scratch(memory, scratch_bytes);
    return measure(
        [&] {
            error |= peer.decode(b.encoded_pointers, b.encoded_sizes, b.raw_sizes, b.decoded_sizes, b.count, scratch,
                                 scratch_bytes, b.decoded_pointers, b.statuses, nullptr);
        },
        7);
}

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
    const Times ours = time_our_decoder(b, is_snappy);
    std::vector<size_t> lengths;
    const size_t failed = b.read_results(lengths);
    line("ours", ours, failed + b.count_wrong());
    if (!peer.there()) return;
    CHECK(cudaMemset(b.decoded, 0xEE, b.raw_bytes));
    int error = 0;
    const Times theirs = time_their_decoder(b, peer, error);
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
    DeviceMemory memory;
    void* temp = peer_scratch(memory, temp_bytes);
    const Times times = measure(
        [&] {
            error |= peer.encode(b.raw_pointers, b.raw_sizes, BLOCK_BYTES, b.count, temp, temp_bytes,
                                 b.encoded_pointers, b.encoded_sizes, {}, nullptr);
        },
        5);
    memory.clear();
    b.sizes = to_host(b.encoded_sizes, b.count);
    decode_both(b, peer, is_snappy, "nvCOMP 4.1", times.text(b.raw_bytes), error);
}

/// Decodes blocks of the file by lz4-java or snappy-java.
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

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) return usage();
    const char* only = std::getenv("ONLY");
    void* library = std::strcmp(argv[2], "none") == 0 ? nullptr : dlopen(argv[2], RTLD_NOW);
    if (!library && std::strcmp(argv[2], "none") != 0) std::printf("# %s\n", dlerror());
    std::printf(
        "file,format,batch_MiB,encoder,ratio,encode_ms,encode_ms_min,encode_ms_max,encode_GBps,decoder,decode_ms,"
        "decode_ms_min,decode_ms_max,decode_GBps,verified\n");
    for (int i = 3; i < argc; ++i) {
        Bench b(std::strtoull(argv[1], nullptr, 10) << 20, argv[i]);
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
    }
    return 0;
}
