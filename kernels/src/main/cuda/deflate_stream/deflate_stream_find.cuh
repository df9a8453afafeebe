// Finds where dynamic blocks may begin: looks at every bit position of a range, and lists, in order, those at which
// the header of a dynamic block stands that is whole and sound. After Kerbiriou and Chikhi (pugz, 2019) and Knespel
// and Brunst (rapidgzip, 2023), whose finders are a core's work.
//
// A header is sound where deflate_header.cuh, and zlib, find it so. There are three sieves, in the order of what they
// cost:
//
// A. BTYPE 2, at most 286 literal/length and 30 distance codes: 10 of the first 13 bits, for 32 positions of a thread
// at once, as
//    masks. 22 of 100 random positions pass, and at most every second of any.
// B. The precode is complete: its lengths, 4 to 19 of 3 bits each, looked up four at a time in a table of their
// shares of the
//    code space. 9 of 10,000 positions have passed both.
// C. The code lengths can be read, and belong to sound codes: one thread per position, 32 positions at a time, which
// a queue collects.
//    Lengths are not kept: what is left of the code space tells all. Random bits over-subscribe it after some 60
//    lengths.
//
// What is listed may still be no block: the bytes of a stored block may hold another stream, and chance is left with
// less than one position in 10^8. Not listed are stored and fixed blocks, whose headers say next to nothing.
// Following a chain of blocks shows both.
//
// One warp takes a tile of TILE_BITS positions, with TILE_SLOTS places for what it finds; more is counted, and not
// listed. A second kernel joins the tiles' lists: each of its warps adds up all counts in front of its own tiles by
// itself, so that none waits for another.
//
// Bounded time: 316 code lengths at most for every second position; a header takes 2,286 bits at most. Where a header
// begins near the end, bits behind the end are undefined, and it is not listed.
#pragma once

#include <cstdint>

#include "../common/layout.cuh"
#include "../common/warp.cuh"
#include "../deflate/deflate_header.cuh"
#include "deflate_stream_format.cuh"

namespace warpcodec::deflate_stream {

using namespace deflate;

constexpr uint32_t TURN_BITS = WARP_LANES * WORD_BITS;
/// Positions that a warp looks at for one list: 2 KiB.
constexpr uint32_t TILE_BITS = 16 * TURN_BITS;
/// Blocks as small as 64 bytes, one behind the other, fit.
constexpr uint32_t TILE_SLOTS = 32;
/// Tiles whose lists one warp joins.
constexpr uint32_t LIST_TILES = 1024;
static_assert(TILE_BITS % TURN_BITS == 0 && LIST_TILES % WARP_LANES == 0);

/// A code space of 2^7, since the precode's lengths have 3 bits.
constexpr int MAX_PRECODE_BITS = MAX_PRECODE_LENGTH;
constexpr uint32_t PRECODE_SPACE = 1u << MAX_PRECODE_BITS;
constexpr uint32_t PRECODE_QUADS = 1u << (4 * PRECODE_LENGTH_BITS);

/// What was found, 8 bytes.
struct FindResult {
    uint32_t found;
    uint32_t listed;
};
static_assert(sizeof(FindResult) == 8, "the host reads results of 8 bytes");

/// What is searched, and where to, as kernels take it; device memory. Positions are in bits from the first byte of
/// the input.
struct Search {
    const uint8_t* input;
    uint32_t input_bytes;  ///< more than 0
    uint32_t begin;
    uint32_t limit;
    uint32_t list_limit;
    uint32_t* list;  ///< [list_limit]
    FindResult* result;
    uint32_t* tile_counts;  ///< [tile_count]: how many were found in a tile
    uint32_t* tile_slots;  ///< [tile_count * TILE_SLOTS]: the first of them
    uint32_t tile_count;

    __device__ __forceinline__ bool is_sound() const { return input_bytes != 0 && input_bytes <= MAX_FIND_BYTES; }
};
constexpr Layout SEARCH_LAYOUT = Layout()
                                     .WARPCODEC_FIELD(Search, input)
                                     .WARPCODEC_FIELD(Search, input_bytes)
                                     .WARPCODEC_FIELD(Search, begin)
                                     .WARPCODEC_FIELD(Search, limit)
                                     .WARPCODEC_FIELD(Search, list_limit)
                                     .WARPCODEC_FIELD(Search, list)
                                     .WARPCODEC_FIELD(Search, result)
                                     .WARPCODEC_FIELD(Search, tile_counts)
                                     .WARPCODEC_FIELD(Search, tile_slots)
                                     .WARPCODEC_FIELD(Search, tile_count);
static_assert(SEARCH_LAYOUT.is_of<Search>() && sizeof(Search) == 64, "the host sets these fields");

/// Shared memory of a cta: shares of the code space that four lengths have together, at most 255.
struct PrecodeSums {
    uint8_t of_four[PRECODE_QUADS];
};

/// Shared memory of a warp.
struct FindScratch {
    uint32_t queue[2 * WARP_LANES];  // positions that passed two sieves
    uint8_t ordered[PRECODE_SYMBOLS][WARP_LANES];  // each lane's symbols of the precode, by length and number
};

/// The entry `quad` of PrecodeSums. Four lengths of 1, which take 256, belong to no code, and 255 is as far beyond
/// 128 for every sum.
__device__ __forceinline__ uint8_t thread_precode_sum(uint32_t quad) {
    uint32_t sum = 0;
#pragma unroll
    for (int code = 0; code < 4; ++code) {
        const uint32_t length = quad >> (PRECODE_LENGTH_BITS * code) & 7;
        sum += length == 0 ? 0 : PRECODE_SPACE >> length;
    }
    return static_cast<uint8_t>(min(sum, 255u));
}

/// Sieve A: of the 32 positions from the first bit of `low` on, those that pass; `high` are the next 32 bits.
__device__ __forceinline__ uint32_t thread_sieve_types(uint32_t low, uint32_t high) {
    const auto bit = [&](uint32_t index) { return __funnelshift_r(low, high, index); };
    static_assert(MAX_LITERAL_CODES - MIN_LITERAL_CODES == 29 && MAX_DISTANCE_CODES - MIN_DISTANCE_CODES == 29,
                  "HLIT and HDIST of 30 and 31 do not exist");
    const uint32_t many_literals = bit(HLIT_AT + 1) & bit(HLIT_AT + 2) & bit(HLIT_AT + 3) & bit(HLIT_AT + 4);
    const uint32_t many_distances = bit(HDIST_AT + 1) & bit(HDIST_AT + 2) & bit(HDIST_AT + 3) & bit(HDIST_AT + 4);
    static_assert(BTYPE_DYNAMIC == 2, "of BTYPE the higher bit alone");
    return ~bit(BFINAL_BITS) & bit(BFINAL_BITS + 1) & ~many_literals & ~many_distances;
}

/// Sieve B for the position `at` bits, less than 32, into `words`.
__device__ __forceinline__ bool thread_precode_is_complete(const uint32_t (&words)[4], uint32_t at,
                                                           const PrecodeSums& sums) {
    const uint32_t from = at + HCLEN_AT;
    const bool late = from >= WORD_BITS;
    const uint32_t middle = late ? words[2] : words[1];
    const uint32_t low = __funnelshift_r(late ? words[1] : words[0], middle, from);
    const uint32_t high = __funnelshift_r(middle, late ? words[3] : words[2], from);
    const uint32_t length_bits = PRECODE_LENGTH_BITS * ((low & ((1u << HCLEN_BITS) - 1)) + MIN_PRECODE_CODES);
    const uint64_t lengths =
        (static_cast<uint64_t>(high) << WORD_BITS | low) >> HCLEN_BITS & ~0ull >> (PAIR_BITS - length_bits);
    uint32_t sum = 0;
#pragma unroll
    for (int shift = 0; shift < 60; shift += 12) sum += sums.of_four[lengths >> shift & (PRECODE_QUADS - 1)];
    return sum == PRECODE_SPACE;
}

/// Takes note of `times` more codes of `length` bits.
__device__ __forceinline__ void thread_add_codes(CodeShape& shape, uint32_t length, uint32_t times) {
    if (length == 0 || times == 0) return;
    shape.limit += times << (MAX_CODE_BITS - length);
    shape.longest = max(shape.longest, length);
}

/// Sieve C for `position` of the stream, which passed the others. `ordered` is this lane's column of FindScratch.
///
/// The precode is decoded as in huffman_table.cuh: by comparing with limits, which lie in the bytes of a register
/// pair, [n] for n bits; no look-up is made, since most positions fail before it would pay.
__device__ __forceinline__ bool thread_header_is_sound(const BitStream& stream, uint32_t position, uint8_t* ordered) {
    BitReader reader(stream, position + HLIT_AT);
    const uint32_t literal_count = reader.take(stream, HLIT_BITS) + MIN_LITERAL_CODES;
    const uint32_t code_count = literal_count + reader.take(stream, HDIST_BITS) + MIN_DISTANCE_CODES;
    const uint32_t precode_codes = reader.take(stream, HCLEN_BITS) + MIN_PRECODE_CODES;
    uint64_t lengths = 0;  // by symbol
    uint64_t counts = 0;  // by length
#pragma unroll 1
    for (uint32_t index = 0; index < precode_codes; ++index) {
        const uint32_t length = reader.take(stream, PRECODE_LENGTH_BITS);
        lengths |= static_cast<uint64_t>(length) << (PRECODE_LENGTH_BITS * PRECODE_ORDER[index]);
        counts += 1ull << (8 * length);
    }
    uint64_t limits = 0;
    uint64_t places = 0;  // of a length's next symbol
    uint64_t offsets = 0;  // what to add to a code for its place
    uint32_t limit = 0;
    uint32_t place = 0;
#pragma unroll
    for (int bits = 1; bits <= MAX_PRECODE_BITS; ++bits) {
        const uint32_t count = static_cast<uint32_t>(counts >> (8 * bits)) & 255;
        places |= static_cast<uint64_t>(place) << (8 * bits);
        offsets |= static_cast<uint64_t>(place - (limit >> (MAX_PRECODE_BITS - bits)) & 255) << (8 * bits);
        limit += count << (MAX_PRECODE_BITS - bits);
        place += count;
        limits |= static_cast<uint64_t>(limit) << (8 * bits);
    }
    if (limit != PRECODE_SPACE) return false;  // behind the end of the input, bits may be others than sieve B saw
#pragma unroll 1
    for (uint32_t symbol = 0; symbol < PRECODE_SYMBOLS; ++symbol) {
        const uint32_t length = static_cast<uint32_t>(lengths >> (PRECODE_LENGTH_BITS * symbol)) & 7;
        if (length == 0) continue;
        ordered[(places >> (8 * length) & 255) * WARP_LANES] = static_cast<uint8_t>(symbol);
        places += 1ull << (8 * length);
    }
    CodeShape literals{0, 0};
    CodeShape distances{0, 0};
    uint32_t previous = 0;
#pragma unroll 1
    for (uint32_t at = 0; at < code_count;) {
        const uint32_t bits = reader.peek();
        const uint32_t code = __brev(bits) >> (WORD_BITS - MAX_PRECODE_BITS);
        uint32_t code_bits = 1;
#pragma unroll
        for (int n = 1; n < MAX_PRECODE_BITS; ++n)
            code_bits += code >= (static_cast<uint32_t>(limits >> (8 * n)) & 255);
        // The code is complete, so that this is below the number of its symbols.
        const uint32_t found =
            static_cast<uint32_t>(offsets >> (8 * code_bits)) + (code >> (MAX_PRECODE_BITS - code_bits)) & 255;
        const uint32_t symbol = ordered[found * WARP_LANES];
        const uint32_t more_bits = symbol < REPEAT_PREVIOUS    ? 0
                                   : symbol == REPEAT_PREVIOUS ? REPEAT_PREVIOUS_BITS
                                   : symbol == REPEAT_ZERO     ? REPEAT_ZERO_BITS
                                                               : REPEAT_ZERO_LONG_BITS;
        const uint32_t least = symbol < REPEAT_PREVIOUS     ? 1
                               : symbol == REPEAT_ZERO_LONG ? REPEAT_ZERO_LONG_LEAST
                                                            : REPEAT_LEAST;
        const uint32_t times = least + (bits >> code_bits & ((1u << more_bits) - 1));
        reader.skip(stream, code_bits + more_bits);
        if (symbol == REPEAT_PREVIOUS && at == 0) return false;
        if (times > code_count - at) return false;
        if (symbol != REPEAT_PREVIOUS) previous = symbol < REPEAT_PREVIOUS ? symbol : 0;
        const uint32_t of_literals = min(times, literal_count - min(at, literal_count));
        thread_add_codes(literals, previous, of_literals);
        thread_add_codes(distances, previous, times - of_literals);
        if (literals.over_subscribed() || distances.over_subscribed()) return false;
        if (previous == 0 && at <= END_OF_BLOCK && END_OF_BLOCK < at + times) return false;
        at += times;
    }
    return reader.position() <= stream.end && (literals.complete() || literals.trivial()) &&
           (distances.complete() || distances.trivial());
}

/// A tile being searched; the same in all lanes.
struct TileState {
    uint32_t queued = 0;
    uint32_t found = 0;
};

/// Sieve C for the first positions of the queue, up to 32. The rest moves up.
__device__ __forceinline__ void warp_check_queue(const Search& search, const BitStream& stream, uint32_t tile,
                                                 TileState& state, FindScratch& scratch, int lane) {
    __syncwarp();
    const uint32_t position = scratch.queue[lane];
    const uint32_t next = scratch.queue[WARP_LANES + lane];
    const uint32_t count = min(state.queued, static_cast<uint32_t>(WARP_LANES));
    const bool sound =
        lane < static_cast<int>(count) && thread_header_is_sound(stream, position, &scratch.ordered[0][lane]);
    __syncwarp();
    const uint32_t all = __ballot_sync(ALL_LANES, sound);
    const uint32_t slot = state.found + __popc(all & ((1u << lane) - 1));
    if (sound && slot < TILE_SLOTS) search.tile_slots[tile * TILE_SLOTS + slot] = position - stream.begin;
    scratch.queue[lane] = next;
    state.found += __popc(all);
    state.queued -= count;
    __syncwarp();
}

/// Searches tile `tile`. Tiles begin where the first position's word does.
__device__ __forceinline__ void warp_find_tile(const Search& search, uint32_t tile, const PrecodeSums& sums,
                                               FindScratch& scratch, int lane) {
    const BitStream stream(search.input, search.input_bytes);
    const uint32_t* words = reinterpret_cast<const uint32_t*>(stream.pairs);
    const uint32_t last_word = 2 * stream.last_pair + 1;
    const uint32_t limit = stream.begin + min(search.limit, stream.end - stream.begin);
    const uint32_t begin = stream.begin + min(search.begin, stream.end - stream.begin);
    const uint64_t first =
        static_cast<uint64_t>(begin) / WORD_BITS * WORD_BITS + static_cast<uint64_t>(tile) * TILE_BITS;
    TileState state;
#pragma unroll 1
    for (uint32_t turn = 0; turn < TILE_BITS / TURN_BITS && first + turn * TURN_BITS < limit; ++turn) {
        const uint32_t own = static_cast<uint32_t>(first) + turn * TURN_BITS + lane * WORD_BITS;
        uint32_t here[4];
#pragma unroll
        for (int word = 0; word < 4; ++word) here[word] = __ldg(words + min(own / WORD_BITS + word, last_word));
        uint32_t open = thread_sieve_types(here[0], here[1]);
        if (own < begin) open &= ALL_LANES << (begin - own);  // only in the first word
        if (own + WORD_BITS > limit) open &= own < limit ? ~(ALL_LANES << (limit - own)) : 0;
        uint32_t passed = 0;
        while (open != 0) {
            const uint32_t at = __ffs(static_cast<int>(open)) - 1;
            open &= open - 1;
            passed |= static_cast<uint32_t>(thread_precode_is_complete(here, at, sums)) << at;
        }
        // In order: each lane's positions lie behind those of the lanes before it.
        while (__ballot_sync(ALL_LANES, passed != 0) != 0) {
            const uint32_t count = __popc(passed);
            const uint32_t sum = warp_inclusive_sum(count, lane);
            uint32_t place = state.queued + sum - count;
            while (passed != 0 && place < 2 * WARP_LANES) {
                scratch.queue[place++] = own + __ffs(static_cast<int>(passed)) - 1;
                passed &= passed - 1;
            }
            state.queued = min(state.queued + __shfl_sync(ALL_LANES, sum, WARP_LANES - 1), 2u * WARP_LANES);
            while (state.queued >= WARP_LANES) warp_check_queue(search, stream, tile, state, scratch, lane);
        }
    }
    if (state.queued != 0) warp_check_queue(search, stream, tile, state, scratch, lane);
    if (lane == 0) search.tile_counts[tile] = state.found;
}

/// Joins the lists of LIST_TILES tiles, those from part * LIST_TILES on. The last part's warp writes the result.
__device__ __forceinline__ void warp_list_blocks(const Search& search, uint32_t part, int lane) {
    const uint32_t first = part * LIST_TILES;
    const uint32_t limit = min(first + LIST_TILES, search.tile_count);
    uint32_t found = 0;
    uint32_t listed = 0;
#pragma unroll 4
    for (uint32_t tile = lane; tile < first; tile += WARP_LANES) {
        const uint32_t count = __ldg(search.tile_counts + tile);
        found += count;
        listed += min(count, TILE_SLOTS);
    }
    found = __shfl_sync(ALL_LANES, warp_inclusive_sum(found, lane), WARP_LANES - 1);
    listed = __shfl_sync(ALL_LANES, warp_inclusive_sum(listed, lane), WARP_LANES - 1);
#pragma unroll 1
    for (uint32_t from = first; from < limit; from += WARP_LANES) {
        const uint32_t tile = from + lane;
        const uint32_t count = tile < limit ? __ldg(search.tile_counts + tile) : 0;
        const uint32_t kept = min(count, TILE_SLOTS);
        const uint32_t sum = warp_inclusive_sum(kept, lane);
#pragma unroll 1
        for (uint32_t slot = 0; slot < kept; ++slot) {
            const uint32_t place = listed + sum - kept + slot;
            if (place < search.list_limit) search.list[place] = __ldg(search.tile_slots + tile * TILE_SLOTS + slot);
        }
        listed += __shfl_sync(ALL_LANES, sum, WARP_LANES - 1);
        found += __shfl_sync(ALL_LANES, warp_inclusive_sum(count, lane), WARP_LANES - 1);
    }
    if (limit == search.tile_count && lane == 0) *search.result = FindResult{found, min(listed, search.list_limit)};
}

}  // namespace warpcodec::deflate_stream
