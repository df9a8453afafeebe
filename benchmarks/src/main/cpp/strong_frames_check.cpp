// Runs a strong level on a CPU (fibres/fibres.h), from the order of places to frames, and has libzstd decode them.
//
//   g++ -O2 -std=c++17 -I ../../../../kernels/src/main/cuda strong_frames_check.cpp fibres/fibres.cpp -lzstd
//       -o strong_frames_check
//   strong_frames_check FOLDER [FILE...]     made texts, and pieces of files; frames of pieces go to the folder
//
// The kernels are those of plz.cu and zstd_encode.cu; the order is a plain sort's. A file's first frame of 1 MiB has
// the bytes that a device makes of it. Prices are compared with those of the model on the same paths, within
// a unit, and frames of one seed with those of others. Odd seeds have the wide parses, so these give the same bytes.
// Frames of a batch lie anywhere in its input. Canaries lie beside all arrays. Texts of two kinds of data have blocks of
// several parts, and some lines have the prices of near samples. Prints the bytes of frames of files, of the model's
// and of libzstd's.
//
// The exit status is 1 if something is wrong.
#include "fibres/fibres.h"
// and behind it
#include "../cuda/strong_parse_paths.h"
#include "checksum/checksum_xxh64.cuh"
#include "plz/plz_borders.cuh"
#include "plz/plz_emit.cuh"
#include "plz/plz_gather.cuh"
#include "plz/plz_measure.cuh"
#include "plz/plz_parts.cuh"
#include "plz/plz_prices.cuh"
#include "plz/plz_seams.cuh"
#include "strong_levels/frames.h"
#include "zstd_encode/zstd_encode_codes.cuh"
#include "zstd_encode/zstd_encode_join.cuh"

#include <memory>
#include <numeric>
#include <random>
#include <string>

using namespace warpcodec;
using namespace warpcodec::plz;
using Strong = StrongShape;
using Text = std::vector<uint8_t>;

namespace {

constexpr uint32_t CHUNKS = Strong::GROUP_CHUNKS;
constexpr uint32_t LONG_FRAME_BYTES = 1u << 20;

size_t wrongs = 0;

void judge(bool right, const std::string& what) {
    if (!right && ++wrongs < 20) std::printf("WRONG: %s\n", what.c_str());
}

/// Arrays between canaries, all of undefined contents.
class Memory {
    static constexpr size_t GUARD = 256;
    static constexpr uint8_t CANARY = 0xC5;
    struct Array {
        std::vector<uint8_t> bytes;
        size_t begin, limit;
    };
    std::vector<std::unique_ptr<Array>> arrays_;

public:
    template <typename T>
    T* room(size_t count) {
        auto array = std::make_unique<Array>();
        array->bytes.assign(count * sizeof(T) + 3 * GUARD, CANARY);
        array->begin = 2 * GUARD - reinterpret_cast<uintptr_t>(array->bytes.data()) % GUARD;
        array->limit = array->begin + count * sizeof(T);
        std::fill(array->bytes.begin() + static_cast<ptrdiff_t>(array->begin),
                  array->bytes.begin() + static_cast<ptrdiff_t>(array->limit), uint8_t{0xA5});
        arrays_.push_back(std::move(array));
        return reinterpret_cast<T*>(arrays_.back()->bytes.data() + arrays_.back()->begin);
    }
    bool is_whole() const {
        const auto is_canary = [](uint8_t byte) { return byte == CANARY; };
        return std::all_of(arrays_.begin(), arrays_.end(), [&](const auto& array) {
            const auto begin = array->bytes.begin();
            return std::all_of(begin, begin + static_cast<ptrdiff_t>(array->begin), is_canary) &&
                   std::all_of(begin + static_cast<ptrdiff_t>(array->limit), array->bytes.end(), is_canary);
        });
    }
};

struct SharedMemory {
    Ansv ansv;
    Deal deal;
    nearest::DealMemory<NearestLayout> tile;
    nearest::PlaceMemory<SCAN_WARPS> sums;
    WarpMemory<Strong::GROUP_CHUNKS> warps[Strong::WARPS];
    ParseMemory<Strong::LANES, Strong::WARPS, Strong::PARSE_UNITS> parse;
    WarpMemory<WARP_LANES / Strong::WIDE_LANES> wide_warps[Strong::WARPS];
    ParseMemory<Strong::WIDE_LANES, Strong::WARPS, 1> wide_parse;
    SymbolCounts counts;
    BorderMemory borders;
    zstd_encode::CodesMemory codes;
    checksum::Xxh64Stages stages;
};
std::unique_ptr<SharedMemory> shared = std::make_unique<SharedMemory>();

/// All stages over frames, which lie in the input with gaps between them.
class Chain {
    const std::string name_;
    const std::vector<Text>& texts_;
    const uint32_t seed_;
    Memory memory_;
    uint8_t* input_;
    uint8_t* output_;
    uint32_t* order_;
    BlockResult* results_;
    std::vector<zstd_encode::EncodeEntry> entries_;
    PlzBatch batch_{};

    bool is_wide() const { return seed_ % 2 == 1; }
    std::string named(const char* what) const { return name_ + ", seed " + std::to_string(seed_) + ": " + what; }

public:
    Chain(const std::string& name, const std::vector<Text>& texts, uint32_t seed)
        : name_(name), texts_(texts), seed_(seed) {
        size_t input_bytes = 0, output_bytes = 0;
        uint64_t scratch_bytes = 0;
        uint32_t units = 0, most_units = 0;
        for (const Text& text : texts) {
            const uint32_t bytes = static_cast<uint32_t>(text.size()), own = std::max(1u, parts_of(bytes, UNIT_BYTES));
            const uint32_t slot = bytes + own * zstd_encode::BLOCK_HEADER_BYTES + zstd_encode::MAX_HEADER_BYTES;
            input_bytes += (seed + entries_.size()) % 7;
            entries_.push_back({{input_bytes, output_bytes, bytes, slot}, scratch_bytes, units, 0});
            input_bytes += bytes;
            output_bytes += slot;
            scratch_bytes += zstd_encode::range_scratch_bytes(bytes);
            units += own;
            most_units = std::max(most_units, own);
        }
        allocate(input_bytes, output_bytes, scratch_bytes, units, most_units);
        for (size_t i = 0; i < texts.size(); ++i)
            std::copy(texts[i].begin(), texts[i].end(), input_ + entries_[i].range.input_offset);
    }

    /// Units of more than one part.
    uint32_t parted() const {
        return static_cast<uint32_t>(std::count_if(batch_.records, batch_.records + batch_.unit_count,
                                                   [](const auto& record) { return record.borders != 0; }));
    }

    /// Whether the first frame was parsed by the prices of near samples.
    bool is_near() const { return prices_for(draft_batch(batch_, true), 0) != batch_.frame_prices; }

    /// Frames one behind the other. Steps of every third chunk are broken before the trace if `breaks`, and borders of
    /// parts lie anywhere.
    Text run(bool breaks) {
        fibres::run(batch_.unit_count, GATHER_THREADS, seed_, [&] { cta_lay_out(batch_); });
        sort();
        find_nearest();
        find_smaller();
        const ParseBatch drafts = draft_batch(batch_, true), chunks = parse_batch(batch_);
        check_places(drafts);
        check_places(chunks);
        check_places(sample_batch(batch_, 1));
        each<MEASURE_THREADS>(MEASURE_THREADS,
                              [&](Part) { warp_measure(chunks, blockIdx.x * MEASURE_THREADS + threadIdx.x); });
        check_longest(chunks);
        price_samples();
        parse(drafts);
        trace(drafts, false);
        price_paths(draft_batch(batch_, false), batch_.unit_count, batch_.unit_prices);
        parse(chunks);
        trace(chunks, breaks);
        fibres::run(batch_.unit_count, WARP_LANES, seed_, [&] { warp_mend_seams<CHUNKS>(chunks, blockIdx.x); });
        write_frames(chunks, breaks);
        judge(memory_.is_whole(), named("memory beside an array"));
        Text all;
        for (size_t i = 0; i < texts_.size(); ++i) {
            judge(results_[i].status == STATUS_SOUND, named("a frame's status"));
            const uint8_t* frame = output_ + entries_[i].range.output_offset;
            all.insert(all.end(), frame, frame + results_[i].output_bytes);
            const uint32_t hash = hash_of(entries_[i].range);
            for (int byte = 0; byte < 4; ++byte) all.push_back(static_cast<uint8_t>(hash >> 8 * byte));
        }
        return all;
    }

private:
    /// All chunks lie in the text, those that have no bytes, too.
    void check_places(const ParseBatch& batch) {
        for (uint32_t number = 0; number < chunk_count(batch); ++number) {
            const Chunk chunk = chunk_of(batch, number);
            const bool is_in = chunk.from < batch_.unit_count * UNIT_BYTES &&
                               chunk.bytes <= batch_.unit_count * UNIT_BYTES - chunk.from;
            judge(is_in, named("a chunk's place"));
        }
    }

    void allocate(size_t input_bytes, size_t output_bytes, uint64_t scratch_bytes, uint32_t units,
                  uint32_t most_units) {
        const size_t places = size_t{units} * UNIT_BYTES, frames = texts_.size();
        const size_t columns = size_t{units} * Strong::MOST_UNIT_CHUNKS;
        // words that hold the input's last byte may be read
        input_ = memory_.room<uint8_t>((input_bytes + 3) / 4 * 4);
        output_ = memory_.room<uint8_t>(output_bytes);
        order_ = memory_.room<uint32_t>(places);
        results_ = memory_.room<BlockResult>(frames);
        batch_.input = input_;
        batch_.input_bytes = input_bytes;
        batch_.output = output_;
        batch_.output_bytes = output_bytes;
        batch_.entries = entries_.data();
        batch_.records = memory_.room<zstd_encode::UnitRecord>(units);
        batch_.encode_scratch = memory_.room<uint8_t>(scratch_bytes);
        batch_.encode_scratch_bytes = scratch_bytes;
        batch_.range_count = static_cast<uint32_t>(frames);
        batch_.unit_count = units;
        batch_.most_units = most_units;
        batch_.text = memory_.room<uint8_t>(places + TEXT_SLACK);
        batch_.frames = memory_.room<FrameRange>(frames);
        batch_.unit_frames = memory_.room<uint32_t>(units);
        batch_.order_entries = memory_.room<bwt_encode::BwtEntry>(frames + 1);
        batch_.order = order_;
        batch_.smaller = memory_.room<uint2>(places);
        batch_.minima = memory_.room<uint32_t>(ansv::minima_words(units));
        batch_.rows = memory_.room<uint32_t>((places + BROUGHT) * ROW_WORDS);
        batch_.ranks = memory_.room<uint32_t>(places);
        batch_.heads = memory_.room<uint32_t>(places / 32 * NEAREST_KINDS);
        batch_.windows = memory_.room<nearest::Window>(places / NearestLayout::WINDOW * NEAREST_KINDS);
        batch_.counts =
            memory_.room<uint32_t>(places / NearestLayout::TILE * NEAREST_KINDS * nearest_batch(batch_).digits);
        batch_.members = memory_.room<uint64_t>(places);
        batch_.ways = memory_.room<Way>(columns * FAR);
        batch_.steps = memory_.room<uint32_t>(places);
        batch_.arrivals = memory_.room<uint32_t>(places);
        batch_.paths = memory_.room<Path>(columns);
        batch_.frame_prices = memory_.room<BlockPrices>(Strong::SAMPLE_TURNS * frames);
        batch_.unit_prices = memory_.room<BlockPrices>(units);
    }

    void sort() {
        for (size_t i = 0; i < texts_.size(); ++i) {
            const FrameRange frame = batch_.frames[i];
            const bwt_encode::BwtEntry entry = batch_.order_entries[i];
            judge(frame.count == texts_[i].size() && entry.text_bytes == frame.count &&
                      entry.text_offset == frame.begin() && entry.first_tile == entries_[i].first_unit * UNIT_TILES,
                  named("a frame's tables"));
            judge(std::equal(texts_[i].begin(), texts_[i].end(), batch_.text + frame.begin()), named("its text"));
            if (frame.count == 0) continue;
            const auto sorted = strong_levels::sort_rotations(texts_[i].data(), frame.count, Strong::ORDER_CUT);
            std::copy(sorted.begin(), sorted.end(), order_ + frame.begin());
        }
        judge(batch_.order_entries[texts_.size()].first_tile == batch_.unit_count * UNIT_TILES, named("the last one"));
    }

    /// Runs a cta for each part of all units.
    template <uint32_t BYTES, typename Code>
    void each(uint32_t threads, Code code) {
        fibres::run(batch_.unit_count * (UNIT_BYTES / BYTES), threads, seed_, [&] {
            if (is_part<BYTES>(batch_, blockIdx.x)) code(part_of<BYTES>(batch_, blockIdx.x));
        });
    }

    void find_smaller() {
        const ansv::AnsvBatch own = ansv_batch(batch_);
        each<RANK_TILE>(ANSV_THREADS,
                        [&](Part tile) { ansv::cta_find_tile_minima(own, tile.frame, tile.index, shared->ansv); });
        fibres::run(batch_.range_count, 32, seed_, [&] { ansv::cta_find_upper_minima<ANSV_THREADS>(own, blockIdx.x); });
        each<RANK_TILE>(ANSV_THREADS,
                        [&](Part tile) { ansv::cta_find_smaller_values(own, tile.frame, tile.index, shared->ansv); });
    }

    template <uint32_t KIND>
    void link(const nearest::NearestBatch& own) {
        if constexpr (KIND < NEAREST_KINDS) {
            const auto links = std::make_unique<Link<KIND>>();
            each<NearestLayout::WINDOW>(Link<KIND>::WARPS * WARP_LANES, [&](Part window) {
                nearest::cta_link_bucket<NearestLayout, KIND>(own, window.frame, window.index, *links);
            });
            link<KIND + 1>(own);
        }
    }

    void find_nearest() {
        const nearest::NearestBatch own = nearest_batch(batch_);
        each<MARK_RANKS>(THREADS, [&](Part part) {
            const uint32_t first =
                part.index * MARK_RANKS + threadIdx.x / WARP_LANES * (nearest::MARK_STEPS * WARP_LANES);
            nearest::warp_mark_heads<NearestLayout, false>(own, part.frame, first);
        });
        fibres::run(batch_.range_count * NEAREST_KINDS, 64, seed_, [&] {
            nearest::cta_find_windows<NearestLayout>(own, blockIdx.x / NEAREST_KINDS, blockIdx.x % NEAREST_KINDS);
        });
        each<NearestLayout::TILE>(DEAL_THREADS, [&](Part tile) {
            nearest::cta_count_buckets<NearestLayout>(own, tile.frame, tile.index, shared->tile);
        });
        const uint32_t columns = own.digits / WARP_LANES;
        for (uint32_t kind = 0; kind < NEAREST_KINDS; ++kind) {
            fibres::run(batch_.range_count * columns, SCAN_WARPS * WARP_LANES, seed_, [&] {
                nearest::cta_place_buckets<NearestLayout>(own, blockIdx.x / columns, kind,
                                                          blockIdx.x % columns * WARP_LANES, shared->sums);
            });
        }
        each<NearestLayout::TILE>(DEAL_THREADS, [&](Part tile) {
            nearest::cta_deal_places<NearestLayout>(own, tile.frame, tile.index, shared->deal);
        });
        link<0>(own);
    }

    /// The longest match of each place is as long as that with any earlier place, or longer than places are ordered by.
    void check_longest(const ParseBatch& batch) {
        constexpr size_t MOST_BYTES = 5000;
        for (size_t i = 0; i < texts_.size(); ++i) {
            const Text& text = texts_[i];
            if (text.size() > MOST_BYTES) continue;
            for (size_t at = 0; at < text.size(); ++at) {
                const size_t chunk_bytes = Strong::CHUNK_BYTES >> halvings_of(batch_.frames[i].count);
                const size_t limit = std::min(text.size(), (at / chunk_bytes + 1) * chunk_bytes);
                const size_t most = std::min<size_t>(limit - at, MOST_MATCH);
                uint32_t longest = 0, kept = 0;
                for (size_t earlier = 0; earlier < at && longest < most; ++earlier) {
                    uint32_t length = 0;
                    while (length < most && text[earlier + length] == text[at + length]) ++length;
                    longest = std::max(longest, length);
                }
                const size_t place = batch_.frames[i].begin() + at;
                const PackedMatch* matches = batch.rows + matches_at(static_cast<uint32_t>(place));
                for (uint32_t slot = 0; slot < SLOTS; ++slot) kept = std::max(kept, length_of(matches[slot]));
                judge(kept == (longest < LEAST_MATCH ? 0 : longest) || kept >= Strong::ORDER_CUT,
                      named("the longest match"));
            }
        }
    }

    void price_samples() {
        for (uint32_t turn = 0; turn < Strong::SAMPLE_TURNS; ++turn)
            price_samples(sample_batch(batch_, turn), batch_.frame_prices + turn * batch_.range_count);
    }

    void price_samples(const ParseBatch& samples, BlockPrices* prices) {
        fibres::run(batch_.range_count, PRICE_THREADS, seed_, [&] {
            cta_begin_first(samples, blockIdx.x, FIRST, shared->counts);
            cta_make_prices(shared->counts, prices[blockIdx.x]);
        });
        for (uint32_t frame = 0; frame < batch_.range_count; ++frame)
            compare_prices(strong_levels::first_counts(sampled_bytes(samples, frame)), prices[frame]);
        for (uint32_t round = 0; round < Strong::SAMPLE_ROUNDS; ++round) {
            parse_ctas(
                samples, [&] { cta_parse_samples<Strong::LANES>(samples, blockIdx.x, shared->warps); },
                [&] { cta_parse_samples<Strong::WIDE_LANES>(samples, blockIdx.x, shared->wide_warps); });
            trace(samples, false);
            price_paths(samples, batch_.range_count, prices);
            check_offsets(samples);
        }
    }

    /// No path of samples goes farther than its turn may.
    void check_offsets(const ParseBatch& samples) {
        for (uint32_t number = 0; number < chunk_count(samples); ++number) {
            const Chunk chunk = chunk_of(samples, number);
            bool right = true, wrong = false;
            for (const auto& each : sequences_of(chunk, samples.paths[number], samples.steps, CHUNKS, wrong))
                right &= each.offset <= samples.most_offset;
            judge(chunk.bytes == 0 || right, named("an offset of a sample"));
        }
    }

    Text sampled_bytes(const ParseBatch& samples, uint32_t frame) const {
        Text bytes;
        for (uint32_t number = 0; number < chunk_count(samples); ++number) {
            const Chunk chunk = chunk_of(samples, number);
            if (batch_.unit_frames[chunk.unit] != frame) continue;
            bytes.insert(bytes.end(), batch_.text + chunk.from, batch_.text + chunk.from + chunk.bytes);
        }
        return bytes;
    }

    void parse(const ParseBatch& batch) {
        parse_ctas(
            batch, [&] { cta_parse(batch, blockIdx.x, shared->parse); },
            [&] { cta_parse(batch, blockIdx.x, shared->wide_parse); });
    }

    /// Numbers up to the last row that a frame of the batch has: those behind are not launched.
    uint32_t launched_chunks(const ParseBatch& batch) const {
        uint32_t halvings = 0;
        for (uint32_t i = 0; i < batch_.range_count; ++i)
            halvings = std::max(halvings, shape_of(batch, batch_.frames[i]).halvings);
        return batch_.unit_count * row_chunks(batch) << halvings;
    }

    template <typename Narrow, typename Wide>
    void parse_ctas(const ParseBatch& batch, Narrow narrow, Wide wide) {
        const uint32_t chunks = launched_chunks(batch);
        if (is_wide()) {
            fibres::run(parts_of(chunks, Strong::WIDE_CTA_CHUNKS), Strong::PARSE_THREADS, seed_, wide);
        } else {
            fibres::run(parts_of(chunks, Strong::CTA_CHUNKS), Strong::PARSE_THREADS, seed_, narrow);
        }
    }

    void trace(const ParseBatch& batch, bool breaks) {
        if (breaks) break_steps(batch);
        for (uint32_t chunk = 0; chunk < launched_chunks(batch); ++chunk) thread_trace_back(batch, chunk, CHUNKS);
    }

    static void break_steps(const ParseBatch& batch) {
        for (uint32_t number = 1; number < chunk_count(batch); number += 3) {
            const Chunk chunk = chunk_of(batch, number);
            uint32_t* steps = batch.steps + column_of(chunk, CHUNKS);
            for (uint32_t place = 0; place < chunk.bytes; ++place) steps[place * CHUNKS] = number % 2 == 0 ? 0 : ~0u;
        }
    }

    /// Makes prices by paths, and compares them with the model's.
    void price_paths(const ParseBatch& batch, uint32_t count, BlockPrices* prices) {
        fibres::run(count, UNIT_PRICE_THREADS, seed_,
                    [&] { cta_price_paths<CHUNKS>(batch, blockIdx.x, shared->counts, prices[blockIdx.x]); });
        std::vector<strong_levels::Counts> counts(count);
        for (uint32_t number = 0; number < chunk_count(batch); ++number) {
            const Chunk chunk = chunk_of(batch, number);
            if (chunk.bytes == 0) continue;
            bool wrong = false;
            const auto sequences = sequences_of(chunk, batch.paths[number], batch.steps, CHUNKS, wrong);
            judge(!wrong, named("a path"));
            std::array<uint32_t, 3> last{};
            strong_levels::count_sequences(batch_.text, chunk.from, sequences, last,
                                           counts[prices_of_unit(batch, chunk.unit)]);
        }
        for (uint32_t number = 0; number < count; ++number) compare_prices(counts[number], prices[number]);
    }

    void compare_prices(const strong_levels::Counts& counts, const BlockPrices& own) {
        const BlockPrices model = prices_for_devices(rounded(strong_levels::Prices(counts)));
        const uint16_t* a = reinterpret_cast<const uint16_t*>(&model);
        const uint16_t* b = reinterpret_cast<const uint16_t*>(&own);
        bool right = true;
        for (size_t i = 0; i < offsetof(BlockPrices, cost) / sizeof *a; ++i)
            right &= a[i] <= b[i] + 1 && b[i] <= a[i] + 1;
        judge(right, named("prices"));
        const double cost = strong_levels::cost_of_counts(counts);
        judge(std::abs(cost - own.cost) <= 0.01 * cost + 2000, named("what symbols cost"));
    }

    void write_frames(const ParseBatch& batch, bool breaks) {
        EncodeBatch encode = encode_batch(batch_);
        encode.results = results_;
        fibres::run(batch_.unit_count, EMIT_THREADS, seed_, [&] { cta_emit_unit<CHUNKS>(batch, encode, blockIdx.x); });
        fibres::run(batch_.unit_count, BORDERS_THREADS, seed_, [&] {
            cta_find_borders<CHUNKS>(batch, blockIdx.x, batch_.records[blockIdx.x], shared->borders);
        });
        std::mt19937 random(seed_);
        for (uint32_t unit = 0; breaks && unit < batch_.unit_count; ++unit)
            batch_.records[unit].borders = static_cast<uint32_t>(unit % 2 == 0 ? random() : ~0u);
        fibres::run(batch_.unit_count, zstd_encode::CODES_THREADS, seed_,
                    [&] { zstd_encode::cta_code_units<true>(encode, shared->codes); });
        fibres::run(batch_.unit_count, zstd_encode::JoinPolicy::CTA_THREADS, seed_,
                    [&] { zstd_encode::cta_join_unit(encode, blockIdx.x); });
    }

    uint32_t hash_of(const BlockEntry& range) {
        uint64_t hash = 0;
        const checksum::ContentEntry content{range.input_offset, range.input_bytes, 0};
        fibres::run(1, 32, seed_, [&] {
            const uint64_t own = checksum::warp_xxh64(input_, content, shared->stages, static_cast<int>(threadIdx.x));
            if (threadIdx.x == 0) hash = own;
        });
        return static_cast<uint32_t>(hash);
    }
};

/// A text in frames of so many bytes; one frame of none if it has none.
std::vector<Text> cut(const Text& text, uint32_t frame_bytes) {
    std::vector<Text> frames;
    for (size_t begin = 0; begin < text.size(); begin += frame_bytes)
        frames.emplace_back(text.begin() + static_cast<ptrdiff_t>(begin),
                            text.begin() + static_cast<ptrdiff_t>(std::min(text.size(), begin + frame_bytes)));
    if (frames.empty()) frames.emplace_back();
    return frames;
}

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
        const Text frames = Chain(name, cut(text, frame_bytes), seed).run(false);
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

/// Words of a few letters, and behind each border that is a multiple of `stretch` numbers in columns, or words again.
Text two_kinds(uint32_t count, uint32_t stretch, std::mt19937& random) {
    Text text(count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint8_t any = static_cast<uint8_t>(random());
        const bool is_word = i / stretch % 2 == 0;
        text[i] = is_word        ? (any % 5 == 0 ? ' ' : static_cast<uint8_t>('a' + any % 7))
                  : i % 8 < 6    ? static_cast<uint8_t>(0x80 + i % 8)
                  : any % 4 == 0 ? any
                                 : text[i - 8];
    }
    return text;
}

void check_parts() {
    std::mt19937 random(10);
    for (const uint32_t count : {5000u, 65536u, 200000u, 1100000u}) {
        const Text text = two_kinds(count, 16384, random);
        const std::vector<Text> frames{text};
        uint32_t parted = 0;
        Text first;
        for (uint32_t seed = 0; seed < 2; ++seed) {
            Chain chain("parts", frames, seed);
            const Text frame = chain.run(false);
            judge(decodes(frame, text), "decoded text of parts");
            judge(seed == 0 || frame == first, "other bytes of parts");
            parted = chain.parted();
            first = frame;
        }
        judge(count <= 16384 ? parted == 0 : parted >= count / UNIT_BYTES, "units of several parts");
        for (uint32_t seed = 2; seed < 4; ++seed)
            judge(decodes(Chain("any parts", frames, seed).run(true), text), "decoded text of any parts");
    }
}

/// Lines whose numbers go on have the prices of near samples, lines of numbers at random do not.
void check_near_prices() {
    std::mt19937 random(11);
    const auto number = [&](uint32_t limit) { return std::to_string(random() % limit); };
    std::string lines, columns;
    for (uint32_t i = 0; lines.size() < 300000; ++i)
        lines += "26/11/27 00:" + std::to_string(10 + i / 2000) + ":" + std::to_string(10 + i / 40 % 50) +
                 " INFO Executor: Finished task " + number(400) + ".0 in stage 0.0 (TID " + std::to_string(i) + ") in " +
                 number(30000) + " ms on host-" + number(64) + " (executor " + number(16) + ")\n";
    while (columns.size() < 300000) columns += number(100000) + ',' + number(1000) + ",AIR," + number(12) + '\n';
    for (const std::string& made : {lines, columns}) {
        const std::vector<Text> frames{Text(made.begin(), made.end())};
        Chain chain("near prices", frames, 0);
        judge(decodes(chain.run(false), frames[0]), "decoded text of near prices");
        judge(chain.is_near() == (made == lines), "a frame's prices");
    }
}

void check_made_texts() {
    std::mt19937 random(7);
    for (uint32_t kind = 0; kind < 5; ++kind) {
        for (const uint32_t count : {0u, 1u, 2u, 3u, 4u, 100u, 255u, 257u, 4095u, 4097u, 33000u, 65535u, 65537u}) {
            const std::string name = "kind " + std::to_string(kind) + ", " + std::to_string(count) + " bytes";
            const Text text = made_text(kind, count, random);
            check(name, text, UNIT_BYTES, {count % 7, count % 7 + 1});
            judge(decodes(Chain(name, cut(text, UNIT_BYTES), 1).run(true), text),
                  name + ": decoded text of broken steps");
        }
    }
    check("three frames", made_text(4, (256u << 10) + 77, random), 128u << 10, {2, 3});
}

/// Frames of all lengths in one batch have the bytes that each has alone.
void check_mixed_batches() {
    std::mt19937 random(8);
    std::vector<uint32_t> counts{0, 1, 3, 12, 4096, 65535, 65536, 65537, 200000, 7, 131072, 0, 33000};
    for (uint32_t seed = 0; seed < 3; ++seed) {
        std::shuffle(counts.begin(), counts.end(), random);
        std::vector<Text> texts;
        Text all, alone;
        for (size_t i = 0; i < counts.size(); ++i) {
            texts.push_back(made_text(static_cast<uint32_t>(i + seed) % 5, counts[i], random));
            all.insert(all.end(), texts.back().begin(), texts.back().end());
            const Text frame = Chain("alone", {texts.back()}, 1).run(false);
            alone.insert(alone.end(), frame.begin(), frame.end());
        }
        const Text frames = Chain("mixed", texts, seed).run(false);
        judge(decodes(frames, all), "decoded text of a mixed batch");
        judge(frames == alone, "frames of a mixed batch");
    }
}

/// Frames with chunks of all lengths in one batch.
void check_all_chunks() {
    std::mt19937 random(9);
    std::vector<uint32_t> counts{130u << 10, MOST_HALVED_BYTES + 1, 12u, MOST_HALVED_BYTES / 2};
    // a long frame behind others, and as the last one
    for (int turn = 0; turn < 2; ++turn) {
        std::vector<Text> texts;
        Text all;
        for (const uint32_t count : counts) {
            texts.push_back(made_text(static_cast<uint32_t>(texts.size()) + 1, count, random));
            all.insert(all.end(), texts.back().begin(), texts.back().end());
        }
        const Text frames = Chain("all chunks", texts, 0).run(false);
        judge(decodes(frames, all), "decoded text of chunks of all lengths");
        judge(Chain("all chunks", texts, 1).run(false) == frames, "frames with chunks of all lengths");
        judge(decodes(Chain("all chunks", texts, 2).run(true), all), "decoded text of broken steps in all chunks");
        std::swap(counts[1], counts[3]);
    }
}

/// Bytes that the model's frames have, and libzstd's.
size_t model_bytes(const Text& text, uint32_t frame_bytes) {
    strong_levels::Options options;
    options.number["block"] = UNIT_BYTES >> 10;
    options.number["alone"] = 1;
    size_t all = 0;
    for (size_t begin = 0; begin < text.size(); begin += frame_bytes) {
        const uint32_t count = static_cast<uint32_t>(std::min<size_t>(text.size() - begin, frame_bytes));
        const uint32_t halvings = halvings_of(count), chunk_bytes = Strong::CHUNK_BYTES >> halvings;
        options.number["piece"] = static_cast<int>(sample_batch({}, 0).chunk_bytes[halvings]);
        options.number["chunk"] = static_cast<int>(chunk_bytes >> 10);
        options.number["sample"] = static_cast<int>((Strong::SAMPLE_STRIDE >> halvings) / chunk_bytes);
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
         {Piece{0, LONG_FRAME_BYTES, LONG_FRAME_BYTES, {0, 1}}, Piece{1000003, 64u << 10, 64u << 10, {0, 1, 2}},
          Piece{2000003, 300001, 128u << 10, {4, 5}}}) {
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
    check_mixed_batches();
    check_all_chunks();
    check_parts();
    check_near_prices();
    std::puts("data,bytes,frame_kib,frames_bytes,model,zstd_15,zstd_19");
    for (int i = 2; i < count; ++i) check_file(arguments[1], arguments[i]);
    std::printf("%zu wrong\n", wrongs);
    return wrongs == 0 ? 0 : 1;
}
