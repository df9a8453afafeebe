// Runs the decoders of LZ4 or Snappy blocks on a CPU (fibres/fibres.h), and compares them with a plain one.
//
//   g++ -O2 -std=c++17 -I. -I ../cuda -I ../../../../kernels/src/main/cuda block_decode_check.cpp fibres/fibres.cpp
//       -o block_decode_check
//   block_decode_check [DAMAGED [FILE...]]     made texts and pieces of files, as many damaged blocks, default 4,000
//   block_decode_check count BLOCKS...         what a team does for a block of such a file (block_decode_bench.cu)
//
// The format is LZ4, or Snappy with -DSNAPPY. The kernels are those of lz4.cu and snappy.cu, entry points and all: a
// warp and a team for each block, and a team for several blocks in turn. Blocks lie anywhere in their input, and slots
// anywhere in the output. Slots are exact, longer, or a byte short. Bytes and verdict are the plain decoder's. Status
// words of the teams are those of the warps. Canaries lie beside slots and results.
//
// The exit status is 1 if something is wrong.
#include "fibres/fibres.h"

#include <memory>

namespace {

/// Votes of a cta: one for each round of units, and one for each round of links of a slab.
uint64_t votes = 0;
inline int counted_syncthreads_or(int vote) {
    votes += threadIdx.x == 0;
    return __syncthreads_or(vote);
}

}  // namespace

#define __syncthreads_or counted_syncthreads_or
#ifdef SNAPPY
#include "snappy/snappy.cu"
#else
#include "lz4/lz4.cu"
#endif
#undef __syncthreads_or
#include "decode_trials.h"
#include "plain_blocks.h"

namespace {

// ---- the format

/// Literals, and a copy behind them that has no bytes at a block's end.
struct Step {
    size_t literals, offset, copied;
};

#ifdef SNAPPY
constexpr size_t MOST_OFFSET = 1 << 20;
constexpr size_t LEAST_COPIED = 1;

void kernel_of_warps(const Batch& batch) { snappy_decode_blocks(batch); }
void kernel_of_teams(const Batch& batch) { snappy_decode_blocks_team(batch); }

constexpr auto plain_decode = host_decode_snappy;

void put_number(Text& block, size_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) block.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

void put_step(Text& block, const uint8_t* literals, const Step& step, Random& random) {
    for (size_t left = step.literals; left > 0;) {
        const size_t bytes = random() % 8 == 0 ? 1 + random() % left : left;
        int more = bytes <= 60 ? 0 : 1;
        while (more > 0 && more < 4 && (bytes - 1) >> (8 * more) != 0) ++more;
        if (more < 4 && random() % 16 == 0) ++more;
        block.push_back(static_cast<uint8_t>((more == 0 ? bytes - 1 : 59 + more) << 2));
        put_number(block, bytes - 1, more);
        block.insert(block.end(), literals, literals + bytes);
        literals += bytes;
        left -= bytes;
    }
    for (size_t left = step.copied; left > 0;) {
        const size_t bytes = 1 + (random() % 8 == 0 ? random() : 63) % std::min<size_t>(left, 64);
        if (bytes >= 4 && bytes <= 11 && step.offset < 2048) {
            block.push_back(static_cast<uint8_t>(1 | (bytes - 4) << 2 | step.offset >> 8 << 5));
            put_number(block, step.offset, 1);
        } else {
            const bool is_far = step.offset >= 65536 || random() % 16 == 0;
            block.push_back(static_cast<uint8_t>((is_far ? 3 : 2) | (bytes - 1) << 2));
            put_number(block, step.offset, is_far ? 4 : 2);
        }
        left -= bytes;
    }
}

void put_begin(Text& block, size_t raw_bytes) {
    for (; raw_bytes >= 128; raw_bytes >>= 7) block.push_back(static_cast<uint8_t>(raw_bytes | 128));
    block.push_back(static_cast<uint8_t>(raw_bytes));
}
#else
constexpr size_t MOST_OFFSET = 65535;
constexpr size_t LEAST_COPIED = MIN_MATCH;

void kernel_of_warps(const Batch& batch) { lz4_decode_blocks(batch); }
void kernel_of_teams(const Batch& batch) { lz4_decode_blocks_team(batch); }

constexpr auto plain_decode = host_decode_lz4;

void put_length(Text& block, size_t length) {
    if (length < 15) return;
    for (length -= 15; length >= 255; length -= 255) block.push_back(255);
    block.push_back(static_cast<uint8_t>(length));
}

void put_step(Text& block, const uint8_t* literals, const Step& step, Random&) {
    const size_t match = step.copied == 0 ? 0 : step.copied - MIN_MATCH;
    block.push_back(static_cast<uint8_t>(min<size_t>(step.literals, 15) << 4 | min<size_t>(match, 15)));
    put_length(block, step.literals);
    block.insert(block.end(), literals, literals + step.literals);
    if (step.copied == 0) return;
    block.push_back(static_cast<uint8_t>(step.offset));
    block.push_back(static_cast<uint8_t>(step.offset >> 8));
    put_length(block, match);
}

void put_begin(Text&, size_t) {}
#endif

// ---- blocks

bool decodes(const Text& block, uint32_t limit, Text& raw) {
    return plain_decode(block.data(), block.size(), limit, raw, nullptr);
}

/// Takes the latest place of the same hash, as fast encoders do. One step in `seldom` is passed over.
Text encoded(const Text& raw, uint32_t seldom, Random& random) {
    constexpr size_t LEAST = 4, END = 12;
    std::vector<uint32_t> heads(1 << 13, ~0u);
    Text block;
    put_begin(block, raw.size());
    size_t done = 0;
    for (size_t at = 0; at + END < raw.size();) {
        uint32_t word;
        std::memcpy(&word, raw.data() + at, 4);
        const size_t before = std::exchange(heads[word * 2654435761u >> 19], static_cast<uint32_t>(at));
        size_t same = 0;
        if (before != ~0u && at - before <= MOST_OFFSET && random() % seldom != 0)
            while (at + same + 5 < raw.size() && raw[before + same] == raw[at + same]) ++same;
        if (same < LEAST) {
            ++at;
            continue;
        }
        put_step(block, raw.data() + done, {at - done, at - before, same}, random);
        done = at += same;
    }
    if (done < raw.size() || raw.empty() || block.empty())
        put_step(block, raw.data() + done, {raw.size() - done, 0, 0}, random);
    return block;
}

/// A block of steps of lengths as drawn: `longest` literals or copied bytes at most. 0 stands for the shortest runs.
Text stepping(size_t bytes, size_t longest, Random& random) {
    Text steps, raw;
    while (raw.size() < bytes) {
        Step step{1, 0, LEAST_COPIED};
        if (longest > 0) step = {random() % 3 == 0 ? 0 : random() % longest, 0, 4 + random() % longest};
        if (raw.empty()) step.literals += 1;
        Text literals(step.literals);
        for (uint8_t& byte : literals) byte = static_cast<uint8_t>(random());
        raw.insert(raw.end(), literals.begin(), literals.end());
        const size_t most = std::min(raw.size(), MOST_OFFSET);
        step.offset = 1 + random() % (random() % 2 == 0 ? most : std::min<size_t>(most, 1 + random() % 40));
        put_step(steps, literals.data(), step, random);
        for (size_t n = 0; n < step.copied; ++n) raw.push_back(raw[raw.size() - step.offset]);
    }
    const Text end(12, 'e');
    raw.insert(raw.end(), end.begin(), end.end());
    put_step(steps, end.data(), {end.size(), 0, 0}, random);
    Text block;
    put_begin(block, raw.size());
    block.insert(block.end(), steps.begin(), steps.end());
    return block;
}

/// A block with a slot of its length, or now and then more.
Body body_of(const std::string& name, Text block, size_t raw_bytes, Random& random) {
    return {name, std::move(block), static_cast<uint32_t>(raw_bytes + (random() % 4 == 0 ? random() % 40 : 0))};
}

Body body_of(const std::string& name, const Text& raw, Random& random) {
    return body_of(name, encoded(raw, random() % 2 == 0 ? 1000000 : 2 + random() % 30, random), raw.size(), random);
}

uint32_t raw_bytes_of(const Text& block) {
    Text raw;
    if (!decodes(block, MAX_OUTPUT_BYTES, raw)) std::abort();
    return static_cast<uint32_t>(raw.size());
}

// ---- checks

uint64_t rounds = 0;  ///< of all teams
size_t left_alone = 0;  ///< blocks that a warp of a team has decoded alone

struct CountingFormat : TeamFormat {
    static uint32_t thread_guess(uint32_t word, uint32_t next_word, int lane) {
        rounds += threadIdx.x == 0;
        return TeamFormat::thread_guess(word, next_word, lane);
    }
    static ParseState warp_decode_alone(const Block& block, uint8_t* output, AloneScratch& scratch, int lane) {
        left_alone += lane == 0;
        return TeamFormat::warp_decode_alone(block, output, scratch, lane);
    }
};

using CountingTeam = TeamScratch<CountingFormat, TeamPolicy::WARPS>;

/// Blocks by both kernels. The last run is one of few ctas, in which each block with a defect, and no other, is decoded
/// by a warp alone.
Checks checks_of(Random& random) {
    return Checks([&random](const std::vector<Body>& bodies) {
        Trial trial(bodies, MAX_INPUT_BYTES, MAX_OUTPUT_BYTES, decodes, random);
        const auto count = static_cast<uint32_t>(bodies.size());
        const auto seed = [&] { return random() % 4 == 0 ? 0 : static_cast<uint32_t>(random()); };
        trial.check("warps", ~0u, [&](const Batch& batch) {
            constexpr uint32_t WARPS = DecodePolicy::CTA_THREADS / WARP_LANES;
            fibres::run((count + WARPS - 1) / WARPS, DecodePolicy::CTA_THREADS, seed(),
                        [&] { kernel_of_warps(batch); });
        });
        trial.check("teams", ~0u, [&](const Batch& batch) {
            fibres::run(count, Team::THREADS, seed(), [&] { kernel_of_teams(batch); });
        });
        const auto scratch = std::make_unique<CountingTeam>();
        left_alone = 0;
        trial.check("few teams", ~0u, [&](const Batch& batch) {
            fibres::run(1 + static_cast<uint32_t>(random() % 3), Team::THREADS, seed(),
                        [&] { cta_decode_blocks<MAX_INPUT_BYTES, MAX_OUTPUT_BYTES>(batch, *scratch); });
        });
        judge(left_alone == trial.defect_count(), "blocks left to a warp: " + std::to_string(left_alone) + " of " +
                                                      std::to_string(trial.defect_count()) + " with a defect");
        return trial.sound_count();
    });
}

void check_lengths(Random& random) {
    Checks checks = checks_of(random);
    constexpr size_t SLAB = Team::Slab::BYTES;
    for (const size_t length : {size_t{0}, size_t{1}, size_t{2}, size_t{3}, size_t{4}, size_t{5}, size_t{11},
                                size_t{12}, size_t{13}, size_t{14}, size_t{127}, size_t{128}, size_t{129}, SLAB - 129,
                                SLAB - 1, SLAB, SLAB + 1, 2 * SLAB, 2 * SLAB + 1, size_t{20000}, size_t{65536}})
        for (uint32_t kind = 0; kind < KINDS; ++kind)
            for (int turn = 0; turn < 3; ++turn) {
                const Text raw = text_of(kind, length, random);
                const Body body = body_of("length " + std::to_string(length) + ", kind " + std::to_string(kind), raw,
                                          random);
                checks.add(body);
                if (length > 0)
                    checks.add({body.name + ", a byte short", body.body, static_cast<uint32_t>(length - 1)});
            }
    checks.print("lengths");
}

void check_periods(Random& random) {
    Checks checks = checks_of(random);
    for (uint32_t period = 1; period <= 300; ++period) {
        Text text(5000 + random() % 8000);
        for (size_t at = 0; at < text.size(); ++at)
            text[at] = at < period ? static_cast<uint8_t>(random()) : text[at - period];
        checks.add(body_of("period " + std::to_string(period), text, random));
    }
    checks.print("periods");
}

void check_steps(Random& random) {
    Checks checks = checks_of(random);
    for (const size_t longest : {0, 1, 2, 3, 5, 8, 16, 40, 80, 100, 300, 1000, 5000, 20000})
        for (int turn = 0; turn < 12; ++turn) {
            const Text block = stepping(1 + random() % (turn < 6 ? 3000 : 40000), longest, random);
            const uint32_t raw_bytes = raw_bytes_of(block);
            checks.add(body_of("steps of " + std::to_string(longest), block, raw_bytes, random));
            checks.add({"steps of " + std::to_string(longest) + ", a byte short", block, raw_bytes - 1});
        }
    checks.print("steps");
}

void check_long(const std::vector<Text>& files, Random& random) {
    Checks checks = checks_of(random);
    for (uint32_t kind = 0; kind < KINDS; ++kind)
        checks.add(body_of("long, kind " + std::to_string(kind), text_of(kind, 1 << 18, random), random));
    for (int turn = 0; turn < 10; ++turn) checks.add(body_of("long, mixed", mixed_of(files, 1 << 18, random), random));
    checks.add({"4 MiB", encoded(mixed_of(files, MAX_OUTPUT_BYTES, random), 1000, random), MAX_OUTPUT_BYTES});
    checks.add({"4 MiB of zeros", encoded(Text(MAX_OUTPUT_BYTES), 1000, random), MAX_OUTPUT_BYTES});
    checks.add({"too long", encoded(Text(MAX_OUTPUT_BYTES + 1), 1000, random), MAX_OUTPUT_BYTES + 1});
    checks.print("long");
}

void check_damaged(size_t count, const std::vector<Text>& files, Random& random) {
    Checks checks = checks_of(random);
    for (size_t done = 0; done < count;) {
        const size_t bytes = 1 + random() % (random() % 16 != 0 ? 6000 : 60000);
        const Text block = random() % 3 == 0
                               ? stepping(bytes, 1 + random() % (random() % 2 == 0 ? 20 : 400), random)
                               : encoded(mixed_of(files, bytes, random), 2 + random() % 100, random);
        const uint32_t raw_bytes = raw_bytes_of(block);
        for (int turn = 0; turn < 6 && done < count; ++turn, ++done) {
            Body body{"damaged " + std::to_string(done), block, raw_bytes};
            damage_block(body.body, body.limit, random);
            checks.add(std::move(body));
        }
    }
    checks.print("damaged");
}

// ---- what a team does

void count_blocks(const std::string& path) {
    const Text file = read_file(path.c_str());
    size_t at = 0;
    const auto number = [&] {
        uint32_t value;
        std::memcpy(&value, file.data() + at, 4);
        at += 4;
        return value;
    };
    const auto scratch = std::make_unique<CountingTeam>();
    uint64_t blocks = 0, raw_bytes = 0, block_bytes = 0, units = 0, barriers = 0;
    votes = rounds = 0;
    for (uint32_t left = std::min(number(), 8u); left > 0; --left, ++blocks) {
        const uint32_t bytes = number(), limit = number();
        at += 4;
        Text block(file.begin() + static_cast<ptrdiff_t>(at), file.begin() + static_cast<ptrdiff_t>(at + bytes));
        at += bytes;
        Text raw, output(limit + 128);
        std::vector<uint32_t> starts;
        plain_decode(block.data(), bytes, limit, raw, &starts);
        block.resize((bytes + 15) / 16 * 16);
        fibres::run(1, Team::THREADS, 1, [&] {
            const ParseState state = cta_decode_block(Block{block.data(), bytes, limit}, output.data(), *scratch);
            if (threadIdx.x == 0) judge(state.status == STATUS_SOUND, path + ": not sound when counted");
        });
        judge(std::equal(raw.begin(), raw.end(), output.begin()), path + ": wrong when counted");
        raw_bytes += limit;
        block_bytes += bytes;
        units += starts.size();
        barriers += fibres::cta.generation;
    }
    // barriers: four for a round of units, three for a slab, and two more for each round of links but its first
    const uint64_t slabs = barriers - 2 * votes - 2 * rounds;
    const auto each = [&](uint64_t sum) { return double(sum) / double(blocks); };
    std::printf("%s: a block of %.0f bytes, ratio %.2f: %.0f units, %.0f rounds, %.1f slabs, %.1f rounds of links\n",
                path.c_str(), each(raw_bytes), double(raw_bytes) / double(block_bytes), each(units), each(rounds),
                each(slabs), each(votes - rounds));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string(argv[1]) == "count") {
        for (int i = 2; i < argc; ++i) count_blocks(argv[i]);
        return wrongs == 0 ? 0 : 1;
    }
    const size_t damaged = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 4000;
    std::vector<Text> files;
    for (int i = 2; i < argc; ++i) files.push_back(read_file(argv[i]));
    Random random(1);
    check_lengths(random);
    check_periods(random);
    check_steps(random);
    check_damaged(damaged, files, random);
    check_long(files, random);
    return wrongs == 0 ? 0 : 1;
}
