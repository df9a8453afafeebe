// Times encoding of chunks as bzip2 blocks on one device, kernel by kernel, and verifies it. A plain decoder on the
// host decodes each distinct block; its bytes are compared with its chunk, its CRC with the chunk's. Repetitions of a
// block must have the same bits. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -I kernels/src/main/cuda -o bzip2_encode_bench
//   benchmarks/src/main/cuda/bzip2_encode_bench.cu bzip2_encode_bench CHUNK_BYTES CHUNKS,CHUNKS... FILE...
//   bzip2_encode_bench 890000 1,64,256,1000 dickens osdb xml
//
// FILE is as for bwt_encode_bench. In the environment, DUMP=folder writes the distinct blocks there as FILE.bz2, for
// other readers. DETAIL=0 times only the whole; CAREFUL=1 waits for each kernel and names the kernel that fails.
//
// One line of CSV a stage; `transform` is the sum of bwt_encode_bench's stages. A chunk that does not fit in one
// block (status 2) is the host's, and counted as refused.
#include <memory>
#include <thread>

#include "bwt_encode_device.cuh"
#include "bzip2_encode_plan.cuh"
#include "bzip2_read.h"

namespace {

using namespace warpcodec::bzip2_encode;
using warpcodec::mtf_encode::MtfBatch;

__global__ void __launch_bounds__(RunsPolicy::CTA_THREADS) begin_chunks(EncodeBatch batch) { cta_begin_chunks(batch); }
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

void run(const std::string& name, const std::vector<Bytes>& chunks, uint32_t count, bool detail) {
    const uint32_t base = std::min<uint32_t>(static_cast<uint32_t>(chunks.size()), count);
    const size_t chunk_bytes = chunks[0].size(), bytes = chunk_bytes * count;
    const uint32_t max_text_bytes = MAX_BLOCK_BYTES - 20;
    const uint32_t tiles_each =
        bwt_plan::tiles_of(static_cast<uint32_t>(std::min<size_t>(max_text_bytes, chunk_bytes + chunk_bytes / 4 + 4)));
    const uint32_t tiles = tiles_each * count;
    const uint32_t place_words = static_cast<uint32_t>((chunk_bytes + chunk_bytes / 50 + 20000) / 4);
    std::vector<EncodeEntry> table;
    for (uint32_t k = 0; k <= count; ++k) {
        const BlockEntry range{k * chunk_bytes, uint64_t{k} * place_words * 4, static_cast<uint32_t>(chunk_bytes),
                               place_words * 4};
        table.push_back({k < count ? range : BlockEntry{}, k * tiles_each, max_text_bytes});
    }
    Owned owned;
    EncodeBatch batch{};
    BwtBatch transform_batch{};
    MtfBatch mtf{};
    uint8_t* input;
    bwt_encode::BwtEntry* text_entries;
    mtf_encode::MtfResult* mtf_results;
    unsigned long long* different;
    owned.allocate(input, bytes);
    owned.allocate(batch.output, size_t{count} * place_words * 4);
    owned.allocate(batch.results, count);
    owned.allocate(batch.raw_tiles, tiles);
    owned.allocate(batch.raw_tile_chunks, tiles);
    owned.allocate(batch.text, size_t{tiles} * TILE_ROTATIONS);
    owned.allocate(text_entries, count + 1);
    owned.allocate(mtf_results, count);
    owned.allocate(transform_batch.column, size_t{tiles} * TILE_ROTATIONS);
    owned.allocate(different, 1);
    allocate_scratch(owned, transform_batch, count, tiles, bzip2_plan::scratch_bytes(tiles, count));
    for (uint32_t k = 0; k < count; ++k)
        CHECK(cudaMemcpy(input + k * chunk_bytes, chunks[k % base].data(), chunk_bytes, cudaMemcpyHostToDevice));
    batch.input = input;
    batch.input_bytes = bytes;
    batch.output_bytes = uint64_t{count} * place_words * 4;
    batch.entries = owned.upload(table);
    batch.text_entries = text_entries;
    batch.bwt_results = transform_batch.results;
    batch.mtf_results = mtf_results;
    batch.chunk_count = count;
    batch.tile_count = tiles;
    transform_batch.text = batch.text;
    transform_batch.text_bytes = uint64_t{tiles} * TILE_ROTATIONS;
    transform_batch.entries = text_entries;
    mtf.column = transform_batch.column;
    mtf.column_bytes = transform_batch.text_bytes;
    mtf.entries = text_entries;
    mtf.tile_blocks = transform_batch.tile_blocks;
    mtf.results = mtf_results;
    mtf.block_count = count;
    mtf.tile_count = tiles;
    bzip2_plan::place_scratch(transform_batch, batch, mtf);
    RoundCounts* counts;
    CHECK(cudaMallocHost(&counts, sizeof(RoundCounts)));
    CHECK(cudaDeviceSynchronize());

    Launcher launcher;
    Rounds rounds;
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    std::map<std::string, std::vector<float>> wholes;
    for (const bool look : {true, false}) {
        for (int turn = 0; turn < 4; ++turn) {
            launcher.careful = turn == 0 || std::getenv("CAREFUL") != nullptr;
            CHECK(cudaEventRecord(begin));
            const Rounds found = encode(batch, transform_batch, mtf, launcher, look, counts);
            CHECK(cudaEventRecord(end));
            CHECK(cudaEventSynchronize(end));
            float ms;
            CHECK(cudaEventElapsedTime(&ms, begin, end));
            wholes[look ? "whole_look" : "whole_blind"].push_back(ms);
            if (look) rounds = found;
        }
    }
    std::map<std::string, std::vector<float>> stages;
    if (detail) {
        launcher.detail = true;
        for (int turn = 0; turn < 4; ++turn) {
            encode(batch, transform_batch, mtf, launcher, true, counts);
            float transformed = 0;
            for (const auto& stage : launcher.take()) {
                const bool own = stage.first.rfind("runs", 0) == 0 || stage.first.rfind("mtf", 0) == 0 ||
                                 stage.first == "choose" || stage.first == "pack" || stage.first == "encode_begin";
                if (own) stages[stage.first].push_back(stage.second);
                else transformed += stage.second;
            }
            stages["transform"].push_back(transformed);
        }
    }

    std::vector<EncodeResult> results(count);
    Bytes bodies(size_t{base} * place_words * 4);
    CHECK(cudaMemcpy(results.data(), batch.results, count * sizeof(EncodeResult), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(bodies.data(), batch.output, bodies.size(), cudaMemcpyDeviceToHost));
    CHECK(cudaMemset(different, 0, 8));
    count_different_bodies<<<1024, 256>>>(reinterpret_cast<const uint32_t*>(batch.output), place_words, batch.results,
                                          base, count, different);
    unsigned long long wrong;
    CHECK(cudaMemcpy(&wrong, different, 8, cudaMemcpyDeviceToHost));
    std::vector<int> failed(base, 0);
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 8; ++t) {
        threads.emplace_back([&, t] {
            for (uint32_t k = t; k < base; k += 8) {
                if (results[k].status == STATUS_OUTPUT_EXCEEDED) continue;
                failed[k] = results[k].status != STATUS_SOUND ||
                            !bzip2_read::block_is(bodies.data() + size_t{k} * place_words * 4, results[k].body_bits,
                                                  results[k].crc, chunks[k]);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    double bits = 0, encoded_bytes = 0;
    uint32_t refused = 0;
    bzip2_read::StreamWriter stream;
    for (uint32_t k = 0; k < base; ++k) {
        wrong += failed[k];
        refused += results[k].status == STATUS_OUTPUT_EXCEEDED;
        if (results[k].status != STATUS_SOUND) continue;
        bits += results[k].body_bits;
        encoded_bytes += chunk_bytes;
        stream.append(bodies.data() + size_t{k} * place_words * 4, results[k].body_bits, results[k].crc);
    }
    const char* folder = std::getenv("DUMP");
    if (folder != nullptr) {
        const size_t slash = name.rfind('/');
        const Bytes all = stream.finish();
        std::ofstream file(std::string(folder) + "/" + name.substr(slash == std::string::npos ? 0 : slash + 1) + ".bz2",
                           std::ios::binary);
        file.write(reinterpret_cast<const char*>(all.data()), static_cast<std::streamsize>(all.size()));
    }
    const auto print = [&](const std::string& stage, const std::vector<float>& times) {
        const float ms = median(std::vector<float>(times.begin() + 1, times.end()));
        std::printf("%s,%u,%zu,%s,%.3f,%.3f,%.2f,%u,%.4f,%u,%.1f,%s\n", name.c_str(), count, chunk_bytes, stage.c_str(),
                    times[0], ms, bytes / ms / 1e6, rounds.rounds, bits > 0 ? encoded_bytes / (bits / 8) : 0, refused,
                    double(owned.bytes) / bytes, wrong == 0 ? "yes" : ("WRONG " + std::to_string(wrong)).c_str());
    };
    for (const auto& whole : wholes) print(whole.first, whole.second);
    for (const auto& stage : stages) print(stage.first, stage.second);
    std::fflush(stdout);
    CHECK(cudaFreeHost(counts));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::printf("usage: see the head of the source\n");
        return 1;
    }
    const char* detail = std::getenv("DETAIL");
    const size_t chunk_bytes = std::strtoull(argv[1], nullptr, 10);
    if (chunk_bytes == 0 || chunk_bytes > MAX_RAW_BYTES) return 1;
    allow_shared_memory();
    CHECK(cudaFuncSetAttribute(choose, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(ChooseMemory)));
    const std::vector<std::string> names = names_of(argc - 3, argv + 3);
    std::printf("file,chunks,chunk_bytes,stage,cold_ms,ms,GBps,rounds,ratio,refused,device_bytes_per_byte,verified\n");
    for (size_t i = 0; i < names.size(); ++i) {
        const std::vector<Bytes> chunks = blocks_of(names, i, chunk_bytes);
        if (chunks.empty()) {
            std::printf("# %s: nothing to read\n", names[i].c_str());
            continue;
        }
        for_each_count(argv[2],
                       [&](uint32_t count) { run(names[i], chunks, count, detail == nullptr || detail[0] != '0'); });
    }
    return 0;
}
