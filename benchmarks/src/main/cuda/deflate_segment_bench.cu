// Decodes one DEFLATE stream segment by segment on one device, with the kernels of deflate_stream.cu. Prints one line
// per file and size of segment. It has the time of each stage, of the host's part between them, and of all with
// copies from and to page-locked memory. The output is compared with the raw data. A program, not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart static -I kernels/src/main/cuda -o deflate_segment_bench benchmarks/src/main/cuda/deflate_segment_bench.cu -lz
//   deflate_segment_bench STREAM_MB LEVEL OUT_MB[,OUT_MB...] FILE...
//
// FILE: raw data, of which up to 64 MB are read. A stream repeats zlib's stream of it, with an empty stored block
// behind each repetition, until it stands for STREAM_MB. OUT_MB: most raw bytes of a segment, which gets as many
// compressed bytes as should fill them.
#include <chrono>
#include <cstring>

#include "deflate_stream/deflate_stream.cu"
#include "deflate_segment_chain.h"
#include "zlib_bodies.h"

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

    /// The segment as all kernels take it.
    Segment segment(uint32_t bytes, uint32_t block_count, uint32_t piece_count) const {
        return {input, bytes, block_count, piece_count, blocks, tables, block_notes, piece_notes, parts};
    }

    template <typename Work>
    void time_host(Work work) {
        const auto start = std::chrono::steady_clock::now();
        work();
        ms[HOST] += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }

    /// Decodes host_input[0, bytes), which begins with so many bytes of history; the chain says how far it came.
    SegmentChain decode(uint32_t bytes, SegmentState state, uint32_t history_bytes, uint32_t search_from) {
        time(COPY_IN, [&] { CHECK(cudaMemcpyAsync(input, host_input, bytes, cudaMemcpyHostToDevice)); });
        SegmentChain chain{host_input, bytes, MAX_DISTANCE_BYTES + max_output};
        chain.state = state;
        chain.place = MAX_DISTANCE_BYTES;
        std::vector<uint32_t> listed = find_blocks(bytes, search_from);
        time_host([&] { chain.list(std::move(listed)); });
        read_blocks(chain, bytes);
        chain.put_stored(MAX_DISTANCE_BYTES - history_bytes, history_bytes, 0);
        write(chain, bytes, history_bytes);
        const uint32_t out_bytes = chain.place - MAX_DISTANCE_BYTES;
        time(COPY_OUT, [&] { CHECK(cudaMemcpyAsync(host_output, output, out_bytes, cudaMemcpyDeviceToHost)); });
        return chain;
    }

private:
    /// Positions at which dynamic blocks may begin, from `search_from` on.
    std::vector<uint32_t> find_blocks(uint32_t bytes, uint32_t search_from) {
        const uint32_t tile_count = (8 * bytes - search_from + TILE_BITS) / TILE_BITS;
        const Search search{input, bytes,  search_from, 8 * bytes,  MAX_BLOCKS - 64,
                            list,  result, tile_counts, tile_slots, tile_count};
        time(FIND, [&] {
            deflate_stream_find_blocks<<<std::min<uint32_t>((tile_count + 7) / 8, 4096), FindPolicy::CTA_THREADS>>>(
                search);
            deflate_stream_list_blocks<<<(tile_count + LIST_TILES - 1) / LIST_TILES, WARP_LANES>>>(search);
        });
        return to_host(list, to_host(result, 1)[0].listed);
    }

    /// Reads the chain's blocks. Blocks that it adds by what was read are read next, until it adds no more.
    void read_blocks(SegmentChain& chain, uint32_t bytes) {
        uint32_t first = 0, first_piece = 0;
        bool again = true;
        while (again) {
            const uint32_t count = static_cast<uint32_t>(chain.blocks.size()), piece_count = chain.piece_count;
            if (piece_count > max_pieces || count > MAX_BLOCKS) std::exit(4);
            CHECK(cudaMemcpy(blocks + first, chain.blocks.data() + first, (count - first) * sizeof(SegmentBlock),
                             cudaMemcpyHostToDevice));
            read(SegmentReading{segment(bytes, count, piece_count), first, first_piece});
            const std::vector<SegmentBlockNote> notes = to_host(block_notes, count);
            const std::vector<SegmentPieceNote> pieces = to_host(piece_notes, piece_count);
            first = count, first_piece = piece_count;
            time_host([&] { again = chain.follow(notes, pieces); });
        }
    }

    /// Reads the blocks and pieces from the reading's first ones on.
    void read(const SegmentReading& reading) {
        constexpr uint32_t WARPS = SEGMENT_READ_WARPS;
        const uint32_t new_blocks = reading.segment.block_count - reading.first_block,
                       new_pieces = reading.segment.piece_count - reading.first_piece;
        time(CODES, [&] {
            deflate_stream_make_codes<<<(new_blocks + WARPS - 1) / WARPS, SegmentPolicy::READ_CTA_THREADS>>>(reading);
        });
        time(SYNCHRONISE, [&] {
            deflate_stream_synchronise_pieces<<<(new_pieces + WARPS) / WARPS, SegmentPolicy::READ_CTA_THREADS>>>(
                reading);
        });
        time(STITCH, [&] { deflate_stream_stitch_blocks<<<new_blocks, SegmentPolicy::STITCH_CTA_THREADS>>>(reading); });
    }

    /// Writes the chain's runs to the output.
    void write(const SegmentChain& chain, uint32_t bytes, uint32_t history_bytes) {
        const uint32_t run_count = static_cast<uint32_t>(chain.runs.size()),
                       out_bytes = chain.place - MAX_DISTANCE_BYTES;
        CHECK(cudaMemcpy(runs, chain.runs.data(), run_count * sizeof(SegmentRun), cudaMemcpyHostToDevice));
        CHECK(cudaMemset(defect, 0, sizeof(uint32_t)));
        const SegmentOutput places{sources, chain.place, MAX_DISTANCE_BYTES - history_bytes, defect};
        const SegmentWriting writing{segment(bytes, static_cast<uint32_t>(chain.blocks.size()), chain.piece_count),
                                     runs, places, output - MAX_DISTANCE_BYTES, run_count};
        time(SOURCES, [&] {
            deflate_stream_find_sources<<<std::min((run_count + 1) / 2, write_ctas),
                                          SegmentPolicy::WRITE_CTA_THREADS>>>(writing);
        });
        time(PRODUCE, [&] {
            deflate_stream_produce<<<(out_bytes + PRODUCE_TILE_BYTES) / PRODUCE_TILE_BYTES,
                                     SegmentPolicy::PRODUCE_CTA_THREADS>>>(writing);
        });
        if (to_host(defect, 1)[0]) std::printf("DEFECT\n");
    }
};

/// zlib's stream of a file's content, again and again, then an empty last block and a trailer.
struct RepeatedStream {
    Bytes raw;  ///< content of one repetition
    Bytes bytes;
    size_t copies = 0;
    double ratio;

    RepeatedStream(const std::string& path, size_t raw_limit, int level) : raw(read_all(path)) {
        const Bytes one = deflate_open_stream(raw, level);
        for (; copies == 0 || (copies + 1) * raw.size() <= raw_limit; ++copies)
            bytes.insert(bytes.end(), one.begin(), one.end());
        for (const uint8_t byte : {0x03, 0x00, 0, 0, 0, 0, 0, 0, 0, 0}) bytes.push_back(byte);
        ratio = double(raw.size()) / one.size();
    }
};

/// Goes through a stream segment by segment.
class Pass {
    const RepeatedStream& stream_;
    Decoder& decoder_;
    const uint32_t in_bytes_;  ///< of a segment, compressed
    Bytes history_;
    bool open_ = false, ended_ = false;
    uint64_t bit_ = 0, header_ = 0, done_ = 0;

    /// A segment in the decoder's input: history, the open block's header, compressed bytes from `bit_` on.
    struct Input {
        SegmentState state;
        uint32_t base;  ///< position of the byte that has `bit_`, in bits
        uint32_t bytes;
    };

    Input place_input() {
        uint32_t at = 0;
        const auto put = [&](const uint8_t* from, size_t bytes) {
            std::memcpy(decoder_.host_input + at, from, bytes);
            at = (at + static_cast<uint32_t>(bytes) + 15) / 16 * 16;
        };
        put(history_.data(), history_.size());
        Input input{{0, open_, 8 * at + static_cast<uint32_t>(header_ % 8)}, 0, 0};
        const Bytes& all = stream_.bytes;
        if (open_) put(all.data() + header_ / 8, std::min<size_t>(400, all.size() - header_ / 8));
        input.base = 8 * at;
        const size_t bytes = std::min<size_t>(in_bytes_, all.size() - bit_ / 8);
        put(all.data() + bit_ / 8, bytes);
        input.state.bit = input.base + bit_ % 8;
        input.bytes = input.base / 8 + static_cast<uint32_t>(bytes);
        return input;
    }

    /// Takes over where a segment ended. False if it is no step forward.
    bool advance(const SegmentChain& chain, const Input& input) {
        const uint64_t new_bit = bit_ / 8 * 8 + chain.state.bit - input.base;
        if (chain.state.open && !(open_ && chain.state.header_bit == input.state.header_bit))
            header_ = bit_ / 8 * 8 + chain.state.header_bit - input.base;
        open_ = chain.state.open;
        ended_ = chain.ended;
        const bool forward = !chain.defect && (new_bit != bit_ || ended_);
        const size_t produced = chain.place - MAX_DISTANCE_BYTES;
        bit_ = new_bit;
        done_ += produced;
        history_.insert(history_.end(), decoder_.host_output, decoder_.host_output + produced);
        if (history_.size() > MAX_DISTANCE_BYTES) history_.erase(history_.begin(), history_.end() - MAX_DISTANCE_BYTES);
        return forward;
    }

    /// Whether a segment's output is the raw data behind the segments before it.
    bool is_raw(size_t produced) const {
        for (size_t i = 0; i < produced; ++i) {
            if (decoder_.host_output[i] != stream_.raw[(done_ + i) % stream_.raw.size()]) return false;
        }
        return true;
    }

public:
    size_t segments = 0;

    Pass(const RepeatedStream& stream, Decoder& decoder, uint32_t in_bytes)
        : stream_(stream), decoder_(decoder), in_bytes_(in_bytes) {}

    /// Whether all is right; bytes are compared only with `compares`.
    bool run(bool compares) {
        bool right = true;
        for (; !ended_ && right; ++segments) {
            const Input input = place_input();
            const SegmentChain chain =
                decoder_.decode(input.bytes, input.state, static_cast<uint32_t>(history_.size()), input.state.bit);
            if (compares) right = is_raw(chain.place - MAX_DISTANCE_BYTES);
            right &= advance(chain, input);
        }
        return right && done_ == stream_.copies * stream_.raw.size();
    }
};

void bench(const std::string& path, size_t raw_limit, int level, uint32_t out_bytes) {
    const RepeatedStream stream(path, raw_limit, level);
    const uint32_t in_bytes =
        static_cast<uint32_t>(std::min<double>(out_bytes / stream.ratio * 1.02 + 4096, double(stream.bytes.size())));
    Decoder decoder(in_bytes + MAX_DISTANCE_BYTES + 1024, out_bytes);
    bool right = true;
    size_t segments = 0;
    for (int turn = 0; turn < 3; ++turn) {
        std::fill(decoder.ms, decoder.ms + STAGES, 0);
        Pass pass(stream, decoder, in_bytes);
        right = right && pass.run(turn == 0);
        segments = pass.segments;
    }
    double kernels = 0, all = 0;
    for (int stage = 0; stage < STAGES; ++stage)
        all += decoder.ms[stage], kernels += stage >= FIND && stage <= PRODUCE ? decoder.ms[stage] : 0;
    const double gigabytes = stream.copies * stream.raw.size() / 1e9;
    std::printf("%s,%d,%.3f,%.1f,%.2f,%zu", name_of(path).c_str(), level, stream.ratio, gigabytes * 1e3,
                out_bytes / 1e6, segments);
    for (const double took : decoder.ms) std::printf(",%.3f", took);
    std::printf(",%.1f,%.1f,%s\n", gigabytes / kernels * 1e3, gigabytes / all * 1e3, right ? "yes" : "WRONG");
    std::fflush(stdout);
    CHECK(cudaDeviceReset());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5) return usage();
    std::printf(
        "file,level,ratio,raw_MB,segment_MB,segments,ms_copy_in,ms_find,ms_codes,ms_synchronise,ms_stitch,ms_sources,"
        "ms_produce,ms_copy_out,ms_host,GBps_kernels,GBps_with_copies,right\n");
    for (int i = 4; i < argc; ++i) {
        for (const char* at = argv[3]; at != nullptr && *at != 0;
             at = std::strchr(at, ',') ? std::strchr(at, ',') + 1 : nullptr) {
            bench(argv[i], std::strtoull(argv[1], nullptr, 10) * 1000000, std::atoi(argv[2]),
                  static_cast<uint32_t>(std::atof(at) * (1 << 20)));
        }
    }
    return 0;
}
