// Times the decoding of zstd frames on one device: alone, some, 96 MB and 1 GB of them in one launch, and 96 MB as
// twelve waves on eight and on twelve streams. Every byte is compared with the raw file's. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o zstd_decode_bench benchmarks/src/main/cuda/zstd_decode_bench.cu
//   zstd_decode_bench RAW FILE.zst [RAW FILE.zst]...   frames with content sizes; all but the last one equally long
//
// A line of CSV is a file with so many frames: milliseconds of each kernel, of all of them without events between, and
// GB/s of raw bytes. XXH64 runs as it does in a wave, behind the bytes.
#include <cstring>

#include "zstd_frames.h"
#include "zstd_waves.cuh"
#include "zstd/zstd.cu"

using zstd_frames::Frame;

namespace {

constexpr int MULTIPROCESSOR_READ_CTAS = 6;
constexpr int STAGES = 7;

/// Frames in device memory, and all kernels over them.
class Wave {
    DeviceMemory memory_;
    DecodeBatch batch_{};
    checksum::ContentBatch contents_{};
    std::vector<uint64_t> offsets_;
    uint32_t read_ctas_;

public:
    size_t raw_bytes = 0;

    Wave(const std::vector<Frame>& frames, uint32_t count, uint32_t multiprocessors) {
        std::vector<FrameEntry> entries;
        std::vector<checksum::ContentEntry> contents;
        Bytes input;
        uint64_t scratch = batch_scratch_bytes(count);
        for (uint32_t k = 0; k < count; ++k) {
            const Frame& frame = frames[k % frames.size()];
            entries.push_back({input.size(), raw_bytes, scratch, static_cast<uint32_t>(frame.input.size()),
                               frame.raw_bytes, batch_.tile_count, 0});
            contents.push_back({raw_bytes, frame.raw_bytes, 0});
            input.insert(input.end(), frame.input.begin(), frame.input.end());
            input.resize((input.size() + 15) / 16 * 16);
            raw_bytes += frame.raw_bytes;
            scratch += frame_scratch_bytes(frame.raw_bytes, takes_sources(count));
            batch_.tile_count += (frame.raw_bytes + BytesPolicy::TILE_BYTES - 1) / BytesPolicy::TILE_BYTES;
        }
        batch_.input = memory_.upload(input);
        batch_.input_bytes = input.size();
        batch_.output_bytes = (raw_bytes + 3) / 4 * 4;
        batch_.output = memory_.room<uint8_t>(batch_.output_bytes, 0xA5);
        batch_.scratch = memory_.room<uint8_t>(scratch, 0xC3);
        batch_.scratch_bytes = scratch;
        batch_.entries = memory_.upload(entries);
        batch_.results = memory_.room<BlockResult>(count, 0xFF);
        batch_.frame_count = count;
        contents_.input = batch_.output;
        contents_.input_bytes = batch_.output_bytes;
        contents_.contents = memory_.upload(contents);
        contents_.hashes = memory_.room<uint32_t>(count, 0);
        contents_.content_count = count;
        read_ctas_ = MULTIPROCESSOR_READ_CTAS * multiprocessors;
    }

    void launch(int stage, cudaStream_t queue = nullptr) const {
        switch (stage) {
            case 0: zstd_begin<<<1, entry::BEGIN_CTA_THREADS, 0, queue>>>(batch_); break;
            case 1: zstd_read<<<read_ctas_, ReadPolicy::CTA_THREADS, 0, queue>>>(batch_); break;
            case 2: zstd_join<<<batch_.frame_count, entry::JOIN_CTA_THREADS, 0, queue>>>(batch_); break;
            case 3:
                if (!takes_sources(batch_.frame_count))
                    zstd_write<<<batch_.frame_count, WritePolicy::CTA_THREADS, 0, queue>>>(batch_);
                break;
            case 4:
                if (takes_sources(batch_.frame_count))
                    zstd_find_sources<<<(batch_.tile_count + 1) / 2, BytesPolicy::FIND_CTA_THREADS, 0, queue>>>(batch_);
                break;
            case 5:
                if (takes_sources(batch_.frame_count))
                    zstd_produce<<<batch_.tile_count, BytesPolicy::PRODUCE_CTA_THREADS, 0, queue>>>(batch_);
                break;
            default:
                zstd_waves::
                    hash_contents<<<(contents_.content_count + 1) / 2, checksum::Xxh32Policy::CTA_THREADS, 0, queue>>>(
                        contents_);
        }
    }

    /// Number of frames that are refused, and of bytes and hashes that are not the file's.
    size_t wrong(const Bytes& raw, const std::vector<Frame>& frames) const {
        size_t wrong = 0;
        const std::vector<BlockResult> results = to_host(batch_.results, batch_.frame_count);
        const std::vector<uint32_t> hashes = to_host(contents_.hashes, contents_.content_count);
        for (uint32_t k = 0; k < batch_.frame_count; ++k) {
            const Bytes& input = frames[k % frames.size()].input;
            const uint32_t record_bytes = reinterpret_cast<const Record*>(input.data())->record_bytes;
            uint32_t hash;
            std::memcpy(&hash, input.data() + input.size() - sizeof hash, sizeof hash);
            const bool has_hash = (input[record_bytes + 4] & 4) != 0;
            wrong += results[k].status != STATUS_SOUND || (has_hash && hash != hashes[k]);
        }
        DeviceMemory memory;
        return wrong + count_differences(batch_.output, memory.upload(raw), raw.size(), raw_bytes);
    }
};

void bench(const std::string& name, const Bytes& raw, const std::vector<Frame>& frames, uint32_t count,
           uint32_t multiprocessors) {
    const Wave wave(frames, count, multiprocessors);
    const std::vector<float> times = zstd_waves::time_stages(wave, STAGES);
    std::printf("%s,%u,%.2f,one launch", name.c_str(), count, wave.raw_bytes / 1e6);
    for (const float ms : times) std::printf(",%.3f", ms);
    std::printf(",%.2f,%s\n", wave.raw_bytes / times[STAGES] / 1e6, verdict(wave.wrong(raw, frames)).c_str());
    std::fflush(stdout);
}

/// Twelve waves of 8 MB, as the product has them in flight.
void bench_waves(const std::string& name, const Bytes& raw, const std::vector<Frame>& frames,
                 uint32_t multiprocessors) {
    const uint32_t count = std::max<uint32_t>(1, zstd_waves::WAVE_BYTES / frames[0].raw_bytes);
    std::vector<std::unique_ptr<Wave>> waves;
    for (int k = 0; k < zstd_waves::WAVES; ++k) waves.push_back(std::make_unique<Wave>(frames, count, multiprocessors));
    for (const zstd_waves::Asking& asking : zstd_waves::ASKINGS) {
        const float ms = zstd_waves::time_waves(waves, STAGES, asking);
        size_t bytes = 0, wrong = 0;
        for (const auto& wave : waves) {
            bytes += wave->raw_bytes;
            wrong += wave->wrong(raw, frames);
        }
        std::printf("%s,%u,%.2f,\"%s\",,,,,,,,%.3f,%.2f,%s\n", name.c_str(), zstd_waves::WAVES * count, bytes / 1e6,
                    asking.name, ms, bytes / ms / 1e6, verdict(wrong).c_str());
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3 || argc % 2 == 0) return usage();
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    std::printf("file,frames,MB,how,begin,read,join,write,find_sources,produce,xxh64,ms,GB_per_s,verified\n");
    for (int file = 1; file < argc; file += 2) {
        const Bytes raw = require_file(argv[file]);
        const std::string name = name_of(argv[file + 1]);
        const std::vector<Frame> frames = zstd_frames::read_frames(require_file(argv[file + 1]));
        for (const uint32_t count : {1u, 8u, 64u, 256u, 384u, 1024u, 4096u}) {
            if (uint64_t{count} * frames[0].raw_bytes <= 3ull << 29)
                bench(name, raw, frames, count, static_cast<uint32_t>(multiprocessors));
        }
        bench_waves(name, raw, frames, static_cast<uint32_t>(multiprocessors));
    }
    return 0;
}
