// The order of frames' rotations (suffixarray_order.cuh) on a device, in any shape, for the benchmarks that time it:
// its kernels, and frames in device memory.
#pragma once

#include "../cpp/strong_levels/order_check.h"
#include "bwt_encode_device.cuh"
#include "suffixarray/suffixarray_order.cuh"

using namespace warpcodec::suffixarray;

namespace {

template <typename Shape>
__global__ void __launch_bounds__(SYMBOLS) find_symbols(BwtBatch batch) {
    __shared__ SymbolsMemory s_memory;
    cta_find_symbols<Shape>(batch, s_memory);
}

/// As for blocks, but for the number of ctas.
template <typename Shape>
__global__ void __launch_bounds__(sort::SortPolicy::CTA_THREADS, GATHER_CTAS_PER_MULTIPROCESSOR)
    gather_groups(BwtBatch batch) {
    __shared__ sort::CountMemory<DIGIT_BITS> s_memory;
    cta_gather_segments<Shape>(batch, s_memory);
}

__global__ void __launch_bounds__(SCAN_THREADS) scan_long_segments(sort::SortBatch batch) {
    __shared__ LongScanMemory<DIGIT_BITS> s_memory;
    cta_scan_long_segments(batch, s_memory);
}

template <typename Shape>
__global__ void __launch_bounds__(ColumnPolicy::CTA_THREADS) write_order(BwtBatch batch, uint32_t* order) {
    cta_write_order<Shape>(batch, order);
}

template <typename Shape>
Kernels frame_kernels() {
    Kernels kernels{begin<Shape>,
                    codes<Shape>,
                    keys<Shape>,
                    split_blocks<Shape>,
                    refine_windows<Shape>,
                    gather_groups<Shape>,
                    rank_windows<Shape>,
                    split_segments<Shape>,
                    nullptr,
                    count_tiles<DIGIT_BITS>,
                    scan_long_segments,
                    scatter_tiles<DIGIT_BITS>,
                    count_tiles<DIGIT_BITS>,
                    scan_segments<DIGIT_BITS>,
                    scatter_tiles<DIGIT_BITS>};
    kernels.scan_wide_threads = SCAN_THREADS;
    kernels.find_symbols = find_symbols<Shape>;
    return kernels;
}

/// Ctas of refine_windows that a device holds.
uint32_t resident_windows() {
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    return static_cast<uint32_t>(multiprocessors) * SmallWindows::CTAS_PER_MULTIPROCESSOR;
}

/// Frames in device memory, all of them the same, and what their sort takes.
template <typename Shape = FrameShape>
class Frames {
    static constexpr bool IS_EXACT = Shape::CUT >= Shape::MAX_BYTES;

    const Bytes& text_;
    const uint32_t count_;
    DeviceMemory memory_, given_;
    const Kernels kernels_ = frame_kernels<Shape>();
    const uint32_t resident_ = resident_windows();
    BwtBatch batch_{};
    uint32_t* order_;

public:
    Frames(const Bytes& text, uint32_t count) : text_(text), count_(count) {
        const uint32_t bytes = static_cast<uint32_t>(text.size()), tiles = bwt_plan::tiles_of(bytes);
        std::vector<BwtEntry> entries;
        for (uint32_t i = 0; i <= count; ++i)
            entries.push_back({uint64_t{i} * bytes, i < count ? bytes : 0, i * tiles});
        batch_.entries = given_.upload(entries);
        batch_.text = given_.repeat(text, all());
        batch_.text_bytes = all();
        order_ = given_.room<uint32_t>(all(), POISON);
        allocate_scratch<Shape>(memory_, batch_, count, tiles * count);
        allow_shared_memory<Shape>(kernels_);
    }

    size_t all() const { return size_t{count_} * text_.size(); }
    double scratch_each() const { return static_cast<double>(memory_.bytes) / all(); }

    Rounds sort(Launcher& launcher, bool look, RoundCounts* counts) const {
        const auto launch = [&](auto... arguments) { launcher(arguments...); };
        Rounds result;
        bwt_plan::first_sort<Shape>(kernels_, batch_, launch);
        for (uint32_t round = 1; round <= Shape::MAX_ROUNDS; ++round) {
            if (look) {
                CHECK(cudaMemcpyAsync(counts, batch_.rounds + round, sizeof(RoundCounts), cudaMemcpyDeviceToHost));
                CHECK(cudaStreamSynchronize(nullptr));
                if (round == 1) result.tied_first = counts->tied;
                if (counts->tied == 0) break;
                result.handled += counts->tied;
            }
            bwt_plan::one_round<Shape>(kernels_, batch_, round, resident_, look ? counts : nullptr, launch);
            result.rounds = round;
        }
        const auto write = [order = order_](BwtBatch batch, uint32_t grid, uint32_t threads) {
            write_order<Shape><<<grid, threads>>>(batch, order);
        };
        launcher.call("write_order", write, batch_.tile_count, ColumnPolicy::CTA_THREADS, batch_);
        CHECK(cudaGetLastError());
        return result;
    }

    uint8_t* text() const { return const_cast<uint8_t*>(batch_.text); }
    const uint32_t* order() const { return order_; }
    void forget_order() const { CHECK(cudaMemset(order_, POISON, all() * sizeof(uint32_t))); }

    /// Number of wrong rows and missing places of the first frame, and of bytes by which the others differ from it.
    size_t wrong() const {
        constexpr uint32_t PART = 1 << 16;
        const uint32_t count = static_cast<uint32_t>(text_.size());
        const strong_levels::OrderDepth depth = IS_EXACT
                                                    ? strong_levels::OrderDepth{count, count}
                                                    : strong_levels::OrderDepth{FrameShape::CUT, MOST_COMPARED_BYTES};
        const std::vector<uint32_t> order = to_host(order_, count);
        const size_t order_bytes = size_t{count} * sizeof(uint32_t);
        const uint8_t* bytes = reinterpret_cast<const uint8_t*>(order_);
        size_t wrong = strong_levels::missing_places(order.data(), count) +
                       count_differences(bytes, bytes, order_bytes, order_bytes * count_);
        for (const BwtResult& result : to_host(batch_.results, count_)) wrong += result.status != STATUS_SOUND;
        return wrong + add_up((count + PART - 1) / PART, [&](uint32_t part) {
                   return strong_levels::wrong_rows(text_.data(), count, order.data(), part * PART,
                                                    std::min(count, (part + 1) * PART), depth);
               });
    }
};

}  // namespace
