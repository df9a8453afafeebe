// A plain encoder of streams of one prefix code on the host.
#pragma once

#include <functional>
#include <queue>
#include <utility>

#include "huffman/huffman_code.cuh"
#include "huffman_format.cuh"
#include "zlib_bodies.h"

using warpcodec::huffman::MAX_CODE_BITS;
using warpcodec::huffman::SYMBOLS;

/// Lengths by Huffman's algorithm; if one exceeds 15, rare bytes are counted up until none does.
inline Bytes code_lengths(const uint8_t* raw, size_t bytes) {
    uint64_t counts[SYMBOLS] = {};
    for (size_t i = 0; i < bytes; ++i) ++counts[raw[i]];
    for (uint64_t least = 1;; least *= 2) {
        using Node = std::pair<uint64_t, int>;
        std::priority_queue<Node, std::vector<Node>, std::greater<Node>> queue;
        std::vector<int> parents, leaves(SYMBOLS, -1);
        Bytes lengths(SYMBOLS, 0);
        const auto add = [&](uint64_t weight) {
            queue.push({weight, static_cast<int>(parents.size())});
            parents.push_back(-1);
        };
        for (int symbol = 0; symbol < SYMBOLS; ++symbol) {
            if (counts[symbol] == 0) continue;
            leaves[symbol] = static_cast<int>(parents.size());
            add(std::max(counts[symbol], least));
        }
        while (queue.size() > 1) {
            const Node a = queue.top();
            queue.pop();
            const Node b = queue.top();
            queue.pop();
            parents[a.second] = parents[b.second] = static_cast<int>(parents.size());
            add(a.first + b.first);
        }
        int longest = 0;
        for (int symbol = 0; symbol < SYMBOLS; ++symbol) {
            if (leaves[symbol] < 0) continue;
            int depth = 0;
            for (int node = leaves[symbol]; parents[node] >= 0; node = parents[node]) ++depth;
            lengths[symbol] = static_cast<uint8_t>(std::max(depth, 1));
            longest = std::max(longest, depth);
        }
        if (longest <= MAX_CODE_BITS) return lengths;
    }
}

/// Encodes bytes that all have a word, bit by bit.
inline Bytes encode(const uint8_t* raw, size_t bytes, const Bytes& lengths) {
    uint32_t next[MAX_CODE_BITS + 2] = {}, counts[MAX_CODE_BITS + 1] = {}, codes[SYMBOLS] = {};
    for (uint8_t length : lengths) counts[length] += length != 0;
    for (int length = 1; length <= MAX_CODE_BITS; ++length) next[length + 1] = (next[length] + counts[length]) << 1;
    for (int symbol = 0; symbol < SYMBOLS; ++symbol) {
        if (lengths[symbol] == 0) continue;
        const uint32_t code = next[lengths[symbol]]++;
        for (int bit = 0; bit < lengths[symbol]; ++bit)
            codes[symbol] |= (code >> bit & 1) << (lengths[symbol] - 1 - bit);
    }
    Bytes out;
    uint64_t bits = 0;
    int held = 0;
    for (size_t i = 0; i < bytes; ++i) {
        bits |= static_cast<uint64_t>(codes[raw[i]]) << held;
        for (held += lengths[raw[i]]; held >= 8; held -= 8, bits >>= 8) out.push_back(static_cast<uint8_t>(bits));
    }
    if (held) out.push_back(static_cast<uint8_t>(bits));
    return out;
}
