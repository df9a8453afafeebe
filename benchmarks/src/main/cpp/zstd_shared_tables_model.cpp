// What zstd's encoder would save if blocks of a frame repeated tables and trees of earlier blocks. Its kernels' code
// runs on a CPU (fibres/fibres.h), and the bits that blocks would have with other tables are added up.
//
//   g++ -O2 -std=c++17 -I ../../../../kernels/src/main/cuda zstd_shared_tables_model.cpp fibres/fibres.cpp
//       -o zstd_shared_tables_model
//   zstd_shared_tables_model FILE KIB [fast]     frames of so many KiB of 10 MiB at most; DEFAULT without `fast`
//
// Prints a line of CSV: data, KiB of a frame, bytes of all frames, and in percent of them:
//
//     descriptions   those of all tables and trees
//     chain          saved where a block may repeat what is in force behind the block before it
//     pairs          likewise, but only the second of two blocks may, and only what the first one defines
//     two, all       two blocks, or all of a frame, share one table of their counts where that is cheaper
//     runs           the cheapest cut of a frame into runs of blocks, each of which shares one, or repeats its first's
//     model          how much longer blocks are by these sums than as the kernels wrote them
//
// Blocks that are kept raw take no part, nor do literals without a code.
#include "fibres/fibres.h"
// and behind it
#include "zstd_encode/zstd_encode_far.cuh"
#include "zstd_encode/zstd_encode_parse.cuh"
#include "zstd_encode/zstd_encode_codes.cuh"

#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>

using namespace warpcodec;
using namespace warpcodec::zstd_encode;

namespace {

constexpr size_t MOST_BYTES = 10u << 20;
constexpr size_t INPUT_SLACK = 64;  ///< behind a frame's bytes; kernels read whole words
constexpr double NEVER = 1e18;  ///< bits of a block that a table cannot code

/// Shared memory of the kernels.
struct Shared {
    FarMemory far;
    FindMemory<FastPolicy> fast;
    FindMemory<DefaultPolicy> careful;
    CodesMemory codes;
};
std::unique_ptr<Shared> shared = std::make_unique<Shared>();

using SymbolCounts = std::array<uint32_t, fse::MAX_SYMBOLS>;
using LiteralCounts = std::array<uint32_t, LITERAL_SYMBOLS>;

/// A table of sequences: predefined, described or of one symbol.
struct SequenceTable {
    uint32_t log = 0, bytes = 0;
    std::array<int, fse::MAX_SYMBOLS> states{};

    double description_bits() const { return 8.0 * bytes; }
    /// Bits of states for symbols that occur so often.
    double bits_of(const SymbolCounts& counts) const {
        double bits = log;
        for (size_t symbol = 0; symbol < counts.size(); ++symbol) {
            if (counts[symbol] == 0) continue;
            if (states[symbol] == 0) return NEVER;
            if (log != 0) bits += counts[symbol] * (log - std::log2(std::max(1, states[symbol])));
        }
        return bits;
    }
};

/// Literals of a block by the stream they are in.
using Streams = std::vector<LiteralCounts>;

/// A code of literals.
struct LiteralTree {
    uint32_t bytes = 0;  ///< 0: it cannot be described
    std::array<uint8_t, LITERAL_SYMBOLS> lengths{};

    double description_bits() const { return bytes == 0 ? NEVER : 8.0 * bytes; }
    /// Bits of all streams, each of whole bytes, and of their lengths.
    double bits_of(const Streams& streams) const {
        uint32_t all_bytes = streams.size() == 4 ? 6 : 0;
        for (const LiteralCounts& counts : streams) {
            uint32_t bits = 0;
            for (size_t symbol = 0; symbol < counts.size(); ++symbol) {
                if (counts[symbol] != 0 && lengths[symbol] == 0) return NEVER;
                bits += counts[symbol] * lengths[symbol];
            }
            all_bytes += stream_bytes(bits);
        }
        return 8.0 * all_bytes;
    }
};

/// A block's table or tree of one kind, and the counts of its symbols.
template <typename Model, typename Counts>
struct Part {
    size_t block;  ///< in its frame
    Counts counts;
    Model own;

    double own_bits() const { return own.description_bits() + own.bits_of(counts); }
};
using TablePart = Part<SequenceTable, SymbolCounts>;
using TreePart = Part<LiteralTree, Streams>;

/// The table that a kernel has chosen just before.
SequenceTable table_in_memory(int kind) {
    const Table& chosen = shared->codes.sequence_tables[kind];
    SequenceTable table{chosen.log, chosen.bytes, {}};
    for (int symbol = 0; symbol < fse::MAX_SYMBOLS; ++symbol)
        table.states[symbol] =
            chosen.log == 0 ? symbol == chosen.description[0] : shared->codes.normalized[kind].of[symbol];
    return table;
}

/// The tree that a kernel has made just before.
LiteralTree tree_in_memory() {
    LiteralTree tree{shared->codes.tree_bytes, {}};
    std::copy_n(shared->codes.lengths, LITERAL_SYMBOLS, tree.lengths.begin());
    return tree;
}

/// A table of all parts' counts, which are halved until the kernel's code takes their sum.
SequenceTable joint_of(int kind, const TablePart* first, const TablePart* limit) {
    constexpr uint64_t MOST_TOTAL = 60000;
    std::array<uint64_t, fse::MAX_SYMBOLS> sums{};
    uint64_t all = 0;
    for (const TablePart* part = first; part != limit; ++part)
        for (size_t symbol = 0; symbol < sums.size(); ++symbol) {
            sums[symbol] += part->counts[symbol];
            all += part->counts[symbol];
        }
    uint32_t halvings = 0, total = 0;
    while (all >> halvings > MOST_TOTAL) ++halvings;
    for (size_t symbol = 0; symbol < sums.size(); ++symbol) {
        const uint64_t count = sums[symbol] == 0 ? 0 : std::max<uint64_t>(1, sums[symbol] >> halvings);
        shared->codes.counts[kind][symbol] = static_cast<uint32_t>(count);
        total += static_cast<uint32_t>(count);
    }
    fibres::run(1, WARP_LANES, 0,
                [&] { warp_choose_table(kind, total, shared->codes, static_cast<int>(threadIdx.x)); });
    return table_in_memory(kind);
}

/// A code of all parts' literals.
LiteralTree joint_of(int, const TreePart* first, const TreePart* limit) {
    CodesMemory& memory = shared->codes;
    std::fill_n(memory.literal_counts, LITERAL_SYMBOLS, 0);
    for (const TreePart* part = first; part != limit; ++part)
        for (const LiteralCounts& counts : part->counts)
            for (size_t symbol = 0; symbol < counts.size(); ++symbol) memory.literal_counts[symbol] += counts[symbol];
    fibres::run(1, CODES_THREADS, 0, [&] {
        cta_build_tree(memory);
        if (threadIdx.x / WARP_LANES == TABLE_KINDS)
            warp_describe_tree(memory, reinterpret_cast<WeightsMemory&>(memory.build), threadIdx.x % WARP_LANES);
    });
    return tree_in_memory();
}

/// Bits that are saved, by scheme.
struct Savings {
    double chain = 0, pairs = 0, two = 0, all = 0, runs = 0;
};

template <typename AnyPart, typename Model>
double bits_with(const Model& model, const AnyPart* first, const AnyPart* limit) {
    double bits = model.description_bits();
    for (const AnyPart* part = first; part != limit; ++part) bits += model.bits_of(part->counts);
    return bits;
}

template <typename AnyPart>
double own_bits(const AnyPart* first, const AnyPart* limit) {
    double bits = 0;
    for (const AnyPart* part = first; part != limit; ++part) bits += part->own_bits();
    return bits;
}

/// Bits of parts that share what is made of their counts, or what the first one has.
template <typename AnyPart>
double shared_bits(int kind, const AnyPart* first, const AnyPart* limit) {
    if (limit - first == 1) return first->own_bits();
    return std::min(bits_with(joint_of(kind, first, limit), first, limit), bits_with(first->own, first, limit));
}

/// Bits of parts each of which repeats what is in force, or defines its own if that is cheaper by itself.
template <typename AnyPart>
double chain_bits(const std::vector<AnyPart>& parts) {
    const AnyPart* in_force = nullptr;
    double bits = 0;
    for (const AnyPart& part : parts) {
        const double repeated = in_force == nullptr ? NEVER : in_force->own.bits_of(part.counts);
        if (repeated >= part.own_bits()) in_force = &part;
        bits += std::min(repeated, part.own_bits());
    }
    return bits;
}

/// The fewest bits over all cuts of the parts into runs.
template <typename AnyPart>
double runs_bits(int kind, const std::vector<AnyPart>& parts) {
    std::vector<double> fewest(parts.size() + 1, NEVER);
    fewest[0] = 0;
    for (size_t first = 0; first < parts.size(); ++first)
        for (size_t limit = first + 1; limit <= parts.size(); ++limit)
            fewest[limit] =
                std::min(fewest[limit], fewest[first] + shared_bits(kind, &parts[first], parts.data() + limit));
    return fewest.back();
}

/// Adds what a frame's parts of one kind save.
template <typename AnyPart>
void add_savings(int kind, const std::vector<AnyPart>& parts, Savings& savings) {
    if (parts.empty()) return;
    const AnyPart* begin = parts.data();
    const AnyPart* end = begin + parts.size();
    const double own = own_bits(begin, end);
    for (const AnyPart* part = begin + 1; part < end; ++part) {
        if (part->block % 2 == 0 || part[-1].block + 1 != part->block) continue;
        savings.pairs += std::max(0.0, part->own_bits() - part[-1].own.bits_of(part->counts));
        savings.two += std::max(0.0, own_bits(part - 1, part + 1) - shared_bits(kind, part - 1, part + 1));
    }
    savings.chain += own - chain_bits(parts);
    savings.all += std::max(0.0, own - shared_bits(kind, begin, end));
    savings.runs += own - runs_bits(kind, parts);
}

struct Sums {
    uint64_t bytes = 0;  ///< of frames
    double description_bits = 0;
    uint64_t content_bytes = 0;  ///< of blocks that are not raw
    double model_bits = 0;  ///< of those blocks
    Savings savings;
};

/// A frame's parts, and what all of it takes.
struct FrameParts {
    std::array<std::vector<TablePart>, TABLE_KINDS> tables;
    std::vector<TreePart> trees;

    /// Takes block `index`, which the kernel has coded just before.
    void add(size_t index, const RawBlock& block, const UnitRecord& record, Sums& sums) {
        const CodesMemory& memory = shared->codes;
        double bits = add_literals(index, block, record, sums);
        uint32_t sequence_count = 0;
        for (const uint32_t count : memory.counts[0]) sequence_count += count;
        bits += sequence_count == 0 ? 8 : sequence_count < 128 ? 16 : 24;
        for (int kind = 0; kind < TABLE_KINDS && sequence_count != 0; ++kind) {
            TablePart part{index, {}, table_in_memory(kind)};
            std::copy_n(memory.counts[kind], fse::MAX_SYMBOLS, part.counts.begin());
            sums.description_bits += part.own.description_bits();
            bits += part.own_bits();
            for (uint32_t symbol = 0; symbol < fse::MAX_SYMBOLS; ++symbol)
                bits += part.counts[symbol] * (part.counts[symbol] == 0 ? 0.0 : zstd::value_bits(kind, symbol));
            tables[kind].push_back(part);
        }
        sums.content_bytes += record.content_bytes;
        sums.model_bits += bits;
    }

private:
    /// Answers how many bits the section of literals has.
    double add_literals(size_t index, const RawBlock& block, const UnitRecord& record, Sums& sums) {
        const uint32_t count = record.literal_count;
        const uint32_t type = reinterpret_cast<const uint8_t*>(block.content)[0] & 3;
        if (type != 2) return 8.0 * (plan_of(zstd::LITERALS_RAW, count).header_bytes + (type == 1 ? 1 : count));
        TreePart part{index, Streams(count < LEAST_FOUR_STREAMS ? 1 : 4), tree_in_memory()};
        const uint32_t stream_literals = static_cast<uint32_t>((count + part.counts.size() - 1) / part.counts.size());
        for (uint32_t i = 0; i < count; ++i) ++part.counts[i / stream_literals][block.literals[i]];
        sums.description_bits += part.own.description_bits();
        trees.push_back(part);
        return 8.0 * (count < 1u << 10 ? 3 : count < 1u << 14 ? 4 : 5) + part.own_bits();
    }
};

/// Encodes a frame as the kernels do, and adds up the bits that its blocks would save.
void add_frame(const uint8_t* text, uint32_t bytes, bool is_fast, Sums& sums) {
    std::vector<uint8_t> input(text, text + bytes);
    input.resize(bytes + INPUT_SLACK);
    std::vector<std::max_align_t> scratch(range_scratch_bytes(bytes) / sizeof(std::max_align_t) + 1);
    std::vector<UnitRecord> records(block_count_of(bytes));
    EncodeEntry entry{};
    entry.range.input_bytes = bytes;
    EncodeBatch batch{};
    batch.input = input.data();
    batch.input_bytes = bytes;
    batch.entries = &entry;
    batch.range_count = 1;
    batch.unit_count = static_cast<uint32_t>(records.size());
    batch.records = records.data();
    batch.scratch = reinterpret_cast<uint8_t*>(scratch.data());
    batch.scratch_bytes = range_scratch_bytes(bytes);
    fibres::run(1, FarPolicy::CTA_THREADS, 0, [&] { cta_find_far(batch, entry, shared->far); });
    fibres::run(1, DefaultPolicy::CTA_THREADS, 0, [&] {
        if (is_fast) cta_find_units(batch, shared->fast);
        else cta_find_units(batch, shared->careful);
    });
    constexpr uint32_t CHECKSUM_BYTES = 4;
    sums.bytes += MAX_HEADER_BYTES + CHECKSUM_BYTES;
    FrameParts parts;
    for (uint32_t index = 0; index < records.size(); ++index) {
        const RawBlock block = block_of(batch, entry, index);
        UnitRecord coded{};
        fibres::run(1, CODES_THREADS, 0, [&] {
            const UnitRecord record = cta_code_block<false>(block, records[index], shared->codes);
            if (threadIdx.x == 0) coded = record;
        });
        const bool is_raw = coded.content_bytes == UnitRecord::RAW;
        sums.bytes += BLOCK_HEADER_BYTES + (is_raw ? block.raw_bytes : coded.content_bytes);
        if (!is_raw) parts.add(index, block, coded, sums);
    }
    for (int kind = 0; kind < TABLE_KINDS; ++kind) add_savings(kind, parts.tables[kind], sums.savings);
    add_savings(0, parts.trees, sums.savings);
}

void print(const std::string& data, uint32_t frame_kib, const Sums& sums) {
    const auto percent = [&](double bits) { return 100 * bits / 8 / static_cast<double>(sums.bytes); };
    const Savings& saved = sums.savings;
    std::printf("%s,%u,%llu,%.2f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f\n", data.c_str(), frame_kib,
                static_cast<unsigned long long>(sums.bytes), percent(sums.description_bits), percent(saved.chain),
                percent(saved.pairs), percent(saved.two), percent(saved.all), percent(saved.runs),
                percent(sums.model_bits - 8.0 * static_cast<double>(sums.content_bytes)));
}

}  // namespace

int main(int count, char** arguments) {
    std::FILE* file = count == 3 || count == 4 ? std::fopen(arguments[1], "rb") : nullptr;
    if (file == nullptr) {
        std::puts("usage: zstd_shared_tables_model FILE KIB [fast]");
        return 1;
    }
    std::vector<uint8_t> text(MOST_BYTES);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    const uint32_t frame_kib = static_cast<uint32_t>(std::atoi(arguments[2]));
    const size_t frame = size_t{frame_kib} << 10;
    Sums sums;
    for (size_t at = 0; at < text.size(); at += frame)
        add_frame(text.data() + at, static_cast<uint32_t>(std::min(frame, text.size() - at)), count == 4, sums);
    const std::string path = arguments[1];
    print(path.substr(path.rfind('/') + 1), frame_kib, sums);
}
