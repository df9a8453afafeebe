// Times the encoding of streams of one prefix code on one device: counting bytes and building the codes, encoding,
// and both; one line per file and size of stream. What was written is decoded on the device and compared with the raw
// data, and each distinct stream is compared with a plain encoder's. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o huffman_encode_bench benchmarks/src/main/cuda/huffman_encode_bench.cu -lz
//   huffman_encode_bench bench BATCH_MB FILE...
//   huffman_encode_bench mutate SEED STREAMS FILE...    damaged codes, scarce room: same verdict and bits as the host's encoder, nothing written beside
//
// FILE: raw data, perhaps gzipped; each stream gets the optimal code of its own bytes. Sizes: 64 KiB, 256 KiB, and
// all of the file as one stream.
#include <cstdio>
#include <random>

#include "huffman/huffman_build.cuh"
#include "huffman_count.cuh"
#include "huffman_decode.cuh"
#include "huffman_encode.cuh"
#include "huffman_files.cuh"

using namespace warpcodec;
using namespace warpcodec::huffman;

namespace {

constexpr int BUILD_THREADS = 288;
constexpr int DECODE_WARPS = DecodePolicy::CTA_THREADS / WARP_LANES;
constexpr int ENCODE_WARPS = EncodePolicy::CTA_THREADS / WARP_LANES;

__global__ void __launch_bounds__(CountPolicy::CTA_THREADS) count_symbols(CountBatch batch) {
    __shared__ CountScratch s_scratch;
    cta_count_piece(batch, blockIdx.x, s_scratch);
}

/// As huffman_build_codes, of 256 symbols; the words are not needed.
__global__ void __launch_bounds__(BUILD_THREADS) build_lengths(const uint32_t* weights, uint8_t* lengths) {
    __shared__ BuildScratch<BUILD_THREADS, MAX_CODE_BITS> s_scratch;
    __shared__ uint32_t s_weights[SYMBOLS];
    __shared__ uint8_t s_lengths[SYMBOLS];
    const CtaGroup<BUILD_THREADS> group{static_cast<int>(threadIdx.x)};
    if (threadIdx.x < SYMBOLS) s_weights[threadIdx.x] = weights[uint64_t{blockIdx.x} * SYMBOLS + threadIdx.x];
    group.sync();
    group_build_lengths(group, s_weights, SYMBOLS, MAX_CODE_BITS, s_lengths, s_scratch);
    if (threadIdx.x < SYMBOLS) lengths[uint64_t{blockIdx.x} * SYMBOLS + threadIdx.x] = s_lengths[threadIdx.x];
}

__global__ void __launch_bounds__(EncodePolicy::CTA_THREADS) measure(EncodeBatch batch) {
    __shared__ MeasureScratch s_scratch[ENCODE_WARPS];
    const uint32_t piece = blockIdx.x * ENCODE_WARPS + threadIdx.x / WARP_LANES;
    if (piece < batch.piece_count)
        warp_measure_piece(batch, piece, s_scratch[threadIdx.x / WARP_LANES], threadIdx.x % WARP_LANES);
}

__global__ void __launch_bounds__(EncodePolicy::PLACE_CTA_THREADS) place(EncodeBatch batch) {
    __shared__ PlaceScratch s_scratch;
    warp_place_stream(batch, blockIdx.x, s_scratch, threadIdx.x);
}

__global__ void __launch_bounds__(EncodePolicy::CTA_THREADS) encode_pieces(EncodeBatch batch) {
    __shared__ EncodeScratch s_scratch[ENCODE_WARPS];
    const uint32_t piece = blockIdx.x * ENCODE_WARPS + threadIdx.x / WARP_LANES;
    if (piece < batch.piece_count)
        warp_encode_piece(batch, piece, s_scratch[threadIdx.x / WARP_LANES], threadIdx.x % WARP_LANES);
}

__global__ void __launch_bounds__(DecodePolicy::CTA_THREADS) synchronise(StreamBatch batch) {
    __shared__ StreamScratch s_scratch[DECODE_WARPS];
    const uint32_t piece = blockIdx.x * DECODE_WARPS + threadIdx.x / WARP_LANES;
    if (piece < batch.piece_count)
        warp_synchronise_piece(batch, piece, s_scratch[threadIdx.x / WARP_LANES], threadIdx.x % WARP_LANES);
}

__global__ void __launch_bounds__(WARP_LANES) stitch(StreamBatch batch) {
    __shared__ StreamScratch s_scratch;
    warp_stitch_stream(batch, blockIdx.x, s_scratch, threadIdx.x);
}

__global__ void __launch_bounds__(DecodePolicy::CTA_THREADS) write(StreamBatch batch) {
    __shared__ StreamScratch s_scratch[DECODE_WARPS];
    const uint32_t piece = blockIdx.x * DECODE_WARPS + threadIdx.x / WARP_LANES;
    if (piece < batch.piece_count)
        warp_write_piece(batch, piece, s_scratch[threadIdx.x / WARP_LANES], threadIdx.x % WARP_LANES);
}

uint32_t ctas(uint32_t pieces, int warps) { return (pieces + warps - 1) / warps; }

/// The pieces of streams, numbered through.
uint32_t pieces_of(uint64_t units, uint64_t of_a_piece) {
    return static_cast<uint32_t>(std::max<uint64_t>(1, (units + of_a_piece - 1) / of_a_piece));
}

void launch_encode(const EncodeBatch& batch) {
    measure<<<ctas(batch.piece_count, ENCODE_WARPS), EncodePolicy::CTA_THREADS>>>(batch);
    place<<<batch.stream_count, EncodePolicy::PLACE_CTA_THREADS>>>(batch);
    encode_pieces<<<ctas(batch.piece_count, ENCODE_WARPS), EncodePolicy::CTA_THREADS>>>(batch);
    CHECK(cudaGetLastError());
}

template <typename T>
T* device_room(size_t count) {
    T* p;
    CHECK(cudaMalloc(&p, count * sizeof(T)));
    return p;
}

template <typename T>
std::vector<T> to_host(const T* values, size_t count) {
    std::vector<T> copy(count);
    CHECK(cudaMemcpy(copy.data(), values, count * sizeof(T), cudaMemcpyDeviceToHost));
    return copy;
}

/// Decodes what a batch of sound streams became; counts the bytes that differ from `raw`, which is repeated as often
/// as it takes. The lengths lie behind the output, in one buffer.
unsigned long long decode_and_compare(const EncodeBatch& batch, const std::vector<EncodeEntry>& entries,
                                      const std::vector<EncodeResult>& results, const uint8_t* raw, size_t raw_bytes) {
    StreamBatch decode{};
    decode.input = batch.output;
    decode.input_bytes = batch.output_bytes + batch.lengths_bytes;
    decode.stream_count = batch.stream_count;
    std::vector<StreamEntry> streams;
    for (uint32_t i = 0; i < batch.stream_count; ++i) {
        const uint32_t bytes = (results[i].bits + 7) / 8;
        streams.push_back({entries[i].output_offset, decode.output_bytes,
                           batch.output_bytes + entries[i].lengths_offset, bytes, entries[i].input_bytes,
                           decode.piece_count, 0});
        decode.output_bytes += entries[i].input_bytes;
        decode.piece_count += pieces_of(8ull * bytes, PIECE_BITS);
    }
    StreamEntry* device_streams = to_device(streams);
    decode.entries = device_streams;
    decode.output = device_room<uint8_t>(decode.output_bytes);
    decode.results = device_room<BlockResult>(batch.stream_count);
    decode.parts = device_room<PartNote>(size_t(decode.piece_count) * WARP_LANES);
    decode.pieces = device_room<PieceNote>(decode.piece_count);
    unsigned long long* differences = device_room<unsigned long long>(1);
    CHECK(cudaMemset(differences, 0, 8));
    CHECK(cudaMemset(decode.output, 0xEE, decode.output_bytes));
    synchronise<<<ctas(decode.piece_count, DECODE_WARPS), DecodePolicy::CTA_THREADS>>>(decode);
    stitch<<<batch.stream_count, WARP_LANES>>>(decode);
    write<<<ctas(decode.piece_count, DECODE_WARPS), DecodePolicy::CTA_THREADS>>>(decode);
    count_differences<<<1024, 256>>>(decode.output, raw, raw_bytes, decode.output_bytes, differences);
    CHECK(cudaGetLastError());
    unsigned long long wrong = to_host(differences, 1)[0];
    for (auto& result : to_host(decode.results, batch.stream_count)) wrong += result.status != STATUS_SOUND;
    for (void* p : {(void*)device_streams, (void*)decode.output, (void*)decode.results, (void*)decode.parts,
                    (void*)decode.pieces, (void*)differences}) {
        CHECK(cudaFree(p));
    }
    return wrong;
}

/// Streams that are not bit for bit what the plain encoder writes with the same lengths, or cost more than an optimal
/// code.
unsigned long long compare_with_host(const Bytes& raw, size_t stream_bytes, const Bytes& output, const Bytes& lengths,
                                     const std::vector<EncodeResult>& results) {
    unsigned long long wrong = 0;
    for (size_t i = 0; i < raw.size() / stream_bytes; ++i) {
        const uint8_t* bytes = raw.data() + i * stream_bytes;
        const Bytes own(lengths.begin() + i * SYMBOLS, lengths.begin() + (i + 1) * SYMBOLS);
        const Bytes optimal = code_lengths(bytes, stream_bytes);
        uint64_t bits = 0, optimal_bits = 0;
        for (size_t k = 0; k < stream_bytes; ++k) bits += own[bytes[k]], optimal_bits += optimal[bytes[k]];
        const Bytes expected = encode(bytes, stream_bytes, own);
        wrong += results[i].bits != bits || bits > optimal_bits ||
                 !std::equal(expected.begin(), expected.end(), output.begin() + i * stream_bytes);
    }
    return wrong;
}

void bench(const std::string& path, size_t batch_bytes, size_t stream_bytes) {
    Bytes raw = read_all(path);
    if (stream_bytes == 0) stream_bytes = raw.size();
    raw.resize(raw.size() / stream_bytes * stream_bytes);
    const uint32_t base = static_cast<uint32_t>(raw.size() / stream_bytes);
    if (base == 0) return;
    const uint32_t count = static_cast<uint32_t>(std::max<size_t>(1, batch_bytes / stream_bytes));
    const size_t bytes = size_t(count) * stream_bytes;
    uint8_t* input = device_room<uint8_t>(bytes);
    for (size_t at = 0; at < bytes; at += raw.size())
        CHECK(cudaMemcpy(input + at, raw.data(), std::min(raw.size(), bytes - at), cudaMemcpyHostToDevice));
    // An optimal code takes 8 bits a byte at most. The lengths lie behind the output.
    uint8_t* output = device_room<uint8_t>((bytes + size_t(count) * SYMBOLS + 7) / 8 * 8);
    uint8_t* lengths = output + bytes;
    std::vector<EncodeEntry> entries;
    std::vector<CountEntry> ranges;
    uint32_t pieces = 0, count_pieces = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t at = uint64_t(i) * stream_bytes;
        const uint32_t own = static_cast<uint32_t>(stream_bytes);
        entries.push_back({at, at, uint64_t(i) * SYMBOLS, own, own, pieces, 0});
        ranges.push_back({at, own, count_pieces});
        pieces += pieces_of(stream_bytes, EncodePolicy::PIECE_BYTES);
        count_pieces += pieces_of(stream_bytes, CountPolicy::PIECE_BYTES);
    }
    EncodeEntry* device_entries = to_device(entries);
    CountEntry* device_ranges = to_device(ranges);
    const CountBatch counting{input,       bytes, device_ranges, count, device_room<uint32_t>(size_t(count) * SYMBOLS),
                              count_pieces};
    const EncodeBatch batch{input,
                            bytes,
                            lengths,
                            size_t(count) * SYMBOLS,
                            output,
                            bytes,
                            device_entries,
                            device_room<EncodeResult>(count),
                            count,
                            device_room<Code>(size_t(count) * SYMBOLS),
                            device_room<EncodeNote>(pieces),
                            pieces};
    CHECK(cudaMemset(output, 0xEE, bytes));
    constexpr int PHASES = 5;
    enum { COUNT, BUILD, MEASURE, PLACE, ENCODE, CODES, ENCODING, ALL, SPANS };
    constexpr int FROM[SPANS] = {0, 1, 2, 3, 4, 0, 2, 0}, TO[SPANS] = {1, 2, 3, 4, 5, 2, 5, 5};
    cudaEvent_t events[PHASES + 1];
    for (auto& event : events) CHECK(cudaEventCreate(&event));
    std::vector<float> times[SPANS];
    for (int turn = 0; turn < 8; ++turn) {
        CHECK(cudaEventRecord(events[0]));
        CHECK(cudaMemsetAsync(counting.weights, 0, size_t(count) * SYMBOLS * sizeof(uint32_t)));
        count_symbols<<<count_pieces, CountPolicy::CTA_THREADS>>>(counting);
        CHECK(cudaEventRecord(events[1]));
        build_lengths<<<count, BUILD_THREADS>>>(counting.weights, lengths);
        CHECK(cudaEventRecord(events[2]));
        measure<<<ctas(pieces, ENCODE_WARPS), EncodePolicy::CTA_THREADS>>>(batch);
        CHECK(cudaEventRecord(events[3]));
        place<<<count, EncodePolicy::PLACE_CTA_THREADS>>>(batch);
        CHECK(cudaEventRecord(events[4]));
        encode_pieces<<<ctas(pieces, ENCODE_WARPS), EncodePolicy::CTA_THREADS>>>(batch);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(events[5]));
        CHECK(cudaEventSynchronize(events[5]));
        for (int span = 0; span < SPANS && turn != 0; ++span) {
            float ms;
            CHECK(cudaEventElapsedTime(&ms, events[FROM[span]], events[TO[span]]));
            times[span].push_back(ms);
        }
    }
    for (auto& span : times) std::sort(span.begin(), span.end());
    const auto median = [&](int span) { return times[span][times[span].size() / 2]; };
    const std::vector<EncodeResult> results = to_host(batch.results, count);
    unsigned long long wrong = 0, bits = 0;
    for (auto& result : results) wrong += result.status != STATUS_SOUND, bits += result.bits;
    uint8_t* device_raw = to_device(raw);
    wrong += decode_and_compare(batch, entries, results, device_raw, raw.size());
    const uint32_t distinct = std::min(base, count);
    wrong += compare_with_host(Bytes(raw.begin(), raw.begin() + distinct * stream_bytes), stream_bytes,
                               to_host(output, distinct * stream_bytes), to_host(lengths, size_t(distinct) * SYMBOLS),
                               results);
    std::printf("%s,%.2f,%zu,%zu,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.1f,%.1f,%.1f,%s\n",
                path.substr(path.rfind('/') + 1).c_str(), double(bits) / bytes, bytes >> 20, stream_bytes >> 10,
                median(COUNT), median(BUILD), median(MEASURE), median(PLACE), median(ENCODE), median(ENCODING),
                times[ENCODING][0], times[ENCODING].back(), median(CODES), median(ALL), bytes / median(CODES) / 1e6,
                bytes / median(ENCODING) / 1e6, bytes / median(ALL) / 1e6,
                wrong ? ("WRONG " + std::to_string(wrong)).c_str() : "yes");
    std::fflush(stdout);
    for (auto& event : events) CHECK(cudaEventDestroy(event));
    for (void* p : {(void*)input, (void*)output, (void*)device_entries, (void*)device_ranges, (void*)counting.weights,
                    (void*)batch.results, (void*)batch.codes, (void*)batch.notes, (void*)device_raw}) {
        CHECK(cudaFree(p));
    }
}

// ---- damage
// --------------------------------------------------------------------------------------------------------------

/// What the host's encoder makes of a stream.
struct Expected {
    uint32_t status;
    uint64_t bits;
    Bytes coded;
};

Expected host_encode(const Bytes& raw, const Bytes& lengths, uint32_t limit) {
    if (raw.empty()) return {STATUS_SOUND, 0, {}};
    uint64_t space = 0, bits = 0;
    for (uint8_t length : lengths) {
        if (length > MAX_CODE_BITS) return {STATUS_BAD_HEADER, 0, {}};
        if (length != 0) space += CODE_SPACE >> length;
    }
    if (space == 0 || space > CODE_SPACE) return {STATUS_BAD_HEADER, 0, {}};
    for (uint8_t symbol : raw) {
        if (lengths[symbol] == 0) return {STATUS_BAD_SYMBOL, 0, {}};
        bits += lengths[symbol];
    }
    if ((bits + 7) / 8 > limit) return {STATUS_OUTPUT_EXCEEDED, 0, {}};
    return {STATUS_SOUND, bits, encode(raw.data(), raw.size(), lengths)};
}

/// Streams with random defects at random places, canaries between their outputs.
int mutate(uint64_t seed, uint32_t count, const std::vector<std::string>& paths) {
    std::mt19937_64 random(seed);
    std::vector<Bytes> files;
    for (const auto& path : paths) files.push_back(read_all(path));
    Bytes input, all_lengths, image;
    std::vector<EncodeEntry> entries;
    std::vector<Expected> expected;
    uint32_t pieces = 0, sound = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const Bytes& file = files[random() % files.size()];
        const size_t most = std::min<size_t>(file.size(), random() % 10 ? 4000 : 100000);
        Bytes raw(random() % (most + 1));
        const size_t at = random() % (file.size() - raw.size() + 1);
        std::copy(file.begin() + at, file.begin() + at + raw.size(), raw.begin());
        if (random() % 4 == 0)
            for (auto& symbol : raw) symbol = static_cast<uint8_t>(random() % 8 ? 'a' : random() % (1 + at % 255));
        Bytes lengths = code_lengths(raw.data(), raw.size());
        uint32_t limit = static_cast<uint32_t>(encode(raw.data(), raw.size(), lengths).size());
        switch (random() % 8) {
            case 1: lengths[random() % SYMBOLS] = static_cast<uint8_t>(random()); break;
            case 2: lengths[random() % SYMBOLS] = static_cast<uint8_t>(random() % 16); break;
            case 3:
                for (auto& length : lengths)
                    if (length != 0 && random() % 8) length = MAX_CODE_BITS;
                limit *= 4;
                break;
            case 4: limit -= std::min<uint32_t>(limit, 1 + random() % 3); break;
            case 5: limit += static_cast<uint32_t>(random() % 100); break;
        }
        expected.push_back(host_encode(raw, lengths, limit));
        sound += expected.back().status == STATUS_SOUND;
        input.insert(input.end(), random() % 20, 0xFF);
        all_lengths.insert(all_lengths.end(), random() % 5, 0xFF);
        image.insert(image.end(), random() % 9, 0xA5);
        entries.push_back(
            {input.size(), image.size(), all_lengths.size(), static_cast<uint32_t>(raw.size()), limit, pieces, 0});
        input.insert(input.end(), raw.begin(), raw.end());
        all_lengths.insert(all_lengths.end(), lengths.begin(), lengths.end());
        image.insert(image.end(), limit, 0xA5);
        pieces += pieces_of(raw.size(), EncodePolicy::PIECE_BYTES);
    }
    input.push_back(0);
    image.push_back(0xA5);
    const EncodeBatch batch{to_device(input),
                            input.size(),
                            to_device(all_lengths),
                            all_lengths.size(),
                            to_device(image),
                            image.size(),
                            to_device(entries),
                            device_room<EncodeResult>(count),
                            count,
                            device_room<Code>(size_t(count) * SYMBOLS),
                            device_room<EncodeNote>(pieces),
                            pieces};
    CHECK(cudaMemset(batch.results, 0xEE, count * sizeof(EncodeResult)));
    launch_encode(batch);
    CHECK(cudaDeviceSynchronize());
    const std::vector<EncodeResult> results = to_host(batch.results, count);
    const Bytes output = to_host(batch.output, image.size());
    uint32_t verdicts = 0, bytes = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const Expected& wanted = expected[i];
        if ((results[i].status != wanted.status || results[i].bits != wanted.bits) && ++verdicts <= 3) {
            std::printf("  stream %u: status %u, %u bits; host: %u, %llu\n", i, results[i].status, results[i].bits,
                        wanted.status, static_cast<unsigned long long>(wanted.bits));
        }
        std::copy(wanted.coded.begin(), wanted.coded.end(), image.begin() + entries[i].output_offset);
    }
    for (size_t at = 0; at < image.size(); ++at) bytes += output[at] != image[at];
    std::printf(
        "seed %llu: %u streams, %u of them sound: %u wrong verdicts, %u wrong bytes, beside or in the streams\n",
        static_cast<unsigned long long>(seed), count, sound, verdicts, bytes);
    return verdicts + bytes != 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string verb = argc > 1 ? argv[1] : "";
    if (verb == "mutate" && argc > 4)
        return mutate(std::strtoull(argv[2], nullptr, 10), std::atoi(argv[3]), {argv + 4, argv + argc});
    if (verb != "bench" || argc < 4) {
        std::printf("usage: see the head of the source\n");
        return 1;
    }
    std::printf(
        "file,bits_per_byte,batch_MB,stream_KB,ms_count,ms_build,ms_measure,ms_place,ms_encode,ms_encoding,ms_encoding_"
        "min,ms_encoding_max,ms_codes,"
        "ms_all,"
        "GBps_codes,GBps_encoding,GBps_all,verified\n");
    for (int i = 3; i < argc; ++i) {
        for (const size_t stream_bytes : {size_t(65536), size_t(262144), size_t(0)})
            bench(argv[i], std::strtoull(argv[2], nullptr, 10) << 20, stream_bytes);
    }
    return 0;
}
