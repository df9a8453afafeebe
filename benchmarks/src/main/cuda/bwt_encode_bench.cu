// Times the forward Burrows-Wheeler transform of many bzip2 blocks on one device, kernel by kernel, and verifies it.
// The column of each distinct block is inverted on the host and compared with the block. Columns of its repetitions
// must have the same bytes. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -I kernels/src/main/cuda -o bwt_encode_bench benchmarks/src/main/cuda/bwt_encode_bench.cu
//   bwt_encode_bench BLOCK_BYTES BLOCKS,BLOCKS... FILE...
//   bwt_encode_bench 900000 1,64,256,1000 dickens osdb xml
//
// A FILE may be @same, @two or @three (periods), @fibonacci, @repeat or @random; @all is all of these. `@repeat` is a
// twentieth of the next FILE's first block, twenty times. In the environment, DETAIL=0 times only the whole
// transform; CAREFUL=1 waits for each kernel and names the kernel that fails.
//
// A line of CSV is one stage: cold is the first run, ms the median of the others. The stages `whole_look` and
// `whole_blind` are measured by themselves, without events between kernels. With `look` the host reads the count of
// tied rotations after each round; with `blind` it asks for all rounds at once.
#include "bwt_encode_device.cuh"
#include "bzip2_read.h"

namespace {

__global__ void count_different_columns(const uint8_t* columns, size_t block_bytes, size_t base_bytes, size_t bytes,
                                        const BwtResult* results, uint32_t base, unsigned long long* different) {
    for (size_t i = base_bytes + blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < bytes;
         i += size_t(gridDim.x) * blockDim.x) {
        if (columns[i] != columns[i % base_bytes]) atomicAdd(different, 1ull);
        const size_t block = i / block_bytes;
        if (i % block_bytes == 0 && results[block].origin_row != results[block % base].origin_row)
            atomicAdd(different, 1ull);
    }
}

/// `count` blocks in device memory, a file's again and again, and the transform's memory.
struct Columns {
    const std::vector<Bytes>& blocks;
    uint32_t base, count;
    size_t block_bytes, bytes;
    DeviceMemory memory;
    BwtBatch batch{};

    Columns(const std::vector<Bytes>& blocks, uint32_t count)
        : blocks(blocks),
          base(std::min<uint32_t>(static_cast<uint32_t>(blocks.size()), count)),
          count(count),
          block_bytes(blocks[0].size()),
          bytes(block_bytes * count) {
        const uint32_t tiles_each = bwt_plan::tiles_of(static_cast<uint32_t>(block_bytes));
        std::vector<BwtEntry> table;
        for (uint32_t k = 0; k <= count; ++k)
            table.push_back({k * block_bytes, k < count ? static_cast<uint32_t>(block_bytes) : 0, k * tiles_each});
        batch.entries = memory.upload(table);
        batch.text = upload_blocks(memory, blocks, count);
        batch.text_bytes = bytes;
        batch.column = memory.room<uint8_t>(bytes, POISON);
        allocate_scratch(memory, batch, count, tiles_each * count);
    }

    /// Number of columns that are not their block's, and of bytes by which repetitions differ from their first.
    size_t wrong() const {
        const std::vector<BwtResult> results = to_host(batch.results, count);
        const Bytes columns = to_host(batch.column, base * block_bytes);
        DeviceCounter different;
        count_different_columns<<<1024, 256>>>(batch.column, block_bytes, base * block_bytes, bytes, batch.results,
                                               base, different.number);
        size_t wrong = different.value();
        for (const BwtResult& result : results) wrong += result.status != STATUS_SOUND;
        return wrong + add_up(base, [&](uint32_t k) -> size_t {
                   const uint8_t* column = &columns[k * block_bytes];
                   return bzip2_read::text_of(column, block_bytes, results[k].origin_row) != blocks[k];
               });
    }
};

void run(const std::string& name, const std::vector<Bytes>& blocks, uint32_t count) {
    const Columns columns(blocks, count);
    const double bytes = columns.bytes;
    const Measured measured =
        measure_all([&](Launcher& launcher, bool look,
                        RoundCounts* counts) { return transform(columns.batch, launcher, look, counts); },
                    [](const std::string& kernel) { return kernel; }, false);
    const std::string verified = verdict(columns.wrong());
    measured.for_each([&](const std::string& stage, float cold, float ms) {
        std::printf("%s,%u,%zu,%s,%.3f,%.3f,%.2f,%u,%.3f,%.3f,%.1f,%s\n", name.c_str(), count, columns.block_bytes,
                    stage.c_str(), cold, ms, bytes / ms / 1e6, measured.rounds.rounds,
                    measured.rounds.tied_first / bytes, measured.rounds.handled / bytes, columns.memory.bytes / bytes,
                    verified.c_str());
    });
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) return usage();
    const size_t block_bytes = std::strtoull(argv[1], nullptr, 10);
    if (block_bytes == 0 || block_bytes > MAX_BLOCK_BYTES) return 1;
    allow_shared_memory();
    std::printf(
        "file,blocks,block_bytes,stage,cold_ms,ms,GBps,rounds,tied_after_first,handled_in_rounds,device_bytes_per_byte,"
        "verified\n");
    for_each_count(names_of(argc - 3, argv + 3), block_bytes, argv[2], run);
    return 0;
}
