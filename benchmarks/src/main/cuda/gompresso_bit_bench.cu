// Times Gompresso/Bit (Sitaridi et al., 2016) in standard DEFLATE. Bodies with the paper's table of sub-blocks are
// read by it, beside our kernels that read the same bodies without. Prints one line per file, kind of body and way to
// decode. The output is compared with the raw data on the device; each distinct body is decoded with zlib, too. A
// program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o gompresso_bit_bench benchmarks/src/main/cuda/gompresso_bit_bench.cu -lz
//   gompresso_bit_bench BATCH_MB BODY_KB FILE...     kernel times; ONLY=text in the environment: one run of the ways so named
//
// FILE: raw data, perhaps gzipped; the batch is its whole bodies again and again. The paper's data blocks have
// 256 KB. A body has a DEFLATE block for each 64 KiB, and is encoded on the host (gompresso_bit_encode.h, where the
// table is described). Kinds: `15 bits` is DEFLATE as it is; `10 bits` has no longer words, so that one look-up finds
// each. `10 bits flat` has no dependencies in groups, either.
//
// Ways: `decode without table` is deflate_decode. The others read sub-blocks, one a lane, 32 at once. `gather` keeps
// our tables of 9 and 8 bits and our way to produce bytes. SC, MRR and DE are the paper's, with tables of 10 bits in
// shared memory. A lane writes literals and records of sequences to device memory. Then the warp takes the sequences
// of two sub-blocks at once and copies their literals. Their matches follow one after the other (SC), in rounds (MRR,
// lz4_rounds.cuh), or, of flat bodies, all at once (DE). The table's counts of sub-blocks are believed. Its ends are
// checked: each sub-block must end where the table says.
//
// Columns: `ratio` counts the table where the way reads it; `table_percent` is the table against the bodies. `rounds`
// is how often MRR goes round for a group. `encode_MBps` is the host's encoder on one core; the kinds take turns with
// each body, so that they meet the same machine.
#include <chrono>
#include <cstring>
#include <functional>
#include <string>

#include "deflate_stream.h"
#include "deflate_decode/deflate_decode_body.cuh"
#include "gompresso_bit_encode.h"
#include "lz4_rounds.cuh"

using namespace warpcodec;
using namespace warpcodec::deflate_decode;
using gompresso::GROUP_SUB_BLOCKS;
using gompresso::SUB_BLOCK_LITERALS;
using gompresso::SUB_BLOCK_SEQUENCES;

namespace {

constexpr int TABLE_BITS = 10;
constexpr int CTA_WARPS = DecodePolicy::CTA_THREADS / WARP_LANES;
constexpr uint32_t CTAS = 132 * DecodePolicy::CTAS_PER_MULTIPROCESSOR;
constexpr uint32_t LANE_TOKENS = DecodePolicy::LANE_TOKENS;
/// Scratch of a warp, words: a token each, of ours; else records of sequences, two words each, and then literals.
constexpr uint32_t WARP_WORDS = WARP_LANES * LANE_TOKENS;
constexpr uint32_t RECORD_WORDS = 2 * WARP_LANES * SUB_BLOCK_SEQUENCES;
constexpr uint32_t LITERAL_WORDS = SUB_BLOCK_LITERALS / 4;
static_assert(SUB_BLOCK_LITERALS + SUB_BLOCK_SEQUENCES <= LANE_TOKENS &&
              RECORD_WORDS + WARP_LANES * LITERAL_WORDS <= WARP_WORDS);
static_assert(GROUP_SUB_BLOCKS * SUB_BLOCK_SEQUENCES == WARP_LANES, "a group has a lane for each sequence");

struct Arguments {
    Batch batch;
    uint32_t* scratch;
    const uint16_t* tables;
    const uint32_t* table_offsets;  ///< of each body, in numbers
};

/// What a lane read of its sub-block.
struct SubBlock {
    uint32_t count;  ///< of sequences, or of tokens
    uint32_t bytes;
};

// ---- ways
// --------------------------------------------------------------------------------------------------------------

/// Our tokens, and our way to produce bytes.
struct Gather {
    using Tables = BlockTables;
    using Shared = DecodeScratch;

    static __device__ bool thread_read(const BitStream& stream, BitReader& reader, const Tables& tables, uint32_t limit,
                                       uint32_t* scratch, SubBlock& sub, int lane) {
        Part part;
        const Ending ending = thread_read_tokens<Reading::KEEPS>(stream, reader, tables, limit,
                                                                 scratch + lane * LANE_TOKENS, LANE_TOKENS, part);
        sub = SubBlock{part.count, part.bytes};
        return ending == ENDED_OPEN;
    }

    static __device__ bool warp_produce(uint8_t* output, uint32_t position, const uint32_t* scratch,
                                        const SubBlock& sub, int last_lane, Shared& shared, int lane) {
        return warp_produce_round(output, position, scratch, sub.count, last_lane, shared.produce, lane);
    }
};

/// How the matches of a group are copied.
enum class Copying { SEQUENTIAL, ROUNDS, AT_ONCE };

/// The paper's.
template <Copying COPYING>
struct Paper {
    struct Tables {
        CodeTables<FIXED_LITERAL_CODES, TABLE_BITS> literals;
        CodeTables<FIXED_DISTANCE_CODES, TABLE_BITS> distances;
    };
    struct Shared {
        Tables tables;
        HeaderScratch header;
    };

    /// Reads a sub-block that ends at `limit`. A record is literals | length << 16, and the distance; the last one
    /// may have no match.
    static __device__ bool thread_read(const BitStream& stream, BitReader& reader, const Tables& tables, uint32_t limit,
                                       uint32_t* scratch, SubBlock& sub, int lane) {
        uint2* records = reinterpret_cast<uint2*>(scratch) + lane * SUB_BLOCK_SEQUENCES;
        uint32_t* words = scratch + RECORD_WORDS + lane * LITERAL_WORDS;
        uint32_t all_literals = 0, literals = 0, latest = 0;  // literals are stored four at a time
        bool sound = true;
#pragma unroll 1
        while (reader.position() < limit) {
            const uint2 window = reader.peek_pair();
            const uint32_t entry = tables.literals.lookup[window.x & tables.literals.LOOKUP_MASK];
            const uint32_t code_bits = entry & LENGTH_MASK;
            const uint32_t extra = entry >> PAYLOAD_SHIFT & LITERAL_EXTRA_MASK;
            const bool match = entry & (LITERAL_MATCH << PAYLOAD_SHIFT);
            const uint32_t value = (entry >> 8) + (window.x >> code_bits & ~(0xFFFFFFFFu << extra));
            const uint32_t far_window = __funnelshift_r(window.x, window.y, code_bits + extra);
            const uint32_t far = tables.distances.lookup[far_window & tables.distances.LOOKUP_MASK];
            const uint32_t far_bits = far & LENGTH_MASK;
            const uint32_t far_extra = far >> PAYLOAD_SHIFT & DISTANCE_EXTRA_MASK;
            const uint32_t distance =
                1 + (far >> 8 << far_extra) + (far_window >> far_bits & ~(0xFFFFFFFFu << far_extra));
            if (entry == 0 || extra >= EXTRA_BAD || (match && (far == 0 || far_extra == DISTANCE_BAD)) ||
                sub.count == SUB_BLOCK_SEQUENCES || (!match && all_literals == SUB_BLOCK_LITERALS)) {
                sound = false;
                break;
            }
            reader.skip(stream, code_bits + extra + (match ? far_bits + far_extra : 0));
            sub.bytes += match ? value + MIN_MATCH_BYTES : 1;
            if (match) {
                records[sub.count++] = make_uint2(literals | (value + MIN_MATCH_BYTES) << 16, distance);
                literals = 0;
            } else {
                latest = latest >> 8 | value << 24;
                ++literals;
                if (++all_literals % 4 == 0) words[all_literals / 4 - 1] = latest;
            }
        }
        if (all_literals % 4 != 0) words[all_literals / 4] = latest >> (32 - all_literals % 4 * 8);
        if (literals != 0 && sound) records[sub.count++] = make_uint2(literals, 0);
        return sound;
    }

    /// Copies what the lanes read, from `position` of the output on. False if a distance reaches before the output.
    static __device__ bool warp_produce(uint8_t* output, uint32_t position, const uint32_t* scratch,
                                        const SubBlock& sub, int last_lane, Shared&, int lane) {
        const uint2* records = reinterpret_cast<const uint2*>(scratch);
        const uint8_t* literals = reinterpret_cast<const uint8_t*>(scratch + RECORD_WORDS);
        const int half = lane / static_cast<int>(SUB_BLOCK_SEQUENCES);
#pragma unroll 1
        for (int first = 0; first <= last_lane; first += GROUP_SUB_BLOCKS) {
            const uint32_t count = __shfl_sync(ALL_LANES, sub.count, first + half);
            lz4::Sequence sequence{};
            sequence.valid = lane % SUB_BLOCK_SEQUENCES < count;
            if (sequence.valid) {
                const uint2 record = records[first * SUB_BLOCK_SEQUENCES + lane];
                sequence.literal_bytes = record.x & 0xFFFF;
                sequence.match_bytes = record.x >> 16;
                sequence.offset = record.y;
            }
            const uint32_t before = warp_inclusive_sum(sequence.literal_bytes, lane) - sequence.literal_bytes;
            const uint32_t before_half = __shfl_sync(ALL_LANES, before, half * SUB_BLOCK_SEQUENCES);
            sequence.literal_source = (first + half) * SUB_BLOCK_LITERALS + before - before_half;
            const uint32_t bytes = sequence.literal_bytes + sequence.match_bytes;
            const uint32_t end = position + warp_inclusive_sum(bytes, lane);
            sequence.output_start = end - bytes;
            if (__any_sync(ALL_LANES, sequence.offset > sequence.output_start + sequence.literal_bytes)) return false;
            for (uint32_t i = 0; i < sequence.literal_bytes; ++i)
                output[sequence.output_start + i] = literals[sequence.literal_source + i];
            __syncwarp();
            if (COPYING == Copying::ROUNDS) lz4::warp_copy_matches_in_rounds(output, sequence);
            for (int turn = 0; COPYING != Copying::ROUNDS && turn < (COPYING == Copying::SEQUENTIAL ? WARP_LANES : 1);
                 ++turn) {
                if (COPYING == Copying::AT_ONCE || turn == lane) lz4::thread_copy_match(output, sequence);
                __syncwarp();
            }
            position = __shfl_sync(ALL_LANES, end, WARP_LANES - 1);
        }
        return true;
    }
};

/// Reads the header of a dynamic block, behind BTYPE, and makes its tables.
template <typename Tables>
__device__ __forceinline__ bool warp_make_tables_of(const BitStream& stream, BitReader& reader, Tables& tables,
                                                    HeaderScratch& header, int lane) {
    const CodeCounts counts = warp_read_dynamic(stream, reader, header, lane);
    if (counts.literals == 0) return false;
    const uint8_t* distance_lengths = header.lengths + counts.literals;
    const CodeShape literals =
        warp_build_tables(tables.literals, header.lengths, static_cast<int>(counts.literals), lane, literal_payload);
    const CodeShape distances = warp_build_tables(tables.distances, distance_lengths,
                                                  static_cast<int>(counts.distances), lane, distance_payload);
    return literals.complete() && (distances.complete() || distances.trivial());
}

/// Decodes one body, a warp, by its table.
template <typename Way>
__device__ __forceinline__ BlockResult warp_decode_sub_blocks(const Block& block, uint8_t* output,
                                                              const uint16_t* table, uint32_t* scratch,
                                                              typename Way::Shared& shared, int lane) {
    const BitStream stream(block.input, block.input_bytes);
    uint32_t position = stream.begin, produced = 0;
    bool bfinal = false;
#pragma unroll 1
    while (!bfinal) {
        BitReader reader(stream, position);
        bfinal = reader.take(stream, BFINAL_BITS) != 0;
        if (reader.take(stream, BTYPE_BITS) != BTYPE_DYNAMIC) return BlockResult{STATUS_BAD_HEADER, 0};
        __syncwarp();
        if (!warp_make_tables_of(stream, reader, shared.tables, shared.header, lane))
            return BlockResult{STATUS_BAD_HEADER, 0};
        __syncwarp();
        position = reader.position();
        const uint32_t sub_blocks = *table++;
#pragma unroll 1
        for (uint32_t first = 0; first < sub_blocks; first += WARP_LANES) {
            const uint32_t bits = first + lane < sub_blocks ? table[first + lane] : 0;
            const uint32_t limit = position + warp_inclusive_sum(bits, lane);
            reader.seek(stream, limit - bits);
            SubBlock sub{0, 0};
            const bool sound =
                limit <= stream.end && Way::thread_read(stream, reader, shared.tables, limit, scratch, sub, lane);
            if (__any_sync(ALL_LANES, !sound || reader.position() != limit)) return BlockResult{STATUS_BAD_SYMBOL, 0};
            __syncwarp();
            const uint32_t bytes = __shfl_sync(ALL_LANES, warp_inclusive_sum(sub.bytes, lane), WARP_LANES - 1);
            if (bytes > block.output_limit - produced) return BlockResult{STATUS_OUTPUT_EXCEEDED, 0};
            const int last_lane = static_cast<int>(min(sub_blocks - first, static_cast<uint32_t>(WARP_LANES))) - 1;
            if (!Way::warp_produce(output, produced, scratch, sub, last_lane, shared, lane))
                return BlockResult{STATUS_BAD_OFFSET, 0};
            __syncwarp();
            produced += bytes;
            position = __shfl_sync(ALL_LANES, limit, WARP_LANES - 1);
        }
        table += sub_blocks;
        reader.seek(stream, position);
        uint32_t entry = shared.tables.literals.lookup[reader.peek() & shared.tables.literals.LOOKUP_MASK];
        if (entry == 0) entry = thread_find_long_code(shared.tables.literals, reader.peek());
        position += entry & LENGTH_MASK;
        if (entry >> PAYLOAD_SHIFT != (LITERAL_MATCH | EXTRA_END)) return BlockResult{STATUS_BAD_SYMBOL, 0};
        if (position > stream.end) return BlockResult{STATUS_TRUNCATED, 0};
    }
    return BlockResult{STATUS_SOUND, produced};
}

template <typename Way>
__global__ void __launch_bounds__(DecodePolicy::CTA_THREADS, DecodePolicy::CTAS_PER_MULTIPROCESSOR)
    decode_by_table(Arguments a) {
    __shared__ typename Way::Shared s_shared[CTA_WARPS];
    const int lane = threadIdx.x % WARP_LANES, own = threadIdx.x / WARP_LANES;
    const uint32_t warp = blockIdx.x * CTA_WARPS + own;
    for (uint32_t index = warp; index < a.batch.block_count; index += gridDim.x * CTA_WARPS) {
        const BlockEntry entry = a.batch.entries[index];
        const Block block{a.batch.input + entry.input_offset, entry.input_bytes, entry.output_limit};
        const BlockResult result =
            warp_decode_sub_blocks<Way>(block, a.batch.output + entry.output_offset, a.tables + a.table_offsets[index],
                                        a.scratch + uint64_t{warp} * WARP_WORDS, s_shared[own], lane);
        if (lane == 0) a.batch.results[index] = result;
        __syncwarp();
    }
}

__global__ void __launch_bounds__(DecodePolicy::CTA_THREADS, DecodePolicy::CTAS_PER_MULTIPROCESSOR)
    decode_alone(Arguments a) {
    __shared__ DecodeScratch s_scratch[CTA_WARPS];
    const int lane = threadIdx.x % WARP_LANES, own = threadIdx.x / WARP_LANES;
    const uint32_t warp = blockIdx.x * CTA_WARPS + own;
    for (uint32_t index = warp; index < a.batch.block_count; index += gridDim.x * CTA_WARPS) {
        const BlockEntry entry = a.batch.entries[index];
        const Block block{a.batch.input + entry.input_offset, entry.input_bytes, entry.output_limit};
        const BlockResult result =
            warp_decode_body(block, a.batch.output + entry.output_offset, a.scratch + uint64_t{warp} * WARP_WORDS,
                             WarmUpStarts{}, s_scratch[own], lane);
        if (lane == 0) a.batch.results[index] = result;
        __syncwarp();
    }
}

struct Variant {
    const char* name;
    bool reads_table;
    void (*kernel)(Arguments);
};

std::vector<Variant> variants(const gompresso::Kind& kind) {
    std::vector<Variant> all{{"decode without table", false, decode_alone},
                             {"sub-blocks gather", true, decode_by_table<Gather>}};
    if (kind.code_limit > TABLE_BITS) return all;
    all.push_back({"sub-blocks SC", true, decode_by_table<Paper<Copying::SEQUENTIAL>>});
    all.push_back({"sub-blocks MRR", true, decode_by_table<Paper<Copying::ROUNDS>>});
    if (kind.flat) all.push_back({"sub-blocks DE", true, decode_by_table<Paper<Copying::AT_ONCE>>});
    return all;
}

// ---- data
// --------------------------------------------------------------------------------------------------------------

constexpr gompresso::Kind KINDS[] = {
    {"15 bits", 15, false}, {"10 bits", TABLE_BITS, false}, {"10 bits flat", TABLE_BITS, true}};

/// A file's bodies of one kind.
struct Encoded {
    std::vector<gompresso::Body> bodies;
    size_t body_bytes = 0, table_bytes = 0;
    gompresso::Rounds rounds;
    double seconds = 0;
};

bool inflates_to(const Bytes& body, const uint8_t* raw, size_t raw_bytes) {
    Bytes out(raw_bytes + 1);
    z_stream z{};
    if (inflateInit2(&z, -15) != Z_OK) return false;
    z.next_in = const_cast<Bytef*>(body.data());
    z.avail_in = static_cast<uInt>(body.size());
    z.next_out = out.data();
    z.avail_out = static_cast<uInt>(out.size());
    const bool ended = inflate(&z, Z_FINISH) == Z_STREAM_END && z.avail_in == 0 && z.total_out == raw_bytes;
    inflateEnd(&z);
    return ended && std::memcmp(out.data(), raw, raw_bytes) == 0;
}

std::vector<Encoded> encode_all(const Bytes& raw, size_t body_bytes) {
    std::vector<Encoded> all(std::size(KINDS));
    gompresso::Encoder encoder;
    for (size_t at = 0; at < raw.size(); at += body_bytes) {
        for (size_t turn = 0; turn < all.size(); ++turn) {
            const size_t kind = (at / body_bytes + turn) % all.size();
            const auto begin = std::chrono::steady_clock::now();
            gompresso::Body body = encoder.encode(&raw[at], static_cast<uint32_t>(body_bytes), KINDS[kind]);
            all[kind].seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            encoder.add_rounds(all[kind].rounds);
            if (!inflates_to(body.bytes, &raw[at], body_bytes)) {
                std::printf("zlib reads another body at %zu\n", at);
                std::exit(4);
            }
            all[kind].body_bytes += body.bytes.size();
            all[kind].table_bytes += body.table.size() * sizeof(uint16_t);
            all[kind].bodies.push_back(std::move(body));
        }
    }
    return all;
}

void bench(const std::string& name, const Bytes& raw, const Encoded& encoded, const gompresso::Kind& kind,
           size_t batch_bytes, const char* only) {
    const uint32_t base = static_cast<uint32_t>(encoded.bodies.size());
    const size_t body_bytes = raw.size() / base;
    Bytes input;
    std::vector<uint16_t> tables;
    std::vector<BlockEntry> entries;
    std::vector<uint32_t> table_offsets;
    for (const uint32_t count = static_cast<uint32_t>(batch_bytes / body_bytes); entries.size() < count;) {
        const gompresso::Body& body = encoded.bodies[entries.size() % base];
        table_offsets.push_back(static_cast<uint32_t>(tables.size()));
        tables.insert(tables.end(), body.table.begin(), body.table.end());
        entries.push_back({input.size(), entries.size() * body_bytes, static_cast<uint32_t>(body.bytes.size()),
                           static_cast<uint32_t>(body_bytes)});
        input.insert(input.end(), body.bytes.begin(), body.bytes.end());
    }
    const uint32_t count = static_cast<uint32_t>(entries.size());
    input.resize((input.size() + 7) / 8 * 8);  // 8 bytes are read at once
    uint8_t *device_input = to_device(input), *expected = to_device(raw), *output;
    BlockEntry* device_entries = to_device(entries);
    BlockResult* device_results = to_device(std::vector<BlockResult>(count));
    uint16_t* device_tables = to_device(tables);
    uint32_t *device_offsets = to_device(table_offsets), *scratch;
    unsigned long long* differences;
    const size_t output_bytes = count * body_bytes;
    CHECK(cudaMalloc(&output, output_bytes));
    CHECK(cudaMalloc(&scratch, size_t{CTAS} * CTA_WARPS * WARP_WORDS * sizeof(uint32_t)));
    CHECK(cudaMalloc(&differences, sizeof *differences));
    const Arguments arguments{{device_input, input.size(), output, output_bytes, device_entries, device_results, count},
                              scratch,
                              device_tables,
                              device_offsets};
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (const Variant& v : variants(kind)) {
        if (only && !std::strstr(v.name, only)) continue;
        CHECK(cudaMemset(output, 0xEE, output_bytes));
        CHECK(cudaMemset(device_results, 0xEE, count * sizeof(BlockResult)));
        std::vector<float> times;
        for (int turn = 0; turn < (only ? 1 : 6); ++turn) {
            CHECK(cudaEventRecord(begin));
            v.kernel<<<std::min((count + CTA_WARPS - 1) / CTA_WARPS, CTAS), DecodePolicy::CTA_THREADS>>>(arguments);
            CHECK(cudaGetLastError());
            CHECK(cudaEventRecord(end));
            CHECK(cudaEventSynchronize(end));
            float ms;
            CHECK(cudaEventElapsedTime(&ms, begin, end));
            if (turn || only) times.push_back(ms);
        }
        std::sort(times.begin(), times.end());
        std::vector<BlockResult> results(count);
        CHECK(cudaMemcpy(results.data(), device_results, count * sizeof(BlockResult), cudaMemcpyDeviceToHost));
        CHECK(cudaMemset(differences, 0, sizeof *differences));
        count_differences<<<1024, 256>>>(output, expected, raw.size(), output_bytes, differences);
        unsigned long long wrong;
        CHECK(cudaMemcpy(&wrong, differences, sizeof wrong, cudaMemcpyDeviceToHost));
        for (const BlockResult& r : results) wrong += r.status != STATUS_SOUND || r.output_bytes != body_bytes;
        const float median = times[times.size() / 2];
        std::printf("%s,%s,\"%s\",%.3f,%.2f,%.2f,%.1f,%zu,%.3f,%.3f,%.3f,%.1f,%s\n", name.c_str(), kind.name, v.name,
                    double(raw.size()) / (encoded.body_bytes + (v.reads_table ? encoded.table_bytes : 0)),
                    100.0 * encoded.table_bytes / encoded.body_bytes,
                    double(encoded.rounds.rounds) / std::max<size_t>(encoded.rounds.groups, 1),
                    raw.size() / encoded.seconds / 1e6, output_bytes >> 20, median, times.front(), times.back(),
                    output_bytes / median / 1e6, wrong == 0 ? "yes" : ("WRONG " + std::to_string(wrong)).c_str());
        std::fflush(stdout);
    }
    for (void* p : {(void*)device_input, (void*)expected, (void*)output, (void*)device_entries, (void*)device_results,
                    (void*)device_tables, (void*)device_offsets, (void*)scratch, (void*)differences})
        CHECK(cudaFree(p));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::printf("usage: see the head of the source\n");
        return 1;
    }
    const size_t batch_bytes = std::strtoull(argv[1], nullptr, 10) << 20,
                 body_bytes = std::strtoull(argv[2], nullptr, 10) << 10;
    if (body_bytes == 0 || body_bytes > batch_bytes) return 1;
    std::printf(
        "file,body,way,ratio,table_percent,rounds,encode_MBps,batch_MB,ms_median,ms_min,ms_max,GBps,verified\n");
    for (int i = 3; i < argc; ++i) {
        Bytes raw = read_all(argv[i]);
        raw.resize(raw.size() / body_bytes * body_bytes);
        if (raw.empty()) return 3;
        const std::vector<Encoded> encoded = encode_all(raw, body_bytes);
        const char* slash = std::strrchr(argv[i], '/');
        for (size_t kind = 0; kind < encoded.size(); ++kind)
            bench(slash ? slash + 1 : argv[i], raw, encoded[kind], KINDS[kind], batch_bytes, std::getenv("ONLY"));
    }
    return 0;
}
