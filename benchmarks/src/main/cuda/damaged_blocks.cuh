// Damaged blocks for a decoder on a device, and the verdicts of a decoder on the host.
#pragma once

#include <algorithm>
#include <random>

#include "common/batch.cuh"
#include "common/status.cuh"
#include "device_bench.cuh"

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
