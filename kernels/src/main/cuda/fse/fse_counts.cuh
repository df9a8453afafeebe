// Normalised counts of an FSE table, read from their description (RFC 8878, section 4.1.1).
//
// A description is a chain of numbers whose widths depend on all before them, so one thread reads it. Texts have some
// fifty counts in a description: 3,000 clocks, beside the million that a block's sequences take.
#pragma once

#include <cstdint>

#include "../common/alignment.cuh"

namespace warpcodec::fse {

/// Symbols that a table may have here: offsets, lengths and weights have fewer.
constexpr int MAX_SYMBOLS = 64;
constexpr int MIN_LOG = 5;

/// Counts by symbol; -1 stands for less than one.
struct Counts {
    int16_t of[MAX_SYMBOLS];
};

/// Bytes that are read from their first bit on.
struct ForwardBits {
    const uint32_t* words;
    uint32_t last_word;
    uint32_t begin;  ///< first bit of the bytes, from the words' first one
    uint32_t end;  ///< behind their last bit

    /// The bytes [at, limit) of `bytes`; `at` is less than `limit`.
    __device__ __forceinline__ ForwardBits(const uint8_t* bytes, uint32_t at, uint32_t limit) {
        const uint32_t before = bytes_past_alignment<4>(bytes + at);
        words = reinterpret_cast<const uint32_t*>(bytes + at - before);
        begin = 8 * before;
        end = begin + 8 * (limit - at);
        last_word = (end - 1) / 32;
    }

    /// Up to 25 bits at `bit`, the first one lowest. Behind the end they are any.
    __device__ __forceinline__ uint32_t peek(uint32_t bit, uint32_t count) const {
        const uint32_t at = bit / 32;
        const uint32_t low = __ldg(words + min(at, last_word)), high = __ldg(words + min(at + 1, last_word));
        return __funnelshift_r(low, high, bit) & ((1u << count) - 1);
    }
};

/// What a description says beside its counts.
struct Description {
    uint32_t log = 0;  ///< of the table's states; 0 if the description is wrong
    uint32_t bytes = 0;
};

/// Reads the description that begins at byte `at` and ends before `limit`. Its counts go to `counts`, which hold zeros
/// before, unless that is null.
__device__ __forceinline__ Description thread_read_counts(const uint8_t* bytes, uint32_t at, uint32_t limit,
                                                          int most_symbol, uint32_t most_log, Counts* counts) {
    Description described;
    if (at >= limit) return described;
    const ForwardBits bits(bytes, at, limit);
    uint32_t bit = bits.begin + 4;
    const uint32_t log = bits.peek(bits.begin, 4) + MIN_LOG;
    if (log > most_log) return described;
    int remaining = (1 << log) + 1;
    int threshold = 1 << log;
    uint32_t width = log + 1;
    int symbol = 0;
    bool zero = false;
    while (remaining > 1) {
        if (zero) {
            uint32_t more;
            do {
                more = bits.peek(bit, 2);
                bit += 2;
                symbol += static_cast<int>(more);
            } while (more == 3 && bit < bits.end);
        }
        if (symbol > most_symbol || bit >= bits.end) return described;
        const int most = 2 * threshold - 1 - remaining;
        int count = static_cast<int>(bits.peek(bit, width));
        if ((count & (threshold - 1)) < most) {
            count &= threshold - 1;
            bit += width - 1;
        } else {
            if (count >= threshold) count -= most;
            bit += width;
        }
        --count;
        remaining -= count < 0 ? -count : count;
        if (counts != nullptr) counts->of[symbol] = static_cast<int16_t>(count);
        ++symbol;
        zero = count == 0;
        while (remaining < threshold) {
            --width;
            threshold >>= 1;
        }
    }
    if (remaining != 1 || bit > bits.end) return described;
    described.log = log;
    described.bytes = (bit - bits.begin + 7) / 8;
    return described;
}

}  // namespace warpcodec::fse
