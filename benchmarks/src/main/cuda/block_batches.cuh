// Batches of blocks for a decoder on a device: a file's blocks again and again, and damaged blocks.
#pragma once

#include "common/batch.cuh"
#include "common/status.cuh"
#include "device_bench.cuh"

/// Blocks of equal raw size again and again in device memory, and the outputs that they must have.
class RepeatedBlocks {
    DeviceMemory memory_;
    size_t raw_bytes_;  ///< of a block
    uint8_t* expected_;
    size_t expected_bytes_;

public:
    warpcodec::Batch batch{};

    /// @param gap bytes of zeros behind each block
    /// @param alignment of a repetition of all blocks
    RepeatedBlocks(const std::vector<Bytes>& blocks, const std::vector<Bytes>& raw, uint32_t count, size_t gap,
                   size_t alignment)
        : raw_bytes_(raw[0].size()) {
        const uint32_t base = static_cast<uint32_t>(blocks.size());
        Bytes once, expected;
        std::vector<size_t> offsets;
        for (uint32_t i = 0; i < base; ++i) {
            offsets.push_back(once.size());
            once.insert(once.end(), blocks[i].begin(), blocks[i].end());
            once.insert(once.end(), gap, 0);
            expected.insert(expected.end(), raw[i].begin(), raw[i].end());
        }
        once.resize((once.size() + alignment - 1) / alignment * alignment);
        std::vector<warpcodec::BlockEntry> entries;
        for (uint32_t i = 0; i < count; ++i) {
            entries.push_back({i / base * once.size() + offsets[i % base], i * raw_bytes_,
                               static_cast<uint32_t>(blocks[i % base].size()), static_cast<uint32_t>(raw_bytes_)});
        }
        batch.block_count = count;
        batch.input_bytes = (count + base - 1) / base * once.size();
        batch.output_bytes = count * raw_bytes_;
        batch.input = memory_.repeat(once, batch.input_bytes);
        batch.output = memory_.room<uint8_t>(batch.output_bytes);
        batch.entries = memory_.upload(entries);
        batch.results = memory_.room<warpcodec::BlockResult>(count);
        expected_ = memory_.upload(expected);
        expected_bytes_ = expected.size();
    }

    /// Overwrites outputs and results.
    void poison() const {
        CHECK(cudaMemset(batch.output, 0xEE, batch.output_bytes));
        CHECK(cudaMemset(batch.results, 0xEE, batch.block_count * sizeof(warpcodec::BlockResult)));
    }

    /// Number of blocks with a wrong result, and with `compares` of wrong bytes.
    unsigned long long wrong(bool compares) const {
        unsigned long long wrong = 0;
        for (const auto& r : to_host(batch.results, batch.block_count))
            wrong += r.status != warpcodec::STATUS_SOUND || r.output_bytes != raw_bytes_;
        if (compares) wrong += count_differences(batch.output, expected_, expected_bytes_, batch.output_bytes);
        return wrong;
    }
};

/// Blocks at odd places, their outputs far enough from each other that a byte beside one is seen.
struct DamagedBlocks {
    static constexpr uint8_t CANARY = 0xA5;

    Bytes input;
    size_t output_bytes = 0;
    std::vector<warpcodec::BlockEntry> entries;
    std::vector<bool> sound;
    std::vector<Bytes> decoded;
    uint32_t sound_count = 0;

    /// Adds a block behind gaps in input and output; `bytes` is the host's output of a sound block.
    void add(const Bytes& block, uint32_t limit, size_t input_gap, size_t output_gap, bool is_sound, Bytes bytes) {
        input.insert(input.end(), input_gap, 0xFF);
        output_bytes += output_gap;
        entries.push_back({input.size(), output_bytes, static_cast<uint32_t>(block.size()), limit});
        input.insert(input.end(), block.begin(), block.end());
        output_bytes += limit;
        sound.push_back(is_sound);
        sound_count += is_sound;
        decoded.push_back(std::move(bytes));
    }

    warpcodec::Batch upload(DeviceMemory& memory) const {
        return {memory.upload(input),
                input.size(),
                memory.room<uint8_t>(output_bytes),
                output_bytes,
                memory.upload(entries),
                memory.room<warpcodec::BlockResult>(entries.size()),
                static_cast<uint32_t>(entries.size())};
    }

    /// Fills the output with canaries, and overwrites results.
    static void poison(const warpcodec::Batch& batch) {
        CHECK(cudaMemset(batch.output, CANARY, batch.output_bytes));
        CHECK(cudaMemset(batch.results, 0xEE, batch.block_count * sizeof(warpcodec::BlockResult)));
    }

    struct Mistakes {
        uint32_t verdicts = 0;
        uint32_t outputs = 0;
        uint32_t bytes_beside = 0;

        uint32_t sum() const { return verdicts + outputs + bytes_beside; }
        void print() const {
            std::printf("%u wrong verdicts, %u wrong outputs, %u bytes beside\n", verdicts, outputs, bytes_beside);
        }
    };

    /// Compares a device's results with the host's; tell(index) prints more of the first three wrong verdicts.
    template <typename Tell>
    Mistakes judge(const std::vector<warpcodec::BlockResult>& results, const Bytes& output, Tell tell) const {
        Mistakes found;
        size_t after = 0;
        for (uint32_t i = 0; i < entries.size(); ++i) {
            const size_t at = entries[i].output_offset;
            for (; after < at; ++after) found.bytes_beside += output[after] != CANARY;
            after = at + entries[i].output_limit;
            const bool accepted = results[i].status == warpcodec::STATUS_SOUND;
            if (accepted != sound[i] || (accepted && results[i].output_bytes != decoded[i].size())) {
                if (++found.verdicts <= 3) tell(i);
            } else if (accepted) {
                found.outputs += !std::equal(decoded[i].begin(), decoded[i].end(), output.begin() + at);
                after = at + decoded[i].size();
            }
        }
        return found;
    }
};
