// Gompresso/Bit (Sitaridi et al., 2016, section III) in standard DEFLATE: an encoder on the host, for
// gompresso_bit_bench, and its table of sub-blocks.
//
// A sequence is a string of literals, perhaps none, and one match. A DEFLATE block is cut into sub-blocks of
// SUB_BLOCK_SEQUENCES sequences. A sub-block ends earlier when it has SUB_BLOCK_LITERALS literals, so that a decoder
// knows how much room it needs. The block's last sub-block ends where the end of the block is. Each pair of
// sub-blocks from the block's first on is a group, which a decoder's warp copies at once.
//
// The table is 16-bit numbers, beside the body: for each block how many sub-blocks it has, then the bits of each. Any
// DEFLATE reader reads the body without it.
//
// Dependency elimination (section IV-B): no match reads what another match of its group writes. Literals of the group
// it may read, since they are written first; as the paper prints it, nothing of the group, no group would ever get
// its first match (lz77_flat.cuh). A source that overlaps its match counts up to the match's start only. A place that
// may not be read ends a match. What matches cover, but their first places, is entered when their group is complete.
//
// The parse is the host's own, not our GPU encoder's: links between places with the same hash of 4 bytes, DEPTH of
// them tried, lazy by one place. Codes are optimal within a limit of bits (package-merge). Blocks may look back into
// the ones before them in their body.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "deflate/deflate_format.cuh"

namespace gompresso {

using namespace warpcodec::deflate;

constexpr uint32_t SUB_BLOCK_SEQUENCES = 16;
constexpr uint32_t SUB_BLOCK_LITERALS = 1008;
constexpr uint32_t GROUP_SUB_BLOCKS = 2;
constexpr uint32_t BLOCK_BYTES = 65536;
static_assert(SUB_BLOCK_SEQUENCES * MAX_TOKEN_BITS + SUB_BLOCK_LITERALS * MAX_CODE_LENGTH < 1 << 16,
              "a sub-block's bits are a 16-bit number");

/// What is encoded how.
struct Kind {
    const char* name;
    int code_limit;  ///< bits of the longest word
    bool flat;  ///< dependencies are eliminated
};

struct Body {
    std::vector<uint8_t> bytes;
    std::vector<uint16_t> table;
};

/// How often MRR goes round, for the groups that have matches.
struct Rounds {
    size_t rounds = 0;
    size_t groups = 0;
};

/// Lengths of an optimal code without words longer than `limit`, by package-merge: each list is the symbols and the
/// pairs of the list before, by weight.
inline std::vector<uint8_t> code_lengths(const std::vector<uint32_t>& counts, int limit) {
    std::vector<uint8_t> lengths(counts.size());
    std::vector<std::pair<uint32_t, uint32_t>> symbols;
    for (uint32_t symbol = 0; symbol < counts.size(); ++symbol)
        if (counts[symbol] != 0) symbols.emplace_back(counts[symbol], symbol);
    std::sort(symbols.begin(), symbols.end());
    if (symbols.size() == 1) lengths[symbols[0].second] = 1;
    if (symbols.size() < 2) return lengths;
    struct Item {
        uint64_t weight;
        bool is_symbol;
    };
    std::vector<std::vector<Item>> lists(limit);
    for (int level = 0; level < limit; ++level) {
        size_t pair = 0;
        const auto pair_weight = [&] { return lists[level - 1][pair].weight + lists[level - 1][pair + 1].weight; };
        const size_t pairs_end = level == 0 ? 0 : lists[level - 1].size() / 2 * 2;
        for (const auto& symbol : symbols) {
            for (; pair < pairs_end && pair_weight() < symbol.first; pair += 2)
                lists[level].push_back({pair_weight(), false});
            lists[level].push_back({symbol.first, true});
        }
        for (; pair < pairs_end; pair += 2) lists[level].push_back({pair_weight(), false});
    }
    size_t taken = 2 * symbols.size() - 2;
    for (int level = limit - 1; level >= 0; --level) {
        size_t taken_symbols = 0;
        for (size_t i = 0; i < taken; ++i) taken_symbols += lists[level][i].is_symbol;
        for (size_t i = 0; i < taken_symbols; ++i) ++lengths[symbols[i].second];
        taken = 2 * (taken - taken_symbols);
    }
    return lengths;
}

/// The words of a code, first bit lowest.
inline std::vector<uint16_t> code_words(const std::vector<uint8_t>& lengths) {
    std::vector<uint16_t> words(lengths.size());
    uint32_t next = 0;
    for (uint32_t length = 1; length <= MAX_CODE_LENGTH; ++length, next <<= 1) {
        for (size_t symbol = 0; symbol < lengths.size(); ++symbol) {
            if (lengths[symbol] != length) continue;
            for (uint32_t bit = 0; bit < length; ++bit)
                words[symbol] |= static_cast<uint16_t>((next >> bit & 1) << (length - 1 - bit));
            ++next;
        }
    }
    return words;
}

class Encoder {
    static constexpr int HASH_BITS = 15;
    static constexpr int DEPTH = 16;
    static constexpr uint32_t SHORTEST_MATCH = 4;
    static constexpr uint32_t LONG_MATCH = 32;  ///< is taken at once
    static constexpr uint32_t HASHED_BYTES = 4;

    struct Match {
        uint32_t length = 0;
        uint32_t distance = 0;
    };
    struct Token {
        uint16_t length;  ///< 0: a literal
        uint16_t value;  ///< the literal, or the distance less 1
    };
    /// A symbol of one of both alphabets, and what follows its word.
    struct Symbol {
        uint32_t symbol, extra_bits, extra;
    };
    struct Code {
        std::vector<uint8_t> lengths;
        std::vector<uint16_t> words;
        Code(const std::vector<uint32_t>& counts, int limit)
            : lengths(code_lengths(counts, limit)), words(code_words(lengths)) {}
    };

    /// What a match writes, and whether the table of places has it.
    enum class Cover : uint8_t { NONE, ENTERED, LATER };

    const uint8_t* raw_ = nullptr;
    uint32_t raw_bytes_ = 0;
    bool flat_ = false;
    uint32_t group_start_ = 0;
    uint32_t literals_ = 0, matches_ = 0;  ///< of the sub-block under way
    std::vector<int> heads_, links_;
    std::vector<Cover> covers_;  ///< if flat
    std::vector<Token> tokens_;
    std::vector<size_t> sub_ends_;  ///< behind each sub-block's last token
    std::vector<size_t> block_ends_;  ///< behind each block's last sub-block
    Body body_;
    uint64_t held_ = 0;
    uint32_t held_bits_ = 0;

    uint32_t hash(uint32_t at) const {
        uint32_t four;
        std::memcpy(&four, raw_ + at, sizeof four);
        return four * 2654435761u >> (32 - HASH_BITS);
    }

    void enter(uint32_t at) {
        if (at + HASHED_BYTES > raw_bytes_) return;
        links_[at] = std::exchange(heads_[hash(at)], static_cast<int>(at));
    }

    template <bool FLAT>
    bool may_read(uint32_t from) const {
        return !FLAT || from < group_start_ || covers_[from] == Cover::NONE;
    }

    /// The longest match that place `at` may take, up to `limit`.
    template <bool FLAT>
    Match find(uint32_t at, uint32_t limit) const {
        Match best;
        if (at + SHORTEST_MATCH > limit) return best;
        const uint32_t most = std::min(limit - at, MAX_MATCH_BYTES);
        int tries = DEPTH;
        for (int link = heads_[hash(at)]; link >= 0 && tries > 0; link = links_[link], --tries) {
            const uint32_t from = static_cast<uint32_t>(link);
            if (at - from > MAX_DISTANCE_BYTES) break;
            uint32_t length = 0;
            while (length < most && raw_[from + length] == raw_[at + length] &&
                   (from + length >= at || may_read<FLAT>(from + length)))
                ++length;
            if (length > best.length) best = {length, at - from};
            if (length == most) break;
        }
        return best.length < SHORTEST_MATCH ? Match{} : best;
    }

    void end_group(uint32_t place) {
        for (; group_start_ < place; ++group_start_)
            if (flat_ && covers_[group_start_] == Cover::LATER) enter(group_start_);
    }

    void end_sub_block(uint32_t place) {
        sub_ends_.push_back(tokens_.size());
        literals_ = matches_ = 0;
        const size_t first = block_ends_.empty() ? 0 : block_ends_.back();
        if ((sub_ends_.size() - first) % GROUP_SUB_BLOCKS == 0) end_group(place);
    }

    /// Adds a token, behind which the next one begins at `place`.
    void add(Token token, uint32_t place) {
        tokens_.push_back(token);
        ++(token.length == 0 ? literals_ : matches_);
        if (literals_ == SUB_BLOCK_LITERALS || matches_ == SUB_BLOCK_SEQUENCES) end_sub_block(place);
    }

    template <bool FLAT>
    void parse_block(uint32_t start, uint32_t limit) {
        Match held = find<FLAT>(start, limit);
        for (uint32_t at = start; at < limit;) {
            enter(at);
            const Match next = held.length < LONG_MATCH ? find<FLAT>(at + 1, limit) : Match{};
            if (held.length == 0 || next.length > held.length) {
                add({0, raw_[at]}, at + 1);
                ++at;
                held = next;
                continue;
            }
            const uint32_t end = at + held.length;
            if (FLAT) {
                covers_[at] = Cover::ENTERED;
                std::fill(covers_.begin() + at + 1, covers_.begin() + end, Cover::LATER);
                at = end;
            } else {
                while (++at < end) enter(at);
            }
            add({static_cast<uint16_t>(held.length), static_cast<uint16_t>(held.distance - 1)}, end);
            held = find<FLAT>(end, limit);
        }
        if (literals_ + matches_ != 0) end_sub_block(limit);
        end_group(limit);
        block_ends_.push_back(sub_ends_.size());
    }

    void put(uint64_t bits, uint32_t count) {
        held_ |= bits << held_bits_;
        for (held_bits_ += count; held_bits_ >= 8; held_bits_ -= 8, held_ >>= 8)
            body_.bytes.push_back(static_cast<uint8_t>(held_));
    }
    size_t position() const { return 8 * body_.bytes.size() + held_bits_; }

    void put(const Code& code, const Symbol& symbol) {
        put(code.words[symbol.symbol] | symbol.extra << code.lengths[symbol.symbol],
            code.lengths[symbol.symbol] + symbol.extra_bits);
    }

    /// What both alphabets do: so many symbols, a power of two, for each number of extra bits.
    static Symbol split(uint32_t value, int symbols_log2) {
        const int bits = 31 - __builtin_clz(value | 1);
        const uint32_t extra_bits = static_cast<uint32_t>(std::max(0, bits - symbols_log2));
        return {(extra_bits << symbols_log2) + (value >> extra_bits), extra_bits, value & ((1u << extra_bits) - 1)};
    }
    static Symbol literal_symbol(Token token) {
        if (token.length == 0) return {token.value, 0, 0};
        if (token.length == MAX_MATCH_BYTES) return {LAST_LENGTH_SYMBOL, 0, 0};
        Symbol symbol = split(token.length - MIN_MATCH_BYTES, 2);
        symbol.symbol += FIRST_LENGTH_SYMBOL;
        return symbol;
    }
    static Symbol distance_symbol(Token token) { return split(token.value, 1); }

    /// HLIT, HDIST, HCLEN and the lengths of the three codes.
    void put_header(const Code& literals, const Code& distances) {
        static constexpr uint8_t ORDER[PRECODE_SYMBOLS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                           11, 4,  12, 3, 13, 2, 14, 1, 15};
        const auto used = [](const std::vector<uint8_t>& lengths, uint32_t least) {
            size_t count = lengths.size();
            while (count > least && lengths[count - 1] == 0) --count;
            return static_cast<uint32_t>(count);
        };
        const uint32_t literal_codes = used(literals.lengths, MIN_LITERAL_CODES),
                       distance_codes = used(distances.lengths, MIN_DISTANCE_CODES);
        std::vector<uint8_t> lengths(literals.lengths.begin(), literals.lengths.begin() + literal_codes);
        lengths.insert(lengths.end(), distances.lengths.begin(), distances.lengths.begin() + distance_codes);
        std::vector<Symbol> runs;
        for (size_t at = 0, run; at < lengths.size(); at += run) {
            for (run = 1;
                 at + run < lengths.size() && lengths[at + run] == lengths[at] && run < REPEAT_ZERO_LONG_LEAST + 127;)
                ++run;
            const bool repeats = at > 0 && lengths[at] == lengths[at - 1] && run >= REPEAT_LEAST;
            if (lengths[at] == 0 && run >= REPEAT_ZERO_LONG_LEAST) {
                runs.push_back(
                    {REPEAT_ZERO_LONG, REPEAT_ZERO_LONG_BITS, static_cast<uint32_t>(run) - REPEAT_ZERO_LONG_LEAST});
            } else if (lengths[at] == 0 && run >= REPEAT_LEAST) {
                runs.push_back({REPEAT_ZERO, REPEAT_ZERO_BITS, static_cast<uint32_t>(run) - REPEAT_LEAST});
            } else if (repeats) {
                run = std::min<size_t>(run, REPEAT_LEAST + 3);
                runs.push_back({REPEAT_PREVIOUS, REPEAT_PREVIOUS_BITS, static_cast<uint32_t>(run) - REPEAT_LEAST});
            } else {
                run = 1;
                runs.push_back({lengths[at], 0, 0});
            }
        }
        std::vector<uint32_t> counts(PRECODE_SYMBOLS);
        for (const Symbol& run : runs) ++counts[run.symbol];
        const Code precode(counts, MAX_PRECODE_LENGTH);
        uint32_t precode_codes = PRECODE_SYMBOLS;
        while (precode_codes > MIN_PRECODE_CODES && precode.lengths[ORDER[precode_codes - 1]] == 0) --precode_codes;
        put(literal_codes - MIN_LITERAL_CODES, HLIT_BITS);
        put(distance_codes - MIN_DISTANCE_CODES, HDIST_BITS);
        put(precode_codes - MIN_PRECODE_CODES, HCLEN_BITS);
        for (uint32_t i = 0; i < precode_codes; ++i) put(precode.lengths[ORDER[i]], PRECODE_LENGTH_BITS);
        for (const Symbol& run : runs) put(precode, run);
    }

    /// Writes the block of sub-blocks [first, limit).
    void write_block(size_t first, size_t limit, int code_limit, bool is_last) {
        size_t token = first == 0 ? 0 : sub_ends_[first - 1];
        std::vector<uint32_t> literal_counts(LITERAL_SYMBOLS), distance_counts(DISTANCE_SYMBOLS);
        for (size_t i = token; i < sub_ends_[limit - 1]; ++i) {
            ++literal_counts[literal_symbol(tokens_[i]).symbol];
            if (tokens_[i].length != 0) ++distance_counts[distance_symbol(tokens_[i]).symbol];
        }
        literal_counts[END_OF_BLOCK] = 1;
        const Code literals(literal_counts, code_limit), distances(distance_counts, code_limit);
        put(is_last, BFINAL_BITS);
        put(BTYPE_DYNAMIC, BTYPE_BITS);
        put_header(literals, distances);
        body_.table.push_back(static_cast<uint16_t>(limit - first));
        for (size_t sub = first; sub < limit; ++sub) {
            const size_t begin = position();
            for (; token < sub_ends_[sub]; ++token) {
                put(literals, literal_symbol(tokens_[token]));
                if (tokens_[token].length != 0) put(distances, distance_symbol(tokens_[token]));
            }
            body_.table.push_back(static_cast<uint16_t>(position() - begin));
        }
        put(literals, {END_OF_BLOCK, 0, 0});
    }

public:
    /// Encodes `raw_bytes` bytes, at least one.
    Body encode(const uint8_t* raw, uint32_t raw_bytes, const Kind& kind) {
        raw_ = raw;
        raw_bytes_ = raw_bytes;
        flat_ = kind.flat;
        group_start_ = 0;
        heads_.assign(size_t{1} << HASH_BITS, -1);
        links_.assign(raw_bytes, -1);
        if (flat_) covers_.assign(raw_bytes, Cover::NONE);
        tokens_.clear();
        sub_ends_.clear();
        block_ends_.clear();
        body_ = {};
        for (uint32_t start = 0; start < raw_bytes; start += BLOCK_BYTES) {
            const uint32_t limit = std::min(raw_bytes, start + BLOCK_BYTES);
            kind.flat ? parse_block<true>(start, limit) : parse_block<false>(start, limit);
        }
        for (size_t block = 0; block < block_ends_.size(); ++block)
            write_block(block == 0 ? 0 : block_ends_[block - 1], block_ends_[block], kind.code_limit,
                        block + 1 == block_ends_.size());
        if (held_bits_ != 0) put(0, 8 - held_bits_);
        return std::move(body_);
    }

    /// Adds up the rounds that MRR takes for the body that was encoded last.
    void add_rounds(Rounds& sum) const {
        struct Write {
            size_t start, needed_limit;
        };
        size_t place = 0, token = 0, sub = 0;
        for (const size_t block_end : block_ends_) {
            while (sub < block_end) {
                sub = std::min(block_end, sub + GROUP_SUB_BLOCKS);
                std::vector<Write> waiting;
                for (; token < sub_ends_[sub - 1]; ++token) {
                    const size_t length = tokens_[token].length, distance = tokens_[token].value + size_t{1};
                    if (length != 0) waiting.push_back({place, place - distance + std::min(length, distance)});
                    place += std::max<size_t>(length, 1);
                }
                sum.groups += !waiting.empty();
                for (; !waiting.empty(); ++sum.rounds) {
                    const size_t high_water = waiting.front().start;
                    const auto is_copied = [&](const Write& write) { return write.needed_limit <= high_water; };
                    waiting.erase(std::remove_if(waiting.begin(), waiting.end(), is_copied), waiting.end());
                }
            }
        }
    }
};

}  // namespace gompresso
