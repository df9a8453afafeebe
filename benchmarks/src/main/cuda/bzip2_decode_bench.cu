// Times the stages of the bzip2 decoder on one device and prints a line for each file and number of blocks; what is
// decoded is compared with the raw file. Or decodes damaged blocks and looks whether anything beside their slots and
// scratch was written. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o bzip2_decode_bench benchmarks/src/main/cuda/bzip2_decode_bench.cu
//   bzip2_decode_bench bench COUNT,COUNT... RAW BZ2 [RAW BZ2]...     milliseconds of each stage for so many blocks, those of the file again and again
//   bzip2_decode_bench damage TURNS SEED RAW BZ2 [RAW BZ2]...        TURNS copies of blocks, each with some bits or bytes changed
//
// A time is the median of seven launches behind a first one. `all` is measured without events between the stages.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "bzip2/bzip2.cu"
#include "bzip2_files.cuh"
#include "device_bench.cuh"

namespace {

struct Stage {
    const char* name;
    void (*kernel)(DecodeBatch);
    uint32_t strips;  ///< ctas a block; 0: one for each cta's threads of blocks
    int threads;
    int column;
};

constexpr const char* COLUMNS[] = {"tables", "trunks",  "groups", "symbols", "mtf_read", "mtf_join", "mtf_write",
                                   "link",   "measure", "rank",   "write",   "runs",     "check"};
constexpr int COLUMN_COUNT = 13;

std::vector<Stage> stages(uint32_t slot) {
    return {
        {"make_tables", bzip2_make_tables, 1, TABLE_CTA_THREADS, 0},
        {"read_trunks", bzip2_read_trunks, slot / TRUNK_CTA_BYTES + 1, TRUNK_CTA_THREADS, 1},
        {"find_groups", bzip2_find_groups, 1, FIND_CTA_THREADS, 2},
        {"read_symbols", bzip2_read_symbols, read_strips(slot), READ_CTA_THREADS, 3},
        {"read_pieces", bzip2_read_pieces, piece_read_strips(slot), PIECE_READ_CTA_THREADS, 4},
        {"join_pieces", bzip2_join_pieces, 1, mtf::JOIN_CTA_THREADS, 5},
        {"write_pieces", bzip2_write_pieces, piece_strips(slot), PIECE_CTA_THREADS, 6},
        {"count_tiles", bzip2_count_tiles, bwt::tile_count(slot), bwt::COUNT_CTA_THREADS, 7},
        {"begin_tiles", bzip2_begin_tiles, 1, bwt::VALUES, 7},
        {"link_tiles", bzip2_link_tiles, bwt::tile_count(slot), bwt::LINK_CTA_THREADS, 7},
        {"measure_nodes", bzip2_measure_nodes, node_strips(slot), NODE_CTA_THREADS, 8},
        {"rank_nodes", bzip2_rank_nodes, 1, bwt::RANK_CTA_THREADS, 9},
        {"write_nodes", bzip2_write_nodes, node_strips(slot), NODE_CTA_THREADS, 10},
        {"repeat_text", bzip2_repeat_text, run_strips(slot), RUN_CTA_THREADS, 11},
        {"measure_runs", bzip2_measure_runs, run_strips(slot), RUN_CTA_THREADS, 11},
        {"join_runs", bzip2_join_runs, 1, RUN_JOIN_CTA_THREADS, 11},
        {"expand_runs", bzip2_expand_runs, run_strips(slot), RUN_CTA_THREADS, 11},
        {"check", bzip2_check, check_strips(slot), CHECK_CTA_THREADS, 12},
        {"finish", bzip2_finish, 0, FINISH_CTA_THREADS, 12},
    };
}

constexpr uint8_t CANARY = 0xEE;
constexpr size_t MARGIN = 4096;

/// A batch in device memory, with margins around slots and scratch.
struct DeviceBatch {
    DecodeBatch batch{};
    std::vector<DecodeEntry> entries;
    uint8_t* output_all;
    uint8_t* scratch_all;

    DeviceBatch(const std::vector<const Bytes*>& blocks, uint32_t slot) {
        std::vector<uint8_t> input;
        const uint64_t slot_step = (slot + 255) / 256 * 256;
        const uint64_t scratch_step = (scratch_bytes(slot) + 255) / 256 * 256;
        for (const Bytes* block : blocks) {
            DecodeEntry entry{};
            entry.input_offset = input.size();
            entry.input_bytes = static_cast<uint32_t>(block->size());
            entry.output_offset = slot_step * entries.size();
            entry.output_limit = slot;
            entry.scratch_offset = scratch_step * entries.size();
            entries.push_back(entry);
            input.insert(input.end(), block->begin(), block->end());
            input.resize((input.size() + 15) / 16 * 16);
        }
        batch.input = to_device(input);
        batch.input_bytes = input.size();
        batch.output_bytes = slot_step * blocks.size();
        batch.scratch_bytes = scratch_step * blocks.size();
        CHECK(cudaMalloc(&output_all, batch.output_bytes + 2 * MARGIN));
        CHECK(cudaMemset(output_all, CANARY, batch.output_bytes + 2 * MARGIN));
        CHECK(cudaMalloc(&scratch_all, batch.scratch_bytes + 2 * MARGIN));
        CHECK(cudaMemset(scratch_all, CANARY, batch.scratch_bytes + 2 * MARGIN));
        batch.output = output_all + MARGIN;
        batch.scratch = scratch_all + MARGIN;
        batch.entries = to_device(entries);
        batch.results = to_device(std::vector<BlockResult>(blocks.size(), BlockResult{0xFF, 0}));
        batch.block_count = static_cast<uint32_t>(blocks.size());
        batch.largest_slot = slot;
    }

    ~DeviceBatch() {
        for (const void* p : {(const void*)batch.input, (const void*)output_all, (const void*)scratch_all,
                              (const void*)batch.entries, (const void*)batch.results}) {
            CHECK(cudaFree(const_cast<void*>(p)));
        }
    }

    void launch(const Stage& stage) const {
        const uint32_t grid = stage.strips == 0 ? (batch.block_count + stage.threads - 1) / stage.threads
                                                : batch.block_count * stage.strips;
        stage.kernel<<<grid, stage.threads>>>(batch);
    }

    std::vector<BlockResult> results() const {
        std::vector<BlockResult> found(batch.block_count);
        CHECK(cudaMemcpy(found.data(), batch.results, found.size() * sizeof(BlockResult), cudaMemcpyDeviceToHost));
        return found;
    }

    /// Bytes of the margins that are not what they were.
    size_t spoilt_margins() const {
        size_t spoilt = 0;
        std::vector<uint8_t> margin(MARGIN);
        for (const uint8_t* from : {output_all, output_all + MARGIN + batch.output_bytes, scratch_all,
                                    scratch_all + MARGIN + batch.scratch_bytes}) {
            CHECK(cudaMemcpy(margin.data(), from, MARGIN, cudaMemcpyDeviceToHost));
            for (const uint8_t byte : margin) spoilt += byte != CANARY;
        }
        return spoilt;
    }
};

/// What bzip2's first coding stands for.
Bytes expand(const Bytes& text) {
    Bytes raw;
    int equal = 0;
    for (size_t at = 0; at < text.size();) {
        const uint8_t byte = text[at++];
        equal = equal != 0 && raw.back() == byte ? equal + 1 : 1;
        raw.push_back(byte);
        if (equal == 4 && at < text.size()) {
            raw.insert(raw.end(), text[at++], byte);
            equal = 0;
        }
    }
    return raw;
}

__global__ void count_unequal(const uint8_t* a, const uint8_t* b, uint32_t bytes, unsigned long long* n) {
    for (uint32_t at = blockIdx.x * blockDim.x + threadIdx.x; at < bytes; at += gridDim.x * blockDim.x) {
        if (a[at] != b[at]) atomicAdd(n, 1ull);
    }
}

uint32_t slot_for(const Bytes& packed) {
    const uint32_t text = 100000 * (packed[3] - '0');
    return std::min(1u << 20, (text + text / 6) / SLOT_GRAIN * SLOT_GRAIN);
}

float median(std::vector<float> times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

void bench(const char* name, const Bytes& raw, const Bytes& packed, uint32_t count) {
    const std::vector<Bytes> base = bzip2_files::blocks_of(packed);
    std::vector<const Bytes*> blocks;
    for (uint32_t k = 0; k < count; ++k) blocks.push_back(&base[k % base.size()]);
    const uint32_t slot = slot_for(packed);
    const DeviceBatch device(blocks, slot);
    const std::vector<Stage> all = stages(slot);
    std::vector<cudaEvent_t> events(all.size() + 1);
    for (auto& event : events) CHECK(cudaEventCreate(&event));
    constexpr int TURNS = 8;
    std::vector<std::vector<float>> times(COLUMN_COUNT + 1);
    for (int turn = 0; turn < TURNS; ++turn) {
        CHECK(cudaEventRecord(events[0]));
        for (size_t k = 0; k < all.size(); ++k) {
            device.launch(all[k]);
            CHECK(cudaEventRecord(events[k + 1]));
        }
        CHECK(cudaGetLastError());
        CHECK(cudaEventSynchronize(events.back()));
        std::vector<float> columns(COLUMN_COUNT);
        for (size_t k = 0; k < all.size(); ++k) {
            float ms;
            CHECK(cudaEventElapsedTime(&ms, events[k], events[k + 1]));
            columns[all[k].column] += ms;
        }
        CHECK(cudaEventRecord(events[0]));
        for (const Stage& stage : all) device.launch(stage);
        CHECK(cudaEventRecord(events[1]));
        CHECK(cudaEventSynchronize(events[1]));
        float ms;
        CHECK(cudaEventElapsedTime(&ms, events[0], events[1]));
        if (turn == 0) continue;
        for (int k = 0; k < COLUMN_COUNT; ++k) times[k].push_back(columns[k]);
        times[COLUMN_COUNT].push_back(ms);
    }
    for (auto& event : events) CHECK(cudaEventDestroy(event));

    // The first of each block with the file, the others with the first.
    const std::vector<BlockResult> results = device.results();
    size_t raw_bytes = 0, wrong = 0, at = 0;
    std::vector<size_t> sizes(base.size());
    Bytes slot_bytes(slot);
    unsigned long long* unequal;
    CHECK(cudaMalloc(&unequal, 8));
    CHECK(cudaMemset(unequal, 0, 8));
    for (uint32_t k = 0; k < count; ++k) {
        const BlockResult result = results[k];
        if (result.status != STATUS_SOUND && result.status != STATUS_EXPANDS) {
            ++wrong;
            continue;
        }
        const uint8_t* output = device.batch.output + device.entries[k].output_offset;
        if (k < base.size()) {
            CHECK(cudaMemcpy(slot_bytes.data(), output, result.output_bytes, cudaMemcpyDeviceToHost));
            Bytes found(slot_bytes.begin(), slot_bytes.begin() + result.output_bytes);
            if (result.status == STATUS_EXPANDS) found = expand(found);
            sizes[k] = found.size();
            wrong += found.size() > raw.size() - at ||
                     !std::equal(found.begin(), found.end(), raw.begin() + static_cast<std::ptrdiff_t>(at));
            at += found.size();
        } else {
            count_unequal<<<64, 256>>>(output, device.batch.output + device.entries[k % base.size()].output_offset,
                                       result.output_bytes, unequal);
            wrong += result.output_bytes != results[k % base.size()].output_bytes;
        }
        raw_bytes += sizes[k % base.size()];
    }
    unsigned long long different;
    CHECK(cudaMemcpy(&different, unequal, 8, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(unequal));
    wrong += different != 0;
    wrong += device.spoilt_margins() != 0;
    const float ms = median(times[COLUMN_COUNT]);
    std::printf("%s,%u,%.1f,%.2f", name, count, raw_bytes / 1e6, static_cast<double>(raw.size()) / packed.size());
    for (int k = 0; k < COLUMN_COUNT; ++k) std::printf(",%.3f", median(times[k]));
    std::printf(",%.3f,%.2f,%s\n", ms, raw_bytes / ms / 1e6,
                wrong != 0 ? ("WRONG " + std::to_string(wrong)).c_str() : "yes");
    std::fflush(stdout);
}

/// Damaged copies of blocks. Whatever they decode to, nothing beside their memory changes, and sound neighbours stay
/// sound.
int damage(const std::vector<Bytes>& base, uint32_t slot, uint32_t turns, uint64_t seed) {
    std::mt19937_64 random(seed);
    constexpr uint32_t AT_ONCE = 64;
    size_t counts[256] = {};
    size_t failures = 0;
    for (uint32_t done = 0; done < turns; done += AT_ONCE) {
        std::vector<Bytes> copies;
        for (uint32_t k = 0; k < AT_ONCE; ++k) {
            Bytes copy = base[random() % base.size()];
            const uint32_t changes = k % 8 == 0 ? 0 : 1 + random() % 4;
            for (uint32_t c = 0; c < changes; ++c) {
                // Half of the changes hit the record.
                const size_t at = random() % 2 == 0 ? random() % std::min<size_t>(copy.size(), RECORD_BYTES + 64)
                                                    : random() % copy.size();
                copy[at] = random() % 2 == 0 ? static_cast<uint8_t>(random()) : copy[at] ^ 1 << random() % 8;
            }
            copies.push_back(copy);
        }
        std::vector<const Bytes*> blocks;
        for (const Bytes& copy : copies) blocks.push_back(&copy);
        const DeviceBatch device(blocks, slot);
        for (const Stage& stage : stages(slot)) device.launch(stage);
        CHECK(cudaDeviceSynchronize());
        const std::vector<BlockResult> results = device.results();
        for (uint32_t k = 0; k < AT_ONCE; ++k) {
            ++counts[results[k].status & 0xFF];
            const bool expands = results[k].status == STATUS_EXPANDS;
            failures += k % 8 == 0 && results[k].status != STATUS_SOUND && !expands;
            failures += results[k].output_bytes > slot || results[k].status >= STATUS_COUNT;
        }
        failures += device.spoilt_margins();
    }
    for (uint32_t status = 0; status < STATUS_COUNT; ++status) std::printf("status %u: %zu\n", status, counts[status]);
    std::printf("damage,%u turns,seed %llu,%zu failures\n", turns, static_cast<unsigned long long>(seed), failures);
    return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string mode = argc > 1 ? argv[1] : "";
    if (mode == "bench" && argc > 4) {
        std::printf("file,blocks,raw_MB,ratio");
        for (const char* column : COLUMNS) std::printf(",ms_%s", column);
        std::printf(",ms_all,GBps,verified\n");
        for (int k = 3; k + 1 < argc; k += 2) {
            const Bytes raw = bzip2_files::read_file(argv[k]);
            const Bytes packed = bzip2_files::read_file(argv[k + 1]);
            const std::string path = argv[k];
            for (char* count = argv[2]; *count != 0; count += *count == ',') {
                bench(path.substr(path.rfind('/') + 1).c_str(), raw, packed,
                      static_cast<uint32_t>(std::strtoul(count, &count, 10)));
            }
        }
        return 0;
    }
    if (mode == "damage" && argc > 5) {
        std::vector<Bytes> blocks;
        uint32_t slot = 0;
        for (int k = 4; k + 1 < argc; k += 2) {
            const Bytes packed = bzip2_files::read_file(argv[k + 1]);
            for (const Bytes& block : bzip2_files::blocks_of(packed)) blocks.push_back(block);
            slot = std::max(slot, slot_for(packed));
        }
        return damage(blocks, slot, static_cast<uint32_t>(std::atoi(argv[2])), std::strtoull(argv[3], nullptr, 10));
    }
    std::printf("usage: see the head of the source\n");
    return 1;
}
