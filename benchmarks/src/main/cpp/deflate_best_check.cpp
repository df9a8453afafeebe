// Runs DEFLATE's level by price on a CPU (fibres/fibres.h), and has zlib decode what comes of it.
//
//   g++ -O2 -std=c++17 -I ../../../../kernels/src/main/cuda deflate_best_check.cpp fibres/fibres.cpp -ldeflate -lz
//       -o deflate_best_check
//   deflate_best_check [FILE...]     made texts, and pieces of files
//
// The kernels are those of deflate_encode.cu. Ranges lie anywhere in their input, with windows, and end their stream or
// are flushed. Matches are compared with the text, and with the longest of a plain search where texts are short. Steps
// are compared with those of a plain search for the cheapest way, at the same prices. Parts are compared with the
// cheapest chain of a plain search, and their estimates with entropies. Streams of one seed are compared with those of
// others, and of ranges in a batch with those of each alone. Canaries lie beside all arrays. Prints the bytes of
// streams of files, of libdeflate's and of zlib's.
//
// The exit status is 1 if something is wrong.
#include "fibres/fibres.h"
// and behind it
#include "deflate_encode/deflate_encode_best_find.cuh"
#include "deflate_encode/deflate_encode_best_parse.cuh"
#include "deflate_encode/deflate_encode_best_steps.cuh"
#include "deflate_encode/deflate_encode_join.cuh"

#include <cmath>
#include <libdeflate.h>
#include <memory>
#include <random>
#include <string>
#include <zlib.h>

using namespace warpcodec;
using namespace warpcodec::deflate_encode;
using Text = std::vector<uint8_t>;

namespace {

constexpr uint32_t DEPTH = 64;
constexpr uint32_t SEEDS = 2;

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
    T* room(size_t count, size_t past_alignment = 0) {
        auto array = std::make_unique<Array>();
        array->bytes.assign(count * sizeof(T) + 3 * GUARD, CANARY);
        array->begin = 2 * GUARD - reinterpret_cast<uintptr_t>(array->bytes.data()) % GUARD + past_alignment;
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

std::unique_ptr<EncodeMemory<BestPolicy>> find_memory = std::make_unique<EncodeMemory<BestPolicy>>();
std::unique_ptr<StepMemory<StepPolicy>> step_memory = std::make_unique<StepMemory<StepPolicy>>();
std::unique_ptr<BestParseMemory> parse_memory = std::make_unique<BestParseMemory>();

/// A stretch of a text to encode, with what it may reach before it.
struct Range {
    Text window, raw;
    Ending ending = ENDS_STREAM;
};

/// Ranges of a batch, which lie in the input with gaps between them.
class Chain {
    const std::string name_;
    const std::vector<Range>& ranges_;
    const uint32_t seed_;
    Memory memory_;
    std::vector<EncodeEntry> entries_;
    BestBatch best_{};
    EncodeBatch& batch_ = best_.batch;

    std::string named(const char* what) const { return name_ + ", seed " + std::to_string(seed_) + ": " + what; }

public:
    Chain(const std::string& name, const std::vector<Range>& ranges, uint32_t seed)
        : name_(name), ranges_(ranges), seed_(seed) {
        uint64_t input_bytes = 0, output_bytes = 0, elements = 0;
        uint32_t units = 0;
        for (const Range& range : ranges) {
            const uint32_t bytes = static_cast<uint32_t>(range.raw.size()), blocks = block_count_of(bytes);
            const uint32_t slot = bytes + blocks * BLOCK_OVERHEAD_BYTES + 2 + FLUSH_BYTES;
            input_bytes += (seed + entries_.size()) % 7 + range.window.size();
            entries_.push_back({{input_bytes, output_bytes, bytes, slot},
                                elements,
                                units,
                                static_cast<uint16_t>(range.window.size()),
                                range.ending});
            input_bytes += bytes;
            output_bytes += slot + seed % 3;
            elements += (bytes + 3) / 4 * 4 + blocks * SLOT_SLACK_BYTES;
            units += std::max(1u, blocks);
        }
        // words that hold the input's last byte may be read
        uint8_t* input = memory_.room<uint8_t>((input_bytes + 15) / 16 * 16);
        batch_.input = input;
        batch_.input_bytes = input_bytes;
        batch_.output = memory_.room<uint8_t>(output_bytes, seed % 5);
        batch_.output_bytes = output_bytes;
        batch_.entries = entries_.data();
        batch_.results = memory_.room<BlockResult>(ranges.size());
        batch_.range_count = static_cast<uint32_t>(ranges.size());
        batch_.unit_count = units;
        batch_.records = memory_.room<BlockRecord>(units);
        batch_.slots = memory_.room<uint8_t>(elements);
        batch_.slots_bytes = elements;
        batch_.tokens = memory_.room<uint16_t>(elements);
        batch_.depth = DEPTH;
        best_.matches = memory_.room<PlaceMatches>(elements);
        best_.steps = memory_.room<uint32_t>(elements);
        best_.prices = memory_.room<BlockPrices>(units);
        for (size_t i = 0; i < ranges.size(); ++i) {
            uint8_t* raw = input + entries_[i].range.input_offset;
            std::copy(ranges[i].raw.begin(), ranges[i].raw.end(), raw);
            std::copy(ranges[i].window.begin(), ranges[i].window.end(), raw - ranges[i].window.size());
        }
    }

    /// The streams, each by itself. Steps are any bytes before they are written if `breaks`.
    std::vector<Text> run(bool breaks) {
        fibres::run(2, BestPolicy::CTA_THREADS, seed_, [&] { cta_find_units(best_, *find_memory); });
        each_block([&](const BatchBlock& block, uint32_t) { check_matches(block); });
        for (int pass = 0; pass < BestShape::PASSES; ++pass) {
            if (pass > 0) {
                fibres::run(batch_.unit_count, StepPolicy::CTA_THREADS, seed_, [&] {
                    cta_price_unit(best_, blockIdx.x, *step_memory);
                    const BatchBlock block(batch_, blockIdx.x);
                    if (threadIdx.x == 0 && block.is_block) check_parts(step_memory->parts, block.raw.block_bytes);
                });
            }
            fibres::run(batch_.unit_count, BestShape::PARSE_THREADS, seed_,
                        [&] { cta_parse_unit(best_, blockIdx.x, *parse_memory); });
            each_block([&](const BatchBlock& block, uint32_t unit) { check_steps(block, best_.prices[unit]); });
        }
        if (breaks) break_steps();
        fibres::run(batch_.unit_count, StepPolicy::CTA_THREADS, seed_,
                    [&] { cta_write_unit(best_, blockIdx.x, *step_memory); });
        fibres::run(batch_.unit_count, JoinPolicy::CTA_THREADS, seed_, [&] { cta_join_unit(batch_, blockIdx.x); });
        judge(memory_.is_whole(), named("memory beside an array"));
        std::vector<Text> streams;
        for (size_t i = 0; i < ranges_.size(); ++i) {
            const bool is_sound = batch_.results[i].status == STATUS_SOUND;
            judge(is_sound, named("a range's status"));
            const uint8_t* stream = batch_.output + entries_[i].range.output_offset;
            streams.emplace_back(stream, stream + (is_sound ? batch_.results[i].output_bytes : 0));
        }
        return streams;
    }

private:
    template <typename Use>
    void each_block(Use use) {
        for (uint32_t unit = 0; unit < batch_.unit_count; ++unit) {
            const BatchBlock block(batch_, unit);
            if (block.is_block) use(block, unit);
        }
    }

    static int equal_bytes(const uint8_t* here, int distance, int most) {
        int length = 0;
        while (length < most && here[length] == here[length - distance]) ++length;
        return length;
    }

    /// Matches are those of the text, each longer and farther than the one before; the longest is found in short texts,
    /// which have few places of one hash.
    void check_matches(const BatchBlock& block) {
        constexpr int SHORT_TEXT = 400;
        for (int place = 0; place < block.raw.block_bytes; ++place) {
            const uint8_t* here = block.raw.bytes + place;
            const int most = std::min(block.raw.block_bytes - place, MAX_MATCH);
            const int reach = std::min(place + block.raw.window_bytes, WINDOW_BYTES);
            int length = 0, distance = 0;
            for (const uint32_t word : best_.matches[block.first_element + static_cast<uint64_t>(place)].of) {
                if (word == 0 && length == 0) continue;
                const Token match{word & ~(31u << PlaceMatches::DISTANCE_SYMBOL_AT)};
                const bool is_longer = match.length() > length && match.distance() > distance;
                judge(word != 0 && is_longer && match.length() <= most && match.distance() <= reach,
                      named("bounds of a match"));
                judge(equal_bytes(here, match.distance(), most) == match.length(), named("a match"));
                judge((word >> PlaceMatches::DISTANCE_SYMBOL_AT & 31) == match.distance_symbol().symbol,
                      named("a match's symbol"));
                length = match.length();
                distance = match.distance();
            }
            if (block.raw.block_bytes + block.raw.window_bytes > SHORT_TEXT || most < START_MARGIN_BYTES) continue;
            int longest = 0;
            for (int earlier = 1; earlier <= reach; ++earlier)
                longest = std::max(longest, equal_bytes(here, earlier, most));
            // the latest place of a short hash may be one of other bytes
            judge(length == longest || (length == 0 && longest <= MIN_MATCH) || length >= BestPolicy::ENOUGH_BYTES,
                  named("the longest match"));
        }
    }

    /// Entropy of symbols in some tiles, and what they take in a header.
    static double entropy(const BlockParts& parts, int first, int last, int from, int limit) {
        double all = 0, weights = 0, used = 0;
        for (int symbol = from; symbol < limit; ++symbol) {
            double count = 0;
            for (int tile = first; tile <= last; ++tile) count += parts.counts[tile][symbol];
            all += count;
            weights += count > 0 ? count * std::log2(count) : 0;
            used += count > 0 ? 1 : 0;
        }
        return (all > 0 ? all * std::log2(all) : 0) - weights + 3.6 * used;
    }

    /// Estimates are entropies, and no other chain of parts costs less.
    void check_parts(const BlockParts& parts, int block_bytes) {
        const int tiles = tile_count(block_bytes);
        std::vector<uint32_t> cheapest(static_cast<size_t>(tiles) + 1, ~0u);
        cheapest[0] = 0;
        for (int limit = 1; limit <= tiles; ++limit) {
            for (int first = 0; first < limit; ++first) {
                const uint32_t price = parts.prices[first][limit - 1];
                const double expected = 71 + entropy(parts, first, limit - 1, 0, Frequencies::DISTANCES_AT) +
                                        entropy(parts, first, limit - 1, Frequencies::DISTANCES_AT, Frequencies::COUNT);
                const double symbols = 2.0 * (parts.limits[limit - 1] - parts.first_element(first));
                judge(std::abs(price / 256.0 - expected) <= 1 + symbols / 128, named("an estimate of a part"));
                uint32_t& least = cheapest[static_cast<size_t>(limit)];
                least = std::min(least, cheapest[static_cast<size_t>(first)] + price);
            }
        }
        uint32_t chain = 0;
        for (int tile = 0, limit; tile < tiles; tile = limit) {
            limit = parts.limit_of(tile, tiles);
            chain += parts.prices[tile][limit - 1];
        }
        judge(chain == cheapest[static_cast<size_t>(tiles)], named("the cheapest chain of parts"));
    }

    /// Steps are the cheapest, each chunk's by itself.
    void check_steps(const BatchBlock& block, const BlockPrices& block_prices) {
        for (int from = 0; from < block.raw.block_bytes; from += BestShape::CHUNK_BYTES) {
            const BestPrices& prices = block_prices.of[from / BestShape::TILE_BYTES];
            const int bytes = std::min(block.raw.block_bytes - from, BestShape::CHUNK_BYTES);
            const uint64_t first = block.first_element + static_cast<uint64_t>(from);
            std::vector<int> costs(static_cast<size_t>(bytes + MAX_MATCH + 1));
            for (int i = 0; i <= MAX_MATCH; ++i) costs[static_cast<size_t>(bytes + i)] = -i * TAIL_PRICE_OF_BYTE;
            for (int place = bytes - 1; place >= 0; --place) {
                const auto cost_at = [&](int step) { return costs[static_cast<size_t>(place + step)]; };
                const PlaceMatches& matches = best_.matches[first + static_cast<uint64_t>(place)];
                int cheapest = cost_at(1) + prices.literal[block.raw.bytes[from + place]];
                uint32_t token = 0;
                for (int length = MIN_MATCH; length <= MAX_MATCH; ++length) {
                    Token match{0};
                    for (int i = PlaceMatches::COUNT - 1; i >= 0; --i)
                        if (matches.of[i] != 0 && Token{matches.of[i]}.length() >= length) match.word = matches.of[i];
                    if (match.word == 0 || !is_tried(matches, match, length)) continue;
                    const uint32_t symbol = match.distance_symbol().symbol;
                    const int cost = cost_at(length) + prices.length[length - MIN_MATCH] + prices.distance[symbol];
                    if (cost > cheapest) continue;
                    cheapest = cost;
                    token = Token::match(length, match.distance()).word;
                }
                costs[static_cast<size_t>(place)] = cheapest;
                judge(best_.steps[first + static_cast<uint64_t>(place)] == token, named("a step"));
            }
        }
    }

    /// Whether a length of a match is tried: all up to ALL_LENGTHS; above whole ones, and a few below the longest.
    static bool is_tried(const PlaceMatches& matches, Token match, int length) {
        const int longest = Token{matches.of[PlaceMatches::COUNT - 1]}.length();
        if (longest == MAX_MATCH) return length == MAX_MATCH;
        if (length <= ALL_LENGTHS || length == match.length()) return true;
        return match.length() == longest && longest - length <= LAST_LENGTHS;
    }

    void break_steps() {
        std::mt19937 random(seed_);
        for (uint64_t i = 0; i < batch_.slots_bytes; ++i)
            best_.steps[i] = random() % 3 == 0 ? static_cast<uint32_t>(random()) : Token::MATCH;
    }
};

/// Whether zlib makes so many bytes of a stream, and all of it is used. They are the text's unless `any_text`.
bool decodes(const Range& range, const Text& stream, bool any_text) {
    z_stream inflater{};
    if (inflateInit2(&inflater, -15) != Z_OK) return false;
    inflateSetDictionary(&inflater, range.window.data(), static_cast<uInt>(range.window.size()));
    Text back(range.raw.size() + 1);
    inflater.next_in = const_cast<uint8_t*>(stream.data());
    inflater.avail_in = static_cast<uInt>(stream.size());
    inflater.next_out = back.data();
    inflater.avail_out = static_cast<uInt>(back.size());
    const int result = inflate(&inflater, Z_SYNC_FLUSH);
    const bool ends = range.ending == ENDS_STREAM ? result == Z_STREAM_END : result == Z_OK;
    const bool right = ends && inflater.avail_in == 0 && inflater.total_out == range.raw.size() &&
                       (any_text || std::equal(range.raw.begin(), range.raw.end(), back.begin()));
    inflateEnd(&inflater);
    return right;
}

/// Encodes ranges by each seed. Gives the streams.
std::vector<Text> check(const std::string& name, const std::vector<Range>& ranges, uint32_t first_seed) {
    std::vector<Text> first;
    for (uint32_t seed = first_seed; seed < first_seed + SEEDS; ++seed) {
        const std::vector<Text> streams = Chain(name, ranges, seed).run(false);
        for (size_t i = 0; i < ranges.size(); ++i)
            judge(decodes(ranges[i], streams[i], false), name + ", seed " + std::to_string(seed) + ": decoded text");
        judge(first.empty() || streams == first, name + ": other bytes");
        first = streams;
    }
    return first;
}

Text made_text(uint32_t kind, uint32_t count, std::mt19937& random) {
    Text text(count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint8_t any = static_cast<uint8_t>(random());
        text[i] = kind == 0               ? any
                  : kind == 1             ? 'a'
                  : kind == 2             ? any % 3
                  : kind == 3             ? (i < 1000 ? any : text[i - 1000])
                  : kind == 4             ? (i % 5000 < 2500 ? any : text[i - 2500])
                  : i % 64 < 32 || i < 64 ? any % 16
                                          : text[i - 32 - (any % 4 == 0 ? i % 7 : 0)];
    }
    return text;
}
constexpr uint32_t KINDS = 6;

void check_made_texts() {
    std::mt19937 random(7);
    for (uint32_t kind = 0; kind < KINDS; ++kind) {
        for (const uint32_t count : {0u, 1u, 2u, 3u, 7u, 8u, 9u, 100u, 257u, 258u, 400u, 2047u, 2049u, 8191u, 8193u,
                                     33000u, 65535u, 65536u, 65537u}) {
            const std::string name = "kind " + std::to_string(kind) + ", " + std::to_string(count) + " bytes";
            const std::vector<Range> ranges{{{}, made_text(kind, count, random)}};
            check(name, ranges, count % 7);
            const std::vector<Text> broken = Chain(name, ranges, 1).run(true);
            judge(decodes(ranges[0], broken[0], true), name + ": decoded text of broken steps");
        }
    }
    for (uint32_t period = 1; period < 40; ++period) {
        Text text = made_text(0, 700, random);
        for (size_t i = period; i < text.size(); ++i) text[i] = text[i - period];
        check("period " + std::to_string(period), {{{}, text}}, period);
    }
}

/// Ranges of all lengths in one batch have the bytes that each has alone, and those that are flushed lead from one to
/// the next.
void check_mixed_batches() {
    std::mt19937 random(8);
    const uint32_t counts[] = {0, 1, 65536, 3, 70000, 12, 8192, 0, 200000, 5};
    for (uint32_t turn = 0; turn < 3; ++turn) {
        std::vector<Range> ranges;
        std::vector<Text> alone;
        Text before;
        for (const uint32_t count : counts) {
            const Text raw = made_text((static_cast<uint32_t>(ranges.size()) + turn) % KINDS, count, random);
            const size_t window = std::min<size_t>(before.size(), random() % (WINDOW_BYTES + 1));
            ranges.push_back({Text(before.end() - static_cast<ptrdiff_t>(window), before.end()), raw,
                              random() % 2 == 0 ? ENDS_STREAM : FLUSHES});
            before.insert(before.end(), raw.begin(), raw.end());
            alone.push_back(Chain("alone", {ranges.back()}, turn).run(false)[0]);
        }
        judge(check("mixed", ranges, turn) == alone, "streams of a mixed batch");
    }
}

void check_file(const std::string& path) {
    constexpr size_t MEMBER_BYTES = 256u << 10;
    const std::string name = path.substr(path.rfind('/') + 1);
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) {
        judge(false, "no such file: " + path);
        return;
    }
    std::vector<Range> ranges;
    size_t libdeflate_bytes = 0, zlib_bytes = 0, raw_bytes = 0, bytes = 0;
    for (const long skip : {0L, 1000003L, 3000001L}) {
        Text raw(MEMBER_BYTES);
        std::fseek(file, skip, SEEK_SET);
        raw.resize(std::fread(raw.data(), 1, raw.size(), file));
        ranges.push_back({{}, raw});
        Text stream(2 * MEMBER_BYTES);
        libdeflate_compressor* compressor = libdeflate_alloc_compressor(12);
        libdeflate_bytes +=
            libdeflate_deflate_compress(compressor, raw.data(), raw.size(), stream.data(), stream.size());
        libdeflate_free_compressor(compressor);
        z_stream deflater{};
        deflateInit2(&deflater, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY);
        deflater.next_in = raw.data();
        deflater.avail_in = static_cast<uInt>(raw.size());
        deflater.next_out = stream.data();
        deflater.avail_out = static_cast<uInt>(stream.size());
        ::deflate(&deflater, Z_FINISH);
        zlib_bytes += deflater.total_out;
        deflateEnd(&deflater);
        raw_bytes += raw.size();
    }
    std::fclose(file);
    for (const Text& stream : check(name, ranges, 0)) bytes += stream.size();
    std::printf("%s,%zu,%zu,%zu,%zu\n", name.c_str(), raw_bytes, bytes, libdeflate_bytes, zlib_bytes);
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    check_made_texts();
    check_mixed_batches();
    std::puts("data,bytes,streams_bytes,libdeflate_12,zlib_9");
    for (int i = 1; i < count; ++i) check_file(arguments[i]);
    std::printf("%zu wrong\n", wrongs);
    return wrongs == 0 ? 0 : 1;
}
