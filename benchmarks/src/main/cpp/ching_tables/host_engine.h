// Runs the steps of ching_doubling.cuh, ching_skew.cuh and ching_smaller.cuh on a CPU, one index behind the other.
// Sorts and sums as the libraries of a device do. Included behind fibres/fibres.h.
//
// Indices are taken upwards, downwards or by a stride, by a seed: a step that reads what another index of it writes is
// seen. Each array is memory of its own, poisoned, with canaries behind it. A sort moves its result to the other
// arrays, and compares no more bits than it is told.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "../../cuda/ching_doubling.cuh"

namespace ching {

class HostEngine {
    static constexpr size_t GAP = 64;
    static constexpr uint8_t CANARY = 0xC7;
    static constexpr int POISON = 0xA5;
    struct Array {
        std::unique_ptr<uint64_t[]> memory;
        size_t bytes;

        uint8_t* begin() const { return reinterpret_cast<uint8_t*>(memory.get()); }
        bool is_whole() const {
            return std::all_of(begin() + bytes, begin() + bytes + GAP, [](uint8_t byte) { return byte == CANARY; });
        }
    };
    std::vector<Array> arrays_;
    const uint32_t seed_;
    bool was_whole_ = true;

    template <class Key>
    static Key low_bits(Key key, uint32_t bits) {
        return bits >= sizeof(Key) * 8 ? key : key & ((Key{1} << bits) - 1);
    }

public:
    explicit HostEngine(uint32_t seed) : seed_(seed) {}

    template <class T>
    T* take(size_t count) {
        const size_t bytes = count * sizeof(T);
        arrays_.push_back({std::make_unique<uint64_t[]>((bytes + GAP) / 8 + 1), bytes});
        std::memset(arrays_.back().begin(), POISON, bytes);
        std::memset(arrays_.back().begin() + bytes, CANARY, GAP);
        return reinterpret_cast<T*>(arrays_.back().begin());
    }
    size_t mark() const { return arrays_.size(); }
    void release(size_t mark) {
        was_whole_ = is_whole();
        arrays_.resize(mark);
    }
    /// Whether no canary has ever been written.
    bool is_whole() const {
        return was_whole_ && std::all_of(arrays_.begin(), arrays_.end(), [](const Array& a) { return a.is_whole(); });
    }

    template <class Step>
    void each(uint32_t count, const Step& step) const {
        const uint32_t stride = count % 7919 != 0 ? 7919 : 7907;  // primes
        for (uint32_t i = 0; i < count; ++i) {
            if (seed_ % 3 == 0) step(i);
            else if (seed_ % 3 == 1) step(count - 1 - i);
            else step(static_cast<uint32_t>(uint64_t{i} * stride % count));
        }
    }

    template <class Key>
    void sort(Pairs<Key>& pairs, uint32_t count, uint32_t bits) const {
        std::vector<uint32_t> order(count);
        for (uint32_t i = 0; i < count; ++i) order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
            return low_bits(pairs.keys[a], bits) < low_bits(pairs.keys[b], bits);
        });
        for (uint32_t i = 0; i < count; ++i) {
            pairs.other_keys[i] = pairs.keys[order[i]];
            pairs.other_places[i] = pairs.places[order[i]];
        }
        std::memset(pairs.keys, POISON, count * sizeof(Key));
        std::memset(pairs.places, POISON, count * sizeof(uint32_t));
        std::swap(pairs.keys, pairs.other_keys);
        std::swap(pairs.places, pairs.other_places);
    }

    template <class Value, class Sum>
    void exclusive_sum(const Value& value, Sum* sums, uint32_t count) const {
        Sum sum = 0;
        for (uint32_t i = 0; i < count; ++i) {
            sums[i] = sum;
            sum += value(i);
        }
    }

    template <class Value>
    void inclusive_max(const Value& value, uint32_t* most, uint32_t count) const {
        uint32_t largest = 0;
        for (uint32_t i = 0; i < count; ++i) most[i] = largest = std::max(largest, value(i));
    }

    template <class Less>
    void merge(const uint32_t* a, uint32_t a_count, const uint32_t* b, uint32_t b_count, uint32_t* merged,
               const Less& less) const {
        std::merge(a, a + a_count, b, b + b_count, merged, less);
    }

    template <class T>
    std::vector<T> read(const T* values, size_t count) const {
        return std::vector<T>(values, values + count);
    }
    template <class T>
    void write(T* to, const std::vector<T>& values) const {
        std::copy(values.begin(), values.end(), to);
    }
};

}  // namespace ching
