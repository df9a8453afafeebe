// Times the encoding of streams of one prefix code on one device: counting bytes and building the codes, encoding, and
// both. Prints one line per file and size of stream. Streams are decoded on the device and compared with the raw data;
// each distinct stream is compared with a plain encoder's. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o huffman_encode_bench benchmarks/src/main/cuda/huffman_encode_bench.cu -lz
//   huffman_encode_bench bench BATCH_MB FILE...
//   huffman_encode_bench mutate SEED STREAMS FILE...    damaged codes, scarce room: same verdict and bits as the host's encoder, nothing written beside
//
// FILE: raw data, perhaps gzipped; each stream gets the optimal code of its bytes. Sizes: 64 KiB, 256 KiB, and
// all of the file as one stream.
#include <random>

#include "huffman/huffman_build.cuh"
#include "huffman_count.cuh"
#include "huffman_decode_device.cuh"
#include "huffman_encode.cuh"
#include "huffman_files.cuh"

namespace {

constexpr int BUILD_THREADS = 288;
constexpr int ENCODE_WARPS = EncodePolicy::CTA_THREADS / WARP_LANES;

__global__ void __launch_bounds__(CountPolicy::CTA_THREADS) count_symbols(CountBatch batch) {
    __shared__ CountScratch s_scratch;
    cta_count_piece(batch, blockIdx.x, s_scratch);
}

/// Builds the lengths of a code of 256 symbols for each stream.
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

/// Encodes all; mark() is called behind each kernel.
template <typename Mark>
void launch_encode(const EncodeBatch& batch, Mark mark) {
    measure<<<ctas(batch.piece_count, ENCODE_WARPS), EncodePolicy::CTA_THREADS>>>(batch);
    mark();
    place<<<batch.stream_count, EncodePolicy::PLACE_CTA_THREADS>>>(batch);
    mark();
    encode_pieces<<<ctas(batch.piece_count, ENCODE_WARPS), EncodePolicy::CTA_THREADS>>>(batch);
    mark();
}

/// Decodes the streams of a batch, and counts streams and bytes that are wrong. `raw` is repeated as often as it
/// takes. The lengths lie behind the output, in one buffer.
unsigned long long decode_and_compare(const EncodeBatch& batch, const std::vector<EncodeEntry>& entries,
                                      const std::vector<EncodeResult>& results, const uint8_t* raw, size_t raw_bytes) {
    StreamDecoder decoder(batch.output, batch.output_bytes + batch.lengths_bytes);
    for (uint32_t i = 0; i < batch.stream_count; ++i) {
        decoder.add(entries[i].output_offset, batch.output_bytes + entries[i].lengths_offset, (results[i].bits + 7) / 8,
                    entries[i].input_bytes);
    }
    decoder.place();
    decoder.launch([] {});
    CHECK(cudaGetLastError());
    return decoder.wrong(raw, raw_bytes);
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

/// A file's streams again and again in device memory.
struct Streams {
    size_t stream_bytes;
    uint32_t count;
    size_t bytes;
    std::vector<EncodeEntry> entries;
    DeviceMemory memory;
    CountBatch counting;
    uint8_t* lengths;  ///< behind the output
    EncodeBatch batch;

    Streams(const Bytes& raw, size_t batch_bytes, size_t stream_bytes) : stream_bytes(stream_bytes) {
        count = static_cast<uint32_t>(std::max<size_t>(1, batch_bytes / stream_bytes));
        bytes = size_t(count) * stream_bytes;
        const size_t all_symbols = size_t(count) * SYMBOLS;
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
        const uint8_t* input = memory.repeat(raw, bytes);
        // An optimal code takes 8 bits a byte at most.
        uint8_t* output = memory.room<uint8_t>((bytes + all_symbols + 7) / 8 * 8);
        lengths = output + bytes;
        counting =
            CountBatch{input, bytes, memory.upload(ranges), count, memory.room<uint32_t>(all_symbols), count_pieces};
        batch = EncodeBatch{input,
                            bytes,
                            lengths,
                            all_symbols,
                            output,
                            bytes,
                            memory.upload(entries),
                            memory.room<EncodeResult>(count),
                            count,
                            memory.room<Code>(all_symbols),
                            memory.room<EncodeNote>(pieces),
                            pieces};
        CHECK(cudaMemset(output, 0xEE, bytes));
    }
};

enum Span { COUNT, BUILD, MEASURE, PLACE, ENCODE, CODES, ENCODING, ALL, SPANS };

void time_spans(const Streams& streams, Times (&times)[SPANS]) {
    constexpr int PHASES = 5;
    constexpr int FROM[SPANS] = {0, 1, 2, 3, 4, 0, 2, 0}, TO[SPANS] = {1, 2, 3, 4, 5, 2, 5, 5};
    const CountBatch& counting = streams.counting;
    StageTimer timer(PHASES);
    std::vector<float> values[SPANS];
    for (int turn = 0; turn < 8; ++turn) {
        timer.begin();
        CHECK(cudaMemsetAsync(counting.weights, 0, size_t(streams.count) * SYMBOLS * sizeof(uint32_t)));
        count_symbols<<<counting.piece_count, CountPolicy::CTA_THREADS>>>(counting);
        timer.mark();
        build_lengths<<<streams.count, BUILD_THREADS>>>(counting.weights, streams.lengths);
        timer.mark();
        launch_encode(streams.batch, [&] { timer.mark(); });
        timer.wait();
        for (int span = 0; span < SPANS && turn != 0; ++span) values[span].push_back(timer.ms(FROM[span], TO[span]));
    }
    for (int span = 0; span < SPANS; ++span) times[span] = times_of(values[span]);
}

void bench(const std::string& path, size_t batch_bytes, size_t stream_bytes) {
    Bytes raw = read_all(path);
    if (stream_bytes == 0) stream_bytes = raw.size();
    raw.resize(raw.size() / stream_bytes * stream_bytes);
    if (raw.empty()) return;
    Streams streams(raw, batch_bytes, stream_bytes);
    Times times[SPANS];
    time_spans(streams, times);
    const std::vector<EncodeResult> results = to_host(streams.batch.results, streams.count);
    unsigned long long wrong = 0, bits = 0;
    for (auto& result : results) wrong += result.status != STATUS_SOUND, bits += result.bits;
    wrong += decode_and_compare(streams.batch, streams.entries, results, streams.memory.upload(raw), raw.size());
    const size_t distinct = std::min<size_t>(raw.size() / stream_bytes, streams.count);
    wrong += compare_with_host(Bytes(raw.begin(), raw.begin() + distinct * stream_bytes), stream_bytes,
                               to_host(streams.batch.output, distinct * stream_bytes),
                               to_host(streams.lengths, distinct * SYMBOLS), results);
    std::printf("%s,%.2f,%zu,%zu", name_of(path).c_str(), double(bits) / streams.bytes, streams.bytes >> 20,
                stream_bytes >> 10);
    for (const Span span : {COUNT, BUILD, MEASURE, PLACE, ENCODE}) std::printf(",%.3f", times[span].median);
    std::printf(",%.3f,%.3f,%.3f", times[ENCODING].median, times[ENCODING].least, times[ENCODING].most);
    for (const Span span : {CODES, ALL}) std::printf(",%.3f", times[span].median);
    for (const Span span : {CODES, ENCODING, ALL}) std::printf(",%.1f", streams.bytes / times[span].median / 1e6);
    std::printf(",%s\n", verdict(wrong).c_str());
    std::fflush(stdout);
}

// ---- damage

/// Result of the host's encoder for a stream.
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

/// A stream to encode.
struct RawStream {
    Bytes raw, lengths;
    uint32_t limit;
};

/// A random stretch of a random file, or nearly one byte again and again, with its optimal code and room for it.
RawStream random_stream(const std::vector<Bytes>& files, std::mt19937_64& random) {
    RawStream stream;
    const Bytes& file = files[random() % files.size()];
    const size_t most = std::min<size_t>(file.size(), random() % 10 ? 4000 : 100000);
    stream.raw.resize(random() % (most + 1));
    const size_t at = random() % (file.size() - stream.raw.size() + 1);
    std::copy(file.begin() + at, file.begin() + at + stream.raw.size(), stream.raw.begin());
    if (random() % 4 == 0)
        for (auto& symbol : stream.raw) symbol = static_cast<uint8_t>(random() % 8 ? 'a' : random() % (1 + at % 255));
    stream.lengths = code_lengths(stream.raw.data(), stream.raw.size());
    stream.limit = static_cast<uint32_t>(encode(stream.raw.data(), stream.raw.size(), stream.lengths).size());
    return stream;
}

/// Damages a code, makes room scarce or ample, or does nothing.
void damage(RawStream& stream, std::mt19937_64& random) {
    Bytes& lengths = stream.lengths;
    uint32_t& limit = stream.limit;
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
}

/// Streams at random places, and the results of the host's encoder.
struct DamagedStreams {
    Bytes input, lengths;
    Bytes image;  ///< of the output before encoding: canaries
    std::vector<EncodeEntry> entries;
    std::vector<Expected> expected;
    uint32_t pieces = 0, sound = 0;

    void add(const RawStream& stream, std::mt19937_64& random) {
        const Bytes& raw = stream.raw;
        expected.push_back(host_encode(raw, stream.lengths, stream.limit));
        sound += expected.back().status == STATUS_SOUND;
        input.insert(input.end(), random() % 20, 0xFF);
        lengths.insert(lengths.end(), random() % 5, 0xFF);
        image.insert(image.end(), random() % 9, 0xA5);
        entries.push_back(
            {input.size(), image.size(), lengths.size(), static_cast<uint32_t>(raw.size()), stream.limit, pieces, 0});
        input.insert(input.end(), raw.begin(), raw.end());
        lengths.insert(lengths.end(), stream.lengths.begin(), stream.lengths.end());
        image.insert(image.end(), stream.limit, 0xA5);
        pieces += pieces_of(raw.size(), EncodePolicy::PIECE_BYTES);
    }

    EncodeBatch upload(DeviceMemory& memory) const {
        const size_t count = entries.size();
        return {memory.upload(input),
                input.size(),
                memory.upload(lengths),
                lengths.size(),
                memory.upload(image),
                image.size(),
                memory.upload(entries),
                memory.room<EncodeResult>(count, 0xEE),
                static_cast<uint32_t>(count),
                memory.room<Code>(count * SYMBOLS),
                memory.room<EncodeNote>(pieces),
                pieces};
    }

    /// Number of verdicts that differ from the host's; prints the first three.
    uint32_t wrong_verdicts(const std::vector<EncodeResult>& results) const {
        uint32_t verdicts = 0;
        for (uint32_t i = 0; i < entries.size(); ++i) {
            const Expected& wanted = expected[i];
            if ((results[i].status != wanted.status || results[i].bits != wanted.bits) && ++verdicts <= 3) {
                std::printf("  stream %u: status %u, %u bits; host: %u, %llu\n", i, results[i].status, results[i].bits,
                            wanted.status, static_cast<unsigned long long>(wanted.bits));
            }
        }
        return verdicts;
    }

    /// Number of bytes, in the streams or beside them, that are not the host's.
    uint32_t wrong_bytes(const Bytes& output) const {
        Bytes wanted = image;
        for (size_t i = 0; i < entries.size(); ++i)
            std::copy(expected[i].coded.begin(), expected[i].coded.end(), wanted.begin() + entries[i].output_offset);
        uint32_t bytes = 0;
        for (size_t at = 0; at < wanted.size(); ++at) bytes += output[at] != wanted[at];
        return bytes;
    }
};

/// Encodes streams with random defects at random places, canaries between their outputs.
int mutate(uint64_t seed, uint32_t count, const std::vector<std::string>& paths) {
    std::mt19937_64 random(seed);
    std::vector<Bytes> files;
    for (const auto& path : paths) files.push_back(read_all(path));
    DamagedStreams streams;
    for (uint32_t i = 0; i < count; ++i) {
        RawStream stream = random_stream(files, random);
        damage(stream, random);
        streams.add(stream, random);
    }
    streams.input.push_back(0);
    streams.image.push_back(0xA5);
    DeviceMemory memory;
    const EncodeBatch batch = streams.upload(memory);
    launch_encode(batch, [] {});
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const uint32_t verdicts = streams.wrong_verdicts(to_host(batch.results, count));
    const uint32_t bytes = streams.wrong_bytes(to_host(batch.output, batch.output_bytes));
    std::printf(
        "seed %llu: %u streams, %u of them sound: %u wrong verdicts, %u wrong bytes, beside or in the streams\n",
        static_cast<unsigned long long>(seed), count, streams.sound, verdicts, bytes);
    return verdicts + bytes != 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string verb = argc > 1 ? argv[1] : "";
    if (verb == "mutate" && argc > 4)
        return mutate(std::strtoull(argv[2], nullptr, 10), std::atoi(argv[3]), {argv + 4, argv + argc});
    if (verb != "bench" || argc < 4) return usage();
    std::printf(
        "file,bits_per_byte,batch_MB,stream_KB,ms_count,ms_build,ms_measure,ms_place,ms_encode,ms_encoding,ms_encoding_"
        "min,ms_encoding_max,ms_codes,ms_all,GBps_codes,GBps_encoding,GBps_all,verified\n");
    for (int i = 3; i < argc; ++i) {
        for (const size_t stream_bytes : {size_t(65536), size_t(262144), size_t(0)})
            bench(argv[i], std::strtoull(argv[2], nullptr, 10) << 20, stream_bytes);
    }
    return 0;
}
