// Times the stages of the bzip2 decoder on one device and prints a line for each file and number of blocks. Decoded
// bytes are compared with the raw file. Or decodes damaged blocks and looks whether anything beside their slots and
// scratch was written. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o bzip2_decode_bench benchmarks/src/main/cuda/bzip2_decode_bench.cu
//   bzip2_decode_bench bench COUNT,COUNT... RAW BZ2 [RAW BZ2]...     milliseconds of each stage for so many blocks, those of the file again and again
//   bzip2_decode_bench damage TURNS SEED RAW BZ2 [RAW BZ2]...        TURNS copies of blocks, each with some bits or bytes changed
//
// A time is the median of seven launches behind a first one. `all` is measured without events between the stages.
#include <random>

#include "bzip2/bzip2.cu"
#include "bzip2_files.cuh"

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
        {"walk_groups", bzip2_walk_groups, 1, WALK_CTA_THREADS, 2},
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
    DeviceMemory memory;

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
        batch.input = memory.upload(input);
        batch.input_bytes = input.size();
        batch.output_bytes = slot_step * blocks.size();
        batch.output = memory.room<uint8_t>(batch.output_bytes + 2 * MARGIN, CANARY) + MARGIN;
        batch.scratch_bytes = scratch_step * blocks.size();
        batch.scratch = memory.room<uint8_t>(batch.scratch_bytes + 2 * MARGIN, CANARY) + MARGIN;
        batch.entries = memory.upload(entries);
        batch.results = memory.upload(std::vector<BlockResult>(blocks.size(), BlockResult{0xFF, 0}));
        batch.block_count = static_cast<uint32_t>(blocks.size());
        batch.largest_slot = slot;
    }

    void launch(const Stage& stage) const {
        const uint32_t grid = stage.strips == 0 ? (batch.block_count + stage.threads - 1) / stage.threads
                                                : batch.block_count * stage.strips;
        stage.kernel<<<grid, stage.threads>>>(batch);
    }

    const uint8_t* output(size_t index) const { return batch.output + entries[index].output_offset; }

    std::vector<BlockResult> results() const { return to_host(batch.results, batch.block_count); }

    /// Number of bytes in the margins that were written.
    size_t spoilt_margins() const {
        size_t spoilt = 0;
        for (const uint8_t* from : {batch.output - MARGIN, batch.output + batch.output_bytes, batch.scratch - MARGIN,
                                    batch.scratch + batch.scratch_bytes}) {
            for (const uint8_t byte : to_host(from, MARGIN)) spoilt += byte != CANARY;
        }
        return spoilt;
    }
};

__global__ void count_unequal(const uint8_t* a, const uint8_t* b, uint32_t bytes, unsigned long long* n) {
    for (uint32_t at = blockIdx.x * blockDim.x + threadIdx.x; at < bytes; at += gridDim.x * blockDim.x) {
        if (a[at] != b[at]) atomicAdd(n, 1ull);
    }
}

uint32_t slot_for(const Bytes& packed) {
    const uint32_t text = 100000 * (packed[3] - '0');
    return std::min(1u << 20, (text + text / 6) / SLOT_GRAIN * SLOT_GRAIN);
}

/// Milliseconds of each column, then of all stages without events between them.
std::vector<std::vector<float>> time_stages(const DeviceBatch& device, const std::vector<Stage>& all) {
    StageTimer timer(all.size());
    constexpr int TURNS = 8;
    std::vector<std::vector<float>> times(COLUMN_COUNT + 1);
    for (int turn = 0; turn < TURNS; ++turn) {
        timer.begin();
        for (const Stage& stage : all) {
            device.launch(stage);
            timer.mark();
        }
        timer.wait();
        std::vector<float> columns(COLUMN_COUNT);
        for (size_t k = 0; k < all.size(); ++k) columns[all[k].column] += timer.ms(k, k + 1);
        timer.begin();
        for (const Stage& stage : all) device.launch(stage);
        timer.mark();
        timer.wait();
        if (turn == 0) continue;
        for (int k = 0; k < COLUMN_COUNT; ++k) times[k].push_back(columns[k]);
        times[COLUMN_COUNT].push_back(timer.ms(0, 1));
    }
    return times;
}

struct Verified {
    size_t raw_bytes = 0;
    size_t wrong = 0;
};

/// Compares the first of each block with the file, the others with the first.
Verified verify(const DeviceBatch& device, const Bytes& raw, size_t base) {
    Verified found;
    const std::vector<BlockResult> results = device.results();
    std::vector<size_t> sizes(base);
    DeviceCounter unequal;
    size_t at = 0;
    for (size_t k = 0; k < results.size(); ++k) {
        const BlockResult result = results[k];
        if (result.status != STATUS_SOUND && result.status != STATUS_EXPANDS) {
            ++found.wrong;
            continue;
        }
        if (k < base) {
            Bytes decoded = to_host(device.output(k), result.output_bytes);
            if (result.status == STATUS_EXPANDS) {
                Bytes text;
                text.swap(decoded);
                bzip2_read::expand(text, decoded);
            }
            sizes[k] = decoded.size();
            found.wrong += decoded.size() > raw.size() - at ||
                           !std::equal(decoded.begin(), decoded.end(), raw.begin() + static_cast<std::ptrdiff_t>(at));
            at += decoded.size();
        } else {
            count_unequal<<<64, 256>>>(device.output(k), device.output(k % base), result.output_bytes, unequal.number);
            found.wrong += result.output_bytes != results[k % base].output_bytes;
        }
        found.raw_bytes += sizes[k % base];
    }
    found.wrong += unequal.value() != 0;
    found.wrong += device.spoilt_margins() != 0;
    return found;
}

void bench(const std::string& name, const Bytes& raw, const Bytes& packed, uint32_t count) {
    const std::vector<Bytes> base = bzip2_files::blocks_of(packed);
    std::vector<const Bytes*> blocks;
    for (uint32_t k = 0; k < count; ++k) blocks.push_back(&base[k % base.size()]);
    const uint32_t slot = slot_for(packed);
    const DeviceBatch device(blocks, slot);
    const std::vector<std::vector<float>> times = time_stages(device, stages(slot));
    const Verified verified = verify(device, raw, base.size());
    std::printf("%s,%u,%.1f,%.2f", name.c_str(), count, verified.raw_bytes / 1e6,
                static_cast<double>(raw.size()) / packed.size());
    for (const auto& column : times) std::printf(",%.3f", median(column));
    std::printf(",%.2f,%s\n", verified.raw_bytes / median(times[COLUMN_COUNT]) / 1e6, verdict(verified.wrong).c_str());
    std::fflush(stdout);
}

/// Changes up to four bytes or bits of a block; half of the changes hit its record.
void damage(Bytes& block, std::mt19937_64& random) {
    const uint32_t changes = 1 + random() % 4;
    for (uint32_t c = 0; c < changes; ++c) {
        const size_t at =
            random() % 2 == 0 ? random() % std::min<size_t>(block.size(), RECORD_BYTES + 64) : random() % block.size();
        block[at] = random() % 2 == 0 ? static_cast<uint8_t>(random()) : block[at] ^ 1 << random() % 8;
    }
}

/// Decodes damaged copies of blocks. Nothing beside their memory may change, and sound neighbours must stay sound.
int decode_damaged(const std::vector<Bytes>& base, uint32_t slot, uint32_t turns, uint64_t seed) {
    std::mt19937_64 random(seed);
    constexpr uint32_t AT_ONCE = 64;
    size_t counts[256] = {};
    size_t failures = 0;
    for (uint32_t done = 0; done < turns; done += AT_ONCE) {
        std::vector<Bytes> copies;
        for (uint32_t k = 0; k < AT_ONCE; ++k) {
            copies.push_back(base[random() % base.size()]);
            if (k % 8 != 0) damage(copies.back(), random);
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
            const Bytes raw = require_file(argv[k]);
            const Bytes packed = require_file(argv[k + 1]);
            for (char* count = argv[2]; *count != 0; count += *count == ',') {
                bench(name_of(argv[k]), raw, packed, static_cast<uint32_t>(std::strtoul(count, &count, 10)));
            }
        }
        return 0;
    }
    if (mode == "damage" && argc > 5) {
        std::vector<Bytes> blocks;
        uint32_t slot = 0;
        for (int k = 4; k + 1 < argc; k += 2) {
            const Bytes packed = require_file(argv[k + 1]);
            for (const Bytes& block : bzip2_files::blocks_of(packed)) blocks.push_back(block);
            slot = std::max(slot, slot_for(packed));
        }
        return decode_damaged(blocks, slot, static_cast<uint32_t>(std::atoi(argv[2])),
                              std::strtoull(argv[3], nullptr, 10));
    }
    return usage();
}
