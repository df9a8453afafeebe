// Puts bits of many threads together in shared memory, and sends them out as words.
//
// The stage is an array of words whose bits are zero where none have been put. Each thread knows where its bits go;
// it puts them there by atomic or, so the result does not depend on the order, and no thread needs to know which
// others write to the same word. Whole words go out; the bits behind them begin the next turn. Positions are counted
// in bits, lowest bit of the first word first, as DEFLATE does.
#pragma once

#include <cstdint>

namespace warpcodec::huffman {

/// Puts at most 64 bits at a bit of the stage, whose words were zero there. Two or three words are touched.
__device__ __forceinline__ void thread_put_bits(uint32_t* words, uint32_t at, uint64_t bits, uint32_t count) {
    if (count == 0) return;
    const uint32_t shift = at & 31;
    const uint64_t shifted = bits << shift;
    uint32_t* word = words + (at >> 5);
    atomicOr(word, static_cast<uint32_t>(shifted));
    if (shift + count > 32) atomicOr(word + 1, static_cast<uint32_t>(shifted >> 32));
    if (shift + count > 64) atomicOr(word + 2, static_cast<uint32_t>(bits >> (64 - shift)));
}

/// The words that have gone out, and bits of the stage that have not.
struct BitPosition {
    uint32_t words;
    uint32_t stage_bits;
};

/// Sends out the stage's whole words, store(index, word) for each, and moves the rest to its front: then the stage is
/// zero behind it. Waits for the group before, between and at the end.
template <typename Group, typename Store>
__device__ __forceinline__ BitPosition group_flush(const Group& group, BitPosition position, uint32_t* words,
                                                   Store store) {
    group.sync();
    const uint32_t whole = position.stage_bits >> 5;
    uint32_t rest = 0;
    for (uint32_t i = group.rank; i <= whole; i += Group::SIZE) {
        const uint32_t word = words[i];
        if (i < whole) store(position.words + i, word);
        else rest = word;
        words[i] = 0;
    }
    group.sync();
    if (group.rank == whole % Group::SIZE) words[0] = rest;
    group.sync();
    return BitPosition{position.words + whole, position.stage_bits & 31};
}

}  // namespace warpcodec::huffman
