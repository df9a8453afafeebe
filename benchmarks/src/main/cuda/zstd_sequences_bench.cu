// Times the reading of Zstandard's sequences on one device, to choose a design before it is built. One lane reads all
// of it, or only advances, or advances while its warp takes the values. Or lanes advance without a branch from bits in
// shared memory, a block each, one, four or six of a warp. Every sequence is compared with those of a plain decoder. A
// program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -o zstd_sequences_bench benchmarks/src/main/cuda/zstd_sequences_bench.cu
//   zstd_sequences_bench FILE.zst...      files of the zstd tool; several frames one behind the other are a file too
//
// A line of CSV is a way with so many blocks on each multiprocessor; clocks are those of one block's warp, divided by
// its sequences.
#include "device_bench.cuh"
#include "zstd_blocks.h"

using namespace zstd_blocks;

namespace {

constexpr int LANES = 32;
constexpr int SLOTS = 512;  ///< of a table
/// Words of a block's bits in shared memory, those that are loaded at once, and those that LANES sequences may take.
constexpr uint32_t RING_WORDS = 256;
constexpr uint32_t RING_LOAD = 4 * LANES;
constexpr uint32_t MOST_SEQUENCE_BITS = 31 + 16 + 16 + 26;
constexpr uint32_t BATCH_WORDS = (LANES * MOST_SEQUENCE_BITS + 31) / 32 + 3;
static_assert(BATCH_WORDS <= RING_LOAD && 2 * RING_LOAD == RING_WORDS, "a batch finds its words");

/// A state: 9 bits of the next one, 5 of how many bits are added to it, 7 of how many the value has, and the symbol.
constexpr int STATE_SHIFT = 9;
constexpr int VALUE_SHIFT = 14;
constexpr int SYMBOL_SHIFT = 24;

/// A block on the device.
struct DeviceBlock {
    const uint32_t* words;  ///< its stream, with zeros in front
    const uint32_t* tables;  ///< three, of SLOTS states
    uint32_t bit;  ///< behind the first state's first bit
    uint32_t count;
    uint32_t first;  ///< sequence, in all blocks' results
    uint8_t logs[4];
};

/// Where a sequence's bits begin, and its states.
struct Place {
    uint32_t bit, states;
};

/// Reads a stream backwards.
struct BackwardReader {
    const uint32_t* words;
    uint32_t bit;
    uint32_t w0, w1, w2, ahead;  ///< the word of `bit`, and those below it

    __device__ __forceinline__ void open(const uint32_t* stream, uint32_t first_bit) {
        words = stream;
        bit = first_bit;
        const uint32_t at = bit / 32;
        w0 = __ldg(words + at), w1 = __ldg(words + at - 1), w2 = __ldg(words + at - 2), ahead = __ldg(words + at - 3);
    }
    /// The next 64 bits, the first at the top.
    __device__ __forceinline__ uint64_t window() const {
        return uint64_t{__funnelshift_r(w1, w0, bit)} << 32 | __funnelshift_r(w2, w1, bit);
    }
    __device__ __forceinline__ void skip(uint32_t count) {
        const uint32_t before = bit / 32;
        bit -= count;
        for (uint32_t at = before; at != bit / 32; --at) {
            w0 = w1, w1 = w2, w2 = ahead;
            ahead = __ldg(words + max(at, 4u) - 4);
        }
    }
    __device__ __forceinline__ uint32_t take(uint32_t count) {
        const uint32_t value = count == 0 ? 0 : static_cast<uint32_t>(window() >> (64 - count));
        skip(count);
        return value;
    }
};

/// The three states, packed: 9 bits each.
struct States {
    uint32_t literals, offset, match;
    __device__ __forceinline__ uint32_t packed() const { return literals | offset << 9 | match << 18; }
};

__device__ __forceinline__ States first_states(const DeviceBlock& block, BackwardReader& reader) {
    States states;
    states.literals = reader.take(block.logs[LITERALS]);
    states.offset = reader.take(block.logs[OFFSETS]);
    states.match = reader.take(block.logs[MATCHES]);
    return states;
}

/// Goes on to the next sequence: one sum tells how many bits all three values have, and all three states.
__device__ __forceinline__ void advance(const uint32_t* tables, States& states, BackwardReader& reader) {
    const uint32_t literals = tables[states.literals], offset = tables[SLOTS + states.offset],
                   match = tables[2 * SLOTS + states.match];
    const uint32_t sum =
        (literals >> STATE_SHIFT & 0x7FFF) + (offset >> STATE_SHIFT & 0x7FFF) + (match >> STATE_SHIFT & 0x7FFF);
    const uint32_t state_bits = sum & 31, value_bits = sum >> (VALUE_SHIFT - STATE_SHIFT) & 127;
    uint32_t added;
    if (value_bits + state_bits <= 64) {
        const uint64_t window = reader.window() << (value_bits & 63);
        added = state_bits == 0 ? 0 : static_cast<uint32_t>(window >> 32) >> (32 - state_bits);
        reader.skip(value_bits + state_bits);
    } else {
        reader.skip(value_bits);
        added = reader.take(state_bits);
    }
    const uint32_t match_bits = match >> STATE_SHIFT & 31, offset_bits = offset >> STATE_SHIFT & 31;
    states.literals = (literals & 511) + (added >> (match_bits + offset_bits));
    states.match = (match & 511) + (added >> offset_bits & ((1u << match_bits) - 1));
    states.offset = (offset & 511) + (added & ((1u << offset_bits) - 1));
}

__constant__ uint32_t literal_base[36];
__constant__ uint32_t match_base[53];

/// The values of a sequence.
__device__ __forceinline__ Sequence values(const uint32_t* tables, Place place, const uint32_t* words) {
    const uint32_t literals = tables[place.states & 511], offset = tables[SLOTS + (place.states >> 9 & 511)],
                   match = tables[2 * SLOTS + (place.states >> 18)];
    BackwardReader reader;
    reader.open(words, place.bit);
    Sequence sequence;
    sequence.offset_value = (1u << (offset >> SYMBOL_SHIFT)) + reader.take(offset >> VALUE_SHIFT & 127);
    sequence.match = match_base[match >> SYMBOL_SHIFT] + reader.take(match >> VALUE_SHIFT & 127);
    sequence.literals = literal_base[literals >> SYMBOL_SHIFT] + reader.take(literals >> VALUE_SHIFT & 127);
    return sequence;
}

enum Way { ALL_BY_ONE_LANE, ADVANCE_ALONE, ADVANCE_AND_VALUES, ONE_LANE, FOUR_LANES, SIX_LANES, WAYS };
const char* const NAMES[WAYS] = {"all by one lane",     "advance alone",         "advance, values by the warp",
                                 "one lane, no branch", "four lanes, no branch", "six lanes, no branch"};
constexpr uint32_t blocks_per_warp(Way way) { return way == SIX_LANES ? 6 : way == FOUR_LANES ? 4 : 1; }

__device__ __forceinline__ void load_tables(const DeviceBlock& block, uint32_t* to, int lane) {
    for (int at = lane; at < 3 * SLOTS; at += LANES) to[at] = block.tables[at];
}

/// A block a warp.
template <Way WAY>
__global__ void __launch_bounds__(LANES)
    read_block(const DeviceBlock* blocks, uint32_t block_count, Place* places, Sequence* sequences, uint64_t* clocks) {
    __shared__ uint32_t s_tables[3 * SLOTS];
    __shared__ Place s_places[LANES];
    const int lane = threadIdx.x;
    const DeviceBlock block = blocks[blockIdx.x % block_count];
    const uint64_t first = blockIdx.x < block_count ? block.first : ~uint64_t{0};
    load_tables(block, s_tables, lane);
    __syncwarp();
    BackwardReader reader;
    reader.open(block.words, block.bit);
    States states = first_states(block, reader);
    const long long begin = clock64();
    for (uint32_t at = 0; at < block.count; at += LANES) {
        const uint32_t count = min(static_cast<uint32_t>(LANES), block.count - at);
        if (lane == 0) {
            for (uint32_t k = 0; k < count; ++k) {
                const Place place{reader.bit, states.packed()};
                if (WAY == ALL_BY_ONE_LANE) {
                    const Sequence sequence = values(s_tables, place, block.words);
                    if (first != ~uint64_t{0}) sequences[first + at + k] = sequence;
                } else if (WAY == ADVANCE_ALONE) {
                    if (first != ~uint64_t{0}) places[first + at + k] = place;
                } else {
                    s_places[k] = place;
                }
                if (at + k + 1 < block.count) advance(s_tables, states, reader);
            }
        }
        if (WAY == ADVANCE_AND_VALUES) {
            __syncwarp();
            if (lane < count) {
                const Sequence sequence = values(s_tables, s_places[lane], block.words);
                if (first != ~uint64_t{0}) sequences[first + at + lane] = sequence;
            }
            __syncwarp();
        }
    }
    if (lane == 0) clocks[blockIdx.x] = clock64() - begin;
}

/// A state for advancing: bits of the value in the lowest byte, then those that are added to the next state, which
/// stands from bit QUICK_NEXT_SHIFT on. The sum of three has all bits of a sequence, and of its states.
constexpr int QUICK_STATE_SHIFT = 8;
constexpr int QUICK_NEXT_SHIFT = 16;
__device__ __forceinline__ uint32_t quick_state(uint32_t state) {
    return (state >> VALUE_SHIFT & 127) | (state >> STATE_SHIFT & 31) << QUICK_STATE_SHIFT |
           (state & 511) << QUICK_NEXT_SHIFT;
}

/// Loads words below `loaded` to their places in a ring, and zeros for those in front of the stream; a warp.
__device__ __forceinline__ void load_ring(const DeviceBlock& block, uint32_t* ring, int32_t loaded, int lane) {
    for (uint32_t k = lane; k < RING_LOAD; k += LANES) {
        const int32_t at = loaded - static_cast<int32_t>(RING_LOAD) + static_cast<int32_t>(k);
        ring[static_cast<uint32_t>(at) % RING_WORDS] = at >= 0 ? __ldg(block.words + at) : 0;
    }
}

/// Lanes that advance, a block each, COUNT of a warp. From one sequence to the next two reads of shared memory follow
/// each other: that of the states, and that of the bits behind all values, which are added to the next states.
template <int COUNT>
__global__ void __launch_bounds__(LANES)
    read_lanes(const DeviceBlock* blocks, uint32_t block_count, Place* places, uint64_t* clocks) {
    __shared__ uint32_t s_tables[COUNT][3 * SLOTS];
    __shared__ uint32_t s_ring[COUNT][RING_WORDS];
    __shared__ int32_t s_loaded[COUNT];  // lowest word in the ring
    __shared__ uint32_t s_word[COUNT];  // that the lane reads at
    const int lane = threadIdx.x;
    uint32_t most = 0;
    for (int k = 0; k < COUNT; ++k) {
        const DeviceBlock block = blocks[(blockIdx.x * COUNT + k) % block_count];
        for (int at = lane; at < 3 * SLOTS; at += LANES) s_tables[k][at] = quick_state(block.tables[at]);
        const int32_t above = static_cast<int32_t>((block.bit / 32 + 4) / 4 * 4);
        load_ring(block, s_ring[k], above, lane);
        load_ring(block, s_ring[k], above - static_cast<int32_t>(RING_LOAD), lane);
        if (lane == 0) s_loaded[k] = above - static_cast<int32_t>(RING_WORDS);
        most = max(most, block.count);
    }
    const uint32_t index = blockIdx.x * COUNT + min(lane, COUNT - 1);
    const DeviceBlock own = blocks[index % block_count];
    const uint32_t* tables = s_tables[min(lane, COUNT - 1)];
    const uint32_t* ring = s_ring[min(lane, COUNT - 1)];
    BackwardReader reader;
    reader.open(own.words, own.bit);
    States states = first_states(own, reader);
    uint32_t bit = reader.bit;
    const long long begin = clock64();
    for (uint32_t first = 0; first < most; first += LANES) {
        if (lane < COUNT) s_word[lane] = bit / 32;
        __syncwarp();
        for (int k = 0; k < COUNT; ++k) {
            if (static_cast<int32_t>(s_word[k]) - s_loaded[k] >= static_cast<int32_t>(RING_LOAD)) continue;
            load_ring(blocks[(blockIdx.x * COUNT + k) % block_count], s_ring[k], s_loaded[k], lane);
            __syncwarp();
            if (lane == 0) s_loaded[k] -= static_cast<int32_t>(RING_LOAD);
        }
        __syncwarp();
        const uint32_t count = first < own.count ? min(own.count - first, static_cast<uint32_t>(LANES)) : 0;
        if (lane < COUNT) {
            for (uint32_t k = 0; k < count; ++k) {
                if (index < block_count) places[own.first + first + k] = Place{bit, states.packed()};
                const uint32_t literals = tables[states.literals], offset = tables[SLOTS + states.offset],
                               match = tables[2 * SLOTS + states.match];
                if (first + k + 1 == own.count) break;  // the last sequence is followed by no states
                const uint32_t sum = literals + offset + match;
                const uint32_t behind = bit - (sum & 255);
                const uint32_t word = behind / 32 - 1;
                const uint32_t bits = __funnelshift_r(ring[word % RING_WORDS], ring[(word + 1) % RING_WORDS], behind);
                const uint32_t state_bits = sum >> QUICK_STATE_SHIFT & 31;
                const uint32_t added = bits >> 1 >> (31 - state_bits);
                const uint32_t match_bits = match >> QUICK_STATE_SHIFT & 31;
                const uint32_t offset_bits = offset >> QUICK_STATE_SHIFT & 31;
                bit = behind - state_bits;
                states.literals = (literals >> QUICK_NEXT_SHIFT) + (added >> (match_bits + offset_bits));
                states.match = (match >> QUICK_NEXT_SHIFT) + (added >> offset_bits & ((1u << match_bits) - 1));
                states.offset = (offset >> QUICK_NEXT_SHIFT) + (added & ((1u << offset_bits) - 1));
            }
        }
        __syncwarp();
    }
    if (lane < COUNT) clocks[index] = clock64() - begin;
}

/// The values of all places, so that those are verified too.
__global__ void take_values(const DeviceBlock* blocks, const Place* places, Sequence* sequences) {
    const DeviceBlock block = blocks[blockIdx.x];
    for (uint32_t at = threadIdx.x; at < block.count; at += blockDim.x)
        sequences[block.first + at] = values(block.tables, places[block.first + at], block.words);
}

/// A file's blocks on the device.
struct Blocks {
    DeviceMemory memory;
    std::vector<DeviceBlock> table;
    std::vector<Sequence> expected;
    const DeviceBlock* blocks = nullptr;
    Place* places = nullptr;
    Sequence* sequences = nullptr;

    explicit Blocks(const std::vector<Section>& sections) {
        for (const Section& section : sections) add(section);
        blocks = memory.upload(table);
        places = memory.room<Place>(expected.size(), 0);
        sequences = memory.room<Sequence>(expected.size(), 0);
    }

    /// Number of sequences that are not the plain decoder's.
    size_t wrong() const {
        const std::vector<Sequence> found = to_host(sequences, expected.size());
        size_t wrong = 0;
        for (size_t i = 0; i < found.size(); ++i) wrong += std::memcmp(&found[i], &expected[i], sizeof(Sequence)) != 0;
        return wrong;
    }

private:
    void add(const Section& section) {
        constexpr size_t FRONT = 16;
        std::vector<uint32_t> words((FRONT + section.bits.size() + 3) / 4 + 1);
        std::memcpy(reinterpret_cast<uint8_t*>(words.data()) + FRONT, section.bits.data(), section.bits.size());
        std::vector<uint32_t> tables(3 * SLOTS);
        DeviceBlock block{};
        for (int kind = 0; kind < 3; ++kind) {
            const Table& from = section.tables[kind];
            block.logs[kind] = static_cast<uint8_t>(from.log);
            for (size_t state = 0; state < from.cells.size(); ++state) {
                const Cell cell = from.cells[state];
                tables[kind * SLOTS + state] = cell.next | uint32_t{cell.state_bits} << STATE_SHIFT |
                                               extra_bits(static_cast<Kind>(kind), cell.symbol) << VALUE_SHIFT |
                                               uint32_t{cell.symbol} << SYMBOL_SHIFT;
            }
        }
        block.words = memory.upload(words);
        block.tables = memory.upload(tables);
        block.bit =
            static_cast<uint32_t>(8 * (FRONT + section.bits.size()) - __builtin_clz(section.bits.back()) + 24 - 1);
        block.count = section.count;
        block.first = static_cast<uint32_t>(expected.size());
        const std::vector<Sequence> plain = decode(section);
        expected.insert(expected.end(), plain.begin(), plain.end());
        table.push_back(block);
    }
};

void launch(Way way, const Blocks& of, uint32_t warps, uint64_t* clocks) {
    const uint32_t count = static_cast<uint32_t>(of.table.size());
    switch (way) {
        case ALL_BY_ONE_LANE:
            read_block<ALL_BY_ONE_LANE><<<warps, LANES>>>(of.blocks, count, of.places, of.sequences, clocks);
            break;
        case ADVANCE_ALONE:
            read_block<ADVANCE_ALONE><<<warps, LANES>>>(of.blocks, count, of.places, of.sequences, clocks);
            break;
        case ADVANCE_AND_VALUES:
            read_block<ADVANCE_AND_VALUES><<<warps, LANES>>>(of.blocks, count, of.places, of.sequences, clocks);
            break;
        case ONE_LANE: read_lanes<1><<<warps, LANES>>>(of.blocks, count, of.places, clocks); break;
        case FOUR_LANES: read_lanes<4><<<warps, LANES>>>(of.blocks, count, of.places, clocks); break;
        default: read_lanes<6><<<warps, LANES>>>(of.blocks, count, of.places, clocks);
    }
    CHECK(cudaGetLastError());
}

void run(const std::string& name, const Blocks& of, Way way, uint32_t per_multiprocessor, uint32_t multiprocessors) {
    const uint32_t warps = per_multiprocessor * multiprocessors;
    const uint32_t blocks = warps * blocks_per_warp(way);
    DeviceMemory memory;
    uint64_t* clocks = memory.room<uint64_t>(blocks, 0);
    const Times times = measure([&] { launch(way, of, warps, clocks); }, 5);
    // so that each distinct block is read at least once, and judged
    launch(way, of, std::max<uint32_t>(warps, static_cast<uint32_t>(of.table.size())),
           memory.room<uint64_t>(std::max<size_t>(blocks, of.table.size() * blocks_per_warp(way))));
    if (way == ADVANCE_ALONE || way >= ONE_LANE)
        take_values<<<static_cast<uint32_t>(of.table.size()), 256>>>(of.blocks, of.places, of.sequences);
    CHECK(cudaDeviceSynchronize());
    double all = 0;
    uint64_t sequences = 0;
    const std::vector<uint64_t> own = to_host(clocks, blocks);
    for (uint32_t k = 0; k < blocks; ++k) {
        all += static_cast<double>(own[k]);
        sequences += of.table[k % of.table.size()].count;
    }
    std::printf("%s,%s,%u,%u,%.3f,%.1f,%.2f,%s\n", name.c_str(), NAMES[way], per_multiprocessor, blocks, times.median,
                all / static_cast<double>(sequences), static_cast<double>(sequences) / times.median / 1e6,
                verdict(of.wrong()).c_str());
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return usage();
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaMemcpyToSymbol(literal_base, LITERAL_BASE, sizeof literal_base));
    CHECK(cudaMemcpyToSymbol(match_base, MATCH_BASE, sizeof match_base));
    std::printf("file,way,warps_per_multiprocessor,blocks,ms,clocks_per_sequence,G_sequences_per_s,verified\n");
    for (int file = 1; file < argc; ++file) {
        const Blocks blocks(read_sections(require_file(argv[file])));
        for (int way = 0; way < WAYS; ++way) {
            for (uint32_t warps : {1u, 4u, 6u, 16u, 24u}) {
                if (warps * blocks_per_warp(static_cast<Way>(way)) > 32) continue;
                run(name_of(argv[file]), blocks, static_cast<Way>(way), warps, static_cast<uint32_t>(multiprocessors));
            }
        }
    }
    return 0;
}
