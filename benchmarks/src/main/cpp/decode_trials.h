// What checks of decoders on a CPU share: made texts, and batches of blocks whose outputs are compared with those of a
// plain decoder. The including file has fibres.h and a stage's kernels in front.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "common/batch.cuh"
#include "common/status.cuh"

using Text = std::vector<uint8_t>;
using Random = std::mt19937;

inline size_t wrongs = 0;

inline void judge(bool right, const std::string& what) {
    if (!right && ++wrongs < 20) std::printf("WRONG: %s\n", what.c_str());
}

// ---- texts

inline Text words_of(size_t bytes, Random& random) {
    std::vector<std::string> words(300);
    for (std::string& word : words)
        for (size_t n = 1 + random() % 9; n > 0; --n)
            word += static_cast<char>('a' + random() % 26 * (random() % 26) / 26);
    Text text;
    while (text.size() < bytes) {
        const std::string& word = words[random() % 300 * (random() % 300) / 300];
        text.insert(text.end(), word.begin(), word.end());
        text.push_back(' ');
    }
    text.resize(bytes);
    return text;
}

/// A text of so many bytes: kind 0 noise, 1 zeros, 2 words, 3 a period, 4 few letters, 5 one letter mostly, 6 rows.
constexpr uint32_t KINDS = 7;
inline Text text_of(uint32_t kind, size_t bytes, Random& random) {
    if (kind == 2) return words_of(bytes, random);
    Text text(bytes);
    const uint32_t period = 1 + random() % 300;
    const uint32_t letters = 1u << random() % 8;
    const uint32_t seldom = 10 + random() % 300;
    for (size_t at = 0; at < bytes; ++at) {
        switch (kind) {
            case 0: text[at] = static_cast<uint8_t>(random()); break;
            case 3: text[at] = at < period ? static_cast<uint8_t>(random()) : text[at - period]; break;
            case 4: text[at] = static_cast<uint8_t>(random() % letters); break;
            case 5: text[at] = random() % seldom == 0 ? static_cast<uint8_t>(random()) : 'a'; break;
            case 6:
                text[at] = random() % 20 != 0 && at >= period ? text[at - period] : "0123456789|\n"[random() % 12];
                break;
            default: break;
        }
    }
    return text;
}

inline Text piece_of(const std::vector<Text>& files, size_t bytes, Random& random) {
    const Text& file = files[random() % files.size()];
    bytes = std::min(bytes, file.size());
    const auto begin = file.begin() + static_cast<ptrdiff_t>(random() % (file.size() - bytes + 1));
    return Text(begin, begin + static_cast<ptrdiff_t>(bytes));
}

/// Stretches of several kinds behind each other, or a piece of a file.
inline Text mixed_of(const std::vector<Text>& files, size_t bytes, Random& random) {
    if (!files.empty() && random() % 2 == 0) return piece_of(files, bytes, random);
    Text text;
    while (text.size() < bytes) {
        const size_t stretch = std::min<size_t>(bytes - text.size(), 1 + random() % (bytes / 2 + 1));
        const Text more = random() % 3 == 0 && !text.empty() ? piece_of({text}, stretch, random)
                                                             : text_of(random() % KINDS, stretch, random);
        text.insert(text.end(), more.begin(), more.end());
    }
    return text;
}

inline Text read_file(const char* path) {
    std::FILE* file = std::fopen(path, "rb");
    if (file == nullptr) std::exit(3);
    Text text(16 << 20);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    return text;
}

// ---- batches

/// A block, and the size of its slot.
struct Body {
    std::string name;
    Text body;
    uint32_t limit;
};

/// Whether a body is sound and stands for at most `limit` bytes, which `raw` becomes.
using PlainDecoder = std::function<bool(const Text& body, uint32_t limit, Text& raw)>;

/// A batch of bodies, and what becomes of it by each kernel. Bodies and slots lie anywhere, with canaries beside.
class Trial {
public:
    static constexpr uint8_t CANARY = 0xC5;
    static constexpr size_t GUARD = 256;

private:
    const std::vector<Body>& bodies_;
    std::vector<warpcodec::BlockEntry> entries_;
    std::vector<uint2> input_;
    std::vector<uint4> output_;
    std::vector<warpcodec::BlockResult> results_;
    std::vector<Text> raws_;
    std::vector<bool> sound_;
    std::vector<uint32_t> statuses_;  ///< what the kernel before said

public:
    Trial(const std::vector<Body>& bodies, uint32_t max_input_bytes, uint32_t max_output_bytes,
          const PlainDecoder& decode, Random& random)
        : bodies_(bodies) {
        uint64_t input_bytes = random() % 16, output_bytes = GUARD + random() % 16;
        for (const Body& body : bodies) {
            entries_.push_back({input_bytes, output_bytes, static_cast<uint32_t>(body.body.size()), body.limit});
            input_bytes += body.body.size() + random() % 17;
            output_bytes += body.limit + 1 + random() % 17;
            raws_.emplace_back();
            const bool is_entry = body.body.size() <= max_input_bytes && body.limit <= max_output_bytes;
            sound_.push_back(decode(body.body, body.limit, raws_.back()) && is_entry);
        }
        input_.resize(input_bytes / 8 + 1);
        auto* input = reinterpret_cast<uint8_t*>(input_.data());
        for (size_t at = 0; at < 8 * input_.size(); ++at) input[at] = static_cast<uint8_t>(random());
        for (size_t i = 0; i < bodies.size(); ++i)
            std::copy(bodies[i].body.begin(), bodies[i].body.end(), input + entries_[i].input_offset);
        output_.resize((output_bytes + GUARD) / 16 + 1);
    }

    /// Bodies that the last kernel has found a defect in.
    size_t defect_count() const {
        return static_cast<size_t>(std::count_if(statuses_.begin(), statuses_.end(), [](uint32_t status) {
            return status != warpcodec::STATUS_SOUND && status != warpcodec::STATUS_BAD_ENTRY;
        }));
    }

    size_t sound_count() const { return static_cast<size_t>(std::count(sound_.begin(), sound_.end(), true)); }

    /// By one kernel. Of its statuses the bits of `status_mask` are those of the kernel before.
    void check(const std::string& name, uint32_t status_mask, const std::function<void(const warpcodec::Batch&)>& run) {
        auto* output = reinterpret_cast<uint8_t*>(output_.data());
        std::memset(output, CANARY, output_.size() * sizeof(uint4));
        results_.assign(bodies_.size() + 1, {CANARY, CANARY});
        run({reinterpret_cast<uint8_t*>(input_.data()), 8 * input_.size(), output, 16 * output_.size(), entries_.data(),
             results_.data(), static_cast<uint32_t>(bodies_.size())});
        const auto is_canary = [](uint8_t byte) { return byte == CANARY; };
        uint8_t* beside = output;
        for (size_t i = 0; i < bodies_.size(); ++i) {
            const std::string what = name + ", " + bodies_[i].name + ": ";
            const bool sound = results_[i].status == warpcodec::STATUS_SOUND;
            judge(sound == sound_[i], what + "status " + std::to_string(results_[i].status) +
                                          ", for the plain decoder " + (sound_[i] ? "sound" : "not"));
            if (statuses_.size() == bodies_.size())
                judge(((results_[i].status ^ statuses_[i]) & status_mask) == 0,
                      what + "status " + std::to_string(results_[i].status) + ", was " + std::to_string(statuses_[i]));
            judge(sound || results_[i].output_bytes == 0, what + "a length in spite of the defect");
            uint8_t* slot = output + entries_[i].output_offset;
            if (sound && sound_[i]) {
                judge(results_[i].output_bytes == raws_[i].size(), what + "length");
                const auto pair = std::mismatch(raws_[i].begin(), raws_[i].end(), slot);
                judge(pair.first == raws_[i].end(),
                      what + "byte " + std::to_string(pair.second - slot) + " of " + std::to_string(raws_[i].size()));
                judge(std::all_of(slot + raws_[i].size(), slot + bodies_[i].limit, is_canary), what + "bytes behind");
            }
            judge(std::all_of(beside, slot, is_canary), what + "beside its slot");
            beside = slot + bodies_[i].limit;
        }
        statuses_.clear();
        for (size_t i = 0; i < bodies_.size(); ++i) statuses_.push_back(results_[i].status);
        judge(std::all_of(beside, output + 16 * output_.size(), is_canary), name + ", behind the slots");
        judge(results_.back().status == CANARY && results_.back().output_bytes == CANARY,
              name + ", beside the results");
    }
};

/// Checks bodies a dozen at a time.
class Checks {
    const std::function<size_t(const std::vector<Body>&)> check_all_;
    std::vector<Body> bodies_;
    size_t sound_ = 0, all_ = 0;

public:
    /// check_all(bodies) says how many are sound.
    explicit Checks(std::function<size_t(const std::vector<Body>&)> check_all) : check_all_(std::move(check_all)) {}
    void add(Body body) {
        bodies_.push_back(std::move(body));
        if (bodies_.size() == 12) flush();
    }
    void flush() {
        if (bodies_.empty()) return;
        sound_ += check_all_(bodies_);
        all_ += bodies_.size();
        bodies_.clear();
    }
    void print(const char* what) {
        flush();
        std::printf("%s: %zu bodies, %zu sound, %zu wrong\n", what, all_, sound_, wrongs);
        std::fflush(stdout);
    }
};
