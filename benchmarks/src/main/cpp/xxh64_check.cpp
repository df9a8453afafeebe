// Runs checksum_xxh64.cuh on a CPU (fibres/fibres.h), and compares with the hash as its specification has it.
//
//   g++ -O2 -std=c++17 -I ../../../../kernels/src/main/cuda xxh64_check.cpp fibres/fibres.cpp -o xxh64_check
//   xxh64_check
//
// Contents of every length to 700, around stages, and of 100,000 bytes, at eight places, with two seeds, threads in
// several orders. Behind the word that holds a content's last byte begins a page that nothing may read. The exit status
// is 1 if a hash is wrong.
#include "fibres/fibres.h"
// and behind it
#include "checksum/checksum_xxh64.cuh"

#include <sys/mman.h>

#include <memory>
#include <random>
#include <string>

using namespace warpcodec::checksum;

namespace {

struct Reference {
    const uint8_t* at;
    size_t left;

    uint64_t take(int bytes) {
        uint64_t value = 0;
        for (int i = 0; i < bytes; ++i) value |= uint64_t{at[i]} << (8 * i);
        at += bytes;
        left -= bytes;
        return value;
    }
    static uint64_t turn(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }
    static uint64_t round(uint64_t sum, uint64_t word) {
        return turn(sum + word * 0xC2B2AE3D27D4EB4Full, 31) * 0x9E3779B185EBCA87ull;
    }

    uint64_t hash(uint64_t seed) {
        const uint64_t one = 0x9E3779B185EBCA87ull, two = 0xC2B2AE3D27D4EB4Full, three = 0x165667B19E3779F9ull,
                       four = 0x85EBCA77C2B2AE63ull, five = 0x27D4EB2F165667C5ull;
        const uint64_t bytes = left;
        uint64_t sum = seed + five;
        if (left >= 32) {
            uint64_t sums[4] = {seed + one + two, seed + two, seed, seed - one};
            while (left >= 32) {
                for (uint64_t& each : sums) each = round(each, take(8));
            }
            sum = turn(sums[0], 1) + turn(sums[1], 7) + turn(sums[2], 12) + turn(sums[3], 18);
            for (const uint64_t each : sums) sum = (sum ^ round(0, each)) * one + four;
        }
        sum += bytes;
        while (left >= 8) sum = turn(sum ^ round(0, take(8)), 27) * one + four;
        if (left >= 4) sum = turn(sum ^ take(4) * one, 23) * two + three;
        while (left > 0) sum = turn(sum ^ take(1) * five, 11) * one;
        sum = (sum ^ sum >> 33) * two;
        sum = (sum ^ sum >> 29) * three;
        return sum ^ sum >> 32;
    }
};

size_t right, wrong;

void judge(bool is_right, const std::string& what) {
    ++(is_right ? right : wrong);
    if (!is_right && wrong < 20) std::printf("WRONG: %s\n", what.c_str());
}

/// The end of some pages of memory, behind which lies a page that nothing may read.
uint32_t* guarded_end() {
    constexpr size_t BYTES = 1 << 20, PAGE_BYTES = 1 << 16;
    static uint32_t* const end = [] {
        void* all = mmap(nullptr, BYTES + PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (all == MAP_FAILED || mprotect(static_cast<uint8_t*>(all) + BYTES, PAGE_BYTES, PROT_NONE) != 0) std::exit(2);
        return static_cast<uint32_t*>(all) + BYTES / sizeof(uint32_t);
    }();
    return end;
}

void check(uint32_t bytes, uint32_t place, uint32_t seed, uint32_t order, std::mt19937& random) {
    const size_t words = (place + bytes + 3) / 4;
    uint32_t* buffer = guarded_end() - words;
    for (size_t i = 0; i < words; ++i) buffer[i] = static_cast<uint32_t>(random());
    const uint8_t* input = reinterpret_cast<const uint8_t*>(buffer);
    const ContentEntry content{place, bytes, seed};
    const auto stages = std::make_unique<Xxh64Stages>();
    std::memset(static_cast<void*>(stages.get()), 0xA5, sizeof *stages);
    uint64_t hashes[warpcodec::WARP_LANES];
    fibres::run(1, warpcodec::WARP_LANES, order, [&] {
        const int lane = static_cast<int>(threadIdx.x);
        hashes[lane] = warp_xxh64(input, content, *stages, lane);
    });
    const uint64_t expected = Reference{input + place, bytes}.hash(seed);
    bool is_right = true;
    for (const uint64_t hash : hashes) is_right &= hash == expected;
    judge(is_right, std::to_string(bytes) + " bytes at " + std::to_string(place) + ", seed " + std::to_string(seed));
}

}  // namespace

int main() {
    const auto known = [](const char* text, uint64_t hash) {
        judge(Reference{reinterpret_cast<const uint8_t*>(text), std::strlen(text)}.hash(0) == hash, text);
    };
    known("", 0xEF46DB3751D8E999ull);
    known("a", 0xD24EC4F1A98C6E5Bull);
    known("abc", 0x44BC2CF5AD770999ull);
    std::mt19937 random(3);
    for (uint32_t place = 0; place < 8; ++place) {
        for (uint32_t bytes = 0; bytes <= 700; ++bytes) check(bytes, place, bytes % 2, bytes % 3, random);
        constexpr uint32_t STAGE = 8 * XXH64_STAGE_WORDS;
        for (uint32_t stages = 1; stages <= 4; ++stages) {
            for (uint32_t bytes = stages * STAGE - 40; bytes <= stages * STAGE + 40; ++bytes)
                check(bytes, place, 0x9E3779B1u, bytes % 5, random);
        }
        check(100'000, place, 0, 1, random);
    }
    std::printf("%zu right, %zu wrong\n", right, wrong);
    return wrong == 0 ? 0 : 1;
}
