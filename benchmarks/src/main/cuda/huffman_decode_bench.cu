// Times the decoding of streams of one prefix code, without an index, on one device. Prints one line per file and size
// of stream. The output is compared with the raw data on the device. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o huffman_decode_bench benchmarks/src/main/cuda/huffman_decode_bench.cu -lz
//   huffman_decode_bench BATCH_MB FILE...
//
// FILE: raw data, perhaps gzipped; each stream has the optimal code of its bytes. Sizes: 64 KiB, 256 KiB, and all
// of the file as one stream.
#include "huffman_decode_device.cuh"
#include "huffman_files.cuh"

namespace {

/// A file's streams, each behind the lengths of its code.
struct CodedFile {
    Bytes raw, coded;
    size_t stream_bytes;  ///< of a stream, raw
    std::vector<size_t> lengths_at, streams_at, sizes;
    size_t coded_bytes = 0;  ///< of all streams, without lengths

    /// @param wanted_bytes of a stream, raw; 0 for all of the file
    CodedFile(const std::string& path, size_t wanted_bytes) : raw(read_all(path)) {
        stream_bytes = wanted_bytes == 0 ? raw.size() : wanted_bytes;
        raw.resize(raw.size() / stream_bytes * stream_bytes);
        for (size_t at = 0; at < raw.size(); at += stream_bytes) {
            const Bytes lengths = code_lengths(raw.data() + at, stream_bytes);
            const Bytes stream = encode(raw.data() + at, stream_bytes, lengths);
            lengths_at.push_back(coded.size());
            coded.insert(coded.end(), lengths.begin(), lengths.end());
            streams_at.push_back(coded.size());
            coded.insert(coded.end(), stream.begin(), stream.end());
            sizes.push_back(stream.size());
            coded_bytes += stream.size();
        }
        coded.resize((coded.size() + 15) / 8 * 8);
    }
};

enum Phase { SYNCHRONISE, STITCH, WRITE, ALL, PHASES };

void time_phases(const StreamDecoder& decoder, Times (&times)[PHASES]) {
    constexpr int FROM[PHASES] = {0, 1, 2, 0}, TO[PHASES] = {1, 2, 3, 3};
    StageTimer timer(ALL);
    std::vector<float> values[PHASES];
    for (int turn = 0; turn < 8; ++turn) {
        timer.begin();
        decoder.launch([&] { timer.mark(); });
        timer.wait();
        for (int phase = 0; phase < PHASES && turn != 0; ++phase)
            values[phase].push_back(timer.ms(FROM[phase], TO[phase]));
    }
    for (int phase = 0; phase < PHASES; ++phase) times[phase] = times_of(values[phase]);
}

void bench(const std::string& path, size_t batch_bytes, size_t wanted_bytes) {
    const CodedFile file(path, wanted_bytes);
    const uint32_t base = static_cast<uint32_t>(file.sizes.size());
    const uint32_t count = static_cast<uint32_t>(std::max<size_t>(1, batch_bytes / file.stream_bytes));
    const size_t input_bytes = (count + base - 1) / base * file.coded.size();
    DeviceMemory memory;
    StreamDecoder decoder(memory.repeat(file.coded, input_bytes), input_bytes);
    for (uint32_t i = 0; i < count; ++i) {
        const size_t copy = i / base * file.coded.size();
        decoder.add(copy + file.streams_at[i % base], copy + file.lengths_at[i % base],
                    static_cast<uint32_t>(file.sizes[i % base]), static_cast<uint32_t>(file.stream_bytes));
    }
    decoder.place();
    const uint8_t* expected = memory.upload(file.raw);
    Times times[PHASES];
    time_phases(decoder, times);
    const unsigned long long wrong = decoder.wrong(expected, file.raw.size());
    std::printf("%s,%.2f,%zu,%zu,%u,%u,%.3f,%.3f,%.3f,%s,%s\n", name_of(path).c_str(),
                8.0 * file.coded_bytes / file.raw.size(), decoder.output_bytes() >> 20, file.stream_bytes >> 10,
                DecodePolicy::PART_BITS, DecodePolicy::WARM_UP_BITS, times[SYNCHRONISE].median, times[STITCH].median,
                times[WRITE].median, times[ALL].text(decoder.output_bytes()).c_str(), verdict(wrong).c_str());
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) return usage();
    std::printf(
        "file,bits_per_byte,batch_MB,stream_KB,part_bits,warm_up_bits,ms_synchronise,ms_stitch,ms_write,ms_median,ms_"
        "min,ms_max,GBps,verified\n");
    const size_t batch_bytes = std::strtoull(argv[1], nullptr, 10) << 20;
    for (int i = 2; i < argc; ++i) {
        for (const size_t stream_bytes : {size_t(65536), size_t(262144), size_t(0)})
            bench(argv[i], batch_bytes, stream_bytes);
    }
    return 0;
}
