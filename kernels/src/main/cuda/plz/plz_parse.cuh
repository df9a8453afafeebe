// A parse by price of a frame's chunks: LANES lanes a chunk, place by place, the chunks of a warp side by side.
//
// 1. A chunk knows the cheapest way to each place before it that ends with a match: its cost, its last step, and the
//    three last offsets behind it. To its own place it knows the cheapest that ends with a literal, too. The cheaper of
//    both goes on by matches, and either by a literal: what is cheaper here may be dearer behind it. Ways to the NEAR
//    next places lie in shared memory, those to later ones in a ring of FAR in device memory. A bit in shared memory
//    tells whether a place has a way there: only where long matches end the ring is touched.
// 2. At a place, the way there is extended by a literal and by matches: of candidates (plz_measure.cuh), and of the
//    three offsets to repeat, each measured by a lane. A lane takes each LANES-th length up to ALL_LENGTHS, with the
//    cheapest match that has it. So no two lanes reach the same place.
// 3. Longer lengths follow, a match after the other: the whole one, and the ENDS next below it, a lane each. A match of
//    MOST_MATCH bytes is taken at once: nothing that begins in it is tried.
// 4. A thread traces a chunk back, and leaves its path in place of its steps. In front of a run is the cheapest match
//    that ends there, though the way with literals may be cheaper.
//
// LANES change neither the order in which ways to a place are tried nor where steps and ways lie, which is by groups of
// StrongShape. So paths are the same. More lanes make a place sooner, fewer make more places at a time.
//
// Bounds: matches end with their chunk, so a step leads to its end at most. A step is shorter than FAR.
#pragma once

#include "plz_shape.cuh"

namespace warpcodec::plz {

constexpr uint32_t REPEATS = 3;  ///< offsets that may be repeated
constexpr uint32_t NEAR = 32, FAR = 512;
constexpr uint32_t ALL_LENGTHS = 30;
constexpr uint32_t ENDS = 3;  ///< lengths next below a whole one
constexpr uint32_t NOT_REACHED = ~0u;
constexpr uint32_t PRICE_OF_BIT = 64;
static_assert(ALL_LENGTHS < NEAR && MOST_MATCH < FAR);
static_assert(4 % BROUGHT == 0, "chunks begin at multiples of four");

/// Bits of each symbol with its extra bits, times PRICE_OF_BIT.
struct BlockPrices {
    static constexpr uint32_t RUNS = 64;  ///< priced each for itself; longer ones by their code
    uint16_t literal[256];
    uint16_t run[RUNS];
    uint16_t long_run[16];  ///< by the highest bit of its length
    uint16_t offset[32];
    uint16_t match[MOST_MATCH + 1];
    uint32_t cost;  ///< bits of all symbols that the prices were made by

    __device__ __forceinline__ uint32_t of_run(uint32_t length) const {
        return length < RUNS ? run[length] : long_run[31 - __clz(static_cast<int>(length))];
    }
};
static_assert(sizeof(BlockPrices) % sizeof(uint32_t) == 0);

/// The prices by which a unit is parsed: of two that its frame has, those whose own symbols cost less.
__device__ __forceinline__ const BlockPrices* prices_for(const ParseBatch& batch, uint32_t unit) {
    const BlockPrices* prices = batch.prices + prices_of_unit(batch, unit);
    const bool is_second = batch.second_prices != 0 && prices[batch.second_prices].cost < prices->cost;
    return is_second ? prices + batch.second_prices : prices;
}

/// The cheapest way to a place: its cost, the match that it ends with or the run of literals, and the last offsets.
struct alignas(16) Way {
    uint32_t cost;
    uint32_t first;  ///< last offset, and the match's length behind OFFSET_BITS
    uint32_t second;  ///< the one before, and of the run as many bits as there is space for
    uint32_t third;  ///< the one before that, and the rest of the run

    static __device__ __forceinline__ Way of(uint32_t cost, uint32_t match, uint32_t run, uint32_t last0,
                                             uint32_t last1, uint32_t last2) {
        return {cost, last0 | match << OFFSET_BITS, last1 | run << OFFSET_BITS,
                last2 | run >> LENGTH_BITS << OFFSET_BITS};
    }
    __device__ __forceinline__ uint32_t match() const { return first >> OFFSET_BITS; }
    __device__ __forceinline__ uint32_t run() const {
        return second >> OFFSET_BITS | third >> OFFSET_BITS << LENGTH_BITS;
    }
    __device__ __forceinline__ uint32_t last0() const { return first & ((1u << OFFSET_BITS) - 1); }
    __device__ __forceinline__ uint32_t last1() const { return second & ((1u << OFFSET_BITS) - 1); }
    __device__ __forceinline__ uint32_t last2() const { return third & ((1u << OFFSET_BITS) - 1); }
    /// The last step: a match, or 0 and the run of literals above.
    __device__ __forceinline__ uint32_t step() const {
        return match() > 0 ? match() | last0() << LENGTH_BITS : run() << LENGTH_BITS;
    }
};

/// Shared memory of a warp that parses.
template <uint32_t CHUNKS>
struct WarpMemory {
    /// Words behind a chunk's matches, so that chunks' lie in different banks.
    static constexpr uint32_t ROW = BROUGHT * SLOTS + 4;
    uint32_t cost[NEAR][CHUNKS], first[NEAR][CHUNKS], second[NEAR][CHUNKS], third[NEAR][CHUNKS];  ///< ways
    uint32_t is_far[FAR / 32][CHUNKS];  ///< which places have a way in the ring
    alignas(16) PackedMatch matches[CHUNKS][ROW];  ///< of BROUGHT places
};

/// Shared memory of a cta that parses, with the prices of its units.
template <uint32_t LANES, uint32_t WARPS, uint32_t UNITS>
struct ParseMemory {
    WarpMemory<WARP_LANES / LANES> warps[WARPS];
    BlockPrices prices[UNITS];
};

/// A match that may be taken at a place.
struct Choice {
    uint32_t length, offset;
    uint32_t cost;  ///< without the price of its length
    uint32_t repeat;  ///< which of the last offsets it repeats; REPEATS if none
};

/// Brings text that is soon needed to the second cache.
__device__ __forceinline__ void thread_prefetch(const uint8_t* at) {
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
#else
    (void)at;
#endif
}

/// Where a chunk stands, and the ways from there.
template <uint32_t CHUNKS>
struct Here {
    WarpMemory<CHUNKS>& memory;
    Way* far;
    const uint8_t* text;  ///< from the place on
    uint32_t in_warp;  ///< the chunk
    uint32_t place;
    uint32_t last0, last1, last2;

    __device__ __forceinline__ Way& far_way(uint32_t to) const { return far[to % FAR * StrongShape::GROUP_CHUNKS]; }
    __device__ __forceinline__ uint32_t& far_word(uint32_t to) const { return memory.is_far[to % FAR / 32][in_warp]; }

    __device__ __forceinline__ uint32_t& near_cost(uint32_t to) const { return memory.cost[to % NEAR][in_warp]; }
    __device__ __forceinline__ Way near_way(uint32_t to) const {
        const uint32_t row = to % NEAR;
        return {memory.cost[row][in_warp], memory.first[row][in_warp], memory.second[row][in_warp],
                memory.third[row][in_warp]};
    }
    __device__ __forceinline__ void set_near(uint32_t to, const Way& way) const {
        const uint32_t row = to % NEAR;
        memory.cost[row][in_warp] = way.cost;
        memory.first[row][in_warp] = way.first;
        memory.second[row][in_warp] = way.second;
        memory.third[row][in_warp] = way.third;
    }

    __device__ __forceinline__ Way way_by(const Choice& choice, uint32_t length, uint32_t cost) const {
        return Way::of(cost, length, 0, choice.offset, choice.repeat == 0 ? last1 : last0,
                       choice.repeat <= 1 ? last2 : last1);
    }

    /// Takes a match of less than NEAR bytes if that way is the cheapest.
    __device__ __forceinline__ void take_near(const Choice& choice, uint32_t length, uint32_t cost) const {
        if (cost >= near_cost(place + length)) return;
        set_near(place + length, way_by(choice, length, cost));
        // what follows will ask whether the offset repeats
        if (choice.repeat == REPEATS) thread_prefetch(text + length - choice.offset);
    }
    /// Takes a longer one likewise.
    __device__ __forceinline__ void take_far(const Choice& choice, uint32_t length, uint32_t cost) const {
        Way& known = far_way(place + length);
        const uint32_t bit = 1u << (place + length) % 32;
        if ((atomicOr(&far_word(place + length), bit) & bit) != 0 && cost >= known.cost) return;
        known = way_by(choice, length, cost);
    }
    /// Gives a way that becomes near, and forgets it.
    __device__ __forceinline__ Way take_back(uint32_t to) const {
        const uint32_t bit = 1u << to % 32;
        uint32_t& word = far_word(to);
        if ((word & bit) == 0) return {NOT_REACHED, 0, 0, 0};
        word &= ~bit;
        return far_way(to);
    }
};

/// The match that was measured last.
struct Measured {
    uint32_t offset, end;
};

/// Length of the match with `offset`, which begins with `eight` bytes. What was measured last time is remembered.
__device__ __forceinline__ uint32_t thread_repeated_length(const uint8_t* text, uint32_t at, uint32_t offset,
                                                           uint64_t eight, uint32_t most, Measured& known) {
    uint32_t length = equal_bytes(eight ^ thread_load_text(text + at - offset));
    if (length < 8) return min(length, most);
    if (known.offset == offset && known.end > at) length = max(length, known.end - at);
    length = thread_common_length(text, at - offset, at, min(length, most), most);
    known = {offset, at + length};
    return length;
}

/// A chunk's share of a vote.
template <uint32_t LANES>
__device__ __forceinline__ uint32_t votes_of_chunk(bool vote, uint32_t first_lane) {
    return __ballot_sync(ALL_LANES, vote) >> first_lane & ((1u << LANES) - 1);
}

/// Matches of the next places, which lanes of a chunk bring in pieces.
template <uint32_t LANES>
struct Brought {
    static constexpr uint32_t ALL_PIECES = BROUGHT * SLOTS / 4, PIECES = parts_of(ALL_PIECES, LANES);
    struct alignas(16) Piece {
        PackedMatch of[4];
    };
    Piece pieces[PIECES];

    __device__ __forceinline__ void ask(const PackedMatch* matches, uint32_t own) {
#pragma unroll
        for (uint32_t i = 0; i < PIECES; ++i) {
            if (i * LANES + own < ALL_PIECES) pieces[i] = reinterpret_cast<const Piece*>(matches)[i * LANES + own];
        }
    }
    /// Matches whose offset is greater than `most_offset` are left out.
    __device__ __forceinline__ void leave_out(uint32_t most_offset) {
        for (Piece& piece : pieces) {
            for (PackedMatch& match : piece.of) match = offset_of(match) > most_offset ? 0 : match;
        }
    }
    __device__ __forceinline__ void put(PackedMatch* shared, uint32_t own) const {
#pragma unroll
        for (uint32_t i = 0; i < PIECES; ++i) {
            if (i * LANES + own < ALL_PIECES) reinterpret_cast<Piece*>(shared)[i * LANES + own] = pieces[i];
        }
    }
};

/// Eight bytes of text from a place on, which goes on a byte at a time.
struct Window {
    const uint32_t* next;
    uint32_t words[4];  ///< the first holds the place's byte

    __device__ __forceinline__ explicit Window(const uint8_t* aligned)
        : next(reinterpret_cast<const uint32_t*>(aligned) + 4), words{next[-4], next[-3], next[-2], next[-1]} {}

    __device__ __forceinline__ uint64_t eight(uint32_t place) const {
        const uint32_t past = place % 4 * 8;
        const uint64_t low = words[0] | uint64_t{words[1]} << 32;
        return past == 0 ? low : low >> past | uint64_t{words[2]} << (64 - past);
    }
    /// Goes on by a word; `is_more` if there is another one.
    __device__ __forceinline__ void go_on(bool is_more) {
        words[0] = words[1];
        words[1] = words[2];
        words[2] = words[3];
        if (is_more) words[3] = *next;
        ++next;
    }
};

/// The cheapest way to the next place that ends with this literal, of those here by a match and by a literal.
__device__ __forceinline__ Way literal_behind(const Way& by_match, const Way& by_literal, const BlockPrices& prices,
                                              uint32_t byte) {
    const uint32_t run = by_literal.run(), longer = prices.of_run(run + 1) - prices.of_run(run);
    const uint32_t more =
        by_literal.cost == NOT_REACHED ? NOT_REACHED : by_literal.cost + prices.literal[byte] + longer;
    const uint32_t first = by_match.cost == NOT_REACHED
                               ? NOT_REACHED
                               : by_match.cost + prices.literal[byte] + prices.run[1] - prices.run[0];
    const bool is_first = first < more;
    const Way& from = is_first ? by_match : by_literal;
    return Way::of(is_first ? first : more, 0, is_first ? 1 : run + 1, from.last0(), from.last1(), from.last2());
}

/// Parses as many chunks as the warp has LANES for, each lane its chunk `number`; IS_SAMPLED: by near candidates only.
/// All lanes of the warp call.
template <uint32_t LANES, bool IS_SAMPLED = false>
__device__ __forceinline__ void warp_parse_chunks(const ParseBatch& batch, const Chunk& chunk, uint32_t number,
                                                  const BlockPrices& prices, WarpMemory<WARP_LANES / LANES>& memory) {
    constexpr uint32_t CHUNKS = WARP_LANES / LANES, GROUP = StrongShape::GROUP_CHUNKS;
    // many lanes have all matches of a place each, so that none asks others: with few chunks waits count
    constexpr bool HAS_ALL = LANES > SLOTS;
    constexpr uint32_t HELD = HAS_ALL ? SLOTS : SLOTS / LANES;
    constexpr int WIDTH = static_cast<int>(LANES);
    static_assert(LANES >= REPEATS && HELD >= 1 && (HAS_ALL ? LANES + SLOTS : LANES * (HELD + 1)) <= 32);
    const uint32_t lane = threadIdx.x % WARP_LANES, in_warp = lane / LANES, own = lane % LANES;
    const uint32_t first_lane = lane - own;
    Here<CHUNKS> here{
        memory, batch.ways + size_t{number / GROUP} * FAR * GROUP + number % GROUP, nullptr, in_warp, 0, 0, 0, 0};
    for (uint32_t place = own; place < NEAR; place += LANES) here.near_cost(place) = NOT_REACHED;
    for (uint32_t word = own; word < FAR / 32; word += LANES) memory.is_far[word][in_warp] = 0;
    __syncwarp();
    // the way here that ends with a literal
    Way literal = Way::of(prices.run[0], 0, 0, 0, 0, 0);
    uint32_t* steps = batch.steps + column_of(chunk, GROUP);
    uint32_t* arrivals = batch.arrivals + column_of(chunk, GROUP);
    const PackedMatch* matches = batch.rows + matches_at(chunk.from);
    PackedMatch* shared_matches = memory.matches[in_warp];
    Brought<LANES> brought;
    brought.ask(matches, own);
    Window window(batch.text + chunk.from);
    Measured known{0, 0};
    uint32_t resumes = 0, place = 0;
    for (; __any_sync(ALL_LANES, place < chunk.bytes); ++place) {
        if (place % BROUGHT == 0) {
            if constexpr (IS_SAMPLED) brought.leave_out(batch.most_offset);
            // votes order no memory: all lanes have read the matches that are overwritten
            __syncwarp();
            brought.put(shared_matches, own);
            if (place + BROUGHT < chunk.bytes) brought.ask(matches + (place + BROUGHT) * ROW_WORDS, own);
            if (place > 0) window.go_on(place + 12 < chunk.bytes);
        }
        __syncwarp();
        const bool is_on = place < chunk.bytes && place >= resumes;
        const uint32_t at = chunk.from + place;
        const PackedMatch* own_matches = shared_matches + place % BROUGHT * SLOTS;
        // the way that becomes near: no match of this place reaches it from afar
        const uint32_t becomes_near = place + NEAR - 1;
        const bool brings = place > 0 && own == LANES - 1;
        Way back{};
        if (brings) back = here.take_back(becomes_near);
        const Way arrival = here.near_way(place);
        const Way way = arrival.cost < literal.cost ? arrival : literal;
        if (own == 0 && place - 1 < chunk.bytes) {
            steps[(place - 1) * GROUP] = way.step();
            arrivals[(place - 1) * GROUP] = arrival.step();
        }
        here.text = batch.text + at;
        here.place = place;
        here.last0 = way.last0();
        here.last1 = way.last1();
        here.last2 = way.last2();
        const uint32_t run = way.run(), most = min(chunk.bytes - place, MOST_MATCH);
        const uint32_t base = way.cost + prices.run[0];
        const uint64_t eight = window.eight(place);
        // a lane measures a match that repeats an offset
        uint32_t repeated_offset = 0, repeated_length = 0;
        if (is_on && own < REPEATS) {
            const uint32_t which = own + (run > 0 ? 0 : 1);
            repeated_offset = which == 0   ? here.last0
                              : which == 1 ? here.last1
                              : which == 2 ? here.last2
                                           : here.last0 - min(here.last0, 1u);
            if (repeated_offset != 0 && repeated_offset <= chunk.in_frame + place)
                repeated_length = thread_repeated_length(batch.text, at, repeated_offset, eight, most, known);
            if (repeated_length < LEAST_MATCH) repeated_length = 0;
        }
        PackedMatch match[HELD];
        uint32_t ends = 0, longest = HAS_ALL ? 0 : repeated_length;
#pragma unroll
        for (uint32_t k = 0; k < HELD; ++k) {
            match[k] = is_on ? own_matches[HAS_ALL ? k : k * LANES + own] : 0;
            if (match[k] != 0) ends |= 1u << min(length_of(match[k]), 31u);
            longest = max(longest, length_of(match[k]));
        }
        if constexpr (!HAS_ALL) {
#pragma unroll
            for (int distance = WIDTH / 2; distance > 0; distance /= 2) {
                ends |= __shfl_xor_sync(ALL_LANES, ends, distance);
                longest = max(longest, __shfl_xor_sync(ALL_LANES, longest, distance));
            }
        }
        Choice repeats[REPEATS];
#pragma unroll
        for (uint32_t value = 0; value < REPEATS; ++value) {
            const int from = static_cast<int>(value);
            repeats[value] = {__shfl_sync(ALL_LANES, repeated_length, from, WIDTH),
                              __shfl_sync(ALL_LANES, repeated_offset, from, WIDTH),
                              base + prices.offset[value == 0 ? 0 : 1], value + (run > 0 ? 0 : 1)};
            if constexpr (HAS_ALL) longest = max(longest, repeats[value].length);
        }
        literal = is_on ? literal_behind(arrival, literal, prices, eight & 0xFF) : Way{NOT_REACHED, 0, 0, 0};
        if (brings) here.set_near(becomes_near, back);
        const auto candidate_of = [&](PackedMatch found) -> Choice {
            const uint32_t offset = offset_of(found);
            const uint32_t code = 31 - __clz(static_cast<int>(offset + REPEATS));
            return {length_of(found), offset, base + prices.offset[code], REPEATS};
        };
        for (uint32_t first = LEAST_MATCH; first <= ALL_LENGTHS; first += LANES) {
            if (!__any_sync(ALL_LANES, longest >= first)) break;
            const uint32_t length = first + own;
            if (length > longest || length > ALL_LENGTHS) continue;
            Choice best{0, 0, NOT_REACHED, 0};
#pragma unroll
            for (uint32_t value = 0; value < REPEATS; ++value) {
                if (repeats[value].length >= length && repeats[value].cost < best.cost) best = repeats[value];
            }
            const uint32_t shorter = __popc(ends & ((1u << length) - 1));
            const PackedMatch found = shorter < SLOTS ? own_matches[shorter] : 0;
            if (length_of(found) >= length) {
                const Choice candidate = candidate_of(found);
                if (candidate.cost < best.cost) best = candidate;
            }
            here.take_near(best, length, best.cost + prices.match[length]);
        }
        if (__any_sync(ALL_LANES, longest > ALL_LENGTHS)) {
            __syncwarp();
            // repeats first, as they are tried first above
            uint32_t is_long = votes_of_chunk<LANES>(repeated_length > ALL_LENGTHS, first_lane);
#pragma unroll
            for (uint32_t k = 0; k < HELD; ++k) {
                const bool is_own = length_of(match[k]) > ALL_LENGTHS;
                is_long |= HAS_ALL ? uint32_t{is_own} << (LANES + k)
                                   : votes_of_chunk<LANES>(is_own, first_lane) << LANES * (k + 1);
            }
            while (__any_sync(ALL_LANES, is_long != 0)) {
                if (is_long != 0) {
                    const uint32_t which = static_cast<uint32_t>(__ffs(static_cast<int>(is_long)) - 1);
                    uint32_t least = ALL_LENGTHS;
                    Choice tried = which == 0 ? repeats[0] : which == 1 ? repeats[1] : repeats[2];
                    if (which >= LANES) {
                        tried = candidate_of(own_matches[which - LANES]);
                        if (which > LANES) least = max(least, length_of(own_matches[which - LANES - 1]));
                    }
                    for (uint32_t i = own; i <= ENDS && (i == 0 || i + least < tried.length); i += LANES) {
                        const uint32_t length = tried.length - i;
                        const uint32_t cost = tried.cost + prices.match[length];
                        if (length < NEAR) {
                            here.take_near(tried, length, cost);
                        } else {
                            here.take_far(tried, length, cost);
                        }
                    }
                    is_long &= is_long - 1;
                }
                __syncwarp();
            }
        }
        if (longest == MOST_MATCH) resumes = place + MOST_MATCH;
    }
    __syncwarp();
    if (own == 0 && place - 1 < chunk.bytes) {
        const Way arrival = here.near_way(place);
        steps[(place - 1) * GROUP] = (arrival.cost < literal.cost ? arrival : literal).step();
        arrivals[(place - 1) * GROUP] = arrival.step();
    }
}

/// Parses the chunks of a cta, which are of UNITS rows at most. A cta has WARPS warps.
template <uint32_t LANES, uint32_t WARPS, uint32_t UNITS>
__device__ __forceinline__ void cta_parse(const ParseBatch& batch, uint32_t cta,
                                          ParseMemory<LANES, WARPS, UNITS>& shared) {
    constexpr uint32_t CHUNKS = WARP_LANES / LANES, PRICE_WORDS = sizeof(BlockPrices) / sizeof(uint32_t);
    const uint32_t first_of_cta = cta * WARPS * CHUNKS;
    if (first_of_cta >= chunk_count(batch)) return;
    const uint32_t rest = chunk_count(batch) - first_of_cta;
    for (uint32_t i = 0; i < UNITS && i * row_chunks(batch) < rest; ++i) {
        const uint32_t unit = (first_of_cta / row_chunks(batch) + i) % batch.frames.unit_count;
        const BlockPrices* prices = prices_for(batch, unit);
        for (uint32_t word = threadIdx.x; word < PRICE_WORDS; word += WARPS * WARP_LANES)
            reinterpret_cast<uint32_t*>(shared.prices + i)[word] = reinterpret_cast<const uint32_t*>(prices)[word];
    }
    __syncthreads();
    const uint32_t warp = threadIdx.x / WARP_LANES, first = first_of_cta + warp * CHUNKS;
    if (first >= chunk_count(batch)) return;
    const uint32_t number = first + threadIdx.x % WARP_LANES / LANES;
    const uint32_t row = UNITS == 1 ? 0 : number / row_chunks(batch) - first_of_cta / row_chunks(batch);
    warp_parse_chunks<LANES>(batch, chunk_of(batch, number), number, shared.prices[row], shared.warps[warp]);
}

/// Likewise for chunks that are samples of many units, whose prices stay where they are.
template <uint32_t LANES, uint32_t WARPS>
__device__ __forceinline__ void cta_parse_samples(const ParseBatch& batch, uint32_t cta,
                                                  WarpMemory<WARP_LANES / LANES> (&warps)[WARPS]) {
    constexpr uint32_t CHUNKS = WARP_LANES / LANES;
    const uint32_t warp = threadIdx.x / WARP_LANES, first = (cta * WARPS + warp) * CHUNKS;
    if (first >= chunk_count(batch)) return;
    const uint32_t number = first + threadIdx.x % WARP_LANES / LANES;
    const Chunk chunk = chunk_of(batch, number);
    warp_parse_chunks<LANES, true>(batch, chunk, number, *prices_for(batch, chunk.unit), warps[warp]);
}

/// Traces chunk `number` of groups of `chunks` back. Its path lies from the end of its column down. A step that does
/// not lead back into the chunk, or has an offset out of its frame, makes all of the chunk literals.
__device__ __forceinline__ void thread_trace_back(const ParseBatch& batch, uint32_t number, uint32_t chunks) {
    const Chunk chunk = chunk_of(batch, number);
    uint32_t* steps = batch.steps + column_of(chunk, chunks);
    const uint32_t* arrivals = batch.arrivals + column_of(chunk, chunks);
    uint32_t place = chunk.bytes, count = 0, matches = 0, literals = 0;
    bool is_behind = false;  // where a run begins, the way there ends with a match
    while (place > 0) {
        const uint32_t step = (is_behind ? arrivals : steps)[(place - 1) * chunks];
        const bool is_match = length_of(step) > 0;
        const uint32_t bytes = is_match ? length_of(step) : offset_of(step);
        bool is_sound = bytes > 0 && bytes <= place;
        if (is_match)
            is_sound &=
                bytes >= LEAST_MATCH && offset_of(step) > 0 && offset_of(step) <= chunk.in_frame + place - bytes;
        is_sound &= is_match || !is_behind;
        is_behind = !is_match;
        if (!is_sound) {
            steps[(chunk.most_bytes - 1) * chunks] = chunk.bytes << LENGTH_BITS;
            batch.paths[number] = {1, 0, static_cast<uint16_t>(chunk.bytes), 0};
            return;
        }
        steps[(chunk.most_bytes - ++count) * chunks] = step;
        matches += is_match ? 1 : 0;
        literals += is_match ? 0 : bytes;
        place -= bytes;
    }
    batch.paths[number] = {static_cast<uint16_t>(count), static_cast<uint16_t>(matches),
                           static_cast<uint16_t>(literals), 0};
}

}  // namespace warpcodec::plz
