// Undoes move-to-front and the coding of runs of zeros behind it, as bzip2 has them: symbols 0 and 1 are the digits
// of a run's length, any other symbol s is the rank s - 1.
//
// A rank means the byte at that place of a list, which then moves to the front. The list at any symbol depends on all
// symbols before. But a stretch of symbols, a piece, can be read without knowing the list it begins with. Reading
// moves places instead of bytes, and says which place of the first list each of its symbols names. What is left of
// the places after a piece is a permutation, and permutations of pieces in a row are composed like functions. (Patel
// et al., Parallel Lossless Data Compression on the GPU, 2012, scan partial lists in the same way when they encode.)
// Three steps:
//
//   1. read    A lane for each piece: each rank is replaced by the place that it names; the permutation and the
//              length of the output are noted.
//   2. join    A cta for each block composes permutations, so that each piece gets its first list, and adds up
//              lengths.
//   3. write   A warp for each piece looks up the bytes and writes them out, runs included.
//
// A lane's list is 256 bytes in shared memory, by words of four, those of the warp's lanes side by side. Moving to
// the front shifts the words up to the rank's; lanes wait for the one with the largest rank, of which most are small.
// (A list in the registers of a whole warp costs the same for each rank, but 58 instructions a symbol instead of 2 to
// 10.) Runs do not move the list: a run's byte is the one written before it.
//
// Bounded: lengths are clamped as they are added up, digits of a run beyond MAX_RUN_DIGITS are a defect.
#pragma once

#include <cstdint>

#include "../common/status.cuh"
#include "../common/warp.cuh"

namespace warpcodec::mtf {

constexpr uint32_t LIST_BYTES = 256;
constexpr uint32_t LANE_PLACES = LIST_BYTES / WARP_LANES;
constexpr uint32_t PIECE_SYMBOLS = 512;
constexpr uint32_t RUN_DIGITS = 2;  ///< symbols below this one are digits
constexpr uint32_t MAX_RUN_DIGITS = 21;
constexpr uint32_t MOST_BYTES = 1u << 30;  ///< lengths are clamped to this
constexpr int JOIN_CTA_THREADS = 1024;
constexpr int JOIN_WARPS = JOIN_CTA_THREADS / WARP_LANES;

/// What is known of a piece.
struct Piece {
    /// After `read`: place k holds what was at place list[k]; after `join`: the bytes that it begins with.
    uint8_t list[LIST_BYTES];
    uint32_t bytes;  ///< of its output
    uint32_t output_at;  ///< where that begins
    uint32_t reserved[2];
};
static_assert(sizeof(Piece) == 272, "aligned to 16 bytes");

__host__ __device__ constexpr uint32_t piece_count(uint32_t symbols) {
    return (symbols + PIECE_SYMBOLS - 1) / PIECE_SYMBOLS;
}

constexpr uint32_t LIST_WORDS = LIST_BYTES / 4;

/// The lists of a warp's lanes: word w of lane l at [w][l], place 4w in its lowest bits.
struct WarpLists {
    uint32_t word[LIST_WORDS][WARP_LANES];

    /// Makes a lane's list the one whose place k holds k.
    __device__ __forceinline__ void begin(int lane) {
        for (uint32_t w = 0; w < LIST_WORDS; ++w) word[w][lane] = 4 * w * 0x01010101u + 0x03020100u;
    }

    /// The byte at a place of a lane's list, which moves to the front.
    __device__ __forceinline__ uint32_t move_to_front(uint32_t rank, int lane) {
        const uint32_t last = rank / 4;
        const uint32_t shift = 8 * (rank % 4);
        const uint32_t of_rank = word[last][lane];
        const uint32_t value = of_rank >> shift & 0xFF;
        uint32_t carry = value;
        for (uint32_t w = 0; w < last; ++w) {
            const uint32_t old = word[w][lane];
            word[w][lane] = old << 8 | carry;
            carry = old >> 24;
        }
        // Of the rank's word only the places up to it are shifted.
        const uint32_t behind = 0xFFFFFF00u << shift;
        word[last][lane] = (of_rank & behind) | ((of_rank << 8 | carry) & ~behind);
        return value;
    }
};

/// Digits of a run that stand in front of each lane's symbol without a gap, if lanes of `digits` have digits and
/// `carry` of them stand in front of lane 0.
__device__ __forceinline__ uint32_t digits_before(uint32_t digits, uint32_t carry, int lane) {
    const uint32_t others = ~digits & ((1u << lane) - 1);
    return others == 0 ? lane + carry : static_cast<uint32_t>(__clz(others)) - (32 - lane);
}

/// Digits of a run in front of a symbol, MAX_RUN_DIGITS + 1 at most; a warp.
__device__ __forceinline__ uint32_t warp_digits_in_front(const uint16_t* symbols, uint32_t at, int lane) {
    static_assert(MAX_RUN_DIGITS < WARP_LANES, "one look is enough");
    const bool digit = static_cast<uint32_t>(lane) < at && symbols[at - 1 - lane] < RUN_DIGITS;
    const uint32_t others = ~__ballot_sync(ALL_LANES, digit);
    return others == 0 ? WARP_LANES : __ffs(others) - 1;
}

/// Bytes that a symbol makes: one, or what its digit of a run is worth.
__device__ __forceinline__ uint32_t symbol_bytes(uint32_t symbol, uint32_t digits_in_front) {
    return symbol >= RUN_DIGITS ? 1 : (symbol + 1) << min(digits_in_front, MAX_RUN_DIGITS);
}

/// First step: one piece; a lane of a warp whose lanes all call. `symbols` are those of the block, aligned to 16
/// bytes; ranks are replaced by places, which are RUN_DIGITS and more as well. False if a run has too many digits.
__device__ inline bool lane_read_piece(uint16_t* symbols, uint32_t symbol_count, uint32_t index, Piece* pieces,
                                       WarpLists& s_lists, int lane) {
    constexpr uint32_t ROW_SYMBOLS = 8;
    static_assert(PIECE_SYMBOLS % ROW_SYMBOLS == 0, "a piece is rows of 16 bytes");
    const uint32_t begin = min(index * PIECE_SYMBOLS, symbol_count);
    const uint32_t limit = min(begin + PIECE_SYMBOLS, symbol_count);
    s_lists.begin(lane);
    uint32_t digits = 0;  // of a run, in front of the symbol
    while (digits < begin && digits <= MAX_RUN_DIGITS && symbols[begin - 1 - digits] < RUN_DIGITS) ++digits;
    uint32_t bytes = 0;
    bool legal = true;
    for (uint32_t first = begin; first < limit; first += ROW_SYMBOLS) {
        uint4* row = reinterpret_cast<uint4*>(
            symbols + first);  // what lies behind the last symbol may be read, and is written as it was
        const uint4 loaded = *row;
        uint32_t words[4] = {loaded.x, loaded.y, loaded.z, loaded.w};
#pragma unroll
        for (uint32_t k = 0; k < ROW_SYMBOLS; ++k) {
            const uint32_t symbol = words[k / 2] >> (16 * (k % 2)) & 0xFFFF;
            if (first + k >= limit) break;
            if (symbol < RUN_DIGITS) {
                legal = legal && digits < MAX_RUN_DIGITS;
                bytes = min(bytes + symbol_bytes(symbol, digits), MOST_BYTES);
                ++digits;
                continue;
            }
            digits = 0;
            ++bytes;
            const uint32_t place = s_lists.move_to_front(min(symbol - 1, LIST_BYTES - 1), lane);
            words[k / 2] ^= (symbol ^ (place + RUN_DIGITS)) << (16 * (k % 2));
        }
        *row = make_uint4(words[0], words[1], words[2], words[3]);
    }
    __syncwarp();
    const uint32_t in_use = __ballot_sync(ALL_LANES, begin < limit);
    if (begin < limit) pieces[index].bytes = min(bytes, MOST_BYTES);
    // The warp writes each lane's list as a whole.
    const uint32_t first_index = index - lane;
    for (uint32_t left = in_use; left != 0; left &= left - 1) {
        const int turn = __ffs(left) - 1;
        uint2* to = reinterpret_cast<uint2*>(pieces[first_index + turn].list);
        to[lane] = make_uint2(s_lists.word[2 * lane][turn], s_lists.word[2 * lane + 1][turn]);
    }
    return legal;
}

/// Shared memory of the cta that joins the pieces of a block.
struct alignas(8) JoinScratch {
    uint8_t lists[JOIN_WARPS][LIST_BYTES];
    uint32_t bytes[JOIN_WARPS];
};

/// The list whose place k holds what `list` has at place permutation[k], for the eight places of this lane.
__device__ __forceinline__ uint2 lane_compose(const uint8_t* list, const uint2& permutation) {
    uint32_t words[2];
    const uint32_t places[2] = {permutation.x, permutation.y};
#pragma unroll
    for (int w = 0; w < 2; ++w) {
        words[w] = list[places[w] & 0xFF] | static_cast<uint32_t>(list[places[w] >> 8 & 0xFF]) << 8 |
                   static_cast<uint32_t>(list[places[w] >> 16 & 0xFF]) << 16 |
                   static_cast<uint32_t>(list[places[w] >> 24]) << 24;
    }
    return make_uint2(words[0], words[1]);
}

/// Second step: gives each piece its first list and where its output begins; a cta of JOIN_CTA_THREADS. Returns the
/// bytes of all, MOST_BYTES at most, in every thread.
__device__ inline uint32_t cta_join_pieces(Piece* pieces, uint32_t count, const uint8_t* first_list, JoinScratch& s) {
    const int lane = threadIdx.x % WARP_LANES;
    const uint32_t warp = threadIdx.x / WARP_LANES;
    const uint32_t share = (count + JOIN_WARPS - 1) / JOIN_WARPS;
    const uint32_t begin = min(warp * share, count);
    const uint32_t limit = min(begin + share, count);
    uint2* s_list = reinterpret_cast<uint2*>(s.lists[warp]);

    // What this warp's pieces do together.
    const uint32_t first_place = LANE_PLACES * lane * 0x01010101u;
    s_list[lane] = make_uint2(first_place + 0x03020100u, first_place + 0x07060504u);
    __syncwarp();
    uint32_t bytes = 0;
    for (uint32_t at = begin; at < limit; ++at) {
        const uint2 joined = lane_compose(s.lists[warp], reinterpret_cast<const uint2*>(pieces[at].list)[lane]);
        bytes = min(bytes + pieces[at].bytes, MOST_BYTES);
        __syncwarp();
        s_list[lane] = joined;
        __syncwarp();
    }
    if (lane == 0) s.bytes[warp] = bytes;
    __syncthreads();
    // The list that each warp's pieces begin with, and where their output does.
    if (warp == 0) {
        uint2 list = reinterpret_cast<const uint2*>(first_list)[lane];
        for (int of = 0; of < JOIN_WARPS; ++of) {
            uint2* s_of = reinterpret_cast<uint2*>(s.lists[of]);
            const uint2 permutation = s_of[lane];
            __syncwarp();
            s_of[lane] = list;
            __syncwarp();
            list = lane_compose(s.lists[of], permutation);
        }
        const uint32_t own = s.bytes[lane];
        uint32_t sum = own;
        for (int distance = 1; distance < WARP_LANES; distance *= 2) {
            const uint32_t other = __shfl_up_sync(ALL_LANES, sum, distance);
            if (lane >= distance) sum = min(sum + other, MOST_BYTES);
        }
        s.bytes[lane] = sum;
    }
    __syncthreads();
    uint32_t at_byte = warp == 0 ? 0 : s.bytes[warp - 1];
    for (uint32_t at = begin; at < limit; ++at) {
        uint2* list = reinterpret_cast<uint2*>(pieces[at].list);
        const uint2 permutation = list[lane];
        const uint2 mine = s_list[lane];
        const uint2 joined = lane_compose(s.lists[warp], permutation);
        list[lane] = mine;
        if (lane == 0) pieces[at].output_at = at_byte;
        at_byte = min(at_byte + pieces[at].bytes, MOST_BYTES);
        __syncwarp();
        s_list[lane] = joined;
        __syncwarp();
    }
    return s.bytes[JOIN_WARPS - 1];
}
static_assert(JOIN_WARPS == WARP_LANES, "one warp adds up the warps");

/// Writes the bytes of 32 symbols, `bytes` of each lane's from `at` on; a warp.
__device__ __forceinline__ void warp_write_bytes(uint8_t* output, uint32_t output_limit, uint32_t at, uint32_t bytes,
                                                 uint32_t value, int lane) {
    // One symbol after the other that has more than four bytes, by the whole warp.
    if (bytes <= 4) {
        for (uint32_t k = 0; k < bytes; ++k) {
            if (at + k < output_limit) output[at + k] = static_cast<uint8_t>(value);
        }
    }
    for (uint32_t longer = __ballot_sync(ALL_LANES, bytes > 4); longer != 0; longer &= longer - 1) {
        const int turn = __ffs(longer) - 1;
        const uint32_t begin = __shfl_sync(ALL_LANES, at, turn);
        const uint32_t count = __shfl_sync(ALL_LANES, bytes, turn);
        const uint32_t fill = __shfl_sync(ALL_LANES, value, turn) * 0x01010101u;
        const uint32_t limit = min(begin + count, output_limit);
        const uint32_t rows_begin = min((begin + 15) & ~15u, limit);
        const uint32_t rows_limit = max(limit & ~15u, rows_begin);
        for (uint32_t to = begin + lane; to < rows_begin; to += WARP_LANES) output[to] = static_cast<uint8_t>(fill);
        for (uint32_t to = rows_begin + 16 * lane; to < rows_limit; to += 16 * WARP_LANES) {
            *reinterpret_cast<uint4*>(output + to) = make_uint4(fill, fill, fill, fill);
        }
        for (uint32_t to = rows_limit + lane; to < limit; to += WARP_LANES) output[to] = static_cast<uint8_t>(fill);
    }
}

/// Third step: writes one piece's output; a warp. `output` is aligned to 16 bytes; `s_lanes` are words of shared
/// memory of the warp, one a lane.
__device__ inline void warp_write_piece(const uint16_t* symbols, uint32_t symbol_count, uint32_t index,
                                        const Piece& piece, uint8_t* output, uint32_t output_limit, uint2* s_lanes,
                                        int lane) {
    const uint32_t begin = index * PIECE_SYMBOLS;
    const uint32_t limit = min(begin + PIECE_SYMBOLS, symbol_count);
    const uint8_t* s_list = reinterpret_cast<const uint8_t*>(s_lanes);
    s_lanes[lane] = reinterpret_cast<const uint2*>(piece.list)[lane];
    __syncwarp();
    uint32_t carry = warp_digits_in_front(symbols, begin, lane);
    uint32_t at_byte = piece.output_at;
    uint32_t front = s_list[0];
    for (uint32_t first = begin; first < limit; first += WARP_LANES) {
        const uint32_t at = first + lane;
        const uint32_t symbol = at < limit ? symbols[at] : RUN_DIGITS;
        const uint32_t digits = __ballot_sync(ALL_LANES, symbol < RUN_DIGITS);
        const uint32_t in_front = digits_before(digits, carry, lane);
        carry = digits == ALL_LANES ? carry + WARP_LANES : static_cast<uint32_t>(__clz(~digits));
        const uint32_t bytes = at < limit ? symbol_bytes(symbol, in_front) : 0;
        const uint32_t own = s_list[(symbol - RUN_DIGITS) & (LIST_BYTES - 1)];
        // A digit's byte is that of the last rank before it.
        const uint32_t ranks = __ballot_sync(ALL_LANES, at < limit && symbol >= RUN_DIGITS);
        const uint32_t before = ranks & (0xFFFFFFFFu >> (31 - lane));
        const uint32_t from_lane = __shfl_sync(ALL_LANES, own, before == 0 ? 0 : 31 - __clz(before));
        const uint32_t value = before == 0 ? front : from_lane;
        const uint32_t sum = warp_inclusive_sum(bytes, lane);
        warp_write_bytes(output, output_limit, at_byte + sum - bytes, bytes, value, lane);
        at_byte += __shfl_sync(ALL_LANES, sum, WARP_LANES - 1);
        front = __shfl_sync(ALL_LANES, value, WARP_LANES - 1);
    }
}

}  // namespace warpcodec::mtf
