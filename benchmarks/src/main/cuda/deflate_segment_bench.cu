// Decodes one DEFLATE stream segment by segment on one device, with the kernels of deflate_stream.cu. Prints one line
// per file and size of segment. It has the time of each stage, of the host's part between them, and of all with
// copies from and to page-locked memory. The output is compared with the raw data. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o deflate_segment_bench
//   benchmarks/src/main/cuda/deflate_segment_bench.cu -lz deflate_segment_bench STREAM_MB LEVEL OUT_MB[,OUT_MB...]
//   FILE...
//
// FILE: raw data, of which up to 64 MB are read; a stream repeats what zlib makes of it, each time behind an empty
// stored block, until it stands for STREAM_MB. OUT_MB: most raw bytes of a segment; it gets as many compressed ones
// as should fill them.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "deflate_stream/deflate_stream.cu"
#include "deflate_segment_chain.h"
#include "deflate_stream.h"
#include "device_bench.cuh"

namespace {

enum Stage { COPY_IN, FIND, CODES, SYNCHRONISE, STITCH, SOURCES, PRODUCE, COPY_OUT, HOST, STAGES };

/// All memory, taken once.
struct Decoder {
    static constexpr uint32_t MAX_BLOCKS = 16384;
    uint32_t max_input, max_output, max_pieces, tiles, write_ctas;
    uint8_t *input, *output, *host_input, *host_output;
    uint32_t *list, *tile_counts, *tile_slots, *sources, *defect;
    SegmentPart* parts;
    FindResult* result;
    SegmentBlock* blocks;
    SegmentTables* tables;
    SegmentBlockNote* block_notes;
    SegmentPieceNote* piece_notes;
    SegmentRun* runs;
    cudaEvent_t events[2];
    double ms[STAGES] = {};

    template <typename T>
    static void take(T*& p, size_t count) {
        CHECK(cudaMalloc(&p, count * sizeof(T)));
    }

    Decoder(uint32_t input_bytes, uint32_t output_bytes) : max_input(input_bytes), max_output(output_bytes) {
        max_pieces = 2 * (8 * max_input / SEGMENT_PIECE_BITS) + MAX_BLOCKS;
        tiles = (8 * max_input + TILE_BITS - 1) / TILE_BITS + 1;
        int ctas, multiprocessors;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, deflate_stream_find_sources,
                                                            SegmentPolicy::WRITE_CTA_THREADS, 0));
        CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
        write_ctas = ctas * multiprocessors;
        take(input, max_input + 16);
        CHECK(cudaMemset(input, 0, max_input + 16));  // of the last 8 bytes, any may be read
        take(output, max_output + 16);
        take(list, MAX_BLOCKS), take(tile_counts, tiles), take(tile_slots, size_t(tiles) * TILE_SLOTS), take(result, 1);
        take(parts, size_t(max_pieces) * WARP_LANES), take(sources, size_t(max_output) + MAX_DISTANCE_BYTES + 4),
            take(defect, 1);
        take(blocks, MAX_BLOCKS), take(tables, MAX_BLOCKS), take(block_notes, MAX_BLOCKS),
            take(piece_notes, max_pieces);
        take(runs, max_pieces + MAX_BLOCKS);
        CHECK(cudaMallocHost(&host_input, max_input + 16));
        CHECK(cudaMallocHost(&host_output, max_output + 16));
        std::memset(host_input, 0, max_input + 16);
        for (auto& event : events) CHECK(cudaEventCreate(&event));
    }

    template <typename Work>
    void time(Stage stage, Work work) {
        CHECK(cudaEventRecord(events[0]));
        work();
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(events[1]));
        CHECK(cudaEventSynchronize(events[1]));
        float took;
        CHECK(cudaEventElapsedTime(&took, events[0], events[1]));
        ms[stage] += took;
    }

    /// What is known of the segment in all kernels.
    Segment segment(uint32_t bytes, uint32_t block_count, uint32_t piece_count) const {
        return {input, bytes, block_count, piece_count, blocks, tables, block_notes, piece_notes, parts};
    }

    /// Decodes host_input[0, bytes), which begins with so many bytes of history; the chain says how far it came.
    SegmentChain decode(uint32_t bytes, SegmentState state, uint32_t history_bytes, uint32_t search_from) {
        using Clock = std::chrono::steady_clock;
        double host = 0;
        time(COPY_IN, [&] { CHECK(cudaMemcpyAsync(input, host_input, bytes, cudaMemcpyHostToDevice)); });
        const uint32_t tile_count = (8 * bytes - search_from + TILE_BITS) / TILE_BITS;
        const Search search{input, bytes,  search_from, 8 * bytes,  MAX_BLOCKS - 64,
                            list,  result, tile_counts, tile_slots, tile_count};
        time(FIND, [&] {
            deflate_stream_find_blocks<<<std::min<uint32_t>((tile_count + 7) / 8, 4096), FindPolicy::CTA_THREADS>>>(
                search);
            deflate_stream_list_blocks<<<(tile_count + LIST_TILES - 1) / LIST_TILES, WARP_LANES>>>(search);
        });
        FindResult found;
        CHECK(cudaMemcpy(&found, result, sizeof found, cudaMemcpyDeviceToHost));
        std::vector<uint32_t> listed(found.listed);
        CHECK(cudaMemcpy(listed.data(), list, listed.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost));
        SegmentChain chain{host_input, bytes, MAX_DISTANCE_BYTES + max_output};
        chain.state = state;
        chain.place = MAX_DISTANCE_BYTES;
        auto start = Clock::now();
        chain.list(std::move(listed));
        host += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
        uint32_t first = 0, first_piece = 0;
        std::vector<SegmentBlockNote> notes;
        std::vector<SegmentPieceNote> pieces;
        bool again = true;
        while (again) {
            const uint32_t count = static_cast<uint32_t>(chain.blocks.size()), piece_count = chain.piece_count;
            if (piece_count > max_pieces || count > MAX_BLOCKS) std::exit(4);
            CHECK(cudaMemcpy(blocks + first, chain.blocks.data() + first, (count - first) * sizeof(SegmentBlock),
                             cudaMemcpyHostToDevice));
            constexpr uint32_t WARPS = SEGMENT_READ_WARPS;
            const SegmentReading reading{segment(bytes, count, piece_count), first, first_piece};
            time(CODES, [&] {
                deflate_stream_make_codes<<<(count - first + WARPS - 1) / WARPS, SegmentPolicy::READ_CTA_THREADS>>>(
                    reading);
            });
            time(SYNCHRONISE, [&] {
                deflate_stream_synchronise_pieces<<<(piece_count - first_piece + WARPS) / WARPS,
                                                    SegmentPolicy::READ_CTA_THREADS>>>(reading);
            });
            time(STITCH,
                 [&] { deflate_stream_stitch_blocks<<<count - first, SegmentPolicy::STITCH_CTA_THREADS>>>(reading); });
            notes.resize(count), pieces.resize(piece_count);
            CHECK(cudaMemcpy(notes.data(), block_notes, count * sizeof(SegmentBlockNote), cudaMemcpyDeviceToHost));
            CHECK(
                cudaMemcpy(pieces.data(), piece_notes, piece_count * sizeof(SegmentPieceNote), cudaMemcpyDeviceToHost));
            first = count, first_piece = piece_count;
            start = Clock::now();
            again = chain.follow(notes, pieces);
            host += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
        }
        chain.put_stored(MAX_DISTANCE_BYTES - history_bytes, history_bytes, 0);
        const uint32_t run_count = static_cast<uint32_t>(chain.runs.size());
        CHECK(cudaMemcpy(runs, chain.runs.data(), run_count * sizeof(SegmentRun), cudaMemcpyHostToDevice));
        CHECK(cudaMemset(defect, 0, sizeof(uint32_t)));
        const uint32_t out_bytes = chain.place - MAX_DISTANCE_BYTES;
        const SegmentOutput places{sources, chain.place, MAX_DISTANCE_BYTES - history_bytes, defect};
        const SegmentWriting writing{segment(bytes, first, first_piece), runs, places, output - MAX_DISTANCE_BYTES,
                                     run_count};
        time(SOURCES, [&] {
            deflate_stream_find_sources<<<std::min((run_count + 1) / 2, write_ctas),
                                          SegmentPolicy::WRITE_CTA_THREADS>>>(writing);
        });
        time(PRODUCE, [&] {
            deflate_stream_produce<<<(out_bytes + PRODUCE_TILE_BYTES) / PRODUCE_TILE_BYTES,
                                     SegmentPolicy::PRODUCE_CTA_THREADS>>>(writing);
        });
        uint32_t bad;
        CHECK(cudaMemcpy(&bad, defect, sizeof bad, cudaMemcpyDeviceToHost));
        if (bad) std::printf("DEFECT\n");
        time(COPY_OUT, [&] { CHECK(cudaMemcpyAsync(host_output, output, out_bytes, cudaMemcpyDeviceToHost)); });
        ms[HOST] += host;
        return chain;
    }
};

void bench(const std::string& path, size_t raw_limit, int level, uint32_t out_bytes) {
    const Bytes raw = read_all(path);
    const Bytes one = deflate_all(raw, level);
    Bytes stream;
    size_t copies = 0;
    for (; copies == 0 || (copies + 1) * raw.size() <= raw_limit; ++copies)
        stream.insert(stream.end(), one.begin(), one.end());
    for (const uint8_t byte : {0x03, 0x00, 0, 0, 0, 0, 0, 0, 0, 0})
        stream.push_back(byte);  // an empty fixed block, the last; a trailer
    const double ratio = double(raw.size()) / one.size();
    const uint32_t in_bytes =
        static_cast<uint32_t>(std::min<double>(out_bytes / ratio * 1.02 + 4096, double(stream.size())));
    Decoder decoder(in_bytes + MAX_DISTANCE_BYTES + 1024, out_bytes);
    bool right = true;
    size_t segments = 0;
    for (int turn = 0; turn < 3; ++turn) {
        std::fill(decoder.ms, decoder.ms + STAGES, 0);
        Bytes history;
        bool open = false, ended = false;
        uint64_t bit = 0, header = 0, done = 0;
        for (segments = 0; !ended && right; ++segments) {
            uint32_t at = 0;
            const auto put = [&](const uint8_t* from, size_t bytes) {
                std::memcpy(decoder.host_input + at, from, bytes);
                at = (at + static_cast<uint32_t>(bytes) + 15) / 16 * 16;
            };
            put(history.data(), history.size());
            SegmentState state{0, open, 8 * at + static_cast<uint32_t>(header % 8)};
            if (open) put(stream.data() + header / 8, std::min<size_t>(400, stream.size() - header / 8));
            const uint32_t base = 8 * at;
            const size_t bytes = std::min<size_t>(in_bytes, stream.size() - bit / 8);
            put(stream.data() + bit / 8, bytes);
            state.bit = base + bit % 8;
            const SegmentChain chain = decoder.decode(base / 8 + static_cast<uint32_t>(bytes), state,
                                                      static_cast<uint32_t>(history.size()), state.bit);
            const size_t produced = chain.place - MAX_DISTANCE_BYTES;
            for (size_t i = 0; turn == 0 && i < produced && right; ++i)
                right = decoder.host_output[i] == raw[(done + i) % raw.size()];
            const uint64_t new_bit = bit / 8 * 8 + chain.state.bit - base;
            if (chain.state.open && !(open && chain.state.header_bit == state.header_bit))
                header = bit / 8 * 8 + chain.state.header_bit - base;
            open = chain.state.open;
            ended = chain.ended;
            if (chain.defect || (new_bit == bit && !ended)) right = false;
            bit = new_bit;
            done += produced;
            history.insert(history.end(), decoder.host_output, decoder.host_output + produced);
            if (history.size() > MAX_DISTANCE_BYTES) history.erase(history.begin(), history.end() - MAX_DISTANCE_BYTES);
        }
        right = right && done == copies * raw.size();
    }
    double kernels = 0, all = 0;
    for (int stage = 0; stage < STAGES; ++stage)
        all += decoder.ms[stage], kernels += stage >= FIND && stage <= PRODUCE ? decoder.ms[stage] : 0;
    const double gigabytes = copies * raw.size() / 1e9;
    const size_t slash = path.rfind('/');
    std::printf("%s,%d,%.3f,%.1f,%.2f,%zu", path.substr(slash == std::string::npos ? 0 : slash + 1).c_str(), level,
                ratio, gigabytes * 1e3, out_bytes / 1e6, segments);
    for (const double took : decoder.ms) std::printf(",%.3f", took);
    std::printf(",%.1f,%.1f,%s\n", gigabytes / kernels * 1e3, gigabytes / all * 1e3, right ? "yes" : "WRONG");
    std::fflush(stdout);
    CHECK(cudaDeviceReset());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5) {
        std::printf("usage: see the head of the source\n");
        return 1;
    }
    std::printf(
        "file,level,ratio,raw_MB,segment_MB,segments,ms_copy_in,ms_find,ms_codes,ms_synchronise,ms_stitch,ms_sources,"
        "ms_produce,ms_copy_out,ms_host,"
        "GBps_kernels,GBps_with_copies,right\n");
    for (int i = 4; i < argc; ++i) {
        for (const char* at = argv[3]; at != nullptr && *at != 0;
             at = std::strchr(at, ',') ? std::strchr(at, ',') + 1 : nullptr) {
            bench(argv[i], std::strtoull(argv[1], nullptr, 10) * 1000000, std::atoi(argv[2]),
                  static_cast<uint32_t>(std::atof(at) * (1 << 20)));
        }
    }
    return 0;
}
