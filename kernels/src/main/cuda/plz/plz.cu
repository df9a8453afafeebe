// Entry points of the word `plz`, and the constants that the Java side checks when it loads this module.
//
// All kernels take the same batch, in this order; `suffixarray` and `zstd_encode` are modules of their own:
//
//   plz_gather            a cta a unit           text and tables              plz_gather.cuh
//     suffixarray, from order_entries and text to order
//   plz_mark_heads        32 ctas a unit         where groups begin           ../nearest/nearest_places.cuh
//   plz_find_windows      a cta a range and kind
//   plz_count_buckets     a cta a tile of places
//   plz_place_buckets     a cta a range, 32 digits and kind
//   plz_deal_places       a cta a tile of places
//   plz_link_3, _4, _6, _8, _12   a cta a window of ranks    five candidates of a place
//   plz_tile_minima       a cta a tile of ranks  a tree of minima             ../ansv/ansv_values.cuh
//   plz_upper_minima      a cta a range
//   plz_smaller_values    a cta a tile of ranks  two candidates of a place
//   plz_measure           a thread a place       matches over candidates      plz_measure.cuh
//   plz_price_bytes       a cta a range          first prices                 plz_prices.cuh
//   SAMPLE_ROUNDS times: plz_parse_samples, plz_trace_samples, plz_price_samples
//     these and plz_price_bytes have as many ctas for each of SAMPLE_TURNS
//   plz_parse_drafts, plz_trace_drafts, plz_price_units, plz_parse_units, plz_trace  plz_parse.cuh
//     each of the parses may be its own with _wide instead, which has more lanes a chunk and the same paths
//   plz_seams             a warp a unit          matches over chunks          plz_seams.cuh
//   plz_emit              a cta a unit           matches and literals         plz_emit.cuh
//   plz_borders           a cta a unit           where its blocks meet        plz_borders.cuh
//     zstd_encode_codes_parts, zstd_encode_join
//
//   input     device, input_bytes bytes; of an aligned word that holds a byte of a range, any byte may be read
//   entries   device, range_count entries as zstd_encode has them, in the order of first_unit
//   all that follow in PlzBatch are scratch with undefined contents, 256-byte aligned
//
// Kernels whose grid is ranges or units return where there is none of that number.
#include "../common/residency.cuh"
#include "../common/status.cuh"
#include "plz_borders.cuh"
#include "plz_emit.cuh"
#include "plz_gather.cuh"
#include "plz_measure.cuh"
#include "plz_parts.cuh"
#include "plz_prices.cuh"
#include "plz_seams.cuh"

using namespace warpcodec;
using namespace warpcodec::plz;

namespace entry {

constexpr int ANSV_CTAS = resident_ctas(ANSV_THREADS, 3), COUNT_CTAS = resident_ctas(DEAL_THREADS, 2),
              DEAL_CTAS = resident_ctas(DEAL_THREADS, 1), PARSE_CTAS = resident_ctas(StrongShape::PARSE_THREADS, 8);

__constant__ FirstCounts FIRST_COUNTS = FIRST;

template <typename Memory>
__device__ __forceinline__ Memory& cta_memory() {
    extern __shared__ uint4 s_memory[];
    return *reinterpret_cast<Memory*>(s_memory);
}

template <uint32_t KIND>
__device__ __forceinline__ void link_kind(const PlzBatch& batch) {
    if (!is_part<NearestLayout::WINDOW>(batch, blockIdx.x)) return;
    const Part window = part_of<NearestLayout::WINDOW>(batch, blockIdx.x);
    nearest::cta_link_bucket<NearestLayout, KIND>(nearest_batch(batch), window.frame, window.index,
                                                  cta_memory<Link<KIND>>());
}

__device__ __forceinline__ void trace(const ParseBatch& batch, uint32_t cta = blockIdx.x) {
    const uint32_t chunk = cta * WARP_LANES + threadIdx.x;
    if (chunk < chunk_count(batch)) thread_trace_back(batch, chunk, StrongShape::GROUP_CHUNKS);
}

/// A cta among those of a turn of samples, of a grid that has as many for each turn.
struct TurnCta {
    uint32_t turn, index;

    static __device__ __forceinline__ TurnCta own() {
        const uint32_t each = max(gridDim.x / StrongShape::SAMPLE_TURNS, 1u);
        return {blockIdx.x / each, blockIdx.x % each};
    }
    __device__ __forceinline__ bool is_there() const { return turn < StrongShape::SAMPLE_TURNS; }
    __device__ __forceinline__ ParseBatch samples(const PlzBatch& batch) const { return sample_batch(batch, turn); }
    /// If it is a cta a frame.
    __device__ __forceinline__ BlockPrices* prices(const PlzBatch& batch) const {
        return is_there() && index < batch.range_count ? batch.frame_prices + turn * batch.range_count + index
                                                       : nullptr;
    }
};

template <uint32_t LANES, uint32_t UNITS>
__device__ __forceinline__ void parse(const ParseBatch& batch) {
    __shared__ ParseMemory<LANES, StrongShape::WARPS, UNITS> s_memory;
    cta_parse(batch, blockIdx.x, s_memory);
}
__device__ __forceinline__ void parse_narrow(const ParseBatch& batch) {
    parse<StrongShape::LANES, StrongShape::PARSE_UNITS>(batch);
}
__device__ __forceinline__ void parse_wide(const ParseBatch& batch) { parse<StrongShape::WIDE_LANES, 1>(batch); }

template <uint32_t LANES>
__device__ __forceinline__ void parse_samples(const PlzBatch& batch) {
    __shared__ WarpMemory<WARP_LANES / LANES> s_warps[StrongShape::WARPS];
    const TurnCta own = TurnCta::own();
    if (own.is_there()) cta_parse_samples<LANES>(own.samples(batch), own.index, s_warps);
}

}  // namespace entry

using namespace entry;

extern "C" __global__ void __launch_bounds__(GATHER_THREADS) plz_gather(const __grid_constant__ PlzBatch batch) {
    cta_lay_out(batch);
}

extern "C" __global__ void __launch_bounds__(ANSV_THREADS) plz_tile_minima(const __grid_constant__ PlzBatch batch) {
    if (!is_part<RANK_TILE>(batch, blockIdx.x)) return;
    const Part tile = part_of<RANK_TILE>(batch, blockIdx.x);
    ansv::cta_find_tile_minima(ansv_batch(batch), tile.frame, tile.index, cta_memory<Ansv>());
}

extern "C" __global__ void __launch_bounds__(UPPER_THREADS) plz_upper_minima(const __grid_constant__ PlzBatch batch) {
    if (blockIdx.x < batch.range_count) ansv::cta_find_upper_minima<ANSV_THREADS>(ansv_batch(batch), blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(ANSV_THREADS, ANSV_CTAS)
    plz_smaller_values(const __grid_constant__ PlzBatch batch) {
    if (!is_part<RANK_TILE>(batch, blockIdx.x)) return;
    const Part tile = part_of<RANK_TILE>(batch, blockIdx.x);
    ansv::cta_find_smaller_values(ansv_batch(batch), tile.frame, tile.index, cta_memory<Ansv>());
}

extern "C" __global__ void __launch_bounds__(THREADS) plz_mark_heads(const __grid_constant__ PlzBatch batch) {
    if (!is_part<MARK_RANKS>(batch, blockIdx.x)) return;
    const Part part = part_of<MARK_RANKS>(batch, blockIdx.x);
    const uint32_t first = part.index * MARK_RANKS + threadIdx.x / WARP_LANES * (nearest::MARK_STEPS * WARP_LANES);
    nearest::warp_mark_heads<NearestLayout, false>(nearest_batch(batch), part.frame, first);
}

extern "C" __global__ void __launch_bounds__(WINDOW_THREADS) plz_find_windows(const __grid_constant__ PlzBatch batch) {
    const uint32_t range = blockIdx.x / NEAREST_KINDS, kind = blockIdx.x % NEAREST_KINDS;
    if (range < batch.range_count) nearest::cta_find_windows<NearestLayout>(nearest_batch(batch), range, kind);
}

extern "C" __global__ void __launch_bounds__(DEAL_THREADS, COUNT_CTAS)
    plz_count_buckets(const __grid_constant__ PlzBatch batch) {
    __shared__ nearest::DealMemory<NearestLayout> s_memory;
    if (!is_part<NearestLayout::TILE>(batch, blockIdx.x)) return;
    const Part tile = part_of<NearestLayout::TILE>(batch, blockIdx.x);
    nearest::cta_count_buckets<NearestLayout>(nearest_batch(batch), tile.frame, tile.index, s_memory);
}

extern "C" __global__ void __launch_bounds__(SCAN_WARPS* WARP_LANES)
    plz_place_buckets(const __grid_constant__ PlzBatch batch) {
    __shared__ nearest::PlaceMemory<SCAN_WARPS> s_memory;
    const nearest::NearestBatch own = nearest_batch(batch);
    const uint32_t columns = own.digits / WARP_LANES, range = blockIdx.x / (NEAREST_KINDS * columns);
    const uint32_t kind = blockIdx.x / columns % NEAREST_KINDS;
    if (range < batch.range_count)
        nearest::cta_place_buckets<NearestLayout>(own, range, kind, blockIdx.x % columns * WARP_LANES, s_memory);
}

extern "C" __global__ void __launch_bounds__(DEAL_THREADS, DEAL_CTAS)
    plz_deal_places(const __grid_constant__ PlzBatch batch) {
    if (!is_part<NearestLayout::TILE>(batch, blockIdx.x)) return;
    const Part tile = part_of<NearestLayout::TILE>(batch, blockIdx.x);
    nearest::cta_deal_places<NearestLayout>(nearest_batch(batch), tile.frame, tile.index, cta_memory<Deal>());
}

extern "C" __global__ void __launch_bounds__(Link<0>::WARPS* WARP_LANES)
    plz_link_3(const __grid_constant__ PlzBatch batch) {
    link_kind<0>(batch);
}
extern "C" __global__ void __launch_bounds__(Link<1>::WARPS* WARP_LANES)
    plz_link_4(const __grid_constant__ PlzBatch batch) {
    link_kind<1>(batch);
}
extern "C" __global__ void __launch_bounds__(Link<2>::WARPS* WARP_LANES)
    plz_link_6(const __grid_constant__ PlzBatch batch) {
    link_kind<2>(batch);
}
extern "C" __global__ void __launch_bounds__(Link<3>::WARPS* WARP_LANES)
    plz_link_8(const __grid_constant__ PlzBatch batch) {
    link_kind<3>(batch);
}
extern "C" __global__ void __launch_bounds__(Link<4>::WARPS* WARP_LANES)
    plz_link_12(const __grid_constant__ PlzBatch batch) {
    link_kind<4>(batch);
}

extern "C" __global__ void __launch_bounds__(MEASURE_THREADS) plz_measure(const __grid_constant__ PlzBatch batch) {
    if (is_part<MEASURE_THREADS>(batch, blockIdx.x))
        warp_measure(parse_batch(batch), blockIdx.x * MEASURE_THREADS + threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(PRICE_THREADS) plz_price_bytes(const __grid_constant__ PlzBatch batch) {
    __shared__ SymbolCounts s_counts;
    const TurnCta own = TurnCta::own();
    BlockPrices* prices = own.prices(batch);
    if (prices == nullptr) return;
    cta_begin_first(own.samples(batch), own.index, FIRST_COUNTS, s_counts);
    cta_make_prices(s_counts, *prices);
}

extern "C" __global__ void __launch_bounds__(StrongShape::PARSE_THREADS)
    plz_parse_samples(const __grid_constant__ PlzBatch batch) {
    parse_samples<StrongShape::LANES>(batch);
}

extern "C" __global__ void __launch_bounds__(StrongShape::PARSE_THREADS)
    plz_parse_samples_wide(const __grid_constant__ PlzBatch batch) {
    parse_samples<StrongShape::WIDE_LANES>(batch);
}

extern "C" __global__ void __launch_bounds__(WARP_LANES) plz_trace_samples(const __grid_constant__ PlzBatch batch) {
    const TurnCta own = TurnCta::own();
    if (own.is_there()) trace(own.samples(batch), own.index);
}

extern "C" __global__ void __launch_bounds__(PRICE_THREADS) plz_price_samples(const __grid_constant__ PlzBatch batch) {
    __shared__ SymbolCounts s_counts;
    const TurnCta own = TurnCta::own();
    BlockPrices* prices = own.prices(batch);
    if (prices != nullptr) cta_price_paths<StrongShape::GROUP_CHUNKS>(own.samples(batch), own.index, s_counts, *prices);
}

extern "C" __global__ void __launch_bounds__(StrongShape::PARSE_THREADS, PARSE_CTAS)
    plz_parse_drafts(const __grid_constant__ PlzBatch batch) {
    parse_narrow(draft_batch(batch, true));
}

extern "C" __global__ void __launch_bounds__(StrongShape::PARSE_THREADS)
    plz_parse_drafts_wide(const __grid_constant__ PlzBatch batch) {
    parse_wide(draft_batch(batch, true));
}

extern "C" __global__ void __launch_bounds__(StrongShape::PARSE_THREADS, PARSE_CTAS)
    plz_parse_units(const __grid_constant__ PlzBatch batch) {
    parse_narrow(parse_batch(batch));
}

extern "C" __global__ void __launch_bounds__(StrongShape::PARSE_THREADS)
    plz_parse_units_wide(const __grid_constant__ PlzBatch batch) {
    parse_wide(parse_batch(batch));
}

extern "C" __global__ void __launch_bounds__(WARP_LANES) plz_trace_drafts(const __grid_constant__ PlzBatch batch) {
    trace(draft_batch(batch, true));
}

extern "C" __global__ void __launch_bounds__(WARP_LANES) plz_trace(const __grid_constant__ PlzBatch batch) {
    trace(parse_batch(batch));
}

extern "C" __global__ void __launch_bounds__(UNIT_PRICE_THREADS)
    plz_price_units(const __grid_constant__ PlzBatch batch) {
    __shared__ SymbolCounts s_counts;
    if (blockIdx.x < batch.unit_count)
        cta_price_paths<StrongShape::GROUP_CHUNKS>(draft_batch(batch, false), blockIdx.x, s_counts,
                                                   batch.unit_prices[blockIdx.x]);
}

extern "C" __global__ void __launch_bounds__(SEAM_THREADS) plz_seams(const __grid_constant__ PlzBatch batch) {
    const uint32_t unit = (blockIdx.x * SEAM_THREADS + threadIdx.x) / WARP_LANES;
    if (unit < batch.unit_count) warp_mend_seams<StrongShape::GROUP_CHUNKS>(parse_batch(batch), unit);
}

extern "C" __global__ void __launch_bounds__(EMIT_THREADS) plz_emit(const __grid_constant__ PlzBatch batch) {
    if (blockIdx.x < batch.unit_count)
        cta_emit_unit<StrongShape::GROUP_CHUNKS>(parse_batch(batch), encode_batch(batch), blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(BORDERS_THREADS) plz_borders(const __grid_constant__ PlzBatch batch) {
    __shared__ BorderMemory s_memory;
    if (blockIdx.x < batch.unit_count)
        cta_find_borders<StrongShape::GROUP_CHUNKS>(parse_batch(batch), blockIdx.x, batch.records[blockIdx.x],
                                                    s_memory);
}

extern "C" {
__device__ uint32_t plz_abi = ABI;
__device__ uint32_t plz_unit_bytes = UNIT_BYTES;
__device__ uint32_t plz_max_range_bytes = zstd_encode::MAX_RAW_BYTES;
__device__ uint32_t plz_text_slack_bytes = TEXT_SLACK;
__device__ uint32_t plz_frame_bytes = sizeof(FrameRange);
__device__ uint32_t plz_order_entry_bytes = sizeof(bwt_encode::BwtEntry);
__device__ uint32_t plz_unit_minima_words = static_cast<uint32_t>(ansv::minima_words(1));
__device__ uint32_t plz_nearest_kinds = NEAREST_KINDS;
__device__ uint32_t plz_window_ranks = NearestLayout::WINDOW;
__device__ uint32_t plz_window_bytes = sizeof(nearest::Window);
__device__ uint32_t plz_tile_places = NearestLayout::TILE;
__device__ uint32_t plz_brought_places = BROUGHT;
__device__ uint32_t plz_chunk_bytes = StrongShape::CHUNK_BYTES;
__device__ uint32_t plz_most_halvings = MOST_HALVINGS;
__device__ uint32_t plz_most_halved_bytes = MOST_HALVED_BYTES;
__device__ uint32_t plz_most_quartered_bytes = MOST_QUARTERED_BYTES;
__device__ uint32_t plz_cta_chunks = StrongShape::CTA_CHUNKS;
__device__ uint32_t plz_wide_cta_chunks = StrongShape::WIDE_CTA_CHUNKS;
__device__ uint32_t plz_sample_stride_bytes = StrongShape::SAMPLE_STRIDE;
__device__ uint32_t plz_sample_rounds = StrongShape::SAMPLE_ROUNDS;
__device__ uint32_t plz_sample_turns = StrongShape::SAMPLE_TURNS;
__device__ uint32_t plz_far_ways = FAR;
__device__ uint32_t plz_way_bytes = sizeof(Way);
__device__ uint32_t plz_path_bytes = sizeof(Path);
__device__ uint32_t plz_prices_bytes = sizeof(BlockPrices);
__device__ uint32_t plz_rank_tile = RANK_TILE;
__device__ uint32_t plz_mark_ranks = MARK_RANKS;
__device__ uint32_t plz_gather_cta_threads = GATHER_THREADS;
__device__ uint32_t plz_ansv_cta_threads = ANSV_THREADS;
__device__ uint32_t plz_upper_cta_threads = UPPER_THREADS;
__device__ uint32_t plz_cta_threads = THREADS;
__device__ uint32_t plz_window_cta_threads = WINDOW_THREADS;
__device__ uint32_t plz_deal_cta_threads = DEAL_THREADS;
__device__ uint32_t plz_place_cta_threads = SCAN_WARPS * WARP_LANES;
__device__ uint32_t plz_measure_cta_threads = MEASURE_THREADS;
__device__ uint32_t plz_price_cta_threads = PRICE_THREADS;
__device__ uint32_t plz_unit_price_cta_threads = UNIT_PRICE_THREADS;
__device__ uint32_t plz_parse_cta_threads = StrongShape::PARSE_THREADS;
__device__ uint32_t plz_seam_cta_threads = SEAM_THREADS;
__device__ uint32_t plz_emit_cta_threads = EMIT_THREADS;
__device__ uint32_t plz_borders_cta_threads = BORDERS_THREADS;
__device__ uint32_t plz_ansv_shared_bytes = sizeof(Ansv);
__device__ uint32_t plz_deal_shared_bytes = sizeof(Deal);
__device__ uint32_t plz_link_3_shared_bytes = sizeof(Link<0>);
__device__ uint32_t plz_link_4_shared_bytes = sizeof(Link<1>);
__device__ uint32_t plz_link_6_shared_bytes = sizeof(Link<2>);
__device__ uint32_t plz_link_8_shared_bytes = sizeof(Link<3>);
__device__ uint32_t plz_link_12_shared_bytes = sizeof(Link<4>);
__device__ uint32_t plz_batch_bytes = sizeof(PlzBatch);
__device__ uint32_t plz_batch_layout = PLZ_BATCH_LAYOUT.hash();
}

WARPCODEC_EXPORT_STATUSES(plz)
