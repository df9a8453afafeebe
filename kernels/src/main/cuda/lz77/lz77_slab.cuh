// A slab of output that a cta writes.
//
// Notes. What makes the bytes is a row of runs (a token, a literal run, a match), and each byte has to find its own. A
// run that begins in the slab is noted at that place, and a bit set there. The last bit up to a byte gives the byte's
// run, and how far in the run it is. A run that began in front of the slab has no bit. It is the latest one, which is
// kept as each slab ends. A run is noted by 16 bits, of which the caller knows what they say.
//
// Links. The byte's run says where the byte comes from. It is known, or lies in front of the slab, where it is written
// already, or in the slab. Bytes of the last kind follow links to where they are known, and all are stored.
//
// Each byte of a slab has a link: to itself where it is known, or else to the place of the slab that it is a copy of.
// Bytes follow links in rounds: each goes some links, and where one is still on its way, all write down where they
// came. So the 500 links of rows of equal length are three rounds.
//
// A match that overlaps itself repeats what lies in front of it. Its bytes go back by the largest power of two times
// the offset that stays in the match. So links within a match are few, as each halves the way.
//
// A warp has TURNS times 32 bytes of the slab, side by side, and stores eight a lane. So the slab's place 0 lies at a
// multiple of eight in memory, in front of its first byte.
//
// Bounds: links lead to smaller places of the slab. A byte in front of which nothing is noted has the latest run.
#pragma once

#include <cstdint>

#include "../common/warp.cuh"

namespace warpcodec::lz77 {

constexpr uint32_t NO_SLAB_PLACE = 0xFFFFFFFFu;
constexpr int NO_NOTE = -1;
constexpr int LINKS_A_ROUND = 8;  ///< that a byte follows before links are written down
constexpr uint32_t STORED_AT_ONCE = 8;  ///< bytes of a lane

/// Shared memory of a cta of so many warps while it ends a slab.
template <uint32_t WARPS, uint32_t TURNS_>
struct SlabScratch {
    static constexpr uint32_t TURNS = TURNS_;
    static constexpr uint32_t THREADS = WARPS * WARP_LANES;
    static constexpr uint32_t BYTES = THREADS * TURNS;
    static_assert(TURNS % STORED_AT_ONCE == 0 && TURNS <= 32 && BYTES <= 1u << 16, "turns are bits, places have 16");
    uint16_t links[BYTES];  ///< from a place of the slab to the one where its byte is, or nearer to that
    alignas(8) uint8_t bytes[BYTES];
};

/// Shared memory of a cta for the runs that begin in a slab.
template <typename Slab>
struct SlabNotes {
    static constexpr uint32_t WORDS = Slab::BYTES / WARP_LANES;
    uint32_t begins[WORDS];  ///< a bit for each place where a run begins
    uint16_t notes[Slab::BYTES];  ///< of the runs, at the places where they begin

    __device__ __forceinline__ void cta_clear() {
        for (uint32_t word = threadIdx.x; word < WORDS; word += Slab::THREADS) begins[word] = 0;
    }

    __device__ __forceinline__ void thread_note(uint32_t at, uint16_t note) {
        notes[at] = note;
        atomicOr(begins + at / WARP_LANES, 1u << at % WARP_LANES);
    }
};

/// The last run that began in a slab, in shared memory.
struct LatestNote {
    uint32_t place;  ///< in the output
    uint32_t note;
};

/// How many bytes a match goes back for its byte `at`.
__device__ __forceinline__ uint32_t thread_way_back(uint32_t at, uint32_t offset) {
    if (at < offset) return offset;
    const uint32_t way = offset << (__clz(static_cast<int>(offset)) - __clz(static_cast<int>(at)));
    return way <= at ? way : way >> 1;
}

/// Follows links, and writes the places [gap, end) of the slab to `output` + `to_place` + the place. `linked` has a bit
/// for each turn in which a byte of this warp comes from the slab. A barrier of the cta comes first, so that all
/// links and bytes are seen, and another one before the scratch is used again.
template <typename Slab>
__device__ __forceinline__ void cta_finish_slab(Slab& slab, uint32_t linked, uint8_t* output, int32_t to_place,
                                                uint32_t gap, uint32_t end) {
    const uint32_t warp = threadIdx.x / WARP_LANES;
    const uint32_t lane = threadIdx.x % WARP_LANES;
    uint32_t places[Slab::TURNS];  // where a byte is, or nearer to that
    for (;;) {
        bool is_on_the_way = false;
#pragma unroll
        for (uint32_t turn = 0; turn < Slab::TURNS; ++turn) {
            places[turn] = NO_SLAB_PLACE;
            if ((linked >> turn & 1) == 0) continue;
            uint32_t link = slab.links[(warp * Slab::TURNS + turn) * WARP_LANES + lane];
            uint32_t further = slab.links[link];
            for (int step = 0; step < LINKS_A_ROUND && further < link; ++step) {
                link = further;
                further = slab.links[link];
            }
            places[turn] = link;
            is_on_the_way |= further < link;
        }
        if (!__syncthreads_or(is_on_the_way)) break;
#pragma unroll
        for (uint32_t turn = 0; turn < Slab::TURNS; ++turn) {
            if (places[turn] != NO_SLAB_PLACE)
                slab.links[(warp * Slab::TURNS + turn) * WARP_LANES + lane] = static_cast<uint16_t>(places[turn]);
        }
        __syncthreads();
    }
#pragma unroll
    for (uint32_t turn = 0; turn < Slab::TURNS; ++turn) {
        const uint32_t at = (warp * Slab::TURNS + turn) * WARP_LANES + lane;
        if (places[turn] != NO_SLAB_PLACE && places[turn] != at) slab.bytes[at] = slab.bytes[places[turn]];
    }
    __syncwarp();
#pragma unroll
    for (uint32_t part = 0; part < Slab::TURNS; part += STORED_AT_ONCE) {
        const uint32_t at = (warp * Slab::TURNS + part) * WARP_LANES + lane * STORED_AT_ONCE;
        const uint2 pair = *reinterpret_cast<const uint2*>(slab.bytes + at);
        uint8_t* target = output + (static_cast<int32_t>(at) + to_place);
        if (at >= gap && at + STORED_AT_ONCE <= end) {
            *reinterpret_cast<uint2*>(target) = pair;
        } else {
#pragma unroll
            for (uint32_t byte = 0; byte < STORED_AT_ONCE; ++byte) {
                if (at + byte >= gap && at + byte < end)
                    target[byte] = static_cast<uint8_t>((byte < 4 ? pair.x : pair.y) >> (8 * (byte % 4)));
            }
        }
    }
}

/// Where the last run begins in front of word `word` of the slab: a place of the slab, or NO_NOTE.
template <typename Slab>
__device__ __forceinline__ int warp_find_note_before(const SlabNotes<Slab>& noted, int word, int lane) {
#pragma unroll 1
    for (; word > 0; word -= WARP_LANES) {
        const int own = word - WARP_LANES + lane;
        const uint32_t begins = own >= 0 ? noted.begins[own] : 0;
        const uint32_t lanes = __ballot_sync(ALL_LANES, begins != 0);
        if (lanes == 0) continue;
        const int last_lane = 31 - __clz(static_cast<int>(lanes));
        const int last = 31 - __clz(static_cast<int>(__shfl_sync(ALL_LANES, begins, last_lane)));
        return (word - WARP_LANES + last_lane) * WARP_LANES + last;
    }
    return NO_NOTE;
}

/// Writes the bytes [low, limit), whose runs are noted: a slab at most, its first byte at place `gap`. Clears the
/// notes. A barrier of the cta comes before, and another one before the scratch is used again, but for notes.
///
/// find(note, place, run_place, value) answers where the byte at output place `place` comes from, if that is `low` or
/// behind it. If not, the answer is NO_SLAB_PLACE, and the byte's value is set. The run of that note begins at output
/// place `run_place`.
template <typename Slab, typename Find>
__device__ __forceinline__ void cta_write_slab(SlabNotes<Slab>& noted, Slab& slab, LatestNote& latest_run,
                                               uint8_t* output, uint32_t low, uint32_t limit, uint32_t gap, Find find) {
    constexpr uint32_t TURNS = Slab::TURNS;
    const uint32_t warp = threadIdx.x / WARP_LANES;
    const uint32_t lane = threadIdx.x % WARP_LANES;
    const uint32_t to_lane = ALL_LANES >> (WARP_LANES - 1 - lane);
    const int32_t to_place = static_cast<int32_t>(low) - static_cast<int32_t>(gap);
    const uint32_t end = limit - low + gap;
    int latest = warp_find_note_before(noted, static_cast<int>(warp * TURNS), static_cast<int>(lane));
    uint32_t values[TURNS];
    uint32_t linked = 0;  // turns in which a byte of the warp comes from the slab
#pragma unroll
    for (uint32_t turn = 0; turn < TURNS; ++turn) {
        const uint32_t word = warp * TURNS + turn;
        const uint32_t at = word * WARP_LANES + lane;
        const uint32_t begins = noted.begins[word];
        const uint32_t own = begins & to_lane;
        const int last_of_word = static_cast<int>(word * WARP_LANES + 31);
        const int begin = own == 0 ? latest : last_of_word - __clz(static_cast<int>(own));
        if (begins != 0) latest = last_of_word - __clz(static_cast<int>(begins));
        uint32_t link = at;
        values[turn] = 0;
        if (at >= gap && at < end) {
            const uint32_t note = begin == NO_NOTE ? latest_run.note : noted.notes[begin];
            const uint32_t run_place = begin == NO_NOTE ? latest_run.place : begin + to_place;
            const uint32_t source = find(note, at + to_place, run_place, values[turn]);
            if (source != NO_SLAB_PLACE) link = source - to_place;
        }
        slab.links[at] = static_cast<uint16_t>(link);
        if (__any_sync(ALL_LANES, link != at)) linked |= 1u << turn;
    }
#pragma unroll
    for (uint32_t turn = 0; turn < TURNS; ++turn)
        slab.bytes[(warp * TURNS + turn) * WARP_LANES + lane] = static_cast<uint8_t>(values[turn]);
    __syncthreads();
    if (lane == 0 && latest != NO_NOTE && warp == (end - 1) / (TURNS * WARP_LANES)) {
        latest_run.place = latest + to_place;
        latest_run.note = noted.notes[latest];
    }
    noted.cta_clear();
    cta_finish_slab(slab, linked, output, to_place, gap, end);
}

}  // namespace warpcodec::lz77
