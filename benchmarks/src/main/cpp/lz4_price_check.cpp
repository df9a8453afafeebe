// Writes LZ4 blocks by price on a CPU (fibres/fibres.h), and has liblz4 decode them.
//
//   g++ -O2 -std=c++17 -I ../../../../kernels/src/main/cuda lz4_price_check.cpp fibres/fibres.cpp -llz4
//       -o lz4_price_check
//   lz4_price_check [FILE...]     made texts, and pieces of files
//
// The kernels are those of lz4_price.cu; the order is a plain sort's. Neighbours are compared with those of a plain
// search, matches of short texts with the longest there are, and sizes with those of a parse of the whole block that
// tries all lengths. Blocks of a batch lie anywhere in its input, and canaries beside all arrays and slots. Blocks of
// one seed are compared with those of others, and a slot of a byte less is exceeded. Prints the bytes of blocks of
// files, and of liblz4's levels 9 and 12.
//
// The exit status is 1 if something is wrong.
#include "fibres/fibres.h"
// and behind it
#include "lz4_price/lz4_price_gather.cuh"
#include "lz4_price/lz4_price_measure.cuh"
#include "lz4_price/lz4_price_near.cuh"
#include "lz4_price/lz4_price_write.cuh"
#include "strong_levels/order.h"

#include <lz4.h>
#include <lz4hc.h>

#include <memory>
#include <random>
#include <set>
#include <string>

using namespace warpcodec;
using namespace warpcodec::lz4_price;
using Text = std::vector<uint8_t>;

namespace {

constexpr uint32_t ORDER_CUT = 192;
constexpr uint32_t SLOT_GAP = 32;
constexpr uint8_t CANARY = 0xC5;

size_t wrongs = 0;

void judge(bool right, const std::string& what) {
    if (!right && ++wrongs < 20) std::printf("WRONG: %s\n", what.c_str());
}

/// Arrays between canaries, all of undefined contents.
class Memory {
    static constexpr size_t GUARD = 256;
    struct Array {
        std::vector<uint8_t> bytes;
        size_t begin, limit;
    };
    std::vector<std::unique_ptr<Array>> arrays_;

public:
    template <typename T>
    T* room(size_t count, uint8_t content = 0xA5) {
        auto array = std::make_unique<Array>();
        array->bytes.assign(count * sizeof(T) + 3 * GUARD, CANARY);
        array->begin = 2 * GUARD - reinterpret_cast<uintptr_t>(array->bytes.data()) % GUARD;
        array->limit = array->begin + count * sizeof(T);
        std::fill(array->bytes.begin() + static_cast<ptrdiff_t>(array->begin),
                  array->bytes.begin() + static_cast<ptrdiff_t>(array->limit), content);
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
    NearMemory near;
    ParseMemory parse;
    WriteMemory write;
};
std::unique_ptr<SharedMemory> shared = std::make_unique<SharedMemory>();

/// All stages over blocks, which lie in the input with gaps between them.
class Chain {
    const std::string name_;
    const std::vector<Text>& texts_;
    const uint32_t seed_;
    Memory memory_;
    uint8_t* input_;
    uint8_t* output_;
    uint32_t* order_;
    size_t output_bytes_ = SLOT_GAP;
    std::vector<PriceEntry> entries_;
    PriceBatch batch_{};

    std::string named(const char* what) const { return name_ + ", seed " + std::to_string(seed_) + ": " + what; }

public:
    /// Slots have as many bytes as asked for, or enough where nothing is.
    Chain(const std::string& name, const std::vector<Text>& texts, uint32_t seed, const std::vector<uint32_t>& slots)
        : name_(name), texts_(texts), seed_(seed) {
        size_t input_bytes = 0;
        uint32_t units = 0;
        for (size_t i = 0; i < texts.size(); ++i) {
            const uint32_t bytes = static_cast<uint32_t>(texts[i].size());
            const uint32_t slot = slots.empty() ? bytes + bytes / 255 + 16 : slots[i];
            input_bytes += (seed + entries_.size()) % 7;
            entries_.push_back({{input_bytes, output_bytes_, bytes, slot}, units, 0});
            input_bytes += bytes;
            output_bytes_ += slot + SLOT_GAP;
            units += units_of(bytes);
        }
        allocate(input_bytes, units);
        for (size_t i = 0; i < texts.size(); ++i)
            std::copy(texts[i].begin(), texts[i].end(), input_ + entries_[i].block.input_offset);
    }

    /// What an entry says, to break it.
    PriceEntry& entry(size_t index) { return entries_[index]; }

    void lay_out() {
        fibres::run(batch_.unit_count, GATHER_THREADS, seed_, [&] { cta_lay_out(batch_); });
    }

    /// Orders, finds and measures; results are compared if `checks`.
    void find(bool checks) {
        sort(checks);
        fibres::run(batch_.unit_count, NEAR_THREADS, seed_, [&] { cta_find_near(batch_, blockIdx.x, shared->near); });
        if (checks) check_near();
        fibres::run(batch_.unit_count * (UNIT_BYTES / MEASURE_THREADS), MEASURE_THREADS, seed_,
                    [&] { warp_measure(batch_, blockIdx.x * MEASURE_THREADS + threadIdx.x); });
        if (checks) check_longest();
    }

    void parse() {
        fibres::run(batch_.unit_count * (UNIT_BYTES / CTA_PLACES), PARSE_THREADS, seed_,
                    [&] { thread_parse_chunk(batch_, blockIdx.x * PARSE_THREADS + threadIdx.x, shared->parse); });
    }

    /// Steps that lead anywhere, of which every third is one of the path's.
    void break_steps() {
        std::mt19937 random(seed_ + 1);
        for (size_t at = 0; at < size_t{batch_.unit_count} * UNIT_BYTES; ++at) {
            const uint32_t word = random();
            if (word % 3 != 0) batch_.steps[at] = word % 3 == 1 ? random() : random() & 0x0FFF03FF;
        }
    }

    void write() {
        fibres::run(batch_.block_count, WRITE_THREADS, seed_,
                    [&] { cta_write_block(batch_, blockIdx.x, shared->write); });
        judge(memory_.is_whole(), named("memory beside an array"));
        size_t behind = 0;
        for (const PriceEntry& entry : entries_) {
            for (size_t at = behind; at < entry.block.output_offset && at < output_bytes_; ++at)
                judge(output_[at] == CANARY, named("memory beside a slot"));
            behind = entry.block.output_offset + entry.block.output_limit;
        }
    }

    const BlockResult& result(size_t index) const { return batch_.results[index]; }

    Text block(size_t index) const {
        const uint8_t* from = output_ + entries_[index].block.output_offset;
        return Text(from, from + batch_.results[index].output_bytes);
    }

    std::vector<Text> run(bool checks) {
        lay_out();
        find(checks);
        parse();
        write();
        std::vector<Text> blocks;
        for (size_t i = 0; i < texts_.size(); ++i) {
            judge(result(i).status == STATUS_SOUND, named("a block's status"));
            blocks.push_back(block(i));
        }
        return blocks;
    }

private:
    void allocate(size_t input_bytes, uint32_t units) {
        const size_t places = size_t{units} * UNIT_BYTES, blocks = texts_.size();
        // words that hold the input's last byte may be read
        input_ = memory_.room<uint8_t>((input_bytes + 3) / 4 * 4);
        output_ = memory_.room<uint8_t>(output_bytes_, CANARY);
        order_ = memory_.room<uint32_t>(places);
        batch_.input = input_;
        batch_.input_bytes = input_bytes;
        batch_.output = output_;
        batch_.output_bytes = output_bytes_;
        batch_.entries = entries_.data();
        batch_.results = memory_.room<BlockResult>(blocks);
        batch_.block_count = static_cast<uint32_t>(blocks);
        batch_.unit_count = units;
        batch_.text = memory_.room<uint8_t>(places + TEXT_SLACK);
        batch_.frames = memory_.room<FrameRange>(blocks);
        batch_.unit_frames = memory_.room<uint32_t>(units);
        batch_.order_entries = memory_.room<bwt_encode::BwtEntry>(blocks + 1);
        batch_.order = order_;
        batch_.own = memory_.room<uint32_t>(places);
        batch_.before = memory_.room<uint32_t>(places);
        batch_.matches = memory_.room<PackedMatch>(places);
        batch_.steps = memory_.room<PackedMatch>(places);
    }

    void sort(bool checks) {
        for (size_t i = 0; i < texts_.size(); ++i) {
            const FrameRange frame = batch_.frames[i];
            const bwt_encode::BwtEntry entry = batch_.order_entries[i];
            if (checks) {
                judge(frame.count == texts_[i].size() && entry.text_bytes == frame.count &&
                          entry.text_offset == frame.begin() && entry.first_tile == entries_[i].first_unit * UNIT_TILES,
                      named("a frame's tables"));
                judge(std::equal(texts_[i].begin(), texts_[i].end(), batch_.text + frame.begin()), named("its text"));
            }
            if (frame.count == 0) continue;
            const auto sorted = strong_levels::sort_rotations(texts_[i].data(), frame.count, ORDER_CUT);
            std::copy(sorted.begin(), sorted.end(), order_ + frame.begin());
        }
        judge(batch_.order_entries[texts_.size()].first_tile == batch_.unit_count * UNIT_TILES, named("the last one"));
    }

    /// Places in 16 bits each, of a rank's neighbours among some ranks.
    template <typename Place>
    static uint32_t neighbours(const std::set<uint32_t>& ranks, uint32_t rank, Place place_of) {
        const auto next = ranks.upper_bound(rank), own = ranks.lower_bound(rank);
        const uint32_t previous_place = own == ranks.begin() ? NONE : place_of(*std::prev(own));
        return previous_place | (next == ranks.end() ? NONE : place_of(*next)) << 16;
    }

    /// Neighbours are those among the ranks of earlier places, in a window that moves on.
    void check_near() {
        for (size_t i = 0; i < texts_.size(); ++i) {
            const uint32_t count = static_cast<uint32_t>(texts_[i].size());
            const size_t begin = batch_.frames[i].begin();
            const uint32_t* order = order_ + begin;
            std::vector<uint32_t> rank(count);
            for (uint32_t row = 0; row < count; ++row) rank[order[row]] = row;
            std::set<uint32_t> own, before;
            bool right = true;
            for (uint32_t at = 0; at < count; ++at) {
                if (at % UNIT_BYTES == 0) before.swap(own), own.clear();
                if (at >= UNIT_BYTES) before.erase(rank[at - UNIT_BYTES]);
                const auto in_unit = [&](uint32_t row) { return order[row] % UNIT_BYTES; };
                const auto turned = [&](uint32_t row) { return MAX_OFFSET - order[row] % UNIT_BYTES; };
                right &= batch_.own[begin + at] == neighbours(own, rank[at], in_unit);
                if (at >= UNIT_BYTES) right &= batch_.before[begin + at] == neighbours(before, rank[at], turned);
                own.insert(rank[at]);
            }
            judge(right, named("neighbours"));
        }
    }

    /// The match of each place is as long as that with any earlier place, or longer than places are ordered by.
    void check_longest() {
        constexpr size_t MOST_BYTES = 5000;
        for (size_t i = 0; i < texts_.size(); ++i) {
            const Text& text = texts_[i];
            if (text.size() > MOST_BYTES) continue;
            for (size_t at = 0; at < text.size(); ++at) {
                const size_t rest = text.size() - at;
                const size_t most = rest < 12 ? 0 : std::min<size_t>(rest - 5, MOST_MATCH);
                uint32_t longest = 0;
                for (size_t earlier = 0; earlier < at && longest < most; ++earlier) {
                    uint32_t length = 0;
                    while (length < most && text[earlier + length] == text[at + length]) ++length;
                    longest = std::max(longest, length);
                }
                const uint32_t match = batch_.matches[batch_.frames[i].begin() + at], kept = match & LENGTH_MASK;
                judge(kept == (longest < 4 ? 0 : longest) || (kept >= ORDER_CUT && kept <= longest),
                      named("the longest match"));
            }
        }
    }

public:
    /// Bytes of a block by a parse of all of it that tries all lengths of the matches.
    uint32_t best_bytes(size_t index) const {
        const uint32_t count = static_cast<uint32_t>(texts_[index].size());
        const PackedMatch* matches = batch_.matches + batch_.frames[index].begin();
        const auto extra = [](uint32_t length) { return length < 15 ? 0 : (length - 15) / 255 + 1; };
        std::vector<uint32_t> costs(count + 1, 0), runs(count + 1, 0);
        for (uint32_t at = count; at-- > 0;) {
            runs[at] = runs[at + 1] + 1;
            costs[at] = costs[at + 1] + 1 + extra(runs[at]) - extra(runs[at + 1]);
            for (uint32_t length = 4; length <= (matches[at] & 0xFFFF); ++length) {
                const uint32_t cost = costs[at + length] + 3 + extra(length - 4);
                if (cost < costs[at]) costs[at] = cost, runs[at] = 0;
            }
        }
        return costs[0] + 1;
    }
};

/// A text in blocks of so many bytes; one block of none if it has none.
std::vector<Text> cut(const Text& text, uint32_t block_bytes) {
    std::vector<Text> blocks;
    for (size_t begin = 0; begin < text.size(); begin += block_bytes)
        blocks.emplace_back(text.begin() + static_cast<ptrdiff_t>(begin),
                            text.begin() + static_cast<ptrdiff_t>(std::min(text.size(), begin + block_bytes)));
    if (blocks.empty()) blocks.emplace_back();
    return blocks;
}

/// Whether liblz4 makes the text of a block.
bool decodes(const Text& block, const Text& text) {
    Text back(text.size() + 1);
    const int bytes =
        LZ4_decompress_safe(reinterpret_cast<const char*>(block.data()), reinterpret_cast<char*>(back.data()),
                            static_cast<int>(block.size()), static_cast<int>(text.size()));
    return bytes >= 0 && static_cast<size_t>(bytes) == text.size() &&
           std::equal(text.begin(), text.end(), back.begin());
}

/// Whether a block ends as the format demands: its last 5 bytes are literals, and its last match begins 12 before them.
bool ends_well(const Text& block, size_t raw_bytes) {
    size_t at = 0, place = 0, last_match = 0;
    bool has_match = false;
    const auto length_of_nibble = [&](uint32_t nibble) {
        size_t length = nibble;
        if (nibble != 15) return length;
        while (block.at(at) == 255) length += block.at(at++);
        return length + block.at(at++);
    };
    while (true) {
        const uint32_t token = block.at(at++);
        const size_t run = length_of_nibble(token >> 4);
        at += run;
        place += run;
        if (at == block.size()) return place == raw_bytes && (!has_match || (run >= 5 && last_match + 12 <= raw_bytes));
        at += 2;
        has_match = true;
        last_match = place;
        place += length_of_nibble(token & 15) + 4;
    }
}

/// Runs blocks by several seeds, decodes them, and gives their bytes.
size_t check(const std::string& name, const std::vector<Text>& texts, const std::vector<uint32_t>& seeds) {
    std::vector<Text> first;
    size_t bytes = 0;
    for (uint32_t seed : seeds) {
        Chain chain(name, texts, seed, {});
        const std::vector<Text> blocks = chain.run(seed == seeds[0]);
        if (!first.empty()) {
            judge(blocks == first, name + ": other bytes by another seed");
            continue;
        }
        first = blocks;
        for (size_t i = 0; i < texts.size(); ++i) {
            bytes += blocks[i].size();
            judge(decodes(blocks[i], texts[i]), name + ": liblz4 decodes something else");
            judge(ends_well(blocks[i], texts[i].size()), name + ": a block's end");
            const uint32_t best = chain.best_bytes(i);
            judge(blocks[i].size() <= best + best / 100 + 12, name + ": larger than a parse of the whole block");
        }
    }
    return bytes;
}

/// Slots with exactly the blocks' bytes, and with fewer, which end the block at its literals or at matches.
void check_slots(const std::string& name, const std::vector<Text>& texts) {
    Chain wide(name, texts, 3, {});
    const std::vector<Text> blocks = wide.run(false);
    std::vector<uint32_t> slots;
    for (size_t i = 0; i < blocks.size(); ++i) {
        const uint32_t bytes = static_cast<uint32_t>(blocks[i].size()), missing[] = {0, 1, 10, bytes / 2, bytes};
        slots.push_back(bytes - std::min(bytes, missing[i % 5]));
    }
    Chain narrow(name + ", narrow", texts, 4, slots);
    narrow.lay_out();
    narrow.find(false);
    narrow.parse();
    narrow.write();
    for (size_t i = 0; i < blocks.size(); ++i) {
        const BlockResult result = narrow.result(i);
        const bool fits = slots[i] == blocks[i].size();
        judge(result.status == (fits ? STATUS_SOUND : STATUS_OUTPUT_EXCEEDED), name + ": a narrow slot's status");
        if (fits) judge(narrow.block(i) == blocks[i], name + ": a narrow slot's bytes");
    }
}

/// Broken steps, and entries that are not sound, harm nothing beside their blocks.
void check_broken(const std::string& name, const std::vector<Text>& texts) {
    Chain steps(name + ", broken steps", texts, 5, {});
    steps.lay_out();
    steps.find(false);
    steps.parse();
    steps.break_steps();
    steps.write();
    Chain sound(name, texts, 6, {}), broken(name + ", broken entries", texts, 6, {});
    const std::vector<Text> blocks = sound.run(false);
    for (size_t i = 0; i < texts.size(); i += 2) {
        PriceEntry& entry = broken.entry(i);
        if (i % 4 == 0) entry.block.input_offset = 1u << 30;
        else entry.block.input_bytes = MAX_RAW_BYTES + 1;
    }
    broken.lay_out();
    broken.find(false);
    broken.parse();
    broken.write();
    for (size_t i = 0; i < texts.size(); ++i) {
        judge(broken.result(i).status == (i % 2 == 0 ? STATUS_BAD_ENTRY : STATUS_SOUND), name + ": a broken entry");
        if (i % 2 == 1) judge(broken.block(i) == blocks[i], name + ": a block beside a broken entry");
    }
}

size_t liblz4_bytes(const Text& text, int level) {
    Text block(static_cast<size_t>(LZ4_compressBound(static_cast<int>(text.size()))));
    return static_cast<size_t>(LZ4_compress_HC(reinterpret_cast<const char*>(text.data()),
                                               reinterpret_cast<char*>(block.data()), static_cast<int>(text.size()),
                                               static_cast<int>(block.size()), level));
}

Text noise(size_t bytes, uint32_t values, uint32_t seed) {
    std::mt19937 random(seed);
    Text text(bytes);
    for (uint8_t& byte : text) byte = static_cast<uint8_t>(random() % values);
    return text;
}

void check_made_texts() {
    std::vector<Text> texts;
    for (size_t bytes : {0, 1, 4, 5, 11, 12, 13, 14, 17, 31, 32, 33, 1023, 1024, 1025, 1152, 1153, 4096})
        texts.push_back(Text(bytes, 'a')), texts.push_back(noise(bytes, 256, 1)), texts.push_back(noise(bytes, 2, 2));
    check("short texts", texts, {0, 1, 2});
    check_slots("short texts", texts);
    check_broken("short texts", texts);
    texts.clear();
    for (uint32_t period = 1; period <= 300; ++period) {
        Text text = noise(period, 256, period);
        while (text.size() < 1500) text.push_back(text[text.size() - period]);
        texts.push_back(text);
    }
    check("periods", texts, {0, 7});
    check_slots("periods", texts);
    texts.clear();
    // records of which a byte is another each time, so offsets come again behind literals
    for (uint32_t period : {20u, 40u, 300u, 600u}) {
        Text text = noise(period, 256, period);
        while (text.size() < 20000)
            text.push_back(static_cast<uint8_t>(text[text.size() - period] + (text.size() % period == 0 ? 7 : 0)));
        texts.push_back(text);
    }
    check("records", texts, {0, 8});
    texts.clear();
    // repeats as far back as an offset reaches, and a byte farther; long ones, and literals that prolong their run
    for (uint32_t back : {65534u, 65535u, 65536u, 100000u}) {
        Text text = noise(back, 256, back);
        text.insert(text.end(), text.begin(), text.begin() + 40000);
        texts.push_back(text);
    }
    texts.push_back(Text(200000, 0));
    texts.push_back(noise(UNIT_BYTES, 256, 9));
    texts.push_back(noise(UNIT_BYTES + 1, 3, 10));
    texts.push_back(noise(4 * UNIT_BYTES, 16, 11));
    check("long texts", texts, {0, 5});
    check_slots("long texts", texts);
}

void check_file(const std::string& path) {
    constexpr size_t PIECE_BYTES = 1 << 20;
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) return judge(false, "no file " + path);
    Text text(PIECE_BYTES + 777);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    for (uint32_t block_bytes : {1u << 15, 1u << 16, 1u << 18, 1u << 20}) {
        const std::vector<Text> blocks = cut(text, block_bytes);
        const size_t bytes =
            check(path, blocks, block_bytes == 1u << 18 ? std::vector<uint32_t>{0, 3} : std::vector<uint32_t>{1});
        size_t nine = 0, twelve = 0;
        for (const Text& block : blocks) nine += liblz4_bytes(block, 9), twelve += liblz4_bytes(block, 12);
        std::printf("%s, blocks of %u KiB: %zu, level 9: %zu, 12: %zu, %+.2f %%\n", path.c_str(), block_bytes >> 10,
                    bytes, nine, twelve, 100.0 * static_cast<double>(bytes) / static_cast<double>(twelve) - 100);
    }
}

}  // namespace

int main(int argc, char** argv) {
    check_made_texts();
    for (int i = 1; i < argc; ++i) check_file(argv[i]);
    std::printf("%zu wrong\n", wrongs);
    return wrongs == 0 ? 0 : 1;
}
