// Runs the decoders of DEFLATE bodies on a CPU (fibres/fibres.h), and compares them with zlib.
//
//   g++ -O2 -std=c++17 -I. -I ../../../../kernels/src/main/cuda deflate_decode_check.cpp fibres/fibres.cpp -lz
//       -o deflate_decode_check
//   deflate_decode_check [DAMAGED [FILE...]]     made texts and pieces of files, as many damaged bodies, default 4,000
//
// The kernels are those of deflate_decode.cu, entry points and all: a warp, a pair of warps and a team for each body.
// Bodies lie anywhere in their input, and slots anywhere in the output. Slots are exact, or a byte short. There is
// scratch for all bodies at once, or for a single cta. Bytes and verdict are zlib's, and of a body with one defect all
// kernels name the same.
// Canaries lie beside slots, results and scratch. For each file it prints what a team does for members of 256 KiB.
//
// The exit status is 1 if something is wrong.
#include "fibres/fibres.h"

#include <zlib.h>

#include <memory>
#include <random>
#include <string>

namespace {

/// Steps of reading, of a thread: three windows are shifted for each token.
std::vector<uint64_t> shifts(1024);
inline uint32_t counted_funnelshift_r(uint32_t low, uint32_t high, uint32_t shift) {
    ++shifts[fibres::current->thread];
    return __funnelshift_r(low, high, shift);
}

}  // namespace

#define __funnelshift_r counted_funnelshift_r
#include "deflate_decode/deflate_decode.cu"
#undef __funnelshift_r
#include "decode_trials.h"

namespace {

// ---- zlib

struct Way {
    int level = 6;
    int memory_level = 8;
    int strategy = Z_DEFAULT_STRATEGY;
    size_t part_bytes = ~size_t{0};  ///< parts but the last end with the flush `between`
    int between = Z_BLOCK;
};

Text deflated(const Text& raw, const Way& way) {
    z_stream z{};
    if (deflateInit2(&z, way.level, Z_DEFLATED, -15, way.memory_level, way.strategy) != Z_OK) std::abort();
    const size_t parts = raw.size() / std::min(way.part_bytes, raw.size() + 1) + 1;
    Text body(deflateBound(&z, raw.size()) + 1024 + 16 * parts);
    z.next_out = body.data();
    z.avail_out = static_cast<uInt>(body.size());
    size_t at = 0;
    do {
        const size_t part = std::min(way.part_bytes, raw.size() - at);
        z.next_in = const_cast<Bytef*>(raw.data() + at);
        z.avail_in = static_cast<uInt>(part);
        at += part;
        ::deflate(&z, at < raw.size() ? way.between : Z_FINISH);
        if (z.avail_in != 0) std::abort();
    } while (at < raw.size());
    body.resize(z.total_out);
    deflateEnd(&z);
    return body;
}

/// Whether a body is whole, ends in its last byte and stands for at most `limit` bytes, which `raw` becomes.
bool inflates(const Text& body, uint32_t limit, Text& raw) {
    z_stream z{};
    if (inflateInit2(&z, -15) != Z_OK) std::abort();
    raw.assign(limit + 1, 0);
    Text input = body;
    input.push_back(0);
    z.next_in = input.data();
    z.avail_in = static_cast<uInt>(body.size());
    z.next_out = raw.data();
    z.avail_out = static_cast<uInt>(raw.size());
    const int outcome = inflate(&z, Z_FINISH);
    const bool sound = outcome == Z_STREAM_END && z.avail_in == 0 && z.total_out <= limit;
    raw.resize(sound ? z.total_out : 0);
    inflateEnd(&z);
    return sound;
}

// ---- kernels

enum class Kernel { WARP, PAIR, TEAM };
constexpr Kernel KERNELS[] = {Kernel::WARP, Kernel::PAIR, Kernel::TEAM};
constexpr const char* NAMES[] = {"warp", "pair", "team"};

/// By one kernel, with scratch for so many ctas.
void check(Trial& trial, Kernel kernel, uint32_t ctas, uint32_t seed, bool names_defects) {
    const std::string name = std::string(NAMES[static_cast<int>(kernel)]) + ", " + std::to_string(ctas) + " ctas";
    std::vector<uint4> tokens(ctas * TEAM_TOKENS / 4 + 2 * Trial::GUARD / 16);
    std::memset(tokens.data(), Trial::CANARY, tokens.size() * sizeof(uint4));
    auto* scratch = reinterpret_cast<uint8_t*>(tokens.data());
    trial.check(name, names_defects ? 0xFF : 0, [&](const Batch& bodies) {
        BodyBatch batch{};
        batch.bodies = bodies;
        batch.tokens = reinterpret_cast<uint32_t*>(scratch + Trial::GUARD);
        switch (kernel) {
            case Kernel::WARP:
                fibres::run(ctas, DecodePolicy::CTA_THREADS, seed, [&] { deflate_decode_bodies(batch); });
                break;
            case Kernel::PAIR:
                fibres::run(ctas, PAIR_THREADS, seed, [&] { deflate_decode_bodies_paired(batch); });
                break;
            case Kernel::TEAM: fibres::run(ctas, TEAM_THREADS, seed, [&] { deflate_decode_bodies_team(batch); }); break;
        }
    });
    const auto is_canary = [](uint8_t byte) { return byte == Trial::CANARY; };
    judge(std::all_of(scratch, scratch + Trial::GUARD, is_canary) &&
              std::all_of(scratch + 16 * tokens.size() - Trial::GUARD, scratch + 16 * tokens.size(), is_canary),
          name + ", beside the scratch");
}

/// Bodies by all kernels, with much scratch and with little. With `names_defects` all name the same.
Checks checks_of(Random& random, bool names_defects = false) {
    return Checks([&random, names_defects](const std::vector<Body>& bodies) {
        Trial trial(bodies, MAX_INPUT_BYTES, MAX_OUTPUT_BYTES, inflates, random);
        for (const Kernel kernel : KERNELS)
            for (const uint32_t ctas : {static_cast<uint32_t>(bodies.size()), 1u})
                check(trial, kernel, ctas, random() % 4 == 0 ? 0 : random(), names_defects);
        return trial.sound_count();
    });
}

// ---- bodies

Way way_of(Random& random) {
    constexpr int STRATEGIES[] = {Z_DEFAULT_STRATEGY, Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE, Z_FILTERED};
    constexpr int FLUSHES[] = {Z_BLOCK, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_PARTIAL_FLUSH};
    Way way;
    way.level = static_cast<int>(random() % 10);
    way.memory_level = static_cast<int>(1 + random() % 9);
    way.strategy = STRATEGIES[random() % 6];
    if (random() % 3 == 0) way.part_bytes = 1 + random() % (random() % 2 == 0 ? 300 : 30000);
    way.between = FLUSHES[random() % 4];
    return way;
}

/// A body, with a slot of its length, or now and then more.
Body body_of(const std::string& name, const Text& raw, const Way& way, Random& random) {
    return {name + ", level " + std::to_string(way.level) + ", strategy " + std::to_string(way.strategy),
            deflated(raw, way), static_cast<uint32_t>(raw.size() + (random() % 4 == 0 ? random() % 40 : 0))};
}

// ---- checks

void check_lengths(Random& random) {
    Checks checks = checks_of(random);
    constexpr size_t SLAB = TeamSlab::BYTES;
    std::vector<size_t> lengths{0,   1,          2,        3,    127,      128,      129,   257,   258,
                                259, SLAB - 129, SLAB - 1, SLAB, SLAB + 1, 2 * SLAB, 20000, 65535, 65536};
    for (const size_t length : lengths)
        for (uint32_t kind = 0; kind < KINDS; ++kind)
            for (int turn = 0; turn < 2; ++turn) {
                const Body body = body_of("length " + std::to_string(length) + ", kind " + std::to_string(kind),
                                          text_of(kind, length, random), way_of(random), random);
                checks.add(body);
                if (length > 0)
                    checks.add({body.name + ", a byte short", body.body, static_cast<uint32_t>(length - 1)});
            }
    checks.print("lengths");
}

void check_periods(Random& random) {
    Checks checks = checks_of(random);
    for (uint32_t period = 1; period <= 300; ++period) {
        Text text(5000 + random() % 5000);
        for (size_t at = 0; at < text.size(); ++at)
            text[at] = at < period ? static_cast<uint8_t>(random()) : text[at - period];
        checks.add(body_of("period " + std::to_string(period), text, Way{}, random));
    }
    checks.print("periods");
}

void check_long(const std::vector<Text>& files, Random& random) {
    Checks checks = checks_of(random);
    for (uint32_t turn = 0; turn < 2 * KINDS; ++turn)
        checks.add(body_of("long, kind " + std::to_string(turn % KINDS), text_of(turn % KINDS, 1 << 18, random),
                           turn < KINDS ? Way{} : way_of(random), random));
    for (int level = 0; level < 10; ++level) {
        Way way;
        way.level = level;
        checks.add(body_of("long, mixed", mixed_of(files, 1 << 18, random), way, random));
    }
    for (uint32_t letters = 1; letters <= 8; ++letters) {  // words of equal length do not synchronise
        Text text(100000);
        for (uint8_t& byte : text) byte = static_cast<uint8_t>(random() % (1u << letters));
        Way way;
        way.strategy = Z_HUFFMAN_ONLY;
        checks.add(body_of("equal words", text, way, random));
    }
    checks.add(body_of("1 MiB", mixed_of(files, 1 << 20, random), Way{}, random));
    Way huffman;
    huffman.strategy = Z_HUFFMAN_ONLY;
    checks.add(body_of("1 MiB of one letter", Text(1 << 20, 'a'), huffman, random));
    checks.add(body_of("1 MiB less 3 of zeros", Text((1 << 20) - 3), Way{}, random));
    checks.print("long");
}

/// Bits, lowest first, and codes, highest first.
class Bits {
    Text text_;
    uint32_t count_ = 0;

public:
    Bits& put(uint32_t value, uint32_t bits) {
        for (uint32_t bit = 0; bit < bits; ++bit, ++count_) {
            if (count_ % 8 == 0) text_.push_back(0);
            text_.back() |= static_cast<uint8_t>((uint64_t{value} >> std::min(bit, 32u) & 1) << count_ % 8);
        }
        return *this;
    }
    Bits& code(uint32_t value, uint32_t bits) {
        while (bits-- > 0) put(value >> bits, 1);
        return *this;
    }
    const Text& text() const { return text_; }
};

/// Distances that reach to the output's first byte, and one byte further; empty blocks; bytes behind the end.
void check_forged(Random& random) {
    Checks checks = checks_of(random, true);
    const auto fixed = [] {
        Bits bits;
        bits.put(1, 1).put(1, 2);
        return bits;
    };
    for (const uint32_t literals : {0u, 1u, 2u, 3u, 4u, 95u, 96u, 97u, 4000u, 8000u}) {
        for (const uint32_t more : {0u, 1u}) {
            // distance symbol 2n and n - 1 more bits begin at 2^n + 1
            const uint32_t distance = literals + more;
            uint32_t symbol = distance - 1, extra = 0, rest = 0;
            if (distance == 0) continue;
            if (distance > 4) {
                const uint32_t top = 31 - static_cast<uint32_t>(__clz(static_cast<int>(distance - 1)));
                extra = top - 1;
                symbol = 2 * top + ((distance - 1) >> extra & 1);
                rest = (distance - 1) & ((1u << extra) - 1);
            }
            Bits bits = fixed();
            for (uint32_t n = 0; n < literals; ++n) bits.code(0x30 + n % 64, 8);
            bits.code(1, 7).code(symbol, 5).put(rest, extra).put(0, 7);
            checks.add({"distance " + std::to_string(distance) + " behind " + std::to_string(literals), bits.text(),
                        literals + 3});
        }
    }
    Bits empty;
    for (int n = 0; n < 10000; ++n) empty.put(0, 1).put(1, 2).put(0, 7);
    checks.add({"empty fixed blocks", Bits(empty).put(1, 1).put(1, 2).put(0, 7).text(), 10});
    checks.add({"empty fixed blocks without end", empty.text(), 10});
    Text stored;
    for (int n = 0; n < 3000; ++n) stored.insert(stored.end(), {0, 0, 0, 0xFF, 0xFF});
    checks.add({"empty stored blocks without end", stored, 10});
    stored.insert(stored.end(), {1, 0, 0, 0xFF, 0xFF});
    checks.add({"empty stored blocks", stored, 10});
    checks.add({"block type 3", {7, 0}, 10});
    checks.add({"LEN and NLEN differ", {1, 1, 0, 0xFE, 0xFE, 'a'}, 10});
    checks.add({"fewer bytes than LEN", {1, 2, 0, 0xFD, 0xFF, 'a'}, 10});
    checks.add({"a stored byte too many", {1, 1, 0, 0xFE, 0xFF, 'a'}, 0});
    checks.add({"symbol 286", fixed().code(0xC0 + 6, 8).put(0, 7).text(), 10});
    checks.add({"distance symbol 30", fixed().code(0x30, 8).code(1, 7).code(30, 5).put(0, 7).text(), 10});
    checks.add({"HLIT 287", Bits().put(1, 1).put(2, 2).put(30, 5).put(0, 69).text(), 10});
    checks.add({"HDIST 31", Bits().put(1, 1).put(2, 2).put(0, 5).put(30, 5).put(0, 64).text(), 10});
    checks.add({"a byte behind the end", {3, 0, 0}, 10});
    checks.add({"nothing", {}, 10});
    checks.add({"no slot", {3, 0}, 0});
    checks.print("forged");
}

void damage(Body& body, Random& random) {
    Text& text = body.body;
    const auto place = [&] { return random() % std::max<size_t>(text.size(), 1); };
    switch (random() % 8) {
        case 1: text.resize(random() % (text.size() + 1)); break;
        case 2: text[place()] ^= static_cast<uint8_t>(1u << random() % 8); break;
        case 3: text[std::min<size_t>(place(), random() % 100)] = static_cast<uint8_t>(random()); break;
        case 4:
            for (uint32_t n = 1 + random() % 20; n > 0; --n) text[place()] = static_cast<uint8_t>(random());
            break;
        case 5: body.limit -= std::min<uint32_t>(body.limit, random() % 300); break;
        case 6:
            body.limit += random() % 1000;
            text.insert(text.end(), random() % 2, 0x55);
            break;
        case 7: text.erase(text.begin() + static_cast<ptrdiff_t>(place())); break;
        default: break;
    }
}

void check_damaged(size_t count, const std::vector<Text>& files, Random& random) {
    Checks checks = checks_of(random);
    for (size_t done = 0; done < count;) {
        const size_t bytes = random() % (random() % 16 != 0 ? 6000 : 60000);
        const Body base = body_of("damaged", mixed_of(files, bytes, random), way_of(random), random);
        for (int turn = 0; turn < 6 && done < count; ++turn, ++done) {
            Body body = base;
            body.name += " " + std::to_string(done);
            damage(body, random);
            checks.add(std::move(body));
        }
    }
    checks.print("damaged");
}

// ---- what a team does

/// Sums over members. Steps of a warp are those of its lane that takes most; those in line, of the slowest warp.
struct Counts {
    uint64_t members = 0, raw_bytes = 0, body_bytes = 0, blocks = 0, rounds = 0, turns = 0, tokens = 0;
    uint64_t warm_steps = 0, steps = 0, steps_in_line = 0, slabs = 0, barriers = 0, link_rounds = 0;
} counts;

struct Warm {
    uint64_t shifts[TEAM_THREADS];
} warm;

struct CountingStarts : WarmUpStarts {
    void thread_find(const BitStream& stream, const BlockTables& tables, uint32_t begin, uint32_t first,
                     BitReader& reader, Part& part) {
        const uint64_t before = shifts[threadIdx.x];
        WarmUpStarts::thread_find(stream, tables, begin, first, reader, part);
        warm.shifts[threadIdx.x] = shifts[threadIdx.x] - before;
    }
};

struct CountingReaders : TeamReaders {
    RoundView show(const Part& part) {
        __syncthreads();
        if (rank == 0) {
            uint64_t slowest = 0;
            for (int warp = 0; warp < TEAM_WARPS; ++warp) {
                uint64_t most_warm = 0, most = 0;
                for (int lane = warp * WARP_LANES; lane < (warp + 1) * WARP_LANES; ++lane) {
                    most_warm = max(most_warm, warm.shifts[lane]);
                    most = max(most, shifts[lane] - warm.shifts[lane]);
                }
                counts.warm_steps += most_warm / 3;
                counts.steps += most / 3;
                slowest = max(slowest, (most_warm + most) / 3);
            }
            counts.steps_in_line += slowest;
            ++counts.turns;
            std::fill(shifts.begin(), shifts.end(), 0);
            warm = {};
        }
        __syncthreads();
        return TeamReaders::show(part);
    }
    bool make_tables(const BitStream& stream, BitReader& reader, bool fixed, BlockTables& tables,
                     HeaderScratch& header) const {
        if (rank == 0) ++counts.blocks;
        const bool sound = TeamReaders::make_tables(stream, reader, fixed, tables, header);
        std::fill(shifts.begin(), shifts.end(), 0);
        return sound;
    }
};

struct CountingSink : TeamSink {
    uint32_t take_round(uint32_t position, uint32_t bytes, const Round& round, const Part& part,
                        const TeamReaders& readers) {
        __syncthreads();
        const uint64_t before = fibres::cta.generation;
        const uint32_t status = TeamSink::take_round(position, bytes, round, part, readers);
        const uint64_t barriers = fibres::cta.generation - before;
        if (readers.rank <= round.last_lane) counts.tokens += part.count;
        if (readers.rank == 0) {
            const uint32_t gap = bytes_past_alignment<TEAM_SLAB_ALIGNMENT>(output + position);
            const uint64_t slabs = (gap + bytes + TeamSlab::BYTES - 1) / TeamSlab::BYTES;
            ++counts.rounds;
            counts.slabs += bytes == 0 ? 0 : slabs;
            // two beside the slabs; three for a slab, and two more for each round of links but its first
            counts.link_rounds += bytes == 0 ? 0 : slabs + (barriers - 2 - 3 * slabs) / 2;
        }
        std::fill(shifts.begin(), shifts.end(), 0);
        __syncthreads();
        return status;
    }
};

void count_members(const std::string& name, const Text& file) {
    constexpr size_t MEMBER = 1 << 18;
    auto scratch = std::make_unique<TeamScratch>();
    std::vector<uint4> tokens(TEAM_TOKENS / 4);
    counts = {};
    for (size_t at = 0; at + MEMBER <= file.size() && counts.members < 8; at += MEMBER) {
        const Text raw(file.begin() + static_cast<ptrdiff_t>(at), file.begin() + static_cast<ptrdiff_t>(at + MEMBER));
        Text body = deflated(raw, Way{});
        const uint32_t body_bytes = static_cast<uint32_t>(body.size());
        body.resize((body_bytes + 15) / 16 * 16);
        Text output(MEMBER + 128);
        fibres::run(1, TEAM_THREADS, 1, [&] {
            CountingReaders readers{{static_cast<int>(threadIdx.x), *scratch}};
            CountingSink sink{{output.data(), reinterpret_cast<uint32_t*>(tokens.data()), *scratch}};
            const BlockResult result =
                group_read_body(Block{body.data(), body_bytes, uint32_t{MEMBER}}, CountingStarts{}, sink,
                                scratch->tables, scratch->header, readers);
            if (threadIdx.x == 0) judge(result.status == STATUS_SOUND, name + ": not sound when counted");
        });
        judge(std::equal(raw.begin(), raw.end(), output.begin()), name + ": wrong when counted");
        ++counts.members;
        counts.raw_bytes += MEMBER;
        counts.body_bytes += body_bytes;
    }
    if (counts.members == 0) return;
    const auto each = [&](uint64_t sum) { return double(sum) / double(counts.members); };
    std::printf(
        "%s: a member of 256 KiB, ratio %.2f: %.0f tokens, %.1f blocks, %.1f rounds, %.1f turns, %.0f steps in "
        "line, warps' steps %.0f to warm up and %.0f more, %.1f slabs, %.1f rounds of links\n",
        name.c_str(), double(counts.raw_bytes) / double(counts.body_bytes), each(counts.tokens), each(counts.blocks),
        each(counts.rounds), each(counts.turns), each(counts.steps_in_line), each(counts.warm_steps),
        each(counts.steps), each(counts.slabs), each(counts.link_rounds));
}

}  // namespace

int main(int argc, char** argv) {
    const size_t damaged = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 4000;
    std::vector<Text> files;
    for (int i = 2; i < argc; ++i) files.push_back(read_file(argv[i]));
    for (int i = 2; i < argc; ++i) count_members(argv[i], files[static_cast<size_t>(i - 2)]);
    Random random(1);
    check_forged(random);
    check_lengths(random);
    check_periods(random);
    check_damaged(damaged, files, random);
    check_long(files, random);
    return wrongs == 0 ? 0 : 1;
}
