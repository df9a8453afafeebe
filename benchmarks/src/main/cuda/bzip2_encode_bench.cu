// Times encoding of chunks as bzip2 blocks on one device, kernel by kernel, and verifies it. A plain decoder on the
// host decodes each distinct block; its bytes are compared with its chunk, its CRC with the chunk's. Repetitions of a
// block must have the same bits. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -I kernels/src/main/cuda -o bzip2_encode_bench benchmarks/src/main/cuda/bzip2_encode_bench.cu
//   bzip2_encode_bench CHUNK_BYTES CHUNKS,CHUNKS... FILE...
//   bzip2_encode_bench 890000 1,64,256,1000 dickens osdb xml
//
// FILE is as for bwt_encode_bench. In the environment, DUMP=folder writes the distinct blocks there as FILE.bz2, for
// other readers. DETAIL=0 times only the whole; CAREFUL=1 waits for each kernel and names the kernel that fails.
//
// A line of CSV is one stage; `transform` is the sum of bwt_encode_bench's stages. A chunk that does not fit in one
// block (status 2) is the host's, and counted as refused.
#include "bwt_encode_device.cuh"
#include "bzip2_encode_plan.cuh"
#include "bzip2_read.h"

namespace {

using namespace warpcodec::bzip2_encode;
using warpcodec::mtf_encode::MtfBatch;

__global__ void __launch_bounds__(RunsPolicy::CTA_THREADS) begin_chunks(EncodeBatch batch) {
    __shared__ RunsMemory s_memory;
    cta_begin_chunks(batch, s_memory);
}
__global__ void __launch_bounds__(RunsPolicy::CTA_THREADS) count_runs(EncodeBatch batch) {
    __shared__ RunsMemory s_memory;
    cta_count_runs(batch, s_memory);
}
__global__ void __launch_bounds__(RunsPolicy::CTA_THREADS) scan_runs(EncodeBatch batch) {
    __shared__ RunsMemory s_memory;
    cta_scan_runs(batch, s_memory);
}
__global__ void __launch_bounds__(RunsPolicy::CTA_THREADS) write_runs(EncodeBatch batch) {
    __shared__ RunsMemory s_memory;
    cta_write_runs(batch, s_memory);
}
__global__ void __launch_bounds__(ChoosePolicy::CTA_THREADS) choose(EncodeBatch batch) {
    cta_choose_block(batch, blockIdx.x, cta_memory<ChooseMemory>());
}
__global__ void __launch_bounds__(PackPolicy::CTA_THREADS) pack(EncodeBatch batch) {
    __shared__ PackMemory s_memory;
    cta_pack_groups(batch, blockIdx.x, s_memory);
}

constexpr int MTF_WARPS = mtf_encode::MtfPolicy::CTA_THREADS / WARP_LANES;
__global__ void __launch_bounds__(mtf_encode::MtfPolicy::CTA_THREADS) mark(MtfBatch batch) {
    __shared__ mtf_encode::MarkMemory s_memory;
    const int warp = threadIdx.x / WARP_LANES, lane = threadIdx.x % WARP_LANES;
    const uint32_t chunk = blockIdx.x * MTF_WARPS + warp;
    if (chunk < batch.tile_count * mtf_encode::CHUNKS_PER_TILE)
        mtf_encode::warp_mark_chunk(batch, chunk, s_memory.last[warp], lane);
}
__global__ void __launch_bounds__(mtf_encode::MtfPolicy::SCAN_CTA_THREADS) scan_lists(MtfBatch batch) {
    __shared__ mtf_encode::ScanMemory s_memory;
    const bwt_encode::Block block = mtf_encode::load_column(batch, blockIdx.x);
    const uint32_t first = block.base / mtf_encode::CHUNK_SYMBOLS,
                   chunks = (block.bytes + mtf_encode::CHUNK_SYMBOLS - 1) / mtf_encode::CHUNK_SYMBOLS;
    mtf_encode::cta_scan_lasts(batch, first, chunks, s_memory);
    mtf_encode::cta_scan_infos(batch, block, blockIdx.x, first, chunks, s_memory);
}
__global__ void __launch_bounds__(mtf_encode::MtfPolicy::CTA_THREADS) replay(MtfBatch batch) {
    __shared__ mtf_encode::ReplayMemory s_memory;
    const int warp = threadIdx.x / WARP_LANES, lane = threadIdx.x % WARP_LANES;
    const uint32_t chunk = blockIdx.x * MTF_WARPS + warp;
    if (chunk < batch.tile_count * mtf_encode::CHUNKS_PER_TILE)
        mtf_encode::warp_replay_chunk(batch, chunk, s_memory.last[warp], lane);
}

const bzip2_plan::Kernels<void (*)(EncodeBatch), void (*)(MtfBatch)> CODER{
    begin_chunks, count_runs, scan_runs, write_runs, choose, pack, mark, scan_lists, replay};

Rounds encode(const EncodeBatch& batch, const BwtBatch& transform_batch, const MtfBatch& mtf, Launcher& launcher,
              bool look, RoundCounts* counts) {
    const auto launch = [&](auto... arguments) { launcher(arguments...); };
    bzip2_plan::shorten(CODER, batch, launch);
    const Rounds rounds = transform(transform_batch, launcher, look, counts);
    bzip2_plan::code(CODER, batch, mtf, launch);
    CHECK(cudaGetLastError());
    return rounds;
}

__global__ void count_different_bodies(const uint32_t* output, uint32_t place_words, const EncodeResult* results,
                                       uint32_t base, uint32_t count, unsigned long long* different) {
    for (uint32_t i = base + blockIdx.x; i < count; i += gridDim.x) {
        const EncodeResult own = results[i], first = results[i % base];
        if (threadIdx.x == 0 &&
            (own.body_bits != first.body_bits || own.crc != first.crc || own.status != first.status))
            atomicAdd(different, 1ull);
        for (uint32_t word = threadIdx.x; word < (own.body_bits + 31) / 32; word += blockDim.x) {
            if (output[uint64_t{i} * place_words + word] != output[uint64_t{i % base} * place_words + word])
                atomicAdd(different, 1ull);
        }
    }
}

/// `count` chunks in device memory, a file's again and again, and the encoder's memory.
struct Chunks {
    const std::vector<Bytes>& chunks;
    uint32_t base, count;
    size_t chunk_bytes, bytes;
    uint32_t tiles_each, raw_tiles_each, place_words;
    DeviceMemory memory;
    EncodeBatch batch{};
    BwtBatch transform_batch{};
    MtfBatch mtf{};

    static constexpr uint32_t MAX_TEXT_BYTES = MAX_BLOCK_BYTES - 20;

    Chunks(const std::vector<Bytes>& chunks, uint32_t count)
        : chunks(chunks),
          base(std::min<uint32_t>(static_cast<uint32_t>(chunks.size()), count)),
          count(count),
          chunk_bytes(chunks[0].size()),
          bytes(chunk_bytes * count) {
        const size_t text_bytes = std::min<size_t>(MAX_TEXT_BYTES, chunk_bytes + chunk_bytes / 4 + 4);
        tiles_each = bwt_plan::tiles_of(static_cast<uint32_t>(text_bytes));
        raw_tiles_each = bwt_plan::tiles_of(static_cast<uint32_t>(chunk_bytes));
        const size_t most_bytes = std::min<size_t>(MAX_BLOCK_BYTES, chunk_bytes);
        place_words = static_cast<uint32_t>((most_bytes + most_bytes / 50 + 20000) / 4);
        place_batch();
        place_transform();
        place_mtf();
        bzip2_plan::place_scratch(transform_batch, batch, mtf);
    }

    uint64_t place_bytes() const { return uint64_t{place_words} * 4; }

private:
    std::vector<EncodeEntry> entries() const {
        std::vector<EncodeEntry> table;
        for (uint32_t k = 0; k <= count; ++k) {
            const BlockEntry range{k * chunk_bytes, k * place_bytes(), static_cast<uint32_t>(chunk_bytes),
                                   place_words * 4};
            table.push_back({k < count ? range : BlockEntry{}, k * tiles_each, MAX_TEXT_BYTES, k * raw_tiles_each, {}});
        }
        return table;
    }

    void place_batch() {
        const uint32_t tiles = tiles_each * count;
        batch.input = upload_blocks(memory, chunks, count);
        batch.input_bytes = bytes;
        allocate(memory, batch.output, count * place_bytes());
        batch.output_bytes = count * place_bytes();
        batch.entries = memory.upload(entries());
        allocate(memory, batch.results, count);
        batch.raw_tile_count = raw_tiles_each * count;
        allocate(memory, batch.raw_tiles, batch.raw_tile_count);
        allocate(memory, batch.raw_tile_chunks, batch.raw_tile_count);
        allocate(memory, batch.text, size_t{tiles} * TILE_ROTATIONS);
        batch.text_entries = memory.room<bwt_encode::BwtEntry>(count + 1, POISON);
        batch.chunk_count = count;
        batch.tile_count = tiles;
    }

    void place_transform() {
        const uint32_t tiles = tiles_each * count;
        transform_batch.text = batch.text;
        transform_batch.text_bytes = uint64_t{tiles} * TILE_ROTATIONS;
        transform_batch.entries = batch.text_entries;
        allocate(memory, transform_batch.column, size_t{tiles} * TILE_ROTATIONS);
        allocate_scratch(memory, transform_batch, count, tiles, bzip2_plan::scratch_bytes(tiles, count));
        batch.bwt_results = transform_batch.results;
    }

    void place_mtf() {
        mtf.column = transform_batch.column;
        mtf.column_bytes = transform_batch.text_bytes;
        mtf.entries = batch.text_entries;
        mtf.tile_blocks = transform_batch.tile_blocks;
        allocate(memory, mtf.results, count);
        mtf.block_count = count;
        mtf.tile_count = batch.tile_count;
        batch.mtf_results = mtf.results;
    }
};

/// Results of the chunks, and bodies of the distinct ones.
struct Coded {
    const Chunks& chunks;
    std::vector<EncodeResult> results;
    Bytes bodies;

    explicit Coded(const Chunks& chunks)
        : chunks(chunks),
          results(to_host(chunks.batch.results, chunks.count)),
          bodies(to_host(chunks.batch.output, chunks.base * chunks.place_bytes())) {}

    const uint8_t* body(uint32_t k) const { return bodies.data() + k * chunks.place_bytes(); }

    /// Number of blocks that are not their chunk's, and of words by which repetitions differ from their first.
    size_t wrong() const {
        DeviceCounter different;
        count_different_bodies<<<1024, 256>>>(reinterpret_cast<const uint32_t*>(chunks.batch.output),
                                              chunks.place_words, chunks.batch.results, chunks.base, chunks.count,
                                              different.number);
        return different.value() + add_up(chunks.base, [&](uint32_t k) -> size_t {
                   if (results[k].status == STATUS_OUTPUT_EXCEEDED) return 0;
                   return results[k].status != STATUS_SOUND ||
                          !bzip2_read::block_is(body(k), results[k].body_bits, results[k].crc, chunks.chunks[k]);
               });
    }

    /// Number of distinct chunks that do not fit in one block.
    uint32_t refused() const {
        uint32_t refused = 0;
        for (uint32_t k = 0; k < chunks.base; ++k) refused += results[k].status == STATUS_OUTPUT_EXCEEDED;
        return refused;
    }

    double ratio() const {
        double bits = 0, encoded_bytes = 0;
        for (uint32_t k = 0; k < chunks.base; ++k) {
            if (results[k].status != STATUS_SOUND) continue;
            bits += results[k].body_bits;
            encoded_bytes += chunks.chunk_bytes;
        }
        return bits > 0 ? encoded_bytes / (bits / 8) : 0;
    }

    /// Writes the distinct blocks as a file.
    void dump(const std::string& path) const {
        bzip2_read::StreamWriter stream;
        for (uint32_t k = 0; k < chunks.base; ++k) {
            if (results[k].status == STATUS_SOUND) stream.append(body(k), results[k].body_bits, results[k].crc);
        }
        const Bytes all = stream.finish();
        std::ofstream file(path, std::ios::binary);
        file.write(reinterpret_cast<const char*>(all.data()), static_cast<std::streamsize>(all.size()));
    }
};

/// Stage to which a kernel counts: the transform, or a stage with the kernel's name.
std::string stage_of(const std::string& kernel) {
    const bool own = kernel.rfind("runs", 0) == 0 || kernel.rfind("mtf", 0) == 0 || kernel == "choose" ||
                     kernel == "pack" || kernel == "encode_begin";
    return own ? kernel : "transform";
}

void run(const std::string& name, const std::vector<Bytes>& raw, uint32_t count) {
    const Chunks chunks(raw, count);
    const double bytes = chunks.bytes;
    const Measured measured = measure_all(
        [&](Launcher& launcher, bool look, RoundCounts* counts) {
            return encode(chunks.batch, chunks.transform_batch, chunks.mtf, launcher, look, counts);
        },
        stage_of, true);
    const Coded coded(chunks);
    const std::string verified = verdict(coded.wrong());
    const char* folder = std::getenv("DUMP");
    if (folder != nullptr) coded.dump(std::string(folder) + "/" + name_of(name) + ".bz2");
    const double ratio = coded.ratio();
    const uint32_t refused = coded.refused();
    measured.for_each([&](const std::string& stage, float cold, float ms) {
        std::printf("%s,%u,%zu,%s,%.3f,%.3f,%.2f,%u,%.4f,%u,%.1f,%s\n", name.c_str(), count, chunks.chunk_bytes,
                    stage.c_str(), cold, ms, bytes / ms / 1e6, measured.rounds.rounds, ratio, refused,
                    chunks.memory.bytes / bytes, verified.c_str());
    });
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) return usage();
    const size_t chunk_bytes = std::strtoull(argv[1], nullptr, 10);
    if (chunk_bytes == 0 || chunk_bytes > MAX_RAW_BYTES) return 1;
    allow_shared_memory();
    CHECK(cudaFuncSetAttribute(choose, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(ChooseMemory)));
    std::printf("file,chunks,chunk_bytes,stage,cold_ms,ms,GBps,rounds,ratio,refused,device_bytes_per_byte,verified\n");
    for_each_count(names_of(argc - 3, argv + 3), chunk_bytes, argv[2], run);
    return 0;
}
