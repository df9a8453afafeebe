// Times the encoding of zstd frames on one device: alone, some, 96 MB and 1 GB of them in one launch, and 96 MB as
// twelve waves on eight and on twelve streams. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o zstd_encode_bench benchmarks/src/main/cuda/zstd_encode_bench.cu
//   zstd_encode_bench FRAME_KB FILE...     DUMP=folder: the file's whole frames, FILE.LEVEL.zst, for other readers
//
// A line of CSV is a file with so many frames, its whole ones again and again: milliseconds of each kernel, of all of
// them without events between, GB/s of raw bytes, and the size beside the raw bytes. Frames that are repeated must have
// the same bytes; whether they are right, readers of the dumped ones say.
#include "zstd_waves.cuh"
#include "zstd_encode/zstd_encode.cu"

namespace {

constexpr int STAGES = 5;

/// Frames in device memory, and all kernels over them.
class Wave {
    DeviceMemory memory_;
    EncodeBatch batch_{};
    checksum::ContentBatch contents_{};
    bool fast_;
    uint32_t find_ctas_, codes_ctas_, base_;

public:
    size_t raw_bytes;

    Wave(const Bytes& raw, uint32_t frame_bytes, uint32_t count, bool fast) : fast_(fast) {
        base_ = static_cast<uint32_t>(raw.size() / frame_bytes);
        raw_bytes = size_t{count} * frame_bytes;
        std::vector<EncodeEntry> entries;
        std::vector<checksum::ContentEntry> contents;
        const uint32_t slot = frame_bytes + BLOCK_HEADER_BYTES * block_count_of(frame_bytes) + MAX_HEADER_BYTES;
        for (uint32_t k = 0; k < count; ++k) {
            entries.push_back({{size_t{k} * frame_bytes, size_t{k} * slot, frame_bytes, slot},
                               k * range_scratch_bytes(frame_bytes),
                               k * block_count_of(frame_bytes),
                               0});
            contents.push_back({size_t{k} * frame_bytes, frame_bytes, 0});
        }
        const Bytes once(raw.begin(), raw.begin() + size_t{base_} * frame_bytes);
        batch_.input = memory_.repeat(once, raw_bytes);
        batch_.input_bytes = raw_bytes;
        batch_.output_bytes = size_t{count} * slot;
        batch_.output = memory_.room<uint8_t>(batch_.output_bytes, 0xA5);
        batch_.entries = memory_.upload(entries);
        batch_.results = memory_.room<BlockResult>(count, 0xFF);
        batch_.range_count = count;
        batch_.unit_count = count * block_count_of(frame_bytes);
        batch_.records = memory_.room<UnitRecord>(batch_.unit_count, 0xC3);
        batch_.scratch_bytes = count * range_scratch_bytes(frame_bytes);
        batch_.scratch = memory_.room<uint8_t>(batch_.scratch_bytes, 0xC3);
        contents_.input = batch_.input;
        contents_.input_bytes = raw_bytes;
        contents_.contents = memory_.upload(contents);
        contents_.hashes = memory_.room<uint32_t>(count, 0);
        contents_.content_count = count;
        zstd_waves::resident(zstd_encode_far, FarPolicy::CTA_THREADS, sizeof(FarMemory));
        find_ctas_ = fast ? zstd_waves::resident(zstd_encode_blocks_fast, FastPolicy::CTA_THREADS,
                                                 sizeof(FindMemory<FastPolicy>))
                          : zstd_waves::resident(zstd_encode_blocks_default, DefaultPolicy::CTA_THREADS,
                                                 sizeof(FindMemory<DefaultPolicy>));
        codes_ctas_ = zstd_waves::resident(zstd_encode_codes, CodesPolicy::CTA_THREADS, sizeof(CodesMemory));
    }

    void launch(int stage, cudaStream_t queue = nullptr) const {
        const uint32_t units = batch_.unit_count;
        switch (stage) {
            case 0:
                zstd_encode_far<<<batch_.range_count, FarPolicy::CTA_THREADS, sizeof(FarMemory), queue>>>(batch_);
                break;
            case 1:
                if (fast_)
                    zstd_encode_blocks_fast<<<std::min(units, find_ctas_), FastPolicy::CTA_THREADS,
                                              sizeof(FindMemory<FastPolicy>), queue>>>(batch_);
                else
                    zstd_encode_blocks_default<<<std::min(units, find_ctas_), DefaultPolicy::CTA_THREADS,
                                                 sizeof(FindMemory<DefaultPolicy>), queue>>>(batch_);
                break;
            case 2:
                zstd_encode_codes<<<std::min(units, codes_ctas_), CodesPolicy::CTA_THREADS, sizeof(CodesMemory),
                                    queue>>>(batch_);
                break;
            case 3: zstd_encode_join<<<units, JoinPolicy::CTA_THREADS, 0, queue>>>(batch_); break;
            default:
                zstd_waves::
                    hash_contents<<<(contents_.content_count + 1) / 2, checksum::Xxh32Policy::CTA_THREADS, 0, queue>>>(
                        contents_);
        }
    }

    size_t wrong() const {
        size_t wrong = 0;
        for (const BlockResult& result : to_host(batch_.results, batch_.range_count))
            wrong += result.status != STATUS_SOUND;
        DeviceCounter counter;
        zstd_waves::compare_repetitions<<<1024, 256>>>(batch_, base_, counter.number);
        CHECK(cudaGetLastError());
        return wrong + counter.value();
    }

    double ratio() const {
        size_t bytes = 0;
        for (const BlockResult& result : to_host(batch_.results, batch_.range_count)) bytes += result.output_bytes + 4;
        return double(bytes) / double(raw_bytes);
    }

    /// The first frames with their checksums.
    void dump(const std::string& path) const {
        std::ofstream file(path, std::ios::binary);
        const auto entries = to_host(batch_.entries, batch_.range_count);
        const auto results = to_host(batch_.results, batch_.range_count);
        const auto output = to_host(batch_.output, batch_.output_bytes);
        const auto hashes = to_host(contents_.hashes, contents_.content_count);
        for (uint32_t k = 0; k < std::min(base_, batch_.range_count); ++k) {
            file.write(reinterpret_cast<const char*>(output.data() + entries[k].range.output_offset),
                       results[k].output_bytes);
            file.write(reinterpret_cast<const char*>(&hashes[k]), 4);
        }
    }
};

void bench(const std::string& name, const Bytes& raw, uint32_t frame_bytes, uint32_t count, bool fast) {
    const Wave wave(raw, frame_bytes, count, fast);
    const std::vector<float> times = zstd_waves::time_stages(wave, STAGES);
    std::printf("%s,%s,%u,%.2f,one launch", name.c_str(), fast ? "fast" : "default", count, wave.raw_bytes / 1e6);
    for (const float ms : times) std::printf(",%.3f", ms);
    std::printf(",%.2f,%.4f,%s\n", wave.raw_bytes / times[STAGES] / 1e6, wave.ratio(), verdict(wave.wrong()).c_str());
    std::fflush(stdout);
    const char* folder = std::getenv("DUMP");
    if (folder != nullptr && count == 384)
        wave.dump(std::string(folder) + "/" + name + (fast ? ".fast.zst" : ".default.zst"));
}

/// Twelve waves of 8 MB, as the product has them in flight.
void bench_waves(const std::string& name, const Bytes& raw, uint32_t frame_bytes, bool fast) {
    const uint32_t count = std::max<uint32_t>(1, zstd_waves::WAVE_BYTES / frame_bytes);
    std::vector<std::unique_ptr<Wave>> waves;
    for (int k = 0; k < zstd_waves::WAVES; ++k) waves.push_back(std::make_unique<Wave>(raw, frame_bytes, count, fast));
    for (const zstd_waves::Asking& asking : zstd_waves::ASKINGS) {
        const float ms = zstd_waves::time_waves(waves, STAGES, asking);
        size_t bytes = 0, wrong = 0;
        for (const auto& wave : waves) {
            bytes += wave->raw_bytes;
            wrong += wave->wrong();
        }
        std::printf("%s,%s,%u,%.2f,\"%s\",,,,,,%.3f,%.2f,%.4f,%s\n", name.c_str(), fast ? "fast" : "default",
                    zstd_waves::WAVES * count, bytes / 1e6, asking.name, ms, bytes / ms / 1e6, waves[0]->ratio(),
                    verdict(wrong).c_str());
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) return usage();
    const uint32_t frame_bytes = static_cast<uint32_t>(std::atoi(argv[1])) << 10;
    std::printf("file,level,frames,MB,how,far,blocks,codes,join,xxh64,ms,GB_per_s,ratio,same\n");
    for (int file = 2; file < argc; ++file) {
        const Bytes raw = require_file(argv[file]);
        for (const bool fast : {false, true}) {
            for (const uint32_t count : {1u, 8u, 64u, 256u, 384u, 1024u, 4096u}) {
                if (uint64_t{count} * frame_bytes <= 3ull << 29)
                    bench(name_of(argv[file]), raw, frame_bytes, count, fast);
            }
            bench_waves(name_of(argv[file]), raw, frame_bytes, fast);
        }
    }
    return 0;
}
