// Runs a strong level on a CPU (fibres/fibres.h), from the order of places to frames, and has libzstd decode them.
//
//   g++ -O2 -std=c++17 -I ../../../../kernels/src/main/cuda strong_frames_check.cpp fibres/fibres.cpp -lzstd
//       -o strong_frames_check
//   strong_frames_check FOLDER [FILE...]     made texts, and pieces of files; frames of pieces go to the folder
//
// A file's first frame of 1 MiB has the bytes that strong_frames_bench dumps of it. Prices are compared with those of
// the model on the same paths, within a unit, and frames of one seed with those of others. Canaries lie beside all
// arrays. Prints the bytes of frames of files, of the model's and of libzstd's.
//
// The exit status is 1 if something is wrong.
#include "fibres/fibres.h"
// and behind it
#include "ansv/ansv.cuh"
#include "plz/plz_emit.cuh"
#include "nearest/nearest.cuh"
#include "../cuda/strong_parse_paths.h"
#include "plz/plz_prices.cuh"
#include "plz/plz_shape.cuh"
#include "checksum/checksum_xxh64.cuh"
#include "strong_levels/frames.h"
#include "zstd_encode/zstd_encode_join.cuh"
#include "zstd_encode/zstd_encode_write.cuh"

#include <memory>
#include <random>
#include <string>

using namespace warpcodec;
using namespace warpcodec::plz;
using ansv::AnsvBatch;
using ansv::AnsvMemory;
using nearest::NearestBatch;
using Shape = nearest::NearestShape<8192, 11, 512, 16>;
using Strong = StrongShape;
using Text = std::vector<uint8_t>;

namespace {

constexpr uint32_t BLOCK_BYTES = zstd_encode::BLOCK_BYTES;
constexpr uint32_t CHUNKS = Strong::GROUP_CHUNKS;
constexpr uint32_t ANSV_THREADS = 512;
/// Frames whose samples or chunks one cta may have here; devices have longer frames.
constexpr uint32_t MOST_FRAMES = Strong::CTA_CHUNKS * Strong::SAMPLE_STRIDE / BLOCK_BYTES;

size_t wrongs = 0;

void judge(bool right, const std::string& what) {
    if (!right && ++wrongs < 20) std::printf("WRONG: %s\n", what.c_str());
}

/// An array between canaries.
template <typename T>
class Guarded {
    static constexpr size_t GUARD = 256;
    static constexpr uint8_t CANARY = 0xC5;
    std::vector<uint8_t> bytes_;
    size_t begin_, limit_;

public:
    explicit Guarded(size_t count) : bytes_(count * sizeof(T) + 3 * GUARD, CANARY) {
        begin_ = 2 * GUARD - reinterpret_cast<uintptr_t>(bytes_.data()) % GUARD;
        limit_ = begin_ + count * sizeof(T);
    }
    T* data() { return reinterpret_cast<T*>(bytes_.data() + begin_); }
    T& operator[](size_t index) { return data()[index]; }
    bool is_whole() const {
        const auto is_canary = [](uint8_t byte) { return byte == CANARY; };
        return std::all_of(bytes_.begin(), bytes_.begin() + static_cast<ptrdiff_t>(begin_), is_canary) &&
               std::all_of(bytes_.begin() + static_cast<ptrdiff_t>(limit_), bytes_.end(), is_canary);
    }
};

struct SharedMemory {
    AnsvMemory<ANSV_THREADS> ansv;
    nearest::DealAllMemory<Shape> deal;
    nearest::PlaceMemory<4> sums;
    ParseMemory<Strong::LANES, Strong::WARPS, MOST_FRAMES> frames_parse;
    ParseMemory<Strong::LANES, Strong::WARPS, Strong::PARSE_BLOCKS> parse;
    SymbolCounts counts;
    zstd_encode::CodesMemory codes;
    warpcodec::checksum::Xxh32Stages stages;
};
std::unique_ptr<SharedMemory> shared = std::make_unique<SharedMemory>();

/// All stages over a text, cut into frames.
class Chain {
    const std::string name_;
    const Text& text_;
    const uint32_t count_, frame_bytes_, most_, frames_, blocks_, seed_;
    Guarded<uint8_t> input_;
    Guarded<uint32_t> order_, minima_, nearest_, ranks_, heads_, counts_, linked_, sources_, steps_;
    Guarded<uint2> smaller_;
    Guarded<nearest::Window> windows_;
    Guarded<uint64_t> members_;
    Guarded<PackedMatch> matches_;
    Guarded<Way> ways_;
    Guarded<Path> paths_;
    Guarded<BlockPrices> frame_prices_, block_prices_;
    Guarded<uint8_t> scratch_, output_;
    Guarded<zstd_encode::UnitRecord> records_;
    Guarded<warpcodec::BlockResult> results_;
    std::vector<FrameRange> ranges_;
    std::vector<zstd_encode::EncodeEntry> entries_;
    ParseBatch samples_{}, first_{}, second_{};
    EncodeBatch encode_{};

    static constexpr uint32_t windows_of(uint32_t bytes) { return parts_of(bytes, Shape::WINDOW); }
    static constexpr uint32_t digits_of(uint32_t bytes) { return parts_of(windows_of(bytes) * 2, 32) * 32; }
    static uint32_t tree_words(uint32_t bytes) { return ansv::minima_tree_of<ANSV_THREADS>(bytes).words; }
    size_t columns() const { return parts_of(parts_of(count_, Strong::CHUNK_BYTES), CHUNKS) * CHUNKS; }
    std::string named(const char* what) const { return name_ + ", seed " + std::to_string(seed_) + ": " + what; }

public:
    /// `frame_bytes` are whole blocks.
    Chain(const std::string& name, const Text& text, uint32_t frame_bytes, uint32_t seed)
        : name_(name),
          text_(text),
          count_(static_cast<uint32_t>(text.size())),
          frame_bytes_(frame_bytes),
          most_(std::max(1u, std::min(count_, frame_bytes))),
          frames_(std::max(1u, parts_of(count_, frame_bytes))),
          blocks_(std::max(1u, parts_of(count_, BLOCK_BYTES))),
          seed_(seed),
          input_(count_ + TEXT_SLACK),
          order_(count_),
          minima_(size_t{frames_} * tree_words(most_)),
          nearest_(size_t{count_} * (KINDS - 2)),
          ranks_(count_),
          heads_(size_t{frames_} * nearest::KINDS * windows_of(most_) * (Shape::WINDOW / 32)),
          counts_(size_t{frames_} * nearest::KINDS * parts_of(most_, Shape::TILE) * digits_of(most_)),
          linked_(size_t{count_} * nearest::KINDS),
          sources_(count_),
          steps_(columns() * (Strong::CHUNK_BYTES + 1)),
          smaller_(count_),
          windows_(size_t{frames_} * nearest::KINDS * windows_of(most_)),
          members_(count_),
          matches_((size_t{count_} + BROUGHT) * SLOTS),
          ways_(columns() * FAR),
          paths_(columns()),
          frame_prices_(frames_),
          block_prices_(blocks_),
          scratch_(size_t{blocks_} * zstd_encode::block_scratch_bytes(BLOCK_BYTES)),
          output_(output_begin(frames_)),
          records_(blocks_),
          results_(frames_) {
        std::copy(text.begin(), text.end(), input_.data());
        for (uint32_t i = 0; i < frames_; ++i) {
            const uint32_t begin = i * frame_bytes;
            ranges_.push_back({begin, std::min(count_ - begin, frame_bytes)});
            entries_.push_back({{begin, output_begin(i), ranges_[i].count, static_cast<uint32_t>(output_begin(1))},
                                size_t{i} * zstd_encode::range_scratch_bytes(frame_bytes),
                                i * (frame_bytes / BLOCK_BYTES),
                                0});
        }
        second_.text = input_.data();
        second_.byte_count = count_;
        second_.frame_bytes = frame_bytes;
        second_.block_bytes = BLOCK_BYTES;
        second_.chunk_bytes = second_.stride_bytes = Strong::CHUNK_BYTES;
        second_.smaller = smaller_.data();
        second_.nearest = nearest_.data();
        second_.prices = block_prices_.data();
        second_.matches = matches_.data();
        second_.ways = ways_.data();
        second_.steps = steps_.data();
        second_.paths = paths_.data();
        first_ = second_;
        first_.block_bytes = frame_bytes;
        first_.prices = frame_prices_.data();
        samples_ = first_;
        samples_.chunk_bytes = Strong::SAMPLE_BYTES;
        samples_.stride_bytes = Strong::SAMPLE_STRIDE;
        encode_ = {input_.data(),
                   count_,
                   output_.data(),
                   output_begin(frames_),
                   entries_.data(),
                   results_.data(),
                   frames_,
                   blocks_,
                   records_.data(),
                   scratch_.data(),
                   size_t{blocks_} * zstd_encode::block_scratch_bytes(BLOCK_BYTES)};
    }

    /// Frames one behind the other. Steps of every third chunk are broken before the trace if `breaks`.
    Text run(bool breaks) {
        if (count_ > 0) {
            find_candidates();
            price_samples();
            parse(first_, shared->frames_parse);
            trace(first_);
            price_paths(second_, blocks_, block_prices_);
            parse(second_, shared->parse);
            if (breaks) break_steps();
            trace(second_);
        }
        write_frames();
        judge(is_whole(), named("memory beside an array"));
        Text all;
        for (uint32_t i = 0; i < frames_; ++i) {
            judge(results_[i].status == warpcodec::STATUS_SOUND, named("a frame's status"));
            const uint8_t* frame = output_.data() + output_begin(i);
            all.insert(all.end(), frame, frame + results_[i].output_bytes);
            const uint32_t hash = hash_of(ranges_[i]);
            for (int byte = 0; byte < 4; ++byte) all.push_back(static_cast<uint8_t>(hash >> 8 * byte));
        }
        return all;
    }

private:
    size_t output_begin(uint32_t frame) const {
        return size_t{frame} * (frame_bytes_ + frame_bytes_ / BLOCK_BYTES * zstd_encode::BLOCK_HEADER_BYTES +
                                zstd_encode::MAX_HEADER_BYTES);
    }

    bool is_whole() const {
        return input_.is_whole() && order_.is_whole() && minima_.is_whole() && nearest_.is_whole() &&
               ranks_.is_whole() && heads_.is_whole() && counts_.is_whole() && linked_.is_whole() &&
               sources_.is_whole() && steps_.is_whole() &&
               smaller_.is_whole() && windows_.is_whole() && members_.is_whole() && matches_.is_whole() &&
               ways_.is_whole() && paths_.is_whole() && frame_prices_.is_whole() && block_prices_.is_whole() &&
               scratch_.is_whole() && output_.is_whole() && records_.is_whole() && results_.is_whole();
    }

    void find_candidates() {
        using namespace ansv;
        using namespace nearest;
        for (const FrameRange& range : ranges_) {
            const auto sorted =
                strong_levels::sort_rotations(text_.data() + range.begin, range.count, Strong::ORDER_CUT);
            std::copy(sorted.begin(), sorted.end(), order_.data() + range.begin);
        }
        const uint32_t ansv_tiles = parts_of(most_, AnsvMemory<ANSV_THREADS>::TILE);
        const AnsvBatch ansv{
            order_.data(), ranges_.data(), smaller_.data(), minima_.data(), minima_tree_of<ANSV_THREADS>(most_),
            ansv_tiles};
        const NearestBatch nearest{input_.data(),
                                   order_.data(),
                                   ranges_.data(),
                                   nearest_.data(),
                                   count_,
                                   windows_of(most_),
                                   parts_of(most_, Shape::TILE),
                                   digits_of(most_),
                                   ranks_.data(),
                                   heads_.data(),
                                   windows_.data(),
                                   counts_.data(),
                                   members_.data(),
                                   linked_.data(),
                                   sources_.data()};
        for (uint32_t frame = 0; frame < frames_; ++frame) {
            fibres::run(ansv_tiles, ANSV_THREADS, seed_,
                        [&] { cta_find_tile_minima(ansv, frame, blockIdx.x, shared->ansv); });
            fibres::run(1, 32, seed_, [&] { cta_find_upper_minima<ANSV_THREADS>(ansv, frame); });
            fibres::run(ansv_tiles, ANSV_THREADS, seed_,
                        [&] { cta_find_smaller_values(ansv, frame, blockIdx.x, shared->ansv); });
            find_nearest(nearest, frame);
        }
        fibres::run(parts_of(count_, WARP_LANES), WARP_LANES, seed_,
                    [&] { warp_measure(second_, blockIdx.x * WARP_LANES + threadIdx.x); });
    }

    template <uint32_t KIND>
    void link(const NearestBatch& batch, uint32_t frame) {
        using namespace ansv;
        using namespace nearest;
        if constexpr (KIND < nearest::KINDS) {
            const auto links = std::make_unique<LinkMemory<Shape, KIND>>();
            fibres::run(batch.windows, links->WARPS * WARP_LANES, seed_,
                        [&] { cta_link_bucket<Shape, KIND>(batch, frame, blockIdx.x, *links); });
            link<KIND + 1>(batch, frame);
        }
    }

    void find_nearest(const NearestBatch& batch, uint32_t frame) {
        using namespace ansv;
        using namespace nearest;
        const uint32_t ranks = batch.windows * Shape::WINDOW;
        fibres::run(parts_of(ranks, BITS * MARK_STEPS), 32, seed_,
                    [&] { warp_mark_heads<Shape, false>(batch, frame, blockIdx.x * BITS * MARK_STEPS); });
        for (uint32_t kind = 0; kind < nearest::KINDS; ++kind)
            fibres::run(1, 64, seed_, [&] { cta_find_windows<Shape>(batch, frame, kind); });
        fibres::run(batch.tiles, Shape::THREADS, seed_,
                    [&] { cta_count_buckets<Shape>(batch, frame, blockIdx.x, shared->deal.tile); });
        for (uint32_t kind = 0; kind < nearest::KINDS; ++kind) {
            fibres::run(batch.digits / 32, 128, seed_,
                        [&] { cta_place_buckets<Shape>(batch, frame, kind, blockIdx.x * 32, shared->sums); });
        }
        fibres::run(batch.tiles, Shape::THREADS, seed_,
                    [&] { cta_deal_places<Shape>(batch, frame, blockIdx.x, shared->deal); });
        link<0>(batch, frame);
        fibres::run(parts_of(ranks, 64), 64, seed_,
                    [&] { thread_collect_nearest(batch, frame, blockIdx.x * 64 + threadIdx.x); });
    }

    void price_samples() {
        fibres::run(frames_, 128, seed_, [&] {
            cta_begin_first(samples_, blockIdx.x, warpcodec::plz::FIRST, shared->counts);
            cta_make_prices(shared->counts, frame_prices_[blockIdx.x]);
        });
        for (uint32_t frame = 0; frame < frames_; ++frame)
            compare_prices(strong_levels::first_counts(sampled_bytes(frame)), frame_prices_[frame]);
        for (uint32_t round = 0; round < Strong::SAMPLE_ROUNDS; ++round) {
            parse(samples_, shared->frames_parse);
            trace(samples_);
            price_paths(samples_, frames_, frame_prices_);
        }
    }

    Text sampled_bytes(uint32_t frame) const {
        Text bytes;
        for (uint32_t number = 0; number < chunk_count(samples_); ++number) {
            const Chunk chunk = chunk_of(samples_, number);
            if (chunk.frame != frame * frame_bytes_) continue;
            bytes.insert(bytes.end(), text_.begin() + chunk.from, text_.begin() + chunk.from + chunk.bytes);
        }
        return bytes;
    }

    template <typename Memory>
    void parse(const ParseBatch& batch, Memory& memory) {
        fibres::run(parts_of(chunk_count(batch), Strong::CTA_CHUNKS), Strong::PARSE_THREADS, seed_,
                    [&] { cta_parse(batch, blockIdx.x, memory); });
    }

    void trace(const ParseBatch& batch) {
        for (uint32_t chunk = 0; chunk < chunk_count(batch); ++chunk) thread_trace_back(batch, chunk, CHUNKS);
    }

    void break_steps() {
        for (uint32_t chunk = 1; chunk < chunk_count(second_); chunk += 3) {
            uint32_t* steps = second_.steps + column_of(second_, chunk, CHUNKS);
            for (uint32_t place = 0; place <= Strong::CHUNK_BYTES; ++place)
                steps[place * CHUNKS] = chunk % 2 == 0 ? 0 : ~0u;
        }
    }

    /// Makes prices of blocks by their paths, and compares them with the model's.
    void price_paths(const ParseBatch& batch, uint32_t blocks, Guarded<BlockPrices>& prices) {
        fibres::run(blocks, 64, seed_,
                    [&] { cta_price_paths<CHUNKS>(batch, blockIdx.x, shared->counts, prices[blockIdx.x]); });
        std::vector<strong_levels::Counts> counts(blocks);
        for (uint32_t number = 0; number < chunk_count(batch); ++number) {
            const Chunk chunk = chunk_of(batch, number);
            bool wrong = false;
            const auto sequences = sequences_of(batch, batch.steps, batch.paths, number, CHUNKS, chunk.bytes, wrong);
            judge(!wrong, named("a path"));
            std::array<uint32_t, 3> last{};
            strong_levels::count_sequences(text_.data(), chunk.from, sequences, last,
                                           counts[chunk.from / batch.block_bytes]);
        }
        for (uint32_t block = 0; block < blocks; ++block) compare_prices(counts[block], prices[block]);
    }

    void compare_prices(const strong_levels::Counts& counts, const BlockPrices& own) {
        const BlockPrices model = prices_for_devices(rounded(strong_levels::Prices(counts)));
        const uint16_t* a = reinterpret_cast<const uint16_t*>(&model);
        const uint16_t* b = reinterpret_cast<const uint16_t*>(&own);
        bool right = true;
        for (size_t i = 0; i < sizeof model / sizeof *a; ++i) right &= a[i] <= b[i] + 1 && b[i] <= a[i] + 1;
        judge(right, named("prices"));
    }

    void write_frames() {
        if (count_ > 0) {
            fibres::run(blocks_, Strong::BLOCK_CHUNKS * WARP_LANES, seed_,
                        [&] { cta_emit_unit<CHUNKS>(second_, encode_, blockIdx.x); });
        }
        fibres::run(blocks_, zstd_encode::CODES_THREADS, seed_,
                    [&] { zstd_encode::cta_code_units(encode_, shared->codes); });
        fibres::run(blocks_, zstd_encode::JoinPolicy::CTA_THREADS, seed_,
                    [&] { zstd_encode::cta_join_unit(encode_, blockIdx.x); });
    }

    uint32_t hash_of(const FrameRange& range) {
        uint64_t hash = 0;
        const warpcodec::checksum::ContentEntry content{range.begin, range.count, 0};
        fibres::run(1, 32, seed_, [&] {
            const uint64_t own =
                warpcodec::checksum::warp_xxh64(input_.data(), content, shared->stages, static_cast<int>(threadIdx.x));
            if (threadIdx.x == 0) hash = own;
        });
        return static_cast<uint32_t>(hash);
    }
};

/// Whether libzstd makes the text of the frames, with their checksums.
bool decodes(const Text& frames, const Text& text) {
    Text back(text.size() + 1);
    const size_t bytes = ZSTD_decompress(back.data(), back.size(), frames.data(), frames.size());
    return bytes == text.size() && std::equal(text.begin(), text.end(), back.begin());
}

/// Encodes a text by each seed. Gives the frames.
Text check(const std::string& name, const Text& text, uint32_t frame_bytes, const std::vector<uint32_t>& seeds) {
    Text first;
    for (const uint32_t seed : seeds) {
        const std::string with_seed = name + ", seed " + std::to_string(seed);
        const Text frames = Chain(name, text, frame_bytes, seed).run(false);
        judge(decodes(frames, text), with_seed + ": decoded text");
        judge(first.empty() || frames == first, with_seed + ": other bytes");
        first = frames;
    }
    return first;
}

Text made_text(uint32_t kind, uint32_t count, std::mt19937& random) {
    Text text(count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint8_t any = static_cast<uint8_t>(random());
        text[i] = kind == 0         ? any
                  : kind == 1       ? 'a'
                  : kind == 2       ? any % 3
                  : kind == 3       ? (i < 1000 ? any : text[i - 1000])
                  : i % 5000 < 2500 ? any
                                    : text[i - 2500];
    }
    return text;
}

void check_made_texts() {
    std::mt19937 random(7);
    for (uint32_t kind = 0; kind < 5; ++kind) {
        for (const uint32_t count : {0u, 1u, 2u, 3u, 4u, 100u, 255u, 257u, 4095u, 4097u, 33000u, 65535u, 65537u}) {
            const std::string name = "kind " + std::to_string(kind) + ", " + std::to_string(count) + " bytes";
            const Text text = made_text(kind, count, random);
            check(name, text, BLOCK_BYTES, {count % 7});
            judge(decodes(Chain(name, text, BLOCK_BYTES, 1).run(true), text), name + ": decoded text of broken steps");
        }
    }
    check("three frames", made_text(4, (256u << 10) + 77, random), 128u << 10, {3});
}

/// Bytes that the model's frames have, and libzstd's.
size_t model_bytes(const Text& text, uint32_t frame_bytes) {
    strong_levels::Options options;
    for (const auto& [option, value] :
         {std::pair<const char*, int>{"chunk", 4}, {"block", 64}, {"sample", 8}, {"piece", 256}, {"alone", 1}})
        options.number[option] = value;
    size_t all = 0;
    for (size_t begin = 0; begin < text.size(); begin += frame_bytes) {
        const uint32_t count = static_cast<uint32_t>(std::min<size_t>(text.size() - begin, frame_bytes));
        strong_levels::Model model(text.data() + begin, count, options);
        model.next_parse();
        all += strong_levels::encoded_bytes(text.data() + begin, count, model.next_parse());
    }
    return all;
}

size_t stock_bytes(const Text& text, uint32_t frame_bytes, int level) {
    size_t all = 0;
    for (size_t begin = 0; begin < text.size(); begin += frame_bytes)
        all += strong_levels::stock_bytes(
            text.data() + begin, static_cast<uint32_t>(std::min<size_t>(text.size() - begin, frame_bytes)), level);
    return all;
}

void check_file(const std::string& folder, const std::string& path) {
    struct Piece {
        long skip;
        uint32_t bytes, frame_bytes;
        std::vector<uint32_t> seeds;
    };
    const std::string name = path.substr(path.rfind('/') + 1);
    for (const Piece& piece :
         {Piece{0, Strong::LEAST_FRAME_BYTES, Strong::LEAST_FRAME_BYTES, {1}},
          Piece{1000003, 64u << 10, 64u << 10, {0, 1, 2}}, Piece{2000003, 300001, 128u << 10, {4, 5}}}) {
        std::FILE* file = std::fopen(path.c_str(), "rb");
        strong_levels::require(file != nullptr, "no such file");
        Text text(piece.bytes);
        std::fseek(file, piece.skip, SEEK_SET);
        text.resize(std::fread(text.data(), 1, text.size(), file));
        std::fclose(file);
        const std::string named = name + "." + std::to_string(piece.skip);
        const Text frames = check(named, text, piece.frame_bytes, piece.seeds);
        std::FILE* target = std::fopen((folder + "/" + named + ".zst").c_str(), "wb");
        strong_levels::require(target != nullptr, "no such folder");
        std::fwrite(frames.data(), 1, frames.size(), target);
        std::fclose(target);
        std::printf("%s,%zu,%u,%zu,%zu,%zu,%zu\n", named.c_str(), text.size(), piece.frame_bytes >> 10, frames.size(),
                    model_bytes(text, piece.frame_bytes), stock_bytes(text, piece.frame_bytes, 15),
                    stock_bytes(text, piece.frame_bytes, 19));
        std::fflush(stdout);
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 2) {
        std::puts("usage: strong_frames_check FOLDER [FILE...]");
        return 1;
    }
    check_made_texts();
    std::puts("data,bytes,frame_kib,frames_bytes,model,zstd_15,zstd_19");
    for (int i = 2; i < count; ++i) check_file(arguments[1], arguments[i]);
    std::printf("%zu wrong\n", wrongs);
    return wrongs == 0 ? 0 : 1;
}
