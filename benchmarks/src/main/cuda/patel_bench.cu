// Times the algorithms of Patel's thesis (2012) on one device, for comparison with ours (bwt_encode_bench,
// bzip2_encode_bench, bzip2_decode_bench): his string merge sort, his move-to-front by a scan of lists, both ways,
// and his inverse transform by doubling pointers. Written after the thesis' text, not after his program. A program,
// not a test.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -I kernels/src/main/cuda -o patel_bench benchmarks/src/main/cuda/patel_bench.cu
//   patel_bench 900000 1,64,256 dickens osdb xml      BLOCK_BYTES BLOCKS,BLOCKS... FILE...
//
// One line of CSV a stage; ms is the median of three runs behind a first one. Each stage begins with what the one
// before has made; each is verified on the host for the distinct blocks: `sort` by inverting the column, `mtf` and
// `reverse_mtf` by a plain loop, `reverse_bwt` by the text. Millions of strings a second are millions of bytes a
// second here.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "common/warp.cuh"
#include "device_bench.cuh"

namespace {

using warpcodec::ALL_LANES;
using warpcodec::warp_inclusive_sum;
using warpcodec::WARP_LANES;

// ---- the string merge sort: section 2.1.1

constexpr int SORT_THREADS = 128, SORT_EACH = 8;
constexpr uint32_t SORT_TILE = SORT_THREADS * SORT_EACH;

/// A rotation: its first four characters, and where it begins.
struct Rotation {
    uint32_t key;
    uint32_t index;
};
constexpr Rotation LAST{~0u, ~0u};  // behind all others

__device__ __forceinline__ uint32_t characters(const uint8_t* text, uint32_t bytes, uint32_t at) {
    uint32_t word = 0;
    for (int i = 0; i < 4; ++i) {
        word = word << 8 | text[at];
        at = at + 1 == bytes ? 0 : at + 1;
    }
    return word;
}

/// Ties are broken four characters at a time.
__device__ bool comes_before(const uint8_t* text, uint32_t bytes, Rotation a, Rotation b) {
    if (a.key != b.key) return a.key < b.key;
    if (a.index == b.index || a.index == ~0u || b.index == ~0u) return a.index < b.index;
    for (uint32_t depth = 4; depth < bytes; depth += 4) {
        const uint32_t of_a = characters(text, bytes, (a.index + depth) % bytes),
                       of_b = characters(text, bytes, (b.index + depth) % bytes);
        if (of_a != of_b) return of_a < of_b;
    }
    return a.index < b.index;
}

/// How many of the first `outputs` of two merged sequences are of the first one.
__device__ uint32_t split_of(const uint8_t* text, uint32_t bytes, const Rotation* a, uint32_t a_count,
                             const Rotation* b, uint32_t b_count, uint32_t outputs) {
    uint32_t low = outputs > b_count ? outputs - b_count : 0, high = min(outputs, a_count);
    while (low < high) {
        const uint32_t half = (low + high) / 2;
        if (comes_before(text, bytes, b[outputs - 1 - half], a[half])) high = half;
        else low = half + 1;
    }
    return low;
}

/// Eight outputs of two sequences, from the given places on.
__device__ void merge_eight(const uint8_t* text, uint32_t bytes, const Rotation* a, uint32_t a_at, uint32_t a_count,
                            const Rotation* b, uint32_t b_at, uint32_t b_count, Rotation (&merged)[SORT_EACH]) {
    for (Rotation& next : merged) {
        const bool from_a = b_at >= b_count || (a_at < a_count && !comes_before(text, bytes, b[b_at], a[a_at]));
        next = from_a ? a_at < a_count ? a[a_at] : LAST : b[b_at];
        if (from_a) ++a_at;
        else ++b_at;
    }
}

__global__ void __launch_bounds__(SORT_THREADS)
    sort_tiles(const uint8_t* texts, Rotation* rotations, uint32_t bytes, uint32_t tiles_each) {
    __shared__ Rotation s_sorted[SORT_TILE];
    const uint32_t block = blockIdx.x / tiles_each, begin = blockIdx.x % tiles_each * SORT_TILE;
    const uint8_t* text = texts + size_t{block} * bytes;
    Rotation own[SORT_EACH];
    for (int i = 0; i < SORT_EACH; ++i) {
        const uint32_t index = begin + threadIdx.x * SORT_EACH + i;
        own[i] = index < bytes ? Rotation{characters(text, bytes, index), index} : LAST;
    }
#pragma unroll
    for (int size = 2; size <= SORT_EACH; size *= 2) {  // bitonic, within a thread
#pragma unroll
        for (int distance = size / 2; distance > 0; distance /= 2) {
#pragma unroll
            for (int i = 0; i < SORT_EACH; ++i) {
                const int other = i ^ distance;
                if (other > i && ((i & size) == 0) == comes_before(text, bytes, own[other], own[i])) {
                    const Rotation held = own[i];
                    own[i] = own[other];
                    own[other] = held;
                }
            }
        }
    }
    for (uint32_t width = SORT_EACH; width < SORT_TILE; width *= 2) {
        for (int i = 0; i < SORT_EACH; ++i) s_sorted[threadIdx.x * SORT_EACH + i] = own[i];
        __syncthreads();
        const uint32_t output = threadIdx.x * SORT_EACH, pair = output / (2 * width) * 2 * width;
        const Rotation *a = s_sorted + pair, *b = a + width;
        const uint32_t of_a = split_of(text, bytes, a, width, b, width, output - pair);
        merge_eight(text, bytes, a, of_a, width, b, output - pair - of_a, width, own);
        __syncthreads();
    }
    for (int i = 0; i < SORT_EACH; ++i) {
        const uint32_t index = begin + threadIdx.x * SORT_EACH + i;
        if (index < bytes) rotations[size_t{block} * bytes + index] = own[i];
    }
}

__global__ void __launch_bounds__(SORT_THREADS) merge_tiles(const uint8_t* texts, const Rotation* from, Rotation* to,
                                                            uint32_t bytes, uint32_t tiles_each, uint32_t width) {
    const uint32_t block = blockIdx.x / tiles_each,
                   output = blockIdx.x % tiles_each * SORT_TILE + threadIdx.x * SORT_EACH;
    if (output >= bytes) return;
    const uint8_t* text = texts + size_t{block} * bytes;
    const uint32_t pair = output / (2 * width) * 2 * width, a_count = min(width, bytes - pair);
    const uint32_t b_count = min(width, bytes - pair - a_count);
    const Rotation *a = from + size_t{block} * bytes + pair, *b = a + a_count;
    const uint32_t of_a = split_of(text, bytes, a, a_count, b, b_count, output - pair);
    Rotation merged[SORT_EACH];
    merge_eight(text, bytes, a, of_a, a_count, b, output - pair - of_a, b_count, merged);
    for (int i = 0; i < SORT_EACH; ++i) {
        if (output + i < bytes) to[size_t{block} * bytes + output + i] = merged[i];
    }
}

__global__ void write_columns(const uint8_t* texts, const Rotation* rotations, uint8_t* columns, uint32_t* origins,
                              uint32_t bytes, size_t all) {
    for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < all; i += size_t{gridDim.x} * blockDim.x) {
        const size_t block = i / bytes;
        const uint32_t index = rotations[i].index;
        columns[i] = texts[block * bytes + (index == 0 ? bytes : index) - 1];
        if (index == 0) origins[block] = static_cast<uint32_t>(i % bytes);
    }
}

// ---- move-to-front by a scan of lists, both ways: sections 2.2.1 and 3.2.1

constexpr int LIST = 256, PART = 64, MTF_THREADS = 128;

/// A list of at most 256 characters, the latest first; behind `count` undefined.
struct List {
    uint8_t at[LIST];
    uint32_t count;
};

/// Algorithms 2 and 3: the characters of a part, the latest first; then those of the part before that are not among
/// them.
struct Forward {
    __device__ static void begin(List& list, const uint8_t* part, uint32_t count) {
        uint32_t seen[8] = {};
        list.count = 0;
        for (uint32_t i = count; i-- > 0;) add(list, seen, part[i]);
    }
    __device__ static void join(List& joined, const List& earlier, const List& later) {
        uint32_t seen[8] = {};
        joined.count = 0;
        for (uint32_t i = 0; i < later.count; ++i) add(joined, seen, later.at[i]);
        for (uint32_t i = 0; i < earlier.count; ++i) add(joined, seen, earlier.at[i]);
    }
    /// The list in front of a block.
    __device__ static void nothing(List& list) { list.count = 0; }
    __device__ static void complete(List& list) {
        uint32_t seen[8] = {};
        const uint32_t count = list.count;
        list.count = 0;
        for (uint32_t i = 0; i < count; ++i) add(list, seen, list.at[i]);
        for (int value = 0; value < LIST; ++value) add(list, seen, static_cast<uint8_t>(value));
    }
    __device__ static void write(List& list, const uint8_t* part, uint32_t count, uint8_t* output) {
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t place = 0;
            while (list.at[place] != part[i]) ++place;
            output[i] = static_cast<uint8_t>(place);
            for (; place > 0; --place) list.at[place] = list.at[place - 1];
            list.at[0] = part[i];
        }
    }

private:
    __device__ static void add(List& list, uint32_t (&seen)[8], uint8_t value) {
        const uint32_t bit = 1u << value % 32;
        for (int word = 0; word < 8; ++word) {
            if (word != value / 32 || (seen[word] & bit) != 0) continue;
            seen[word] |= bit;
            list.at[list.count++] = value;
        }
    }
};

/// Algorithms 5 and 6: what a part of places makes of the list of all characters; a list through the one before.
struct Reverse {
    __device__ static void begin(List& list, const uint8_t* part, uint32_t count) {
        nothing(list);
        for (uint32_t i = 0; i < count; ++i) move(list, part[i]);
    }
    __device__ static void join(List& joined, const List& earlier, const List& later) {
        for (int i = 0; i < LIST; ++i) joined.at[i] = earlier.at[later.at[i]];
    }
    __device__ static void nothing(List& list) {
        for (int value = 0; value < LIST; ++value) list.at[value] = static_cast<uint8_t>(value);
    }
    __device__ static void complete(List&) {}
    __device__ static void write(List& list, const uint8_t* part, uint32_t count, uint8_t* output) {
        for (uint32_t i = 0; i < count; ++i) {
            output[i] = list.at[part[i]];
            move(list, part[i]);
        }
    }

private:
    __device__ static void move(List& list, uint32_t place) {
        const uint8_t value = list.at[place];
        for (; place > 0; --place) list.at[place] = list.at[place - 1];
        list.at[0] = value;
    }
};

struct MtfMemory {
    List lists[2][MTF_THREADS];
};

/// An inclusive scan of the cta's lists; answers which of the two arrays has it.
template <typename Way>
__device__ int cta_scan_lists(MtfMemory& memory) {
    int now = 0;
    for (int distance = 1; distance < MTF_THREADS; distance *= 2) {
        const List& own = memory.lists[now][threadIdx.x];
        List& next = memory.lists[1 - now][threadIdx.x];
        if (static_cast<int>(threadIdx.x) >= distance) Way::join(next, memory.lists[now][threadIdx.x - distance], own);
        else next = own;
        now = 1 - now;
        __syncthreads();
    }
    return now;
}

/// Step A and half of B: the lists of `MTF_THREADS` parts, joined.
template <typename Way>
__global__ void __launch_bounds__(MTF_THREADS)
    join_parts(const uint8_t* input, List* sums, uint32_t bytes, uint32_t ctas_each) {
    extern __shared__ uint4 s_memory[];
    MtfMemory& memory = *reinterpret_cast<MtfMemory*>(s_memory);
    const uint32_t block = blockIdx.x / ctas_each, at = (blockIdx.x % ctas_each * MTF_THREADS + threadIdx.x) * PART;
    Way::begin(memory.lists[0][threadIdx.x], input + size_t{block} * bytes + min(at, bytes),
               min(static_cast<uint32_t>(PART), bytes - min(at, bytes)));
    __syncthreads();
    const int now = cta_scan_lists<Way>(memory);
    if (threadIdx.x == MTF_THREADS - 1) sums[blockIdx.x] = memory.lists[now][threadIdx.x];
}

/// The other half: the list in front of each cta; a thread a block, as many joins as it has ctas.
template <typename Way>
__global__ void scan_sums(List* sums, List* scratch, uint32_t ctas_each, uint32_t blocks) {
    const uint32_t block = blockIdx.x * blockDim.x + threadIdx.x;
    if (block >= blocks) return;
    List *before = scratch + 2 * block, *joined = before + 1;
    Way::nothing(*before);
    for (uint32_t cta = 0; cta < ctas_each; ++cta) {
        List& sum = sums[size_t{block} * ctas_each + cta];
        Way::join(*joined, *before, sum);
        sum = *before;
        *before = *joined;
    }
}

/// Step C: each part with the list in front of it.
template <typename Way>
__global__ void __launch_bounds__(MTF_THREADS)
    write_parts(const uint8_t* input, uint8_t* output, const List* sums, uint32_t bytes, uint32_t ctas_each) {
    extern __shared__ uint4 s_memory[];
    MtfMemory& memory = *reinterpret_cast<MtfMemory*>(s_memory);
    const uint32_t block = blockIdx.x / ctas_each, at = (blockIdx.x % ctas_each * MTF_THREADS + threadIdx.x) * PART;
    const size_t from = size_t{block} * bytes + min(at, bytes);
    const uint32_t count = min(static_cast<uint32_t>(PART), bytes - min(at, bytes));
    Way::begin(memory.lists[0][threadIdx.x], input + from, count);
    __syncthreads();
    const int now = cta_scan_lists<Way>(memory);
    List& list = memory.lists[1 - now][threadIdx.x];
    if (threadIdx.x == 0) list = sums[blockIdx.x];
    else Way::join(list, sums[blockIdx.x], memory.lists[now][threadIdx.x - 1]);
    Way::complete(list);
    Way::write(list, input + from, count, output + from);
}

// ---- the inverse transform by doubling pointers: section 3.3.1

constexpr int LINK_THREADS = 1024;
/// Threads of a block's last steps: 14 doublings.
constexpr uint32_t WALKERS = 1 << 14;

/// His key-value sort, as a stable counting sort of one cta a block.
__global__ void __launch_bounds__(LINK_THREADS) link_rows(const uint8_t* columns, uint32_t* next, uint32_t bytes) {
    __shared__ uint32_t s_counts[LINK_THREADS / WARP_LANES][LIST];
    const uint8_t* column = columns + size_t{blockIdx.x} * bytes;
    uint32_t* own_next = next + size_t{blockIdx.x} * bytes;
    constexpr uint32_t WARPS = LINK_THREADS / WARP_LANES;
    const uint32_t warp = threadIdx.x / WARP_LANES, lane = threadIdx.x % WARP_LANES;
    const uint32_t each = (bytes + WARPS - 1) / WARPS, begin = min(bytes, warp * each),
                   limit = min(bytes, begin + each);
    for (uint32_t value = lane; value < LIST; value += WARP_LANES) s_counts[warp][value] = 0;
    __syncwarp();
    for (uint32_t at = begin + lane; at < limit; at += WARP_LANES) atomicAdd(&s_counts[warp][column[at]], 1u);
    __syncthreads();
    if (threadIdx.x == 0) {
        uint32_t sum = 0;
        for (int value = 0; value < LIST; ++value) {
            for (uint32_t w = 0; w < WARPS; ++w) {
                const uint32_t count = s_counts[w][value];
                s_counts[w][value] = sum;
                sum += count;
            }
        }
    }
    __syncthreads();
    for (uint32_t window = begin; window < limit; window += WARP_LANES) {
        const uint32_t at = window + lane;
        const uint32_t value = at < limit ? column[at] : 256 + lane;
        const uint32_t peers = __match_any_sync(ALL_LANES, value), before = peers & ((1u << lane) - 1);
        const uint32_t place = at < limit ? s_counts[warp][value] + __popc(before) : 0;
        __syncwarp();
        if (at < limit) own_next[place] = at;
        if (at < limit && before == 0) s_counts[warp][value] += __popc(peers);
        __syncwarp();
    }
}

/// Algorithm 7: `step` walkers find as many more, and all rows look twice as far ahead.
__global__ void double_steps(const uint8_t* columns, const uint32_t* origins, const uint32_t* ahead,
                             uint32_t* next_ahead, uint32_t* walkers, uint8_t* texts, uint32_t bytes, uint32_t step,
                             size_t all) {
    for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < all; i += size_t{gridDim.x} * blockDim.x) {
        const size_t base = i / bytes * bytes;
        const uint32_t own = static_cast<uint32_t>(i - base), *own_ahead = ahead + base;
        next_ahead[i] = own_ahead[own_ahead[own]];
        if (own >= step || own + step - 1 >= bytes) continue;
        uint32_t* own_walkers = walkers + i / bytes * 2 * WALKERS;
        const uint32_t row = own_ahead[own == 0 ? origins[i / bytes] : own_walkers[own - 1]];
        texts[base + own + step - 1] = columns[base + row];
        own_walkers[own + step - 1] = row;
    }
}

/// Algorithm 8: every walker goes on by as many steps as there are walkers. The doublings have made one less, and the
/// last one begins in front of the text.
__global__ void walk_on(const uint8_t* columns, const uint32_t* origins, const uint32_t* ahead, const uint32_t* walkers,
                        uint8_t* texts, uint32_t bytes, uint32_t blocks) {
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, block = i / WALKERS, own = i % WALKERS;
    if (block >= blocks || own >= bytes) return;
    const size_t base = size_t{block} * bytes;
    const bool in_front = own == WALKERS - 1;
    uint32_t row = in_front ? origins[block] : walkers[size_t{block} * 2 * WALKERS + own];
    for (uint32_t at = in_front ? own : own + WALKERS; at < bytes; at += WALKERS) {
        row = ahead[base + row];
        texts[base + at] = columns[base + row];
    }
}

template <typename T>
T* allocate(size_t count) {
    T* pointer;
    CHECK(cudaMalloc(&pointer, count * sizeof(T)));
    return pointer;
}

Bytes mtf_of(const Bytes& column) {
    Bytes list(LIST), places;
    for (int i = 0; i < LIST; ++i) list[i] = static_cast<uint8_t>(i);
    for (const uint8_t byte : column) {
        const auto found = std::find(list.begin(), list.end(), byte);
        places.push_back(static_cast<uint8_t>(found - list.begin()));
        std::rotate(list.begin(), found, found + 1);
    }
    return places;
}

bool inverts(const Bytes& block, const Bytes& column, uint32_t origin) {
    std::vector<uint32_t> next(column.size());
    size_t starts[257] = {};
    for (const uint8_t byte : column) ++starts[byte + 1];
    for (int c = 0; c < 256; ++c) starts[c + 1] += starts[c];
    for (size_t i = 0; i < column.size(); ++i) next[starts[column[i]]++] = static_cast<uint32_t>(i);
    uint32_t at = origin < next.size() ? next[origin] : 0;
    for (const uint8_t byte : block) {
        if (column[at] != byte) return false;
        at = next[at];
    }
    return true;
}

void run(const std::string& name, const std::vector<Bytes>& blocks, uint32_t count) {
    const uint32_t bytes = static_cast<uint32_t>(blocks[0].size()),
                   base = std::min<uint32_t>(static_cast<uint32_t>(blocks.size()), count);
    const size_t all = size_t{bytes} * count;
    const uint32_t tiles_each = (bytes + SORT_TILE - 1) / SORT_TILE,
                   ctas_each = (bytes + MTF_THREADS * PART - 1) / (MTF_THREADS * PART);
    uint8_t *text = allocate<uint8_t>(all), *column = allocate<uint8_t>(all), *places = allocate<uint8_t>(all),
            *again = allocate<uint8_t>(all);
    Rotation *rotations = allocate<Rotation>(all), *merged = allocate<Rotation>(all);
    uint32_t *origins = allocate<uint32_t>(count), *ahead = allocate<uint32_t>(all),
             *next_ahead = allocate<uint32_t>(all);
    uint32_t* walkers = allocate<uint32_t>(size_t{count} * 2 * WALKERS);
    List *sums = allocate<List>(size_t{count} * ctas_each), *scratch = allocate<List>(2 * count);
    for (uint32_t k = 0; k < count; ++k)
        CHECK(cudaMemcpy(text + size_t{k} * bytes, blocks[k % base].data(), bytes, cudaMemcpyHostToDevice));
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    const uint32_t grid = static_cast<uint32_t>(std::min<size_t>((all + 255) / 256, 1 << 16));
    const auto stage = [&](const char* word, const auto& work, const auto& is_right) {
        std::vector<float> times;
        for (int turn = 0; turn < 4; ++turn) {
            CHECK(cudaEventRecord(begin));
            work();
            CHECK(cudaEventRecord(end));
            CHECK(cudaEventSynchronize(end));
            CHECK(cudaGetLastError());
            float ms;
            CHECK(cudaEventElapsedTime(&ms, begin, end));
            if (turn > 0) times.push_back(ms);
        }
        std::sort(times.begin(), times.end());
        bool right = true;
        for (uint32_t k = 0; k < base; ++k) right = right && is_right(k);
        std::printf("%s,%u,%u,%s,%.3f,%.1f,%s\n", name.c_str(), count, bytes, word, times[1], all / times[1] / 1e3,
                    right ? "yes" : "WRONG");
        std::fflush(stdout);
    };
    const auto fetch = [&](const uint8_t* from, uint32_t k) {
        Bytes fetched(bytes);
        CHECK(cudaMemcpy(fetched.data(), from + size_t{k} * bytes, bytes, cudaMemcpyDeviceToHost));
        return fetched;
    };
    const auto scan = [&](auto way, const uint8_t* from, uint8_t* to) {
        using Way = decltype(way);
        join_parts<Way><<<count * ctas_each, MTF_THREADS, sizeof(MtfMemory)>>>(from, sums, bytes, ctas_each);
        scan_sums<Way><<<(count + 31) / 32, 32>>>(sums, scratch, ctas_each, count);
        write_parts<Way><<<count * ctas_each, MTF_THREADS, sizeof(MtfMemory)>>>(from, to, sums, bytes, ctas_each);
    };
    stage(
        "sort",
        [&] {
            sort_tiles<<<count * tiles_each, SORT_THREADS>>>(text, rotations, bytes, tiles_each);
            Rotation *from = rotations, *to = merged;
            for (uint32_t width = SORT_TILE; width < bytes; width *= 2) {
                merge_tiles<<<count * tiles_each, SORT_THREADS>>>(text, from, to, bytes, tiles_each, width);
                std::swap(from, to);
            }
            write_columns<<<grid, 256>>>(text, from, column, origins, bytes, all);
        },
        [&](uint32_t k) {
            uint32_t origin;
            CHECK(cudaMemcpy(&origin, origins + k, sizeof(origin), cudaMemcpyDeviceToHost));
            return inverts(blocks[k], fetch(column, k), origin);
        });
    stage(
        "mtf", [&] { scan(Forward{}, column, places); },
        [&](uint32_t k) { return fetch(places, k) == mtf_of(fetch(column, k)); });
    stage(
        "reverse_mtf", [&] { scan(Reverse{}, places, again); },
        [&](uint32_t k) { return fetch(again, k) == fetch(column, k); });
    stage(
        "reverse_bwt",
        [&] {
            link_rows<<<count, LINK_THREADS>>>(column, ahead, bytes);
            uint32_t *from = ahead, *to = next_ahead;
            for (uint32_t step = 1; step < WALKERS; step *= 2) {
                double_steps<<<grid, 256>>>(column, origins, from, to, walkers, again, bytes, step, all);
                std::swap(from, to);
            }
            walk_on<<<(count * WALKERS + 255) / 256, 256>>>(column, origins, from, walkers, again, bytes, count);
        },
        [&](uint32_t k) { return fetch(again, k) == blocks[k]; });
    for (void* pointer : std::initializer_list<void*>{text, column, places, again, rotations, merged, origins, ahead,
                                                      next_ahead, walkers, sums, scratch}) {
        CHECK(cudaFree(pointer));
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::printf("usage: see the head of the source\n");
        return 1;
    }
    const size_t block_bytes = std::strtoull(argv[1], nullptr, 10);
    for (const void* kernel :
         {reinterpret_cast<const void*>(join_parts<Forward>), reinterpret_cast<const void*>(join_parts<Reverse>),
          reinterpret_cast<const void*>(write_parts<Forward>), reinterpret_cast<const void*>(write_parts<Reverse>)}) {
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(MtfMemory)));
    }
    std::printf("file,blocks,block_bytes,stage,ms,MBps,verified\n");
    for (int i = 3; i < argc; ++i) {
        std::ifstream file(argv[i], std::ios::binary);
        const Bytes raw((std::istreambuf_iterator<char>(file)), {});
        std::vector<Bytes> blocks;
        for (size_t at = 0; at + block_bytes <= raw.size(); at += block_bytes)
            blocks.emplace_back(raw.begin() + at, raw.begin() + at + block_bytes);
        if (blocks.empty()) continue;
        for (const char* at = argv[2]; at != nullptr; at = std::strchr(at, ',') ? std::strchr(at, ',') + 1 : nullptr) {
            run(argv[i], blocks, static_cast<uint32_t>(std::strtoul(at, nullptr, 10)));
        }
    }
    return 0;
}
